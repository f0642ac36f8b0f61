//! The definition: every subset of the basis is summed and looked up.

use super::{CodeSumKernel, Prices};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn CodeSumKernel> =
    Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl CodeSumKernel for Oracle {
    fn sum(&self, prices: &Prices, basis: &[u32]) -> u64 {
        let subsets = 0..1u64 << basis.len();
        let price = |subset: u64| {
            let chosen = basis.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
            let set = chosen.fold(0, |set, (_, vector)| set ^ vector);
            u64::from(prices.cells()[set as usize])
        };
        subsets.map(price).sum()
    }
}
