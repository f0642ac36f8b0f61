//! An address bit or a check bit?
//!
//! ```text
//!         wrong   searches again   memory, bits
//! 16+0     48.1         fewer         131,072
//! 10+6      5.8         8,800          14,336
//! 8+8      0.15        25,600           4,608
//! ```

use super::{Experiment, Lab, Measured, Says, count, counts, d, ratio, same, share};
use crate::draw;
use crate::error::Error;
use crate::table::{Counts, Holds, Rule, Setup, Split};

const KEYS: u32 = draw::ESSAY_KEYS;
const WRONG: &str =
    "entries at the end whose verdict is not their board's; means over the sixty keys";
const MEMORY: &str = "slots of both tables times one bit of verdict and the check";
const AGAIN: &str = "searched beyond 5,988; means over the sixty keys";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "check-bits",
    name: "splits",
    question: "An address bit or a check bit?",
    figures: &[
        same(
            "wrong-16",
            "wrong verdicts at 16+0, 10+6 and 8+8",
            Says::Digits(&[d("48.1"), d("5.8"), d("0.15")]),
            WRONG,
            |lab| means(lab, &[(16, 0), (10, 6), (8, 8)], |key| key.wrong),
        ),
        same(
            "factor-of-eight",
            "16+0 against 10+6, which the total of bits would make equal",
            Says::Digits(&[d("8")]),
            WRONG,
            |lab| {
                Ok(share(sum(lab, (16, 0), |key| key.wrong)?, sum(lab, (10, 6), |key| key.wrong)?))
            },
        ),
        same(
            "winners-16",
            "keys with the wrong winner at 16+0, 10+6 and 8+8",
            Says::Counts(&[19, 7, 1]),
            "of the sixty, for either player to move",
            |lab| {
                let wrong = [(16, 0), (10, 6), (8, 8)]
                    .map(|split| sum(lab, split, |key| u64::from(key.winner_wrong)));
                Ok(counts(wrong.into_iter().collect::<Result<Vec<u64>, Error>>()?))
            },
        ),
        same(
            "stored-16",
            "positions that 16+0 and 10+6 store",
            Says::Digits(&[d("5506"), d("1911")]),
            "entries at the end in both tables; means over the sixty keys",
            |lab| means(lab, &[(16, 0), (10, 6)], |key| key.stored),
        ),
        same(
            "fewer-searched-16+0",
            "16+0 searches fewer positions than the plain search",
            Says::Holds,
            AGAIN,
            |lab| {
                let plain = lab.plain_searched()? * u64::from(KEYS);
                Ok(Measured::Holds(sum(lab, (16, 0), |key| key.searched)? < plain))
            },
        ),
        same(
            "again-10+6",
            "about 8,800 positions more at 10+6",
            Says::About(d("8800"), 1),
            "searched beyond 5,988; means over the sixty keys; about: within one per cent",
            |lab| again(lab, (10, 6), 1),
        ),
        same(
            "again-8+8",
            "about 25,600 positions more at 8+8",
            Says::About(d("25600"), 1),
            "searched beyond 5,988; means over the sixty keys; about: within one per cent",
            |lab| again(lab, (8, 8), 1),
        ),
        same(
            "again-8+8-against-plain",
            "which is more than four times the plain search's own",
            Says::AtLeast(d("4")),
            AGAIN,
            |lab| again(lab, (8, 8), lab.plain_searched()?),
        ),
        same(
            "memory-16+0",
            "bits of the tables at 16+0",
            Says::Counts(&[131_072]),
            MEMORY,
            |lab| Ok(count(memory(lab, 16, 0))),
        ),
        same(
            "memory-10+6",
            "and at 10+6: slots, bits a slot, bits",
            Says::Counts(&[2048, 7, 14_336]),
            MEMORY,
            |lab| {
                let slots = memory(lab, 10, 0);
                Ok(counts([slots, memory(lab, 10, 6) / slots, memory(lab, 10, 6)]))
            },
        ),
        same(
            "memory-ninth",
            "about a ninth of the memory",
            Says::Digits(&[d("9")]),
            MEMORY,
            |lab| Ok(share(memory(lab, 16, 0), memory(lab, 10, 6))),
        ),
        same(
            "wrong-eighth",
            "and an eighth as many wrong verdicts",
            Says::Digits(&[d("8")]),
            WRONG,
            |lab| {
                Ok(share(sum(lab, (16, 0), |key| key.wrong)?, sum(lab, (10, 6), |key| key.wrong)?))
            },
        ),
        same(
            "wrong-18",
            "wrong verdicts at 18+0, 14+4 and 10+8",
            Says::Digits(&[d("12.3"), d("10.4"), d("1.5")]),
            WRONG,
            |lab| means(lab, &[(18, 0), (14, 4), (10, 8)], |key| key.wrong),
        ),
        same(
            "worst-at-18-bits",
            "and of the worst key at each",
            Says::Counts(&[134, 109, 15]),
            WRONG,
            |lab| {
                let worst = [(18, 0), (14, 4), (10, 8)].map(|(address, check)| {
                    let keys = lab.table(address, check)?;
                    Ok(keys.iter().map(|key| key.wrong).max().unwrap_or(0))
                });
                Ok(counts(worst.into_iter().collect::<Result<Vec<u64>, Error>>()?))
            },
        ),
    ],
};

fn sum(lab: &Lab, (address, check): (u32, u32), of: fn(&Counts) -> u64) -> Result<u64, Error> {
    Ok(lab.table(address, check)?.iter().map(of).sum())
}

fn means(lab: &Lab, splits: &[(u32, u32)], of: fn(&Counts) -> u64) -> Result<Measured, Error> {
    let mean = |&split: &(u32, u32)| Ok(ratio(sum(lab, split, of)?, KEYS));
    Ok(Measured::Numbers(splits.iter().map(mean).collect::<Result<_, Error>>()?))
}

/// Positions searched beyond the plain search's, a key, in units of `unit`.
fn again(lab: &Lab, split: (u32, u32), unit: u64) -> Result<Measured, Error> {
    let keys = u64::from(KEYS);
    let again = sum(lab, split, |key| key.searched)? - lab.plain_searched()? * keys;
    Ok(share(again, keys * unit))
}

fn memory(lab: &Lab, address: u32, check: u32) -> u64 {
    let split = Split { address, check };
    let board = lab.four_by_five();
    Setup { board, holds: Holds::Verdict, split, rule: Rule::Essays }.memory_bits()
}
