//! Percentiles of the counts of each size of set, by nearest rank, zeros included.
//!
//! ```text
//! counts of a size   0 0 0 2 3 5 9 9 9 40     p50 is the 5th, 3; p90 the 9th, 9
//! ```
//!
//! A value below 2^20 is tallied in a plain array, which is exact and several
//! times faster than a histogram; larger ones, which only large boards have, go
//! to a histogram of five digits.

use hdrhistogram::Histogram;
use rayon::prelude::*;

use super::{Census, Size};

/// Values below this are tallied in an array.
const SMALL: u32 = 1 << 20;

/// Cells that a thread takes at a time.
const CHUNK: usize = 1 << 16;

/// The values of one size of set.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    small: Vec<u64>,
    large: Histogram<u64>,
    max: u32,
}

impl Values {
    /// None yet, and none that [`Values::record`] will take above `max`.
    pub(crate) fn up_to(max: u32) -> Self {
        let large = Histogram::new(5).expect("five digits are the most that is allowed");
        Self { small: vec![0; (max.min(SMALL - 1) + 1) as usize], large, max }
    }

    /// Takes one value in.
    #[inline]
    pub(crate) fn record(&mut self, value: u32) {
        match self.small.get_mut(value as usize) {
            Some(times) => *times += 1,
            None => self.large += u64::from(value),
        }
    }

    fn add(&mut self, other: Self) {
        self.small.iter_mut().zip(other.small).for_each(|(times, more)| *times += more);
        self.large += other.large;
    }

    /// Takes in every value of `other`, so many times each.
    pub(crate) fn add_times(&mut self, other: &Self, times: u64) {
        for (value, count) in other.counts() {
            self.record_many(value, count * times);
        }
    }

    /// Takes one value in, so many times.
    pub(crate) fn record_many(&mut self, value: u32, times: u64) {
        if value >= SMALL {
            self.large.record_n(value.into(), times).expect("it grows as it must");
            return;
        }
        if self.small.len() <= value as usize {
            self.small.resize(value as usize + 1, 0);
        }
        self.small[value as usize] += times;
    }

    /// The values met, ascending, and how often; large ones to five digits.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (u32, u64)> {
        let small = self.small.iter().enumerate().filter(|(_, times)| **times > 0);
        let small = small.map(|(value, &times)| (value as u32, times));
        // The lowest value of a bucket falls into it again.
        let large = self.large.iter_recorded().map(|bucket| {
            let value = self.large.lowest_equivalent(bucket.value_iterated_to());
            (value as u32, bucket.count_since_last_iteration())
        });
        small.chain(large)
    }

    /// The value at `share` of all, by nearest rank.
    pub(crate) fn at(&self, share: f64) -> u64 {
        let few: u64 = self.small.iter().sum();
        let all = few + self.large.len();
        let rank = ((share * all as f64).ceil() as u64).clamp(1, all.max(1));
        let mut met = 0;
        for (value, times) in self.small.iter().enumerate() {
            met += times;
            if met >= rank {
                return value as u64;
            }
        }
        // Half a rank down, so that rounding cannot reach the next one.
        let share = ((rank - few) as f64 - 0.5) / self.large.len() as f64;
        self.large.value_at_quantile(share).min(self.max.into())
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        self.counts().eq(other.counts())
    }
}

/// The values at `shares` (0.5 is the median) of the sets of each of `sizes`.
pub(super) fn of_sizes(census: &Census, sizes: &[Size], shares: &[f64]) -> Vec<Vec<u64>> {
    // An element of `sizes` for each number of bits of a cell; the empty set is in none.
    let element =
        |bits: usize| sizes.iter().position(|size| size.squares == census.size_of_bits(bits));
    let element_of: Vec<Option<usize>> = (0..=census.features).map(element).collect();
    let empty = || sizes.iter().map(|size| Values::up_to(size.max)).collect::<Vec<_>>();
    // A set of arrays is megabytes: one a thread, not one a chunk.
    let share = census.cells.len().div_ceil(CHUNK).div_ceil(rayon::current_num_threads());
    let chunks = census.cells.par_chunks(CHUNK).enumerate().with_min_len(share);
    let values = chunks.fold(empty, |mut values, (chunk, cells)| {
        for (offset, &count) in cells.iter().enumerate() {
            if let Some(element) = element_of[(chunk * CHUNK + offset).count_ones() as usize] {
                values[element].record(count);
            }
        }
        values
    });
    let values = values.reduce(empty, |mut sum, part| {
        sum.iter_mut().zip(part).for_each(|(sum, part)| sum.add(part));
        sum
    });
    values.iter().map(|values| shares.iter().map(|&share| values.at(share)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Road;
    use crate::game::domineering::Domineering;
    use crate::positions::enumerate;
    use crate::tier::Tier;

    #[test]
    fn nearest_rank_of_the_sorted_counts() {
        let positions = enumerate(&Domineering, "3x4".parse().unwrap()).unwrap();
        let census =
            Census::take(&positions, &Road::auto(Tier::best(), &positions).unwrap()).unwrap();
        let sizes = census.price_list();
        let shares = [0.0, 0.01, 0.5, 0.9, 0.99, 1.0];
        for (size, got) in sizes.iter().zip(of_sizes(&census, &sizes, &shares)) {
            let cells = census.cells.iter().enumerate().skip(1);
            let mut counts: Vec<u64> = cells
                .filter(|(cell, _)| census.set(*cell).count_ones() as usize == size.squares)
                .map(|(_, &count)| u64::from(count))
                .collect();
            counts.sort_unstable();
            let rank = |share: f64| (share * counts.len() as f64).ceil().max(1.0) as usize - 1;
            let want: Vec<u64> = shares.iter().map(|&share| counts[rank(share)]).collect();
            assert_eq!(got, want, "{} squares", size.squares);
        }
    }

    #[test]
    fn large_values_keep_five_digits_and_small_ones_all() {
        let mut values = Values::up_to(u32::MAX - 5);
        for value in [7, SMALL - 1, SMALL, 3_000_000_001, u32::MAX - 5] {
            values.record(value);
        }
        let at = [0.2, 0.4, 0.6, 0.8, 1.0].map(|share| values.at(share));
        assert_eq!((at[0], at[1]), (7, u64::from(SMALL - 1)));
        for (got, want) in at[2..].iter().zip([SMALL, 3_000_000_001, u32::MAX - 5]) {
            let want = u64::from(want);
            assert!(got.abs_diff(want) <= want / 100_000, "{got} for {want}");
        }
        assert_eq!(at[4], u64::from(u32::MAX - 5), "never above the largest");
    }
}
