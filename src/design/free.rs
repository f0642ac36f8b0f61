//! The largest code of free sets, by exhaustion on bitmaps.
//!
//! Where only free sets will do, a price is one bit and a fold an AND: 64
//! cosets in a word, where [`prove`](super::prove) adds prices one by one.
//!
//! ```text
//! free sets F on 2^m     u free     F₁ = F ∩ (F + u) on 2^(m−1)     v in F₁ …
//! ```
//!
//! Every code is met once: its lowest vector first, after which all codes with
//! that vector have been seen and it is struck. What is left after a fold must
//! have a bit for each further word of the code, or is given up. Of the even sets
//! of 4x5, 93,057 have no stored pair and span 85 million codes of dimension 2:
//! that many folds decide whether there is one of dimension 4.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::bitfold::{self, BitFold};
use super::search::Found;
use crate::cosets::{lift, number};
use crate::tier::{self, Tier};

/// A set of cells, 64 a word; fewer than 64 cells are a part of one word.
type Bitmap = Vec<u64>;

/// Vectors that are worked on together, after which they are struck.
const GROUP: usize = 256;

/// The largest code of which every word but the empty set has price 0, and
/// whether it is proved that none is larger: from `known`, one more dimension
/// each time until there is none, or the time is up.
pub fn largest_free_code(
    prices: &[u32],
    known: Vec<u32>,
    symmetries: &[Vec<u32>],
    until: Instant,
    progress: &ProgressBar,
) -> (Found, bool) {
    let mut free: Bitmap = vec![0; prices.len().div_ceil(64)];
    for (cell, _) in prices.iter().enumerate().skip(1).filter(|(_, price)| **price == 0) {
        free[cell / 64] |= 1 << (cell % 64);
    }
    let mut largest = known;
    loop {
        let dimension = largest.len() + 1;
        match free_code(&free, prices.len(), dimension, symmetries, until, progress) {
            Searched::Found(code) => largest = code,
            Searched::Exhausted => return (Found { total: 0, basis: largest }, true),
            Searched::Late => return (Found { total: 0, basis: largest }, false),
        }
    }
}

/// How a search for a code of some dimension ended.
enum Searched {
    Found(Vec<u32>),
    Exhausted,
    Late,
}

/// A basis of some code of that dimension within `free`, if there is one.
fn free_code(
    free: &Bitmap,
    cells: usize,
    dimension: usize,
    symmetries: &[Vec<u32>],
    until: Instant,
    progress: &ProgressBar,
) -> Searched {
    let late = AtomicBool::new(false);
    let mut free = free.clone();
    let vectors: Vec<u32> = members(&free).collect();
    let picked = tier::pick(bitfold::KERNELS, None, Tier::best());
    let (_, kernel) = picked.expect("a scalar kernel is always there");
    progress.set_position(0);
    progress.set_length(vectors.len() as u64);
    for group in vectors.chunks(GROUP) {
        let group: Vec<u32> = group.iter().copied().filter(|&v| holds(&free, v)).collect();
        let code = group.par_iter().enumerate().find_map_first(|(index, &vector)| {
            if dimension == 1 {
                return Some(vec![vector]);
            }
            let mut folded = vec![0; (cells / 2).div_ceil(64)];
            fold(kernel, &free, cells, vector, &mut folded);
            for &struck in &group[..index] {
                let cell = number(struck, vector) as usize;
                folded[cell / 64] &= !(1 << (cell % 64));
            }
            let mut rooms: Vec<Bitmap> =
                (2..dimension).map(|depth| vec![0; (cells >> depth).div_ceil(64)]).collect();
            let mut chain = vec![vector];
            let mut search = Search { kernel, until, late: &late, chain: &mut chain };
            let extended = search.extend(&mut folded, cells / 2, dimension - 1, &mut rooms);
            extended.then_some(chain)
        });
        if let Some(chain) = code {
            let lifted = |depth: usize| {
                chain[..depth].iter().rev().fold(chain[depth], |set, &by| lift(set, by))
            };
            return Searched::Found((0..chain.len()).map(lifted).collect());
        }
        if late.load(Ordering::Relaxed) {
            return Searched::Late;
        }
        for vector in group {
            strike(&mut free, vector);
            for map in symmetries {
                strike(&mut free, crate::gf2::times(map, vector.into()));
            }
        }
        progress.inc(GROUP as u64);
    }
    Searched::Exhausted
}

/// A code being built.
struct Search<'a> {
    kernel: &'a dyn BitFold,
    until: Instant,
    late: &'a AtomicBool,
    chain: &'a mut Vec<u32>,
}

impl Search<'_> {
    /// Adds `dimension` vectors of `free` to the chain, if it can be done in time.
    fn extend(
        &mut self,
        free: &mut Bitmap,
        cells: usize,
        dimension: usize,
        rooms: &mut [Bitmap],
    ) -> bool {
        let words = (1 << dimension) - 1;
        let mut left: usize = free.iter().map(|word| word.count_ones() as usize).sum();
        if left < words {
            return false;
        }
        if dimension == 1 {
            self.chain.extend(members(free).next());
            return true;
        }
        if Instant::now() > self.until {
            self.late.store(true, Ordering::Relaxed);
        }
        let (folded, rest) = rooms.split_first_mut().expect("a room a dimension");
        let vectors: Vec<u32> = members(free).collect();
        for vector in vectors {
            if left < words || self.late.load(Ordering::Relaxed) {
                return false;
            }
            let further = fold(self.kernel, free, cells, vector, folded);
            if further >= words / 2 {
                self.chain.push(vector);
                if self.extend(folded, cells / 2, dimension - 1, rest) {
                    return true;
                }
                self.chain.pop();
            }
            strike(free, vector);
            left -= 1;
        }
        false
    }
}

fn holds(free: &Bitmap, cell: u32) -> bool {
    free[cell as usize / 64] >> (cell % 64) & 1 == 1
}

fn strike(free: &mut Bitmap, cell: u32) {
    free[cell as usize / 64] &= !(1 << (cell % 64));
}

fn members(free: &Bitmap) -> impl Iterator<Item = u32> {
    let words = free.iter().enumerate();
    words.flat_map(|(index, word)| {
        crate::board::squares_of(*word).map(move |bit| (index * 64 + bit) as u32)
    })
}

/// Writes the cosets of `by` of which both sets are free, coset 0 apart, and counts them.
fn fold(kernel: &dyn BitFold, free: &Bitmap, cells: usize, by: u32, folded: &mut Bitmap) -> usize {
    if by >= 64 {
        let count = kernel.fold(free, by, folded);
        let empty = folded[0] & 1;
        folded[0] &= !1;
        return count - empty as usize;
    }
    folded.fill(0);
    for coset in 1..(cells / 2) as u32 {
        let set = lift(coset, by);
        if holds(free, set) && holds(free, set ^ by) {
            folded[coset as usize / 64] |= 1 << (coset % 64);
        }
    }
    folded.iter().map(|word| word.count_ones() as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cosets;

    #[test]
    fn folding_bits_is_folding_prices() {
        let (_, kernel) = tier::pick(cosets::KERNELS, Some("scalar"), Tier::Scalar).unwrap();
        let kernels = tier::available(bitfold::KERNELS);
        for (bits, m) in kernels.into_iter().flat_map(|bits| (1..12).map(move |m| (bits, m))) {
            println!("bitfold/{} at 2^{m}", bits.name);
            let prices: Vec<u32> = (0..1u32 << m)
                .map(
                    |set| {
                        if set == 0 { cosets::CAP } else { set.wrapping_mul(2_654_435_761) >> 31 }
                    },
                )
                .collect();
            let mut free = vec![0; prices.len().div_ceil(64)];
            for (cell, _) in prices.iter().enumerate().filter(|(_, price)| **price == 0) {
                free[cell / 64] |= 1 << (cell % 64);
            }
            assert_eq!(members(&free).count(), prices.iter().filter(|price| **price == 0).count());
            for by in 1..1 << m {
                let mut folded_prices = vec![0; 1 << (m - 1)];
                kernel.fold(&prices, by, &mut folded_prices);
                let mut folded = vec![u64::MAX; (1usize << (m - 1)).div_ceil(64)];
                let bits = bits.get().unwrap();
                let count = fold(bits, &free, 1 << m, by, &mut folded);
                for (cell, &price) in folded_prices.iter().enumerate() {
                    assert_eq!(holds(&folded, cell as u32), price == 0, "{cell} by {by} at 2^{m}");
                }
                assert_eq!(count, folded_prices.iter().filter(|price| **price == 0).count());
            }
        }
    }
}
