//! Every small set of words that XORs to zero, by meeting in the middle.
//!
//! A set of four that cancels is two pairs of equal sum, met three ways; so
//! pairs (or triples) are summed, the sums sorted, and runs of equal sums
//! counted. What meets and is no set of its own is known and taken off:
//!
//! ```text
//! halves that meet          counts                       taken off: halves that share words
//! word  = pair    three     Σ P(w)            = 3·N₃     N₁·(n−1)               {k, zero} = k
//! pair  = pair    four      Σ C(P, 2)         = 3·N₄     N₂·(n−2)               {a,c} = {b,c}
//! pair  = triple  five      Σ P·T             = 10·N₅    3(n−3)·N₃ + N₁·C(n−1, 2)
//! triple = triple six       Σ C(T, 2)         = 10·N₆    3(n−4)·N₄ + N₂·C(n−2, 2)
//! ```
//!
//! Sorted by value, the words with a given prefix lie together, so the sums
//! with one prefix can be made without the others: they are sorted a prefix at
//! a time, in cache and in parallel, whatever their number. Sorted sums are
//! sorted for every shorter length too, so one sort serves all truncations of
//! a side; the low bits are the top bits of the reversed words. Equal words are
//! one class with a multiplicity, so that what they cancel among themselves is
//! counted and not enumerated.

mod counting;
mod listing;
mod sums;

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::words::Words;
use crate::error::Error;
use counting::Search;
use listing::Sorted;
use sums::{Ways, Word, classes};

/// Which bits of the words a truncation keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The most significant bits.
    Top,
    /// The least significant bits.
    Low,
}

impl Side {
    /// `top` or `low`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Low => "low",
        }
    }
}

/// The sets of `weight` words that XOR to zero.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Dependencies {
    /// Words in each set.
    pub weight: usize,
    /// How many there are.
    pub count: u64,
    /// Some of them: the first ones met, each ascending, in ascending order.
    pub first: Vec<Vec<usize>>,
}

/// Largest weight that can be asked for.
pub const MAX_WEIGHT: usize = 6;

/// The dependencies of weight 1 to `weight` among the words cut to each of
/// `lengths`, by length. At most `list` sets of each are listed.
///
/// # Errors
/// The sums that must be sorted together do not fit the memory that is free.
///
/// # Panics
/// If a length is not within the width or the weight not within [`MAX_WEIGHT`].
pub fn dependencies(
    key: &Words,
    side: Side,
    lengths: &[u32],
    weight: usize,
    list: usize,
    progress: &ProgressBar,
) -> Result<Vec<Vec<Dependencies>>, Error> {
    assert!((1..=MAX_WEIGHT).contains(&weight), "a weight of {weight}");
    assert!(lengths.iter().all(|length| (1..=key.width).contains(length)), "{lengths:?}");
    let aligned = key.words.iter().map(|word| match side {
        Side::Top => word << (u128::BITS - key.width),
        Side::Low => word.reverse_bits(),
    });
    if key.width <= u64::BITS {
        let words: Vec<u64> = aligned.map(|word| (word >> 64) as u64).collect();
        of_words(&words, lengths, weight, list, progress)
    } else {
        of_words(&aligned.collect::<Vec<u128>>(), lengths, weight, list, progress)
    }
}

/// The same of top-aligned words: where they are all different, a class is a
/// word and no multiplicity is carried along.
fn of_words<W: Word>(
    words: &[W],
    lengths: &[u32],
    weight: usize,
    list: usize,
    progress: &ProgressBar,
) -> Result<Vec<Vec<Dependencies>>, Error> {
    let sorted = Sorted::new(words);
    let distinct = sorted.words.windows(2).all(|pair| pair[0] != pair[1]);
    if distinct {
        let classes = classes::<W, ()>(&sorted.words);
        found(&sorted, &Search { classes, words: words.len(), lengths, weight }, list, progress)
    } else {
        let classes = classes::<W, u64>(&sorted.words);
        found(&sorted, &Search { classes, words: words.len(), lengths, weight }, list, progress)
    }
}

fn found<W: Word, N: Ways>(
    sorted: &Sorted<W>,
    search: &Search<W, N>,
    list: usize,
    progress: &ProgressBar,
) -> Result<Vec<Vec<Dependencies>>, Error> {
    let counted = search.run(progress)?;
    let of_length = |(&length, counted): (&u32, &counting::Counted)| -> Vec<Dependencies> {
        let weights = 1..=search.weight;
        let dependencies = weights.map(|weight| Dependencies {
            weight,
            count: counted.counts[weight - 1],
            first: sorted.listed(weight, length, &counted.sums[weight - 1], list),
        });
        dependencies.collect()
    };
    Ok(search.lengths.par_iter().zip(&counted).map(of_length).collect())
}

/// Sums that met, of each weight and length, from which sets are listed: fewer
/// among more words, where each takes longer to trace.
fn most_met(words: usize) -> usize {
    (1usize << 16).div_ceil(words).clamp(64, 4096)
}

#[cfg(test)]
mod tests;
