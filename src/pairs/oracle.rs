//! The definition: a double loop over the pairs. Every other kernel is tested
//! against it; speed is quoted against `scalar`, not against this.

use super::PairKernel;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairKernel> = Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl PairKernel for Oracle {
    fn differences(&self, positions: &[u64], cells: &mut [u32]) {
        assert!(cells.len().is_power_of_two(), "{} cells are no power of two", cells.len());
        let mask = cells.len() as u64 - 1;
        for (index, x) in positions.iter().enumerate() {
            for y in &positions[..index] {
                let cell = &mut cells[((x ^ y) & mask) as usize];
                *cell = cell.checked_add(1).expect("a count passed u32::MAX");
            }
        }
    }
}
