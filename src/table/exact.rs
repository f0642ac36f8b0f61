//! What a table's entries are measured against: the exact value of every
//! position, and how many positions a search with a perfect table searches.

use std::collections::HashSet;

use super::Holds;
use crate::board::{Board, squares_of};
use crate::error::Error;
use crate::game::domineering::{Domineering, dominoes};
use crate::game::{Game, Mover};
use crate::memory;
use crate::positions;
use crate::solve::{self, Plain, Verdicts};

use super::search::better_count;

/// The exact values of one board.
pub struct Exact {
    board: Board,
    verdicts: Verdicts,
    /// Moves left, by mover and covered set; kept where they were asked for.
    counts: [Vec<u8>; 2],
    searched: u64,
}

impl Exact {
    /// The exact values for tables that hold `holds`.
    ///
    /// # Errors
    /// They do not fit the memory that is free, or the board has more squares
    /// than the plain search takes.
    pub fn new(board: Board, holds: Holds) -> Result<Self, Error> {
        // What is cheaper to refuse comes first.
        Plain::require(board)?;
        // Two bits a set of squares for the verdicts, and two bytes for numbers of moves.
        let bytes = |squares: usize| {
            let counts = if holds == Holds::Count { 2u64 << squares } else { 0 };
            (1 << squares >> 2) + counts
        };
        let what = format!("the exact value of every position of {board}");
        memory::require_or(&what, bytes(board.squares().min(60)), |available| {
            let most = (0..60).rev().find(|&squares| bytes(squares) <= available);
            format!("; boards of up to {} squares fit", most.unwrap_or(0))
        })?;
        let verdicts = Verdicts::sweep(board)?;
        let mut exact = Self { board, verdicts, counts: [vec![], vec![]], searched: 0 };
        match holds {
            Holds::Verdict => exact.searched = solve::stored(board)?.total() as u64,
            Holds::Class => {
                let mut searched = HashSet::new();
                exact.search_classes(0, &mut searched);
                exact.searched = searched.len() as u64;
            }
            Holds::Count => exact.searched = exact.count_moves()?,
        }
        Ok(exact)
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Positions that the search with a perfect table searches, each once.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// 1 if `mover`, to move on `board`, wins, else 0.
    pub(super) fn verdict(&self, mover: usize, board: u64) -> u8 {
        u8::from(self.verdicts.wins(Mover::BOTH[mover], board))
    }

    /// Bit `m` set if mover `m`, moving first, wins.
    pub(super) fn class(&self, board: u64) -> u8 {
        self.verdict(0, board) | self.verdict(1, board) << 1
    }

    /// Moves left under best play, on a reachable board.
    pub(super) fn count(&self, mover: usize, board: u64) -> u8 {
        self.counts[mover][board as usize]
    }

    /// Collects the boards that a search for classes searches.
    fn search_classes(&self, board: u64, searched: &mut HashSet<u64>) {
        if !searched.insert(board) {
            return;
        }
        for mover in Mover::BOTH {
            let direction = dominoes(self.board, mover);
            for first in squares_of(direction.fitting(self.board.all() & !board)) {
                let child = board | direction.domino(first);
                self.search_classes(child, searched);
                if !self.verdicts.wins(mover.other(), child) {
                    break;
                }
            }
        }
    }

    /// Fills `counts`, a byte for every set of squares and mover, for every
    /// reachable position and returns their number. A move makes a larger set
    /// and so a larger number: descending order meets every position after all
    /// that it leads to.
    fn count_moves(&mut self) -> Result<u64, Error> {
        self.counts = [(); 2].map(|()| vec![0; 1 << self.board.squares()]);
        let reachable = positions::enumerate(&Domineering, self.board)?;
        let of = |mover: Mover| reachable.of(mover).iter().map(move |&set| (set, mover));
        let mut order: Vec<_> = Mover::BOTH.into_iter().flat_map(of).collect();
        order.sort_unstable_by_key(|&(set, _)| std::cmp::Reverse(set));
        let mut moves = vec![];
        for (set, mover) in order {
            moves.clear();
            Domineering.moves(self.board, mover, set, &mut moves);
            let left = |child: &u64| 1 + self.count(mover.other() as usize, *child);
            let best = moves.iter().map(left).reduce(better_count).unwrap_or(0);
            self.counts[mover as usize][set as usize] = best;
        }
        Ok(reachable.total() as u64)
    }
}
