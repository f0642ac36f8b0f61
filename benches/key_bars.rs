//! The bars that keys as codes are held to, as whole processes report them:
//! exact keys, designs, random keys, audits. `cargo bench --bench key_bars`
//! prints a line a bar; with `-- --all` also those that take half a minute and
//! more. Nothing here fails but a wrong answer: a shared machine is no judge.

use std::io::Write;

use serde_json::{Value, json};
use zobrist_lab::error::bytes;

#[path = "bars/process.rs"]
mod process;

use process::{bar, zlab};

/// The last document and the median seconds of so many processes.
fn median(rounds: usize, arguments: &[&str]) -> (Value, f64) {
    let mut runs: Vec<(Value, f64)> = (0..rounds).map(|_| zlab(arguments)).collect();
    runs.sort_by(|a, b| a.1.total_cmp(&b.1));
    runs.swap_remove(rounds / 2)
}

fn seconds(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.1} ms", seconds * 1e3) } else { format!("{seconds:.2} s") }
}

fn main() {
    // `cargo test --benches` only wants to know that this builds.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    exact_keys();
    designs();
    random_keys();
    audits();
    if std::env::args().any(|argument| argument == "--all") {
        atlas();
    } else {
        println!("skipped: atlas --squares 24 (want -- --all)");
    }
}

fn exact_keys() {
    let (found, time) = median(9, &["exact", "4x5"]);
    assert_eq!((&found["exact_bits"], &found["proved"]), (&json!(18), &json!(true)));
    assert_eq!(found["verified_pairs"], 592_275_474);
    bar("exact 4x5", seconds(time), "< 50 ms");
    let (found, time) = median(1, &["exact", "5x6"]);
    assert_eq!((&found["exact_bits"], &found["proved"]), (&json!(28), &json!(true)));
    assert_eq!(found["verified_pairs"], 73_632_055_405_673u64);
    bar("exact 5x6", seconds(time), "< 25 s on two threads");
}

fn designs() {
    let (found, time) = median(5, &["design", "4x5", "--bits", "17", "--prove"]);
    assert_eq!((&found["pairs_reachable"], &found["optimal"]), (&json!(460), &json!(true)));
    bar("design 4x5 at 17 bits, proved", seconds(time), "< 200 ms");
    let (found, time) = median(3, &["design", "4x5", "--bits", "16", "--prove"]);
    assert_eq!((&found["pairs_reachable"], &found["optimal"]), (&json!(3_116), &json!(true)));
    bar("design 4x5 at 16 bits, proved 3,116 reachable pairs", seconds(time), "seconds");
    let (found, time) = median(1, &["design", "4x5", "--objective", "stored", "--bits", "16"]);
    assert_eq!(found["pairs_stored"], 0);
    bar("design 4x5 at 16 bits for the stored positions", seconds(time), "<= 30 stored pairs");
    let (found, time) = median(1, &["design", "4x5", "--table"]);
    assert_eq!(found["lengths"].as_array().map(Vec::len), Some(8));
    let read = &found["lengths"][4]["designs"][2];
    assert_eq!((&read["reached"], &read["lower_bound"]), (&json!(3_116), &json!(3_116)));
    bar("design 4x5 --table", seconds(time), "< 20 s");
}

fn random_keys() {
    let (found, time) = median(5, &["keys", "4x5", "--set", "essays"]);
    assert_eq!(
        (&found["lengths"][4]["pairs"], &found["lengths"][6]["worst_key"]),
        (&json!(7_617), &json!(37))
    );
    bar("keys 4x5 --set essays, 12 to 20 bits", seconds(time), "< 1 s");
    let million = ["--set", "random", "--count", "1000000", "--bits", "16"];
    let (found, time) = median(1, &[&["keys", "4x5"][..], &million].concat());
    bar("keys 4x5, a million random keys of 16 bits", seconds(time), "< 30 s");
    let row = &found["lengths"][0];
    let figure = |name: &str| row[name].as_f64().expect("a number");
    let expected = 8_969_506.0 / 65_536.0;
    let errors = (figure("mean_pairs") - expected) / figure("standard_error");
    let what = format!("  mean {:.3} pairs, {expected:.3} expected", figure("mean_pairs"));
    bar(&what, format!("{errors:+.2} errors"), "within 3");
}

fn audits() {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    let mut x: u64 = 1_070_372;
    for _ in 0..781 {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        writeln!(file, "{:#018x}", x.wrapping_mul(2_685_821_657_736_338_717))
            .expect("it is written");
    }
    let path = file.path().display().to_string();
    let (found, time) = median(5, &["audit", "--key", &path]);
    let twenty = &found["truncations"][1];
    assert_eq!((&twenty["side"], &twenty["bits"]), (&json!("top"), &json!(20)));
    assert_eq!(twenty["dependencies"][3]["count"], 14_458);
    bar("audit of a chess engine's 781 words, weight 4", seconds(time), "< 2 s");
    bar("  peak memory", found["peak_bytes"].as_u64().map_or("unknown".into(), bytes), "< 500 MiB");
}

fn atlas() {
    let (found, time) = median(1, &["atlas", "--squares", "24"]);
    let rows = found["rows"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["proved"] == true), "every row is proved");
    bar(&format!("atlas --squares 24, {} boards", rows.len()), seconds(time), "< 2 min");
}
