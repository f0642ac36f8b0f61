//! Where in a search the check pays: one solver, and the policies that say at
//! which of its nodes to look for a move that the test accepts.
//!
//! ```text
//! node          a position not yet in the table
//!   policy yes    check its moves, one test each; the first accepted move wins
//!   otherwise     recurse into its moves; the first that loses for the other wins
//! ```
//!
//! Nodes are counted with their checks, because a check is not free: one check
//! is one move tried, one *test* is one pairing asked about the set it leaves.
//! Plies count from the start of the search, not from the empty board. The
//! table is exact and holds raw sets, two bits a set: known, and won.
//!
//! What the relaxed clause and the other pairings add to the half turn with
//! the strict clause, by `zlab cram RxC --policies --compare`: firings over all
//! reachable positions, and nodes of 20 positions with two dominoes, checked at
//! every node.
//!
//! ```text
//!                 firings                            nodes
//!       half turn  all five  all five   no check  half turn  all five  all five
//!         strict    strict    relaxed               strict    strict    relaxed
//! 3x5          0         0        435      1,052      1,052     1,052       869
//! 4x4      1,612     1,672      1,752      2,496      1,430     1,385     1,369
//! 4x5      6,561     6,959      7,335     19,492     15,262    15,136    15,081
//! 5x5          0         0     16,825    343,404    343,404   343,404   339,084
//! 4x6     23,824    26,518     27,578    218,130    173,768   172,889   172,718
//! 5x6    143,655   166,161    183,791  7,859,495  7,793,661 7,789,586 7,787,034
//! ```
//!
//! From the empty board they save nothing where a side is even: the half turn
//! decides it, in 1 node (one side even) or one more than the root has moves
//! (both). On 5x5, where the strict clause never fires, the relaxed one with
//! all five saves 1,957 of 563,722 nodes. In the first two plies of the sample
//! they save 70 nodes on 3x5, 387 on 5x5 and none elsewhere. They save time
//! nowhere: at every node of the 4x6 sample no check takes 22 ms, the half turn
//! 54 and all five 61; on 5x6 1.1 s, 2.3 s and 2.8 s.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use rand_chacha::rand_core::Rng;

use super::scalar::Tester;
use super::{Check, Outcomes};
use crate::board::{Board, squares_of};
use crate::draw;
use crate::error::Error;
use crate::game::cram;
use crate::memory;

/// At which nodes the check is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Nowhere.
    Never,
    /// At every node.
    Always,
    /// At nodes less than so many plies from the start; 1 is the root only.
    Plies(u32),
    /// At nodes with at most so many free squares.
    Free(u32),
    /// At nodes that either of the two would choose.
    BothEnds {
        /// As in [`Policy::Plies`].
        plies: u32,
        /// As in [`Policy::Free`].
        free: u32,
    },
}

impl Policy {
    /// The policies compared: all of them, with one to four plies and, for the
    /// endgame, at most `free` squares.
    pub fn compared(free: u32) -> Vec<Self> {
        let plies = (1..=4).map(Self::Plies);
        [Self::Never, Self::Always]
            .into_iter()
            .chain(plies)
            .chain([Self::Free(free), Self::BothEnds { plies: 2, free }])
            .collect()
    }

    /// Whether to check at a node `ply` plies down with `free` free squares.
    fn checks(self, ply: u32, free: u32) -> bool {
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Plies(plies) => ply < plies,
            Self::Free(most) => free <= most,
            Self::BothEnds { plies, free: most } => ply < plies || free <= most,
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Self::Never => "no check".into(),
            Self::Always => "every node".into(),
            Self::Plies(1) => "root only".into(),
            Self::Plies(plies) => format!("first {plies} plies"),
            Self::Free(free) => format!("at most {free} free"),
            Self::BothEnds { plies, free } => format!("first {plies} plies or {free} free"),
        })
    }
}

/// In which order a node's moves are checked and tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// By first square, row by row; at each square right, then down.
    RightDown,
    /// By first square, row by row; at each square down, then right.
    DownRight,
    /// All horizontal dominoes, then all vertical ones.
    HorizontalFirst,
}

impl Order {
    /// All three.
    pub const ALL: [Self; 3] = [Self::RightDown, Self::DownRight, Self::HorizontalFirst];

    /// Every domino of the board in this order.
    fn dominoes(self, board: Board) -> Vec<u64> {
        let mut dominoes: Vec<u64> = cram::fitting(board, board.all()).collect();
        let horizontal =
            |domino: u64| domino >> domino.trailing_zeros() == 0b11 && board.columns() > 1;
        let square = |domino: u64| domino.trailing_zeros();
        match self {
            Self::RightDown => dominoes.sort_by_key(|&d| (square(d), !horizontal(d))),
            Self::DownRight => dominoes.sort_by_key(|&d| (square(d), horizontal(d))),
            Self::HorizontalFirst => {}
        }
        dominoes
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::RightDown => "right-down",
            Self::DownRight => "down-right",
            Self::HorizontalFirst => "horizontal-first",
        })
    }
}

impl FromStr for Order {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|order| order.to_string() == text).ok_or_else(|| {
            let names = Self::ALL.map(|order| order.to_string()).join(", ");
            Error::argument("--order", format!("no move order `{text}`: want one of {names}"))
        })
    }
}

/// What one search took, and its answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Effort {
    /// Positions that were not yet in the table.
    pub nodes: u64,
    /// Moves that were checked.
    pub checks: u64,
    /// Pairings asked about the sets those moves leave.
    pub tests: u64,
    /// Whether the player to move wins.
    pub wins: bool,
    /// Time of the search, without what comes before it.
    pub time: Duration,
}

/// Solves the position with `covered` covered squares, from an empty table.
///
/// # Errors
/// A table of `2^squares` times two bits does not fit the memory that is free.
pub fn solve(check: &Check, policy: Policy, order: Order, covered: u64) -> Result<Effort, Error> {
    let squares = check.board.squares() as u32;
    let needed = 1_u64 << squares.saturating_sub(2).min(60);
    let what = format!("an exact table for Cram on {}", check.board);
    memory::require_or(&what, needed, |available| {
        format!("; up to {} squares fit", 2 + available.max(1).ilog2())
    })?;
    let mut search = Search {
        tester: check.tester(),
        policy,
        dominoes: order.dominoes(check.board),
        table: vec![0; 1 << squares.saturating_sub(5)],
        effort: Effort::default(),
    };
    let clock = Instant::now();
    let wins = search.wins(cram::free(check.board, covered), 0);
    Ok(Effort { wins, time: clock.elapsed(), ..search.effort })
}

struct Search {
    tester: Tester,
    policy: Policy,
    dominoes: Vec<u64>,
    /// Two bits a free set: bit 0 known, bit 1 won by the player to move.
    table: Vec<u64>,
    effort: Effort,
}

impl Search {
    fn wins(&mut self, free: u64, ply: u32) -> bool {
        let (word, bit) = ((free >> 5) as usize, 2 * (free & 31));
        let entry = self.table[word] >> bit;
        if entry & 1 == 1 {
            return entry & 2 != 0;
        }
        self.effort.nodes += 1;
        let wins = self.policy.checks(ply, free.count_ones()) && self.check_fires(free)
            || (0..self.dominoes.len()).any(|index| {
                let domino = self.dominoes[index];
                free & domino == domino && !self.wins(free & !domino, ply + 1)
            });
        self.table[word] |= (1 | u64::from(wins) << 1) << bit;
        wins
    }

    fn check_fires(&mut self, free: u64) -> bool {
        let effort = &mut self.effort;
        self.dominoes.iter().filter(|&&domino| free & domino == domino).any(|domino| {
            effort.checks += 1;
            self.tester.accepts(free & !domino, &mut effort.tests)
        })
    }
}

/// `count` different reachable positions with `dominoes` dominoes placed, all
/// equally likely, drawn by [`draw::generator`] from stream 0 of `seed`; all of
/// them, if there are no more.
pub fn sample(outcomes: &Outcomes, dominoes: u32, count: usize, seed: u64) -> Vec<u64> {
    let mut positions: Vec<u64> = Vec::new();
    for (word, &members) in outcomes.reachable.iter().enumerate() {
        let covered = squares_of(members).map(|bit| (word << 6 | bit) as u64);
        positions.extend(
            covered.filter(|covered| u64::from(covered.count_ones()) == 2 * u64::from(dominoes)),
        );
    }
    let mut random = draw::generator(seed, 0);
    let count = count.min(positions.len());
    // The first steps of a Fisher–Yates shuffle; the product takes the draw's high bits.
    for drawn in 0..count {
        let left = (positions.len() - drawn) as u64;
        let step = (u64::from(random.next_u32()) * left) >> 32;
        positions.swap(drawn, drawn + step as usize);
    }
    positions.truncate(count);
    positions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::{Clause, Pairings};

    fn effort(name: &str, policy: Policy, order: Order) -> Effort {
        let board = name.parse().unwrap();
        let check = Check { board, pairings: Pairings::HALF_TURN, clause: Clause::Strict };
        solve(&check, policy, order, 0).unwrap()
    }

    #[test]
    fn the_policies_on_4x4() {
        let known = [
            (Order::RightDown, 3_017, (25, 260), (2_856, 8_658)),
            (Order::DownRight, 3_112, (25, 260), (2_954, 9_041)),
            (Order::HorizontalFirst, 3_452, (25, 260), (3_261, 10_415)),
        ];
        for (order, none, every, endgame) in known {
            let effort = |policy| {
                let Effort { nodes, checks, tests, wins, .. } = effort("4x4", policy, order);
                assert!(!wins, "{policy} {order}");
                assert_eq!(checks, tests, "one pairing, one test a check");
                (nodes, checks)
            };
            assert_eq!(effort(Policy::Never), (none, 0), "{order}");
            assert_eq!(effort(Policy::Always), every, "{order}");
            assert_eq!(effort(Policy::Plies(2)), every, "{order}");
            assert_eq!(effort(Policy::Free(8)), endgame, "{order}");
            assert_eq!(effort(Policy::BothEnds { plies: 2, free: 8 }), every, "{order}");
        }
        // The root alone saves nothing: it is its first player's loss.
        let root = effort("4x4", Policy::Plies(1), Order::RightDown);
        assert_eq!((root.nodes, root.checks), (3_017, 24));
    }

    #[test]
    fn the_root_alone_and_two_plies_on_4x6() {
        assert_eq!(effort("4x6", Policy::Plies(1), Order::RightDown).nodes, 300_645);
        assert_eq!(effort("4x6", Policy::Plies(2), Order::RightDown).nodes, 39);
    }

    #[test]
    fn the_first_domino_decides_5x6() {
        let none = effort("5x6", Policy::Never, Order::RightDown);
        assert_eq!((none.nodes, none.checks, none.wins), (6_011_302, 0, true));
        // The domino across the centre leaves a board that is its own half turn.
        for policy in [Policy::Plies(1), Policy::Plies(2), Policy::Always] {
            let found = effort("5x6", policy, Order::RightDown);
            assert_eq!((found.nodes, found.checks, found.wins), (1, 27, true), "{policy}");
        }
    }

    #[test]
    fn every_policy_gives_the_exact_answer_from_a_sample() {
        let outcomes = Outcomes::of("4x5".parse().unwrap()).unwrap();
        for clause in [Clause::Strict, Clause::Relaxed] {
            let check = Check { board: outcomes.board, pairings: Pairings::ALL, clause };
            for covered in sample(&outcomes, 2, 12, 1) {
                let lost = outcomes.losses[(covered >> 6) as usize] >> (covered & 63) & 1 == 1;
                for policy in Policy::compared(8) {
                    let effort = solve(&check, policy, Order::RightDown, covered).unwrap();
                    assert_eq!(effort.wins, !lost, "{policy} {clause} {covered:#b}");
                }
            }
        }
    }

    #[test]
    fn the_naive_clause_misleads_the_solver() {
        // Some position of 3x4 is lost, and the solver that trusts the naive clause says won.
        let outcomes = Outcomes::of("3x4".parse().unwrap()).unwrap();
        let check =
            Check { board: outcomes.board, pairings: Pairings::HALF_TURN, clause: Clause::Naive };
        let misled = sample(&outcomes, 2, usize::MAX, 1).into_iter().filter(|covered| {
            let lost = outcomes.losses[(covered >> 6) as usize] >> (covered & 63) & 1 == 1;
            lost && solve(&check, Policy::Plies(1), Order::RightDown, *covered).unwrap().wins
        });
        assert!(misled.count() > 0);
    }

    #[test]
    fn samples_are_pinned_and_without_repeats() {
        let outcomes = Outcomes::of("4x4".parse().unwrap()).unwrap();
        let all = sample(&outcomes, 1, 100, 1);
        assert_eq!(all.len(), 24, "a sample of all is a permutation");
        let mut sorted = all.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), 24);
        assert_eq!(sample(&outcomes, 1, 5, 1), all[..5]);
        assert_ne!(sample(&outcomes, 1, 5, 2), all[..5]);
        let first = [all[0], all[1], all[2]].map(|covered| outcomes.board.draw(covered));
        assert_eq!(first, ["....|...#|...#|....", "....|..##|....|....", "....|....|...#|...#"]);
    }
}
