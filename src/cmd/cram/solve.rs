//! Who wins the empty board, or every rectangle up to it.

use std::time::Instant;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::put;
use crate::board::Board;
use crate::cmd::{Common, Report, grouped};
use crate::error::Error;
use crate::memory;
use crate::nimber::{self, Solver, region};
use crate::pairing::{Check, Clause};

#[derive(Args)]
pub(super) struct Solving {
    /// With --solve: every rectangle up to the board, not only the board
    #[arg(long, requires = "solve")]
    rectangles: bool,
    /// With --solve: plies from the empty board in which the check is run; 0 for none
    #[arg(long, default_value_t = 2, value_name = "K", requires = "solve")]
    plies: u32,
    /// With --solve: size of each thread's table, in MiB, rounded down to a power of two
    #[arg(long, default_value_t = 256, value_name = "MIB", requires = "solve",
          value_parser = clap::value_parser!(u32).range(1..))]
    table: u32,
}

#[derive(Serialize)]
struct Document {
    pairing: String,
    clause: String,
    plies: u32,
    table_bytes: u64,
    threads: usize,
    seconds: f64,
    boards: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    board: String,
    empty_wins: bool,
    nodes: u64,
    tests: u64,
    evictions: u64,
    seconds: f64,
}

pub(super) fn run(arguments: &Solving, check: &Check, common: &Common) -> Result<Report, Error> {
    let Solving { rectangles, plies, table, .. } = *arguments;
    let boards = if rectangles { rectangles_up_to(check.board) } else { vec![check.board] };
    if check.board.rows().max(check.board.columns()) > region::SIDE {
        let problem = format!("the solver's regions are at most {0}x{0}", region::SIDE);
        return Err(Error::Board { text: check.board.to_string(), problem });
    }
    if check.clause == Clause::Naive && plies > 0 {
        let problem = "a solver that trusts the naive clause errs: want strict or relaxed";
        return Err(Error::argument("--clause", problem));
    }
    let threads = rayon::current_num_threads().min(boards.len());
    let table_bytes = 1_u64 << (20 + table.ilog2());
    let hint = "; --table or --threads makes it less";
    memory::require("a table for each thread", table_bytes * threads as u64, hint)?;

    let pairing = (plies > 0).then_some(nimber::Pairing {
        pairings: check.pairings,
        clause: check.clause,
        plies,
    });
    let progress = common.progress("solving", boards.len() as u64);
    let clock = Instant::now();
    let solve = |board: &Board| {
        let clock = Instant::now();
        let mut solver = Solver::new(table_bytes as usize / nimber::ENTRY_BYTES, pairing);
        assert_eq!(solver.table_bytes(), table_bytes, "a power of two in, the same out");
        let empty_wins = solver.first_player_wins(*board, 0);
        progress.inc(1);
        let nimber::Work { nodes, tests, evictions } = solver.work();
        let seconds = clock.elapsed().as_secs_f64();
        Row { board: board.to_string(), empty_wins, nodes, tests, evictions, seconds }
    };
    // One board at a time to each thread, the largest first.
    let mut rows: Vec<Row> = boards.par_iter().rev().with_max_len(1).map(solve).collect();
    rows.reverse();
    progress.finish_and_clear();
    let document = Document {
        pairing: check.pairings.to_string(),
        clause: check.clause.to_string(),
        plies,
        table_bytes,
        threads,
        seconds: clock.elapsed().as_secs_f64(),
        boards: rows,
    };
    Ok(Report::new(readable(&document), &document))
}

/// Every rectangle inside `board`, up to exchange of its sides, the smallest first.
fn rectangles_up_to(board: Board) -> Vec<Board> {
    let (short, long) = (board.rows().min(board.columns()), board.rows().max(board.columns()));
    let sides = (1..=short).flat_map(|rows| (rows..=long).map(move |columns| (rows, columns)));
    let mut boards: Vec<Board> = sides
        .map(|(rows, columns)| Board::new(rows, columns).expect("it fits the board"))
        .collect();
    boards.sort_by_key(|board| (board.squares(), board.rows()));
    boards
}

fn readable(document: &Document) -> String {
    let Document { pairing, clause, plies, threads, seconds, .. } = document;
    let table = crate::error::bytes(document.table_bytes);
    let check = match plies {
        0 => "no check".into(),
        plies => format!("{pairing}, {clause} clause in the first {plies} plies"),
    };
    let mut text = format!(
        "cram, {check}; a table of {table} on each of {threads} threads; {seconds:.3} s\n\n\
         {:>5} {:>7} {:>13} {:>13} {:>13} {:>11}\n",
        "board", "winner", "nodes", "tests", "evictions", "seconds"
    );
    for Row { board, empty_wins, nodes, tests, evictions, seconds } in &document.boards {
        let winner = if *empty_wins { "first" } else { "second" };
        let [nodes, tests, evictions] = [*nodes, *tests, *evictions].map(grouped);
        put(
            &mut text,
            format_args!(
                "{board:>5} {winner:>7} {nodes:>13} {tests:>13} {evictions:>13} {seconds:>11.6}"
            ),
        );
    }
    text
}
