//! `census --shards`: the same document as the direct road's, whatever happens on the way.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn zlab(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_zlab")).args(arguments).output().expect("zlab starts")
}

/// The document of a command that must succeed, and what it wrote on stderr.
fn document(arguments: &[&str]) -> (Value, String) {
    let output = zlab(&[arguments, &["--json"]].concat());
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {errors}");
    (serde_json::from_slice(&output.stdout).expect("one JSON document"), errors)
}

/// The one line on stderr of a command that must be refused.
fn refusal(arguments: &[&str]) -> String {
    let output = zlab(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    errors
}

/// Asserts that two documents have the same counts.
fn same_counts(a: &Value, b: &Value) {
    for field in ["board", "game", "left", "right", "pairs", "free_sets", "by_size", "free"] {
        assert_eq!(a[field], b[field], "{field}");
    }
}

fn shard_files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.map(|name| name.into_string().unwrap());
    let mut names: Vec<String> =
        names.filter(|name| name.starts_with("shard-") && name.len() == 10).collect();
    names.sort();
    names
}

#[test]
fn shards_of_any_size_make_the_direct_document() {
    for (board, memories) in [("4x5", &["200K", "400K", "1G"][..]), ("4x6", &["4M", "9M"])] {
        let (direct, _) = document(&["census", board, "--free"]);
        let mut numbers = Vec::new();
        for memory in memories {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().to_str().unwrap();
            let (sharded, _) =
                document(&["census", board, "--shards", path, "--memory", memory, "--free"]);
            same_counts(&direct, &sharded);
            numbers.push(sharded["shards"].as_u64().unwrap());
            let (merged, _) = document(&["census", "merge", path, "--free"]);
            same_counts(&direct, &merged);
            assert_eq!(shard_files(folder.path()).len() as u64, merged["shards"]);
            let (plan, _) = document(&["census", board, "--explain", "--shards", path]);
            assert_eq!(plan["shards"], merged["shards"], "the folder's plan is explained");
        }
        assert!(numbers.first() > numbers.last(), "less memory makes more shards: {numbers:?}");
    }
}

#[test]
fn thirty_squares_in_shards_have_the_direct_price_list() {
    if zobrist_lab::memory::available().is_some_and(|free| free < 5 << 30) {
        return println!("skipped: less than 5 GiB of memory are free");
    }
    let (direct, _) = document(&["census", "5x6"]);
    assert_eq!(direct["pairs"], 73_632_055_405_673_u64);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let (sharded, _) = document(&["census", "5x6", "--shards", path, "--memory", "600M"]);
    assert!(sharded["shards"].as_u64().unwrap() > 1);
    same_counts(&direct, &sharded);
}

#[test]
fn what_is_missing_or_wrong_is_named_and_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let count = ["census", "4x5", "--shards", path, "--memory", "200K"];
    let (whole, _) = document(&count);
    let files = shard_files(folder.path());
    assert!(files.len() >= 4, "{files:?}");
    let file = |index: usize| folder.path().join(&files[index]);
    let third = fs::read(file(2)).unwrap();

    fs::remove_file(file(0)).unwrap();
    let mut flipped = fs::read(file(1)).unwrap();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    fs::write(file(1), &flipped).unwrap();
    fs::write(file(3), &third).unwrap();
    let errors = refusal(&["census", "merge", path]);
    assert!(errors.contains("shard 0 is missing"), "{errors}");
    assert!(errors.contains("shard-0001: its checksum does not fit"), "{errors}");
    assert!(errors.contains("shard-0003: it is another shard of this plan"), "{errors}");

    let untouched = fs::metadata(file(2)).unwrap().modified().unwrap();
    let (again, errors) = document(&count);
    same_counts(&whole, &again);
    assert!(
        errors.contains("shard-0001: its checksum does not fit: counting it again"),
        "{errors}"
    );
    assert_eq!(fs::metadata(file(2)).unwrap().modified().unwrap(), untouched, "counted once");

    // A shard of another plan of the same board, and a folder of another board.
    let other = tempfile::tempdir().unwrap();
    let other_path = other.path().to_str().unwrap();
    document(&["census", "4x5", "--shards", other_path, "--memory", "1G"]);
    fs::copy(other.path().join("shard-0000"), file(0)).unwrap();
    let errors = refusal(&["census", "merge", path]);
    assert!(errors.contains("shard-0000: it belongs to another plan"), "{errors}");
    let errors = refusal(&["census", "4x6", "--shards", path]);
    assert!(errors.contains("holds shards of 4x5 domineering: want another folder"), "{errors}");
    let plan = folder.path().join("plan.json");
    fs::write(
        &plan,
        fs::read_to_string(&plan).unwrap().replace("\"version\": 1", "\"version\": 9"),
    )
    .unwrap();
    let errors = refusal(&count);
    assert!(errors.contains("a plan of version 9: want 1"), "{errors}");
}

#[test]
fn a_run_killed_at_any_moment_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let count = ["census", "4x6", "--shards", path, "--memory", "2500K"];
    for kill_after in [0, 1, 3] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zlab"))
            .args(count)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while shard_files(folder.path()).len() < kill_after + 1
            && start.elapsed() < Duration::from_secs(60)
        {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "killed before it was done");
    }
    let before = shard_files(folder.path()).len();
    assert!(before >= 4);
    let (direct, _) = document(&["census", "4x6"]);
    let (resumed, _) = document(&count);
    same_counts(&direct, &resumed);
    assert!(shard_files(folder.path()).len() > before, "there was something left to count");
}

#[test]
fn parts_are_counted_by_different_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let part = |part: &str| {
        document(&["census", "4x5", "--shards", path, "--shard", part, "--memory", "200K"]).0
    };
    let first = part("1/2");
    let all = first["shards"].as_u64().unwrap();
    let counted: Vec<u64> = (0..all).step_by(2).collect();
    let missing: Vec<u64> = (1..all).step_by(2).collect();
    assert_eq!(first["counted"], serde_json::json!(counted));
    assert_eq!(first["missing"], serde_json::json!(missing));
    let whole = part("2/2");
    same_counts(&whole, &document(&["census", "4x5"]).0);
}

#[test]
fn a_folder_is_one_processs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let count = ["census", "4x5", "--shards", path, "--memory", "200K"];
    let held = fs::File::create(folder.path().join("lock")).unwrap();
    held.try_lock().unwrap();
    fs::write(folder.path().join("lock"), "process 77 on elsewhere\n").unwrap();
    let errors = refusal(&count);
    assert!(errors.contains("process 77 on elsewhere is counting these shards"), "{errors}");
    drop(held);
    document(&count);
    // Parts share the folder, but not a part.
    let held = fs::File::create(folder.path().join("lock-1-of-2")).unwrap();
    held.try_lock().unwrap();
    assert!(refusal(&[&count[..], &["--shard", "1/2"]].concat()).contains("lock-1-of-2"));
    document(&[&count[..], &["--shard", "2/2"]].concat());
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let mounted = |size: &str, then: &str| {
        let script = format!("mount -t tmpfs -o size={size} tmpfs {path} && {then}");
        Command::new("unshare").args(["--map-root-user", "--mount", "sh", "-c", &script]).output()
    };
    match mounted("64k", "true") {
        Ok(output) if output.status.success() => {}
        other => {
            println!("skipped: no tmpfs can be mounted here ({other:?})");
            return;
        }
    }
    let zlab = env!("CARGO_BIN_EXE_zlab");
    let count = format!("{zlab} census 4x5 --shards {path} --memory 200K");
    let output = mounted("32k", &format!("{count}; code=$?; ls {path} >&2; exit $code")).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("No space left on device"), "{errors}");
    assert!(!errors.contains("partial"), "nothing half-written stays: {errors}");
    // With room for what is missing, the same folder goes on.
    let grow = format!("{count}; mount -o remount,size=10m {path} && {count} --json");
    let output = mounted("32k", &grow).unwrap();
    assert!(output.status.success());
    let resumed: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    same_counts(&resumed, &document(&["census", "4x5"]).0);
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for (arguments, want) in [
        (&["4x5", "--shards", path, "--memory", "10K"][..], "the smallest shards of 4x5 need"),
        (&["4x5", "--shards", path, "--memory", "much"], "want a number of bytes"),
        (&["4x5", "--shards", path, "--shard", "3/2"], "want I/N with 1 <= I <= N"),
        (&["4x5", "--shards", path, "--shard", "0/2"], "want I/N with 1 <= I <= N"),
        (&["4x5", "--shard", "1/2"], "--shards"),
        (&["4x5", "--memory", "1G"], "want --shards DIR beside it"),
        (&["2x3", "--shards", path], "2x3 is too small to be cut into shards"),
        (&["4x5", "--game", "cram", "--shards", path], "cram cannot be cut into shards"),
        (&["4x5", "--set", "0,1", "--shards", path], "cannot be used with"),
        (&["merge", path], "plan.json"),
        (&["merge"], "required"),
    ] {
        let errors = refusal(&[&["census"], arguments].concat());
        assert!(errors.contains(want), "{arguments:?}: {errors}");
    }
    assert!(fs::read_dir(path).unwrap().next().is_none(), "nothing was begun");
}

#[test]
fn plans_are_explained_without_being_carried_out() {
    let start = Instant::now();
    let (direct, _) = document(&["census", "6x6", "--explain"]);
    assert_eq!(direct["cells"], 1u64 << 35);
    let passes = direct["passes"].as_array().unwrap();
    let moved: u64 = passes.iter().map(|pass| pass["bytes"].as_u64().unwrap()).sum();
    assert_eq!(direct["bytes_moved"], moved);
    // 35 stages back, 35 forward, those that need more than 16 bits for each mover.
    let stages: u64 = passes.iter().map(|pass| pass["stages"].as_u64().unwrap()).sum();
    assert_eq!(stages, 17 + 3 * 18 + 17);
    let (sharded, _) = document(&["census", "6x6", "--explain", "--memory", "18G"]);
    assert!(sharded["memory_bytes"].as_u64().unwrap() <= 18 << 30);
    let shards = sharded["shards"].as_u64().unwrap();
    let each = sharded["differences_a_shard"].as_u64().unwrap();
    assert!((shards - 1) * each < sharded["differences"].as_u64().unwrap());
    // Over ranks: what each sends of its 2^32 cells, and no more memory than its share.
    let over = ["census", "6x6", "--explain", "--mpi", "--ranks", "8"];
    let (ranks, _) = document(&[&over[..], &["--wire", "1G"]].concat());
    assert_eq!(ranks["sent_bytes"], (4u64 << 32) / 8 * 7);
    assert_eq!(ranks["sending_seconds"], 14.0);
    assert_eq!(ranks["cell_stages"], (1u64 << 32) as f64 * f64::from(2 * 32 + 35));
    assert_eq!(ranks["memory_bytes"], (2u64 << 32) + (8 << 32));
    let (ranks, _) = document(&[&over[..], &["--memory", "18G"]].concat());
    assert_eq!(ranks["shards"], serde_json::json!([shards, shards.div_ceil(8)]));
    assert!(refusal(&["census", "6x6", "--explain", "--mpi"]).contains("want --ranks P"));
    assert!(start.elapsed() < Duration::from_secs(20), "nothing is counted");
}

#[test]
fn exact_keys_come_from_shards_as_from_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    document(&["census", "4x5", "--shards", path, "--memory", "400K"]);
    let (direct, _) = document(&["exact", "4x5"]);
    let (sharded, _) = document(&["exact", "4x5", "--shards", path]);
    for field in ["board", "squares", "exact_bits", "proved", "free_sets", "verified_pairs"] {
        assert_eq!(direct[field], sharded[field], "{field}");
    }
    let errors = refusal(&["exact", "4x6", "--shards", path]);
    assert!(errors.contains("it has shards of 4x5 domineering"), "{errors}");
}

#[test]
fn parts_that_begin_together_share_one_plan() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    // Each would cut the census differently.
    let parts = [("1/3", "200K"), ("2/3", "300K"), ("3/3", "200K")].map(|(part, memory)| {
        let arguments = ["census", "4x5", "--shards", path, "--shard", part, "--memory", memory];
        let command = Command::new(env!("CARGO_BIN_EXE_zlab"))
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        (arguments, command.unwrap())
    });
    for (arguments, part) in parts {
        let output = part.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        // A part that asked for less than the plan takes is refused, and may ask for enough.
        match output.status.code() {
            Some(0) => {}
            Some(2) => {
                assert!(errors.contains("were cut for"), "{errors}");
                document(&[&arguments[..6], &["--memory", "1G"]].concat());
            }
            other => panic!("{other:?}: {errors}"),
        }
    }
    same_counts(&document(&["census", "merge", path]).0, &document(&["census", "4x5"]).0);
}
