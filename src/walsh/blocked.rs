//! The blocked transform through memory, for every vector kernel.
//!
//! The cells are a matrix, the low bits of the index along its rows. One pass
//! makes the stages within each row, which stays in the cache meanwhile; a
//! second makes the stages between rows, a narrow strip of all rows at a time:
//!
//! ```text
//! along           across
//! ████████ ┐      █······· █
//! ········ │ row  █······· █  a strip's scratch,
//! ········ │ by   █······· █  in which rows are neighbours
//! ········ ┘ row  █······· █
//! ```
//!
//! So cells beyond the cache are read and written twice, whatever their number.
//! The autocorrelation needs three passes for both movers together, and no
//! memory but the result's:
//!
//! ```text
//! along    bitmap → table → stages in 16 bits → cells, as (i16 Left, i16 Right)
//! across   strip → the other stages → squares added → the same stages back → cells
//! along    cells → the remaining stages back → divided by 2^m, halved
//! ```
//!
//! Between its passes the order of the cells is its own, and rows are kept [skewed](Skew).
//!
//! Rows and panels of strips are what threads take.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::bitmap::{ANY_SET, Bitmap, WORD_CELLS};
use super::modulus::Modulus;
use super::skew::{RowSkew, STRIP_CELLS, Skew};
use super::slices::{self, Sum};
use super::{WalshKernel, scalar};

/// What is done to both results of a butterfly at 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arithmetic {
    /// Nothing.
    Plain,
    /// Halved, without carry.
    Halving,
    /// Kept modulo `2^q − 1`.
    Modulo(Modulus),
}

/// Work inside the cache.
///
/// A row is a power of two of at least [`MIN_CELLS`] cells; the rows of a panel are a
/// power of two in number, and whole strips of [`super::steps::STRIP_BYTES`] long.
pub(super) enum Work<'a, 'b> {
    /// All stages along a row.
    Along16(&'a mut [i16]),
    /// All stages along a row.
    Along32(&'a mut [i32], Arithmetic),
    /// All stages along a row, halving or not.
    Along64(&'a mut [i64], bool),
    /// All stages between rows.
    Across16(&'a mut [&'b mut [i16]]),
    /// All stages between rows.
    Across32(&'a mut [&'b mut [i32]], Arithmetic),
    /// All stages between rows, halving or not.
    Across64(&'a mut [&'b mut [i64]], bool),
    /// From the bits of cells of two movers, at most 32,767 bits of each, to pairs of 16
    /// bits, all stages along the row made, and skewed.
    Expand { words: &'a [u32], pairs: &'a mut [u32], skew: RowSkew },
    /// From pairs of 16 bits to the sums of their squares, the stages between
    /// rows made before, in 16 bits, and after, modulo a roomy modulus.
    SquaresNarrow(&'a mut [&'b mut [u32]], Modulus),
    /// The same of skewed rows, modulo any modulus; 16 bits hold the stages between `exact` rows,
    /// 32 bits the others.
    SquaresWide { panel: &'a mut [&'b mut [u32]], modulus: Modulus, skew: Skew, exact: usize },
    /// The squares of cells as folded residues.
    Squares(&'a [i32], &'a mut [i32], Modulus),
    /// Adds residues to residues, or subtracts them, and folds.
    Add { cells: &'a mut [i32], more: &'a [i32], negative: bool, modulus: Modulus },
    /// Divides by `2^halvings` and halves; sets the low bit of `odd` if some
    /// quotient was odd.
    Quotients { row: &'a mut [u32], modulus: Modulus, halvings: u32, odd: &'a mut u32 },
    /// The same of a skewed row, after all stages along it modulo the modulus.
    Counts { row: &'a mut [u32], skew: RowSkew, modulus: Modulus, halvings: u32, odd: &'a mut u32 },
}

/// Does such work in one kernel's instructions.
pub(super) trait Engine: Sync {
    /// Does it.
    fn run(&self, work: Work<'_, '_>);
}

/// Cells below which the baseline does the work: some vectors of the widest kernel.
const MIN_CELLS: usize = 512;

/// Cells below which threads would cost more than they bring.
const PARALLEL_CELLS: usize = 1 << 18;

/// Bytes of a row of a plain transform whose cells pass the second-level cache: so long
/// that a strip of all rows stays in it too (2^29 cells of 32 bits took 0.71 s in rows of
/// half the length, whose strips of 2^14 lines did not, and 0.58 in these).
const ROW_BYTES: usize = 1 << 18;

/// Bytes of cells that are one row: strips would only copy what is near already
/// (2^19 cells of 16 bits took 0.19 ms in rows and strips, 0.10 in one row).
const ONE_ROW_BYTES: usize = 1 << 20;

/// Rows of an autocorrelation whose rows fit the second-level cache: so few that the
/// widest kernel holds one vector of each at a time (2^19 cells took 0.49 ms in 128 rows
/// and strips, 0.41 in 16 rows).
const FEW_ROWS: usize = 16;

/// Cells of such a row at the most.
const FEW_ROWS_CELLS: usize = 1 << 16;

/// Cells, as a power of two, of the longest row of the 32-bit road: the longer, the fewer lines
/// a strip of all rows has, and the fewer stages need 32 bits for each mover. On two threads
/// 4x7 took 0.17, 0.16, 0.15, 0.13 s in rows of 2^14, 2^15, 2^16, 2^17 cells.
const LOG_LONGEST_ROW: u32 = 17;

/// Stages across the rows of the 32-bit road, if rows can be so long: what the widest kernel
/// makes on the way from the rows and around the squares.
const ACROSS: u32 = 7;

/// Stages beyond a row for which it is asked whether 16 bits hold them: those on the way from
/// the rows.
const MORE_EXACT: u32 = 4;

/// The largest `N` of the 16-bit road.
const NARROW: u64 = i16::MAX as u64;

impl<E: Engine> WalshKernel for E {
    fn forward16(&self, cells: &mut [i16]) {
        if cells.len() < MIN_CELLS {
            return scalar::Scalar.forward16(cells);
        }
        transform(
            cells,
            |row| self.run(Work::Along16(row)),
            |panel| self.run(Work::Across16(panel)),
        );
    }

    fn forward32(&self, cells: &mut [i32]) {
        if cells.len() < MIN_CELLS {
            return scalar::Scalar.forward32(cells);
        }
        let plain = Arithmetic::Plain;
        transform(
            cells,
            |row| self.run(Work::Along32(row, plain)),
            |panel| self.run(Work::Across32(panel, plain)),
        );
    }

    fn forward64(&self, cells: &mut [i64]) {
        if cells.len() < MIN_CELLS {
            return scalar::Scalar.forward64(cells);
        }
        transform(
            cells,
            |row| self.run(Work::Along64(row, false)),
            |panel| self.run(Work::Across64(panel, false)),
        );
    }

    fn halving32(&self, cells: &mut [i32]) {
        if cells.len() < MIN_CELLS {
            return scalar::Scalar.halving32(cells);
        }
        let halve = Arithmetic::Halving;
        transform(
            cells,
            |row| self.run(Work::Along32(row, halve)),
            |panel| self.run(Work::Across32(panel, halve)),
        );
    }

    fn halving64(&self, cells: &mut [i64]) {
        if cells.len() < MIN_CELLS {
            return scalar::Scalar.halving64(cells);
        }
        transform(
            cells,
            |row| self.run(Work::Along64(row, true)),
            |panel| self.run(Work::Across64(panel, true)),
        );
    }

    fn autocorrelation(&self, movers: &Bitmap, cells: &mut [u32]) {
        if cells.len() < MIN_CELLS {
            return scalar::Scalar.autocorrelation(movers, cells);
        }
        let modulus = Modulus::above(movers.counts().iter().sum());
        let modulus = modulus.expect("a bitmap has no more positions than can be counted");
        autocorrelation(self, movers, cells, modulus);
    }

    fn accumulate(&self, transform: &[i32], sums: &mut [Sum<'_>], modulus: Modulus) {
        slices::accumulate(self, transform, sums, modulus);
    }

    fn back(&self, residues: &mut [i32], modulus: Modulus) {
        if residues.len() < MIN_CELLS {
            return scalar::Scalar.back(residues, modulus);
        }
        let arithmetic = Arithmetic::Modulo(modulus);
        transform(
            residues,
            |row| self.run(Work::Along32(row, arithmetic)),
            |panel| self.run(Work::Across32(panel, arithmetic)),
        );
    }

    fn back_between(&self, residues: &mut [i32], row: usize, modulus: Modulus) {
        assert!(row.is_power_of_two() && residues.len().is_multiple_of(row), "rows of {row}");
        if row * size_of::<i32>() < super::steps::STRIP_BYTES || row == residues.len() {
            return scalar::Scalar.back_between(residues, row, modulus);
        }
        let arithmetic = Arithmetic::Modulo(modulus);
        panels(residues, row, |panel| self.run(Work::Across32(panel, arithmetic)));
    }

    fn quotients(&self, residues: &mut [u32], modulus: Modulus, halvings: u32) -> u32 {
        let odd = AtomicU32::new(0);
        let row = residues.len().min(ROW_BYTES / 4);
        rows(residues, row, |_, row| {
            let mut met = 0;
            self.run(Work::Quotients { row, modulus, halvings, odd: &mut met });
            odd.fetch_or(met, Ordering::Relaxed);
        });
        odd.into_inner()
    }
}

/// The autocorrelation modulo any modulus that is large enough.
pub(super) fn autocorrelation(
    engine: &dyn Engine,
    movers: &Bitmap,
    cells: &mut [u32],
    modulus: Modulus,
) {
    let stages = cells.len().ilog2();
    let total: u64 = movers.counts().iter().sum();
    assert!(total < modulus.value() as u64, "{total} positions modulo {}", modulus.value());
    let narrow = modulus.roomy() && movers.counts().iter().all(|&count| count <= NARROW);
    let longest = row_stages(stages, narrow);
    // The stages after those along the rows begin in 16 bits too, where they hold them.
    let exact = if narrow { stages } else { movers.exact_stages(stages.min(longest + MORE_EXACT)) };
    let row = 1 << exact.min(longest);
    let skew = match narrow {
        true => Skew::NONE,
        false => Skew::within(row / STRIP_CELLS / panel_count(cells, row)),
    };
    rows(cells, row, |index, pairs| {
        let words = row / WORD_CELLS;
        let words = &movers.words()[index * words..][..words];
        engine.run(Work::Expand { words, pairs, skew: skew.row(index) });
    });
    panels(cells, row, |panel| {
        engine.run(match narrow {
            true => Work::SquaresNarrow(panel, modulus),
            false => Work::SquaresWide { panel, modulus, skew, exact: (1 << exact) / row },
        });
    });
    rows(cells, row, |index, row| {
        let (skew, halvings) = (skew.row(index), stages);
        let mut odd = 0;
        if index > 0 {
            engine.run(Work::Counts { row, skew, modulus, halvings, odd: &mut odd });
        } else {
            let residues = bytemuck::must_cast_slice_mut(row);
            engine.run(Work::Along32(residues, Arithmetic::Modulo(modulus)));
            movers.check_zero_cell(modulus.quotient(residues[0], stages).into());
            residues[0] = 0;
            engine.run(Work::Quotients { row, modulus, halvings, odd: &mut odd });
        }
        assert_eq!(odd & 1, 0, "a pair count of row {index} is half of an odd number");
    });
}

/// Stages along the rows of an autocorrelation of `2^stages` cells: all that the plan
/// knows; of positions so dense that 16 bits hold fewer, there are fewer.
pub(super) fn row_stages(stages: u32, narrow: bool) -> u32 {
    if narrow && 1 << stages <= FEW_ROWS * FEW_ROWS_CELLS {
        stages.saturating_sub(FEW_ROWS.ilog2()).max(MIN_CELLS.ilog2()).min(stages)
    } else {
        stages.saturating_sub(ACROSS).clamp(ANY_SET, LOG_LONGEST_ROW).min(stages)
    }
}

/// All stages: along the rows, then across them.
fn transform<T: Send>(
    cells: &mut [T],
    along: impl Fn(&mut [T]) + Sync,
    across: impl Fn(&mut [&mut [T]]) + Sync,
) {
    assert!(cells.len().is_power_of_two(), "{} cells are no power of two", cells.len());
    let row = match size_of_val(cells) {
        0..=ONE_ROW_BYTES => cells.len(),
        // No fewer rows than the widest kernel has vectors in flight: with 8 rows, 2^19 cells
        // of 32 bits took twice as long as with 16.
        _ => (ROW_BYTES / size_of::<T>()).min(cells.len() / FEW_ROWS),
    };
    rows(cells, row, |_, row| along(row));
    if row < cells.len() {
        panels(cells, row, across);
    }
}

/// Does something to every row, with its index, on all threads if the cells are many.
fn rows<T: Send>(cells: &mut [T], row: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    if cells.len() < PARALLEL_CELLS || rayon::current_num_threads() == 1 {
        cells.chunks_exact_mut(row).enumerate().for_each(|(index, row)| work(index, row));
    } else {
        cells.par_chunks_exact_mut(row).enumerate().for_each(|(index, row)| work(index, row));
    }
}

/// Panels that rows are cut into: two a thread, so that one that is held up does not hold up
/// all; more would leave a strip fewer places to be [skewed](Skew) to.
fn panel_count<T>(cells: &[T], row: usize) -> usize {
    match rayon::current_num_threads() {
        1 => 1,
        _ if cells.len() < PARALLEL_CELLS => 1,
        threads => {
            (2 * threads).next_power_of_two().min(row * size_of::<T>() / super::steps::STRIP_BYTES)
        }
    }
}

/// Does something to all rows, some columns of them at a time: on all threads
/// if the cells are many.
fn panels<T: Send>(cells: &mut [T], row: usize, work: impl Fn(&mut [&mut [T]]) + Sync) {
    let count = panel_count(cells, row);
    let mut panels: Vec<Vec<&mut [T]>> =
        (0..count).map(|_| Vec::with_capacity(cells.len() / row)).collect();
    for row in cells.chunks_exact_mut(row) {
        let part = row.len() / count;
        for (panel, part) in panels.iter_mut().zip(row.chunks_exact_mut(part)) {
            panel.push(part);
        }
    }
    if count == 1 {
        work(&mut panels[0]);
    } else {
        panels.par_iter_mut().for_each(|panel| work(panel));
    }
}
