//! Proofs that no large subspace lies inside a set of vectors, by parities on which nearly
//! all of them are odd.
//!
//! A *parity* is a set of features, and a vector is even or odd on it: a linear functional.
//! On a space of dimension `d` each is even on `2^(d−1) − 1` of the `2^d − 1` vectors other
//! than zero, or on all. So of `r` parities some vector of the space is even on
//! `r (2^(d−1) − 1) / (2^d − 1)` at least, the average, and only such *heavy* vectors need
//! be tried for the first of a basis, what is left on the average for the second, and so on:
//!
//! ```text
//! 3x4      ....   every free set has an odd number of these squares; on a
//!          ####   space of dimension 2 one vector at least is even: there is none
//!          ....
//! 2x16     #...............   ##..............   ###.............   … 15 parities;
//!          #...............   ##..............   ###.............
//!          of the seven sets of a space of dimension 3 one is even on 7 of them:
//!          28,794 of the 21,716,686 free sets are
//! ```
//!
//! The sum of all parities is a parity, too, so half of a space at least is odd on an even
//! number of them. It is enough to count that half out among the vectors that are: of 2x15
//! they are even on 4 of 14 parities at most, and one of three would have to be on 5.
//!
//! The parities are not told but found ([`super::parities`]). Whatever they are, the proof
//! holds; good ones make it short.

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::members::Members;
use super::parities::{self, evens};
use super::subspace::Outcome;
use crate::gf2;

/// What a proof by parities rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weighed {
    /// The parities, each a set of features.
    pub parities: Vec<u64>,
    /// Whether half of a larger space was counted out already: the half that is odd on an
    /// even number of the parities.
    pub halved: bool,
    /// Parities on which some vector of a larger space, or of that half, is even, at least.
    pub least: usize,
    /// Vectors, of that half if it is so, that are even on so many.
    pub heavy: u64,
}

/// First vectors that are tried at once; see [`super::subspace`].
const AT_ONCE: usize = 64;

/// Parities on which most of some vectors are odd.
pub(super) struct Weighing<'a> {
    vectors: &'a [u64],
    /// The strongest first.
    parities: Vec<u64>,
}

impl<'a> Weighing<'a> {
    pub(super) fn of(vectors: &'a [u64]) -> Self {
        Self { vectors, parities: parities::found(vectors) }
    }

    /// Searches for a space of dimension `target` unless that takes more than `effort` sums,
    /// and says how many were looked up.
    pub(super) fn search(
        &self,
        target: usize,
        members: &Members,
        effort: u64,
        progress: &ProgressBar,
    ) -> (Search, u64) {
        if self.parities.is_empty() {
            return (Search::GaveUp, 0);
        }
        let parities = &self.parities[..];
        let counts = counts(self.vectors, parities);
        let direct = Order::new(parities, target, false, &counts);
        let halved = Order::new(parities, target - 1, true, &counts);
        let mut spent = 0;
        if target > 2 && halved.sums() < direct.sums().min(effort.into()) {
            let (outcome, lookups) = self.hunt(&halved, members, effort, progress);
            if matches!(outcome, (Outcome::Exhausted, _)) {
                return (Search::None(halved.weighed()), lookups);
            }
            spent = lookups;
        }
        let left = effort.saturating_sub(spent);
        if direct.sums() > u128::from(left) {
            return (Search::GaveUp, spent);
        }
        let (outcome, lookups) = self.hunt(&direct, members, left, progress);
        let search = match outcome {
            (Outcome::Found, basis) => Search::Found(gf2::reduced(&basis)),
            (Outcome::Exhausted, _) => Search::None(direct.weighed()),
            (Outcome::GaveUp, _) => Search::GaveUp,
        };
        (search, spent + lookups)
    }

    fn hunt(
        &self,
        order: &Order,
        members: &Members,
        effort: u64,
        progress: &ProgressBar,
    ) -> ((Outcome, Vec<u64>), u64) {
        match order.heavy(0, 0) {
            0 => ((Outcome::Exhausted, Vec::new()), 0),
            heavy => {
                let vectors = order.sorted(self.vectors);
                Hunt { order, vectors: &vectors, members }.run(heavy, effort, progress)
            }
        }
    }
}

/// What a search came to.
pub(super) enum Search {
    /// A reduced basis.
    Found(Vec<u64>),
    /// No space of that dimension.
    None(Weighed),
    GaveUp,
}

/// How many vectors are even on each number of the parities.
fn counts(vectors: &[u64], parities: &[u64]) -> Vec<usize> {
    let none = || vec![0; parities.len() + 1];
    let counted = vectors.par_iter().with_min_len(1 << 12).fold(none, |mut counts, &vector| {
        counts[evens(parities, vector)] += 1;
        counts
    });
    counted.reduce(none, |mut sum, counts| {
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        sum
    })
}

/// In which order the vectors of a space are met: those even on most parities first.
struct Order<'a> {
    parities: &'a [u64],
    target: usize,
    halved: bool,
    /// For each number of parities, and one more, how many vectors are even on so many at
    /// least.
    ends: Vec<usize>,
}

impl<'a> Order<'a> {
    /// Of all vectors, or of those alone that are odd on an even number of the parities.
    fn new(parities: &'a [u64], target: usize, halved: bool, counts: &[usize]) -> Self {
        let mut order = Self { parities, target, halved, ends: vec![0; counts.len() + 1] };
        for (evens, count) in counts.iter().enumerate().rev() {
            order.ends[evens] = order.ends[evens + 1] + if order.has(evens) { *count } else { 0 };
        }
        order
    }

    /// Whether vectors that are even on so many parities are among those that are ordered.
    fn has(&self, evens: usize) -> bool {
        !self.halved || (self.parities.len() - evens).is_multiple_of(2)
    }

    fn weighed(&self) -> Weighed {
        Weighed {
            parities: self.parities.to_vec(),
            halved: self.halved,
            least: self.least(0, 0),
            heavy: self.heavy(0, 0) as u64,
        }
    }

    /// On how many parities the first vector beyond a span of `dimension`, whose vectors are
    /// even on `spent` together, is even at least.
    fn least(&self, dimension: usize, spent: usize) -> usize {
        let all = self.parities.len() * ((1 << (self.target - 1)) - 1);
        all.saturating_sub(spent).div_ceil((1 << self.target) - (1 << dimension))
    }

    /// How many of the first vectors are even on so many.
    fn heavy(&self, dimension: usize, spent: usize) -> usize {
        self.ends.get(self.least(dimension, spent)).copied().unwrap_or(0)
    }

    /// Sums of two vectors that a search looks up, at the most.
    fn sums(&self) -> u128 {
        let firsts = (self.least(0, 0)..=self.parities.len()).map(|evens| {
            let [here, above] = [self.ends[evens], self.ends[evens + 1]];
            // Those behind the first, and half of those beside it.
            let seconds = self.heavy(1, evens).saturating_sub(above + (here - above) / 2);
            (here - above) as u128 * seconds as u128
        });
        firsts.sum()
    }

    fn sorted(&self, vectors: &[u64]) -> Vec<u64> {
        let mut next: Vec<usize> = self.ends[1..].to_vec();
        let mut sorted = vec![0; self.ends[0]];
        for &vector in vectors {
            let evens = evens(self.parities, vector);
            if self.has(evens) {
                sorted[next[evens]] = vector;
                next[evens] += 1;
            }
        }
        sorted
    }
}

/// The search for a space of one dimension.
struct Hunt<'a> {
    order: &'a Order<'a>,
    vectors: &'a [u64],
    members: &'a Members,
}

/// All spaces with one first vector.
struct Branch {
    basis: Vec<u64>,
    /// All sums of the basis but zero, the first vector in front.
    span: Vec<u64>,
    /// Numbers of the vectors behind the first whose sum with it is one, too, of those
    /// below `seen`: whoever needs more looks further.
    beside: Vec<usize>,
    seen: usize,
    lookups: u64,
}

impl Hunt<'_> {
    fn run(
        &self,
        firsts: usize,
        effort: u64,
        progress: &ProgressBar,
    ) -> ((Outcome, Vec<u64>), u64) {
        progress.set_length(firsts as u64);
        let mut lookups = 0;
        for start in (0..firsts).step_by(AT_ONCE) {
            progress.set_position(start as u64);
            let allowance = effort.saturating_sub(lookups) / AT_ONCE as u64;
            let at_once = start..firsts.min(start + AT_ONCE);
            let branches = at_once.into_par_iter().map(|first| self.branch(first, allowance));
            let branches: Vec<(Outcome, Branch)> = branches.collect();
            lookups += branches.iter().map(|(_, branch)| branch.lookups).sum::<u64>();
            for (outcome, branch) in branches {
                if !matches!(outcome, Outcome::Exhausted) {
                    return ((outcome, branch.basis), lookups);
                }
            }
        }
        ((Outcome::Exhausted, Vec::new()), lookups)
    }

    fn branch(&self, first: usize, allowance: u64) -> (Outcome, Branch) {
        let vector = self.vectors[first];
        let mut branch = Branch {
            basis: vec![vector],
            span: vec![vector],
            beside: Vec::new(),
            seen: first + 1,
            lookups: 0,
        };
        let spent = evens(self.order.parities, vector);
        (self.grow(&mut branch, spent, 0, allowance), branch)
    }

    /// Extends the basis by vectors beside the first, from place `next` of their list on.
    fn grow(&self, branch: &mut Branch, spent: usize, next: usize, allowance: u64) -> Outcome {
        let dimension = branch.basis.len();
        if dimension == self.order.target {
            return Outcome::Found;
        }
        let end = self.order.heavy(dimension, spent);
        for place in next.. {
            while place == branch.beside.len() && branch.seen < end && branch.lookups <= allowance {
                if self.members.contain(self.vectors[branch.seen] ^ branch.span[0]) {
                    branch.beside.push(branch.seen);
                }
                branch.seen += 1;
                branch.lookups += 1;
            }
            if branch.lookups > allowance {
                return Outcome::GaveUp;
            }
            let Some(&index) = branch.beside.get(place).filter(|&&index| index < end) else {
                break;
            };
            let vector = self.vectors[index];
            let sums = branch.span.len();
            let inside = branch.span[1..].iter().take_while(|&sum| {
                branch.lookups += 1;
                self.members.contain(sum ^ vector)
            });
            if inside.count() + 1 < sums {
                continue;
            }
            branch.basis.push(vector);
            branch.span.push(vector);
            branch.span.extend_from_within(..sums);
            branch.span[sums + 1..].iter_mut().for_each(|sum| *sum ^= vector);
            let joined = branch.span[sums..].iter();
            let joined: Vec<usize> = joined.map(|&sum| evens(self.order.parities, sum)).collect();
            // The first to join is even on most.
            if joined.iter().all(|evens| *evens <= joined[0]) {
                let spent = spent + joined.iter().sum::<usize>();
                match self.grow(branch, spent, place + 1, allowance) {
                    Outcome::Exhausted => {}
                    other => return other,
                }
            }
            branch.basis.pop();
            branch.span.truncate(sums);
        }
        Outcome::Exhausted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::parities::odd;
    use proptest::prelude::*;

    fn search(vectors: &[u64], target: usize, effort: u64) -> Search {
        let quiet = ProgressBar::hidden();
        Weighing::of(vectors).search(target, &Members::of(vectors), effort, &quiet).0
    }

    /// All vectors that are odd on a parity: no two add up to a third.
    #[test]
    fn one_parity_on_which_all_are_odd_is_a_proof_without_a_sum() {
        let parity = 0b0110_1001;
        let vectors: Vec<u64> = (1..256).filter(|&vector| odd(parity, vector)).collect();
        let quiet = ProgressBar::hidden();
        let (found, sums) = Weighing::of(&vectors).search(2, &Members::of(&vectors), 0, &quiet);
        let Search::None(weighed) = found else { panic!("there is no such space") };
        assert_eq!(weighed, Weighed { parities: vec![parity], halved: false, least: 1, heavy: 0 });
        assert_eq!(sums, 0);
    }

    /// No space of dimension 3 is among vectors with ten of twelve features at least, but one
    /// that is planted there.
    #[test]
    fn spaces_among_heavy_vectors_are_found_and_counted_out() {
        let search = |vectors: &[u64], target, effort| {
            let weighing = Weighing { vectors, parities: (0..12).map(|bit| 1 << bit).collect() };
            let quiet = ProgressBar::hidden();
            weighing.search(target, &Members::of(vectors), effort, &quiet).0
        };
        let light = |vector: &u64| (vector & 0xFFF).count_ones() >= 10;
        let mut vectors: Vec<u64> = (1..1 << 18).filter(light).collect();
        let Search::None(weighed) = search(&vectors, 3, 1 << 30) else { panic!("none there") };
        assert_eq!((weighed.least, weighed.heavy), (6, 0));
        let planted = [0x3F03F, 0x0F3CF, 0x15555];
        vectors.extend(gf2::span(&planted).skip(1));
        vectors.sort_unstable();
        vectors.dedup();
        let Search::Found(basis) = search(&vectors, 3, 1 << 30) else { panic!("one is there") };
        assert_eq!(basis, gf2::reduced(&planted));
        assert!(matches!(search(&vectors, 4, 1 << 30), Search::None(_)));
        assert!(matches!(search(&vectors, 3, 4), Search::GaveUp));
    }

    #[test]
    fn without_vectors_or_parities_nothing_is_claimed() {
        assert!(matches!(search(&[], 2, 1 << 20), Search::GaveUp));
        let all: Vec<u64> = (1..1 << 10).collect();
        assert!(matches!(search(&all, 11, 1 << 20), Search::GaveUp));
    }

    /// The largest dimension of a space inside, by every space.
    fn dimension(vectors: &[u64], space: &[u64]) -> usize {
        let beside = vectors.iter().filter(|v| !space.contains(v));
        let larger = beside.filter_map(|v| {
            let sums: Vec<u64> = space.iter().map(|x| x ^ v).collect();
            sums.iter()
                .all(|sum| vectors.contains(sum))
                .then(|| 1 + dimension(vectors, &[space, &sums[..]].concat()))
        });
        larger.max().unwrap_or(0)
    }

    proptest! {
        /// Whatever parities are weighed by, what is said is true.
        #[test]
        fn any_parities_prove_only_what_is_true(
            set in prop::collection::btree_set(1u64..64, 1..28),
            parities in prop::collection::vec(1u64..64, 1..6),
        ) {
            let vectors: Vec<u64> = set.into_iter().collect();
            let largest = dimension(&vectors, &[0]);
            let weighing = Weighing { vectors: &vectors, parities };
            for target in 2..=5 {
                let members = Members::of(&vectors);
                let quiet = ProgressBar::hidden();
                match weighing.search(target, &members, 1 << 20, &quiet).0 {
                    Search::Found(basis) => {
                        prop_assert!(target <= largest && basis.len() == target);
                        prop_assert!(gf2::span(&basis).skip(1).all(|v| vectors.contains(&v)));
                    }
                    Search::None(_) => prop_assert!(target > largest, "{target} of {largest}"),
                    Search::GaveUp => prop_assert!(false, "there is effort enough"),
                }
            }
        }
    }
}
