//! A transposition table under a key too short for its positions: how many
//! verdicts it gets wrong, and how often it searches again.
//!
//! A key of `a + c` bits is cut in two. Its top `a` bits choose a slot in the
//! table of the player to move; the other `c` bits stand in the slot as a
//! check. A search that finds an occupied slot with its own check trusts it,
//! even when another board stands there; one that finds another check searches
//! and, under the essays' rule, stores nothing:
//!
//! ```text
//! slot empty                  search, store              searched, stored
//! occupied, own board         trust                      right
//! occupied, check equal       trust                      met, believed: may be wrong
//! occupied, check different   search, do not store       met, turned away: searched again
//! ```

mod designs;
mod distant;
mod exact;
mod keys;
#[cfg(test)]
mod oracle;
mod search;
mod slots;

use std::fmt;
use std::str::FromStr;

use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::board::Board;
use crate::error::Error;

pub use designs::{Compared, Design, Grounds, Trial, compare, mean_and_error, require};
pub use distant::{Distance, distant_words};
pub use exact::Exact;
pub use keys::{KeySet, Mixing, exact_words, mixed};
use search::Search;

/// A key cut into `address + check` bits, at most 32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// Bits that choose the slot: the key's top bits.
    pub address: u32,
    /// Bits kept in the slot.
    pub check: u32,
}

impl Split {
    /// Bits of the whole key.
    pub fn bits(self) -> u32 {
        self.address + self.check
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}+{}", self.address, self.check))
    }
}

impl FromStr for Split {
    /// What would be right: whoever asks knows what was read, and where.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bits = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse::<u32>().unwrap_or(u32::MAX))
        };
        let split = text.split_once('+').and_then(|(a, c)| Some((bits(a)?, bits(c)?)));
        let (address, check) = split.ok_or("want ADDRESS+CHECK, for example 10+8")?;
        if address.saturating_add(check) > 32 {
            return Err("more than the 32 bits of a drawn word");
        }
        Ok(Self { address, check })
    }
}

/// When a search writes what it found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Rule {
    /// If the slot was empty when it was looked up: what the search below it
    /// has put there since is replaced.
    Essays,
    /// If the slot is empty.
    Never,
    /// Always.
    Always,
    /// If the slot is empty or its board has as many squares covered, or more:
    /// less of the game was left to play there.
    Deeper,
    /// Always, into buckets of two slots: the deeper board stays in the first
    /// and the other moves to the second (Breuker, Uiterwijk and van den Herik
    /// 1994). A bucket takes up one address bit, and the check grows by it.
    Bucket,
}

/// What a table holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Holds {
    /// Whether the player to move wins: one bit.
    Verdict,
    /// Who wins with either player to move, in one table for both: two bits.
    Class,
    /// The number of moves left under best play: the winner makes haste, the
    /// loser delays. Odd when the player to move wins.
    Count,
}

/// Tables that a search keeps: one for each player to move, but for classes.
fn tables_of(holds: Holds) -> usize {
    if holds == Holds::Class { 1 } else { 2 }
}

/// One question to a table: its board, shape, content and rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The board.
    pub board: Board,
    /// What a slot holds.
    pub holds: Holds,
    /// How the key is cut.
    pub split: Split,
    /// When a slot is written.
    pub rule: Rule,
}

impl Setup {
    /// Bits of all tables, a slot counted as its value and its check, and
    /// nothing for recording which slots are taken.
    pub fn memory_bits(self) -> u64 {
        let value = match self.holds {
            Holds::Verdict => 1,
            Holds::Class => 2,
            Holds::Count => {
                let most = self.board.squares() as u32 / 2;
                u32::BITS - most.leading_zeros()
            }
        };
        let check = self.split.check + u32::from(self.rule == Rule::Bucket);
        (u64::from(value + check) * tables_of(self.holds) as u64) << self.split.address
    }
}

/// What one key did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Entries at the end whose value is not their board's.
    pub wrong: u64,
    /// Entries at the end whose value names the wrong winner.
    pub wrong_winners: u64,
    /// Whether the empty board's winner is wrong, for either player to move.
    pub winner_wrong: bool,
    /// Entries at the end.
    pub stored: u64,
    /// Lookups that found another board and were turned away by the check.
    pub turned_away: u64,
    /// Lookups that found another board and believed it.
    pub believed: u64,
    /// Positions searched.
    pub searched: u64,
    /// Writes over another board's entry.
    pub overwrites: u64,
}

/// Runs the search with each of `count` keys, on all threads, and returns what
/// each did. `words(i)` makes the words of key `i`, one of `split.bits()` bits
/// for each square; `progress` advances by one a key.
///
/// # Errors
/// The tables do not fit the memory that is free, or a bucket without an address bit.
pub fn run(
    setup: Setup,
    exact: &Exact,
    count: usize,
    words: impl Fn(usize) -> Vec<u64> + Sync,
    progress: &ProgressBar,
) -> Result<Vec<Counts>, Error> {
    let Setup { board, holds, split, rule } = setup;
    assert_eq!(exact.board(), board, "the exact values are another board's");
    if rule == Rule::Bucket && split.address == 0 {
        let problem = format!("`{split}` has no bucket of two slots: want an address bit");
        return Err(Error::argument("--splits", problem));
    }
    let threads = rayon::current_num_threads();
    let counts = (count * size_of::<Counts>()) as u64;
    let bytes = |address| counts + threads as u64 * slots::bytes(tables_of(holds), address);
    let what = format!("`{split}`, a table for each of {threads} threads,");
    crate::memory::require_or(&what, bytes(split.address), |available| {
        let most = (0..split.address).rev().find(|&address| bytes(address) <= available);
        most.map_or(String::new(), |most| format!("; {most} address bits fit"))
    })?;
    // A thread's table is worth keeping from one key to the next.
    let share = count.div_ceil(4 * threads).max(1);
    let counts = (0..count).into_par_iter().with_min_len(share).map_init(
        || Search::new(board, holds, split, rule),
        |search, key| {
            let words = words(key);
            assert_eq!(words.len(), board.squares(), "a key has one word a square");
            search.start(&words);
            progress.inc(1);
            count_one(search, exact, holds)
        },
    );
    Ok(counts.collect())
}

/// Both roots, then the table's entries against the exact values.
fn count_one(search: &mut Search, exact: &Exact, holds: Holds) -> Counts {
    let winner_wrong = match holds {
        Holds::Verdict => {
            let verdicts = [0, 1].map(|mover| search.verdict(mover, 0, 0));
            (0..2).any(|mover| verdicts[mover] != exact.verdict(mover, 0))
        }
        Holds::Class => search.class(0, 0) != exact.class(0),
        Holds::Count => {
            let counts = [0, 1].map(|mover| search.count(mover, 0, 0));
            (0..2).any(|mover| counts[mover] % 2 != exact.verdict(mover, 0))
        }
    };
    let (mut wrong, mut wrong_winners) = (0, 0);
    for (table, board, value) in search.slots.entries() {
        let (value_wrong, winner_wrong) = match holds {
            Holds::Verdict => {
                let differs = value != exact.verdict(table, board);
                (differs, differs)
            }
            Holds::Class => {
                let differs = value != exact.class(board);
                (differs, differs)
            }
            Holds::Count => {
                (value != exact.count(table, board), value % 2 != exact.verdict(table, board))
            }
        };
        wrong += u64::from(value_wrong);
        wrong_winners += u64::from(winner_wrong);
    }
    let tally = search.slots.tally;
    Counts {
        wrong,
        wrong_winners,
        winner_wrong,
        stored: search.slots.entries().len() as u64,
        turned_away: tally.turned_away,
        believed: tally.believed,
        searched: search.searched,
        overwrites: tally.overwrites,
    }
}

#[cfg(test)]
mod tests;
