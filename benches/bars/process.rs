//! What every bar is made of: its line, and the `zlab` process that it may time.

use std::process::Command;
use std::time::Instant;

/// Prints a bar: what was measured, the figure and what is wanted.
pub(crate) fn bar(what: &str, measured: impl std::fmt::Display, bar: &str) {
    println!("{what:<66} {:>22}   bar {bar}", measured.to_string());
}

/// The document of a command on two threads and the seconds that its process took.
pub(crate) fn zlab(arguments: &[&str]) -> (serde_json::Value, f64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zlab"));
    command.args(arguments).args(["--json", "--threads", "2"]);
    let start = Instant::now();
    let output = command.output().expect("zlab starts");
    let wall = start.elapsed().as_secs_f64();
    assert!(output.status.success(), "zlab {arguments:?}");
    (serde_json::from_slice(&output.stdout).expect("JSON"), wall)
}
