//! Tells the crate what compiled it, and of which commit: records of
//! measurements say so.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    println!("cargo::rustc-env=ZLAB_RUSTC={}", version.unwrap_or_else(|_| "unknown".into()));
    // Flags are separated by a byte that no flag contains.
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\x1f', " ");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    let target = std::env::var("TARGET").unwrap_or_default();
    println!("cargo::rustc-env=ZLAB_FLAGS=opt-level {level}, {target}, RUSTFLAGS \"{flags}\"");
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-env=ZLAB_COMMIT={}", commit().unwrap_or_else(|| "unknown".into()));
}

/// The commit of the sources, `+` behind it if they have changes; none where
/// they are in no repository, or in one that is not their own.
fn commit() -> Option<String> {
    let here = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(&here).args(arguments).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success().then_some(text)
    };
    let whole = |path: &str| Path::new(path).canonicalize().ok();
    if whole(&git(&["rev-parse", "--show-toplevel"])?)? != whole(&here)? {
        return None;
    }
    // A commit or another branch: HEAD, the log of its moves, and the branch if it is a file.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "logs/HEAD"].into_iter().chain(branch.as_deref()) {
        let path = Path::new(&here).join(git(&["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let sources = ["src", "build.rs", "Cargo.toml", "Cargo.lock"];
    let status = [&["status", "--porcelain", "--untracked-files=no", "--"], &sources[..]].concat();
    Some(if git(&status)?.is_empty() { commit } else { commit + "+" })
}
