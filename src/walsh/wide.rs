//! The portable kernel, on the `wide` crate: vectors of 128 bits, whose
//! instructions are chosen at compile time; radix 8.
//!
//! Stages inside a vector are stages between vectors, of the transpose:
//!
//! ```text
//! a b   a c   a+c…  a+c b+d   and so with 4 vectors of 4 lanes
//! c d   b d         a−c b−d   and 8 of 8
//! ```

use std::array;

use bytemuck::{Pod, must_cast};
use wide::{i16x8, i32x4, i64x2};

use super::WalshKernel;
use super::bitmap;
use super::blocked::{Arithmetic, Engine, Work};
use super::modulus::Modulus;
use super::quotients;
use super::skew::{RowSkew, Skew};
use super::squares::{self, Middle};
use super::steps::{self, STRIP_BYTES};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn WalshKernel> = Kernel::new("wide", Tier::Portable, &[], &Wide);

pub(super) struct Wide;

/// Registers in flight.
const R: usize = 8;
/// Registers in a row of a strip.
const S: usize = STRIP_BYTES / size_of::<i32x4>();

impl Engine for Wide {
    fn run(&self, work: Work<'_, '_>) {
        match work {
            Work::Along16(row) => {
                let lanes = |_, v: &mut [i16x8; R]| lanes::<i16, _, 8>(v, sums16);
                steps::along::<i16, _, 8, R>(row, 1, lanes, sums16, |v| v);
            }
            Work::Across16(panel) => steps::across::<i16, _, 8, S, R>(panel, sums16, |v| v),
            Work::Along32(row, arithmetic) => match arithmetic {
                Arithmetic::Plain => along32(row, sums32, |v| v),
                Arithmetic::Halving => along32(row, means32, |v| v),
                Arithmetic::Modulo(modulus) if modulus.roomy() => {
                    along32(row, sums32, move |v| fold(v, modulus));
                }
                Arithmetic::Modulo(modulus) => {
                    along32(row, move |a, b| residues(a, b, modulus), |v| v);
                }
            },
            Work::Across32(panel, arithmetic) => match arithmetic {
                Arithmetic::Plain => across32(panel, sums32, |v| v),
                Arithmetic::Halving => across32(panel, means32, |v| v),
                Arithmetic::Modulo(modulus) if modulus.roomy() => {
                    across32(panel, sums32, move |v| fold(v, modulus));
                }
                Arithmetic::Modulo(modulus) => {
                    across32(panel, move |a, b| residues(a, b, modulus), |v| v);
                }
            },
            Work::Along64(row, halving) => match halving {
                false => along64(row, sums64),
                true => along64(row, means64),
            },
            Work::Across64(panel, halving) => match halving {
                false => steps::across::<i64, _, 2, S, R>(panel, sums64, |v| v),
                true => steps::across::<i64, _, 2, S, R>(panel, means64, |v| v),
            },
            Work::Expand { words, pairs, skew } => {
                bitmap::expand(words, pairs, skew);
                let pairs = bytemuck::must_cast_slice_mut(pairs);
                // The table made the stages of eight pairs: two vectors.
                steps::along::<i16, i16x8, 8, R>(pairs, 2, |_, _| {}, sums16, |v| v);
            }
            Work::SquaresNarrow(panel, modulus) => {
                let square = |v: i16x8| fold(v.dot(v), modulus);
                let fold = move |v| fold(v, modulus);
                squares::squares_narrow::<_, _, 4, S, R>(panel, sums16, square, sums32, fold);
            }
            Work::SquaresWide { panel, modulus, skew, exact } if modulus.roomy() => {
                middle(panel, modulus, skew, exact, sums32, move |v| fold(v, modulus));
            }
            Work::SquaresWide { panel, modulus, skew, exact } => {
                middle(panel, modulus, skew, exact, move |a, b| residues(a, b, modulus), |v| v);
            }
            Work::Squares(from, to, modulus) => {
                squares::map::<i32x4, 4>(from, to, |v| square(v, modulus));
            }
            Work::Add { cells, more, negative: false, modulus } => {
                squares::merge::<i32x4, 4>(cells, more, |a, b| fold(a + b, modulus));
            }
            Work::Add { cells, more, negative: true, modulus } => {
                squares::merge::<i32x4, 4>(cells, more, |a, b| fold(a - b, modulus));
            }
            Work::Quotients { row, modulus, halvings, odd } => {
                *odd = quotients::quotients(row, modulus, halvings);
            }
            Work::Counts { row, skew, modulus, halvings, odd } => match modulus.roomy() {
                true => {
                    *odd = counts(row, skew, modulus, halvings, sums32, move |v| fold(v, modulus));
                }
                false => {
                    let butterfly = move |a, b| residues(a, b, modulus);
                    *odd = counts(row, skew, modulus, halvings, butterfly, |v| v);
                }
            },
        }
    }
}

fn along32(
    row: &mut [i32],
    butterfly: impl Fn(i32x4, i32x4) -> (i32x4, i32x4),
    fold: impl Fn(i32x4) -> i32x4,
) {
    let lanes = |_, v: &mut [i32x4; R]| lanes::<i32, _, 4>(v, &butterfly);
    steps::along::<i32, _, 4, R>(row, 1, lanes, &butterfly, fold);
}

fn across32(
    panel: &mut [&mut [i32]],
    butterfly: impl Fn(i32x4, i32x4) -> (i32x4, i32x4),
    fold: impl Fn(i32x4) -> i32x4,
) {
    steps::across::<i32, _, 4, S, R>(panel, butterfly, fold);
}

fn along64(row: &mut [i64], butterfly: impl Fn(i64x2, i64x2) -> (i64x2, i64x2)) {
    let lanes = |_, v: &mut [i64x2; R]| lanes::<i64, _, 2>(v, &butterfly);
    steps::along::<i64, _, 2, R>(row, 1, lanes, &butterfly, |v| v);
}

/// The middle of the autocorrelation at 32 bits.
fn middle(
    panel: &mut [&mut [u32]],
    modulus: Modulus,
    skew: Skew,
    exact: usize,
    butterfly: impl Fn(i32x4, i32x4) -> (i32x4, i32x4),
    fold: impl Fn(i32x4) -> i32x4,
) {
    let middle = Middle {
        narrow: |a, b| {
            let (sum, difference) = sums16(must_cast(a), must_cast(b));
            (must_cast(sum), must_cast(difference))
        },
        halves: |v: i32x4| (v << 16 >> 16, v >> 16),
        plain: sums32,
        squares: |a, b| self::fold(square(a, modulus) + square(b, modulus), modulus),
        butterfly,
        fold,
    };
    middle.run::<_, 4, S, R>(panel, skew, exact);
}

/// Back along a row to its counts; the lowest bit of the result is 1 if some was odd.
fn counts(
    row: &mut [u32],
    skew: RowSkew,
    modulus: Modulus,
    halvings: u32,
    butterfly: impl Fn(i32x4, i32x4) -> (i32x4, i32x4) + Copy,
    fold: impl Fn(i32x4) -> i32x4 + Copy,
) -> u32 {
    let mut odd = 0;
    let back = move |part: &mut [i32]| along32(part, butterfly, fold);
    quotients::counts::<i32x4, 4, R>(row, back, butterfly, |strip, v| {
        let sign = i32x4::splat(skew.sign(strip));
        let signed = ((v ^ sign) - sign).to_array();
        let twice = signed.map(|cell| modulus.quotient(cell, halvings));
        odd |= twice.into_iter().fold(0, |all, odd| all | odd);
        must_cast(twice.map(|twice| twice / 2))
    });
    odd
}

/// The butterfly of 16-bit cells.
fn sums16(a: i16x8, b: i16x8) -> (i16x8, i16x8) {
    (a + b, a - b)
}

/// The butterfly of 32-bit cells.
fn sums32(a: i32x4, b: i32x4) -> (i32x4, i32x4) {
    (a + b, a - b)
}

/// The butterfly of 64-bit cells.
fn sums64(a: i64x2, b: i64x2) -> (i64x2, i64x2) {
    (a + b, a - b)
}

/// The halving butterfly of 32-bit cells: `a + b = 2 (a & b) + (a ^ b)`.
fn means32(a: i32x4, b: i32x4) -> (i32x4, i32x4) {
    let mean = (a & b) + ((a ^ b) >> 1);
    (mean, a - mean)
}

/// The halving butterfly of 64-bit cells.
fn means64(a: i64x2, b: i64x2) -> (i64x2, i64x2) {
    let mean = (a & b) + ((a ^ b) >> 1);
    (mean, a - mean)
}

/// The butterfly of 32-bit residues, both folded.
fn residues(a: i32x4, b: i32x4, modulus: Modulus) -> (i32x4, i32x4) {
    let (sum, difference) = sums32(a, b);
    (fold(sum, modulus), fold(difference, modulus))
}

/// [`Modulus::square`] and a fold, lane by lane.
fn square(v: i32x4, modulus: Modulus) -> i32x4 {
    let cells: [i32; 4] = v.to_array().map(|cell| modulus.square(cell));
    fold(i32x4::new(cells), modulus)
}

/// [`Modulus::fold`], lane by lane.
fn fold(v: i32x4, modulus: Modulus) -> i32x4 {
    (v & i32x4::splat(modulus.value())) + (v >> modulus.q())
}

/// All stages inside each of `R` vectors of `W` lanes, `W` at a time.
fn lanes<T: Pod, V: Pod, const W: usize>(v: &mut [V; R], butterfly: impl Fn(V, V) -> (V, V)) {
    for group in v.as_chunks_mut::<W>().0 {
        *group = transposed::<T, V, W>(*group);
        steps::butterflies(group, &butterfly);
        *group = transposed::<T, V, W>(*group);
    }
}

/// The transpose of a square of cells.
fn transposed<T: Pod, V: Pod, const W: usize>(v: [V; W]) -> [V; W] {
    let cells: [[T; W]; W] = v.map(bytemuck::must_cast);
    array::from_fn(|row| bytemuck::must_cast(array::from_fn::<T, W, _>(|lane| cells[lane][row])))
}
