//! Nimbers of Cram: who wins a position that may fall apart into regions.
//!
//! Dominoes never reach from one connected region to another, so a position is
//! the sum of its regions, and by Sprague and Grundy each region is worth a
//! nimber, the sum is worth their XOR and is lost when that is 0.
//!
//! ```text
//! . . # . .          two regions of one kind: *n + *n = 0
//! . # # # .    =     whatever n is: lost for the player to move
//! ```
//!
//! The search asks only what it must (the scheme of Lemoine and Viennot,
//! "Nimbers are inevitable", 2012): not "what is this region worth" but "is it
//! worth `n`", which is whether region + `*n` is lost. Every region but the
//! largest of a sum is valued by asking 0, 1, 2, … in turn. Regions go to the
//! table in one orientation of the eight ([`region::canonical`]), so mirrored
//! regions share an entry.
//!
//! The pairing check enters as proof that something is worth 0: a set that the
//! test accepts is lost, so a region + `*0` from which some domino leaves such
//! a set is won, without a look at its other dominoes.
//!
//! ```
//! use zobrist_lab::nimber::Solver;
//! let mut solver = Solver::new(1 << 10, None);
//! assert_eq!(solver.nimber_of("3x3".parse()?, 0), 0);
//! assert_eq!(solver.nimber_of("1x2".parse()?, 0), 1);
//! # Ok::<(), zobrist_lab::Error>(())
//! ```

pub mod region;
mod table;

use crate::board::{Board, MAX_SQUARES};
use crate::pairing::{Check, Clause, Pairings, Tester};
use region::{canonical, components, dominoes, place};
use table::{Known, Table};

/// Bytes of memory that one region takes in a solver's table.
pub const ENTRY_BYTES: usize = 16;

/// Where the solver runs the pairing check, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// A set passes if one of these accepts it.
    pub pairings: Pairings,
    /// Strict or relaxed; the naive clause gives wrong answers.
    pub clause: Clause,
    /// Only at regions at most so many dominoes below the position asked about.
    pub plies: u32,
}

/// What a solver has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Work {
    /// Regions taken apart: questions that the table did not answer.
    pub nodes: u64,
    /// Pairings asked about sets, one test each.
    pub tests: u64,
    /// Entries that gave way to others.
    pub evictions: u64,
}

/// A solver with a table of bounded size.
pub struct Solver {
    table: Table,
    pairing: Option<(Tester, u32)>,
    work: Work,
}

impl Solver {
    /// A solver whose table holds at most `entries` regions (a power of two, at
    /// least four) of [`ENTRY_BYTES`] each, with the pairing check or without.
    pub fn new(entries: usize, pairing: Option<Pairing>) -> Self {
        let board = Board::new(region::SIDE, region::SIDE).expect("64 squares");
        let pairing = pairing.map(|Pairing { pairings, clause, plies }| {
            (Check { board, pairings, clause }.tester(), plies)
        });
        Self { table: Table::new(entries), pairing, work: Work::default() }
    }

    /// Bytes of the table.
    pub fn table_bytes(&self) -> u64 {
        self.table.bytes()
    }

    /// Work done since the solver was made.
    pub fn work(&self) -> Work {
        Work { evictions: self.table.evictions(), ..self.work }
    }

    /// The nimber of the position of `board` with `covered` covered squares.
    ///
    /// # Panics
    /// If a side of the board is longer than 8.
    pub fn nimber_of(&mut self, board: Board, covered: u64) -> u32 {
        let regions = place(board, board.all() & !covered);
        components(regions).map(|region| self.value(canonical(region), 0)).fold(0, |a, b| a ^ b)
    }

    /// Whether the player to move wins that position.
    ///
    /// # Panics
    /// If a side of the board is longer than 8.
    pub fn first_player_wins(&mut self, board: Board, covered: u64) -> bool {
        !self.sum_is(place(board, board.all() & !covered), 0, 0)
    }

    /// The nimber of one region.
    fn value(&mut self, region: u64, ply: u32) -> u32 {
        (0..).find(|&n| self.is(region, n, ply)).expect("a region is worth something")
    }

    /// Whether a region in canonical orientation is worth `n`.
    fn is(&mut self, region: u64, n: u32, ply: u32) -> bool {
        let known = self.table.get(region);
        if let Some(answer) = known.and_then(|known| known.is(n)) {
            return answer;
        }
        self.work.nodes += 1;
        if known.is_none() && self.accepts(region, ply) {
            self.table.put(region, Known::value(0));
            return n == 0;
        }
        // region + *n is won by moving in *n if the region is worth less ...
        if let Some(less) = (0..n).find(|&less| self.is(region, less, ply)) {
            debug_assert!(less < n);
            return false;
        }
        // ... or by a domino that leaves a sum worth n.
        let left: Vec<u64> = dominoes(region).map(|domino| region & !domino).collect();
        let found = n == 0 && left.iter().any(|&set| self.accepts(set, ply))
            || left.iter().any(|&set| self.sum_is(set, n, ply + 1));
        let known = self.table.get(region).unwrap_or_default();
        self.table.put(region, if found { known.without(n) } else { Known::value(n) });
        !found
    }

    /// Whether the regions of `set` sum to `n`.
    fn sum_is(&mut self, set: u64, n: u32, ply: u32) -> bool {
        let mut regions = [0; MAX_SQUARES / 2];
        let mut count = 0;
        for region in components(set) {
            let region = canonical(region);
            // Equal regions cancel.
            if let Some(equal) = regions[..count].iter().position(|&other| other == region) {
                count -= 1;
                regions[equal] = regions[count];
            } else {
                regions[count] = region;
                count += 1;
            }
        }
        let regions = &mut regions[..count];
        regions.sort_unstable_by_key(|region| region.count_ones());
        let Some((&largest, others)) = regions.split_last() else { return n == 0 };
        let others = others.iter().fold(0, |sum, &region| sum ^ self.value(region, ply));
        self.is(largest, n ^ others, ply)
    }

    /// Whether the pairing check is on here and accepts `set`.
    fn accepts(&mut self, set: u64, ply: u32) -> bool {
        match &self.pairing {
            Some((tester, plies)) if ply < *plies => tester.accepts(set, &mut self.work.tests),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests;
