//! The definition: a double loop over the pairs. Every other kernel is tested
//! against it; speed is quoted against `scalar`, not against this.

use super::{PairKernel, Prepared};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairKernel> = Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl PairKernel for Oracle {
    fn prepare(&self, reduced: Vec<u32>, _length: usize) -> Box<dyn Prepared> {
        Box::new(Pairs(reduced))
    }
}

struct Pairs(Vec<u32>);

impl Prepared for Pairs {
    fn add(&self, chunk: u32, cells: &mut [u32]) {
        assert!(cells.len().is_power_of_two(), "{} cells are no power of two", cells.len());
        for (index, x) in self.0.iter().enumerate() {
            for y in &self.0[..index] {
                let difference = u64::from(x ^ y);
                if difference / cells.len() as u64 == u64::from(chunk) {
                    let cell = &mut cells[difference as usize % cells.len()];
                    *cell = cell.checked_add(1).expect("a count passed u32::MAX");
                }
            }
        }
    }
}
