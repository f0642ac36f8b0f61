//! Gray's walk, eight words at a time: the span of three basis vectors is eight
//! offsets in a vector, the walk goes over the rest, and a gather looks up.
//!
//! A gather is eight loads, so what it saves is the bookkeeping around them.

use std::arch::x86_64::*;

use super::{CodeSumKernel, Prices};
use crate::gf2;
use crate::tier::{Kernel, Tier, pick};

pub(super) const KERNEL: Kernel<dyn CodeSumKernel> =
    Kernel::new("avx2", Tier::Avx2, &["avx2"], &Avx2);

const LOG_LANES: usize = 3;

struct Avx2;

impl CodeSumKernel for Avx2 {
    fn sum(&self, prices: &Prices, basis: &[u32]) -> u64 {
        let Some((few, rest)) = basis.split_at_checked(LOG_LANES) else {
            let (_, gray) = pick(super::KERNELS, Some("gray"), Tier::Scalar).expect("it is plain");
            return gray.sum(prices, basis);
        };
        let inside = basis.iter().all(|&vector| (vector as usize) < prices.cells().len());
        assert!(inside, "{basis:x?} is beyond {} cells", prices.cells().len());
        #[expect(unsafe_code, reason = "the call needs the CPU's consent, the gather its bounds")]
        // SAFETY: an `Avx2` is reachable only through `Kernel::get`, which asked for avx2; every
        // sum of basis vectors is below the power of two that is the number of cells.
        unsafe {
            walk(prices.cells(), few, rest)
        }
    }
}

/// # Safety
/// Every sum of vectors of `few` and `rest` is a cell's number.
#[expect(unsafe_code, reason = "a gather takes a pointer")]
#[target_feature(enable = "avx2")]
unsafe fn walk(cells: &[u32], few: &[u32], rest: &[u32]) -> u64 {
    let mut offsets = [0u32; 1 << LOG_LANES];
    for (lane, offset) in offsets.iter_mut().enumerate() {
        *offset = gf2::times(few, lane as u64);
    }
    let offsets: __m256i = bytemuck::must_cast(offsets);
    let low = _mm256_set1_epi64x(0xffff_ffff);
    let (mut even, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    for set in gf2::span(rest) {
        let numbers = _mm256_xor_si256(offsets, _mm256_set1_epi32(set as i32));
        // SAFETY: the caller promises that every number is a cell's.
        let found = unsafe { _mm256_i32gather_epi32::<4>(cells.as_ptr().cast(), numbers) };
        even = _mm256_add_epi64(even, _mm256_and_si256(found, low));
        odd = _mm256_add_epi64(odd, _mm256_srli_epi64::<32>(found));
    }
    let sums: [u64; 4] = bytemuck::must_cast(_mm256_add_epi64(even, odd));
    sums.iter().sum()
}
