//! The transforms behind doors that refuse what a width cannot hold.
//!
//! A transform's values are signed sums of its cells, on the way too, so that
//! none is larger than the sum of the cells' sizes, which one of them may reach:
//!
//! ```text
//! 16 bits   sizes sum to 32,767   exact, whatever the signs
//!           sizes sum to 32,768   refused, the cells left as they were
//! ```
//!
//! The inverse needs no such bound, since means do not carry, but its cells must be
//! the transform of integers.

use bytemuck::Pod;

use super::WalshKernel;
use crate::error::Error;

/// [`WalshKernel::forward16`], exact or refused.
///
/// ```
/// use zobrist_lab::walsh;
/// let kernel = walsh::KERNELS[0].get().expect("the oracle runs everywhere");
/// let mut cells = [32_766, 1];
/// walsh::forward16(kernel, &mut cells)?;
/// assert_eq!(cells, [32_767, 32_765]);
/// assert!(walsh::forward16(kernel, &mut [32_766, 2]).is_err());
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
///
/// # Errors
/// Cells that are no power of two in number, or whose sizes sum to more than
/// `i16::MAX`. They are left as they were.
pub fn forward16(kernel: &dyn WalshKernel, cells: &mut [i16]) -> Result<(), Error> {
    check(cells.len(), cells.iter().map(|cell| u128::from(cell.unsigned_abs())), i16::BITS)?;
    kernel.forward16(cells);
    Ok(())
}

/// [`WalshKernel::forward32`], exact or refused.
///
/// # Errors
/// As [`forward16`], for `i32::MAX`.
pub fn forward32(kernel: &dyn WalshKernel, cells: &mut [i32]) -> Result<(), Error> {
    check(cells.len(), cells.iter().map(|cell| u128::from(cell.unsigned_abs())), i32::BITS)?;
    kernel.forward32(cells);
    Ok(())
}

/// [`WalshKernel::forward64`], exact or refused.
///
/// # Errors
/// As [`forward16`], for `i64::MAX`.
pub fn forward64(kernel: &dyn WalshKernel, cells: &mut [i64]) -> Result<(), Error> {
    check(cells.len(), cells.iter().map(|cell| u128::from(cell.unsigned_abs())), i64::BITS)?;
    kernel.forward64(cells);
    Ok(())
}

/// [`WalshKernel::halving32`], exact or refused. It needs a copy of the cells and
/// another transform to know: a kernel's own method is for those who know already.
///
/// ```
/// use zobrist_lab::walsh;
/// let kernel = walsh::KERNELS[0].get().expect("the oracle runs everywhere");
/// let mut cells = [32_767, 32_765];
/// walsh::halving32(kernel, &mut cells)?;
/// assert_eq!(cells, [32_766, 1]);
/// assert!(walsh::halving32(kernel, &mut [32_767, 32_766]).is_err());
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
///
/// # Errors
/// Cells that are no power of two in number, or not the transform of integers.
/// They are left as they were.
pub fn halving32(kernel: &dyn WalshKernel, cells: &mut [i32]) -> Result<(), Error> {
    let low = |cell: i32| u64::from(cell.cast_unsigned());
    check_multiples(cells, i32::BITS, |copy| kernel.forward32(copy), low)?;
    kernel.halving32(cells);
    Ok(())
}

/// [`WalshKernel::halving64`], exact or refused.
///
/// # Errors
/// As [`halving32`].
pub fn halving64(kernel: &dyn WalshKernel, cells: &mut [i64]) -> Result<(), Error> {
    let low = |cell: i64| cell.cast_unsigned();
    check_multiples(cells, i64::BITS, |copy| kernel.forward64(copy), low)?;
    kernel.halving64(cells);
    Ok(())
}

fn check_number(cells: usize) -> Result<(), Error> {
    if cells.is_power_of_two() {
        return Ok(());
    }
    Err(Error::argument("cells", format!("{cells} is no power of two")))
}

/// Refuses sizes that sum to more than the largest integer of so many bits.
fn check(cells: usize, sizes: impl Iterator<Item = u128>, bits: u32) -> Result<(), Error> {
    check_number(cells)?;
    let (sum, most) = (sizes.sum::<u128>(), (1 << (bits - 1)) - 1);
    if sum <= most {
        return Ok(());
    }
    let problem = format!("sizes sum to {sum}: a transform at {bits} bits is exact up to {most}");
    Err(Error::argument("cells", problem))
}

/// Refuses cells whose transform is not a multiple of their number `2^m` throughout. The
/// transform is taken modulo `2^bits`, which tells if there are at most `2^bits` cells.
fn check_multiples<T: Pod>(
    cells: &[T],
    bits: u32,
    forward: impl Fn(&mut [T]),
    low: impl Fn(T) -> u64,
) -> Result<(), Error> {
    check_number(cells.len())?;
    assert!(cells.len().ilog2() <= bits, "{} cells of {bits} bits are too many", cells.len());
    let mut copy = cells.to_vec();
    forward(&mut copy);
    let number = cells.len() as u64;
    if copy.into_iter().all(|cell| low(cell).is_multiple_of(number)) {
        return Ok(());
    }
    let problem = format!("not the transform of {number} integers: a halving would lose a half");
    Err(Error::argument("cells", problem))
}
