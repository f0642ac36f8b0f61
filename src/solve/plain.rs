//! The plain store: a cell for every position, so that nothing is ever
//! confused or forgotten.
//!
//! A cell has two bits: nothing known, lost, won. Dominoes cover two squares,
//! so all sets of free squares are odd or all are even, the lowest square
//! follows from the others, and cells are numbered without it:
//!
//! ```text
//! free squares  … s5 s4 s3 | s2 s1 | s0      byte s3 and up, its bits at 2·(s2 s1)
//! ```
//!
//! 4x5 takes 256 KiB and 5x6 256 MiB. With a byte for every set 5x5 took eight
//! times the memory and left the cache.

use super::search::{Known, Search, Store};
use crate::board::Board;
use crate::error::Error;
use crate::memory;
use crate::positions::Positions;

/// Squares up to which positions are given cells (1 GiB in all): the log keeps 32 bits.
const MAX_SQUARES: usize = 32;

/// The plain search. Its cells stay allocated and are cleared by their log.
pub type Plain = Search<Cells>;

/// A cell for every set of free squares and player to move.
pub struct Cells {
    cells: [Vec<u8>; 2],
    log: [Vec<u32>; 2],
}

impl Store for Cells {
    #[inline]
    fn find(&self, mover: usize, free: u64) -> Known {
        Known::from_code(self.cells[mover][byte_of(free)] >> bit_of(free) & 3)
    }

    #[inline]
    fn put(&mut self, mover: usize, free: u64, verdict: Known) {
        self.cells[mover][byte_of(free)] |= (verdict as u8) << bit_of(free);
        self.log[mover].push(free as u32);
    }
}

#[inline]
fn byte_of(free: u64) -> usize {
    (free >> 3) as usize
}

#[inline]
fn bit_of(free: u64) -> u64 {
    free & 6
}

impl Plain {
    /// A search on `board` that has stored nothing yet.
    ///
    /// # Errors
    /// More than 32 squares, or more memory than is free.
    pub fn new(board: Board) -> Result<Self, Error> {
        Self::require(board)?;
        let cells = || vec![0; byte_of(board.all()) + 1];
        Ok(Self::over(board, Cells { cells: [cells(), cells()], log: [vec![], vec![]] }))
    }

    /// Refuses a board that has no plain search here.
    ///
    /// # Errors
    /// More than 32 squares, or more memory than is free.
    pub fn require(board: Board) -> Result<(), Error> {
        let squares = board.squares();
        if squares > MAX_SQUARES {
            let problem = format!(
                "{board} has {squares} squares: a search that keeps a cell for every position \
                 takes {MAX_SQUARES} at most, as 4x8 or 5x6"
            );
            return Err(Error::argument("board", problem));
        }
        let bytes = |squares: usize| 1u64 << squares.saturating_sub(2);
        let what = format!("a cell for every position of {board}");
        memory::require_or(&what, bytes(squares), |available| {
            let most = (0..squares).rev().find(|&squares| bytes(squares) <= available);
            format!("; boards of up to {} squares fit", most.unwrap_or(0))
        })
    }

    /// Forgets every verdict, in time proportional to their number.
    pub fn clear(&mut self) {
        let Cells { cells, log } = &mut self.store;
        for (cells, log) in cells.iter_mut().zip(log) {
            log.drain(..).for_each(|free| cells[byte_of(free.into())] = 0);
        }
        self.nodes = 0;
    }

    /// The positions stored, as sets of covered squares.
    pub fn stored(&self) -> Positions {
        let (squares, all) = (self.board.squares(), self.board.all());
        let covered = |free: &u32| all & !(u64::from(*free).reverse_bits() >> (64 - squares));
        let [left, right] = self.store.log.each_ref().map(|log| {
            let mut sets: Vec<u64> = log.iter().map(covered).collect();
            sets.sort_unstable();
            sets
        });
        Positions { features: squares, left, right }
    }
}
