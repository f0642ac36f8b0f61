//! Wall time of counting equal keys: `equal/<kernel>/<workload>`, in pairs a second.
//!
//! The keys are the top 16 bits (`-16`) or all 32 (`-32`) of key 1 of the
//! essays' sixty, for the reachable positions of both movers; one thread, and
//! `<kernel>-threads` on the rayon pool's. `radix` looks at no pair: its rate
//! is that of the pairs it answers for.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use zobrist_lab::board::squares_of;
use zobrist_lab::equal::{EqualKernel, KERNELS, equal16_parallel, equal32_parallel};
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::tier::available;
use zobrist_lab::{draw, positions};

/// The keys of both movers' positions.
fn keys(board: &str) -> [Vec<u32>; 2] {
    let positions = positions::enumerate(&Domineering, board.parse().expect("a board"));
    let positions = positions.expect("a small board");
    let words = draw::essay_words(1, positions.features);
    let key = |position: &u64| squares_of(*position).fold(0, |key, square| key ^ words[square]);
    positions.both().map(|list| list.iter().map(key).collect())
}

/// Runs `count` on each mover's keys, having compared its answer once, untimed, with `expected`.
fn bench<T>(
    criterion: &mut Criterion,
    id: &str,
    keys: &[Vec<T>; 2],
    expected: u64,
    count: impl Fn(&[T]) -> u64,
) {
    let both = || keys.iter().map(|keys| count(black_box(keys))).sum::<u64>();
    let pairs = keys.iter().map(|keys| keys.len() as u64 * (keys.len() as u64 - 1) / 2).sum();
    let mut group = criterion.benchmark_group("equal");
    group.sample_size(10);
    group.throughput(Throughput::Elements(pairs));
    let mut checked = false;
    group.bench_function(id, |bencher| {
        if !std::mem::replace(&mut checked, true) {
            assert_eq!(both(), expected, "{id}");
        }
        bencher.iter(both);
    });
    group.finish();
}

fn equal(criterion: &mut Criterion) {
    for board in ["3x6", "4x5", "4x6"] {
        let wide = keys(board);
        let narrow = wide
            .each_ref()
            .map(|keys| keys.iter().map(|key| (key >> 16) as u16).collect::<Vec<u16>>());
        let radix = KERNELS.last().and_then(|kernel| kernel.get()).expect("it runs everywhere");
        let expected16 = narrow.iter().map(|keys| radix.equal16(keys)).sum();
        let expected32 = wide.iter().map(|keys| radix.equal32(keys)).sum();
        for kernel in available(KERNELS) {
            let (name, run): (_, &dyn EqualKernel) =
                (kernel.name, kernel.get().expect("an available kernel"));
            // 59.7 billion pairs, one at a time.
            let oracle = name == "oracle";
            if oracle && board == "4x6" {
                println!("skipped equal/oracle/domineering-4x6: it would take minutes");
                continue;
            }
            let id = |suffix: &str, bits: u32| format!("{name}{suffix}/domineering-{board}-{bits}");
            bench(criterion, &id("", 16), &narrow, expected16, |keys| run.equal16(keys));
            bench(criterion, &id("", 32), &wide, expected32, |keys| run.equal32(keys));
            if oracle {
                continue;
            }
            let threads = "-threads";
            bench(criterion, &id(threads, 16), &narrow, expected16, |keys| {
                equal16_parallel(run, keys)
            });
            bench(criterion, &id(threads, 32), &wide, expected32, |keys| {
                equal32_parallel(run, keys)
            });
        }
    }
}

criterion_group!(benches, equal);
criterion_main!(benches);
