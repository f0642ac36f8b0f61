//! `zlab census RxC --explain`: the plan of a census, without taking it.

use serde::Serialize;

use super::{Arguments, sharded};
use crate::census::explain::{Pass, Plan};
use crate::cmd::{Common, Report, grouped};
use crate::error::{Error, bytes};
use crate::{game, memory, tier, walsh};

#[derive(Serialize)]
struct Direct {
    board: String,
    game: String,
    road: String,
    threads: usize,
    cells: u64,
    passes: Vec<Pass>,
    bytes_moved: u64,
    memory_bytes: u64,
    available_bytes: Option<u64>,
    seconds: f64,
}

#[derive(Serialize)]
struct Sharded {
    board: String,
    game: String,
    road: String,
    threads: usize,
    fixed: Vec<usize>,
    slices_at_once: u64,
    differences: usize,
    differences_a_shard: usize,
    shards: usize,
    bytes_moved: f64,
    cell_stages: f64,
    memory_bytes: u64,
    available_bytes: Option<u64>,
    seconds: f64,
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<Report, Error> {
    let ceiling = common.ceiling()?;
    let board = arguments.source.board.expect("clap requires a board where there are no files");
    let game = game::find(arguments.source.game())?;
    let (kernel, _) = tier::pick(walsh::KERNELS, None, ceiling)?;
    let road = format!("walsh/{}", kernel.name);
    let threads = rayon::current_num_threads();
    let available = memory::available();
    let present = available.map_or("unknown".into(), bytes);
    if let Some(plan) = sharded::planned(arguments, ceiling)? {
        let cost = plan.cost();
        let document = Sharded {
            board: board.to_string(),
            game: game.name().into(),
            road,
            threads,
            fixed: plan.fixed_squares().to_vec(),
            slices_at_once: 1 << plan.inner().count_ones(),
            differences: plan.orbits().len(),
            differences_a_shard: plan.differences(),
            shards: plan.shards(),
            bytes_moved: cost.bytes_moved,
            cell_stages: cost.cell_stages,
            memory_bytes: cost.memory,
            available_bytes: available,
            seconds: cost.seconds(kernel.tier, threads),
        };
        let text = format!(
            "{board} {}: {} shards of {} differences on the squares {:?}, {} slices at a time\n\
             {} and {threads} threads: {:.3e} cell-stages, {} moved, {} of memory \
             ({present} is free), about {:.3} s\n",
            game.name(),
            document.shards,
            document.differences_a_shard,
            document.fixed,
            document.slices_at_once,
            document.road,
            document.cell_stages,
            bytes(document.bytes_moved as u64),
            bytes(document.memory_bytes),
            document.seconds,
        );
        return Ok(Report::new(text, &document));
    }
    let features = game.features(board);
    let log_cells = features - usize::from(features > 0 && game.unit().1 == 2);
    let plan = Plan::of(log_cells as u32);
    let document = Direct {
        board: board.to_string(),
        game: game.name().into(),
        road,
        threads,
        cells: plan.cells,
        bytes_moved: plan.bytes_moved,
        memory_bytes: plan.memory_bytes,
        available_bytes: available,
        seconds: plan.seconds(kernel.tier, threads),
        passes: plan.passes,
    };
    let mut text = format!(
        "{board} {}: {} cells by {} and {threads} threads\n\n{:<44} {:>6} {:>5} {:>12}\n",
        game.name(),
        grouped(document.cells),
        document.road,
        "pass",
        "stages",
        "bits",
        "bytes moved"
    );
    for Pass { pass, stages, bits, bytes: moved } in &document.passes {
        text += &format!("{pass:<44} {stages:>6} {bits:>5} {:>12}\n", bytes(*moved));
    }
    text += &format!(
        "\n{} moved, {} of memory ({present} is free), about {:.4} s from positions to price list\n",
        bytes(document.bytes_moved),
        bytes(document.memory_bytes),
        document.seconds,
    );
    Ok(Report::new(text, &document))
}
