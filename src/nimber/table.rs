//! What is known of regions, in a table of bounded size.
//!
//! ```text
//! bucket   [ region, known ] x 4     a cache line; the fewest squares give way
//! ```

/// What is known of a region's nimber: its value, or values that it is not.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Known {
    /// Bit `n`: it is not `n`. Values from 32 up are not remembered.
    not: u32,
    /// The value plus one, or 0 if it is not known.
    value: u32,
}

/// As the table holds it: all zero is an empty entry, so a table starts as
/// untouched zero pages.
type Entry = [u64; 2];

impl Known {
    /// The region is worth `n`.
    pub(super) fn value(n: u32) -> Self {
        Self { not: 0, value: n + 1 }
    }

    /// And it is not worth `n`.
    pub(super) fn without(self, n: u32) -> Self {
        Self { not: self.not | 1_u32.checked_shl(n).unwrap_or(0), ..self }
    }

    /// Whether it is worth `n`, if that is known.
    pub(super) fn is(self, n: u32) -> Option<bool> {
        match self.value {
            0 => (self.not.checked_shr(n).unwrap_or(0) & 1 == 1).then_some(false),
            value => Some(value == n + 1),
        }
    }

    fn packed(self) -> u64 {
        u64::from(self.not) << 32 | u64::from(self.value)
    }

    fn unpacked(packed: u64) -> Self {
        Self { not: (packed >> 32) as u32, value: packed as u32 }
    }
}

type Bucket = [Entry; 4];

/// Bytes of a cache line, at whose multiples buckets start.
const LINE: usize = size_of::<Bucket>();

/// A table of regions; a bucket's smallest region gives way to a newcomer.
pub(super) struct Table {
    /// The buckets from entry `first` on, and some room to align them.
    entries: Vec<Entry>,
    first: usize,
    buckets: usize,
    evictions: u64,
}

impl Table {
    /// A table for at most `entries` regions: a power of two, at least four.
    pub(super) fn new(entries: usize) -> Self {
        let buckets = 1 << (entries / 4).max(1).ilog2();
        let room = LINE / size_of::<Entry>() - 1;
        let entries = vec![[0; 2]; 4 * buckets + room];
        let first = entries.as_ptr().align_offset(LINE).min(room);
        Self { entries, first, buckets, evictions: 0 }
    }

    /// Bytes of its buckets.
    pub(super) fn bytes(&self) -> u64 {
        (self.buckets * size_of::<Bucket>()) as u64
    }

    /// Entries that gave way to others.
    pub(super) fn evictions(&self) -> u64 {
        self.evictions
    }

    /// What is known of `region`, which is not empty.
    pub(super) fn get(&self, region: u64) -> Option<Known> {
        let bucket = &self.entries[self.bucket(region)];
        bucket.iter().find(|entry| entry[0] == region).map(|entry| Known::unpacked(entry[1]))
    }

    /// Remembers `known` of `region`, which is not empty, in place of what was
    /// known of it before.
    pub(super) fn put(&mut self, region: u64, known: Known) {
        assert_ne!(region, 0, "the empty region is no entry");
        let bucket = self.bucket(region);
        let bucket = &mut self.entries[bucket];
        let own = bucket.iter().position(|entry| entry[0] == region);
        // An empty entry has no squares and goes first.
        let smallest = || (0..4).min_by_key(|&entry| bucket[entry][0].count_ones());
        let entry = own.or_else(smallest).expect("four entries");
        self.evictions += u64::from(own.is_none() && bucket[entry][0] != 0);
        bucket[entry] = [region, known.packed()];
    }

    /// The entries of the bucket where `region` belongs.
    fn bucket(&self, region: u64) -> std::ops::Range<usize> {
        // The high bits of a product with the golden ratio: every square counts.
        let mixed = region.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let bucket = (mixed >> 32) as usize & (self.buckets - 1);
        let start = self.first + 4 * bucket;
        start..start + 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knowledge_grows_and_survives_the_table() {
        let known = Known::default().without(0).without(3);
        assert_eq!([0, 1, 3, 40].map(|n| known.is(n)), [Some(false), None, Some(false), None]);
        assert_eq!([1, 2].map(|n| Known::value(2).is(n)), [Some(false), Some(true)]);
        let mut table = Table::new(0);
        assert_eq!(table.get(0b11), None);
        table.put(0b11, known);
        table.put(0b111, Known::value(1));
        assert_eq!((table.get(0b11), table.get(0b111)), (Some(known), Some(Known::value(1))));
        table.put(0b11, Known::value(5));
        assert_eq!((table.get(0b11), table.evictions()), (Some(Known::value(5)), 0));
    }

    #[test]
    fn buckets_are_cache_lines_and_no_more_than_asked_for() {
        for (entries, buckets) in [(0, 1), (4, 1), (7, 1), (8, 2), (1 << 10, 256), (3 << 10, 512)] {
            let table = Table::new(entries);
            assert_eq!(table.bytes(), 64 * buckets, "{entries} entries");
            for region in 1..100 {
                let bucket = &table.entries[table.bucket(region)];
                assert_eq!(bucket.as_ptr().addr() % LINE, 0, "{entries} entries");
            }
        }
    }

    #[test]
    fn the_smallest_region_gives_way() {
        let mut table = Table::new(4);
        for squares in [3, 2, 5, 4] {
            table.put((1 << squares) - 1, Known::value(0));
        }
        table.put((1 << 6) - 1, Known::value(1));
        assert_eq!(table.evictions(), 1);
        let kept = [2, 3, 4, 5, 6].map(|squares| table.get((1 << squares) - 1).is_some());
        assert_eq!(kept, [false, true, true, true, true]);
    }
}
