//! What designs are measured against: the pairs of all reachable positions,
//! and those of the positions that a search stores.

use crate::board::Board;
use crate::census::{Census, Road, Sparse};
use crate::code::Code;
use crate::codesum::{self, Prices};
use crate::error::Error;
use crate::positions::Positions;
use crate::tier::Tier;

use super::{Sets, price_symmetries};

/// Features that a design may have: a cell's number has 31 bits beside the parity.
pub const MOST_FEATURES: usize = 32;

/// Pair counts of a list of positions, as prices.
pub struct Ground {
    /// What the cells stand for.
    pub sets: Sets,
    /// Same-mover pairs of the positions.
    pub pairs: u64,
    /// Pairs by cell.
    pub prices: Prices,
    /// Symmetries of the prices, as images of the bits of a cell.
    pub symmetries: Vec<Vec<u32>>,
}

impl Ground {
    /// Whether the price of every set is a good thing to have: of few features always, of up
    /// to [`MOST_FEATURES`] where the pairs alone would take more memory.
    pub fn suits(positions: &Positions) -> bool {
        positions.features <= MOST_FEATURES && !Sparse::suits(positions)
    }

    /// Counts the pairs of `positions`; `board`, if they are drawn on one, is
    /// asked for symmetries.
    ///
    /// # Errors
    /// A census that does not fit, or more than [`MOST_FEATURES`].
    pub fn of(positions: &Positions, board: Option<Board>, ceiling: Tier) -> Result<Self, Error> {
        if positions.features > MOST_FEATURES {
            let problem = format!(
                "{} features: want at most {MOST_FEATURES}, for every set of which there is a price",
                positions.features
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
        let pairs = census.pairs();
        Ok(Self { sets, pairs, prices: Prices::new(census.cells().to_vec()), symmetries })
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
