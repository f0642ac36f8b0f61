//! Seeded local search for the cheapest code of a dimension.
//!
//! A step drops one vector of the code and puts the best one of all in its
//! place: what is left, a code of one dimension less, is folded into the
//! prices ([`cosets`](crate::cosets)), and the cheapest coset says what to add.
//!
//! ```text
//! code ⟨a, b, c⟩ ─► keep ⟨a+c, b⟩ ─► price every coset of it ─► add the cheapest
//! ```
//!
//! Every one of the `2^k − 1` codes that can be kept is tried (or
//! [`MOST_KEPT`] of them, drawn at random) until none leads down.

use rand_chacha::rand_core::Rng;

use crate::cosets::{CAP, CosetKernel, lift, number};
use crate::gf2;

/// Kept codes tried before a code counts as a local optimum.
pub const MOST_KEPT: usize = 96;

/// A code found, by cell numbers of an independent basis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The sum of the prices of its words, the empty set's not counted.
    pub total: u64,
    /// A basis.
    pub basis: Vec<u32>,
}

/// Prices by cell, and room to fold them.
pub struct Folds<'a> {
    kernel: &'static dyn CosetKernel,
    /// Capped, cell 0 at the cap.
    prices: &'a [u32],
    folded: Vec<Vec<u32>>,
}

/// A copy of prices as the folds want them: at most [`CAP`], cell 0 at the cap.
pub fn capped(prices: &[u32]) -> Vec<u32> {
    let mut capped: Vec<u32> = prices.iter().map(|&price| price.min(CAP)).collect();
    capped[0] = CAP;
    capped
}

impl<'a> Folds<'a> {
    /// Room to fold `prices`, which come from [`capped`].
    pub fn new(kernel: &'static dyn CosetKernel, prices: &'a [u32]) -> Self {
        assert_eq!(prices[0], CAP, "prices are capped");
        Self { kernel, prices, folded: Vec::new() }
    }

    /// Folds by every vector of `basis`; returns the least coset price, all
    /// coset prices, and the vectors as they were numbered when folded by.
    fn by(&mut self, basis: &[u32]) -> (u32, &[u32], Vec<u32>) {
        let mut by = Vec::with_capacity(basis.len());
        let mut least = None;
        for (level, &vector) in basis.iter().enumerate() {
            let vector = by.iter().fold(vector, |vector, &by| number(vector, by));
            if self.folded.len() == level {
                self.folded.push(vec![0; self.prices.len() >> (level + 1)]);
            }
            let (above, below) = self.folded.split_at_mut(level);
            let prices = above.last().map_or(self.prices, Vec::as_slice);
            least = Some(self.kernel.fold(prices, vector, &mut below[0]));
            by.push(vector);
        }
        let prices = if basis.is_empty() { self.prices } else { &self.folded[basis.len() - 1] };
        let least = least.unwrap_or_else(|| prices.iter().copied().min().unwrap_or(CAP));
        (least, prices, by)
    }

    /// A cheapest vector to add to the span of `basis`, and what it adds: the
    /// lowest-numbered, or one drawn by `generator`.
    pub fn cheapest(&mut self, basis: &[u32], generator: Option<&mut impl Rng>) -> (u32, u32) {
        let (least, prices, by) = self.by(basis);
        let first = prices.iter().position(|&price| price == least).unwrap_or(0);
        let coset = match generator {
            None => first,
            // From a random place on, round the end: one of the cheapest, if not evenly drawn.
            Some(generator) => {
                let start = generator.next_u32() as usize % prices.len();
                let after = prices[start..].iter().position(|&price| price == least);
                after.map_or(first, |offset| start + offset)
            }
        };
        let vector = by.iter().rev().fold(coset as u32, |coset, &by| lift(coset, by));
        (vector, least)
    }
}

/// The sum over the span of `basis`, its empty set not counted.
pub fn total(prices: &[u32], basis: &[u32]) -> u64 {
    gf2::span(basis).skip(1).map(|set| u64::from(prices[set as usize])).sum()
}

/// The code that takes a cheapest vector, the lowest-numbered, each time: on
/// prices that are nought from a weight on, a lexicode (Conway and Sloane, 1986).
pub fn greedy(folds: &mut Folds, dimension: usize) -> Found {
    let mut basis: Vec<u32> = Vec::new();
    for _ in 0..dimension {
        let (vector, _) = folds.cheapest(&basis, None::<&mut rand_chacha::ChaCha8Rng>);
        basis.push(vector);
    }
    Found { total: total(folds.prices, &basis), basis }
}

/// A random code.
pub fn random(folds: &Folds, dimension: usize, generator: &mut impl Rng) -> Found {
    let mut reduced: Vec<u32> = Vec::new();
    while reduced.len() < dimension {
        gf2::extend(&mut reduced, generator.next_u32() & (folds.prices.len() as u32 - 1));
    }
    Found { total: total(folds.prices, &reduced), basis: reduced }
}

/// Steps down from `code` until no kept code leads lower, or the total is nought.
pub fn descend(folds: &mut Folds, mut code: Found, generator: &mut impl Rng) -> Found {
    let dimension = code.basis.len();
    let all_kept = (1u64 << dimension.min(63)) - 1;
    let mut fruitless = 0;
    let mut kept = Kept::new(all_kept, generator);
    while fruitless < MOST_KEPT.min(all_kept as usize) && code.total > 0 {
        let hyperplane = kept_basis(&code.basis, kept.next(generator));
        let (vector, added) = folds.cheapest(&hyperplane, Some(generator));
        let total = total(folds.prices, &hyperplane) + u64::from(added);
        fruitless = if total < code.total { 0 } else { fruitless + 1 };
        if total <= code.total {
            // A step on the level is taken too: it may lead down later.
            let basis = hyperplane.into_iter().chain([vector]).collect();
            code = Found { total, basis };
        }
    }
    code
}

/// Descends, and then again from the code with a part of it drawn anew, keeping
/// what is not dearer; as often as `folds_to_spend` folds of one vector allow.
///
/// Without the second starts, 24 restarts on 4x5 end at 3,141 reachable pairs
/// at 16 bits, where 3,116 is proved to be the least.
pub fn settle(
    folds: &mut Folds,
    code: Found,
    folds_to_spend: usize,
    generator: &mut impl Rng,
) -> Found {
    let dimension = code.basis.len();
    let mut best = descend(folds, code, generator);
    let descent = dimension * (1usize << dimension.min(20)).min(2 * MOST_KEPT);
    for _ in 0..folds_to_spend / descent.max(1) {
        if best.total == 0 {
            break;
        }
        // A random vector of the basis goes, or two; the vectors that stay are mixed first.
        let functional = 1 + generator.next_u64() % ((1 << dimension.min(63)) - 1);
        let mut kept = kept_basis(&best.basis, functional);
        if dimension > 2 && generator.next_u32() & 1 == 0 {
            kept =
                kept_basis(&kept, 1 + generator.next_u64() % ((1 << (dimension - 1).min(63)) - 1));
        }
        let mut basis = gf2::reduced(&kept);
        while basis.len() < dimension {
            gf2::extend(&mut basis, generator.next_u32() & (folds.prices.len() as u32 - 1));
        }
        let start = Found { total: total(folds.prices, &basis), basis };
        let found = descend(folds, start, generator);
        if found.total <= best.total {
            best = found;
        }
    }
    best
}

/// The functionals that say which code of one dimension less is kept: all of
/// them in turn from a random one on if they are few, else random ones.
struct Kept {
    all: u64,
    next: u64,
}

impl Kept {
    fn new(all: u64, generator: &mut impl Rng) -> Self {
        Self { all, next: generator.next_u64() % all.max(1) }
    }

    fn next(&mut self, generator: &mut impl Rng) -> u64 {
        let few = self.all <= MOST_KEPT as u64;
        self.next = if few { (self.next + 1) % self.all } else { generator.next_u64() % self.all };
        self.next + 1
    }
}

/// A basis of the words with an even number of the basis vectors in `functional`.
fn kept_basis(basis: &[u32], functional: u64) -> Vec<u32> {
    let pivot = functional.trailing_zeros() as usize;
    let others = basis.iter().enumerate().filter(|(index, _)| *index != pivot);
    others
        .map(
            |(index, vector)| {
                if functional >> index & 1 == 1 { vector ^ basis[pivot] } else { *vector }
            },
        )
        .collect()
}
