//! The value of one position, and what each key costs on the way to it.
//!
//! `zlab clobber BOARD --position start --key KEY --threads 1`, on a Zen 5 core:
//!
//! ```text
//!                3x4      3x5      4x4        3x6
//! piece       11,191  126,811  395,947  1,432,138  entries of the table
//! colour       9,956  116,895  362,311  1,327,461
//! symmetry     4,689   31,541   91,103    664,421
//! both         2,376   29,199   45,643    332,609
//!
//! piece        0.058    0.164    0.576       3.34  CPU seconds of the process, the
//! colour       0.054    0.159    0.560       3.44  least of five runs (3x6: of two);
//! symmetry     0.055    0.087    0.205       1.80  some 0.05 are its start
//! both         0.051    0.091    0.145       1.04
//!
//! piece          2.0      9.2     27.0      116.1  MiB of the table and the values
//! colour         2.0      9.4     26.6      115.8
//! symmetry       1.5      6.8     14.5       95.9
//! both           1.3      7.0     12.3       83.9
//!
//! piece          701    5,696   25,077    142,835  values made, those of sums too
//! colour         701    9,535   25,077    142,814
//! symmetry       701    5,696   25,077    142,835
//! both           635    8,632   22,267    126,906
//! ```
//!
//! Colour alone saves 7 to 11 % of the table and next to no time. The eight images
//! save most, and the swap on top halves the rest where a symmetry of the board
//! changes the colours. Where none does, on 3x5, few swaps are in the table to be found
//! (19,832 of 126,811), yet the lesser of a piece and its swap is what is valued:
//! often that is one that is never reached, and its value and the negative which
//! the sign asks for are both made. Elsewhere every negative is another piece's
//! value already, and by both those that no move asks for are left out.

use std::fmt::Write;
use std::time::Instant;

use serde::Serialize;

use super::{Arguments, Opening};
use crate::cmd::{Common, Report, grouped};
use crate::error::{Error, bytes};
use crate::game::clobber;
use crate::memory;
use crate::pieces::census::{self, cache_bits};
use crate::pieces::{Frame, Key, PieceKernel, Pieces, reach, solve};
use crate::value::Values;

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

pub(super) fn run(
    drawn: &str,
    arguments: &Arguments,
    kernel: &'static dyn PieceKernel,
    common: &Common,
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
    let shown = position.map_or("start".into(), |position| clobber::draw(board, position));
    let position = position.map_or(frame.start(), |position| frame.lay(board, position));
    let keys = if arguments.key.is_empty() { vec![Key::Both] } else { arguments.key.clone() };
    let parts = reach::live_parts(&frame, position);
    let stones = parts.iter().map(|part| part.count_ones()).max().unwrap_or(0);
    let estimate = census::estimate_of_stones(stones as usize, kernel);
    memory::require(&format!("valuing a position of {board}"), estimate.bytes, "")?;
    let mut found: Option<Opening> = None;
    let mut costs = vec![];
    for key in keys {
        let started = Instant::now();
        let bar = common.spinner("valuing the position");
        let values = Values::with_caches(cache_bits(estimate.pieces));
        let pieces = Pieces::reachable(&frame, position, key, kernel, &bar);
        solve::value_all(&pieces, &values, &bar);
        let worth = solve::worth(&pieces, &values, &parts);
        bar.finish_and_clear();
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
    let mut text = format!(
        "{board} {shown} {}\n\n{:>8} {:>12} {:>14} {:>10} {:>10} {:>10}\n",
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
        position: shown,
        worth,
        keys: costs,
        peak_bytes: memory::peak(),
    };
    Ok(Report::new(text, &document))
}
