//! Seeded local search for codes of low price where prices go by class, so that
//! no table of cells is held and boards may have 64 squares.
//!
//! A step keeps a random code of one dimension less and moves what is dropped
//! by the best pair of squares:
//!
//! ```text
//! ⟨a, b, c⟩ ─► keep ⟨a+c, b⟩ ─► c + {s, t} for all squares s < t ─► the cheapest
//! ```
//!
//! Two flipped squares keep a set even; every set of the dropped coset is tried
//! at once, since the sum over a coset does not depend on its representative.

use indicatif::ProgressBar;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use crate::{draw, gf2};

use super::classes::ClassPrices;

/// Steps without gain after which a descent ends, at most; a code of dimension
/// `k` has only `2^k − 1` codes to keep.
const PATIENCE: usize = 96;

/// Descents of a restart: after the first, each from the best code with one or
/// two vectors drawn anew.
const DESCENTS: usize = 8;

/// An even code and the sum of the prices of its words, the empty set's not counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Even {
    /// The sum.
    pub total: u64,
    /// A basis.
    pub basis: Vec<u64>,
}

/// Even codes of `dimension`, one a restart, each seeded by its number. Where
/// all sets of a shade with an odd number in odd rows are free, codes with many
/// words of one shade are good and far from all others: every third restart
/// draws its vectors anywhere, the next each within a shade, the third all
/// within the same one.
///
/// Drawn anywhere only, codes of dimension 3 on 4x5 end at 4.65 average prices by
/// size, where 3.56 is the least.
///
/// # Panics
/// If the board has not so many independent even sets.
pub fn search(
    prices: &ClassPrices,
    dimension: usize,
    restarts: usize,
    seed: u64,
    progress: &ProgressBar,
) -> Vec<Even> {
    let board = prices.board();
    assert!(dimension < board.squares().max(1), "{dimension} independent even sets of {board}");
    let pairs = pairs_of_squares(board.squares());
    let shades = [prices.shaded(), board.all() & !prices.shaded()];
    let restart = |restart: usize| {
        let mut generator = draw::generator(seed, restart as u64);
        let within: &[u64] = match restart % 3 {
            0 => &[board.all()],
            1 => &shades,
            _ => &shades[restart / 3 % 2..][..1],
        };
        let draw_rest = |basis, generator: &mut rand_chacha::ChaCha8Rng| {
            filled(basis, dimension, within, board.all(), generator)
        };
        let start = draw_rest(Vec::new(), &mut generator);
        let mut best = descend(prices, &pairs, start, &mut generator);
        for _ in 1..DESCENTS {
            if best.total == 0 {
                break;
            }
            let kept = dimension.saturating_sub(1 + generator.next_u64() as usize % 2);
            let mut basis = best.basis.clone();
            mix(&mut basis, &mut generator);
            basis.truncate(kept);
            let start = draw_rest(basis, &mut generator);
            let found = descend(prices, &pairs, start, &mut generator);
            if found.total <= best.total {
                best = found;
            }
        }
        best.basis = gf2::reduced(&best.basis);
        progress.inc(1);
        best
    };
    (0..restarts).into_par_iter().map(restart).collect()
}

/// `basis` with random even sets added up to `dimension`, each within one of the
/// sets `within`, or within `all` where those have no more to give.
fn filled(
    mut basis: Vec<u64>,
    dimension: usize,
    within: &[u64],
    all: u64,
    generator: &mut impl Rng,
) -> Vec<u64> {
    let mut reduced = gf2::reduced(&basis);
    for draw in 0.. {
        if basis.len() >= dimension {
            break;
        }
        let mask = within[generator.next_u64() as usize % within.len()];
        let mask = if draw < 4 * dimension { mask } else { all };
        let set = generator.next_u64() & mask;
        let lowest = mask & mask.wrapping_neg();
        let set = if set.count_ones() % 2 == 1 { set ^ lowest } else { set };
        if gf2::extend(&mut reduced, set) {
            basis.push(set);
        }
    }
    basis
}

/// Steps down from the code of `basis` until [`PATIENCE`] ends; steps on the
/// level are taken too.
fn descend(
    prices: &ClassPrices,
    pairs: &[u64],
    mut basis: Vec<u64>,
    generator: &mut impl Rng,
) -> Even {
    let dimension = basis.len();
    let patience = PATIENCE.min(2 << dimension.min(20));
    let mut total: u64 = gf2::span(&basis).skip(1).map(|set| u64::from(prices.price(set))).sum();
    let mut fruitless = 0;
    let mut kept: Vec<u64> = Vec::with_capacity(1 << dimension.saturating_sub(1));
    while fruitless < patience && total > 0 {
        mix(&mut basis, generator);
        let (&dropped, rest) = basis.split_last().expect("a code of dimension 0 costs nothing");
        kept.clear();
        kept.extend(gf2::span(rest));
        let now = coset_price(prices, &kept, dropped, u64::MAX);
        let mut least = (u64::MAX, dropped);
        // From a random pair on, so that equals have equal chances.
        let first = generator.next_u64() as usize % pairs.len();
        for pair in pairs[first..].iter().chain(&pairs[..first]) {
            let price = coset_price(prices, &kept, dropped ^ pair, least.0);
            if price < least.0 {
                least = (price, dropped ^ pair);
            }
        }
        fruitless = if least.0 < now { 0 } else { fruitless + 1 };
        if least.0 <= now {
            *basis.last_mut().expect("it has one") = least.1;
            total = total - now + least.0;
        }
    }
    Even { total, basis }
}

/// The price of the sets that `vector` makes of the `kept` ones; or at least `enough`.
fn coset_price(prices: &ClassPrices, kept: &[u64], vector: u64, enough: u64) -> u64 {
    let mut sum = 0;
    for chunk in kept.chunks(8) {
        sum += chunk.iter().map(|set| u64::from(prices.price(set ^ vector))).sum::<u64>();
        if sum >= enough {
            break;
        }
    }
    sum
}

/// Changes the basis, not its code: the last vector becomes any one of the code
/// outside the span of the others, which is any code of one dimension less.
fn mix(basis: &mut [u64], generator: &mut impl Rng) {
    let Some(last) = basis.len().checked_sub(1) else { return };
    basis.swap(last, generator.next_u64() as usize % (last + 1));
    let (draws, vector) = (generator.next_u64(), basis[last]);
    for (index, other) in basis[..last].iter_mut().enumerate() {
        if draws >> (index % 64) & 1 == 1 {
            *other ^= vector;
        }
    }
}

fn pairs_of_squares(squares: usize) -> Vec<u64> {
    let pair = |t: usize| (0..t).map(move |s| 1 << s | 1 << t);
    (1..squares).flat_map(pair).collect()
}
