//! Counting pairs by brute force: one added to the cell of `x ^ y` for every
//! unordered pair of positions.
//!
//! ```text
//! positions {000, 011, 101}   pairs 000^011 = 011   cells[011] += 1
//!                                   000^101 = 101   cells[101] += 1
//!                                   011^101 = 110   cells[110] += 1
//! ```
//!
//! Cells are a power of two in number and a difference goes to the cell of its
//! low bits: `2^n` cells hold every set of `n` squares, and `2^(n-1)` hold every
//! *even* set, the highest square being dropped because its parity restores it.
//!
//! # Pairs by the thousand
//!
//! A scatter pays one increment a pair, and no vector instruction helps it:
//! the cells of neighbouring pairs lie anywhere. The fast kernels never look at
//! a pair. They cut the positions into *blocks* (`blocks.rs`) by their high bits, each block
//! a *row*: a bitmap of its low bits. For two blocks `h` and `h ^ d` and one
//! member `x` of the smaller, the row of the larger with its bits permuted by
//! `i -> i ^ x` (its *translate* by `x`) has a bit at every difference that `x`
//! makes with a member of the larger:
//!
//! ```text
//! larger block   bit  7 6 5 4 3 2 1 0       {1, 2, 6}
//!                     . # . . . # # .
//! translate by 3      . . # . . . # #       {1^3, 2^3, 6^3} = {2, 1, 5}, drawn:
//!                     . . # . . # # .
//! ```
//!
//! So one translate, added bit by bit to counters, counts as many pairs as the
//! larger block has members. The counters are bit-sliced: plane `k` holds bit
//! `k` of the count of every low value, and a full adder (two instructions on
//! AVX-512, five without) takes three rows of one weight to one of that weight
//! and a carry of twice it. Four translates at a time leave a row of weight
//! four; sixteen of those are added at once; the planes become numbers only
//! when a `d` is done:
//!
//! ```text
//! translate ─┐
//! translate ─┼ add ─ add ─► ones
//! translate ─┤   └────┴─ add ─► twos
//! translate ─┘             └──► weight 4, sixteen of them ─ add ─► planes 2, 3, 4, 5 …
//! ```
//!
//! The translates of all pairs of blocks number the sum of the smaller sizes:
//! 3,022,093 rows of 1,024 bits for the 24,663 positions of Left on 4x5, against
//! 304,119,453 pairs. Blocks go in ascending order of size, so that the number
//! of translates hardly changes from one pair to the next and the branch
//! predictor is not surprised.
//!
//! What lost, on 4x5 by the AVX-512 kernel:
//!
//! - Preparing the blocks once for each thread's part of the cells, instead of
//!   once for all: two threads were 1.46 times as fast as one.
//! - Translating either block instead of the larger one: 12.6 million rows of
//!   512 bits for Left where the smaller sizes sum to 5.8 million.
//! - Tables of nine matrices instead of sixteen: keeping the index in bounds by
//!   a remainder instead of a mask took 13.6 ms instead of 10.6 ms.
//! - The planes in memory, one set a `d`, all partners of one larger block in
//!   turn (the design of `wide`, which has no shuffle to make a translate with):
//!   by an estimate from the number of loads and stores, and not measured, adding
//!   a sum to them would cost more than making it.

mod blocks;
mod oracle;
mod scalar;
mod wide;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(test)]
mod tests;

use rayon::prelude::*;

use crate::tier::Kernel;

/// A way to count pairs by the set they differ on.
///
/// Every count must fit its cell: a kernel that would take one past `u32::MAX`
/// panics instead. Distinct positions cannot do so in cells that start at
/// zero (a set is the difference of at most half as many pairs as there are
/// positions); repeated positions or cells that start high can.
pub trait PairKernel: Sync {
    /// Sorts and tabulates what is needed to count the pairs of `reduced`, once for
    /// all chunks of `length` cells (a power of two) into which the cells are cut.
    fn prepare(&self, reduced: Vec<u32>, length: usize) -> Box<dyn Prepared>;

    /// Adds, for every unordered pair of `positions`, one to the cell of its
    /// difference: `cells[(x ^ y) & (cells.len() - 1)]`.
    ///
    /// # Panics
    /// If the number of cells is no power of two or is above 2^32, or if a
    /// count would pass `u32::MAX`.
    fn differences(&self, positions: &[u64], cells: &mut [u32]) {
        self.prepare(reduced(positions, cells.len()), cells.len()).add(0, cells);
    }
}

/// Positions that a kernel has prepared, for one chunk of the cells after another or
/// for many at a time.
pub trait Prepared: Sync {
    /// Adds, for every unordered pair, one to the cell of its difference's low
    /// bits if the bits above them are `chunk`:
    /// `(x ^ y) / cells.len() == chunk`, `cells[(x ^ y) % cells.len()]`.
    /// The chunks of a larger array are independent of each other, which is
    /// what [`differences_parallel`] rests on.
    fn add(&self, chunk: u32, cells: &mut [u32]);
}

/// [`PairKernel::differences`] on the threads of the current rayon pool, each
/// with its own part of the cells.
///
/// # Panics
/// As [`PairKernel::differences`] does.
pub fn differences_parallel(kernel: &dyn PairKernel, positions: &[u64], cells: &mut [u32]) {
    let reduced = reduced(positions, cells.len());
    // Chunks are not quite equal in work: eight a thread, so that they even out.
    let chunks = (8 * rayon::current_num_threads()).next_power_of_two();
    let length = (cells.len() / chunks).max(SMALLEST_CHUNK).min(cells.len());
    let prepared = kernel.prepare(reduced, length);
    cells
        .par_chunks_mut(length)
        .enumerate()
        .for_each(|(chunk, cells)| prepared.add(chunk as u32, cells));
}

/// No chunk for another thread is smaller than this: it would be all handing over.
const SMALLEST_CHUNK: usize = 1 << 12;

/// The low bits of each position, those that choose its cell.
fn reduced(positions: &[u64], cells: usize) -> Vec<u32> {
    assert!(cells.is_power_of_two(), "{cells} cells are no power of two");
    assert!(cells as u64 <= 1 << 32, "{cells} cells are more than 2^32");
    positions.iter().map(|position| (position & (cells as u64 - 1)) as u32).collect()
}

/// `cell + count`, which must not wrap.
fn raised(cell: u32, count: u32) -> u32 {
    cell.checked_add(count).expect("a count passed u32::MAX")
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn PairKernel>] = &[
    oracle::KERNEL,
    scalar::KERNEL,
    wide::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];
