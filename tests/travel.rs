//! `zlab travel` and `zlab design --objective shape`: the documents, the table,
//! and every refusal.

mod common;

use serde_json::Value;
use zobrist_lab::code::Code;
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions;

use common::zlab;

fn document(arguments: &[&str]) -> Value {
    let (code, stdout, stderr) = zlab(&[arguments, &["--json"]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""));
    serde_json::from_str(&stdout).unwrap()
}

fn code_of(document: &Value) -> Code {
    Code::of_words(&serde_json::from_value::<Vec<u64>>(document["words"].clone()).unwrap())
}

#[test]
fn a_comparison_counts_its_codes_and_writes_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let arguments = ["travel", "4x5", "4x4", "--below", "2,4", "--restarts", "6", "--out", out];
    let found = document(&arguments);
    assert_eq!(found["learned_on"], "4x5");
    let [board, other] = &found["boards"].as_array().unwrap()[..] else { panic!("two boards") };
    assert_eq!((&board["board"], &board["pairs"]), (&"4x5".into(), &592_275_474u64.into()));
    assert_eq!((&board["exact_bits"], &other["exact_bits"]), (&18.into(), &14.into()));
    let row = &board["rows"][0];
    assert_eq!((&row["bits"], &row["below"]), (&16.into(), &2.into()));
    assert_eq!(row["random"], 592_275_474.0 / 65536.0);
    let methods = row["methods"].as_array().unwrap();
    let names: Vec<&str> =
        methods.iter().map(|priced| priced["method"].as_str().unwrap()).collect();
    assert_eq!(names, ["even-distance", "shape-size", "shape-shade", "board-read"]);
    // 3,116 is proved to be the least, on the board's own census.
    assert_eq!(methods[3]["least"], 3_116);
    for priced in methods {
        let (least, mean, most) =
            (priced["least"].as_f64(), priced["mean"].as_f64(), priced["most"].as_f64());
        assert!(Some(3_116.0) <= least && least <= mean && mean <= most, "{priced}");
        let factor = priced["factor"].as_f64().unwrap();
        assert!((factor * mean.unwrap() / row["random"].as_f64().unwrap() - 1.0).abs() < 1e-9);
    }
    let table = std::fs::read_to_string(folder.path().join("travel.csv")).unwrap();
    assert!(table.starts_with("board,pairs,exact_bits,bits,random_pairs,method,codes,"), "{table}");
    assert_eq!(table.lines().count(), 1 + 2 * 2 * 4);
    let without = document(&["travel", "4x4", "--below", "2", "--no-census", "--restarts", "6"]);
    let without = without["boards"][0]["rows"][0]["methods"].as_array().unwrap().clone();
    assert_eq!(without[..], other["rows"][0]["methods"].as_array().unwrap()[..3]);
}

#[test]
fn a_design_by_shape_confuses_about_what_it_predicts() {
    let board = "4x6".parse().unwrap();
    let reachable = positions::enumerate(&Domineering, board).unwrap();
    let arguments = ["design", "4x6", "--objective", "shape", "--bits", "20", "--restarts", "6"];
    let found = document(&arguments);
    assert_eq!(found["seed"], 1);
    assert_eq!(document(&arguments)["words"], found["words"], "same seed");
    let predicted = found["predicted_factor"].as_f64().unwrap();
    let confused = code_of(&found).pairs_among(&reachable) as f64;
    let factor = reachable.pairs() as f64 / 20f64.exp2() / confused;
    assert!(factor > 1.5 && (factor / predicted - 1.0).abs() < 0.3, "{predicted}, {factor}");

    let exact = document(&["design", "4x6", "--objective", "shape", "--bits", "22"]);
    assert_eq!(exact["predicted_factor"], Value::Null);
    assert_eq!(code_of(&exact).pairs_among(&reachable), 0);
}

#[test]
fn boards_that_nobody_can_count_are_designed_for() {
    for (board, bits, squares) in [("6x6", "30", 36), ("7x7", "43", 49), ("8x8", "60", 64)] {
        let arguments = ["design", board, "--objective", "shape", "--bits", bits];
        let found = document(&[&arguments[..], &["--restarts", "3"]].concat());
        let code = code_of(&found);
        assert_eq!((code.features(), code.bits().to_string().as_str()), (squares, bits));
        assert!(found["predicted_factor"].as_f64().unwrap() > 1.0, "{board}");
        let (status, text, _) = zlab(&[&arguments[..], &["--restarts", "3"]].concat());
        assert!(status == 0 && text.contains("predicted to confuse"), "{text}");
    }
    let export = ["design", "6x6", "--objective", "shape", "--bits", "30", "--export", "c"];
    let (status, text, _) = zlab(&export);
    assert!(status == 0 && text.contains("ZOBRIST_BITS = 30"), "{text}");
    assert!(text.contains("not counted on the board itself"), "{text}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    for (arguments, told) in [
        (&["travel", "9x9"][..], "at most 64 squares"),
        (&["travel", "4x5", "--below", "20"], "--below: 20: want 1 to 11 on 4x5"),
        (&["travel", "1x1"], "--below: 1x1 has no keys shorter"),
        (&["travel", "4x5", "--restarts", "0"], "want 1 to 1000000"),
        (&["travel"], "BOARD"),
        (&["design", "8x8", "--objective", "shape", "--bits", "20"], "want 51 to 64 on 8x8"),
        (&["design", "4x5", "--objective", "shape"], "--bits: want the length of the key"),
        (&["design", "4x5", "--objective", "shape", "--bits", "16", "--prove"], "no census"),
        (
            &["design", "4x5", "--game", "cram", "--objective", "shape", "--bits", "16"],
            "Domineering board",
        ),
    ] {
        let (code, stdout, stderr) = zlab(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(told), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
    }
}
