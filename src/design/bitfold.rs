//! Folding bitmaps of free sets: an AND of two words for 64 cosets.
//!
//! The high bits of `by` say which two words meet, its low six how the bits of
//! the second are exchanged: six steps of masks and shifts, of which those not
//! wanted shift by nothing, so that every word takes the same instructions.
//! The kernels are one loop compiled for three tiers; the compiler vectorises
//! it. Passing over words without a free set was slower: half of them are
//! empty, and nobody can guess which.

use crate::tier::{Kernel, Tier};

/// A way to fold bitmaps of `2^m` cells, `m` at least 7, by a vector of at least 64.
pub(super) trait BitFold: Sync {
    /// Writes the cosets of `by` of which both sets are free and counts them;
    /// coset 0, of the empty set and `by`, is whatever these say.
    fn fold(&self, free: &[u64], by: u32, folded: &mut [u64]) -> usize;
}

/// Every kernel, the slowest first.
pub(super) static KERNELS: &[Kernel<dyn BitFold>] = &[
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar),
    #[cfg(target_arch = "x86_64")]
    Kernel::new("avx2", Tier::Avx2, &["avx2", "popcnt"], &Avx2),
    #[cfg(target_arch = "x86_64")]
    Kernel::new("avx512", Tier::Avx512, &["avx512f", "avx512vpopcntdq"], &Avx512),
];

struct Scalar;

impl BitFold for Scalar {
    fn fold(&self, free: &[u64], by: u32, folded: &mut [u64]) -> usize {
        fold_words(free, by, folded)
    }
}

#[cfg(target_arch = "x86_64")]
struct Avx2;

#[cfg(target_arch = "x86_64")]
impl BitFold for Avx2 {
    fn fold(&self, free: &[u64], by: u32, folded: &mut [u64]) -> usize {
        #[target_feature(enable = "avx2,popcnt")]
        fn compiled(free: &[u64], by: u32, folded: &mut [u64]) -> usize {
            fold_words(free, by, folded)
        }
        #[expect(unsafe_code, reason = "the call needs the CPU's consent")]
        // SAFETY: an `Avx2` is reachable only through `Kernel::get`, which asked for both features.
        unsafe {
            compiled(free, by, folded)
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct Avx512;

#[cfg(target_arch = "x86_64")]
impl BitFold for Avx512 {
    fn fold(&self, free: &[u64], by: u32, folded: &mut [u64]) -> usize {
        #[target_feature(enable = "avx512f,avx512vpopcntdq")]
        fn compiled(free: &[u64], by: u32, folded: &mut [u64]) -> usize {
            fold_words(free, by, folded)
        }
        #[expect(unsafe_code, reason = "the call needs the CPU's consent")]
        // SAFETY: an `Avx512` is reachable only through `Kernel::get`, which asked for both features.
        unsafe {
            compiled(free, by, folded)
        }
    }
}

#[inline(always)]
fn fold_words(free: &[u64], by: u32, folded: &mut [u64]) -> usize {
    assert!(by >= 64 && folded.len() * 2 == free.len(), "{by} on {} words", free.len());
    const LOW: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    // A step that is not wanted: the word ORed with itself.
    let steps: [(u32, u64); 6] =
        std::array::from_fn(
            |log| {
                if by >> log & 1 == 1 { (1 << log, LOW[log]) } else { (0, u64::MAX) }
            },
        );
    let by_word = (by >> 6) as usize;
    let run = 1 << by_word.ilog2();
    let within = by_word & (run - 1);
    let mut count = 0;
    for (first, folded) in folded.chunks_exact_mut(run).enumerate() {
        let (words, partners) = free[first * 2 * run..][..2 * run].split_at(run);
        // The partners of a block of eight words are a block of eight, in another order.
        let (blocks, rest) = folded.as_chunks_mut::<8>();
        for (block, folded) in blocks.iter_mut().enumerate() {
            let words = &words[8 * block..][..8];
            let partners = &partners[8 * (block ^ within >> 3)..][..8];
            for (row, folded) in folded.iter_mut().enumerate() {
                let mut partner = partners[row ^ within & 7];
                for (shift, low) in steps {
                    partner = (partner >> shift & low) | (partner & low) << shift;
                }
                *folded = words[row] & partner;
                count += u64::from(folded.count_ones());
            }
        }
        // Runs are powers of two: shorter than a block, or without a rest.
        for (row, folded) in rest.iter_mut().enumerate() {
            let mut partner = partners[row ^ within];
            for (shift, low) in steps {
                partner = (partner >> shift & low) | (partner & low) << shift;
            }
            *folded = words[row] & partner;
            count += u64::from(folded.count_ones());
        }
    }
    count as usize
}
