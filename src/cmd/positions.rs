//! `zlab positions RxC`: every reachable position, counted and written.

use std::fmt::Write;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Common, Out, Report, Subject, Verb, grouped};
use crate::error::Error;
use crate::game::{self, Game};
use crate::memory;
use crate::positions::{self, files};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "positions",
    about: "Enumerate every reachable position of a board",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    #[command(flatten)]
    subject: Subject,
    #[command(flatten)]
    out: Out,
    /// How: bitmap (one sweep over all boards), layered (the definition), or auto
    #[arg(long, default_value = "auto")]
    kernel: String,
    /// Format of the files left.* and right.* that --out gets
    #[arg(long, value_enum, default_value = "npy")]
    format: files::Format,
}

#[derive(Serialize)]
struct Document {
    board: String,
    game: String,
    left: usize,
    right: usize,
    total: usize,
    /// `by_dominoes`, or what else the game counts in: rows of that count,
    /// `left` and `right`.
    #[serde(flatten)]
    by_size: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let Subject { board, game } = arguments.subject;
    let game = game::find(&game)?;
    let enumerate = match arguments.kernel.as_str() {
        "auto" | "bitmap" => positions::enumerate,
        "layered" => |game: &dyn Game, board| Ok(positions::layered(game, board)),
        other => {
            let problem = format!("no kernel `{other}`: want auto, bitmap or layered");
            return Err(Error::argument("--kernel", problem));
        }
    };
    positions::require_memory(game, board)?;
    let out = arguments.out.prepared()?;
    let progress = common.spinner("enumerating positions");
    let positions = enumerate(game, board)?;
    progress.finish_and_clear();
    let (unit, features) = game.unit();
    let layers = positions.by_size(features);
    let rows = layers.iter().enumerate().map(|(count, [left, right])| {
        let row = [(unit, count.into()), ("left", (*left).into()), ("right", (*right).into())];
        Value::Object(row.into_iter().map(|(name, count)| (name.to_owned(), count)).collect())
    });
    let document = Document {
        board: board.to_string(),
        game: game.name().into(),
        left: positions.left.len(),
        right: positions.right.len(),
        total: positions.total(),
        by_size: Map::from_iter([(format!("by_{unit}"), rows.collect())]),
        peak_bytes: memory::peak(),
    };
    let mut text = readable(&document, unit, &layers);
    if let Some(directory) = out {
        let paths = files::write(directory, arguments.format, board, &positions)?;
        for path in paths {
            text += &format!("wrote {}\n", path.display());
        }
    }
    Ok(Report::new(text, &document))
}

fn readable(document: &Document, unit: &str, layers: &[[u64; 2]]) -> String {
    let count = |count: usize| grouped(count as u128);
    let mut text = format!(
        "{} {}: {} positions, {} with Left to move and {} with Right\n\n{:>8} {:>14} {:>14}\n",
        document.board,
        document.game,
        count(document.total),
        count(document.left),
        count(document.right),
        unit,
        "Left",
        "Right"
    );
    for (count, [left, right]) in layers.iter().enumerate() {
        writeln!(text, "{count:>8} {:>14} {:>14}", grouped(*left), grouped(*right))
            .expect("a String takes all text");
    }
    text
}
