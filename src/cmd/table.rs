//! `zlab table RxC`: what a short key does inside a search's table.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use serde::Serialize;

use super::{Common, Report, Verb, grouped, or_dash};
use crate::audit::Words;
use crate::board::Board;
use crate::error::Error;
use crate::table::{self, Counts, Distance, Exact, Holds, KeySet, Mixing, Rule, Setup, Split};

mod compare;

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "table",
    about: "Count what a transposition table under a short key gets wrong and searches again",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// The board, ROWSxCOLUMNS
    board: Board,
    /// How the key is cut: ADDRESS+CHECK bits, several separated by commas
    #[arg(
        long,
        alias = "split",
        value_name = "A+C,…",
        value_delimiter = ',',
        default_value = "10+8"
    )]
    splits: Vec<Split>,
    /// The keys: essays, random, exact-literal, exact-mixed, distance:D or
    /// even-distance:D (random, no set or no even set of fewer than D squares
    /// cancels), or a file of words, one for each square (several keys one
    /// after the other)
    #[arg(long, value_name = "KEYS", default_value = "essays")]
    keys: String,
    /// How many keys [default: all of a set, 1000 of random ones]
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Seed of random keys and matrices [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Bits of a file's words [default: those of the widest]
    #[arg(long, value_name = "BITS", value_parser = clap::value_parser!(u32).range(1..=64))]
    width: Option<u32>,
    /// Take each key of a file N times, its bits mixed by random invertible
    /// matrices: what it cancels on stays, which slots it uses changes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mix: Option<u32>,
    /// Compare ways of choosing words, each at the length of the split: random
    /// ones, the same with a check bit more, two of a drawn distance, and codes
    /// searched for distance, for even distance, and for few confused pairs of
    /// reachable and of stored positions
    #[arg(long, conflicts_with_all = ["keys", "width", "mix"])]
    compare_designs: bool,
    /// Seeds to compare designs over, from --seed on [default: 4]; --count is then keys a seed
    #[arg(long, value_name = "N", requires = "compare_designs")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Searches for codes from different starts [default: 24]
    #[arg(long, value_name = "N", requires = "compare_designs")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    restarts: Option<u32>,
    /// When a slot is written
    #[arg(long, value_enum, default_value = "essays")]
    rule: Rule,
    /// What a slot holds
    #[arg(long, value_enum, default_value = "verdict")]
    holds: Holds,
}

#[derive(Serialize)]
struct Document {
    board: String,
    keys: String,
    count: usize,
    rule: String,
    holds: String,
    /// Where the keys depend on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Positions searched with a perfect table: what `extra` counts from.
    plain: u64,
    threads: usize,
    seconds: f64,
    /// Whole searches, of both roots each.
    searches_per_second: f64,
    positions_per_second: f64,
    splits: Vec<Row>,
}

/// Totals over all keys.
#[derive(Serialize)]
struct Row {
    address: u32,
    check: u32,
    wrong: u64,
    wrong_worst: u64,
    keys_wrong: u64,
    winner_wrong: u64,
    stored: u64,
    met: u64,
    turned_away: u64,
    believed: u64,
    extra: i64,
    overwrites: u64,
    memory_bits: u64,
    /// Entries that name the wrong winner: fewer than `wrong` where slots hold move counts.
    wrong_winners: u64,
    /// Standard error of the mean of `wrong`, over keys; one key has none.
    wrong_error: Option<f64>,
    /// Of `extra` over keys: ranks 2.5 %, 50 % and 97.5 %.
    extra_middle: [i64; 3],
}

impl Row {
    fn new(setup: Setup, plain: u64, counts: &[Counts]) -> Self {
        let sum = |what: fn(&Counts) -> u64| counts.iter().map(what).sum::<u64>();
        let keys = |holds: fn(&Counts) -> bool| {
            counts.iter().filter(|&counts| holds(counts)).count() as u64
        };
        let (turned_away, believed) = (sum(|key| key.turned_away), sum(|key| key.believed));
        let wrong = sum(|key| key.wrong);
        let count = counts.len() as f64;
        let each: Vec<f64> = counts.iter().map(|key| key.wrong as f64).collect();
        let mut extra: Vec<i64> =
            counts.iter().map(|key| key.searched as i64 - plain as i64).collect();
        extra.sort_unstable();
        let rank = |share: f64| extra[((share * count).ceil() as usize).max(1) - 1];
        Self {
            address: setup.split.address,
            check: setup.split.check,
            wrong,
            wrong_worst: counts.iter().map(|key| key.wrong).max().unwrap_or(0),
            keys_wrong: keys(|key| key.wrong > 0),
            winner_wrong: keys(|key| key.winner_wrong),
            stored: sum(|key| key.stored),
            met: turned_away + believed,
            turned_away,
            believed,
            extra: extra.iter().sum(),
            overwrites: sum(|key| key.overwrites),
            memory_bits: setup.memory_bits(),
            wrong_winners: sum(|key| key.wrong_winners),
            wrong_error: table::mean_and_error(&each).1,
            extra_middle: [0.025, 0.5, 0.975].map(rank),
        }
    }
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    if arguments.compare_designs {
        return compare::run(&arguments, common);
    }
    let Arguments { board, ref splits, rule, holds, seed, .. } = arguments;
    let keys = key_set(&arguments)?;
    splits.iter().try_for_each(|&split| keys.require(board, split))?;
    let count = key_count(&keys, arguments.count)?;
    let progress = common.progress("searching with keys", (count * splits.len()) as u64);
    let exact = Exact::new(board, holds)?;
    let start = Instant::now();
    let row = |&split: &Split| {
        let setup = Setup { board, holds, split, rule };
        let words = |index| keys.words(board, split, index);
        let counts = table::run(setup, &exact, count, words, &progress)?;
        Ok(Row::new(setup, exact.searched(), &counts))
    };
    let rows = splits.iter().map(row).collect::<Result<Vec<_>, Error>>()?;
    let seconds = start.elapsed().as_secs_f64();
    progress.finish_and_clear();
    let searches = (count * splits.len()) as f64;
    let extra: i64 = rows.iter().map(|row| row.extra).sum();
    let document = Document {
        board: board.to_string(),
        keys: arguments.keys.clone(),
        count,
        rule: named(&rule),
        holds: named(&holds),
        seed: keys.is_seeded().then_some(seed.unwrap_or(1)),
        plain: exact.searched(),
        threads: rayon::current_num_threads(),
        seconds,
        searches_per_second: searches / seconds,
        positions_per_second: (searches * exact.searched() as f64 + extra as f64) / seconds,
        splits: rows,
    };
    Ok(Report::new(readable(&document), &document))
}

/// The name that the command line knows a value by.
fn named(value: &impl ValueEnum) -> String {
    value.to_possible_value().expect("no value is hidden").get_name().into()
}

fn key_set(arguments: &Arguments) -> Result<KeySet, Error> {
    let seed = arguments.seed.unwrap_or(1);
    let keys = match arguments.keys.as_str() {
        "essays" => KeySet::Essays,
        "random" => KeySet::Random { seed },
        "exact-literal" => KeySet::ExactLiteral,
        "exact-mixed" => KeySet::ExactMixed { seed },
        name if name.starts_with("distance:") || name.starts_with("even-distance:") => {
            let (kind, squares) = name.split_once(':').expect("it starts so");
            let squares = squares.parse().ok().filter(|squares| *squares <= 64);
            let refuse = || {
                Error::argument(
                    "--keys",
                    format!("`{name}`: want a distance of squares, for example {kind}:6"),
                )
            };
            let distance =
                Distance { squares: squares.ok_or_else(refuse)?, even_only: kind != "distance" };
            KeySet::Distant { distance, seed }
        }
        file => {
            let (width, keys) = given(Path::new(file), arguments.width, arguments.board)?;
            let mixing = arguments.mix.map(|times| Mixing { seed, times: times as usize });
            KeySet::Given { width, keys, mixing }
        }
    };
    let refuse = |flag: &str, what: &str| {
        let problem = format!("goes with {what}, not with `{}`", arguments.keys);
        Err(Error::argument(flag, problem))
    };
    for (given, flag) in
        [(arguments.width.is_some(), "--width"), (arguments.mix.is_some(), "--mix")]
    {
        if given && !matches!(keys, KeySet::Given { .. }) {
            return refuse(flag, "keys from a file");
        }
    }
    if arguments.seed.is_some() && !keys.is_seeded() {
        return refuse("--seed", "random keys or --mix");
    }
    Ok(keys)
}

/// Keys of an endless set, unasked.
const DEFAULT_KEYS: usize = 1000;

/// Keys in one run at the most; as many already take hours.
const MOST_KEYS: usize = 100_000_000;

/// How many keys to take of the set.
fn key_count(keys: &KeySet, asked: Option<usize>) -> Result<usize, Error> {
    let flag = if asked.is_some() { "--count" } else { "--mix" };
    let refuse = |problem: String| Err(Error::argument(flag, problem));
    match (asked, keys.len()) {
        (Some(0), _) => refuse("no key at all: want 1 or more".into()),
        (Some(asked), Some(len)) if asked > len => {
            refuse(format!("{asked} keys asked for, the set has {len}"))
        }
        (asked, len) => match asked.or(len).unwrap_or(DEFAULT_KEYS) {
            many if many > MOST_KEYS => {
                refuse(format!("{many} keys: at most {MOST_KEYS} in one run"))
            }
            count => Ok(count),
        },
    }
}

/// The width and the keys of a file: a multiple of as many words as the board has squares.
fn given(path: &Path, width: Option<u32>, board: Board) -> Result<(u32, Vec<Vec<u64>>), Error> {
    let Words { width, words, .. } = Words::read(path, width)?;
    let squares = board.squares();
    if words.len() % squares != 0 {
        let problem = format!("{} words, {board} wants {squares} for each key", words.len());
        return Err(Error::file(path, problem));
    }
    if width > u64::BITS {
        let problem = format!("words of {width} bits: want {} at most", u64::BITS);
        return Err(Error::file(path, problem));
    }
    let words: Vec<u64> = words.iter().map(|&word| word as u64).collect();
    Ok((width, words.chunks(squares).map(<[u64]>::to_vec).collect()))
}

fn readable(document: &Document) -> String {
    let Document { board, keys, count, rule, holds, plain, threads, seconds, .. } = document;
    let mut text = format!(
        "{board} domineering, {count} keys ({keys}), rule {rule}, slots hold a {holds}; \
         {} positions with a perfect table\n\
         {seconds:.3} s on {threads} thread{}: {} searches and {} positions a second\n\
         per key, wrong ± one standard error\n\n\
         {:>6} {:>20} {:>7} {:>7} {:>8} {:>9} {:>11} {:>10} {:>11} {:>22} {:>10}\n",
        grouped(*plain),
        if *threads == 1 { "" } else { "s" },
        grouped(document.searches_per_second as u64),
        grouped(document.positions_per_second as u64),
        "split",
        "wrong",
        "worst",
        "keys>0",
        "winner",
        "stored",
        "turned away",
        "believed",
        "extra",
        "(middle 95 %)",
        "bits"
    );
    for row in &document.splits {
        let mean = |total: f64| total / *count as f64;
        let [low, _, high] = row.extra_middle;
        writeln!(
            text,
            "{:>6} {:>20} {:>7} {:>7} {:>8} {:>9.1} {:>11.1} {:>10.2} {:>11.1} {:>22} {:>10}",
            format!("{}+{}", row.address, row.check),
            format!("{:.3} ± {}", mean(row.wrong as f64), or_dash(row.wrong_error, 3)),
            row.wrong_worst,
            row.keys_wrong,
            row.winner_wrong,
            mean(row.stored as f64),
            mean(row.turned_away as f64),
            mean(row.believed as f64),
            mean(row.extra as f64),
            format!("({low} to {high})"),
            grouped(row.memory_bits)
        )
        .expect("a String takes all text");
    }
    text
}
