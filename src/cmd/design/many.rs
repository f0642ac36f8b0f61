//! `zlab design --positions FILE --bits L` where positions have too many features for a price
//! of every set: up to 64; or where their pairs are so few that quotients are found sooner.

use std::time::Instant;

use super::document::Counts;
use super::{Arguments, Objective, Outcome, report, search};
use crate::board::Board;
use crate::census::sparse::DENSE_FEATURES;
use crate::cmd::{Common, Report};
use crate::code::Code;
use crate::design::{self, Ground, Sets, Space};
use crate::error::Error;
use crate::exact;
use crate::positions::Positions;

/// Features up to which a price of every set costs little time.
const QUICK_FEATURES: usize = 20;

/// Dimensions of a code up to which prices of every set find it sooner.
const QUICK_DIMENSIONS: usize = 8;

/// Pairs among which `--prove` looks for an exact key where the search found none.
const FEW_PAIRS: u128 = 1 << 24;

/// Whether a design for `positions` is found here.
pub(super) fn suits(arguments: &Arguments, positions: &Positions) -> bool {
    if arguments.table || arguments.objective == Objective::Stored {
        return false;
    }
    !Ground::suits(positions) || by_quotients(arguments, positions, positions.features)
}

/// Whether a key comes sooner by quotients, in a space of that rank: few pairs of positions
/// that a user brings, far more sets, and nothing to prove.
fn by_quotients(arguments: &Arguments, positions: &Positions, rank: usize) -> bool {
    let wanted = arguments.objective == Objective::Pairs && !arguments.prove;
    let bits = arguments.bits.unwrap_or(rank);
    wanted
        && arguments.source.positions.is_some()
        && rank > QUICK_FEATURES.max(bits + QUICK_DIMENSIONS)
        && positions.pairs() < 1 << rank
}

pub(super) fn run(
    arguments: &Arguments,
    positions: &Positions,
    board: Option<Board>,
    start: Instant,
    common: &Common,
) -> Result<Report, Error> {
    let bits = arguments.bits.expect("only stored designs go without");
    let outcome = match arguments.objective {
        Objective::Pairs => of_pairs(arguments, bits, positions, common)?,
        Objective::Distance => of_distance(arguments, bits, positions.features, false, common),
        Objective::EvenDistance => of_distance(arguments, bits, positions.features, true, common),
        Objective::Stored | Objective::Shape => unreachable!("these take a board and no files"),
    };
    let counts = Counts {
        pairs_reachable: outcome.code.pairs_among(positions),
        pairs_stored: None,
        random_reachable: positions.pairs() as f64 / (bits as f64).exp2(),
        random_stored: None,
    };
    Ok(report(arguments, board, outcome, counts, start))
}

fn of_pairs(
    arguments: &Arguments,
    bits: usize,
    positions: &Positions,
    common: &Common,
) -> Result<Outcome, Error> {
    let seed = arguments.seed;
    let space = Space::of(positions);
    let outcome = |basis: &[u64], lower_bound: Option<u64>, optimal| Outcome {
        code: space.code(bits, basis, seed),
        optimal,
        lower_bound,
        bits_at_least: None,
    };
    if bits >= space.rank() {
        return Ok(outcome(&[], Some(0), true));
    }
    design::require_sums("--bits", bits, positions.pairs())?;
    if space.rank() <= DENSE_FEATURES && !by_quotients(arguments, positions, space.rank()) {
        let ground = Ground::of(space.positions(), None, common.ceiling()?)?;
        let found = search(arguments, &ground, None, common)?;
        return Ok(outcome(found.code.basis(), found.lower_bound, found.optimal));
    }
    let progress = common.progress("searching", arguments.restarts as u64);
    let (restarts, ceiling) = (arguments.restarts, common.ceiling()?);
    let key = design::cheap_key(space.positions(), bits, restarts, seed, ceiling, &progress)?;
    progress.finish_and_clear();
    let code = Code::of_words(&key.words);
    assert_eq!(code.pairs_among(space.positions()), key.pairs, "pairs are counted exactly");
    let crowded = design::crowded_pairs(positions, bits);
    let lower_bound = (arguments.prove || key.pairs == 0).then_some(crowded);
    if arguments.prove && key.pairs > crowded && crowded == 0 && positions.pairs() <= FEW_PAIRS {
        let progress = common.spinner("looking for an exact key");
        let exact = exact_basis(&space, bits, arguments.until());
        progress.finish_and_clear();
        match exact {
            Ok(Some(basis)) => return Ok(outcome(&basis, Some(0), true)),
            Ok(None) => {}
            Err(error) => eprintln!("warning: no exact key is looked for: {error}"),
        }
    }
    Ok(outcome(code.basis(), lower_bound, lower_bound == Some(key.pairs)))
}

/// The code in coordinates of an exact key of `bits`, if one is found by `until`.
fn exact_basis(space: &Space, bits: usize, until: Instant) -> Result<Option<Vec<u64>>, Error> {
    let code = exact::grown_key(space.positions(), until)?.filter(|code| code.bits() <= bits);
    Ok(code.map(|code| code.basis()[..space.rank() - bits].to_vec()))
}

fn of_distance(
    arguments: &Arguments,
    bits: usize,
    features: usize,
    even: bool,
    common: &Common,
) -> Outcome {
    let Arguments { restarts, seed, .. } = *arguments;
    let sets = Sets { features, even };
    let progress = common.progress("searching", restarts as u64);
    let found = design::long_code(sets, sets.code_dimension(bits), restarts, seed, &progress);
    progress.finish_and_clear();
    Outcome {
        code: design::completed_sets(sets, bits, &found.basis, seed),
        optimal: found.distance == found.bound,
        lower_bound: None,
        bits_at_least: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tier::Tier;
    use indicatif::ProgressBar;
    use std::time::Duration;

    /// Sets of forty features that a multiplicative walk scatters.
    fn scattered(count: u64) -> Positions {
        let set = |i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
        let mut left: Vec<u64> = (0..count).map(set).collect();
        left.sort_unstable();
        Positions { features: 40, left, right: vec![] }
    }

    /// Where one search ends above nought, the exact key that is grown takes its place.
    #[test]
    fn an_exact_key_is_grown_where_a_search_finds_none() {
        let mut missed = 0;
        for count in [60, 100, 200, 300, 500] {
            let positions = scattered(count);
            let space = Space::of(&positions);
            let later = Instant::now() + Duration::from_secs(600);
            let grown = exact::grown_key(space.positions(), later).unwrap().expect("there is time");
            for bits in [grown.bits(), grown.bits() + 1] {
                let basis = exact_basis(&space, bits, later).unwrap().expect("it is so long");
                let code = space.code(bits, &basis, 1);
                assert_eq!((code.bits(), code.pairs_among(&positions)), (bits, 0));
                let (tier, hidden) = (Tier::best(), ProgressBar::hidden());
                let found = design::cheap_key(space.positions(), bits, 1, 1, tier, &hidden);
                let pairs = found.unwrap().pairs;
                missed += usize::from(pairs > 0);
            }
            assert_eq!(exact_basis(&space, grown.bits() - 1, later).unwrap(), None);
            assert_eq!(exact_basis(&space, grown.bits(), Instant::now()).unwrap(), None);
        }
        assert!(missed > 0, "the search found every exact key");
    }
}
