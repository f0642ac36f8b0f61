//! The command's documents and files, as scripts read them.

use assert_cmd::Command;
use serde_json::{Value, json};

fn zlab(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("zlab").unwrap();
    let output = command.args(arguments).env_remove("ZLAB_TIER").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn document(arguments: &[&str]) -> Value {
    serde_json::from_str(&zlab(&[arguments, &["--json"]].concat())).unwrap()
}

fn fields(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn positions_document() {
    let document = document(&["positions", "2x4"]);
    assert_eq!(
        fields(&document),
        ["board", "game", "left", "right", "total", "by_dominoes", "peak_bytes"]
    );
    assert_eq!(document["left"], 28);
    assert_eq!(document["total"], 52);
    assert_eq!(document["by_dominoes"][1], json!({"dominoes": 1, "left": 6, "right": 4}));
    let document = self::document(&["positions", "2x3", "--game", "clobber"]);
    let head = ["board", "game", "left", "right", "total", "by_stones", "peak_bytes"];
    assert_eq!(fields(&document), head);
    assert_eq!(document["by_stones"][6], json!({"stones": 6, "left": 1, "right": 1}));
    assert_eq!(document["by_stones"].as_array().unwrap().len(), 7);
}

#[test]
fn census_document() {
    let document = document(&["census", "2x4", "--free"]);
    let contract = [
        "board",
        "game",
        "left",
        "right",
        "pairs",
        "kernel",
        "threads",
        "seconds",
        "percentiles_seconds",
        "free_sets",
        "by_size",
        "free",
        "peak_bytes",
    ];
    assert_eq!(fields(&document), contract);
    assert_eq!((&document["pairs"], &document["free_sets"]), (&json!(654), &json!(8)));
    assert_eq!(
        fields(&document["by_size"][0]),
        ["squares", "sets", "pairs", "mean", "max", "free", "p50", "p90", "p99"]
    );
    let free = document["free"].as_array().unwrap();
    assert_eq!(free.len(), 8);
    // Same shade, rows of different parity.
    assert_eq!(free[0], json!([0, 5]));
    let without = contract.into_iter().filter(|field| *field != "free").collect::<Vec<_>>();
    assert_eq!(fields(&self::document(&["census", "2x4"])), without);
}

#[test]
fn one_set_is_looked_up() {
    let document = document(&["census", "4x5", "--set", "15, 0,4,7"]);
    assert_eq!(fields(&document), ["board", "set", "pairs"]);
    assert_eq!(document["set"], json!([0, 4, 7, 15]));
    assert_eq!(document["pairs"], 1_551);
    let odd = zlab(&["census", "2x4", "--set", "0,1,2"]);
    assert!(odd.contains("0 pairs") && odd.contains("odd"), "{odd}");
    let empty = self::document(&["census", "2x4", "--set", "0,5"]);
    assert_eq!(empty["pairs"], 0);
}

#[test]
fn files_round_trip_through_the_command() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().to_str().unwrap();
    for format in ["npy", "text"] {
        zlab(&["positions", "3x4", "--out", out, "--format", format]);
        let ending = if format == "npy" { "npy" } else { "txt" };
        let files = format!("{out}/left.{ending},{out}/right.{ending}");
        for board in [&["3x4"][..], &[]] {
            if board.is_empty() && format == "npy" {
                continue; // An array does not say how many squares its board has: 3x4 uses all twelve, but by luck.
            }
            let read = document(&[&["census"], board, &["--positions", &files]].concat());
            let direct = document(&["census", "3x4"]);
            assert_eq!(read["by_size"], direct["by_size"], "{format} {board:?}");
        }
    }
}

#[test]
fn census_files() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path();
    zlab(&["census", "2x4", "--out", out.to_str().unwrap()]);
    let mut names: Vec<_> = out
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["cells.npy", "free.txt", "price-list.csv"]);
    let prices = std::fs::read_to_string(out.join("price-list.csv")).unwrap();
    assert!(prices.starts_with("squares,sets,pairs,mean,max,free,p50,p90,p99\n2,28,"), "{prices}");
    assert_eq!(std::fs::read_to_string(out.join("free.txt")).unwrap().lines().count(), 8);
    let cells = std::fs::read(out.join("cells.npy")).unwrap();
    assert!(cells.starts_with(b"\x93NUMPY") && cells.len() > 4 * 128);
}

#[test]
fn each_tier_and_thread_count_gives_the_same_census() {
    let all = document(&["census", "3x5"]);
    for tier in zobrist_lab::tier::Tier::ALL.into_iter().filter(|tier| tier.available()) {
        for threads in ["1", "2"] {
            let one =
                document(&["census", "3x5", "--tier", &tier.to_string(), "--threads", threads]);
            assert_eq!(one["by_size"], all["by_size"], "{tier} on {threads}");
            assert_eq!(one["threads"].to_string(), threads);
        }
    }
}

#[test]
fn the_tier_variable_lowers_the_ceiling() {
    let mut command = Command::cargo_bin("zlab").unwrap();
    let output = command.args(["kernels", "--json"]).env("ZLAB_TIER", "portable").output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["ceiling"], "portable");
}

#[test]
fn files_that_no_board_vouches_for_are_of_no_game() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("sets.txt");
    std::fs::write(&path, "....|....\n##..|....\n").unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(document(&["census", "--positions", path])["game"], Value::Null);
    assert_eq!(document(&["census", "2x4", "--positions", path])["game"], "domineering");
}

#[test]
fn kernels_are_listed_and_explained() {
    let document = document(&["kernels", "--tier", "scalar"]);
    assert_eq!(document["ceiling"], "scalar");
    for family in document["families"].as_array().unwrap() {
        let kernels = family["kernels"].as_array().unwrap();
        let picked = kernels.iter().find(|row| row["kernel"] == family["picked"]).unwrap();
        assert_eq!(picked["tier"], "scalar");
        for row in kernels {
            let missing = row["missing"].as_array().unwrap();
            assert_eq!(row["available"], json!(missing.is_empty()));
        }
    }
}

#[test]
fn cram_document() {
    let document = document(&["cram", "4x5", "--clause", "naive"]);
    let counts = ["fires", "wrong", "fires_on_wins"];
    let head = ["board", "positions", "wins", "empty_wins", "pairing", "clause"];
    assert_eq!(fields(&document), [&head[..], &counts, &["by_dominoes"]].concat());
    assert_eq!(document["positions"], 58_830);
    assert_eq!((&document["fires"], &document["wrong"]), (&json!(8_613), &json!(1_026)));
    assert_eq!((&document["pairing"], &document["clause"]), (&json!("half-turn"), &json!("naive")));
    let layer = &document["by_dominoes"][1];
    assert_eq!(fields(layer), [&["dominoes", "positions", "wins"][..], &counts].concat());
    assert_eq!((&layer["fires_on_wins"], &layer["wins"]), (&json!(26), &json!(26)));
    let list = "half-turn,left-right,top-bottom";
    assert_eq!(self::document(&["cram", "4x5", "--pairing", list])["fires"], 6_863);
    let naive = zlab(&["cram", "4x5", "--clause", "naive"]);
    assert!(naive.contains("the first wrong position, 1 domino placed:"), "{naive}");
    assert!(!zlab(&["cram", "4x5"]).contains("wrong position"));
}

#[test]
fn cram_policies_document() {
    let document = document(&["cram", "4x4", "--policies"]);
    assert_eq!(
        document["choices"],
        json!([{"pairing": "half-turn", "clause": "strict", "fires": 1_612, "wrong": 0}])
    );
    let head = ["board", "empty_wins", "order", "starts", "placed", "seed", "starts_won"];
    assert_eq!(fields(&document), [&head[..], &["choices", "policies"]].concat());
    // Twenty positions with two dominoes by seed 1, seventeen of them wins.
    let sample = ["starts", "placed", "seed", "starts_won"].map(|name| &document[name]);
    assert_eq!(sample, [&json!(20), &json!(2), &json!(1), &json!(17)]);
    let rows = document["policies"].as_array().unwrap();
    assert_eq!(fields(&rows[0]), ["pairing", "clause", "policy", "empty", "sample"]);
    for row in rows {
        let effort = ["nodes", "checks", "tests", "seconds", "wins"];
        assert_eq!((fields(&row["empty"]), fields(&row["sample"])), (effort.into(), effort.into()));
        assert_eq!((&row["empty"]["wins"], &row["sample"]["wins"]), (&json!(0), &json!(17)));
    }
    let effort = |policy: &str| {
        let row = rows.iter().find(|row| row["policy"] == policy).unwrap();
        (row["empty"]["nodes"].as_u64().unwrap(), row["empty"]["checks"].as_u64().unwrap())
    };
    assert_eq!(effort("no check"), (3_017, 0));
    assert_eq!(effort("every node"), (25, 260));
    assert_eq!(effort("root only"), (3_017, 24));
    assert_eq!(effort("first 2 plies"), (25, 260));
    assert_eq!(effort("at most 8 free"), (2_856, 8_658));
    assert!(zlab(&["cram", "4x4", "--policies"]).contains("all answers agree"));
}

#[test]
fn cram_policies_that_trust_the_naive_clause_fail() {
    let mut command = Command::cargo_bin("zlab").unwrap();
    let arguments = ["cram", "4x4", "--policies", "--pairing", "all", "--clause", "naive"];
    let output = command.args(arguments).env_remove("ZLAB_TIER").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn cram_solve_document() {
    let document = document(&["cram", "5x5", "--solve", "--rectangles"]);
    let head = ["pairing", "clause", "plies", "table_bytes", "threads", "seconds", "boards"];
    assert_eq!(fields(&document), head);
    let boards = document["boards"].as_array().unwrap();
    assert_eq!(boards.len(), 15);
    let row = ["board", "empty_wins", "nodes", "tests", "evictions", "seconds"];
    assert_eq!(fields(&boards[0]), row);
    let lost: Vec<&str> = boards
        .iter()
        .filter(|row| row["empty_wins"] == false)
        .map(|row| row["board"].as_str().unwrap())
        .collect();
    assert_eq!(lost, ["1x1", "2x2", "1x5", "2x4", "3x3", "4x4", "5x5"]);
    let table = |mebibytes| {
        self::document(&["cram", "3x3", "--solve", "--table", mebibytes])["table_bytes"].clone()
    };
    assert_eq!(
        ["1", "2", "3", "7"].map(table),
        [1, 2, 2, 4].map(|mebibytes| json!(mebibytes << 20))
    );
}
