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
//!
//! Vectors go through `for` loops, not `array::map` or `from_fn`: what the compiler
//! leaves out of line is compiled without the kernel's instructions (the 4x5
//! census took 0.56 ms so, and 0.68 before). Copying strips to the scratch and
//! back in passes of their own, instead of on the way of the first and the
//! last stages, took it from 0.38 to 0.46.

use std::array;
use std::ops::Range;

use bytemuck::{Pod, must_cast};

/// Bytes of a run of vectors that stays in the first-level cache for all its stages.
const L1_BYTES: usize = 1 << 14;
/// Likewise in the second-level cache.
const L2_BYTES: usize = 1 << 19;

/// Bytes of each row in a strip of [`across`]: two cache lines.
pub(super) const STRIP_BYTES: usize = 128;

/// All stages among `R` vectors.
#[inline(always)]
pub(super) fn butterflies<V: Copy, const R: usize>(
    v: &mut [V; R],
    butterfly: &impl Fn(V, V) -> (V, V),
) {
    butterflies_among(1..R, v, butterfly);
}

/// The stages among `R` vectors at these distances.
#[inline(always)]
pub(super) fn butterflies_among<V: Copy, const R: usize>(
    distances: Range<usize>,
    v: &mut [V; R],
    butterfly: &impl Fn(V, V) -> (V, V),
) {
    let mut half = distances.start;
    while half < distances.end {
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
        // Slices of one known length: no bound is checked within the loop.
        let mut parts = block.chunks_exact_mut(stride);
        let rows: [&mut [[T; W]]; R] =
            array::from_fn(|_| &mut parts.next().expect("R parts")[..stride]);
        for column in 0..stride {
            let mut v = [V::zeroed(); R];
            for r in 0..R {
                v[r] = must_cast(rows[r][column]);
            }
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
    while stride < vectors.len() {
        // As few steps as there can be, each of as many stages as the others or nearly so: the
        // sixteen lines of the largest step are too many for one set of the first-level cache.
        let left = (vectors.len() / stride).ilog2();
        let stages = left.div_ceil(left.div_ceil(R.ilog2()));
        match stages {
            4 if R == 16 => step::<T, V, W, 16>(vectors, stride, butterfly, fold),
            3 => step::<T, V, W, 8>(vectors, stride, butterfly, fold),
            2 => step::<T, V, W, 4>(vectors, stride, butterfly, fold),
            _ => step::<T, V, W, 2>(vectors, stride, butterfly, fold),
        }
        stride <<= stages;
    }
}

/// The stages between vectors `stride` and more apart: those inside a run that
/// stays in one level of cache before those inside a run of the next.
#[inline(always)]
pub(super) fn cached_steps<T: Pod, V: Pod, const W: usize, const R: usize>(
    vectors: &mut [[T; W]],
    mut stride: usize,
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    for bytes in [L1_BYTES, L2_BYTES, usize::MAX] {
        let run = whole_steps::<T, W, R>(bytes, stride, vectors.len());
        for part in vectors.chunks_exact_mut(run) {
            steps::<T, V, W, R>(part, stride, butterfly, fold);
        }
        stride = run;
    }
}

/// Vectors of a run of at most so many bytes that steps from `stride` on fill: what is left of
/// a cache is cheaper as part of a later step than as a step of its own.
fn whole_steps<T, const W: usize, const R: usize>(
    bytes: usize,
    stride: usize,
    vectors: usize,
) -> usize {
    let room = (bytes / size_of::<[T; W]>()).min(vectors);
    if room == vectors {
        return vectors;
    }
    let mut run = stride;
    while run * R <= room {
        run *= R;
    }
    run
}

/// All stages of a contiguous run of cells, at least `R` vectors of them, where
/// `lanes(group, v)` makes those inside the vectors of the group of that number,
/// and those between vectors at less than distance `from`.
#[inline(always)]
pub(super) fn along<T: Pod, V: Pod, const W: usize, const R: usize>(
    cells: &mut [T],
    from: usize,
    lanes: impl Fn(usize, &mut [V; R]),
    butterfly: impl Fn(V, V) -> (V, V),
    fold: impl Fn(V) -> V,
) {
    let (vectors, rest) = cells.as_chunks_mut::<W>();
    let (groups, odd) = vectors.as_chunks_mut::<R>();
    assert!(rest.is_empty() && odd.is_empty(), "cells are no whole number of {R} vectors of {W}");
    // The next stages follow while a run is in the first-level cache.
    let run = whole_steps::<T, W, R>(L1_BYTES, R, R * groups.len());
    for (block, groups) in groups.chunks_exact_mut(run / R).enumerate() {
        for (index, group) in groups.iter_mut().enumerate() {
            let mut v = [V::zeroed(); R];
            for r in 0..R {
                v[r] = must_cast(group[r]);
            }
            lanes(block * (run / R) + index, &mut v);
            for v in &mut v {
                *v = fold(*v);
            }
            butterflies_among(from..R, &mut v, &butterfly);
            for r in 0..R {
                group[r] = must_cast(fold(v[r]));
            }
        }
        steps::<T, V, W, R>(groups.as_flattened_mut(), R, &butterfly, &fold);
    }
    cached_steps::<T, V, W, R>(vectors, run, &butterfly, &fold);
}

/// All stages between the rows of a panel: as many rows as a power of two, all
/// of one length, a whole number of strips of `S` vectors.
///
/// Rows a power of two apart compete for the same few cache sets. So each strip has its
/// first stages on the way to a scratch of its own, and its last on the way back.
#[inline(always)]
pub(super) fn across<T: Pod, V: Pod, const W: usize, const S: usize, const R: usize>(
    panel: &mut [&mut [T]],
    butterfly: impl Fn(V, V) -> (V, V),
    fold: impl Fn(V) -> V,
) {
    let mut scratch = vec![[[T::zeroed(); W]; S]; panel.len()];
    for strip in 0..panel[0].len() / (S * W) {
        let done = gather::<T, V, W, S, R>(panel, strip, &mut scratch, &butterfly, &fold);
        let last = (panel.len() / done).min(R);
        for block in scratch.chunks_exact_mut(panel.len() / last) {
            cached_steps::<T, V, W, R>(block.as_flattened_mut(), S * done, &butterfly, &fold);
        }
        scatter::<T, V, W, S, R>(&scratch, strip, panel, last, &butterfly, &fold);
    }
}

/// All stages between the rows of a scratch.
#[expect(clippy::needless_range_loop, reason = "a column runs through all rows")]
#[inline(always)]
pub(super) fn columns<T: Pod, V: Pod, const W: usize, const S: usize, const R: usize>(
    scratch: &mut [[[T; W]; S]],
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    if scratch.len() < R {
        return steps::<T, V, W, R>(scratch.as_flattened_mut(), S, butterfly, fold);
    }
    // The first stages are between neighbours, at distances known when compiling.
    for rows in scratch.as_chunks_mut::<R>().0 {
        for s in 0..S {
            let mut v = [V::zeroed(); R];
            for r in 0..R {
                v[r] = must_cast(rows[r][s]);
            }
            butterflies(&mut v, butterfly);
            for r in 0..R {
                rows[r][s] = must_cast(fold(v[r]));
            }
        }
    }
    cached_steps::<T, V, W, R>(scratch.as_flattened_mut(), S * R, butterfly, fold);
}

/// Copies a strip of all rows to a scratch, making the stages between `R` neighbours if
/// there are as many, and says between how many they were made.
#[expect(clippy::needless_range_loop, reason = "a column runs through all rows")]
#[inline(always)]
pub(super) fn gather<T: Pod, V: Pod, const W: usize, const S: usize, const R: usize>(
    panel: &[&mut [T]],
    strip: usize,
    scratch: &mut [[[T; W]; S]],
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) -> usize {
    if panel.len() < R {
        copy_in::<T, V, W, S>(panel, strip, scratch);
        return 1;
    }
    for (from, to) in panel.as_chunks::<R>().0.iter().zip(scratch.as_chunks_mut::<R>().0) {
        for s in 0..S {
            let mut v = [V::zeroed(); R];
            for r in 0..R {
                v[r] = must_cast(from[r].as_chunks::<W>().0[strip * S + s]);
            }
            butterflies(&mut v, butterfly);
            for r in 0..R {
                to[r][s] = must_cast(fold(v[r]));
            }
        }
    }
    R
}

/// Copies a scratch back to its strip of all rows, making the stages between `last`
/// rows as far apart as they can be; `last` is at most `R`.
#[inline(always)]
pub(super) fn scatter<T: Pod, V: Pod, const W: usize, const S: usize, const R: usize>(
    scratch: &[[[T; W]; S]],
    strip: usize,
    panel: &mut [&mut [T]],
    last: usize,
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    match last {
        16 if R == 16 => last_step::<T, V, W, S, 16>(scratch, strip, panel, butterfly, fold),
        8 => last_step::<T, V, W, S, 8>(scratch, strip, panel, butterfly, fold),
        4 => last_step::<T, V, W, S, 4>(scratch, strip, panel, butterfly, fold),
        2 => last_step::<T, V, W, S, 2>(scratch, strip, panel, butterfly, fold),
        _ => last_step::<T, V, W, S, 1>(scratch, strip, panel, butterfly, &|v| v),
    }
}

/// The stages between `L` rows of a scratch, on the way to the panel.
#[inline(always)]
fn last_step<T: Pod, V: Pod, const W: usize, const S: usize, const L: usize>(
    scratch: &[[[T; W]; S]],
    strip: usize,
    panel: &mut [&mut [T]],
    butterfly: &impl Fn(V, V) -> (V, V),
    fold: &impl Fn(V) -> V,
) {
    let distance = panel.len() / L;
    for row in 0..distance {
        for s in 0..S {
            let mut v = [V::zeroed(); L];
            for r in 0..L {
                v[r] = must_cast(scratch[r * distance + row][s]);
            }
            butterflies(&mut v, butterfly);
            for r in 0..L {
                let to = panel[r * distance + row].as_chunks_mut::<W>().0;
                to[strip * S + s] = must_cast(fold(v[r]));
            }
        }
    }
}

/// Copies a strip of all rows to a scratch, register by register.
#[inline(always)]
fn copy_in<T: Pod, V: Pod, const W: usize, const S: usize>(
    panel: &[&mut [T]],
    strip: usize,
    scratch: &mut [[[T; W]; S]],
) {
    for (copy, row) in scratch.iter_mut().zip(panel) {
        let part: &[[T; W]; S] = &strips(row)[strip];
        for s in 0..S {
            copy[s] = must_cast(must_cast::<_, V>(part[s]));
        }
    }
}

/// A row as strips of `S` vectors of `W` cells.
#[inline(always)]
fn strips<T, const W: usize, const S: usize>(row: &[T]) -> &[[[T; W]; S]] {
    row.as_chunks::<W>().0.as_chunks::<S>().0
}
