//! Positions sliced a second: every transpose on every reachable position of a
//! rectangle.
//!
//! ```text
//! planes/<kernel>/domineering-4x5         the blocks in place, nothing else
//! planes-there/<kernel>/domineering-4x5   positions to planes, allocation included
//! planes-back/<kernel>/domineering-4x5    planes to positions
//! ```

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::planes::{Block, KERNELS, Planes};
use zobrist_lab::positions::enumerate;
use zobrist_lab::tier::available;

/// Smaller, the lab's board, larger.
const BOARDS: [&str; 3] = ["3x6", "4x5", "5x5"];

fn planes(c: &mut Criterion) {
    for board in BOARDS {
        let positions = enumerate(&Domineering, board.parse().unwrap()).unwrap();
        let workload = format!("domineering-{board}");
        let list = positions.both().concat();
        let mut blocks: Vec<Block> = vec![[0; 64]; list.len().div_ceil(64)];
        blocks.as_flattened_mut()[..list.len()].copy_from_slice(&list);
        for kernel in available(KERNELS) {
            let (name, kernel) = (kernel.name, kernel.get().unwrap());
            let throughput = Throughput::Elements(list.len() as u64);
            let mut group = c.benchmark_group(format!("planes/{name}"));
            group.throughput(throughput.clone());
            group
                .bench_function(&workload, |b| b.iter(|| kernel.transpose(black_box(&mut blocks))));
            group.finish();

            let planes = Planes::new(kernel, positions.features, &list);
            for square in 0..positions.features {
                let known = list.iter().filter(|position| *position >> square & 1 == 1).count();
                let ones: u32 = planes.plane(square).iter().map(|word| word.count_ones()).sum();
                assert_eq!(ones as usize, known, "{name}: positions with square {square}");
            }
            let mut back = vec![0; list.len()];
            planes.write(kernel, &mut back);
            assert_eq!(back, list, "{name}");
            let mut group = c.benchmark_group(format!("planes-there/{name}"));
            group.throughput(throughput.clone());
            group.bench_function(&workload, |b| {
                b.iter(|| Planes::new(kernel, positions.features, black_box(&list)));
            });
            group.finish();
            let mut group = c.benchmark_group(format!("planes-back/{name}"));
            group.throughput(throughput);
            group.bench_function(&workload, |b| {
                b.iter(|| planes.write(kernel, black_box(&mut back)));
            });
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = planes
}
criterion_main!(benches);
