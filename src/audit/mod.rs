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

mod dependencies;
mod words;

use indicatif::ProgressBar;
use serde::Serialize;

use crate::error::Error;

pub use dependencies::{Dependencies, MAX_WEIGHT, Side, dependencies};
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
                let rank = rank(&key.cut(side, bits));
                truncations.push(Truncation { side, bits, rank, dependencies });
            }
        }
        Ok(Self {
            words: key.words.len(),
            width: key.width,
            rank: rank(&key.words),
            zero_words: (0..key.words.len()).filter(|&word| key.words[word] == 0).collect(),
            equal_words: equal_words(&key.words),
            truncations,
        })
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

/// The rank of words of up to 128 bits over GF(2).
///
/// ```
/// assert_eq!(zobrist_lab::audit::rank(&[3, 5, 6, 0, 3]), 2);
/// ```
pub fn rank(words: &[u128]) -> u32 {
    // By leading bit; a word is reduced until its leading bit is new.
    let mut basis = [0u128; 128];
    let mut rank = 0;
    for &word in words {
        let mut rest = word;
        while rest != 0 {
            let pivot = &mut basis[rest.ilog2() as usize];
            if *pivot == 0 {
                *pivot = rest;
                rank += 1;
                break;
            }
            rest ^= *pivot;
        }
    }
    rank
}
