//! Every reachable Domineering position: the counts known from the definition,
//! and the two enumerations against each other.

use zobrist_lab::board::{Board, Symmetry};
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions::{enumerate, layered};

/// Board, Left's positions, Right's.
const KNOWN: [(&str, usize, usize); 11] = [
    ("2x4", 28, 24),
    ("2x6", 218, 184),
    ("3x4", 255, 238),
    ("3x5", 1_358, 1_252),
    ("4x4", 2_443, 2_443),
    ("3x6", 7_265, 6_597),
    ("4x5", 24_663, 24_007),
    ("2x7", 625, 523),
    ("5x5", 455_317, 455_317),
    ("4x6", 249_635, 238_719),
    ("5x6", 8_657_378, 8_503_760),
];

fn board(name: &str) -> Board {
    name.parse().unwrap()
}

#[test]
fn counts_are_the_known_ones() {
    for (name, left, right) in KNOWN {
        let positions = enumerate(&Domineering, board(name)).unwrap();
        assert_eq!((positions.left.len(), positions.right.len()), (left, right), "{name}");
    }
}

#[test]
fn both_enumerations_agree_on_every_rectangle_up_to_24_squares() {
    let mut boards = 0;
    for rows in 1..=24 {
        for columns in 1..=24 / rows {
            let board = Board::new(rows, columns).unwrap();
            let fast = enumerate(&Domineering, board).unwrap();
            assert!(fast == layered(&Domineering, board), "{board}");
            boards += 1;
        }
    }
    assert_eq!(boards, 84);
}

#[test]
fn lists_are_sorted_sets_of_even_size_closed_under_the_mirrors() {
    let board = board("3x6");
    let positions = enumerate(&Domineering, board).unwrap();
    for list in positions.both() {
        assert!(list.is_sorted_by(|a, b| a < b));
        assert!(list.iter().all(|set| set & !board.all() == 0 && set.count_ones() % 2 == 0));
        for symmetry in [Symmetry::HalfTurn, Symmetry::LeftRight, Symmetry::TopBottom] {
            let images = list.iter().map(|&set| board.image(symmetry, set));
            assert!(images.into_iter().all(|image| list.binary_search(&image).is_ok()));
        }
    }
}

#[test]
fn transposing_the_board_exchanges_the_movers() {
    let (wide, tall) = (board("3x4"), board("4x3"));
    let [wide_positions, tall_positions] =
        [wide, tall].map(|board| enumerate(&Domineering, board).unwrap());
    let transpose = |set: u64| {
        let squares = (0..12).filter(|square| set >> square & 1 == 1);
        squares.map(|square| 1u64 << tall.square(square % 4, square / 4)).sum::<u64>()
    };
    let mut left: Vec<u64> = wide_positions.left.iter().map(|&set| transpose(set)).collect();
    left.sort_unstable();
    assert_eq!(left, tall_positions.right);
}

#[test]
fn layers_by_dominoes_are_those_of_the_definition() {
    let positions = enumerate(&Domineering, board("2x4")).unwrap();
    // By hand: the empty board; Left's four or Right's six single dominoes, …
    assert_eq!(positions.by_dominoes()[..2], [[1, 1], [6, 4]]);
    let counted: u64 = positions.by_dominoes().iter().flatten().sum();
    assert_eq!(counted, 52);
}
