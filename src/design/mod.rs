//! Codes fitted to a price list: the cheapest a search finds, those of the
//! largest distance, and what is proved about either.
//!
//! A key of `L` bits on `n` features has a code of dimension `n − L`. Where all
//! positions are even its odd words cost nothing, so a design is an *even* code
//! of dimension `n − 1 − L` and one odd word beside it:
//!
//! ```text
//! prices of even sets ─► search ─► even code ─► + odd word ─► words of a key
//!                          └─► prove: no even code is cheaper
//! weights of all sets ─► search ─► code of largest distance
//! ```
//!
//! That takes a price for every set. Positions of more features (up to 64) are designed for
//! in the space their differences span ([`Space`]) if that is small enough, else by
//! quotients of longer keys ([`cheap_key`]); codes of large distance are then drawn from
//! known families ([`long_code`]).
//!
//! Every restart is seeded by its number, so a design depends on neither the
//! number of restarts before it nor the threads.
//!
//! Proved least reachable pairs on 4x5, by `zlab design 4x5 --bits L --prove`
//! on a Zen 5 (seconds of CPU time, nearly all of it on as many threads as there are):
//!
//! ```text
//! bits      18     17      16       15         14
//! pairs      0    460   3,116   10,245   ≤ 26,586, not proved in 89 s on two threads
//! seconds  0.02   0.03    1.5       19
//! ```

mod bitfold;
mod bounds;
mod free;
mod ground;
mod long;
mod prove;
mod quotient;
mod search;
mod space;

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use crate::board::Board;
use crate::census::Census;
use crate::code::Code;
use crate::cosets::{self, CosetKernel};
use crate::error::Error;
use crate::tier::{self, Tier};
use crate::{draw, gf2, memory};

pub use bounds::{griesmer, sphere_packing};
pub use free::largest_free_code;
pub use ground::{Ground, MOST_FEATURES};
pub use long::{Long, long_code};
pub use prove::{Proof, bound_from_below, prove};
use quotient::crowded;
pub use quotient::{Quotient, cheap_key, crowded_pairs};
pub use search::{Folds, Found, MOST_KEPT, capped, descend, greedy, random, settle, total};
pub use space::Space;

/// Streams of a seed below this one are restarts'; odd words and mixing draw from those above.
const OTHER_STREAMS: u64 = 1 << 32;

/// Folds that a restart spends on second starts when nothing is proved after it.
pub const EFFORT: usize = 1024;

/// What the cells of a list of prices stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sets {
    /// Number of features.
    pub features: usize,
    /// Whether the cells are the even sets, numbered without their highest feature.
    pub even: bool,
}

impl Sets {
    /// The sets that a census counts.
    pub fn of(census: &Census) -> Self {
        Self { features: census.features(), even: census.parity_dropped() }
    }

    /// `m`, of `2^m` cells.
    pub fn dimension(self) -> usize {
        self.features - usize::from(self.even && self.features > 0)
    }

    /// The set of a cell.
    pub fn set(self, cell: u32) -> u64 {
        let odd = self.even && cell.count_ones() % 2 == 1;
        u64::from(cell) | if odd { 1 << (self.features - 1) } else { 0 }
    }

    /// The cell of a set that has one.
    pub fn cell(self, set: u64) -> u32 {
        (set & ((1 << self.dimension()) - 1)) as u32
    }

    /// The dimension of the code to look for among the cells, for a key of `bits`.
    pub fn code_dimension(self, bits: usize) -> usize {
        self.dimension().saturating_sub(bits)
    }
}

/// The fastest fold of this CPU.
pub fn fold_kernel() -> &'static dyn CosetKernel {
    tier::pick(cosets::KERNELS, None, Tier::best()).expect("a scalar kernel is always there").1
}

/// Refuses a length at which sums of prices may pass the cap of a fold. The
/// cheapest coset that is not the code itself costs at most the average, less
/// than the pairs a random key confuses; below the cap every such sum is exact.
/// `what` names the flag that gave the length.
///
/// # Errors
/// A random key of `bits` confuses [`cosets::CAP`] of the `pairs` or more.
pub fn require_sums(what: &str, bits: usize, pairs: u128) -> Result<(), Error> {
    let expected = pairs as f64 / (bits as f64).exp2();
    if expected < f64::from(cosets::CAP) {
        return Ok(());
    }
    let problem = format!(
        "a random key of {bits} bits confuses {expected:.0} pairs, and sums are held up to 2^30: \
         want more bits"
    );
    Err(Error::argument(what, problem))
}

/// Codes of `dimension` of low total price, one a restart: the first restart
/// descends from the greedy code, the others from random ones, each with
/// `effort` folds for second starts ([`EFFORT`]; 0 for none). Totals are those of
/// the code where [`require_sums`] lets the length pass.
pub fn cheap_codes(
    prices: &[u32],
    dimension: usize,
    restarts: usize,
    effort: usize,
    seed: u64,
    progress: &ProgressBar,
) -> Vec<Found> {
    let prices = capped(prices);
    let restart = |restart: usize| {
        let mut folds = Folds::new(fold_kernel(), &prices);
        let mut generator = draw::generator(seed, restart as u64);
        let start = match restart {
            0 => greedy(&mut folds, dimension),
            _ => random(&folds, dimension, &mut generator),
        };
        let found = settle(&mut folds, start, effort, &mut generator);
        progress.inc(1);
        found
    };
    (0..restarts).into_par_iter().map(restart).collect()
}

/// The largest code of free sets that a search finds: [`cheap_codes`] of one
/// dimension more each time, until no restart finds one without a price.
pub fn cheap_free_code(
    prices: &[u32],
    restarts: usize,
    seed: u64,
    progress: &ProgressBar,
) -> Found {
    let mut largest = Found { total: 0, basis: Vec::new() };
    while 1 << (largest.basis.len() + 1) <= prices.len() {
        let dimension = largest.basis.len() + 1;
        let codes = cheap_codes(prices, dimension, restarts, EFFORT, seed, progress);
        match codes.into_iter().find(|found| found.total == 0) {
            Some(found) => largest = found,
            None => break,
        }
    }
    largest
}

/// Codes of the largest distance found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distant {
    /// The least weight of a word other than the empty set; none of dimension 0.
    pub distance: Option<usize>,
    /// No code has a larger distance: the lesser of Griesmer's and the
    /// sphere-packing bound, an even one for even codes.
    pub bound: Option<usize>,
    /// A code from each restart that reached the distance, or one of the first alone.
    pub codes: Vec<Found>,
}

/// Codes among `sets` of `dimension` with the largest distance that a search
/// finds: distances are tried from the bound down, with prices that rise with
/// what a set lacks in weight. With `all`, every restart counts.
///
/// # Errors
/// The prices of all sets do not fit the memory that is free.
pub fn distant_codes(
    sets: Sets,
    dimension: usize,
    restarts: usize,
    seed: u64,
    all: bool,
    progress: &ProgressBar,
) -> Result<Distant, Error> {
    let bound = distance_bound(sets, dimension);
    let threads = rayon::current_num_threads() as u64;
    let what = format!("weights of the sets of {} features", sets.features);
    if sets.dimension() > 31 {
        let problem = format!("{what}: at most 32 features can be searched for distance");
        return Err(Error::argument("--objective", problem));
    }
    memory::require(&what, (4 * (1 + threads)) << sets.dimension(), "")?;
    let step = 1 + usize::from(sets.even);
    for target in (1..=bound.unwrap_or(0)).rev().step_by(step) {
        let lacks = |cell| target.saturating_sub(sets.set(cell).count_ones() as usize);
        let price = |cell| lacks(cell).checked_sub(1).map_or(0, |lack| 1u32 << (2 * lack).min(24));
        let prices: Vec<u32> = (0..1u32 << sets.dimension()).into_par_iter().map(price).collect();
        let prices = capped(&prices);
        let attempt = |restart: usize| {
            let mut folds = Folds::new(fold_kernel(), &prices);
            let mut generator = draw::generator(seed, restart as u64);
            let found = match restart {
                0 => greedy(&mut folds, dimension),
                _ => random(&folds, dimension, &mut generator),
            };
            let found = descend(&mut folds, found, &mut generator);
            progress.inc(1);
            (found.total == 0).then_some(found)
        };
        // The lexicode is one restart's cheap chance, so it goes before the others.
        let lexicode = if all { None } else { attempt(0) };
        let codes: Vec<Found> = match lexicode {
            Some(code) => vec![code],
            None if all => (0..restarts).into_par_iter().filter_map(attempt).collect(),
            None => (1..restarts).into_par_iter().find_map_first(attempt).into_iter().collect(),
        };
        if !codes.is_empty() {
            return Ok(Distant { distance: Some(target), bound, codes });
        }
    }
    let nothing = Found { total: 0, basis: Vec::new() };
    Ok(Distant { distance: None, bound: None, codes: vec![nothing] })
}

/// The largest distance the bounds allow; an even one for even codes.
pub fn distance_bound(sets: Sets, dimension: usize) -> Option<usize> {
    let n = sets.features;
    let bound = griesmer(n, dimension).min(sphere_packing(n, dimension))?;
    Some(if sets.even { bound - bound % 2 } else { bound })
}

/// The code of a key of `bits` with the cells' code in it: among even sets an
/// odd word is added, of large distance from the code among some drawn by `seed`.
///
/// # Panics
/// If the code has not the dimension that [`Sets::code_dimension`] says.
pub fn completed(sets: Sets, bits: usize, cells: &[u32], seed: u64) -> Code {
    let basis: Vec<u64> = cells.iter().map(|&cell| sets.set(cell)).collect();
    completed_sets(sets, bits, &basis, seed)
}

/// As [`completed`], from the sets themselves: of up to 64 features.
///
/// # Panics
/// As [`completed`].
pub fn completed_sets(sets: Sets, bits: usize, basis: &[u64], seed: u64) -> Code {
    let features = sets.features;
    let mut basis = basis.to_vec();
    if sets.even && bits < features {
        let mut generator = draw::generator(seed, OTHER_STREAMS);
        let mask = u64::MAX >> (64 - features);
        let odd = |generator: &mut rand_chacha::ChaCha8Rng| {
            let set = generator.next_u64() & mask;
            if set.count_ones() % 2 == 1 { set } else { set ^ 1 }
        };
        let distance = |odd: &u64| {
            gf2::span(&basis).map(|set| (set ^ odd).count_ones()).min().expect("at least the set")
        };
        // Of a large code all sets are near, and walking it takes long.
        let best = if basis.len() <= 12 {
            (0..64).map(|_| odd(&mut generator)).max_by_key(distance).expect("some are drawn")
        } else {
            odd(&mut generator)
        };
        basis.push(best);
    }
    let code = Code::spanned(features, &basis);
    assert_eq!(code.dimension(), features - bits, "a key of {bits} bits on {features} features");
    code
}

/// Words of a key of the fewest bits with that code, mixed by a random
/// invertible matrix: any of their bits are then as good an address as any
/// other, where the plain words would make one of a few features.
pub fn mixed_words(code: &Code, seed: u64) -> Vec<u64> {
    let bits = code.bits();
    if bits == 0 {
        return code.words();
    }
    let columns = draw::invertible(bits, &mut draw::generator(seed, OTHER_STREAMS + 1));
    code.words().into_iter().map(|word| gf2::times(&columns, word)).collect()
}

/// The symmetries of the board that leave a census as it is, as linear maps of
/// its cells: the image of every bit.
pub fn price_symmetries(board: Board, sets: Sets, prices: &[u32]) -> Vec<Vec<u32>> {
    let bits = 0..sets.dimension();
    let map = |&symmetry: &crate::board::Symmetry| -> Vec<u32> {
        bits.clone().map(|bit| sets.cell(board.image(symmetry, sets.set(1 << bit)))).collect()
    };
    let kept = |map: &Vec<u32>| {
        let units: Vec<(u32, u32)> = map.iter().enumerate().map(|(b, &to)| (1 << b, to)).collect();
        // Set and image walk together in the order of Gray's code.
        let (mut cell, mut image) = (0, 0);
        (1..prices.len()).all(|step| {
            let (bit, to) = units[step.trailing_zeros() as usize];
            (cell, image) = (cell ^ bit, image ^ to);
            prices[cell as usize] == prices[image as usize]
        })
    };
    board.symmetries().iter().map(map).filter(kept).collect()
}

/// Proves what the cheapest code of `known`'s dimension costs, or how little it
/// can cost as far as the time goes: dimension by dimension, since each bounds
/// the next.
pub fn prove_cheapest(
    prices: &[u32],
    known: &Found,
    symmetries: &[Vec<u32>],
    seed: u64,
    until: Instant,
    progress: &ProgressBar,
) -> Proof {
    let (kernel, images) = (fold_kernel(), |cell| images(symmetries, cell));
    let capped_prices = capped(prices);
    let hidden = ProgressBar::hidden();
    let mut below = 0;
    for smaller in 1..known.basis.len() {
        let known = cheap_codes(prices, smaller, 8, EFFORT / 4, seed, &hidden);
        let known = known.into_iter().min_by_key(|found| found.total).expect("eight restarts");
        let proof = prove(kernel, &capped_prices, &known, &images, below, until, &hidden);
        below = proof.lower_bound;
    }
    prove(kernel, &capped_prices, known, &images, below, until, progress)
}

/// What is proved of the cheapest code of each dimension within `each` of time,
/// given one of each, in dimensions that rise by one.
pub fn lower_bounds(
    prices: &[u32],
    known: &[&Found],
    symmetries: &[Vec<u32>],
    each: Duration,
) -> Vec<u64> {
    let (kernel, images) = (fold_kernel(), |cell| images(symmetries, cell));
    let (prices, hidden) = (capped(prices), ProgressBar::hidden());
    let bounds = known.iter().scan(0, |below, known| {
        let until = Instant::now() + each;
        *below = prove(kernel, &prices, known, &images, *below, until, &hidden).lower_bound;
        Some(*below)
    });
    bounds.collect()
}

/// A cell and its images, each once.
fn images(symmetries: &[Vec<u32>], cell: u32) -> Vec<u32> {
    let mut images: Vec<u32> = symmetries.iter().map(|map| gf2::times(map, cell.into())).collect();
    images.push(cell);
    images.sort_unstable();
    images.dedup();
    images
}

#[cfg(test)]
mod tests;
