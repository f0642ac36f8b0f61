//! Codes of large distance on more features than weights can be listed for: known
//! families, drawn many times, and measured.
//!
//! Of a key the word of feature `i` is column `i`. Two kinds are drawn:
//!
//! ```text
//! word of x in GF(64):  1, x, x³, x⁵, …        sums of few words are not zero (BCH)
//! generator  1000 0110    each row the one before, turned round in every block:
//!            0100 0011    circulants, or such rows as checks where the code is
//!            0010 1001    larger than its dual
//!            0001 1100
//! ```
//!
//! A key has as many of the BCH words' parts as its bits allow and is filled up with random
//! bits, for as many elements of the field as it has features. Extended BCH codes of length 64
//! have the largest distances known at many dimensions, and circulants often do at rate 1/2.
//! (MacWilliams and Sloane, 1977, ch. 7 and 16.)

use indicatif::ProgressBar;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use super::{Sets, distance_bound};
use crate::code::Code;
use crate::{draw, gf2};

/// Codes drawn in a restart.
const DRAWN: usize = 64;

/// Those that are of the BCH family, in the first: others would differ little.
const BCH: usize = 4;

/// A code of large distance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Long {
    /// The least weight of a word other than the empty set; none of dimension 0.
    pub distance: Option<usize>,
    /// What no code's distance exceeds, as [`distance_bound`] says.
    pub bound: Option<usize>,
    /// A basis, of even sets if those were asked for.
    pub basis: Vec<u64>,
}

/// A code among `sets`, of any number of features up to 64, with the largest distance of all
/// that so many restarts draw; the first such.
pub fn long_code(
    sets: Sets,
    dimension: usize,
    restarts: usize,
    seed: u64,
    progress: &ProgressBar,
) -> Long {
    let bound = distance_bound(sets, dimension);
    if dimension == 0 {
        return Long { distance: None, bound, basis: Vec::new() };
    }
    // The best of a restart, if its distance is above what is known.
    let attempt = |restart: usize, known: usize| {
        let mut generator = draw::generator(seed, restart as u64);
        let mut best = None;
        let mut least = known;
        for drawn in 0..DRAWN {
            if Some(least) == bound {
                break;
            }
            let code = match (restart, drawn) {
                (0, 0..BCH) => bch(sets, dimension, drawn % 2 == 1, &mut generator),
                _ => circulant(sets, dimension, &mut generator),
            };
            let distance = code.distance_or_less(least + 1).expect("it has a word");
            if distance > least {
                (best, least) = (Some(code), distance);
            }
        }
        progress.inc(1);
        best.map(|code| (least, code))
    };
    let first = attempt(0, 0).expect("every code has a distance");
    let others = (1..restarts).into_par_iter().filter_map(|restart| {
        let (distance, code) = attempt(restart, first.0)?;
        Some((std::cmp::Reverse(distance), restart, code))
    });
    let (distance, code) = others
        .min_by_key(|(distance, restart, _)| (*distance, *restart))
        .map_or(first.clone(), |(distance, _, code)| (distance.0, code));
    Long { distance: Some(distance), bound, basis: code.basis().to_vec() }
}

/// A code whose words are those of the BCH family as far as its checks go, with the
/// parity (always there among even sets) if `parity`.
fn bch(sets: Sets, dimension: usize, parity: bool, generator: &mut ChaCha8Rng) -> Code {
    let checks = sets.features - dimension;
    // Without the parity the word of zero would be nothing.
    let parity = (parity || sets.even || sets.features == 64) && checks > 0;
    let mut elements: Vec<u8> = (u8::from(!parity)..64).collect();
    for place in (1..elements.len()).rev() {
        elements.swap(place, generator.next_u32() as usize % (place + 1));
    }
    elements.truncate(sets.features);
    let mut rows: Vec<u64> = Vec::new();
    if parity {
        rows.push(u64::MAX >> (64 - sets.features));
    }
    for odd in (1..64).step_by(2) {
        let powers: Vec<u64> = elements.iter().map(|&x| power(x, odd).into()).collect();
        let mut longer = gf2::reduced(&rows);
        for row in gf2::transpose(&powers, 6) {
            gf2::extend(&mut longer, row);
        }
        if longer.len() > checks {
            break;
        }
        rows = longer;
    }
    of_checks(sets.features, checks, &rows, generator)
}

/// The code with these checks, dependent or not, and random ones until they are so many.
fn of_checks(features: usize, checks: usize, rows: &[u64], generator: &mut ChaCha8Rng) -> Code {
    let mut independent = gf2::reduced(rows);
    while independent.len() < checks {
        gf2::extend(&mut independent, generator.next_u64() >> (64 - features));
    }
    Code::spanned(features, &independent).dual()
}

/// A code with circulant rows, or its dual with such; even where those were asked for.
fn circulant(sets: Sets, dimension: usize, generator: &mut ChaCha8Rng) -> Code {
    let (features, checks) = (sets.features, sets.features - dimension);
    let all = u64::MAX >> (64 - features);
    // An odd code becomes an even one by its parity, for which one feature is kept.
    let extended = sets.even || generator.next_u32() & 1 == 0;
    if dimension > checks {
        let rows = turned(features, checks, generator);
        let parity = if extended && checks > 0 { vec![all] } else { vec![] };
        let fewer = rows.into_iter().take(checks - parity.len());
        let rows: Vec<u64> = fewer.chain(parity).collect();
        return of_checks(features, checks, &rows, generator);
    }
    let mut rows = turned(features - usize::from(extended), dimension, generator);
    if extended {
        let odd = |row: &u64| u64::from(row.count_ones()) & 1;
        rows.iter_mut().for_each(|row| *row |= odd(row) << (features - 1));
    }
    Code::spanned(features, &rows)
}

/// `count` independent rows: an identity block, then random blocks as wide, each row the one
/// before turned round by one within every block; the last block is cut off.
fn turned(features: usize, count: usize, generator: &mut ChaCha8Rng) -> Vec<u64> {
    let blocks = features.div_ceil(count.max(1));
    let firsts: Vec<u64> = (0..blocks)
        .map(|block| if block == 0 { 1 } else { generator.next_u64() >> (64 - count.max(1)) })
        .collect();
    let row = |turn: usize| {
        let bit = |feature: usize| {
            let (block, place) = (feature / count, feature % count);
            firsts[block] >> ((place + count - turn) % count) & 1
        };
        (0..features).map(|feature| bit(feature) << feature).sum()
    };
    (0..count).map(row).collect()
}

/// `x` to the power in GF(64), a polynomial modulo x⁶ + x + 1; zero is of no power.
fn power(x: u8, exponent: u32) -> u8 {
    (0..exponent).fold(1, |product, _| times(product, x))
}

fn times(x: u8, y: u8) -> u8 {
    let mut product = 0u8;
    for bit in (0..6).rev() {
        product <<= 1;
        product ^= if product & 64 != 0 { 0b100_0011 } else { 0 };
        product ^= if y >> bit & 1 == 1 { x } else { 0 };
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(features: usize, even: bool, dimension: usize) -> Long {
        let sets = Sets { features, even };
        let long = long_code(sets, dimension, 4, 1, &ProgressBar::hidden());
        let code = Code::spanned(features, &long.basis);
        assert_eq!(code.dimension(), dimension, "[{features}, {dimension}]");
        assert_eq!(code.minimum_distance(), long.distance, "[{features}, {dimension}]");
        assert!(long.distance <= long.bound, "[{features}, {dimension}]: {long:?}");
        assert!(!even || code.even_part() == code, "[{features}, {dimension}]");
        long
    }

    #[test]
    fn the_field_has_a_generator() {
        let powers: std::collections::BTreeSet<u8> = (0..63).map(|i| power(2, i)).collect();
        assert_eq!(powers.len(), 63);
        assert!(!powers.contains(&0) && power(2, 63) == 1);
    }

    /// Distances of extended BCH codes; the table of Brouwer and Grassl has none larger at these.
    #[test]
    fn the_known_codes_of_length_sixty_four_are_found() {
        for (dimension, distance) in [
            (63, 2),
            (57, 4),
            (51, 6),
            (45, 8),
            (39, 10),
            (36, 12),
            (24, 16),
            (18, 22),
            (16, 24),
            (10, 28),
            (7, 32),
            (1, 64),
        ] {
            let long = found(64, true, dimension);
            assert!(long.distance >= Some(distance), "[64, {dimension}]: {:?}", long.distance);
        }
    }

    #[test]
    fn every_dimension_of_any_length_has_a_code() {
        for features in [33, 40, 47, 63, 64] {
            for dimension in [0, 1, 2, 5, features / 2, features - 5, features - 2, features - 1] {
                found(features, true, dimension);
                found(features, false, dimension);
            }
            found(features, false, features);
        }
        assert_eq!(found(63, false, 57).distance, Some(3), "Hamming's code");
        assert_eq!(found(40, true, 0).distance, None);
    }
}
