//! XOR keys of a slice of positions: the XOR of the words of each position's
//! features.
//!
//! ```text
//! words [3, 5, 9, …]   position {0, 2} = 0b101   key 3 ^ 9 = 10
//! ```
//!
//! A key is a linear map over GF(2) of the position's bits, so a kernel may cut
//! a position into pieces of any few bits, look each piece's key up in a small
//! table or multiply it by a small bit matrix, and XOR the results. That is
//! what all of them do; they differ in the size of the pieces:
//!
//! ```text
//! oracle, wide   1 bit     scalar   8 bits, tables in L1
//! planes         1 bit of 64 positions    avx2   3 bits, avx512   5 bits, in registers
//! gfni           8 bits, by 8 × 8 bit matrices
//! ```
//!
//! At 20 features and 32 bits `gfni` moves its 16 bytes a position about as fast
//! as a copy does. In 32 bits `avx512` is a little ahead of it (0.047 ns against
//! 0.054 a position): `gfni` there is bound by its shuffles.

mod oracle;
mod wide;
mod planes;
mod scalar;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod gfni;

use std::ops::BitXor;

use rayon::prelude::*;

use crate::tier::Kernel;

/// A way to evaluate XOR keys.
pub trait KeyKernel: Sync {
    /// Writes the key of each position: `out[i]` is the XOR of `words[s]` over
    /// the bits `s` of `positions[i]`. There are at most 64 words.
    ///
    /// # Panics
    /// If `out` is not as long as `positions`, or a position has a bit at or
    /// above `words.len()`; `out` then holds anything.
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]);

    /// [`KeyKernel::keys`] of at most 32 bits for positions of at most 32
    /// features, with half the traffic: faster where memory is the limit.
    ///
    /// # Panics
    /// As [`KeyKernel::keys`], and beyond 32 words.
    fn keys32(&self, words: &[u32], positions: &[u32], out: &mut [u32]);
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn KeyKernel>] = &[
    oracle::KERNEL,
    wide::KERNEL,
    planes::KERNEL,
    scalar::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
    #[cfg(target_arch = "x86_64")]
    gfni::KERNEL,
];

/// Positions a task of the parallel doors takes: half a MiB of them, so that
/// setting up a kernel's tables does not show.
const TASK: usize = 1 << 16;

/// [`KeyKernel::keys`] on all threads of the current rayon pool.
///
/// # Panics
/// As [`KeyKernel::keys`].
pub fn par_keys(kernel: &dyn KeyKernel, words: &[u64], positions: &[u64], out: &mut [u64]) {
    check_lengths(words, positions, out);
    let tasks = positions.par_chunks(TASK).zip(out.par_chunks_mut(TASK));
    tasks.for_each(|(positions, out)| kernel.keys(words, positions, out));
}

/// [`KeyKernel::keys32`] on all threads of the current rayon pool.
///
/// # Panics
/// As [`KeyKernel::keys32`].
pub fn par_keys32(kernel: &dyn KeyKernel, words: &[u32], positions: &[u32], out: &mut [u32]) {
    check_lengths(words, positions, out);
    let tasks = positions.par_chunks(TASK).zip(out.par_chunks_mut(TASK));
    tasks.for_each(|(positions, out)| kernel.keys32(words, positions, out));
}

/// `u32` or `u64`, where one body serves both.
trait Word: Copy + Default + BitXor<Output = Self> + Into<u64> {}
impl Word for u32 {}
impl Word for u64 {}

/// What every kernel checks before its loop.
fn check_lengths<T>(words: &[T], positions: &[T], out: &[T]) {
    assert!(
        words.len() <= 8 * size_of::<T>(),
        "{} words for {} bits",
        words.len(),
        8 * size_of::<T>()
    );
    assert_eq!(positions.len(), out.len(), "one key a position");
}

/// What every kernel checks after its loop: `seen` is the OR of all positions.
fn check_seen(words: usize, seen: u64) {
    let beyond = if words < 64 { seen >> words << words } else { 0 };
    assert!(beyond == 0, "positions have bits {beyond:#x}, above {words} words");
}

/// The keys of all subsets of the first words: `table[v]` is the XOR of
/// `words[j]` over the bits `j` of `v`. Words past the end are zero; the
/// length of `table` is a power of two.
fn tabulate<T: Word>(words: &[T], table: &mut [T]) {
    table[0] = T::default();
    for bit in 0..table.len().ilog2() as usize {
        let word = words.get(bit).copied().unwrap_or_default();
        let (without, with) = table.split_at_mut(1 << bit);
        for (with, without) in with.iter_mut().zip(without) {
            *with = *without ^ word;
        }
    }
}

/// The words of features 32 and above, or none: the table of a position's high half.
fn high_features<T>(words: &[T]) -> &[T] {
    &words[words.len().min(32)..]
}

#[cfg(test)]
mod tests;
