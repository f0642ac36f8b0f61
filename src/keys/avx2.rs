//! Tables of eight words in a register, looked up eight times at once by `vpermd`.
//!
//! ```text
//! position  …  qqq ppp            key = table 0 [ppp] ^ table 1 [qqq] ^ …
//!              three bits a look-up; vpermd reads no others, so a shift
//!              is all that lies between two look-ups
//! ```
//!
//! Positions and keys of 64 bits are treated as two halves of 32: low and high
//! features, each with tables for the low and the high half of the key. Halves
//! that are not there have no tables.

use std::arch::x86_64::*;

use super::{KeyKernel, check_lengths, check_seen, high_features, tabulate};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn KeyKernel> = Kernel::new("avx2", Tier::Avx2, &["avx2"], &Avx2);

struct Avx2;

/// Positions a step takes: enough to pay for the loop over the tables.
const LANES: usize = 32;
/// The low or high halves of a step's positions or keys.
type Halves = [__m256i; LANES / 8];
/// The keys of the 8 subsets of three features.
type Table = __m256i;

impl KeyKernel for Avx2 {
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]) {
        check_lengths(words, positions, out);
        #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
        // SAFETY: an `Avx2` is only had from `KERNEL`, whose `get` asked the CPU.
        let seen = unsafe { keys(words, positions, out) };
        check_seen(words.len(), seen);
    }

    fn keys32(&self, words: &[u32], positions: &[u32], out: &mut [u32]) {
        check_lengths(words, positions, out);
        #[expect(unsafe_code, reason = "calls code compiled for AVX2")]
        // SAFETY: an `Avx2` is only had from `KERNEL`, whose `get` asked the CPU.
        let seen = unsafe { keys32(words, positions, out) };
        check_seen(words.len(), seen.into());
    }
}

/// The tables of at most 32 words, three words each.
fn tables(words: impl Iterator<Item = u32>) -> Vec<Table> {
    let words: Vec<u32> = words.collect();
    let table = |three: &[u32]| {
        let mut table = [0; 8];
        tabulate(three, &mut table);
        bytemuck::must_cast(table)
    };
    words.chunks(3).map(table).collect()
}

/// Writes the keys and returns the OR of all positions.
#[target_feature(enable = "avx2")]
fn keys(words: &[u64], positions: &[u64], out: &mut [u64]) -> u64 {
    let wide = words.iter().any(|word| word >> 32 != 0);
    let low_features = &words[..words.len().min(32)];
    let halves = |words: &[u64]| {
        let high = if wide { words } else { &[] };
        [
            tables(words.iter().map(|word| *word as u32)),
            tables(high.iter().map(|word| (word >> 32) as u32)),
        ]
    };
    let tables = [halves(low_features), halves(high_features(words))];
    let mut seen = _mm256_setzero_si256();
    let (steps, rest) = positions.as_chunks();
    let (out_steps, out_rest) = out.as_chunks_mut();
    for (positions, keys) in steps.iter().zip(out_steps) {
        step(&tables, positions, keys, &mut seen);
    }
    if !rest.is_empty() {
        let (mut padded, mut keys) = ([0; LANES], [0; LANES]);
        padded[..rest.len()].copy_from_slice(rest);
        step(&tables, &padded, &mut keys, &mut seen);
        out_rest.copy_from_slice(&keys[..rest.len()]);
    }
    bytemuck::must_cast::<_, [u64; 4]>(seen).into_iter().fold(0, |seen, lane| seen | lane)
}

/// The keys of one step; `tables` are by half of the features, then of the key.
///
/// Halves are packed and unpacked within 128-bit lanes: their order in a
/// register is not that of the positions, but the same both ways.
#[inline]
#[target_feature(enable = "avx2")]
fn step(
    tables: &[[Vec<Table>; 2]; 2],
    positions: &[u64; LANES],
    keys: &mut [u64; LANES],
    seen: &mut __m256i,
) {
    let fours: [[__m256i; 2]; LANES / 8] = bytemuck::must_cast(*positions);
    for [a, b] in fours {
        *seen = _mm256_or_si256(*seen, _mm256_or_si256(a, b));
    }
    let [low_features, high_features] = tables;
    let mut low = [_mm256_setzero_si256(); LANES / 8];
    let mut high = low;
    let features = fours.map(|[a, b]| pack::<0b10_00_10_00>(a, b));
    look_up(&low_features[0], features, &mut low);
    look_up(&low_features[1], features, &mut high);
    if !high_features[0].is_empty() {
        let features = fours.map(|[a, b]| pack::<0b11_01_11_01>(a, b));
        look_up(&high_features[0], features, &mut low);
        look_up(&high_features[1], features, &mut high);
    }
    let fours: [[__m256i; 2]; LANES / 8] = std::array::from_fn(|v| {
        [_mm256_unpacklo_epi32(low[v], high[v]), _mm256_unpackhi_epi32(low[v], high[v])]
    });
    *keys = bytemuck::must_cast(fours);
}

/// The even or odd 32-bit halves of `a`, then of `b`, in each 128-bit lane.
#[inline]
#[target_feature(enable = "avx2")]
fn pack<const WHICH: i32>(a: __m256i, b: __m256i) -> __m256i {
    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
    _mm256_castps_si256(_mm256_shuffle_ps::<WHICH>(a, b))
}

/// XORs to `keys` what the tables say of each half of a position.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(tables: &[Table], mut features: Halves, keys: &mut Halves) {
    for table in tables {
        for (key, index) in keys.iter_mut().zip(&mut features) {
            *key = _mm256_xor_si256(*key, _mm256_permutevar8x32_epi32(*table, *index));
            *index = _mm256_srli_epi32::<3>(*index);
        }
    }
}

/// Writes the keys and returns the OR of all positions.
#[target_feature(enable = "avx2")]
fn keys32(words: &[u32], positions: &[u32], out: &mut [u32]) -> u32 {
    let tables = tables(words.iter().copied());
    let mut seen = _mm256_setzero_si256();
    let (steps, rest) = positions.as_chunks();
    let (out_steps, out_rest) = out.as_chunks_mut();
    for (positions, keys) in steps.iter().zip(out_steps) {
        step32(&tables, positions, keys, &mut seen);
    }
    if !rest.is_empty() {
        let (mut padded, mut keys) = ([0; LANES], [0; LANES]);
        padded[..rest.len()].copy_from_slice(rest);
        step32(&tables, &padded, &mut keys, &mut seen);
        out_rest.copy_from_slice(&keys[..rest.len()]);
    }
    bytemuck::must_cast::<_, [u32; 8]>(seen).into_iter().fold(0, |seen, lane| seen | lane)
}

/// The keys of one step, positions and keys of 32 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn step32(tables: &[Table], positions: &[u32; LANES], keys: &mut [u32; LANES], seen: &mut __m256i) {
    let features: Halves = bytemuck::must_cast(*positions);
    for eight in features {
        *seen = _mm256_or_si256(*seen, eight);
    }
    let mut found = [_mm256_setzero_si256(); LANES / 8];
    look_up(tables, features, &mut found);
    *keys = bytemuck::must_cast(found);
}
