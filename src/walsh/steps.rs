//! The blocked transform, register by register: what every vector kernel shares.
//!
//! One stage of the transform replaces two cells `a`, `b` whose indices differ
//! in one bit by `a + b`, `a − b`; a transform of `2^m` cells is `m` such stages,
//! in any order. Here `R = 2^r` vectors are loaded, `r` stages are made between
//! registers, and the vectors are stored again, so that a cell visits memory
//! once in `r` stages:
//!
//! ```text
//! stride 1  v0 v1 v2 v3 | v4 v5 v6 v7 | …     R = 4: two stages between
//! stride 4  v0          v4          v8   …    neighbours, two at distance 4
//! ```
//!
//! Nothing in this file knows an instruction set. A kernel calls these
//! functions from inside a `#[target_feature]` function and hands them
//! closures of its own intrinsics; all are inlined there, so that they are
//! compiled with the kernel's instructions. The closures are
//!
//! - `butterfly(a, b)`: one stage, lane by lane: `(a + b, a − b)`, or the
//!   same halved, or the same folded modulo `2^q − 1`;
//! - `lanes(v)`: all stages inside each of the `R` vectors;
//! - `fold(v)`: made on every vector when it has been through `lanes` and
//!   before it is stored; the identity but for modular arithmetic.

use std::array;

use bytemuck::{Pod, must_cast, must_cast_slice_mut};

use super::modulus::Modulus;

/// Bytes of a run of vectors that stays in the first-level cache for all its stages.
const L1_BYTES: usize = 1 << 14;

/// Bytes of each row in a strip of [`across`]: two cache lines.
pub(super) const STRIP_BYTES: usize = 128;

/// All stages among `R` vectors.
#[inline(always)]
pub(super) fn butterflies<V: Copy, const R: usize>(
    v: &mut [V; R],
    butterfly: &impl Fn(V, V) -> (V, V),
) {
    let mut half = 1;
    while half < R {
        for low in 0..R {
            if low & half == 0 {
                (v[low], v[low + half]) = butterfly(v[low], v[low + half]);
            }
        }
        half *= 2;
    }
}

/// `log2(R)` stages between vectors `stride` apart.
#[expect(clippy::needless_range_loop, reason = "a column runs through all rows")]
#[inline(always)]
fn step<T: Pod, V: Pod, const W: usize, const R: usize>(
    vectors: &mut [[T; W]],
    stride: usize,
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    for block in vectors.chunks_exact_mut(R * stride) {
        let mut parts = block.chunks_exact_mut(stride);
        let rows: [&mut [[T; W]]; R] = array::from_fn(|_| parts.next().expect("R parts"));
        let rows = rows.map(|row| &mut row[..stride]);
        for column in 0..stride {
            let mut v: [V; R] = array::from_fn(|r| must_cast(rows[r][column]));
            butterflies(&mut v, butterfly);
            for r in 0..R {
                rows[r][column] = must_cast(fold(v[r]));
            }
        }
    }
}

/// All stages between vectors `stride` and more apart.
#[inline(always)]
fn steps<T: Pod, V: Pod, const W: usize, const R: usize>(
    vectors: &mut [[T; W]],
    mut stride: usize,
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    while stride * R <= vectors.len() {
        step::<T, V, W, R>(vectors, stride, butterfly, fold);
        stride *= R;
    }
    match vectors.len() / stride {
        8 => step::<T, V, W, 8>(vectors, stride, butterfly, fold),
        4 => step::<T, V, W, 4>(vectors, stride, butterfly, fold),
        2 => step::<T, V, W, 2>(vectors, stride, butterfly, fold),
        _ => {}
    }
}

/// The stages between vectors `stride` and more apart, first inside runs that
/// stay in the first-level cache.
#[inline(always)]
fn cached_steps<T: Pod, V: Pod, const W: usize, const R: usize>(
    vectors: &mut [[T; W]],
    stride: usize,
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    let run = (L1_BYTES / size_of::<[T; W]>()).max(stride).min(vectors.len());
    for run in vectors.chunks_exact_mut(run) {
        steps::<T, V, W, R>(run, stride, butterfly, fold);
    }
    steps::<T, V, W, R>(vectors, run, butterfly, fold);
}

/// All stages of a contiguous run of cells, at least `R` vectors of them.
#[inline(always)]
pub(super) fn along<T: Pod, V: Pod, const W: usize, const R: usize>(
    cells: &mut [T],
    lanes: impl Fn(&mut [V; R]),
    butterfly: impl Fn(V, V) -> (V, V),
    fold: impl Fn(V) -> V,
) {
    let (vectors, rest) = cells.as_chunks_mut::<W>();
    let (groups, odd) = vectors.as_chunks_mut::<R>();
    assert!(rest.is_empty() && odd.is_empty(), "cells are no whole number of {R} vectors of {W}");
    for group in groups {
        let mut v: [V; R] = array::from_fn(|r| must_cast(group[r]));
        lanes(&mut v);
        let mut v = v.map(&fold);
        butterflies(&mut v, &butterfly);
        for r in 0..R {
            group[r] = must_cast(fold(v[r]));
        }
    }
    cached_steps::<T, V, W, R>(vectors, R, &butterfly, &fold);
}

/// All stages between the rows of a panel: as many rows as a power of two, all
/// of one length, a whole number of strips of `S` vectors.
///
/// Rows a power of two apart compete for the same few cache sets, so each
/// strip is copied to a scratch of its own, transformed there and copied back.
#[inline(always)]
pub(super) fn across<T: Pod, V: Pod, const W: usize, const S: usize, const R: usize>(
    panel: &mut [&mut [T]],
    butterfly: impl Fn(V, V) -> (V, V),
    fold: impl Fn(V) -> V,
) {
    let mut scratch = vec![[[T::zeroed(); W]; S]; panel.len()];
    for strip in 0..panel[0].len() / (S * W) {
        for (copy, row) in scratch.iter_mut().zip(&*panel) {
            *copy = strips::<T, W, S>(row)[strip];
        }
        columns::<T, V, W, S, R>(&mut scratch, &butterfly, &fold);
        for (copy, row) in scratch.iter().zip(&mut *panel) {
            strips_mut::<T, W, S>(row)[strip] = *copy;
        }
    }
}

/// All stages between the rows of a scratch.
#[inline(always)]
pub(super) fn columns<T: Pod, V: Pod, const W: usize, const S: usize, const R: usize>(
    scratch: &mut [[[T; W]; S]],
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    cached_steps::<T, V, W, R>(scratch.as_flattened_mut(), S, butterfly, fold);
}

/// A row as strips of `S` vectors of `W` cells.
#[inline(always)]
pub(super) fn strips<T, const W: usize, const S: usize>(row: &[T]) -> &[[[T; W]; S]] {
    row.as_chunks::<W>().0.as_chunks::<S>().0
}

/// A row as strips of `S` vectors of `W` cells.
#[inline(always)]
pub(super) fn strips_mut<T, const W: usize, const S: usize>(row: &mut [T]) -> &mut [[[T; W]; S]] {
    row.as_chunks_mut::<W>().0.as_chunks_mut::<S>().0
}

/// The middle of the autocorrelation where 16 bits hold all of the transform: see
/// [`super::blocked::Work`]. `square` adds the squares of neighbours.
#[inline(always)]
pub(super) fn squares_narrow<
    V16: Pod,
    V32: Pod,
    const W16: usize,
    const W32: usize,
    const S: usize,
    const R: usize,
>(
    panel: &mut [&mut [u32]],
    butterfly16: impl Fn(V16, V16) -> (V16, V16),
    square: impl Fn(V16) -> V32,
    butterfly32: impl Fn(V32, V32) -> (V32, V32),
    fold: impl Fn(V32) -> V32,
) {
    let mut scratch = vec![[[0u32; W32]; S]; panel.len()];
    for strip in 0..panel[0].len() / (S * W32) {
        for (copy, row) in scratch.iter_mut().zip(&*panel) {
            *copy = strips::<u32, W32, S>(row)[strip];
        }
        let pairs: &mut [[[i16; W16]; S]] = must_cast_slice_mut(&mut scratch);
        columns::<i16, V16, W16, S, R>(pairs, &butterfly16, &|v| v);
        for pairs in pairs.as_flattened_mut() {
            *pairs = must_cast(fold(square(must_cast(*pairs))));
        }
        let sums: &mut [[[i32; W32]; S]] = must_cast_slice_mut(&mut scratch);
        columns::<i32, V32, W32, S, R>(sums, &butterfly32, &fold);
        for (copy, row) in scratch.iter().zip(&mut *panel) {
            strips_mut::<u32, W32, S>(row)[strip] = *copy;
        }
    }
}

/// The middle of the autocorrelation at 32 bits: see [`super::blocked::Work`].
#[inline(always)]
pub(super) fn squares_wide<V: Pod, const W: usize, const S: usize, const R: usize>(
    panel: &mut [&mut [u32]],
    modulus: Modulus,
    plain: impl Fn(V, V) -> (V, V),
    butterfly: impl Fn(V, V) -> (V, V),
    fold: impl Fn(V) -> V,
) {
    let mut left = vec![[[0i32; W]; S]; panel.len()];
    let mut right = left.clone();
    for strip in 0..panel[0].len() / (S * W) {
        for ((left, right), row) in left.iter_mut().zip(&mut right).zip(&*panel) {
            let pairs = &strips::<u32, W, S>(row)[strip];
            *left = pairs.map(|vector| vector.map(|pair| i32::from(pair as i16)));
            *right = pairs.map(|vector| vector.map(|pair| pair as i32 >> 16));
        }
        columns::<i32, V, W, S, R>(&mut left, &plain, &|v| v);
        columns::<i32, V, W, S, R>(&mut right, &plain, &|v| v);
        for (left, right) in left.as_flattened_mut().iter_mut().zip(right.as_flattened()) {
            for (left, right) in left.iter_mut().zip(right) {
                let square = |value| modulus.fold(modulus.square(value));
                *left = modulus.fold(square(*left) + square(*right));
            }
        }
        columns::<i32, V, W, S, R>(&mut left, &butterfly, &fold);
        for (sums, row) in left.iter().zip(&mut *panel) {
            strips_mut::<u32, W, S>(row)[strip] = must_cast(*sums);
        }
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
