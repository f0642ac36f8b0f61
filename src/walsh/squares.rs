//! The middle and the end of the autocorrelation, register by register: squares between
//! the last stages forward and the first back, sums of squares, and quotients.
//!
//! ```text
//! strip   stages between rows   squares   the same stages back   strip
//! ```
//!
//! As in [`super::steps`], kernels hand in closures of their own intrinsics, and all of
//! this is inlined into their code.

use bytemuck::{Pod, must_cast};

use super::modulus::Modulus;
use super::steps::{butterflies, cached_steps, columns, copy_in, gather, scatter};

/// The middle of the autocorrelation where 16 bits hold all of the transform: see
/// [`super::blocked::Work`]. `square` adds the squares of neighbours.
#[inline(always)]
pub(super) fn squares_narrow<V16: Pod, V32: Pod, const W: usize, const S: usize, const R: usize>(
    panel: &mut [&mut [u32]],
    butterfly16: impl Fn(V16, V16) -> (V16, V16),
    square: impl Fn(V16) -> V32,
    butterfly32: impl Fn(V32, V32) -> (V32, V32),
    fold: impl Fn(V32) -> V32,
) {
    let plain = |v| v;
    if let Ok(rows) = <&mut [&mut [u32]; R]>::try_from(&mut *panel) {
        return squares_of_rows::<V16, V32, W, R>(rows, &butterfly16, &square, &butterfly32, &fold);
    }
    let mut scratch = vec![[[0u32; W]; S]; panel.len()];
    for strip in 0..panel[0].len() / (S * W) {
        let done = gather::<_, V16, W, S, R>(panel, strip, &mut scratch, &butterfly16, &plain);
        let pairs = scratch.as_flattened_mut();
        cached_steps::<_, V16, W, R>(pairs, S * done, &butterfly16, &plain);
        for pairs in pairs {
            *pairs = must_cast(square(must_cast(*pairs)));
        }
        back::<V32, W, S, R>(&mut scratch, strip, panel, &butterfly32, &fold);
    }
}

/// [`squares_narrow`] of as many rows as registers in flight: nothing to copy, each cell is
/// read and written once.
#[expect(clippy::needless_range_loop, reason = "a column runs through all rows")]
#[inline(always)]
fn squares_of_rows<V16: Pod, V32: Pod, const W: usize, const R: usize>(
    rows: &mut [&mut [u32]; R],
    butterfly16: &impl Fn(V16, V16) -> (V16, V16),
    square: &impl Fn(V16) -> V32,
    butterfly32: &impl Fn(V32, V32) -> (V32, V32),
    fold: &impl Fn(V32) -> V32,
) {
    let length = rows[0].len() / W;
    let rows = rows.each_mut().map(|row| &mut row.as_chunks_mut::<W>().0[..length]);
    for column in 0..length {
        let mut pairs = [V16::zeroed(); R];
        for r in 0..R {
            pairs[r] = must_cast(rows[r][column]);
        }
        butterflies(&mut pairs, butterfly16);
        let mut v = [V32::zeroed(); R];
        for r in 0..R {
            v[r] = square(pairs[r]);
        }
        butterflies(&mut v, butterfly32);
        for r in 0..R {
            rows[r][column] = must_cast(fold(v[r]));
        }
    }
}

/// All stages between the rows of a scratch, the last on the way to the panel.
#[inline(always)]
fn back<V: Pod, const W: usize, const S: usize, const R: usize>(
    scratch: &mut [[[u32; W]; S]],
    strip: usize,
    panel: &mut [&mut [u32]],
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    let last = panel.len().min(R);
    for block in scratch.chunks_exact_mut(panel.len() / last) {
        columns::<u32, V, W, S, R>(block, butterfly, fold);
    }
    scatter::<u32, V, W, S, R>(scratch, strip, panel, last, butterfly, fold);
}

/// The middle of the autocorrelation at 32 bits: see [`super::blocked::Work`]. `halves`
/// parts the pairs, `squares` adds two squares and folds.
#[inline(always)]
pub(super) fn squares_wide<V: Pod, const W: usize, const S: usize, const R: usize>(
    panel: &mut [&mut [u32]],
    halves: impl Fn(V) -> (V, V),
    plain: impl Fn(V, V) -> (V, V),
    squares: impl Fn(V, V) -> V,
    butterfly: impl Fn(V, V) -> (V, V),
    fold: impl Fn(V) -> V,
) {
    let mut left = vec![[[0u32; W]; S]; panel.len()];
    let mut right = left.clone();
    for strip in 0..panel[0].len() / (S * W) {
        copy_in::<u32, V, W, S>(panel, strip, &mut left);
        let pairs = left.as_flattened_mut().iter_mut().zip(right.as_flattened_mut());
        for (left, right) in pairs {
            let (low, high) = halves(must_cast(*left));
            (*left, *right) = (must_cast(low), must_cast(high));
        }
        columns::<u32, V, W, S, R>(&mut left, &plain, &|v| v);
        columns::<u32, V, W, S, R>(&mut right, &plain, &|v| v);
        for (left, right) in left.as_flattened_mut().iter_mut().zip(right.as_flattened()) {
            *left = must_cast(squares(must_cast(*left), must_cast(*right)));
        }
        back::<V, W, S, R>(&mut left, strip, panel, &butterfly, &fold);
    }
}

/// Each vector of cells made from one of others.
#[inline(always)]
pub(super) fn map<V: Pod, const W: usize>(from: &[i32], to: &mut [i32], make: impl Fn(V) -> V) {
    for (to, from) in to.as_chunks_mut::<W>().0.iter_mut().zip(from.as_chunks::<W>().0) {
        *to = must_cast(make(must_cast(*from)));
    }
}

/// Each vector of cells merged with one of others.
#[inline(always)]
pub(super) fn merge<V: Pod, const W: usize>(
    cells: &mut [i32],
    more: &[i32],
    merged: impl Fn(V, V) -> V,
) {
    for (cells, more) in cells.as_chunks_mut::<W>().0.iter_mut().zip(more.as_chunks::<W>().0) {
        *cells = must_cast(merged(must_cast(*cells), must_cast(*more)));
    }
}

/// The end of the autocorrelation: see [`super::blocked::Work`].
#[inline(always)]
pub(super) fn quotients(row: &mut [u32], modulus: Modulus, halvings: u32) -> u32 {
    let mut odd = 0;
    for cell in row {
        let twice = modulus.quotient(*cell as i32, halvings);
        odd |= twice;
        *cell = twice / 2;
    }
    odd
}
