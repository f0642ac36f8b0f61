//! Checks and values in two arrays: the value's array is read for a hit only.
//!
//! A table of 5 bytes a slot where the packed one has 4, a branch that cannot
//! be predicted, and two cache misses for a hit: a fifth of the packed table's
//! speed in a cache. Beyond the caches the branch lets the core go on without
//! its answer and as many lookups are done, but the slowest 1 % take 480 ns and
//! not 350.

use super::{Layout, LookupKernel, Table};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn LookupKernel> =
    Kernel::new("arrays", Tier::Scalar, &[], &Arrays);

struct Arrays;

impl LookupKernel for Arrays {
    fn layout(&self) -> Layout {
        Layout::Arrays
    }

    fn look_up(&self, table: &Table, keys: &[u32], out: &mut [u8]) {
        assert_eq!(keys.len(), out.len(), "one value a key");
        let (checks, values) = (&*table.words, &*table.values);
        for (&key, out) in keys.iter().zip(out) {
            let (slot, check) = table.cut(key);
            *out = if checks[slot] == check { values[slot] } else { 0 };
        }
    }
}
