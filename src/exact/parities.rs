//! Parities on which nearly all of some vectors are odd, found among the vectors.
//!
//! ```text
//! free sets of 2x3    #..  ..#  .#.  .#.     all odd on    ...
//!                     .#.  .#.  #..  ..#                   ###
//! ```
//!
//! What some independent vectors, drawn at random, are odd on is one parity; a parity that
//! is odd on most vectors is odd on all that are drawn often enough. (The noisy equations of
//! decoding by information sets, after Prange, with little noise.)

use std::collections::BTreeSet;

use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use crate::draw;
use crate::gf2;

/// Draws of independent vectors: a parity that a fifth of 31 dimensions' vectors are even
/// on comes up a dozen times.
const DRAWS: u64 = 1 << 14;

/// Vectors that a draw looks at for each dimension.
const DRAWN: usize = 4;

/// Vectors by which parities are judged.
const SAMPLE: usize = 1 << 16;

/// A parity that more than this share of the vectors are even on is no help.
const MOST_EVEN: f64 = 0.3;

/// Parities at the most: a bit of a word each.
const MOST: usize = 64;

/// Parities on which most of the vectors are odd, the strongest first; that alone on which
/// all are, if there is one. Deterministic.
pub(super) fn found(vectors: &[u64]) -> Vec<u64> {
    let step = vectors.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<u64> = vectors.iter().copied().step_by(step).collect();
    let basis = gf2::reduced(&sample);
    let drawn = |draw| parity(&sample, &basis, draw);
    match drawn(0) {
        // On which all are odd: nothing else is needed, and every draw finds it.
        Some(parity) if vectors.iter().all(|&vector| odd(parity, vector)) => vec![parity],
        Some(_) => {
            let draws = DRAWS.min(4 * sample.len() as u64);
            strongest((0..draws).into_par_iter().filter_map(drawn).collect(), &sample)
        }
        None => Vec::new(),
    }
}

pub(super) fn odd(parity: u64, vector: u64) -> bool {
    (parity & vector).count_ones() % 2 == 1
}

/// On how many of the parities a vector is even.
pub(super) fn evens(parities: &[u64], vector: u64) -> usize {
    parities.iter().filter(|&&parity| !odd(parity, vector)).count()
}

/// The parity on which independent vectors, drawn at random, are all odd: the leading
/// features, of those of a reduced `basis` of all, that it counts. None without vectors.
fn parity(vectors: &[u64], basis: &[u64], draw: u64) -> Option<u64> {
    let mut random = draw::generator(1, draw);
    let mut any = || vectors[(random.next_u64() % vectors.len() as u64) as usize];
    let first = (!vectors.is_empty()).then(&mut any)?;
    // Sums of two that are drawn, on which it is even: half of the space in the end. None
    // may make it even on the first. Where draws do not complete them, anything does.
    let mut even: Vec<u64> = Vec::new();
    let sums = (0..DRAWN * basis.len()).map(|_| first ^ any()).chain(basis.iter().copied());
    for sum in sums {
        let [rest, first] = [sum, first].map(|vector| gf2::remainder(&even, vector));
        if rest != 0 && rest != first {
            gf2::extend(&mut even, rest);
        }
        if even.len() + 1 == basis.len() {
            break;
        }
    }
    let counted = basis.iter().filter(|&&vector| gf2::remainder(&even, vector) != 0);
    Some(counted.map(|vector| 1 << vector.ilog2()).sum())
}

/// Of some parities those on which most are odd, the strongest first.
fn strongest(parities: BTreeSet<u64>, sample: &[u64]) -> Vec<u64> {
    let step = sample.len().div_ceil(1 << 10);
    let even = |parity: u64, step| {
        let judged = sample.iter().step_by(step);
        let even = judged.clone().filter(|&&vector| !odd(parity, vector)).count();
        even as f64 / judged.len() as f64
    };
    let mut judged: Vec<(f64, u64)> = parities
        .into_par_iter()
        .filter(|&parity| even(parity, step) < 1.2 * MOST_EVEN)
        .map(|parity| (even(parity, 1), parity))
        .filter(|judged| judged.0 < MOST_EVEN)
        .collect();
    judged.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    judged.into_iter().map(|(_, parity)| parity).take(MOST).collect()
}
