//! 8 × 8 bit matrices by `vgf2p8affineqb`, sixteen positions in a register.
//!
//! A key is a bit matrix times a position. Cut into 8 × 8 blocks, one for each
//! byte of the key and of the position:
//!
//! ```text
//!                 ┌ A00 A01 A02 ┐ ┌ position ┐      a register: eight words,
//! key byte 0..3 = │ A10 A11 A12 │ │  bytes   │      0–3 key bytes 0–3 of positions 0–7,
//!                 │ A20 A21 A22 │ └  0..2    ┘      4–7 key bytes 0–3 of positions 8–15
//!                 └ A30 A31 A32 ┘
//! ```
//!
//! For each byte of the positions: one byte shuffle copies that byte of sixteen
//! positions to where its four products belong, and one affine instruction makes
//! all of them. Bytes 4–7 of a key are the same again with other matrices, and a
//! last shuffle puts the bytes of each key together.

use std::arch::x86_64::*;

use super::{KeyKernel, check_lengths, check_seen};
use crate::planes::BYTES_TO_WORDS;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn KeyKernel> =
    Kernel::new("gfni", Tier::Avx512, &["avx512f", "avx512bw", "avx512vbmi", "gfni"], &Gfni);

struct Gfni;

/// Positions a step takes.
const LANES: usize = 16;

impl KeyKernel for Gfni {
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]) {
        check_lengths(words, positions, out);
        #[expect(unsafe_code, reason = "calls code compiled for AVX-512 VBMI and GFNI")]
        // SAFETY: a `Gfni` is only had from `KERNEL`, whose `get` asked the CPU.
        let seen = unsafe { keys(words, positions, out) };
        check_seen(words.len(), seen);
    }

    fn keys32(&self, words: &[u32], positions: &[u32], out: &mut [u32]) {
        check_lengths(words, positions, out);
        #[expect(unsafe_code, reason = "calls code compiled for AVX-512 VBMI and GFNI")]
        // SAFETY: a `Gfni` is only had from `KERNEL`, whose `get` asked the CPU.
        let seen = unsafe { keys32(words, positions, out) };
        check_seen(words.len(), seen.into());
    }
}

/// The matrices of one byte of the positions: for key bytes 0–3 and 4–7.
type Matrices = [__m512i; 2];

/// The matrices of bytes 0, 1, … of the positions.
///
/// Row `i` of a matrix, and so its byte `7 - i`, holds bit `i` of one byte of
/// eight words: the transpose of that byte, which the affine instruction yields
/// as that byte's matrix times the unit vectors, the last first.
#[target_feature(enable = "avx512f,avx512vbmi,gfni")]
fn matrices<const BYTES: usize>(words: impl Iterator<Item = u64>) -> [Matrices; BYTES] {
    let mut padded = [[0; 8]; BYTES];
    padded.as_flattened_mut().iter_mut().zip(words).for_each(|(to, word)| *to = word);
    let units = _mm512_set1_epi64(0x0102_0408_1020_4080);
    padded.map(|eight| {
        let bytes = bytemuck::must_cast(BYTES_TO_WORDS);
        let bytes = _mm512_permutexvar_epi8(bytes, bytemuck::must_cast(eight));
        let matrices = _mm512_gf2p8affine_epi64_epi8::<0>(units, bytes);
        [
            _mm512_shuffle_i64x2::<0b01_00_01_00>(matrices, matrices),
            _mm512_shuffle_i64x2::<0b11_10_11_10>(matrices, matrices),
        ]
    })
}

/// Writes the keys and returns the OR of all positions.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn keys(words: &[u64], positions: &[u64], out: &mut [u64]) -> u64 {
    let wide = words.iter().any(|word| word >> 32 != 0);
    match (words.len().div_ceil(8), wide) {
        (0 | 1, false) => multiply::<1, false>(words, positions, out),
        (2, false) => multiply::<2, false>(words, positions, out),
        (3, false) => multiply::<3, false>(words, positions, out),
        (4, false) => multiply::<4, false>(words, positions, out),
        (_, false) => multiply::<8, false>(words, positions, out),
        (0..=4, true) => multiply::<4, true>(words, positions, out),
        (_, true) => multiply::<8, true>(words, positions, out),
    }
}

/// The keys by `BYTES` × 4 matrices, or 8 if keys are `WIDE`.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn multiply<const BYTES: usize, const WIDE: bool>(
    words: &[u64],
    positions: &[u64],
    out: &mut [u64],
) -> u64 {
    let matrices = matrices::<BYTES>(words.iter().copied());
    let mut seen = _mm512_setzero_si512();
    let (steps, rest) = positions.as_chunks();
    let (out_steps, out_rest) = out.as_chunks_mut();
    for (positions, keys) in steps.iter().zip(out_steps) {
        *keys = step::<BYTES, WIDE>(&matrices, positions, &mut seen);
    }
    if !rest.is_empty() {
        let mut padded = [0; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        let keys = step::<BYTES, WIDE>(&matrices, &padded, &mut seen);
        out_rest.copy_from_slice(&keys[..rest.len()]);
    }
    _mm512_reduce_or_epi64(seen) as u64
}

/// Word `4g + o` of a register holds byte 0 of positions `8g … 8g + 7` of
/// eight bytes each, for every key byte `o`.
const SPREAD: [u8; 64] = {
    let mut from = [0; 64];
    let mut to = 0;
    while to < 64 {
        from[to] = (8 * (8 * (to / 32) + to % 8)) as u8;
        to += 1;
    }
    from
};

/// Byte `o` of key `t`, in the register of low bytes if `o < 4`, else in that
/// of the high ones, which is counted from 64: for the first eight keys.
const COLLECT: [u8; 64] = {
    let mut from = [0; 64];
    let mut to = 0;
    while to < 64 {
        let (key, byte) = (to / 8, to % 8);
        from[to] = (64 * (byte / 4) + 8 * (byte % 4) + key) as u8;
        to += 1;
    }
    from
};

/// The keys of one step.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn step<const BYTES: usize, const WIDE: bool>(
    matrices: &[Matrices; BYTES],
    positions: &[u64; LANES],
    seen: &mut __m512i,
) -> [u64; LANES] {
    let spread = bytemuck::must_cast(SPREAD);
    let collect = bytemuck::must_cast(COLLECT);
    let [a, b]: [__m512i; 2] = bytemuck::must_cast(*positions);
    *seen = _mm512_or_si512(*seen, _mm512_or_si512(a, b));
    let mut low = _mm512_setzero_si512();
    let mut high = low;
    for (byte, [for_low, for_high]) in matrices.iter().enumerate() {
        let from = _mm512_add_epi8(spread, _mm512_set1_epi8(byte as i8));
        let bytes = _mm512_permutex2var_epi8(a, from, b);
        low = _mm512_xor_si512(low, _mm512_gf2p8affine_epi64_epi8::<0>(bytes, *for_low));
        if WIDE {
            high = _mm512_xor_si512(high, _mm512_gf2p8affine_epi64_epi8::<0>(bytes, *for_high));
        }
    }
    let second = _mm512_add_epi8(collect, _mm512_set1_epi8(32));
    let eights = if WIDE {
        [_mm512_permutex2var_epi8(low, collect, high), _mm512_permutex2var_epi8(low, second, high)]
    } else {
        const LOW_BYTES: u64 = 0x0f0f_0f0f_0f0f_0f0f;
        [
            _mm512_maskz_permutexvar_epi8(LOW_BYTES, collect, low),
            _mm512_maskz_permutexvar_epi8(LOW_BYTES, second, low),
        ]
    };
    bytemuck::must_cast(eights)
}

/// Writes the keys and returns the OR of all positions.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn keys32(words: &[u32], positions: &[u32], out: &mut [u32]) -> u32 {
    match words.len().div_ceil(8) {
        0 | 1 => multiply32::<1>(words, positions, out),
        2 => multiply32::<2>(words, positions, out),
        3 => multiply32::<3>(words, positions, out),
        _ => multiply32::<4>(words, positions, out),
    }
}

/// The keys by `BYTES` × 4 matrices, positions and keys of 32 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn multiply32<const BYTES: usize>(words: &[u32], positions: &[u32], out: &mut [u32]) -> u32 {
    let matrices = matrices::<BYTES>(words.iter().map(|word| u64::from(*word)));
    let mut seen = _mm512_setzero_si512();
    let (steps, rest) = positions.as_chunks();
    let (out_steps, out_rest) = out.as_chunks_mut();
    for (positions, keys) in steps.iter().zip(out_steps) {
        *keys = step32(&matrices, positions, &mut seen);
    }
    if !rest.is_empty() {
        let mut padded = [0; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        let keys = step32(&matrices, &padded, &mut seen);
        out_rest.copy_from_slice(&keys[..rest.len()]);
    }
    _mm512_reduce_or_epi32(seen) as u32
}

/// [`SPREAD`] for positions of four bytes each.
const SPREAD32: [u8; 64] = {
    let mut from = SPREAD;
    let mut to = 0;
    while to < 64 {
        from[to] /= 2;
        to += 1;
    }
    from
};

/// Byte `o` of key `t`, for sixteen keys of four bytes.
const COLLECT32: [u8; 64] = {
    let mut from = [0; 64];
    let mut to = 0;
    while to < 64 {
        let (key, byte) = (to / 4, to % 4);
        from[to] = (32 * (key / 8) + 8 * byte + key % 8) as u8;
        to += 1;
    }
    from
};

/// The keys of one step, positions and keys of 32 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn step32<const BYTES: usize>(
    matrices: &[Matrices; BYTES],
    positions: &[u32; LANES],
    seen: &mut __m512i,
) -> [u32; LANES] {
    let spread = bytemuck::must_cast(SPREAD32);
    let sixteen: __m512i = bytemuck::must_cast(*positions);
    *seen = _mm512_or_si512(*seen, sixteen);
    let mut found = _mm512_setzero_si512();
    for (byte, [matrix, _]) in matrices.iter().enumerate() {
        let from = _mm512_add_epi8(spread, _mm512_set1_epi8(byte as i8));
        let bytes = _mm512_permutexvar_epi8(from, sixteen);
        found = _mm512_xor_si512(found, _mm512_gf2p8affine_epi64_epi8::<0>(bytes, *matrix));
    }
    bytemuck::must_cast(_mm512_permutexvar_epi8(bytemuck::must_cast(COLLECT32), found))
}
