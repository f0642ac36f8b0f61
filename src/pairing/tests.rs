//! The family against its oracle, and the oracle against the game.

use proptest::prelude::*;

use super::*;
use crate::game::cram;
use crate::tier;

fn rectangles(squares: usize) -> impl Iterator<Item = Board> {
    (1..=squares).flat_map(move |rows| {
        (1..=squares / rows).map(move |columns| Board::new(rows, columns).unwrap())
    })
}

fn accepted(kernel: &dyn PairingKernel, check: &Check, sets: &[u64]) -> Vec<u8> {
    // Dirty scratch: whatever stood there before must be gone.
    let mut accepted = vec![0xAA; sets.len()];
    kernel.accepted(check, sets, &mut accepted);
    accepted
}

/// Compares every kernel with the oracle on all clauses and pairings.
fn assert_like_the_oracle(board: Board, sets: &[u64]) {
    let [oracle, others @ ..] = KERNELS else { panic!("no kernels") };
    for clause in Clause::ALL {
        let single = Pairing::ALL.map(Pairings::from);
        for pairings in single.into_iter().chain([Pairings::ALL, Pairings(0)]) {
            let check = Check { board, pairings, clause };
            let expected = accepted(oracle.get().unwrap(), &check, sets);
            for kernel in others {
                if let Some(implementation) = kernel.get() {
                    let found = accepted(implementation, &check, sets);
                    if let Some(i) = (0..sets.len()).find(|&i| found[i] != expected[i]) {
                        panic!(
                            "{} says {:#b}, the oracle {:#b}, of {} under {check:?}, set {i} of {}",
                            kernel.name,
                            found[i],
                            expected[i],
                            board.draw(sets[i]),
                            sets.len()
                        );
                    }
                }
            }
        }
    }
}

/// Sets of many kinds: alike under a symmetry of some box, nearly so, and not.
fn sets(board: Board, seeds: &[u64]) -> Vec<u64> {
    let mut sets = vec![0, board.all(), 1, 1 << (board.squares() - 1)];
    for &seed in seeds {
        let (rows, columns) = (board.rows(), board.columns());
        let (height, width) = (1 + seed as usize % rows, 1 + (seed >> 8) as usize % columns);
        let (height, width) = if seed >> 60 & 1 == 1 {
            (height.min(width), height.min(width))
        } else {
            (height, width)
        };
        let (top, left) = (
            (seed >> 16) as usize % (rows - height + 1),
            (seed >> 24) as usize % (columns - width + 1),
        );
        let random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let random = random ^ random >> 29;
        let small = Board::new(height, width).unwrap();
        let pattern = random & small.all();
        for &symmetry in small.symmetries() {
            let both = pattern | small.image(symmetry, pattern);
            for pattern in [both, both & random.rotate_right(7), both ^ 1] {
                let placed = crate::board::squares_of(pattern)
                    .map(|s| 1 << board.square(top + s / width, left + s % width));
                sets.push(placed.sum());
            }
        }
        sets.push(random & board.all());
    }
    sets
}

#[test]
fn every_kernel_agrees_on_all_sets_of_small_boards() {
    for board in rectangles(12) {
        assert_like_the_oracle(board, &(0..=board.all()).collect::<Vec<_>>());
    }
    let (here, absent): (Vec<_>, Vec<_>) = KERNELS.iter().partition(|k| k.get().is_some());
    let names = |list: &[&Kernel<dyn PairingKernel>]| {
        list.iter().map(|kernel| kernel.name).collect::<Vec<_>>().join(", ")
    };
    println!("kernels covered: {}; absent here: {}", names(&here), names(&absent));
    assert_eq!(here.len(), tier::available(KERNELS).len());
}

#[test]
fn every_kernel_agrees_at_every_length_and_offset() {
    let board = Board::new(5, 6).unwrap();
    let seeds: Vec<u64> = (1..40_u64).map(|i| i.wrapping_mul(0xD1B5_4A32_D192_ED03)).collect();
    let sets = sets(board, &seeds);
    for length in [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200] {
        for offset in [0, 1, 3] {
            assert_like_the_oracle(board, &sets[offset..offset + length]);
        }
    }
}

#[test]
fn every_kernel_agrees_on_boards_of_every_shape() {
    let seeds: Vec<u64> = (1..12_u64).map(|i| i.wrapping_mul(0xA24B_AED4_963E_E407)).collect();
    for board in rectangles(64) {
        assert_like_the_oracle(board, &sets(board, &seeds));
    }
}

proptest! {
    #[test]
    fn every_kernel_agrees_on_random_sets(
        rows in 1_usize..=8,
        columns in 1_usize..=8,
        seeds in prop::collection::vec(any::<u64>(), 1..30),
    ) {
        let board = Board::new(rows, columns).unwrap();
        assert_like_the_oracle(board, &sets(board, &seeds));
    }
}

/// How many sets of `board`, reachable or not, the clause accepts and how many
/// of those are wins for the player to move, against whom the test decides.
fn accepted_and_wrong(board: Board, clause: Clause) -> (usize, usize) {
    let check = Check { board, pairings: Pairings::ALL, clause };
    let losses = cram::losses(board);
    let sets: Vec<u64> = (0..=board.all()).collect();
    let (_, kernel) = tier::pick(KERNELS, None, tier::Tier::best()).unwrap();
    let accepted = accepted(kernel, &check, &sets);
    let accepted = || sets.iter().zip(&accepted).filter(|(_, accepted)| **accepted != 0);
    let wrong = accepted().filter(|(free, _)| {
        let covered = cram::free(board, **free);
        losses[(covered >> 6) as usize] >> (covered & 63) & 1 == 0
    });
    (accepted().count(), wrong.count())
}

#[test]
fn strict_and_relaxed_never_err_on_any_set_of_any_rectangle_up_to_twenty_squares() {
    let (mut strict, mut relaxed) = (0, 0);
    for board in rectangles(20) {
        for (clause, total) in [(Clause::Strict, &mut strict), (Clause::Relaxed, &mut relaxed)] {
            let (accepted, wrong) = accepted_and_wrong(board, clause);
            assert_eq!(wrong, 0, "{clause} errs on {board}");
            *total += accepted;
        }
    }
    println!("accepted: {strict} by strict, {relaxed} by relaxed");
    assert!(strict > 0 && relaxed > strict, "a check that accepts nothing cannot err");
}

#[test]
fn the_naive_clause_is_found_wrong() {
    // Two free neighbours: the player to move covers them and wins.
    let board = Board::new(1, 2).unwrap();
    let check = Check { board, pairings: Pairings::HALF_TURN, clause: Clause::Naive };
    assert!(check.accepts(0b11) && cram::first_player_wins(board, 0));
    for board in rectangles(20) {
        // A domino must fit somewhere.
        let (_, wrong) = accepted_and_wrong(board, Clause::Naive);
        assert_eq!(wrong > 0, board.squares() > 1, "{board}: {wrong} wrong");
    }
}

#[test]
fn names_round_trip_and_strangers_are_refused() {
    for text in ["half-turn", "left-right,top-bottom", "diagonals", "all", "half-turn,diagonals"] {
        assert_eq!(text.parse::<Pairings>().unwrap().to_string(), text);
    }
    assert_eq!(
        "half-turn,left-right,top-bottom,diagonals".parse::<Pairings>().unwrap(),
        Pairings::ALL
    );
    for text in ["", "half", "half-turn,", "all, all", "quarter-turn"] {
        assert!(text.parse::<Pairings>().is_err(), "{text} must be refused");
    }
    for clause in Clause::ALL {
        assert_eq!(clause.to_string().parse::<Clause>().unwrap(), clause);
    }
    assert!("repaired".parse::<Clause>().unwrap_err().to_string().starts_with("--clause"));
    let narrow = Board::new(1, 9).unwrap();
    let every = "half-turn,left-right,top-bottom,diagonals";
    for list in ["diagonals", "half-turn,diagonals", "all,diagonals", every] {
        assert!(Pairings::named(list, narrow).is_err(), "{list} on 1x9");
        assert!(Pairings::named(list, Board::new(2, 9).unwrap()).is_ok(), "{list} on 2x9");
    }
    for list in ["all", "half-turn", "left-right,top-bottom"] {
        assert!(Pairings::named(list, narrow).is_ok(), "{list} on 1x9");
    }
}
