//! The pairing check over every reachable position of Cram: the known figures.

use zobrist_lab::board::Board;
use zobrist_lab::pairing::{Census, Check, Clause, Counts, KERNELS, Outcomes, Pairings, census};
use zobrist_lab::tier::{Tier, pick};

const BOARDS: [&str; 5] = ["3x4", "4x4", "2x7", "4x5", "3x5"];

fn outcomes(name: &str) -> Outcomes {
    Outcomes::of(name.parse().unwrap()).unwrap()
}

fn counted(outcomes: &Outcomes, pairings: Pairings, clause: Clause) -> Census {
    let (_, kernel) = pick(KERNELS, None, Tier::best()).unwrap();
    census(outcomes, &Check { board: outcomes.board, pairings, clause }, kernel)
}

fn pairings(text: &str) -> Pairings {
    text.parse().unwrap()
}

#[test]
fn the_half_turn_on_the_five_boards() {
    let known = [
        (550, 375, 72, 273),
        (5_700, 2_057, 281, 1_612),
        (1_458, 887, 140, 651),
        (58_830, 8_613, 1_026, 6_561),
        (3_054, 0, 0, 0),
    ];
    let mut positions = 0;
    for (name, (reached, naive, wrong, repaired)) in BOARDS.into_iter().zip(known) {
        let outcomes = outcomes(name);
        let found = counted(&outcomes, Pairings::HALF_TURN, Clause::Naive).total;
        assert_eq!((found.positions, found.fires, found.wrong), (reached, naive, wrong), "{name}");
        assert_eq!(found.fires_on_wins, naive - wrong, "{name}");
        let found = counted(&outcomes, Pairings::HALF_TURN, Clause::Strict).total;
        assert_eq!((found.fires, found.wrong), (repaired, 0), "{name}");
        positions += found.positions;
    }
    assert_eq!(positions, 69_592);
}

#[test]
fn the_depth_profile_of_4x5() {
    let outcomes = outcomes("4x5");
    let naive = counted(&outcomes, Pairings::HALF_TURN, Clause::Naive);
    let strict = counted(&outcomes, Pairings::HALF_TURN, Clause::Strict);
    let layer = |census: &Census, dominoes: usize| {
        let Counts { wins, fires_on_wins, .. } = census.by_dominoes[dominoes];
        (fires_on_wins, wins)
    };
    assert_eq!((layer(&naive, 1), layer(&strict, 1)), ((26, 26), (10, 26)));
    assert_eq!((layer(&naive, 7), layer(&strict, 7)), ((2_708, 4_840), (2_420, 4_840)));
    let layers: Vec<u64> = naive.by_dominoes.iter().map(|layer| layer.positions).collect();
    assert_eq!(layers, [1, 31, 383, 2440, 8662, 17275, 18520, 9532, 1885, 100, 1]);
    // Of the firings given up, as many were wrong as were right by luck.
    let lost = naive.total.fires - strict.total.fires;
    assert_eq!((lost, naive.total.wrong), (2_052, 1_026));
    assert_eq!(naive.total.fires_on_wins - strict.total.fires_on_wins, 1_026);
}

#[test]
fn the_other_pairings_with_the_strict_clause() {
    let columns =
        ["left-right", "top-bottom", "diagonals", "half-turn,left-right,top-bottom", "all"];
    // Fires, and those that the half turn misses.
    let known = [
        ("3x4", 273, [(66, 0), (22, 0), (24, 4), (273, 0), (277, 4)]),
        ("4x4", 1_612, [(254, 14), (254, 14), (188, 32), (1_640, 28), (1_672, 60)]),
        ("2x7", 651, [(349, 18), (0, 0), (0, 0), (669, 18), (669, 18)]),
        ("4x5", 6_561, [(1_125, 212), (693, 90), (526, 96), (6_863, 302), (6_959, 398)]),
    ];
    for (name, half_turn, row) in known {
        let outcomes = outcomes(name);
        for (column, (fires, missed)) in columns.into_iter().zip(row) {
            let set = pairings(column);
            let found = counted(&outcomes, set, Clause::Strict).total;
            assert_eq!((found.fires, found.wrong), (fires, 0), "{name} {column}");
            let both = counted(&outcomes, set.union(Pairings::HALF_TURN), Clause::Strict).total;
            assert_eq!(both.fires - half_turn, missed, "{name} {column}");
        }
    }
}

#[test]
fn empty_boards_of_two_rows_would_have_caught_the_naive_clause() {
    for name in ["2x4", "2x6", "2x8"] {
        let outcomes = outcomes(name);
        assert!(!outcomes.empty_wins(), "{name}: the second player answers by the half turn");
        let empty = |clause| {
            let Counts { positions, wins, fires, wrong, .. } =
                counted(&outcomes, Pairings::HALF_TURN, clause).by_dominoes[0];
            (positions, wins, fires, wrong)
        };
        assert_eq!(empty(Clause::Naive), (1, 0, 1, 1), "{name}");
        assert_eq!(empty(Clause::Strict), (1, 0, 0, 0), "{name}");
        let wrong = counted(&outcomes, Pairings::HALF_TURN, Clause::Naive).first_wrong.unwrap();
        assert_eq!(wrong.covered, 0, "{name}");
        // An end's upright domino leaves an odd number of columns, whose middle
        // one is its own answer.
        assert_eq!(wrong.own_answer.map(u64::count_ones), Some(2), "{name}");
    }
}

#[test]
fn mirrors_without_the_clause_are_wrong() {
    let known = [("3x4", 277, 72), ("4x4", 1_904, 396), ("2x7", 814, 183), ("4x5", 7_655, 1_620)];
    for (name, fires, wrong) in known {
        let found =
            counted(&outcomes(name), pairings("left-right,top-bottom"), Clause::Naive).total;
        assert_eq!((found.fires, found.wrong), (fires, wrong), "{name}");
    }
}

#[test]
fn the_relaxed_clause() {
    let known = [("3x4", 277), ("4x4", 1_752), ("2x7", 669), ("4x5", 7_335), ("3x5", 435)];
    for (name, fires) in known {
        let found = counted(&outcomes(name), Pairings::ALL, Clause::Relaxed).total;
        assert_eq!((found.fires, found.wrong), (fires, 0), "{name}");
    }
    for (name, fires) in [("3x5", 174), ("5x5", 2_620)] {
        let found = counted(&outcomes(name), Pairings::HALF_TURN, Clause::Relaxed).total;
        assert_eq!((found.fires, found.wrong), (fires, 0), "{name}");
    }
}

#[test]
fn larger_boards() {
    let found = counted(&outcomes("5x5"), Pairings::HALF_TURN, Clause::Naive).total;
    assert_eq!((found.positions, found.wins, found.fires), (1_125_703, 830_327, 0));
    let outcomes = outcomes("4x6");
    assert!(!outcomes.empty_wins());
    let naive = counted(&outcomes, Pairings::HALF_TURN, Clause::Naive).total;
    assert_eq!((naive.positions, naive.wins), (607_752, 449_160));
    assert_eq!((naive.fires, naive.wrong), (30_223, 2_843));
    let strict = counted(&outcomes, Pairings::HALF_TURN, Clause::Strict).total;
    assert_eq!((strict.fires, strict.wrong), (23_824, 0));
}

#[test]
fn four_by_seven() {
    let outcomes = outcomes("4x7");
    assert!(outcomes.empty_wins());
    let strict = counted(&outcomes, Pairings::HALF_TURN, Clause::Strict).total;
    assert_eq!((strict.positions, strict.wins, strict.wrong), (6_276_966, 4_715_430, 0));
}

#[test]
fn the_empty_4x5_has_a_domino_that_answers_itself() {
    // (1, 2) and (2, 2) change places, so the naive clause calls a won board lost.
    let outcomes = outcomes("4x5");
    let check = |clause| Check { board: outcomes.board, pairings: Pairings::HALF_TURN, clause };
    assert!(outcomes.empty_wins() && check(Clause::Naive).accepts(outcomes.board.all()));
    assert!(!check(Clause::Strict).accepts(outcomes.board.all()));
}

#[test]
fn five_by_six() {
    let outcomes = outcomes("5x6");
    assert!(outcomes.empty_wins());
    let naive = counted(&outcomes, Pairings::HALF_TURN, Clause::Naive).total;
    assert_eq!((naive.positions, naive.wins), (21_583_864, 16_294_728));
    assert_eq!((naive.fires, naive.wrong), (192_078, 16_857));
    let strict = counted(&outcomes, Pairings::HALF_TURN, Clause::Strict).total;
    assert_eq!((strict.fires, strict.wrong), (143_655, 0));
}

#[test]
fn the_census_agrees_with_asking_every_position_move_by_move() {
    use zobrist_lab::game::cram::{Cram, first_player_wins, fitting, free};
    for name in ["2x2", "1x5", "3x3", "2x5", "3x4"] {
        let board: Board = name.parse().unwrap();
        let positions = zobrist_lab::positions::layered(&Cram, board).left;
        for clause in Clause::ALL {
            for set in ["half-turn", "left-right", "top-bottom", "diagonals", "all"] {
                let check = Check { board, pairings: pairings(set), clause };
                let mut expected = Counts::default();
                for &covered in &positions {
                    let free = free(board, covered);
                    let fires = fitting(board, free).any(|domino| check.accepts(free & !domino));
                    let wins = first_player_wins(board, covered);
                    expected.positions += 1;
                    expected.wins += u64::from(wins);
                    expected.fires += u64::from(fires);
                    expected.wrong += u64::from(fires && !wins);
                    expected.fires_on_wins += u64::from(fires && wins);
                }
                let outcomes = outcomes(name);
                for kernel in KERNELS.iter().filter_map(|kernel| kernel.get()) {
                    let found = census(&outcomes, &check, kernel);
                    assert_eq!(found.total, expected, "{name} {set} {clause}");
                    assert_eq!(found.first_wrong.is_some(), expected.wrong > 0, "{name} {set}");
                }
            }
        }
    }
}

#[test]
fn the_first_wrong_position_is_drawn_with_the_domino_that_answers_itself() {
    let outcomes = outcomes("3x4");
    let wrong = counted(&outcomes, Pairings::HALF_TURN, Clause::Naive).first_wrong.unwrap();
    let board = outcomes.board;
    let own_answer = wrong.own_answer.unwrap();
    let left = zobrist_lab::game::cram::free(board, wrong.covered) & !wrong.domino;
    assert!(own_answer.count_ones() == 2 && own_answer & !left == 0);
    let picture = wrong.draw(board).join("|");
    let count = |mark: char| picture.chars().filter(|c| *c == mark).count() as u32;
    assert_eq!(count('#'), wrong.covered.count_ones());
    assert_eq!((count('o'), count('x')), (2, 2), "{picture}");
    assert_eq!(counted(&outcomes, Pairings::HALF_TURN, Clause::Strict).first_wrong, None);
}
