//! `zlab census RxC --mpi --explain --ranks P`: what every rank of MPI would do, without
//! starting any.
//!
//! ```text
//! seconds = operations of a rank / rates of a core  +  bytes that it sends / the wire's
//! ```
//!
//! A rank is taken to have its cores and its memory to itself: ranks that share a machine
//! share both.

use serde::Serialize;

use super::{Arguments, sharded};
use crate::cmd::{Common, Report};
use crate::error::{Error, bytes};
use crate::shards::{Cost, Distributed};
use crate::{game, memory, tier, walsh};

/// Bytes a second that a rank sends to others, for want of `--wire`: two ranks that shared the
/// memory of one machine sent 128 MiB in 0.035 s, half of them each; a slow one is assumed.
const WIRE: u64 = 2_000_000_000;

#[derive(Serialize)]
struct Document {
    board: String,
    game: String,
    road: String,
    ranks: usize,
    /// Of each rank.
    threads: usize,
    /// Where shards are handed out: all, and how many a rank counts at the most.
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<[usize; 2]>,
    /// What a rank does at the most, sends, and holds.
    cell_stages: f64,
    bytes_moved: f64,
    sent_bytes: u64,
    memory_bytes: u64,
    available_bytes: Option<u64>,
    wire_bytes_a_second: u64,
    counting_seconds: f64,
    sending_seconds: f64,
    seconds: f64,
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<Report, Error> {
    let ceiling = common.ceiling()?;
    let board = arguments.source.board.expect("clap requires a board where there are no files");
    let game = game::find(arguments.source.game())?;
    let (kernel, _) = tier::pick(walsh::KERNELS, None, ceiling)?;
    let Some(ranks) = arguments.ranks.map(usize::from) else {
        let problem = "--explain does not start any: want --ranks P beside it";
        return Err(Error::argument("--mpi", problem));
    };
    let threads = rayon::current_num_threads();
    let wire = arguments.wire.unwrap_or(WIRE);
    let (shards, cost, sent) = if let Some(plan) = sharded::planned(arguments, ceiling)? {
        let all = plan.shards();
        let most = all.div_ceil(ranks);
        let share = most as f64 / all as f64;
        let cost = plan.cost();
        let cost = Cost {
            cell_stages: cost.cell_stages * share,
            bytes_moved: cost.bytes_moved * share,
            words_summed: cost.words_summed * share,
            ..cost
        };
        // What a shard came to is some bytes for each different count, and 8 for each free
        // set: nothing beside the work on it.
        (Some([all, most]), cost, 0)
    } else {
        let of = Distributed::new(game, board, ranks)?;
        (None, of.cost(), of.sent())
    };
    let counting_seconds = cost.seconds(kernel.tier, threads);
    let sending_seconds = sent as f64 / wire as f64;
    let document = Document {
        board: board.to_string(),
        game: game.name().into(),
        road: format!("walsh/{}", kernel.name),
        ranks,
        threads,
        shards,
        cell_stages: cost.cell_stages,
        bytes_moved: cost.bytes_moved,
        sent_bytes: sent,
        memory_bytes: cost.memory,
        available_bytes: memory::available(),
        wire_bytes_a_second: wire,
        counting_seconds,
        sending_seconds,
        seconds: counting_seconds + sending_seconds,
    };
    Ok(Report::new(readable(&document), &document))
}

fn readable(document: &Document) -> String {
    let Document { board, game, ranks, road, threads, .. } = document;
    let task = match document.shards {
        Some([all, most]) => format!("{all} shards are handed out, at most {most} to a rank"),
        None => "the cells are spread over the ranks, one transposition".into(),
    };
    let sent = match document.shards {
        Some(_) => "the results of its shards: some bytes for every different count".into(),
        None => format!(
            "{} at {} a second: {:.3} s (--wire)",
            bytes(document.sent_bytes),
            bytes(document.wire_bytes_a_second),
            document.sending_seconds
        ),
    };
    format!(
        "{board} {game} over {ranks} ranks by {road}: {task}\n\n\
         each rank, with cores for its {threads} threads and memory of its own\n  \
         makes   {:.3e} cell-stages, {} moved: {:.3} s\n  \
         sends   {sent}\n  \
         holds   {}\n\nabout {:.3} s, the enumeration of positions left aside\n",
        document.cell_stages,
        bytes(document.bytes_moved as u64),
        document.counting_seconds,
        bytes(document.memory_bytes),
        document.seconds,
    )
}
