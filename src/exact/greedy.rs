//! Large spaces of free sets where nearly all sets are free and exhaustion is
//! hopeless: a space is grown by sets whose sums with it are free, and what is
//! left of the differences is looked through exhaustively once it is small.
//!
//! ```text
//! differences D, a set v not in D: any code without a word of D/v, together
//! with v, has no word of D          D = {011, 101}   v = 110   D/v = {011}
//! ```
//!
//! While |D| < 2^r − 1 in a space of dimension r there is such a v, so the key
//! found has at most ⌈log₂(|D| + 1)⌉ bits. Merging many differences at each
//! step makes it shorter. Where the free sets are listed instead, the same
//! growth keeps those whose sum with the set chosen is free, too.

use std::time::Instant;

use indicatif::ProgressBar;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use super::members::Members;
use super::subspace::climb;
use crate::draw;
use crate::gf2;

/// Sets weighed for each step.
const WEIGHED: usize = 16;

/// Differences on which they are weighed.
const SAMPLE: usize = 1 << 12;

/// Free sets left at which exhaustion takes over.
const FEW: u64 = 1 << 10;

/// Lookups that it may then spend for each dimension and attempt.
const EFFORT: u64 = 1 << 22;

/// The basis of a large space without a vector of `differences` (ascending,
/// without zero), inside their span: the best of some seeded attempts, fewer
/// where there are many differences. Attempts that do not end by `until` count for nothing;
/// none if no other does.
pub(super) fn large_space(differences: &[u64], until: Option<Instant>) -> Option<Vec<u64>> {
    let attempts = ((1 << 22) / differences.len().max(1)).clamp(1, 24);
    let spaces: Vec<Vec<u64>> = (0..attempts as u64)
        .into_par_iter()
        .filter_map(|attempt| grow(differences.to_vec(), until, &mut draw::generator(0, attempt)))
        .collect();
    spaces.into_iter().reduce(|best, other| if other.len() > best.len() { other } else { best })
}

fn grow(
    mut differences: Vec<u64>,
    until: Option<Instant>,
    random: &mut ChaCha8Rng,
) -> Option<Vec<u64>> {
    let mut space = Vec::new();
    loop {
        if until.is_some_and(|until| Instant::now() >= until) {
            return None;
        }
        let span = gf2::reduced(&differences);
        let members = Members::of(&differences);
        let free = (1u128 << span.len()) - 1 - differences.len() as u128;
        if free <= u128::from(FEW) {
            let mut left: Vec<u64> =
                gf2::span(&span).skip(1).filter(|&set| !members.contain(set)).collect();
            left.sort_unstable();
            space.extend(climb(&left, Vec::new(), EFFORT, &ProgressBar::hidden()).basis);
            return Some(space);
        }
        let by = (0..WEIGHED).map(|_| free_set(&differences, &span, &members, random));
        let sample = differences.iter().step_by(differences.len().div_ceil(SAMPLE));
        let merged = |by: u64| sample.clone().filter(|&&set| members.contain(set ^ by)).count();
        let by = by.max_by_key(|&by| merged(by)).expect("some are weighed");
        space.push(by);
        differences.iter_mut().for_each(|set| *set = (*set).min(*set ^ by));
        differences.sort_unstable();
        differences.dedup();
    }
}

/// The reduced basis, ascending, of a large space inside `free` (without
/// zero): the best of some seeded attempts, fewer where there are many sets.
pub(super) fn grown(free: &[u64]) -> Vec<u64> {
    let attempts = ((1 << 26) / free.len().max(1)).clamp(8, 256);
    let members = Members::of(free);
    let spaces: Vec<Vec<u64>> = (0..attempts as u64)
        .into_par_iter()
        .map(|attempt| grow_within(free, &members, &mut draw::generator(0, attempt)))
        .collect();
    let first_largest = |best: Vec<u64>, other: Vec<u64>| {
        if other.len() > best.len() { other } else { best }
    };
    gf2::reduced(&spaces.into_iter().fold(Vec::new(), first_largest))
}

fn grow_within(free: &[u64], members: &Members, random: &mut ChaCha8Rng) -> Vec<u64> {
    let mut space = Vec::new();
    let mut kept: Option<(Vec<u64>, Members)> = None;
    loop {
        let (free, members) =
            kept.as_ref().map_or((free, members), |(free, members)| (free.as_slice(), members));
        if free.len() as u64 <= FEW {
            space.extend(climb(free, Vec::new(), EFFORT, &ProgressBar::hidden()).basis);
            return space;
        }
        let sample = free.iter().step_by(free.len().div_ceil(SAMPLE));
        let merged = |by: u64| sample.clone().filter(|&&set| members.contain(set ^ by)).count();
        let any = (0..WEIGHED).map(|_| free[(random.next_u64() % free.len() as u64) as usize]);
        let by = any.max_by_key(|&by| merged(by)).expect("some are weighed");
        space.push(by);
        // Of the two sets of a coset, the one without the leading feature of `by`.
        let lead = by.ilog2();
        let beside = free.iter().copied().filter(|set| set >> lead & 1 == 0);
        let beside: Vec<u64> = beside.filter(|&set| members.contain(set ^ by)).collect();
        let members = Members::of(&beside);
        kept = Some((beside, members));
    }
}

/// A set that is no difference: a sum of two that are if luck has it, since
/// only such merge any, or else any set of the span.
fn free_set(differences: &[u64], span: &[u64], members: &Members, random: &mut ChaCha8Rng) -> u64 {
    for _ in 0..64 {
        let mut any = || differences[(random.next_u64() % differences.len() as u64) as usize];
        let sum = any() ^ any();
        if sum != 0 && !members.contain(sum) {
            return sum;
        }
    }
    loop {
        let coordinates = random.next_u64() >> (64 - span.len());
        let set = gf2::times(span, coordinates);
        if set != 0 && !members.contain(set) {
            return set;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn no_difference_is_in_the_space_and_the_bound_holds(
            differences in prop::collection::btree_set(1u64..1 << 40, 1..200)
        ) {
            let list: Vec<u64> = differences.iter().copied().collect();
            let space = large_space(&list, None).expect("an attempt");
            prop_assert_eq!(gf2::rank(&space), space.len());
            let reduced = gf2::reduced(&space);
            prop_assert!(list.iter().all(|&set| gf2::remainder(&reduced, set) != 0));
            let bits = gf2::rank(&list) - space.len();
            prop_assert!(1 << bits <= (list.len() + 1).next_power_of_two(), "{} bits", bits);
        }
    }

    #[test]
    fn few_differences_leave_the_known_dimension() {
        let differences: BTreeSet<u64> = (0..40).map(|bit| 1 << bit).collect();
        let list: Vec<u64> = differences.into_iter().collect();
        // All sums of two are free: one bit, the parity, tells the empty set from the rest.
        assert_eq!(large_space(&list, None).expect("an attempt").len(), 39);
    }
}
