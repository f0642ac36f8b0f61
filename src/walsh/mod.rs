//! Walsh–Hadamard transforms over the integers, and by way of them the XOR
//! autocorrelation: the number of pairs of positions for each difference.
//!
//! The transform of `f` at `u` is the sum over `x` of `f(x)` times −1 to the
//! number of squares that `x` and `u` share:
//!
//! ```text
//! signs + + − + + − + +   (0 is +1, 1 is −1 in 00100100)
//! transform 4 0 0 4 0 −4 4 0
//! ```
//!
//! Of the indicator `f` of a set, `Σ_u F(u)² (−1)^|u & D|` is `2^m` times the
//! number of *ordered* pairs of members that differ by `D`. Two pair counts are
//! had from three transforms: forward for each mover, and one back for the sum
//! of the squares.
//!
//! # Why it is exact
//!
//! Take `N` members among `2^m` cells, and two movers of `L` and `R` members.
//!
//! - **Forward.** After `k` stages a value is a signed sum over at most `2^k`
//!   cells and at most `N` members: `|F| ≤ min(2^k, N)`. The first 14 stages of
//!   any set hold in 16 bits, all stages if `N ≤ 32,767`, as many as find no more
//!   members than that in any run of `2^k` cells (they are counted), and 32 bits hold
//!   whatever the door admits.
//! - **Squares.** `L² + R² ≤ 2·32,767² < 2^31` in the 16-bit road. In the other a
//!   square has 64 bits until it is reduced.
//! - **Back.** The result at `D ≠ 0` is `2^m · 2A(D)` with `2A(D) ≤ L + R`, the zero
//!   cell is `2^m (L + R)`, and the sums on the way need far more bits. They are
//!   kept modulo `2^q − 1 > L + R`, an odd number, so that dividing by `2^m` is
//!   possible and the quotient is the number itself, not merely congruent to it.
//!   [`autocorrelation`] refuses lists for which `q` would pass 29, where 32 bits
//!   would leave no room for one stage between two reductions.
//!
//! The other exact ways stay as doors of each kernel: after `k` stages back
//! every value is a multiple of `2^k`, so that halving in each butterfly
//! ([`WalshKernel::halving32`], [`WalshKernel::halving64`]) loses nothing.
//!
//! Every run checks itself: the zero cell must be `L + R` and every other
//! cell even before they are halved.

mod bitmap;
mod blocked;
mod checked;
mod modulus;
mod quotients;
mod skew;
mod slices;
mod squares;
mod steps;

mod oracle;
mod scalar;
mod wide;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(test)]
mod edges;
#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::tier::Kernel;
pub use bitmap::Bitmap;
pub use checked::{forward16, forward32, forward64, halving32, halving64};
pub use modulus::Modulus;
pub use slices::Sum;

/// A way to transform.
///
/// Cells are a power of two in number, one included. Transforms are in place,
/// unnormalised, in the natural order, and use the current rayon pool when
/// they are large.
///
/// These methods are for callers that have proved their bounds: no cell is looked at
/// before, and a sum beyond the width wraps. [`forward16`], [`forward32`],
/// [`forward64`], [`halving32`] and [`halving64`] are the same behind doors that refuse.
pub trait WalshKernel: Sync {
    /// The transform modulo 2^16; exact if the cells' sizes sum to at most 32,767.
    fn forward16(&self, cells: &mut [i16]);

    /// The transform modulo 2^32; exact if the cells' sizes sum to less than 2^31.
    fn forward32(&self, cells: &mut [i32]);

    /// The transform modulo 2^64; exact if the cells' sizes sum to less than 2^63.
    fn forward64(&self, cells: &mut [i64]);

    /// The transform divided by the number of cells, every stage halving.
    ///
    /// Exact if the cells are the transform of integers, as the squares of a transform
    /// are too: then all sums are even. Any such 32-bit cells will do: means do not carry.
    fn halving32(&self, cells: &mut [i32]);

    /// As [`Self::halving32`], at 64 bits.
    fn halving64(&self, cells: &mut [i64]);

    /// Overwrites each cell with the number of unordered pairs of members of the
    /// same set that differ by its index; the zero cell with 0.
    fn autocorrelation(&self, movers: &Bitmap, cells: &mut [u32]);

    /// Adds to each sum, modulo `modulus`, the squares of `2^a` slices of a transform, the
    /// sign of slice `u` being −1 to the number of bits in `u & sum.slice`, and turned
    /// round if `sum.negative`. The modulus is above the size of every value, the sums' cells
    /// are as many as a slice's, and what they hold are residues as this leaves them; see
    /// [`Sum`].
    fn accumulate(&self, transform: &[i32], sums: &mut [Sum<'_>], modulus: Modulus) {
        slices::accumulate_one_by_one(transform, sums, modulus);
    }

    /// The transform modulo `modulus` of residues as [`Self::accumulate`] leaves them.
    fn back(&self, residues: &mut [i32], modulus: Modulus) {
        scalar::transform(residues, |a, b| (modulus.fold(a + b), modulus.fold(a - b)));
    }

    /// The stages of [`Self::back`] between rows of `row` cells, a power of two: those that
    /// are left when every row has been through it.
    fn back_between(&self, residues: &mut [i32], row: usize, modulus: Modulus) {
        scalar::transform_from(row, residues, |a, b| (modulus.fold(a + b), modulus.fold(a - b)));
    }

    /// Divides residues by `2^halvings` and then halves; the lowest bit of the result is 1
    /// if some quotient was odd.
    fn quotients(&self, residues: &mut [u32], modulus: Modulus, halvings: u32) -> u32 {
        quotients::quotients(residues, modulus, halvings)
    }
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn WalshKernel>] = &[
    oracle::KERNEL,
    scalar::KERNEL,
    wide::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];

/// How the vector kernels part the stages of an autocorrelation of `2^log_cells` cells:
/// along its rows and across them, if positions are as sparse as those of known boards.
pub fn stages(log_cells: u32) -> [u32; 2] {
    let along = blocked::row_stages(log_cells, log_cells <= 20);
    [along, log_cells - along]
}

/// The largest number of positions of two movers that [`autocorrelation`] counts: 2^29 − 2.
pub const MOST_POSITIONS: u64 = modulus::Modulus::LARGEST;

/// Overwrites `cells[D]` with the exact number of unordered pairs of positions of the
/// same mover with `x ^ y = D` in the low bits, for each `D ≠ 0`; `cells[0]` with 0.
///
/// Cells are a power of two in number: `2^n` hold every set of `n` squares, and
/// `2^(n−1)` hold every *even* set, the highest square being dropped because its
/// parity restores it. The order of the positions does not matter. Needs no
/// memory beyond the cells but a bit for each cell and mover.
///
/// ```
/// use zobrist_lab::walsh;
/// let kernel = walsh::KERNELS[0].get().expect("the oracle runs everywhere");
/// let mut cells = [7; 8];
/// walsh::autocorrelation(kernel, &[&[0b000, 0b011, 0b101], &[0b110]], &mut cells)?;
/// assert_eq!(cells, [0, 0, 0, 1, 0, 1, 1, 0]);
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
///
/// # Errors
/// Cells that are no power of two in number, two positions of one mover in one
/// cell, or more than [`MOST_POSITIONS`] positions of a pair of movers.
pub fn autocorrelation(
    kernel: &dyn WalshKernel,
    movers: &[&[u64]],
    cells: &mut [u32],
) -> Result<(), Error> {
    if !cells.len().is_power_of_two() {
        let problem = format!("{} is no power of two", cells.len());
        return Err(Error::argument("cells", problem));
    }
    let (pairs, last) = movers.as_chunks::<2>();
    let last = last.iter().map(|&list| [list, &[]]);
    let mut pairs = pairs.iter().copied().chain(last);
    let first = pairs.next().unwrap_or_default();
    kernel.autocorrelation(&Bitmap::new(first, cells.len())?, cells);
    for pair in pairs {
        let mut more = vec![0; cells.len()];
        kernel.autocorrelation(&Bitmap::new(pair, cells.len())?, &mut more);
        for (cell, more) in cells.iter_mut().zip(more) {
            let problem = || Error::argument("positions", "a count passes 32 bits");
            *cell = cell.checked_add(more).ok_or_else(problem)?;
        }
    }
    Ok(())
}
