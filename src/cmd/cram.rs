//! `zlab cram RxC`: how often Cram's pairing check fires and how often it is
//! wrong; with `--policies`, where in a search it pays.

use std::fmt::Write;
use std::time::Instant;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Common, Report, Verb, grouped};
use crate::board::Board;
use crate::error::Error;
use crate::pairing::policy::{self, Effort, Order, Policy};
use crate::pairing::{self, Census, Check, Clause, Counts, KERNELS, Outcomes, Pairings};
use crate::tier;

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "cram",
    about: "Count where Cram's pairing check fires and where it is wrong; compare its policies",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// The board, ROWSxCOLUMNS
    board: Board,
    /// Pairings, comma between: half-turn, left-right, top-bottom, diagonals, all
    #[arg(long, default_value = "half-turn", value_name = "LIST")]
    pairing: String,
    /// The clause: naive, strict (no domino is its own answer), relaxed
    #[arg(long, default_value = "strict")]
    clause: String,
    /// The kernel that runs the test (`zlab kernels` names them) [default: the fastest]
    #[arg(long)]
    kernel: Option<String>,
    /// Solve the board under each policy of where to check
    #[arg(long)]
    policies: bool,
    /// With --policies: solve under each choice of pairings and sound clause instead
    #[arg(long, requires = "policies")]
    compare: bool,
    #[command(flatten)]
    search: SearchArguments,
}

#[derive(Args)]
struct SearchArguments {
    /// Move order of the policies' solver: right-down, down-right, horizontal-first
    #[arg(long, default_value = "right-down", requires = "policies")]
    order: String,
    /// Free squares at or below which an endgame policy checks
    #[arg(long, default_value_t = 8, value_name = "M", requires = "policies")]
    free: u32,
    /// Sampled positions to solve besides the empty board
    #[arg(long, default_value_t = 20, value_name = "N", requires = "policies")]
    starts: u16,
    /// Dominoes on the sampled positions
    #[arg(long, default_value_t = 2, value_name = "K", requires = "policies")]
    placed: u32,
    /// Seed of the sample
    #[arg(long, default_value_t = 1, requires = "policies")]
    seed: u64,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let Arguments { board, pairing, clause, kernel, .. } = &arguments;
    let check =
        Check { board: *board, pairings: pairing.parse()?, clause: clause.parse::<Clause>()? };
    check.pairings.fit(*board)?;
    let (_, kernel) = tier::pick(KERNELS, kernel.as_deref(), common.ceiling()?)?;
    let order = arguments.search.order.parse()?;
    let progress = common.spinner("sweeping all boards");
    let outcomes = Outcomes::of(*board)?;
    progress.finish_and_clear();
    if arguments.policies {
        return policies(&arguments, order, &check, &outcomes, common);
    }
    let census = pairing::census(&outcomes, &check, kernel);
    let document = CensusDocument {
        board: board.to_string(),
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
    Ok(Report::new(readable(&document, &census), &document))
}

#[derive(Serialize)]
struct CensusDocument {
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

fn readable(document: &CensusDocument, census: &Census) -> String {
    let CensusDocument { board, pairing, clause, .. } = document;
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

fn name(pairing: pairing::Pairing) -> &'static str {
    match pairing {
        pairing::Pairing::HalfTurn => "the half turn",
        pairing::Pairing::LeftRight => "the left-right mirror",
        pairing::Pairing::TopBottom => "the top-bottom mirror",
        pairing::Pairing::Diagonal | pairing::Pairing::AntiDiagonal => "the diagonal mirror",
    }
}

fn put(text: &mut String, line: std::fmt::Arguments) {
    writeln!(text, "{line}").expect("a String takes all text");
}

#[derive(Serialize)]
struct PoliciesDocument {
    board: String,
    empty_wins: bool,
    order: String,
    starts: usize,
    placed: u32,
    seed: u64,
    starts_won: u64,
    policies: Vec<PolicyRow>,
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

fn policies(
    arguments: &Arguments,
    order: Order,
    check: &Check,
    outcomes: &Outcomes,
    common: &Common,
) -> Result<Report, Error> {
    let SearchArguments { free, starts, placed, seed, .. } = arguments.search;
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
    let document = PoliciesDocument {
        board: check.board.to_string(),
        empty_wins: outcomes.empty_wins(),
        order: order.to_string(),
        starts: starts.len(),
        placed,
        seed,
        starts_won,
        policies: rows,
    };
    let mut report = Report::new(readable_policies(&document), &document);
    // Only the naive clause may disagree with the sweep; it is then told so.
    report.failed = document.policies.iter().any(|row| !row.agrees(&document));
    Ok(report)
}

impl PolicyRow {
    fn agrees(&self, document: &PoliciesDocument) -> bool {
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
        let clock = Instant::now();
        let Effort { nodes, checks, tests, wins } = policy::solve(check, policy, order, start)?;
        row.seconds += clock.elapsed().as_secs_f64();
        row.nodes += nodes;
        row.checks += checks;
        row.tests += tests;
        row.wins += u64::from(wins);
    }
    Ok(row)
}

fn readable_policies(document: &PoliciesDocument) -> String {
    let PoliciesDocument { board, order, starts, placed, seed, starts_won, .. } = document;
    let winner = if document.empty_wins { "first" } else { "second" };
    let mut text = format!(
        "{board} cram, moves {order}; by the exact sweep the {winner} player wins the empty board,\n\
         and the player to move {starts_won} of {starts} positions with {placed} dominoes \
         (drawn by seed {seed})\n"
    );
    let parts: [(&str, fn(&PolicyRow) -> &EffortRow); 2] = [
        ("the empty board", |row| &row.empty),
        ("the sample, a fresh table each", |row| &row.sample),
    ];
    for (title, part) in parts {
        let mut group = String::new();
        put(&mut text, format_args!("\nfrom {title}:\n"));
        put(
            &mut text,
            format_args!(
                "{:<26} {:>12} {:>12} {:>12} {:>11} {:>6}",
                "policy", "nodes", "checks", "tests", "seconds", "won"
            ),
        );
        for row in &document.policies {
            let of = format!("{}, {}", row.pairing, row.clause);
            if of != group {
                put(&mut text, format_args!("{of}"));
                group = of;
            }
            let EffortRow { nodes, checks, tests, seconds, wins } = part(row);
            let [nodes, checks, tests] = [*nodes, *checks, *tests].map(grouped);
            let policy = &row.policy;
            put(
                &mut text,
                format_args!(
                    "  {policy:<24} {nodes:>12} {checks:>12} {tests:>12} {seconds:>11.6} {wins:>6}"
                ),
            );
        }
    }
    let agree = document.policies.iter().all(|row| row.agrees(document));
    text += if agree { "\nall answers agree\n" } else { "\nSOME ANSWERS ARE WRONG\n" };
    text
}
