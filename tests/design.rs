//! `zlab design`: the documents, the proved figures, and every refusal.

mod common;

use serde_json::{Value, json};
use zobrist_lab::code::Code;
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions::{self, files};
use zobrist_lab::{design, solve};

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
    let wide = wide.to_str().unwrap();
    let refused = |arguments: &[&str], expected: &str| {
        let (code, _, stderr) = run(&[&["--positions", wide], arguments].concat());
        assert!(code == 2 && stderr.lines().count() == 1, "{arguments:?}: {stderr}");
        assert!(stderr.starts_with(expected), "{arguments:?}: {stderr}");
    };
    refused(&["--bits", "8", "--game", "cram"], "error: --game: positions without");
    refused(&["--bits", "41"], "error: --bits: 41: want 1 to 40");
    refused(&["--bits", "0"], "error: --bits: 0: want 1 to 40");
    refused(&["--bits", "8", "--objective", "stored"], "error: --objective: stored positions are");
    refused(&["--bits", "8", "--objective", "shape"], "error: --objective: the shape is");
    refused(&["--table"], "error: --positions: 40 features: want at most 32");
    let (_, text, _) = run(&["--positions", wide, "--bits", "1", "--restarts", "1"]);
    assert!(text.contains("confuses 1 pairs of the positions (a random key"), "{text}");
    assert!(!text.contains("reachable"), "{text}");
    files::write_npy(&directory.path().join("wide.npy"), &[0u64]).unwrap();
    refused(&["--bits", "3"], "error: --positions: no features: nothing to tell apart");
}

/// So many positions share keys of seven bits more than branch and bound shows at once.
#[test]
fn crowded_positions_bound_what_a_proof_does_not() {
    let directory = tempfile::tempdir().unwrap();
    let (left, right) = (scattered(14, 1_500), scattered(14, 700));
    let paths = ["left.npy", "right.npy"].map(|name| directory.path().join(name));
    files::write_npy(&paths[0], &left).unwrap();
    files::write_npy(&paths[1], &right).unwrap();
    let both = paths.map(|path| path.display().to_string()).join(",");
    let arguments = ["--positions", &both, "--bits", "7", "--restarts", "2", "--prove"];
    let found = document(&[&arguments[..], &["--limit", "0"]].concat());
    let positions = positions::Positions { features: 14, left, right };
    assert_eq!(found["lower_bound"], design::crowded_pairs(&positions, 7));
    assert!(found["lower_bound"].as_u64() < found["pairs_reachable"].as_u64(), "{found}");
    assert_eq!(found["optimal"], false);
}

/// One search ends at a pair; the exact key that a proof has the time to grow takes its place.
#[test]
fn an_exact_key_is_looked_for_within_the_limit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("scattered.npy");
    let mut left: Vec<u64> =
        (1..=60).map(|i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24).collect();
    left.sort_unstable();
    files::write_npy(&path, &left).unwrap();
    let path = path.to_str().unwrap();
    let arguments = ["--positions", path, "--bits", "7", "--restarts", "1", "--prove", "--limit"];
    for (limit, pairs) in [("0", 1), ("600", 0)] {
        let found = document(&[&arguments[..], &[limit]].concat());
        let result = [&found["pairs_reachable"], &found["lower_bound"], &found["optimal"]];
        assert_eq!(result, [&json!(pairs), &json!(0), &json!(pairs == 0)], "--limit {limit}");
        let positions = positions::Positions { features: 40, left: left.clone(), right: vec![] };
        assert_eq!(Code::of_words(&words(&found)).pairs_among(&positions), pairs);
    }
}

/// Many sets, few pairs: without a proof a key comes by quotients, and costs what it says.
#[test]
fn few_positions_of_less_than_twenty_nine_features_get_keys_as_soon() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("scattered.npy");
    let left = scattered(26, 800);
    files::write_npy(&path, &left).unwrap();
    let path = path.to_str().unwrap();
    let found = document(&["--positions", path, "--bits", "10", "--restarts", "2"]);
    let positions = positions::Positions { features: 26, left, right: vec![] };
    let pairs = Code::of_words(&words(&found)).pairs_among(&positions);
    assert_eq!(found["pairs_reachable"], pairs);
    assert!((pairs as f64) < 0.7 * found["random_reachable"].as_f64().unwrap(), "{found}");
    // A table of 2^26 prices alone is more.
    assert!(found["peak_bytes"].as_u64() < Some(256 << 20), "{found}");
}

/// Every square become a feature of many: what is proved on the board holds.
#[test]
fn positions_of_many_features_and_a_low_rank_cost_what_they_do_on_the_board() {
    let directory = tempfile::tempdir().unwrap();
    let board = positions::enumerate(&Domineering, "2x4".parse().unwrap()).unwrap();
    for (features, shape, by) in [(40, "5x8", 5), (64, "8x8", 9)] {
        let wide = |set: &u64| {
            let squares = (0..8).filter(|square| set >> square & 1 == 1);
            squares.map(|square| 1u64 << (by * square + features - 7 * by - 1)).sum()
        };
        let spread = |sets: &[u64]| sets.iter().map(wide).collect();
        let (left, right): (Vec<u64>, Vec<u64>) = (spread(&board.left), spread(&board.right));
        let spread = positions::Positions { features, left, right };
        for format in [files::Format::Text, files::Format::Npy] {
            let paths = files::write(directory.path(), format, shape.parse().unwrap(), &spread);
            let both = paths.unwrap().map(|path| path.display().to_string()).join(",");
            for bits in ["2", "4", "5", "6"] {
                let found = document(&["--positions", &both, "--bits", bits, "--prove"]);
                let on_board = document(&["2x4", "--bits", bits, "--prove"]);
                for field in ["pairs_reachable", "lower_bound", "optimal", "random_reachable"] {
                    assert_eq!(found[field], on_board[field], "{features}, {bits} bits: {field}");
                }
                assert_eq!(words(&found).len(), features);
                let pairs = Code::of_words(&words(&found)).pairs_among(&spread);
                assert_eq!(found["pairs_reachable"], pairs);
            }
        }
    }
}

/// So many sets of features that a multiplicative walk scatters.
fn scattered(features: u32, count: u64) -> Vec<u64> {
    let set = |i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - features);
    let mut sets: Vec<u64> = (0..count).map(set).chain([1 << (features - 1)]).collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

#[test]
fn positions_of_many_features_and_a_high_rank_get_keys() {
    let directory = tempfile::tempdir().unwrap();
    for (features, count) in [(40, 500), (64, 300)] {
        let left = scattered(features, count);
        let path = directory.path().join("scattered.npy");
        files::write_npy(&path, &left).unwrap();
        let path = path.to_str().unwrap();
        let positions = positions::Positions { features: features as usize, left, right: vec![] };
        let fitted = |arguments: &[&str]| {
            document(&[&["--positions", path, "--restarts", "2"], arguments].concat())
        };
        let short = fitted(&["--bits", "7"]);
        let pairs = Code::of_words(&words(&short)).pairs_among(&positions);
        assert_eq!(short["pairs_reachable"], pairs);
        assert!((pairs as f64) < 0.9 * short["random_reachable"].as_f64().unwrap(), "{short}");
        assert_eq!((&short["optimal"], &short["lower_bound"]), (&json!(false), &Value::Null));
        assert_eq!(short["words"], fitted(&["--bits", "7", "--threads", "3"])["words"]);
        assert_ne!(short["words"], fitted(&["--bits", "7", "--seed", "2"])["words"]);
        // No more is claimed than what so many positions on so few keys must share.
        let proved = fitted(&["--bits", "7", "--prove"]);
        assert_eq!(proved["lower_bound"], design::crowded_pairs(&positions, 7));
        assert!(proved["lower_bound"].as_u64() <= proved["pairs_reachable"].as_u64());
        let exact = fitted(&["--bits", "24", "--prove"]);
        assert_eq!((&exact["pairs_reachable"], &exact["optimal"]), (&json!(0), &json!(true)));
        assert_eq!(Code::of_words(&words(&exact)).bits(), 24);
        let whole = fitted(&["--bits", &features.to_string()]);
        assert_eq!((&whole["pairs_reachable"], &whole["code"]), (&json!(0), &json!([])));
        let (code, text, _) = run(&["--positions", path, "--bits", "7", "--restarts", "2"]);
        assert!(code == 0 && text.contains("the best found; --prove says"), "{text}");
        let export = ["--positions", path, "--bits", "7", "--restarts", "2", "--export", "json"];
        let exported: Value = serde_json::from_str(&run(&export).1).unwrap();
        assert_eq!(exported["words"], short["words"]);
    }
}

#[test]
fn one_position_and_idle_features_cost_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("few.npy");
    for left in [vec![1u64 << 63], vec![1 << 50, 3 << 50], vec![0, 1 << 34, 1 << 35, 1 << 40 | 1]] {
        files::write_npy(&path, &left).unwrap();
        for bits in ["2", "9", "34"] {
            for objective in ["pairs", "distance", "even-distance"] {
                let path = path.to_str().unwrap();
                let arguments = ["--positions", path, "--bits", bits, "--objective", objective];
                let found = document(&arguments);
                let code = Code::of_words(&words(&found));
                assert_eq!(code.bits().to_string(), bits);
                if objective == "pairs" {
                    let result = (&found["pairs_reachable"], &found["optimal"]);
                    assert_eq!(result, (&json!(0), &json!(true)), "{left:?} {bits}");
                }
            }
        }
    }
    files::write_npy::<u64>(&path, &[]).unwrap();
    let (code, _, stderr) = run(&["--positions", path.to_str().unwrap(), "--bits", "3"]);
    assert!(code == 2 && stderr.contains("no position in it: want at least one"), "{stderr}");
}

#[test]
fn distances_of_many_features_are_those_of_good_codes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("scattered.npy");
    files::write_npy(&path, &scattered(64, 100)).unwrap();
    let path = path.to_str().unwrap();
    for (bits, objective, field, least) in [
        ("28", "distance", "minimum_distance", 12),
        ("40", "distance", "minimum_distance", 16),
        ("12", "even-distance", "minimum_even_distance", 6),
        ("27", "even-distance", "minimum_even_distance", 12),
    ] {
        let arguments = ["--positions", path, "--bits", bits, "--objective", objective];
        let found = document(&[&arguments[..], &["--restarts", "2"]].concat());
        assert!(found[field].as_u64() >= Some(least), "{bits} {objective}: {}", found[field]);
        assert!(found["minimum_distance"].as_u64() <= found["griesmer"].as_u64());
    }
    let parity = ["--positions", path, "--bits", "1", "--objective", "distance"];
    assert_eq!(document(&parity)["optimal"], true, "no key of one bit has a distance above 2");
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
