//! What a run ran on.
//!
//! ```text
//! run      2026-11-30T11:20:03.471Z
//! command  zlab census 4x5
//! cpu      AMD EPYC 9B45, 2 cores
//! caches   L1d 48K, L1i 32K, L2 1024K, L3 32768K
//! …
//! ```

use std::fmt::Write;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::bytes;
use crate::tier::Tier;

/// The facts of one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stamp {
    /// When, in UTC.
    pub run: String,
    /// The machine's name: see [`machine`].
    pub machine: String,
    /// The commit that this program was built of, `+` if its sources had changes.
    pub commit: String,
}

impl Stamp {
    /// The facts as they are now.
    pub fn take() -> Self {
        Self { run: now(), machine: machine(), commit: env!("ZLAB_COMMIT").into() }
    }

    /// Everything there is to say, as a block of lines.
    pub fn text(&self, command: &str) -> String {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let tiers = Tier::ALL.into_iter().filter(|tier| tier.available());
        let memory = line_of("/proc/meminfo", "MemTotal").and_then(|total| {
            total.trim_end_matches("kB").trim().parse::<u64>().ok().map(|kib| bytes(kib * 1024))
        });
        let unknown = || "unknown".to_owned();
        let facts = [
            ("run", self.run.clone()),
            ("command", command.into()),
            ("cpu", format!("{}, {cores} cores", cpu())),
            ("caches", caches()),
            ("tiers", tiers.map(|tier| tier.to_string()).collect::<Vec<_>>().join(", ")),
            ("memory", memory.unwrap_or_else(unknown)),
            ("kernel", read("/proc/sys/kernel/osrelease").unwrap_or_else(unknown)),
            ("rustc", env!("ZLAB_RUSTC").into()),
            ("flags", env!("ZLAB_FLAGS").into()),
            ("zlab", env!("CARGO_PKG_VERSION").into()),
            ("commit", self.commit.clone()),
            ("threads", rayon::current_num_threads().to_string()),
            ("load", read("/proc/loadavg").unwrap_or_else(unknown)),
        ];
        let mut text = String::new();
        for (name, fact) in facts {
            writeln!(text, "{name:<8} {fact}").expect("a String takes all text");
        }
        text + "\n"
    }
}

/// The machine's name: its CPU's, its cores and its largest cache, in lower case,
/// other signs as hyphens: `amd-epyc-2c-32m`.
pub fn machine() -> String {
    let cores = read("/proc/cpuinfo").map_or(0, |table| {
        table
            .lines()
            .filter(|line| line.split(':').next().is_some_and(|name| name.trim() == "processor"))
            .count()
    });
    named(&cpu(), cores, last_cache())
}

/// Of what is not known nothing is said.
fn named(cpu: &str, cores: usize, cache: Option<u64>) -> String {
    let cores = (cores > 0).then(|| format!("{cores}c"));
    let cache = cache.map(|kib| match kib {
        _ if kib >= 1024 => format!("{}m", kib / 1024),
        _ => format!("{kib}k"),
    });
    let words = cpu.to_lowercase();
    let words = words.split(|sign: char| !sign.is_ascii_alphanumeric()).map(str::to_owned);
    let words = words.filter(|word| !word.is_empty()).chain(cores).chain(cache);
    words.collect::<Vec<_>>().join("-")
}

/// KiB of the first core's last cache.
fn last_cache() -> Option<u64> {
    let size = |index| read(&format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size"));
    let sizes = (0..8).filter_map(|index| size(index)?.trim_end_matches('K').parse().ok());
    sizes.max()
}

fn cpu() -> String {
    line_of("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.into())
}

/// What follows `name` and a colon in a system table.
fn line_of(table: &str, name: &str) -> Option<String> {
    let table = read(table)?;
    let line = table.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn read(file: &str) -> Option<String> {
    fs::read_to_string(file).ok().map(|text| text.trim().to_owned())
}

fn caches() -> String {
    let described = (0..8).filter_map(|index| {
        let fact = |name| read(&format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}"));
        let kind = match fact("type")?.as_str() {
            "Data" => "d",
            "Instruction" => "i",
            _ => "",
        };
        Some(format!("L{}{kind} {}", fact("level")?, fact("size")?))
    });
    let described = described.collect::<Vec<_>>().join(", ");
    if described.is_empty() { "unknown".into() } else { described }
}

/// The time in UTC to the millisecond: `2026-11-30T11:20:03.471Z`.
pub fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    written(since.map_or(0, |since| since.as_millis() as u64))
}

/// Milliseconds since 1970 as a date and a time. Days are counted from the 1st of
/// March of year 0, so that leap days end their years: 400 years have 146,097
/// days, and five months from March on 153.
fn written(milliseconds: u64) -> String {
    let (seconds, milliseconds) = (milliseconds / 1000, milliseconds % 1000);
    let (day, second) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + 400 * era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_everyone_writes_them() {
        assert_eq!(written(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(written(951_782_399_007), "2000-02-28T23:59:59.007Z");
        assert_eq!(written(951_782_400_007), "2000-02-29T00:00:00.007Z");
        assert_eq!(written(1_000_000_000_007), "2001-09-09T01:46:40.007Z");
        assert_eq!(written(4_102_444_800_007), "2100-01-01T00:00:00.007Z");
    }

    #[test]
    fn machines_of_one_cpu_are_told_apart() {
        assert_eq!(named("AMD EPYC", 2, Some(32_768)), "amd-epyc-2c-32m");
        assert_eq!(named("AMD EPYC", 4, Some(32_768)), "amd-epyc-4c-32m");
        assert_eq!(named("Intel(R) N100 @ 1/2", 1, Some(512)), "intel-r-n100-1-2-1c-512k");
        assert_eq!(named("aarch64", 0, None), "aarch64");
    }

    #[test]
    fn a_stamp_says_all_there_is_to_say() {
        let text = Stamp::take().text("zlab census 4x5");
        for name in ["run", "cpu", "caches", "tiers", "memory", "kernel", "rustc", "threads"] {
            assert!(text.lines().any(|line| line.starts_with(name)), "{name} in {text}");
        }
        assert!(!machine().is_empty() && !machine().contains(['/', ' ']), "{}", machine());
    }
}
