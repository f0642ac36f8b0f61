//! The definition, one coset at a time, and what the vector kernels do with
//! folds too narrow for a vector.

use super::{CAP, CosetKernel, check, lift};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn CosetKernel> =
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

pub(super) struct Scalar;

impl CosetKernel for Scalar {
    fn fold(&self, prices: &[u32], by: u32, folded: &mut [u32]) -> u32 {
        check(prices, by, folded);
        for (coset, folded) in folded.iter_mut().enumerate() {
            let set = lift(coset as u32, by);
            let both = prices[set as usize] + prices[(set ^ by) as usize];
            *folded = both.min(CAP);
        }
        folded[0] = CAP;
        folded.iter().copied().min().unwrap_or(CAP)
    }
}
