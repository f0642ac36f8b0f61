//! What designs are measured against: the pairs of all reachable positions,
//! and those of the positions that a search stores.

use crate::board::Board;
use crate::census::{Census, Road, Sparse};
use crate::code::Code;
use crate::codesum::{self, Prices};
use crate::error::Error;
use crate::memory;
use crate::positions::Positions;
use crate::tier::Tier;

use super::{Sets, crowded, price_symmetries};

/// Features that a design may have: a cell's number has 31 bits beside the parity.
pub const MOST_FEATURES: usize = 32;

/// Bits of a cell's number: a feature less than [`MOST_FEATURES`] where parities are mixed.
const MOST_BITS: usize = 31;

/// Pair counts of a list of positions, as prices.
pub struct Ground {
    /// What the cells stand for.
    pub sets: Sets,
    /// Same-mover pairs of the positions.
    pub pairs: u64,
    /// Pairs by cell.
    pub prices: Prices,
    /// Number of Left's and of Right's positions.
    positions: [usize; 2],
    /// Symmetries of the prices, as images of the bits of a cell.
    pub symmetries: Vec<Vec<u32>>,
}

impl Ground {
    /// Whether the price of every set is a good thing to have: of few features always, of up
    /// to [`MOST_FEATURES`] (one less of mixed parity) where the pairs alone would take more
    /// memory.
    pub fn suits(positions: &Positions) -> bool {
        cell_bits(positions) <= MOST_BITS && !Sparse::suits(positions)
    }

    /// Counts the pairs of `positions`; `board`, if they are drawn on one, is
    /// asked for symmetries.
    ///
    /// # Errors
    /// A census that does not fit beside a copy for searches, or more than
    /// [`MOST_FEATURES`], or as many of mixed parity.
    pub fn of(positions: &Positions, board: Option<Board>, ceiling: Tier) -> Result<Self, Error> {
        if cell_bits(positions) > MOST_BITS {
            let (features, mixed) = (positions.features, positions.features <= MOST_FEATURES);
            let (parity, most) =
                if mixed { (" of mixed parity", MOST_BITS) } else { ("", MOST_FEATURES) };
            let problem = format!(
                "{features} features{parity}: want at most {most}, for every set of which there \
                 is a price"
            );
            return Err(Error::argument(
                if board.is_some() { "board" } else { "--positions" },
                problem,
            ));
        }
        let road = Road::choose("auto", ceiling, positions)?;
        let census = Census::take(positions, &road)?;
        let sets = Sets::of(&census);
        let symmetries =
            board.map_or_else(Vec::new, |board| price_symmetries(board, sets, census.cells()));
        let (pairs, positions) = (census.pairs(), census.positions());
        let what = format!("a search among the prices of {} features", sets.features);
        memory::require(&what, 4 << sets.dimension(), "")?;
        Ok(Self { sets, pairs, prices: Prices::new(census.into_cells()), positions, symmetries })
    }

    /// Pairs that every key of `bits` confuses, as [`crowded_pairs`](super::crowded_pairs).
    pub fn crowded(&self, bits: usize) -> u64 {
        crowded(self.positions, bits)
    }

    /// The pairs that a key with this code confuses.
    pub fn confused(&self, code: &Code) -> u64 {
        let even = if self.sets.even { code.even_part() } else { code.clone() };
        let cells: Vec<u32> = even.basis().iter().map(|&set| self.sets.cell(set)).collect();
        codesum::sum(&self.prices, &cells)
    }

    /// What a random key of that length confuses on average.
    pub fn expected(&self, bits: usize) -> f64 {
        self.pairs as f64 / 2f64.powi(bits as i32)
    }
}

/// Bits of a cell's number: even sets are numbered without their highest feature.
fn cell_bits(positions: &Positions) -> usize {
    positions.features - usize::from(positions.features > 0 && positions.all_even())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough positions of so many features that their pairs take more memory than all sets.
    fn list(features: usize, even: bool) -> Positions {
        let shift = usize::from(even);
        let parity = |set: u64| if even { set << 1 | u64::from(set.count_ones()) & 1 } else { set };
        let count = 1u64 << (features - shift).div_ceil(2);
        let left = (0..count).map(parity).collect();
        Positions { features, left, right: vec![] }
    }

    #[test]
    fn a_cell_number_has_thirty_one_bits() {
        for (features, even, suits) in [
            (31, false, true),
            (31, true, true),
            (32, true, true),
            (32, false, false),
            (33, true, false),
        ] {
            let positions = list(features, even);
            assert!(!Sparse::suits(&positions), "{features} features: many pairs");
            assert_eq!(Ground::suits(&positions), suits, "{features} features, even: {even}");
        }
        let few = Positions { features: 32, left: vec![1, 2, 3], right: vec![] };
        assert!(!Ground::suits(&few));
        for (features, expected) in
            [(32, "32 features of mixed parity: want at most 31"), (33, "33 features: want")]
        {
            let refused = Ground::of(&list(features, false), None, Tier::best());
            let refused = refused.err().expect("too many cells").to_string();
            assert!(refused.contains(expected), "{refused}");
        }
        assert!(Ground::suits(&Positions { features: 0, left: vec![0], right: vec![] }));
    }
}
