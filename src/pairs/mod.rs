//! Counting pairs by brute force: one added to the cell of `x ^ y` for every
//! unordered pair of positions.
//!
//! ```text
//! positions {000, 011, 101}   pairs 000^011 = 011   cells[011] += 1
//!                                   000^101 = 101   cells[101] += 1
//!                                   011^101 = 110   cells[110] += 1
//! ```
//!
//! Cells are a power of two in number and a difference goes to the cell of its
//! low bits: `2^n` cells hold every set of `n` squares, and `2^(n-1)` hold every
//! *even* set, the highest square being dropped because its parity restores it.

mod oracle;

use crate::tier::Kernel;

/// A way to count pairs by the set they differ on.
pub trait PairKernel: Sync {
    /// Adds, for every unordered pair of `positions`, one to the cell of its
    /// difference: `cells[(x ^ y) & (cells.len() - 1)]`. The number of cells
    /// is a power of two, and no count may pass `u32::MAX`.
    fn differences(&self, positions: &[u64], cells: &mut [u32]);
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn PairKernel>] = &[oracle::KERNEL];
