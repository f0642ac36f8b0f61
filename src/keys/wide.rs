//! One word at a time under a mask, eight positions at a time, on `wide`.
//!
//! ```text
//! square s of eight positions   1 0 0 1 …   moved to the sign and spread:
//!                       mask   ff00 00ff …   key ^= mask & word
//! ```
//!
//! Without a byte shuffle (the default x86-64 target has none) a vector cannot
//! look anything up, so this takes 2.8 ns a position on 4x5 where the byte tables
//! take 0.59; it stands before them in the list.

use wide::{i32x8, u32x8};

use super::{KeyKernel, check_lengths, check_seen, high_features};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn KeyKernel> = Kernel::new("wide", Tier::Portable, &[], &Wide);

struct Wide;

/// Positions a step takes.
const LANES: usize = 32;
/// The low or high halves of a step's positions or keys.
type Halves = [i32x8; LANES / 8];

impl KeyKernel for Wide {
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]) {
        check_lengths(words, positions, out);
        let half = |shift: u32| words.iter().map(move |word| i32x8::splat((word >> shift) as i32));
        // Words of the low and of the high half of the keys; those may be all zero.
        let low: Vec<_> = half(0).collect();
        let high: Vec<_> =
            if words.iter().any(|word| word >> 32 != 0) { half(32).collect() } else { vec![] };
        let mut seen = 0;
        let mut step = |positions: &[u64; LANES], keys: &mut [u64; LANES]| {
            seen = positions.iter().fold(seen, |seen, position| seen | position);
            let split = |shift: u32| positions.map(|position| (position >> shift) as u32);
            let halves: [Halves; 2] =
                [bytemuck::must_cast(split(0)), bytemuck::must_cast(split(32))];
            let under = |words: &[i32x8]| -> [u32; LANES] {
                let first = masked(&words[..words.len().min(32)], halves[0]);
                let second = masked(high_features(words), halves[1]);
                bytemuck::must_cast(std::array::from_fn::<_, 4, _>(|v| first[v] ^ second[v]))
            };
            let (low, high) = (under(&low), under(&high));
            *keys = std::array::from_fn(|i| u64::from(low[i]) | u64::from(high[i]) << 32);
        };
        let (steps, rest) = positions.as_chunks();
        let (out_steps, out_rest) = out.as_chunks_mut();
        for (positions, keys) in steps.iter().zip(out_steps) {
            step(positions, keys);
        }
        if !rest.is_empty() {
            let mut padded = [[0; LANES]; 2];
            padded[0][..rest.len()].copy_from_slice(rest);
            let [positions, keys] = &mut padded;
            step(positions, keys);
            out_rest.copy_from_slice(&keys[..rest.len()]);
        }
        check_seen(words.len(), seen);
    }

    fn keys32(&self, words: &[u32], positions: &[u32], out: &mut [u32]) {
        check_lengths(words, positions, out);
        let words: Vec<_> = words.iter().map(|word| i32x8::splat(*word as i32)).collect();
        let mut seen = u32x8::ZERO;
        let mut step = |positions: &[u32; LANES], keys: &mut [u32; LANES]| {
            let halves: Halves = bytemuck::must_cast(*positions);
            for eight in bytemuck::must_cast_ref::<_, [u32x8; LANES / 8]>(&halves) {
                seen |= *eight;
            }
            *keys = bytemuck::must_cast(masked(&words, halves));
        };
        let (steps, rest) = positions.as_chunks();
        let (out_steps, out_rest) = out.as_chunks_mut();
        for (positions, keys) in steps.iter().zip(out_steps) {
            step(positions, keys);
        }
        if !rest.is_empty() {
            let mut padded = [[0; LANES]; 2];
            padded[0][..rest.len()].copy_from_slice(rest);
            let [positions, keys] = &mut padded;
            step(positions, keys);
            out_rest.copy_from_slice(&keys[..rest.len()]);
        }
        let seen = seen.to_array().into_iter().fold(0, |seen, lane| seen | lane);
        check_seen(words.len(), seen.into());
    }
}

/// The keys of halves of positions under at most 32 words, last word first.
#[inline]
fn masked(words: &[i32x8], mut halves: Halves) -> Halves {
    let mut keys = [i32x8::ZERO; LANES / 8];
    let unused = 32_u32.saturating_sub(words.len() as u32);
    if unused == 32 {
        return keys;
    }
    halves = halves.map(|half| half << unused);
    for word in words.iter().rev() {
        for (key, half) in keys.iter_mut().zip(&mut halves) {
            *key ^= (*half >> 31_i32) & *word;
            *half = *half + *half;
        }
    }
    keys
}
