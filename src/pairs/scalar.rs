//! The honest baseline: a scatter, one increment of a cell a pair, on
//! positions narrowed to `u32`.
//!
//! ```text
//! for x { for y before x { cells[x ^ y] += 1 } }
//! ```
//!
//! The increment of a random cell is what costs; every other kernel falls back
//! on this one where the input is too sparse for it.

use super::{PairKernel, Prepared};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairKernel> = Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

struct Scalar;

impl PairKernel for Scalar {
    fn prepare(&self, reduced: Vec<u32>, length: usize) -> Box<dyn Prepared> {
        Box::new(Scatter::new(reduced, length))
    }
}

/// Positions in ascending order of what stands above a chunk's bits.
pub(super) struct Scatter {
    positions: Vec<u32>,
}

impl Scatter {
    pub(super) fn new(mut positions: Vec<u32>, length: usize) -> Self {
        let shift = length.ilog2();
        positions.sort_by_key(|position| u64::from(*position) >> shift);
        Self { positions }
    }

    /// The positions, those of one chunk one after another.
    pub(super) fn positions(&self) -> &[u32] {
        &self.positions
    }
}

impl Prepared for Scatter {
    fn add(&self, chunk: u32, cells: &mut [u32]) {
        let shift = cells.len().ilog2();
        let high = |position: u32| (u64::from(position) >> shift) as u32;
        // Only positions whose high bits differ by `chunk` meet in these cells.
        for group in self.positions.chunk_by(|x, y| high(*x) == high(*y)) {
            let own = high(group[0]);
            if chunk == 0 {
                within(group, cells);
            } else if own < own ^ chunk {
                across(group, with_high(&self.positions, own ^ chunk, shift), cells);
            }
        }
    }
}

/// Adds one for every pair of one of `left` and one of `right`, which
/// ascends, whose difference is in the chunk: [`Scatter`] for two lists.
pub(super) fn across_chunk(left: &[u32], right: &[u32], chunk: u32, cells: &mut [u32]) {
    let shift = cells.len().ilog2();
    for x in left.chunk_by(|x, y| u64::from(*x) >> shift == u64::from(*y) >> shift) {
        let high = (u64::from(x[0]) >> shift) as u32;
        across(x, with_high(right, high ^ chunk, shift), cells);
    }
}

/// The part of an ascending list that has `high` above its low `shift` bits.
fn with_high(ascending: &[u32], high: u32, shift: u32) -> &[u32] {
    let of = |position: &u32| u64::from(*position) >> shift;
    let begin = ascending.partition_point(|x| of(x) < u64::from(high));
    let rest = &ascending[begin..];
    &rest[..rest.partition_point(|x| of(x) == u64::from(high))]
}

/// Adds one for every pair of `list`, to the cell of the difference's low bits.
fn within(list: &[u32], cells: &mut [u32]) {
    let pairs = list.len() as u64 * (list.len() as u64).saturating_sub(1) / 2;
    if fits(pairs, cells) {
        for (index, x) in list.iter().enumerate() {
            scatter::<false>(*x, &list[..index], cells);
        }
    } else {
        for (index, x) in list.iter().enumerate() {
            scatter::<true>(*x, &list[..index], cells);
        }
    }
}

/// Adds one for every pair of one of `left` and one of `right`.
fn across(left: &[u32], right: &[u32], cells: &mut [u32]) {
    let fits = fits(left.len() as u64 * right.len() as u64, cells);
    for x in left {
        if fits {
            scatter::<false>(*x, right, cells);
        } else {
            scatter::<true>(*x, right, cells);
        }
    }
}

/// Whether `pairs` increments are known not to take any cell past `u32::MAX`,
/// even if all of them meet in the fullest one. For few pairs it is not worth asking.
fn fits(pairs: u64, cells: &[u32]) -> bool {
    if pairs < cells.len() as u64 {
        return false;
    }
    let fullest = cells.iter().max().map_or(0, |cell| u64::from(*cell));
    pairs <= u64::from(u32::MAX) - fullest
}

#[inline(always)]
fn scatter<const CHECKED: bool>(x: u32, list: &[u32], cells: &mut [u32]) {
    let mask = cells.len() - 1;
    for y in list {
        let cell = &mut cells[(x ^ y) as usize & mask];
        *cell = if CHECKED { super::raised(*cell, 1) } else { *cell + 1 };
    }
}
