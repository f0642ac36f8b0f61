//! Designs against exhaustion on small boards and against the reference on 4x5.

use std::collections::BTreeSet;
use std::time::Duration;

use super::*;
use crate::census::Road;
use crate::game::domineering::Domineering;
use crate::positions::{self, Positions};
use crate::solve;

fn census_of(positions: &Positions) -> Census {
    let road = Road::choose("auto", Tier::best(), positions).unwrap();
    Census::take(positions, &road).unwrap()
}

fn census(board: Board) -> Census {
    census_of(&positions::enumerate(&Domineering, board).unwrap())
}

fn later() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

/// Every code of a dimension, by its reduced basis.
fn all_codes(cells: u32, dimension: usize) -> BTreeSet<Vec<u32>> {
    let mut codes = BTreeSet::from([vec![]]);
    for _ in 0..dimension {
        let larger = codes.iter().flat_map(|code: &Vec<u32>| {
            (1..cells).filter_map(move |vector| {
                let mut basis = code.clone();
                gf2::extend(&mut basis, vector).then(|| gf2::reduced(&basis))
            })
        });
        codes = larger.collect();
    }
    codes
}

#[test]
fn branch_and_bound_is_exhaustive_search() {
    let hidden = ProgressBar::hidden();
    for (name, dimensions) in [("2x3", 1..=5), ("2x4", 1..=3), ("3x3", 1..=2)] {
        let board: Board = name.parse().unwrap();
        for stored in [false, true] {
            let census =
                if stored { census_of(&solve::stored(board).unwrap()) } else { census(board) };
            let sets = Sets::of(&census);
            let prices = census.cells();
            let symmetries = price_symmetries(board, sets, prices);
            for dimension in dimensions.clone() {
                let codes = all_codes(prices.len() as u32, dimension);
                let least = codes.iter().map(|code| total(prices, code)).min().unwrap();
                let dear = codes.iter().map(|code| total(prices, code)).max().unwrap();
                // From the worst code known, so that the proof has to find the best itself.
                let worst = codes.iter().find(|code| total(prices, code) == dear).unwrap();
                let known = Found { total: dear, basis: worst.clone() };
                let proof = prove_cheapest(prices, &known, &symmetries, 1, later(), &hidden);
                assert_eq!(proof.lower_bound, least, "{name}, {dimension}, stored: {stored}");
                assert_eq!(total(prices, &proof.best.basis), least);
                assert_eq!(gf2::rank(&proof.best.basis), dimension);
                let found = cheap_codes(prices, dimension, 8, EFFORT, 5, &hidden);
                assert_eq!(found.iter().map(|found| found.total).min(), Some(least), "search");
            }
            let free: Vec<usize> = dimensions
                .clone()
                .filter(|&d| {
                    all_codes(prices.len() as u32, d).iter().any(|c| total(prices, c) == 0)
                })
                .collect();
            let (largest, proved) =
                largest_free_code(prices, vec![], &symmetries, later(), &hidden);
            assert!(proved, "{name}, stored: {stored}");
            let expected = free.last().copied().unwrap_or(0);
            assert!(
                largest.basis.len() == expected
                    || expected == *dimensions.end() && largest.basis.len() > expected,
                "{name}, stored: {stored}: {} and {expected}",
                largest.basis.len()
            );
            assert_eq!(total(prices, &largest.basis), 0);
        }
    }
}

#[test]
fn a_proof_cut_short_is_still_a_bound() {
    let board: Board = "3x4".parse().unwrap();
    let census = census(board);
    let prices = census.cells();
    let hidden = ProgressBar::hidden();
    for dimension in 2..=4 {
        let found = cheap_codes(prices, dimension, 8, 0, 1, &hidden);
        let known = found.into_iter().min_by_key(|found| found.total).unwrap();
        let whole = prove_cheapest(prices, &known, &[], 1, later(), &hidden);
        assert_eq!(whole.lower_bound, whole.best.total);
        let cut = prove_cheapest(prices, &known, &[], 1, Instant::now(), &hidden);
        assert!(cut.lower_bound <= whole.best.total, "{dimension}: {cut:?}");
        let symmetries = price_symmetries(board, Sets::of(&census), prices);
        assert_eq!(symmetries.len(), 4);
        let folded = prove_cheapest(prices, &known, &symmetries, 1, later(), &hidden);
        assert_eq!(folded.lower_bound, whole.lower_bound);
    }
}

/// Folds are cut back to 2^30, so what lies above is nowhere compared.
#[test]
fn nothing_is_proved_of_totals_that_folds_cannot_hold() {
    let price = |cell| [0, 1].get(cell as usize).copied().unwrap_or(1 << 29);
    let prices: Vec<u32> = (0..16u32).map(price).collect();
    let hidden = ProgressBar::hidden();
    let proof = |basis: &[u32]| {
        let known = Found { total: total(&prices, basis), basis: basis.to_vec() };
        prove_cheapest(&prices, &known, &[], 1, later(), &hidden)
    };
    assert_eq!(proof(&[2]).lower_bound, 1);
    let two = proof(&[1, 2]);
    assert_eq!((two.best.total, two.lower_bound), (1 + (1 << 30), 3), "only what one word proves");
}

#[test]
fn the_largest_free_code_gives_the_exact_lengths() {
    for (name, exact) in [("2x4", 6), ("2x6", 10), ("3x4", 10), ("2x7", 11), ("3x5", 13)] {
        let board: Board = name.parse().unwrap();
        let census = census(board);
        let symmetries = price_symmetries(board, Sets::of(&census), census.cells());
        let (cells, hidden) = (census.cells(), ProgressBar::hidden());
        let (largest, proved) = largest_free_code(cells, vec![], &symmetries, later(), &hidden);
        assert_eq!((board.squares() - 1 - largest.basis.len(), proved), (exact, true), "{name}");
        let known = largest.basis.clone();
        let again = largest_free_code(cells, known, &symmetries, later(), &hidden);
        assert_eq!(again, (largest, true), "{name} from what is known");
    }
}

#[test]
fn board_read_designs_on_4x5_are_at_least_the_essays() {
    let board: Board = "4x5".parse().unwrap();
    let stored = census_of(&solve::stored(board).unwrap());
    let hidden = ProgressBar::hidden();
    // 30 and 12 stored pairs at 16 and 17 bits, chosen for the stored positions themselves.
    for (bits, essay) in [(16, 30), (17, 12), (18, 0)] {
        let sets = Sets::of(&stored);
        let found = cheap_codes(stored.cells(), sets.code_dimension(bits), 24, 0, 1, &hidden);
        let best = found.iter().min_by_key(|found| found.total).unwrap();
        assert!(best.total <= essay, "{} stored pairs at {bits} bits", best.total);
        let code = completed(sets, bits, &best.basis, 1);
        let pairs: u64 = code.families(&stored).iter().map(|family| family.pairs).sum();
        assert_eq!(pairs, best.total);
        for words in [code.words(), mixed_words(&code, 1)] {
            assert_eq!(Code::of_words(&words), code);
            assert!(words.iter().all(|word| word >> bits == 0));
        }
    }
}

#[test]
fn distances_reach_the_bound_where_codes_do() {
    let hidden = ProgressBar::hidden();
    let all = Sets { features: 20, even: false };
    for (dimension, distance) in
        [(1, 20), (2, 13), (3, 11), (4, 10), (5, 9), (6, 8), (7, 8), (8, 8)]
    {
        let found = distant_codes(all, dimension, 24, 1, false, &hidden).unwrap();
        assert_eq!((found.distance, found.bound), (Some(distance), Some(distance)), "{dimension}");
        let code = completed(all, 20 - dimension, &found.codes[0].basis, 1);
        assert_eq!(code.minimum_distance(), Some(distance));
    }
    let even = Sets { features: 20, even: true };
    let nothing = distant_codes(even, 0, 24, 1, true, &hidden).unwrap();
    assert_eq!((nothing.distance, nothing.codes.len()), (None, 1));
    let whole = distant_codes(even, 1, 24, 1, true, &hidden).unwrap();
    assert!(whole.codes.iter().all(|found| even.set(found.basis[0]) == (1 << 20) - 1));
}

#[test]
fn the_golay_code_is_found() {
    let sets = Sets { features: 24, even: false };
    let found = distant_codes(sets, 12, 24, 1, false, &ProgressBar::hidden()).unwrap();
    assert_eq!((found.distance, found.bound), (Some(8), Some(8)));
    let code = completed(sets, 12, &found.codes[0].basis, 1);
    assert_eq!(code.weights()[8], 759);
}
