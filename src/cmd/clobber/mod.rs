//! `zlab clobber`: the pieces of a board, their folds and their values.
//!
//! Three questions, a file each: the [`census`] of a board, the value of one
//! [`position`], the [`growth`] of values over boards; and what a value in
//! standard notation comes to.

mod census;
mod growth;
mod position;

use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Common, Report, Verb, grouped};
use crate::board::Board;
use crate::error::{Error, bytes};
use crate::memory;
use crate::pieces::census::{Census, Estimate, Plan, estimate, take};
use crate::pieces::checkpoint::claim;
use crate::pieces::{Frame, KERNELS, Key, PieceKernel};
use crate::tier;
use crate::value::{Outcome, Value, Values};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "clobber",
    about: "Count the Clobber pieces of a board, their folds and their values",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// The board, ROWSxCOLUMNS
    #[arg(required_unless_present_any = ["growth", "position", "value"])]
    board: Option<Board>,
    /// Value every piece, check every identification, value the opening
    #[arg(long)]
    values: bool,
    /// Folds to count: colour, symmetry, both
    #[arg(
        long,
        value_name = "FOLDS",
        value_delimiter = ',',
        value_parser = fold,
        default_value = "colour,symmetry,both"
    )]
    fold: Vec<Key>,
    /// What the solver's table identifies: piece, colour, symmetry, both; with
    /// --position a list is tried in turn [default: piece; with --position: both]
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    key: Vec<Key>,
    /// Value one position and nothing else: rows of x (blue, Left), o (red)
    /// and `.`, joined by |; or `start`
    #[arg(long, value_name = "ROWS", conflicts_with_all = ["values", "growth", "fold"])]
    position: Option<String>,
    /// Bring a value in standard notation to its canonical form: {0|*}, ^^*2,
    /// -1/2, ±1. Numbers go to 1000 and 1/1024, arrows to 100, stars to *63;
    /// what lies beyond is written in braces, like {1000|}
    #[arg(long, value_name = "NOTATION", allow_hyphen_values = true, conflicts_with_all = ["board", "values", "growth", "fold", "position", "key", "kernel"])]
    value: Option<String>,
    /// Values against pieces over a list of boards, with the fitted exponent
    #[arg(
        long,
        value_name = "BOARDS",
        value_delimiter = ',',
        num_args = 0..=1,
        default_missing_value = "2x4,2x5,2x6,2x7,3x3,3x4,3x5,4x4,3x6",
        conflicts_with_all = ["board", "values", "fold"],
    )]
    growth: Option<Vec<Board>>,
    /// The piece kernel [default: the fastest]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// With --values: save each layer of values in DIR, and resume from there
    #[arg(long, value_name = "DIR", requires = "values")]
    checkpoint: Option<PathBuf>,
}

/// A key by which pieces are folded: any but the piece itself.
fn fold(name: &str) -> Result<Key, &'static str> {
    match name.parse() {
        Ok(Key::Piece) => Err("it folds nothing: want colour, symmetry or both"),
        Ok(key) => Ok(key),
        Err(_) => Err("want colour, symmetry or both"),
    }
}

/// A value and what it means.
#[derive(Serialize)]
struct Opening {
    /// In standard notation; absent if that is beyond [`NOTATION_LIMIT`].
    value: Option<String>,
    outcome: Outcome,
    birthday: u32,
}

/// Characters of notation worth printing.
const NOTATION_LIMIT: usize = 10_000;

impl Opening {
    fn new(values: &Values, value: Value) -> Self {
        Self {
            value: values.notation_within(value, NOTATION_LIMIT),
            outcome: values.outcome(value),
            birthday: values.birthday(value),
        }
    }

    fn readable(&self) -> String {
        let who = match self.outcome {
            Outcome::Left => "Blue wins, whoever starts",
            Outcome::Right => "Red wins, whoever starts",
            Outcome::First => "whoever starts wins",
            Outcome::Second => "whoever starts loses",
        };
        let value = match &self.value {
            Some(value) => format!("is worth {value}"),
            None => {
                format!("has a value of more than {} characters", grouped(NOTATION_LIMIT as u128))
            }
        };
        format!("{value}, born on day {}: {who}", self.birthday)
    }
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let (_, kernel) = tier::pick(KERNELS, arguments.kernel.as_deref(), common.ceiling()?)?;
    if arguments.position.is_none() && arguments.key.len() > 1 {
        return Err(Error::argument("--key", "a list of keys needs --position"));
    }
    let values = arguments.values || arguments.growth.is_some() || arguments.position.is_some();
    if !arguments.key.is_empty() && !values {
        let problem = "pieces are valued by a key: want --values, --growth or --position too";
        return Err(Error::argument("--key", problem));
    }
    if let Some(notation) = &arguments.value {
        return simplify(notation);
    }
    match (&arguments.position, &arguments.growth, arguments.board) {
        (Some(position), ..) => position::run(position, &arguments, kernel, common),
        (None, Some(boards), _) => growth::run(boards, &arguments, kernel, common),
        (None, None, Some(board)) => census::run(board, &arguments, kernel, common),
        (None, None, None) => unreachable!("clap requires one of these"),
    }
}

#[derive(Serialize)]
struct Simplified {
    notation: String,
    #[serde(flatten)]
    worth: Opening,
    negative: Option<String>,
}

fn simplify(notation: &str) -> Result<Report, Error> {
    let values = Values::new();
    let value = values.parse(notation)?;
    let worth = Opening::new(&values, value);
    let negative = values.notation_within(values.negative(value), NOTATION_LIMIT);
    let text = format!("{notation} {}\n", worth.readable());
    Ok(Report::new(text, &Simplified { notation: notation.into(), worth, negative }))
}

/// A census, after its size was estimated, announced and found to fit.
fn census_of(
    frame: &Frame,
    key: Key,
    arguments: &Arguments,
    kernel: &'static dyn PieceKernel,
    common: &Common,
) -> Result<(Census, Estimate), Error> {
    let board = frame.board();
    let estimate = estimate(board, kernel);
    let hint = format!("; it has about {} pieces", grouped(estimate.pieces));
    memory::require(&format!("a Clobber census of {board}"), estimate.bytes, &hint)?;
    if let Some(directory) = &arguments.checkpoint {
        claim(directory, board, key)?;
    }
    if !common.quiet {
        let (pieces, memory) = (grouped(estimate.pieces), bytes(estimate.bytes));
        eprintln!("{board}: about {pieces} pieces, at most {memory} of memory");
    }
    let phase = |what, steps| common.progress(what, steps);
    let plan = Plan {
        frame: frame.clone(),
        // Growth has no use for them.
        folds: if arguments.growth.is_some() { vec![] } else { arguments.fold.clone() },
        values: (arguments.values || arguments.growth.is_some()).then_some(key),
        kernel,
        checkpoint: arguments.checkpoint.as_deref(),
    };
    Ok((take(&plan, &phase)?, estimate))
}
