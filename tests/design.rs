//! `zlab design`: the documents, the proved figures, and every refusal.

mod common;

use serde_json::{Value, json};
use zobrist_lab::code::Code;
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions::{self, files};
use zobrist_lab::solve;

use common::zlab;

fn run(arguments: &[&str]) -> (i32, String, String) {
    zlab(&[&["design"], arguments].concat())
}

fn document(arguments: &[&str]) -> Value {
    let (code, stdout, stderr) = run(&[arguments, &["--json"]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""));
    serde_json::from_str(&stdout).unwrap()
}

fn words(document: &Value) -> Vec<u64> {
    serde_json::from_value(document["words"].clone()).unwrap()
}

#[test]
fn the_optimum_at_sixteen_and_seventeen_bits_is_proved() {
    let board = "4x5".parse().unwrap();
    let reachable = positions::enumerate(&Domineering, board).unwrap();
    for (bits, pairs) in [("17", 460), ("16", 3_116)] {
        let found = document(&["4x5", "--bits", bits, "--prove"]);
        assert_eq!(found["pairs_reachable"], pairs);
        assert_eq!((&found["optimal"], &found["lower_bound"]), (&json!(true), &json!(pairs)));
        // The words themselves, on the positions themselves.
        let code = Code::of_words(&words(&found));
        assert_eq!(code.pairs_among(&reachable), pairs, "{bits} bits");
        let sets: Vec<Vec<u32>> = serde_json::from_value(found["code"].clone()).unwrap();
        let sets = sets.iter().map(|set| set.iter().map(|square| 1u64 << square).sum());
        assert_eq!(code.basis(), sets.collect::<Vec<u64>>());
        assert!(code.basis().iter().any(|set| set.count_ones() % 2 == 1), "an odd generator");
    }
}

#[test]
fn sixteen_bits_suffice_for_the_stored_positions() {
    let stored = solve::stored("4x5".parse().unwrap()).unwrap();
    let found = document(&["4x5", "--objective", "stored", "--bits", "16"]);
    assert_eq!((&found["pairs_stored"], &found["optimal"]), (&json!(0), &json!(true)));
    assert_eq!(Code::of_words(&words(&found)).pairs_among(&stored), 0);
}

#[test]
fn the_shortest_key_for_the_stored_positions_is_found_without_a_length() {
    let board = "3x4".parse().unwrap();
    let found = document(&["3x4", "--objective", "stored"]);
    let bits = found["bits"].as_u64().unwrap();
    assert_eq!((&found["pairs_stored"], &found["optimal"]), (&json!(0), &json!(true)));
    let code = Code::of_words(&words(&found));
    assert_eq!(code.pairs_among(&solve::stored(board).unwrap()), 0);
    let shorter = (bits - 1).to_string();
    let shorter = document(&["3x4", "--objective", "stored", "--bits", &shorter, "--prove"]);
    assert_eq!(shorter["optimal"], true);
    assert!(shorter["lower_bound"].as_u64() > Some(0), "{shorter}");
}

/// Whether fifteen bits do is not settled in seconds: the key is found all the same.
#[test]
fn the_shortest_key_on_4x5_is_found_whatever_the_proof() {
    let board = "4x5".parse().unwrap();
    let found = document(&["4x5", "--objective", "stored", "--limit", "0.2", "--restarts", "8"]);
    assert_eq!((&found["bits"], &found["pairs_stored"]), (&json!(16), &json!(0)));
    assert_eq!((&found["optimal"], &found["lower_bound"]), (&json!(false), &json!(0)));
    // 3,086 positions with Right to move.
    assert_eq!(found["bits_at_least"], 12);
    assert_eq!(Code::of_words(&words(&found)).pairs_among(&solve::stored(board).unwrap()), 0);
    let proved = document(&["3x4", "--objective", "stored"]);
    assert_eq!((&proved["optimal"], &proved["bits_at_least"]), (&json!(true), &proved["bits"]));
}

#[test]
fn a_design_without_a_pair_has_its_bound() {
    let found = document(&["3x4", "--bits", "10"]);
    assert_eq!((&found["pairs_reachable"], &found["optimal"]), (&json!(0), &json!(true)));
    assert_eq!(found["lower_bound"], 0);
}

#[test]
fn designs_take_positions_from_files() {
    let directory = tempfile::tempdir().unwrap();
    let board = "3x4".parse().unwrap();
    let positions = positions::enumerate(&Domineering, board).unwrap();
    let of_board = document(&["3x4", "--bits", "8", "--prove"]);
    for format in [files::Format::Text, files::Format::Npy] {
        let paths = files::write(directory.path(), format, board, &positions).unwrap();
        let both = paths.map(|path| path.display().to_string()).join(",");
        let found = document(&["--positions", &both, "--bits", "8", "--prove"]);
        for field in ["pairs_reachable", "lower_bound", "optimal"] {
            assert_eq!(found[field], of_board[field], "{format:?} {field}");
        }
        let pairs = Code::of_words(&words(&found)).pairs_among(&positions);
        assert_eq!(found["pairs_reachable"], pairs);
    }
    let wide = directory.path().join("wide.npy");
    files::write_npy(&wide, &[0u64, 3, 1 << 39]).unwrap();
    let (code, _, stderr) = run(&["--positions", wide.to_str().unwrap(), "--bits", "8"]);
    assert_eq!(code, 2);
    let game = run(&["--positions", wide.to_str().unwrap(), "--bits", "8", "--game", "cram"]);
    assert!(game.0 == 2 && game.2.starts_with("error: --game: positions without"), "{game:?}");
    assert!(stderr.starts_with("error: --positions: 40 features: a design holds"), "{stderr}");
}

#[test]
fn distances_are_printed_beside_their_bounds() {
    let found = document(&["4x5", "--bits", "16", "--objective", "distance"]);
    assert_eq!((&found["minimum_distance"], &found["griesmer"]), (&json!(10), &json!(10)));
    assert_eq!(found["optimal"], true);
    let found = document(&["4x5", "--bits", "18", "--objective", "even-distance"]);
    assert_eq!((&found["minimum_even_distance"], &found["pairs_stored"]), (&json!(20), &json!(21)));
    let found = document(&["4x5", "--bits", "19", "--objective", "distance"]);
    assert_eq!((&found["minimum_distance"], &found["pairs_stored"]), (&json!(20), &json!(21)));
    let (_, text, _) = run(&["4x5", "--bits", "18", "--objective", "distance"]);
    assert!(text.contains("distance 13 (at most 13 by Griesmer"), "{text}");
}

#[test]
fn a_design_depends_on_its_seed_alone() {
    let design = |threads| {
        let arguments = ["3x4", "--bits", "7", "--seed", "9", "--threads", threads];
        document(&arguments)["words"].clone()
    };
    assert_eq!(design("1"), design("3"));
}

#[test]
fn the_table_has_three_designs_a_length() {
    let found = document(&["3x5", "--table", "--restarts", "4"]);
    let lengths = found["lengths"].as_array().unwrap();
    let bits: Vec<&Value> = lengths.iter().map(|row| &row["bits"]).collect();
    assert_eq!(bits, [&json!(12), &json!(13), &json!(14), &json!(15)]);
    for row in lengths {
        let designs = row["designs"].as_array().unwrap();
        let names: Vec<&Value> = designs.iter().map(|design| &design["objective"]).collect();
        assert_eq!(names, [&json!("distance"), &json!("even-distance"), &json!("pairs")]);
    }
    assert_eq!(lengths[1]["designs"][2]["reached"], 0, "13 bits are exact on 3x5");
    // At 12 bits of the 15 the even code has dimension 2: half a second is plenty.
    let [distance, even, pairs] = lengths[0]["designs"].as_array().unwrap().as_slice() else {
        panic!("three designs: {lengths:?}");
    };
    let proved = document(&["3x5", "--bits", "12", "--prove"]);
    assert_eq!(
        (&pairs["lower_bound"], &pairs["reached"]),
        (&proved["lower_bound"], &proved["lower_bound"])
    );
    assert_eq!((&distance["griesmer"], &distance["sphere_packing"]), (&json!(8), &json!(10)));
    assert_eq!((&even["griesmer"], &even["reached"]), (&json!(10), &json!(10)));
    let (_, text, _) = run(&["3x5", "--table", "--restarts", "4"]);
    assert!(text.contains("at least"), "{text}");
}

#[test]
fn bad_input_gets_one_line() {
    let refused = |arguments: &[&str], expected: &str| {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
        assert!(stderr.contains(expected), "{arguments:?}: `{stderr}` should say `{expected}`");
    };
    refused(&["4x5"], "--bits");
    refused(&["4x5", "--bits", "0"], "--bits: 0: want 1 to 20");
    refused(&["4x5", "--bits", "21"], "--bits: 21: want 1 to 20");
    refused(&["4x6", "--bits", "4", "--restarts", "2"], "--bits: a random key of 4 bits");
    let stored = ["5x5", "--bits", "1", "--objective", "stored", "--restarts", "1"];
    refused(&stored, "--bits: a random key of 1 bits");
    refused(&["5x6", "--table"], "--table: a random key of 12 bits");
    refused(&["4x5", "--bits", "16", "--objective", "luck"], "luck");
    refused(&["4x5", "--bits", "16", "--restarts", "0"], "--restarts");
    refused(&["4x5", "--bits", "16", "--prove", "--limit=-1"], "--limit");
    let distance = ["4x5", "--bits", "16", "--objective", "distance", "--prove"];
    refused(&distance, "--prove: a distance is held against its bounds");
    refused(&["4x5", "--bits", "16", "--limit", "3"], "--limit: it limits a proof");
    refused(&["2x4", "--table"], "--table");
    // Before the positions are made or a census is taken.
    let start = std::time::Instant::now();
    refused(&["5x6", "--bits", "31"], "--bits: 31: want 1 to 30");
    refused(&["5x6"], "--bits: want the length");
    assert!(start.elapsed().as_secs() < 1);
    refused(&["6x6", "--bits", "30"], "available");
}
