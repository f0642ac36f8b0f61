//! Searches that trust their table: for a verdict, an outcome class or a
//! number of moves.
//!
//! All three try the moves in ascending order of their first squares, as the
//! plain search does. They differ in what they ask and so in how often they
//! may stop early:
//!
//! ```text
//! verdict   does the mover win?                  stops at the first winning move
//! class     who wins, for either player moving?  the same, for both players
//! count     how many moves are left, the winner  never stops: looks at every move
//!           in haste and the loser at leisure?
//! ```

use super::slots::{Found, Slots};
use super::{Holds, Rule, Split, tables_of};
use crate::board::{Board, squares_of};
use crate::game::Mover;
use crate::game::domineering::dominoes;
use crate::game::domino::Direction;

/// A search and its table.
pub(super) struct Search {
    all: u64,
    dominoes: [Direction; 2],
    /// What placing a mover's domino does to the key, by its first square.
    changes: [[u64; 64]; 2],
    pub(super) slots: Slots,
    pub(super) searched: u64,
}

impl Search {
    pub(super) fn new(board: Board, holds: Holds, split: Split, rule: Rule) -> Self {
        Self {
            all: board.all(),
            dominoes: Mover::BOTH.map(|mover| dominoes(board, mover)),
            changes: [[0; 64]; 2],
            slots: Slots::new(tables_of(holds), split, rule),
            searched: 0,
        }
    }

    /// Starts afresh with the key whose words these are.
    pub(super) fn start(&mut self, words: &[u64]) {
        for (direction, changes) in self.dominoes.iter().zip(&mut self.changes) {
            for first in squares_of(direction.fitting(self.all)) {
                let domino = squares_of(direction.domino(first));
                changes[first] = domino.fold(0, |change, square| change ^ words[square]);
            }
        }
        self.slots.clear();
        self.searched = 0;
    }

    /// The first squares of `mover`'s moves.
    #[inline]
    fn moves(&self, mover: usize, board: u64) -> u64 {
        self.dominoes[mover].fitting(self.all & !board)
    }

    /// The lowest of `moves` made on `board`: the board and the key after it.
    #[inline]
    fn made(&self, mover: usize, moves: u64, board: u64, key: u64) -> (u64, u64) {
        let first = moves.trailing_zeros() as usize;
        (board | self.dominoes[mover].domino(first), key ^ self.changes[mover][first & 63])
    }

    /// Whether `mover`, to move on `board`, wins: 1, or 0.
    pub(super) fn verdict(&mut self, mover: usize, board: u64, key: u64) -> u8 {
        let place = match self.slots.find(mover, key, board) {
            Found::Value(verdict) => return verdict,
            Found::Nothing(place) => place,
        };
        self.searched += 1;
        let mut moves = self.moves(mover, board);
        let mut verdict = 0;
        while moves != 0 && verdict == 0 {
            let (child, child_key) = self.made(mover, moves, board, key);
            verdict = 1 - self.verdict(1 - mover, child, child_key);
            moves &= moves - 1;
        }
        self.slots.put(place, board, verdict);
        verdict
    }

    /// The outcome class of `board`: bit `m` is set when mover `m`, moving first, wins.
    pub(super) fn class(&mut self, board: u64, key: u64) -> u8 {
        let place = match self.slots.find(0, key, board) {
            Found::Value(class) => return class,
            Found::Nothing(place) => place,
        };
        self.searched += 1;
        let mut class = 0;
        for mover in 0..2 {
            let mut moves = self.moves(mover, board);
            while moves != 0 && class >> mover & 1 == 0 {
                let (child, child_key) = self.made(mover, moves, board, key);
                let other_wins = self.class(child, child_key) >> (1 - mover) & 1;
                class |= (1 - other_wins) << mover;
                moves &= moves - 1;
            }
        }
        self.slots.put(place, board, class);
        class
    }

    /// The number of moves left on `board` with `mover` to move; odd if he wins.
    pub(super) fn count(&mut self, mover: usize, board: u64, key: u64) -> u8 {
        let place = match self.slots.find(mover, key, board) {
            Found::Value(count) => return count,
            Found::Nothing(place) => place,
        };
        self.searched += 1;
        let mut moves = self.moves(mover, board);
        let mut best = None;
        while moves != 0 {
            let (child, child_key) = self.made(mover, moves, board, key);
            let count = 1 + self.count(1 - mover, child, child_key);
            best = Some(best.map_or(count, |best| better_count(best, count)));
            moves &= moves - 1;
        }
        let count = best.unwrap_or(0);
        self.slots.put(place, board, count);
        count
    }
}

/// The better for the mover of two numbers of moves left: odd before even,
/// then the smaller odd (he wins sooner) or the larger even (he loses later).
#[inline]
pub(super) fn better_count(one: u8, other: u8) -> u8 {
    match (one % 2, other % 2) {
        (1, 0) => one,
        (0, 1) => other,
        (1, 1) => one.min(other),
        _ => one.max(other),
    }
}
