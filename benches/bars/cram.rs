//! Cram's bars: the pairing test against the scalar code compiled for the same
//! CPU, the census, and the outcomes of every position of 5x6.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use zobrist_lab::board::Board;
use zobrist_lab::error::bytes;
use zobrist_lab::game::cram::{self, Cram};
use zobrist_lab::pairing::{
    Census, Check, Clause, KERNELS, Outcomes, Pairing, PairingKernel, Pairings, census,
};
use zobrist_lab::positions::enumerate;

use super::{alone, bar, best, in_turns, named, on};

pub(super) fn bars() {
    on(1, || {
        tests(Pairings::HALF_TURN);
        tests(Pairings::ALL);
        five_boards();
    });
    five_by_six();
}

/// The strict clause over every free set that play on 4x5 reaches.
fn tests(pairings: Pairings) {
    let board: Board = "4x5".parse().expect("a board");
    let check = Check { board, pairings, clause: Clause::Strict };
    let reached = enumerate(&Cram, board).expect("it fits").left;
    let sets: Vec<u64> = reached.iter().map(|set| cram::free(board, *set)).collect();
    let mut expected = vec![0; sets.len()];
    named(KERNELS, "oracle").accepted(&check, &sets, &mut expected);
    let run = |kernel: &'static dyn PairingKernel| {
        let mut answers = vec![0; sets.len()];
        kernel.accepted(&check, &sets, &mut answers);
        assert!(answers == expected, "{pairings}");
        let sets = &sets;
        move || kernel.accepted(&check, black_box(sets), &mut answers)
    };
    let (name, kernel) = best(KERNELS);
    // What vectors gain is measured against scalar code for the same CPU.
    let scalar = if name == "avx512" { "scalar_avx512" } else { "scalar" };
    let [ours, _, ratio] = in_turns(99, run(kernel), run(named(KERNELS, scalar)));
    let what = format!("pairing/{name} against pairing/{scalar}, {pairings}, 4x5");
    bar(&what, format!("{ratio:.1} x"), ">= 5 x");
    let each = ours / sets.len() as f64 * 1e9;
    bar("  a set", format!("{each:.2} ns"), "none");
    let [_, _, ratio] = in_turns(9, run(kernel), run(named(KERNELS, "oracle")));
    bar("  against pairing/oracle", format!("{ratio:.0} x"), ">= 5 x");
}

fn five_boards() {
    let all = || {
        let mut fires = 0;
        for name in ["3x4", "4x4", "2x7", "4x5", "3x5"] {
            let outcomes = Outcomes::of(name.parse().expect("a board")).expect("it fits");
            for (clause, pairing) in
                Clause::ALL.into_iter().flat_map(|clause| Pairing::ALL.map(|p| (clause, p)))
            {
                let check = Check { board: outcomes.board, pairings: pairing.into(), clause };
                fires += counted(&outcomes, check).total.fires;
            }
        }
        fires
    };
    let fires = all();
    let time = alone(9, || assert_eq!(all(), fires));
    let what = "cram, five boards x five pairings x three clauses, one thread";
    bar(what, format!("{time:.3} s"), "< 1 s");
}

fn counted(outcomes: &Outcomes, check: Check) -> Census {
    census(outcomes, &check, best(KERNELS).1)
}

fn five_by_six() {
    let board: Board = "5x6".parse().expect("a board");
    on(2, || {
        let mut outcomes = None;
        let time = alone(3, || outcomes = Some(Outcomes::of(board).expect("it fits")));
        bar("cram 5x6, positions and exact outcomes", format!("{time:.2} s"), "< 6 s");
        let outcomes = outcomes.expect("it ran");
        let check = Check { board, pairings: Pairings::HALF_TURN, clause: Clause::Strict };
        let run = || {
            let total = counted(&outcomes, check).total;
            assert_eq!((total.positions, total.fires, total.wrong), (21_583_864, 143_655, 0));
        };
        bar("cram 5x6, half-turn census", format!("{:.2} s", alone(3, run)), "< 4 s");
    });
    let start = Instant::now();
    let peak = peak_of(&["cram", "5x6", "--threads", "2"]);
    bar("zlab cram 5x6, whole process", format!("{:.2} s", start.elapsed().as_secs_f64()), "none");
    bar("  peak memory", peak.map_or("unknown".into(), bytes), "< 600 MiB");
}

/// The peak memory of a `zlab` process, looked at while it runs.
fn peak_of(arguments: &[&str]) -> Option<u64> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zlab"));
    let mut child = command.args(arguments).stdout(Stdio::null()).spawn().expect("zlab starts");
    let table = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait().expect("zlab is ours").is_none() {
        let status = std::fs::read_to_string(&table).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
        peak = peak.max(kibibytes.map(|kibibytes: u64| kibibytes << 10));
        std::thread::sleep(Duration::from_millis(2));
    }
    peak
}
