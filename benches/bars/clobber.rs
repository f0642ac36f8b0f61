//! Clobber's bars, as whole processes report them, the compared ones in turns.

use std::process::Command;

use serde_json::Value;
use zobrist_lab::error::bytes;

use super::{bar, median};

const ROUNDS: usize = 5;

fn zlab(arguments: &[&str], threads: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zlab"));
    command.arg("clobber").args(arguments).args(["--json", "--threads", threads]);
    let output = command.output().expect("zlab starts");
    assert!(output.status.success(), "zlab clobber {arguments:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn seconds(document: &Value) -> f64 {
    document["seconds"].as_f64().expect("the document has its seconds")
}

/// Twice the time of one process over the time of two at once: what two threads
/// could gain at the most if they never waited for each other.
fn two_processes(board: &str) -> f64 {
    let arguments = [board, "--values"];
    let rounds = (0..ROUNDS).map(|_| {
        let alone = seconds(&zlab(&arguments, "1"));
        let both = std::thread::scope(|scope| {
            let other = scope.spawn(|| seconds(&zlab(&arguments, "1")));
            seconds(&zlab(&arguments, "1")).max(other.join().expect("it ran"))
        });
        2.0 * alone / both
    });
    median(rounds.collect())
}

pub(super) fn bars() {
    for (board, pieces, distinct, time, memory) in [
        ("3x5", 126_811, 4_932, "< 0.5 s", "<= 64 MiB"),
        ("4x4", 395_947, 23_608, "< 1.5 s", "<= 128 MiB"),
    ] {
        let (mut ones, mut ratios, mut peak) = (vec![], vec![], 0);
        for _ in 0..ROUNDS {
            let one = zlab(&[board, "--values"], "1");
            let two = zlab(&[board, "--values"], "2");
            assert_eq!(
                (&one["pieces"], &one["values"]["distinct"]),
                (&pieces.into(), &distinct.into())
            );
            assert_eq!(one["values"], two["values"]);
            ones.push(seconds(&one));
            ratios.push(seconds(&one) / seconds(&two));
            peak = peak.max(one["peak_bytes"].as_u64().unwrap_or(0));
        }
        bar(&format!("{board} with values, one thread"), format!("{:.3} s", median(ones)), time);
        bar("  peak memory", bytes(peak), memory);
        bar("  two threads against one", format!("{:.2} x", median(ratios)), ">= 1.5 x on 4x4");
        let what = "  two such processes at once, as much work as one in";
        bar(what, format!("{:.2} x", two_processes(board)), "what this machine has to give");
    }

    let mut times = vec![];
    for _ in 0..ROUNDS {
        times.push(seconds(&zlab(&["4x4"], "1")));
    }
    let time = median(times);
    bar("4x4, pieces and folds, no values, one thread", format!("{time:.3} s"), "< 0.3 s");
    let each = time / 5_063_416.0 * 1e9;
    bar("  per live part, folds included", format!("{each:.1} ns"), "< 40 ns");

    let mut times = vec![];
    let mut solved = [0.0; 4];
    for _ in 0..ROUNDS {
        let found =
            zlab(&["4x4", "--position", "start", "--key", "piece,colour,symmetry,both"], "1");
        assert_eq!(found["value"], "∗");
        let cost = |key: usize| found["keys"][key]["seconds"].as_f64().expect("seconds");
        solved = std::array::from_fn(cost);
        times.push(cost(0) / cost(3));
    }
    bar(
        "the 4x4 opening by piece against by 16 images",
        format!("{:.1} x", median(times)),
        ">= 3 x",
    );
    let solved = solved.map(|seconds| format!("{:.0}", seconds * 1e3)).join(" / ");
    bar("  piece / colour / symmetry / both, ms, last round", solved, "none");

    let found = zlab(&["3x6", "--values"], "2");
    assert_eq!((&found["pieces"], &found["values"]["failures"]), (&1_432_138.into(), &0.into()));
    bar("3x6 with values, two threads", format!("{:.2} s", seconds(&found)), "< 15 s");
}
