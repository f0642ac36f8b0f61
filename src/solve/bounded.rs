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
//! slot    won · mover · 62 bits of free squares
//! ```
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
const MAX_SQUARES: usize = 62;

const MOVER: u32 = 62;
const WON: u64 = 1 << 63;

/// Buckets of two slots. A slot of zero is empty: it would be the full board
/// with Left to move, which is lost at sight and not worth a slot.
pub struct Buckets {
    buckets: Zeroed<[u64; 2]>,
    shift: u32,
    /// Verdicts written.
    pub written: u64,
    /// Verdicts that a later one pushed out.
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
            if slot & !WON == position && slot != 0 {
                return if slot & WON == 0 { Known::Lost } else { Known::Won };
            }
        }
        Known::Unknown
    }

    #[inline]
    fn put(&mut self, mover: usize, free: u64, verdict: Known) {
        let position = free | (mover as u64) << MOVER;
        let slot = position | if verdict == Known::Won { WON } else { 0 };
        let bucket = self.bucket(position);
        let [first, second] = &mut self.buckets[bucket];
        let squares = |slot: u64| (slot << 2).count_ones();
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
    /// More than 62 squares, fewer than 2 or more than 40 bits, or more memory than is free.
    pub fn new(board: Board, bits: u32) -> Result<Self, Error> {
        let refuse = |problem: String| Err(Error::argument("--table-bits", problem));
        if board.squares() > MAX_SQUARES {
            return refuse(format!("a slot holds {MAX_SQUARES} squares, {board} has more"));
        }
        if !(2..=40).contains(&bits) {
            return refuse(format!("{bits} address bits: want 2 to 40"));
        }
        memory::require(&format!("a table of 2^{bits} slots"), 8 << bits, "")?;
        let buckets = Zeroed::new(1 << (bits - 1))?;
        let shift = u64::BITS - (bits - 1);
        Ok(Self::over(board, Buckets { buckets, shift, written: 0, lost: 0 }))
    }
}
