//! A row as two 256-bit vectors.

use std::arch::x86_64::*;

use super::{LANES, Lanes, TallyKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn TallyKernel> =
    Kernel::new("avx2", Tier::Avx2, &["avx2", "popcnt"], &Avx2);

struct Avx2;

impl TallyKernel for Avx2 {
    fn rows(&self, rows: &[[u32; LANES]], running: &mut [Lanes]) {
        #[expect(unsafe_code, reason = "calls code compiled for avx2 and popcnt")]
        // SAFETY: an `Avx2` is reachable only through `Kernel::get`, which asked for both.
        unsafe {
            tally(rows, running);
        }
    }
}

#[target_feature(enable = "avx2,popcnt")]
fn tally(rows: &[[u32; LANES]], running: &mut [Lanes]) {
    let zero = _mm256_setzero_si256();
    for (row, counts) in rows.iter().enumerate() {
        let lanes = &mut running[row.count_ones() as usize];
        let mut sums: [__m256i; 4] = bytemuck::must_cast(lanes.sums);
        let mut maxima: [__m256i; 2] = bytemuck::must_cast(lanes.maxima);
        let mut zeros: [__m256i; 2] = bytemuck::must_cast(lanes.zeros);
        let halves: [__m256i; 2] = bytemuck::must_cast(*counts);
        for half in 0..2 {
            let counts = halves[half];
            let low = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(counts));
            let high = _mm256_cvtepu32_epi64(_mm256_extracti128_si256::<1>(counts));
            sums[2 * half] = _mm256_add_epi64(sums[2 * half], low);
            sums[2 * half + 1] = _mm256_add_epi64(sums[2 * half + 1], high);
            maxima[half] = _mm256_max_epu32(maxima[half], counts);
            zeros[half] = _mm256_sub_epi32(zeros[half], _mm256_cmpeq_epi32(counts, zero));
        }
        lanes.sums = bytemuck::must_cast(sums);
        lanes.maxima = bytemuck::must_cast(maxima);
        lanes.zeros = bytemuck::must_cast(zeros);
    }
}
