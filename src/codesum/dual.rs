//! Poisson summation: the transform of the prices, walked over the dual code.
//!
//! For a code of dimension `k` among `2^m` sets that is 2^(m−k) lookups of
//! eight bytes, so it wins as soon as the code is larger than its dual; the
//! transform is made once for all codes.

use super::{CodeSumKernel, Prices};
use crate::gf2;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn CodeSumKernel> = Kernel::new("dual", Tier::Scalar, &[], &Dual);

struct Dual;

impl CodeSumKernel for Dual {
    fn sum(&self, prices: &Prices, basis: &[u32]) -> u64 {
        let m = prices.dimension();
        // The sets that meet every word evenly: the kernel of the matrix of words.
        let dual = gf2::kernel(&gf2::transpose(basis, m));
        assert_eq!(dual.len() + basis.len(), m, "the basis must be independent");
        let transform = prices.transform();
        let total: i128 = gf2::span(&dual).map(|set| i128::from(transform[set as usize])).sum();
        let words = 1i128 << dual.len();
        assert_eq!(total % words, 0, "{total} must be a multiple of the dual's {words} words");
        u64::try_from(total / words).expect("a sum of prices is not negative")
    }
}
