//! Wall time of counting pairs by difference: `pairs/<kernel>/<workload>`, in pairs a second.
//!
//! Both movers of each workload, one thread; `<kernel>-threads` is the same on
//! the rayon pool's threads. The workload `domineering-5x5-100k` is 100,000 of
//! Left's 455,317 positions of 5x5, drawn with ChaCha8 from seed 5. The
//! oracle, which would take a minute a run there, is left out of it.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::pairs::{KERNELS, PairKernel, differences_parallel};
use zobrist_lab::positions::{self, Positions};
use zobrist_lab::tier::available;

fn domineering(board: &str) -> Positions {
    positions::enumerate(&Domineering, board.parse().expect("a board")).expect("a small board")
}

/// 100,000 of Left's positions on 5x5.
fn sample() -> Positions {
    let all = domineering("5x5");
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut chosen = index::sample(&mut rng, all.left.len(), 100_000).into_vec();
    chosen.sort_unstable();
    let left = chosen.into_iter().map(|index| all.left[index]).collect();
    Positions { features: all.features, left, right: vec![] }
}

/// Runs `count` on both movers' positions, having checked the total of the cells once, untimed.
fn bench(
    criterion: &mut Criterion,
    positions: &Positions,
    id: (&str, &str),
    count: impl Fn(&[u64], &mut [u32]),
) {
    let mut cells = vec![0; 1 << (positions.features - 1)];
    let mut group = criterion.benchmark_group("pairs");
    group.sample_size(10);
    group.throughput(Throughput::Elements(positions.pairs() as u64));
    let count_both = |cells: &mut [u32]| {
        cells.fill(0);
        for list in positions.both() {
            count(black_box(list), cells);
        }
    };
    let mut checked = false;
    group.bench_function(format!("{}/{}", id.0, id.1), |bencher| {
        if !std::mem::replace(&mut checked, true) {
            count_both(&mut cells);
            let total: u128 = cells.iter().map(|cell| u128::from(*cell)).sum();
            assert_eq!(total, positions.pairs(), "{}/{}", id.0, id.1);
        }
        bencher.iter(|| count_both(&mut cells));
    });
    group.finish();
}

fn pairs(criterion: &mut Criterion) {
    for (workload, positions) in [
        ("domineering-3x6", domineering("3x6")),
        ("domineering-4x5", domineering("4x5")),
        ("domineering-5x5-100k", sample()),
    ] {
        for kernel in available(KERNELS) {
            let run: &dyn PairKernel = kernel.get().expect("an available kernel");
            let oracle = kernel.name == "oracle";
            if oracle && workload == "domineering-5x5-100k" {
                continue;
            }
            bench(criterion, &positions, (kernel.name, workload), |list, cells| {
                run.differences(list, cells);
            });
            if oracle {
                continue;
            }
            bench(
                criterion,
                &positions,
                (&format!("{}-threads", kernel.name), workload),
                |list, cells| differences_parallel(run, list, cells),
            );
        }
    }
}

criterion_group!(benches, pairs);
criterion_main!(benches);
