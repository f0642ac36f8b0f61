//! Proof by branch and bound that no code of a dimension is cheaper.
//!
//! Order a code's generators so that each is the cheapest vector of those it
//! can still be, after the ones before it have been folded in:
//!
//! ```text
//! prices A on 2^m   u₁ cheapest        fold by u₁
//! prices A₁ on 2^(m−1)                 u₂ cheapest coset, fold by u₂
//! …                                    total = A(u₁) + A₁(u₂) + A₂(u₃) + …
//! ```
//!
//! Folded, what is left of a code of dimension `k` is one of `k − 1` whose
//! `2^(k−1) − 1` words are each at least as dear as the next generator. So a
//! generator dearer than what may still be spent over that number is out, and
//! once all codes that hold a vector have been seen the vector is struck from
//! the prices. Where the prices are symmetric, so are its images.
//!
//! A total that is proved for `k − 1` bounds `k` too: each word of a code lies
//! in `2^(k−1) − 1` of the `2^k − 1` codes of one dimension less within it, so
//! `total_k · (2^(k−1) − 1) ≥ total_(k−1) · (2^k − 1)`.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::search::Found;
use crate::cosets::{CAP, CosetKernel, lift, number};

/// What is known about the cheapest code of a dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// No code is cheaper.
    pub lower_bound: u64,
    /// The cheapest code known; the cheapest of all if its total is the bound.
    pub best: Found,
}

/// Candidates that are worked on together, after which their vectors are struck.
const GROUP: usize = 64;

/// Searches every code of `known`'s dimension that is cheaper than `known`.
///
/// `prices` are capped ([`super::search::capped`]). `images` lists, for a cell,
/// the cells of the same price under symmetries of all prices. `below` is a
/// proved bound for one dimension less. After `until`, and where `known` costs
/// [`CAP`] or more, what is proved so far is returned.
pub fn prove(
    kernel: &'static dyn CosetKernel,
    prices: &[u32],
    known: &Found,
    images: &(dyn Fn(u32) -> Vec<u32> + Sync),
    below: u64,
    until: Instant,
    progress: &ProgressBar,
) -> Proof {
    let dimension = known.basis.len();
    let floor = bound_from_below(below, dimension);
    // Sums at the cap are not told apart: there, only what smaller codes prove holds.
    let beyond = known.total >= u64::from(CAP);
    if dimension == 0 || floor >= known.total || beyond {
        let lower_bound = if beyond { floor.min(known.total) } else { known.total };
        return Proof { lower_bound, best: known.clone() };
    }
    let mut prices = prices.to_vec();
    let search = Search {
        kernel,
        spend: AtomicU64::new(known.total),
        best: Mutex::new(known.clone()),
        until,
        late: AtomicBool::new(false),
        rooms: Mutex::new(Vec::new()),
    };
    let candidates = candidates(&prices, dimension, known.total);
    progress.set_length(candidates.len() as u64);
    let mut open = None;
    for group in candidates.chunks(GROUP) {
        // Images of vectors of earlier groups have been struck; within this one, keep the first.
        let group: Vec<u32> =
            group.iter().copied().filter(|&vector| prices[vector as usize] < CAP).collect();
        group.par_iter().enumerate().for_each(|(index, &vector)| {
            let struck: Vec<u32> =
                group[..index].iter().flat_map(|&vector| images(vector)).collect();
            if !struck.contains(&vector) {
                search.first(&prices, vector, dimension, &struck);
            }
        });
        if search.late.load(Ordering::Relaxed) {
            open = group.first().map(|&vector| u64::from(prices[vector as usize]));
            break;
        }
        for vector in group.iter().flat_map(|&vector| images(vector)) {
            prices[vector as usize] = CAP;
        }
        progress.inc(GROUP as u64);
    }
    let best = search.best.into_inner().expect("no thread panicked");
    let words = (1u64 << dimension) - 1;
    let lower_bound =
        open.map_or(best.total, |cheapest| best.total.min(floor.max(cheapest * words)));
    Proof { lower_bound, best }
}

/// What a proved bound for one dimension less says about `dimension`.
pub fn bound_from_below(below: u64, dimension: usize) -> u64 {
    if dimension < 2 {
        return 0;
    }
    let (words, fewer) = ((1u128 << dimension) - 1, (1u128 << (dimension - 1)) - 1);
    u64::try_from((u128::from(below) * words).div_ceil(fewer)).unwrap_or(u64::MAX)
}

/// The vectors that can be the cheapest of a code cheaper than `spend`, cheapest first.
fn candidates(prices: &[u32], dimension: usize, spend: u64) -> Vec<u32> {
    let words = (1u64 << dimension) - 1;
    let Some(most) = spend.checked_sub(1).map(|most| (most / words).min(u64::from(CAP - 1))) else {
        return Vec::new();
    };
    let most = most as u32;
    let mut candidates = Vec::new();
    for (block, prices) in prices.chunks(16).enumerate() {
        if prices.iter().fold(CAP, |least, &price| least.min(price)) <= most {
            let cheap = prices.iter().enumerate().filter(|(_, price)| **price <= most);
            candidates.extend(cheap.map(|(offset, price)| (*price, (block * 16 + offset) as u32)));
        }
    }
    candidates.sort_unstable();
    candidates.into_iter().map(|(_, vector)| vector).collect()
}

struct Search {
    kernel: &'static dyn CosetKernel,
    /// A code must cost less than this.
    spend: AtomicU64,
    best: Mutex<Found>,
    until: Instant,
    late: AtomicBool,
    /// Prices at every depth, for as many threads as have worked.
    rooms: Mutex<Vec<Vec<Vec<u32>>>>,
}

impl Search {
    /// All codes whose cheapest vector is `vector`, those with a struck one excepted.
    fn first(&self, prices: &[u32], vector: u32, dimension: usize, struck: &[u32]) {
        let room = self.rooms.lock().expect("no thread panicked").pop();
        let mut room = room.unwrap_or_else(|| {
            (1..=dimension).map(|depth| vec![0; prices.len() >> depth]).collect()
        });
        let (folded, rest) = room.split_first_mut().expect("a dimension is at least one");
        let spent = u64::from(prices[vector as usize]);
        if spent * ((1 << dimension) - 1) >= self.spend.load(Ordering::Relaxed) {
            // Too dear by now.
        } else if dimension == 1 {
            self.keep(spent, &[vector], 0);
        } else {
            self.kernel.fold(prices, vector, folded);
            for &struck in struck {
                folded[number(struck, vector) as usize] = CAP;
            }
            self.next(folded, rest, &mut vec![vector], spent, dimension - 1);
        }
        self.rooms.lock().expect("no thread panicked").push(room);
    }

    /// All ways to add `dimension` more vectors to `chain`, which has `spent`.
    fn next(
        &self,
        prices: &mut [u32],
        room: &mut [Vec<u32>],
        chain: &mut Vec<u32>,
        spent: u64,
        dimension: usize,
    ) {
        let left = || self.spend.load(Ordering::Relaxed).saturating_sub(spent);
        if dimension == 1 {
            let least = prices.iter().copied().fold(CAP, u32::min);
            if u64::from(least) < left() && least < CAP {
                let vector = prices.iter().position(|&price| price == least);
                self.keep(spent + u64::from(least), chain, vector.expect("it is there") as u32);
            }
            return;
        }
        let (folded, rest) = room.split_first_mut().expect("a room a dimension");
        for vector in candidates(prices, dimension, left()) {
            let price = u64::from(prices[vector as usize]);
            if self.late.load(Ordering::Relaxed) || price * ((1 << dimension) - 1) >= left() {
                break;
            }
            let least = self.kernel.fold(prices, vector, folded);
            prices[vector as usize] = CAP;
            let words = (1u64 << (dimension - 1)) - 1;
            if price + u64::from(least) * words < left() {
                chain.push(vector);
                self.next(folded, rest, chain, spent + price, dimension - 1);
                chain.pop();
            }
        }
        if Instant::now() > self.until {
            self.late.store(true, Ordering::Relaxed);
        }
    }

    /// Keeps the code of `chain` and `last` (as numbered after the chain's folds) if it is cheaper.
    fn keep(&self, total: u64, chain: &[u32], last: u32) {
        let mut best = self.best.lock().expect("no thread panicked");
        if total < best.total {
            let chain: Vec<u32> = if last == 0 {
                chain.to_vec()
            } else {
                chain.iter().copied().chain([last]).collect()
            };
            let lifted = |depth: usize| {
                chain[..depth].iter().rev().fold(chain[depth], |set, &by| lift(set, by))
            };
            *best = Found { total, basis: (0..chain.len()).map(lifted).collect() };
            self.spend.store(total, Ordering::Relaxed);
        }
    }
}
