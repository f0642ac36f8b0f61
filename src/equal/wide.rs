//! A register of keys against eight rows at a time, on the `wide` crate.

use std::ops::Range;

use wide::{u16x16, u32x8};

use super::EqualKernel;
use super::tiles::{self, ROWS};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn EqualKernel> = Kernel::new("wide", Tier::Portable, &[], &Wide);

struct Wide;

impl EqualKernel for Wide {
    fn rows16(&self, keys: &[u16], rows: Range<usize>) -> u64 {
        tiles::equal(keys, rows, tile16)
    }

    fn rows32(&self, keys: &[u32], rows: Range<usize>) -> u64 {
        tiles::equal(keys, rows, tile32)
    }
}

/// Registers of keys between two emptyings of the lanes' counts, each of which
/// grows by at most [`ROWS`] a register: 32,768 at the most.
const BLOCK: usize = 1 << 12;

fn tile16(own: &[u16; ROWS], keys: &[u16]) -> u64 {
    let rows = own.map(u16x16::splat);
    let (registers, rest) = keys.as_chunks::<16>();
    let mut pairs = tiles::leftover(own, rest);
    for block in registers.chunks(BLOCK) {
        let mut counts = u16x16::ZERO;
        for keys in block {
            let keys = u16x16::new(*keys);
            for row in rows {
                counts -= keys.simd_eq(row); // all ones, which is -1, where equal
            }
        }
        pairs += counts.to_array().into_iter().map(u64::from).sum::<u64>();
    }
    pairs
}

fn tile32(own: &[u32; ROWS], keys: &[u32]) -> u64 {
    let rows = own.map(u32x8::splat);
    let (registers, rest) = keys.as_chunks::<8>();
    let mut pairs = tiles::leftover(own, rest);
    for block in registers.chunks(BLOCK) {
        let mut counts = u32x8::ZERO;
        for keys in block {
            let keys = u32x8::new(*keys);
            for row in rows {
                counts -= keys.simd_eq(row);
            }
        }
        pairs += counts.to_array().into_iter().map(u64::from).sum::<u64>();
    }
    pairs
}
