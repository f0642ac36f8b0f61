//! Tables of 32 words in two registers, looked up sixteen times at once by `vpermi2d`.
//!
//! ```text
//! position  …  qqqqq ppppp        key = table 0 [ppppp] ^ table 1 [qqqqq] ^ …
//!              five bits a look-up; vpermi2d reads no others, so a shift
//!              is all that lies between two look-ups
//! ```
//!
//! Positions and keys of 64 bits are treated as two halves of 32: low and high
//! features, each with tables for the low and the high half of the key.

use std::arch::x86_64::*;

use super::{KeyKernel, check_lengths, check_seen, tabulate};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn KeyKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f"], &Avx512);

struct Avx512;

/// Positions a step takes.
const LANES: usize = 16;
/// The keys of the 32 subsets of five features.
type Table = [__m512i; 2];

impl KeyKernel for Avx512 {
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]) {
        check_lengths(words, positions, out);
        #[expect(unsafe_code, reason = "calls code compiled for AVX-512")]
        // SAFETY: an `Avx512` is only had from `KERNEL`, whose `get` asked the CPU.
        let seen = unsafe { keys(words, positions, out) };
        check_seen(words.len(), seen);
    }

    fn keys32(&self, words: &[u32], positions: &[u32], out: &mut [u32]) {
        check_lengths(words, positions, out);
        #[expect(unsafe_code, reason = "calls code compiled for AVX-512")]
        // SAFETY: an `Avx512` is only had from `KERNEL`, whose `get` asked the CPU.
        let seen = unsafe { keys32(words, positions, out) };
        check_seen(words.len(), seen.into());
    }
}

/// The tables of at most 32 words, five words each; past the last they are zero.
fn tables<const TABLES: usize>(words: impl Iterator<Item = u32>) -> [Table; TABLES] {
    let mut padded = [[0; 5]; TABLES];
    padded.as_flattened_mut().iter_mut().zip(words).for_each(|(to, word)| *to = word);
    padded.map(|five| {
        let mut table = [0; 32];
        tabulate(&five, &mut table);
        bytemuck::must_cast(table)
    })
}

/// Writes the keys and returns the OR of all positions.
///
/// The number of tables is known to the compiler, which keeps them in
/// registers: a loop over any number of them takes 1.4 times as long.
#[target_feature(enable = "avx512f")]
fn keys(words: &[u64], positions: &[u64], out: &mut [u64]) -> u64 {
    let wide = words.iter().any(|word| word >> 32 != 0);
    match (words.len(), wide) {
        (0..=10, false) => look_up::<2, 0, false>(words, positions, out),
        (11..=15, false) => look_up::<3, 0, false>(words, positions, out),
        (16..=20, false) => look_up::<4, 0, false>(words, positions, out),
        (21..=25, false) => look_up::<5, 0, false>(words, positions, out),
        (26..=32, false) => look_up::<7, 0, false>(words, positions, out),
        (_, false) => look_up::<7, 7, false>(words, positions, out),
        (0..=20, true) => look_up::<4, 0, true>(words, positions, out),
        (21..=32, true) => look_up::<7, 0, true>(words, positions, out),
        (_, true) => look_up::<7, 7, true>(words, positions, out),
    }
}

/// The tables of one half of the features, for the low and high half of the key.
type HalfTables<const TABLES: usize> = [[Table; TABLES]; 2];

/// The keys by `LOW` tables for features 0–31 and `HIGH` for the others, twice
/// that if keys are `WIDE`.
#[target_feature(enable = "avx512f")]
fn look_up<const LOW: usize, const HIGH: usize, const WIDE: bool>(
    words: &[u64],
    positions: &[u64],
    out: &mut [u64],
) -> u64 {
    let half = |shift: u32| words.iter().map(move |word| (word >> shift) as u32);
    let low: HalfTables<LOW> = [tables(half(0).take(32)), tables(half(32).take(32))];
    let high: HalfTables<HIGH> = [tables(half(0).skip(32)), tables(half(32).skip(32))];
    let mut seen = _mm512_setzero_si512();
    let (steps, rest) = positions.as_chunks();
    let (out_steps, out_rest) = out.as_chunks_mut();
    for (positions, keys) in steps.iter().zip(out_steps) {
        *keys = step::<LOW, HIGH, WIDE>(&low, &high, positions, &mut seen);
    }
    if !rest.is_empty() {
        let mut padded = [0; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        let keys = step::<LOW, HIGH, WIDE>(&low, &high, &padded, &mut seen);
        out_rest.copy_from_slice(&keys[..rest.len()]);
    }
    _mm512_reduce_or_epi64(seen) as u64
}

/// The keys of one step.
#[inline]
#[target_feature(enable = "avx512f")]
fn step<const LOW: usize, const HIGH: usize, const WIDE: bool>(
    low_features: &HalfTables<LOW>,
    high_features: &HalfTables<HIGH>,
    positions: &[u64; LANES],
    seen: &mut __m512i,
) -> [u64; LANES] {
    let even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    let odd = _mm512_set_epi32(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
    let first = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    let second = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
    let [a, b]: [__m512i; 2] = bytemuck::must_cast(*positions);
    *seen = _mm512_or_si512(*seen, _mm512_or_si512(a, b));
    let mut keys = [_mm512_setzero_si512(); 2];
    let low = _mm512_permutex2var_epi32(a, even, b);
    let high = _mm512_permutex2var_epi32(a, odd, b);
    for (half, key) in keys.iter_mut().enumerate().take(1 + usize::from(WIDE)) {
        *key = _mm512_xor_si512(find(&low_features[half], low), find(&high_features[half], high));
    }
    let [low, high] = keys;
    bytemuck::must_cast([
        _mm512_permutex2var_epi32(low, first, high),
        _mm512_permutex2var_epi32(low, second, high),
    ])
}

/// The XOR of what the tables say of sixteen halves of positions.
#[inline]
#[target_feature(enable = "avx512f")]
fn find<const TABLES: usize>(tables: &[Table; TABLES], mut features: __m512i) -> __m512i {
    let mut keys = _mm512_setzero_si512();
    for [first, second] in tables {
        keys = _mm512_xor_si512(keys, _mm512_permutex2var_epi32(*first, features, *second));
        features = _mm512_srli_epi32::<5>(features);
    }
    keys
}

/// Writes the keys and returns the OR of all positions.
#[target_feature(enable = "avx512f")]
fn keys32(words: &[u32], positions: &[u32], out: &mut [u32]) -> u32 {
    match words.len() {
        0..=10 => look_up32::<2>(words, positions, out),
        11..=15 => look_up32::<3>(words, positions, out),
        16..=20 => look_up32::<4>(words, positions, out),
        21..=25 => look_up32::<5>(words, positions, out),
        _ => look_up32::<7>(words, positions, out),
    }
}

/// The keys by `TABLES` tables, positions and keys of 32 bits.
#[target_feature(enable = "avx512f")]
fn look_up32<const TABLES: usize>(words: &[u32], positions: &[u32], out: &mut [u32]) -> u32 {
    let tables = tables::<TABLES>(words.iter().copied());
    let mut seen = _mm512_setzero_si512();
    let (steps, rest) = positions.as_chunks();
    let (out_steps, out_rest) = out.as_chunks_mut();
    for (positions, keys) in steps.iter().zip(out_steps) {
        *keys = step32(&tables, positions, &mut seen);
    }
    if !rest.is_empty() {
        let mut padded = [0; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        let keys = step32(&tables, &padded, &mut seen);
        out_rest.copy_from_slice(&keys[..rest.len()]);
    }
    _mm512_reduce_or_epi32(seen) as u32
}

/// The keys of one step, positions and keys of 32 bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn step32<const TABLES: usize>(
    tables: &[Table; TABLES],
    positions: &[u32; LANES],
    seen: &mut __m512i,
) -> [u32; LANES] {
    let features = bytemuck::must_cast(*positions);
    *seen = _mm512_or_si512(*seen, features);
    bytemuck::must_cast(find(tables, features))
}
