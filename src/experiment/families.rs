//! Why does a bit halve the average and not a key?
//!
//! ```text
//! 18 → 19 bits     58 keys confuse something: 30 keep none of it, 14 all, 14 some
//! ```

use super::{Experiment, Lab, Measured, Number, Says, count, counts, d, ratio, same, share};
use crate::board::squares_of;
use crate::code::Family;
use crate::draw;
use crate::error::Error;
use crate::game::Mover;
use crate::solve::Verdicts;

const KEYS: u32 = draw::ESSAY_KEYS;
const STORED: &str =
    "pairs of the 5,988 stored positions with the same mover; means over the sixty keys";
const LUMPS: &str = "keys of the sixty that confuse a stored pair before the bit";
const KEY_37: &str = "key 37, the worst of the sixty at 18 bits; stored pairs";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "check-bits",
    name: "families",
    question: "Why does a bit halve the average and not a key?",
    figures: &[
        same(
            "pairs-14-18-20",
            "pairs that a key confuses at 14, 18 and 20 bits",
            Says::Digits(&[d("535"), d("29"), d("3.3")]),
            STORED,
            |lab| means(lab, |length| length.pairs),
        ),
        same(
            "families-14-18-20",
            "and the families they are in",
            Says::Digits(&[d("26.9"), d("1.6"), d("0.25")]),
            STORED,
            |lab| means(lab, |length| length.families),
        ),
        same(
            "pairs-a-family",
            "pairs that a family holds stay near twenty from 14 bits to 18",
            Says::From(d("17"), d("23")),
            "pairs ÷ families at 14, 15, 16, 17 and 18 bits; near twenty: 17 to 23",
            |lab| {
                let family = |bits| {
                    let length = lab.length(bits)?;
                    Ok(ratio(length.pairs, length.families))
                };
                Ok(Measured::Numbers((14..=18).map(family).collect::<Result<_, Error>>()?))
            },
        ),
        same(
            "families-small-at-20",
            "until the last row, where they are mostly small",
            Says::From(d("0"), d("17")),
            "pairs ÷ families at 20 bits",
            |lab| {
                let length = lab.length(20)?;
                Ok(share(length.pairs, length.families))
            },
        ),
        same(
            "keys-in-the-middle-14",
            "keys that keep between a quarter and three quarters of their pairs, 14 to 15 bits",
            Says::Counts(&[58]),
            LUMPS,
            |lab| Ok(count(lab.lumps(14)?.middle)),
        ),
        same(
            "lumps-18",
            "keys that confuse something at 18 bits; that keep none, all, some of it at 19",
            Says::Counts(&[58, 30, 14, 14]),
            LUMPS,
            |lab| {
                let lumps = lab.lumps(18)?;
                Ok(counts([lumps.keys, lumps.none, lumps.all, lumps.some]))
            },
        ),
        same(
            "mean-share-kept-18",
            "per cent of its pairs that a key keeps, mean",
            Says::Digits(&[d("36")]),
            LUMPS,
            |lab| Ok(Measured::Numbers(vec![Number::Real(100.0 * lab.lumps(18)?.mean_kept())])),
        ),
        same(
            "fewer-than-two-families-18",
            "by 18 bits the mean key has fewer than two families",
            Says::From(d("0"), d("2")),
            STORED,
            |lab| Ok(share(lab.length(18)?.families, KEYS)),
        ),
        same(
            "worst-18",
            "pairs of the worst key at 18 bits, and its families",
            Says::Counts(&[136, 3]),
            STORED,
            |lab| Ok(counts([lab.length(18)?.worst_pairs, worst(lab)?.len() as u64])),
        ),
        same(
            "families-of-the-worst",
            "pairs in each",
            Says::Counts(&[100, 25, 11]),
            KEY_37,
            |lab| Ok(counts(worst(lab)?.iter().map(|family| family.pairs))),
        ),
        same(
            "squares-of-the-worst",
            "squares each differs on",
            Says::Counts(&[4, 8, 12]),
            KEY_37,
            |lab| Ok(counts(worst(lab)?.iter().map(|family| family.set.count_ones()))),
        ),
        same(
            "the-four-squares",
            "the corners of the top row, one in the middle of the second, the bottom left corner",
            Says::Counts(&[0, 4, 7, 15]),
            "squares numbered row by row from the top left",
            |lab| Ok(counts(squares_of(worst(lab)?[0].set))),
        ),
        same(
            "squares-agreed-on",
            "squares on which the two boards of each of the hundred agree",
            Says::Counts(&[16]),
            KEY_37,
            |lab| {
                let board = lab.four_by_five();
                Ok(count((board.all() & !worst(lab)?[0].set).count_ones()))
            },
        ),
        same(
            "two-with-left-to-move",
            "two of the hundred have Left to move in both boards",
            Says::Holds,
            "stored pairs of that family with Left to move, at least two",
            |lab| {
                let (set, stored) = (worst(lab)?[0].set, lab.stored()?);
                let left = stored.of(Mover::Left);
                let differ = left.iter().filter(|&&one| left.binary_search(&(one ^ set)).is_ok());
                Ok(Measured::Holds(differ.count() / 2 >= 2))
            },
        ),
        same(
            "a-bit-keeps-a-family-whole",
            "every family of a longer key is a family of the shorter one, with the same pairs",
            Says::Holds,
            "each of the sixty keys, each bit from 14 to 20; stored pairs",
            |lab| {
                let census = lab.stored_census()?;
                let whole = (1..=KEYS).flat_map(|key| (14..20).map(move |bits| (key, bits)));
                Ok(Measured::Holds(whole.into_iter().all(|(key, bits)| {
                    let [short, long] =
                        [bits, bits + 1].map(|bits| lab.essay_code(key, bits).families(&census));
                    long.iter().all(|family| short.contains(family))
                })))
            },
        ),
        same(
            "borrowed-verdicts-wrong",
            "per cent of borrowed verdicts that were wrong: a little under half",
            Says::From(d("40"), d("50")),
            "an earlier essay's figure; here the share of confused stored pairs whose winners differ, at 12 to 18 bits; a little under: from 40",
            |lab| {
                let shares = (12..=18).map(|bits| different_winners(lab, bits));
                Ok(Measured::Numbers(shares.collect::<Result<Vec<Number>, Error>>()?))
            },
        ),
        same(
            "no-family-at-20",
            "at twenty bits many keys have no family at all",
            Says::AtLeast(d("30")),
            "keys of the sixty that confuse no stored pair; many: at least half",
            |lab| Ok(count(u64::from(KEYS) - lab.length(20)?.keys_confusing)),
        ),
    ],
};

fn means(lab: &Lab, of: fn(&crate::confusions::Length) -> u64) -> Result<Measured, Error> {
    let mean = |bits| Ok(ratio(of(&lab.length(bits)?), KEYS));
    Ok(Measured::Numbers([14, 18, 20].into_iter().map(mean).collect::<Result<_, Error>>()?))
}

/// The families of the worst key at 18 bits.
fn worst(lab: &Lab) -> Result<Vec<Family>, Error> {
    let key = u32::try_from(lab.length(18)?.worst_key).expect("one of sixty");
    Ok(lab.essay_code(key, 18).families(&*lab.stored_census()?))
}

/// Per cent of the confused stored pairs whose winners differ, over the sixty keys.
fn different_winners(lab: &Lab, bits: u32) -> Result<Number, Error> {
    let (stored, census) = (lab.stored()?, lab.stored_census()?);
    let verdicts = Verdicts::sweep(lab.four_by_five())?;
    let (mut pairs, mut differ) = (0u64, 0u64);
    for key in 1..=KEYS {
        for family in lab.essay_code(key, bits).families(&census) {
            pairs += family.pairs;
            for mover in Mover::BOTH {
                let list = stored.of(mover);
                let wins = |set: u64| verdicts.wins(mover, set);
                differ += list
                    .iter()
                    .map(|&one| (one, one ^ family.set))
                    .filter(|(one, other)| one < other && list.binary_search(other).is_ok())
                    .filter(|&(one, other)| wins(one) != wins(other))
                    .count() as u64;
            }
        }
    }
    Ok(ratio(100 * differ, pairs))
}
