//! The census: the figures known from its definition, by every road.

use zobrist_lab::board::{Board, squares_of};
use zobrist_lab::census::{Census, Road};
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions::{Positions, enumerate};
use zobrist_lab::tier::{self, Tier};
use zobrist_lab::{pairs, walsh};

fn positions(board: Board) -> Positions {
    enumerate(&Domineering, board).unwrap()
}

fn census(board: &str, road: &str) -> Census {
    let positions = positions(board.parse().unwrap());
    let road = Road::choose(road, Tier::best(), &positions).unwrap();
    Census::take(&positions, &road).unwrap()
}

/// Every road that this CPU can take, oracles included.
fn roads() -> Vec<String> {
    let pairs = tier::available(pairs::KERNELS).into_iter().map(|kernel| ("pairs", kernel.name));
    let walsh = tier::available(walsh::KERNELS).into_iter().map(|kernel| ("walsh", kernel.name));
    pairs.chain(walsh).map(|(family, kernel)| format!("{family}/{kernel}")).collect()
}

#[test]
fn pairs_and_free_sets_are_the_known_ones() {
    let known = [
        ("2x4", 654, 8),
        ("2x6", 40_489, 60),
        ("3x4", 60_588, 32),
        ("3x5", 1_704_529, 100),
        ("4x4", 5_965_806, 128),
        ("3x6", 48_143_386, 264),
        ("4x5", 592_275_474, 512),
        ("2x7", 331_503, 164),
        ("5x5", 207_313_115_172, 3_072),
        ("4x6", 59_651_952_916, 2_048),
    ];
    for (board, pairs, free) in known {
        let census = census(board, "auto");
        let sizes = census.price_list();
        assert_eq!(census.pairs(), pairs, "{board}");
        assert_eq!(sizes.iter().map(|size| size.free).sum::<u64>(), free, "{board}");
        assert_eq!(census.free_sets().len() as u64, free, "{board}");
    }
}

#[test]
fn the_price_list_of_4x5_is_the_known_one() {
    let known = [
        (2, 190, 3243.3, 8_659, 48),
        (4, 4_845, 1974.5, 7_869, 208),
        (6, 38_760, 1418.1, 4_876, 208),
        (8, 125_970, 1170.0, 5_522, 48),
        (10, 184_756, 1062.2, 4_090, 0),
        (12, 125_970, 1051.4, 3_655, 0),
        (14, 38_760, 1136.1, 3_482, 0),
        (16, 4_845, 1371.6, 3_310, 0),
        (18, 190, 1978.3, 3_241, 0),
        (20, 1, 4499.0, 4_499, 0),
    ];
    let sizes = census("4x5", "auto").price_list();
    let tenths = |mean: f64| (mean * 10.0).round() / 10.0;
    let got: Vec<_> = sizes
        .iter()
        .map(|size| (size.squares, size.sets, tenths(size.mean()), size.max, size.free))
        .collect();
    assert_eq!(got, known);
}

#[test]
fn all_roads_agree_on_every_rectangle_up_to_16_squares_and_on_4x5() {
    println!("roads: {}", roads().join(" "));
    let mut boards: Vec<Board> = (1..=16)
        .flat_map(|rows| (1..=16 / rows).map(move |columns| Board::new(rows, columns).unwrap()))
        .collect();
    boards.push("4x5".parse().unwrap());
    for board in boards {
        let positions = positions(board);
        let take = |road: &str| {
            let road = Road::choose(road, Tier::best(), &positions).unwrap();
            Census::take(&positions, &road).unwrap()
        };
        let definition = take("pairs/oracle");
        for road in roads() {
            assert!(take(&road).cells() == definition.cells(), "{road} on {board}");
        }
    }
}

#[test]
fn positions_of_mixed_parity_keep_every_set() {
    let left: Vec<u64> = (0..1 << 6).filter(|set| set % 5 != 1).collect();
    let right: Vec<u64> = (0..1 << 6).filter(|set| set % 3 == 0).collect();
    let positions = Positions { features: 6, left, right };
    let mut counted = [0; 64];
    for list in positions.both() {
        for (index, x) in list.iter().enumerate() {
            list[..index].iter().for_each(|y| counted[(x ^ y) as usize] += 1);
        }
    }
    for road in roads() {
        let chosen = Road::choose(&road, Tier::best(), &positions).unwrap();
        let census = Census::take(&positions, &chosen).unwrap();
        assert!(!census.parity_dropped());
        assert_eq!(census.cells(), counted, "{road}");
        assert_eq!(census.price_list().len(), 6, "{road}");
    }
}

#[test]
fn a_set_is_found_in_its_cell_and_an_odd_one_counts_nothing() {
    let census = census("3x4", "auto");
    let all = positions("3x4".parse().unwrap());
    for set in 1..1u64 << 12 {
        let differ = |list: &[u64]| {
            let twice = list.iter().filter(|x| list.binary_search(&(*x ^ set)).is_ok()).count();
            (twice / 2) as u32
        };
        let counted: u32 = all.both().into_iter().map(differ).sum();
        assert_eq!(census.count(set), counted, "{:?}", squares_of(set).collect::<Vec<_>>());
    }
    for cell in 0..census.cells().len() {
        assert_eq!(census.count(census.set(cell)), census.cells()[cell]);
    }
}

#[test]
fn free_pairs_are_the_same_shade_in_rows_of_different_parity() {
    for (name, count) in
        [("2x4", 8), ("2x6", 18), ("3x4", 16), ("3x5", 24), ("4x4", 32), ("3x6", 36), ("4x5", 48)]
    {
        let board: Board = name.parse().unwrap();
        let by_rule = |set: &u64| {
            let squares: Vec<usize> = squares_of(*set).collect();
            let [row, shade] = [0, 1].map(|what| {
                squares
                    .iter()
                    .map(|s| s / board.columns() + what * (s % board.columns()))
                    .sum::<usize>()
                    % 2
            });
            row == 1 && shade == 0
        };
        let free = census(name, "auto").free_sets();
        let pairs: Vec<u64> = free.into_iter().filter(|set| set.count_ones() == 2).collect();
        assert_eq!(pairs.len(), count, "{name}");
        assert!(pairs.iter().all(by_rule), "{name}");
    }
}

#[test]
fn nothing_and_one_position_have_no_pairs() {
    for left in [vec![], vec![0], vec![3]] {
        for features in [0, 2, 5] {
            if left.iter().any(|set| set >> features > 0) {
                continue;
            }
            let positions = Positions { features, left: left.clone(), right: vec![] };
            for road in roads() {
                let road = Road::choose(&road, Tier::best(), &positions).unwrap();
                let census = Census::take(&positions, &road).unwrap();
                assert_eq!(census.pairs(), 0);
                assert!(census.price_list().iter().all(|size| size.free == size.sets));
            }
        }
    }
}
