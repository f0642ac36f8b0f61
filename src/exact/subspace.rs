//! The largest subspace inside a set of vectors, by exhaustion.
//!
//! A subspace is built from its reduced basis, smallest vector first, so that
//! leading bits ascend. The candidates beside a basis are the vectors, reduced
//! by it, whose sums with all of its span lie in the set:
//!
//! ```text
//! set {0011, 0101, 0110, 1001}     basis 0011     candidates 0101   (0110 is its sum with 0011)
//!                                                 not 1001: 1010 is not in the set
//! largest subspace {0000, 0011, 0101, 0110}, of dimension 2
//! ```
//!
//! Half of the vectors of a subspace lead with its highest bit, a quarter with
//! the next, and so on. Candidates whose leading bits cannot be so distributed
//! are dropped at once, which bounds the search well because low leading bits
//! are rare. Targets rise one by one; the last, failing search is the proof,
//! unless parities show sooner that it fails ([`super::weighing`]).
//! Where a search is given up, a space grown greedily may still be larger.

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::greedy::grown;
use super::members::Members;
use super::weighing::{self, Weighed, Weighing};

/// What [`largest`] found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Largest {
    /// Reduced basis, ascending.
    pub basis: Vec<u64>,
    /// Whether it was shown that no larger subspace exists.
    pub proved: bool,
    /// What the proof rests on if parities made it, and not leading bits.
    pub weighed: Option<Weighed>,
    /// Sums looked up by exhaustion.
    pub lookups: u64,
}

/// Finds the largest subspace whose non-zero vectors all lie in `vectors`
/// (ascending, without zero or repeats): among equals, the one whose basis
/// comes first. The answer does not depend on the number of threads.
///
/// `effort` bounds the sums that exhaustion looks up, about. Where it does not
/// suffice the result is the largest that exhaustion, parities and a greedy growth found,
/// and proved only if leading bits or parities leave no room for one larger.
pub fn largest(vectors: &[u64], effort: u64, progress: &ProgressBar) -> Largest {
    let weighing = Weighing::of(vectors);
    let found = climb_with(Some(&weighing), vectors, Vec::new(), effort, progress);
    if found.proved {
        return found;
    }
    let basis = grown(vectors);
    if basis.len() <= found.basis.len() {
        return found;
    }
    let left = effort.saturating_sub(found.lookups);
    let higher = climb_with(Some(&weighing), vectors, basis, left, progress);
    Largest { lookups: found.lookups + higher.lookups, ..higher }
}

/// [`largest`] by leading bits alone, for spaces larger than one that is known.
pub(super) fn climb(
    vectors: &[u64],
    basis: Vec<u64>,
    effort: u64,
    progress: &ProgressBar,
) -> Largest {
    climb_with(None, vectors, basis, effort, progress)
}

/// Before leading bits are asked for a space of some dimension, parities are whether there
/// is one: where they know they mostly need far fewer sums.
fn climb_with(
    weighing: Option<&Weighing>,
    vectors: &[u64],
    mut basis: Vec<u64>,
    effort: u64,
    progress: &ProgressBar,
) -> Largest {
    debug_assert!(vectors.is_sorted_by(|x, y| x < y) && vectors.first() != Some(&0));
    let members = Members::of(vectors);
    let mut lookups = 0;
    loop {
        let target = basis.len() + 1;
        let mut known = None;
        // Any vector is a space of dimension 1.
        if let Some(weighing) = weighing.filter(|_| target > 1) {
            let left = effort.saturating_sub(lookups);
            let (search, spent) = weighing.search(target, &members, left, progress);
            lookups += spent;
            match search {
                weighing::Search::Found(larger) => known = Some(larger),
                weighing::Search::None(weighed) => {
                    return Largest { basis, proved: true, weighed: Some(weighed), lookups };
                }
                weighing::Search::GaveUp => {}
            }
        }
        let mut search = Search { vectors, members: &members, target, lookups: 0, gave_up: false };
        let larger = search.run(effort.saturating_sub(lookups), progress);
        lookups += search.lookups;
        match larger.or(known) {
            Some(larger) => basis = larger,
            None => {
                return Largest { basis, proved: !search.gave_up, weighed: None, lookups };
            }
        }
    }
}

/// An upper bound on the dimension of a subspace among sorted vectors: the
/// longest chain of leading bits with at least 1, 2, 4, … vectors each.
fn chain(vectors: &[u64]) -> usize {
    let classes = vectors.chunk_by(|x, y| x.ilog2() == y.ilog2());
    classes.fold(0, |links, class| links + usize::from(class.len() >= 1 << links))
}

/// Smallest vectors that are tried at once, which share what effort is left. What
/// each may spend depends on what the ones before them spent, never on the order
/// among themselves. (Among 64 the hungriest of 2x12 would not be fed.)
const AT_ONCE: usize = 16;

/// The search for a subspace of one dimension.
struct Search<'a> {
    vectors: &'a [u64],
    members: &'a Members,
    target: usize,
    lookups: u64,
    gave_up: bool,
}

impl Search<'_> {
    fn run(&mut self, effort: u64, progress: &ProgressBar) -> Option<Vec<u64>> {
        let firsts = self.firsts();
        progress.set_length(firsts as u64);
        for start in (0..firsts).step_by(AT_ONCE) {
            progress.set_position(start as u64);
            let allowance = effort.saturating_sub(self.lookups) / AT_ONCE as u64;
            let at_once = start..firsts.min(start + AT_ONCE);
            let branches = at_once.into_par_iter().map(|first| self.branch(first, allowance));
            let branches: Vec<(Outcome, Branch)> = branches.collect();
            for (outcome, branch) in branches {
                self.lookups += branch.lookups;
                match outcome {
                    Outcome::Found => return Some(branch.basis),
                    Outcome::GaveUp => self.gave_up = true,
                    Outcome::Exhausted => {}
                }
            }
        }
        None
    }

    /// How many vectors, the first ones, have leading bits enough above them to
    /// be the smallest of a subspace.
    fn firsts(&self) -> usize {
        let mut firsts = 0;
        for class in self.vectors.chunk_by(|x, y| x.ilog2() == y.ilog2()) {
            if 1 + chain(&self.vectors[firsts + class.len()..]) < self.target {
                break;
            }
            firsts += class.len();
        }
        firsts
    }

    /// All subspaces whose smallest vector is the given one.
    fn branch(&self, first: usize, allowance: u64) -> (Outcome, Branch) {
        let vector = self.vectors[first];
        let above = self.vectors.partition_point(|other| other.ilog2() <= vector.ilog2());
        let mut branch = Branch { target: self.target, basis: vec![vector], lookups: 0 };
        if ((self.vectors.len() - above) as u64) > allowance {
            return (Outcome::GaveUp, branch);
        }
        let candidates = branch.beside(vector, &self.vectors[above..], self.members);
        (branch.grow(&candidates, allowance), branch)
    }
}

/// How the search beside some basis ended.
pub(super) enum Outcome {
    Found,
    Exhausted,
    GaveUp,
}

/// All subspaces above one smallest vector.
struct Branch {
    target: usize,
    basis: Vec<u64>,
    lookups: u64,
}

impl Branch {
    /// Of sorted candidates with higher leading bits than `vector`, those that
    /// remain candidates when `vector` joins the basis.
    fn beside(&mut self, vector: u64, candidates: &[u64], members: &Members) -> Vec<u64> {
        let lead = vector.ilog2();
        let reduced = candidates.iter().copied().filter(|other| other >> lead & 1 == 0);
        let mut lookups = 0;
        let beside = reduced.filter(|&other| {
            lookups += 1;
            members.contain(other ^ vector)
        });
        let beside = beside.collect();
        self.lookups += lookups;
        beside
    }

    /// Extends the basis by candidates until it has the target's dimension.
    fn grow(&mut self, candidates: &[u64], allowance: u64) -> Outcome {
        let Some(missing) = (self.target - self.basis.len()).checked_sub(1) else {
            return Outcome::Found;
        };
        if chain(candidates) <= missing {
            return Outcome::Exhausted;
        }
        if missing == 0 {
            self.basis.push(candidates[0]);
            return Outcome::Found;
        }
        let members = Members::of(candidates);
        let mut above = 0;
        for class in candidates.chunk_by(|x, y| x.ilog2() == y.ilog2()) {
            above += class.len();
            if chain(&candidates[above..]) < missing {
                break;
            }
            for &vector in class {
                if self.lookups > allowance {
                    return Outcome::GaveUp;
                }
                let beside = self.beside(vector, &candidates[above..], &members);
                self.basis.push(vector);
                match self.grow(&beside, allowance) {
                    Outcome::Exhausted => self.basis.pop(),
                    other => return other,
                };
            }
        }
        Outcome::Exhausted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gf2;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn search(set: &BTreeSet<u64>, effort: u64) -> Largest {
        let vectors: Vec<u64> = set.iter().copied().collect();
        largest(&vectors, effort, &ProgressBar::hidden())
    }

    /// The definition: every subspace, grown one vector at a time.
    fn dimension(set: &BTreeSet<u64>, space: &BTreeSet<u64>) -> usize {
        let longer = set.iter().filter(|v| !space.contains(v)).filter_map(|v| {
            let sums: BTreeSet<u64> = space.iter().map(|x| x ^ v).collect();
            sums.is_subset(set).then(|| 1 + dimension(set, &space.union(&sums).copied().collect()))
        });
        longer.max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn it_is_the_largest(set in prop::collection::btree_set(1u64..32, 0..28)) {
            let found = search(&set, u64::MAX);
            prop_assert!(found.proved);
            prop_assert_eq!(found.basis.len(), dimension(&set, &BTreeSet::from([0])));
            prop_assert!(gf2::span(&found.basis).skip(1).all(|vector| set.contains(&vector)));
            prop_assert_eq!(gf2::reduced(&found.basis), found.basis);
        }

        #[test]
        fn a_planted_subspace_is_found_among_strays(
            generators in prop::collection::vec(1u64..1 << 40, 5),
            strays in prop::collection::btree_set(1u64..1 << 40, 0..500)
        ) {
            let planted = gf2::reduced(&generators);
            let mut set = strays;
            set.extend(gf2::span(&planted).skip(1));
            let found = search(&set, u64::MAX);
            prop_assert!(found.proved && found.basis.len() >= planted.len());
            let members = Members::of(&set.iter().copied().collect::<Vec<_>>());
            prop_assert!(set.iter().all(|&vector| members.contain(vector)));
            prop_assert!((1 << 40..1 << 40 | 1000).all(|vector| !members.contain(vector)));
        }
    }

    #[test]
    fn too_little_effort_is_admitted() {
        let all: BTreeSet<u64> = (1..256).collect();
        assert_eq!(search(&all, u64::MAX).basis.len(), 8);
        let vectors: Vec<u64> = all.iter().copied().collect();
        let hasty = climb(&vectors, Vec::new(), 300, &ProgressBar::hidden());
        assert!(!hasty.proved && hasty.basis.len() < 8, "{hasty:?}");
        assert!(search(&BTreeSet::new(), 0).proved);
    }

    /// Two spaces of dimension 6 that overlap, among strays: exhaustion gives up at once.
    #[test]
    fn with_little_effort_the_space_is_grown() {
        let mut set: BTreeSet<u64> = (1..64).map(|low| low | (low & 1) << 30).collect();
        set.extend((1..64u64).map(|low| low << 10));
        set.extend((0..3000u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24 | 1));
        let vectors: Vec<u64> = set.iter().copied().collect();
        assert!(climb(&vectors, Vec::new(), 1, &ProgressBar::hidden()).basis.len() < 6);
        let hasty = search(&set, 1);
        assert_eq!((hasty.basis.len(), hasty.proved), (6, false));
        assert!(gf2::span(&hasty.basis).skip(1).all(|vector| set.contains(&vector)));
        assert_eq!(gf2::reduced(&hasty.basis), hasty.basis);
        assert_eq!(search(&set, u64::MAX).basis.len(), 6);
    }
}
