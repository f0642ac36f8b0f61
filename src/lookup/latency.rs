//! What a lookup costs: how many a second, and how its time is distributed.
//!
//! Three measures of one table, of which a search sees something in between:
//!
//! ```text
//! independent   many keys in one call: the core overlaps the misses
//! chained       which key comes next depends on the last value: every miss is waited for
//! one by one    each lookup between two readings of the clock: the distribution
//! ```
//!
//! Slots are asked for at random, and every pass of every measure draws keys of
//! its own. So a cache holds what it would in a long search: all of a table that
//! fits it, and of a larger one the share that its size is. With keys used again
//! a table of 64 MiB answered out of a cache of 32.

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::{LookupKernel, Table};
use crate::draw;
use crate::error::Error;
use crate::table::Split;

/// Keys of one pass of independent lookups: enough to sweep a large cache.
const KEYS: usize = 1 << 20;

/// Lookups of one pass of chained ones.
const STEPS: usize = 1 << 18;

/// Lookups whose time is taken one by one.
const SAMPLES: usize = 1 << 18;

/// Passes, of which the best counts.
const PASSES: usize = 4;

/// What lookups cost in one table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Latency {
    /// Bytes of the table.
    pub bytes: u64,
    /// Independent lookups a second.
    pub lookups_per_second: f64,
    /// Nanoseconds of a lookup that waits for the one before it.
    pub chained_ns: f64,
    /// Nanoseconds of one lookup and one reading of the clock: median, 99 %
    /// and 99.9 % of all.
    pub percentiles_ns: [u64; 3],
    /// Nanoseconds between two readings of the clock with nothing between
    /// them, median: the floor that the percentiles stand on.
    pub clock_ns: u64,
}

/// Measures `kernel` on a full table of `split`, half of the keys present; all
/// of them if there is no check bit. A split of 0+0 is one slot that every key
/// finds.
///
/// # Errors
/// See [`Table::new`].
pub fn measure(kernel: &dyn LookupKernel, split: Split, seed: u64) -> Result<Latency, Error> {
    let mut table = Table::new(kernel.layout(), split)?;
    for slot in 0..1u64 << split.address {
        let (key, value) = entry(slot, split);
        table.insert(key, value);
    }
    let mut keys = Keys { split, generator: draw::generator(seed, 0) };
    // Filling ended with the last slots in the caches: a first pass makes them random ones.
    independent(kernel, &table, &keys.next(KEYS));
    let best = |passes: [Duration; PASSES]| passes.into_iter().min().expect("several passes");
    let together = best([(); PASSES].map(|()| independent(kernel, &table, &keys.next(KEYS))));
    let chain = best([(); PASSES].map(|()| chained(kernel, &table, &keys.next(2 * STEPS))));
    let (percentiles_ns, clock_ns) = one_by_one(kernel, &table, &keys.next(SAMPLES));
    Ok(Latency {
        bytes: table.bytes(),
        lookups_per_second: KEYS as f64 / together.as_secs_f64(),
        chained_ns: chain.as_nanos() as f64 / STEPS as f64,
        percentiles_ns,
        clock_ns,
    })
}

/// The entry that fills a slot: its key, and a value of 1 to 255 that looks random.
fn entry(slot: u64, split: Split) -> (u32, u8) {
    let mixed = (slot + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let check = mixed >> 40 & !(u64::MAX << split.check);
    ((slot << split.check | check) as u32, (mixed >> 32) as u8 | 1)
}

/// Keys of random slots, half of them with another check than their slot's.
struct Keys {
    split: Split,
    generator: ChaCha8Rng,
}

impl Keys {
    fn next(&mut self, count: usize) -> Vec<u32> {
        let Self { split, generator } = self;
        let key = |_| {
            let drawn = generator.next_u64();
            let (key, _) = entry(drawn >> 1 & !(u64::MAX << split.address), *split);
            key ^ u32::from(drawn & 1 == 1 && split.check > 0)
        };
        (0..count).map(key).collect()
    }
}

/// All keys, in calls of a size that a caller's batch might have.
fn independent(kernel: &dyn LookupKernel, table: &Table, keys: &[u32]) -> Duration {
    let mut out = [0; 1 << 12];
    let start = Instant::now();
    for keys in keys.chunks(out.len()) {
        kernel.look_up(table, keys, &mut out[..keys.len()]);
        std::hint::black_box(&mut out);
    }
    start.elapsed()
}

/// One key of every two, chosen by a bit of the value found before.
fn chained(kernel: &dyn LookupKernel, table: &Table, keys: &[u32]) -> Duration {
    let (start, mut out) = (Instant::now(), [0]);
    for two in keys.as_chunks::<2>().0 {
        // The lowest bit of a value is set; the next is as good as random.
        let key = usize::from(out[0] >> 1 & 1);
        kernel.look_up(table, &two[key..=key], &mut out);
    }
    std::hint::black_box(out);
    start.elapsed()
}

/// The distribution's three ranks and the clock's own median. Reading the clock
/// waits for the loads before it, so a lookup is over when its time is taken.
fn one_by_one(kernel: &dyn LookupKernel, table: &Table, keys: &[u32]) -> ([u64; 3], u64) {
    let histogram = || Histogram::<u64>::new(3).expect("three digits are allowed");
    let (mut lookups, mut clock) = (histogram(), histogram());
    for key in keys {
        let start = Instant::now();
        let nothing = start.elapsed();
        let start = Instant::now();
        let mut out = [0];
        kernel.look_up(table, std::slice::from_ref(key), &mut out);
        std::hint::black_box(out);
        let lookup = start.elapsed();
        clock += nothing.as_nanos() as u64;
        lookups += lookup.as_nanos() as u64;
    }
    let percentiles = [0.5, 0.99, 0.999].map(|share| lookups.value_at_quantile(share));
    (percentiles, clock.value_at_quantile(0.5))
}

/// The data caches of the first core, as level and bytes, where the system says.
pub fn caches() -> Vec<(u32, u64)> {
    let cache = |index: u32| {
        let fact = |name: &str| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
            std::fs::read_to_string(path).ok()
        };
        let level = fact("level")?.trim().parse().ok()?;
        let kibibytes: u64 = fact("size")?.trim().strip_suffix('K')?.parse().ok()?;
        (fact("type")?.trim() != "Instruction").then_some((level, kibibytes << 10))
    };
    (0..8).filter_map(cache).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lookup::KERNELS;

    #[test]
    fn a_filled_table_finds_what_fills_it_and_nothing_else() {
        let split = Split { address: 9, check: 7 };
        for kernel in crate::tier::available(KERNELS) {
            let kernel = kernel.get().unwrap();
            let mut table = Table::new(kernel.layout(), split).unwrap();
            let entries: Vec<_> = (0..512).map(|slot| entry(slot, split)).collect();
            entries.iter().for_each(|&(key, value)| table.insert(key, value));
            let keys: Vec<u32> = entries.iter().flat_map(|&(key, _)| [key, key ^ 1]).collect();
            let want: Vec<u8> = entries.iter().flat_map(|&(_, value)| [value, 0]).collect();
            let mut out = vec![7; keys.len()];
            kernel.look_up(&table, &keys, &mut out);
            assert_eq!(out, want);
        }
    }

    #[test]
    fn half_of_the_keys_are_present_and_no_pass_repeats_another() {
        let split = Split { address: 24, check: 8 };
        let mut keys = Keys { split, generator: draw::generator(1, 0) };
        let (one, other) = (keys.next(1 << 12), keys.next(1 << 12));
        let present = |key: &&u32| entry(u64::from(**key >> 8), split).0 == **key;
        let share = one.iter().filter(present).count() as f64 / f64::from(1 << 12);
        assert!((0.45..0.55).contains(&share), "{share}");
        // Chance alone repeats a slot: 2^24 of each other's pairs, one in 2^24 equal.
        let slots: std::collections::HashSet<u32> = one.iter().map(|key| key >> 8).collect();
        let again = other.iter().filter(|key| slots.contains(&(*key >> 8))).count();
        assert!(again < 8, "{again} slots of one pass were asked for in another");
        // Either of two keys is next in a chain: the bit that chooses is set half of the time.
        let bits = (0..1 << 12).filter(|slot| entry(*slot, split).1 >> 1 & 1 == 1).count();
        assert!((1900..2200).contains(&bits), "{bits}");
    }

    #[test]
    fn measures_are_ordered() {
        for (split, bytes) in [("10+8", 4096), ("8+0", 1024), ("0+0", 4)] {
            let latency = measure(KERNELS[2].get().unwrap(), split.parse().unwrap(), 1).unwrap();
            assert_eq!(latency.bytes, bytes, "{split}");
            assert!(latency.lookups_per_second > 1e6 && latency.chained_ns > 0.0, "{latency:?}");
            assert!(latency.percentiles_ns.is_sorted(), "{latency:?}");
            assert!(latency.percentiles_ns[0] >= latency.clock_ns, "{latency:?}");
        }
    }

    #[test]
    fn a_key_of_no_bits_has_one_slot() {
        let split = Split { address: 0, check: 0 };
        for kernel in crate::tier::available(KERNELS) {
            let kernel = kernel.get().unwrap();
            let mut table = Table::new(kernel.layout(), split).unwrap();
            let mut out = [7; 33];
            kernel.look_up(&table, &[u32::MAX; 33], &mut out);
            // Without a check an empty slot agrees with every key, and its value says it is empty.
            assert_eq!(out, [0; 33]);
            table.insert(5, 9);
            kernel.look_up(&table, &[u32::MAX; 33], &mut out);
            assert_eq!(out, [9; 33]);
        }
    }
}
