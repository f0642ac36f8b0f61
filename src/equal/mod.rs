//! Counting equal keys: how many unordered pairs of a slice of short keys agree.
//!
//! ```text
//! keys [5, 9, 5, 5]   pairs 5=5, 5=5, 5=5   three
//! ```
//!
//! The family compares roads, not only instructions. `scalar` to `avx512`
//! compare every pair, a register of keys at a time, eight rows of the double
//! loop over each load (`tiles.rs`). `minterm` still answers for every pair, but
//! by bitmaps: one AND and one population count settle 512 of them. `radix`
//! compares no pairs at all and beats everything on long slices: it is what
//! one should use, and what the others are measured beside. For the 16-bit
//! keys of 4x5's positions, 592,275,474 pairs, `minterm` takes 0.6 ms and
//! `radix` 0.04 ms on a Zen 5.
//!
//! # Limits
//!
//! Slices hold at most 2^32 − 1 keys, whose pairs fit a `u64` even if all agree.

mod tiles;
mod oracle;
mod scalar;
mod wide;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod minterm;
mod radix;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rayon::prelude::*;

use crate::tier::Kernel;

/// A way to count the pairs of equal keys.
pub trait EqualKernel: Sync {
    /// The number of equal pairs `(i, j)` with `i` in `rows` and `j > i`: the
    /// rows of the double loop that one thread of [`equal16_parallel`] takes.
    fn rows16(&self, keys: &[u16], rows: Range<usize>) -> u64;
    /// The number of equal pairs `(i, j)` with `i` in `rows` and `j > i`.
    fn rows32(&self, keys: &[u32], rows: Range<usize>) -> u64;

    /// Whether the time grows with the keys rather than with their pairs. Then a part
    /// of the rows takes as long as all of them, and threads would bring nothing.
    fn linear(&self) -> bool {
        false
    }

    /// The number of unordered pairs of equal keys of up to 16 bits.
    ///
    /// # Panics
    /// If there are 2^32 keys or more.
    fn equal16(&self, keys: &[u16]) -> u64 {
        self.rows16(keys, 0..checked_len(keys))
    }

    /// The number of unordered pairs of equal keys of up to 32 bits.
    ///
    /// # Panics
    /// If there are 2^32 keys or more.
    fn equal32(&self, keys: &[u32]) -> u64 {
        self.rows32(keys, 0..checked_len(keys))
    }
}

/// [`EqualKernel::equal16`] on the threads of the current rayon pool; on this one if the
/// kernel is [linear](EqualKernel::linear).
///
/// # Panics
/// As [`EqualKernel::equal16`] does.
pub fn equal16_parallel(kernel: &dyn EqualKernel, keys: &[u16]) -> u64 {
    if kernel.linear() {
        return kernel.equal16(keys);
    }
    parts(checked_len(keys)).into_par_iter().map(|rows| kernel.rows16(keys, rows)).sum()
}

/// [`EqualKernel::equal32`] on the threads of the current rayon pool; on this one if the
/// kernel is [linear](EqualKernel::linear).
///
/// # Panics
/// As [`EqualKernel::equal32`] does.
pub fn equal32_parallel(kernel: &dyn EqualKernel, keys: &[u32]) -> u64 {
    if kernel.linear() {
        return kernel.equal32(keys);
    }
    parts(checked_len(keys)).into_par_iter().map(|rows| kernel.rows32(keys, rows)).sum()
}

fn checked_len<T>(keys: &[T]) -> usize {
    assert!(u32::try_from(keys.len()).is_ok(), "{} keys are 2^32 or more", keys.len());
    keys.len()
}

/// The rows of a double loop over `length` in parts of about equally many
/// pairs, one a thread: row `i` has `length - 1 - i` pairs, so the first parts are short.
fn parts(length: usize) -> Vec<Range<usize>> {
    let parts = rayon::current_num_threads();
    let end = |part: usize| {
        // The last `fraction` of the rows hold the last `fraction²` of the pairs.
        let fraction = (1.0 - part as f64 / parts as f64).sqrt();
        length - (length as f64 * fraction) as usize
    };
    (0..parts).map(|part| end(part)..end(part + 1)).collect()
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn EqualKernel>] = &[
    oracle::KERNEL,
    scalar::KERNEL,
    wide::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
    #[cfg(target_arch = "x86_64")]
    minterm::KERNEL,
    radix::KERNEL,
];
