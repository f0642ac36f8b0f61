//! The command as every test of it runs it.

use assert_cmd::Command;

/// Exit code, standard output and standard error of `zlab` under no forced tier.
pub(crate) fn zlab(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::cargo_bin("zlab").unwrap();
    let output = command.args(arguments).env_remove("ZLAB_TIER").output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}
