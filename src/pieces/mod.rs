//! Clobber pieces: connected sets of stones, what a move leaves of them, and
//! which of them are the same.
//!
//! ```text
//! xox      blue takes down the middle      x.x      two pieces of one colour,
//! .o.            - - - - - >               .x.      dead, worth nought, dropped
//! ```
//!
//! A piece is live when both colours are present. It is kept shifted to the
//! corner of its [`Frame`], never turned. A piece and its seven other images
//! are the same game; a piece with its colours exchanged is the negative.
//! [`Key`] says which of these a table identifies.

#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod census;
pub mod checkpoint;
pub mod folds;
mod frame;
pub mod growth;
mod memo;
mod oracle;
pub mod reach;
mod scalar;
pub mod solve;
mod table;

use std::fmt;
use std::str::FromStr;

pub use frame::Frame;
pub use reach::Pieces;

use crate::game::Mover;
use crate::tier::Kernel;

/// What a table of pieces identifies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// Nothing: the piece itself, shifted to the corner.
    Piece,
    /// A piece and its colour swap, with a sign.
    Colour,
    /// The eight images.
    Symmetry,
    /// The sixteen images of the piece and its colour swap, with a sign.
    Both,
}

impl Key {
    /// All four, the finest first.
    pub const ALL: [Self; 4] = [Self::Piece, Self::Colour, Self::Symmetry, Self::Both];
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Piece => "piece",
            Self::Colour => "colour",
            Self::Symmetry => "symmetry",
            Self::Both => "both",
        })
    }
}

impl FromStr for Key {
    /// What would be right: whoever asks knows what was wrong and where.
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|key| key.to_string() == text);
        named.ok_or("want piece, colour, symmetry or both")
    }
}

/// What the moves of a list of pieces leave.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Expansion {
    /// Number of moves of each piece.
    pub counts: Vec<u16>,
    /// Each move in turn: its live parts, and in bit 7 whether it is Right's.
    pub moves: Vec<u8>,
    /// The live parts of each move in turn, where they stand in the frame.
    pub parts: Vec<u64>,
}

impl Expansion {
    const RIGHT: u8 = 1 << 7;

    fn encode(mover: Mover, parts: usize) -> u8 {
        parts as u8 | if mover == Mover::Right { Self::RIGHT } else { 0 }
    }

    /// The mover and the number of live parts of an entry of `moves`.
    pub fn decode(entry: u8) -> (Mover, usize) {
        let mover = if entry & Self::RIGHT == 0 { Mover::Left } else { Mover::Right };
        (mover, usize::from(entry & !Self::RIGHT))
    }

    /// Empties the lists and keeps their memory.
    pub fn clear(&mut self) {
        self.counts.clear();
        self.moves.clear();
        self.parts.clear();
    }
}

/// A way to split, shift and turn pieces.
pub trait PieceKernel: Sync {
    /// Appends the moves of each piece (connected, anywhere in the frame) and
    /// the live parts they leave, unshifted. Moves may come in any order
    /// within a piece, and parts within a move.
    fn expand(&self, frame: &Frame, pieces: &[u64], out: &mut Expansion);

    /// Shifts each piece to the corner; an empty one stays empty.
    fn corner(&self, frame: &Frame, pieces: &mut [u64]);

    /// The eight images of each cornered, non-empty piece: itself, left–right,
    /// top–bottom, half turn, then the same four of the transposed piece; 0
    /// where one does not fit the frame.
    fn images(&self, frame: &Frame, pieces: &[u64], out: &mut [[u64; 8]]);

    /// Replaces each cornered, non-empty piece by its key: the least of the
    /// images that `key` identifies and that lie at least as wide as tall.
    /// `swapped` says whether it is an image of the colour swap; a piece that
    /// is its own negative is not swapped.
    fn keys(&self, frame: &Frame, key: Key, pieces: &mut [u64], swapped: &mut [bool]);
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn PieceKernel>] = &[
    oracle::KERNEL,
    scalar::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];
