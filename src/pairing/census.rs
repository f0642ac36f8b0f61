//! How often the check fires over every reachable position, and how often it
//! is wrong.
//!
//! Everything is a bitmap over covered sets, so nothing is counted square by
//! square:
//!
//! ```text
//! reachable ──► free sets in blocks ──► kernel ──► accepted
//! accepted  ──► one domino taken up ──► fires  (leads to an accepted set)
//! fires & losses                    ──► wrong
//! ```
//!
//! A set is tested once, however many moves lead to it: every set that a move
//! leaves is itself reachable.

use rayon::prelude::*;
use serde::Serialize;

use super::{Check, Pairing, PairingKernel, oracle};
use crate::board::{Board, squares_of};
use crate::error::Error;
use crate::game::cram;
use crate::memory;

/// Words of a bitmap that one task takes: 32 KiB.
const CHUNK: usize = 1 << 12;

/// Every reachable position of a board and every set's outcome, as bitmaps of
/// covered sets ([`cram::reachable`], [`cram::losses`]).
pub struct Outcomes {
    /// The board.
    pub board: Board,
    /// The covered sets that play reaches.
    pub reachable: Vec<u64>,
    /// The covered sets, reachable or not, from which the player to move loses.
    pub losses: Vec<u64>,
}

impl Outcomes {
    /// Sweeps the board, upwards on one thread and downwards on another.
    ///
    /// # Errors
    /// Three bitmaps of `2^squares` bits (these two and a census's) do not fit
    /// the memory that is free.
    pub fn of(board: Board) -> Result<Self, Error> {
        let bitmap = |squares: u32| 1_u64 << squares.saturating_sub(3).min(59);
        let needed = 3 * bitmap(board.squares() as u32);
        let available = memory::available().unwrap_or(needed);
        let fits = 3 + (available / 3).max(1).ilog2();
        memory::require(
            &format!("Cram on {board}"),
            needed,
            &format!("; up to {fits} squares fit"),
        )?;
        let (reachable, losses) = rayon::join(|| cram::reachable(board), || cram::losses(board));
        Ok(Self { board, reachable, losses })
    }

    /// Whether the first player wins the empty board.
    pub fn empty_wins(&self) -> bool {
        self.losses[0] & 1 == 0
    }
}

/// Counts over a class of positions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Counts {
    /// Reachable positions.
    pub positions: u64,
    /// Of these, wins for the player to move.
    pub wins: u64,
    /// Positions where some move leaves a set that the test accepts.
    pub fires: u64,
    /// Firings on positions that are losses.
    pub wrong: u64,
    /// Firings on positions that are wins.
    pub fires_on_wins: u64,
}

/// A position where the check fires and the player to move loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wrong {
    /// The covered squares.
    pub covered: u64,
    /// The domino after which the test accepts.
    pub domino: u64,
    /// The pairing that accepts.
    pub pairing: Pairing,
    /// The domino that this pairing sends to itself, if there is one.
    pub own_answer: Option<u64>,
}

/// What the check does on one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Census {
    /// The test whose firings are counted.
    pub check: Check,
    /// Over all positions.
    pub total: Counts,
    /// By dominoes placed, from none up.
    pub by_dominoes: Vec<Counts>,
    /// The wrong position with the fewest dominoes, and of those the least set.
    pub first_wrong: Option<Wrong>,
}

/// Runs the check at every reachable position.
pub fn census(outcomes: &Outcomes, check: &Check, kernel: &dyn PairingKernel) -> Census {
    assert_eq!(outcomes.board, check.board, "one board");
    let accepted = accepted(outcomes, check, kernel);
    let dominoes = cram::dominoes(check.board);
    let tallies = outcomes.reachable.par_chunks(CHUNK).enumerate().map(|(chunk, reachable)| {
        let mut tally = Tally::new(check.board);
        for (index, &positions) in reachable.iter().enumerate().filter(|(_, word)| **word != 0) {
            let word = chunk * CHUNK + index;
            let fires = positions & cram::leading_to(&dominoes, &accepted, word);
            tally.add(word, positions, fires, outcomes.losses[word]);
        }
        tally
    });
    let mut tally = tallies.reduce(|| Tally::new(check.board), Tally::with);
    while tally.layers.last().is_some_and(|layer| layer.positions == 0) {
        tally.layers.pop();
    }
    let first = tally.first_wrong.iter().find_map(|covered| *covered);
    Census {
        check: *check,
        total: tally.layers.iter().fold(Counts::default(), |sum, layer| sum.with(*layer)),
        by_dominoes: tally.layers,
        first_wrong: first.map(|covered| explain(check, covered)),
    }
}

/// The reachable covered sets whose free squares the test accepts.
fn accepted(outcomes: &Outcomes, check: &Check, kernel: &dyn PairingKernel) -> Vec<u64> {
    let mut accepted = vec![0; outcomes.reachable.len()];
    let chunks = accepted.par_chunks_mut(CHUNK).zip(outcomes.reachable.par_chunks(CHUNK));
    chunks.enumerate().for_each_init(
        || (Vec::new(), Vec::new()),
        |(sets, answers), (chunk, (accepted, reachable))| {
            let words = || reachable.iter().enumerate().filter(|(_, word)| **word != 0);
            sets.clear();
            for (index, word) in words() {
                let high = (chunk * CHUNK + index) << 6;
                let covered = squares_of(*word).map(|bit| (high | bit) as u64);
                sets.extend(covered.map(|covered| cram::free(check.board, covered)));
            }
            answers.resize(sets.len(), 0);
            kernel.accepted(check, sets, answers);
            let mut answers = answers.iter();
            for (index, word) in words() {
                for bit in squares_of(*word) {
                    let answer = *answers.next().expect("one answer a position");
                    accepted[index] |= u64::from(answer != 0) << bit;
                }
            }
        },
    );
    accepted
}

/// Counts by dominoes placed, of a part of the bitmap.
struct Tally {
    layers: Vec<Counts>,
    first_wrong: Vec<Option<u64>>,
}

impl Tally {
    fn new(board: Board) -> Self {
        let layers = board.squares() / 2 + 1;
        Self { layers: vec![Counts::default(); layers], first_wrong: vec![None; layers] }
    }

    fn add(&mut self, word: usize, positions: u64, fires: u64, losses: u64) {
        let wrong = fires & losses;
        // Positions are even: the low six squares hold as many dominoes' halves as make them so.
        for low in (word.count_ones() as usize % 2..=6).step_by(2) {
            let count = |set: u64| u64::from((set & LOW_SETS[low]).count_ones());
            if count(positions) == 0 {
                continue;
            }
            let dominoes = (word.count_ones() as usize + low) / 2;
            self.layers[dominoes] = self.layers[dominoes].with(Counts {
                positions: count(positions),
                wins: count(positions & !losses),
                fires: count(fires),
                wrong: count(wrong),
                fires_on_wins: count(fires & !losses),
            });
            let first = squares_of(wrong & LOW_SETS[low]).next();
            let first = first.map(|bit| (word << 6 | bit) as u64);
            self.first_wrong[dominoes] = least(self.first_wrong[dominoes], first);
        }
    }

    fn with(mut self, other: Self) -> Self {
        for (layer, other) in self.layers.iter_mut().zip(other.layers) {
            *layer = layer.with(other);
        }
        for (first, other) in self.first_wrong.iter_mut().zip(other.first_wrong) {
            *first = least(*first, other);
        }
        self
    }
}

fn least(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    a.into_iter().chain(b).min()
}

/// `LOW_SETS[k]`: the bits of a word whose number has `k` ones.
const LOW_SETS: [u64; 7] = {
    let mut sets = [0; 7];
    let mut bit = 0_u64;
    while bit < 64 {
        sets[bit.count_ones() as usize] |= 1 << bit;
        bit += 1;
    }
    sets
};

impl Counts {
    fn with(self, other: Self) -> Self {
        Self {
            positions: self.positions + other.positions,
            wins: self.wins + other.wins,
            fires: self.fires + other.fires,
            wrong: self.wrong + other.wrong,
            fires_on_wins: self.fires_on_wins + other.fires_on_wins,
        }
    }
}

/// Finds the domino that the check trusts, and why it should not.
fn explain(check: &Check, covered: u64) -> Wrong {
    let free = cram::free(check.board, covered);
    let trusted = cram::fitting(check.board, free).find_map(|domino| {
        let left = free & !domino;
        let accepts =
            |pairing: &Pairing| oracle::accepts(check.board, *pairing, check.clause, left);
        check.pairings.iter().find(accepts).map(|pairing| (domino, pairing))
    });
    let (domino, pairing) = trusted.expect("the check fired here");
    let own_answer = oracle::own_answer(check.board, pairing, free & !domino);
    Wrong { covered, domino, pairing, own_answer }
}

impl Wrong {
    /// The position in rows of characters: `#` covered, `.` free, `o` the
    /// domino that the check trusts, `x` the domino that is its own answer.
    pub fn draw(&self, board: Board) -> Vec<String> {
        let own_answer = self.own_answer.unwrap_or(0);
        let mark = |square: usize| match [self.covered, self.domino, own_answer]
            .map(|set| set >> square & 1 == 1)
        {
            [true, ..] => '#',
            [_, true, _] => 'o',
            [_, _, true] => 'x',
            _ => '.',
        };
        (0..board.rows())
            .map(|row| (0..board.columns()).map(|column| mark(board.square(row, column))).collect())
            .collect()
    }
}
