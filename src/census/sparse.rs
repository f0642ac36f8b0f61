//! The census of few positions among many features: only the sets on which
//! some pair differs are kept, with their counts.
//!
//! ```text
//! positions {0,1} {0,40} {41}    sets {1,40} {0,1,41} {0,40,41}    counts 1 1 1
//! ```
//!
//! All differences are written down and sorted, so this takes memory in
//! proportion to the pairs and none for the 2^n sets.

use rayon::prelude::*;

use super::{Size, pairs_of};
use crate::error::Error;
use crate::memory;
use crate::positions::Positions;

/// Features up to which a table of all sets is preferred.
pub const DENSE_FEATURES: usize = 28;

/// Pair counts of the sets that have any.
pub struct Sparse {
    features: usize,
    parity_dropped: bool,
    positions: [usize; 2],
    sets: Vec<u64>,
    counts: Vec<u32>,
}

impl Sparse {
    /// Whether this census suits `positions` better than a table of all sets:
    /// there are more than [`DENSE_FEATURES`], and the pairs take less memory.
    pub fn suits(positions: &Positions) -> bool {
        let dropped = usize::from(positions.all_even() && positions.features > 0);
        positions.features > DENSE_FEATURES
            && bytes(positions) < 4u128 << (positions.features - dropped)
    }

    /// Counts every same-mover pair by sorting the differences.
    ///
    /// # Errors
    /// More memory than is free.
    pub fn take(positions: &Positions) -> Result<Self, Error> {
        let pairs = positions.pairs();
        let needed = u64::try_from(bytes(positions)).unwrap_or(u64::MAX);
        memory::require(&format!("sorting the differences of {pairs} pairs"), needed, "")?;
        let mut differences = Vec::with_capacity(pairs as usize);
        for list in positions.both() {
            for (index, x) in list.iter().enumerate() {
                differences.extend(list[..index].iter().map(|y| x ^ y));
            }
        }
        differences.par_sort_unstable();
        let (mut sets, mut counts) = (Vec::new(), Vec::new());
        for run in differences.chunk_by(|x, y| x == y) {
            sets.push(run[0]);
            counts.push(u32::try_from(run.len()).expect("pairs on one set are at most positions"));
        }
        assert_ne!(sets.first(), Some(&0), "no pair of different positions differs on nothing");
        Ok(Self {
            features: positions.features,
            parity_dropped: positions.all_even(),
            positions: positions.both().map(<[u64]>::len),
            sets,
            counts,
        })
    }

    /// The sets on which some pair differs, ascending.
    pub fn sets(&self) -> &[u64] {
        &self.sets
    }

    /// The number of pairs that differ on each of [`Sparse::sets`].
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// The number of pairs that differ on exactly `set`.
    pub fn count(&self, set: u64) -> u32 {
        self.sets.binary_search(&set).map_or(0, |index| self.counts[index])
    }

    /// Whether the positions are all even, so that odd sets are not counted as sets.
    pub fn parity_dropped(&self) -> bool {
        self.parity_dropped
    }

    /// Number of Left's and of Right's positions.
    pub fn positions(&self) -> [usize; 2] {
        self.positions
    }

    /// Number of same-mover pairs of positions.
    pub fn pairs(&self) -> u64 {
        self.positions.iter().map(|&count| pairs_of(count as u64)).sum()
    }

    /// The price list as a table of all sets has it, and for each size the
    /// counts at `shares`: nearest rank, zeros included.
    pub fn price_list(&self, shares: &[f64]) -> Vec<(Size, Vec<u64>)> {
        let mut by_size = vec![Vec::new(); self.features + 1];
        for (set, &count) in self.sets.iter().zip(&self.counts) {
            by_size[set.count_ones() as usize].push(count);
        }
        let mut sets = 1u64;
        let mut list = Vec::new();
        for (squares, mut counts) in by_size.into_iter().enumerate().skip(1) {
            sets = binomial_step(sets, self.features, squares);
            if self.parity_dropped && squares % 2 == 1 {
                continue;
            }
            counts.sort_unstable();
            let free = sets - counts.len() as u64;
            let at = |share: f64| {
                let rank = ((share * sets as f64).ceil() as u64).clamp(1, sets);
                rank.checked_sub(free + 1).map_or(0, |index| u64::from(counts[index as usize]))
            };
            let size = Size {
                squares,
                sets,
                pairs: counts.iter().map(|&count| u64::from(count)).sum(),
                max: counts.last().copied().unwrap_or(0),
                free,
            };
            list.push((size, shares.iter().map(|&share| at(share)).collect()));
        }
        let counted: u64 = list.iter().map(|(size, _)| size.pairs).sum();
        assert_eq!(counted, self.pairs(), "the census must count every same-mover pair once");
        list
    }
}

/// Bytes that [`Sparse::take`] allocates at most: a difference, a set and a count each pair.
fn bytes(positions: &Positions) -> u128 {
    20 * positions.pairs()
}

/// C(n, k) from C(n, k−1).
fn binomial_step(before: u64, n: usize, k: usize) -> u64 {
    (u128::from(before) * (n - k + 1) as u128 / k as u128) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::{Census, Road};
    use crate::game::domineering::Domineering;
    use crate::positions;
    use crate::tier::Tier;

    fn dense(positions: &Positions) -> Census {
        let road = Road::choose("auto", Tier::best(), positions).unwrap();
        Census::take(positions, &road).unwrap()
    }

    #[test]
    fn it_is_the_census_of_the_table_of_all_sets() {
        let mixed =
            Positions { features: 9, left: (0..200).step_by(3).collect(), right: vec![5, 300] };
        let board = |name: &str| positions::enumerate(&Domineering, name.parse().unwrap()).unwrap();
        for positions in [mixed, board("3x4"), board("2x6")] {
            let (sparse, dense) = (Sparse::take(&positions).unwrap(), dense(&positions));
            let all = 1u64 << positions.features;
            assert!((0..all).all(|set| sparse.count(set) == dense.count(set)));
            let (sizes, shares) = (dense.price_list(), [0.5, 0.9, 0.99]);
            let percentiles = dense.percentiles(&sizes, &shares);
            let (sparse_sizes, sparse_percentiles): (Vec<_>, Vec<_>) =
                sparse.price_list(&shares).into_iter().unzip();
            assert_eq!((sparse_sizes, sparse_percentiles), (sizes, percentiles));
        }
    }

    #[test]
    fn sixty_four_features_and_no_positions_are_fine() {
        let left = vec![0, 1, 1 << 63, u64::MAX];
        let positions = Positions { features: 64, left, right: vec![] };
        assert!(Sparse::suits(&positions));
        let list = Sparse::take(&positions).unwrap().price_list(&[0.5]);
        assert_eq!(list[31].0.sets, 1_832_624_140_942_590_534);
        assert_eq!((list[63].0.sets, list[63].0.pairs, list[63].0.free), (1, 1, 0));
        assert_eq!((list[63].1[0], list[31].1[0]), (1, 0));
        let nothing = Positions { features: 40, left: vec![], right: vec![] };
        assert_eq!(Sparse::take(&nothing).unwrap().sets(), [] as [u64; 0]);
    }
}
