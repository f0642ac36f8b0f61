//! The value engine on the values of Clobber pieces: comparisons, sums and
//! canonical forms, each from a fresh store.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use indicatif::ProgressBar;
use zobrist_lab::pieces::{Frame, KERNELS, Key, Pieces, solve};
use zobrist_lab::tier::{self, Tier};
use zobrist_lab::value::{Value, Values};

/// A store with the values of the 3x4 pieces, in order of birth.
fn clobber_values() -> Values {
    let frame = Frame::new("3x4".parse().expect("a board")).expect("it fits");
    let (_, kernel) = tier::pick(KERNELS, None, Tier::best()).expect("there is a kernel");
    let hidden = ProgressBar::hidden();
    let pieces = Pieces::reachable(&frame, frame.start(), Key::Piece, kernel, &hidden);
    let values = Values::new();
    solve::value_all(&pieces, &values, &hidden);
    values
}

fn list(values: &Values) -> Vec<Value> {
    (0..values.len() as u32).filter_map(|number| values.get(number)).collect()
}

fn value(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("value");
    group.sample_size(10);
    let values = clobber_values();
    let all = list(&values);
    let pairs = || all.iter().flat_map(|&a| all.iter().map(move |&b| (a, b)));
    let below = || pairs().filter(|&(a, b)| values.le(a, b)).count();
    let above = pairs().filter(|&(a, b)| values.le(values.negative(b), values.negative(a))).count();
    assert_eq!(below(), above, "a ≤ b is −b ≤ −a");
    group.throughput(Throughput::Elements((all.len() * all.len()) as u64));
    group.bench_function("le/clobber-3x4", |bencher| bencher.iter(|| black_box(below())));

    let few = &all[..100];
    group.throughput(Throughput::Elements((few.len() * few.len()) as u64));
    group.bench_function("sum/clobber-3x4", |bencher| {
        bencher.iter_batched_ref(
            clobber_values,
            |values| {
                let sums = few.iter().flat_map(|&a| few.iter().map(move |&b| (a, b)));
                sums.map(|(a, b)| values.sum(a, b).number()).max()
            },
            BatchSize::LargeInput,
        );
    });

    group.throughput(Throughput::Elements(all.len() as u64));
    group.bench_function("canonical/clobber-3x4", |bencher| {
        bencher.iter(|| {
            for &value in &all {
                assert_eq!(values.game(values.left(value), values.right(value)), value);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, value);
criterion_main!(benches);
