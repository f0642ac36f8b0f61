//! Ways of choosing a key's words, compared in one table at equal length.
//!
//! Each design makes keys from a seed; a designed code is taken with many
//! bases, since the basis decides the slots:
//!
//! ```text
//! random           the words of a seeded generator
//! one-more-bit     the same with one check bit more: what a design competes with
//! drawn-distance   random words on which no set of fewer than D squares cancels,
//! drawn-even       no even set: the largest D that a drawing is sure of
//! distance         codes of the largest distance that a search finds
//! even-distance    the same among even sets, with one odd word beside it
//! board-read       codes of the fewest pairs of reachable positions
//! stored-read      codes of the fewest pairs of stored positions
//! ```
//!
//! `zlab table 4x5 --splits 10+6,10+8 --compare-designs --seeds 8`: wrong
//! verdicts of a key and of the worst key of a seed of 1,000, ± one standard
//! error over the seeds:
//!
//! ```text
//!                  10 + 6                        10 + 8
//! random           7.42 ± 0.08   68.9 ± 5.1      1.89 ± 0.03   45.1 ± 5.0
//! one-more-bit     3.77 ± 0.06   58.1 ± 4.9      0.98 ± 0.03   37.5 ± 3.8
//! drawn-distance   6.66 ± 0.09   63.1 ± 5.3      1.13 ± 0.02   34.1 ± 4.4
//! drawn-even       4.44 ± 0.05   49.8 ± 4.6      0.69 ± 0.01    3.9 ± 0.5
//! distance         9.87 ± 0.47   40.6 ± 3.4      5.20 ± 0.63   51.8 ± 5.8
//! even-distance    3.55 ± 0.19   27.8 ± 4.8      0.67 ± 0.01    3.9 ± 0.2
//! board-read       3.93 ± 0.18   12.8 ± 0.2      0             0
//! stored-read      0             0               0             0
//! ```
//!
//! So a code does cut the worst case by more than a check bit does: one that
//! reads the board from 58 to 13 at 16 bits and to nothing at 18, where it can
//! be exact. The largest distance does not; the largest *even* distance does,
//! and at 18 bits (20: the whole board is its one even word, on which 21 stored
//! pairs differ) it has few wrong verdicts, but they are the same for every
//! basis and lie where they matter: 95 % of those keys name a wrong winner.

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::distant::Distance;
use super::{Counts, Exact, KeySet, Mixing, Setup, Split, run};
use crate::board::Board;
use crate::code::Code;
use crate::design::{self, Found, Ground, Sets};
use crate::error::Error;
use crate::game::domineering::Domineering;
use crate::tier::Tier;
use crate::{positions, solve};

/// A way of choosing words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Design {
    /// Drawn words.
    Random,
    /// Drawn words, one check bit longer than the others.
    OneMoreBit,
    /// Drawn words of a distance.
    DrawnDistance,
    /// Drawn words of a distance among even sets.
    DrawnEven,
    /// Codes of the largest distance.
    Distance,
    /// Codes of the largest distance among even sets.
    EvenDistance,
    /// Codes fitted to the pairs of reachable positions.
    BoardRead,
    /// Codes fitted to the pairs of stored positions.
    StoredRead,
}

impl Design {
    /// Every design, the random keys first.
    pub const ALL: [Self; 8] = [
        Self::Random,
        Self::OneMoreBit,
        Self::DrawnDistance,
        Self::DrawnEven,
        Self::Distance,
        Self::EvenDistance,
        Self::BoardRead,
        Self::StoredRead,
    ];

    /// The design's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::OneMoreBit => "one-more-bit",
            Self::DrawnDistance => "drawn-distance",
            Self::DrawnEven => "drawn-even",
            Self::Distance => "distance",
            Self::EvenDistance => "even-distance",
            Self::BoardRead => "board-read",
            Self::StoredRead => "stored-read",
        }
    }
}

/// What designs that read the board read: pair counts by set of squares.
pub struct Grounds {
    board: Board,
    reachable: Ground,
    stored: Ground,
}

impl Grounds {
    /// Counts the pairs of the reachable and of the stored positions of `board`.
    ///
    /// # Errors
    /// A board too large for the plain search or for a census.
    pub fn of(board: Board, ceiling: Tier) -> Result<Self, Error> {
        let stored = Ground::of(&solve::stored(board)?, Some(board), ceiling)?;
        let reachable = positions::enumerate(&Domineering, board)?;
        let reachable = Ground::of(&reachable, Some(board), ceiling)?;
        Ok(Self { board, reachable, stored })
    }

    /// Refuses a length whose sums of pairs are too large for a search.
    ///
    /// # Errors
    /// See [`design::require_sums`].
    pub fn require(&self, split: Split) -> Result<(), Error> {
        // The stored positions are some of the reachable ones.
        let pairs = self.reachable.pairs.max(self.stored.pairs);
        design::require_sums("--splits", split.bits() as usize, pairs.into())
    }
}

/// How much of each design to try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial<'a> {
    /// Seeds of the keys, the searches and the bases.
    pub seeds: &'a [u64],
    /// Keys of each seed.
    pub keys: usize,
    /// Restarts of each search for codes.
    pub restarts: usize,
}

/// What the keys of one design did.
pub struct Compared {
    /// The design.
    pub design: Design,
    /// How its keys were cut.
    pub split: Split,
    /// The distance that drawn keys have at least, or that codes reached.
    pub distance: Option<usize>,
    /// Distinct codes among the keys of all seeds.
    pub codes: usize,
    /// Stored pairs that a key confuses, on average.
    pub stored_pairs: f64,
    /// What each key did, by seed.
    pub by_seed: Vec<Vec<Counts>>,
}

impl Compared {
    /// Wrong entries of a key, on average, by seed.
    pub fn mean_by_seed(&self) -> Vec<f64> {
        let wrong = |counts: &Vec<Counts>| counts.iter().map(|key| key.wrong).sum::<u64>();
        self.by_seed.iter().map(|counts| wrong(counts) as f64 / counts.len() as f64).collect()
    }

    /// Wrong entries of the worst key, by seed.
    pub fn worst_by_seed(&self) -> Vec<u64> {
        let worst = |counts: &Vec<Counts>| counts.iter().map(|key| key.wrong).max();
        self.by_seed.iter().map(|counts| worst(counts).unwrap_or(0)).collect()
    }
}

/// The mean of some values and its standard error, which one value alone does not have.
///
/// ```
/// use zobrist_lab::table::mean_and_error;
/// assert_eq!(mean_and_error(&[1.0, 3.0]), (2.0, Some(1.0)));
/// assert_eq!(mean_and_error(&[5.0]), (5.0, None));
/// ```
pub fn mean_and_error(values: &[f64]) -> (f64, Option<f64>) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (values.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt()))
}

/// Every design at the length of the setup's split, in the order of [`Design::ALL`].
/// `progress` advances by one a key.
///
/// # Errors
/// A length that designs do not have on the board, or see [`Grounds::require`] and [`run`].
pub fn compare(
    setup: Setup,
    exact: &Exact,
    grounds: &Grounds,
    trial: Trial,
    progress: &ProgressBar,
) -> Result<Vec<Compared>, Error> {
    assert_eq!(grounds.board, setup.board, "the pair counts are another board's");
    require(setup.board, setup.split)?;
    grounds.require(setup.split)?;
    Design::ALL
        .into_iter()
        .map(|one| compare_one(one, setup, exact, grounds, trial, progress))
        .collect()
}

/// Refuses a length that not every design has on the board.
///
/// # Errors
/// No bit, or as many bits as squares; or see [`Distance::require`].
pub fn require(board: Board, split: Split) -> Result<(), Error> {
    let (bits, most) = (split.bits(), board.squares() as u32 - 1);
    if !(1..=most).contains(&bits) {
        let problem = format!("`{split}` has {bits} bits: designs on {board} have 1 to {most}");
        return Err(Error::argument("--splits", problem));
    }
    Distance { squares: 1, even_only: false }.require(board.squares(), bits)
}

fn compare_one(
    design: Design,
    setup: Setup,
    exact: &Exact,
    grounds: &Grounds,
    trial: Trial,
    progress: &ProgressBar,
) -> Result<Compared, Error> {
    let board = setup.board;
    let mut setup = setup;
    setup.split.check += u32::from(design == Design::OneMoreBit);
    let split = setup.split;
    let (mut distance, mut codes, mut pairs, mut by_seed) = (None, vec![], 0u64, vec![]);
    for &seed in trial.seeds {
        let (keys, reached) = keys(design, grounds, split, trial, seed)?;
        distance = distance.max(reached);
        let indices = (0..trial.keys).into_par_iter();
        let words: Vec<_> = indices.map(|index| keys.words(board, split, index)).collect();
        let coded: Vec<Code> = words.par_iter().map(|words| Code::of_words(words)).collect();
        pairs += coded.par_iter().map(|code| grounds.stored.confused(code)).sum::<u64>();
        codes.extend(coded.iter().map(|code| code.basis().to_vec()));
        by_seed.push(run(setup, exact, trial.keys, |index| words[index].clone(), progress)?);
    }
    let stored_pairs = pairs as f64 / codes.len() as f64;
    codes.sort_unstable();
    codes.dedup();
    Ok(Compared { design, split, distance, codes: codes.len(), stored_pairs, by_seed })
}

/// The keys that a design makes from a seed, and their distance where it has one.
fn keys(
    design: Design,
    grounds: &Grounds,
    split: Split,
    trial: Trial,
    seed: u64,
) -> Result<(KeySet, Option<usize>), Error> {
    let (features, bits) = (grounds.board.squares(), split.bits());
    let drawn = |even_only| {
        let distance = Distance::largest_sure(even_only, features, bits);
        (KeySet::Distant { distance, seed }, Some(distance.squares))
    };
    let hidden = ProgressBar::hidden();
    let distant = |even| -> Result<_, Error> {
        let sets = Sets { features, even };
        let dimension = sets.code_dimension(bits as usize);
        let found = design::distant_codes(sets, dimension, trial.restarts, seed, true, &hidden)?;
        Ok((designed(sets, bits, &found.codes, trial, seed), found.distance))
    };
    let cheap = |ground: &Ground| {
        let dimension = ground.sets.code_dimension(bits as usize);
        let (cells, effort) = (ground.prices.cells(), design::EFFORT);
        let mut found =
            design::cheap_codes(cells, dimension, trial.restarts, effort, seed, &hidden);
        let least = found.iter().map(|found| found.total).min();
        found.retain(|found| Some(found.total) == least);
        for found in &found {
            let code = design::completed(ground.sets, bits as usize, &found.basis, seed);
            assert_eq!(found.total, ground.confused(&code), "a total of sums below the cap");
        }
        (designed(ground.sets, bits, &found, trial, seed), None)
    };
    Ok(match design {
        Design::Random | Design::OneMoreBit => (KeySet::Random { seed }, None),
        Design::DrawnDistance => drawn(false),
        Design::DrawnEven => drawn(true),
        Design::Distance => distant(false)?,
        Design::EvenDistance => distant(true)?,
        Design::BoardRead => cheap(&grounds.reachable),
        Design::StoredRead => cheap(&grounds.stored),
    })
}

/// The codes found, each with as many bases as it takes to make all keys.
fn designed(sets: Sets, bits: u32, found: &[Found], trial: Trial, seed: u64) -> KeySet {
    let words = |found: &Found| design::completed(sets, bits as usize, &found.basis, seed).words();
    let keys: Vec<Vec<u64>> = found.iter().map(words).collect();
    let times = trial.keys.div_ceil(keys.len());
    KeySet::Given { width: bits, keys, mixing: Some(Mixing { seed, times }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Holds, Rule};

    /// At 18 bits, four seeds of 250 keys: intervals of four standard errors about
    /// the means of eight seeds of 1,000 (see this file's head).
    #[test]
    fn designs_differ_as_the_larger_run_says() {
        let board: Board = "4x5".parse().unwrap();
        let split: Split = "10+8".parse().unwrap();
        let setup = Setup { board, holds: Holds::Verdict, split, rule: Rule::Essays };
        let exact = Exact::new(board, Holds::Verdict).unwrap();
        let grounds = Grounds::of(board, Tier::best()).unwrap();
        let trial = Trial { seeds: &[1, 2, 3, 4], keys: 250, restarts: 8 };
        let hidden = ProgressBar::hidden();
        let compared = compare(setup, &exact, &grounds, trial, &hidden).unwrap();
        let names: Vec<_> = compared.iter().map(|one| one.design.name()).collect();
        assert_eq!(names, Design::ALL.map(Design::name));
        let mean = |design| {
            let one = compared.iter().find(|one| one.design == design).unwrap();
            assert_eq!(one.by_seed.iter().map(Vec::len).collect::<Vec<_>>(), [250; 4]);
            mean_and_error(&one.mean_by_seed()).0
        };
        assert!((1.5..2.3).contains(&mean(Design::Random)));
        assert!((0.65..1.32).contains(&mean(Design::OneMoreBit)));
        assert!((0.93..1.32).contains(&mean(Design::DrawnDistance)));
        assert!((0.61..0.77).contains(&mean(Design::DrawnEven)));
        assert!((0.58..0.76).contains(&mean(Design::EvenDistance)));
        assert!((2.6..13.0).contains(&mean(Design::Distance)));
        for one in &compared {
            let (worst, pairs) = (one.worst_by_seed().into_iter().max().unwrap(), one.stored_pairs);
            match one.design {
                // Expected: 8,969,506 / 2^18 = 34.2 pairs, and half of that.
                Design::Random => assert!((30.0..38.5).contains(&pairs), "{pairs}"),
                Design::OneMoreBit => {
                    assert_eq!(one.split.bits(), 19);
                    assert!((14.0..20.5).contains(&pairs), "{pairs}");
                }
                Design::DrawnDistance => assert_eq!(one.distance, Some(10)),
                // The one even word is the whole board, on which 21 stored pairs differ.
                Design::DrawnEven | Design::EvenDistance => {
                    assert_eq!((one.distance, pairs), (Some(20), 21.0));
                    assert!(worst < 10, "{worst}");
                }
                Design::Distance => assert_eq!(one.distance, Some(13)),
                // Exact on all reachable positions, or on all stored ones.
                Design::BoardRead | Design::StoredRead => {
                    assert_eq!((worst, pairs), (0, 0.0), "{}", one.design.name());
                }
            }
        }
    }

    #[test]
    fn lengths_that_no_design_has_are_refused() {
        let board: Board = "3x4".parse().unwrap();
        for bad in ["0+0", "6+6", "20+12"] {
            let error = require(board, bad.parse().unwrap()).unwrap_err().to_string();
            assert!(error.contains("1 to 11"), "{error}");
        }
        for good in ["1+0", "0+11", "5+4"] {
            require(board, good.parse().unwrap()).unwrap();
        }
    }
}
