//! The packed table, each slot asked for ahead of its turn.
//!
//! Lookups of a slice do not wait for each other, and the core overlaps as
//! many as it has room to look ahead; a prefetch holds no such room:
//!
//! ```text
//! fetch the slot of keys[i + AHEAD]  →  look up keys[i], fetched AHEAD turns ago
//! ```

use super::packed::value;
use super::{Layout, LookupKernel, Table};
use crate::memory;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn LookupKernel> =
    Kernel::new("prefetch", Tier::Scalar, &[], &Prefetch);

/// Turns between a slot's fetch and its use.
const AHEAD: usize = 24;

struct Prefetch;

impl LookupKernel for Prefetch {
    fn layout(&self) -> Layout {
        Layout::Packed
    }

    fn look_up(&self, table: &Table, keys: &[u32], out: &mut [u8]) {
        assert_eq!(keys.len(), out.len(), "one value a key");
        let slots = &*table.words;
        let fetch = |&key: &u32| memory::fetch(&slots[table.cut(key).0]);
        keys.iter().take(AHEAD).for_each(fetch);
        let ahead = keys.get(AHEAD..).unwrap_or(&[]);
        let (turns, last) = keys.split_at(ahead.len());
        for ((&key, next), out) in turns.iter().zip(ahead).zip(&mut *out) {
            fetch(next);
            *out = value(slots, table, key);
        }
        for (&key, out) in last.iter().zip(&mut out[turns.len()..]) {
            *out = value(slots, table, key);
        }
    }
}
