//! Counting equal keys: how many unordered pairs of a slice of short keys agree.
//!
//! ```text
//! keys [5, 9, 5, 5]   pairs 5=5, 5=5, 5=5   three
//! ```

mod oracle;

use crate::tier::Kernel;

/// A way to count the pairs of equal keys.
pub trait EqualKernel: Sync {
    /// The number of unordered pairs of equal keys of up to 16 bits.
    fn equal16(&self, keys: &[u16]) -> u64;
    /// The number of unordered pairs of equal keys of up to 32 bits.
    fn equal32(&self, keys: &[u32]) -> u64;
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn EqualKernel>] = &[oracle::KERNEL];
