//! The definition: a double loop over the pairs.

use super::EqualKernel;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn EqualKernel> =
    Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl EqualKernel for Oracle {
    fn equal16(&self, keys: &[u16]) -> u64 {
        equal(keys)
    }

    fn equal32(&self, keys: &[u32]) -> u64 {
        equal(keys)
    }
}

fn equal<T: PartialEq>(keys: &[T]) -> u64 {
    let mut pairs = 0;
    for (index, x) in keys.iter().enumerate() {
        pairs += keys[..index].iter().filter(|y| *y == x).count() as u64;
    }
    pairs
}
