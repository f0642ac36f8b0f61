//! `zlab solve RxC`: who wins, and what the search took.

use std::fmt::Write;
use std::time::Instant;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use serde::Serialize;

use super::{Common, Report, Verb, grouped};
use crate::board::Board;
use crate::error::{Error, bytes};
use crate::game::Mover;
use crate::game::domineering::Domineering;
use crate::positions;
use crate::solve::orders::{Order, stored_in_order};
use crate::solve::{self, Bounded, Plain, Search, Store, Verdicts};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "solve",
    about: "Search who wins Domineering on an empty board",
    arguments: Arguments::augment_args,
    run,
};

/// Squares above which a table of bounded size is used unasked, and its size.
const PLAIN_SQUARES: usize = 32;
const DEFAULT_TABLE_BITS: u32 = 26;

#[derive(Args)]
struct Arguments {
    /// The board, ROWSxCOLUMNS
    board: Board,
    /// Who moves first; `both` searches Left's root and then Right's with one table
    #[arg(long, value_enum, default_value = "both")]
    root: Root,
    /// Use a table of 2^N slots of eight bytes that forgets what does not fit
    /// [default above 32 squares: 26]
    #[arg(long, value_name = "N")]
    table_bits: Option<u32>,
    /// Decide every reachable position instead of searching from the empty board
    #[arg(long, conflicts_with_all = ["root", "table_bits", "orders"])]
    verdicts: bool,
    /// Compare what the search stores when it tries moves in other orders
    #[arg(long, conflicts_with_all = ["root", "table_bits"])]
    orders: bool,
    /// Seed of the random order of --orders [default: 1]
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Root {
    Left,
    Right,
    Both,
}

impl Root {
    fn movers(self) -> &'static [Mover] {
        match self {
            Self::Left => &Mover::BOTH[..1],
            Self::Right => &Mover::BOTH[1..],
            Self::Both => &Mover::BOTH,
        }
    }
}

#[derive(Serialize)]
struct Document {
    board: String,
    roots: Vec<RootRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    nodes: u64,
    stored: u64,
    seconds: f64,
    nodes_per_second: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Table>,
}

#[derive(Serialize)]
struct RootRow {
    first: &'static str,
    winner: &'static str,
}

#[derive(Serialize)]
struct Table {
    bits: u32,
    bytes: u64,
    written: u64,
    lost: u64,
    /// Positions searched beyond those of an unbounded table, where that fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<u64>,
    /// What `extra` cannot exceed: a position is searched again only after its
    /// verdict was pushed out.
    extra_at_most: u64,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    if arguments.seed.is_some() && !arguments.orders {
        return Err(Error::argument("--seed", "goes with --orders: nothing else is random"));
    }
    if arguments.orders {
        return compare_orders(arguments.board, arguments.seed.unwrap_or(1), common);
    }
    if arguments.verdicts {
        return decide_all(arguments.board, common);
    }
    let (board, movers) = (arguments.board, arguments.root.movers());
    let too_large = board.squares() > PLAIN_SQUARES;
    let bits = arguments.table_bits.or(too_large.then_some(DEFAULT_TABLE_BITS));
    let progress = common.spinner("searching");
    let document = match bits {
        None => {
            let mut search = Plain::new(board)?;
            // The first run touches fresh memory; later ones show the search itself.
            let mut best = searched(&mut search, movers);
            let start = Instant::now();
            while start.elapsed().as_secs_f64() + best.1 < 0.1 {
                search.clear();
                let again = searched(&mut search, movers);
                if again.1 < best.1 {
                    best = again;
                }
            }
            document(board, movers, &best, search.nodes(), search.nodes(), None)
        }
        Some(bits) => {
            let mut search = Bounded::new(board, bits)?;
            let result = searched(&mut search, movers);
            let store = search.store();
            let extra = Plain::new(board).ok().map(|mut plain| {
                searched(&mut plain, movers);
                search.nodes() - plain.nodes()
            });
            let (written, lost) = (store.written, store.lost);
            let table = Table { bits, bytes: 8 << bits, written, lost, extra, extra_at_most: lost };
            document(board, movers, &result, search.nodes(), store.occupied(), Some(table))
        }
    };
    progress.finish_and_clear();
    Ok(Report::new(readable(&document), &document))
}

/// Whether each root's first player wins, and the seconds that took.
fn searched<S: Store>(search: &mut Search<S>, movers: &[Mover]) -> (Vec<bool>, f64) {
    let start = Instant::now();
    let wins = movers.iter().map(|&mover| search.root(mover)).collect();
    (wins, start.elapsed().as_secs_f64())
}

fn document(
    board: Board,
    movers: &[Mover],
    (wins, seconds): &(Vec<bool>, f64),
    nodes: u64,
    stored: u64,
    table: Option<Table>,
) -> Document {
    let name = |mover: Mover| if mover == Mover::Left { "Left" } else { "Right" };
    let row = |(&mover, &wins): (&Mover, &bool)| RootRow {
        first: name(mover),
        winner: name(if wins { mover } else { mover.other() }),
    };
    let outcome = match wins[..] {
        [true, true] => Some("the first player wins"),
        [true, false] => Some("Left wins"),
        [false, true] => Some("Right wins"),
        [false, false] => Some("the second player wins"),
        _ => None,
    };
    Document {
        board: board.to_string(),
        roots: movers.iter().zip(wins).map(row).collect(),
        outcome,
        nodes,
        stored,
        seconds: *seconds,
        nodes_per_second: (nodes as f64 / seconds) as u64,
        table,
    }
}

fn readable(document: &Document) -> String {
    let mut text = format!("{} domineering", document.board);
    match document.outcome {
        Some(outcome) => text += &format!(": {outcome}\n"),
        None => {
            for RootRow { first, winner } in &document.roots {
                text += &format!(": {winner} wins when {first} moves first\n");
            }
        }
    }
    writeln!(
        text,
        "{} positions searched, {} stored, in {:.6} s: {} a second",
        grouped(document.nodes),
        grouped(document.stored),
        document.seconds,
        grouped(document.nodes_per_second)
    )
    .expect("a String takes all text");
    if let Some(Table { bits, bytes: size, written, lost, extra, extra_at_most }) = &document.table
    {
        let (again, most) = match extra {
            Some(extra) => (*extra, ""),
            None => (*extra_at_most, "at most "),
        };
        writeln!(
            text,
            "a table of 2^{bits} slots ({}): {} of {} verdicts were pushed out, and so {most}{} \
             positions ({most}{:.2} % of all searched) were searched again",
            bytes(*size),
            grouped(*lost),
            grouped(*written),
            grouped(again),
            100.0 * again as f64 / document.nodes as f64
        )
        .expect("a String takes all text");
    }
    text
}

#[derive(Serialize)]
struct Decided {
    board: String,
    positions: usize,
    left: usize,
    left_wins: usize,
    right: usize,
    right_wins: usize,
    /// For the verdicts alone, once the positions are known.
    seconds: f64,
}

/// The exact verdict of every reachable position, by the retrograde sweep.
fn decide_all(board: Board, common: &Common) -> Result<Report, Error> {
    let progress = common.spinner("deciding every position");
    let reachable = positions::enumerate(&Domineering, board)?;
    // The sweep is repeated while that is quick: the first run touches fresh memory.
    let (begun, mut seconds) = (Instant::now(), f64::INFINITY);
    let verdicts = loop {
        let start = Instant::now();
        let verdicts = Verdicts::sweep(board)?;
        seconds = start.elapsed().as_secs_f64().min(seconds);
        if begun.elapsed().as_secs_f64() > 0.1 {
            break verdicts;
        }
    };
    progress.finish_and_clear();
    let wins = Mover::BOTH
        .map(|mover| reachable.of(mover).iter().filter(|&&set| verdicts.wins(mover, set)).count());
    let document = Decided {
        board: board.to_string(),
        positions: reachable.total(),
        left: reachable.left.len(),
        left_wins: wins[0],
        right: reachable.right.len(),
        right_wins: wins[1],
        seconds,
    };
    let count = |count: usize| grouped(count as u64);
    let text = format!(
        "{board} domineering: {} reachable positions decided in {seconds:.6} s\n\
         Left wins {} of {} with Left to move, Right {} of {} with Right to move\n",
        count(document.positions),
        count(document.left_wins),
        count(document.left),
        count(document.right_wins),
        count(document.right)
    );
    Ok(Report::new(text, &document))
}

#[derive(Serialize)]
struct Orders {
    board: String,
    orders: Vec<OrderRow>,
}

#[derive(Serialize)]
struct OrderRow {
    order: &'static str,
    left: usize,
    right: usize,
    stored: usize,
    /// Of these, stored by the row-major search too.
    shared: usize,
    /// Same-mover pairs: what a short key confuses is in proportion to them.
    pairs: u128,
}

fn compare_orders(board: Board, seed: u64, common: &Common) -> Result<Report, Error> {
    let base = solve::stored(board)?;
    let progress = common.progress("searching in other orders", 6);
    let row = |order: Order| {
        let (_, stored) = stored_in_order(board, order);
        progress.inc(1);
        let shared = |mover| {
            let also = |set: &&u64| base.of(mover).binary_search(set).is_ok();
            stored.of(mover).iter().filter(also).count()
        };
        OrderRow {
            order: order.name(),
            left: stored.left.len(),
            right: stored.right.len(),
            stored: stored.total(),
            shared: Mover::BOTH.map(shared).iter().sum(),
            pairs: stored.pairs(),
        }
    };
    let orders = Order::all(seed).map(row).into();
    progress.finish_and_clear();
    let document = Orders { board: board.to_string(), orders };
    let mut text = format!(
        "{board} domineering: what the search stores by the order of its moves\n\n\
         {:>14} {:>10} {:>10} {:>10} {:>12} {:>16}\n",
        "order", "stored", "Left", "Right", "row-major's", "pairs"
    );
    for row in &document.orders {
        let [stored, left, right, shared] =
            [row.stored, row.left, row.right, row.shared].map(|count| grouped(count as u64));
        let pairs = grouped(row.pairs);
        writeln!(
            text,
            "{:>14} {stored:>10} {left:>10} {right:>10} {shared:>12} {pairs:>16}",
            row.order
        )
        .expect("a String takes all text");
    }
    Ok(Report::new(text, &document))
}
