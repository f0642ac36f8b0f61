//! The essays' figures of the table, exactly, and what they leave unmeasured
//! against simple truths.

use super::*;
use crate::game::Mover;
use crate::solve;

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
/// to 799 at 14+4, and 10,078 and 8,385 to 12,856 at 10+8. The long upper tail
/// makes its rank the least certain: 832 to 903 over five seeds.
#[test]
fn a_mixed_exact_key_costs_what_a_random_key_costs() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    for (split, mean, low, high) in [
        ("14+4", 375.0..405.0, 175..195, 760..850),
        ("10+8", 9_980.0..10_180.0, 8_250..8_520, 12_600..13_100),
    ] {
        let counts = counts(essays(split), &exact, &KeySet::ExactMixed { seed: 2 }, 2000);
        assert_eq!(sum(&counts, |key| key.wrong + key.believed), 0, "{split}");
        let mut again: Vec<u64> = counts.iter().map(|key| key.searched - 5988).collect();
        again.sort_unstable();
        let measured = again.iter().sum::<u64>() as f64 / 2000.0;
        assert!(mean.contains(&measured), "{split}: a mean of {measured}");
        assert!(low.contains(&again[50]) && high.contains(&again[1949]), "{split}: {again:?}");
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

/// At 18 bits, forbidding the sets of fewer than ten squares helps as much as
/// a further check bit does, and for the worst key more.
#[test]
fn distance_helps_where_there_is_room_for_it() {
    let exact = Exact::new(board(), Holds::Verdict).unwrap();
    let measured = |split, keys: KeySet| {
        let counts = counts(essays(split), &exact, &keys, 1000);
        let worst = counts.iter().map(|key| key.wrong).max().unwrap();
        (sum(&counts, |key| key.wrong) as f64 / 1000.0, worst)
    };
    let distant = |even_only| {
        let distance = Distance { squares: 10, even_only };
        measured("10+8", KeySet::Distant { distance, seed: 1 })
    };
    let (random, further) =
        ["10+8", "10+9"].map(|split| measured(split, KeySet::Random { seed: 1 })).into();
    let (distance, even) = (distant(false), distant(true));
    assert!((1.5..2.2).contains(&random.0) && (0.7..1.25).contains(&further.0));
    assert!((0.9..1.3).contains(&distance.0) && (0.7..1.1).contains(&even.0), "{even:?}");
    assert!(distance.1 < further.1 && even.1 < further.1, "{distance:?} {even:?} {further:?}");
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
    for bad in ["", "10", "10+", "+8", "10-8", "1+2+3", "a+b", "20+13", "99999999999+0", "-1+3"] {
        let error = bad.parse::<Split>().unwrap_err().to_string();
        assert!(error.starts_with("--splits: `") && !error.contains('\n'), "{bad}: {error}");
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
    assert_eq!(exact_words("1x9".parse().unwrap()), None);
    assert_ne!(mixed(&words, 6, 1, 0), mixed(&words, 6, 1, 1));
    assert_eq!(mixed(&words, 6, 1, 0)[1], 0);
}
