//! What does each check bit do to a table of ten address bits?
//!
//! ```text
//! 10+0   103.0 wrong a key     meets 403, believes all
//! 10+1   106.0                 meets 1,437: turned away 790, believed 647
//! 10+2    78.9
//! ```

use super::{
    Experiment, Lab, Measured, Number, Says, count, counts, d, least_and_most, ratio, same, share,
    unclear,
};
use crate::draw;
use crate::error::Error;
use crate::table::Counts;

const KEYS: u32 = draw::ESSAY_KEYS;
const TABLE: &str = "4x5, both roots share the tables; stored if the slot was empty at lookup; means over the sixty keys";
const WRONG: &str =
    "wrong: entries at the end whose verdict is not their board's; means over the sixty keys";
const WINNER: &str = "keys of the sixty with a wrong winner for either player to move";
const MET: &str = "lookups of an occupied slot that holds another board; means over the sixty keys";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "check-bits",
    name: "check_bits",
    question: "What does each check bit do to a table of ten address bits?",
    figures: &[
        same(
            "keys-wrong-16+0",
            "keys that store a wrong verdict at sixteen bits without a check",
            Says::Counts(&[59]),
            WRONG,
            |lab| Ok(count(lab.table(16, 0)?.iter().filter(|key| key.wrong > 0).count())),
        ),
        unclear(
            "multiplicative-key",
            "shared pairs that one multiplicative key held, of all",
            Says::Unstated(&[d("31"), d("32")]),
            "an earlier essay's figure; its multiplicative keys are not given",
            |_| Ok(Measured::Nothing),
        ),
        same(
            "stored",
            "positions that the search stores with a perfect table",
            Says::Counts(&[5988]),
            "moves by the domino's first square; both roots share the tables",
            |lab| Ok(count(lab.plain_searched()?)),
        ),
        same(
            "stored-a-side",
            "about three thousand positions a side",
            Says::About(d("3000"), 5),
            "Left's and Right's; about: within five per cent",
            |lab| {
                let stored = lab.stored()?;
                Ok(counts(stored.both().map(<[u64]>::len)))
            },
        ),
        same(
            "slots",
            "slots of a table of ten address bits",
            Says::Counts(&[1024]),
            TABLE,
            |lab| {
                // A slot of one bit a mover: the memory of both tables, halved.
                let setup = crate::table::Setup {
                    board: lab.four_by_five(),
                    holds: crate::table::Holds::Verdict,
                    split: crate::table::Split { address: 10, check: 0 },
                    rule: crate::table::Rule::Essays,
                };
                Ok(count(setup.memory_bits() / 2))
            },
        ),
        same(
            "wrong-10+0",
            "wrong verdicts with no check",
            Says::Digits(&[d("103")]),
            WRONG,
            |lab| wrong(lab, &[0]),
        ),
        same(
            "winner-10+0",
            "keys with the wrong winner, no check",
            Says::Counts(&[45]),
            WINNER,
            |lab| winners(lab, 0),
        ),
        same(
            "wrong-10+8",
            "wrong verdicts with eight check bits",
            Says::Digits(&[d("1.47")]),
            WRONG,
            |lab| wrong(lab, &[8]),
        ),
        same(
            "winner-10+8",
            "keys with the wrong winner, eight check bits",
            Says::Counts(&[1]),
            WINNER,
            |lab| winners(lab, 8),
        ),
        same(
            "wrong-10+2-to-8",
            "wrong verdicts with two to eight check bits",
            Says::Digits(&[
                d("78.8"),
                d("45.5"),
                d("24.3"),
                d("12.9"),
                d("5.8"),
                d("3.0"),
                d("1.5"),
            ]),
            WRONG,
            |lab| wrong(lab, &[2, 3, 4, 5, 6, 7, 8]),
        ),
        same(
            "first-bit-is-the-exception",
            "the first check bit does not lessen the wrong verdicts, each other one does",
            Says::Holds,
            WRONG,
            |lab| {
                let wrong = (0..=8).map(|check| total(lab, check, |key| key.wrong));
                let wrong = wrong.collect::<Result<Vec<u64>, Error>>()?;
                Ok(Measured::Holds(wrong[1] >= wrong[0] && wrong[1..].is_sorted_by(|a, b| a > b)))
            },
        ),
        same("met-10+0", "strangers met with no check", Says::Digits(&[d("403")]), MET, |lab| {
            Ok(share(total(lab, 0, |key| key.turned_away + key.believed)?, KEYS))
        }),
        same("turned-away-10+0", "and turned away", Says::Counts(&[0]), MET, |lab| {
            Ok(count(total(lab, 0, |key| key.turned_away)?))
        }),
        same(
            "met-10+1",
            "strangers met with one check bit, turned away, believed",
            Says::Digits(&[d("1437"), d("790"), d("647")]),
            MET,
            |lab| {
                let turned = total(lab, 1, |key| key.turned_away)?;
                let believed = total(lab, 1, |key| key.believed)?;
                Ok(Measured::Numbers(
                    [turned + believed, turned, believed].map(|n| ratio(n, KEYS)).into(),
                ))
            },
        ),
        same(
            "believed-halved",
            "the bit roughly halves how often a stranger is believed",
            Says::Digits(&[d("0.5")]),
            "believed ÷ met at 10+1, against 1 at 10+0",
            |lab| {
                let met = total(lab, 1, |key| key.turned_away + key.believed)?;
                Ok(share(total(lab, 1, |key| key.believed)?, met))
            },
        ),
        same(
            "met-tripled",
            "and a stranger is met more than three times as often",
            Says::AtLeast(d("3")),
            "met at 10+1 ÷ met at 10+0",
            |lab| {
                let met = |check| total(lab, check, |key| key.turned_away + key.believed);
                Ok(share(met(1)?, met(0)?))
            },
        ),
        same(
            "keys-wrong-10+8",
            "keys with a wrong verdict, eight check bits",
            Says::Counts(&[27]),
            WRONG,
            |lab| Ok(count(lab.table(10, 8)?.iter().filter(|key| key.wrong > 0).count())),
        ),
        same(
            "keys-wrong-10+4",
            "keys with a wrong verdict at four check bits, and with the wrong winner",
            Says::Counts(&[60, 27]),
            WRONG,
            |lab| {
                let keys = lab.table(10, 4)?;
                let wrong = keys.iter().filter(|key| key.wrong > 0).count();
                Ok(counts([wrong, keys.iter().filter(|key| key.winner_wrong).count()]))
            },
        ),
        same(
            "pairs-factor",
            "pairs sharing every bit are multiplied by this for each bit",
            Says::Extremes(d("0.46"), d("0.51")),
            "pairs of stored positions, the sixty keys together, 10 to 18 bits; least and most of the eight ratios",
            |lab| {
                let pairs = (10..=18).map(|bits| Ok(lab.length(bits)?.pairs));
                Ok(least_and_most(ratios(&pairs.collect::<Result<Vec<u64>, Error>>()?)))
            },
        ),
        same(
            "wrong-factor",
            "the mean of the wrong verdicts is multiplied by this",
            Says::Extremes(d("0.45"), d("0.58")),
            "10+2 to 10+8; least and most of the six ratios",
            |lab| Ok(least_and_most(ratios(&steady(lab, Of::Mean)?))),
        ),
        same(
            "worst-falls-slower",
            "bits of six on which the worst key falls more slowly than the mean",
            Says::Counts(&[5]),
            "10+2 to 10+8; the most wrong verdicts of any one key at each length",
            |lab| {
                let mean = ratios(&steady(lab, Of::Mean)?);
                let worst = ratios(&steady(lab, Of::Worst)?);
                Ok(count(
                    mean.iter()
                        .zip(&worst)
                        .filter(|(mean, worst)| worst.value() > mean.value())
                        .count(),
                ))
            },
        ),
        same(
            "worst-last-two",
            "wrong verdicts of the worst key at six, seven and eight check bits",
            Says::Counts(&[19, 18, 15]),
            WRONG,
            |lab| Ok(counts(steady(lab, Of::Worst)?[4..].iter().copied())),
        ),
        same(
            "worst-keeps",
            "per cent of them that the last two bits keep",
            Says::Digits(&[d("95"), d("83")]),
            "ratios of the worst keys' counts",
            |lab| {
                let worst = &steady(lab, Of::Worst)?[4..];
                Ok(Measured::Numbers(worst.windows(2).map(|w| ratio(100 * w[1], w[0])).collect()))
            },
        ),
        same(
            "worst-against-mean-10+8",
            "the worst key stores ten times the average at eight check bits",
            Says::Digits(&[d("10")]),
            WRONG,
            |lab| {
                let [worst, all] = [Of::Worst, Of::Mean].map(|l| Ok(steady(lab, l)?[6]));
                Ok(share(worst? * u64::from(KEYS), all?))
            },
        ),
    ],
};

/// The sum over the sixty keys at 10 + `check`.
fn total(lab: &Lab, check: u32, of: fn(&Counts) -> u64) -> Result<u64, Error> {
    Ok(lab.table(10, check)?.iter().map(of).sum())
}

fn wrong(lab: &Lab, checks: &[u32]) -> Result<Measured, Error> {
    let mean = |&check: &u32| Ok(ratio(total(lab, check, |key| key.wrong)?, KEYS));
    Ok(Measured::Numbers(checks.iter().map(mean).collect::<Result<_, Error>>()?))
}

fn winners(lab: &Lab, check: u32) -> Result<Measured, Error> {
    Ok(count(total(lab, check, |key| u64::from(key.winner_wrong))?))
}

#[derive(Clone, Copy)]
enum Of {
    Mean,
    Worst,
}

/// Wrong verdicts at two to eight check bits: of all keys together, or of the worst.
fn steady(lab: &Lab, of: Of) -> Result<Vec<u64>, Error> {
    let at = |check| {
        let keys = lab.table(10, check)?;
        let wrong = keys.iter().map(|key| key.wrong);
        Ok(match of {
            Of::Mean => wrong.sum(),
            Of::Worst => wrong.max().unwrap_or(0),
        })
    };
    (2..=8).map(at).collect()
}

/// Each count over the one before.
fn ratios(counts: &[u64]) -> Vec<Number> {
    counts.windows(2).map(|pair| ratio(pair[1], pair[0])).collect()
}
