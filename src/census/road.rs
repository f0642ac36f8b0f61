//! The roads to a census, what each costs, and the choice.
//!
//! ```text
//! pairs/<kernel>   looks at every pair             pairs
//! walsh/<kernel>   transform each mover's          3 · m · 2^m for 2^m cells
//!                  positions, square, back         and two movers
//! ```
//!
//! `auto` takes the cheaper of the two under the ceiling: pairs at one rate, the
//! transform by its [plan](Plan). Both roads share the threads alike, so threads do
//! not enter. The rates were measured on one machine and need only be right
//! about the order: the costs cross where positions are sparse among the cells,
//! and there a pair costs any kernel what it costs the scalar one.

use super::explain::Plan;
use crate::error::Error;
use crate::pairs::{self, PairKernel};
use crate::positions::Positions;
use crate::tier::{self, Tier};
use crate::walsh::{self, WalshKernel};

/// Pairs a second among sparse positions, by any kernel.
const PAIRS: f64 = 1.5e9;

/// A kernel by which pairs are counted.
#[derive(Clone, Copy)]
pub struct Road {
    kernel: RoadKernel,
    name: &'static str,
    ceiling: Tier,
}

#[derive(Clone, Copy)]
enum RoadKernel {
    Pairs(&'static dyn PairKernel),
    Walsh(&'static dyn WalshKernel),
}

impl Road {
    /// The road called `name`: `auto`, `pairs/<kernel>` or `walsh/<kernel>`.
    ///
    /// # Errors
    /// An unknown name, or a kernel above `ceiling` or beyond this CPU.
    pub fn choose(name: &str, ceiling: Tier, positions: &Positions) -> Result<Self, Error> {
        match name.split_once('/') {
            Some(("pairs", kernel)) => Self::pairs(Some(kernel), ceiling),
            Some(("walsh", kernel)) => Self::walsh(Some(kernel), ceiling),
            None if name == "auto" => Self::auto(ceiling, positions),
            _ => {
                let problem = format!("no road `{name}`: want auto, pairs/NAME or walsh/NAME");
                Err(Error::argument("--kernel", problem))
            }
        }
    }

    /// Whether [`Road::choose`] will take `name`, for asking before any work.
    ///
    /// # Errors
    /// As [`Road::choose`].
    pub fn check(name: &str, ceiling: Tier) -> Result<(), Error> {
        let nothing = Positions { features: 0, left: vec![], right: vec![] };
        Self::choose(name, ceiling, &nothing).map(drop)
    }

    /// The cheaper road for these positions by the model of this module.
    ///
    /// # Errors
    /// None that this CPU can cause: a scalar kernel is always there.
    pub fn auto(ceiling: Tier, positions: &Positions) -> Result<Self, Error> {
        if positions.total() as u64 > walsh::MOST_POSITIONS {
            return Self::pairs(None, ceiling);
        }
        let pairs = positions.pairs() as f64 / PAIRS;
        let stages =
            positions.features - usize::from(positions.all_even() && positions.features > 0);
        let (kernel, _) = tier::pick(walsh::KERNELS, None, ceiling)?;
        let walsh = Plan::of(stages as u32).seconds(kernel.tier, 1);
        if pairs < walsh { Self::pairs(None, ceiling) } else { Self::walsh(None, ceiling) }
    }

    fn pairs(kernel: Option<&str>, ceiling: Tier) -> Result<Self, Error> {
        let (kernel, implementation) = tier::pick(pairs::KERNELS, kernel, ceiling)?;
        Ok(Self { kernel: RoadKernel::Pairs(implementation), name: kernel.name, ceiling })
    }

    fn walsh(kernel: Option<&str>, ceiling: Tier) -> Result<Self, Error> {
        let (kernel, implementation) = tier::pick(walsh::KERNELS, kernel, ceiling)?;
        Ok(Self { kernel: RoadKernel::Walsh(implementation), name: kernel.name, ceiling })
    }

    /// `family/kernel`, as `--kernel` takes it.
    pub fn name(&self) -> String {
        let family = match self.kernel {
            RoadKernel::Pairs(_) => "pairs",
            RoadKernel::Walsh(_) => "walsh",
        };
        format!("{family}/{}", self.name)
    }

    /// The highest tier of what this road and all after it use.
    pub(super) fn ceiling(&self) -> Tier {
        self.ceiling
    }

    /// Bytes that counting takes at the most, the cells included and the
    /// positions not.
    pub fn bytes(&self, positions: &Positions, cells: usize) -> u64 {
        let (cells, positions) = (cells as u64, positions.total() as u64);
        let threads = rayon::current_num_threads() as u64;
        let beside = match self.kernel {
            // Each thread sorts a copy and keeps tables of its blocks and bit-sliced counters.
            RoadKernel::Pairs(_) => threads * (64 * positions + 3 * cells.min(1 << 24)),
            // Two arrays of `i64`.
            RoadKernel::Walsh(_) if matches!(self.name, "oracle" | "scalar") => 16 * cells,
            // A bit for each cell and mover.
            RoadKernel::Walsh(_) => cells / 4,
        };
        4 * cells + beside
    }

    /// Overwrites each cell with the number of same-mover pairs of its difference.
    pub(super) fn count(&self, positions: &Positions, cells: &mut [u32]) -> Result<(), Error> {
        match self.kernel {
            RoadKernel::Pairs(_) if cells.len() > 1 << 32 => {
                let problem = format!("{} counts at most 2^32 cells", self.name());
                Err(Error::argument("--kernel", problem))
            }
            RoadKernel::Pairs(kernel) => {
                cells.fill(0);
                for list in positions.both() {
                    pairs::differences_parallel(kernel, list, cells);
                }
                Ok(())
            }
            RoadKernel::Walsh(kernel) => walsh::autocorrelation(kernel, &positions.both(), cells),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(count: u64, features: usize) -> Positions {
        Positions { features, left: (0..count).map(|i| 2 * i).collect(), right: vec![] }
    }

    #[test]
    fn pairs_win_for_sparse_positions_and_transforms_for_dense_ones() {
        for tier in Tier::ALL.into_iter().filter(|tier| tier.available()) {
            let name = |positions| Road::auto(tier, &positions).unwrap().name();
            assert!(name(spread(1000, 24)).starts_with("pairs/"), "{tier}");
            assert!(name(spread(100_000, 20)).starts_with("walsh/"), "{tier}");
        }
    }
}
