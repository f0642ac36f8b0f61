//! `zlab design --positions FILE --bits L` where positions have too many features for a price
//! of every set: up to 64.

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

/// Pairs among which `--prove` looks for an exact key where the search found none.
const FEW_PAIRS: u128 = 1 << 24;

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
    if space.rank() <= DENSE_FEATURES {
        let ground = Ground::of(space.positions(), None, common.ceiling()?)?;
        let found = search(arguments, &ground, None, common)?;
        return Ok(outcome(found.code.basis(), found.lower_bound, found.optimal));
    }
    let progress = common.progress("searching", arguments.restarts as u64);
    let key = design::cheap_key(space.positions(), bits, arguments.restarts, seed, &progress)?;
    progress.finish_and_clear();
    let code = Code::of_words(&key.words);
    assert_eq!(code.pairs_among(space.positions()), key.pairs, "pairs are counted exactly");
    let crowded = design::crowded_pairs(positions, bits);
    let lower_bound = (arguments.prove || key.pairs == 0).then_some(crowded);
    if arguments.prove && key.pairs > crowded && crowded == 0 && positions.pairs() <= FEW_PAIRS {
        let progress = common.spinner("looking for an exact key");
        let exact = exact::shortest(space.positions(), common.ceiling()?, exact::EFFORT, &progress);
        progress.finish_and_clear();
        if let Some(exact) = exact.ok().filter(|exact| exact.code.bits() <= bits) {
            let basis = &exact.code.basis()[..space.rank() - bits];
            return Ok(outcome(basis, Some(0), true));
        }
    }
    Ok(outcome(code.basis(), lower_bound, lower_bound == Some(key.pairs)))
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
