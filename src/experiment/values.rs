//! How far do values fold what shapes do not?
//!
//! ```text
//! 3x4    11,191 pieces    2,376 orbits under all sixteen images    632 values
//! ```

use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use super::lab::board;
use super::{
    Experiment, Lab, Measured, Number, Says, count, counts, d, differs, ratio, same, share, unclear,
};
use crate::error::Error;
use crate::pieces::Key;
use crate::pieces::census::Valued;
use crate::value::{Value, Values};

const BOTH: [&str; 2] = ["3x4", "2x6"];
const CANONICAL: &str = "canonical forms of all reachable live pieces; 3x4, 2x6";
const CHECKS: &str = "each piece valued on its own, against each other image of it in the table, and its colour swap if that is there; 3x4";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "colour-swap",
    name: "values",
    question: "How far do values fold what shapes do not?",
    figures: &[
        same(
            "born-by-day-3",
            "values born by day three, and those that are their own negatives",
            Says::Counts(&[1474, 30]),
            "every game whose options are born by day two",
            |_| {
                let values = Values::new();
                let born = (0..3).fold(vec![Values::ZERO], |born, _| next_day(&values, &born));
                let own = born.iter().filter(|&&value| values.negative(value) == value).count();
                Ok(counts([born.len(), own]))
            },
        ),
        same(
            "mirror-and-colour-checks",
            "checks of a mirrored copy, of a swapped one, and those that fail",
            Says::Counts(&[22_784, 2_470, 0]),
            CHECKS,
            |lab| {
                of_values(lab, "3x4", |valued| {
                    let found = valued.counts;
                    counts([found.mirror_checks, found.colour_checks, found.failures])
                })
            },
        ),
        same("distinct", "different values", Says::Counts(&[632, 286]), CANONICAL, |lab| {
            each(lab, |valued, _| ratio(valued.counts.distinct, 1))
        }),
        same(
            "fold",
            "pieces to a value",
            Says::Digits(&[d("17.7"), d("17.5")]),
            CANONICAL,
            |lab| each(lab, |valued, pieces| ratio(pieces, valued.counts.distinct)),
        ),
        same(
            "past-the-ceiling",
            "past the ceiling of sixteen",
            Says::AtLeast(d("16")),
            CANONICAL,
            |lab| each(lab, |valued, pieces| ratio(pieces, valued.counts.distinct)),
        ),
        same(
            "self-negative",
            "pieces of 3x4 worth their own negative",
            Says::Counts(&[4195]),
            CANONICAL,
            |lab| of_values(lab, "3x4", |valued| count(valued.counts.self_negative)),
        ),
        same(
            "self-negative-by-value-share",
            "more than a third of the pieces on both boards",
            Says::AtLeast(d("0.334")),
            CANONICAL,
            |lab| each(lab, |valued, pieces| ratio(valued.counts.self_negative, pieces)),
        ),
        same("nought", "pieces of 3x4 worth nought", Says::Counts(&[2079]), CANONICAL, |lab| {
            of_values(lab, "3x4", |valued| count(valued.counts.zero))
        }),
        same(
            "nought-share",
            "nearly a fifth of them",
            Says::From(d("0.17"), d("0.2")),
            "of the 11,191 pieces of 3x4; nearly a fifth: 0.17 to 0.2",
            |lab| {
                let census = lab.clobber(board("3x4"))?;
                let zero = census.valued.as_ref().map_or(0, |valued| valued.counts.zero);
                Ok(share(zero, census.pieces.len()))
            },
        ),
        same(
            "nought-commonest",
            "nought is the commonest value",
            Says::Holds,
            "pieces of 3x4 by value",
            |lab| {
                let [nought, next] = commonest(lab)?;
                Ok(Measured::Holds(nought > next))
            },
        ),
        differs(
            "nought-commonest-by-far",
            "and by far: how many times the pieces of the next",
            Says::AtLeast(d("1.5")),
            "pieces of 3x4 worth nought ÷ pieces of the next commonest value (a star); by far: half as many again",
            |lab| {
                let [nought, next] = commonest(lab)?;
                Ok(share(nought, next))
            },
        ),
        same(
            "all-small",
            "every value is all-small: whoever can move, the other can",
            Says::Holds,
            "every position of every canonical form on 3x4 and 2x6",
            |lab| {
                let small = BOTH.map(|name| of_values(lab, name, all_small));
                Ok(Measured::Holds(
                    small.into_iter().collect::<Result<Vec<_>, Error>>()?
                        == [Measured::Holds(true), Measured::Holds(true)],
                ))
            },
        ),
        unclear(
            "sixteen-images-twice-the-work",
            "the sixteen-image key takes twice the work of the eight-image key",
            Says::Unstated(&[d("2")]),
            "time to key all pieces of 4x4, median of nine turns: a time is the machine's, and is not judged",
            |lab| Ok(Measured::TimeRatio(work(lab)?)),
        ),
        same(
            "ten-times-the-pieces",
            "3x5 has ten times the pieces of 3x4",
            Says::About(d("10"), 15),
            "about: within 15 per cent",
            |lab| {
                let [large, small] = ["3x5", "3x4"].map(|name| lab.clobber(board(name)));
                Ok(share(large?.pieces.len(), small?.pieces.len()))
            },
        ),
        unclear(
            "folding-costs",
            "times the whole cost of not folding that mapping entries of Domineering took",
            Says::Unstated(&[d("17.5")]),
            "an earlier essay's measurement; its solver is not given",
            |_| Ok(Measured::Nothing),
        ),
    ],
};

fn of_values(lab: &Lab, name: &str, of: fn(&Valued) -> Measured) -> Result<Measured, Error> {
    let census = lab.clobber(board(name))?;
    Ok(of(census.valued.as_ref().expect("the lab values every board")))
}

fn each(lab: &Lab, of: fn(&Valued, usize) -> Number) -> Result<Measured, Error> {
    let numbers = BOTH.map(|name| {
        let census = lab.clobber(board(name))?;
        let valued = census.valued.as_ref().expect("the lab values every board");
        Ok(of(valued, census.pieces.len()))
    });
    Ok(Measured::Numbers(numbers.into_iter().collect::<Result<_, Error>>()?))
}

/// How many pieces of 3x4 are worth nought, and how many the commonest other value.
fn commonest(lab: &Lab) -> Result<[u64; 2], Error> {
    let census = lab.clobber(board("3x4"))?;
    let valued = census.valued.as_ref().expect("the lab values every board");
    let mut pieces: BTreeMap<Value, u64> = BTreeMap::new();
    for piece in census.pieces.layers().concat() {
        let value = census.pieces.value(&valued.values, piece).expect("every piece is valued");
        *pieces.entry(value).or_default() += 1;
    }
    let nought = pieces.remove(&Values::ZERO).unwrap_or(0);
    Ok([nought, pieces.into_values().max().unwrap_or(0)])
}

/// Whether in every value made, and so in all their positions, either both
/// players can move or neither.
fn all_small(valued: &Valued) -> Measured {
    let values = &valued.values;
    let mut open = vec![valued.opening];
    open.extend((0..values.len() as u32).filter_map(|number| values.get(number)));
    // The store holds sums and tests beside the pieces' values: only all-small
    // ones can come of all-small pieces, but for the tests, made first.
    let mut seen = HashSet::new();
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        if values.left(value).is_empty() != values.right(value).is_empty() {
            return Measured::Holds(false);
        }
        open.extend(values.left(value).iter().chain(values.right(value)));
    }
    Measured::Holds(true)
}

/// Time of keying all pieces of 4x4 under all sixteen images over that under eight.
fn work(lab: &Lab) -> Result<f64, Error> {
    let (census, kernel) = (lab.clobber(board("4x4"))?, lab.piece_kernel()?);
    let pieces = census.pieces.layers().concat();
    let (mut keys, mut swapped) = (pieces.clone(), vec![false; pieces.len()]);
    let mut seconds = |key| {
        keys.copy_from_slice(&pieces);
        let start = Instant::now();
        kernel.keys(census.pieces.frame(), key, &mut keys, &mut swapped);
        start.elapsed().as_secs_f64()
    };
    let mut ratios: Vec<f64> =
        (0..9).map(|_| seconds(Key::Both) / seconds(Key::Symmetry)).collect();
    ratios.sort_unstable_by(f64::total_cmp);
    Ok(ratios[4])
}

/// Every value whose options are among `born`: with no option above another
/// among a player's, since the lower for Left, the higher for Right, is idle.
fn next_day(values: &Values, born: &[Value]) -> Vec<Value> {
    let apart = |a: Value, b: Value| !values.le(a, b) && !values.le(b, a);
    let mut antichains: Vec<Vec<Value>> = vec![vec![]];
    for &value in born {
        let with: Vec<Vec<Value>> = antichains
            .iter()
            .filter(|chain| chain.iter().all(|&other| apart(other, value)))
            .map(|chain| chain.iter().copied().chain([value]).collect())
            .collect();
        antichains.extend(with);
    }
    let pairs =
        antichains.iter().flat_map(|left| antichains.iter().map(move |right| (left, right)));
    let made: HashSet<Value> = pairs.map(|(left, right)| values.game(left, right)).collect();
    made.into_iter().collect()
}
