//! `zlab clobber`: its documents, its checkpoints, its refusals.

mod common;

use std::path::Path;

use serde_json::{Value, json};

use common::zlab;

fn run(arguments: &[&str]) -> (i32, String, String) {
    zlab(&[&["clobber"], arguments].concat())
}

fn document(arguments: &[&str]) -> Value {
    let (code, stdout, stderr) = run(&[arguments, &["--json"]].concat());
    assert_eq!(code, 0, "{arguments:?}: {stderr}");
    serde_json::from_str(&stdout).unwrap()
}

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// What is found damaged on the way is refused after the estimate: quiet about that.
fn refused_on_the_way(arguments: &[&str], expected: &[&str]) {
    refused(&[arguments, &["--quiet"]].concat(), expected);
}

/// Asserts the refusal in one line that holds each of `expected`.
fn refused(arguments: &[&str], expected: &[&str]) {
    let (code, stdout, stderr) = run(arguments);
    assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
    for part in expected {
        assert!(stderr.contains(part), "{arguments:?}: `{stderr}` should say `{part}`");
    }
}

#[test]
fn a_census_in_full() {
    let found = document(&["3x4", "--values"]);
    assert_eq!(
        fields(&found),
        [
            "board",
            "pieces",
            "orbits",
            "swap_present",
            "self_negative_shape",
            "own_symmetry",
            "values",
            "opening",
            "seconds",
            "peak_bytes",
            "by_stones",
            "key",
            "estimate"
        ]
    );
    assert_eq!((&found["board"], &found["pieces"]), (&json!("3x4"), &json!(11_191)));
    assert_eq!(found["orbits"], json!({"colour": 9_956, "symmetry": 4_689, "both": 2_376}));
    let shape = ["swap_present", "self_negative_shape", "own_symmetry"].map(|name| &found[name]);
    assert_eq!(shape, [&json!(2_470), &json!(159), &json!(563)]);
    let values = json!({
        "distinct": 632, "zero": 2_079, "self_negative": 4_195,
        "mirror_checks": 22_784, "colour_checks": 2_470, "failures": 0,
    });
    assert_eq!(found["values"], values);
    assert_eq!(found["opening"], json!({"value": "0", "outcome": "second", "birthday": 0}));
    assert_eq!(found["by_stones"][0], json!({"stones": 2, "pieces": 4, "values": 1}));
    assert_eq!(found["by_stones"][10], json!({"stones": 12, "pieces": 1, "values": 632}));

    // Every key and kernel, the board on end, one thread: the same.
    let same = |arguments: &[&str]| {
        let other = document(&[arguments, &["--values"]].concat());
        for name in ["pieces", "orbits", "swap_present", "values", "opening", "by_stones"] {
            assert_eq!(other[name], found[name], "{name} by {arguments:?}");
        }
    };
    for key in ["piece", "colour", "symmetry", "both"] {
        same(&["3x4", "--key", key]);
    }
    same(&["3x4", "--kernel", "oracle"]);
    same(&["4x3", "--threads", "1"]);
}

#[test]
fn a_census_in_part() {
    let found = document(&["2x6", "--fold", "both"]);
    let head = ["board", "pieces", "orbits", "swap_present", "self_negative_shape"];
    let tail = ["own_symmetry", "seconds", "peak_bytes", "by_stones", "estimate"];
    assert_eq!(fields(&found), [head, tail].concat());
    assert_eq!(found["orbits"], json!({"both": 1_125}));
    assert_eq!(found["by_stones"][0], json!({"stones": 2, "pieces": 4}));
    let (code, text, _) = run(&["2x6", "--values"]);
    assert_eq!(code, 0);
    for part in ["4,999 live pieces", "286  a fold of 17.48", "the opening is worth 0", "7,742"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(text.contains("under the left-right mirror, the top-bottom mirror: every"), "{text}");
    let (_, text, _) = run(&["3x3"]);
    assert!(text.contains("no symmetry of the board changes the colours"), "{text}");
    // No piece at all.
    let nothing = document(&["1x1", "--values"]);
    assert_eq!((&nothing["pieces"], &nothing["opening"]["value"]), (&json!(0), &json!("0")));
}

#[test]
fn positions_are_valued() {
    let found = document(&["--position", "xoxo", "--key", "piece,colour,symmetry,both"]);
    assert_eq!(
        fields(&found),
        ["board", "position", "value", "outcome", "birthday", "keys", "peak_bytes"]
    );
    assert_eq!((&found["board"], &found["value"]), (&json!("1x4"), &json!("{∗,↑|∗,↓}")));
    assert_eq!(found["outcome"], "first");
    let keys = found["keys"].as_array().unwrap();
    assert_eq!(keys.len(), 4);
    assert_eq!(fields(&keys[0]), ["key", "entries", "live_parts", "values", "seconds", "bytes"]);
    assert!(keys[3]["entries"].as_u64() < keys[0]["entries"].as_u64());
    // Parts add up: two stars are nought; and a drawing on end is the same game.
    assert_eq!(document(&["--position", "xo.ox"])["value"], "0");
    let on_end = document(&["--position", "x|o|x|o|x"]);
    assert_eq!((&on_end["position"], &on_end["value"]), (&json!("x|o|x|o|x"), &json!("{∗|↓}")));
    assert_eq!(document(&["--position", "x.x|.x.", "2x3"])["value"], "0");
    assert_eq!(document(&["1x5", "--position", "start"])["value"], "{∗|↓}");
    let (_, text, _) = run(&["3x3", "--position", "start"]);
    assert!(text.starts_with("3x3 start is worth ∗, born on day 1: whoever starts wins"), "{text}");
}

#[test]
fn values_in_notation_are_brought_to_their_form() {
    let found = document(&["--value", "{0|^}"]);
    assert_eq!(fields(&found), ["notation", "value", "outcome", "birthday", "negative"]);
    assert_eq!((&found["value"], &found["negative"]), (&json!("⇑∗"), &json!("⇓∗")));
    assert_eq!((&found["outcome"], &found["birthday"]), (&json!("left"), &json!(3)));
    for (text, value, negative) in [
        ("-1/2", "-1/2", "1/2"),
        ("-5", "-5", "5"),
        ("{1000|}", "{1000|}", "{|-1000}"),
        ("1000^100*63", "1000↑100∗63", "-1000↓100∗63"),
    ] {
        let found = document(&["--value", text]);
        assert_eq!((&found["value"], &found["negative"]), (&json!(value), &json!(negative)));
        assert_eq!(document(&["--value", value])["value"], value);
    }
    refused(&["--value", "*100"], &["character 2", "a multiple up to 63"]);
    refused(&["--value", "-"], &["value `-`", "the end at character 2", "a digit"]);
    refused(&["--value", "{0|*"], &["value `{0|*`", "the end at character 5", "`,` or `}`"]);
    refused(&["--value", "1/3"], &["character 1", "power of two"]);
    refused(&["2x2", "--value", "0"], &["--value"]);
}

#[test]
fn growth_is_fitted() {
    let found = document(&["--growth", "2x5,2x4,2x6,3x4"]);
    assert_eq!(fields(&found), ["boards", "by_pieces", "by_birthday"]);
    assert_eq!(fields(&found["by_pieces"]), ["slope", "intercept", "slope_error", "explained"]);
    let boards = found["boards"].as_array().unwrap();
    let points: Vec<(f64, f64)> = boards
        .iter()
        .map(|board| {
            (board["pieces"].as_f64().unwrap().ln(), board["values"].as_f64().unwrap().ln())
        })
        .collect();
    assert_eq!(boards[3]["values"], 632);
    let row = ["board", "pieces", "values", "largest_birthday", "seconds"];
    assert!(boards.iter().all(|board| fields(board) == row));
    // The least-squares line leaves residuals that sum to nought, alone and against x.
    let fit = |name: &str| found["by_pieces"][name].as_f64().unwrap();
    let residual = |&(x, y): &(f64, f64)| y - fit("intercept") - fit("slope") * x;
    assert!(points.iter().map(residual).sum::<f64>().abs() < 1e-9);
    assert!(points.iter().map(|point| point.0 * residual(point)).sum::<f64>().abs() < 1e-9);
    let (_, text, _) = run(&["--growth", "2x4,3x3"]);
    assert!(text.contains("too few boards"), "{text}");
}

#[test]
fn the_estimate_is_told_before_the_work_unless_quiet() {
    for arguments in [&["3x4", "--values"][..], &["3x4"], &["--growth", "3x4"]] {
        let (code, _, stderr) = run(arguments);
        assert_eq!(code, 0);
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.starts_with("3x4: about "), "{stderr}");
        assert!(stderr.contains(" pieces, at most "), "{stderr}");
        assert!(stderr.ends_with("MiB of memory\n"), "{stderr}");
        let (code, _, stderr) = run(&[arguments, &["--quiet"]].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
    }
}

fn same_findings(a: &Value, b: &Value) {
    for name in ["pieces", "orbits", "values", "opening", "by_stones"] {
        assert_eq!(a[name], b[name], "{name}");
    }
}

#[test]
fn checkpoints_resume() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let with = |key: &str| {
        document(&[
            "3x4",
            "--values",
            "--key",
            key,
            "--checkpoint",
            directory.path().to_str().unwrap(),
        ])
    };
    let whole = with("both");
    same_findings(&whole, &document(&["3x4", "--values"]));
    // All there: nothing is valued again.
    let written = |name: &str| std::fs::metadata(path(name)).unwrap().modified().unwrap();
    let before = written("numbers-12.bin");
    same_findings(&whole, &with("both"));
    assert_eq!(written("numbers-12.bin"), before);
    // Stopped in the middle: from there on everything is valued again, and
    // what stands behind the gap is not trusted.
    std::fs::remove_file(path("numbers-08.bin")).unwrap();
    let before = written("numbers-07.bin");
    let after = written("numbers-09.bin");
    same_findings(&whole, &with("both"));
    assert_eq!(written("numbers-07.bin"), before);
    assert_ne!(written("numbers-09.bin"), after);
    // No partial files, and another census is not mixed in.
    let partial =
        |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().contains("partial");
    assert!(!std::fs::read_dir(directory.path()).unwrap().any(|entry| partial(entry.unwrap())));
    let checkpoint = directory.path().to_str().unwrap();
    refused(
        &["3x4", "--values", "--checkpoint", checkpoint],
        &["census.txt", "by both", "by piece"],
    );
}

#[test]
fn a_killed_census_resumes_to_the_same_document() {
    let whole = document(&["3x5", "--values"]);
    // A process that ends before the kill reaches it proves nothing: once more.
    let killed = (0..20).any(|_| {
        let directory = tempfile::tempdir().unwrap();
        let checkpoint = directory.path().to_str().unwrap();
        let arguments =
            ["3x5", "--values", "--threads", "1", "--quiet", "--checkpoint", checkpoint];
        let written = |stones: usize| directory.path().join(format!("numbers-{stones:02}.bin"));
        let mut running = std::process::Command::new(assert_cmd::cargo::cargo_bin("zlab"))
            .arg("clobber")
            .args(arguments)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        while !written(7).exists() && running.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        // SIGKILL: no handler tidies up.
        running.kill().unwrap();
        running.wait().unwrap();
        if !written(7).exists() || written(15).exists() {
            return false;
        }
        let modified = || std::fs::metadata(written(7)).unwrap().modified().unwrap();
        let before = modified();
        same_findings(&whole, &document(&arguments));
        assert_eq!(modified(), before, "the layers saved are not valued again");
        assert!(written(15).exists());
        true
    });
    assert!(killed, "the census always ended before it was killed");
}

#[test]
fn damaged_checkpoints_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let checkpoint = directory.path().to_str().unwrap();
    let arguments = ["2x5", "--values", "--checkpoint", checkpoint];
    document(&arguments);
    let damage = |name: &str, content: &[u8], expected: &[&str]| {
        let path = directory.path().join(name);
        let good = std::fs::read(&path).unwrap();
        std::fs::write(&path, content).unwrap();
        refused_on_the_way(&arguments, &[&[name], expected].concat());
        std::fs::write(&path, good).unwrap();
    };
    damage("numbers-05.bin", b"abc", &["whole words"]);
    damage("numbers-05.bin", &[0; 4], &["1 numbers"]);
    let pieces = std::fs::read(directory.path().join("numbers-05.bin")).unwrap().len();
    damage("numbers-05.bin", &vec![0xFF; pieces], &["value 4294967295"]);
    damage("values-05.bin", &[0xFF; 8], &["word 0", "damaged"]);
    damage("values-05.bin", &[0; 8], &["word 0", "damaged"]);
    damage("census.txt", b"something else", &["something else"]);
    document(&arguments);
    assert!(Path::new(checkpoint).join("values-05.bin").exists());
}

#[test]
fn bad_input_is_refused() {
    refused(&[], &["BOARD"]);
    refused(&["4x"], &["4x5"]);
    refused(&["6x6"], &["6x6", "32 squares"]);
    refused(&["5x6", "--values"], &["5x6", "memory", "available", "pieces"]);
    refused(&["3x4", "--key", "shape"], &["--key", "shape", "piece, colour, symmetry or both"]);
    for name in ["up", "piece", ""] {
        let (_, _, stderr) = run(&["3x4", "--fold", name]);
        assert!(!stderr.contains("--key") && stderr.contains("want colour, symmetry or both"));
        refused(&["3x4", "--fold", name], &["--fold", name]);
    }
    refused(&["3x4", "--key", "piece,both"], &["--key", "--position"]);
    refused(&["3x4", "--key", "both"], &["--key", "--values"]);
    refused(&["--value", "0", "--key", "both"], &["--value", "--key"]);
    refused(&["--growth", "2x4", "--fold", "both"], &["--growth", "--fold"]);
    refused(&["3x4", "--kernel", "magic"], &["--kernel", "magic", "scalar"]);
    refused(&["3x4", "--checkpoint", "/tmp/x"], &["--values"]);
    refused(&["--position", "xo|oz"], &["`z` at row 1, column 1"]);
    refused(&["--position", "xo|o"], &["row 1 has 1 squares, row 0 has 2"]);
    refused(&["--position", ""], &["position"]);
    refused(&["--position", &"xo".repeat(17)], &["32 squares"]);
    refused(&["2x3", "--position", "xo"], &["1x2", "2x3"]);
    refused(&["--position", "start"], &["start", "board"]);
    refused(&["--growth", "2x4,4"], &["4x5"]);
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    refused(&["2x4", "--values", "--checkpoint", file.to_str().unwrap()], &["file"]);
}
