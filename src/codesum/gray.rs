//! A walk in the order of Gray's code: from each word to the next is one XOR
//! and one lookup. The honest scalar baseline.

use super::{CodeSumKernel, Prices};
use crate::gf2;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn CodeSumKernel> = Kernel::new("gray", Tier::Scalar, &[], &Gray);

struct Gray;

impl CodeSumKernel for Gray {
    fn sum(&self, prices: &Prices, basis: &[u32]) -> u64 {
        let cells = prices.cells();
        gf2::span(basis).map(|set| u64::from(cells[set as usize])).sum()
    }
}
