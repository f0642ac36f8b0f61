//! The census of a function too large for memory, some differences at a time.
//!
//! Write an index as `(g, x)`: `k` high bits and the rest. Let `F_u` be the transform, over
//! `x` alone, of `f_u(x) = Σ_g (−1)^|u & g| f(g, x)`. Then the ordered pairs that differ
//! by `(h, ·)` are
//!
//! ```text
//! 2A_h  =  2^-k Σ_u (−1)^|u & h| WHT⁻¹(F_u²)  =  2^-k WHT⁻¹( Σ_u (−1)^|u & h| F_u² )
//! ```
//!
//! so that one sweep over the slices `F_u`, each needed once and then forgotten, adds to
//! the sums of as many `h` as there is memory for; and a sum needs one transform back.
//! (The other order, `Σ_g F_g F_(g ^ h)` with a transform for every `g`, needs that
//! sweep for each `h` anew.)
//!
//! Slices come `2^a` at a time, as one array transformed at once:
//!
//! ```text
//! slices      u = 00   01   10   11      a = 2
//! squares       s0     s1   s2   s3      modulo 2^q − 1
//! over u      s0+s1+s2+s3   s0−s1+s2−s3   …     then added to the sums of each h
//! ```
//!
//! Sums are residues modulo `2^q − 1`: those of [`Modulus`], whose size stays below
//! `2^q + 2^(31−q)`.

use rayon::prelude::*;

use super::blocked::{Arithmetic, Engine, Work};
use super::modulus::Modulus;
use super::steps::STRIP_BYTES;

/// The sum of one difference `h`, and how the slices at hand enter it.
pub struct Sum<'a> {
    /// The part of `h` that stands among the slices at hand: below `2^a`.
    pub slice: usize,
    /// Whether the slices at hand are subtracted: the parity of `u & h` in the other bits.
    pub negative: bool,
    /// The residues so far; as many as a slice has cells.
    pub cells: &'a mut [i32],
}

/// Bytes of the tiles of all slices that are squared together: they stay in the second-level
/// cache, and each is long enough to be fetched ahead (in the first level's, a tile of 256
/// slices was 128 bytes, and nearly all time went by waiting for the next).
const TILE_BYTES: usize = 1 << 19;

/// Cells of each slice that a thread takes at a time.
const PART: usize = 1 << 16;

/// See [`super::WalshKernel::accumulate`].
pub(super) fn accumulate(
    engine: &dyn Engine,
    transform: &[i32],
    sums: &mut [Sum<'_>],
    modulus: Modulus,
) {
    let length = sums.first().map_or(transform.len(), |sum| sum.cells.len());
    let slices = transform.len() / length;
    let tile = (TILE_BYTES / size_of::<i32>() / slices).clamp(STRIP_BYTES / 4, length.min(PART));
    // Part p of every sum, side by side.
    let mut parts: Vec<Vec<(usize, bool, &mut [i32])>> = Vec::new();
    parts.resize_with(length.div_ceil(PART), Vec::new);
    for Sum { slice, negative, cells } in sums {
        for (part, cells) in parts.iter_mut().zip(cells.chunks_mut(PART)) {
            part.push((*slice, *negative, cells));
        }
    }
    parts.into_par_iter().enumerate().for_each(|(index, mut sums)| {
        let start = index * PART;
        let mut squares = vec![0; slices * tile];
        for at in (start..(start + PART).min(length)).step_by(tile) {
            let tiles = squares.chunks_exact_mut(tile);
            for (slice, tile) in transform.chunks_exact(length).zip(tiles) {
                engine.run(Work::Squares(&slice[at..at + tile.len()], tile, modulus));
            }
            if slices > 1 {
                let mut panel: Vec<&mut [i32]> = squares.chunks_exact_mut(tile).collect();
                engine.run(Work::Across32(&mut panel, Arithmetic::Modulo(modulus)));
            }
            for (slice, negative, cells) in &mut sums {
                let cells = &mut cells[at - start..][..tile];
                let more = &squares[*slice * tile..][..tile];
                engine.run(Work::Add { cells, more, negative: *negative, modulus });
            }
        }
    });
}

/// The definition of [`super::WalshKernel::accumulate`].
pub(super) fn accumulate_one_by_one(transform: &[i32], sums: &mut [Sum<'_>], modulus: Modulus) {
    for Sum { slice, negative, cells } in sums {
        let length = cells.len();
        for (x, cell) in cells.iter_mut().enumerate() {
            let values = transform[x..].iter().step_by(length).enumerate();
            let signed = values.map(|(u, &value)| {
                let odd = ((u & *slice).count_ones() % 2 == 1) != *negative;
                let square = i64::from(modulus.square(value));
                if odd { -square } else { square }
            });
            let total: i64 = i64::from(*cell) + signed.sum::<i64>();
            *cell = (total % i64::from(modulus.value())) as i32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{KERNELS, Modulus, WalshKernel, autocorrelation};
    use super::*;
    use crate::tier;

    /// The census of two sets among 2^log cells, `2^outer` sweeps of `2^inner` slices each.
    fn by_slices(
        kernel: &dyn WalshKernel,
        lists: [&[u64]; 2],
        log: u32,
        [outer, inner]: [u32; 2],
        modulus: Modulus,
    ) -> Vec<u32> {
        let low = log - outer - inner;
        let mut all = vec![0i32; 1 << log];
        for list in lists {
            for u in 0..1usize << outer {
                let mut slices = vec![0; 1 << (low + inner)];
                for &x in list {
                    let odd = (u & x as usize >> (low + inner)).count_ones() % 2 == 1;
                    slices[x as usize & ((1 << (low + inner)) - 1)] += if odd { -1 } else { 1 };
                }
                kernel.forward32(&mut slices);
                let mut sums: Vec<Sum<'_>> = all
                    .chunks_exact_mut(1 << low)
                    .enumerate()
                    .map(|(h, cells)| Sum {
                        slice: h & ((1 << inner) - 1),
                        negative: (h >> inner & u).count_ones() % 2 == 1,
                        cells,
                    })
                    .collect();
                // Differences in any order, and not all of them.
                sums.reverse();
                let (some, others) = sums.split_at_mut(1);
                kernel.accumulate(&slices, some, modulus);
                kernel.accumulate(&slices, others, modulus);
            }
        }
        let mut cells = Vec::new();
        for (h, sum) in all.chunks_exact_mut(1 << low).enumerate() {
            kernel.back(sum, modulus);
            if h == 0 {
                sum[0] = 0;
            }
            let sum = bytemuck::must_cast_slice_mut(sum);
            assert_eq!(kernel.quotients(sum, modulus, log) & 1, 0, "an odd count");
            cells.extend_from_slice(sum);
        }
        cells
    }

    #[test]
    fn slices_count_as_the_whole() {
        let mut word = 1u64;
        let mut random = || {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            word >> 40
        };
        for (log, outer, inner) in
            [(6, 0, 0), (7, 1, 0), (8, 0, 2), (12, 2, 1), (13, 1, 3), (16, 3, 2), (18, 0, 1)]
        {
            let mut list = |count: u64| {
                let mut list: Vec<u64> = (0..count).map(|_| random() % (1 << log)).collect();
                list.sort_unstable();
                list.dedup();
                list
            };
            let (left, right) = (list(1 << (log - 2)), list(100));
            let (_, kernel) = tier::pick(KERNELS, None, tier::Tier::best()).unwrap();
            let mut want = vec![0; 1 << log];
            autocorrelation(kernel, &[&left, &right], &mut want).unwrap();
            for kernel in tier::available(KERNELS) {
                if kernel.name == "oracle" && log > 12 {
                    continue;
                }
                println!("covered: {} at 2^{log}, 2^{outer} by 2^{inner} slices", kernel.name);
                let total = (left.len() + right.len()) as u64;
                // A roomy modulus, the least one, and the tightest.
                for above in [total, 1 << 20, Modulus::LARGEST] {
                    let modulus = Modulus::above(above).unwrap();
                    let kernel = kernel.get().unwrap();
                    let got = by_slices(kernel, [&left, &right], log, [outer, inner], modulus);
                    assert!(got == want, "modulo 2^{} - 1", modulus.q());
                }
            }
        }
    }

    #[test]
    fn back_is_back_in_rows_and_back_between_them() {
        for (log, row) in
            [(0, 0), (3, 1), (6, 6), (9, 3), (10, 4), (10, 5), (11, 9), (14, 7), (19, 18)]
        {
            for kernel in tier::available(KERNELS) {
                println!("covered: {} at 2^{log} in rows of 2^{row}", kernel.name);
                for above in [1 << 20, Modulus::LARGEST] {
                    let modulus = Modulus::above(above).unwrap();
                    let residue = |at: u32| (at.wrapping_mul(2_654_435_761) >> 3) as i32;
                    let residue = |at| modulus.fold(residue(at)) * if at % 3 == 0 { -1 } else { 1 };
                    let mut want: Vec<i32> = (0..1u32 << log).map(residue).collect();
                    let mut got = want.clone();
                    let kernel = kernel.get().unwrap();
                    kernel.back(&mut want, modulus);
                    got.chunks_exact_mut(1 << row).for_each(|row| kernel.back(row, modulus));
                    kernel.back_between(&mut got, 1 << row, modulus);
                    let number = |cell: &i32| modulus.quotient(*cell, 0);
                    assert!(got.iter().map(number).eq(want.iter().map(number)));
                }
            }
        }
    }
}
