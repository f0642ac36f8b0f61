//! An open-addressed table from keys of pieces to numbers, shared by threads.
//!
//! ```text
//! slot   0    1    2    3    4      probes walk right from the key's hash
//! key    .    k1   k2   .    k3     0 is no piece: an empty slot
//! number .    7    4    .    0
//! ```
//!
//! Keys are only added. A slot is claimed by one compare-and-swap, so any
//! number of threads may insert while none grows the table. Numbers are
//! written by one thread and read by others only across a join.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

pub(super) struct Table {
    keys: Box<[AtomicU64]>,
    numbers: Box<[AtomicU32]>,
    used: usize,
}

/// The largest share of slots in use, in eighths.
const FULL: usize = 6;

impl Table {
    pub(super) fn new() -> Self {
        let (keys, numbers) = Self::slots(1024);
        Self { keys, numbers, used: 0 }
    }

    fn slots(count: usize) -> (Box<[AtomicU64]>, Box<[AtomicU32]>) {
        let keys = (0..count).map(|_| AtomicU64::new(0)).collect();
        (keys, (0..count).map(|_| AtomicU32::new(0)).collect())
    }

    /// Bytes of a table that is about to take `more` keys beyond `used`.
    pub(super) fn bytes(&self) -> u64 {
        (size_of_val(&*self.keys) + size_of_val(&*self.numbers)) as u64
    }

    /// Number of keys.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Makes room for `more` keys. Numbers written so far are lost if the
    /// table grows: they are written once all keys are there.
    pub(super) fn reserve(&mut self, more: usize) {
        let wanted = ((self.used + more) * 8 / FULL).next_power_of_two();
        if wanted <= self.keys.len() {
            return;
        }
        let (keys, numbers) = Self::slots(wanted);
        let old = std::mem::replace(&mut self.keys, keys);
        self.numbers = numbers;
        old.par_iter().with_min_len(1 << 14).for_each(|key| {
            let key = key.load(Relaxed);
            if key != 0 {
                self.insert(key);
            }
        });
    }

    /// Tells the table how many of the insertions since were new.
    pub(super) fn add_used(&mut self, count: usize) {
        self.used += count;
        assert!(self.used < self.keys.len(), "{} keys in {} slots", self.used, self.keys.len());
    }

    /// Adds a key for which there is room; whether it is new.
    pub(super) fn insert(&self, key: u64) -> bool {
        let mask = self.keys.len() - 1;
        let mut slot = self.first(key);
        loop {
            let found = self.keys[slot].load(Relaxed);
            if found == key {
                return false;
            }
            if found == 0 {
                match self.keys[slot].compare_exchange(0, key, Relaxed, Relaxed) {
                    Ok(_) => return true,
                    Err(other) if other == key => return false,
                    Err(_) => {}
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The slot of a key.
    pub(super) fn find(&self, key: u64) -> Option<usize> {
        let mask = self.keys.len() - 1;
        let mut slot = self.first(key);
        loop {
            match self.keys[slot].load(Relaxed) {
                found if found == key => return Some(slot),
                0 => return None,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    /// The number in a slot.
    pub(super) fn number(&self, slot: usize) -> u32 {
        self.numbers[slot].load(Relaxed)
    }

    /// Writes the number of a slot.
    pub(super) fn set_number(&self, slot: usize, number: u32) {
        self.numbers[slot].store(number, Relaxed);
    }

    fn first(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (u64::BITS - self.keys.len().ilog2())) as usize
    }
}
