//! The census of one board.

use std::fmt::Write;
use std::time::Instant;

use serde::Serialize;

use super::{Arguments, Opening, census_of};
use crate::board::{Board, Symmetry};
use crate::cmd::{Common, Report, grouped};
use crate::error::{Error, bytes};
use crate::game::clobber;
use crate::memory;
use crate::pieces::census::{Estimate, Layer};
use crate::pieces::folds::{Orbits, ValueCounts};
use crate::pieces::{Frame, Key, PieceKernel};

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

pub(super) fn run(
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
    let mut report = Report::new(readable(&document, board, key), &document);
    report.failed = document.values.is_some_and(|values| values.failures > 0);
    Ok(report)
}

fn readable(document: &Document, board: Board, key: Key) -> String {
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
    let changing = clobber::colour_changing(board).into_iter().map(name).collect::<Vec<_>>();
    text += &match changing.join(", ") {
        none if none.is_empty() => {
            "no symmetry of the board changes the colours: a piece's negative is there by chance\n"
                .into()
        }
        changing => format!(
            "the colours change under {changing}: every piece's negative is in the table, turned\n"
        ),
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

fn name(symmetry: Symmetry) -> &'static str {
    match symmetry {
        Symmetry::Identity => "nothing",
        Symmetry::HalfTurn => "the half turn",
        Symmetry::LeftRight => "the left-right mirror",
        Symmetry::TopBottom => "the top-bottom mirror",
        Symmetry::Diagonal | Symmetry::AntiDiagonal => "a diagonal mirror",
        Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => "a quarter turn",
    }
}
