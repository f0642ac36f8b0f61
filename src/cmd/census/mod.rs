//! `zlab census RxC`: every same-mover pair, counted by the set it differs on.

mod document;
mod explain;
mod explain_ranks;
#[cfg(feature = "mpi")]
mod ranks;
mod sharded;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde::Serialize;

use document::{Document, Row, listed, readable, write_prices};

use super::source::Source;
use super::{Common, Out, Report, Verb, grouped};
use crate::board::squares_of;
use crate::census::{Census, Road, Sparse};
use crate::error::Error;
use crate::positions::{Positions, files};
use crate::shards::Part;
use crate::{memory, save};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "census",
    about: "Count every same-mover pair of positions by the set of squares it differs on",
    arguments,
    run,
};

fn arguments(command: Command) -> Command {
    let merge = sharded::Merge::augment_args(Command::new("merge"))
        .about("Put the shards of a folder together")
        .long_about(None);
    Arguments::augment_args(command)
        .subcommand(merge)
        .args_conflicts_with_subcommands(true)
        .subcommand_negates_reqs(true)
}

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
    /// Count in shards, kept in this folder; the same command goes on where it was stopped
    #[arg(long, value_name = "DIR", conflicts_with_all = ["set", "positions", "kernel"])]
    shards: Option<PathBuf>,
    /// Print the plan instead: passes, bytes, memory and predicted time; with --mpi each rank's
    #[arg(long, conflicts_with_all = ["set", "free", "out", "positions", "shard"])]
    explain: bool,
    /// Memory that a shard may take, for example 16G [default: most of what is free]
    #[arg(long, value_name = "SIZE", value_parser = sharded::size)]
    memory: Option<u64>,
    /// Count only every N-th shard from the I-th, for example 2/8
    #[arg(long, value_name = "I/N", requires = "shards")]
    shard: Option<Part>,
    /// Spread over the ranks that mpirun started: the shards if there is --shards, else the cells
    #[arg(long, conflicts_with_all = ["set", "positions", "kernel"])]
    mpi: bool,
    /// How many ranks --mpi --explain plans for; none is started
    #[arg(long, value_name = "P", requires_all = ["mpi", "explain"],
          value_parser = clap::value_parser!(u16).range(1..))]
    ranks: Option<u16>,
    /// Bytes a second that a rank can send, for example 10G [default: 2G, by shared memory]
    #[arg(long, value_name = "SIZE", requires = "ranks", value_parser = sharded::size)]
    wire: Option<u64>,
}

#[derive(Serialize)]
struct Answer {
    board: String,
    set: Vec<usize>,
    pairs: u32,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    if let Some(("merge", matches)) = matches.subcommand() {
        return sharded::merge(matches, common);
    }
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    if arguments.explain && arguments.mpi {
        return explain_ranks::run(&arguments, common);
    }
    if arguments.explain {
        return explain::run(&arguments, common);
    }
    if arguments.memory.is_some() && arguments.shards.is_none() {
        let problem = "it is for shards alone: want --shards DIR beside it";
        return Err(Error::argument("--memory", problem));
    }
    if arguments.mpi {
        #[cfg(feature = "mpi")]
        return ranks::run(&arguments, common);
        #[cfg(not(feature = "mpi"))]
        return Err(Error::argument(
            "--mpi",
            "built without it: want `cargo install --path . --features mpi`, which needs an MPI \
             library and libclang",
        ));
    }
    if let Some(folder) = &arguments.shards {
        return sharded::run(&arguments, folder, common);
    }
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
        shards: None,
        mpi: None,
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
        shards: None,
        mpi: None,
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
