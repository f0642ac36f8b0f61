//! From a census's cells to its price list: the tally kernels.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use zobrist_lab::census::tally::{self, by_bits};

fn tallies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tally");
    for log in [14, 19, 24] {
        let cells: Vec<u32> =
            (0..1u32 << log).map(|cell| cell.wrapping_mul(40_503) >> 16).collect();
        let sum: u64 = cells.iter().map(|&count| u64::from(count)).sum();
        group.throughput(Throughput::Elements(cells.len() as u64));
        for kernel in tally::KERNELS {
            let Some(implementation) = kernel.get() else { continue };
            let tallied: u64 = by_bits(implementation, &cells).iter().map(|tally| tally.sum).sum();
            assert_eq!(tallied, sum, "tally/{}", kernel.name);
            group.bench_function(format!("{}/2^{log}", kernel.name), |bencher| {
                bencher.iter(|| by_bits(implementation, black_box(&cells)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, tallies);
criterion_main!(benches);
