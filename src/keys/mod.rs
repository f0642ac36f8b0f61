//! XOR keys of a slice of positions: the XOR of the words of each position's
//! features.
//!
//! ```text
//! words [3, 5, 9, …]   position {0, 2} = 0b101   key 3 ^ 9 = 10
//! ```

mod oracle;

use crate::tier::Kernel;

/// A way to evaluate XOR keys.
pub trait KeyKernel: Sync {
    /// Writes the key of each position: `out[i]` is the XOR of `words[s]` over
    /// the bits `s` of `positions[i]`. Positions have no bit at or above
    /// `words.len()`, which is at most 64; `out` is as long as `positions`.
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]);
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn KeyKernel>] = &[oracle::KERNEL];
