//! `zlab census RxC`: every same-mover pair, counted by the set it differs on.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::source::Source;
use super::{Common, Out, Report, Verb, grouped};
use crate::board::squares_of;
use crate::census::{Census, Road, Size, Sparse};
use crate::error::Error;
use crate::positions::{Positions, files};
use crate::{memory, save};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "census",
    about: "Count every same-mover pair of positions by the set of squares it differs on",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    out: Out,
    /// The road: auto, pairs/NAME or walsh/NAME (`zlab kernels` names them)
    #[arg(long, default_value = "auto")]
    kernel: String,
    /// Look up one set of squares, for example 0,4,7,15
    #[arg(long, value_name = "SQUARES", conflicts_with_all = ["free", "out"])]
    set: Option<String>,
    /// List the sets on which no pair differs
    #[arg(long)]
    free: bool,
}

#[derive(Serialize)]
struct Document {
    board: String,
    game: Option<String>,
    left: usize,
    right: usize,
    pairs: u64,
    kernel: String,
    threads: usize,
    seconds: f64,
    percentiles_seconds: f64,
    free_sets: u64,
    by_size: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    free: Option<Vec<Vec<usize>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

#[derive(Serialize)]
struct Row {
    squares: usize,
    sets: u64,
    pairs: u64,
    mean: f64,
    max: u32,
    free: u64,
    p50: u64,
    p90: u64,
    p99: u64,
}

#[derive(Serialize)]
struct Answer {
    board: String,
    set: Vec<usize>,
    pairs: u32,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let ceiling = common.ceiling()?;
    Road::check(&arguments.kernel, ceiling)?;
    arguments.source.check()?;
    let out = arguments.out.prepared()?;
    let (positions, board) = arguments.source.positions(common)?;
    let set =
        arguments.set.as_deref().map(|text| parse_squares(text, positions.features)).transpose()?;
    let name = arguments.source.name(board);
    if arguments.kernel == "auto" && Sparse::suits(&positions) {
        return sparse(&arguments, &positions, name, set, out);
    }
    let road = Road::choose(&arguments.kernel, ceiling, &positions)?;

    let progress = common.spinner("counting pairs");
    let start = Instant::now();
    let census = Census::take(&positions, &road)?;
    let sizes = census.price_list();
    let seconds = start.elapsed().as_secs_f64();
    progress.finish_and_clear();
    if let Some(set) = set {
        return Ok(answer(name, set, census.count(set), census.parity_dropped()));
    }

    let start = Instant::now();
    let percentiles = census.percentiles(&sizes, &[0.5, 0.9, 0.99]);
    let percentiles_seconds = start.elapsed().as_secs_f64();
    let [left, right] = census.positions();
    let free = (arguments.free || out.is_some()).then(|| census.free_sets());
    let document = Document {
        board: name,
        game: arguments.source.game_checked(),
        left,
        right,
        pairs: census.pairs(),
        kernel: road.name(),
        threads: rayon::current_num_threads(),
        seconds,
        percentiles_seconds,
        free_sets: sizes.iter().map(|size| size.free).sum(),
        by_size: sizes
            .iter()
            .zip(&percentiles)
            .map(|(size, shares)| Row::new(size, shares))
            .collect(),
        free: free
            .as_ref()
            .filter(|_| arguments.free)
            .map(|free| free.iter().map(|set| squares_of(*set).collect()).collect()),
        peak_bytes: memory::peak(),
    };
    let mut text = readable(&document);
    if let Some(free) = &free {
        if arguments.free {
            text += &format!("\nfree sets, by size:\n{}", listed(free));
        }
        if let Some(directory) = out {
            text += &write_files(directory, &census, &document, free)?;
        }
    }
    Ok(Report::new(text, &document))
}

impl Row {
    fn new(size: &Size, shares: &[u64]) -> Self {
        let Size { squares, sets, pairs, max, free } = *size;
        let [p50, p90, p99] = *shares else { unreachable!("three shares were asked for") };
        Self { squares, sets, pairs, mean: size.mean(), max, free, p50, p90, p99 }
    }
}

/// Squares as `0,4,7,15`.
fn parse_squares(text: &str, features: usize) -> Result<u64, Error> {
    if features == 0 {
        return Err(Error::argument("--set", "no position has any feature"));
    }
    let mut set = 0;
    for number in text.split(',').map(str::trim) {
        let refuse = |problem: String| Err(Error::argument("--set", problem));
        match number.parse::<usize>() {
            Ok(square) if square >= features => {
                return refuse(format!(
                    "square {square} is off the board: want 0 to {}",
                    features - 1
                ));
            }
            Ok(square) if set >> square & 1 == 1 => {
                return refuse(format!("square {square} twice"));
            }
            Ok(square) => set |= 1 << square,
            Err(_) => {
                return refuse(format!("`{number}` is no square number: want for example 0,4,7"));
            }
        }
    }
    Ok(set)
}

/// The census of few positions among many features: the sets that are not free.
fn sparse(
    arguments: &Arguments,
    positions: &Positions,
    name: String,
    set: Option<u64>,
    out: Option<&Path>,
) -> Result<Report, Error> {
    let start = Instant::now();
    let census = Sparse::take(positions)?;
    if let Some(set) = set {
        return Ok(answer(name, set, census.count(set), census.parity_dropped()));
    }
    let list = census.price_list(&[0.5, 0.9, 0.99]);
    let seconds = start.elapsed().as_secs_f64();
    let free_sets = list.iter().map(|(size, _)| size.free).sum();
    if arguments.free {
        let problem = format!("{} sets are free, too many to list", grouped(free_sets));
        return Err(Error::argument("--free", problem));
    }
    let [left, right] = census.positions();
    let document = Document {
        board: name,
        game: arguments.source.game_checked(),
        left,
        right,
        pairs: census.pairs(),
        kernel: "pairs/sorted".into(),
        threads: rayon::current_num_threads(),
        seconds,
        percentiles_seconds: 0.0,
        free_sets,
        by_size: list.iter().map(|(size, shares)| Row::new(size, shares)).collect(),
        free: None,
        peak_bytes: memory::peak(),
    };
    let mut text = readable(&document);
    if let Some(directory) = out {
        let [sets, counts] = ["sets.npy", "counts.npy"].map(|name| directory.join(name));
        files::write_npy(&sets, census.sets())?;
        files::write_npy(&counts, census.counts())?;
        text += &format!("wrote {}\nwrote {}\n", sets.display(), counts.display());
        text += &write_prices(directory, &document)?;
    }
    Ok(Report::new(text, &document))
}

fn answer(board: String, set: u64, pairs: u32, parity_dropped: bool) -> Report {
    let squares: Vec<usize> = squares_of(set).collect();
    let why = if parity_dropped && set.count_ones() % 2 == 1 {
        " (the set is odd, and two positions differ on an even number of squares)"
    } else {
        ""
    };
    let text = format!("{board}: {} pairs differ on exactly {squares:?}{why}\n", grouped(pairs));
    Report::new(text, &Answer { board, set: squares, pairs })
}

fn readable(document: &Document) -> String {
    let Document { board, left, right, pairs, kernel, threads, .. } = document;
    let game = document.game.as_ref().map_or(String::new(), |game| format!(" {game}"));
    let widest = document.by_size.iter().map(|row| grouped(row.sets).len()).max().unwrap_or(0);
    let (wide, free_wide) = (widest.max(13), if widest > 13 { widest } else { 8 });
    let mut text = format!(
        "{board}{game}: {} + {} positions, {} same-mover pairs, {} free sets\n\
         {kernel}, {threads} thread{}: {:.6} s from positions to price list \
         ({:.3} s for the percentiles)\n\n\
         {:>7} {:>wide$} {:>20} {:>14} {:>10} {:>10} {:>10} {:>10} {:>free_wide$}\n",
        grouped(*left as u128),
        grouped(*right as u128),
        grouped(*pairs),
        grouped(document.free_sets),
        if *threads == 1 { "" } else { "s" },
        document.seconds,
        document.percentiles_seconds,
        "squares",
        "sets",
        "pairs",
        "mean",
        "p50",
        "p90",
        "p99",
        "largest",
        "free"
    );
    for Row { squares, sets, pairs, mean, max, free, p50, p90, p99 } in &document.by_size {
        let [sets, pairs, free] = [*sets, *pairs, *free].map(grouped);
        let [p50, p90, p99] = [*p50, *p90, *p99].map(grouped);
        let max = grouped(*max);
        writeln!(
            text,
            "{squares:>7} {sets:>wide$} {pairs:>20} {mean:>14.1} {p50:>10} {p90:>10} {p99:>10} \
             {max:>10} {free:>free_wide$}"
        )
        .expect("a String takes all text");
    }
    text
}

/// One set a line: its squares, separated by spaces.
fn listed(sets: &[u64]) -> String {
    let line = |set: &u64| squares_of(*set).map(|square| square.to_string()).collect::<Vec<_>>();
    sets.iter().map(|set| line(set).join(" ") + "\n").collect()
}

/// Writes `cells.npy`, `price-list.csv` and `free.txt`, and says so.
fn write_files(
    directory: &Path,
    census: &Census,
    document: &Document,
    free: &[u64],
) -> Result<String, Error> {
    let [cells, free_path] = ["cells.npy", "free.txt"].map(|name| directory.join(name));
    files::write_npy(&cells, census.cells())?;
    save::save(&free_path, |writer| writer.write_all(listed(free).as_bytes()))?;
    let wrote = format!("wrote {}\nwrote {}\n", cells.display(), free_path.display());
    Ok(wrote + &write_prices(directory, document)?)
}

fn write_prices(directory: &Path, document: &Document) -> Result<String, Error> {
    let prices = directory.join("price-list.csv");
    save::save(&prices, |writer| {
        let mut csv = csv::Writer::from_writer(writer);
        document.by_size.iter().try_for_each(|row| csv.serialize(row))?;
        csv.flush()
    })?;
    Ok(format!("wrote {}\n", prices.display()))
}
