//! The honest baseline: the plain loop in the form that the compiler turns
//! into its best vectors for the build's target (on x86-64, SSE2).
//!
//! ```text
//! for x { for y after x { count += (x == y) as u16 } }   // the count as narrow as the keys
//! ```
//!
//! A count as wide as a `u64` makes the compiler widen every comparison.

use std::ops::Range;

use super::EqualKernel;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn EqualKernel> =
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

struct Scalar;

impl EqualKernel for Scalar {
    fn rows16(&self, keys: &[u16], rows: Range<usize>) -> u64 {
        let mut pairs = 0;
        for row in rows {
            // A count of this many cannot pass its own width.
            for part in keys[row + 1..].chunks(u16::MAX as usize) {
                pairs += u64::from(part.iter().map(|y| u16::from(*y == keys[row])).sum::<u16>());
            }
        }
        pairs
    }

    fn rows32(&self, keys: &[u32], rows: Range<usize>) -> u64 {
        let mut pairs = 0;
        for row in rows {
            // Fewer than 2^32 keys: the count fits.
            pairs +=
                u64::from(keys[row + 1..].iter().map(|y| u32::from(*y == keys[row])).sum::<u32>());
        }
        pairs
    }
}
