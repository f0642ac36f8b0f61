//! `lanes` with 512-bit vectors: eight sets a register. Leading zeros are one
//! instruction (CD), a rotation by lane is one (F), and the reversal of 64 bits is
//! two: bits in bytes by an affine map (GFNI), bytes by a shuffle (BW).

use std::arch::x86_64::*;

use super::lanes::{self, Block};
use super::{Check, PairingKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairingKernel> =
    Kernel::new("avx512", Tier::Avx512, NEEDS, &Avx512);

const NEEDS: &[&str] =
    &["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "avx512vpopcntdq", "gfni"];

struct Avx512;

impl PairingKernel for Avx512 {
    #[expect(unsafe_code, reason = "calls code compiled for more than the build's target")]
    fn accepted(&self, check: &Check, sets: &[u64], accepted: &mut [u8]) {
        // SAFETY: `KERNEL` is the only way to an `Avx512`, and it asks the CPU for `NEEDS`.
        unsafe { body(check, sets, accepted) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vpopcntdq,gfni")]
fn body(check: &Check, sets: &[u64], accepted: &mut [u8]) {
    lanes::accepted(check, sets, accepted, |block| sieve(block));
}

/// Which sets read the same from both ends: moved to the top, a set and its
/// reversal are equal. Seven instructions for eight sets.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vpopcntdq,gfni")]
#[inline]
fn sieve(block: &Block) -> u64 {
    let bits = _mm512_set1_epi64(REVERSED_BITS);
    let bytes = bytemuck::must_cast(REVERSED_BYTES);
    (0..).zip(block.as_chunks::<8>().0).fold(0, |kept, (eight, sets)| {
        let sets: __m512i = bytemuck::must_cast(*sets);
        let reversed = _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_shuffle_epi8(sets, bytes), bits);
        let top = |sets| _mm512_rolv_epi64(sets, _mm512_lzcnt_epi64(sets));
        let same = _mm512_cmpeq_epi64_mask(top(sets), top(reversed));
        kept | u64::from(same) << (8 * eight)
    })
}

/// The matrix that reverses the bits of a byte.
const REVERSED_BITS: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// The bytes of each eight in reverse order.
const REVERSED_BYTES: [[u8; 16]; 4] = [[7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]; 4];
