//! Exact keys: the search through the free sets alone and with its census, and
//! the totals over the sixty keys.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use indicatif::ProgressBar;
use std::hint::black_box;
use zobrist_lab::board::Board;
use zobrist_lab::census::{Census, Road};
use zobrist_lab::confusions::{self, Keys};
use zobrist_lab::exact::{EFFORT, largest, shortest};
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions::{self, Positions};
use zobrist_lab::solve;
use zobrist_lab::tier::Tier;

fn census(positions: &Positions) -> Census {
    let road = Road::choose("auto", Tier::best(), positions).unwrap();
    Census::take(positions, &road).unwrap()
}

fn exact(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("exact");
    group.sample_size(10);
    let hidden = ProgressBar::hidden();
    for (name, bits, dimension) in [("4x5", 18, 1), ("2x10", 17, 2)] {
        let positions = positions::enumerate(&Domineering, name.parse().unwrap()).unwrap();
        let mut free = census(&positions).free_sets();
        free.sort_unstable();
        let found = largest(&free, EFFORT, &hidden);
        assert_eq!((found.basis.len(), found.proved), (dimension, true), "{name}");
        group.throughput(Throughput::Elements(found.lookups));
        group.bench_function(format!("subspace/domineering-{name}"), |bencher| {
            bencher.iter(|| largest(black_box(&free), EFFORT, &hidden));
        });
        let search = || shortest(black_box(&positions), Tier::best(), EFFORT, &hidden).unwrap();
        assert_eq!(search().code.bits(), bits, "{name}");
        group.throughput(Throughput::Elements(1));
        group.bench_function(format!("shortest/domineering-{name}"), |bencher| {
            bencher.iter(search);
        });
    }
    group.finish();
}

fn sixty_keys(criterion: &mut Criterion) {
    let board: Board = "4x5".parse().unwrap();
    let stored = census(&solve::stored(board).unwrap());
    let reachable = census(&positions::enumerate(&Domineering, board).unwrap());
    let lengths: Vec<u32> = (12..=20).collect();
    let hidden = ProgressBar::hidden();
    let of = || confusions::of(Keys::Essays, 60, &lengths, &stored, &reachable, &hidden).0;
    let codewords: u64 = of().iter().map(|length| length.codewords).sum();
    assert_eq!(of().iter().map(|length| length.pairs).sum::<u64>(), 254_405);
    let mut group = criterion.benchmark_group("confusions");
    group.throughput(Throughput::Elements(codewords));
    group.bench_function("sixty/domineering-4x5", |bencher| bencher.iter(of));
    group.finish();
}

criterion_group!(benches, exact, sixty_keys);
criterion_main!(benches);
