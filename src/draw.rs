//! Words of keys drawn at random: the essays' sixty keys, and seeded keys of
//! any number.
//!
//! A drawn word has 32 bits and a key of `L` bits is made of the *top* `L`
//! bits of each, right-aligned. So the key of 12 bits is the key of 16 bits
//! cut short, and one draw serves every length:
//!
//! ```text
//! drawn   a5f254ac   21f805a4   86c5ae13   5e001cf4   …
//! 16 bits     a5f2       21f8       86c5       5e00
//! 12 bits      a5f        21f        86c        5e0
//! ```
//!
//! ```
//! use zobrist_lab::draw;
//! let drawn = draw::essay_words(1, 20);
//! assert_eq!(draw::top_bits(&drawn, 16)[..4], [0xa5f2, 0x21f8, 0x86c5, 0x5e00]);
//! ```

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::gf2;

/// How many keys the essays draw, numbered from 1.
pub const ESSAY_KEYS: u32 = 60;

/// The words of the essays' key `number` (1 to [`ESSAY_KEYS`], and on beyond
/// them by the same rule): outputs of mulberry32, Tommy Ettinger's generator of
/// 32 bits of state, seeded with `17 + 104729 · number`.
pub fn essay_words(number: u32, features: usize) -> Vec<u32> {
    let mut state = number.wrapping_mul(104_729).wrapping_add(17);
    (0..features).map(|_| mulberry32(&mut state)).collect()
}

fn mulberry32(state: &mut u32) -> u32 {
    *state = state.wrapping_add(0x6D2B_79F5);
    let mut mixed = (*state ^ *state >> 15).wrapping_mul(*state | 1);
    mixed ^= mixed.wrapping_add((mixed ^ mixed >> 7).wrapping_mul(mixed | 61));
    mixed ^ mixed >> 14
}

/// ChaCha8 with `seed` as the low 64 bits of its key, on stream `stream`:
/// streams of one seed are independent, whatever order they are used in.
pub fn generator(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut generator = ChaCha8Rng::from_seed(key);
    generator.set_stream(stream);
    generator
}

/// The words of random key `number` of `seed`: the first outputs of
/// [`generator`] with the number for a stream, so that a key depends on neither
/// how many are drawn nor by which thread.
pub fn random_words(seed: u64, number: u64, features: usize) -> Vec<u32> {
    let mut generator = generator(seed, number);
    (0..features).map(|_| generator.next_u32()).collect()
}

/// A random invertible matrix of `side` (at most 64) rows, by columns.
pub fn invertible(side: usize, generator: &mut ChaCha8Rng) -> Vec<u64> {
    let bits = |word: u64| word.checked_shr(64 - side as u32).unwrap_or(0);
    loop {
        // More than a quarter of all matrices are invertible.
        let columns: Vec<u64> = (0..side).map(|_| bits(generator.next_u64())).collect();
        if gf2::rank(&columns) == side {
            return columns;
        }
    }
}

/// The top `bits` (at most 32) of each drawn word, right-aligned.
pub fn top_bits(drawn: &[u32], bits: u32) -> Vec<u64> {
    assert!(bits <= u32::BITS, "a drawn word has 32 bits, not {bits}");
    drawn.iter().map(|&word| u64::from(word) >> (u32::BITS - bits)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sixty_keys_begin_as_published() {
        let key = |number| essay_words(number, 4);
        assert_eq!(key(1), [0xa5f2_54ac, 0x21f8_05a4, 0x86c5_ae13, 0x5e00_1cf4]);
        assert_eq!(key(37), [0xf012_8b53, 0xf994_1391, 0xd1b1_54a6, 0x5a3a_b6a4]);
    }

    /// The first value is the first word of the published ChaCha8 key stream of
    /// the zero key (bytes 3e 00 ef 2f); an upgrade that moves one moves results.
    #[test]
    fn raw_values_are_pinned() {
        assert_eq!(random_words(0, 0, 4), [0x2fef_003e, 0xd640_5f89, 0xe8b8_5b7f, 0xa1a5_091f]);
        assert_eq!(random_words(1, 0, 2), [0xa0e9_5ecf, 0x61a9_4a49]);
        assert_eq!(random_words(1, 1, 2), [0x8c6f_ea14, 0x1a81_25d4]);
    }

    #[test]
    fn a_shorter_key_is_a_longer_one_cut() {
        let drawn = random_words(3, 5, 20);
        let whole: Vec<u64> = drawn.iter().map(|&word| u64::from(word)).collect();
        assert_eq!(top_bits(&drawn, 32), whole);
        assert_eq!(top_bits(&drawn, 0), [0; 20]);
        let (long, short) = (top_bits(&drawn, 19), top_bits(&drawn, 7));
        assert!(long.iter().zip(&short).all(|(long, short)| long >> 12 == *short));
    }
}
