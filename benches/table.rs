//! Searches, verdicts, short-key tables, and lookups in tables of every size.
//! The answers are asserted once, outside the timing.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use indicatif::ProgressBar;
use rand_chacha::rand_core::Rng;
use zobrist_lab::board::Board;
use zobrist_lab::draw;
use zobrist_lab::game::Mover;
use zobrist_lab::lookup::{self, Table};
use zobrist_lab::solve::{Bounded, Plain, Verdicts};
use zobrist_lab::table::{self, Exact, Holds, KeySet, Rule, Setup, Split};
use zobrist_lab::tier::available;

fn searches(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(20);
    for (name, nodes) in [("4x5", 5988), ("5x5", 195_314)] {
        let board: Board = name.parse().expect("a board's name");
        let mut plain = Plain::new(board).expect("it fits");
        let both = |plain: &mut Plain| Mover::BOTH.map(|mover| plain.root(mover));
        both(&mut plain);
        assert_eq!(plain.nodes(), nodes, "{name}");
        group.throughput(Throughput::Elements(nodes));
        group.bench_function(format!("plain/domineering-{name}"), |bencher| {
            bencher.iter(|| {
                plain.clear();
                both(black_box(&mut plain))
            });
        });
        group.bench_function(format!("bounded/domineering-{name}"), |bencher| {
            bencher.iter_with_setup(
                || Bounded::new(board, 20).expect("it fits"),
                |mut bounded| Mover::BOTH.map(|mover| bounded.root(mover)),
            );
        });
    }
    let board: Board = "4x5".parse().expect("a board's name");
    let verdicts = Verdicts::sweep(board).expect("it fits");
    assert!(verdicts.wins(Mover::Left, 0) && !verdicts.wins(Mover::Right, 0));
    group.throughput(Throughput::Elements(48_670));
    group.bench_function("verdicts/domineering-4x5", |bencher| {
        bencher.iter(|| Verdicts::sweep(black_box(board)));
    });
    group.finish();
}

/// The essays' sixty keys: totals of wrong verdicts and of positions searched.
fn tables(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("table");
    group.sample_size(10);
    let board: Board = "4x5".parse().expect("a board's name");
    let exact = Exact::new(board, Holds::Verdict).expect("it fits");
    for (split, wrong, searched) in
        [("10+0", 6181, 61_056), ("10+8", 88, 942_371), ("18+0", 741, 355_957)]
    {
        let split: Split = split.parse().expect("a split");
        let setup = Setup { board, holds: Holds::Verdict, split, rule: Rule::Essays };
        let run = || {
            let words = |key| KeySet::Essays.words(board, split, key);
            table::run(setup, &exact, 60, words, &ProgressBar::hidden()).expect("it fits")
        };
        let counts = run();
        assert_eq!(counts.iter().map(|key| key.wrong).sum::<u64>(), wrong, "{split}");
        assert_eq!(counts.iter().map(|key| key.searched).sum::<u64>(), searched, "{split}");
        group.throughput(Throughput::Elements(searched));
        group.bench_function(format!("sixty-keys/{split}"), |bencher| bencher.iter(run));
    }
    group.finish();
}

/// Random lookups, half of them hits, in tables that fit L1, L2, L3 and none of
/// them. A turn looks up the next keys of many, so that large tables stay cold.
fn lookups(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lookup");
    group.sample_size(20);
    const KEYS: usize = 1 << 22;
    const TURN: usize = 1 << 16;
    for address in [12, 16, 20, 24, 26] {
        let split = Split { address, check: 6 };
        let mut generator = draw::generator(1, 0);
        // Every slot is taken; half of the keys have another check than their slot.
        let held = |slot: u32| slot << 6 | slot.wrapping_mul(0x9E37_79B1) >> 26;
        let mut key = || held(generator.next_u32() >> (32 - address)) ^ generator.next_u32() & 1;
        let keys: Vec<u32> = (0..KEYS).map(|_| key()).collect();
        let mut want = vec![0; KEYS];
        group.throughput(Throughput::Elements(TURN as u64));
        for kernel in available(lookup::KERNELS) {
            let got = kernel.get().expect("only those present are listed");
            let mut table = Table::new(got.layout(), split).expect("it fits");
            for slot in 0..1 << address {
                table.insert(held(slot), (slot % 255) as u8 + 1);
            }
            let mut out = vec![0; KEYS];
            if kernel.name == "oracle" {
                got.look_up(&table, &keys, &mut want);
                continue;
            }
            got.look_up(&table, &keys, &mut out);
            assert!(out == want, "{} at {split}", kernel.name);
            group.bench_function(
                BenchmarkId::new(kernel.name, format!("2^{address}")),
                |bencher| {
                    let mut turns = keys.chunks_exact(TURN).cycle();
                    bencher.iter(|| {
                        let keys = turns.next().expect("the turns come round");
                        got.look_up(&table, black_box(keys), &mut out[..TURN]);
                    });
                },
            );
        }
    }
    group.finish();
}

criterion_group!(benches, searches, tables, lookups);
criterion_main!(benches);
