//! Bars of the census at scale: the transform against the memory's speed, and the plan's
//! predictions against the clock.

use std::hint::black_box;

use rayon::prelude::*;
use zobrist_lab::census::explain::Plan;
use zobrist_lab::census::{Census, Road};
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::memory::{self, Zeroed};
use zobrist_lab::positions::enumerate;
use zobrist_lab::tier::{Tier, pick};
use zobrist_lab::walsh;

use super::{alone, bar, best, on};

/// Cell-stages a second of a good float transform in C, on one thread.
const C_FLOAT: f64 = 19e9;

pub(super) fn bars() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(2);
    on(threads, || {
        roofline(threads);
        predictions(threads);
    });
}

/// The whole autocorrelation at 2^27 cells against what the memory could do.
fn roofline(threads: usize) {
    const LOG: u32 = 27;
    let (name, kernel) = best(walsh::KERNELS);
    // One cell in 128, as on boards of that size.
    let members: Vec<u64> = (0..1u64 << (LOG - 7)).map(|run| run << 7 | (run * 37 % 128)).collect();
    let mut cells = Zeroed::<u32>::new(1 << LOG).expect("half a gibibyte");
    let mut take = || {
        walsh::autocorrelation(kernel, &[&members, &members], &mut cells).expect("few members");
    };
    let seconds = alone(7, &mut take);
    let pairs: u64 = cells.par_iter().map(|&count| u64::from(count)).sum();
    let count = members.len() as u64;
    assert_eq!(pairs, count * (count - 1), "every pair of both movers");
    let float = 3.0 * f64::from(LOG) * f64::from(1 << LOG) / C_FLOAT;
    let what = format!("walsh/{name} forward, square, back at 2^{LOG}, {threads} threads");
    bar(&what, format!("{seconds:.3} s"), "none");
    let ratio = float / seconds;
    bar(
        "  against three C float transforms at 19 G cell-stages/s",
        format!("{ratio:.1} x"),
        ">= 2.5 x",
    );
    let from = cells;
    let mut to = Zeroed::<u32>::new(1 << LOG).expect("half a gibibyte");
    let chunk = 1 << 20;
    let copy = alone(7, || {
        let chunks = to.par_chunks_mut(chunk).zip(from.par_chunks(chunk));
        chunks.for_each(|(to, from)| to.copy_from_slice(from));
        black_box(&mut to);
    });
    let bandwidth = 2.0 * 4.0 * f64::from(1 << LOG) / copy;
    let plan = Plan::of(LOG);
    // The price list's pass is not part of it.
    let moved: u64 = plan.passes.iter().filter(|pass| pass.stages > 0).map(|pass| pass.bytes).sum();
    let speed = moved as f64 / seconds;
    let what = format!("  bytes moved, of copying's {:.1} GB/s", bandwidth * 1e-9);
    bar(&what, format!("{:.1} GB/s, {:.0} %", speed * 1e-9, 100.0 * speed / bandwidth), ">= 60 %");
    let mut small = vec![0i32; 1 << 15];
    let cached = f64::from(15 << 15) / alone(999, || kernel.forward32(black_box(&mut small)));
    let stages: f64 = plan.passes.iter().map(|pass| f64::from(pass.stages)).sum();
    let rate = stages * f64::from(1 << LOG) / seconds / threads as f64;
    let what = "  cell-stages a thread, of the 32-bit transform's in the cache";
    bar(what, format!("{:.0} %", 100.0 * rate / cached), "none");
}

/// What `--explain` says against the clock.
fn predictions(threads: usize) {
    let (kernel, _) = pick(walsh::KERNELS, None, Tier::best()).expect("none is named");
    for board in ["4x5", "4x6", "5x5", "4x7", "5x6", "4x8"] {
        let board: zobrist_lab::board::Board = board.parse().expect("a board");
        let log = board.squares() as u32 - 1;
        let plan = Plan::of(log);
        if memory::available().is_some_and(|free| free < plan.memory_bytes + (1 << 30)) {
            println!("skipped: {board} (too little memory is free)");
            continue;
        }
        let positions = enumerate(&Domineering, board).expect("it fits");
        let road = Road::choose(&format!("walsh/{}", kernel.name), Tier::best(), &positions);
        let road = road.expect("the kernel is there");
        let seconds = alone(if log < 28 { 9 } else { 1 }, || {
            black_box(Census::take(&positions, &road).expect("it fits").price_list());
        });
        let ratio = plan.seconds(kernel.tier, threads) / seconds;
        let what = format!("census {board} by the clock, and the plan's prediction");
        let figures = format!("{:.2} ms, {ratio:.2} of it", seconds * 1e3);
        bar(&what, figures, "1/1.5 to 1.5");
    }
}
