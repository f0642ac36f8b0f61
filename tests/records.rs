//! Records, by the command: they are made, listed, compared and never edited.

use std::fs;

use assert_cmd::Command;

fn zlab(directory: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("zlab")
        .unwrap()
        .current_dir(directory)
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_verb_records_and_results_compare() {
    let home = tempfile::tempdir().unwrap();
    let (code, text, _) = zlab(home.path(), &["census", "2x4", "--record"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("654"), "the report is printed all the same: {text}");
    zlab(home.path(), &["table", "2x4", "--splits", "3+1", "--record"]);
    let (code, listed, _) = zlab(home.path(), &["results", "--json"]);
    assert_eq!(code, Some(0));
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let records = listed["records"].as_array().unwrap();
    let verbs: Vec<&str> = records.iter().map(|record| record["verb"].as_str().unwrap()).collect();
    assert_eq!(verbs, ["census", "table"]);

    // An earlier day with another count, by hand: the file is as it was afterwards.
    let machine = records[0]["machine"].as_str().unwrap();
    let folder = home.path().join("results/census").join(machine);
    let today = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let today =
        today.into_iter().find(|path| path.extension().is_some_and(|e| e == "csv")).unwrap();
    let rows = fs::read_to_string(&today).unwrap();
    assert!(rows.contains(",zlab census 2x4,pairs,654,count\n"), "{rows}");
    let earlier = folder.join("2020-01-01.csv");
    let changed = rows.replace(",pairs,654,count", ",pairs,655,count");
    fs::write(&earlier, &changed).unwrap();
    let (code, told, _) = zlab(home.path(), &["results", "census", "--against", "2020-01-01"]);
    assert_eq!(code, Some(1), "a count differs: {told}");
    assert!(told.contains("differs       pairs "), "{told}");
    assert!(told.contains("too few runs  seconds"), "{told}");
    assert_eq!(fs::read_to_string(&earlier).unwrap(), changed);

    let (code, _, error) = zlab(home.path(), &["results", "--against", "yesterday"]);
    assert_eq!((code, error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("there are 2020-01-01, "), "the dates that there are: {error}");

    // A figure of one side is told, in text and as JSON.
    fs::write(
        &earlier,
        format!("{rows}2020-01-01T00:00:00.000Z,abcdef,zlab census 2x4,gone,7,count\n"),
    )
    .unwrap();
    let against = ["results", "census", "--against", "2020-01-01"];
    let (code, told, _) = zlab(home.path(), &against);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("the same, 1 only before, 0 only now\n"), "{told}");
    assert!(told.contains("  1 only before, 0 only now: zlab census 2x4\n"), "{told}");
    let (_, told, _) = zlab(home.path(), &[&against[..], &["--json"]].concat());
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["only_before"], &told["only_now"]), (&1.into(), &0.into()));

    // Another machine with other threads, as records once had them.
    let theirs = home.path().join("results/census/theirs");
    fs::create_dir(&theirs).unwrap();
    let threads = |number: u32| {
        format!("2020-01-01T00:00:00.000Z,abcdef,zlab census 2x4,threads,{number},count\n")
    };
    fs::write(theirs.join("2020-01-01.csv"), rows.clone() + &threads(64)).unwrap();
    fs::write(&earlier, rows.clone() + &threads(2)).unwrap();
    let (code, told, _) = zlab(home.path(), &["results", "census", "--against", "theirs"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(!told.contains("threads") && !rows.contains("threads"), "{told}\n{rows}");
    let (code, _, error) = zlab(home.path(), &["results", "--results", "nowhere"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("any verb makes one with --record"), "{error}");
}

#[test]
fn a_record_made_in_another_repository_has_the_programs_commit() {
    let home = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .current_dir(home.path())
            .args(["-c", "user.name=n", "-c", "user.email=e"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "--quiet"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", "another"]);
    let another = git(&["rev-parse", "--short=10", "HEAD"]);
    assert_eq!(zlab(home.path(), &["census", "2x3", "--record"]).0, Some(0));
    let records = zobrist_lab::record::read(&home.path().join("results")).unwrap();
    let rows = &records[0].rows;
    assert!(!rows.is_empty());
    for row in rows {
        assert_eq!(row.commit, env!("ZLAB_COMMIT"));
        assert!(!row.commit.starts_with(another.trim()), "{row:?}");
    }
}
