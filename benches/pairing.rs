//! The pairing check: the kernels over every reachable position, the sweeps
//! that decide all boards, the census built on both, and the solvers.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use std::time::Duration;
use zobrist_lab::board::Board;
use zobrist_lab::game::cram;
use zobrist_lab::nimber::Solver;
use zobrist_lab::pairing::policy::{self, Order, Policy};
use zobrist_lab::pairing::{Check, Clause, KERNELS, Outcomes, Pairing, Pairings, census};
use zobrist_lab::positions::enumerate;
use zobrist_lab::tier::{Tier, available, pick};

/// Board, pairings, clause, reachable free sets that it accepts.
const TESTS: [(&str, &str, Clause, usize); 4] = [
    ("4x5", "half-turn", Clause::Strict, 645),
    ("4x5", "all", Clause::Relaxed, 753),
    ("4x6", "half-turn", Clause::Strict, 1_913),
    ("4x6", "all", Clause::Relaxed, 2_239),
];

fn kernels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pairing");
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    for (name, pairings, clause, expected) in TESTS {
        let board: Board = name.parse().expect("a board's name");
        let check = Check { board, pairings: pairings.parse().expect("a pairing"), clause };
        let positions = enumerate(&cram::Cram, board).expect("it fits").left;
        let sets: Vec<u64> = positions.iter().map(|set| cram::free(board, *set)).collect();
        let mut accepted = vec![0; sets.len()];
        group.throughput(Throughput::Elements(sets.len() as u64));
        for kernel in available(KERNELS) {
            let implementation = kernel.get().expect("it is available");
            implementation.accepted(&check, &sets, &mut accepted);
            let found = accepted.iter().filter(|accepted| **accepted != 0).count();
            assert_eq!(found, expected, "{} on {name}", kernel.name);
            group.bench_function(
                format!("{}/{pairings}-{clause}-{name}", kernel.name),
                |bencher| {
                    bencher
                        .iter(|| implementation.accepted(&check, black_box(&sets), &mut accepted));
                },
            );
        }
    }
    group.finish();
}

fn sweeps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cram");
    group.sample_size(10);
    for (name, reachable, wins) in [("4x5", 58_830, 42_198), ("5x6", 21_583_864, 16_294_728)] {
        let board: Board = name.parse().expect("a board's name");
        let outcomes = Outcomes::of(board).expect("it fits");
        let total = census(&outcomes, &repaired(board), best()).total;
        assert_eq!((total.positions, total.wins), (reachable, wins), "{name}");
        group.throughput(Throughput::Elements(1 << board.squares()));
        group.bench_function(format!("reachable/{name}"), |bencher| {
            bencher.iter(|| cram::reachable(black_box(board)));
        });
        group.bench_function(format!("losses/{name}"), |bencher| {
            bencher.iter(|| cram::losses(black_box(board)));
        });
        group.bench_function(format!("outcomes/{name}"), |bencher| {
            bencher.iter(|| Outcomes::of(black_box(board)));
        });
        group.bench_function(format!("census/half-turn-strict-{name}"), |bencher| {
            bencher.iter(|| census(black_box(&outcomes), &repaired(board), best()));
        });
    }
    group.bench_function("census/five-boards-all-pairings-all-clauses", |bencher| {
        bencher.iter(|| {
            for name in ["3x4", "4x4", "2x7", "4x5", "3x5"] {
                let outcomes =
                    Outcomes::of(name.parse().expect("a board's name")).expect("it fits");
                for clause in Clause::ALL {
                    for pairing in Pairing::ALL {
                        let check =
                            Check { board: outcomes.board, pairings: pairing.into(), clause };
                        black_box(census(&outcomes, &check, best()));
                    }
                }
            }
        });
    });
    group.finish();
}

fn repaired(board: Board) -> Check {
    Check { board, pairings: Pairings::HALF_TURN, clause: Clause::Strict }
}

fn best() -> &'static dyn zobrist_lab::pairing::PairingKernel {
    pick(KERNELS, None, Tier::best()).expect("the scalar kernel is always there").1
}

fn solvers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cram-solver");
    group.sample_size(10);
    let board: Board = "4x6".parse().expect("a board's name");
    for policy in [Policy::Never, Policy::Plies(1), Policy::Plies(2), Policy::Always] {
        let solve =
            || policy::solve(&repaired(board), policy, Order::RightDown, 0).expect("it fits");
        assert!(!solve().wins, "{policy}");
        let id = policy.to_string().replace(' ', "-");
        group.bench_function(format!("{id}/4x6"), |bencher| bencher.iter(solve));
    }
    let board: Board = "5x5".parse().expect("a board's name");
    let solve = || Solver::new(1 << 16, None).first_player_wins(board, 0);
    assert!(!solve());
    group.bench_function("nimbers/5x5", |bencher| bencher.iter(solve));
    group.finish();
}

criterion_group!(benches, kernels, sweeps, solvers);
criterion_main!(benches);
