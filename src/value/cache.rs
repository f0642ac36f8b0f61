//! A fixed-size, forgetful map from pairs of values to a number: two values to
//! their sum, or to whether the first is at most the second.
//!
//! ```text
//! pair (a, b), 52 bits --bijection--> [ tag | index ]
//! slot[index] = tag, answer of 26 bits, one bit "occupied"
//! ```
//!
//! The mixing is a bijection on 52 bits and the slot's index is a part of its
//! image, so tag and index together *are* the pair: a hit is never a stranger.
//! A newcomer overwrites; what is forgotten is computed again and comes out
//! the same. One slot is one atomic word, so threads share a cache freely. An
//! answer may name a value another thread has just made, hence release and
//! acquire.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of a value's number, and of an answer.
pub(super) const BITS: u32 = 26;

const PAIR_BITS: u32 = 2 * BITS;
const PAIR: u64 = (1 << PAIR_BITS) - 1;

pub(super) struct Cache {
    slots: Box<[AtomicU64]>,
    index_bits: u32,
}

impl Cache {
    /// A cache of `2^index_bits` slots; tag, answer and flag must fit a word.
    pub(super) fn new(index_bits: u32) -> Self {
        assert!((15..PAIR_BITS).contains(&index_bits), "{index_bits} bits of index");
        Self { slots: (0..1_usize << index_bits).map(|_| AtomicU64::new(0)).collect(), index_bits }
    }

    /// The answer for `(a, b)`, if it is still there.
    pub(super) fn get(&self, a: u32, b: u32) -> Option<u32> {
        let (slot, tag) = self.place(a, b);
        let entry = slot.load(Ordering::Acquire);
        (entry & 1 == 1 && entry >> (BITS + 1) == tag)
            .then_some((entry >> 1) as u32 & ((1 << BITS) - 1))
    }

    /// Remembers `answer`, below `2^26`, for `(a, b)`.
    pub(super) fn put(&self, a: u32, b: u32, answer: u32) {
        let (slot, tag) = self.place(a, b);
        slot.store(tag << (BITS + 1) | u64::from(answer) << 1 | 1, Ordering::Release);
    }

    fn place(&self, a: u32, b: u32) -> (&AtomicU64, u64) {
        let mut pair = u64::from(a) << BITS | u64::from(b);
        // Odd multipliers and a shift of half the width are bijections modulo 2^52.
        pair = pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) & PAIR;
        pair ^= pair >> BITS;
        pair = pair.wrapping_mul(0xD134_2543_DE82_EF95) & PAIR;
        pair ^= pair >> BITS;
        let index = pair & (self.slots.len() as u64 - 1);
        (&self.slots[index as usize], pair >> self.index_bits)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&*self.slots) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_hit_is_always_the_pairs_own_answer() {
        let cache = Cache::new(15);
        let mut truth = HashMap::new();
        let mut state = 7_u64;
        let mut hits = 0;
        for step in 0..200_000_u32 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (a, b) = ((state >> 40) as u32 & 511, (state >> 52) as u32 & 511);
            if let Some(answer) = cache.get(a, b) {
                assert_eq!(Some(&answer), truth.get(&(a, b)));
                hits += 1;
            }
            cache.put(a, b, step);
            truth.insert((a, b), step);
        }
        assert!(hits > 10_000, "{hits} hits");
    }
}
