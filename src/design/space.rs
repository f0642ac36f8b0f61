//! Designs inside the space that the differences of positions span.
//!
//! Of a key's code only the part inside that space costs anything, and a code of the key's
//! length meets it in some dimension at least: rank − bits. So positions are designed for in
//! coordinates of the space, as if they had no other features, and what is found is
//! completed by sets outside, at no cost:
//!
//! ```text
//! positions of 40 features, rank 7 ─► positions of 7 features ─► code of dimension 7 − L
//! code of dimension 40 − L         ◄─ 33 sets beside the space ◄─┘
//! ```

use rand_chacha::rand_core::Rng;

use super::OTHER_STREAMS;
use crate::code::Code;
use crate::exact::frame::Frame;
use crate::positions::Positions;
use crate::{draw, gf2};

/// The span of differences of positions, and the positions in its coordinates.
pub struct Space {
    features: usize,
    frame: Frame,
    positions: Positions,
}

impl Space {
    /// Of same-mover positions.
    pub fn of(positions: &Positions) -> Self {
        let frame = Frame::of(positions, positions.all_even());
        let projected = frame.projected(positions);
        Self { features: positions.features, frame, positions: projected }
    }

    /// Dimension of the space: features of [`Space::positions`].
    pub fn rank(&self) -> usize {
        self.frame.rank()
    }

    /// Positions of as many features as the rank, which differ as those given do.
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// The code of a key of `bits` that confuses the same pairs as the code in coordinates
    /// with this independent basis. Of the sets beside the space, which `seed` draws, each
    /// is of large distance from the code so far where that is small enough to tell.
    ///
    /// # Panics
    /// If the dimension of the code in coordinates is not rank − bits, or nought.
    pub fn code(&self, bits: usize, basis: &[u64], seed: u64) -> Code {
        assert_eq!(basis.len(), self.rank().saturating_sub(bits), "a code for {bits} bits");
        let mut generator = draw::generator(seed, OTHER_STREAMS);
        let mut code: Vec<u64> = basis.iter().map(|&set| self.frame.set(set)).collect();
        let completed = self.frame.completed(&code);
        let within = u64::MAX.checked_shr(64 - self.rank() as u32).unwrap_or(0);
        for &feature in &completed[code.len()..self.features - bits] {
            // Any set of the space may be added: none lies inside it for that.
            let mut beside = || feature ^ self.frame.set(generator.next_u64() & within);
            let distance = |set: &u64| {
                gf2::span(&code).map(|word| (word ^ set).count_ones()).min().expect("a word")
            };
            let best = if code.len() <= 12 {
                (0..64).map(|_| beside()).max_by_key(distance).expect("some are drawn")
            } else {
                beside()
            };
            code.push(best);
        }
        let code = Code::spanned(self.features, &code);
        assert_eq!(code.bits(), bits, "independent sets");
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{cheap_key, crowded_pairs};
    use crate::tier::Tier;
    use indicatif::ProgressBar;

    /// Whatever the rank, a code confuses what its part in coordinates does.
    #[test]
    fn codes_are_completed_at_no_cost() {
        let spread = |sets: &[u64], by: u32| -> Vec<u64> {
            let wide = |&set: &u64| (0..8).filter(move |bit| set >> bit & 1 == 1);
            let mut sets: Vec<u64> =
                sets.iter().map(|set| wide(set).map(|bit| 3 << (by * bit)).sum()).collect();
            sets.sort_unstable();
            sets
        };
        let (left, right): (Vec<u64>, Vec<u64>) =
            ((0..200).collect(), (0..90).step_by(2).collect());
        for (features, by, ones) in [(40, 5, 0), (64, 8, 0), (64, 7, 1u64 << 60)] {
            let add = |sets: Vec<u64>| sets.into_iter().map(|set| set | ones).collect();
            let [left, right] = [add(spread(&left, by)), add(spread(&right, by))];
            let positions = Positions { features, left, right };
            let space = Space::of(&positions);
            assert_eq!(space.rank(), 8);
            for bits in [1, 3, 7] {
                let (tier, hidden) = (Tier::best(), ProgressBar::hidden());
                let key = cheap_key(space.positions(), bits, 2, 1, tier, &hidden).unwrap();
                let inside = Code::of_words(&key.words);
                let code = space.code(bits, inside.basis(), 1);
                assert_eq!((code.features(), code.bits()), (features, bits));
                assert_eq!(code.pairs_among(&positions), key.pairs, "{features}, {bits} bits");
                assert!(key.pairs >= crowded_pairs(&positions, bits));
            }
            for bits in [8, 20, features] {
                assert_eq!(space.code(bits, &[], 1).pairs_among(&positions), 0);
            }
        }
        let full = Positions {
            features: 64,
            left: (0..64).map(|bit| 1 << bit).chain([0]).collect(),
            right: vec![],
        };
        assert_eq!(Space::of(&full).rank(), 64);
        assert_eq!(Space::of(&full).code(64, &[], 1).dimension(), 0);
    }
}
