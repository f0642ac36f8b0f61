//! The bounded store: a table of fixed size for boards with more sets of
//! squares than there is memory for.
//!
//! A slot holds the whole position beside its verdict, so nothing is ever
//! confused; what a table too small costs is searching again what it forgot.
//! Slots come in buckets of two. The position with more squares free, and so
//! more of the game below it, stays in the first; the other goes to the second
//! (the two-deep scheme of Breuker, Uiterwijk and van den Herik, 1994):
//!
//! ```text
//! bucket  [ deeper position | latest of the others ]     16 bytes
//! slot    2 bits: empty, lost, won · mover · 61 bits of free squares
//! ```
//!
//! A search with a small table searches the same positions as one that forgets
//! nothing, some of them more than once, and a position only again after its
//! verdict was pushed out. So `lost` bounds what the table cost.
//!
//! Fetching the buckets of all children when a position is entered lost: 2.1 s
//! of CPU for 6x6 and not 1.8, since a search that stops at its first winning
//! move never reads most of them.

use super::search::{Known, Search, Store};
use crate::board::Board;
use crate::error::Error;
use crate::memory::{self, Zeroed};

/// A search whose memory is bounded.
pub type Bounded = Search<Buckets>;

/// Most squares a slot holds.
const MAX_SQUARES: usize = 61;

const MOVER: u32 = 61;
const KNOWN: u32 = 62;

/// The bits of a slot that name a position.
const POSITION: u64 = u64::MAX >> 2;

/// The bits of a slot that are free squares.
const SQUARES: u64 = u64::MAX >> 3;

/// Buckets of two slots, the second empty while the first is. An empty slot
/// holds [`Known::Unknown`], which no verdict is, and so zero.
pub struct Buckets {
    buckets: Zeroed<[u64; 2]>,
    shift: u32,
    /// Verdicts written.
    pub written: u64,
    /// Verdicts that a later one pushed out: at most so many positions were
    /// searched again.
    pub lost: u64,
}

impl Buckets {
    /// Slots that hold a verdict now.
    pub fn occupied(&self) -> u64 {
        self.buckets.iter().flatten().filter(|slot| **slot != 0).count() as u64
    }

    #[inline]
    fn bucket(&self, position: u64) -> usize {
        // Fibonacci hashing: the product's top bits depend on all bits of the position.
        (position.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }
}

impl Store for Buckets {
    #[inline]
    fn find(&self, mover: usize, free: u64) -> Known {
        let position = free | (mover as u64) << MOVER;
        for slot in self.buckets[self.bucket(position)] {
            // An empty slot may look like the full board's: of that, it knows nothing.
            if slot & POSITION == position {
                return Known::from_code((slot >> KNOWN) as u8);
            }
        }
        Known::Unknown
    }

    #[inline]
    fn put(&mut self, mover: usize, free: u64, verdict: Known) {
        let position = free | (mover as u64) << MOVER;
        let slot = position | (verdict as u64) << KNOWN;
        let bucket = self.bucket(position);
        let [first, second] = &mut self.buckets[bucket];
        let squares = |slot: u64| (slot & SQUARES).count_ones();
        self.written += 1;
        if *first == 0 {
            *first = slot;
            return;
        }
        self.lost += u64::from(*second != 0);
        if squares(slot) >= squares(*first) {
            *second = std::mem::replace(first, slot);
        } else {
            *second = slot;
        }
    }
}

impl Bounded {
    /// A search on `board` with `2^bits` slots of eight bytes.
    ///
    /// # Errors
    /// More than 61 squares, fewer than 2 or more than 40 bits, or more memory than is free.
    pub fn new(board: Board, bits: u32) -> Result<Self, Error> {
        let refuse = |what: &str, problem: String| Err(Error::argument(what, problem));
        if board.squares() > MAX_SQUARES {
            let squares = board.squares();
            let problem = format!("{board} has {squares} squares, a slot holds {MAX_SQUARES}");
            return refuse("board", problem);
        }
        if !(2..=40).contains(&bits) {
            return refuse("--table-bits", format!("{bits} address bits: want 2 to 40"));
        }
        memory::require(&format!("a table of 2^{bits} slots"), 8 << bits, "")?;
        let buckets = Zeroed::new(1 << (bits - 1))?;
        let shift = u64::BITS - (bits - 1);
        Ok(Self::over(board, Buckets { buckets, shift, written: 0, lost: 0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_found_the_full_board_too() {
        for bits in [2, 3, 10] {
            let mut store = Bounded::new("4x4".parse().unwrap(), bits).unwrap().store;
            for (mover, free, verdict) in [
                (0, 0, Known::Lost),
                (1, 0, Known::Lost),
                (0, 0xFFFF, Known::Won),
                (1, 0xFFFF, Known::Lost),
            ] {
                assert_eq!(store.find(mover, free), Known::Unknown, "2^{bits}, {mover} {free:#x}");
                store.put(mover, free, verdict);
                assert_eq!(store.find(mover, free), verdict, "2^{bits}, {mover} {free:#x}");
                assert_eq!(store.occupied() + store.lost, store.written);
            }
        }
    }

    #[test]
    fn the_deeper_of_two_positions_stays() {
        let mut store = Bounded::new("4x4".parse().unwrap(), 2).unwrap().store;
        // Of the two buckets, positions that share the empty board's.
        let deep = 0xFFFF;
        let mut small = (1..64).filter(|free| store.bucket(*free) == store.bucket(deep));
        let [one, two] = [(); 2].map(|()| small.next().unwrap());
        for free in [deep, one, two] {
            store.put(0, free, Known::Lost);
        }
        let known = [deep, one, two].map(|free| store.find(0, free));
        assert_eq!(known, [Known::Lost, Known::Unknown, Known::Lost]);
        assert_eq!((store.written, store.lost, store.occupied()), (3, 1, 2));
    }
}
