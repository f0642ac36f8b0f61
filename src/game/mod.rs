//! The games: rules, and nothing else.
//!
//! A position is a set of features, one bit of a `u64` each, and the player to
//! move; a Zobrist key gives each feature a word. Adding a game is one file,
//! one `mod` line and one element of [`GAMES`].

pub mod domino;
pub mod domineering;
pub mod cram;
pub mod clobber;

use crate::board::Board;
use crate::error::Error;

/// The player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mover {
    /// Left, also Blue; places vertical dominoes.
    Left,
    /// Right, also Red; places horizontal dominoes.
    Right,
}

impl Mover {
    /// Left, then Right: the order of every pair of tables in this crate.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other player.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// The rules of one game.
pub trait Game: Sync {
    /// The game's name: its file's, and what `--game` takes.
    fn name(&self) -> &'static str;

    /// Number of features a position on `board` may have: words of a Zobrist key.
    fn features(&self, board: Board) -> usize;

    /// What the size of a position is counted in, and how many features one
    /// of these takes.
    fn unit(&self) -> (&'static str, usize) {
        ("dominoes", 2)
    }

    /// The position a game starts from, for either player to move.
    fn start(&self, board: Board) -> u64;

    /// Pushes every position that `mover` can reach in one move; a position
    /// may be pushed twice.
    fn moves(&self, board: Board, mover: Mover, position: u64, out: &mut Vec<u64>);

    /// The reachable positions as one bitmap a mover (bit `p` of Left's is set
    /// when `p` with Left to move is reachable), if the game has a way faster
    /// than searching. Bitmaps hold `2^features` bits, at least one word.
    fn bitmaps(&self, _board: Board) -> Option<[Vec<u64>; 2]> {
        None
    }

    /// How many features choose a bit of the bitmaps by which positions are enumerated.
    fn bitmap_features(&self, board: Board) -> usize {
        self.features(board)
    }

    /// The same in bitmaps half as long, for a game whose positions are all even sets: bit
    /// `p` stands for `p` or, if `p` is odd, for `p` and the highest feature. They hold
    /// `2^(features - 1)` bits, at least one word.
    fn even_bitmaps(&self, _board: Board) -> Option<[Vec<u64>; 2]> {
        None
    }
}

/// Every game the lab knows.
pub const GAMES: &[&dyn Game] = &[&domineering::Domineering, &cram::Cram, &clobber::Clobber];

/// The game called `name`.
///
/// # Errors
/// An unknown name; it lists the known ones.
pub fn find(name: &str) -> Result<&'static dyn Game, Error> {
    GAMES.iter().copied().find(|game| game.name() == name).ok_or_else(|| {
        let names: Vec<_> = GAMES.iter().map(|game| game.name()).collect();
        Error::argument("--game", format!("no game `{name}`: want one of {}", names.join(", ")))
    })
}
