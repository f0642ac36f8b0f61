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

use indicatif::ProgressBar;
use serde::Serialize;

use crate::code::Code;
use crate::error::Error;
use crate::gf2;

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
    /// # Panics
    /// If the subjects are not of the key audited.
    pub fn add_confusion(&mut self, reachable: &Subject, stored: Option<&Subject>) {
        let sides = [Side::Top, Side::Low];
        let pairs = sides.map(|side| reachable.pairs(side));
        let pairs_stored = stored.map(|stored| sides.map(|side| stored.pairs(side)));
        for truncation in &mut self.truncations {
            let (side, bits) = (truncation.side, truncation.bits);
            let code = Code::of_words(&reachable.cut(side, bits));
            let words = |code: &Code| (1u128 << code.dimension()) - 1;
            let at = |pairs: &[Vec<u64>; 2]| pairs[side as usize][bits as usize];
            let pairs_reachable = at(&pairs);
            truncation.confusion = Some(Confusion {
                codewords: words(&code),
                even_codewords: words(&code.even_part()),
                pairs_reachable,
                pairs_stored: pairs_stored.as_ref().map(at),
                exact: pairs_reachable == 0,
            });
        }
    }
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
