//! Six rounds of exchanging off-diagonal quarters, halving each time: the
//! recursive transpose of Knuth (TAOCP 7.1.3) and Warren (Hacker's Delight 7-3).
//!
//! ```text
//! rows r      a b        a c     first with quarters of 32 × 32,
//! rows r+32   c d   ─►   b d     then of 16 × 16 inside each, … 1 × 1
//! ```

use super::{Block, PlaneKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PlaneKernel> =
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

struct Scalar;

impl PlaneKernel for Scalar {
    fn transpose(&self, blocks: &mut [Block]) {
        for block in blocks {
            exchange::<32>(block);
            exchange::<16>(block);
            exchange::<8>(block);
            exchange::<4>(block);
            exchange::<2>(block);
            exchange::<1>(block);
        }
    }
}

/// Exchanges the upper right and lower left `SIDE` × `SIDE` quarters of every
/// square of twice that side.
fn exchange<const SIDE: usize>(block: &mut Block) {
    for square in block.chunks_exact_mut(2 * SIDE) {
        let (upper, lower) = square.split_at_mut(SIDE);
        for (a, b) in upper.iter_mut().zip(lower) {
            let differ = (*a >> SIDE ^ *b) & low(SIDE);
            *a ^= differ << SIDE;
            *b ^= differ;
        }
    }
}

/// The lower half of every run of `2 * side` bits: `low(4)` is `0x0f0f…0f`.
pub(super) const fn low(side: usize) -> u64 {
    u64::MAX / ((1 << side) + 1)
}
