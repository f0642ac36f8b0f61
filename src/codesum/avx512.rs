//! Gray's walk, sixteen words at a time: the span of four basis vectors is sixteen
//! offsets in a vector, the walk goes over the rest, and a gather looks up.
//!
//! A gather is sixteen loads, so what it saves is the bookkeeping around them.

use std::arch::x86_64::*;

use super::{CodeSumKernel, Prices};
use crate::gf2;
use crate::tier::{Kernel, Tier, pick};

pub(super) const KERNEL: Kernel<dyn CodeSumKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f"], &Avx512);

const LOG_LANES: usize = 4;

struct Avx512;

impl CodeSumKernel for Avx512 {
    fn sum(&self, prices: &Prices, basis: &[u32]) -> u64 {
        let Some((few, rest)) = basis.split_at_checked(LOG_LANES) else {
            let (_, gray) = pick(super::KERNELS, Some("gray"), Tier::Scalar).expect("it is plain");
            return gray.sum(prices, basis);
        };
        let inside = basis.iter().all(|&vector| (vector as usize) < prices.cells().len());
        assert!(inside, "{basis:x?} is beyond {} cells", prices.cells().len());
        #[expect(unsafe_code, reason = "the call needs the CPU's consent, the gather its bounds")]
        // SAFETY: an `Avx512` is reachable only through `Kernel::get`, which asked for avx512f; every
        // sum of basis vectors is below the power of two that is the number of cells.
        unsafe {
            walk(prices.cells(), few, rest)
        }
    }
}

/// # Safety
/// Every sum of vectors of `few` and `rest` is a cell's number.
#[expect(unsafe_code, reason = "a gather takes a pointer")]
#[target_feature(enable = "avx512f")]
unsafe fn walk(cells: &[u32], few: &[u32], rest: &[u32]) -> u64 {
    let mut offsets = [0u32; 1 << LOG_LANES];
    for (lane, offset) in offsets.iter_mut().enumerate() {
        *offset = gf2::times(few, lane as u64);
    }
    let offsets: __m512i = bytemuck::must_cast(offsets);
    let low = _mm512_set1_epi64(0xffff_ffff);
    let (mut even, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for set in gf2::span(rest) {
        let numbers = _mm512_xor_si512(offsets, _mm512_set1_epi32(set as i32));
        // SAFETY: the caller promises that every number is a cell's.
        let found = unsafe { _mm512_i32gather_epi32::<4>(numbers, cells.as_ptr().cast()) };
        even = _mm512_add_epi64(even, _mm512_and_si512(found, low));
        odd = _mm512_add_epi64(odd, _mm512_srli_epi64::<32>(found));
    }
    let sums: [u64; 8] = bytemuck::must_cast(_mm512_add_epi64(even, odd));
    sums.iter().sum()
}
