//! Are a key's confusions the words of a code, and which of its words cost?
//!
//! ```text
//! key 37 at 18 bits   {0,4,7,15}   {3,6,8,11,16,17,18,19}   their union      136 pairs
//! ```

use super::{Experiment, Lab, Measured, Number, Says, count, counts, d, ratio, same, share};
use crate::code::{Code, Family};
use crate::draw;
use crate::error::Error;

const KEYS: &str = "the sixty keys, top bits of each word; pairs of the 5,988 stored positions";
const CODES: &str = "the sixty keys, top bits of each word; codewords without the empty set";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "key-is-a-code",
    name: "words",
    question: "Are a key's confusions the words of a code, and which of its words cost?",
    figures: &[
        same(
            "worst-key-pairs-18",
            "pairs that the worst key at 18 bits confuses",
            Says::Counts(&[136]),
            KEYS,
            |lab| Ok(count(lab.length(18)?.worst_pairs)),
        ),
        same(
            "worst-key-largest-family",
            "pairs of its largest family, and the squares they differ on",
            Says::Counts(&[100, 4]),
            KEYS,
            |lab| {
                let largest = worst_families(lab)?[0];
                Ok(counts([largest.pairs, u64::from(largest.set.count_ones())]))
            },
        ),
        same(
            "worst-key-three-words",
            "squares of that key's families: all words of a code of dimension two",
            Says::Counts(&[4, 8, 12]),
            KEYS,
            |lab| Ok(counts(worst_families(lab)?.iter().map(|family| family.set.count_ones()))),
        ),
        same(
            "third-word-is-the-union",
            "two of them share no square, and the third is both together",
            Says::Holds,
            KEYS,
            |lab| {
                let sets: Vec<u64> = worst_families(lab)?.iter().map(|family| family.set).collect();
                Ok(Measured::Holds(sets[0] & sets[1] == 0 && sets[0] | sets[1] == sets[2]))
            },
        ),
        same(
            "least-words-16",
            "least dimension of a key's code at 16 bits, and its fewest nonzero words",
            Says::Counts(&[4, 15]),
            CODES,
            |lab| {
                let keys = 1..=draw::ESSAY_KEYS;
                let least = keys.map(|key| lab.essay_code(key, 16).dimension()).min();
                let least = least.expect("there are sixty keys");
                Ok(counts([least, (1 << least) - 1]))
            },
        ),
        same(
            "mean-words-16",
            "mean words of a key at 16 bits",
            Says::Digits(&[d("16.1")]),
            CODES,
            |lab| Ok(share(lab.length(16)?.codewords, draw::ESSAY_KEYS)),
        ),
        same(
            "keys-with-more-words-16",
            "a few keys have one dependency more at 16 bits",
            Says::From(d("2"), d("6")),
            "the sixty keys; a few: two to six",
            |lab| {
                let keys = 1..=draw::ESSAY_KEYS;
                Ok(count(keys.filter(|&key| lab.essay_code(key, 16).dimension() == 5).count()))
            },
        ),
        same(
            "even-words-14",
            "at 14 bits every code holds dozens of even words",
            Says::AtLeast(d("24")),
            "the fewest of the sixty keys' codes, the empty set not counted; dozens: two or more",
            |lab| {
                let keys = 1..=draw::ESSAY_KEYS;
                let even = |key| (1 << lab.essay_code(key, 14).even_part().dimension()) - 1;
                Ok(count(keys.map(even).min().expect("there are sixty keys")))
            },
        ),
        same(
            "mean-words-18",
            "mean words of a key at 18 bits",
            Says::Digits(&[d("3.8")]),
            CODES,
            |lab| Ok(share(lab.length(18)?.codewords, draw::ESSAY_KEYS)),
        ),
        same(
            "mean-words-20",
            "mean words of a key at 20 bits",
            Says::Digits(&[d("0.68")]),
            CODES,
            |lab| Ok(share(lab.length(20)?.codewords, draw::ESSAY_KEYS)),
        ),
        same(
            "free-share",
            "about half of the codewords are odd, so free",
            Says::Digits(&[d("0.5")]),
            "the sixty keys at 16 to 20 bits together",
            |lab| Ok(Measured::Numbers(vec![odd_share(lab)?])),
        ),
        same("even-words", "even codewords over five lengths", Says::Counts(&[909]), FIVE, |lab| {
            Ok(count(over_five(lab, |length| length.even)?))
        }),
        same(
            "costly-words",
            "of these, words on which two reachable positions differ",
            Says::Counts(&[908]),
            FIVE,
            |lab| Ok(count(over_five(lab, |length| length.costly)?)),
        ),
        same(
            "eight-coins",
            "dimension and distance of the lost rows of a coin-turning game on eight coins",
            Says::Counts(&[4, 4]),
            "an earlier essay's game, not named here; Mock Turtles: turn one to three coins, the rightmost from heads",
            |_| {
                let code = Code::spanned(8, &lost_rows());
                let closed = code.codewords().count() + 1 == lost_rows().len();
                assert!(closed, "the lost rows are no code");
                let distance = code.minimum_distance().expect("there is more than one row");
                Ok(counts([code.dimension(), distance]))
            },
        ),
        same(
            "reachable-positions",
            "positions reachable in play on 4x5",
            Says::Counts(&[48_670]),
            "a position is a set of covered squares and the player to move; either may start",
            |lab| Ok(count(lab.reachable(lab.four_by_five())?.total())),
        ),
    ],
};

const FIVE: &str = "the sums over 16 to 20 bits, sixty keys each";

/// The families of the worst key at 18 bits, the largest first.
fn worst_families(lab: &Lab) -> Result<Vec<Family>, Error> {
    let worst = u32::try_from(lab.length(18)?.worst_key).expect("one of sixty");
    Ok(lab.essay_code(worst, 18).families(&*lab.stored_census()?))
}

fn over_five(lab: &Lab, of: fn(&crate::confusions::Length) -> u64) -> Result<u64, Error> {
    (16..=20).map(|bits| Ok(of(&lab.length(bits)?))).sum()
}

fn odd_share(lab: &Lab) -> Result<Number, Error> {
    let [words, even] =
        [over_five(lab, |length| length.codewords)?, over_five(lab, |length| length.even)?];
    Ok(ratio(words - even, words))
}

/// The rows of eight coins from which the player to move loses Mock Turtles.
fn lost_rows() -> Vec<u64> {
    let turns: Vec<u64> = (1..256).filter(|turned: &u64| turned.count_ones() <= 3).collect();
    let mut lost: Vec<u64> = Vec::new();
    // A turn takes the rightmost coin it turns from heads, so rows get smaller.
    for row in 0..256u64 {
        let next = turns.iter().map(|turned| row ^ turned).filter(|&next| next < row);
        if !next.into_iter().any(|next| lost.contains(&next)) {
            lost.push(row);
        }
    }
    lost
}
