//! The middle of the autocorrelation, register by register: squares between the last stages
//! forward and the first back, and sums of squares.
//!
//! ```text
//! strip   stages between rows   squares   the same stages back   strip
//! ```
//!
//! As in [`super::steps`], kernels hand in closures of their own intrinsics, and all of
//! this is inlined into their code.

use std::array;

use bytemuck::{Pod, must_cast};

use super::skew::Skew;
use super::steps::{butterflies, butterflies_among, cached_steps, columns, gather, scatter};
use crate::memory;

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

/// What the middle of the autocorrelation does at 32 bits to vectors of `V`.
pub(super) struct Middle<N, H, P, Q, B, F> {
    /// The butterfly of pairs of 16 bits.
    pub narrow: N,
    /// Parts pairs.
    pub halves: H,
    /// The butterfly of one mover's cells.
    pub plain: P,
    /// The sum of two squares, folded.
    pub squares: Q,
    /// The butterfly of residues.
    pub butterfly: B,
    /// Folds residues.
    pub fold: F,
}

impl<N, H, P, Q, B, F> Middle<N, H, P, Q, B, F> {
    /// The whole of it, where 16 bits hold the stages between `exact` rows and no more: see
    /// [`super::blocked::Work`].
    ///
    /// The rows are parted into blocks. Stages within a block are made first and last, those
    /// between blocks around the squares, so that a cell is read and written five times, or
    /// little more, for up to fourteen stages of each mover and back:
    ///
    /// ```text
    /// part    strips → Left's and Right's scratch, the stages between 16 neighbours
    ///         the other stages inside a block
    /// meet    the stages between blocks, squares, the same stages back
    ///         stages inside a block, back
    /// join    the stages between 16 neighbours, back → strips
    /// ```
    #[inline(always)]
    pub(super) fn run<V: Pod, const W: usize, const S: usize, const R: usize>(
        &self,
        panel: &mut [&mut [u32]],
        skew: Skew,
        exact: usize,
    ) where
        N: Fn(V, V) -> (V, V),
        H: Fn(V) -> (V, V),
        P: Fn(V, V) -> (V, V),
        Q: Fn(V, V) -> V,
        B: Fn(V, V) -> (V, V),
        F: Fn(V) -> V,
    {
        let blocks = panel.len().min(R / 2);
        let block = panel.len() / blocks;
        let near = if block < R { 1 } else { R };
        // Blocks a power of two apart would compete for the same few cache sets.
        let pitch = block + 1;
        let mut scratch = [(); 2].map(|()| vec![[[0u32; W]; S]; blocks * pitch]);
        let count = panel[0].len() / (S * W);
        for strip in 0..count {
            for (at, panel) in panel.chunks_exact(block).enumerate() {
                let strips = Strips { strip, skew, first: at * block };
                let mut movers = scratch.each_mut().map(|mover| &mut mover[at * pitch..][..block]);
                match (near, exact) {
                    (1, _) => self.part::<V, W, S, 1, 1>(panel, strips, &mut movers),
                    (_, ..4) => self.part::<V, W, S, R, 1>(panel, strips, &mut movers),
                    (_, 4..) if exact < R => {
                        self.part::<V, W, S, R, 4>(panel, strips, &mut movers);
                    }
                    _ => self.part::<V, W, S, R, R>(panel, strips, &mut movers),
                }
                for mover in movers {
                    let cells = mover.as_flattened_mut();
                    cached_steps::<u32, V, W, R>(cells, S * near, &self.plain, &|v| v);
                }
            }
            let [left, right] = scratch.each_mut().map(|mover| mover.as_flattened_mut());
            let next = Strips { strip: strip + 1, skew, first: 0 };
            // What the next strip reads is fetched while this one is worked on.
            let fetch = |k: usize, column: usize| {
                if next.strip < count {
                    let row = k * block + column / S;
                    let vectors = panel[row].as_chunks::<W>().0;
                    memory::fetch_many(&vectors[next.place(row) * S + column % S]);
                }
            };
            match blocks {
                8 if R == 16 => self.meet::<V, W, 8>(left, right, S * block, fetch),
                4 => self.meet::<V, W, 4>(left, right, S * block, fetch),
                2 => self.meet::<V, W, 2>(left, right, S * block, fetch),
                _ => self.meet::<V, W, 1>(left, right, S * block, fetch),
            }
            for (at, panel) in panel.chunks_exact_mut(block).enumerate() {
                let strips = Strips { strip, skew, first: at * block };
                let sums = &mut scratch[0][at * pitch..][..block];
                let cells = sums.as_flattened_mut();
                cached_steps::<u32, V, W, R>(cells, S * near, &self.butterfly, &self.fold);
                match near {
                    1 => self.join::<V, W, S, 1>(sums, panel, strips),
                    _ => self.join::<V, W, S, R>(sums, panel, strips),
                }
            }
        }
    }

    /// A strip's pairs parted to a scratch of each mover, the stages between `G` neighbours made
    /// on the way: in pairs those nearer than `E` rows.
    #[expect(clippy::needless_range_loop, reason = "a column runs through all rows")]
    #[inline(always)]
    fn part<V: Pod, const W: usize, const S: usize, const G: usize, const E: usize>(
        &self,
        panel: &[&mut [u32]],
        strips: Strips,
        [left, right]: &mut [&mut [[[u32; W]; S]]; 2],
    ) where
        N: Fn(V, V) -> (V, V),
        H: Fn(V) -> (V, V),
        P: Fn(V, V) -> (V, V),
    {
        let movers = left.as_chunks_mut::<G>().0.iter_mut().zip(right.as_chunks_mut::<G>().0);
        for (group, (from, (left, right))) in
            panel.as_chunks::<G>().0.iter().zip(movers).enumerate()
        {
            let mut at = [0; G];
            for r in 0..G {
                at[r] = strips.place(group * G + r) * S;
            }
            for s in 0..S {
                let mut pairs = [V::zeroed(); G];
                for r in 0..G {
                    pairs[r] = must_cast(from[r].as_chunks::<W>().0[at[r] + s]);
                }
                butterflies_among(1..E, &mut pairs, &self.narrow);
                let mut v = [V::zeroed(); G];
                for r in 0..G {
                    v[r] = (self.halves)(pairs[r]).0;
                }
                butterflies_among(E..G, &mut v, &self.plain);
                for r in 0..G {
                    left[r][s] = must_cast(v[r]);
                }
                for r in 0..G {
                    v[r] = (self.halves)(pairs[r]).1;
                }
                butterflies_among(E..G, &mut v, &self.plain);
                for r in 0..G {
                    right[r][s] = must_cast(v[r]);
                }
            }
        }
    }

    /// The last stages of each mover, between `K` blocks of `length` vectors, the squares, and
    /// the same stages back.
    #[inline(always)]
    fn meet<V: Pod, const W: usize, const K: usize>(
        &self,
        left: &mut [[u32; W]],
        right: &[[u32; W]],
        length: usize,
        fetch: impl Fn(usize, usize),
    ) where
        P: Fn(V, V) -> (V, V),
        Q: Fn(V, V) -> V,
        B: Fn(V, V) -> (V, V),
        F: Fn(V) -> V,
    {
        let pitch = left.len() / K;
        let mut parts = left.chunks_exact_mut(pitch);
        let left: [&mut [[u32; W]]; K] =
            array::from_fn(|_| &mut parts.next().expect("K blocks")[..length]);
        let mut parts = right.chunks_exact(pitch);
        let right: [&[[u32; W]]; K] =
            array::from_fn(|_| &parts.next().expect("K blocks")[..length]);
        for column in 0..length {
            let (mut a, mut b) = ([V::zeroed(); K], [V::zeroed(); K]);
            for k in 0..K {
                b[k] = must_cast(right[k][column]);
                fetch(k, column);
            }
            butterflies(&mut b, &self.plain);
            for k in 0..K {
                a[k] = must_cast(left[k][column]);
            }
            butterflies(&mut a, &self.plain);
            for k in 0..K {
                a[k] = (self.squares)(a[k], b[k]);
            }
            butterflies(&mut a, &self.butterfly);
            for k in 0..K {
                left[k][column] = must_cast((self.fold)(a[k]));
            }
        }
    }

    /// A scratch back to its strip, the stages between `G` neighbours made on the way.
    #[expect(clippy::needless_range_loop, reason = "a column runs through all rows")]
    #[inline(always)]
    fn join<V: Pod, const W: usize, const S: usize, const G: usize>(
        &self,
        scratch: &[[[u32; W]; S]],
        panel: &mut [&mut [u32]],
        strips: Strips,
    ) where
        B: Fn(V, V) -> (V, V),
        F: Fn(V) -> V,
    {
        let groups = panel.as_chunks_mut::<G>().0.iter_mut().zip(scratch.as_chunks::<G>().0);
        for (group, (to, rows)) in groups.enumerate() {
            let mut at = [0; G];
            for r in 0..G {
                at[r] = strips.place(group * G + r) * S;
            }
            for s in 0..S {
                let mut v = [V::zeroed(); G];
                for r in 0..G {
                    v[r] = must_cast(rows[r][s]);
                }
                butterflies(&mut v, &self.butterfly);
                for r in 0..G {
                    // Without stages there is nothing that a fold would undo.
                    let v = if G > 1 { (self.fold)(v[r]) } else { v[r] };
                    to[r].as_chunks_mut::<W>().0[at[r] + s] = must_cast(v);
                }
            }
        }
    }
}

/// One strip of some rows.
#[derive(Clone, Copy)]
struct Strips {
    strip: usize,
    skew: Skew,
    /// The number of the first of the rows.
    first: usize,
}

impl Strips {
    /// Where it stands in a row, counted from the first.
    #[inline(always)]
    fn place(self, at: usize) -> usize {
        self.skew.row(self.first + at).place(self.strip)
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
