//! Rows of sixteen prices: the high bits of `by` say which two rows meet, its low
//! four bits how the lanes of the second are exchanged.

use std::arch::x86_64::*;

use super::scalar::Scalar;
use super::{CAP, CosetKernel, check};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn CosetKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f"], &Avx512);

const LOG_LANES: u32 = 4;
const LANES: usize = 1 << LOG_LANES;

struct Avx512;

impl CosetKernel for Avx512 {
    fn fold(&self, prices: &[u32], by: u32, folded: &mut [u32]) -> u32 {
        check(prices, by, folded);
        if by >> LOG_LANES == 0 {
            return Scalar.fold(prices, by, folded);
        }
        #[expect(unsafe_code, reason = "the call needs the CPU's consent")]
        // SAFETY: an `Avx512` is reachable only through `Kernel::get`, which asked for avx512f.
        unsafe {
            rows(prices, by, folded)
        }
    }
}

#[target_feature(enable = "avx512f")]
fn rows(prices: &[u32], by: u32, folded: &mut [u32]) -> u32 {
    let (prices, folded) = (prices.as_chunks::<LANES>().0, folded.as_chunks_mut::<LANES>().0);
    let by_row = (by >> LOG_LANES) as usize;
    let run = 1 << by_row.ilog2();
    let exchange: [u32; LANES] = std::array::from_fn(|lane| lane as u32 ^ by & (LANES as u32 - 1));
    let exchange: __m512i = bytemuck::must_cast(exchange);
    let cap = _mm512_set1_epi32(CAP as i32);
    let mut least = cap;
    // A run of rows without the highest bit of `by`, then one with it.
    for (first, folded) in folded.chunks_exact_mut(run).enumerate() {
        let start = first * 2 * run;
        // Within the run of its partners, a row is found by the other bits.
        let partners = &prices[start + run..][..run];
        let within = by_row & (run - 1);
        for (row, (price, folded)) in prices[start..][..run].iter().zip(folded).enumerate() {
            let other = bytemuck::must_cast(partners[row ^ within]);
            let other = _mm512_permutexvar_epi32(exchange, other);
            let both = _mm512_add_epi32(bytemuck::must_cast(*price), other);
            let both = _mm512_min_epu32(both, cap);
            least = _mm512_min_epu32(least, if start + row == 0 { cap } else { both });
            *folded = bytemuck::must_cast(both);
        }
    }
    folded[0][0] = CAP;
    let lanes: [u32; LANES] = bytemuck::must_cast(least);
    lanes.into_iter().chain(folded[0]).min().unwrap_or(CAP)
}
