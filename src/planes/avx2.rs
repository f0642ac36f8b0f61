//! The exchanges of the scalar kernel on four rows at a time, in 256-bit vectors.
//!
//! ```text
//! vector v holds rows 4v, 4v+1, 4v+2, 4v+3: exchanges 32, 16, 8, 4 pair vectors;
//! after a 4 × 4 transpose of words, so do exchanges 2 and 1
//! ```

use std::arch::x86_64::*;

use super::scalar::low;
use super::{Block, PlaneKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PlaneKernel> =
    Kernel::new("avx2", Tier::Avx2, &["avx2"], &Avx2);

struct Avx2;

impl PlaneKernel for Avx2 {
    #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
    fn transpose(&self, blocks: &mut [Block]) {
        // SAFETY: an `Avx2` is only had from `KERNEL`, whose `get` asked the CPU.
        unsafe { transpose(blocks) }
    }
}

#[target_feature(enable = "avx2")]
fn transpose(blocks: &mut [Block]) {
    for block in blocks {
        let mut rows: [__m256i; 16] = bytemuck::must_cast(*block);
        exchange::<32>(&mut rows, 8);
        exchange::<16>(&mut rows, 4);
        exchange::<8>(&mut rows, 2);
        exchange::<4>(&mut rows, 1);
        words(&mut rows);
        exchange::<2>(&mut rows, 2);
        exchange::<1>(&mut rows, 1);
        words(&mut rows);
        *block = bytemuck::must_cast(rows);
    }
}

/// Exchanges quarters of `SIDE` × `SIDE` bits between vectors `apart`.
#[inline]
#[target_feature(enable = "avx2")]
fn exchange<const SIDE: i32>(rows: &mut [__m256i; 16], apart: usize) {
    let low = _mm256_set1_epi64x(low(SIDE as usize) as i64);
    for square in rows.chunks_exact_mut(2 * apart) {
        let (upper, lower) = square.split_at_mut(apart);
        for (a, b) in upper.iter_mut().zip(lower) {
            let differ = _mm256_xor_si256(_mm256_srli_epi64::<SIDE>(*a), *b);
            let differ = _mm256_and_si256(differ, low);
            *a = _mm256_xor_si256(*a, _mm256_slli_epi64::<SIDE>(differ));
            *b = _mm256_xor_si256(*b, differ);
        }
    }
}

/// Transposes each four vectors as a 4 × 4 matrix of words.
#[inline]
#[target_feature(enable = "avx2")]
fn words(rows: &mut [__m256i; 16]) {
    for four in rows.as_chunks_mut::<4>().0 {
        let [a, b, c, d] = *four;
        let even = [_mm256_unpacklo_epi64(a, b), _mm256_unpacklo_epi64(c, d)];
        let odd = [_mm256_unpackhi_epi64(a, b), _mm256_unpackhi_epi64(c, d)];
        *four = [
            _mm256_permute2x128_si256::<0x20>(even[0], even[1]),
            _mm256_permute2x128_si256::<0x20>(odd[0], odd[1]),
            _mm256_permute2x128_si256::<0x31>(even[0], even[1]),
            _mm256_permute2x128_si256::<0x31>(odd[0], odd[1]),
        ];
    }
}
