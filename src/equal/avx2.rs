//! A register of keys against eight rows at a time, on AVX2.

use std::arch::x86_64::*;
use std::ops::Range;

use super::EqualKernel;
use super::tiles::{self, ROWS};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn EqualKernel> =
    Kernel::new("avx2", Tier::Avx2, &["avx2"], &Avx2);

struct Avx2;

#[expect(unsafe_code, reason = "the calls from plain to AVX2 code")]
impl EqualKernel for Avx2 {
    fn rows16(&self, keys: &[u16], rows: Range<usize>) -> u64 {
        // SAFETY: `Kernel::get` hands out an `Avx2` only on a CPU with this feature.
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

#[target_feature(enable = "avx2")]
fn tile16(own: &[u16; ROWS], keys: &[u16]) -> u64 {
    let rows = own.map(|x| _mm256_set1_epi16(x.cast_signed()));
    let (registers, rest) = keys.as_chunks::<16>();
    let mut pairs = tiles::leftover(own, rest);
    for block in registers.chunks(BLOCK) {
        let mut counts = [_mm256_setzero_si256(); 4];
        for keys in block {
            let keys = bytemuck::must_cast(*keys);
            for (index, row) in rows.iter().enumerate() {
                // All ones, which is -1, where equal.
                let equal = _mm256_cmpeq_epi16(keys, *row);
                counts[index % 4] = _mm256_sub_epi16(counts[index % 4], equal);
            }
        }
        let lanes: [u16; 64] = bytemuck::must_cast(counts);
        pairs += lanes.into_iter().map(u64::from).sum::<u64>();
    }
    pairs
}

#[target_feature(enable = "avx2")]
fn tile32(own: &[u32; ROWS], keys: &[u32]) -> u64 {
    let rows = own.map(|x| _mm256_set1_epi32(x.cast_signed()));
    let (registers, rest) = keys.as_chunks::<8>();
    let mut pairs = tiles::leftover(own, rest);
    for block in registers.chunks(BLOCK) {
        let mut counts = [_mm256_setzero_si256(); 4];
        for keys in block {
            let keys = bytemuck::must_cast(*keys);
            for (index, row) in rows.iter().enumerate() {
                let equal = _mm256_cmpeq_epi32(keys, *row);
                counts[index % 4] = _mm256_sub_epi32(counts[index % 4], equal);
            }
        }
        let lanes: [u32; 32] = bytemuck::must_cast(counts);
        pairs += lanes.into_iter().map(u64::from).sum::<u64>();
    }
    pairs
}
