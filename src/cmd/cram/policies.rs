//! Where in a search the check pays.

use clap::Args;
use serde::Serialize;

use super::put;
use crate::board::Board;
use crate::cmd::{Common, Report, grouped};
use crate::error::Error;
use crate::pairing::policy::{self, Effort, Order, Policy};
use crate::pairing::{Check, Clause, Outcomes, PairingKernel, Pairings, census};

#[derive(Args)]
pub(super) struct Comparison {
    /// With --policies: compare pairings and sound clauses instead of policies
    #[arg(long, requires = "policies", conflicts_with_all = ["pairing", "clause"])]
    compare: bool,
    /// Move order of the policies' solver: right-down, down-right, horizontal-first
    #[arg(long, default_value = "right-down", requires = "policies")]
    order: String,
    /// Free squares at or below which an endgame policy checks
    #[arg(long, default_value_t = 8, value_name = "M", requires = "policies")]
    free: u32,
    /// Sampled positions to solve besides the empty board
    #[arg(long, default_value_t = 20, value_name = "N", requires = "policies",
          value_parser = clap::value_parser!(u16).range(1..))]
    starts: u16,
    /// Dominoes on the sampled positions
    #[arg(long, default_value_t = 2, value_name = "K", requires = "policies")]
    placed: u32,
    /// Seed of the sample
    #[arg(long, default_value_t = 1, requires = "policies")]
    seed: u64,
}

impl Comparison {
    /// The move order named, before any work; the sample must fit the board.
    pub(super) fn order(&self, board: Board) -> Result<Order, Error> {
        let most = board.squares() / 2;
        if self.placed as usize > most {
            let problem = format!("{board} holds at most {most} dominoes, not {}", self.placed);
            return Err(Error::argument("--placed", problem));
        }
        self.order.parse()
    }
}

#[derive(Serialize)]
struct Document {
    board: String,
    empty_wins: bool,
    order: String,
    starts: usize,
    placed: u32,
    seed: u64,
    starts_won: u64,
    choices: Vec<Choice>,
    policies: Vec<PolicyRow>,
}

/// A choice of pairings and clause, and what it does at reachable positions.
#[derive(Serialize)]
struct Choice {
    pairing: String,
    clause: String,
    fires: u64,
    wrong: u64,
}

impl Choice {
    fn of(outcomes: &Outcomes, check: &Check, kernel: &dyn PairingKernel) -> Self {
        let total = census(outcomes, check, kernel).total;
        Self {
            pairing: check.pairings.to_string(),
            clause: check.clause.to_string(),
            fires: total.fires,
            wrong: total.wrong,
        }
    }
}

#[derive(Serialize)]
struct PolicyRow {
    pairing: String,
    clause: String,
    policy: String,
    empty: EffortRow,
    sample: EffortRow,
}

#[derive(Serialize, Default)]
struct EffortRow {
    nodes: u64,
    checks: u64,
    tests: u64,
    seconds: f64,
    /// Starts won by the player to move.
    wins: u64,
}

/// Solves the empty board and a sample of positions in every way compared.
pub(super) fn run(
    arguments: &Comparison,
    order: Order,
    check: &Check,
    outcomes: &Outcomes,
    kernel: &dyn PairingKernel,
    common: &Common,
) -> Result<Report, Error> {
    let Comparison { free, starts, placed, seed, .. } = *arguments;
    let starts = policy::sample(outcomes, placed, usize::from(starts), seed);
    let won =
        |covered: &&u64| outcomes.losses[(**covered >> 6) as usize] >> (**covered & 63) & 1 == 0;
    let starts_won = starts.iter().filter(won).count() as u64;
    let cases: Vec<(Check, Policy)> = if arguments.compare {
        let sets = ["half-turn", "half-turn,left-right,top-bottom", "all"];
        let sets = sets.map(|set| set.parse::<Pairings>().expect("our own names"));
        let checks = sets.into_iter().flat_map(|pairings| {
            [Clause::Strict, Clause::Relaxed].map(|clause| Check { pairings, clause, ..*check })
        });
        let policies = [Policy::Plies(1), Policy::Plies(2), Policy::Always];
        let none = std::iter::once((*check, Policy::Never));
        none.chain(checks.flat_map(|check| policies.map(|policy| (check, policy)))).collect()
    } else {
        Policy::compared(free).into_iter().map(|policy| (*check, policy)).collect()
    };
    let mut checks: Vec<Check> = cases.iter().map(|(check, _)| *check).collect();
    checks.dedup();
    let choices = checks.iter().map(|check| Choice::of(outcomes, check, kernel)).collect();
    let progress = common.progress("solving", cases.len() as u64);
    let mut rows = Vec::new();
    for (check, policy) in cases {
        let empty = measured(&check, policy, order, &[0])?;
        let sample = measured(&check, policy, order, &starts)?;
        rows.push(PolicyRow {
            pairing: check.pairings.to_string(),
            clause: check.clause.to_string(),
            policy: policy.to_string(),
            empty,
            sample,
        });
        progress.inc(1);
    }
    progress.finish_and_clear();
    let document = Document {
        board: check.board.to_string(),
        empty_wins: outcomes.empty_wins(),
        order: order.to_string(),
        starts: starts.len(),
        placed,
        seed,
        starts_won,
        choices,
        policies: rows,
    };
    let mut report = Report::new(readable(&document), &document);
    // Only the naive clause may disagree with the sweep; it is then told so.
    report.failed = document.policies.iter().any(|row| !row.agrees(&document));
    Ok(report)
}

impl PolicyRow {
    fn agrees(&self, document: &Document) -> bool {
        self.empty.wins == u64::from(document.empty_wins) && self.sample.wins == document.starts_won
    }
}

/// Solves each start from a fresh table; the times are of the searches alone.
fn measured(
    check: &Check,
    policy: Policy,
    order: Order,
    starts: &[u64],
) -> Result<EffortRow, Error> {
    let mut row = EffortRow::default();
    for &start in starts {
        let Effort { nodes, checks, tests, wins, time } =
            policy::solve(check, policy, order, start)?;
        row.seconds += time.as_secs_f64();
        row.nodes += nodes;
        row.checks += checks;
        row.tests += tests;
        row.wins += u64::from(wins);
    }
    Ok(row)
}

fn readable(document: &Document) -> String {
    let Document { board, order, starts, placed, seed, starts_won, .. } = document;
    let winner = if document.empty_wins { "first" } else { "second" };
    let mut text = format!(
        "{board} cram, moves {order}; by the exact sweep the {winner} player wins the empty board,\n\
         and the player to move {starts_won} of {starts} positions with {placed} dominoes \
         (drawn by seed {seed})\n"
    );
    put(&mut text, format_args!("\nover all reachable positions:"));
    for Choice { pairing, clause, fires, wrong } in &document.choices {
        let (fires, wrong) = (grouped(*fires), grouped(*wrong));
        put(&mut text, format_args!("  {pairing}, {clause}: fires at {fires}, wrong at {wrong}"));
    }
    table(&mut text, "the empty board", document, |row| &row.empty);
    table(&mut text, "the sample, a fresh table each", document, |row| &row.sample);
    let agree = document.policies.iter().all(|row| row.agrees(document));
    text += if agree { "\nall answers agree\n" } else { "\nSOME ANSWERS ARE WRONG\n" };
    text
}

/// One part of every row, under a line for each choice of pairings and clause.
fn table(text: &mut String, starts: &str, document: &Document, part: fn(&PolicyRow) -> &EffortRow) {
    put(text, format_args!("\nfrom {starts}:\n"));
    put(
        text,
        format_args!(
            "{:<26} {:>12} {:>12} {:>12} {:>11} {:>6}",
            "policy", "nodes", "checks", "tests", "seconds", "won"
        ),
    );
    let mut group = String::new();
    for row in &document.policies {
        let of = format!("{}, {}", row.pairing, row.clause);
        if of != group {
            put(text, format_args!("{of}"));
            group = of;
        }
        let EffortRow { nodes, checks, tests, seconds, wins } = part(row);
        let [nodes, checks, tests] = [*nodes, *checks, *tests].map(grouped);
        let policy = &row.policy;
        put(
            text,
            format_args!(
                "  {policy:<24} {nodes:>12} {checks:>12} {tests:>12} {seconds:>11.6} {wins:>6}"
            ),
        );
    }
}
