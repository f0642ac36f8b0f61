//! The definition: a double loop over the cells. For small sizes.

use super::WalshKernel;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn WalshKernel> =
    Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl WalshKernel for Oracle {
    fn forward(&self, cells: &mut [i32]) {
        assert!(cells.len().is_power_of_two(), "{} cells are no power of two", cells.len());
        let signal = cells.to_vec();
        for (u, cell) in cells.iter_mut().enumerate() {
            *cell = signal
                .iter()
                .enumerate()
                .map(|(x, value)| if (x & u).count_ones() % 2 == 0 { *value } else { -value })
                .sum();
        }
    }
}
