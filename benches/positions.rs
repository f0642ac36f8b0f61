//! Enumerating reachable positions: the sweep over the bitmap of all boards
//! against the layered search from the definition, which it must equal.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions::{enumerate, layered};

/// Board, positions of both movers, whether the layered search is quick enough.
const WORKLOADS: [(&str, usize, bool); 4] = [
    ("3x6", 13_862, true),
    ("4x5", 48_670, true),
    ("5x5", 910_634, true),
    ("5x6", 17_161_138, false),
];

fn positions(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("positions");
    group.sample_size(10);
    for (name, total, by_layers) in WORKLOADS {
        let board = name.parse().expect("a board's name");
        let sweep = enumerate(&Domineering, board).expect("it fits");
        assert_eq!(sweep.total(), total, "{name}");
        group.throughput(Throughput::Elements(total as u64));
        group.bench_function(format!("bitmap/domineering-{name}"), |bencher| {
            bencher.iter(|| enumerate(&Domineering, black_box(board)));
        });
        if by_layers {
            assert!(layered(&Domineering, board) == sweep, "{name}");
            group.bench_function(format!("layered/domineering-{name}"), |bencher| {
                bencher.iter(|| layered(&Domineering, black_box(board)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, positions);
criterion_main!(benches);
