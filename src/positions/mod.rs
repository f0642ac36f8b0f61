//! Every reachable position of a game on a board, per mover, sorted.
//!
//! Two roads lead to the same lists. [`layered`] is the definition: alternating
//! play from the start, either player starting, layer by layer. [`enumerate`]
//! takes the game's bitmap of all boards where it has one and is what everyone
//! else calls.
//!
//! ```
//! use zobrist_lab::{game::domineering::Domineering, positions};
//! let positions = positions::enumerate(&Domineering, "2x4".parse()?)?;
//! assert_eq!((positions.left.len(), positions.right.len()), (28, 24));
//! # Ok::<(), zobrist_lab::Error>(())
//! ```

pub mod files;

use std::collections::BTreeSet;

use crate::board::{Board, squares_of};
use crate::error::Error;
use crate::game::domino::highest_free;
use crate::game::{Game, Mover};
use crate::memory;

/// The positions of both movers: sets of features, ascending and without repeats.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Positions {
    /// Features a position may have; no bit at or above this is set.
    pub features: usize,
    /// With Left to move.
    pub left: Vec<u64>,
    /// With Right to move.
    pub right: Vec<u64>,
}

impl Positions {
    /// The list of one mover.
    pub fn of(&self, mover: Mover) -> &[u64] {
        match mover {
            Mover::Left => &self.left,
            Mover::Right => &self.right,
        }
    }

    /// Both lists, Left's first.
    pub fn both(&self) -> [&[u64]; 2] {
        [&self.left, &self.right]
    }

    /// Number of positions of both movers.
    pub fn total(&self) -> usize {
        self.left.len() + self.right.len()
    }

    /// The features that some position has.
    pub fn union(&self) -> u64 {
        self.union_and_parity().0
    }

    /// Whether every position has an even number of features.
    pub fn all_even(&self) -> bool {
        self.union_and_parity().1
    }

    /// [`Self::union`] and [`Self::all_even`] in one pass: a census is not much longer.
    pub fn union_and_parity(&self) -> (u64, bool) {
        // The parity in the lowest bit by folding halves: vector code without a popcount.
        let positions = self.both().into_iter().flatten();
        let (union, folded) = positions.fold((0, 0), |(union, odd), &position| {
            let half = (position ^ position >> 32) as u32;
            let parity = [16, 8, 4, 2, 1].iter().fold(half, |bits, by| bits ^ bits >> by);
            (union | position, odd | parity)
        });
        (union, folded & 1 == 0)
    }

    /// Number of unordered pairs with the same mover.
    pub fn pairs(&self) -> u128 {
        self.both()
            .map(|list| (list.len() as u128 * (list.len() as u128).saturating_sub(1)) / 2)
            .iter()
            .sum()
    }

    /// How many positions of each mover have `2k` features: `[left, right]` by `k`.
    pub fn by_dominoes(&self) -> Vec<[u64; 2]> {
        self.by_size(2)
    }

    /// How many positions of each mover have `unit · k` features, and less
    /// than a unit more: `[left, right]` by `k`.
    pub fn by_size(&self, unit: usize) -> Vec<[u64; 2]> {
        let mut counts = vec![[0; 2]; self.features / unit + 1];
        for (mover, list) in self.both().into_iter().enumerate() {
            for position in list {
                counts[position.count_ones() as usize / unit][mover] += 1;
            }
        }
        while counts.len() > 1 && counts.last() == Some(&[0, 0]) {
            counts.pop();
        }
        counts
    }
}

/// The reachable positions of `game` on `board`, by its bitmaps if it has them.
///
/// # Errors
/// A board whose bitmaps or lists do not fit the memory that is free.
pub fn enumerate(game: &dyn Game, board: Board) -> Result<Positions, Error> {
    let features = game.features(board);
    require_memory(game, board)?;
    let (bitmaps, highest) = match game.even_bitmaps(board) {
        Some(bitmaps) => (bitmaps, Some(features - 1)),
        None => match game.bitmaps(board) {
            Some(bitmaps) => (bitmaps, None),
            None => return Ok(layered(game, board)),
        },
    };
    let lists: u64 = bitmaps.iter().flatten().map(|word| u64::from(word.count_ones())).sum();
    memory::require(&format!("the positions of {board}"), 8 * lists, "")?;
    let [left, right] = bitmaps.map(|bitmap| members(&bitmap, highest));
    Ok(Positions { features, left, right })
}

/// Refuses a board whose bitmaps of all sets do not fit the memory that is free.
///
/// # Errors
/// That; it says how many squares would fit.
pub fn require_memory(game: &dyn Game, board: Board) -> Result<(), Error> {
    // Two bitmaps; 2^60 bytes stand for all that is beyond any machine.
    let bits = game.bitmap_features(board);
    let needed = 1u64 << bits.saturating_sub(2).min(60);
    let what = format!("enumerating {board} {}", game.name());
    memory::require_or(&what, needed, |available| {
        let dropped = game.features(board) - bits;
        let features = 2 + available.max(1).ilog2() as usize + dropped;
        format!("; up to {features} features fit")
    })
}

/// The reachable positions from the definition, layer by layer: the oracle.
pub fn layered(game: &dyn Game, board: Board) -> Positions {
    let start = game.start(board);
    let mut reached = [BTreeSet::from([start]), BTreeSet::from([start])];
    let mut layer = [vec![start], vec![start]];
    while layer.iter().any(|list| !list.is_empty()) {
        let mut next = [vec![], vec![]];
        for mover in Mover::BOTH {
            let to = mover.other() as usize;
            for &position in &layer[mover as usize] {
                let mut moves = vec![];
                game.moves(board, mover, position, &mut moves);
                next[to].extend(moves.into_iter().filter(|child| reached[to].insert(*child)));
            }
        }
        layer = next;
    }
    let [left, right] = reached.map(|set| set.into_iter().collect());
    Positions { features: game.features(board), left, right }
}

/// The members of a bitmap, ascending; of even sets, if their `highest` feature was dropped.
fn members(bitmap: &[u64], highest: Option<usize>) -> Vec<u64> {
    let mut members =
        Vec::with_capacity(bitmap.iter().map(|word| word.count_ones() as usize).sum());
    let mut list = |within: fn(usize) -> u64, more: u64| {
        for (index, word) in bitmap.iter().enumerate() {
            let bits = squares_of(word & within(index));
            members.extend(bits.map(|bit| (index * 64 + bit) as u64 | more));
        }
    };
    match highest {
        None => list(|_| u64::MAX, 0),
        Some(highest) => {
            list(highest_free, 0);
            list(|index| !highest_free(index), 1 << highest);
        }
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::domineering::Domineering;

    #[test]
    fn both_roads_agree_on_every_rectangle_up_to_sixteen_squares() {
        for rows in 1..=16 {
            for columns in 1..=16 / rows {
                let board = Board::new(rows, columns).unwrap();
                assert_eq!(
                    enumerate(&Domineering, board).unwrap(),
                    layered(&Domineering, board),
                    "{board}"
                );
            }
        }
    }

    #[test]
    fn counts_are_the_known_ones() {
        for (name, left, right) in
            [("2x4", 28, 24), ("4x5", 24_663, 24_007), ("4x6", 249_635, 238_719)]
        {
            let positions = enumerate(&Domineering, name.parse().unwrap()).unwrap();
            assert_eq!((positions.left.len(), positions.right.len()), (left, right), "{name}");
        }
    }
}
