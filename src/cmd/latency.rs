//! `zlab latency`: what a lookup costs as the table outgrows the caches.

use std::fmt::Write;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Common, Report, Verb};
use crate::error::{Error, bytes};
use crate::lookup::latency::{self, Latency};
use crate::lookup::{KERNELS, MAX_CHECK};
use crate::table::Split;
use crate::tier;

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "latency",
    about: "Time table lookups as the table outgrows the caches",
    arguments: |command| Arguments::augment_args(command).after_help(COLUMNS),
    run,
};

/// What the columns say.
const COLUMNS: &str = "\
Columns (every measure draws its own keys, so a table larger than a cache misses it):
  split        address and check bits: 2^A slots of four bytes (five for `arrays`)
  fits         the smallest cache that holds the table
  M lookups/s  independent lookups, 4096 keys a call: misses overlap
  chained ns   a lookup that chooses the next key: one miss waits for the last
  p50 p99 p99.9  nanoseconds of single lookups, the reading of the clock included
Kernels: oracle the definition; arrays checks and values apart; packed both in a word;
prefetch packed, slots asked for 24 keys ahead; avx2 and avx512 gather 8 and 16 slots.
Called for a single key, as chained and timed lookups are, prefetch and the gathers do
as packed; oracle and arrays branch on the check, and a branch that is guessed right
does not wait, so their chained time is lower than their misses.";

#[derive(Args)]
struct Arguments {
    /// Address bits of the tables, several separated by commas
    #[arg(
        long,
        value_name = "A,…",
        value_delimiter = ',',
        default_value = "10,12,14,16,18,20,22,24,26"
    )]
    addresses: Vec<u32>,
    /// Check bits of the tables, or as many as 32 leave room for
    #[arg(long, value_name = "C", default_value_t = 16)]
    check: u32,
    /// One kernel [default: every kernel of the tier]
    #[arg(long)]
    kernel: Option<String>,
    /// Seed of the keys looked up
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Serialize)]
struct Document {
    clock_ns: u64,
    caches: Vec<Cache>,
    rows: Vec<Row>,
}

/// A data cache of this machine.
#[derive(Serialize)]
struct Cache {
    level: u32,
    bytes: u64,
}

#[derive(Serialize)]
struct Row {
    kernel: &'static str,
    address: u32,
    check: u32,
    bytes: u64,
    /// The smallest cache that holds the table: `L1`, …, or `memory`.
    fits: String,
    lookups_per_second: f64,
    chained_ns: f64,
    p50_ns: u64,
    p99_ns: u64,
    p999_ns: u64,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let Arguments { addresses, check, kernel, seed } = arguments;
    if check > MAX_CHECK {
        let problem = format!("{check} bits: a slot has {MAX_CHECK} for the check");
        return Err(Error::argument("--check", problem));
    }
    if let Some(address) = addresses.iter().find(|address| **address > 31) {
        let problem = format!("{address} bits: a slot's number has 31 at most");
        return Err(Error::argument("--addresses", problem));
    }
    let ceiling = common.ceiling()?;
    let kernels = match kernel {
        Some(name) => vec![tier::pick(KERNELS, Some(&name), ceiling)?.0],
        None => {
            let present = tier::available(KERNELS).into_iter();
            present.filter(|kernel| kernel.tier <= ceiling).collect()
        }
    };
    let progress = common.progress("timing lookups", (addresses.len() * kernels.len()) as u64);
    let (mut rows, mut clock_ns) = (vec![], u64::MAX);
    let caches: Vec<Cache> =
        latency::caches().into_iter().map(|(level, bytes)| Cache { level, bytes }).collect();
    let fits = |bytes: u64| {
        let cache = caches.iter().filter(|cache| bytes <= cache.bytes).min_by_key(|c| c.level);
        cache.map_or("memory".into(), |cache| format!("L{}", cache.level))
    };
    for &address in &addresses {
        let split = Split { address, check: check.min(32 - address) };
        for kernel in &kernels {
            let got = kernel.get().expect("only present kernels were chosen");
            let Latency { bytes, lookups_per_second, chained_ns, percentiles_ns, clock_ns: clock } =
                latency::measure(got, split, seed)?;
            let [p50_ns, p99_ns, p999_ns] = percentiles_ns;
            clock_ns = clock_ns.min(clock);
            rows.push(Row {
                kernel: kernel.name,
                address,
                check: split.check,
                bytes,
                fits: fits(bytes),
                lookups_per_second,
                chained_ns,
                p50_ns,
                p99_ns,
                p999_ns,
            });
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    let document = Document { clock_ns, caches, rows };
    Ok(Report::new(readable(&document), &document))
}

fn readable(document: &Document) -> String {
    let caches: Vec<String> = document
        .caches
        .iter()
        .map(|cache| format!("L{} {}", cache.level, bytes(cache.bytes)))
        .collect();
    let mut text = format!(
        "lookups of random keys, half of them present, each key once; caches: {}\n\
         M lookups/s: many keys a call, misses overlap; chained: each waits for the last;\n\
         p50, p99, p99.9: single lookups, {} ns of reading the clock included\n\n\
         {:>8} {:>10} {:>7} {:>10} {:>12} {:>11} {:>7} {:>7} {:>7}\n",
        if caches.is_empty() { "not told".into() } else { caches.join(", ") },
        document.clock_ns,
        "split",
        "table",
        "fits",
        "kernel",
        "M lookups/s",
        "chained ns",
        "p50 ns",
        "p99 ns",
        "p99.9"
    );
    for row in &document.rows {
        writeln!(
            text,
            "{:>8} {:>10} {:>7} {:>10} {:>12.1} {:>11.2} {:>7} {:>7} {:>7}",
            format!("{}+{}", row.address, row.check),
            bytes(row.bytes),
            row.fits,
            row.kernel,
            row.lookups_per_second / 1e6,
            row.chained_ns,
            row.p50_ns,
            row.p99_ns,
            row.p999_ns
        )
        .expect("a String takes all text");
    }
    text
}
