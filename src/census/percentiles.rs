//! Percentiles of the counts of each size of set, by nearest rank, zeros included.
//!
//! ```text
//! counts of a size   0 0 0 2 3 5 9 9 9 40     p50 is the 5th, 3; p90 the 9th, 9
//! ```
//!
//! A cell is tallied by its value in a plain array where it is small, which is
//! several times faster than recording each in a histogram; the histogram gets
//! each value once, with its number of occurrences.

use hdrhistogram::Histogram;
use rayon::prelude::*;

use super::{Census, Size};

/// Values below this are tallied in an array.
const SMALL: u32 = 1 << 20;

/// Cells that a thread takes at a time.
const CHUNK: usize = 1 << 16;

/// The values of one size of set.
struct Values {
    small: Vec<u32>,
    rest: Histogram<u64>,
}

impl Values {
    fn up_to(max: u32) -> Self {
        Self { small: vec![0; (max.min(SMALL - 1) + 1) as usize], rest: histogram() }
    }

    #[inline]
    fn record(&mut self, value: u32) {
        match self.small.get_mut(value as usize) {
            Some(times) => *times += 1,
            None => self.rest += u64::from(value),
        }
    }

    fn merged(self) -> Histogram<u64> {
        let mut all = self.rest;
        for (value, times) in self.small.into_iter().enumerate().filter(|(_, times)| *times > 0) {
            all.record_n(value as u64, times.into()).expect("a resizing histogram takes any value");
        }
        all
    }
}

/// A histogram exact up to 131,071 and within one part in 10⁵ above.
fn histogram() -> Histogram<u64> {
    Histogram::new(5).expect("five digits are the most that is allowed")
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
    let histograms =
        values.map(|values| values.into_iter().map(Values::merged).collect::<Vec<_>>());
    let histograms = histograms.reduce(
        || sizes.iter().map(|_| histogram()).collect(),
        |mut sum, part| {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            sum
        },
    );
    let at = |histogram: &Histogram<u64>| {
        shares.iter().map(|&share| histogram.value_at_quantile(share)).collect()
    };
    histograms.iter().map(at).collect()
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
    fn large_values_keep_five_digits() {
        let mut values = Values::up_to(u32::MAX);
        for value in [7, SMALL - 1, SMALL, u32::MAX] {
            values.record(value);
        }
        let all = values.merged();
        assert_eq!((all.len(), all.min()), (4, 7));
        let largest = all.value_at_quantile(1.0);
        assert!(largest.abs_diff(u32::MAX.into()) <= u64::from(u32::MAX / 100_000), "{largest}");
    }
}
