//! Sum, maximum and zeros of the cells, by the number of bits of the cell's number.
//!
//! Sixteen cells are a row, one 512-bit vector. A lane's number and its row's
//! number have a fixed number of bits each, so a row is added, lane by lane, to
//! the running tally of all rows whose number has as many bits, and the lanes
//! of a running tally are told apart only at the end:
//!
//! ```text
//! row     0 1 2 3 4 5 6 7 …       lane 0 1 2 3 4 5 6 7 …
//! bits    0 1 1 2 1 2 2 3         bits 0 1 1 2 1 2 2 3
//! adds to tally 0, 1, 1, 2, …
//! ```
//!
//! Visiting the rows in order of their bits, so that the running tally stays in
//! registers, was slower (0.17 ms against 0.04 ms at 2^19 cells): the cells come
//! from beyond L2 and only an ascending walk is prefetched. One loop left to the
//! compiler was slower still: it does not vectorise the three sums together.

mod scalar;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use rayon::prelude::*;

use crate::tier::Kernel;

/// Cells of a row: one 512-bit vector of counts.
const LANES: usize = 16;

/// Rows that one task takes: half a mebibyte of cells.
const ROWS: usize = 1 << 13;

/// What is known of some cells together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// How many they are.
    pub cells: u64,
    /// Their sum.
    pub sum: u64,
    /// The largest.
    pub max: u32,
    /// How many are zero.
    pub zeros: u64,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.cells += other.cells;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
        self.zeros += other.zeros;
    }
}

/// The running tally of rows whose number has the same number of bits.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub struct Lanes {
    sums: [u64; LANES],
    maxima: [u32; LANES],
    zeros: [u32; LANES],
}

impl Lanes {
    /// What one lane holds; how many cells went into it is counted elsewhere.
    fn lane(&self, lane: usize) -> Tally {
        let [max, zeros] = [self.maxima[lane], self.zeros[lane]];
        Tally { cells: 0, sum: self.sums[lane], max, zeros: zeros.into() }
    }
}

/// A way to tally rows.
pub trait TallyKernel: Sync {
    /// Adds row `r` of `rows` to the running tally of `r`'s number of bits.
    fn rows(&self, rows: &[[u32; LANES]], running: &mut [Lanes]);
}

/// Every kernel, the slowest first.
pub static KERNELS: &[Kernel<dyn TallyKernel>] = &[
    scalar::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];

/// Tallies all cells: element `b` is for the cells whose number has `b` bits.
/// Blocks go to the current pool.
///
/// # Panics
/// If the number of cells is not a power of two.
pub fn by_bits(kernel: &dyn TallyKernel, cells: &[u32]) -> Vec<Tally> {
    assert!(cells.len().is_power_of_two(), "{} cells are no power of two", cells.len());
    let (rows, rest) = cells.as_chunks::<LANES>();
    if rows.is_empty() {
        return one_by_one(rest);
    }
    let classes = cells.len().ilog2() as usize + 1;
    // Handing work to the pool costs more than a few tasks take.
    let tasks = rows.par_chunks(ROWS).enumerate().with_min_len(8);
    let tallies = tasks.map(|(task, rows)| {
        let mut running = vec![Lanes::default(); rows.len().ilog2() as usize + 1];
        kernel.rows(rows, &mut running);
        let mut tallies = vec![Tally::default(); classes];
        for (row_bits, lanes) in running.iter().enumerate() {
            for lane in 0..LANES {
                let bits = task.count_ones() as usize + row_bits + lane.count_ones() as usize;
                tallies[bits].add(lanes.lane(lane));
            }
        }
        tallies
    });
    let mut tallies = tallies.reduce(
        || vec![Tally::default(); classes],
        |mut sum, part| {
            sum.iter_mut().zip(part).for_each(|(sum, part)| sum.add(part));
            sum
        },
    );
    // Of the numbers below 2^n, n over b have b bits.
    let mut numbers = 1;
    for (bits, tally) in tallies.iter_mut().enumerate() {
        tally.cells = numbers;
        numbers = numbers * (classes - 1 - bits) as u64 / (bits as u64 + 1);
    }
    tallies
}

/// The definition, for fewer cells than a row and for the tests.
fn one_by_one(cells: &[u32]) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); cells.len().ilog2() as usize + 1];
    for (cell, &count) in cells.iter().enumerate() {
        let one = Tally { cells: 1, sum: count.into(), max: count, zeros: u64::from(count == 0) };
        tallies[cell.count_ones() as usize].add(one);
    }
    tallies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tier;

    #[test]
    fn every_kernel_tallies_as_the_definition() {
        for kernel in tier::available(KERNELS) {
            println!("tally/{}", kernel.name);
            for log in 0..18 {
                // A full-period multiplicative walk, with zeros and huge counts among it.
                let value = |cell: u32| match cell.wrapping_mul(2_654_435_761) >> 28 {
                    0..4 => 0,
                    4 => u32::MAX - cell,
                    _ => cell.wrapping_mul(40_503) >> 9,
                };
                let cells: Vec<u32> = (0..1 << log).map(value).collect();
                let got = by_bits(kernel.get().unwrap(), &cells);
                assert_eq!(got, one_by_one(&cells), "tally/{} at 2^{log}", kernel.name);
            }
        }
    }
}
