//! What a given key confuses: the audit of words that a user brings.
//!
//! ```text
//! words ─► rank, zero and equal words          of any game
//!   │    ─► dependencies of small weight       at every truncation, top and low
//!   └ + board ─► families, pairs, exactness    of its positions
//!     + address, check ─► shared, dependent bits
//! ```
//!
//! [`Audit::of`] needs no board: a set of words that XORs to zero is a set of
//! features on which no two positions are told apart, whatever the game.

mod confusion;
mod dependencies;
mod layout;
mod words;

use std::cmp::Reverse;
use std::collections::HashMap;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::board::squares_of;
use crate::code::{Code, Family};
use crate::error::Error;
use crate::gf2;
use crate::tier::Tier;

pub use confusion::{OneTable, Subject};
pub use dependencies::{Dependencies, MAX_WEIGHT, Side, dependencies};
pub use layout::{Address, Check, Layout, LayoutReport};
pub use words::{MAX_WIDTH, MAX_WORDS, Words};

/// What can be said of a key without its game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Audit {
    /// Number of words.
    pub words: usize,
    /// Bits of each.
    pub width: u32,
    /// Rank of the whole words over GF(2).
    pub rank: u32,
    /// Words that are zero, by index.
    pub zero_words: Vec<usize>,
    /// Groups of words that are equal and not zero, by index.
    pub equal_words: Vec<Vec<usize>>,
    /// The key cut to fewer bits.
    pub truncations: Vec<Truncation>,
}

/// A key cut to some of its bits.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Truncation {
    /// Which bits are kept.
    pub side: Side,
    /// How many.
    pub bits: u32,
    /// Their rank: less than both `bits` and the number of words if bits repeat
    /// or depend on each other.
    pub rank: u32,
    /// The sets of few words that XOR to zero in these bits.
    pub dependencies: Vec<Dependencies>,
    /// What it confuses among positions, if they are known.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub confusion: Option<Confusion>,
}

/// What a key confuses among positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Confusion {
    /// Sets of features that cancel, the empty set not counted.
    pub codewords: u128,
    /// The even ones among them.
    pub even_codewords: u128,
    /// Same-mover pairs of reachable positions (or of those brought) that share a key.
    pub pairs_reachable: u64,
    /// Same-mover pairs of the positions that a search stores, where it is known.
    pub pairs_stored: Option<u64>,
    /// Whether there is no such reachable pair.
    pub exact: bool,
    /// How much of wrong verdicts to expect.
    pub expected_wrong_verdicts_scale: Scale,
    /// Number of families of reachable pairs.
    pub families_reachable: u64,
    /// The worst of them.
    pub families: Vec<ConfusedFamily>,
    /// What one table for both movers would confuse.
    pub one_table: OneTable,
}

/// A measure of the wrong verdicts to expect of a table that trusts the key.
/// With no pair of stored positions that share a key there is none; else it is
/// a scale and no bound, since a wrong verdict passes on to the positions above
/// it: with the essays' key 41 as 16 address bits alone, 106 stored pairs of 4x5
/// end in 171 wrong entries. A random key confuses one pair in 2^bits on average.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Scale {
    /// What is counted: pairs of stored positions where those are known, else of reachable ones.
    pub unit: &'static str,
    /// Such pairs that this key confuses.
    pub this_key: u64,
    /// What a random key of as many bits confuses on average.
    pub random_key: f64,
    /// The one by the other.
    pub ratio: f64,
}

/// Pairs that differ on one set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ConfusedFamily {
    /// The set, its features ascending.
    pub squares: Vec<usize>,
    /// Reachable pairs that differ on it.
    pub pairs_reachable: u64,
    /// Stored pairs that differ on it.
    pub pairs_stored: Option<u64>,
}

/// Which families are listed.
#[derive(Clone, Copy, Debug)]
pub struct Listing {
    /// At most so many of a truncation.
    pub most: usize,
    /// In the order of their stored pairs, where they are known, not of their reachable ones.
    pub by_stored: bool,
}

/// The lengths an audit looks at: 16, 20, 24, … and the whole width.
///
/// ```
/// use zobrist_lab::audit::standard_lengths;
/// assert_eq!(standard_lengths(30), [16, 20, 24, 28, 30]);
/// assert_eq!(standard_lengths(9), [9]);
/// ```
pub fn standard_lengths(width: u32) -> Vec<u32> {
    (16..width).step_by(4).chain([width]).collect()
}

impl Audit {
    /// Audits `key` at `lengths` of both sides, for dependencies of up to
    /// `weight` words, of which at most `list` are listed for each.
    ///
    /// # Errors
    /// The sums of that weight do not fit the memory that is free.
    pub fn of(
        key: &Words,
        lengths: &[u32],
        weight: usize,
        list: usize,
        progress: &ProgressBar,
    ) -> Result<Self, Error> {
        let mut truncations = Vec::new();
        for side in [Side::Top, Side::Low] {
            let found = dependencies(key, side, lengths, weight, list, progress)?;
            for (&bits, dependencies) in lengths.iter().zip(found) {
                let rank = gf2::rank(&key.cut(side, bits)) as u32;
                truncations.push(Truncation { side, bits, rank, dependencies, confusion: None });
            }
        }
        Ok(Self {
            words: key.words.len(),
            width: key.width,
            rank: gf2::rank(&key.words) as u32,
            zero_words: (0..key.words.len()).filter(|&word| key.words[word] == 0).collect(),
            equal_words: equal_words(&key.words),
            truncations,
        })
    }
}

impl Audit {
    /// Adds to every truncation what it confuses among `reachable`, and among `stored`.
    ///
    /// # Errors
    /// Families that no way of counting fits into memory.
    ///
    /// # Panics
    /// If the subjects are not of the key audited.
    pub fn add_confusion(
        &mut self,
        reachable: &Subject,
        stored: Option<&Subject>,
        listing: Listing,
        ceiling: Tier,
        progress: &ProgressBar,
    ) -> Result<(), Error> {
        for truncation in &mut self.truncations {
            let (side, bits) = (truncation.side, truncation.bits);
            let code = Code::of_words(&reachable.cut(side, bits));
            let words = |code: &Code| (1u128 << code.dimension()) - 1;
            let families = reachable.families(side, bits, ceiling)?;
            let of_stored =
                stored.map(|stored| stored.families(side, bits, ceiling)).transpose()?;
            let pairs = |families: &[Family]| families.iter().map(|family| family.pairs).sum();
            let pairs_reachable: u64 = pairs(&families);
            let pairs_stored: Option<u64> = of_stored.as_deref().map(pairs);
            truncation.confusion = Some(Confusion {
                codewords: words(&code),
                even_codewords: words(&code.even_part()),
                pairs_reachable,
                pairs_stored,
                exact: pairs_reachable == 0,
                expected_wrong_verdicts_scale: match (stored, pairs_stored) {
                    (Some(stored), Some(pairs)) => {
                        Scale::new("pairs of stored positions", pairs, stored.expected(bits))
                    }
                    _ => {
                        let random = reachable.expected(bits);
                        Scale::new("pairs of reachable positions", pairs_reachable, random)
                    }
                },
                families_reachable: families.len() as u64,
                families: listed(&families, of_stored.as_deref(), listing),
                one_table: reachable.one_table(side, bits),
            });
            progress.inc(1);
        }
        Ok(())
    }
}

impl Scale {
    fn new(unit: &'static str, this_key: u64, random_key: f64) -> Self {
        // Without any pair there is nothing to compare.
        let ratio = if random_key > 0.0 { this_key as f64 / random_key } else { 0.0 };
        Self { unit, this_key, random_key, ratio }
    }
}

/// The families to list, with the stored pairs of each.
fn listed(
    families: &[Family],
    of_stored: Option<&[Family]>,
    listing: Listing,
) -> Vec<ConfusedFamily> {
    let stored: Option<HashMap<u64, u64>> =
        of_stored.map(|all| all.iter().map(|family| (family.set, family.pairs)).collect());
    let stored = |set| stored.as_ref().map(|stored| stored.get(&set).copied().unwrap_or(0));
    let mut rows: Vec<(&Family, Option<u64>)> =
        families.iter().map(|family| (family, stored(family.set))).collect();
    if listing.by_stored {
        rows.sort_by_key(|(_, stored)| Reverse(*stored));
    }
    let row = |(family, pairs_stored): (&Family, Option<u64>)| ConfusedFamily {
        squares: squares_of(family.set).collect(),
        pairs_reachable: family.pairs,
        pairs_stored,
    };
    rows.into_iter().take(listing.most).map(row).collect()
}

/// The lengths an audit on positions looks at: the standard ones, and on each
/// side the shortest exact one and the one below it.
pub fn telling_lengths(key: &Words, reachable: &Subject) -> Vec<u32> {
    let mut lengths = standard_lengths(key.width);
    for side in [Side::Top, Side::Low] {
        let exact = reachable.pairs(side).iter().position(|&pairs| pairs == 0);
        let exact = exact.map(|exact| exact as u32);
        lengths.extend(exact.into_iter().flat_map(|exact| [exact, exact.saturating_sub(1)]));
    }
    lengths.retain(|&length| length > 0);
    lengths.sort_unstable();
    lengths.dedup();
    lengths
}

/// Groups of equal words other than zero, each ascending, by its first index.
fn equal_words(words: &[u128]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..words.len()).filter(|&word| words[word] != 0).collect();
    order.sort_by_key(|&word| words[word]);
    let groups = order.chunk_by(|&x, &y| words[x] == words[y]).filter(|group| group.len() > 1);
    let mut groups: Vec<Vec<usize>> = groups.map(<[usize]>::to_vec).collect();
    groups.sort_unstable();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_and_equal_words_are_listed() {
        let key = Words::new(20, vec![5, 0, 9, 5, 0, 9, 1, 5]);
        let hidden = ProgressBar::hidden();
        let audit = Audit::of(&key, &standard_lengths(20), 2, 9, &hidden).unwrap();
        assert_eq!(audit.zero_words, [1, 4]);
        assert_eq!(audit.equal_words, [vec![0, 3, 7], vec![2, 5]]);
        assert_eq!((audit.words, audit.width, audit.rank), (8, 20, 3));
        let whole = &audit.truncations[1];
        assert_eq!((whole.side, whole.bits, whole.rank), (Side::Top, 20, 3));
        assert_eq!(whole.dependencies[0].first, [[1], [4]]);
        // Zero words 1 and 4 are a pair too.
        assert_eq!(whole.dependencies[1].count, 3 + 1 + 1);
        let low: Vec<u32> =
            audit.truncations.iter().filter(|t| t.side == Side::Low).map(|t| t.bits).collect();
        assert_eq!(low, [16, 20]);
    }
}
