//! Percentiles of the counts of each size of set, by nearest rank, zeros included.
//!
//! ```text
//! counts of a size   0 0 0 2 3 5 9 9 9 40     p50 is the 5th, 3; p90 the 9th, 9
//! ```
//!
//! A value below 2^20 is tallied in a plain array, which is exact and several
//! times faster than a histogram; larger ones, which only large boards have, go
//! to a histogram of five digits. What a thread counts of some billion cells it counts in
//! 32 bits: the arrays of all sizes are hot at once, and the smaller they are the
//! more of them stays in the cache.

use hdrhistogram::Histogram;
use rayon::prelude::*;

use super::{Census, Size};

/// Values below this are tallied in an array.
const SMALL: u32 = 1 << 20;

/// The values of one size of set.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    small: Vec<u64>,
    large: Histogram<u64>,
    max: u32,
}

impl Values {
    /// None yet.
    pub(crate) fn new() -> Self {
        let large = Histogram::new(5).expect("five digits are the most that is allowed");
        Self { small: Vec::new(), large, max: 0 }
    }

    /// The values of each of so many sizes in all parts together.
    pub(crate) fn sums(sizes: usize, parts: impl ParallelIterator<Item = Vec<Self>>) -> Vec<Self> {
        parts.reduce(
            || (0..sizes).map(|_| Self::new()).collect(),
            |mut sum, part| {
                sum.iter_mut().zip(&part).for_each(|(sum, part)| sum.add_times(part, 1));
                sum
            },
        )
    }

    /// Takes in every value of `other`, so many times each.
    pub(crate) fn add_times(&mut self, other: &Self, times: u64) {
        for (value, count) in other.counts() {
            self.record_many(value, count * times);
        }
    }

    /// Takes one value in, so many times.
    pub(crate) fn record_many(&mut self, value: u32, times: u64) {
        self.max = self.max.max(value);
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
    let most: Vec<u32> = sizes.iter().map(|size| size.max).collect();
    // A set of arrays is megabytes: one a thread, not one a chunk.
    let share = census.cells.len().div_ceil(rayon::current_num_threads());
    let share = share.next_multiple_of(64).clamp(64, MOST_CELLS);
    let parts = census.cells.par_chunks(share).enumerate().map(|(part, cells)| {
        let mut counter = Counter::up_to(&most);
        counter.record(part * share, cells, &element_of);
        counter.values()
    });
    let values = Values::sums(sizes.len(), parts);
    values.iter().map(|values| shares.iter().map(|&share| values.at(share)).collect()).collect()
}

/// The most cells that one [`Counter`] takes: none of its counts can pass 32 bits.
pub(crate) const MOST_CELLS: usize = 1 << 31;

/// What one thread counts of the values of all sizes.
pub(crate) struct Counter {
    /// How often each value below a size's limit was met, size after size.
    small: Vec<u32>,
    /// Where in `small` each size begins, and how many values it has there.
    sizes: Vec<(usize, u32)>,
    large: Vec<Values>,
}

impl Counter {
    /// Nothing yet, and no value above the largest of each size.
    pub(crate) fn up_to(most: &[u32]) -> Self {
        let mut end = 0;
        let mut sizes = Vec::new();
        for &most in most {
            let limit = most.min(SMALL - 1) + 1;
            sizes.push((end, limit));
            end += limit as usize;
        }
        Self { small: vec![0; end], sizes, large: most.iter().map(|_| Values::new()).collect() }
    }

    /// Counts cells, numbered from `first`, a multiple of 64; `element_of` is the size of a
    /// cell whose number has so many bits, if it is to be counted.
    pub(crate) fn record(&mut self, first: usize, cells: &[u32], element_of: &[Option<usize>]) {
        let by_bits: Vec<(usize, u32)> =
            element_of.iter().map(|element| element.map_or((0, 0), |at| self.sizes[at])).collect();
        for (run, cells) in cells.chunks(64).enumerate() {
            let high = (first / 64 + run).count_ones() as usize;
            for (low, &count) in cells.iter().enumerate() {
                let bits = high + usize::from(BITS[low]);
                let (begin, limit) = by_bits[bits];
                if count < limit {
                    self.small[begin + count as usize] += 1;
                } else if let Some(element) = element_of[bits] {
                    self.large[element].record_many(count, 1);
                }
            }
        }
    }

    /// All that was counted, by size.
    pub(crate) fn values(mut self) -> Vec<Values> {
        for (&(begin, limit), values) in self.sizes.iter().zip(&mut self.large) {
            let small = &self.small[begin..][..limit as usize];
            for (value, &times) in small.iter().enumerate().filter(|(_, times)| **times > 0) {
                values.record_many(value as u32, times.into());
            }
        }
        self.large
    }
}

/// Bits of the numbers below 64.
const BITS: [u8; 64] = {
    let (mut bits, mut number) = ([0; 64], 0);
    while number < 64 {
        bits[number] = number.count_ones() as u8;
        number += 1;
    }
    bits
};

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
        let mut values = Values::new();
        for value in [7, SMALL - 1, SMALL, 3_000_000_001, u32::MAX - 5] {
            values.record_many(value, 1);
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
