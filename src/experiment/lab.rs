//! What figures are read off, each measured once however many ask.
//!
//! ```text
//! reachable ─► census ─┐
//! stored ────► census ─┴► lengths      tables      designs
//! cram outcomes ─► firings             clobber census
//! ```

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use indicatif::ProgressBar;

use crate::board::Board;
use crate::census::{Census, Road};
use crate::code::Code;
use crate::confusions::{self, Keys, Length, Lumps};
use crate::design::{self, Found, Ground, Sets};
use crate::draw;
use crate::error::Error;
use crate::game::domineering::Domineering;
use crate::pairing::{self, Check, Clause, Outcomes, Pairings};
use crate::pieces::{self, Frame, Key};
use crate::positions::{self, Positions};
use crate::solve;
use crate::table::{self, Counts, Exact, Holds, KeySet, Rule, Setup, Split};
use crate::tier::{self, Tier};

/// How many searches a design is the best of: the essays' number.
pub(crate) const RESTARTS: usize = 24;

/// The seed of everything drawn here.
pub(crate) const SEED: u64 = 1;

/// Which of the essays' three designs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Design {
    /// The textbook's: the largest least number of squares in a codeword.
    Distance,
    /// The largest least number of squares in an even codeword.
    EvenDistance,
    /// The fewest pairs of reachable positions.
    BoardRead,
}

/// What keys confuse at each length, and what one bit more does.
type Lengths = (Vec<Length>, Vec<Lumps>);

/// Things by key, each made when it is first asked for.
struct Once<K, T>(Mutex<BTreeMap<K, Arc<T>>>);

impl<K: Ord, T> Once<K, T> {
    fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    fn get(&self, key: K, make: impl FnOnce() -> Result<T, Error>) -> Result<Arc<T>, Error> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = lock().get(&key) {
            return Ok(Arc::clone(made));
        }
        // Made without the lock, which threads that help would wait for.
        let made = Arc::new(make()?);
        Ok(Arc::clone(lock().entry(key).or_insert(made)))
    }
}

/// The shared measurements of one run.
pub struct Lab {
    ceiling: Tier,
    reachable: Once<Board, Positions>,
    censuses: Once<Board, Census>,
    stored: Once<(), Positions>,
    stored_census: Once<(), Census>,
    lengths: Once<(), Lengths>,
    exact: Once<(), Exact>,
    tables: Once<(u32, u32), Vec<Counts>>,
    grounds: Once<(), [Ground; 2]>,
    designs: Once<(Design, usize), Vec<Code>>,
    outcomes: Once<Board, Outcomes>,
    firings: Once<(Board, bool), pairing::Census>,
    clobber: Once<Board, pieces::census::Census>,
}

/// A board by its name.
pub(crate) fn board(name: &str) -> Board {
    name.parse().expect("the boards of the essays are well named")
}

impl Lab {
    /// Nothing measured yet; kernels at or below `ceiling` will be used.
    pub fn new(ceiling: Tier) -> Self {
        Self {
            ceiling,
            reachable: Once::new(),
            censuses: Once::new(),
            stored: Once::new(),
            stored_census: Once::new(),
            lengths: Once::new(),
            exact: Once::new(),
            tables: Once::new(),
            grounds: Once::new(),
            designs: Once::new(),
            outcomes: Once::new(),
            firings: Once::new(),
            clobber: Once::new(),
        }
    }

    /// The board of the first two essays.
    pub(crate) fn four_by_five(&self) -> Board {
        board("4x5")
    }

    /// The reachable positions of Domineering on a board.
    pub(crate) fn reachable(&self, board: Board) -> Result<Arc<Positions>, Error> {
        self.reachable.get(board, || positions::enumerate(&Domineering, board))
    }

    fn count(&self, positions: &Positions) -> Result<Census, Error> {
        Census::take(positions, &Road::choose("auto", self.ceiling, positions)?)
    }

    /// The pairs of the reachable positions of a board.
    pub(crate) fn census(&self, board: Board) -> Result<Arc<Census>, Error> {
        self.censuses.get(board, || self.count(&*self.reachable(board)?))
    }

    /// The positions of 4x5 that the who-wins search stores.
    pub(crate) fn stored(&self) -> Result<Arc<Positions>, Error> {
        self.stored.get((), || solve::stored(self.four_by_five()))
    }

    /// Their pairs.
    pub(crate) fn stored_census(&self) -> Result<Arc<Census>, Error> {
        self.stored_census.get((), || self.count(&*self.stored()?))
    }

    /// What the sixty keys confuse of the stored positions at 10 to 20 bits,
    /// and what one bit more does.
    pub(crate) fn lengths(&self) -> Result<Arc<Lengths>, Error> {
        self.lengths.get((), || {
            let [stored, reachable] = [self.stored_census()?, self.census(self.four_by_five())?];
            let lengths: Vec<u32> = (10..=20).collect();
            let keys = u64::from(draw::ESSAY_KEYS);
            let hidden = ProgressBar::hidden();
            Ok(confusions::of(Keys::Essays, keys, &lengths, &stored, &reachable, &hidden))
        })
    }

    /// The row of [`Lab::lengths`] of `bits`.
    pub(crate) fn length(&self, bits: u32) -> Result<Length, Error> {
        let lengths = self.lengths()?;
        Ok(lengths.0.iter().find(|length| length.bits == bits).expect("10 to 20 bits").clone())
    }

    /// What a step from `bits` to one more does.
    pub(crate) fn lumps(&self, bits: u32) -> Result<Lumps, Error> {
        let lengths = self.lengths()?;
        Ok(lengths.1.iter().find(|lumps| lumps.bits == bits).expect("10 to 19 bits").clone())
    }

    /// The code of one of the sixty keys, cut to `bits`.
    pub(crate) fn essay_code(&self, number: u32, bits: u32) -> Code {
        let drawn = draw::essay_words(number, self.four_by_five().squares());
        Code::of_words(&draw::top_bits(&drawn, bits))
    }

    /// The exact verdicts that tables are measured against.
    pub(crate) fn verdicts(&self) -> Result<Arc<Exact>, Error> {
        self.exact.get((), || Exact::new(self.four_by_five(), Holds::Verdict))
    }

    /// What each of the sixty keys does in a table of `address` and `check` bits.
    pub(crate) fn table(&self, address: u32, check: u32) -> Result<Arc<Vec<Counts>>, Error> {
        self.tables.get((address, check), || {
            self.table_of(&KeySet::Essays, Split { address, check }, draw::ESSAY_KEYS as usize)
        })
    }

    /// What each of the first `count` keys of a set does in a table.
    pub(crate) fn table_of(
        &self,
        keys: &KeySet,
        split: Split,
        count: usize,
    ) -> Result<Vec<Counts>, Error> {
        let board = self.four_by_five();
        keys.require(board, split)?;
        let setup = Setup { board, holds: Holds::Verdict, split, rule: Rule::Essays };
        let words = |index| keys.words(board, split, index);
        table::run(setup, &*self.verdicts()?, count, words, &ProgressBar::hidden())
    }

    /// Positions that a search with a perfect table searches.
    pub(crate) fn plain_searched(&self) -> Result<u64, Error> {
        Ok(self.verdicts()?.searched())
    }

    /// The reachable and the stored pairs of 4x5, as designs are measured against them.
    pub(crate) fn grounds(&self) -> Result<Arc<[Ground; 2]>, Error> {
        self.grounds.get((), || {
            let board = self.four_by_five();
            let reachable = Ground::of(&*self.reachable(board)?, Some(board), self.ceiling)?;
            Ok([reachable, Ground::of(&*self.stored()?, None, self.ceiling)?])
        })
    }

    /// The codes of a design for keys of `bits`: one from each search that
    /// reached the best distance, or the fewest reachable pairs.
    pub(crate) fn design(&self, design: Design, bits: usize) -> Result<Arc<Vec<Code>>, Error> {
        self.designs.get((design, bits), || {
            let grounds = self.grounds()?;
            let [reachable, _] = &*grounds;
            let sets = match design {
                Design::Distance => Sets { even: false, ..reachable.sets },
                Design::EvenDistance | Design::BoardRead => reachable.sets,
            };
            let (dimension, hidden) = (sets.code_dimension(bits), ProgressBar::hidden());
            let found: Vec<Found> = match design {
                Design::Distance | Design::EvenDistance => {
                    design::distant_codes(sets, dimension, RESTARTS, SEED, true, &hidden)?.codes
                }
                Design::BoardRead => {
                    let prices = reachable.prices.cells();
                    let found = design::cheap_codes(
                        prices,
                        dimension,
                        RESTARTS,
                        design::EFFORT,
                        SEED,
                        &hidden,
                    );
                    let least = found.iter().map(|found| found.total).min();
                    found.into_iter().filter(|found| Some(found.total) == least).collect()
                }
            };
            let code = |found: &Found| design::completed(sets, bits, &found.basis, SEED);
            Ok(found.iter().map(code).collect())
        })
    }

    /// Cram's reachable positions and their outcomes.
    pub(crate) fn outcomes(&self, board: Board) -> Result<Arc<Outcomes>, Error> {
        self.outcomes.get(board, || Outcomes::of(board))
    }

    /// Where the half-turn check fires, with the clause that repairs it or without.
    pub(crate) fn firings(
        &self,
        board: Board,
        repaired: bool,
    ) -> Result<Arc<pairing::Census>, Error> {
        self.firings.get((board, repaired), || {
            let (_, kernel) = tier::pick(pairing::KERNELS, None, self.ceiling)?;
            let check = half_turn(board, repaired);
            Ok(pairing::census(&*self.outcomes(board)?, &check, kernel))
        })
    }

    /// Clobber's pieces, their folds and their values, each piece valued on its own.
    pub(crate) fn clobber(&self, board: Board) -> Result<Arc<pieces::census::Census>, Error> {
        self.clobber.get(board, || {
            let plan = pieces::census::Plan {
                frame: Frame::new(board)?,
                folds: Key::ALL[1..].to_vec(),
                values: Some(Key::Piece),
                kernel: self.piece_kernel()?,
                checkpoint: None,
            };
            pieces::census::take(&plan, &|_, _| ProgressBar::hidden())
        })
    }

    /// The fastest piece kernel under the ceiling.
    pub(crate) fn piece_kernel(&self) -> Result<&'static dyn pieces::PieceKernel, Error> {
        Ok(tier::pick(pieces::KERNELS, None, self.ceiling)?.1)
    }
}

/// The essay's check on a board, with the clause that repairs it or without.
pub(crate) fn half_turn(board: Board, repaired: bool) -> Check {
    let clause = if repaired { Clause::Strict } else { Clause::Naive };
    Check { board, pairings: Pairings::HALF_TURN, clause }
}
