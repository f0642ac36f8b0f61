//! Looking keys up in a table of checks and values: slot layouts and ways to
//! read them, and what a lookup costs as the table outgrows the caches.
//!
//! The table is the short-key table of [`crate::table`] without its
//! bookkeeping: direct-mapped, the key's top bits for an address and its low
//! bits for a check. Two layouts hold the same entries:
//!
//! ```text
//! packed   | check 24 · value 8 | check · value | …       one slot, one cache line
//! arrays   | check | check | …     | value | value | …     two lines for a hit
//! ```
//!
//! Million lookups a second, half of them hits and none of a key looked up
//! before, on one thread of a busy Zen 5 with caches of 48 KiB, 1 MiB and 32 MiB
//! (`zlab latency` measures yours):
//!
//! ```text
//! table        arrays   packed   prefetch    avx2   avx512
//! 16 KiB          226    1,265      1,185   2,170    4,090
//! 1 MiB           209      887      1,129   1,406    2,616
//! 64 MiB           82       83        161     141      271
//! 256 MiB          75       73        147     128      236
//! ```
//!
//! Beyond the caches a gather has sixteen misses under way where the scalar
//! loop has what fits the core's window. A lookup that waits for the one before
//! takes 6, 10, 120 to 150 and 155 ns there; alone, with 20 ns of reading the
//! clock, a median of 160 ns from 64 MiB on, and 340 to 350 at 99 %.
//!
//! A value of 0 is an empty slot and the answer for a key that is not there. A
//! key of no bits (0+0) has one slot, and a slot without a check agrees with
//! every key that leads to it.

mod arrays;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod latency;
mod oracle;
mod packed;
mod prefetch;

use crate::error::Error;
use crate::memory::{self, Zeroed};
use crate::table::Split;
use crate::tier::Kernel;

/// A way to look up keys.
pub trait LookupKernel: Sync {
    /// The layout it reads.
    fn layout(&self) -> Layout;

    /// Writes the value of each key, 0 for one that is not in the table. `out`
    /// is as long as `keys`; bits of a key above the table's are passed over.
    fn look_up(&self, table: &Table, keys: &[u32], out: &mut [u8]);
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn LookupKernel>] = &[
    oracle::KERNEL,
    arrays::KERNEL,
    packed::KERNEL,
    prefetch::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];

/// How slots stand in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Check and value in one word of 32 bits, the value in the low eight.
    Packed,
    /// An array of 32-bit checks and an array of 8-bit values.
    Arrays,
}

/// Most bits of a check: a packed slot keeps eight for the value.
pub const MAX_CHECK: u32 = 24;

/// Address bits of a table at the most: gathers take signed 32-bit slot numbers.
pub const MAX_ADDRESS: u32 = 31;

/// A direct-mapped table.
pub struct Table {
    split: Split,
    layout: Layout,
    /// Packed slots, or checks.
    words: Zeroed<u32>,
    /// The values of [`Layout::Arrays`].
    values: Zeroed<u8>,
}

impl Table {
    /// An empty table.
    ///
    /// # Errors
    /// More than [`MAX_CHECK`] check bits, more than [`MAX_ADDRESS`] address bits,
    /// or more memory than is free.
    pub fn new(layout: Layout, split: Split) -> Result<Self, Error> {
        if split.check > MAX_CHECK {
            let problem = format!("`{split}`: a slot has {MAX_CHECK} bits for the check");
            return Err(Error::argument("--splits", problem));
        }
        if split.address > MAX_ADDRESS {
            let problem = format!(
                "`{split}`: lookups gather by 32-bit numbers, so at most {MAX_ADDRESS} address bits"
            );
            return Err(Error::argument("--splits", problem));
        }
        let slots = 1usize << split.address;
        let values = if layout == Layout::Arrays { slots } else { 0 };
        let needed = 4 * slots as u64 + values as u64;
        memory::require(&format!("a table of 2^{} slots", split.address), needed, "")?;
        Ok(Self { split, layout, words: Zeroed::new(slots)?, values: Zeroed::new(values)? })
    }

    /// How keys are cut.
    pub fn split(&self) -> Split {
        self.split
    }

    /// Bytes of all slots.
    pub fn bytes(&self) -> u64 {
        let slot = if self.layout == Layout::Arrays { 5 } else { 4 };
        slot << self.split.address
    }

    /// The slot and the check of a key.
    #[inline]
    fn cut(&self, key: u32) -> (usize, u32) {
        let Split { address, check } = self.split;
        let slot = u64::from(key) >> check & !(u64::MAX << address);
        (slot as usize, key & !(u32::MAX << check))
    }

    /// Puts `value` (not 0) under `key`, over whatever is in its slot.
    pub fn insert(&mut self, key: u32, value: u8) {
        assert_ne!(value, 0, "0 says that a slot is empty");
        let (slot, check) = self.cut(key);
        match self.layout {
            Layout::Packed => self.words[slot] = check << 8 | u32::from(value),
            Layout::Arrays => {
                self.words[slot] = check;
                self.values[slot] = value;
            }
        }
    }

    /// The check and the value in a slot.
    fn entry(&self, slot: usize) -> (u32, u8) {
        match self.layout {
            Layout::Packed => (self.words[slot] >> 8, self.words[slot] as u8),
            Layout::Arrays => (self.words[slot], self.values[slot]),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tier::available;

    /// The value put under a key: not 0, and different for neighbours.
    fn value(key: u32) -> u8 {
        (key.wrapping_mul(0x9E37_79B1) >> 24) as u8 | 1
    }

    fn filled(layout: Layout, split: Split, keys: &[u32]) -> Table {
        let mut table = Table::new(layout, split).unwrap();
        keys.iter().for_each(|&key| table.insert(key, value(key)));
        table
    }

    #[test]
    fn a_table_gives_back_what_was_put_in_last() {
        let split = Split { address: 4, check: 8 };
        for layout in [Layout::Packed, Layout::Arrays] {
            let mut table = Table::new(layout, split).unwrap();
            table.insert(0x3AB, 7);
            table.insert(0xFFFF_F3AC, 9);
            let mut out = [1; 4];
            let oracle = KERNELS[0].get().unwrap();
            oracle.look_up(&table, &[0x3AB, 0x3AC, 0x2AC, 0x73AC], &mut out);
            assert_eq!(out, [0, 9, 0, 9], "{layout:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn kernels_agree_with_the_oracle(
            address in 0u32..12,
            check in 0u32..=20,
            inserted in prop::collection::vec(any::<u32>(), 0..300),
            absent in prop::collection::vec(any::<u32>(), 67),
        ) {
            let split = Split { address, check };
            let oracle = KERNELS[0].get().unwrap();
            // Present and absent keys in turn; present ones cut to the table's bits or not.
            let mut keys: Vec<u32> = inserted.iter().rev().take(67).copied().collect();
            keys.extend(&absent);
            keys.extend(inserted.iter().map(|key| key & !(u32::MAX << split.bits())));
            for kernel in available(KERNELS) {
                let layout = kernel.get().unwrap().layout();
                let table = filled(layout, split, &inserted);
                for len in [0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, keys.len()] {
                    for start in 0..3 {
                        let keys = &keys[start.min(keys.len())..];
                        let keys = &keys[..len.min(keys.len())];
                        let (mut want, mut got) = (vec![0; keys.len()], vec![0xA5; keys.len()]);
                        oracle.look_up(&table, keys, &mut want);
                        kernel.get().unwrap().look_up(&table, keys, &mut got);
                        prop_assert_eq!(&got, &want, "{} at {} from {}", kernel.name, len, start);
                    }
                }
            }
        }
    }

    #[test]
    fn the_kernels_covered_are_told() {
        let names: Vec<_> = available(KERNELS).iter().map(|kernel| kernel.name).collect();
        println!("lookup kernels covered: {}", names.join(", "));
        assert!(names.starts_with(&["oracle", "arrays", "packed"]));
    }

    #[test]
    fn a_wide_check_is_refused() {
        let split = Split { address: 2, check: 25 };
        let error = Table::new(Layout::Packed, split).err().unwrap().to_string();
        assert_eq!(error, "--splits: `2+25`: a slot has 24 bits for the check");
    }
}
