//! Values: their laws, their counts by day, their notation.
//!
//! The oracle is [`Tree`]: games as plain trees compared by the definition,
//! with no canonical forms, no sharing and no memory.

use proptest::prelude::*;
use zobrist_lab::value::{Outcome, Value, Values};

/// A game as a tree of options.
#[derive(Clone, Debug)]
struct Tree {
    left: Vec<Tree>,
    right: Vec<Tree>,
}

impl Tree {
    /// a ≤ b, from the definition.
    fn le(&self, other: &Tree) -> bool {
        !self.left.iter().any(|left| other.le(left))
            && !other.right.iter().any(|right| right.le(self))
    }

    fn value(&self, values: &Values) -> Value {
        let list = |options: &[Tree]| {
            options.iter().map(|option| option.value(values)).collect::<Vec<_>>()
        };
        values.game(&list(&self.left), &list(&self.right))
    }

    fn of(values: &Values, value: Value) -> Tree {
        let list =
            |options: &[Value]| options.iter().map(|&option| Tree::of(values, option)).collect();
        Tree { left: list(values.left(value)), right: list(values.right(value)) }
    }
}

/// Trees of up to four moves, up to three options a side.
fn trees() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree { left: vec![], right: vec![] });
    leaf.prop_recursive(4, 40, 6, |inner| {
        let options = || prop::collection::vec(inner.clone(), 0..3);
        (options(), options()).prop_map(|(left, right)| Tree { left, right })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn canonical_forms_agree_with_trees(a in trees(), b in trees()) {
        let values = Values::new();
        let (x, y) = (a.value(&values), b.value(&values));
        prop_assert_eq!(values.le(x, y), a.le(&b));
        prop_assert_eq!(values.le(y, x), b.le(&a));
        prop_assert_eq!(x == y, a.le(&b) && b.le(&a), "equal games have one form");
        // The form is a game of the same value, and its own form.
        let form = Tree::of(&values, x);
        prop_assert!(form.le(&a) && a.le(&form));
        prop_assert_eq!(values.game(values.left(x), values.right(x)), x);
    }

    #[test]
    fn forms_have_no_dominated_and_no_reversible_option(a in trees()) {
        let values = Values::new();
        let x = a.value(&values);
        for (i, &p) in values.left(x).iter().enumerate() {
            prop_assert!(values.left(x).iter().enumerate().all(|(j, &q)| i == j || !values.le(p, q)));
            prop_assert!(values.right(p).iter().all(|&answer| !values.le(answer, x)));
        }
        for (i, &p) in values.right(x).iter().enumerate() {
            prop_assert!(values.right(x).iter().enumerate().all(|(j, &q)| i == j || !values.le(q, p)));
            prop_assert!(values.left(p).iter().all(|&answer| !values.le(x, answer)));
        }
    }

    #[test]
    fn sums_are_an_ordered_group(a in trees(), b in trees(), c in trees()) {
        let values = Values::new();
        let [x, y, z] = [&a, &b, &c].map(|tree| tree.value(&values));
        let minus = |value| values.negative(value);
        prop_assert_eq!(values.sum(x, minus(x)), Values::ZERO);
        prop_assert_eq!(values.sum(x, Values::ZERO), x);
        prop_assert_eq!(values.sum(x, y), values.sum(y, x));
        prop_assert_eq!(values.sum(values.sum(x, y), z), values.sum(x, values.sum(y, z)));
        prop_assert_eq!(minus(minus(x)), x);
        prop_assert_eq!(minus(values.sum(x, y)), values.sum(minus(x), minus(y)));
        prop_assert_eq!(values.le(x, y), values.le(values.sum(x, z), values.sum(y, z)));
        prop_assert_eq!(values.le(x, y), values.le(minus(y), minus(x)));
        // x ≤ y is Right's win in x − y, moving second.
        let difference = values.outcome(values.sum(x, minus(y)));
        prop_assert_eq!(values.le(x, y), matches!(difference, Outcome::Right | Outcome::Second));
        prop_assert!(values.birthday(values.sum(x, y)) <= values.birthday(x) + values.birthday(y));
        prop_assert!(!(values.le(x, y) && values.le(y, z)) || values.le(x, z));
    }

    #[test]
    fn notation_is_read_back(a in trees()) {
        let values = Values::new();
        let x = a.value(&values);
        let text = values.notation(x);
        prop_assert_eq!(values.parse(&text).unwrap(), x, "{}", text);
        // Another store reads it as the same game, and writes it the same way.
        let other = Values::with_caches(16);
        prop_assert_eq!(other.notation(other.parse(&text).unwrap()), text);
    }

    #[test]
    fn sums_of_numbers_ups_and_nimbers_are_written_side_by_side(
        numerator in -20_i64..20, power in 0_u32..4, ups in -5_i32..6, heap in 0_u32..5,
    ) {
        let values = Values::new();
        let number = values.dyadic(numerator, 1 << power);
        let sum = values.sum(values.sum(number, values.ups(ups)), values.nimber(heap));
        let text = values.notation(sum);
        prop_assert!(!text.contains('{'), "{}", text);
        prop_assert_eq!(values.parse(&text).unwrap(), sum, "{}", text);
    }
}

/// All antichains of a list, the empty one included.
fn antichains(values: &Values, list: &[Value]) -> Vec<Vec<Value>> {
    let Some((&last, rest)) = list.split_last() else { return vec![vec![]] };
    let without = antichains(values, rest);
    let apart = |other: &Value| !values.le(*other, last) && !values.le(last, *other);
    let with = without.iter().filter(|chain| chain.iter().all(apart));
    let with: Vec<_> = with.map(|chain| [chain, &[last][..]].concat()).collect();
    [without, with].concat()
}

#[test]
fn games_born_by_day_three() {
    let values = Values::new();
    let mut born = vec![];
    for (day, count) in [1, 4, 22, 1_474].into_iter().enumerate() {
        let chains = antichains(&values, &born);
        let mut next: Vec<Value> = chains
            .iter()
            .flat_map(|left| chains.iter().map(|right| values.game(left, right)))
            .collect();
        next.sort_unstable();
        next.dedup();
        assert_eq!(next.len(), count, "day {day}");
        assert_eq!(next.iter().map(|&value| values.birthday(value)).max(), Some(day as u32));
        born = next;
    }
    assert_eq!(born.iter().filter(|&&value| values.negative(value) == value).count(), 30);
    for &value in &born {
        assert_eq!(values.parse(&values.notation(value)).unwrap(), value);
    }
    // The filter before comparisons settles most pairs and misjudges none: the
    // trees know nothing of it.
    let trees: Vec<_> = born.iter().map(|&value| Tree::of(&values, value)).collect();
    for (x, a) in born.iter().zip(&trees).step_by(7) {
        for (y, b) in born.iter().zip(&trees).step_by(11) {
            assert_eq!(
                values.le(*x, *y),
                a.le(b),
                "{} ≤ {}",
                values.notation(*x),
                values.notation(*y)
            );
        }
    }
}

#[test]
fn known_values_have_their_names() {
    let values = Values::new();
    for (written, name) in [
        ("{|}", "0"),
        ("{0|0}", "∗"),
        ("*", "∗"),
        ("{0,*|0,*}", "∗2"),
        ("{0|*}", "↑"),
        ("{*|0}", "↓"),
        ("{0|^}", "⇑∗"),
        ("^^", "⇑"),
        ("↑2", "⇑"),
        ("vv*", "⇓∗"),
        ("{0,∗|0}", "↑∗"),
        ("{0|⇑∗}", "↑3"),
        ("{0|∗3}", "↑∗2"),
        ("{0|}", "1"),
        ("{0|1}", "1/2"),
        ("{-1/2|-1/4}", "-3/8"),
        ("{0|2}", "1"),
        ("{0|±1}", "1"),
        ("{1|-1}", "±1"),
        ("{1/2|1/2}", "1/2∗"),
        ("{1/2|1/2∗}", "1/2↑"),
        ("{3|1}", "{3|1}"),
        ("±{2|1}", "{{2|1}|{-1|-2}}"),
        ("±{1|0}", "0"),
        ("{ ∗ , ↑ | ∗ , ↓ }", "{∗,↑|∗,↓}"),
        ("{↓,{∗,↑|∗,↓}|0}", "{↓,{∗,↑|∗,↓}|0}"),
        ("{1,2|}", "3"),
        ("{|-7}", "-8"),
    ] {
        assert_eq!(values.notation(values.parse(written).unwrap()), name, "{written}");
    }
    let outcomes = [
        ("0", Outcome::Second),
        ("∗", Outcome::First),
        ("↑", Outcome::Left),
        ("-1/4", Outcome::Right),
        ("↑∗", Outcome::First),
        ("⇑∗", Outcome::Left),
        ("{∗|↓}", Outcome::Right),
        ("±1", Outcome::First),
    ];
    for (name, outcome) in outcomes {
        assert_eq!(values.outcome(values.parse(name).unwrap()), outcome, "{name}");
    }
}

#[test]
fn text_that_is_no_value_is_refused_with_the_place() {
    let values = Values::new();
    let deep = "{".repeat(200);
    for (text, place, wanted) in [
        ("", 1, "want a game"),
        ("{", 2, "want a game"),
        ("{0", 3, "want `,` or `|`"),
        ("{0|", 4, "want a game"),
        ("{0|}}", 5, "want the end"),
        ("{0,|}", 4, "want a game"),
        ("1/3", 1, "power of two"),
        ("-1/", 4, "want a digit"),
        ("1/0", 1, "power of two"),
        ("hello", 1, "want a game"),
        ("∗999", 2, "a multiple up to"),
        ("↑∗∗", 3, "want the end"),
        ("99999999999999999999999", 1, "a number up to"),
        ("1001", 1, "a number up to"),
        ("-2001/2", 2, "a number up to"),
        ("1/2048", 1, "a number up to"),
        ("0↑101", 3, "a multiple up to 100"),
        ("∗64", 2, "a multiple up to 63"),
        (&deep, 101, "at most 100"),
    ] {
        let error = values.parse(text).unwrap_err().to_string();
        assert!(error.contains(&format!("at character {place}:")), "{error}");
        assert!(error.contains(wanted) && !error.contains('\n'), "{error}");
    }
}

#[test]
fn what_is_written_is_read_back_at_the_bounds_and_beyond() {
    let values = Values::new();
    for (written, name) in [
        ("{999|}", "1000"),
        ("{1000|}", "{1000|}"),
        ("{{1000|}|}", "{{1000|}|}"),
        ("{|-1000}", "{|-1000}"),
        ("{0|1/512}", "1/1024"),
        ("{0|1/1024}", "{0|1/1024}"),
        ("{{0|1/1024}|{0|1/1024}}", "{{0|1/1024}|{0|1/1024}}"),
        ("{1023999/1024|1000}", "{1023999/1024|1000}"),
        ("{0|^99*}", "↑100"),
        ("{0|^100*}", "{0|↑100∗}"),
        ("{v100|0}", "{↓100|0}"),
        ("{1000|1000^100}", "{1000|1000↑100}"),
        ("-1000v100*63", "-1000↓100∗63"),
        ("1000^100*63", "1000↑100∗63"),
        ("±1000", "±1000"),
        ("±{1000|}", "{{1000|}|{|-1000}}"),
    ] {
        let value = values.parse(written).unwrap();
        assert_eq!(values.notation(value), name, "{written}");
        assert_eq!(values.parse(name).unwrap(), value, "{written}");
    }
    // ∗64 has no name, and its options keep theirs.
    let heaps: Vec<String> = (0..64).map(|heap| format!("*{heap}")).collect();
    let heaps = heaps.join(",");
    let value = values.parse(&format!("{{{heaps}|{heaps}}}")).unwrap();
    assert_eq!(value, values.nimber(64));
    let text = values.notation(value);
    assert!(text.starts_with("{0,∗,∗2,") && text.ends_with(",∗62,∗63}"), "{text}");
    assert_eq!(values.parse(&text).unwrap(), value);
    // The deepest braces that are read.
    for (open, close) in [("{1000,", "|}"), ("{0|", "}"), ("{2|", "|-3}"), ("±", "")] {
        let nested = |depth: usize, inner: &str| {
            let (open, close) = match open {
                "{2|" => ("{2|{".to_string(), "|-3}}".to_string()),
                _ => (open.to_string(), close.to_string()),
            };
            format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
        };
        let deepest = if open == "{2|" { 49 } else { 99 };
        for inner in ["0", "1/1024", "1000"] {
            let value = values.parse(&nested(deepest, inner)).unwrap();
            let text = values.notation(value);
            assert_eq!(values.parse(&text).unwrap(), value, "{text}");
        }
        let error = values.parse(&nested(deepest + 1, "0")).unwrap_err().to_string();
        assert!(error.contains("at most 100"), "{error}");
    }
}

#[test]
fn names_at_the_bounds_are_the_sums_and_are_quick() {
    let started = std::time::Instant::now();
    let values = Values::new();
    for text in [
        "*63",
        "^100",
        "^100*63",
        "1000^100*63",
        "-1000v100*62",
        "1023999/1024^100*63",
        "{1000^100*63|1000^100*62}",
        "{1000^100*63,1000^99*63|-1000v100*63,-1000v99*63}",
        "{*63,^|*62,v}",
        "±1000^100*63",
    ] {
        let value = values.parse(text).unwrap();
        let written = values.notation(value);
        assert_eq!(values.parse(&written).unwrap(), value, "{written}");
        assert_eq!(values.negative(values.negative(value)), value);
        assert_eq!(values.parse(&values.notation(values.negative(value))).unwrap(), {
            values.negative(value)
        });
    }
    // 30 ms here; before names were stored as they stand, *100 alone took minutes.
    let taken = started.elapsed();
    assert!(taken.as_secs() < 5, "{taken:?}");
    // The same forms by the long road.
    for (number, ups, heap) in [("0", 0, 20), ("5", 20, 7), ("-7/8", -9, 12), ("1/4", 1, 1)] {
        let arrows = if ups < 0 { format!("v{}", -ups) } else { format!("^{ups}") };
        let short = values.parse(&format!("{number}{arrows}*{heap}")).unwrap();
        let fold = |options: Vec<Value>| values.game(&options, &options);
        let heaps = (0..=heap).fold(vec![], |mut heaps: Vec<Value>, _| {
            heaps.push(fold(heaps.clone()));
            heaps
        });
        let arrow = values.parse(if ups < 0 { "{*|0}" } else { "{0|*}" }).unwrap();
        let number = values.parse(number).unwrap();
        let arrows = (0..i32::abs(ups)).fold(Values::ZERO, |sum, _| values.sum(sum, arrow));
        let long = values.sum(values.sum(number, arrows), heaps[heap]);
        assert_eq!(short, long);
    }
}

#[test]
fn threads_make_each_value_once() {
    let values = Values::new();
    let all = |step: i32| -> Vec<Value> {
        let order: Vec<i32> = (0..60).map(|i| (i * step) % 60).collect();
        let mut made = vec![Values::ZERO; 60];
        for i in order {
            made[i as usize] = values.sum(values.ups(i % 10 - 5), values.nimber(i as u32 / 10));
        }
        made
    };
    let (forward, backward) = std::thread::scope(|scope| {
        let threads = [7, 53].map(|step| scope.spawn(move || all(step)));
        let [a, b] = threads.map(|thread| thread.join().unwrap());
        (a, b)
    });
    assert_eq!(forward, backward);
    for (i, &value) in forward.iter().enumerate() {
        assert_eq!(forward.iter().position(|&other| other == value), Some(i));
    }
}
