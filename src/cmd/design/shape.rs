//! `zlab design RxC --bits L --objective shape`: a key for a board that nobody
//! counted, from the shape of 4x5's price list.

use std::fmt::Write;
use std::time::Instant;

use serde::Serialize;

use super::{Arguments, Objective};
use crate::board::{Board, squares_of};
use crate::cmd::{Common, Report};
use crate::design::{self, Sets};
use crate::error::Error;
use crate::export::{Export, this_command};
use crate::travel::{self, Detail};

#[derive(Serialize)]
struct Document {
    board: Board,
    bits: usize,
    objective: Objective,
    seed: u64,
    restarts: usize,
    /// Times fewer pairs than a random key confuses, as predicted; of an exact key none.
    predicted_factor: Option<f64>,
    minimum_distance: Option<usize>,
    minimum_even_distance: Option<usize>,
    code: Vec<Vec<usize>>,
    words: Vec<u64>,
    seconds: f64,
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<Report, Error> {
    let start = Instant::now();
    let Arguments { restarts, seed, .. } = *arguments;
    let board = match (arguments.source.board, &arguments.source.positions) {
        (Some(board), None) if arguments.source.game() == "domineering" => board,
        _ => {
            let problem = "the shape is that of all reachable positions of a Domineering board";
            return Err(Error::argument("--objective", problem));
        }
    };
    if arguments.prove {
        let problem = "no census is taken, so nothing can be proved: want --objective pairs";
        return Err(Error::argument("--prove", problem));
    }
    let squares = board.squares();
    let bits = arguments.bits.expect("only stored designs go without");
    let sets = Sets { features: squares, even: true };
    let dimension = sets.code_dimension(bits);
    if dimension > travel::LARGEST_DIMENSION {
        let least = squares - 1 - travel::LARGEST_DIMENSION;
        let problem = format!("{bits}: want {least} to {squares} on {board}");
        return Err(Error::argument("--bits", problem));
    }
    let shape = travel::learned(common.ceiling()?)?;
    let progress = common.progress("searching", restarts as u64);
    let prices = shape.on(board, Detail::Shade);
    let found = travel::search(&prices, dimension, restarts, seed, &progress);
    progress.finish_and_clear();
    let best = found.into_iter().min_by_key(|found| found.total).expect("a restart");
    let code = design::completed_sets(sets, bits, &best.basis, seed);
    let document = Document {
        board,
        bits,
        objective: arguments.objective,
        seed,
        restarts,
        predicted_factor: travel::predicted_factor(dimension, best.total),
        minimum_distance: code.minimum_distance(),
        minimum_even_distance: code.even_part().minimum_distance(),
        code: code.basis().iter().map(|&set| squares_of(set).collect()).collect(),
        words: design::mixed_words(&code, seed),
        seconds: start.elapsed().as_secs_f64(),
    };
    let predicted = match document.predicted_factor {
        None => "exact: it cancels on sets free by shade and row only".to_owned(),
        Some(factor) => {
            format!("predicted to confuse {factor:.2} times fewer pairs than a random key")
        }
    };
    if let Some(language) = arguments.export {
        let about = vec![
            format!("{board} domineering, {bits} bits, {}.", arguments.objective.name()),
            format!("{predicted}; not counted on the board itself.").replacen("p", "P", 1),
        ];
        let export = Export { words: &document.words, bits, about, command: this_command() };
        return Ok(Report::new(export.render(language), &document));
    }
    let mut text = format!("{board}, {bits} bits, {}\n{predicted}\n", arguments.objective.name());
    writeln!(text, "\ncode, dimension {}:", code.dimension()).expect("a String takes all text");
    for &set in code.basis() {
        writeln!(text, "{}", board.draw(set)).expect("a String takes all text");
    }
    text += "\nwords:\n";
    let digits = bits.div_ceil(4);
    for row in document.words.chunks(board.columns()) {
        let row: Vec<String> = row.iter().map(|word| format!("0x{word:0digits$x}")).collect();
        writeln!(text, "{}", row.join(" ")).expect("a String takes all text");
    }
    Ok(Report::new(text, &document))
}
