//! Do designed codes confuse less than random keys?
//!
//! ```text
//! design          its code has                          at 19 bits
//! distance        the largest least number of squares   one word, the whole board: 21 pairs
//! even distance   the same among even words             one odd word: nothing
//! board read      the fewest reachable pairs            one odd word: nothing
//! ```
//!
//! The essay gives neither its search nor the codes it found, so what they
//! confuse is set against all codes that reach the best distance, or the
//! fewest reachable pairs, in as many searches as the essay made.

use super::lab::{Design, RESTARTS};
use super::{
    Experiment, Lab, Measured, Says, count, counts, d, differs, ratio, same, share, spread, unclear,
};
use crate::code::Code;
use crate::draw;
use crate::error::Error;

const RANDOM: &str = "mean over the sixty keys; pairs of the 5,988 stored positions";
const SEARCHED: &str = "stored pairs; least and most over the codes of the best distance found by 24 seeded searches: the essay's search is not given";
const CHEAPEST: &str = "stored pairs; least and most over the codes with the fewest reachable pairs found by 24 seeded searches (at 16 and 17 bits proved fewest by zlab design --prove): the essay's search is not given";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "key-is-a-code",
    name: "designs",
    question: "Do designed codes confuse less than random keys?",
    figures: &[
        same(
            "random-14-16-17-18-19",
            "pairs that random keys confuse",
            Says::Digits(&[d("535"), d("127"), d("63"), d("29"), d("11.75")]),
            RANDOM,
            |lab| {
                let mean = |bits| Ok(ratio(lab.length(bits)?.pairs, draw::ESSAY_KEYS));
                Ok(Measured::Numbers(
                    [14, 16, 17, 18, 19].into_iter().map(mean).collect::<Result<_, Error>>()?,
                ))
            },
        ),
        unclear(
            "distance-14",
            "largest distance, 14 bits",
            Says::Unstated(&[d("904")]),
            SEARCHED,
            |lab| confused(lab, Design::Distance, 14),
        ),
        unclear(
            "distance-16",
            "largest distance, 16 bits",
            Says::Unstated(&[d("177")]),
            SEARCHED,
            |lab| confused(lab, Design::Distance, 16),
        ),
        unclear(
            "distance-17",
            "largest distance, 17 bits",
            Says::Unstated(&[d("39")]),
            SEARCHED,
            |lab| confused(lab, Design::Distance, 17),
        ),
        unclear(
            "distance-18",
            "largest distance, 18 bits",
            Says::Unstated(&[d("9.4")]),
            SEARCHED,
            |lab| confused(lab, Design::Distance, 18),
        ),
        same(
            "distance-19",
            "largest distance, 19 bits: the whole board",
            Says::Counts(&[21, 20]),
            "stored pairs, and squares of the only word",
            |lab| {
                let codes = lab.design(Design::Distance, 19)?;
                let distance = codes[0].minimum_distance().expect("it has a word");
                Ok(counts([lab.grounds()?[1].confused(&codes[0]), distance as u64]))
            },
        ),
        same(
            "distance-loses",
            "the largest distance loses to random keys at 14, 16 and 19 bits",
            Says::Holds,
            "means over the searches' codes and over the sixty keys",
            |lab| {
                let loses = [14, 16, 19]
                    .map(|bits| Ok(mean(lab, Design::Distance, bits)? > random(lab, bits)?));
                all(loses)
            },
        ),
        same(
            "distance-wins",
            "and beats them at 17 and 18",
            Says::Holds,
            "means over the searches' codes and over the sixty keys",
            |lab| {
                all([17, 18]
                    .map(|bits| Ok(mean(lab, Design::Distance, bits)? < random(lab, bits)?)))
            },
        ),
        same(
            "even-distance-19",
            "parity-aware, 19 bits: one odd word, no pair",
            Says::Counts(&[0, 0]),
            "stored pairs, and even words",
            |lab| {
                let code = &lab.design(Design::EvenDistance, 19)?[0];
                let even = code.codewords().filter(|set| set.count_ones() % 2 == 0).count();
                Ok(counts([lab.grounds()?[1].confused(code), even as u64]))
            },
        ),
        same(
            "even-distance-18",
            "parity-aware, 18 bits: the whole board as its one even word",
            Says::Counts(&[21]),
            "stored pairs, by every search",
            |lab| {
                let pairs = pairs(lab, Design::EvenDistance, 18)?;
                assert!(pairs.iter().all(|&other| other == pairs[0]), "{pairs:?}");
                Ok(count(pairs[0]))
            },
        ),
        same(
            "even-distance-better",
            "parity-aware does better than the largest distance at 14 and 16 bits",
            Says::Holds,
            "means over the searches' codes",
            |lab| {
                all([14, 16].map(|bits| {
                    Ok(mean(lab, Design::EvenDistance, bits)? < mean(lab, Design::Distance, bits)?)
                }))
            },
        ),
        differs(
            "board-read-14",
            "board read, 14 bits",
            Says::Unstated(&[d("544")]),
            CHEAPEST,
            |lab| confused(lab, Design::BoardRead, 14),
        ),
        differs(
            "board-read-16",
            "board read, 16 bits",
            Says::Unstated(&[d("30")]),
            CHEAPEST,
            |lab| confused(lab, Design::BoardRead, 16),
        ),
        differs(
            "board-read-17",
            "board read, 17 bits",
            Says::Unstated(&[d("12")]),
            CHEAPEST,
            |lab| confused(lab, Design::BoardRead, 17),
        ),
        same(
            "board-read-18",
            "board read, 18 bits: reachable pairs confused",
            Says::Counts(&[0]),
            "pairs of all reachable positions",
            |lab| Ok(count(lab.grounds()?[0].confused(&lab.design(Design::BoardRead, 18)?[0]))),
        ),
        same(
            "board-read-wins",
            "board read beats random keys at 16 and 17 bits, and not at 14",
            Says::Holds,
            "means over the searches' codes and over the sixty keys; at 14 bits: at least nine tenths of random",
            |lab| {
                let [fourteen, sixteen, seventeen] = [14, 16, 17]
                    .map(|bits| Ok(mean(lab, Design::BoardRead, bits)? / random(lab, bits)?));
                Ok(Measured::Holds(fourteen? > 0.9 && sixteen? < 1.0 && seventeen? < 1.0))
            },
        ),
        same(
            "random-16-words",
            "words of the random key drawn at 16 bits, and odd ones among them",
            Says::Counts(&[15, 8]),
            "key 1 of the sixty",
            |lab| Ok(counts(words_and_odd(&lab.essay_code(1, 16)))),
        ),
        same(
            "random-16-pairs",
            "stored pairs it confuses",
            Says::Counts(&[90]),
            "key 1 of the sixty",
            |lab| Ok(count(lab.grounds()?[1].confused(&lab.essay_code(1, 16)))),
        ),
        same(
            "distance-16-no-odd-word",
            "every code found at distance ten has fifteen even words and no odd one",
            Says::Holds,
            "every search's code of distance ten at 16 bits",
            |lab| {
                let codes = lab.design(Design::Distance, 16)?;
                let ten = |code: &Code| code.minimum_distance() == Some(10);
                Ok(Measured::Holds(
                    codes.iter().all(|code| ten(code) && words_and_odd(code) == [15, 0]),
                ))
            },
        ),
        unclear(
            "distance-16-searches",
            "searches that reached distance ten",
            Says::Unstated(&[d("24")]),
            "of 24 seeded searches: the essay's search is not given",
            |lab| {
                Ok(spread([ratio(lab.design(Design::Distance, 16)?.len(), 1), ratio(RESTARTS, 1)]))
            },
        ),
        unclear(
            "distance-16-drawn",
            "stored pairs of the one drawn",
            Says::Unstated(&[d("161")]),
            SEARCHED,
            |lab| confused(lab, Design::Distance, 16),
        ),
        unclear(
            "distance-16-weights",
            "of its fifteen words, those on ten squares",
            Says::Unstated(&[d("11")]),
            "least and most over the searches' codes of distance ten",
            |lab| {
                let codes = lab.design(Design::Distance, 16)?;
                Ok(spread(codes.iter().map(|code| ratio(code.weights()[10], 1))))
            },
        ),
        unclear(
            "distance-16-other-weights",
            "and the squares of the rest: twelve and fourteen",
            Says::Unstated(&[d("12"), d("14")]),
            "least and most over the searches' codes of distance ten",
            |lab| {
                let codes = lab.design(Design::Distance, 16)?;
                let rest = codes.iter().flat_map(Code::codewords).map(u64::count_ones);
                Ok(spread(rest.filter(|&squares| squares > 10).map(|squares| ratio(squares, 1))))
            },
        ),
        same(
            "distance-16-all-cost",
            "and every word is a set on which some reachable positions differ",
            Says::Holds,
            "every search's code of distance ten at 16 bits",
            |lab| {
                let codes = lab.design(Design::Distance, 16)?;
                let census = lab.census(lab.four_by_five())?;
                Ok(Measured::Holds(codes.iter().all(|code| code.families(&census).len() == 15)))
            },
        ),
        same(
            "even-words-at-least-16",
            "least even words of any code of dimension four",
            Says::Counts(&[7]),
            "over the sixty keys and the designs at 16 bits",
            |lab| {
                let random = (1..=draw::ESSAY_KEYS).map(|key| lab.essay_code(key, 16));
                let designed = [Design::Distance, Design::EvenDistance, Design::BoardRead];
                let designed = designed.map(|design| lab.design(design, 16));
                let designed = designed.into_iter().collect::<Result<Vec<_>, Error>>()?;
                let designed = designed.iter().flat_map(|codes| codes.iter().cloned());
                let even = |code: Code| {
                    let [words, odd] = words_and_odd(&code);
                    words - odd
                };
                Ok(count(random.chain(designed).map(even).min().expect("there are sixty keys")))
            },
        ),
        unclear(
            "even-distance-16",
            "parity-aware drawn at 16 bits",
            Says::Unstated(&[d("71")]),
            SEARCHED,
            |lab| confused(lab, Design::EvenDistance, 16),
        ),
        same(
            "board-read-16-even-words",
            "even words of the board-read code at 16 bits",
            Says::Counts(&[7]),
            "every search's code with the fewest reachable pairs",
            |lab| {
                let codes = lab.design(Design::BoardRead, 16)?;
                let even = codes.iter().map(|code| code.even_part().codewords().count());
                let even: Vec<usize> = even.collect();
                assert!(even.iter().all(|other| *other == even[0]), "{even:?}");
                Ok(count(even[0]))
            },
        ),
        differs(
            "board-read-16-free-word",
            "one of them is a free two-square set",
            Says::Unstated(&[d("1")]),
            "least and most over the codes with the fewest reachable pairs found by 24 seeded searches",
            |lab| {
                let census = lab.census(lab.four_by_five())?;
                let free = |set: &u64| set.count_ones() == 2 && census.count(*set) == 0;
                let codes = lab.design(Design::BoardRead, 16)?;
                Ok(spread(codes.iter().map(|code| ratio(code.codewords().filter(free).count(), 1))))
            },
        ),
        differs(
            "board-read-16-sizes",
            "the others sit at ten, twelve and sixteen squares",
            Says::Unstated(&[d("10"), d("12"), d("16")]),
            "least and most squares of an even word that costs, over the same codes",
            |lab| sizes(lab, Design::BoardRead),
        ),
        unclear(
            "even-distance-16-sizes",
            "parity-aware puts its even words at ten to fourteen squares",
            Says::Unstated(&[d("10"), d("14")]),
            "least and most squares of an even word that costs, over the searches' codes",
            |lab| sizes(lab, Design::EvenDistance),
        ),
        same(
            "random-16-around-ten",
            "the random key's words cluster around ten squares",
            Says::About(d("10"), 15),
            "mean squares of the fifteen words of key 1; around: within 15 per cent",
            |lab| {
                let code = lab.essay_code(1, 16);
                let squares: u32 = code.codewords().map(u64::count_ones).sum();
                Ok(share(squares, code.codewords().count()))
            },
        ),
        differs(
            "factor-of-four-16",
            "random keys confuse four times as many at 16 bits as the board-read code",
            Says::Digits(&[d("4")]),
            "means over the sixty keys and over the searches' codes; the essay's own 127 and 30 do give 4",
            |lab| {
                let codes = pairs(lab, Design::BoardRead, 16)?;
                let random = lab.length(16)?.pairs * codes.len() as u64;
                Ok(share(random, u64::from(draw::ESSAY_KEYS) * codes.iter().sum::<u64>()))
            },
        ),
        differs(
            "sixteen-designed-eighteen-random",
            "board read at 16 bits confuses about as many as random keys at 18",
            Says::About(d("1"), 20),
            "ratio of the means; about: within a fifth",
            |lab| {
                let codes = pairs(lab, Design::BoardRead, 16)?;
                let random = lab.length(18)?.pairs * codes.len() as u64;
                Ok(share(u64::from(draw::ESSAY_KEYS) * codes.iter().sum::<u64>(), random))
            },
        ),
        same(
            "words-on-the-whole-board",
            "stored pairs that differ on the whole board",
            Says::Counts(&[21]),
            "pairs of the 5,988 stored positions",
            |lab| Ok(count(lab.stored_census()?.count(lab.four_by_five().all()))),
        ),
    ],
};

/// Stored pairs of each of a design's codes.
fn pairs(lab: &Lab, design: Design, bits: usize) -> Result<Vec<u64>, Error> {
    let grounds = lab.grounds()?;
    Ok(lab.design(design, bits)?.iter().map(|code| grounds[1].confused(code)).collect())
}

fn confused(lab: &Lab, design: Design, bits: usize) -> Result<Measured, Error> {
    Ok(spread(pairs(lab, design, bits)?.into_iter().map(|pairs| ratio(pairs, 1))))
}

/// The least and the most squares of an even word on which reachable positions
/// differ, over a design's codes at 16 bits.
fn sizes(lab: &Lab, design: Design) -> Result<Measured, Error> {
    let census = lab.census(lab.four_by_five())?;
    let codes = lab.design(design, 16)?;
    let words = codes.iter().flat_map(Code::codewords).filter(|&set| census.count(set) > 0);
    Ok(spread(words.map(|set| ratio(set.count_ones(), 1))))
}

fn mean(lab: &Lab, design: Design, bits: usize) -> Result<f64, Error> {
    let pairs = pairs(lab, design, bits)?;
    Ok(pairs.iter().sum::<u64>() as f64 / pairs.len() as f64)
}

fn random(lab: &Lab, bits: usize) -> Result<f64, Error> {
    Ok(lab.length(bits as u32)?.pairs as f64 / f64::from(draw::ESSAY_KEYS))
}

fn all<const N: usize>(hold: [Result<bool, Error>; N]) -> Result<Measured, Error> {
    let hold = hold.into_iter().collect::<Result<Vec<bool>, Error>>()?;
    Ok(Measured::Holds(hold.into_iter().all(|holds| holds)))
}

/// Words of a code other than the empty set, and odd ones among them.
fn words_and_odd(code: &Code) -> [usize; 2] {
    let odd = code.codewords().filter(|set| set.count_ones() % 2 == 1).count();
    [code.codewords().count(), odd]
}
