//! `zlab census --mpi` on one machine: any number of ranks gives the direct road's document,
//! and a rank that dies or sleeps costs nothing that is finished.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;

const ZLAB: &str = env!("CARGO_BIN_EXE_zlab");

/// A census over so many ranks; one without `mpirun`.
fn mpirun(ranks: usize, arguments: &[&str]) -> Command {
    let mut command = Command::new(if ranks > 1 { "mpirun" } else { ZLAB });
    if ranks > 1 {
        command.args(["--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]);
        command.arg(ranks.to_string()).arg(ZLAB);
    }
    command.arg("census").args(arguments).args(["--mpi", "--threads", "1", "--json"]);
    command.env_remove("ZLAB_TIER");
    command
}

fn document(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one document, by rank 0")
}

/// What does not depend on the road.
fn census(document: &Value) -> Vec<Value> {
    ["board", "game", "left", "right", "pairs", "kernel", "free_sets", "by_size", "free"]
        .map(|field| document[field].clone())
        .to_vec()
}

fn direct(board: &str) -> Vec<Value> {
    let mut command = Command::new(ZLAB);
    let output = command.args(["census", board, "--free", "--json", "--kernel", "walsh/scalar"]);
    let mut census = census(&document(&output.output().unwrap()));
    // The one field that the roads differ in here.
    census[5] = Value::Null;
    census
}

fn assert_direct(document: &Value, direct: &[Value], what: &str) {
    let mut got = census(document);
    assert!(got[5].as_str().unwrap().starts_with("walsh/"), "{what}");
    got[5] = Value::Null;
    assert_eq!(got, direct, "{what}");
}

/// The sizes of the shards in a folder, and when they were written.
fn shards(folder: &Path) -> Vec<(String, u64, SystemTime)> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let files = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let name = entry.file_name().into_string().ok()?;
        let data = entry.metadata().ok()?;
        let whole = name.starts_with("shard-") && !name.contains("partial");
        whole.then(|| (name, data.len(), data.modified().unwrap()))
    });
    let mut files: Vec<_> = files.collect();
    files.sort();
    files
}

#[test]
fn shards_over_one_to_four_ranks_give_the_direct_document() {
    for (board, memory) in [("4x5", "300K"), ("4x6", "4M")] {
        let direct = direct(board);
        for ranks in 1..=4 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().to_str().unwrap();
            let arguments = [board, "--shards", path, "--memory", memory, "--free"];
            let output = mpirun(ranks, &arguments).output().unwrap();
            let document = document(&output);
            assert_direct(&document, &direct, &format!("{board} over {ranks}"));

            let mpi = &document["mpi"];
            let by_rank: Vec<usize> =
                serde_json::from_value(mpi["shards_by_rank"].clone()).unwrap();
            println!("{board}: shards by rank {by_rank:?}, {} bytes sent", mpi["sent_bytes"]);
            let count = document["shards"].as_u64().unwrap() as usize;
            assert!(count >= 8, "{count} shards are too few to be handed out");
            assert_eq!((by_rank.len(), by_rank.iter().sum()), (ranks, count));

            // Results as their files have them, 8 bytes for each answer, the plan to each rank.
            let mut sizes: Vec<u64> = shards(folder.path()).iter().map(|file| file.1).collect();
            sizes.sort_unstable();
            let elsewhere = count - by_rank[0];
            let plan: Value =
                serde_json::from_slice(&fs::read(folder.path().join("plan.json")).unwrap())
                    .unwrap();
            let others = ranks as u64 - 1;
            let fixed =
                8 * (elsewhere as u64 + others) + (8 + plan.to_string().len() as u64) * others;
            let [least, most] = [&sizes[..elsewhere], &sizes[count - elsewhere..]]
                .map(|sizes| fixed + sizes.iter().sum::<u64>());
            let sent = mpi["sent_bytes"].as_u64().unwrap();
            assert!((least..=most).contains(&sent), "{sent} bytes: want {least} to {most}");
        }
    }
}

#[test]
fn cells_over_one_two_and_four_ranks_give_the_direct_document() {
    for (board, bits) in [("4x5", 19), ("4x6", 23)] {
        let direct = direct(board);
        for ranks in [1, 2, 4] {
            let document = document(&mpirun(ranks, &[board, "--free"]).output().unwrap());
            assert_direct(&document, &direct, &format!("{board} over {ranks}"));
            let mpi = &document["mpi"];
            println!("{board} over {ranks}: {mpi}");
            let model = (4 << bits) * (ranks - 1) / ranks;
            assert_eq!(mpi["transposed_bytes"], model);
            let game = zobrist_lab::game::find("domineering").unwrap();
            let board = board.parse().unwrap();
            let of = zobrist_lab::shards::Distributed::new(game, board, ranks).unwrap();
            assert_eq!(of.sent() * ranks as u64, model as u64);
            assert!(mpi["sent_bytes"].as_u64().unwrap() >= model as u64);
        }
    }
}

#[test]
fn what_cannot_be_done_is_told_once_and_ends_every_rank() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let once = mpirun(2, &["4x5", "--shards", path]).output().unwrap();
    assert!(once.status.success());
    for (ranks, arguments, why) in [
        (3, &["4x5"][..], "error: --mpi: 3 ranks for 4x5: want a power of two up to 64"),
        (2, &["4x4", "--game", "cram"], "error: --mpi: cram cannot be cut"),
        (2, &["4x6", "--shards", path], "holds shards of 4x5 domineering: want another folder"),
        (2, &["6x6", "--shards", "new", "--memory", "1M"], "error: --memory: 1.0 MiB:"),
        (4, &["6x6"], "error: a rank of 4 of a census of 6x6 on each of 4 that share this machine"),
    ] {
        let output = mpirun(ranks, arguments).current_dir(path).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert_eq!(told.matches(why).count(), 1, "{arguments:?}: {told}");
        assert!(output.stdout.is_empty());
    }
}

/// A board of as many shards as there is time to stop some.
const LONG: [&str; 3] = ["5x5", "--memory", "6M"];

/// Starts three ranks on that board and waits for their first shard.
fn started(path: &str) -> (Child, u32) {
    let mut command = mpirun(3, &[&LONG[..], &["--shards", path, "--free"]].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(|| !shards(path.as_ref()).is_empty(), "the first shard");
    let second = fs::read_dir("/proc").unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        let process: u32 = path.file_name()?.to_str()?.parse().ok()?;
        let stat = fs::read_to_string(path.join("stat")).ok()?;
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
        let environment = fs::read(path.join("environ")).ok()?;
        let mut variables = environment.split(|&byte| byte == 0);
        let ours = parent == child.id().to_string();
        (ours && variables.any(|variable| variable == b"OMPI_COMM_WORLD_RANK=1")).then_some(process)
    });
    (child, second.expect("mpirun's second rank"))
}

fn wait_for(mut what: impl FnMut() -> bool, name: &str) {
    let start = Instant::now();
    while !what() {
        assert!(start.elapsed() < Duration::from_secs(300), "waited too long for {name}");
        sleep(Duration::from_millis(2));
    }
}

fn signal(name: &str, process: u32) {
    let status = Command::new("kill").args([name, &process.to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_killed_rank_fails_the_run_and_the_folder_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let (child, second) = started(path);
    signal("-KILL", second);
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success() && output.stdout.is_empty(), "no document of a part");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("rank 1") && told.contains("signal 9"), "{told}");

    let before = shards(folder.path());
    let output = mpirun(2, &[&LONG[..], &["--shards", path, "--free"]].concat()).output();
    let document = document(&output.unwrap());
    assert_direct(&document, &direct(LONG[0]), "after a rank was killed");
    let all = document["shards"].as_u64().unwrap() as usize;
    println!("killed with {} of {all} shards counted", before.len());
    assert!((1..all).contains(&before.len()), "killed with {} of {all}", before.len());
    let after = shards(folder.path());
    assert_eq!(after.len(), all);
    assert!(before.iter().all(|shard| after.contains(shard)), "a finished shard is left alone");
}

#[test]
fn a_slow_rank_does_not_hold_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let (child, second) = started(folder.path().to_str().unwrap());
    signal("-STOP", second);
    let done = shards(folder.path()).len();
    let all = zobrist_lab::shards::Folder::read(folder.path()).unwrap().plan().shards();
    assert!(done + 2 < all, "{done} of {all} were done already");
    // Every shard but the one that the sleeping rank may be at.
    wait_for(|| shards(folder.path()).len() + 1 >= all, "the other ranks");
    signal("-CONT", second);
    let document = document(&child.wait_with_output().unwrap());
    assert_direct(&document, &direct(LONG[0]), "with a rank asleep");
    println!("{}", document["mpi"]["shards_by_rank"]);
}

#[test]
fn the_slurm_scripts_count_what_the_direct_road_counts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("array");
    let bin = Path::new(ZLAB).parent().unwrap().to_str().unwrap();
    let script = |name: &str, arguments: &[&str], variables: &[(&str, &str)]| {
        let script = format!("{}/scripts/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut command = Command::new("bash");
        command.arg(script).args(arguments);
        command.env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()));
        command.envs([("SLURM_MEM_PER_NODE", "8"), ("SLURM_CPUS_PER_TASK", "1")]);
        // What `mpirun` wants to know of a machine with few cores, where root runs tests.
        for name in ["OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] {
            command.env(name, "1");
        }
        command.env("OMPI_MCA_rmaps_base_oversubscribe", "1");
        command.envs(variables.iter().copied()).output().unwrap()
    };
    let direct = direct("4x6");
    let array = |part: &str, min: &str| {
        let variables = [
            ("SLURM_ARRAY_TASK_ID", part),
            ("SLURM_ARRAY_TASK_MIN", min),
            ("SLURM_ARRAY_TASK_MAX", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "2"),
        ];
        script("census-array.slurm", &["4x6", path.to_str().unwrap()], &variables)
    };
    assert_eq!(array("2", "2").status.code(), Some(2), "a part of an array");
    for part in ["2", "1"] {
        let output = array(part, "1");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let merged = Command::new(ZLAB)
        .args(["census", "merge", path.to_str().unwrap(), "--free", "--json"])
        .output()
        .unwrap();
    assert_direct(&document(&merged), &direct, "by an array");

    // The script asks for no list of free sets.
    let direct = [&direct[..8], &[Value::Null]].concat();
    let shards = folder.path().join("mpi");
    for arguments in [&["4x6", shards.to_str().unwrap()][..], &["4x6"]] {
        let output = script("census-mpi.slurm", arguments, &[("SLURM_NTASKS", "2")]);
        assert_direct(&document(&output), &direct, "by a job of two ranks");
    }
}
