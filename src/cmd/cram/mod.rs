//! `zlab cram RxC`: Cram's pairing check. Three questions, a file each: how
//! often it fires and is wrong ([`census`]), where in a search it pays
//! ([`policies`]), and who wins the board ([`solve`]).

mod census;
mod policies;
mod solve;

use std::fmt::Write;

use clap::{ArgMatches, Args, FromArgMatches};

use super::{Common, Report, Verb};
use crate::board::Board;
use crate::error::Error;
use crate::pairing::{Check, KERNELS, Outcomes, Pairings};
use crate::tier;

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "cram",
    about: "Count where Cram's pairing check fires and where it is wrong; compare its policies",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// The board, ROWSxCOLUMNS
    board: Board,
    /// Pairings, comma between: half-turn, left-right, top-bottom, diagonals, all
    #[arg(long, default_value = "half-turn", value_name = "LIST")]
    pairing: String,
    /// The clause: naive, strict (no domino is its own answer), relaxed
    #[arg(long, default_value = "strict")]
    clause: String,
    /// The kernel that runs the census's test (`zlab kernels` names them) [default: the fastest]
    #[arg(long, conflicts_with_all = ["policies", "solve"])]
    kernel: Option<String>,
    /// Solve the board under each policy of where to check
    #[arg(long, conflicts_with = "solve")]
    policies: bool,
    /// Find who wins the empty board, region by region
    #[arg(long)]
    solve: bool,
    #[command(flatten)]
    comparison: policies::Comparison,
    #[command(flatten)]
    solver: solve::Solving,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let Arguments { board, pairing, clause, .. } = &arguments;
    let pairings = Pairings::named(pairing, *board)?;
    let check = Check { board: *board, pairings, clause: clause.parse()? };
    if arguments.solve {
        return solve::run(&arguments.solver, &check, common);
    }
    let (_, kernel) = tier::pick(KERNELS, arguments.kernel.as_deref(), common.ceiling()?)?;
    // Its defaults are for the policies: only what they sample has to fit the board.
    let order = arguments.policies.then(|| arguments.comparison.order(*board)).transpose()?;
    let progress = common.spinner("sweeping all boards");
    let outcomes = Outcomes::of(*board);
    progress.finish_and_clear();
    if let Some(order) = order {
        return policies::run(&arguments.comparison, order, &check, &outcomes?, kernel, common);
    }
    Ok(census::run(&outcomes?, &check, kernel))
}

/// Adds a line to a text.
fn put(text: &mut String, line: std::fmt::Arguments) {
    writeln!(text, "{line}").expect("a String takes all text");
}
