//! `zlab atlas --squares N`: the shortest exact key of every rectangle.
//!
//! A board and its transpose are one row: exchanging rows and columns turns
//! vertical dominoes into horizontal ones, so it exchanges the movers, and the
//! census counts pairs of both movers together. One-row boards, on which only
//! one player ever moves, stand apart: their row follows from a formula.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use clap::{ArgMatches, Args, FromArgMatches};
use indicatif::ProgressBar;
use serde::Serialize;

use super::exact::Parities;
use super::{Common, Out, Report, Verb, drawn, grouped};
use crate::board::{Board, squares_of};
use crate::census;
use crate::code::Code;
use crate::error::Error;
use crate::exact;
use crate::game::domineering::Domineering;
use crate::tier::Tier;
use crate::{positions, save};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "atlas",
    about: "List the shortest exact key of every Domineering rectangle",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// Largest number of squares of a rectangle
    #[arg(long, value_parser = clap::value_parser!(u8).range(4..=36))]
    squares: u8,
    /// Directory for atlas.csv and atlas.json, written anew after every board: what is done
    /// stays when a run is stopped
    #[command(flatten)]
    out: Out,
}

#[derive(Serialize)]
struct Document {
    rows: Vec<Row>,
    /// Boards of one row, in closed form.
    one_row: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    board: Board,
    squares: usize,
    left: usize,
    right: usize,
    free_sets: u64,
    exact_bits: usize,
    proved: bool,
    /// Bits below which no exact key exists.
    at_least: usize,
    /// Squares less bits.
    saved: usize,
    information_bits: usize,
    code: Vec<Vec<usize>>,
    /// Sums of free sets looked up for the proof.
    lookups: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    weighed: Option<Parities>,
    seconds: f64,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let (most, ceiling) = (usize::from(arguments.squares), common.ceiling()?);
    let boards = rectangles(most);
    // The largest first: no row is made that a later one would throw away.
    for board in boards.iter().rev() {
        census::cell_count(&format!("a census of {board}"), board.squares(), true)?;
    }
    let out = arguments.out.prepared()?;
    let progress = common.progress("finding exact keys", boards.len() as u64);
    let mut document = Document { rows: Vec::new(), one_row: (1..=most).map(one_row).collect() };
    for board in boards {
        document.rows.push(row(board, ceiling)?);
        if let Some(directory) = out {
            write_files(directory, &document)?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(Report::new(readable(&document), &document))
}

/// Rectangles of at least two rows, no more rows than columns, and at most so
/// many squares: by squares, then by rows.
fn rectangles(squares: usize) -> Vec<Board> {
    let sides = (2..=squares).flat_map(|rows| (rows..=squares / rows).map(move |c| (rows, c)));
    let mut boards: Vec<Board> = sides
        .map(|(rows, columns)| Board::new(rows, columns).expect("sides of two to 64 squares"))
        .collect();
    boards.sort_by_key(|board| (board.squares(), board.rows()));
    boards
}

/// Lookups that the proof of a row may spend: some minutes.
const EFFORT: u64 = 25 * exact::EFFORT;

fn row(board: Board, ceiling: Tier) -> Result<Row, Error> {
    let start = Instant::now();
    let positions = positions::enumerate(&Domineering, board)?;
    let found = exact::shortest(&positions, ceiling, EFFORT, &ProgressBar::hidden())?;
    let confused = exact::verify(&found.code.words(), &positions).err();
    assert_eq!(confused, None, "{board}: positions share a key that the census calls exact");
    Ok(Row {
        board,
        squares: board.squares(),
        left: positions.left.len(),
        right: positions.right.len(),
        free_sets: found.free_sets,
        exact_bits: found.code.bits(),
        proved: found.proved(),
        at_least: found.at_least,
        saved: board.squares() - found.code.bits(),
        information_bits: exact::information_bits(&positions),
        code: squares_of_each(&found.code),
        lookups: found.lookups,
        weighed: found.weighed.as_ref().map(Parities::of),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// A row of `n` squares: Left never moves, so with Right to move there is the
/// empty board, and with Left to move that or one domino, `n` positions. They
/// differ on the n(n−1)/2 sets that two of them make. The squares' words `0, 1,
/// 1^2, 1^2^3, …` give domino `i` the key `i`: no two positions share one, and
/// no key of fewer bits has as many values.
fn one_row(columns: usize) -> Row {
    let words: Vec<u64> = (0..columns as u64)
        .scan(0, |key, i| {
            *key ^= i;
            Some(*key)
        })
        .collect();
    let code = Code::of_words(&words);
    Row {
        board: Board::new(1, columns).expect("one row of at most 64 squares"),
        squares: columns,
        left: columns,
        right: 1,
        free_sets: (1 << (columns - 1)) - 1 - (columns * (columns - 1) / 2) as u64,
        exact_bits: code.bits(),
        proved: true,
        at_least: code.bits(),
        saved: code.dimension(),
        information_bits: code.bits(),
        code: squares_of_each(&code),
        lookups: 0,
        weighed: None,
        seconds: 0.0,
    }
}

/// `atlas.json`, the document so far, and `atlas.csv`, a board of two rows or more a line.
fn write_files(directory: &Path, document: &Document) -> Result<(), Error> {
    let json = Report::new(String::new(), document).json;
    save::save(&directory.join("atlas.json"), |writer| writer.write_all(json.as_bytes()))?;
    let mut csv = String::from(
        "board,squares,left,right,free_sets,exact_bits,proved,at_least,saved,information_bits,\
         lookups,parities,least_even,halved,heavy_sets,seconds,code\n",
    );
    for row in &document.rows {
        let weighed = row.weighed.as_ref().map_or_else(
            || ",,,".into(),
            |by| format!("{},{},{},{}", by.parities.len(), by.least, by.halved, by.heavy),
        );
        let set = |squares: &Vec<usize>| {
            let squares: Vec<String> = squares.iter().map(usize::to_string).collect();
            squares.join(" ")
        };
        let code: Vec<String> = row.code.iter().map(set).collect();
        let Row { board, squares, left, right, free_sets, exact_bits, proved, at_least, .. } = row;
        let Row { saved, information_bits, lookups, seconds, .. } = row;
        writeln!(
            csv,
            "{board},{squares},{left},{right},{free_sets},{exact_bits},{proved},{at_least},{saved},\
             {information_bits},{lookups},{weighed},{seconds:.3},{}",
            code.join("|")
        )
        .expect("a String takes all text");
    }
    save::save(&directory.join("atlas.csv"), |writer| writer.write_all(csv.as_bytes()))
}

fn squares_of_each(code: &Code) -> Vec<Vec<usize>> {
    code.basis().iter().map(|set| squares_of(*set).collect()).collect()
}

fn readable(document: &Document) -> String {
    let mut text = format!(
        "{:<7} {:>7} {:>10} {:>10} {:>10} {:>11} {:>6} {:>12}\n",
        "board", "squares", "left", "right", "free sets", "exact bits", "saved", "information"
    );
    for row in &document.rows {
        let Row { board, squares, exact_bits, saved, information_bits, .. } = row;
        let [left, right] = [row.left, row.right].map(|count| grouped(count as u128));
        let free = grouped(row.free_sets);
        let mark = match (row.proved, *saved) {
            (false, _) => format!("  not proved shortest, at least {}", row.at_least),
            (true, 2) => String::new(),
            (true, _) => "  breaks \"squares less two\"".into(),
        };
        writeln!(
            text,
            "{:<7} {squares:>7} {left:>10} {right:>10} {free:>10} {exact_bits:>11} {saved:>6} \
             {information_bits:>12}{mark}",
            board.to_string()
        )
        .expect("a String takes all text");
    }
    for row in document.rows.iter().filter(|row| row.saved != 2) {
        let sets = row.code.iter().map(|squares| squares.iter().map(|square| 1 << square).sum());
        let code = Code::spanned(row.squares, &sets.collect::<Vec<u64>>());
        let words: Vec<u64> = code.even_part().codewords().collect();
        text += &format!(
            "\n{}: no two positions differ on any of these, and each is a sum of others\n{}",
            row.board,
            drawn(row.board, &words, 4)
        );
    }
    text += "\n1xn: one player never moves, and the other's n positions need ceil(log2 n) bits\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closed_form_of_one_row_is_what_the_search_finds() {
        for columns in 1..=9 {
            let (closed, searched) =
                (one_row(columns), row(Board::new(1, columns).unwrap(), Tier::best()).unwrap());
            let facts = |row: &Row| {
                (row.left, row.right, row.free_sets, row.exact_bits, row.information_bits)
            };
            assert_eq!(facts(&closed), facts(&searched), "1x{columns}");
        }
    }

    #[test]
    fn each_rectangle_is_listed_once() {
        let names: Vec<String> = rectangles(9).iter().map(Board::to_string).collect();
        assert_eq!(names, ["2x2", "2x3", "2x4", "3x3"]);
    }
}
