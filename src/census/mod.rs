//! The census: for every set of features, how many same-mover pairs of
//! positions differ on exactly that set.
//!
//! ```text
//! 2x4, with Left to move:   ....   and   #...   differ on {0, 4}: one of the
//!                           ....         #...   pairs that A({0, 4}) counts
//! ```
//!
//! Where every position is even (a domino covers two squares) an odd set
//! counts nothing, so the highest feature is dropped and the cell of a set is
//! its remaining bits: `2^(n-1)` cells. Positions of mixed parity keep all
//! `2^n`.
//!
//! Two identities are asserted on every census: the cells other than the
//! empty set's add up to the number of same-mover pairs, and the empty set's
//! cell, which the transform reads as the number of positions, is zero here.

pub mod explain;
pub(crate) mod percentiles;
mod road;
pub mod sparse;
pub mod tally;

use rayon::prelude::*;

use crate::error::Error;
use crate::memory::{self, Zeroed};
use crate::positions::Positions;
use crate::tier;
use tally::Tally;

pub use road::Road;
pub use sparse::Sparse;

/// Pair counts of every set of features.
pub struct Census {
    features: usize,
    parity_dropped: bool,
    positions: [usize; 2],
    cells: Zeroed<u32>,
    sizes: Vec<Size>,
}

/// The sets of one size, and their counts.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Size {
    /// Features in each set.
    pub squares: usize,
    /// Sets of that size.
    pub sets: u64,
    /// Pairs that differ on some set of that size.
    pub pairs: u64,
    /// The largest count of one set.
    pub max: u32,
    /// Sets on which no pair differs.
    pub free: u64,
}

impl Size {
    /// Pairs a set, on average over all sets of that size.
    pub fn mean(&self) -> f64 {
        self.pairs as f64 / self.sets as f64
    }
}

impl Census {
    /// Counts every same-mover pair by `road`, makes the price list and checks
    /// both identities on it.
    ///
    /// # Errors
    /// More memory than is free, or counts that the road cannot promise to hold
    /// exactly.
    ///
    /// # Panics
    /// If a position has a feature beyond `positions.features`, or an identity
    /// fails: a bug in the caller or in a kernel, never a result.
    pub fn take(positions: &Positions, road: &Road) -> Result<Self, Error> {
        Self::take_in(None, positions, road)
    }

    /// As [`Census::take`], in the memory of a census that has served, if it is as large:
    /// for many censuses of one size, since fresh memory costs more than some of them do.
    ///
    /// # Errors
    /// As [`Census::take`].
    ///
    /// # Panics
    /// As [`Census::take`].
    pub fn retake(self, positions: &Positions, road: &Road) -> Result<Self, Error> {
        Self::take_in(Some(self.cells), positions, road)
    }

    fn take_in(
        served: Option<Zeroed<u32>>,
        positions: &Positions,
        road: &Road,
    ) -> Result<Self, Error> {
        let (union, parity_dropped) = positions.union_and_parity();
        let beyond = union.checked_shr(positions.features as u32).unwrap_or(0);
        assert_eq!(beyond, 0, "a position has a feature beyond the {}", positions.features);
        let what = format!("a census of {} features", positions.features);
        let cells = cell_count(&what, positions.features, parity_dropped)?;
        memory::require(&what, road.bytes(positions, cells), "")?;
        let mut census = Self {
            features: positions.features,
            parity_dropped,
            positions: positions.both().map(<[u64]>::len),
            cells: match served.filter(|served| served.len() == cells) {
                Some(served) => served,
                None => Zeroed::new(cells)?,
            },
            sizes: Vec::new(),
        };
        road.count(positions, &mut census.cells)?;
        let (_, kernel) = tier::pick(tally::KERNELS, None, road.ceiling())?;
        census.sizes = census.sizes_of(&tally::by_bits(kernel, &census.cells));
        let counted: u64 = census.sizes.iter().map(|size| size.pairs).sum();
        assert_eq!(counted, census.pairs(), "the census must count every same-mover pair once");
        assert_eq!(census.cells[0], 0, "no pair of different positions differs on nothing");
        Ok(census)
    }

    /// Number of features of the positions counted.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The counts, by cell; see [`Census::set`].
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// The counts alone.
    pub fn into_cells(self) -> Zeroed<u32> {
        self.cells
    }

    /// Number of Left's and of Right's positions.
    pub fn positions(&self) -> [usize; 2] {
        self.positions
    }

    /// Whether the positions are all even, so that odd sets have no cell.
    pub fn parity_dropped(&self) -> bool {
        self.parity_dropped
    }

    /// Number of same-mover pairs of positions.
    pub fn pairs(&self) -> u64 {
        self.positions.iter().map(|&count| pairs_of(count as u64)).sum()
    }

    /// The set of features that `cell` counts.
    pub fn set(&self, cell: usize) -> u64 {
        let low = cell as u64;
        if self.parity_dropped && low.count_ones() % 2 == 1 {
            low | 1 << (self.features - 1)
        } else {
            low
        }
    }

    /// The number of pairs that differ on exactly `set`, which lies within the features.
    pub fn count(&self, set: u64) -> u32 {
        let outside = set.checked_shr(self.features as u32).unwrap_or(0);
        assert_eq!(outside, 0, "{set:#x} is beyond {} features", self.features);
        let odd = set.count_ones() % 2 == 1;
        if self.parity_dropped && odd {
            0
        } else {
            self.cells[set as usize & (self.cells.len() - 1)]
        }
    }

    /// The price list: for every size that sets with a cell can have, smallest
    /// first, without the empty set.
    pub fn price_list(&self) -> Vec<Size> {
        self.sizes.clone()
    }

    /// Gathers tallies by the bits of the cell into sizes of the set.
    fn sizes_of(&self, by_bits: &[Tally]) -> Vec<Size> {
        let mut sizes: Vec<Size> = Vec::new();
        for (bits, tally) in by_bits.iter().enumerate() {
            let squares = self.size_of_bits(bits);
            if squares == 0 || tally.cells == 0 {
                continue;
            }
            if sizes.last().is_none_or(|size| size.squares != squares) {
                sizes.push(Size { squares, sets: 0, pairs: 0, max: 0, free: 0 });
            }
            let size = sizes.last_mut().expect("one was pushed");
            size.sets += tally.cells;
            size.pairs += tally.sum;
            size.max = size.max.max(tally.max);
            size.free += tally.zeros;
        }
        sizes
    }

    /// The size of the set whose cell number has that many bits.
    fn size_of_bits(&self, bits: usize) -> usize {
        if self.parity_dropped { bits.next_multiple_of(2) } else { bits }
    }

    /// The sets, other than the empty one, on which no pair differs and which
    /// have a cell: the free even sets where all positions are even. By size, then
    /// in the dictionary order of their squares: {0, 5} before {1, 4}.
    pub fn free_sets(&self) -> Vec<u64> {
        let cells = self.cells.par_iter().enumerate().skip(1);
        let mut free: Vec<u64> =
            cells.filter(|(_, count)| **count == 0).map(|(cell, _)| self.set(cell)).collect();
        sort_by_size(&mut free);
        free
    }

    /// The counts at `shares` (0.5 is the median) of the sets of each size of
    /// the price list: nearest rank, zeros included. Counts below 2^20 are exact
    /// and larger ones within one part in 10⁵.
    pub fn percentiles(&self, sizes: &[Size], shares: &[f64]) -> Vec<Vec<u64>> {
        percentiles::of_sizes(self, sizes, shares)
    }
}

/// Cells of a census over that many features, if one `u32` each fits the
/// memory that is free; `what` names the census if it does not.
///
/// # Errors
/// More memory than is free: it says how many features would fit.
pub fn cell_count(what: &str, features: usize, parity_dropped: bool) -> Result<usize, Error> {
    let dropped = usize::from(parity_dropped && features > 0);
    // 2^60 stands for all that is beyond any machine.
    let cells = 1u64 << (features - dropped).min(60);
    memory::require_or(what, cells * 4, |available| {
        // Cells, the bitmaps and lists of positions: about six bytes a cell in all.
        let fitting = (available / 6).max(1).ilog2() as usize + dropped;
        format!("; up to {fitting} features fit")
    })?;
    Ok(cells as usize)
}

/// Sorts sets by size, then in the dictionary order of their squares: {0, 5} before {1, 4}.
pub fn sort_by_size(sets: &mut [u64]) {
    sets.sort_unstable_by_key(|set| (set.count_ones(), std::cmp::Reverse(set.reverse_bits())));
}

/// Unordered pairs among so many.
pub(crate) fn pairs_of(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::domineering::Domineering;
    use crate::positions::enumerate;

    #[test]
    fn a_census_in_served_memory_is_the_same() {
        let positions = |board: &str| enumerate(&Domineering, board.parse().unwrap()).unwrap();
        // Equally many cells, fewer, and more than the memory has.
        for name in ["auto", "pairs/scalar"] {
            let mut served = None;
            for board in ["3x4", "4x3", "2x6", "3x3", "4x4"] {
                let positions = positions(board);
                let road = Road::choose(name, crate::tier::Tier::best(), &positions).unwrap();
                let fresh = Census::take(&positions, &road).unwrap();
                let census = match served {
                    None => Census::take(&positions, &road).unwrap(),
                    Some(served) => Census::retake(served, &positions, &road).unwrap(),
                };
                assert_eq!(census.cells(), fresh.cells(), "{board} by {name}");
                assert_eq!(census.price_list(), fresh.price_list(), "{board} by {name}");
                served = Some(census);
            }
        }
    }
}
