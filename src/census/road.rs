//! The roads to a census, what each costs, and the choice.
//!
//! ```text
//! pairs/<kernel>   every pair                 N²/2 a mover
//! walsh/<kernel>   transform, square, back    n·2^n
//! ```

use crate::error::Error;
use crate::pairs::{self, PairKernel};
use crate::positions::Positions;
use crate::tier::{self, Tier};

/// A kernel by which pairs are counted.
pub struct Road {
    name: String,
    kernel: &'static dyn PairKernel,
}

impl Road {
    /// The road called `name` (`auto`, `pairs/<kernel>` or `walsh/<kernel>`).
    ///
    /// # Errors
    /// An unknown name, or a kernel above `ceiling` or beyond this CPU.
    pub fn choose(name: &str, ceiling: Tier, _positions: &Positions) -> Result<Self, Error> {
        let kernel = match name.split_once('/') {
            None if name == "auto" => None,
            Some(("pairs", kernel)) => Some(kernel),
            _ => {
                let problem = format!("no road `{name}`: want auto, pairs/NAME or walsh/NAME");
                return Err(Error::argument("--kernel", problem));
            }
        };
        let (picked, kernel) = tier::pick(pairs::KERNELS, kernel, ceiling)?;
        Ok(Self { name: format!("pairs/{}", picked.name), kernel })
    }

    /// `family/kernel`, as `--kernel` takes it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes that counting allocates, the cells included.
    pub fn bytes(&self, _positions: &Positions, cells: usize) -> u64 {
        4 * cells as u64
    }

    /// Adds every same-mover pair to the cell of its difference.
    pub(super) fn count(&self, positions: &Positions, cells: &mut [u32]) -> Result<(), Error> {
        for list in positions.both() {
            self.kernel.differences(list, cells);
        }
        Ok(())
    }
}
