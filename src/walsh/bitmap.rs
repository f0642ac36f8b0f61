//! The indicator functions of two movers' positions as one bitmap, and the
//! lowest stages of their transforms by table.
//!
//! A word holds sixteen cells of both movers:
//!
//! ```text
//! cells of Right   cells of Left
//! 15 … 3 2 1 0     15 … 3 2 1 0
//!    …       1        …   1   1       Left {0, 2}, Right {0}
//! ```

use std::ops::{Deref, DerefMut};

use rayon::prelude::*;

use super::skew::{RowSkew, STRIP_CELLS};
use crate::board::squares_of;
use crate::error::Error;
use crate::memory::Zeroed;

/// Two sets of cells.
pub struct Bitmap {
    words: Words,
    counts: [u64; 2],
}

/// Words on the heap, which hands the same memory out again, or many in large pages: 4x7's, in
/// pages of 4 KiB, took a sixth of its autocorrelation.
enum Words {
    Heap(Vec<u32>),
    Pages(Zeroed<u32>),
}

impl Words {
    /// Words from which they are in pages of their own.
    const MANY: usize = 1 << 20;

    fn zeros(len: usize) -> Result<Self, Error> {
        Ok(match len {
            ..Self::MANY => Self::Heap(vec![0; len]),
            _ => Self::Pages(Zeroed::new(len)?),
        })
    }
}

impl Deref for Words {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Self::Heap(words) => words,
            Self::Pages(words) => words,
        }
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u32] {
        match self {
            Self::Heap(words) => words,
            Self::Pages(words) => words,
        }
    }
}

/// Cells, of both sets, in a word.
pub(super) const WORD_CELLS: usize = 16;

/// Stages that 16 bits hold of any set.
pub(super) const ANY_SET: u32 = 14;

/// Lists are marked from this many places at once: neighbours in a sorted list share a
/// word, and each would wait for the one before to be stored.
const CURSORS: usize = 4;

impl Bitmap {
    /// The cells `position mod cells` of two lists of positions.
    ///
    /// # Errors
    /// Two positions of one list in one cell, or more than [`super::MOST_POSITIONS`].
    pub(super) fn new(lists: [&[u64]; 2], cells: usize) -> Result<Self, Error> {
        let counts = lists.map(|list| list.len() as u64);
        check_counts(counts)?;
        let mask = cells as u64 - 1;
        let mut words = Words::zeros(cells.div_ceil(WORD_CELLS))?;
        let mut met = 0;
        for (set, list) in lists.into_iter().enumerate() {
            let mut mark = |position: u64| {
                let cell = (position & mask) as usize;
                let bit = 1 << (cell % WORD_CELLS + WORD_CELLS * set);
                let word = &mut words[cell / WORD_CELLS];
                met |= *word & bit;
                *word |= bit;
            };
            let part = list.len() / CURSORS;
            for at in 0..part {
                for cursor in 0..CURSORS {
                    mark(list[cursor * part + at]);
                }
            }
            list[CURSORS * part..].iter().for_each(|&position| mark(position));
        }
        if met != 0 {
            let problem = format!(
                "two of a mover's positions are equal in the bits of {cells} cells: want distinct \
                 positions, and twice the cells if their parity is mixed"
            );
            return Err(Error::argument("positions", problem));
        }
        Ok(Self { words, counts })
    }

    /// How many cells are in each set.
    pub(super) fn counts(&self) -> [u64; 2] {
        self.counts
    }

    /// The most stages, from 14 up to `longest`, that 16 bits hold of both sets: a value is
    /// no larger than the members there are in its run of cells.
    pub(super) fn exact_stages(&self, longest: u32) -> u32 {
        let run = (1 << ANY_SET) / WORD_CELLS;
        let members = |words: &[u32]| {
            let left = words.iter().map(|word| (word & 0xFFFF).count_ones()).sum::<u32>();
            [left, words.iter().map(|word| (word >> 16).count_ones()).sum()]
        };
        let mut runs: Vec<[u32; 2]> = self.words.par_chunks(run).map(members).collect();
        for stages in ANY_SET..longest {
            runs =
                runs.as_chunks::<2>().0.iter().map(|[a, b]| [a[0] + b[0], a[1] + b[1]]).collect();
            if runs.is_empty() || runs.iter().flatten().any(|&count| count > i16::MAX as u32) {
                return stages;
            }
        }
        longest
    }

    /// Asserts what the cell of difference 0 must hold before it is halved: every
    /// position once.
    pub(super) fn check_zero_cell(&self, found: u64) {
        let [first, second] = self.counts;
        assert_eq!(found, first + second, "the zero cell must be {first} + {second} positions");
    }

    /// The words, 16 cells each, lowest first; at least one.
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The members of one set, ascending.
    pub(super) fn members(&self, set: usize) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(move |(index, word)| {
            let bits = u64::from(word >> (WORD_CELLS * set) & 0xFFFF);
            squares_of(bits).map(move |bit| index * WORD_CELLS + bit)
        })
    }
}

/// Refuses more positions of two movers than the autocorrelation counts exactly.
pub(super) fn check_counts(counts: [u64; 2]) -> Result<(), Error> {
    let (total, most) = (counts.iter().sum::<u64>(), super::MOST_POSITIONS);
    if total <= most {
        return Ok(());
    }
    let problem = format!("{total} of two movers: at most {most} are counted exactly");
    Err(Error::argument("positions", problem))
}

/// The three lowest stages of the transform for each pattern of eight cells, as
/// 16-bit numbers in the low halves; and then negated.
static TABLES: [[[u32; 8]; 256]; 2] = {
    let mut tables = [[[0; 8]; 256]; 2];
    let mut at = 0;
    while at < 256 * 64 {
        let (pattern, u, x): (usize, usize, usize) = (at / 64, at / 8 % 8, at % 8);
        if pattern >> x & 1 == 1 {
            let sign = if (x & u).count_ones() % 2 == 0 { 1 } else { u16::MAX };
            let sum = (tables[0][pattern][u] as u16).wrapping_add(sign);
            tables[0][pattern][u] = sum as u32;
            tables[1][pattern][u] = sum.wrapping_neg() as u32;
        }
        at += 1;
    }
    tables
};

/// Writes the cells of some words as pairs of 16 bits, Left's in the low half, the
/// three lowest stages made, each strip with the sign that the row's skew gives it.
#[inline(always)]
pub(super) fn expand(words: &[u32], pairs: &mut [u32], skew: RowSkew) {
    let sixteens = pairs.as_chunks_mut::<WORD_CELLS>().0.iter_mut();
    for (index, (sixteen, word)) in sixteens.zip(words).enumerate() {
        let negated = skew.sign(index * WORD_CELLS / STRIP_CELLS) & 1;
        let table = &TABLES[negated as usize];
        let [left_low, left_high, right_low, right_high] =
            word.to_le_bytes().map(|byte| &table[usize::from(byte)]);
        let (low, high) = sixteen.split_at_mut(8);
        for u in 0..8 {
            low[u] = left_low[u] | right_low[u] << 16;
            high[u] = left_high[u] | right_high[u] << 16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bits_hold_as_many_stages_as_no_run_passes() {
        let cells = 1 << 18;
        let stages = |members: std::ops::Range<u64>| {
            let list: Vec<u64> = members.collect();
            [[&list[..], &[]], [&[], &list[..]]].map(|lists| {
                let bitmap = Bitmap::new(lists, cells).unwrap();
                [14, 16, 17, 18].map(|longest| bitmap.exact_stages(longest))
            })
        };
        // 2^15 - 1 members of one run of 2^15 cells fit, and one more does not.
        assert_eq!(stages(0..32_767), [[14, 16, 17, 18]; 2]);
        assert_eq!(stages(0..32_768), [[14, 14, 14, 14]; 2]);
        // Half in each of two neighbouring runs of 2^16.
        assert_eq!(stages(49_152..81_920), [[14, 16, 16, 16]; 2]);
    }
}
