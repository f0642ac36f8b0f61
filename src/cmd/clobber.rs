//! `zlab clobber RxC`: the pieces of a board, their folds and their values.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Common, Report, Verb, grouped};
use crate::board::Board;
use crate::error::{Error, bytes};
use crate::game::clobber;
use crate::memory;
use crate::pieces::census::{self, Census, Estimate, Layer, Plan};
use crate::pieces::folds::{Orbits, ValueCounts};
use crate::pieces::growth::{self, Fit};
use crate::pieces::{Frame, KERNELS, Key, PieceKernel, Pieces, reach, solve};
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
    #[arg(required_unless_present_any = ["growth", "position"])]
    board: Option<Board>,
    /// Value every piece, check every identification, value the opening
    #[arg(long)]
    values: bool,
    /// Folds to count: colour, symmetry, both
    #[arg(
        long,
        value_name = "FOLDS",
        value_delimiter = ',',
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
    /// Values against pieces over a list of boards, with the fitted exponent
    #[arg(
        long,
        value_name = "BOARDS",
        value_delimiter = ',',
        num_args = 0..=1,
        default_missing_value = "2x4,2x5,2x6,2x7,3x3,3x4,3x5,4x4,3x6",
        conflicts_with_all = ["board", "values"],
    )]
    growth: Option<Vec<Board>>,
    /// The piece kernel [default: the fastest]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// With --values: save each layer of values in DIR, and resume from there
    #[arg(long, value_name = "DIR", requires = "values")]
    checkpoint: Option<PathBuf>,
}

#[derive(Serialize)]
struct Document {
    board: String,
    pieces: u64,
    orbits: Orbits,
    swap_present: u64,
    self_negative_shape: u64,
    own_symmetry: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<ValueCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<Opening>,
    seconds: f64,
    peak_bytes: Option<u64>,
    by_stones: Vec<Layer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    estimate: Estimate,
}

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
    if let Some(&key) = arguments.fold.iter().find(|&&key| key == Key::Piece) {
        return Err(Error::argument(
            "--fold",
            format!("`{key}` folds nothing: want colour, symmetry or both"),
        ));
    }
    match (&arguments.position, &arguments.growth, arguments.board) {
        (Some(position), ..) => value_position(position, &arguments, kernel),
        (None, Some(boards), _) => grow(boards, &arguments, kernel, common),
        (None, None, Some(board)) => take(board, &arguments, kernel, common),
        (None, None, None) => unreachable!("clap requires one of the three"),
    }
}

fn take(
    board: Board,
    arguments: &Arguments,
    kernel: &'static dyn PieceKernel,
    common: &Common,
) -> Result<Report, Error> {
    let frame = Frame::new(board)?;
    let key = arguments.key.first().copied().unwrap_or(Key::Piece);
    let started = Instant::now();
    let (census, estimate) = census_of(&frame, key, arguments, kernel, common)?;
    let seconds = started.elapsed().as_secs_f64();
    let opening = census.valued.as_ref().map(|valued| Opening::new(&valued.values, valued.opening));
    let document = Document {
        board: board.to_string(),
        pieces: census.pieces.len() as u64,
        orbits: census.folds.orbits,
        swap_present: census.folds.swap_present,
        self_negative_shape: census.folds.self_negative_shape,
        own_symmetry: census.folds.own_symmetry,
        values: census.valued.as_ref().map(|valued| valued.counts),
        opening,
        seconds,
        peak_bytes: memory::peak(),
        by_stones: census.by_stones,
        key: arguments.values.then(|| key.to_string()),
        estimate,
    };
    let mut report = Report::new(readable(&document, &frame, key), &document);
    report.failed = document.values.is_some_and(|values| values.failures > 0);
    Ok(report)
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
    let estimate = census::estimate(board, kernel);
    let hint = format!("; it has about {} pieces", grouped(estimate.pieces));
    memory::require(&format!("a Clobber census of {board}"), estimate.bytes, &hint)?;
    let phase = |what, steps| common.progress(what, steps);
    let announcement = format!(
        "{board}: about {} pieces, at most {} of memory",
        grouped(estimate.pieces),
        bytes(estimate.bytes)
    );
    phase("", 0).println(announcement);
    let plan = Plan {
        frame: frame.clone(),
        folds: arguments.fold.clone(),
        values: (arguments.values || arguments.growth.is_some()).then_some(key),
        kernel,
        checkpoint: arguments.checkpoint.as_deref(),
    };
    Ok((census::take(&plan, &phase)?, estimate))
}

fn readable(document: &Document, frame: &Frame, key: Key) -> String {
    let pieces = document.pieces;
    let mut text = format!("{} Clobber: {} live pieces\n", document.board, grouped(pieces));
    let mut line = |what: &str, count: u64, note: String| {
        writeln!(text, "{what:>28} {:>14}  {note}", grouped(count))
            .expect("a String takes all text");
    };
    let fold = |orbits: u64| format!("a fold of {:.2}", pieces as f64 / orbits.max(1) as f64);
    let share = |count: u64| format!("{:.1} %", 100.0 * count as f64 / pieces.max(1) as f64);
    let Orbits { colour, symmetry, both } = document.orbits;
    for (what, orbits) in [("colour", colour), ("symmetry", symmetry), ("both", both)] {
        if let Some(orbits) = orbits {
            line(&format!("orbits by {what}"), orbits, fold(orbits));
        }
    }
    line("colour swap in the table", document.swap_present, share(document.swap_present));
    line(
        "self-negative by shape",
        document.self_negative_shape,
        share(document.self_negative_shape),
    );
    line("with a symmetry of their own", document.own_symmetry, share(document.own_symmetry));
    if let Some(values) = document.values {
        line("distinct values", values.distinct, fold(values.distinct));
        line("self-negative by value", values.self_negative, share(values.self_negative));
        line("worth nought", values.zero, share(values.zero));
        let how = if key == Key::Piece {
            "each piece valued on its own".into()
        } else {
            format!("valued by {key}")
        };
        line("mirror checks", values.mirror_checks, how);
        line("colour checks", values.colour_checks, String::new());
        line("failures", values.failures, String::new());
    }
    text += if frame.has_colour_changing_symmetry() {
        "a symmetry of the board changes the colours: every piece's negative is in the table, turned\n"
    } else {
        "no symmetry of the board changes the colours: a piece's negative is there by chance only\n"
    };
    if let Some(opening) = &document.opening {
        text += &format!("the opening {}\n", opening.readable());
    }
    let peak = document.peak_bytes.map_or("an unknown amount".into(), bytes);
    text += &format!(
        "{:.3} s, {peak} at the peak\n\n{:>7} {:>14} {:>14}\n",
        document.seconds, "stones", "pieces", "values so far"
    );
    for Layer { stones, pieces, values } in &document.by_stones {
        let values = values.map_or(String::new(), grouped);
        writeln!(text, "{stones:>7} {:>14} {values:>14}", grouped(*pieces))
            .expect("a String takes all text");
    }
    text
}

#[derive(Serialize)]
struct Solved {
    board: String,
    position: String,
    #[serde(flatten)]
    worth: Opening,
    keys: Vec<Cost>,
    peak_bytes: Option<u64>,
}

/// What solving a position under one key took.
#[derive(Serialize)]
struct Cost {
    key: String,
    /// Pieces, or orbits, in the table.
    entries: usize,
    live_parts: u64,
    values: usize,
    seconds: f64,
    /// The table and the values.
    bytes: u64,
}

fn value_position(
    drawn: &str,
    arguments: &Arguments,
    kernel: &'static dyn PieceKernel,
) -> Result<Report, Error> {
    let (board, position) = match (drawn, arguments.board) {
        ("start", Some(board)) => (board, None),
        ("start", None) => {
            return Err(Error::argument("--position", "`start` needs a board before it"));
        }
        _ => {
            let (board, position) = clobber::parse(drawn)?;
            (board, Some(position))
        }
    };
    if let Some(wanted) = arguments.board.filter(|&wanted| wanted != board) {
        return Err(Error::argument(
            "--position",
            format!("it is drawn on {board}, the board is {wanted}"),
        ));
    }
    let frame = Frame::new(board)?;
    let position = position.map_or(frame.start(), |position| frame.lay(board, position));
    let keys = if arguments.key.is_empty() { vec![Key::Both] } else { arguments.key.clone() };
    let estimate = census::estimate(board, kernel);
    memory::require(&format!("valuing a position of {board}"), estimate.bytes, "")?;
    let mut found: Option<Opening> = None;
    let mut costs = vec![];
    for key in keys {
        let started = Instant::now();
        let hidden = indicatif::ProgressBar::hidden();
        let values = Values::with_caches(census::cache_bits(estimate.pieces));
        let pieces = Pieces::reachable(&frame, position, key, kernel, &hidden);
        solve::value_all(&pieces, &values, &hidden);
        let worth = solve::worth(&pieces, &values, &reach::live_parts(&frame, position));
        costs.push(Cost {
            key: key.to_string(),
            entries: pieces.len(),
            live_parts: pieces.live_parts(),
            values: values.len(),
            seconds: started.elapsed().as_secs_f64(),
            bytes: pieces.bytes() + values.bytes(),
        });
        let worth = Opening::new(&values, worth);
        assert!(found.as_ref().is_none_or(|found| found.value == worth.value), "{key} disagrees");
        found = Some(worth);
    }
    let worth = found.expect("there is at least one key");
    let position =
        if drawn == "start" { "start".into() } else { clobber::draw(frame.board(), position) };
    let mut text = format!(
        "{board} {position} {}\n\n{:>8} {:>12} {:>14} {:>10} {:>10} {:>10}\n",
        worth.readable(),
        "key",
        "entries",
        "live parts",
        "values",
        "seconds",
        "memory"
    );
    for Cost { key, entries, live_parts, values, seconds, bytes: held } in &costs {
        let [entries, values] = [*entries, *values].map(|count| grouped(count as u128));
        writeln!(
            text,
            "{key:>8} {entries:>12} {:>14} {values:>10} {seconds:>10.4} {:>10}",
            grouped(*live_parts),
            bytes(*held)
        )
        .expect("a String takes all text");
    }
    let document = Solved {
        board: board.to_string(),
        position,
        worth,
        keys: costs,
        peak_bytes: memory::peak(),
    };
    Ok(Report::new(text, &document))
}

#[derive(Serialize)]
struct Growth {
    boards: Vec<Grown>,
    /// ln values against ln pieces: the slope is the exponent.
    by_pieces: Option<Fit>,
    /// ln values against the largest birthday.
    by_birthday: Option<Fit>,
}

#[derive(Serialize)]
struct Grown {
    board: String,
    pieces: u64,
    values: u64,
    largest_birthday: u32,
    seconds: f64,
}

fn grow(
    boards: &[Board],
    arguments: &Arguments,
    kernel: &'static dyn PieceKernel,
    common: &Common,
) -> Result<Report, Error> {
    // Values do not depend on the key; the coarsest is the fastest.
    let key = arguments.key.first().copied().unwrap_or(Key::Both);
    let mut grown = vec![];
    for &board in boards {
        let started = Instant::now();
        let (census, _) = census_of(&Frame::new(board)?, key, arguments, kernel, common)?;
        let valued = census.valued.expect("values were asked for");
        grown.push(Grown {
            board: board.to_string(),
            pieces: census.pieces.len() as u64,
            values: valued.counts.distinct,
            largest_birthday: valued.largest_birthday,
            seconds: started.elapsed().as_secs_f64(),
        });
    }
    grown.sort_by_key(|board| board.pieces);
    let points = |x: &dyn Fn(&Grown) -> f64| -> Vec<(f64, f64)> {
        let some = grown.iter().filter(|board| board.values > 0);
        some.map(|board| (x(board), (board.values as f64).ln())).collect()
    };
    let by_pieces = growth::fit(&points(&|board| (board.pieces as f64).ln()));
    let by_birthday = growth::fit(&points(&|board| f64::from(board.largest_birthday)));
    let mut text = format!(
        "{:>6} {:>12} {:>10} {:>6} {:>10} {:>9}\n",
        "board", "pieces", "values", "fold", "born until", "seconds"
    );
    for Grown { board, pieces, values, largest_birthday, seconds } in &grown {
        let fold = *pieces as f64 / (*values).max(1) as f64;
        writeln!(
            text,
            "{board:>6} {:>12} {:>10} {fold:>6.1} {largest_birthday:>10} {seconds:>9.3}",
            grouped(*pieces),
            grouped(*values)
        )
        .expect("a String takes all text");
    }
    text += &match (&by_pieces, &by_birthday) {
        (Some(pieces), Some(birthday)) => format!(
            "\nvalues ~ pieces^{:.3} (standard error {:.3}), which explains {:.1} % of the variance:\n\
             like the pieces would be 1, like their square root 1/2\n\
             values ~ {:.2}^(largest birthday) explains {:.1} %\n",
            pieces.slope,
            pieces.slope_error,
            100.0 * pieces.explained,
            birthday.slope.exp(),
            100.0 * birthday.explained,
        ),
        _ => "\ntoo few boards to fit an exponent: want three with different numbers of pieces\n"
            .into(),
    };
    Ok(Report::new(text, &Growth { boards: grown, by_pieces, by_birthday }))
}
