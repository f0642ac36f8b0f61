//! XOR keys a second: every kernel on every reachable position of a rectangle,
//! for keys of 32 bits.
//!
//! ```text
//! keys/<kernel>/domineering-4x5     positions and keys of 64 bits
//! keys32/<kernel>/domineering-4x5   the same in 32 bits
//! ```
//!
//! One call a mover, each with an output of its own; times are for both.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::keys::KERNELS;
use zobrist_lab::positions::{Positions, enumerate};
use zobrist_lab::tier::available;

/// Smaller, the lab's board, larger.
const BOARDS: [&str; 3] = ["3x6", "4x5", "5x5"];

/// A word of 32 bits for each square, the same every time.
fn words(features: usize) -> Vec<u32> {
    (0..features as u32).map(|s| (s + 1).wrapping_mul(0x9e37_79b9).rotate_left(s) ^ s).collect()
}

/// What [`digest`] makes of the keys by the definition, Left's first.
fn expected(positions: &Positions, words: &[u32]) -> u32 {
    let bit = |position: u64, s: usize| (position >> s & 1) as u32;
    let key = |position: u64| {
        words.iter().enumerate().fold(0, |key, (s, word)| key ^ (bit(position, s) * word))
    };
    digest(positions.both().into_iter().flatten().map(|position| key(*position)))
}

/// One number of all keys in their order (FNV-1a on whole keys): a wrong or
/// misplaced one shows.
fn digest(keys: impl Iterator<Item = u32>) -> u32 {
    keys.fold(0x811c_9dc5, |all, key| (all ^ key).wrapping_mul(0x0100_0193))
}

fn keys(c: &mut Criterion) {
    for board in BOARDS {
        let positions = enumerate(&Domineering, board.parse().unwrap()).unwrap();
        let words32 = words(positions.features);
        let words: Vec<u64> = words32.iter().map(|word| u64::from(*word)).collect();
        let expected = expected(&positions, &words32);
        let workload = format!("domineering-{board}");
        let lists32 = positions
            .both()
            .map(|list| list.iter().map(|position| *position as u32).collect::<Vec<u32>>());
        let mut out = positions.both().map(|list| vec![0_u64; list.len()]);
        let mut out32 = positions.both().map(|list| vec![0_u32; list.len()]);
        for kernel in available(KERNELS) {
            let (name, kernel) = (kernel.name, kernel.get().unwrap());
            let mut group = c.benchmark_group(format!("keys/{name}"));
            group.throughput(Throughput::Elements(positions.total() as u64));
            let mut run = || {
                for (list, out) in positions.both().into_iter().zip(&mut out) {
                    kernel.keys(&words, list, out);
                }
            };
            run();
            group.bench_function(&workload, |b| b.iter(&mut run));
            assert_eq!(digest(out.iter().flatten().map(|key| *key as u32)), expected, "{name}");
            group.finish();

            let mut group = c.benchmark_group(format!("keys32/{name}"));
            group.throughput(Throughput::Elements(positions.total() as u64));
            let mut run = || {
                for (list, out) in lists32.iter().zip(&mut out32) {
                    kernel.keys32(&words32, list, out);
                }
            };
            run();
            group.bench_function(&workload, |b| b.iter(&mut run));
            assert_eq!(digest(out32.iter().flatten().copied()), expected, "{name}");
            group.finish();
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = keys
}
criterion_main!(benches);
