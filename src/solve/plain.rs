//! The plain search: a table with a cell for every set of squares, so that
//! nothing is ever confused or forgotten.
//!
//! The board is held turned by half a turn (square `s` is bit `n - 1 - s`) and
//! as its *free* squares. Moves come in ascending order of squares, so the top
//! of the board changes slowest in a search; turned, those squares are the high
//! bits of a cell's number, and positions searched one after the other have
//! their cells in one cache line:
//!
//! ```text
//! 4x5   0  1  2  3  4        19 18 17 16 15
//!       5  6  7  8  9        14 13 12 11 10     squares 14 to 19 are the low
//!      10 11 12 13 14   ->    9  8  7  6  5     six bits: 64 cells, one line
//!      15 16 17 18 19         4  3  2  1  0
//! ```
//!
//! A domino's last square is then its lowest bit, so the moves in order are the
//! bits of [`Direction::fitting`] from the highest down.

use crate::board::Board;
use crate::error::Error;
use crate::game::Mover;
use crate::game::domineering::dominoes;
use crate::game::domino::Direction;
use crate::memory;
use crate::positions::Positions;

/// Squares up to which every set of squares is given a cell: 2 GiB in all.
const MAX_SQUARES: usize = 30;

const UNKNOWN: u8 = 0;
const LOST: u8 = 1;
const WON: u8 = 2;

/// The search and its two tables, which stay allocated and are cleared by their log.
pub struct Plain {
    board: Board,
    dominoes: [Direction; 2],
    cells: [Box<[u8]>; 2],
    log: [Vec<u32>; 2],
}

impl Plain {
    /// A search on `board` that has stored nothing yet.
    ///
    /// # Errors
    /// More than 30 squares, or more memory than is free.
    pub fn new(board: Board) -> Result<Self, Error> {
        let what = format!("a cell for every set of squares of {board}");
        let needed = 2u64 << board.squares().min(60);
        if board.squares() > MAX_SQUARES {
            let available = memory::available().unwrap_or(0);
            let hint = format!("; {MAX_SQUARES} squares are the most at any memory");
            return Err(Error::Memory { what, needed, available, hint });
        }
        memory::require(&what, needed, "")?;
        let cells = || vec![UNKNOWN; 1 << board.squares()].into_boxed_slice();
        Ok(Self {
            board,
            dominoes: Mover::BOTH.map(|mover| dominoes(board, mover)),
            cells: [cells(), cells()],
            log: [vec![], vec![]],
        })
    }

    /// Whether `mover`, to move on the empty board, wins. What earlier roots
    /// stored is known already.
    pub fn root(&mut self, mover: Mover) -> bool {
        let free = self.board.all() as u32;
        match self.cells[mover as usize][free as usize] {
            UNKNOWN => match mover {
                Mover::Left => self.search::<0>(free),
                Mover::Right => self.search::<1>(free),
            },
            verdict => verdict == WON,
        }
    }

    /// Searches a position that is not stored, and stores it.
    fn search<const MOVER: usize>(&mut self, free: u32) -> bool {
        let mut moves = self.dominoes[MOVER].fitting(u64::from(free)) as u32;
        let mut verdict = LOST;
        while moves != 0 {
            let last = moves.ilog2();
            let child = free & !(self.dominoes[MOVER].domino(last as usize) as u32);
            let known = self.cells[1 - MOVER][child as usize];
            let wins = match known {
                UNKNOWN if MOVER == 0 => !self.search::<1>(child),
                UNKNOWN => !self.search::<0>(child),
                known => known == LOST,
            };
            if wins {
                verdict = WON;
                break;
            }
            moves ^= 1 << last;
        }
        self.cells[MOVER][free as usize] = verdict;
        self.log[MOVER].push(free);
        verdict == WON
    }

    /// Number of positions searched, each stored, since the start or the last [`Plain::clear`].
    pub fn nodes(&self) -> usize {
        self.log.iter().map(Vec::len).sum()
    }

    /// Forgets every verdict, in time proportional to their number.
    pub fn clear(&mut self) {
        for (cells, log) in self.cells.iter_mut().zip(&mut self.log) {
            log.drain(..).for_each(|free| cells[free as usize] = UNKNOWN);
        }
    }

    /// The positions stored, as sets of covered squares.
    pub fn stored(&self) -> Positions {
        let (squares, all) = (self.board.squares(), self.board.all());
        let covered = |free: &u32| all & !(u64::from(*free).reverse_bits() >> (64 - squares));
        let [left, right] = self.log.each_ref().map(|log| {
            let mut sets: Vec<u64> = log.iter().map(covered).collect();
            sets.sort_unstable();
            sets
        });
        Positions { features: squares, left, right }
    }
}
