//! The code of a key: the sets of features whose words add up to zero.
//!
//! A key gives each feature a word and a position the sum (XOR) of the words of
//! its features. Two positions share a key exactly if the set they differ on is
//! in the key's code, so everything that a key confuses is read off its code: a
//! *family* is one codeword together with the pairs of positions that differ on
//! it. In coding theory's terms the words are the columns of a parity-check
//! matrix. (MacWilliams and Sloane, *The Theory of Error-Correcting Codes*, 1977.)
//!
//! ```text
//! words   00 01 10 11 01        code  {0}, {1,2,3}, {1,4} and their sums
//! ```
//!
//! Zero words, repeated words, dependent bits and more words than bits are all
//! ordinary keys.
//!
//! ```
//! use zobrist_lab::code::Code;
//! let code = Code::of_words(&[0b00u64, 0b01, 0b10, 0b11, 0b01]);
//! assert_eq!(code.basis(), [0b00001, 0b01110, 0b10010]);
//! assert_eq!((code.dimension(), code.bits()), (3, 2));
//! assert_eq!(code.minimum_distance(), Some(1)); // the zero word cancels alone
//! assert_eq!(code.even_part().minimum_distance(), Some(2)); // {1,4}
//! ```

mod distance;

use rayon::prelude::*;

use crate::census::Census;
use crate::error::Error;
use crate::gf2::{self, Vector};
use crate::positions::Positions;
use crate::tier::{self, Tier};
use crate::{keys, memory};

/// A linear code: a subspace of the sets of `features` features.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Code {
    features: usize,
    basis: Vec<u64>,
}

/// Dimensions of codes that are walked for their least weight; above, sums of few rows decide.
const MOST_WALKED: usize = 20;

/// The pairs of positions that a key confuses because they differ on one codeword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// The set of features the pairs differ on.
    pub set: u64,
    /// How many pairs there are, at least one.
    pub pairs: u64,
}

impl Code {
    /// The code of the key with these words, one a feature.
    ///
    /// # Panics
    /// With more than 64 words.
    pub fn of_words<V: Vector>(words: &[V]) -> Self {
        Self { features: words.len(), basis: gf2::kernel(words) }
    }

    /// The code that `generators`, in any number and dependent or not, span.
    ///
    /// # Panics
    /// With more than 64 features, or a generator beyond them.
    pub fn spanned(features: usize, generators: &[u64]) -> Self {
        assert!(features <= 64, "{features} features: a set of them is 64 bits");
        let stray = generators.iter().find(|set| set.checked_shr(features as u32).unwrap_or(0) > 0);
        assert!(stray.is_none(), "{stray:?} is beyond {features} features");
        Self { features, basis: gf2::reduced(generators) }
    }

    /// Number of features: of words of a key with this code.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The reduced basis: ascending, the highest feature of each set in no other.
    pub fn basis(&self) -> &[u64] {
        &self.basis
    }

    /// Dimension: the code has 2 to that power words, the empty set among them.
    pub fn dimension(&self) -> usize {
        self.basis.len()
    }

    /// Bits of the shortest keys with this code.
    pub fn bits(&self) -> usize {
        self.features - self.basis.len()
    }

    /// Words of a shortest key with this code. The feature that leads a basis
    /// set gets the sum of the words of the set's other features, and the
    /// features that lead none get one bit each, the lowest feature bit 0.
    ///
    /// ```
    /// use zobrist_lab::code::Code;
    /// let code = Code::spanned(5, &[0b00001, 0b01110, 0b10010]);
    /// assert_eq!(code.words(), [0b00, 0b01, 0b10, 0b11, 0b01]);
    /// ```
    pub fn words(&self) -> Vec<u64> {
        let leads: u64 = self.basis.iter().map(|set| 1 << set.ilog2()).sum();
        let mut words = vec![0; self.features];
        let others = (0..self.features).filter(|feature| leads >> feature & 1 == 0);
        for (bit, feature) in others.enumerate() {
            words[feature] = 1 << bit;
        }
        for set in &self.basis {
            words[set.ilog2() as usize] = gf2::times(&words, set ^ 1 << set.ilog2());
        }
        words
    }

    /// Whether `set` is a codeword.
    pub fn contains(&self, set: u64) -> bool {
        gf2::remainder(&self.basis, set) == 0
    }

    /// Every codeword but the empty set.
    ///
    /// # Panics
    /// At dimension 64.
    pub fn codewords(&self) -> impl Iterator<Item = u64> {
        gf2::span(&self.basis).skip(1)
    }

    /// The codewords of even size, a code of the same or one less dimension.
    pub fn even_part(&self) -> Self {
        let (odd, even): (Vec<u64>, Vec<u64>) =
            self.basis.iter().partition(|set| set.count_ones() % 2 == 1);
        let paired = odd.iter().skip(1).map(|set| set ^ odd[0]);
        Self::spanned(self.features, &even.into_iter().chain(paired).collect::<Vec<_>>())
    }

    /// The sets that share an even number of features with every codeword.
    pub fn dual(&self) -> Self {
        Self::spanned(self.features, &gf2::transpose(&self.words(), self.bits()))
    }

    /// The weight enumerator: how many codewords have each size, from 0 to
    /// `features`. It walks this code or its dual, whichever is smaller, so
    /// takes at most 2^32 steps; from the dual's weights this code's follow by
    /// MacWilliams' identity.
    pub fn weights(&self) -> Vec<u128> {
        if self.dimension() <= self.bits() {
            let mut weights = vec![0u128; self.features + 1];
            gf2::span(&self.basis).for_each(|set| weights[set.count_ones() as usize] += 1);
            return weights;
        }
        let dual = self.dual();
        let mut sums = vec![0i128; self.features + 1];
        for (size, &words) in dual.weights().iter().enumerate() {
            let signed = signed_sets(self.features, size);
            sums.iter_mut().zip(signed).for_each(|(sum, sets)| *sum += words as i128 * sets);
        }
        sums.into_iter().map(|sum| (sum >> dual.dimension()) as u128).collect()
    }

    /// The size of the smallest codeword other than the empty set; nothing if
    /// there is no other.
    pub fn minimum_distance(&self) -> Option<usize> {
        if self.dimension().min(self.bits()) > MOST_WALKED {
            return self.distance_or_less(0);
        }
        self.weights().iter().skip(1).position(|&words| words > 0).map(|size| size + 1)
    }

    /// The minimum distance if it is `wanted` or more; if not, some distance below `wanted`.
    pub fn distance_or_less(&self, wanted: usize) -> Option<usize> {
        distance::least_weight(&self.basis, wanted as u32).map(|weight| weight as usize)
    }

    /// The families of a key with this code, worst first, and smaller sets
    /// first among equals. It looks every codeword up.
    pub fn families(&self, census: &Census) -> Vec<Family> {
        assert_eq!(self.features, census.features(), "a key and a census of the same features");
        // Where odd sets have no cell no pair differs on one.
        let even = census.parity_dropped().then(|| self.even_part());
        let codewords = even.as_ref().unwrap_or(self).codewords();
        let families = codewords.filter_map(|set| match census.count(set) {
            0 => None,
            pairs => Some(Family { set, pairs: pairs.into() }),
        });
        worst_first(families.collect())
    }

    /// The same families from the positions themselves: keys are sorted, and
    /// the differences within each run of equal keys are written down, eight
    /// bytes each, and sorted in turn.
    ///
    /// # Errors
    /// The differences do not fit the memory that is free.
    pub fn families_among(&self, positions: &Positions) -> Result<Vec<Family>, Error> {
        let pairs = self.pairs_among(positions);
        let what = format!("the differences of {pairs} pairs that share a key");
        memory::require(&what, pairs.saturating_mul(24), "; more bits confuse fewer")?;
        let mut differences = Vec::with_capacity(pairs as usize);
        self.each_confusion(positions, |run| {
            for (index, x) in run.iter().enumerate() {
                differences.extend(run[..index].iter().map(|y| x.1 ^ y.1));
            }
        });
        differences.par_sort_unstable();
        let sets = differences.chunk_by(|x, y| x == y);
        let families = sets.map(|sets| Family { set: sets[0], pairs: sets.len() as u64 });
        Ok(worst_first(families.collect()))
    }

    /// Same-mover pairs of `positions` that share a key, from the positions themselves.
    pub fn pairs_among(&self, positions: &Positions) -> u64 {
        let mut pairs = 0;
        self.each_confusion(positions, |run| {
            pairs += run.len() as u64 * (run.len() as u64 - 1) / 2;
        });
        pairs
    }

    /// Calls `with` on every run of two or more same-mover positions that share
    /// a key, as (key, position).
    fn each_confusion(&self, positions: &Positions, mut with: impl FnMut(&[(u64, u64)])) {
        let least = positions.features;
        assert!(self.features >= least, "{} words for {least} features", self.features);
        let (_, kernel) =
            tier::pick(keys::KERNELS, None, Tier::best()).expect("a kernel is always there");
        let words = self.words();
        for list in positions.both() {
            let mut keys = vec![0; list.len()];
            kernel.keys(&words, list, &mut keys);
            let mut keyed: Vec<(u64, u64)> = keys.into_iter().zip(list.iter().copied()).collect();
            keyed.sort_unstable();
            keyed.chunk_by(|x, y| x.0 == y.0).filter(|run| run.len() > 1).for_each(&mut with);
        }
    }
}

/// Sorts families by their pairs, most first, then by size and value of the set.
fn worst_first(mut families: Vec<Family>) -> Vec<Family> {
    families.sort_unstable_by_key(|family| {
        (std::cmp::Reverse(family.pairs), family.set.count_ones(), family.set)
    });
    families
}

/// For each size `k`: over the sets of `k` of `features` features, those that
/// share an even number with a given set of `size` less those that share an odd
/// number. (The Krawtchouk polynomials: coefficients of (1−x)^size (1+x)^rest.)
fn signed_sets(features: usize, size: usize) -> Vec<i128> {
    let mut polynomial = vec![1i128];
    for factor in 0..features {
        let sign = if factor < size { -1 } else { 1 };
        polynomial.push(0);
        for power in (1..polynomial.len()).rev() {
            polynomial[power] += sign * polynomial[power - 1];
        }
    }
    polynomial
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Road;
    use crate::game::domineering::Domineering;
    use crate::{pairs, positions, walsh};
    use proptest::prelude::*;

    fn squares(squares: &[usize]) -> u64 {
        squares.iter().map(|square| 1 << square).sum()
    }

    #[test]
    fn distances_of_known_codes() {
        // The extended Hamming code: words 1111, and a one above each number below 8.
        let hamming = Code::of_words(&[8u64, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(hamming.dimension(), 4);
        assert_eq!(hamming.weights(), [1, 0, 0, 0, 14, 0, 0, 0, 1]);
        assert_eq!((hamming.minimum_distance(), hamming.dual()), (Some(4), hamming.clone()));
        // The extended binary Golay code, by the quadratic residues modulo 11 around a border.
        let residues = [0, 1, 3, 4, 5, 9];
        let row = |row: usize| -> u64 {
            1 << row | 1 << 23 | residues.iter().map(|r| 1 << (12 + (row + r) % 11)).sum::<u64>()
        };
        let mut rows: Vec<u64> = (0..11).map(row).collect();
        rows.push(1 << 11 | squares(&[12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]));
        let golay = Code::spanned(24, &rows);
        let mut weights = [0; 25];
        (weights[0], weights[8], weights[12], weights[16], weights[24]) = (1, 759, 2576, 759, 1);
        assert_eq!(golay.weights(), weights);
        assert_eq!(golay.minimum_distance(), Some(8));
    }

    #[test]
    fn redundant_rows_and_poor_words_are_ordinary() {
        let v = squares(&[1, 2, 5]);
        assert_eq!(Code::spanned(6, &[v, v, 0]).minimum_distance(), Some(3));
        assert_eq!(Code::of_words(&[7u64, 7, 1, 2]).minimum_distance(), Some(2));
        assert_eq!(Code::of_words(&[1u64, 2, 4]).minimum_distance(), None);
        assert_eq!(Code::of_words(&[1u64, 2, 4]).even_part().minimum_distance(), None);
        assert!(Code::of_words::<u64>(&[]).words().is_empty());
        // All sixty-four words zero: the weights come from the dual, which is nothing.
        let everything = Code::of_words(&[0u128; 64]);
        assert_eq!(everything.weights()[32], 1_832_624_140_942_590_534);
        assert_eq!(everything.even_part().dimension(), 63);
        let nothing = Code::of_words(&(0..64).map(|bit| 1u128 << bit).collect::<Vec<_>>());
        assert_eq!(nothing.bits(), 64);
    }

    #[test]
    fn families_that_cannot_be_written_down_are_refused_before_they_are() {
        let positions = Positions { features: 40, left: (0..1 << 20).collect(), right: vec![] };
        let error = Code::of_words(&[0u64; 40]).families_among(&positions).unwrap_err().to_string();
        assert!(error.starts_with("the differences of 549755289600 pairs that share"), "{error}");
        assert!(!error.contains('\n') && error.contains("available"), "{error}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn words_codes_and_duals_agree(
            words in (1usize..11).prop_flat_map(|n| prop::collection::vec(0u64..64, n))
        ) {
            let code = Code::of_words(&words);
            for set in 0..1 << words.len() {
                prop_assert_eq!(code.contains(set), gf2::times(&words, set) == 0);
            }
            let shortest = code.words();
            prop_assert!(shortest.iter().all(|word| word >> code.bits() == 0));
            prop_assert_eq!(&Code::of_words(&shortest), &code);
            prop_assert_eq!(&code.dual().dual(), &code);
            let even: Vec<u64> =
                code.codewords().filter(|set| set.count_ones() % 2 == 0).collect();
            prop_assert_eq!(code.even_part().codewords().count(), even.len());
            prop_assert!(even.iter().all(|&set| code.even_part().contains(set)));
            let mut weights = vec![0u128; words.len() + 1];
            gf2::span(code.basis()).for_each(|set| weights[set.count_ones() as usize] += 1);
            prop_assert_eq!(code.weights(), weights);
            let dual = code.dual();
            let across = |x: u64, y: u64| (x & y).count_ones() % 2;
            prop_assert!(dual.codewords().all(|y| code.basis().iter().all(|&x| across(x, y) == 0)));
            prop_assert_eq!(dual.dimension(), code.bits());
        }

        #[test]
        fn every_road_finds_the_same_families(
            words in prop::collection::vec(0u64..64, 12)
        ) {
            let positions = positions::enumerate(&Domineering, "3x4".parse().unwrap()).unwrap();
            let code = Code::of_words(&words);
            let families = code.families_among(&positions).unwrap();
            let pairs_roads = tier::available(pairs::KERNELS).into_iter().map(|k| ("pairs", k.name));
            let walsh_roads = tier::available(walsh::KERNELS).into_iter().map(|k| ("walsh", k.name));
            for (family, kernel) in pairs_roads.chain(walsh_roads) {
                let name = format!("{family}/{kernel}");
                let road = Road::choose(&name, Tier::best(), &positions).unwrap();
                let census = Census::take(&positions, &road).unwrap();
                prop_assert_eq!(&code.families(&census), &families, "{}", name);
            }
            let pairs: u64 = families.iter().map(|family| family.pairs).sum();
            prop_assert_eq!(pairs, code.pairs_among(&positions));
        }
    }
}
