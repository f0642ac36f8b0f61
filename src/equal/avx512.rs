//! A register of keys against eight rows at a time, on AVX-512.

use std::arch::x86_64::*;
use std::ops::Range;

use super::EqualKernel;
use super::tiles::{self, ROWS};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn EqualKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f", "avx512bw"], &Avx512);

struct Avx512;

#[expect(unsafe_code, reason = "the calls from plain to AVX-512 code")]
impl EqualKernel for Avx512 {
    fn rows16(&self, keys: &[u16], rows: Range<usize>) -> u64 {
        // SAFETY: `Kernel::get` hands out an `Avx512` only on a CPU with these features.
        tiles::equal(keys, rows, |own, keys| unsafe { tile16(own, keys) })
    }

    fn rows32(&self, keys: &[u32], rows: Range<usize>) -> u64 {
        // SAFETY: as above.
        tiles::equal(keys, rows, |own, keys| unsafe { tile32(own, keys) })
    }
}

/// Registers of keys between two emptyings of the lanes' counts, each of which
/// grows by at most [`ROWS`] a register: 32,768 at the most.
const BLOCK: usize = 1 << 12;

#[target_feature(enable = "avx512f,avx512bw")]
fn tile16(own: &[u16; ROWS], keys: &[u16]) -> u64 {
    let rows = own.map(|x| _mm512_set1_epi16(x.cast_signed()));
    let one = _mm512_set1_epi16(1);
    let (registers, rest) = keys.as_chunks::<32>();
    let mut pairs = tiles::leftover(own, rest);
    for block in registers.chunks(BLOCK) {
        let mut counts = [_mm512_setzero_si512(); 4];
        for keys in block {
            let keys = bytemuck::must_cast(*keys);
            for (index, row) in rows.iter().enumerate() {
                let equal = _mm512_cmpeq_epi16_mask(keys, *row);
                let count = &mut counts[index % 4];
                *count = _mm512_mask_add_epi16(*count, equal, *count, one);
            }
        }
        let lanes: [[u16; 32]; 4] = counts.map(bytemuck::must_cast);
        pairs += lanes.as_flattened().iter().map(|lane| u64::from(*lane)).sum::<u64>();
    }
    pairs
}

#[target_feature(enable = "avx512f,avx512bw")]
fn tile32(own: &[u32; ROWS], keys: &[u32]) -> u64 {
    let rows = own.map(|x| _mm512_set1_epi32(x.cast_signed()));
    let one = _mm512_set1_epi32(1);
    let (registers, rest) = keys.as_chunks::<16>();
    let mut pairs = tiles::leftover(own, rest);
    for block in registers.chunks(BLOCK) {
        let mut counts = [_mm512_setzero_si512(); 4];
        for keys in block {
            let keys = bytemuck::must_cast(*keys);
            for (index, row) in rows.iter().enumerate() {
                let equal = _mm512_cmpeq_epi32_mask(keys, *row);
                let count = &mut counts[index % 4];
                *count = _mm512_mask_add_epi32(*count, equal, *count, one);
            }
        }
        let lanes: [[u32; 16]; 4] = counts.map(bytemuck::must_cast);
        pairs += lanes.as_flattened().iter().map(|lane| u64::from(*lane)).sum::<u64>();
    }
    pairs
}
