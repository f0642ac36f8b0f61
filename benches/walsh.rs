//! Wall time of the Walsh–Hadamard family: ids `walsh/<kernel>/<workload>`.
//!
//! ```text
//! i16-2^12, i32-2^19, i64-2^19, i32-2^27   the transform in place; a cell is one element
//! i32-halving-2^19                         the way back
//! census-domineering-4x5                   positions in memory to pair counts; likewise
//! ```
//!
//! `naive-census-…` is what the census is measured against: the same from
//! indicators of 64 bits, radix 2 and one stage at a time. Transforms are
//! repeated on their own results, which wrap: the time does not depend on them. What is
//! left out of some kernel says so.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use memmap2::{Advice, MmapMut};
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions;
use zobrist_lab::tier::available;
use zobrist_lab::walsh::{self, KERNELS, WalshKernel};

#[path = "bars/naive.rs"]
mod naive;

use naive::naive_pipeline;

/// Zeroed memory in huge pages where the system gives them.
fn buffer(bytes: usize) -> MmapMut {
    let memory = MmapMut::map_anon(bytes).expect("memory for the benchmark");
    #[cfg(target_os = "linux")]
    memory.advise(Advice::HugePage).expect("advice");
    memory
}

fn group<'a>(criterion: &'a mut Criterion, cells: usize) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group("walsh");
    group.throughput(Throughput::Elements(cells as u64));
    group.sample_size(10).warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(1));
    group
}

/// Every kernel but the quadratic oracle.
fn kernels() -> impl Iterator<Item = (&'static str, &'static dyn WalshKernel)> {
    let kernels = available(KERNELS).into_iter().filter(|kernel| kernel.name != "oracle");
    kernels.map(|kernel| (kernel.name, kernel.get().expect("available")))
}

/// Cells of which every transform is known: 3 at 0 and 4 at 5.
fn fill<T: Copy>(cells: &mut [T], [zero, three, four]: [T; 3]) {
    cells.fill(zero);
    (cells[0], cells[5]) = (three, four);
}

/// Asserts the transform of [`fill`]'s cells.
fn check<T: PartialEq>(cells: &[T], [sum, difference]: [T; 2], id: &str) {
    let want = |u: usize| if (u & 5).count_ones() == 1 { &difference } else { &sum };
    assert!((0..cells.len()).all(|u| cells[u] == *want(u)), "{id}: a wrong transform");
}

fn transforms(criterion: &mut Criterion) {
    println!("skipped walsh/oracle: it is quadratic");
    for log in [12, 19, 27] {
        let cells = 1usize << log;
        let mut memory = buffer(8 * cells);
        for (name, kernel) in kernels() {
            if log > 20 && name == "scalar" {
                println!("skipped walsh/{name}/*-2^{log}: it would take minutes");
                continue;
            }
            let mut group = group(criterion, cells);
            let id = |workload: &str| BenchmarkId::new(name, format!("{workload}-2^{log}"));

            let cells16 = &mut bytemuck::cast_slice_mut(&mut memory)[..cells];
            fill(cells16, [0, 3, 4]);
            kernel.forward16(cells16);
            check(cells16, [7, -1], name);
            group.bench_function(id("i16"), |bencher| {
                bencher.iter(|| kernel.forward16(black_box(cells16)));
            });

            let cells32 = &mut bytemuck::cast_slice_mut(&mut memory)[..cells];
            fill(cells32, [0, 3, 4]);
            let start = cells32.to_vec();
            kernel.forward32(cells32);
            check(cells32, [7, -1], name);
            kernel.halving32(cells32);
            assert!(cells32 == start, "{name}: a wrong way back at 32 bits");
            drop(start);
            group.bench_function(id("i32"), |bencher| {
                bencher.iter(|| kernel.forward32(black_box(cells32)));
            });
            group.bench_function(id("i32-halving"), |bencher| {
                bencher.iter(|| kernel.halving32(black_box(cells32)));
            });

            if log > 20 {
                println!("skipped walsh/{name}/i64-2^{log}: nothing here transforms as much");
                continue;
            }
            let cells64 = &mut bytemuck::cast_slice_mut(&mut memory)[..cells];
            fill(cells64, [0, 3, 4]);
            let start = cells64.to_vec();
            kernel.forward64(cells64);
            check(cells64, [7, -1], name);
            kernel.halving64(cells64);
            assert!(cells64 == start, "{name}: a wrong way back at 64 bits");
            group.bench_function(id("i64"), |bencher| {
                bencher.iter(|| kernel.forward64(black_box(cells64)));
            });
        }
    }
}

fn census(criterion: &mut Criterion) {
    for (board, pairs, free) in [
        ("3x4", 60_588, 32),
        ("4x5", 592_275_474, 512),
        ("5x5", 207_313_115_172, 3_072),
        ("5x6", 73_632_055_405_673, 16_384),
    ] {
        let positions = positions::enumerate(&Domineering, board.parse().expect("a board"))
            .expect("a small board");
        let size = 1usize << (positions.features - 1);
        let mut memory = buffer((4 * size).max(4096));
        let cells = &mut bytemuck::cast_slice_mut(&mut memory)[..size];
        let check = |cells: &[u32], name| {
            assert_eq!(cells.iter().map(|&cell| u64::from(cell)).sum::<u64>(), pairs, "{name}");
            assert_eq!(cells[1..].iter().filter(|&&cell| cell == 0).count(), free, "{name}");
        };
        let mut group = group(criterion, size);
        if size < 1 << 24 {
            let [mut sum, mut signal] = [(); 2].map(|()| vec![0i64; size]);
            let mut naive = || naive_pipeline(&positions, &mut sum, &mut signal);
            naive();
            let id = BenchmarkId::new("scalar", format!("naive-census-domineering-{board}"));
            group.bench_function(id, |bencher| bencher.iter(&mut naive));
            cells.iter_mut().zip(sum).for_each(|(cell, sum)| *cell = sum as u32);
            cells[0] = 0;
            check(cells, "naive");
        } else {
            println!("skipped walsh/scalar/naive-census-domineering-{board}: too slow");
        }
        for (name, kernel) in kernels() {
            if size > 1 << 26 && name == "scalar" {
                println!("skipped walsh/{name}/census-domineering-{board}: too slow");
                continue;
            }
            walsh::autocorrelation(kernel, &positions.both(), cells).expect("few positions");
            check(cells, name);
            let id = BenchmarkId::new(name, format!("census-domineering-{board}"));
            group.bench_function(id, |bencher| {
                bencher
                    .iter(|| walsh::autocorrelation(kernel, &positions.both(), black_box(cells)));
            });
        }
    }
}

criterion_group!(benches, transforms, census);
criterion_main!(benches);
