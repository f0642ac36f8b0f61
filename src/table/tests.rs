//! The essays' figures of the table, exactly, and what they leave unmeasured
//! against simple truths.

use super::*;
use crate::census::{Census, Road};
use crate::game::Mover;
use crate::tier::Tier;
use crate::{confusions, solve};

fn board() -> Board {
    "4x5".parse().unwrap()
}

fn essays(split: &str) -> Setup {
    let split = split.parse().unwrap();
    Setup { board: board(), holds: Holds::Verdict, split, rule: Rule::Essays }
}

fn counts(setup: Setup, exact: &Exact, keys: &KeySet, count: usize) -> Vec<Counts> {
    keys.require(setup.board, setup.split).unwrap();
    let words = |key| keys.words(setup.board, setup.split, key);
    run(setup, exact, count, words, &ProgressBar::hidden()).unwrap()
}

fn sum(counts: &[Counts], what: impl Fn(&Counts) -> u64) -> u64 {
    counts.iter().map(what).sum()
}

#[test]
fn the_sixty_keys_do_what_the_essays_say_at_thirteen_splits() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    assert_eq!(exact.searched(), 5988);
    // split, wrong, worst key, keys > 0, winner wrong, stored, extra per key
    for (split, wrong, worst, some, winners, stored, extra) in [
        ("10+0", 6181, 200, 60, 45, 60_905, "-4970.40"),
        ("10+1", 6362, 206, 60, 51, 84_155, "-3791.92"),
        ("10+2", 4731, 146, 60, 54, 99_918, "-1081.68"),
        ("10+3", 2733, 94, 59, 52, 104_876, "1755.97"),
        ("10+4", 1458, 73, 60, 27, 111_425, "6169.60"),
        ("10+5", 773, 52, 59, 14, 112_303, "7460.73"),
        ("10+6", 349, 19, 55, 7, 114_664, "8770.50"),
        ("10+7", 182, 18, 45, 4, 116_029, "9262.72"),
        ("10+8", 88, 15, 27, 1, 116_311, "9718.18"),
        ("16+0", 2889, 171, 59, 19, 330_372, "-481.28"),
        ("8+8", 9, 4, 4, 1, 30_669, "25643.40"),
        ("18+0", 741, 134, 49, 3, 355_952, "-55.38"),
        ("14+4", 627, 109, 47, 3, 327_644, "304.93"),
    ] {
        let counts = counts(essays(split), &exact, &KeySet::Essays, 60);
        assert_eq!(sum(&counts, |key| key.wrong), wrong, "wrong at {split}");
        assert_eq!(counts.iter().map(|key| key.wrong).max(), Some(worst), "worst at {split}");
        let keys = |holds: &dyn Fn(&Counts) -> bool| counts.iter().filter(|key| holds(key)).count();
        assert_eq!(keys(&|key| key.wrong > 0), some, "keys at {split}");
        assert_eq!(keys(&|key| key.winner_wrong), winners, "winners at {split}");
        assert_eq!(sum(&counts, |key| key.stored), stored, "stored at {split}");
        let searched = sum(&counts, |key| key.searched) as f64 / 60.0;
        assert_eq!(format!("{:.2}", searched - 5988.0), extra, "extra at {split}");
    }
}

#[test]
fn strangers_are_met_as_often_as_the_essays_say() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    let met = |split| {
        let counts = counts(essays(split), &exact, &KeySet::Essays, 60);
        (sum(&counts, |key| key.turned_away), sum(&counts, |key| key.believed))
    };
    assert_eq!(met("10+0"), (0, 24_190));
    assert_eq!(met("10+1"), (47_401, 38_815));
}

#[test]
fn the_strict_rule_stores_slightly_other_verdicts() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    let strict = Setup { rule: Rule::Never, ..essays("10+0") };
    let counts = counts(strict, &exact, &KeySet::Essays, 60);
    let mean = sum(&counts, |key| key.wrong) as f64 / 60.0;
    assert_eq!(format!("{mean:.1}"), "102.1");
    assert_eq!(sum(&counts, |key| key.overwrites), 0);
}

#[test]
fn the_literal_exact_key_only_searches_again() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    for (split, again) in [("18+0", 0), ("14+4", 16_832), ("10+8", 25_038)] {
        let counts = counts(essays(split), &exact, &KeySet::ExactLiteral, 1);
        assert_eq!(counts[0].searched, 5988 + again, "{split}");
        assert_eq!((counts[0].wrong, counts[0].believed), (0, 0), "{split}");
        assert!(!counts[0].winner_wrong, "{split}");
    }
}

/// The reference's 2,000 matrices have a mean of 389.5 and a central 95 % of 185
/// to 799 at 14+4, and of 10,078 and 8,385 to 12,856 at 10+8. Ours agree but for
/// the first's upper end, where the tail is long: over seeds 1 to 10, of 2,000
/// each, it lies between 813 and 903 (mean 851, standard deviation 25). So the
/// reference's lies two of these deviations low, and one set of 2,000 is no
/// measure of it to better than ± 50: five are pooled here.
#[test]
fn a_mixed_exact_key_costs_what_a_random_key_costs() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    for (split, mean, low, high, single) in [
        ("14+4", 384.0..397.0, 180..190, 820..885, 775..930),
        ("10+8", 10_020.0..10_095.0, 8_280..8_400, 12_750..13_000, 12_600..13_200),
    ] {
        let mut pooled = vec![];
        for seed in 1..=5 {
            let counts = counts(essays(split), &exact, &KeySet::ExactMixed { seed }, 2000);
            assert_eq!(sum(&counts, |key| key.wrong + key.believed), 0, "{split}");
            let mut again: Vec<u64> = counts.iter().map(|key| key.searched - 5988).collect();
            again.sort_unstable();
            assert!(single.contains(&again[1949]), "{split}, seed {seed}: {}", again[1949]);
            pooled.extend(again);
        }
        pooled.sort_unstable();
        let measured = pooled.iter().sum::<u64>() as f64 / pooled.len() as f64;
        assert!(mean.contains(&measured), "{split}: a mean of {measured}");
        let ends = [pooled[249], pooled[9749]];
        assert!(low.contains(&ends[0]) && high.contains(&ends[1]), "{split}: {ends:?}");
    }
}

/// The means over 6,000 keys, with their errors, are the reference's; ours lie
/// within three of those of them.
#[test]
fn a_population_of_random_keys_lies_where_the_sixty_do_not() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    for (split, count, mean, error, sixty) in [
        ("10+8", 6000, 1.91, 0.10, 88),
        ("10+6", 2000, 7.41, 0.20, 349),
        ("8+8", 2000, 0.464, 0.032, 9),
        ("18+0", 2000, 15.9, 0.57, 741),
    ] {
        let counts = counts(essays(split), &exact, &KeySet::Random { seed: 1 }, count);
        let measured = sum(&counts, |key| key.wrong) as f64 / count as f64;
        let off = (measured - mean).abs();
        assert!(off < 3.0 * error, "{split}: {measured}, not {mean} ± {error}");
        assert!(f64::from(sixty) / 60.0 < measured, "{split}: the sixty are a lucky sample");
    }
}

/// The means of eight seeds of 1,000 keys at 18 bits: forbidding the even sets of
/// fewer than ten squares helps more than a further check bit, forbidding all of
/// them not quite as much, and the worst keys do not tell them apart.
#[test]
fn even_distance_beats_a_bit_on_average_and_plain_distance_does_not() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    let measured = |split, keys: &dyn Fn(u64) -> KeySet| {
        let (mut means, mut worst) = (vec![], vec![]);
        for seed in 1..=8 {
            let counts = counts(essays(split), &exact, &keys(seed), 1000);
            means.push(sum(&counts, |key| key.wrong) as f64 / 1000.0);
            worst.push(counts.iter().map(|key| key.wrong).max().unwrap() as f64);
        }
        [means, worst].map(|values| {
            let (mean, error) = mean_and_error(&values);
            (mean, error.expect("eight seeds"))
        })
    };
    let distant = |even_only| {
        let distance = Distance { squares: 10, even_only };
        measured("10+8", &|seed| KeySet::Distant { distance, seed })
    };
    let longer = measured("10+9", &|seed| KeySet::Random { seed });
    let [plain, even] = [distant(false), distant(true)];
    for ([(mean, error), (worst, _)], expected, worst_expected) in
        [(longer, 0.984, 25.0..50.0), (plain, 1.125, 20.0..50.0), (even, 0.863, 18.0..36.0)]
    {
        assert!((mean - expected).abs() < 3.0 * error && error < 0.05, "{mean} ± {error}");
        assert!(worst_expected.contains(&worst), "{worst}");
    }
    let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0) / a.1.hypot(b.1);
    assert!(apart(longer[0], even[0]) > 3.0, "{longer:?} {even:?}");
    assert!(apart(plain[0], longer[0]) > 3.0, "{longer:?} {plain:?}");
    assert!(apart(longer[1], even[1]).abs() < 3.0, "{longer:?} {even:?}");
    assert!(apart(longer[1], plain[1]).abs() < 3.0, "{longer:?} {plain:?}");
}

/// Of 6,000 random keys at twenty bits the reference has 35.3 % confuse a stored
/// pair; ours are as many others, so the two differ by chance twice over.
#[test]
fn a_third_of_random_keys_confuse_at_as_many_bits_as_squares() {
    let stored = solve::stored(board()).unwrap();
    let road = Road::choose("auto", Tier::best(), &stored).unwrap();
    let census = Census::take(&stored, &road).unwrap();
    let hidden = ProgressBar::hidden();
    let (lengths, _) =
        confusions::of(confusions::Keys::Random(1), 6000, &[20], &census, &census, &hidden);
    let share = lengths[0].keys_confusing as f64 / 6000.0;
    let error = (0.353f64 * 0.647 / 6000.0).sqrt() * std::f64::consts::SQRT_2;
    assert!((share - 0.353).abs() < 3.0 * error, "{share}, not 0.353 ± {error}");
}

#[test]
fn every_rule_and_content_counts_what_the_definition_counts() {
    let board: Board = "3x4".parse().unwrap();
    for holds in [Holds::Verdict, Holds::Class, Holds::Count] {
        let exact = Exact::new(board, holds).unwrap();
        for rule in [Rule::Essays, Rule::Never, Rule::Always, Rule::Deeper, Rule::Bucket] {
            for split in ["4+2", "5+3", "6+0", "7+1", "1+7"] {
                let setup = Setup { board, holds, split: split.parse().unwrap(), rule };
                let keys = KeySet::Random { seed: 3 };
                for (index, got) in counts(setup, &exact, &keys, 4).into_iter().enumerate() {
                    let want = oracle::count(setup, &keys.words(board, setup.split, index));
                    assert_eq!(got, want, "{setup:?}, key {index}");
                }
            }
        }
    }
}

/// Totals over the sixty keys: wrong, worst key, keys > 0, winner wrong, stored,
/// turned away, believed, extra, overwrites.
#[test]
fn the_sixty_keys_under_other_rules() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    for (rule, split, totals) in [
        (Rule::Never, "10+8", [86, 15, 25, 1, 116_310, 825_320, 2_014, 582_606, 0]),
        (Rule::Always, "10+6", [612, 50, 58, 6, 115_462, 395_910, 6_417, 152_343, 396_161]),
        (Rule::Always, "10+8", [126, 20, 29, 2, 116_353, 397_573, 1_403, 154_905, 397_832]),
        (Rule::Deeper, "10+6", [863, 48, 59, 5, 115_075, 620_580, 7_325, 376_627, 171_478]),
        (Rule::Deeper, "10+8", [187, 21, 36, 1, 116_571, 647_880, 1_674, 405_428, 176_672]),
        (Rule::Bucket, "10+6", [893, 52, 59, 7, 120_126, 432_941, 6_452, 134_750, 373_904]),
        (Rule::Bucket, "10+8", [198, 27, 34, 3, 121_362, 438_996, 1_451, 141_321, 379_239]),
    ] {
        let counts = counts(Setup { rule, ..essays(split) }, &exact, &KeySet::Essays, 60);
        assert_eq!(totals_of(&counts, &exact), totals, "{rule:?} at {split}");
    }
}

/// Totals over the first five of the sixty, as above but for wrong winners in
/// the worst key's place.
#[test]
fn tables_of_classes_and_of_numbers_of_moves() {
    for (holds, searched, split, totals) in [
        (Holds::Class, 24_987, "10+6", [11, 11, 3, 2, 5_120, 4_837_328, 18_178, 4_717_544, 31]),
        (Holds::Class, 24_987, "14+4", [459, 459, 5, 1, 62_898, 572_750, 5_686, 510_719, 6]),
        (
            Holds::Count,
            48_670,
            "14+4",
            [2_162, 1_167, 5, 1, 128_343, 3_917_627, 98_802, 3_802_625, 5],
        ),
    ] {
        let exact = Exact::new(board(), holds).unwrap();
        assert_eq!(exact.searched(), searched);
        let counts = counts(Setup { holds, ..essays(split) }, &exact, &KeySet::Essays, 5);
        let mut found = totals_of(&counts, &exact);
        found[1] = sum(&counts, |key| key.wrong_winners);
        assert_eq!(found, totals, "{holds:?} at {split}");
    }
}

fn totals_of(counts: &[Counts], exact: &Exact) -> [u64; 9] {
    let sum = |what: fn(&Counts) -> u64| sum(counts, what);
    [
        sum(|key| key.wrong),
        counts.iter().map(|key| key.wrong).max().unwrap(),
        sum(|key| u64::from(key.wrong > 0)),
        sum(|key| u64::from(key.winner_wrong)),
        sum(|key| key.stored),
        sum(|key| key.turned_away),
        sum(|key| key.believed),
        sum(|key| key.searched) - exact.searched() * counts.len() as u64,
        sum(|key| key.overwrites),
    ]
}

#[test]
fn mixed_keys_from_elsewhere_are_made_one_by_one() {
    let keys = vec![vec![1, 2, 3, 1], vec![2, 3, 0, 1]];
    let mixing = Some(Mixing { seed: 1, times: usize::MAX / 4 });
    let set = KeySet::Given { width: 2, keys: keys.clone(), mixing };
    assert_eq!(set.len(), Some(usize::MAX / 4 * 2));
    let (board, split) = ("2x2".parse().unwrap(), "1+1".parse().unwrap());
    // Far beyond what memory could hold at once.
    for index in [0, 1, 1 << 40, (1 << 40) + 1] {
        let want = mixed(&keys[index % 2], 2, 1, index as u64);
        assert_eq!(set.words(board, split, index), want, "{index}");
    }
}

#[test]
fn a_whole_key_is_never_wrong_under_any_rule_and_content() {
    let small: Board = "3x4".parse().unwrap();
    let whole = |_| (0..12).map(|square| 1 << square).collect::<Vec<u64>>();
    for holds in [Holds::Verdict, Holds::Class, Holds::Count] {
        let exact = Exact::new(small, holds).unwrap();
        for rule in [Rule::Essays, Rule::Never, Rule::Always, Rule::Deeper, Rule::Bucket] {
            for address in [1, 3, 6, 12] {
                let split = Split { address, check: 12 - address };
                let setup = Setup { board: small, holds, split, rule };
                let counts = run(setup, &exact, 1, whole, &ProgressBar::hidden()).unwrap()[0];
                let Counts { wrong, wrong_winners, winner_wrong, believed, .. } = counts;
                assert_eq!((wrong, wrong_winners, believed), (0, 0, 0), "{setup:?}");
                assert!(!winner_wrong, "{setup:?}");
                assert!(counts.searched >= exact.searched(), "{setup:?}");
                assert!(counts.stored <= (super::tables_of(holds) as u64) << address, "{setup:?}");
                if address == 12 {
                    // Every board has its own slot or bucket half.
                    let met = counts.turned_away > 0 || counts.overwrites > 0;
                    assert!(rule == Rule::Bucket || !met, "{setup:?}: {counts:?}");
                    assert_eq!(counts.searched, exact.searched(), "{setup:?}");
                    assert_eq!(counts.stored, exact.searched(), "{setup:?}");
                }
            }
        }
    }
}

#[test]
fn replacing_keeps_the_families_and_stops_the_searching() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    let searched = |rule| {
        let setup = Setup { rule, ..essays("10+8") };
        let counts = counts(setup, &exact, &KeySet::Essays, 60);
        sum(&counts, |key| key.searched)
    };
    let essays = searched(Rule::Essays);
    assert!(searched(Rule::Always) < essays && searched(Rule::Bucket) < searched(Rule::Always));
}

#[test]
fn exact_counts_agree_with_exact_verdicts() {
    let exact = Exact::new(board(), Holds::Count).unwrap();
    assert_eq!(exact.searched(), 48_670);
    let stored = solve::stored(board()).unwrap();
    for mover in Mover::BOTH {
        for &set in stored.of(mover) {
            let mover = mover as usize;
            assert_eq!(exact.count(mover, set) % 2, exact.verdict(mover, set), "{set:#x}");
        }
    }
}

#[test]
fn splits_parse_or_say_why_not() {
    assert_eq!("10+8".parse::<Split>().unwrap(), Split { address: 10, check: 8 });
    assert_eq!("0+32".parse::<Split>().unwrap().bits(), 32);
    for bad in ["", "10", "10+", "+8", "10-8", "1+2+3", "a+b", "-1+3"] {
        assert_eq!(bad.parse::<Split>(), Err("want ADDRESS+CHECK, for example 10+8"), "{bad}");
    }
    for bad in ["20+13", "99999999999+0"] {
        assert_eq!(bad.parse::<Split>(), Err("more than the 32 bits of a drawn word"), "{bad}");
    }
}

#[test]
fn memory_is_slots_times_their_bits() {
    assert_eq!(essays("16+0").memory_bits(), 131_072);
    assert_eq!(essays("10+6").memory_bits(), 14_336);
    assert_eq!(Setup { rule: Rule::Bucket, ..essays("10+6") }.memory_bits(), 2048 * 8);
    assert_eq!(Setup { holds: Holds::Class, ..essays("10+6") }.memory_bits(), 1024 * 8);
    assert_eq!(Setup { holds: Holds::Count, ..essays("10+6") }.memory_bits(), 2048 * 10);
}

#[test]
fn the_literal_key_leaves_out_two_squares() {
    let words = exact_words("2x4".parse().unwrap()).unwrap();
    assert_eq!(words, [1, 0, 2, 4, 0, 8, 16, 32]);
    // The first square kept is the lowest of 18 bits, so 14 of address are squares 6 to 19.
    let large = exact_words(board()).unwrap();
    assert_eq!((large[1], large[5], large[0]), (0, 0, 1));
    let address: Vec<usize> = (0..20).filter(|square| large[*square] >> 4 != 0).collect();
    assert_eq!(address, (6..20).collect::<Vec<_>>());
    for line in ["1x9", "2x1", "9x1"] {
        let board = line.parse().unwrap();
        assert_eq!(exact_words(board), None, "{line}");
        let error = KeySet::ExactLiteral.width(board).unwrap_err().to_string();
        assert!(error.ends_with("want two rows and columns or more"), "{error}");
    }
    assert_ne!(mixed(&words, 6, 1, 0), mixed(&words, 6, 1, 1));
    assert_eq!(mixed(&words, 6, 1, 0)[1], 0);
}
