//! What a lookup costs: how many a second, and how its time is distributed.
//!
//! Three measures of one table, of which a search sees something in between:
//!
//! ```text
//! independent   many keys in one call: the core overlaps the misses
//! chained       each key depends on the last value: every miss is waited for
//! one by one    each lookup between two readings of the clock: the distribution
//! ```

use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use rand_chacha::rand_core::Rng;

use super::{LookupKernel, Table};
use crate::draw;
use crate::error::Error;
use crate::table::Split;

/// Keys of one measurement: a power of two, enough to sweep a large cache.
const KEYS: usize = 1 << 20;

/// Lookups whose time is taken one by one.
const SAMPLES: usize = 1 << 18;

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

/// Measures `kernel` on a full table of `split`, half of the keys present.
///
/// # Errors
/// The table does not fit the memory that is free, or has no bit at all.
pub fn measure(kernel: &dyn LookupKernel, split: Split, seed: u64) -> Result<Latency, Error> {
    let mut table = Table::new(kernel.layout(), split)?;
    // Slot by slot is quick; the values depend on the slot so that none can be guessed.
    for slot in 0..1u64 << split.address {
        let (key, value) = entry(slot, split);
        table.insert(key, value);
    }
    let mut generator = draw::generator(seed, 0);
    let keys: Vec<u32> = (0..KEYS)
        .map(|_| {
            let drawn = generator.next_u64();
            let (key, _) = entry(drawn >> 1 & !(u64::MAX << split.address), split);
            // An absent key has another check, where there is one to differ.
            key ^ u32::from(drawn & 1 == 1 && split.check > 0)
        })
        .collect();
    let mut out = vec![0; KEYS];
    let lookups_per_second = independent(kernel, &table, &keys, &mut out);
    let chained_ns = chained(kernel, &table, &keys);
    let (percentiles_ns, clock_ns) = one_by_one(kernel, &table, &keys);
    Ok(Latency { bytes: table.bytes(), lookups_per_second, chained_ns, percentiles_ns, clock_ns })
}

/// The entry that fills a slot: its key, and a value of 1 to 255.
fn entry(slot: u64, split: Split) -> (u32, u8) {
    let mixed = (slot + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let check = mixed >> 40 & !(u64::MAX << split.check);
    ((slot << split.check | check) as u32, (mixed >> 32) as u8 | 1)
}

/// The best of some passes over all keys, in calls of a size that a caller's batch might have.
fn independent(kernel: &dyn LookupKernel, table: &Table, keys: &[u32], out: &mut [u8]) -> f64 {
    const BATCH: usize = 1 << 12;
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let start = Instant::now();
        for (keys, out) in keys.chunks(BATCH).zip(out.chunks_mut(BATCH)) {
            kernel.look_up(table, keys, out);
        }
        best = best.min(start.elapsed());
    }
    keys.len() as f64 / best.as_secs_f64()
}

/// Each lookup's key is chosen, out of the next 256, by the value found before
/// it. Keys are never used again, so that no pass finds them in a cache.
fn chained(kernel: &dyn LookupKernel, table: &Table, keys: &[u32]) -> f64 {
    let mut best = Duration::MAX;
    let passes = keys.chunks_exact(keys.len() / 4);
    let steps = keys.len() / 4 - 256;
    for keys in passes {
        let (start, mut out) = (Instant::now(), [0]);
        for step in 0..steps {
            let key = step + usize::from(out[0]);
            kernel.look_up(table, &keys[key..=key], &mut out);
        }
        best = best.min(start.elapsed());
        std::hint::black_box(out);
    }
    best.as_nanos() as f64 / steps as f64
}

fn one_by_one(kernel: &dyn LookupKernel, table: &Table, keys: &[u32]) -> ([u64; 3], u64) {
    let histogram = || Histogram::<u64>::new(3).expect("three digits are allowed");
    let (mut lookups, mut clock) = (histogram(), histogram());
    for key in keys.iter().step_by(keys.len() / SAMPLES) {
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
    fn measures_are_ordered() {
        let split = Split { address: 10, check: 8 };
        let latency = measure(KERNELS[2].get().unwrap(), split, 1).unwrap();
        assert_eq!(latency.bytes, 4096);
        assert!(latency.lookups_per_second > 1e6 && latency.chained_ns > 0.0);
        assert!(latency.percentiles_ns.is_sorted(), "{latency:?}");
        assert!(latency.percentiles_ns[0] >= latency.clock_ns, "{latency:?}");
    }
}
