//! The who-wins search, over any store of verdicts.
//!
//! The board is held turned by half a turn (square `s` is bit `n - 1 - s`) and
//! as its *free* squares. Moves come in ascending order of squares, so the top
//! of the board changes slowest in a search; turned, those squares are the high
//! bits, and positions searched one after the other differ in low bits, which
//! is to say that they stand side by side in [`Cells`](super::Cells):
//!
//! ```text
//! 4x5   0  1  2  3  4        19 18 17 16 15
//!       5  6  7  8  9        14 13 12 11 10     squares 11 to 19 are the low
//!      10 11 12 13 14   ->    9  8  7  6  5     nine bits: the positions that
//!      15 16 17 18 19         4  3  2  1  0     share a cache line
//! ```
//!
//! A domino's last square is then its lowest bit, so the moves in order are the
//! bits of [`Direction::fitting`] from the highest down.

use crate::board::Board;
use crate::game::Mover;
use crate::game::domineering::dominoes;
use crate::game::domino::Direction;

/// What a store knows of a position with a player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Known {
    /// Nothing.
    Unknown,
    /// The player to move loses.
    Lost,
    /// The player to move wins.
    Won,
}

impl Known {
    /// What a byte that was made from it stands for.
    #[inline]
    pub(super) fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Unknown,
            1 => Self::Lost,
            _ => Self::Won,
        }
    }
}

/// Where a search keeps its verdicts. A position is the set of free squares,
/// turned; `mover` is 0 for Left and 1 for Right.
pub trait Store {
    /// What is known of a position.
    fn find(&self, mover: usize, free: u64) -> Known;

    /// Remembers the verdict of a position of which nothing is known.
    fn put(&mut self, mover: usize, free: u64, verdict: Known);
}

/// A who-wins search and its store.
pub struct Search<S> {
    pub(super) board: Board,
    pub(super) store: S,
    dominoes: [Direction; 2],
    pub(super) nodes: u64,
}

impl<S: Store> Search<S> {
    pub(super) fn over(board: Board, store: S) -> Self {
        let dominoes = Mover::BOTH.map(|mover| dominoes(board, mover));
        Self { board, store, dominoes, nodes: 0 }
    }

    /// Whether `mover`, to move on the empty board, wins. What earlier roots
    /// stored is known already.
    pub fn root(&mut self, mover: Mover) -> bool {
        let free = self.board.all();
        match (self.store.find(mover as usize, free), mover) {
            (Known::Unknown, Mover::Left) => self.search::<0>(free),
            (Known::Unknown, Mover::Right) => self.search::<1>(free),
            (known, _) => known == Known::Won,
        }
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The store.
    pub fn store(&self) -> &S {
        &self.store
    }

    /// Searches a position that is not known, and stores it.
    fn search<const MOVER: usize>(&mut self, free: u64) -> bool {
        self.nodes += 1;
        let mut moves = self.dominoes[MOVER].fitting(free);
        let mut verdict = Known::Lost;
        while moves != 0 {
            let last = moves.ilog2();
            let child = free & !self.dominoes[MOVER].domino(last as usize);
            let wins = match self.store.find(1 - MOVER, child) {
                Known::Unknown if MOVER == 0 => !self.search::<1>(child),
                Known::Unknown => !self.search::<0>(child),
                known => known == Known::Lost,
            };
            if wins {
                verdict = Known::Won;
                break;
            }
            moves ^= 1 << last;
        }
        self.store.put(MOVER, free, verdict);
        verdict == Known::Won
    }
}
