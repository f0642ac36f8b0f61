//! Who wins the opening of Clobber, and what is it worth?
//!
//! ```text
//! xox      a mirror across the even side carries the opening to its colour
//! oxo      swap, so it is its own negative: nought, or a first-player win
//! ```

use super::lab::board;
use super::{Experiment, Lab, Measured, Says, counts, d, same};
use crate::board::Board;
use crate::error::Error;
use crate::game::{Game, clobber};
use crate::pieces::{Frame, Key, solve};
use crate::value::{Outcome, Value, Values};

const EVEN: [&str; 8] = ["2x3", "1x6", "2x6", "3x4", "1x4", "2x4", "1x8", "2x5"];
const ODD: [&str; 4] = ["1x5", "1x7", "1x9", "3x3"];
const START: &str = "checkerboard, Blue (Left) on the corner; canonical value of the opening";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "colour-swap",
    name: "openings",
    question: "Who wins the opening of Clobber, and what is it worth?",
    figures: &[
        same(
            "second-player-wins",
            "2x3, 1x6, 2x6 and 3x4 are worth nought",
            Says::Texts(&["0", "0", "0", "0"]),
            START,
            |lab| worth(lab, &EVEN[..4]),
        ),
        same(
            "first-player-wins",
            "1x4, 2x4, 1x8 and 2x5 are won by whoever starts",
            Says::Texts(&["First", "First", "First", "First"]),
            START,
            |lab| outcomes(lab, &EVEN[4..]),
        ),
        same(
            "own-negatives",
            "every one of the eight is its own negative",
            Says::Holds,
            START,
            |lab| {
                let own = EVEN.map(|name| {
                    let values = Values::new();
                    let value = opening(lab, board(name), &values)?;
                    Ok(values.negative(value) == value)
                });
                Ok(Measured::Holds(
                    own.into_iter()
                        .collect::<Result<Vec<bool>, Error>>()?
                        .into_iter()
                        .all(|own| own),
                ))
            },
        ),
        same(
            "a-star",
            "2x4 is worth a star",
            Says::Texts(&["∗"]),
            "the essay says a star or a longer value of the four; a star is 2x4",
            |lab| worth(lab, &["2x4"]),
        ),
        same("1x5", "the row of five", Says::Texts(&["{∗|↓}"]), START, |lab| {
            worth(lab, &["1x5"])
        }),
        same(
            "rows-of-5-and-7",
            "the rows of five and seven: Right wins, whoever starts",
            Says::Texts(&["Right", "Right"]),
            START,
            |lab| outcomes(lab, &["1x5", "1x7"]),
        ),
        same("1x9", "the row of nine", Says::Texts(&["↓∗"]), START, |lab| worth(lab, &["1x9"])),
        same("1x9-outcome", "which a first player wins", Says::Texts(&["First"]), START, |lab| {
            outcomes(lab, &["1x9"])
        }),
        same(
            "1x9-not-own-negative",
            "but which is not its own negative",
            Says::Holds,
            START,
            |lab| {
                let values = Values::new();
                let value = opening(lab, board("1x9"), &values)?;
                Ok(Measured::Holds(values.negative(value) != value))
            },
        ),
        same("3x3", "three by three", Says::Texts(&["∗"]), START, |lab| worth(lab, &["3x3"])),
        same(
            "split",
            "the even boards split between nought and first-player wins",
            Says::Counts(&[4, 4]),
            START,
            |lab| {
                let found = EVEN.map(|name| {
                    let values = Values::new();
                    Ok(opening(lab, board(name), &values)? == Values::ZERO)
                });
                let nought = found.into_iter().collect::<Result<Vec<bool>, Error>>()?;
                let nought = nought.into_iter().filter(|nought| *nought).count();
                Ok(counts([nought, EVEN.len() - nought]))
            },
        ),
        same(
            "one-stone-more",
            "stones that Blue has more on the boards with two odd sides",
            Says::Digits(&[d("1"), d("1"), d("1"), d("1")]),
            "1x5, 1x7, 1x9, 3x3",
            |_| {
                Ok(counts(ODD.map(|name| {
                    let board = board(name);
                    let [blue, red] = clobber::stones(board, clobber::Clobber.start(board));
                    i64::from(blue.count_ones()) - i64::from(red.count_ones())
                })))
            },
        ),
    ],
};

/// The opening's value, in a store of its own: numbers do not compare across stores.
fn opening(lab: &Lab, board: Board, values: &Values) -> Result<Value, Error> {
    let frame = Frame::new(board)?;
    Ok(solve::position_value(&frame, frame.start(), Key::Both, lab.piece_kernel()?, values))
}

fn worth(lab: &Lab, names: &[&str]) -> Result<Measured, Error> {
    let text = |name: &&str| {
        let values = Values::new();
        let value = opening(lab, board(name), &values)?;
        Ok(values.notation(value))
    };
    Ok(Measured::Texts(names.iter().map(text).collect::<Result<_, Error>>()?))
}

fn outcomes(lab: &Lab, names: &[&str]) -> Result<Measured, Error> {
    let text = |name: &&str| {
        let values = Values::new();
        let value = opening(lab, board(name), &values)?;
        Ok(match values.outcome(value) {
            Outcome::Left => "Left",
            Outcome::Right => "Right",
            Outcome::First => "First",
            Outcome::Second => "Second",
        }
        .to_owned())
    };
    Ok(Measured::Texts(names.iter().map(text).collect::<Result<_, Error>>()?))
}
