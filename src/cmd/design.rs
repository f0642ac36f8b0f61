//! `zlab design RxC`: a key fitted to a board, and how good a key can be.

use std::time::{Duration, Instant};

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use serde::Serialize;

use super::source::Source;
use super::{Common, Report, Verb};
use crate::board::{Board, squares_of};
use crate::code::Code;
use crate::design::{self, Found, Ground, Sets};
use crate::error::Error;
use crate::export::Language;
use crate::positions::Positions;
use crate::{exact, game, memory, solve};

mod document;
mod many;
mod shape;
mod table;

use document::{Counts, Document, exported, readable};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "design",
    about: "Find a key that confuses few pairs, and prove how few a key can confuse",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    #[command(flatten)]
    source: Source,
    /// Bits of the key [default: for `stored`, the fewest that confuse nothing]
    #[arg(long, value_name = "L")]
    bits: Option<usize>,
    /// What the key is to be best at
    #[arg(long, value_enum, default_value = "pairs")]
    objective: Objective,
    /// Searches from different starts
    #[arg(long, default_value_t = 24, value_name = "N", value_parser = restarts)]
    restarts: usize,
    /// Seed of the searches, the odd word and the mixing of the words
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Prove by branch and bound that no key confuses fewer pairs, or how few it may; where
    /// differences have a rank above 28, look for an exact key, and bound the pairs only by
    /// what so many positions must share
    #[arg(long)]
    prove: bool,
    /// Seconds after which a proof gives the bound it has got to [default: 60 with
    /// --prove; 5 for the shortest key on the stored positions]
    #[arg(long, value_name = "SECONDS")]
    limit: Option<f64>,
    /// Print the words as source text, with what is known of them, instead of a report
    #[arg(long, value_enum, value_name = "LANGUAGE", conflicts_with = "json")]
    export: Option<Language>,
    /// Compare three designs with the essays' sixty keys at 12 to 19 bits
    #[arg(long, conflicts_with_all = ["bits", "prove", "objective", "export"])]
    table: bool,
}

/// A number of searches from different starts.
pub(super) fn restarts(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|restarts| (1..=1_000_000).contains(restarts))
        .ok_or_else(|| "want 1 to 1000000".into())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Objective {
    /// Fewest pairs of reachable positions
    Pairs,
    /// Fewest pairs of the positions that a search stores
    Stored,
    /// Largest least number of squares in a word of the code
    Distance,
    /// Largest least number of squares in an even word
    EvenDistance,
    /// Fewest pairs by the shape of 4x5's price list: no census of the board is taken
    Shape,
}

impl Objective {
    fn name(self) -> &'static str {
        match self {
            Self::Pairs => "fewest reachable pairs",
            Self::Stored => "fewest stored pairs",
            Self::Distance => "largest distance",
            Self::EvenDistance => "largest distance of even words",
            Self::Shape => "lowest price by the shape of 4x5's price list",
        }
    }
}

/// What a search and a proof came to.
struct Outcome {
    code: Code,
    optimal: bool,
    lower_bound: Option<u64>,
    bits_at_least: Option<usize>,
}

impl Arguments {
    /// Whether the shortest key for the stored positions is asked for.
    fn shortest(&self) -> bool {
        self.objective == Objective::Stored && self.bits.is_none()
    }

    /// When a proof has to stop.
    fn until(&self) -> Instant {
        let default = if self.prove { 60.0 } else { 5.0 };
        Instant::now() + Duration::from_secs_f64(self.limit.unwrap_or(default))
    }

    /// Refuses, before any work, what no search can take.
    fn check(&self) -> Result<(), Error> {
        match self.limit {
            Some(limit) if !(0.0..=1e9).contains(&limit) => {
                return Err(Error::argument("--limit", "want a number of seconds"));
            }
            Some(_) if self.table || !(self.prove || self.shortest()) => {
                let problem =
                    "it limits a proof: want --prove, or --objective stored without --bits";
                return Err(Error::argument("--limit", problem));
            }
            _ => {}
        }
        let distance = matches!(self.objective, Objective::Distance | Objective::EvenDistance);
        if distance && self.prove {
            let problem = "a distance is held against its bounds: want --objective pairs or stored";
            return Err(Error::argument("--prove", problem));
        }
        if !self.table && self.bits.is_none() && self.objective != Objective::Stored {
            return Err(Error::argument("--bits", "want the length of the key"));
        }
        match (self.source.board, &self.source.positions) {
            (Some(board), None) => self.check_bits(game::find(self.source.game())?.features(board)),
            _ => Ok(()),
        }
    }

    fn check_bits(&self, features: usize) -> Result<(), Error> {
        match self.bits {
            Some(_) if features == 0 => {
                let problem = "no features: nothing to tell apart";
                Err(Error::argument("--positions", problem))
            }
            Some(bits) if !(1..=features).contains(&bits) => {
                let problem = format!("{bits}: want 1 to {features}, the features of a position");
                Err(Error::argument("--bits", problem))
            }
            _ => Ok(()),
        }
    }

    /// Refuses lengths whose sums no fold holds.
    fn check_sums(&self, reachable: &Positions, stored: Option<&Positions>) -> Result<(), Error> {
        match (self.objective, self.bits) {
            _ if self.table => {
                design::require_sums("--table", *table::LENGTHS.start(), reachable.pairs())
            }
            (Objective::Pairs, Some(bits)) => {
                design::require_sums("--bits", bits, reachable.pairs())
            }
            (Objective::Stored, Some(bits)) => {
                let stored = stored.expect("the objective has them");
                design::require_sums("--bits", bits, stored.pairs())
            }
            _ => Ok(()),
        }
    }
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    arguments.check()?;
    if arguments.objective == Objective::Shape {
        return shape::run(&arguments, common);
    }
    let ceiling = common.ceiling()?;
    let start = Instant::now();
    let (positions, board) = arguments.source.positions(common)?;
    arguments.check_bits(positions.features)?;
    let stored = stored(&arguments, board)?;
    let least = stored.as_ref().map(exact::information_bits);
    if many::suits(&arguments, &positions) {
        return many::run(&arguments, &positions, board, start, common);
    }
    arguments.check_sums(&positions, stored.as_ref())?;
    let reachable = Ground::of(&positions, board, ceiling)?;
    let stored = stored.map(|stored| Ground::of(&stored, None, ceiling)).transpose()?;
    if arguments.table {
        return table::run(
            &arguments.source.name(board),
            &reachable,
            stored.as_ref(),
            arguments.restarts,
            arguments.seed,
            common,
        );
    }
    let outcome = search(&arguments, &reachable, stored.as_ref(), common)?;
    // Where it was not proved, a key still has to tell the positions apart.
    let bits_at_least = outcome.bits_at_least.map(|proved| proved.max(least.unwrap_or(0)));
    let outcome = Outcome { bits_at_least, ..outcome };
    let bits = outcome.code.bits();
    let counts = Counts {
        pairs_reachable: reachable.confused(&outcome.code),
        pairs_stored: stored.as_ref().map(|stored| stored.confused(&outcome.code)),
        random_reachable: reachable.expected(bits),
        random_stored: stored.as_ref().map(|stored| stored.expected(bits)),
    };
    Ok(report(&arguments, board, outcome, counts, start))
}

/// The design as it was asked for.
fn report(
    arguments: &Arguments,
    board: Option<Board>,
    outcome: Outcome,
    counts: Counts,
    start: Instant,
) -> Report {
    let Outcome { code, optimal, lower_bound, bits_at_least } = outcome;
    let (features, bits, k) = (code.features(), code.bits(), code.dimension());
    let even = Sets { features, even: true };
    let document = Document {
        board: arguments.source.name(board),
        bits,
        objective: arguments.objective,
        seed: arguments.seed,
        restarts: arguments.restarts,
        counts,
        minimum_distance: code.minimum_distance(),
        minimum_even_distance: code.even_part().minimum_distance(),
        griesmer: design::griesmer(features, k),
        sphere_packing: design::sphere_packing(features, k),
        even_distance_bound: design::distance_bound(even, even.code_dimension(bits)),
        code: code.basis().iter().map(|&set| squares_of(set).collect()).collect(),
        words: design::mixed_words(&code, arguments.seed),
        optimal,
        lower_bound,
        bits_at_least,
        seconds: start.elapsed().as_secs_f64(),
        peak_bytes: memory::peak(),
    };
    let from_files = arguments.source.positions.is_some();
    let aim = match arguments.objective {
        Objective::Pairs if from_files => "fewest pairs of the positions",
        objective => objective.name(),
    };
    let text = match arguments.export {
        Some(language) => exported(&document, &arguments.source.subject(board), aim, language),
        None => readable(&document, board, &code, aim, from_files),
    };
    Report::new(text, &document)
}

/// The positions that a search stores, of Domineering boards small enough for
/// a search or where they are the objective.
fn stored(arguments: &Arguments, board: Option<Board>) -> Result<Option<Positions>, Error> {
    let wanted = arguments.objective == Objective::Stored;
    match board {
        Some(board)
            if arguments.source.game() == "domineering" && arguments.source.positions.is_none() =>
        {
            (wanted || board.squares() <= 25).then(|| solve::stored(board)).transpose()
        }
        _ if wanted => {
            Err(Error::argument("--objective", "stored positions are those of a Domineering board"))
        }
        _ => Ok(None),
    }
}

fn search(
    arguments: &Arguments,
    reachable: &Ground,
    stored: Option<&Ground>,
    common: &Common,
) -> Result<Outcome, Error> {
    let Arguments { objective, restarts, seed, .. } = *arguments;
    let progress = common.progress("searching", restarts as u64);
    let done = |sets, bits, found: &Found, optimal, lower_bound| Outcome {
        code: design::completed(sets, bits, &found.basis, seed),
        optimal,
        lower_bound,
        bits_at_least: None,
    };
    // A total comes from capped prices: no claim is made of one that is not the code's.
    let claimed = |ground: &Ground, outcome: Outcome, found: &Found| {
        let confused = ground.confused(&outcome.code);
        assert_eq!(found.total, confused, "a total of sums below the cap of a fold");
        outcome
    };
    let outcome = match (objective, arguments.bits) {
        (_, None) => {
            let ground = stored.expect("the objective has them");
            let cells = ground.prices.cells();
            let known = design::cheap_free_code(cells, restarts, seed, &progress);
            let (until, symmetries) = (arguments.until(), &ground.symmetries);
            let progress = common.progress("proving", 1);
            let (found, proved) =
                design::largest_free_code(cells, known.basis, symmetries, until, &progress);
            progress.finish_and_clear();
            let bits = ground.sets.dimension() - found.basis.len();
            let outcome = done(ground.sets, bits, &found, proved, Some(0));
            let bits_at_least = Some(if proved { bits } else { 0 });
            claimed(ground, Outcome { bits_at_least, ..outcome }, &found)
        }
        (Objective::Pairs | Objective::Stored, Some(bits)) => {
            let ground =
                if objective == Objective::Pairs { reachable } else { stored.expect("asked for") };
            let cells = ground.prices.cells();
            let dimension = ground.sets.code_dimension(bits);
            // A proof of few dimensions finds the best itself, faster than a longer search.
            let effort = if arguments.prove && dimension < 3 { 0 } else { design::EFFORT };
            let found = design::cheap_codes(cells, dimension, restarts, effort, seed, &progress);
            let found = found.into_iter().min_by_key(|found| found.total).expect("a restart");
            if arguments.prove {
                let (until, symmetries) = (arguments.until(), &ground.symmetries);
                let progress = common.progress("proving", 1);
                let proof =
                    design::prove_cheapest(cells, &found, symmetries, seed, until, &progress);
                progress.finish_and_clear();
                let lower_bound = proof.lower_bound.max(ground.crowded(bits));
                let optimal = lower_bound == proof.best.total;
                let outcome = done(ground.sets, bits, &proof.best, optimal, Some(lower_bound));
                claimed(ground, outcome, &proof.best)
            } else {
                // Nothing costs less than nothing.
                let lower_bound = (found.total == 0).then_some(0);
                let outcome = done(ground.sets, bits, &found, found.total == 0, lower_bound);
                claimed(ground, outcome, &found)
            }
        }
        (Objective::Shape, _) => unreachable!("a design without a census is not searched here"),
        (Objective::Distance | Objective::EvenDistance, Some(bits)) => {
            let even = objective == Objective::EvenDistance;
            let sets = Sets { features: reachable.sets.features, even };
            let dimension = sets.code_dimension(bits);
            let found = design::distant_codes(sets, dimension, restarts, seed, false, &progress)?;
            done(sets, bits, &found.codes[0], found.distance == found.bound, None)
        }
    };
    progress.finish_and_clear();
    Ok(outcome)
}
