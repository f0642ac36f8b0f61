//! The sum of a price over the words of a code: how many pairs of positions a
//! key confuses, when a set's price is the number of pairs that differ on it.
//!
//! ```text
//! prices 0 5 2 9 …   code {000, 001, 010, 011}   sum 0 + 5 + 2 + 9
//! ```
//!
//! Two roads. The words of a code of dimension `k` are walked in 2^k steps;
//! or, by Poisson summation, the sum over a code is a sum of the prices'
//! Walsh–Hadamard transform over the code's *dual*, the row space of the key:
//!
//! ```text
//! Σ A(c) over C  =  |C| / 2^m · Σ Â(y) over the y that meet every c evenly
//! ```
//!
//! in 2^(m−k) steps. [`sum`] takes the shorter.

mod dual;
mod gray;
mod oracle;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use std::ops::Deref;
use std::sync::OnceLock;

use crate::tier::{self, Kernel, Tier};
use crate::walsh;

/// A price for each of `2^m` sets, by cell number, and its transform.
pub struct Prices {
    cells: Box<dyn Deref<Target = [u32]> + Send + Sync>,
    transform: OnceLock<Vec<i64>>,
}

impl Prices {
    /// Prices by cell, in whatever memory they are; a set is the bits of its cell's number.
    ///
    /// # Panics
    /// If the cells are not a power of two in number, or more than 2^31.
    pub fn new(cells: impl Deref<Target = [u32]> + Send + Sync + 'static) -> Self {
        assert!(cells.len().is_power_of_two(), "{} cells are no power of two", cells.len());
        assert!(cells.len() <= 1 << 31, "{} cells: a cell's number has 31 bits", cells.len());
        Self { cells: Box::new(cells), transform: OnceLock::new() }
    }

    /// The prices.
    pub fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// `m`, of `2^m` cells.
    pub fn dimension(&self) -> usize {
        self.cells.len().ilog2() as usize
    }

    /// The Walsh–Hadamard transform of the prices, made when first asked for:
    /// eight bytes a cell.
    pub fn transform(&self) -> &[i64] {
        self.transform.get_or_init(|| {
            let mut cells: Vec<i64> = self.cells.iter().map(|&price| price.into()).collect();
            let kernel = tier::pick(walsh::KERNELS, None, Tier::best());
            kernel.expect("a scalar kernel is always there").1.forward64(&mut cells);
            cells
        })
    }
}

/// A way to sum prices over a code.
pub trait CodeSumKernel: Sync {
    /// The sum of the prices over the span of `basis`, the empty set's
    /// included. The basis is independent and within the cells.
    fn sum(&self, prices: &Prices, basis: &[u32]) -> u64;
}

/// Every kernel of the family, the oracle first and the fastest for small codes last.
pub static KERNELS: &[Kernel<dyn CodeSumKernel>] = &[
    oracle::KERNEL,
    dual::KERNEL,
    gray::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];

/// The sum over the span of an independent basis, by the road of fewer steps.
///
/// ```
/// use zobrist_lab::codesum::{self, Prices};
/// let prices = Prices::new(vec![0, 5, 2, 9, 1, 1, 1, 1]);
/// assert_eq!(codesum::sum(&prices, &[0b001, 0b010]), 16);
/// ```
pub fn sum(prices: &Prices, basis: &[u32]) -> u64 {
    // The transform costs as much as a walk of its own, so only a much shorter one repays it.
    let name = (2 * basis.len() > prices.dimension() + 4).then_some("dual");
    let (_, kernel) = tier::pick(KERNELS, name, Tier::best()).expect("both roads are always there");
    kernel.sum(prices, basis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gf2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_kernel_sums_as_the_oracle(
            prices in (0usize..10).prop_flat_map(|m| prop::collection::vec(any::<u32>(), 1 << m)),
            vectors in prop::collection::vec(any::<u32>(), 0..10),
        ) {
            let prices = Prices::new(prices);
            let mask = prices.cells().len() as u32 - 1;
            let within: Vec<u32> = vectors.iter().map(|vector| vector & mask).collect();
            let mut basis = gf2::reduced(&within);
            // Kernels must not rely on a reduced basis, nor on its order.
            basis.reverse();
            for index in 1..basis.len() {
                basis[index] ^= basis[index - 1];
            }
            let (_, oracle) = tier::pick(KERNELS, Some("oracle"), Tier::best()).unwrap();
            let expected = oracle.sum(&prices, &basis);
            for kernel in tier::available(KERNELS) {
                let got = kernel.get().unwrap().sum(&prices, &basis);
                prop_assert_eq!(got, expected, "codesum/{}", kernel.name);
            }
            prop_assert_eq!(sum(&prices, &basis), expected);
        }
    }

    #[test]
    fn every_kernel_is_covered_at_every_dimension() {
        let names: Vec<&str> = tier::available(KERNELS).iter().map(|kernel| kernel.name).collect();
        println!("codesum kernels covered: {}", names.join(", "));
        let prices = Prices::new((0..1u32 << 12).map(|cell| cell * cell).collect::<Vec<_>>());
        // The span of the first k units is the first 2^k cells: Σ x² in closed form.
        let units: Vec<u32> = (0..12).map(|bit| 1 << bit).collect();
        for k in 0..=12 {
            let last = (1u64 << k) - 1;
            let expected = last * (last + 1) * (2 * last + 1) / 6;
            for kernel in tier::available(KERNELS) {
                let sum = kernel.get().unwrap().sum(&prices, &units[..k]);
                assert_eq!(sum, expected, "codesum/{} at {k}", kernel.name);
            }
        }
    }
}
