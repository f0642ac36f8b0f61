//! Tells the crate what compiled it: records of measurements say so.

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
}
