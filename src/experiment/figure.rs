//! One figure of an essay: what it says, what was measured, and the verdict.
//!
//! ```text
//! says      Digits 48.1          measured  2889/60      |2889/60 − 48.1| ≤ 0.05     same
//! says      Count 18             measured  29           equal?                      differs
//! says      Unstated 222         measured  185 to 799   within?                     essay unclear
//! ```
//!
//! Numbers are compared as ratios of integers, with half a unit of the last
//! digit that the essay prints for a tolerance (both neighbours of a tie are
//! right), and never as text.

use serde_json::{Value, json};

use super::number::{Decimal, Number, ratio};

/// What an essay says.
#[derive(Clone, Copy, Debug)]
pub enum Says {
    /// These integers, exactly.
    Counts(&'static [i128]),
    /// These numbers, to the digits printed.
    Digits(&'static [Decimal]),
    /// Numbers whose least and largest are these, to the digits printed.
    Extremes(Decimal, Decimal),
    /// `about` a number: within so many per cent of it.
    About(Decimal, u8),
    /// Words for a number, which the convention turns into bounds, both included.
    From(Decimal, Decimal),
    /// Words for at least so much.
    AtLeast(Decimal),
    /// Names or values in a notation.
    Texts(&'static [&'static str]),
    /// Something that holds.
    Holds,
    /// Numbers that depend on what the essay does not say: a seed, a sample, another essay.
    Unstated(&'static [Decimal]),
}

/// What this run found.
#[derive(Clone, PartialEq, Debug)]
pub enum Measured {
    /// Numbers, in the order in which the essay gives them.
    Numbers(Vec<Number>),
    /// The least and the largest of many that the essay's words allow.
    Spread(Number, Number),
    /// Names or values in a notation.
    Texts(Vec<String>),
    /// Whether it holds.
    Holds(bool),
    /// One time over another, on this machine in this run: told, never judged.
    TimeRatio(f64),
    /// Nothing: the essay does not say what to measure.
    Nothing,
}

/// One integer.
pub fn count(count: impl TryInto<i128>) -> Measured {
    counts([count])
}

/// Integers.
pub fn counts<N: TryInto<i128>>(counts: impl IntoIterator<Item = N>) -> Measured {
    Measured::Numbers(counts.into_iter().map(|count| ratio(count, 1)).collect())
}

/// One ratio.
pub fn share(over: impl TryInto<i128>, under: impl TryInto<i128>) -> Measured {
    Measured::Numbers(vec![ratio(over, under)])
}

/// The least and the largest of numbers.
pub fn spread(numbers: impl IntoIterator<Item = Number>) -> Measured {
    let [least, most] = extremes(numbers);
    Measured::Spread(least, most)
}

/// The least and the largest of numbers, to be compared each on its own.
pub fn least_and_most(numbers: impl IntoIterator<Item = Number>) -> Measured {
    Measured::Numbers(extremes(numbers).into())
}

fn extremes(numbers: impl IntoIterator<Item = Number>) -> [Number; 2] {
    let mut numbers: Vec<Number> = numbers.into_iter().collect();
    numbers.sort_by(|a, b| a.value().total_cmp(&b.value()));
    [numbers[0], numbers[numbers.len() - 1]]
}

/// What comes of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub enum Verdict {
    /// The measured figure is the essay's, to the digits that it prints.
    #[serde(rename = "same")]
    Same,
    /// It is not.
    #[serde(rename = "differs")]
    Differs,
    /// The essay does not say enough to tell, and what it says is possible.
    #[serde(rename = "essay unclear")]
    Unclear,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Same => "same",
            Self::Differs => "differs",
            Self::Unclear => "essay unclear",
        })
    }
}

/// Compares.
///
/// # Panics
/// If what was measured is of another kind than what the essay says: our bug.
pub fn judge(says: Says, measured: &Measured) -> Verdict {
    use Measured::{Holds, Nothing, Numbers, Spread, Texts, TimeRatio};
    let same = match (says, measured) {
        (Says::Unstated(printed), Spread(least, most)) => {
            let within = |&d: &Decimal| least.value() <= d.value() && d.value() <= most.value();
            return if printed.iter().all(within) { Verdict::Unclear } else { Verdict::Differs };
        }
        (Says::Unstated(_), Numbers(_) | TimeRatio(_) | Nothing) => return Verdict::Unclear,
        (Says::Counts(said), Numbers(found)) => {
            let integer = |&units: &i128| Decimal::integer(units);
            pairwise(&said.iter().map(integer).collect::<Vec<_>>(), found, Number::is)
        }
        (Says::Digits(said), Numbers(found)) => pairwise(said, found, Number::rounds_to),
        (Says::Extremes(least, most), Numbers(found)) => {
            pairwise(&[least, most], found, Number::rounds_to)
        }
        (Says::About(about, percent), Numbers(found)) => found.iter().all(|number| {
            (number.value() / about.value() - 1.0).abs() * 100.0 <= f64::from(percent)
        }),
        (Says::From(least, most), Numbers(found)) => found
            .iter()
            .all(|number| number.at_least(least) && (!number.at_least(most) || number.is(most))),
        (Says::AtLeast(least), Numbers(found)) => found.iter().all(|number| number.at_least(least)),
        (Says::Texts(said), Texts(found)) => said.iter().eq(found),
        (Says::Holds, Holds(holds)) => *holds,
        (says, measured) => panic!("{says:?} and {measured:?} are not of one kind"),
    };
    if same { Verdict::Same } else { Verdict::Differs }
}

fn pairwise(said: &[Decimal], found: &[Number], agree: fn(Number, Decimal) -> bool) -> bool {
    said.len() == found.len() && said.iter().zip(found).all(|(&said, &found)| agree(found, said))
}

fn one_or_list(mut values: Vec<Value>) -> Value {
    if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
}

impl Says {
    /// As JSON: numbers as numbers, bounds with their names.
    pub fn json(self) -> Value {
        match self {
            Self::Counts(counts) => one_or_list(counts.iter().map(|&n| json!(n as i64)).collect()),
            Self::Digits(digits) | Self::Unstated(digits) => {
                one_or_list(digits.iter().map(Decimal::json).collect())
            }
            Self::Extremes(least, most) => {
                json!({"least": least.json(), "most": most.json()})
            }
            Self::About(about, percent) => {
                json!({"about": about.json(), "within_percent": percent})
            }
            Self::From(least, most) => json!({"from": least.json(), "to": most.json()}),
            Self::AtLeast(least) => json!({"at_least": least.json()}),
            Self::Texts(texts) => one_or_list(texts.iter().map(|&text| json!(text)).collect()),
            Self::Holds => json!(true),
        }
    }

    /// For a person.
    pub fn readable(self) -> String {
        match self {
            Self::Counts(counts) => listed(counts.iter().map(|&n| crate::cmd::grouped(n as u128))),
            Self::Digits(digits) | Self::Unstated(digits) if digits.is_empty() => "–".into(),
            Self::Digits(digits) | Self::Unstated(digits) => {
                listed(digits.iter().map(Decimal::readable))
            }
            Self::Extremes(least, most) => format!("{} to {}", least.readable(), most.readable()),
            Self::About(about, _) => format!("about {}", about.readable()),
            Self::From(least, most) => format!("{} to {}", least.readable(), most.readable()),
            Self::AtLeast(least) => format!("at least {}", least.readable()),
            Self::Texts(texts) => listed(texts.iter().map(|&text| text.to_owned())),
            Self::Holds => "holds".into(),
        }
    }
}

impl Measured {
    /// As JSON.
    pub fn json(&self) -> Value {
        let number = |number: &Number| match *number {
            Number::Ratio(over, under) if over % under == 0 => json!((over / under) as i64),
            number => json!(number.value()),
        };
        match self {
            Self::Numbers(numbers) => one_or_list(numbers.iter().map(number).collect()),
            Self::Spread(least, most) => json!({"least": number(least), "most": number(most)}),
            Self::Texts(texts) => one_or_list(texts.iter().map(|text| json!(text)).collect()),
            Self::Holds(holds) => json!(holds),
            Self::TimeRatio(ratio) => json!({ "time_ratio": ratio }),
            Self::Nothing => Value::Null,
        }
    }

    /// For a person: four significant digits of what is no integer.
    pub fn readable(&self) -> String {
        let number = |number: &Number| match *number {
            Number::Ratio(over, under) if over % under == 0 && over >= 0 => {
                crate::cmd::grouped((over / under) as u128)
            }
            number => {
                let value = number.value();
                let whole = value.abs().max(1.0).log10().floor() as usize + 1;
                format!("{value:.*}", 4usize.saturating_sub(whole))
            }
        };
        match self {
            Self::Numbers(numbers) => listed(numbers.iter().map(number)),
            Self::Spread(least, most) => format!("{} to {}", number(least), number(most)),
            Self::Texts(texts) => listed(texts.iter().cloned()),
            Self::TimeRatio(ratio) => format!("{ratio:.2} times the time, this time"),
            Self::Holds(true) => "holds".into(),
            Self::Holds(false) => "does not hold".into(),
            Self::Nothing => "–".into(),
        }
    }
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join("  ")
}

#[cfg(test)]
mod tests {
    use super::super::number::d;
    use super::Verdict::{Differs, Same, Unclear};
    use super::*;

    /// Every kind of expectation accepts what it should and refuses what is next to it.
    #[test]
    fn a_mutated_expectation_fails() {
        let mean = share(2889, 60); // 48.15: a tie
        let cases = [
            (const { Says::Counts(&[5988]) }, count(5988), Same),
            (const { Says::Counts(&[5989]) }, count(5988), Differs),
            (const { Says::Counts(&[5988, 1]) }, count(5988), Differs),
            (const { Says::Counts(&[48]) }, mean.clone(), Differs),
            (const { Says::Digits(&[d("48.1")]) }, mean.clone(), Same),
            (const { Says::Digits(&[d("48.2")]) }, mean.clone(), Same),
            (const { Says::Digits(&[d("48.0")]) }, mean.clone(), Differs),
            (const { Says::Digits(&[d("48.3")]) }, mean.clone(), Differs),
            (const { Says::Digits(&[d("48")]) }, mean.clone(), Same),
            (const { Says::Digits(&[d("48.15")]) }, mean.clone(), Same),
            (const { Says::Digits(&[d("48.16")]) }, mean, Differs),
            (
                const { Says::Digits(&[d("0.36")]) },
                Measured::Numbers(vec![Number::Real(0.3564)]),
                Same,
            ),
            (
                const { Says::Digits(&[d("0.35")]) },
                Measured::Numbers(vec![Number::Real(0.3564)]),
                Differs,
            ),
            (Says::Extremes(d("0.4"), d("0.6")), least_and_most([ratio(3, 5), ratio(2, 5)]), Same),
            (
                Says::Extremes(d("0.4"), d("0.5")),
                least_and_most([ratio(3, 5), ratio(2, 5)]),
                Differs,
            ),
            (Says::About(d("165"), 1), share(31_450, 190), Same),
            (Says::About(d("163"), 1), share(31_450, 190), Differs),
            (Says::From(d("0.2"), d("0.3")), share(3, 10), Same),
            (Says::From(d("0.2"), d("0.29")), share(3, 10), Differs),
            (Says::From(d("0.31"), d("0.4")), share(3, 10), Differs),
            (Says::AtLeast(d("3")), share(9, 3), Same),
            (Says::AtLeast(d("3")), share(8, 3), Differs),
            (const { Says::Texts(&["∗"]) }, Measured::Texts(vec!["∗".into()]), Same),
            (const { Says::Texts(&["∗"]) }, Measured::Texts(vec!["∗2".into()]), Differs),
            (const { Says::Texts(&["∗"]) }, Measured::Texts(vec![]), Differs),
            (Says::Holds, Measured::Holds(true), Same),
            (Says::Holds, Measured::Holds(false), Differs),
            (
                const { Says::Unstated(&[d("222")]) },
                spread([ratio(799, 1), ratio(185, 1)]),
                Unclear,
            ),
            (
                const { Says::Unstated(&[d("184")]) },
                spread([ratio(799, 1), ratio(185, 1)]),
                Differs,
            ),
            (
                const { Says::Unstated(&[d("800")]) },
                spread([ratio(799, 1), ratio(185, 1)]),
                Differs,
            ),
            (const { Says::Unstated(&[]) }, Measured::Nothing, Unclear),
            (const { Says::Unstated(&[d("2")]) }, Measured::TimeRatio(2.0), Unclear),
            (const { Says::Unstated(&[d("2")]) }, Measured::TimeRatio(9.0), Unclear),
        ];
        for (says, measured, verdict) in cases {
            assert_eq!(judge(says, &measured), verdict, "{says:?} against {measured:?}");
        }
    }

    #[test]
    #[should_panic(expected = "not of one kind")]
    fn kinds_do_not_mix() {
        judge(Says::Holds, &count(1));
    }

    #[test]
    #[should_panic(expected = "not of one kind")]
    fn a_time_is_not_judged() {
        judge(Says::About(d("2"), 10), &Measured::TimeRatio(2.0));
    }
}
