//! Bytes by VBMI and bits by GFNI: a block is eight registers of eight rows.
//!
//! ```text
//! register v: rows 8v … 8v+7, a word each
//!   vpermb          word c = byte c of the eight rows         [c][row]
//!   vgf2p8affineqb  word c = its 8 × 8 bits transposed        [c][column]
//!   words 8 × 8     register c, word v                     c: [v][column]
//!   vpermb          register c, word = column 8c + j       c: [column][v]
//! ```
//!
//! `vgf2p8affineqb(x, A)` multiplies the bit matrix `A`, its rows from byte 7
//! down to byte 0, by each byte of `x`. With the eight unit vectors as `x` it
//! yields `A`'s columns, that is the transpose of an 8 × 8 block at one go.

use std::arch::x86_64::*;

use super::{Block, PlaneKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PlaneKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f", "avx512bw", "avx512vbmi", "gfni"], &Avx512);

struct Avx512;

impl PlaneKernel for Avx512 {
    #[expect(unsafe_code, reason = "calls code compiled for AVX-512 VBMI and GFNI")]
    fn transpose(&self, blocks: &mut [Block]) {
        // SAFETY: an `Avx512` is only had from `KERNEL`, whose `get` asked the CPU.
        unsafe { transpose(blocks) }
    }
}

/// Byte `8c + i` comes from byte `c` of word `7 - i`: bytes become words, in
/// the order of rows that the affine instruction wants.
pub(crate) const BYTES_TO_WORDS: [u8; 64] = {
    let mut from = [0; 64];
    let mut to = 0;
    while to < 64 {
        from[to] = (8 * (7 - to % 8) + to / 8) as u8;
        to += 1;
    }
    from
};

/// Byte `8j + v` comes from byte `j` of word `v`.
const TRANSPOSE_BYTES: [u8; 64] = {
    let mut from = [0; 64];
    let mut to = 0;
    while to < 64 {
        from[to] = (8 * (to % 8) + to / 8) as u8;
        to += 1;
    }
    from
};

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn transpose(blocks: &mut [Block]) {
    let bytes_to_words = bytemuck::must_cast(BYTES_TO_WORDS);
    let transpose_bytes = bytemuck::must_cast(TRANSPOSE_BYTES);
    let units = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    for block in blocks {
        let rows: [__m512i; 8] = bytemuck::must_cast(*block);
        let columns = rows.map(|eight| {
            let bytes = _mm512_permutexvar_epi8(bytes_to_words, eight);
            _mm512_gf2p8affine_epi64_epi8::<0>(units, bytes)
        });
        let columns = words(columns).map(|eight| _mm512_permutexvar_epi8(transpose_bytes, eight));
        *block = bytemuck::must_cast(columns);
    }
}

/// Transposes eight registers as an 8 × 8 matrix of words: neighbours, then
/// 128-bit pairs, then 256-bit halves.
#[inline]
#[target_feature(enable = "avx512f")]
fn words(rows: [__m512i; 8]) -> [__m512i; 8] {
    let [a, b, c, d, e, f, g, h] = rows;
    let (a, b) = (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    let (c, d) = (_mm512_unpacklo_epi64(c, d), _mm512_unpackhi_epi64(c, d));
    let (e, f) = (_mm512_unpacklo_epi64(e, f), _mm512_unpackhi_epi64(e, f));
    let (g, h) = (_mm512_unpacklo_epi64(g, h), _mm512_unpackhi_epi64(g, h));
    // a: columns 0, 2, 4, 6 of rows 0, 1; b: columns 1, 3, 5, 7; c: of rows 2, 3; …
    let (even, odd) = (quarters([a, c, e, g]), quarters([b, d, f, h]));
    [even[0], odd[0], even[1], odd[1], even[2], odd[2], even[3], odd[3]]
}

/// Transposes four registers as a 4 × 4 matrix of 128-bit quarters.
#[inline]
#[target_feature(enable = "avx512f")]
fn quarters([a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
    let low = [_mm512_shuffle_i64x2::<0x88>(a, b), _mm512_shuffle_i64x2::<0x88>(c, d)];
    let high = [_mm512_shuffle_i64x2::<0xdd>(a, b), _mm512_shuffle_i64x2::<0xdd>(c, d)];
    [
        _mm512_shuffle_i64x2::<0x88>(low[0], low[1]),
        _mm512_shuffle_i64x2::<0x88>(high[0], high[1]),
        _mm512_shuffle_i64x2::<0xdd>(low[0], low[1]),
        _mm512_shuffle_i64x2::<0xdd>(high[0], high[1]),
    ]
}
