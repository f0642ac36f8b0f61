//! Coset prices: when one vector is added to a code, what every further vector
//! then costs.
//!
//! If a code holds `u`, a further vector `w` brings `w + u` along, so sets are
//! priced two by two and the highest bit of `u` is dropped from their numbers:
//!
//! ```text
//! prices of   000 001 010 011 100 101 110 111     u = 101
//! folded      000+101 001+100 010+111 011+110     by the low two bits of one of each
//! ```
//!
//! Folding by every vector of a basis prices all cosets of its code at once,
//! in `2^(m-1) + 2^(m-2) + …` additions: the step of both design by search and
//! proof by branch and bound. A price is at most [`CAP`]; the code itself,
//! coset 0, is kept at the cap, since adding it adds nothing.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

use crate::tier::Kernel;

/// The largest price: sums of two are still `u32`s, and are cut back to it.
pub const CAP: u32 = 1 << 30;

/// A way to fold.
pub trait CosetKernel: Sync {
    /// Writes the coset prices of `prices` (`2^m`, at most [`CAP`] each) by the
    /// vector `by` (not zero, below `2^m`) to `folded` (`2^(m-1)`), coset 0 at
    /// the cap, and returns the least.
    fn fold(&self, prices: &[u32], by: u32, folded: &mut [u32]) -> u32;
}

/// Every kernel of the family, the definition first and the fastest last.
pub static KERNELS: &[Kernel<dyn CosetKernel>] = &[
    scalar::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];

/// The set numbered `coset` before folding by `by`: of its two, the one
/// without the highest bit of `by`.
///
/// ```
/// assert_eq!(zobrist_lab::cosets::lift(0b1101, 0b0011), 0b11001);
/// ```
pub fn lift(coset: u32, by: u32) -> u32 {
    let pivot = by.ilog2();
    let low = coset & ((1 << pivot) - 1);
    (coset >> pivot << pivot << 1) | low
}

/// The coset of `set` after folding by `by`.
///
/// ```
/// use zobrist_lab::cosets::{lift, number};
/// assert_eq!(number(0b11001, 0b0011), 0b1101);
/// assert_eq!(number(0b11001 ^ 0b0011, 0b0011), 0b1101);
/// ```
pub fn number(set: u32, by: u32) -> u32 {
    let pivot = by.ilog2();
    let set = if set >> pivot & 1 == 1 { set ^ by } else { set };
    (set >> pivot >> 1 << pivot) | (set & ((1 << pivot) - 1))
}

fn check(prices: &[u32], by: u32, folded: &[u32]) {
    assert!(prices.len().is_power_of_two(), "{} prices are no power of two", prices.len());
    assert!(by != 0 && (by as usize) < prices.len(), "{by:#x} of {} sets", prices.len());
    assert_eq!(folded.len(), prices.len() / 2, "half as many cosets as sets");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tier;

    #[test]
    fn every_kernel_folds_as_the_definition() {
        for kernel in tier::available(KERNELS) {
            println!("cosets/{}", kernel.name);
            let fold = kernel.get().unwrap();
            for m in 1..11 {
                let price = |set: u32| set.wrapping_mul(2_654_435_761) >> (1 + set % 25);
                let prices: Vec<u32> = (0..1 << m).map(|set| price(set).min(CAP)).collect();
                for by in 1..1u32 << m {
                    let mut folded = vec![0xdead_beef; 1 << (m - 1)];
                    let least = fold.fold(&prices, by, &mut folded);
                    assert_eq!(folded[0], CAP, "coset 0 of {by} at 2^{m}");
                    for (coset, &price) in folded.iter().enumerate().skip(1) {
                        let set = lift(coset as u32, by);
                        assert_eq!(number(set, by), coset as u32);
                        assert_eq!(number(set ^ by, by), coset as u32);
                        let both = prices[set as usize] + prices[(set ^ by) as usize];
                        let name = kernel.name;
                        assert_eq!(price, both.min(CAP), "cosets/{name}: {coset} by {by} at 2^{m}");
                    }
                    assert_eq!(Some(&least), folded.iter().min());
                }
            }
        }
    }
}
