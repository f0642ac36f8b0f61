//! `zlab solve`, `zlab table` and `zlab latency` from outside: documents and refusals.

mod common;

use std::io::Write;

use serde_json::{Value, json};

use common::zlab;

fn document(arguments: &[&str]) -> Value {
    let (code, stdout, stderr) = zlab(&[arguments, &["--json"]].concat());
    assert_eq!(code, 0, "zlab {arguments:?}: {stderr}");
    serde_json::from_str(&stdout).unwrap()
}

fn refused(arguments: &[&str], expected: &[&str]) {
    let (code, stdout, stderr) = zlab(arguments);
    assert_eq!((code, stdout.as_str()), (2, ""), "zlab {arguments:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "zlab {arguments:?}: {stderr}");
    for part in expected {
        assert!(stderr.contains(part), "zlab {arguments:?}: `{stderr}` should say `{part}`");
    }
}

/// The fields of `document` that `expected` names are what it says.
fn holds(document: &Value, expected: &Value) {
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(&document[field], value, "{field} of {document}");
    }
}

#[test]
fn solve_says_who_wins_and_what_that_took() {
    let both = document(&["solve", "4x5"]);
    holds(&both, &json!({"board": "4x5", "outcome": "Left wins", "nodes": 5988, "stored": 5988}));
    let left = document(&["solve", "4x5", "--root", "left"]);
    holds(&left, &json!({"nodes": 1114, "roots": [{"first": "Left", "winner": "Left"}]}));
    assert_eq!(left["outcome"], Value::Null, "one root does not make an outcome");
    holds(&document(&["solve", "4x4"]), &json!({"outcome": "the first player wins"}));
    holds(&document(&["solve", "5x5"]), &json!({"outcome": "the second player wins"}));
    holds(&document(&["solve", "5x4"]), &json!({"outcome": "Right wins"}));
    holds(&document(&["solve", "1x1"]), &json!({"outcome": "the second player wins"}));
}

#[test]
fn solve_says_what_a_bounded_table_cost() {
    let bounded = document(&["solve", "4x5", "--table-bits", "10"]);
    let table = &bounded["table"];
    assert_eq!(bounded["nodes"], table["written"]);
    let number = |value: &Value| value.as_u64().unwrap();
    assert_eq!(number(&table["written"]) - number(&table["lost"]), number(&bounded["stored"]));
    assert_eq!(number(&bounded["nodes"]) - 5988, number(&table["extra"]));
    assert_eq!(table["lost"], table["extra_at_most"]);
    assert!(number(&table["extra"]) <= number(&table["lost"]));
}

/// 36 squares: no unbounded table can be had, so the cost has a bound. With 2^28
/// slots of the same search 15,395,248 are occupied and 15,428,223 positions searched.
#[test]
fn solve_bounds_what_a_table_cost_on_36_squares() {
    let bounded = document(&["solve", "6x6", "--table-bits", "24"]);
    let table = &bounded["table"];
    holds(&bounded, &json!({"outcome": "the first player wins"}));
    assert_eq!(table["extra"], Value::Null);
    let number = |value: &Value| value.as_u64().unwrap();
    let (nodes, most) = (number(&bounded["nodes"]), number(&table["extra_at_most"]));
    assert_eq!(most, number(&table["lost"]));
    assert!(most > 0 && nodes - most <= 15_428_223 && nodes >= 15_395_248, "{nodes} {most}");
    let (code, text, _) = zlab(&["solve", "5x7", "--table-bits", "24"]);
    assert!(code == 0 && text.contains("at most"), "{text}");
}

#[test]
fn solve_decides_every_reachable_position() {
    let decided = document(&["solve", "4x5", "--verdicts"]);
    holds(&decided, &json!({"positions": 48_670, "left": 24_663, "right": 24_007}));
    // A square board is its own transpose, which exchanges the players.
    let square = document(&["solve", "4x4", "--verdicts"]);
    assert_eq!(square["left_wins"], square["right_wins"]);
    assert!(square["left_wins"].as_u64() > Some(0) && square["left_wins"] != square["left"]);
}

#[test]
fn solve_compares_orders() {
    let orders = document(&["solve", "4x5", "--orders"]);
    let first = &orders["orders"][0];
    holds(
        first,
        &json!({"order": "row-major", "left": 2902, "right": 3086, "shared": 5988, "pairs": 8_969_506}),
    );
}

#[test]
fn table_gives_totals_over_the_sixty_keys() {
    let table = document(&["table", "4x5", "--splits", "10+1,10+8", "--keys", "essays"]);
    holds(&table, &json!({"board": "4x5", "keys": "essays", "count": 60, "rule": "essays"}));
    let [one, eight] = [0, 1].map(|row| &table["splits"][row]);
    holds(
        one,
        &json!({
            "address": 10, "check": 1, "wrong": 6362, "wrong_worst": 206, "keys_wrong": 60,
            "winner_wrong": 51, "stored": 84_155, "met": 86_216, "turned_away": 47_401,
            "believed": 38_815, "memory_bits": 4096,
        }),
    );
    holds(
        eight,
        &json!({"wrong": 88, "wrong_worst": 15, "keys_wrong": 27, "winner_wrong": 1, "stored": 116_311, "extra": 583_091}),
    );
    // The old spelling, and an order-independent total whatever the threads.
    let again = document(&["table", "4x5", "--split", "10+8", "--threads", "1"]);
    assert_eq!(again["splits"][0], *eight);
}

#[test]
fn table_takes_words_from_a_file() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    // The literal exact key of 4x5, its words in decimal, hexadecimal and comments.
    let bits = |square: u32| match square {
        1 | 5 => 0,
        0 => 1,
        2..=4 => 1u32 << (square - 1),
        _ => 1 << (square - 2),
    };
    for square in 0..20 {
        let word = bits(square);
        let line = if square % 2 == 0 { format!("{word}") } else { format!("{word:#x}") };
        writeln!(file, "{line}  # square {square}").unwrap();
    }
    let path = file.path().to_str().unwrap().to_owned();
    let path = path.as_str();
    let given = document(&["table", "4x5", "--splits", "14+4,10+8", "--keys", path]);
    let literal = document(&["table", "4x5", "--splits", "14+4,10+8", "--keys", "exact-literal"]);
    assert_eq!(given["splits"], literal["splits"]);
    assert_eq!(given["splits"][1]["extra"], 25_038);

    // Mixed bits keep an exact key exact.
    let mixed = document(&["table", "4x5", "--splits", "10+8,0+0", "--keys", path, "--mix", "5"]);
    holds(&mixed, &json!({"count": 5}));
    holds(&mixed["splits"][0], &json!({"wrong": 0, "believed": 0, "winner_wrong": 0}));
    assert_ne!(mixed["splits"][0]["extra"], 5 * 25_038);

    refused(&["table", "4x5", "--splits", "10+8", "--mix", "3"], &["--mix", "file"]);
    refused(&["table", "4x5", "--splits", "10+8", "--width", "3"], &["--width", "file"]);
    refused(&["table", "4x6", "--keys", path], &["20 words", "24"]);
    refused(&["table", "4x5", "--splits", "16+3", "--keys", path], &["16+3", "19 bits", "18"]);
    refused(&["table", "4x5", "--keys", path, "--width", "17"], &["18 bits", "17"]);
    writeln!(file, "-5").unwrap();
    refused(&["table", "4x5", "--keys", path], &["`-5`"]);
}

#[test]
fn table_refuses_what_it_cannot_do() {
    for split in ["10", "10-8", "+", "a+b", "", "10+8+2"] {
        refused(&["table", "4x5", "--splits", split], &["10+8"]);
        let (_, _, stderr) = zlab(&["table", "4x5", "--splits", split]);
        assert_eq!(stderr.matches("--splits").count(), 1, "the flag is named once: {stderr}");
    }
    refused(&["table", "4x5", "--splits", "20+13"], &["20+13", "32 bits"]);
    refused(&["table", "4x5", "--splits", "32+0"], &["32+0", "GiB", "available", "bits fit"]);
    refused(&["table", "4x5", "--splits", "15+4", "--keys", "exact-literal"], &["19", "18"]);
    refused(&["table", "1x9", "--splits", "4+4", "--keys", "exact-mixed"], &["two rows"]);
    refused(&["table", "4x5", "--splits", "10+6", "--keys", "distance:9"], &["16 bits", "8 is"]);
    refused(&["table", "4x5", "--keys", "distance:x"], &["distance:6"]);
    refused(&["table", "4x5", "--keys", "no/such/file"], &["no/such/file"]);
    refused(&["table", "4x5", "--mix", "0"], &["--mix"]);
    refused(&["table", "4x5", "--width", "65"], &["--width"]);
    refused(&["table", "4x5", "--count", "61"], &["61", "60"]);
    refused(&["table", "4x5", "--count", "0"], &["--count"]);
    refused(&["table", "4x5", "--splits", "0+8", "--rule", "bucket"], &["0+8", "bucket"]);
    refused(&["table", "4x5", "--rule", "sometimes"], &["sometimes"]);
    for board in ["6x6", "7x7"] {
        refused(&["table", board], &[board, "squares", "32 at most", "5x6"]);
        refused(&["table", board, "--holds", "count"], &[board, "32 at most"]);
        refused(&["table", board, "--compare-designs"], &[board, "32 at most"]);
    }
    refused(&["table", "2x1", "--keys", "exact-literal"], &["2x1", "two rows and columns"]);
    refused(&["solve", "4x5", "--table-bits", "41"], &["41", "2 to 40"]);
    refused(&["solve", "8x8"], &["8x8", "64 squares", "61"]);
    refused(&["solve", "4x5", "--root", "middle"], &["middle"]);
    refused(&["latency", "--addresses", "32"], &["32", "31"]);
    refused(&["latency", "--check", "25"], &["25", "24"]);
    refused(&["latency", "--kernel", "magic"], &["magic", "packed"]);
}

#[test]
fn flags_that_do_not_apply_are_refused() {
    refused(&["solve", "4x5", "--seed", "3"], &["--seed", "--orders"]);
    refused(&["solve", "4x5", "--verdicts", "--seed", "3"], &["--seed", "--orders"]);
    refused(&["solve", "4x5", "--verdicts", "--table-bits", "9"], &["--table-bits"]);
    refused(&["solve", "4x5", "--orders", "--root", "left"], &["--root"]);
    for keys in ["essays", "exact-literal"] {
        refused(&["table", "4x5", "--keys", keys, "--seed", "3"], &["--seed", keys]);
    }
    for given in [["--keys", "random"], ["--mix", "2"], ["--width", "9"]] {
        let arguments = [&["table", "4x5", "--compare-designs"][..], &given].concat();
        refused(&arguments, &["--compare-designs", given[0]]);
    }
    for alone in ["--seeds", "--restarts"] {
        refused(&["table", "4x5", alone, "2"], &["--compare-designs"]);
    }
    refused(&["table", "4x5", "--compare-designs", "--splits", "10+10"], &["10+10", "1 to 19"]);
    refused(&["table", "4x5", "--compare-designs", "--count", "0"], &["--count"]);
    // Sums of reachable pairs that a search for codes cannot hold.
    let few = ["table", "4x6", "--splits", "1+1", "--compare-designs", "--count", "1"];
    let few = [&few[..], &["--seeds", "1", "--restarts", "1"]].concat();
    refused(&few, &["--splits: a random key of 2 bits", "want more bits"]);
}

#[test]
fn table_compares_designs() {
    let arguments = ["table", "3x4", "--splits", "5+4,4+2", "--compare-designs"];
    let compared = document(&[&arguments[..], &["--seeds", "3", "--count", "20"]].concat());
    holds(&compared, &json!({"board": "3x4", "seeds": [1, 2, 3], "keys_per_seed": 20}));
    let designs = compared["splits"][0]["designs"].as_array().unwrap();
    assert_eq!(compared["splits"][1]["designs"].as_array().unwrap().len(), designs.len());
    let names: Vec<_> = designs.iter().map(|row| row["design"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "random",
            "one-more-bit",
            "drawn-distance",
            "drawn-even",
            "distance",
            "even-distance",
            "board-read",
            "stored-read",
        ]
    );
    for row in designs {
        let seeds = row["mean_by_seed"].as_array().unwrap();
        let total: f64 = seeds.iter().map(|mean| 20.0 * mean.as_f64().unwrap()).sum();
        assert!((total - row["wrong"].as_f64().unwrap()).abs() < 1e-6, "{row}");
        let worst = row["worst_by_seed"].as_array().unwrap().iter().map(|worst| worst.as_u64());
        assert_eq!(worst.max().unwrap(), row["wrong_worst"].as_u64(), "{row}");
    }
    // The first design's keys are those that `--keys random` takes.
    let random =
        document(&["table", "3x4", "--splits", "5+4", "--keys", "random", "--count", "20"]);
    let first = designs[0]["mean_by_seed"][0].as_f64().unwrap() * 20.0;
    assert_eq!(random["splits"][0]["wrong"].as_f64(), Some(first.round()));
}

/// One key, or one seed, shows no spread.
#[test]
fn one_value_has_no_standard_error() {
    let one = ["table", "3x4", "--splits", "5+2", "--count", "1"];
    assert_eq!(document(&one)["splits"][0]["wrong_error"], Value::Null);
    let (_, text, _) = zlab(&one);
    assert!(text.lines().last().unwrap().contains("± –"), "{text}");
    let two = document(&["table", "3x4", "--splits", "5+2", "--count", "2"]);
    assert!(two["splits"][0]["wrong_error"].is_f64(), "{two}");
    let seed = ["table", "3x4", "--splits", "5+2", "--compare-designs", "--seeds", "1"];
    let seed = document(&[&seed[..], &["--count", "3", "--restarts", "2"]].concat());
    let random = &seed["splits"][0]["designs"][0];
    assert_eq!([&random["wrong_error"], &random["worst_error"]], [&Value::Null, &Value::Null]);
}

#[test]
fn latency_has_a_row_for_every_kernel() {
    let latency = document(&["latency", "--addresses", "8", "--tier", "scalar"]);
    let rows = latency["rows"].as_array().unwrap();
    assert!(rows.len() >= 3, "{latency}");
    for row in rows {
        assert_eq!((row["address"].as_u64(), row["check"].as_u64()), (Some(8), Some(16)));
        assert!(row["p50_ns"].as_u64() <= row["p999_ns"].as_u64(), "{row}");
    }
    let (_, text, _) = zlab(&["latency", "--addresses", "8", "--kernel", "packed"]);
    let (_, help, _) = zlab(&["latency", "--help"]);
    for column in ["M lookups/s", "chained", "p50", "p99.9"] {
        assert!(text.contains(column) && help.contains(column), "{column}");
    }
}
