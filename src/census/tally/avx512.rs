//! A row as one 512-bit vector.

use std::arch::x86_64::*;

use super::{LANES, Lanes, TallyKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn TallyKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f", "popcnt"], &Avx512);

struct Avx512;

impl TallyKernel for Avx512 {
    fn rows(&self, rows: &[[u32; LANES]], running: &mut [Lanes]) {
        #[expect(unsafe_code, reason = "calls code compiled for avx512f and popcnt")]
        // SAFETY: an `Avx512` is reachable only through `Kernel::get`, which asked for both.
        unsafe {
            tally(rows, running);
        }
    }
}

#[target_feature(enable = "avx512f,popcnt")]
fn tally(rows: &[[u32; LANES]], running: &mut [Lanes]) {
    let one = _mm512_set1_epi32(1);
    for (row, counts) in rows.iter().enumerate() {
        let lanes = &mut running[row.count_ones() as usize];
        let mut sums: [__m512i; 2] = bytemuck::must_cast(lanes.sums);
        let mut maxima: __m512i = bytemuck::must_cast(lanes.maxima);
        let mut zeros: __m512i = bytemuck::must_cast(lanes.zeros);
        let counts: __m512i = bytemuck::must_cast(*counts);
        let low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(counts));
        let high = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64::<1>(counts));
        sums[0] = _mm512_add_epi64(sums[0], low);
        sums[1] = _mm512_add_epi64(sums[1], high);
        maxima = _mm512_max_epu32(maxima, counts);
        zeros = _mm512_mask_add_epi32(zeros, _mm512_testn_epi32_mask(counts, counts), zeros, one);
        lanes.sums = bytemuck::must_cast(sums);
        lanes.maxima = bytemuck::must_cast(maxima);
        lanes.zeros = bytemuck::must_cast(zeros);
    }
}
