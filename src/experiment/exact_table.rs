//! What do exact and designed keys do in a table?
//!
//! ```text
//! exact key, literal    bit 0 = square 0, bit 1 = square 2, …     an address is the top of the key,
//!                       squares 1 and 5 left out                  so it reads the last squares
//! ```

use super::lab::{Design, SEED};
use super::{
    Experiment, Lab, Measured, Number, Says, count, counts, d, differs, ratio, same, spread,
    unclear,
};
use crate::design;
use crate::draw;
use crate::error::Error;
use crate::table::{Counts, KeySet, Split, exact_words, mixed};

/// Mixings of the exact key, and of each designed code.
const MIXINGS: usize = 2000;
const DESIGN_MIXINGS: usize = 40;

const EXACT: &str = "squares 1 and 5 left out, the first kept square the lowest bit; both roots; searched beyond 5,988";
const SIXTY: &str = "the sixty keys; wrong: entries at the end whose verdict is not their board's";
const MIXED: &str =
    "least and most over 2,000 random invertible matrices: the essay's matrix is not given";
const BASIS: &str = "least and most over the searches' codes, each under 40 random mixings of its bits: the essay's codes and bases are not given";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "key-is-a-code",
    name: "exact_table",
    question: "What do exact and designed keys do in a table?",
    figures: &[
        same(
            "exact-wrong",
            "wrong verdicts of the exact key, and wrong winners, over every split of 18 bits",
            Says::Counts(&[0, 0]),
            "the literal key at 1+17, 2+16 … 18+0",
            |lab| {
                let mut sums = [0, 0];
                for address in 1..=18 {
                    let split = Split { address, check: 18 - address };
                    let key = lab.table_of(&KeySet::ExactLiteral, split, 1)?[0];
                    sums[0] += key.wrong;
                    sums[1] += u64::from(key.winner_wrong);
                }
                Ok(counts(sums))
            },
        ),
        same(
            "random-18+0",
            "wrong verdicts of random keys at 18+0, mean",
            Says::Digits(&[d("12.3")]),
            SIXTY,
            |lab| Ok(mean(&lab.table(18, 0)?, |key| key.wrong as i64)),
        ),
        same("random-18+0-worst", "and of the worst", Says::Counts(&[134]), SIXTY, |lab| {
            Ok(worst(&lab.table(18, 0)?))
        }),
        same(
            "random-10+8",
            "wrong verdicts of random keys at 10+8, mean",
            Says::Digits(&[d("1.5")]),
            SIXTY,
            |lab| Ok(mean(&lab.table(10, 8)?, |key| key.wrong as i64)),
        ),
        same("random-10+8-worst", "and of the worst", Says::Counts(&[15]), SIXTY, |lab| {
            Ok(worst(&lab.table(10, 8)?))
        }),
        same(
            "exact-literal-again",
            "positions that the literal exact key searches again at 14+4 and 10+8",
            Says::Counts(&[16_832, 25_038]),
            EXACT,
            |lab| again(lab, |square| square),
        ),
        differs(
            "exact-literal-first-squares",
            "the same, with an address that reads the first squares, as the prose has it",
            Says::Counts(&[16_832, 25_038]),
            "the first kept square the highest bit; the essay's numbers come from the last squares",
            |lab| again(lab, |square| 19 - square),
        ),
        unclear(
            "exact-mixed-14+4",
            "positions that a mixed exact key searches again at 14+4",
            Says::Unstated(&[d("222")]),
            MIXED,
            |lab| mixed_again(lab, Split { address: 14, check: 4 }),
        ),
        unclear("exact-mixed-10+8", "and at 10+8", Says::Unstated(&[d("10110")]), MIXED, |lab| {
            mixed_again(lab, Split { address: 10, check: 8 })
        }),
        same(
            "random-again-10+8",
            "positions that a random key searches again at 10+8",
            Says::Digits(&[d("9718")]),
            "mean over the sixty keys, beyond 5,988",
            |lab| {
                let plain = lab.plain_searched()?;
                let keys = lab.table(10, 8)?;
                let searched: u64 = keys.iter().map(|key| key.searched).sum();
                Ok(Measured::Numbers(vec![ratio(searched - plain * keys.len() as u64, keys.len())]))
            },
        ),
        same(
            "random-16+0",
            "wrong verdicts of random keys at 16+0 and 10+6, means",
            Says::Digits(&[d("48.1"), d("5.8")]),
            SIXTY,
            |lab| {
                let mean = |keys: &[Counts]| {
                    ratio(keys.iter().map(|key| key.wrong).sum::<u64>(), draw::ESSAY_KEYS)
                };
                Ok(Measured::Numbers(vec![mean(&lab.table(16, 0)?), mean(&lab.table(10, 6)?)]))
            },
        ),
        differs(
            "board-read-16+0",
            "wrong verdicts of the board-read code at 16+0",
            Says::Unstated(&[d("12")]),
            BASIS,
            |lab| wrong(lab, Design::BoardRead, 16, 0),
        ),
        unclear("board-read-10+6", "and at 10+6", Says::Unstated(&[d("1")]), BASIS, |lab| {
            wrong(lab, Design::BoardRead, 10, 6)
        }),
        unclear(
            "distance-16+0",
            "wrong verdicts of the largest-distance code at 16+0",
            Says::Unstated(&[d("63")]),
            BASIS,
            |lab| wrong(lab, Design::Distance, 16, 0),
        ),
        unclear("distance-10+6", "and at 10+6", Says::Unstated(&[d("18")]), BASIS, |lab| {
            wrong(lab, Design::Distance, 10, 6)
        }),
        unclear(
            "board-read-winner",
            "the board-read code names the wrong winner at 16+0 and at 10+6: 1 of 1 key each",
            Says::Unstated(&[d("1")]),
            "least and most over the same keys of whether the winner is wrong",
            |lab| winners(lab, Design::BoardRead, &[(16, 0), (10, 6)]),
        ),
        unclear(
            "distance-winner",
            "the largest-distance code does at 16+0",
            Says::Unstated(&[d("1")]),
            "least and most over the same keys of whether the winner is wrong",
            |lab| winners(lab, Design::Distance, &[(16, 0)]),
        ),
        unclear(
            "one-wrong-verdict-enough",
            "one wrong verdict names the wrong winner: the fewest wrong verdicts with a wrong winner",
            Says::Unstated(&[d("1")]),
            "least and most over the board-read keys at 10+6, and over the sixty keys at every split measured",
            |lab| {
                let mut all = designed(lab, Design::BoardRead, 10, 6)?;
                for (address, check) in [(16, 0), (10, 6), (10, 7), (10, 8), (8, 8), (18, 0)] {
                    all.extend_from_slice(&lab.table(address, check)?);
                }
                let wrong = all.iter().filter(|key| key.winner_wrong);
                Ok(spread(wrong.map(|key| ratio(key.wrong, 1))))
            },
        ),
        same(
            "missing-bits",
            "bits of layout that a position with a known mover does not need",
            Says::Counts(&[2]),
            "squares less the bits of the shortest exact key of 4x5",
            |lab| {
                let words = exact_words(lab.four_by_five()).expect("4x5 has two rows");
                Ok(count(words.len() - crate::gf2::rank(&words)))
            },
        ),
    ],
};

fn mean(keys: &[Counts], of: fn(&Counts) -> i64) -> Measured {
    Measured::Numbers(vec![ratio(keys.iter().map(of).sum::<i64>(), keys.len())])
}

fn worst(keys: &[Counts]) -> Measured {
    count(keys.iter().map(|key| key.wrong).max().unwrap_or(0))
}

/// What the literal key searches again at 14+4 and 10+8, its squares taken in
/// the order that `place` gives them.
fn again(lab: &Lab, place: fn(usize) -> usize) -> Result<Measured, Error> {
    let literal = exact_words(lab.four_by_five()).expect("4x5 has two rows");
    let mut order: Vec<usize> = (0..literal.len()).filter(|&square| literal[square] != 0).collect();
    order.sort_unstable_by_key(|&square| place(square));
    let mut words = vec![0; literal.len()];
    order.iter().enumerate().for_each(|(bit, &square)| words[square] = 1 << bit);
    let width = order.len() as u32;
    let keys = KeySet::Given { width, keys: vec![words], mixing: None };
    let again = |address| -> Result<u64, Error> {
        let split = Split { address, check: width - address };
        Ok(lab.table_of(&keys, split, 1)?[0].searched - lab.plain_searched()?)
    };
    Ok(counts([again(14)?, again(10)?]))
}

fn mixed_again(lab: &Lab, split: Split) -> Result<Measured, Error> {
    let plain = lab.plain_searched()?;
    let keys = lab.table_of(&KeySet::ExactMixed { seed: SEED }, split, MIXINGS)?;
    Ok(spread(keys.iter().map(|key| ratio(key.searched - plain, 1))))
}

/// What a design's codes do at 16 bits, each under several mixings of its bits.
fn designed(lab: &Lab, design: Design, address: u32, check: u32) -> Result<Vec<Counts>, Error> {
    let codes = lab.design(design, (address + check) as usize)?;
    let keys: Vec<Vec<u64>> = codes
        .iter()
        .flat_map(|code| {
            let words = design::mixed_words(code, SEED);
            let mix = move |number| mixed(&words, address + check, SEED, number as u64);
            (0..DESIGN_MIXINGS).map(mix)
        })
        .collect();
    let count = keys.len();
    let keys = KeySet::Given { width: address + check, keys, mixing: None };
    lab.table_of(&keys, Split { address, check }, count)
}

fn wrong(lab: &Lab, design: Design, address: u32, check: u32) -> Result<Measured, Error> {
    Ok(spread(designed(lab, design, address, check)?.iter().map(|key| ratio(key.wrong, 1))))
}

fn winners(lab: &Lab, design: Design, splits: &[(u32, u32)]) -> Result<Measured, Error> {
    let mut numbers: Vec<Number> = Vec::new();
    for &(address, check) in splits {
        let keys = designed(lab, design, address, check)?;
        numbers.extend(keys.iter().map(|key| ratio(u8::from(key.winner_wrong), 1)));
    }
    Ok(spread(numbers))
}
