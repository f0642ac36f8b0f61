//! The solver against the definition and against the exact sweep.

use super::*;
use crate::game::cram;
use crate::pairing::Outcomes;

const CHECKED: Pairing =
    Pairing { pairings: Pairings::ALL, clause: Clause::Relaxed, plies: u32::MAX };

/// The nimber from the definition: the least that no domino leads to.
fn mex(board: Board, covered: u64) -> u32 {
    let free = cram::free(board, covered);
    let led_to: Vec<u32> =
        cram::fitting(board, free).map(|domino| mex(board, covered | domino)).collect();
    (0..).find(|n| !led_to.contains(n)).unwrap()
}

#[test]
fn nimbers_are_those_of_the_definition() {
    for name in ["1x1", "1x2", "1x8", "2x3", "2x4", "3x3", "2x5"] {
        let board: Board = name.parse().unwrap();
        for pairing in [None, Some(CHECKED)] {
            let mut solver = Solver::new(1 << 10, pairing);
            for covered in (0..=board.all()).step_by(5) {
                let found = solver.nimber_of(board, covered);
                assert_eq!(found, mex(board, covered), "{board} {covered:#b} {pairing:?}");
            }
        }
    }
}

#[test]
fn rows_are_dawsons_kayles() {
    let mut solver = Solver::new(1 << 10, None);
    let found = [1, 2, 3, 4, 5, 6, 7, 8]
        .map(|columns| solver.nimber_of(Board::new(1, columns).unwrap(), 0));
    assert_eq!(found, [0, 1, 1, 2, 0, 3, 1, 1]);
}

#[test]
fn outcomes_are_those_of_the_sweep() {
    // A table of four entries forgets nearly everything and must not mind.
    for (name, entries, step) in
        [("4x5", 1 << 16, 1), ("5x4", 1 << 16, 1), ("3x5", 4, 1), ("4x6", 1 << 16, 41)]
    {
        let outcomes = Outcomes::of(name.parse().unwrap()).unwrap();
        let pairings =
            [None, Some(CHECKED), Some(Pairing { clause: Clause::Strict, plies: 2, ..CHECKED })];
        for pairing in pairings {
            let mut solver = Solver::new(entries, pairing);
            for (word, &reachable) in outcomes.reachable.iter().enumerate().step_by(step) {
                for bit in crate::board::squares_of(reachable) {
                    let lost = outcomes.losses[word] >> bit & 1 == 1;
                    let covered = (word << 6 | bit) as u64;
                    let wins = solver.first_player_wins(outcomes.board, covered);
                    assert_eq!(wins, !lost, "{name} {covered:#b} {pairing:?}");
                }
            }
            assert!(entries > 4 || solver.work().evictions > 0);
        }
    }
}

#[test]
fn every_rectangle_to_6x6_is_solved() {
    // With an even side the half turn decides; the odd rectangles are found.
    let odd_wins = ["1x3", "3x5"];
    // Lemoine and Viennot, "Nimbers are inevitable" (2012): rows 3 to 5.
    let nimbers = [
        ("3x3", 0),
        ("3x4", 1),
        ("3x5", 1),
        ("3x6", 4),
        ("4x4", 0),
        ("4x5", 2),
        ("4x6", 0),
        ("5x5", 0),
        ("5x6", 2),
    ];
    let mut solver = Solver::new(1 << 20, Some(Pairing { plies: 2, ..CHECKED }));
    for rows in 1..=6 {
        for columns in rows..=6 {
            let board = Board::new(rows, columns).unwrap();
            let wins = match (rows % 2, columns % 2) {
                (0, 0) => false,
                (1, 1) => odd_wins.contains(&board.to_string().as_str()),
                _ => true,
            };
            assert_eq!(solver.first_player_wins(board, 0), wins, "{board}");
        }
    }
    for (name, nimber) in nimbers {
        assert_eq!(solver.nimber_of(name.parse().unwrap(), 0), nimber, "{name}");
    }
    for columns in 1..=8 {
        let found = solver.nimber_of(Board::new(2, columns).unwrap(), 0);
        assert_eq!(found, columns as u32 % 2, "2x{columns}");
    }
}

#[test]
fn the_naive_clause_misleads_the_solver() {
    let naive = Pairing { clause: Clause::Naive, ..CHECKED };
    let mut solver = Solver::new(1 << 10, Some(naive));
    assert!(!solver.first_player_wins(Board::new(1, 2).unwrap(), 0), "a domino is no loss");
}
