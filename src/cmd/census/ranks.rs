//! `mpirun -n P zlab census RxC --mpi`: one census by all ranks, one document by rank 0.
//!
//! ```text
//! --mpi --shards DIR   rank 0 has the folder and hands out its shards     any P
//! --mpi                the cells spread over the ranks, one transposition   P = 2^p
//! ```
//!
//! A rank takes one thread for each core that `mpirun` bound it to, or `--threads`.

use std::path::Path;
use std::time::Instant;

use indicatif::ProgressBar;

use super::Arguments;
use super::document::Mpi;
use super::sharded::{self, Whole};
use crate::cmd::{Common, Report};
use crate::error::Error;
use crate::ranks::World;
use crate::shards::{self, Board, Distributed, Plan, Slab};
use crate::{game, memory};

/// Counts; every rank but 0 reports nothing.
pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<Report, Error> {
    let world = World::start()?;
    let report = match &arguments.shards {
        Some(folder) => hand_out(&world, arguments, folder, common),
        None => distribute(&world, arguments, common),
    };
    Ok(report.unwrap_or_else(|error| world.fail(&error)))
}

fn nothing() -> Report {
    Report { text: String::new(), json: String::new(), failed: false }
}

/// Refuses what this machine has not memory for on all of its ranks at once.
fn for_all(world: &World, what: &str, needed: u64, hint: &str) -> Result<(), Error> {
    let ranks = world.neighbours() as u64;
    let what = match ranks {
        1 => what.into(),
        _ => format!("{what} on each of {ranks} that share this machine"),
    };
    memory::require(&what, needed.saturating_mul(ranks), hint)
}

/// Rank 0 writes what the others send, so that no other needs to see the folder.
fn hand_out(
    world: &World,
    arguments: &Arguments,
    path: &Path,
    common: &Common,
) -> Result<Report, Error> {
    let ceiling = common.ceiling()?;
    let share = world.least(sharded::default_room() / world.neighbours() as u64);
    let room = arguments.memory.unwrap_or(share);
    let start = Instant::now();
    let (mut text, mut job) = (Vec::new(), None);
    if world.rank() == 0 {
        let out = arguments.out.prepared()?;
        let folder = sharded::open(arguments, path, room, ceiling)?;
        let wanted = sharded::wanted(&folder, arguments.shard)?;
        if !wanted.is_empty() {
            text = serde_json::to_vec(folder.plan()).expect("a plan is plain data");
        }
        job = Some((folder, wanted, out));
    }
    world.broadcast(&mut text);
    let mut by_rank = vec![0; world.size()];
    // No text where nothing is to be counted.
    if !text.is_empty() {
        let plan = String::from_utf8(text).map_err(|error| error.to_string());
        let plan = plan.and_then(|text| Plan::parse(&text));
        let plan = plan.map_err(|problem| Error::argument("--mpi", problem))?;
        let what = format!("a shard of {}", plan.board());
        let hint = "; a smaller --memory makes smaller shards";
        world.lowest(for_all(world, &what, plan.cost().memory, hint))?;
        let counted = world.lowest(Board::new(&plan))?;
        let count = |shard, progress: &ProgressBar| {
            let counts = counted.count(shard, ceiling, progress)?;
            Ok(shards::encode(&plan, shard, &counts))
        };
        match &job {
            None => world.take(|shard| count(shard, &ProgressBar::hidden()))?,
            Some((folder, wanted, _)) => {
                let steps = wanted.iter().map(|&shard| counted.steps(shard)).sum();
                let progress = common.progress("counting shards", steps);
                let save = |shard, rank: usize, bytes: Vec<u8>| {
                    by_rank[rank] += 1;
                    if rank > 0 {
                        progress.inc(counted.steps(shard));
                    }
                    folder.save_encoded(shard, &bytes)
                };
                world.hand_out(wanted, |shard| count(shard, &progress), save);
                progress.finish_and_clear();
            }
        }
    }
    let sent_bytes = world.sent();
    let Some((folder, _, out)) = job else { return Ok(nothing()) };
    let mpi = Mpi {
        ranks: world.size(),
        sent_bytes,
        transposed_bytes: None,
        transposition_seconds: None,
        shards_by_rank: Some(by_rank),
    };
    let seconds = start.elapsed().as_secs_f64();
    sharded::outcome(&folder, arguments.free, out, ceiling, seconds, Some(mpi))
}

fn distribute(world: &World, arguments: &Arguments, common: &Common) -> Result<Report, Error> {
    let ceiling = common.ceiling()?;
    let board = arguments.source.board.expect("clap requires a board where there are no files");
    let of = game::find(arguments.source.game())
        .and_then(|game| Distributed::new(game, board, world.size()));
    let of = world.agreed(of)?;
    let out = if world.rank() == 0 { arguments.out.prepared()? } else { None };
    let what = format!("a rank of {} of a census of {board}", world.size());
    let hint = "; more machines take less each, shards any memory";
    world.lowest(for_all(world, &what, of.cost().memory, hint))?;
    let mut slab = world.lowest(Slab::new(&of, world.rank()))?;
    world.barrier();
    let start = Instant::now();
    slab.transform(ceiling)?;
    let before = world.sent();
    let (mine, theirs) = slab.blocks();
    let transposition = Instant::now();
    world.transpose(mine, theirs);
    let transposition_seconds = world.largest(transposition.elapsed().as_secs_f64());
    let transposed_bytes = world.sent() - before;
    let summaries = world.gather(slab.summary(ceiling)?);
    let sent_bytes = world.sent();
    if world.rank() > 0 {
        return Ok(nothing());
    }
    let counts = of.merge(&summaries)?;
    let mpi = Mpi {
        ranks: world.size(),
        sent_bytes,
        transposed_bytes: Some(transposed_bytes),
        transposition_seconds: Some(transposition_seconds),
        shards_by_rank: None,
    };
    let seconds = start.elapsed().as_secs_f64();
    let whole = Whole { plan: of.plan(), shards: None, mpi: Some(mpi), seconds };
    whole.report(counts, arguments.free, out, ceiling)
}
