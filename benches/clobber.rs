//! Clobber: the piece kernels, reaching the pieces, solving an opening under
//! each key, and whole censuses.
//!
//! `pieces/<kernel>/…` counts pieces (`expand`: live parts); `clobber/reach`
//! counts live parts, `clobber/solve-…` table entries, `clobber/census` pieces.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use indicatif::ProgressBar;
use zobrist_lab::pieces::census::{self, Plan};
use zobrist_lab::pieces::{Expansion, Frame, KERNELS, Key, PieceKernel, Pieces, solve};
use zobrist_lab::tier::{self, Tier};
use zobrist_lab::value::Values;

fn frame(board: &str) -> Frame {
    Frame::new(board.parse().expect("a board's name")).expect("it fits")
}

fn best() -> &'static dyn PieceKernel {
    tier::pick(KERNELS, None, Tier::best()).expect("there is a kernel").1
}

fn reachable(frame: &Frame, key: Key) -> Pieces {
    Pieces::reachable(frame, frame.start(), key, best(), &ProgressBar::hidden())
}

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pieces");
    group.sample_size(10);
    let frame = frame("4x4");
    let pieces = reachable(&frame, Key::Piece).layers().concat();
    assert_eq!(pieces.len(), 395_947);
    // The oracle is slow: a part of the pieces, spread over all sizes.
    let pieces: Vec<u64> = pieces.into_iter().step_by(16).collect();
    for kernel in tier::available(KERNELS) {
        let run = kernel.get().expect("it is available");
        let mut expansion = Expansion::default();
        run.expand(&frame, &pieces, &mut expansion);
        let parts = expansion.parts.clone();
        group.throughput(Throughput::Elements(parts.len() as u64));
        group.bench_function(format!("{}/expand-4x4", kernel.name), |bencher| {
            bencher.iter(|| {
                expansion.clear();
                run.expand(&frame, black_box(&pieces), &mut expansion);
            });
        });
        group.bench_function(format!("{}/corner-4x4", kernel.name), |bencher| {
            bencher.iter_batched_ref(
                || parts.clone(),
                |parts| run.corner(&frame, parts),
                BatchSize::LargeInput,
            );
        });
        group.throughput(Throughput::Elements(pieces.len() as u64));
        group.bench_function(format!("{}/images-4x4", kernel.name), |bencher| {
            let mut images = vec![[0; 8]; pieces.len()];
            bencher.iter(|| run.images(&frame, black_box(&pieces), &mut images));
        });
        for key in Key::ALL {
            group.bench_function(format!("{}/keys-{key}-4x4", kernel.name), |bencher| {
                let mut swapped = vec![false; pieces.len()];
                bencher.iter_batched_ref(
                    || pieces.clone(),
                    |pieces| run.keys(&frame, key, pieces, &mut swapped),
                    BatchSize::LargeInput,
                );
            });
        }
    }
    group.finish();
}

fn reach(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("clobber");
    group.sample_size(10);
    for (board, count, parts) in
        [("3x5", 126_811, 1_513_930), ("4x4", 395_947, 5_063_416), ("3x6", 1_432_138, 22_593_712)]
    {
        let frame = frame(board);
        let pieces = reachable(&frame, Key::Piece);
        assert_eq!((pieces.len(), pieces.live_parts()), (count, parts), "{board}");
        group.throughput(Throughput::Elements(parts));
        group.bench_function(format!("reach/{board}"), |bencher| {
            bencher.iter(|| reachable(black_box(&frame), Key::Piece));
        });
    }
    group.finish();
}

/// The opening's value under each key, from nothing.
fn solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("clobber");
    group.sample_size(10);
    for (board, opening) in [("3x4", "0"), ("3x5", "0"), ("4x4", "∗")] {
        let frame = frame(board);
        for key in Key::ALL {
            let solve = || {
                let values = Values::with_caches(18);
                let value = solve::position_value(&frame, frame.start(), key, best(), &values);
                values.notation_within(value, 100)
            };
            if board != "3x5" {
                assert_eq!(solve().as_deref(), Some(opening), "{board} by {key}");
            }
            group.throughput(Throughput::Elements(reachable(&frame, key).len() as u64));
            group.bench_function(format!("solve-{key}/{board}"), |bencher| bencher.iter(solve));
        }
    }
    group.finish();
}

/// Pieces, folds, values and every check; each piece valued on its own.
fn census(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("clobber");
    group.sample_size(10);
    for (board, pieces, distinct) in [
        ("3x4", 11_191, 632),
        ("3x5", 126_811, 4_932),
        ("4x4", 395_947, 23_608),
        ("3x6", 1_432_138, 119_467),
    ] {
        let plan = Plan {
            frame: frame(board),
            folds: Key::ALL.into(),
            values: Some(Key::Piece),
            kernel: best(),
            checkpoint: None,
        };
        let take =
            || census::take(&plan, &|_, _| ProgressBar::hidden()).expect("no files are involved");
        let found = take();
        let counts = found.valued.expect("it was asked for").counts;
        assert_eq!(
            (found.pieces.len(), counts.distinct, counts.failures),
            (pieces, distinct, 0),
            "{board}"
        );
        group.throughput(Throughput::Elements(pieces as u64));
        group.bench_function(format!("census/{board}"), |bencher| bencher.iter(take));
    }
    group.finish();
}

criterion_group!(benches, kernels, reach, solve, census);
criterion_main!(benches);
