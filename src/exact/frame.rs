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

use rayon::prelude::*;

use super::{Census, Error, Positions, Road, Tier, memory};
use crate::board::squares_of;
use crate::census::Sparse;
use crate::gf2;

/// Free sets that are listed however few the differences are.
const MANY_FREE: u64 = 1 << 20;

/// The sets of a space but the empty one are either of two kinds; the list of
/// one, ascending, tells the other.
pub(super) enum Table {
    /// All on which no pair differs.
    Free(Vec<u64>),
    /// All on which some pair differs.
    Differences(Vec<u64>),
}

pub(crate) struct Frame {
    features: usize,
    /// Reduced and ascending.
    basis: Vec<u64>,
    /// Whether the space is all sets, or all even sets where positions are even:
    /// what a census has cells for.
    whole: bool,
}

impl Frame {
    pub(crate) fn of(positions: &Positions, even: bool) -> Self {
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

    /// Dimension of the space.
    pub(crate) fn rank(&self) -> usize {
        self.basis.len()
    }

    /// What pairs differ on and what they do not, inside the space.
    pub(super) fn table(&self, positions: &Positions, ceiling: Tier) -> Result<Table, Error> {
        let cells = 1u128 << self.rank();
        if cells > u128::from(MANY_FREE) && 2 * positions.pairs() < cells {
            let sparse = Sparse::take(positions)?;
            return Ok(Table::Differences(sparse.sets().to_vec()));
        }
        let projected = (!self.whole).then(|| self.projected(positions));
        let counted = projected.as_ref().unwrap_or(positions);
        let census = Census::take(counted, &Road::choose("auto", ceiling, counted)?)?;
        let cells = census.cells().par_iter().enumerate().skip(1);
        let free = cells.clone().filter(|(_, count)| **count == 0).count() as u64;
        let others = census.cells().len() as u64 - free;
        let few = free <= MANY_FREE.max(others);
        let listed = if few { free } else { others };
        memory::require("listing sets", 3 * 8 * listed, "")?;
        let listed = cells.filter(|(_, count)| (**count == 0) == few);
        let mut sets: Vec<u64> = if self.whole {
            listed.map(|(cell, _)| census.set(cell)).collect()
        } else {
            listed.map(|(cell, _)| self.set(census.set(cell))).collect()
        };
        sets.sort_unstable();
        Ok(if few { Table::Free(sets) } else { Table::Differences(sets) })
    }

    /// Positions whose differences are those of `positions`, in coordinates.
    pub(crate) fn projected(&self, positions: &Positions) -> Positions {
        let [left, right] = positions.both().map(|list| {
            let mut list: Vec<u64> = list.iter().map(|&set| self.project(set)).collect();
            list.sort_unstable();
            list
        });
        Positions { features: self.rank(), left, right }
    }

    /// The set of the space with these coordinates.
    pub(crate) fn set(&self, coordinates: u64) -> u64 {
        gf2::times(&self.basis, coordinates)
    }

    /// The leading features of `set`, packed.
    fn project(&self, set: u64) -> u64 {
        let leads = self.basis.iter().enumerate();
        leads.map(|(index, vector)| (set >> vector.ilog2() & 1) << index).sum()
    }

    /// `free`, a basis of sets inside the space, and single features beside it
    /// until everything is spanned modulo the space: features of `free` first.
    pub(crate) fn completed(&self, free: &[u64]) -> Vec<u64> {
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
