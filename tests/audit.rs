//! `zlab audit`: the document, the known answers, and every refusal.

mod common;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;
use zobrist_lab::draw;
use zobrist_lab::positions::files;

use common::zlab;

struct Keys(TempDir);

impl Keys {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

/// Exit code, standard output, standard error of `zlab audit --key KEY …`.
fn audit(key: &Path, arguments: &[&str]) -> (i32, String, String) {
    zlab(&[&["audit", "--key", key.to_str().unwrap()], arguments].concat())
}

fn document(key: &Path, arguments: &[&str]) -> Value {
    let (code, stdout, stderr) = audit(key, &[arguments, &["--json"]].concat());
    assert_eq!((code, stderr.as_str()), (0, ""));
    serde_json::from_str(&stdout).unwrap()
}

fn refused(key: &Path, arguments: &[&str], expected: &str) {
    let (code, stdout, stderr) = audit(key, arguments);
    assert_eq!((code, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
    assert!(stderr.contains(expected), "{arguments:?}: `{stderr}` should say `{expected}`");
}

fn xorshift64star() -> String {
    let mut x: u64 = 1_070_372;
    let mut text = String::from("# a chess engine's 781 words\n");
    for _ in 0..781 {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        text += &format!("{:#018x}\n", x.wrapping_mul(2_685_821_657_736_338_717));
    }
    text
}

fn essay_key(number: u32) -> String {
    draw::essay_words(number, 20).iter().map(|word| format!("{word:#010x}\n")).collect()
}

#[test]
fn a_chess_engines_words_have_the_known_dependencies() {
    let keys = Keys::new();
    let document = document(&keys.file("key", &xorshift64star()), &[]);
    assert_eq!((&document["words"], &document["width"]), (&json!(781), &json!(64)));
    assert_eq!((&document["rank"], &document["zero_words"]), (&json!(64), &json!([])));
    let truncations = document["truncations"].as_array().unwrap();
    assert_eq!(truncations.len(), 26, "16, 20, … 64, both sides");
    for (bits, three, four) in [(20, 67, 14_458), (24, 4, 922), (32, 0, 1), (48, 0, 0), (64, 0, 0)]
    {
        let top = truncations.iter().find(|cut| cut["side"] == "top" && cut["bits"] == bits);
        let found = top.unwrap()["dependencies"].as_array().unwrap();
        let counts: Vec<(&Value, &Value)> =
            found.iter().map(|d| (&d["weight"], &d["count"])).collect();
        assert_eq!(counts[2..], [(&json!(3), &json!(three)), (&json!(4), &json!(four))], "{bits}");
    }
}

#[test]
fn the_worst_essay_key_at_eighteen_bits() {
    let keys = Keys::new();
    let key = keys.file("key", &essay_key(37));
    let found = document(&key, &["4x5", "--bits", "18"]);
    assert_eq!(found["exact"], false);
    assert_eq!(found["pairs_stored"], 136);
    let families = found["families"].as_array().unwrap();
    assert_eq!(families[0]["squares"], json!([0, 4, 7, 15]));
    let stored: Vec<&Value> = families.iter().map(|family| &family["pairs_stored"]).collect();
    assert_eq!(stored, [&json!(100), &json!(25), &json!(11)]);
    let (code, text, _) = audit(&key, &["4x5", "--bits", "18"]);
    assert_eq!(code, 0);
    assert!(text.contains("#...#|..#..|.....|#...."), "the family is drawn: {text}");
}

#[test]
fn a_boards_key_is_audited_at_the_lengths_that_tell() {
    let keys = Keys::new();
    let found = document(&keys.file("key", &essay_key(1)), &["4x5"]);
    let truncations = found["truncations"].as_array().unwrap();
    let lengths: Vec<(&Value, &Value)> =
        truncations.iter().map(|cut| (&cut["side"], &cut["bits"])).collect();
    let bits = |side: &str| -> Vec<u64> {
        let of_side = lengths.iter().filter(|(s, _)| *s == side);
        of_side.map(|(_, bits)| bits.as_u64().unwrap()).collect()
    };
    assert_eq!(bits("top"), bits("low"));
    assert!([16, 20, 24, 28, 32].iter().all(|length| bits("top").contains(length)));
    assert!(bits("top").len() <= 9, "{lengths:?}");
    let sixteen = truncations.iter().find(|cut| cut["side"] == "top" && cut["bits"] == 16).unwrap();
    assert_eq!(sixteen["pairs_stored"], 90, "the essay's sixteen-bit key");
    assert_eq!((&sixteen["codewords"], &sixteen["even_codewords"]), (&json!(15), &json!(7)));
    let scale = &sixteen["expected_wrong_verdicts_scale"];
    assert_eq!(
        (&scale["unit"], &scale["this_key"]),
        (&json!("pairs of stored positions"), &json!(90))
    );
    assert_eq!(scale["random_key"], 8_969_506.0 / 65_536.0);
    assert_eq!(scale["ratio"], 90.0 / (8_969_506.0 / 65_536.0));
    for cut in truncations {
        assert_eq!(cut["exact"], cut["pairs_reachable"] == 0);
        let families = cut["families"].as_array().unwrap();
        assert_eq!(families.len() as u64, cut["families_reachable"].as_u64().unwrap().min(8));
        // Where all are listed, they add up.
        if families.len() < 8 {
            let pairs: u64 = families.iter().map(|f| f["pairs_reachable"].as_u64().unwrap()).sum();
            assert_eq!(cut["pairs_reachable"], pairs);
        }
    }
    // The first exact length of either side, after the last inexact one.
    for (side, shortest) in [("top", 22), ("low", 19)] {
        let exact = |bits: u64| {
            let cut = truncations.iter().find(|cut| cut["side"] == side && cut["bits"] == bits);
            cut.unwrap_or_else(|| panic!("{side} {bits}: {lengths:?}"))["exact"].as_bool().unwrap()
        };
        for bits in bits(side) {
            assert_eq!(exact(bits), bits >= shortest, "{side} {bits}");
        }
        assert!(exact(shortest) && !exact(shortest - 1));
    }
}

#[test]
fn the_verdict_comes_first_and_both_sides_have_families() {
    let keys = Keys::new();
    let (_, text, _) = audit(&keys.file("key", &essay_key(37)), &["4x5", "--bits", "18"]);
    assert!(text.starts_with("4x5, the top 18 bits: not exact\n"), "{text}");
    assert!(
        text.contains("expected wrong verdicts scale: 136 pairs of stored positions"),
        "{text}"
    );
    assert!(text.contains("4x5, the low 18 bits: "), "{text}");
}

/// At six bits there are too many pairs to write down, so a census is taken, by
/// the tier's road; at sixteen there is none.
#[test]
fn the_document_is_the_same_by_every_road() {
    let keys = Keys::new();
    let key = keys.file("key", &essay_key(5));
    for bits in ["6", "16"] {
        let of_tier = |tier: &str| {
            let mut document = document(&key, &["4x5", "--bits", bits, "--tier", tier]);
            document.as_object_mut().unwrap().remove("peak_bytes");
            document
        };
        let scalar = of_tier("scalar");
        for tier in zobrist_lab::tier::Tier::ALL.into_iter().filter(|tier| tier.available()) {
            assert_eq!(of_tier(&tier.to_string()), scalar, "{tier}, {bits} bits");
        }
    }
}

/// Cut to its low bits the mover's word, the top bit alone, is gone.
#[test]
fn the_movers_separation_is_that_of_the_bits_kept() {
    let keys = Keys::new();
    let words: String = (0..9).map(|bit| format!("{:#x}\n", 1 << bit)).collect();
    let key = keys.file("key", &words);
    let one_table = |bits: &str| {
        let found = document(&key, &["2x4", "--bits", bits]);
        let low = found["truncations"][1].clone();
        assert_eq!(
            (&low["side"], found["one_table"]["mover_word"].as_bool()),
            (&json!("low"), Some(true))
        );
        let separated = |of: &Value| of["one_table"]["separated"].as_bool().unwrap();
        (separated(&found), separated(&low))
    };
    assert_eq!(one_table("9"), (true, true));
    assert_eq!(one_table("8"), (true, false));
}

/// More entries are wrong than stored pairs share a key: the positions above a
/// wrong one take its verdict on.
#[test]
fn stored_pairs_do_not_bound_wrong_verdicts() {
    let keys = Keys::new();
    let key = keys.file("key", &essay_key(41));
    assert_eq!(document(&key, &["4x5", "--bits", "16"])["pairs_stored"], 106);
    let (_, text, _) = audit(&key, &["4x5", "--bits", "16"]);
    assert!(text.contains("106 stored pairs confused"), "{text}");
    assert!(text.contains("a scale, not a bound: a wrong verdict spreads"), "{text}");
    let words: String =
        draw::essay_words(41, 20).iter().map(|word| format!("{}\n", word >> 16)).collect();
    let cut = keys.file("cut", &words);
    let mut table = Command::cargo_bin("zlab").unwrap();
    table.args(["table", "4x5", "--splits", "16+0", "--width", "16", "--json", "--keys"]).arg(&cut);
    let table = table.env_remove("ZLAB_TIER").output().unwrap();
    let table: Value = serde_json::from_slice(&table.stdout).unwrap();
    assert_eq!(table["splits"][0]["wrong"], 171);
    // A key that is exact on them is believed rightly.
    let (_, text, _) = audit(&key, &["4x5", "--bits", "32"]);
    assert!(text.contains("\n0 stored pairs confused (a random key: 0.0): no verdict"), "{text}");
}

#[test]
fn exactness_is_required_or_not() {
    let keys = Keys::new();
    // Two squares of one shade in rows of different parity are left out: exact.
    let units: Vec<u32> = (0..8).map(|s| if s == 0 || s == 5 { 0 } else { 1 << s }).collect();
    let exact = keys.file("exact.json", &format!("{units:?}"));
    let (code, text, _) = audit(&exact, &["2x4", "--require-exact"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("exact: no two positions"), "{text}");
    let short = keys.file("short.json", "[1, 2, 3, 4, 5, 6, 7, 8]");
    let (code, text, stderr) = audit(&short, &["2x4", "--require-exact"]);
    assert_eq!((code, stderr.as_str()), (1, ""), "{text}");
    assert!(text.contains("not exact"), "{text}");
    let (code, ..) = audit(&short, &["2x4"]);
    assert_eq!(code, 0, "only --require-exact fails");
}

/// All of the key is exact, and the bits that the table keeps of it are not.
#[test]
fn exactness_is_required_of_the_bits_kept() {
    let keys = Keys::new();
    let key = keys.file("key", &essay_key(1));
    let split = ["4x5", "--address", "top:10", "--check", "low:4"];
    let found = document(&key, &split);
    assert_eq!(found["exact"], true);
    assert!(found["layout_pairs_reachable"].as_u64() > Some(0), "{found}");
    let (code, text, stderr) = audit(&key, &[&split[..], &["--require-exact"]].concat());
    assert_eq!((code, stderr.as_str()), (1, ""), "{text}");
    let whole = ["4x5", "--address", "top:16", "--check", "next:16", "--require-exact"];
    let (code, text, _) = audit(&key, &whole);
    assert_eq!(code, 0, "{text}");
}

/// Where the number of slots is no power of two, the slot reads check bits too.
#[test]
fn slots_that_read_check_bits_are_reported() {
    let keys = Keys::new();
    let key = keys.file("key", &essay_key(1));
    let layout = ["--address", "mulhi:1000", "--check", "next:8"];
    let found = document(&key, &layout);
    assert_eq!(found["layout"]["sound"], false);
    assert_eq!(found["layout"]["border_share"], 999.0 / 1024.0);
    let (_, text, _) = audit(&key, &layout);
    assert!(text.contains("its slot reads check bits too, for up to 97.6 % of keys"), "{text}");
    assert!(!text.contains("no bit is shared"), "{text}");
    let power = ["--address", "mulhi:1024", "--check", "next:8"];
    let found = document(&key, &power);
    assert_eq!(
        (&found["layout"]["sound"], &found["layout"]["border_share"]),
        (&json!(true), &Value::Null)
    );
    let (_, text, _) = audit(&key, &power);
    assert!(text.contains("no bit is shared or repeated"), "{text}");
}

#[test]
fn layouts_that_share_bits_are_reported() {
    let keys = Keys::new();
    let key = keys.file("key", &essay_key(1));
    let layout = |address, check| {
        document(&key, &["4x5", "--address", address, "--check", check])["layout"].clone()
    };
    let whole = layout("top:10", "next:6");
    assert_eq!((&whole["sound"], &whole["rank"]), (&json!(true), &json!(16)));
    let shared = layout("mulhi:1000", "top:16");
    assert_eq!((&shared["sound"], &shared["rank"]), (&json!(false), &json!(16)));
    assert_eq!(shared["shared_bits"].as_array().unwrap().len(), 10);
    let found = document(&key, &["4x5", "--address", "top:10", "--check", "next:6"]);
    assert_eq!(found["layout_pairs_stored"], 90, "top 16 bits");
    let (_, text, _) = audit(&key, &["--address", "top:10", "--check", "top:16"]);
    assert!(text.contains("key bits kept twice"), "{text}");
}

#[test]
fn what_a_design_prints_can_be_audited() {
    let mut command = Command::cargo_bin("zlab").unwrap();
    let output = command.args(["design", "3x4", "--bits", "10", "--json"]).output().unwrap();
    let keys = Keys::new();
    let key = keys.file("key.json", &String::from_utf8(output.stdout).unwrap());
    let found = document(&key, &["3x4", "--require-exact"]);
    assert_eq!((&found["exact"], &found["width"]), (&json!(true), &json!(10)));
}

#[test]
fn nested_literals_say_so() {
    let keys = Keys::new();
    let nested = keys.file("nested", "static const U64 Z[2][2] = { {1, 2}, {4, 8} };");
    let flat = keys.file("flat", "static const U64 Z[4] = { 1, 2, 4, 8 };");
    let (_, text, _) = audit(&nested, &[]);
    assert!(text.starts_with("arrays within an array: their words are taken one"), "{text}");
    let (found, plain) = (document(&nested, &[]), document(&flat, &[]));
    assert_eq!((&found["nested"], &plain["nested"]), (&json!(true), &json!(false)));
    assert_eq!((&found["words"], &found["rank"]), (&json!(4), &json!(4)));
}

#[test]
fn every_export_can_be_audited() {
    let keys = Keys::new();
    for language in ["rust", "c", "json", "text"] {
        let mut command = Command::cargo_bin("zlab").unwrap();
        let arguments = ["design", "3x4", "--bits", "10", "--export", language];
        let output = command.args(arguments).output().unwrap();
        let key = keys.file(language, &String::from_utf8(output.stdout).unwrap());
        let found = document(&key, &["3x4", "--width", "10"]);
        assert_eq!((&found["exact"], &found["words"]), (&json!(true), &json!(12)), "{language}");
    }
}

#[test]
fn positions_from_a_file_are_audited() {
    let keys = Keys::new();
    let positions = keys.file("positions.txt", "..|..\n#.|..\n.#|..\n##|..\n");
    let key = keys.file("key", "1 1 2 4");
    let path = positions.to_str().unwrap();
    let found = document(&key, &["--positions", path]);
    // The word 1 twice: {0} and {1} agree, and so do {} and {0,1}.
    assert_eq!((&found["pairs_reachable"], &found["exact"]), (&json!(2), &json!(false)));
    assert_eq!(found["families"][0]["squares"], json!([0, 1]));
    refused(&key, &["--positions", path, "--over", "stored"], "--over: stored: those are known");
    refused(&key, &["--positions", path, "--game", "cram"], "--game: positions without a board");
}

/// Forty features: no table of all sets, and families all the same.
#[test]
fn positions_of_many_features_are_audited() {
    let keys = Keys::new();
    let set = |i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
    let sets: Vec<u64> = (0..400).map(set).collect();
    let path = keys.0.path().join("sets.npy");
    files::write_npy(&path, &sets).unwrap();
    let key: String = draw::essay_words(1, 40).iter().map(|word| format!("{word:#x}\n")).collect();
    let key = keys.file("key", &key);
    let found = document(
        &key,
        &["--positions", path.to_str().unwrap(), "--bits", "8", "--families", "999"],
    );
    let words = draw::essay_words(1, 40);
    let low = |set: u64| (0..40).filter(|f| set >> f & 1 == 1).fold(0, |k, f| k ^ words[f]) & 255;
    let pairs = sets.iter().enumerate().flat_map(|(i, x)| sets[..i].iter().map(move |y| (*x, *y)));
    let confused = pairs.filter(|&(x, y)| low(x) == low(y)).count();
    assert_eq!(found["truncations"][1]["pairs_reachable"], confused);
    let families = found["truncations"][1]["families"].as_array().unwrap();
    let listed: u64 = families.iter().map(|f| f["pairs_reachable"].as_u64().unwrap()).sum();
    assert_eq!(listed, confused as u64);
}

#[test]
fn bad_input_gets_one_line() {
    let keys = Keys::new();
    let good = keys.file("good", &essay_key(1));
    refused(&keys.0.path().join("absent"), &[], "No such file");
    refused(&keys.file("empty", ""), &[], "no words");
    refused(&keys.file("negative", "1\n-2\n"), &[], "line 2: `-2` is negative");
    refused(&keys.file("text", "1\n\nking\n"), &[], "line 3: `king` is no word");
    refused(&keys.file("wide", "0x1ff\n"), &["--width", "8"], "has 9 bits and the key has 8");
    refused(&keys.file("typed", "uint8_t z[1] = { 256 };"), &[], "declared type has 8");
    refused(&keys.file("count", "u64 z[2] = { 256 };"), &[], "1 words where 2 are declared");
    for (name, text, problem) in [
        ("cut", "[1,2,", "line 1: `[` is not closed"),
        ("open", "[1, 2, 3", "line 1: `[` is not closed"),
        ("gap", "[1,,2]", "line 1: no word before a comma"),
        ("brace", "uint64_t k[] = {1,2,3", "line 1: `{` is not closed"),
        ("ragged", "[[1,2],[3]]", "arrays within an array: want one list of words"),
    ] {
        refused(&keys.file(name, text), &[], problem);
    }
    // All sums begin alike, and there are more of them than any memory holds.
    let many = (0..4096).map(|word| format!("{word}\n")).collect::<String>();
    let many = keys.file("most", &many);
    for weight in ["5", "6"] {
        let flags = ["--width", "128", "--bits", "1", "--threads", "8", "--weight", weight];
        refused(&many, &flags, &format!("weight {weight} among 4096 words needs"));
        refused(&many, &flags, "available");
    }
    refused(&good, &["--bits", "0"], "--bits: 0: want 1 to 32");
    refused(&good, &["--bits", "33"], "--bits: 33: want 1 to 32");
    refused(&good, &["--width", "0"], "--width");
    refused(&good, &["--width", "129"], "--width");
    refused(&good, &["--weight", "7"], "--weight");
    refused(&good, &["4x4"], "20 words and the positions have 16 features");
    for flags in [&["--require-exact"][..], &["--over", "stored"], &["--families", "3"]] {
        refused(&good, flags, "want a board or --positions: words alone have no positions");
        refused(&good, flags, flags[0]);
    }
    refused(&good, &["4x5", "--address", "top:20", "--check", "next:13"], "20 + 13 bits");
    refused(&good, &["4x5", "--address", "up:20", "--check", "next:1"], "want top:BITS");
    refused(&good, &["4x5", "--address", "top:20"], "--check");
    let many = (0..36).map(|word| format!("{word}\n")).collect::<String>();
    refused(&keys.file("many", &many), &["6x6"], "available");
}
