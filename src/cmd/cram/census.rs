//! How often the check fires, and how often it is wrong.

use serde::Serialize;

use super::put;
use crate::cmd::{Report, grouped};
use crate::pairing::{self, Census, Check, Counts, Outcomes, Pairing, PairingKernel};

/// Counts the check's firings over every reachable position.
pub(super) fn run(outcomes: &Outcomes, check: &Check, kernel: &dyn PairingKernel) -> Report {
    let census = pairing::census(outcomes, check, kernel);
    let document = Document {
        board: check.board.to_string(),
        positions: census.total.positions,
        wins: census.total.wins,
        empty_wins: outcomes.empty_wins(),
        pairing: check.pairings.to_string(),
        clause: check.clause.to_string(),
        fires: census.total.fires,
        wrong: census.total.wrong,
        fires_on_wins: census.total.fires_on_wins,
        by_dominoes: (0..).zip(&census.by_dominoes).map(|(n, c)| Layer::new(n, c)).collect(),
    };
    Report::new(readable(&document, &census), &document)
}

#[derive(Serialize)]
struct Document {
    board: String,
    positions: u64,
    wins: u64,
    empty_wins: bool,
    pairing: String,
    clause: String,
    fires: u64,
    wrong: u64,
    fires_on_wins: u64,
    by_dominoes: Vec<Layer>,
}

#[derive(Serialize)]
struct Layer {
    dominoes: usize,
    #[serde(flatten)]
    counts: Counts,
}

impl Layer {
    fn new(dominoes: usize, counts: &Counts) -> Self {
        Self { dominoes, counts: *counts }
    }
}

fn readable(document: &Document, census: &Census) -> String {
    let Document { board, pairing, clause, .. } = document;
    let [positions, wins, fires, wrong] =
        [document.positions, document.wins, document.fires, document.wrong].map(grouped);
    let winner = if document.empty_wins { "first" } else { "second" };
    let mut text = format!(
        "{board} cram: {positions} positions, {wins} of them wins for the player to move; \
         the {winner} player wins the empty board\n\
         {pairing}, {clause} clause: fires at {fires}, wrong at {wrong}\n\n\
         {:>8} {:>13} {:>13} {:>13} {:>13} {:>13} {:>9}\n",
        "dominoes", "positions", "wins", "fires", "wrong", "on wins", "of wins"
    );
    for Layer { dominoes, counts } in &document.by_dominoes {
        let Counts { positions, wins, fires, wrong, fires_on_wins } = *counts;
        let share = match wins {
            0 => "-".into(),
            wins => format!("{:.1} %", 100.0 * fires_on_wins as f64 / wins as f64),
        };
        let [positions, wins, fires, wrong, on_wins] =
            [positions, wins, fires, wrong, fires_on_wins].map(grouped);
        put(
            &mut text,
            format_args!(
                "{dominoes:>8} {positions:>13} {wins:>13} {fires:>13} {wrong:>13} {on_wins:>13} {share:>9}"
            ),
        );
    }
    if let Some(wrong) = &census.first_wrong {
        let dominoes = wrong.covered.count_ones() / 2;
        let legend = [
            "#  covered".to_owned(),
            "o  the domino that the check trusts".into(),
            format!("x  a domino that {} sends to itself", name(wrong.pairing)),
        ];
        let placed = if dominoes == 1 { "1 domino".into() } else { format!("{dominoes} dominoes") };
        put(&mut text, format_args!("\nthe first wrong position, {placed} placed:\n"));
        let picture = wrong.draw(census.check.board);
        for line in 0..picture.len().max(legend.len()) {
            let [row, told] =
                [&picture[..], &legend[..]].map(|lines| lines.get(line).map_or("", |row| row));
            let width = census.check.board.columns();
            put(&mut text, format_args!("    {}", format!("{row:width$}    {told}").trim_end()));
        }
    }
    text
}

fn name(pairing: Pairing) -> &'static str {
    match pairing {
        Pairing::HalfTurn => "the half turn",
        Pairing::LeftRight => "the left-right mirror",
        Pairing::TopBottom => "the top-bottom mirror",
        Pairing::Diagonal | Pairing::AntiDiagonal => "the diagonal mirror",
    }
}
