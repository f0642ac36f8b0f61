//! The minimum distance without walking the code.
//!
//! A generator matrix in systematic form shows a word's weight on its information
//! set: a sum of `w` rows has weight `w` there at least. With several matrices whose
//! information sets share no feature, a word that is no sum of `w` rows or fewer of any of
//! them weighs `w + 1` on each, so few sums decide (Brouwer's and Zimmermann's method; Grassl,
//! 2006, in *Discovering Mathematics with Magma*):
//!
//! ```text
//! 1000│0111   sums of one row weigh 4; all others 2 on the left and
//! 0100│1011   2 on the right, so 4 at least: the distance is 4
//! 0010│1101
//! 0001│1110
//! ```
//!
//! Of a set of features on which the code has rank `r` below its dimension `k`, a sum of `w`
//! rows still weighs `w − (k − r)`.

use crate::board::squares_of;

/// A generator matrix and its rank on its own part of the features.
struct Systematic {
    rows: Vec<u64>,
    rank: usize,
}

/// The least weight of a word but the empty set of the code with this independent basis; or,
/// as soon as one is found below `wanted`, that word's weight. Nothing at dimension 0.
pub(super) fn least_weight(basis: &[u64], wanted: u32) -> Option<u32> {
    let matrices = matrices(basis);
    let dimension = basis.len();
    let even = basis.iter().all(|set| set.count_ones() % 2 == 0);
    let mut least = basis.iter().map(|set| set.count_ones()).min()?;
    for summed in 1..=dimension {
        for matrix in &matrices {
            weigh_sums(&matrix.rows, summed, 0, &mut least);
            if least < wanted {
                return Some(least);
            }
        }
        let on = |matrix: &Systematic| (summed + 1 + matrix.rank).saturating_sub(dimension);
        let bound = matrices.iter().map(on).sum::<usize>() as u32;
        if bound + (bound & u32::from(even)) >= least {
            break;
        }
    }
    Some(least)
}

/// Matrices of the code whose information sets are disjoint, as long as they have rank.
fn matrices(basis: &[u64]) -> Vec<Systematic> {
    let mut matrices = Vec::new();
    let mut left = basis.iter().fold(0, |union, set| union | set);
    while left != 0 {
        let mut rows = basis.to_vec();
        let (mut rank, mut information) = (0, 0);
        for feature in squares_of(left) {
            let Some(pivot) = (rank..rows.len()).find(|&row| rows[row] >> feature & 1 == 1) else {
                continue;
            };
            rows.swap(rank, pivot);
            let by = rows[rank];
            for (row, set) in rows.iter_mut().enumerate() {
                if row != rank && *set >> feature & 1 == 1 {
                    *set ^= by;
                }
            }
            information |= 1 << feature;
            rank += 1;
        }
        left &= !information;
        matrices.push(Systematic { rows, rank });
    }
    matrices
}

/// Lowers `least` to the least weight of `sum` and any `summed` of the rows.
fn weigh_sums(rows: &[u64], summed: usize, sum: u64, least: &mut u32) {
    if summed == 1 {
        let weights = rows.iter().map(|row| (sum ^ row).count_ones());
        *least = weights.min().map_or(*least, |weight| weight.min(*least));
        return;
    }
    for first in 0..=rows.len() - summed {
        weigh_sums(&rows[first + 1..], summed - 1, sum ^ rows[first], least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gf2;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_least_weight_of_a_walk(
            vectors in (1u32..=64).prop_flat_map(|n| {
                prop::collection::vec(any::<u64>().prop_map(move |set| set >> (64 - n)), 0..12)
            })
        ) {
            let basis = gf2::reduced(&vectors);
            let walked = gf2::span(&basis).skip(1).map(|set| set.count_ones()).min();
            prop_assert_eq!(least_weight(&basis, 0), walked);
            // Nothing but a lighter word than wanted cuts the search short.
            for wanted in [1, 5, 20, 65] {
                let found = least_weight(&basis, wanted);
                prop_assert_eq!(found < Some(wanted), walked < Some(wanted));
                prop_assert!(found == walked || found < Some(wanted));
            }
            // Even codes, where bounds are rounded up.
            let even: Vec<u64> = vectors.iter().map(|set| {
                if set.count_ones() % 2 == 0 { *set } else { set ^ 1 }
            }).collect();
            let basis = gf2::reduced(&even);
            let walked = gf2::span(&basis).skip(1).map(|set| set.count_ones()).min();
            prop_assert_eq!(least_weight(&basis, 0), walked);
        }
    }
}
