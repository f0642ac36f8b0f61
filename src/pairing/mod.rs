//! Cram's pairing check: is a set of free squares lost for the player to move
//! because the other player can answer every domino with its image?
//!
//! The image is taken under one of five involutions of the set's *bounding
//! box*: the half turn, two mirrors and, where the box is square, two
//! diagonals. A set that equals its image passes if no domino gets in the way
//! of the answer, and how much of that is looked at is the [`Clause`]:
//!
//! ```text
//! half turn of the box      a b c       answer to {a, b} is {c', b'}
//!                           d   d'      fixed square: none here
//!                           c' b' a'    facing pair: none here (d, d' are not neighbours)
//!
//! naive     no square is its own image                              unsound
//! strict    nor do two neighbours change places (a domino across
//!           the centre would be its own answer)                     sound
//! relaxed   no domino of the set meets its own image: as strict,
//!           but a fixed square without free neighbours may stay     sound
//! ```
//!
//! The empty set is not accepted by any clause. Sets here are sets of *free*
//! squares; positions elsewhere in the crate are covered squares
//! ([`crate::game::cram::free`] turns one into the other).
//!
//! The check *fires* at a position when some domino leaves a set that the test
//! accepts; [`census()`] counts how often that is right.
//!
//! ```
//! use zobrist_lab::pairing::{Check, Clause, Pairings};
//! let board = "2x4".parse()?;
//! let check = |clause| Check { board, pairings: Pairings::HALF_TURN, clause };
//! // Four squares in a row: the middle two change places, so a domino there is its own answer.
//! assert!(check(Clause::Naive).accepts(0b0000_1111));
//! assert!(!check(Clause::Strict).accepts(0b0000_1111));
//! # Ok::<(), zobrist_lab::Error>(())
//! ```

mod plan;
mod oracle;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod scalar_avx512;
mod lanes;
mod portable;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod census;
pub mod policy;

pub use census::{Census, Counts, Outcomes, Wrong, census};

pub(crate) use scalar::Tester;

use std::fmt;
use std::str::FromStr;

use crate::board::{Board, Symmetry};
use crate::error::Error;
use crate::tier::Kernel;

/// An involution of a bounding box that pairs its squares.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pairing {
    /// Rotation by 180°.
    HalfTurn,
    /// The mirror that exchanges left and right.
    LeftRight,
    /// The mirror that exchanges top and bottom.
    TopBottom,
    /// The mirror in the falling diagonal of a square box.
    Diagonal,
    /// The mirror in the rising diagonal of a square box.
    AntiDiagonal,
}

impl Pairing {
    /// All five; the half turn, the essays' only one, first.
    pub const ALL: [Self; 5] =
        [Self::HalfTurn, Self::LeftRight, Self::TopBottom, Self::Diagonal, Self::AntiDiagonal];

    /// The same map as a symmetry of a board.
    pub fn symmetry(self) -> Symmetry {
        match self {
            Self::HalfTurn => Symmetry::HalfTurn,
            Self::LeftRight => Symmetry::LeftRight,
            Self::TopBottom => Symmetry::TopBottom,
            Self::Diagonal => Symmetry::Diagonal,
            Self::AntiDiagonal => Symmetry::AntiDiagonal,
        }
    }
}

/// A set of pairings: bit `p as u8` for pairing `p`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pairings(u8);

impl Pairings {
    /// The half turn alone.
    pub const HALF_TURN: Self = Self(1);
    /// The mirror that exchanges left and right.
    pub const LEFT_RIGHT: Self = Self(1 << 1);
    /// The mirror that exchanges top and bottom.
    pub const TOP_BOTTOM: Self = Self(1 << 2);
    /// Both diagonals.
    pub const DIAGONALS: Self = Self(0b11 << 3);
    /// All five involutions.
    pub const ALL: Self = Self(0b11111);

    /// What `--pairing` takes, and for what; `diagonals` is the two of them.
    const NAMES: [(&str, Self); 5] = [
        ("half-turn", Self::HALF_TURN),
        ("left-right", Self::LEFT_RIGHT),
        ("top-bottom", Self::TOP_BOTTOM),
        ("diagonals", Self::DIAGONALS),
        ("all", Self::ALL),
    ];

    /// The pairings of this set, in the order of [`Pairing::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Pairing> {
        Pairing::ALL.into_iter().filter(move |&pairing| self.contains(pairing))
    }

    /// Whether `pairing` is one of them.
    pub fn contains(self, pairing: Pairing) -> bool {
        self.0 >> pairing as u8 & 1 == 1
    }

    /// The pairings of either set.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set as the bits that [`PairingKernel::accepted`] writes.
    pub fn bits(self) -> u8 {
        self.0
    }

    /// The pairings that a comma list names, for a board. The name `diagonals`
    /// is refused where there is one row or one column, however it is
    /// combined: no free set with a domino in it has a square box there. `all`
    /// means all that there are and is let through.
    ///
    /// # Errors
    /// That case, or a name that is not known.
    pub fn named(list: &str, board: Board) -> Result<Self, Error> {
        let pairings = list.parse()?;
        let narrow = board.rows().min(board.columns()) < 2;
        if narrow && list.split(',').any(|name| name == "diagonals") {
            let problem = format!(
                "no square box of two rows fits {board}, so `diagonals` can pair nothing: \
                 want half-turn, left-right, top-bottom or all"
            );
            return Err(Error::argument("--pairing", problem));
        }
        Ok(pairings)
    }
}

impl From<Pairing> for Pairings {
    fn from(pairing: Pairing) -> Self {
        Self(1 << pairing as u8)
    }
}

impl fmt::Display for Pairings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALL {
            return f.pad("all");
        }
        let named = Self::NAMES.iter().filter(|(_, set)| self.0 & set.0 == set.0);
        f.pad(&named.map(|(name, _)| *name).collect::<Vec<_>>().join(","))
    }
}

impl FromStr for Pairings {
    type Err = Error;

    /// A comma list of names, taken together.
    fn from_str(text: &str) -> Result<Self, Error> {
        text.split(',').try_fold(Self(0), |set, part| {
            let known = Self::NAMES.iter().find(|(name, _)| *name == part);
            let (_, named) = known.ok_or_else(|| {
                let names = Self::NAMES.map(|(name, _)| name).join(", ");
                let problem = format!("no pairing `{part}`: want some of {names}, comma between");
                Error::argument("--pairing", problem)
            })?;
            Ok(set.union(*named))
        })
    }
}

/// Which dominoes the test looks at; see the head of this file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Clause {
    /// No square is its own image. Unsound: what the essays' first check did.
    Naive,
    /// And no two neighbours change places. Sound; the "repaired" check.
    Strict,
    /// No domino meets its own image. Sound, and accepts more than `Strict`.
    Relaxed,
}

impl Clause {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Naive, Self::Strict, Self::Relaxed];
}

impl fmt::Display for Clause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Naive => "naive",
            Self::Strict => "strict",
            Self::Relaxed => "relaxed",
        })
    }
}

impl FromStr for Clause {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|clause| clause.to_string() == text).ok_or_else(|| {
            let problem = format!("no clause `{text}`: want naive, strict or relaxed");
            Error::argument("--clause", problem)
        })
    }
}

/// The test to run: on which board, under which pairings, with which clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// The board whose squares the sets are of.
    pub board: Board,
    /// A set passes if one of these accepts it.
    pub pairings: Pairings,
    /// What the pairing must not meet.
    pub clause: Clause,
}

impl Check {
    /// Whether the test accepts the free set `set`, by the definition.
    pub fn accepts(&self, set: u64) -> bool {
        self.pairings.iter().any(|pairing| oracle::accepts(self.board, pairing, self.clause, set))
    }
}

/// A way to run the test over many sets.
pub trait PairingKernel: Sync {
    /// Writes which of the check's pairings accept each set: bit `p as u8` of
    /// `accepted[i]` for [`Pairing`] `p` and `sets[i]`. Sets are of free
    /// squares and have no bit off the board; the slices are of one length.
    fn accepted(&self, check: &Check, sets: &[u64], accepted: &mut [u8]);
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn PairingKernel>] = &[
    oracle::KERNEL,
    scalar::KERNEL,
    #[cfg(target_arch = "x86_64")]
    scalar_avx512::KERNEL,
    portable::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];

#[cfg(test)]
mod tests;
