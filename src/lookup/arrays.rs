//! Checks and values in two arrays: the value's array is read for a hit only.
//!
//! A table of 5 bytes a slot where the packed one has 4, a branch that cannot
//! be predicted, and two cache misses for a hit: slower at every size.

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
