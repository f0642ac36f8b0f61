//! The keys that a table is asked about: drawn, exact, or brought along.
//!
//! The literal exact key of a board leaves out one pair of squares of one
//! shade in rows of different parity, which the others determine, and copies
//! every other square to a bit of its own, the first to the lowest:
//!
//! ```text
//! 2x4    a . b c       word of a = 000001, b = 000010, c = 000100,
//!        . d e f               d = 001000, e = 010000, f = 100000
//! ```
//!
//! What a designed code does in the table depends on its basis, which decides
//! the slots, so a key from elsewhere is measured mixed. One key of `zlab design
//! 4x5` for each objective, a thousand mixings, wrong verdicts of the mean and
//! the worst:
//!
//! ```text
//!          random        distance     even-distance   pairs        stored
//! 10 + 6   7.42  69      0.93   5     1.71  16        2.42   9     0  0
//! 10 + 8   1.89  45     18.08  37     0.65   3        0      0     0  0
//! ```
//!
//! The 18 of the largest distance at 18 bits is that of one code, the one
//! that the search tries first (the lexicode): its distance is 13, and its only
//! even word is {6, …, 19}. Seventy-three stored pairs differ there, where a set
//! of 14 squares has 8.3 on average. The search fills the first squares first,
//! so one board of each pair is among the first 1,500 of the 5,988 positions
//! searched, the 275th on average: it gets a slot before the table is full, keeps
//! it, and is believed 200 times where strangers under random keys are 34 times.
//! Other codes of the same distance are wrong 5.2 times on average; see
//! [`super::Design`]. A distance counts squares, and pairs are what costs.
//!
//! An address is the top of a key, so it reads the *last* squares. Mixing the
//! bits by an invertible matrix leaves the key exact and changes the slots.

use rand_chacha::rand_core::Rng;

use super::Split;
use super::distant::{Distance, distant_words};
use crate::board::{Board, squares_of};
use crate::draw;
use crate::error::Error;
use crate::gf2;

/// A numbered set of keys for one board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum KeySet {
    /// The essays' sixty; see [`draw::essay_words`].
    Essays,
    /// Seeded random keys; see [`draw::random_words`].
    Random {
        /// The seed.
        seed: u64,
    },
    /// The one key of [`exact_words`].
    ExactLiteral,
    /// That key, its bits mixed by random invertible matrices; see [`mixed`].
    ExactMixed {
        /// The seed; the key's number is the stream.
        seed: u64,
    },
    /// Random keys on which no small set cancels; see [`distant_words`]. Each
    /// length draws its own, since a distance does not survive cutting.
    Distant {
        /// The least number of squares that cancel.
        distance: Distance,
        /// The seed; the key's number is the stream.
        seed: u64,
    },
    /// Keys from elsewhere, words right-aligned to `width` bits.
    Given {
        /// Bits of every word.
        width: u32,
        /// The words of each key, one for each square.
        keys: Vec<Vec<u64>>,
        /// Whether their bits are mixed.
        mixing: Option<Mixing>,
    },
}

/// Every key taken several times, its bits mixed: key `i` of the set is key
/// `i` modulo their number, mixed by matrix `i`; see [`mixed`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mixing {
    /// The seed of the matrices.
    pub seed: u64,
    /// How often each key is taken.
    pub times: usize,
}

impl KeySet {
    /// How many keys the set has, if it is not endless.
    pub fn len(&self) -> Option<usize> {
        match self {
            Self::Essays => Some(draw::ESSAY_KEYS as usize),
            Self::ExactLiteral => Some(1),
            Self::Given { keys, mixing, .. } => {
                Some(keys.len().saturating_mul(mixing.map_or(1, |mixing| mixing.times)))
            }
            Self::Random { .. } | Self::ExactMixed { .. } | Self::Distant { .. } => None,
        }
    }

    /// Whether the set has no key at all.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Whether a seed decides what the keys are.
    pub fn is_seeded(&self) -> bool {
        match self {
            Self::Essays | Self::ExactLiteral => false,
            Self::Given { mixing, .. } => mixing.is_some(),
            Self::Random { .. } | Self::ExactMixed { .. } | Self::Distant { .. } => true,
        }
    }

    /// Bits that the set's keys have on `board`.
    ///
    /// # Errors
    /// An exact key of a board that has none of this form.
    pub fn width(&self, board: Board) -> Result<u32, Error> {
        match self {
            Self::Essays | Self::Random { .. } | Self::Distant { .. } => Ok(u32::BITS),
            Self::ExactLiteral | Self::ExactMixed { .. } => match exact_words(board) {
                Some(_) => Ok(board.squares() as u32 - 2),
                None => {
                    let problem = format!(
                        "{board} has no two squares to leave out: want two rows and columns or more"
                    );
                    Err(Error::argument("--keys", problem))
                }
            },
            Self::Given { width, .. } => Ok(*width),
        }
    }

    /// Refuses a split that takes more bits than the keys have.
    ///
    /// # Errors
    /// It does; or see [`KeySet::width`] and [`Distance::require`].
    pub fn require(&self, board: Board, split: Split) -> Result<(), Error> {
        let width = self.width(board)?;
        if split.bits() > width {
            let problem = format!("`{split}` takes {} bits, the keys have {width}", split.bits());
            return Err(Error::argument("--splits", problem));
        }
        match self {
            Self::Distant { distance, .. } => distance.require(board.squares(), split.bits()),
            _ => Ok(()),
        }
    }

    /// The words of key `index` (from 0) cut to the split's bits, which the keys have.
    pub fn words(&self, board: Board, split: Split, index: usize) -> Vec<u64> {
        let squares = board.squares();
        let exact = || exact_words(board).expect("the set was checked against the board");
        let words = match self {
            Self::Essays => widened(&draw::essay_words(index as u32 + 1, squares)),
            Self::Random { seed } => widened(&draw::random_words(*seed, index as u64, squares)),
            Self::ExactLiteral => exact(),
            Self::ExactMixed { seed } => mixed(&exact(), squares as u32 - 2, *seed, index as u64),
            Self::Distant { distance, seed } => {
                return distant_words(*distance, *seed, index as u64, squares, split.bits());
            }
            Self::Given { width, keys, mixing } => {
                let key = &keys[index % keys.len()];
                match mixing {
                    Some(Mixing { seed, .. }) => mixed(key, *width, *seed, index as u64),
                    None => key.clone(),
                }
            }
        };
        let width = self.width(board).expect("the set was checked against the board");
        let cut = |word: u64| word.checked_shr(width - split.bits()).unwrap_or(0);
        words.into_iter().map(cut).collect()
    }
}

fn widened(drawn: &[u32]) -> Vec<u64> {
    draw::top_bits(drawn, u32::BITS)
}

/// The literal exact key of `board`: no bit for squares 1 and `columns`, and a
/// bit for each other square, in ascending order from the lowest. `None` for
/// a board of a single row or column.
///
/// The two are of one shade and in neighbouring rows; dominoes cover as many
/// squares of either shade, and with the mover known the covered squares of
/// the odd rows have the parity of the vertical dominoes' number.
pub fn exact_words(board: Board) -> Option<Vec<u64>> {
    if board.rows() == 1 || board.columns() == 1 {
        return None;
    }
    let left_out = [1, board.columns()];
    let mut bits = 0..;
    let mut word = |square: usize| {
        if left_out.contains(&square) { 0 } else { 1 << bits.next().expect("bits do not end") }
    };
    Some((0..board.squares()).map(&mut word).collect())
}

/// `words` of `width` bits, their bits mixed by a random invertible matrix over
/// GF(2), number `number` of `seed`: the key cancels on the same sets and stands
/// in other slots. The matrix is drawn column by column, and drawn again until
/// it is invertible.
pub fn mixed(words: &[u64], width: u32, seed: u64, number: u64) -> Vec<u64> {
    assert!((1..=u64::BITS).contains(&width), "words of {width} bits");
    let mut generator = draw::generator(seed, number);
    let columns: Vec<u64> = loop {
        let columns: Vec<u64> =
            (0..width).map(|_| generator.next_u64() >> (u64::BITS - width)).collect();
        if gf2::rank(&columns) == width as usize {
            break columns;
        }
    };
    let mix = |word: u64| squares_of(word).fold(0, |mix, bit| mix ^ columns[bit]);
    words.iter().map(|&word| mix(word)).collect()
}
