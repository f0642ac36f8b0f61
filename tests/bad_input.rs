//! Bad input gets one clear line on stderr, nothing on stdout and exit code 2.

mod common;

use assert_cmd::Command;

use common::zlab;

/// Asserts the refusal and that its line holds each of `expected`.
fn refused(arguments: &[&str], expected: &[&str]) {
    let (code, stdout, stderr) = zlab(arguments);
    assert_eq!((code, stdout.as_str()), (2, ""), "zlab {arguments:?}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "zlab {arguments:?}: {stderr}");
    assert!(stderr.starts_with("error: "), "zlab {arguments:?}: {stderr}");
    for part in expected {
        assert!(stderr.contains(part), "zlab {arguments:?}: `{stderr}` should say `{part}`");
    }
}

#[test]
fn boards() {
    for verb in ["positions", "census"] {
        refused(&[verb], &["BOARD"]);
        refused(&[verb, "0x5"], &["0x5", "at least 1"]);
        refused(&[verb, "9x9"], &["9x9", "64 squares"]);
        refused(&[verb, "99999999999999999999x2"], &["ROWSxCOLUMNS"]);
        for text in ["4x", "4×", "4x5x6", "four", ""] {
            refused(&[verb, text], &["4x5"]);
        }
        refused(&[verb, "-4x5"], &["-4"]);
    }
}

#[test]
fn boards_too_large_for_memory_say_what_is_needed_and_what_is_there() {
    refused(&["census", "6x6"], &["6x6", "128.0 GiB", "available", "features fit"]);
    refused(&["census", "8x8"], &["8x8", "available"]);
    refused(&["positions", "8x8"], &["8x8", "available", "features fit"]);
}

#[test]
fn kernels_games_tiers_and_threads() {
    refused(&["census", "2x4", "--kernel", "pairs/magic"], &["--kernel", "magic", "scalar"]);
    refused(&["census", "2x4", "--kernel", "magic"], &["--kernel", "auto", "pairs/", "walsh/"]);
    refused(&["census", "2x4", "--tier", "sse9"], &["--tier", "sse9", "avx2"]);
    refused(&["kernels", "--tier", "sse9"], &["--tier", "sse9"]);
    refused(&["positions", "2x4", "--tier", "sse9"], &["--tier", "sse9"]);
    refused(&["census", "2x4", "--game", "chess"], &["--game", "chess", "domineering"]);
    refused(&["census", "2x4", "--threads", "0"], &["--threads"]);
    refused(&["conjure"], &["conjure"]);
    refused(&["census", "2x4", "--shade"], &["--shade"]);
}

#[test]
fn a_refused_job_leaves_no_directory() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    for verb in ["census", "positions"] {
        refused(&[verb, "8x8", "--out", out.to_str().unwrap()], &["available"]);
        refused(&[verb, "2x4", "--kernel", "no", "--out", out.to_str().unwrap()], &["--kernel"]);
        assert!(!out.exists(), "{verb}");
    }
}

#[test]
fn the_tier_variable_is_checked_like_the_flag() {
    let mut command = Command::cargo_bin("zlab").unwrap();
    let output = command.args(["kernels"]).env("ZLAB_TIER", "mmx").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: ZLAB_TIER: `mmx`"));
}

#[test]
fn sets_to_look_up() {
    refused(&["census", "2x4", "--set", "0,8"], &["--set", "square 8", "0 to 7"]);
    refused(&["census", "2x4", "--set", "0,4,0"], &["--set", "square 0 twice"]);
    refused(&["census", "2x4", "--set", "0,x"], &["--set", "`x`"]);
    refused(&["census", "2x4", "--set", ""], &["--set"]);
    let directory = tempfile::tempdir().unwrap();
    let none = directory.path().join("none.txt");
    std::fs::write(&none, "").unwrap();
    let none = none.to_str().unwrap();
    refused(&["census", "--positions", none, "--set", "0"], &["none.txt", "no position"]);
}

#[test]
fn output_directories() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    let inside = file.join("out");
    refused(&["census", "2x4", "--out", file.to_str().unwrap()], &["file"]);
    refused(&["positions", "2x4", "--out", inside.to_str().unwrap()], &["file"]);
}

#[test]
fn position_files() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (code, _, _) = zlab(&["positions", "2x4", "--out", directory.path().to_str().unwrap()]);
    assert_eq!(code, 0);
    let whole = std::fs::read(directory.path().join("left.npy")).unwrap();
    let with_positions = |path: &str| {
        ["census", "2x4", "--positions"]
            .map(str::to_owned)
            .into_iter()
            .chain([path.to_owned()])
            .collect::<Vec<_>>()
    };
    let cases = [
        (write("cut.npy", &whole[..whole.len() - 1]), "truncated"),
        (write("stray.txt", b"....|....\n..?.|....\n"), "`?`"),
        (write("odd.txt", b"....|....\n#...|....\n"), "odd"),
        (write("unreachable.txt", b"#.#.|#.#.\n"), "not reachable"),
        (write("rows.txt", b"....\n"), "rows"),
        (write("empty.txt", b"\n"), "no position"),
        (write("floats.npy", &floats()), "'<u8'"),
        (directory.path().join("absent.npy").to_str().unwrap().to_owned(), "absent.npy"),
    ];
    for (path, expected) in cases {
        let arguments = with_positions(&path);
        refused(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), &[expected]);
    }
}

#[test]
fn cram_pairings_clauses_and_sizes() {
    refused(&["cram", "4x5", "--pairing", "quarter-turn"], &["--pairing", "half-turn", "all"]);
    refused(&["cram", "4x5", "--pairing", "half-turn,"], &["--pairing", "half-turn"]);
    refused(&["cram", "1x6", "--pairing", "diagonals"], &["--pairing", "1x6", "square box"]);
    refused(&["cram", "4x5", "--clause", "repaired"], &["--clause", "naive, strict or relaxed"]);
    refused(&["cram", "4x5", "--kernel", "magic"], &["--kernel", "oracle"]);
    refused(&["cram", "8x8"], &["8x8", "available", "squares fit"]);
    refused(&["cram", "1x9", "--solve"], &["1x9", "8x8"]);
    refused(&["cram", "4x4", "--solve", "--clause", "naive"], &["--clause", "strict or relaxed"]);
    refused(&["cram", "4x4", "--solve", "--table", "99999999"], &["available", "--table"]);
    refused(&["cram", "4x4", "--policies", "--order", "up"], &["--order", "right-down"]);
    for list in ["half-turn,diagonals", "half-turn,left-right,top-bottom,diagonals"] {
        refused(&["cram", "1x6", "--pairing", list], &["--pairing", "1x6", "square box"]);
        refused(&["cram", "6x1", "--solve", "--pairing", list], &["--pairing", "6x1"]);
    }
    let policies = |more: &[&'static str]| [&["cram", "4x4", "--policies"], more].concat();
    refused(&policies(&["--placed", "9"]), &["--placed", "4x4", "at most 8 dominoes, not 9"]);
    refused(&policies(&["--starts", "0"]), &["--starts", "0"]);
    refused(&policies(&["--compare", "--clause", "relaxed"]), &["--compare", "--clause"]);
    refused(&policies(&["--compare", "--pairing", "all"]), &["--compare", "--pairing"]);
}

/// A `.npy` file of one float.
fn floats() -> Vec<u8> {
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }";
    let header = format!("{header:<117}\n");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), &[0; 8]]
        .concat()
}

#[test]
#[cfg(target_os = "linux")]
fn a_tier_that_this_cpu_lacks_is_explained() {
    use zobrist_lab::tier::Tier;
    for tier in Tier::ALL.into_iter().filter(|tier| !tier.available()) {
        refused(&["kernels", "--tier", &tier.to_string()], &["lacks", tier.needs()[0]]);
    }
}

/// An interrupt in the middle of writing leaves no file, whole or partial.
#[test]
#[cfg(unix)]
fn an_interrupt_leaves_nothing_behind() {
    use std::time::{Duration, Instant};
    let directory = tempfile::tempdir().unwrap();
    let files = || directory.path().read_dir().unwrap().count();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_zlab"))
        .args(["positions", "5x6", "--format", "text", "--out"])
        .arg(directory.path())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let partial = || {
        let entries = directory.path().read_dir().unwrap();
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().contains("left.txt"))
    };
    while !partial() {
        assert!(start.elapsed() < Duration::from_secs(120), "no file was begun");
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was interrupted");
        std::thread::sleep(Duration::from_millis(2));
    }
    let mut interrupt = std::process::Command::new("kill");
    let sent = interrupt.args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let interrupted = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(interrupted.elapsed() < Duration::from_secs(5), "an interrupt is answered at once");
    assert_eq!(files(), 0);
}

#[cfg(not(feature = "mpi"))]
#[test]
fn mpi_without_the_feature() {
    refused(&["census", "4x5", "--mpi"], &["--mpi", "built without it", "--features mpi"]);
}
