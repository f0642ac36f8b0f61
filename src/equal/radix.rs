//! No comparison of pairs: equal keys are counted where they gather.
//!
//! ```text
//! 16 bits   a counter for every key; a key adds what its counter holds, then one
//! 32 bits   sorted by 11, 11 and 10 bits, lowest first; a run of r holds r(r-1)/2
//! ```
//!
//! Linear, so it wins on any slice that is not short; below [`SHORT`] keys a
//! comparison sort is cheaper than clearing the counters.

use std::ops::Range;

use super::EqualKernel;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn EqualKernel> = Kernel::new("radix", Tier::Scalar, &[], &Radix);

struct Radix;

impl EqualKernel for Radix {
    fn linear(&self) -> bool {
        true
    }

    fn rows16(&self, keys: &[u16], rows: Range<usize>) -> u64 {
        if keys.len() - rows.start < SHORT {
            return from_both_ends(keys, rows, |keys| runs(&sorted(keys)));
        }
        let mut seen = vec![0_u32; 1 << 16];
        let mut pairs = 0;
        for (index, key) in keys.iter().enumerate().skip(rows.start).rev() {
            let seen = &mut seen[usize::from(*key)];
            if index < rows.end {
                pairs += u64::from(*seen);
            }
            *seen += 1;
        }
        pairs
    }

    fn rows32(&self, keys: &[u32], rows: Range<usize>) -> u64 {
        from_both_ends(keys, rows, |keys| {
            runs(&if keys.len() < SHORT { sorted(keys) } else { sorted_by_digits(keys) })
        })
    }
}

/// Keys from which on counters pay.
const SHORT: usize = 1 << 11;

/// The pairs of some rows: all that begin at or after the first, but for
/// those that begin after the last.
fn from_both_ends<T>(keys: &[T], rows: Range<usize>, all: impl Fn(&[T]) -> u64) -> u64 {
    if rows.is_empty() { 0 } else { all(&keys[rows.start..]) - all(&keys[rows.end..]) }
}

/// The pairs within runs of equal keys.
fn runs<T: PartialEq>(sorted: &[T]) -> u64 {
    let pairs = |run: &[T]| run.len() as u64 * (run.len() as u64 - 1) / 2;
    sorted.chunk_by(T::eq).map(pairs).sum()
}

fn sorted<T: Ord + Copy>(keys: &[T]) -> Vec<T> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys
}

fn sorted_by_digits(keys: &[u32]) -> Vec<u32> {
    const DIGIT: u32 = 11;
    let (mut from, mut to) = (keys.to_vec(), vec![0; keys.len()]);
    for shift in (0..u32::BITS).step_by(DIGIT as usize) {
        let digit = |key: u32| (key >> shift) as usize % (1 << DIGIT);
        let mut next = [0_usize; 1 << DIGIT];
        for key in &from {
            next[digit(*key)] += 1;
        }
        let mut begin = 0;
        for place in &mut next {
            begin += std::mem::replace(place, begin);
        }
        for key in &from {
            let place = &mut next[digit(*key)];
            to[*place] = *key;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    from
}
