//! The space that the differences of positions span, and coordinates in it.
//!
//! In a reduced basis the leading feature of each vector is in no other, so a
//! vector of the space is told by its leading features alone; the rest follow.
//! Positions are projected by dropping the rest:
//!
//! ```text
//! differences 0011 0110 0101     basis 0011 0101     leading features {1, 2}
//! 0110 -> 11      11 -> 0011 ^ 0101 = 0110
//! ```

use super::{Census, Error, Positions, Road, Tier, memory};
use crate::board::squares_of;
use crate::gf2;

pub(super) struct Frame {
    features: usize,
    /// Reduced and ascending.
    basis: Vec<u64>,
    /// Whether the space is all sets, or all even sets where positions are even:
    /// what a census has cells for.
    whole: bool,
}

impl Frame {
    pub(super) fn of(positions: &Positions, even: bool) -> Self {
        let features = positions.features;
        let most = features - usize::from(even && features > 0);
        let mut basis = Vec::new();
        for list in positions.both() {
            let mut differences = list.iter().map(|position| position ^ list[0]);
            while basis.len() < most
                && let Some(difference) = differences.next()
            {
                gf2::extend(&mut basis, difference);
            }
        }
        basis.sort_unstable();
        Self { features, whole: basis.len() == most, basis }
    }

    pub(super) fn rank(&self) -> usize {
        self.basis.len()
    }

    /// The free sets inside the space, ascending.
    pub(super) fn free_sets(
        &self,
        positions: &Positions,
        ceiling: Tier,
    ) -> Result<Vec<u64>, Error> {
        let take = |positions: &Positions| {
            let census = Census::take(positions, &Road::choose("auto", ceiling, positions)?)?;
            let free = census.cells().iter().filter(|&&count| count == 0).count() as u64;
            memory::require("listing the free sets", 8 * 4 * free, "")?;
            Ok(census.free_sets())
        };
        let mut free = if self.whole {
            take(positions)?
        } else {
            let [left, right] = positions.both().map(|list| {
                let mut list: Vec<u64> = list.iter().map(|&set| self.project(set)).collect();
                list.sort_unstable();
                list
            });
            let free = take(&Positions { features: self.rank(), left, right })?;
            free.into_iter().map(|set| gf2::times(&self.basis, set)).collect()
        };
        free.sort_unstable();
        Ok(free)
    }

    /// The leading features of `set`, packed.
    fn project(&self, set: u64) -> u64 {
        let leads = self.basis.iter().enumerate();
        leads.map(|(index, vector)| (set >> vector.ilog2() & 1) << index).sum()
    }

    /// `free`, a basis of sets inside the space, and single features beside it
    /// until everything is spanned modulo the space: features of `free` first.
    pub(super) fn completed(&self, free: &[u64]) -> Vec<u64> {
        let support = free.iter().fold(0, |support, set| support | set);
        let all = if self.features == 0 { 0 } else { u64::MAX >> (64 - self.features) };
        let (mut spanned, mut code) = (self.basis.clone(), free.to_vec());
        for feature in squares_of(support).chain(squares_of(all & !support)) {
            if gf2::extend(&mut spanned, 1 << feature) {
                code.push(1 << feature);
            }
        }
        code
    }
}
