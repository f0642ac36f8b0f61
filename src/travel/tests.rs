//! The shape against the censuses it is learned on and carried to, and the
//! search without a table against searches with one.

use super::*;
use crate::census::Size;

fn census(board: Board) -> Census {
    let positions = positions::enumerate(&Domineering, board).unwrap();
    Census::take(&positions, &Road::choose("auto", Tier::best(), &positions).unwrap()).unwrap()
}

fn board(name: &str) -> Board {
    name.parse().unwrap()
}

/// Every cell's price, as the searches on tables want them.
fn table(prices: &ClassPrices) -> Vec<u32> {
    let sets = Sets { features: prices.board().squares(), even: true };
    (0..1 << sets.dimension()).map(|cell| prices.price(sets.set(cell))).collect()
}

#[test]
fn the_sets_free_by_rule_are_those_without_a_pair() {
    for name in ["4x4", "4x5", "5x4"] {
        let census = census(board(name));
        let free = census.free_sets();
        assert!(free.iter().all(|&set| free_by_rule(board(name), set)), "{name}");
        assert_eq!(free.len() as u64, free_sets_by_rule(board(name)), "{name}");
    }
    // By shade and row, and some more: thin boards.
    for name in ["2x4", "2x6", "2x7", "3x4", "3x5"] {
        let census = census(board(name));
        let sets = (0..census.cells().len()).map(|cell| census.set(cell));
        let by_rule: Vec<u64> = sets.filter(|&set| free_by_rule(board(name), set)).collect();
        assert_eq!(by_rule.len() as u64, free_sets_by_rule(board(name)), "{name}");
        assert!(by_rule.iter().all(|&set| census.count(set) == 0), "{name}");
    }
}

#[test]
fn what_was_learned_on_4x5_is_4x5s_price_list() {
    let (board, census) = (learned_on(), census(learned_on()));
    let shape = Shape::learn(board, &census);
    let average = census.pairs() as f64 / census.cells().len() as f64;
    for detail in [Detail::Size, Detail::Shade] {
        let prices = shape.on(board, detail);
        let mut sums = [0u64; 21];
        for cell in 1..census.cells().len() {
            let set = census.set(cell);
            sums[set.count_ones() as usize] += u64::from(prices.price(set));
        }
        for Size { squares, sets, pairs, .. } in census.price_list() {
            let mean = sums[squares] as f64 / sets as f64 / f64::from(AVERAGE) * average;
            let learned = pairs as f64 / sets as f64;
            assert!((mean - learned).abs() < 1e-3 * learned, "{squares}: {mean} and {learned}");
        }
    }
}

#[test]
fn prices_learned_on_4x5_are_near_those_of_4x6_and_5x5() {
    let shape = learned(Tier::best()).unwrap();
    for name in ["4x6", "5x5"] {
        let census = census(board(name));
        let average = census.pairs() as f64 / census.cells().len() as f64;
        let prices = shape.on(board(name), Detail::Size);
        for size in census.price_list().iter().filter(|size| size.sets > 100_000) {
            // Any set of so many squares that is of both shades.
            let set = (1u64 << size.squares) - 1;
            let predicted = f64::from(prices.price(set)) / f64::from(AVERAGE);
            let real = size.mean() / average;
            assert!((predicted / real - 1.0).abs() < 0.2, "{name}, {size:?}: {predicted}, {real}");
        }
    }
}

#[test]
fn a_search_without_a_table_is_as_good_as_one_with() {
    let shape = learned(Tier::best()).unwrap();
    for (name, dimensions) in [("3x4", 1..=4), ("4x5", 1..=4)] {
        for detail in [Detail::Size, Detail::Shade] {
            let prices = shape.on(board(name), detail);
            let table = table(&prices);
            for dimension in dimensions.clone() {
                let hidden = ProgressBar::hidden();
                let found = search(&prices, dimension, 8, 1, &hidden);
                let least = found.iter().map(|code| code.total).min().unwrap();
                let known = design::cheap_codes(&table, dimension, 4, 256, 1, &hidden);
                let known = known.iter().map(|found| found.total).min().unwrap();
                assert!(least <= known + known / 50, "{name}, {dimension}: {least}, {known}");
                for code in &found {
                    assert_eq!(crate::gf2::rank(&code.basis), dimension);
                    let words = crate::gf2::span(&code.basis).skip(1);
                    let total: u64 = words.map(|set| u64::from(prices.price(set))).sum();
                    assert_eq!(total, code.total);
                    assert!(code.basis.iter().all(|set| set.count_ones() % 2 == 0));
                }
                assert_eq!(search(&prices, dimension, 8, 1, &hidden), found, "same seed");
            }
        }
    }
    assert_eq!(
        search(&shape.on(board("1x1"), Detail::Shade), 0, 1, 1, &ProgressBar::hidden())[0].total,
        0
    );
}

#[test]
fn distances_are_those_of_the_best_even_codes() {
    // Brouwer and Grassl's table: even codes of length 20 and, doubly even, Golay's.
    for (squares, dimension, distance) in
        [("4x5", 1, 20), ("4x5", 3, 10), ("4x5", 5, 8), ("4x5", 7, 8), ("4x6", 1, 24)]
    {
        let (found, codes) = distant(board(squares), dimension, 8, 1);
        assert_eq!(found, Some(distance), "{squares}, {dimension}");
        for code in codes {
            let words = crate::gf2::span(&code.basis).skip(1);
            assert_eq!(words.map(|set| set.count_ones() as usize).min(), Some(distance));
        }
    }
    assert_eq!(distant(board("4x5"), 0, 8, 1).0, None);
}

#[test]
fn two_bits_below_exact_the_shape_alone_beats_random_keys_on_4x6() {
    let shape = learned(Tier::best()).unwrap();
    let how = Search { restarts: 4, seed: 1, own_census: true };
    let hidden = ProgressBar::hidden();
    let found = compare(&shape, board("4x6"), &[2], how, Tier::best(), &hidden).unwrap();
    assert_eq!((found.pairs, found.exact_bits, found.rows[0].bits), (59_651_952_916, 22, 20));
    let factor = |method| {
        let priced = found.rows[0].methods.iter().find(|priced| priced.method == method);
        priced.unwrap().factor.unwrap()
    };
    assert!(factor(Method::ShapeSize) > factor(Method::EvenDistance));
    assert!(factor(Method::ShapeShade) > 1.8, "{}", factor(Method::ShapeShade));
    assert!(factor(Method::BoardRead) > factor(Method::ShapeShade));
    let same = compare(&shape, board("4x6"), &[2], how, Tier::best(), &hidden).unwrap();
    assert_eq!(same.rows, found.rows, "same seed");
    for below in [0, 12, 30] {
        let refused = compare(&shape, board("4x5"), &[below], how, Tier::best(), &hidden);
        assert!(refused.unwrap_err().to_string().starts_with("--below: "), "{below}");
    }
}
