//! The definition: bit by bit.

use super::{Block, PlaneKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PlaneKernel> =
    Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl PlaneKernel for Oracle {
    fn transpose(&self, blocks: &mut [Block]) {
        for block in blocks {
            let rows = *block;
            *block = std::array::from_fn(|column| {
                (0..64).map(|row| (rows[row] >> column & 1) << row).sum()
            });
        }
    }
}
