//! A set of vectors that is asked mostly for what it does not hold.
//!
//! ```text
//! vector ─► hash ─► bit of a filter ─► 0: not here
//!                                      1: look among the slots from the hash on
//! ```

/// A set of non-zero vectors that answers "not here" from a few cached bits.
pub(super) struct Members {
    /// A bit for each hash, eight or more for each vector.
    filter: Vec<u64>,
    /// Open addressing, at most half full; zero is an empty slot.
    slots: Vec<u64>,
}

impl Members {
    pub(super) fn of(vectors: &[u64]) -> Self {
        let slots = (2 * vectors.len()).next_power_of_two().max(16);
        let mut members = Self { filter: vec![0; slots / 16], slots: vec![0; slots] };
        for &vector in vectors {
            let hash = hash(vector);
            let place = members.place(hash);
            members.filter[place >> 6] |= 1 << (place & 63);
            let mut slot = members.slot(hash);
            while members.slots[slot] != 0 {
                slot = (slot + 1) & (members.slots.len() - 1);
            }
            members.slots[slot] = vector;
        }
        members
    }

    /// The filter's bit: its number's bits are the top ones of the hash.
    fn place(&self, hash: u64) -> usize {
        (hash >> (58 - self.filter.len().ilog2())) as usize
    }

    fn slot(&self, hash: u64) -> usize {
        (hash >> (64 - self.slots.len().ilog2())) as usize
    }

    pub(super) fn contain(&self, vector: u64) -> bool {
        let hash = hash(vector);
        let place = self.place(hash);
        self.filter[place >> 6] >> (place & 63) & 1 == 1 && self.found(hash, vector)
    }

    fn found(&self, hash: u64, vector: u64) -> bool {
        let mut slot = self.slot(hash);
        while self.slots[slot] != 0 {
            if self.slots[slot] == vector {
                return true;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        false
    }
}

/// Multiplication by the golden ratio's bits (Knuth): the top bits are well mixed.
fn hash(vector: u64) -> u64 {
    vector.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
