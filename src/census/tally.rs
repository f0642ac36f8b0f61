//! Sum, maximum and zeros of the cells, by the number of bits of the cell's number.
//!
//! Sixteen cells are a row. Within a block of rows, those whose row number has
//! the same number of bits are visited together, so a row is one vector added
//! to one running vector, with nothing to look up:
//!
//! ```text
//! rows of a block     0 | 1 2 4 8 … | 3 5 6 9 … | 7 11 13 …
//! bits of the row     0 | 1         | 2         | 3
//! lane 0 … 15         adds its own 0 1 1 2 1 2 2 3 1 2 2 3 2 3 3 4
//! ```
//!
//! The kernels are one loop compiled for three tiers: the compiler vectorises
//! it, and hand-written vectors were not faster.

use rayon::prelude::*;

use crate::tier::{self, Kernel, Tier};

/// Cells of a row: one 512-bit vector of counts.
const LANES: usize = 16;

/// Rows of a block, a power of two; a block's cells (128 KiB) stay in L2.
const ROWS: usize = 2048;

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

/// A way to tally the rows of a block.
pub trait TallyKernel: Sync {
    /// Tallies, lane by lane, the rows of `rows` that `visit` names.
    fn rows(&self, rows: &[[u32; LANES]], visit: &[u16]) -> [Tally; LANES];
}

/// Every kernel, the slowest first.
pub static KERNELS: &[Kernel<dyn TallyKernel>] = &[
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar),
    #[cfg(target_arch = "x86_64")]
    Kernel::new("avx2", Tier::Avx2, &["avx2"], &Avx2),
    #[cfg(target_arch = "x86_64")]
    Kernel::new("avx512", Tier::Avx512, &["avx512f"], &Avx512),
];

struct Scalar;

impl TallyKernel for Scalar {
    fn rows(&self, rows: &[[u32; LANES]], visit: &[u16]) -> [Tally; LANES] {
        visit_rows(rows, visit)
    }
}

#[cfg(target_arch = "x86_64")]
struct Avx2;

#[cfg(target_arch = "x86_64")]
impl TallyKernel for Avx2 {
    fn rows(&self, rows: &[[u32; LANES]], visit: &[u16]) -> [Tally; LANES] {
        #[target_feature(enable = "avx2")]
        fn compiled(rows: &[[u32; LANES]], visit: &[u16]) -> [Tally; LANES] {
            visit_rows(rows, visit)
        }
        #[expect(unsafe_code, reason = "the call needs the CPU's consent")]
        // SAFETY: an `Avx2` is reachable only through `Kernel::get`, which asked for avx2.
        unsafe {
            compiled(rows, visit)
        }
    }
}

#[cfg(target_arch = "x86_64")]
struct Avx512;

#[cfg(target_arch = "x86_64")]
impl TallyKernel for Avx512 {
    fn rows(&self, rows: &[[u32; LANES]], visit: &[u16]) -> [Tally; LANES] {
        #[target_feature(enable = "avx512f")]
        fn compiled(rows: &[[u32; LANES]], visit: &[u16]) -> [Tally; LANES] {
            visit_rows(rows, visit)
        }
        #[expect(unsafe_code, reason = "the call needs the CPU's consent")]
        // SAFETY: an `Avx512` is reachable only through `Kernel::get`, which asked for avx512f.
        unsafe {
            compiled(rows, visit)
        }
    }
}

#[inline(always)]
fn visit_rows(rows: &[[u32; LANES]], visit: &[u16]) -> [Tally; LANES] {
    let (mut sums, mut maxima, mut zeros) = ([0u64; LANES], [0u32; LANES], [0u32; LANES]);
    for &row in visit {
        let row = &rows[usize::from(row)];
        for lane in 0..LANES {
            sums[lane] += u64::from(row[lane]);
            maxima[lane] = maxima[lane].max(row[lane]);
            zeros[lane] += u32::from(row[lane] == 0);
        }
    }
    std::array::from_fn(|lane| Tally {
        cells: visit.len() as u64,
        sum: sums[lane],
        max: maxima[lane],
        zeros: u64::from(zeros[lane]),
    })
}

/// Tallies all cells: element `b` is for the cells whose number has `b` bits.
/// The number of cells is a power of two. Blocks go to the current pool.
pub(super) fn by_bits(cells: &[u32]) -> Vec<Tally> {
    let (_, kernel) = tier::pick(KERNELS, None, Tier::best()).expect("a kernel is always there");
    by_bits_with(kernel, cells)
}

fn by_bits_with(kernel: &dyn TallyKernel, cells: &[u32]) -> Vec<Tally> {
    let (rows, rest) = cells.as_chunks::<LANES>();
    if rows.is_empty() {
        return one_by_one(rest);
    }
    let classes = cells.len().ilog2() as usize + 1;
    let order = rows_by_bits(rows.len().min(ROWS));
    let blocks = rows.par_chunks(ROWS).enumerate().with_min_len(8);
    let tallies = blocks.fold(
        || vec![Tally::default(); classes],
        |mut tallies, (block, rows)| {
            let high_bits = block.count_ones() as usize;
            for (row_bits, visit) in order.iter().enumerate() {
                for (lane, tally) in kernel.rows(rows, visit).into_iter().enumerate() {
                    tallies[high_bits + row_bits + lane.count_ones() as usize].add(tally);
                }
            }
            tallies
        },
    );
    tallies.reduce(
        || vec![Tally::default(); classes],
        |mut sum, part| {
            sum.iter_mut().zip(part).for_each(|(sum, part)| sum.add(part));
            sum
        },
    )
}

/// Row numbers below `rows`, by their number of bits.
fn rows_by_bits(rows: usize) -> Vec<Vec<u16>> {
    let mut order = vec![Vec::new(); rows.ilog2() as usize + 1];
    for row in 0..rows {
        order[row.count_ones() as usize].push(row as u16);
    }
    order
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
                let got = by_bits_with(kernel.get().unwrap(), &cells);
                assert_eq!(got, one_by_one(&cells), "tally/{} at 2^{log}", kernel.name);
            }
        }
    }
}
