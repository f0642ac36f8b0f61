//! The definition: a double loop over the pairs.

use std::ops::Range;

use super::EqualKernel;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn EqualKernel> =
    Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl EqualKernel for Oracle {
    fn rows16(&self, keys: &[u16], rows: Range<usize>) -> u64 {
        equal(keys, rows)
    }

    fn rows32(&self, keys: &[u32], rows: Range<usize>) -> u64 {
        equal(keys, rows)
    }
}

fn equal<T: PartialEq>(keys: &[T], rows: Range<usize>) -> u64 {
    let mut pairs = 0;
    for row in rows {
        for other in &keys[row + 1..] {
            if keys[row] == *other {
                pairs += 1;
            }
        }
    }
    pairs
}
