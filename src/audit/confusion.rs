//! What a key confuses among positions that are known: pairs at every length,
//! families, movers, and the pairs that a layout leaves.
//!
//! Pairs are counted from the keys of the positions themselves. Sorted, the
//! keys that agree on `L` top bits lie together for every `L` at once:
//!
//! ```text
//! 0010│11    two bits kept: three keys agree, three pairs
//! 0011│01    three kept:    the same
//! 0011│10    four kept:     the last two, one pair
//! ```

use std::sync::OnceLock;

use rayon::prelude::*;
use serde::Serialize;

use super::{Layout, Side, Words};
use crate::board::squares_of;
use crate::census::{self, Census, Road};
use crate::code::{Code, Family};
use crate::error::Error;
use crate::positions::Positions;
use crate::tier::Tier;

/// Pairs up to which families are gathered from equal keys and no census is taken.
const FEW_PAIRS: u64 = 1 << 22;

/// A key beside the positions it is for.
pub struct Subject<'a> {
    /// The words of the features.
    features: Vec<u128>,
    /// The word of the mover, if the key has one more than features.
    mover: Option<u128>,
    width: u32,
    positions: &'a Positions,
    /// Taken when it is first needed.
    census: OnceLock<Census>,
}

/// Pairs that a table for both movers at once confuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct OneTable {
    /// Whether the key has a word for the mover.
    pub mover_word: bool,
    /// Pairs of a Left and a Right position with the same key.
    pub cross_pairs: u64,
    /// Whether there are none.
    pub separated: bool,
}

impl<'a> Subject<'a> {
    /// A key with a word a feature, or one more, which is then in the key of
    /// every position that has Right to move.
    ///
    /// # Errors
    /// Another number of words.
    pub fn new(key: &Words, positions: &'a Positions) -> Result<Self, Error> {
        let (words, features) = (key.words.len(), positions.features);
        if words != features && words != features + 1 {
            let problem = format!(
                "{words} words and the positions have {features} features: want one for each, \
                 and at most one for the mover"
            );
            return Err(Error::argument("--key", problem));
        }
        let (of_features, mover) = key.words.split_at(features);
        let mover = mover.first().copied();
        Ok(Self {
            features: of_features.to_vec(),
            mover,
            width: key.width,
            positions,
            census: OnceLock::new(),
        })
    }

    /// The words of the features alone, cut to `bits` of a side.
    pub fn cut(&self, side: Side, bits: u32) -> Vec<u128> {
        Words::new(self.width, self.features.clone()).cut(side, bits)
    }

    /// The keys of Left's and of Right's positions, mover word included.
    fn keys(&self) -> [Vec<u128>; 2] {
        let mover = [0, self.mover.unwrap_or(0)];
        std::array::from_fn(|side| {
            let key = |&position: &u64| {
                squares_of(position).fold(mover[side], |key, square| key ^ self.features[square])
            };
            self.positions.both()[side].par_iter().map(key).collect()
        })
    }

    /// Same-mover pairs that agree on the `L` bits of a side, for `L` from 0 to the width.
    pub fn pairs(&self, side: Side) -> Vec<u64> {
        let mut pairs = vec![0; self.width as usize + 1];
        for keys in self.keys() {
            let aligned = keys.into_par_iter().map(|key| match side {
                Side::Top => key << (u128::BITS - self.width),
                Side::Low => key.reverse_bits(),
            });
            let mut aligned: Vec<u128> = aligned.collect();
            aligned.par_sort_unstable();
            // The runs that the last key is in, by length.
            let mut runs = vec![0u64; pairs.len()];
            for (index, &key) in aligned.iter().enumerate() {
                let before = index.checked_sub(1).map(|before| aligned[before]);
                let common = before.map_or(0, |before| (before ^ key).leading_zeros());
                let first_new = if index == 0 { 0 } else { common as usize + 1 };
                for length in 0..pairs.len() {
                    runs[length] = if length < first_new { runs[length] + 1 } else { 1 };
                    pairs[length] += runs[length] - 1;
                }
            }
        }
        pairs
    }

    /// What a random key of `bits` confuses on average.
    pub fn expected(&self, bits: u32) -> f64 {
        self.positions.pairs() as f64 / f64::from(bits).exp2()
    }

    /// The families of the key cut to `bits` of a side, worst first: from the
    /// equal keys where they are few or no census fits, else by census.
    ///
    /// # Errors
    /// Neither fits the memory that is free.
    pub fn families(&self, side: Side, bits: u32, ceiling: Tier) -> Result<Vec<Family>, Error> {
        let code = Code::of_words(&self.cut(side, bits));
        let (positions, features) = (self.positions, self.positions.features);
        let fits = || census::cell_count("a census", features, positions.all_even()).is_ok();
        if code.pairs_among(positions) <= FEW_PAIRS || !fits() {
            return code.families_among(positions);
        }
        let census = match self.census.get() {
            Some(census) => census,
            None => {
                let census = Census::take(positions, &Road::choose("auto", ceiling, positions)?)?;
                self.census.get_or_init(|| census)
            }
        };
        Ok(code.families(census))
    }

    /// Pairs across the movers that agree on `bits` of a side: what one table for both confuses.
    pub fn one_table(&self, side: Side, bits: u32) -> OneTable {
        let (width, low) = (self.width, u128::MAX >> (u128::BITS - bits));
        let [left, mut right] = self.keys().map(|mut keys| {
            keys.par_iter_mut().for_each(|key| match side {
                Side::Top => *key >>= width - bits,
                Side::Low => *key &= low,
            });
            keys
        });
        right.par_sort_unstable();
        let equal = |key: &u128| {
            let first = right.partition_point(|other| other < key);
            (right[first..].partition_point(|other| other <= key)) as u64
        };
        let cross_pairs = left.par_iter().map(equal).sum();
        OneTable { mover_word: self.mover.is_some(), cross_pairs, separated: cross_pairs == 0 }
    }

    /// Same-mover pairs that share slot and check under `layout`.
    pub fn pairs_under(&self, layout: &Layout) -> u64 {
        let pairs = |keys: Vec<u128>| -> u64 {
            let mut kept: Vec<(u128, u128)> =
                keys.into_par_iter().map(|key| layout.split(key)).collect();
            kept.par_sort_unstable();
            let runs = kept.chunk_by(|x, y| x == y).map(|run| run.len() as u64);
            runs.map(|run| run * (run - 1) / 2).sum()
        };
        self.keys().map(pairs).iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use crate::game::domineering::Domineering;
    use crate::{draw, positions, solve};

    fn essay_key(number: u32, features: usize) -> Words {
        let words = draw::essay_words(number, features).into_iter().map(u128::from).collect();
        Words::new(32, words)
    }

    #[test]
    fn pairs_of_every_length_are_the_codes() {
        let positions = positions::enumerate(&Domineering, "3x4".parse().unwrap()).unwrap();
        let key = essay_key(3, 12);
        let subject = Subject::new(&key, &positions).unwrap();
        for side in [Side::Top, Side::Low] {
            let pairs = subject.pairs(side);
            assert_eq!(u128::from(pairs[0]), positions.pairs());
            for bits in 1..=32 {
                let code = Code::of_words(&key.cut(side, bits));
                assert_eq!(pairs[bits as usize], code.pairs_among(&positions), "{side:?} {bits}");
            }
        }
    }

    #[test]
    fn the_worst_essay_key_keeps_its_pairs() {
        let stored = solve::stored("4x5".parse().unwrap()).unwrap();
        let key = essay_key(37, 20);
        let pairs = Subject::new(&key, &stored).unwrap().pairs(Side::Top);
        assert_eq!((pairs[18], pairs[0]), (136, 8_969_506));
    }

    #[test]
    fn layouts_keep_what_their_bits_keep() {
        let positions = positions::enumerate(&Domineering, "3x4".parse().unwrap()).unwrap();
        let key = essay_key(5, 12);
        let subject = Subject::new(&key, &positions).unwrap();
        let under =
            |address, check| subject.pairs_under(&Layout::parse(address, check, 32).unwrap());
        let (top, low) = (subject.pairs(Side::Top), subject.pairs(Side::Low));
        assert_eq!(under("top:5", "next:4"), top[9]);
        assert_eq!(under("mulhi:32", "next:4"), top[9]);
        assert_eq!(under("low:6", "next:3"), low[9]);
        assert_eq!(under("top:5", "top:7"), top[7], "five of the seven are kept twice");
        assert_eq!(under("top:5", "low:0"), top[5]);
    }

    #[test]
    fn a_mover_word_separates_or_not() {
        let positions = positions::enumerate(&Domineering, "2x4".parse().unwrap()).unwrap();
        let units: Vec<u128> = (0..8).map(|square| 1 << square).collect();
        let one_table = |words: Vec<u128>| {
            Subject::new(&Words::new(9, words), &positions).unwrap().one_table(Side::Top, 9)
        };
        let shared = positions.left.iter().filter(|set| positions.right.contains(set)).count();
        let without = one_table(units.clone());
        assert_eq!((without.mover_word, without.cross_pairs), (false, shared as u64));
        let with = one_table(units.iter().copied().chain([1 << 8]).collect());
        assert_eq!((with.mover_word, with.cross_pairs, with.separated), (true, 0, true));
        // The mover's word is the top bit alone.
        let words = units.iter().copied().chain([1 << 8]).collect();
        let key = Words::new(9, words);
        let subject = Subject::new(&key, &positions).unwrap();
        assert_eq!(subject.one_table(Side::Low, 8).cross_pairs, shared as u64);
        assert!(subject.one_table(Side::Top, 1).separated);
        let [left, right] = positions.both().map(|list| list.len() as u64);
        let one_bit = subject.one_table(Side::Low, 1).cross_pairs;
        let with_first = |list: &[u64]| list.iter().filter(|set| **set & 1 == 1).count() as u64;
        let (x, y) = (with_first(&positions.left), with_first(&positions.right));
        assert_eq!(one_bit, x * y + (left - x) * (right - y));
        let useless = one_table(units.iter().copied().chain([0]).collect());
        assert_eq!((useless.cross_pairs, useless.separated), (shared as u64, false));
        assert!(Subject::new(&Words::new(9, units[1..].to_vec()), &positions).is_err());
    }
}
