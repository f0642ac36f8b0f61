//! Exact keys, key totals and exported words, through the command as a user has them.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use zobrist_lab::board::Board;
use zobrist_lab::census::{Census, Road};
use zobrist_lab::code::Code;
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions::{self, files};
use zobrist_lab::tier::{self, Tier};
use zobrist_lab::{exact, gf2, pairs, walsh};

fn zlab(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("zlab").unwrap();
    let output = command.args(arguments).env_remove("ZLAB_TIER").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn document(arguments: &[&str]) -> Value {
    serde_json::from_str(&zlab(&[arguments, &["--json"]].concat())).unwrap()
}

fn refused(arguments: &[&str], expected: &[&str]) {
    let mut command = Command::cargo_bin("zlab").unwrap();
    let output = command.args(arguments).env_remove("ZLAB_TIER").output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "zlab {arguments:?}: {error}");
    assert_eq!((output.stdout.len(), error.lines().count()), (0, 1), "{arguments:?}: {error}");
    for part in expected {
        assert!(error.contains(part), "zlab {arguments:?}: `{error}` should say `{part}`");
    }
}

fn words_of(document: &Value) -> Vec<u64> {
    document["words"].as_array().unwrap().iter().map(|word| word.as_u64().unwrap()).collect()
}

#[test]
fn exact_document() {
    let document = document(&["exact", "4x5"]);
    for (field, value) in [
        ("board", json!("4x5")),
        ("squares", json!(20)),
        ("exact_bits", json!(18)),
        ("proved", json!(true)),
        ("free_sets", json!(512)),
        ("largest_free_even_dimension", json!(1)),
        ("code", json!([[1], [5]])),
        ("verified_pairs", json!(592_275_474u64)),
    ] {
        assert_eq!(document[field], value, "{field}");
    }
    // The words as a solver would use them, on positions found afresh.
    let positions = positions::enumerate(&Domineering, "4x5".parse().unwrap()).unwrap();
    assert_eq!(exact::verify(&words_of(&document), &positions), Ok(592_275_474));
}

/// Free sets, and so codes and words, do not depend on the road of the census.
#[test]
fn every_road_gives_the_same_key() {
    for board in ["2x7", "3x5", "4x4"] {
        let of_tier = |tier: &str| {
            let mut document = document(&["exact", board, "--tier", tier]);
            let fields = document.as_object_mut().unwrap();
            fields.retain(|name, _| !["seconds", "peak_bytes"].contains(&name.as_str()));
            document
        };
        let scalar = of_tier("scalar");
        for tier in Tier::ALL.into_iter().filter(|tier| tier.available()) {
            assert_eq!(of_tier(&tier.to_string()), scalar, "{board}, {tier}");
        }
        let positions = positions::enumerate(&Domineering, board.parse().unwrap()).unwrap();
        let free_by = |name: String| {
            let road = Road::choose(&name, Tier::best(), &positions).unwrap();
            Census::take(&positions, &road).unwrap().free_sets()
        };
        let known = free_by("pairs/oracle".into());
        assert_eq!(json!(known.len()), scalar["free_sets"]);
        let pairs =
            tier::available(pairs::KERNELS).into_iter().map(|k| format!("pairs/{}", k.name));
        let walsh =
            tier::available(walsh::KERNELS).into_iter().map(|k| format!("walsh/{}", k.name));
        for road in pairs.chain(walsh) {
            println!("{board} by {road}");
            assert_eq!(free_by(road.clone()), known, "{board} by {road}");
        }
    }
}

/// Every row's words on every position, not through the census.
#[test]
fn a_mixed_key_is_as_exact_and_has_no_bit_of_one_feature() {
    let [plain, one, other] =
        [&["exact", "4x5"][..], &["exact", "4x5", "--mix", "1"], &["exact", "4x5", "--mix", "2"]]
            .map(|arguments| words_of(&document(arguments)));
    let positions = positions::enumerate(&Domineering, "4x5".parse().unwrap()).unwrap();
    assert_ne!(one, other);
    for words in [&one, &other] {
        assert_eq!(gf2::rank(words), 18);
        assert!(words.iter().all(|word| word >> 18 == 0), "{words:x?}");
        assert_eq!(Code::of_words(words), Code::of_words(&plain), "it cancels on the same sets");
        assert_eq!(exact::verify(words, &positions), Ok(592_275_474));
        let features = |bit: u32| words.iter().filter(|&word| word >> bit & 1 == 1).count();
        let mean = (0..18).map(features).sum::<usize>() as f64 / 18.0;
        assert!((6.0..12.0).contains(&mean), "a bit is of {mean} features");
    }
    // The plain key's are of one feature each.
    assert_eq!(plain.iter().map(|word| word.count_ones()).sum::<u32>(), 18);
    let shared = document(&["exact", "3x4", "--one-table", "--mix", "1"]);
    let bits = shared["exact_bits"].as_u64().unwrap();
    assert_eq!(gf2::rank(&words_of(&shared)) as u64, bits);
}

#[test]
fn every_exact_key_of_an_atlas_is_exact_on_the_positions() {
    let document = document(&["atlas", "--squares", "18"]);
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.len() > 12);
    for row in rows {
        let board: Board = row["board"].as_str().unwrap().parse().unwrap();
        let sets: Vec<Vec<u32>> = serde_json::from_value(row["code"].clone()).unwrap();
        let sets: Vec<u64> =
            sets.iter().map(|set| set.iter().map(|square| 1u64 << square).sum()).collect();
        let code = Code::spanned(board.squares(), &sets);
        assert_eq!(row["exact_bits"], code.bits());
        let positions = positions::enumerate(&Domineering, board).unwrap();
        assert_eq!(exact::verify(&code.words(), &positions), Ok(positions.pairs()), "{board}");
    }
}

#[test]
fn a_transposed_board_has_the_same_length_and_census() {
    for (board, transposed) in [("2x5", "5x2"), ("3x4", "4x3"), ("2x7", "7x2")] {
        let [one, other] = [document(&["exact", board]), document(&["exact", transposed])];
        for field in ["exact_bits", "free_sets", "largest_free_even_dimension", "verified_pairs"] {
            assert_eq!(one[field], other[field], "{field} of {board} and {transposed}");
        }
    }
}

#[test]
fn atlas_document() {
    let document = document(&["atlas", "--squares", "16"]);
    let rows = document["rows"].as_array().unwrap();
    let bits: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| (row["board"].as_str().unwrap(), row["exact_bits"].as_u64().unwrap()))
        .collect();
    let known = [
        ("2x2", 2),
        ("2x3", 4),
        ("2x4", 6),
        ("3x3", 7),
        ("2x5", 8),
        ("2x6", 10),
        ("3x4", 10),
        ("2x7", 11),
        ("3x5", 13),
        ("2x8", 13),
        ("4x4", 14),
    ];
    let mut sorted = bits.clone();
    sorted.sort_by_key(|(_, bits)| *bits);
    assert_eq!(sorted, known);
    let row = rows.iter().find(|row| row["board"] == "2x7").unwrap();
    assert_eq!((&row["left"], &row["right"]), (&json!(625), &json!(523)));
    assert_eq!((&row["free_sets"], &row["information_bits"]), (&json!(164), &json!(10)));
    let text = zlab(&["atlas", "--squares", "14"]);
    assert!(text.contains("breaks \"squares less two\"") && text.contains("2x7: no two"), "{text}");
}

/// What a run that is stopped leaves behind is what a whole one says of those boards.
#[test]
fn an_atlas_is_kept_board_by_board() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let said = document(&["atlas", "--squares", "14", "--out", path]);
    let kept = std::fs::read_to_string(directory.path().join("atlas.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), said);
    let csv = std::fs::read_to_string(directory.path().join("atlas.csv")).unwrap();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let rows = said["rows"].as_array().unwrap();
    assert_eq!(lines.len(), rows.len() + 1);
    for (line, row) in lines[1..].iter().zip(rows) {
        assert_eq!(line.len(), lines[0].len());
        for field in ["board", "squares", "free_sets", "exact_bits", "proved", "saved", "lookups"] {
            let column = lines[0].iter().position(|name| *name == field).unwrap();
            assert_eq!(line[column], row[field].to_string().trim_matches('"'), "{field}");
        }
    }
    let last = lines.last().unwrap();
    assert_eq!((last[0], *last.last().unwrap()), ("2x7", "0|1 7|1 2 3 4 5 6 8 9 10 11 12"));
    let text = zlab(&["exact", "3x4"]);
    let proof = "proof: of a space of dimension 2 one set is even on 1 of the 1 parities below";
    assert!(text.contains(proof) && text.contains("  0 free sets are"), "{text}");
    assert!(text.contains("\n  ....\n  ####\n  ....\n\nwords"), "{text}");
}

/// The free sets of the boards beyond memory, as they are on record: an odd number of the
/// squares in every other row in all of them.
#[test]
fn recorded_free_sets_are_proved_by_one_parity() {
    for (name, positions, free_sets, bits) in [
        ("5x7", [164_797_720, 159_914_782], 98_304, 33),
        ("6x6", [303_267_289, 303_267_289], 131_072, 34),
    ] {
        let board: Board = name.parse().unwrap();
        let path = format!("{}/results/scale/{name}-free-sets.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let set = |line: &str| {
            line.split_whitespace().map(|square| 1u64 << square.parse::<u32>().unwrap()).sum()
        };
        let free: Vec<u64> = text.lines().map(set).collect();
        let columns = board.columns();
        let dark = |square: &usize| (square / columns + square % columns).is_multiple_of(2);
        let dark: u64 = (0..board.squares()).filter(dark).map(|square| 1 << square).sum();
        assert!(free.iter().all(|set| set & dark == 0 || set & !dark == 0), "of one shade");
        let quiet = ProgressBar::hidden();
        let found =
            exact::of_free_sets(board.squares(), positions, &free, exact::EFFORT, &quiet).unwrap();
        assert_eq!((found.free_sets, found.code.bits()), (free_sets, bits), "{name}");
        assert!(found.proved());
        let rows = (1..board.rows()).step_by(2);
        let row = (1u64 << board.columns()) - 1;
        let every_other = rows.fold(0, |set, i| set | row << (i * board.columns()));
        let weighed = found.weighed.expect("a proof by a parity");
        assert_eq!((&weighed.parities[..], weighed.heavy), (&[every_other][..], 0));
    }
}

#[test]
fn positions_from_files_get_the_boards_answer() {
    let directory = tempfile::tempdir().unwrap();
    let board: Board = "3x4".parse().unwrap();
    let positions = positions::enumerate(&Domineering, board).unwrap();
    for format in [files::Format::Text, files::Format::Npy] {
        let paths = files::write(directory.path(), format, board, &positions).unwrap();
        let both = paths.map(|path| path.display().to_string()).join(",");
        let document = document(&["exact", "--positions", &both]);
        assert_eq!(document["exact_bits"], 10);
        assert_eq!(document["verified_pairs"], 60_588);
    }
    // Spread over sixty of 64 features: a table of all sets could not be held.
    let wide = |set: &u64| (0..12).map(|s| (set >> s & 1) * (0b10001 << (5 * s))).sum::<u64>();
    let spread = |name: &str, list: &[u64]| {
        let path = directory.path().join(name);
        files::write_npy(&path, &list.iter().map(wide).collect::<Vec<_>>()).unwrap();
        path.display().to_string()
    };
    let wide = [spread("a.npy", &positions.left), spread("b.npy", &positions.right)].join(",");
    let exact = document(&["exact", "--positions", &wide]);
    assert_eq!((&exact["exact_bits"], &exact["squares"]), (&json!(10), &json!(60)));
    let census = document(&["census", "--positions", &wide]);
    assert_eq!((&census["kernel"], &census["pairs"]), (&json!("pairs/sorted"), &json!(60_588)));
    // Every feature is doubled: sets of four are the board's sets of two.
    let board = document(&["census", "3x4"]);
    assert_eq!(census["by_size"][1]["pairs"], board["by_size"][0]["pairs"]);
    assert_eq!(census["by_size"][1]["max"], board["by_size"][0]["max"]);
    let set = document(&["census", "--positions", &wide, "--set", "0,4,20,24"]);
    assert_eq!(set["pairs"], document(&["census", "3x4", "--set", "0,4"])["pairs"]);
    refused(&["census", "--positions", &wide, "--free"], &["--free", "too many"]);
    let out = directory.path().join("out");
    zlab(&["census", "--positions", &wide, "--out", out.to_str().unwrap()]);
    for name in ["sets.npy", "counts.npy", "price-list.csv"] {
        assert!(out.join(name).exists(), "{name}");
    }
}

#[test]
fn one_table_separates_the_movers() {
    let document = document(&["exact", "3x4", "--one-table"]);
    let (words, bits) = (words_of(&document), document["exact_bits"].as_u64().unwrap());
    assert_eq!((words.len(), bits), (13, 11));
    let positions = positions::enumerate(&Domineering, "3x4".parse().unwrap()).unwrap();
    let left = positions.left.iter().map(|&set| gf2::times(&words, set));
    let right = positions.right.iter().map(|&set| gf2::times(&words, set) ^ words[12]);
    let mut keys: Vec<u64> = left.chain(right).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), positions.total());
}

/// Compiles `source` with `compiler`, runs it and returns what it prints.
fn compiled(directory: &Path, name: &str, source: &str, compiler: &[&str]) -> String {
    let file = directory.join(name);
    std::fs::write(&file, source).unwrap();
    let program: PathBuf = directory.join(format!("{name}.out"));
    let mut command = std::process::Command::new(compiler[0]);
    let output = command.args(&compiler[1..]).arg(&file).arg("-o").arg(&program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = std::process::Command::new(program).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn exported_words_compile_and_are_the_words() {
    let directory = tempfile::tempdir().unwrap();
    for (arguments, exact) in [
        (&["exact", "3x4"][..], "Exact: no two positions"),
        (&["exact", "2x7"], "Exact: no two positions"),
        (&["design", "3x4", "--bits", "10"], "Exact: no two of the positions"),
        (&["design", "3x4", "--bits", "8", "--seed", "3"], "Not exact: confuses"),
    ] {
        let words = words_of(&document(arguments));
        let printed: String = words.iter().map(|word| format!("{word}\n")).collect();
        let export = |language| {
            let text = zlab(&[arguments, &["--export", language]].concat());
            let made = format!("zlab {} --export {language}", arguments.join(" "));
            for part in [&made, arguments[1], exact] {
                assert!(text.contains(part), "`{text}` should say `{part}`");
            }
            text
        };
        let rust = export("rust")
            + "fn main() {\n    assert!(ZOBRIST_BITS > 0);\n    \
               for word in ZOBRIST_WORDS {\n        println!(\"{word}\");\n    }\n}\n";
        let rustc = ["rustc", "--edition=2021", "--deny=warnings"];
        assert_eq!(compiled(directory.path(), "words.rs", &rust, &rustc), printed);
        let c = export("c")
            + "#include <stdio.h>\nint main(void) {\n    \
               for (int i = 0; i < (int)(sizeof ZOBRIST_WORDS / sizeof *ZOBRIST_WORDS); i++)\n        \
               printf(\"%llu\\n\", (unsigned long long)ZOBRIST_WORDS[i]);\n    \
               return ZOBRIST_BITS == 0;\n}\n";
        let cc = ["cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"];
        assert_eq!(compiled(directory.path(), "words.c", &c, &cc), printed);
        std::fs::write(directory.path().join("words.h"), export("c")).unwrap();
        let twice = "#include \"words.h\"\n#include \"words.h\"\n\
                     int main(void) { return ZOBRIST_WORDS[0] == ~0u; }\n";
        assert_eq!(compiled(directory.path(), "twice.c", twice, &cc), "");
        let json: Value = serde_json::from_str(&export("json")).unwrap();
        assert_eq!(json["words"], json!(words));
        let text = export("text");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let read: Vec<u64> =
            lines.map(|line| u64::from_str_radix(&line[2..], 16).unwrap()).collect();
        assert_eq!(read, words);
    }
}

#[test]
fn keys_document() {
    let document = document(&["keys", "4x5", "--bits", "17..18", "--set", "essays"]);
    assert_eq!((&document["over"], &document["count"]), (&json!("stored"), &json!(60)));
    let row = &document["lengths"][1];
    for (field, value) in [
        ("bits", 18),
        ("pairs", 1749),
        ("families", 98),
        ("codewords", 228),
        ("even", 120),
        ("costly", 120),
        ("worst_pairs", 136),
        ("worst_key", 37),
        ("keys_confusing", 58),
    ] {
        assert_eq!(row[field], value, "{field}");
    }
    assert_eq!(document["lumps"][0]["from"], 17);
    let reachable = zlab(&["keys", "2x4", "--bits", "6", "--over", "reachable", "--set", "random"]);
    assert!(reachable.starts_with("2x4: 60 random keys over reachable positions, 654 same-mover"));
}

/// One key alone shows no spread.
#[test]
fn one_key_has_no_standard_error() {
    let found = document(&["keys", "3x4", "--bits", "8", "--count", "1"]);
    assert_eq!(found["lengths"][0]["standard_error"], Value::Null);
    let text = zlab(&["keys", "3x4", "--bits", "8", "--count", "1"]);
    let row = text.lines().find(|line| line.trim_start().starts_with("8 ")).unwrap();
    assert_eq!(row.split_whitespace().nth(10), Some("–"), "{text}");
    let two = document(&["keys", "3x4", "--bits", "8", "--count", "2"]);
    assert!(two["lengths"][0]["standard_error"].is_f64(), "{two}");
}

#[test]
fn bad_input_is_refused_in_one_line() {
    refused(&["exact"], &["BOARD"]);
    refused(&["exact", "4x"], &["4x5"]);
    refused(&["exact", "8x8"], &["8x8", "available"]);
    refused(&["exact", "2x4", "--export", "cobol"], &["cobol", "rust"]);
    refused(&["exact", "--positions", "/nonexistent.txt"], &["/nonexistent.txt"]);
    refused(&["exact", "--positions", "a,b,c"], &["--positions", "LEFT,RIGHT"]);
    refused(&["atlas"], &["--squares"]);
    refused(&["atlas", "--squares", "3"], &["--squares", "3"]);
    refused(&["atlas", "--squares", "37"], &["--squares", "37"]);
    refused(&["atlas", "--squares", "36"], &["a census of 6x6 needs 128.0 GiB", "available"]);
    for bits in ["0", "33", "20..12", "x", ""] {
        refused(&["keys", "2x4", &format!("--bits={bits}")], &["--bits"]);
    }
    refused(&["keys", "2x4", "--count", "0"], &["--count"]);
    refused(&["keys", "2x4", "--count", "61"], &["--count", "60 keys"]);
    refused(&["keys", "2x4", "--set", "few"], &["few", "essays"]);
    refused(&["keys", "2x4", "--set", "random", "--seed", "-1"], &["-1"]);
    refused(&["keys", "2x4", "--seed", "3"], &["--seed", "essays", "--set random"]);
    refused(&["keys", "8x8"], &["8x8", "available"]);
}
