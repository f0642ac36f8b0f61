//! What a census comes to, for a script and for a person: the same by every road.

use std::fmt::Write;
use std::path::Path;

use serde::Serialize;

use crate::board::squares_of;
use crate::census::Size;
use crate::cmd::grouped;
use crate::error::{Error, bytes};
use crate::save;

#[derive(Serialize)]
pub(super) struct Document {
    pub(super) board: String,
    pub(super) game: Option<String>,
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) pairs: u64,
    pub(super) kernel: String,
    pub(super) threads: usize,
    pub(super) seconds: f64,
    pub(super) percentiles_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shards: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) mpi: Option<Mpi>,
    pub(super) free_sets: u64,
    pub(super) by_size: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) free: Option<Vec<Vec<usize>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) peak_bytes: Option<u64>,
}

/// What the ranks of MPI sent to one another.
#[derive(Serialize)]
pub(super) struct Mpi {
    pub(super) ranks: usize,
    /// By all ranks together.
    pub(super) sent_bytes: u64,
    /// Of those, in the transposition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) transposed_bytes: Option<u64>,
    /// The slowest rank's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) transposition_seconds: Option<f64>,
    /// Shards that each rank counted in this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shards_by_rank: Option<Vec<usize>>,
}

#[derive(Serialize)]
pub(super) struct Row {
    pub(super) squares: usize,
    pub(super) sets: u64,
    pub(super) pairs: u64,
    pub(super) mean: f64,
    pub(super) max: u32,
    pub(super) free: u64,
    pub(super) p50: u64,
    pub(super) p90: u64,
    pub(super) p99: u64,
}

impl Row {
    pub(super) fn new(size: &Size, shares: &[u64]) -> Self {
        let Size { squares, sets, pairs, max, free } = *size;
        let [p50, p90, p99] = *shares else { unreachable!("three shares were asked for") };
        Self { squares, sets, pairs, mean: size.mean(), max, free, p50, p90, p99 }
    }
}

/// The document for a person.
pub(super) fn readable(document: &Document) -> String {
    let Document { board, left, right, pairs, kernel, threads, .. } = document;
    let game = document.game.as_ref().map_or(String::new(), |game| format!(" {game}"));
    let widest = document.by_size.iter().map(|row| grouped(row.sets).len()).max().unwrap_or(0);
    let (wide, free_wide) = (widest.max(13), if widest > 13 { widest } else { 8 });
    let shards = document.shards.map_or(String::new(), |shards| format!(" in {shards} shards"));
    let ranks = document.mpi.as_ref().map_or(String::new(), |mpi| {
        let sent = bytes(mpi.sent_bytes);
        format!(" on {} rank{} ({sent} sent)", mpi.ranks, if mpi.ranks == 1 { "" } else { "s" })
    });
    let mut text = format!(
        "{board}{game}: {} + {} positions, {} same-mover pairs, {} free sets\n\
         {kernel}{shards}{ranks}, {threads} thread{}: {:.6} s from positions to price list \
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
pub(super) fn listed(sets: &[u64]) -> String {
    let line = |set: &u64| squares_of(*set).map(|square| square.to_string()).collect::<Vec<_>>();
    sets.iter().map(|set| line(set).join(" ") + "\n").collect()
}

/// Writes `price-list.csv` and says so.
pub(super) fn write_prices(directory: &Path, document: &Document) -> Result<String, Error> {
    let prices = directory.join("price-list.csv");
    save::save(&prices, |writer| {
        let mut csv = csv::Writer::from_writer(writer);
        document.by_size.iter().try_for_each(|row| csv.serialize(row))?;
        csv.flush()
    })?;
    Ok(format!("wrote {}\n", prices.display()))
}
