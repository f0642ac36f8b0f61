//! The verbs of `zlab`, one file each.
//!
//! A verb turns its arguments into a [`Report`]: what a person reads and what
//! a script reads, of which `main` prints one. Adding a verb is one file, one
//! `mod` line and one element of [`VERBS`].

mod atlas;
mod audit;
mod census;
mod exact;
mod cram;
mod clobber;
mod design;
mod kernels;
mod keys;
mod latency;
mod positions;
mod report;
mod reproduce;
mod results;
mod solve;
mod source;
mod table;
mod travel;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgMatches, Args, Command};
use indicatif::{ProgressBar, ProgressStyle};

use crate::board::Board;
use crate::error::Error;
use crate::tier::Tier;

/// One verb of the command line.
pub struct Verb {
    /// What the user types.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// Adds the verb's own arguments to its command.
    pub arguments: fn(Command) -> Command,
    /// Does the work.
    pub run: fn(&ArgMatches, &Common) -> Result<Report, Error>,
}

/// Every verb, in the order of the help.
pub const VERBS: &[Verb] = &[
    positions::VERB,
    census::VERB,
    keys::VERB,
    exact::VERB,
    atlas::VERB,
    design::VERB,
    travel::VERB,
    audit::VERB,
    solve::VERB,
    table::VERB,
    latency::VERB,
    cram::VERB,
    clobber::VERB,
    kernels::VERB,
    reproduce::VERB,
    report::VERB,
    results::VERB,
];

/// The arguments that every verb takes.
#[derive(Args, Clone, Debug)]
pub struct Common {
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Threads to use [default: one a core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Highest instruction tier to use: scalar, portable, avx2, avx512
    #[arg(long, global = true, value_name = "TIER")]
    pub tier: Option<String>,
    /// Show no progress
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Append every figure to the records in DIR [default: results]
    #[arg(long, global = true, value_name = "DIR", num_args = 0..=1, require_equals = true,
          default_missing_value = crate::record::DIRECTORY)]
    pub record: Option<PathBuf>,
}

impl Common {
    /// The tier ceiling that `--tier` or `ZLAB_TIER` sets.
    ///
    /// # Errors
    /// See [`Tier::ceiling`].
    pub fn ceiling(&self) -> Result<Tier, Error> {
        Tier::ceiling(self.tier.as_deref())
    }

    /// Makes `--threads` the size of the pool that everything runs on.
    ///
    /// # Errors
    /// The threads cannot be started.
    pub fn start_threads(&self) -> Result<(), Error> {
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        pool.map_err(|error| Error::argument("--threads", error.to_string()))
    }

    /// A progress bar on stderr over `steps` steps of `what`, hidden with
    /// `--quiet` and where stderr is no terminal.
    pub fn progress(&self, what: &'static str, steps: u64) -> ProgressBar {
        if self.quiet || !std::io::stderr().is_terminal() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(steps).with_message(what);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {percent}% {eta}");
        bar.set_style(style.expect("the template is well formed"));
        bar.enable_steady_tick(Duration::from_millis(500));
        bar
    }

    /// A spinner for work whose length is not known, under the same rules.
    pub fn spinner(&self, what: &'static str) -> ProgressBar {
        let bar = self.progress(what, 0);
        let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
        bar.set_style(style.expect("the template is well formed"));
        bar
    }
}

/// What a verb found.
pub struct Report {
    /// For a person; ends with a newline unless it is empty.
    pub text: String,
    /// For a script: one JSON document.
    pub json: String,
    /// Whether what the user required does not hold (exit code 1).
    pub failed: bool,
}

impl Report {
    /// A report of success from a readable text and a document of stable fields.
    pub fn new(text: String, document: &impl serde::Serialize) -> Self {
        let json = serde_json::to_string_pretty(document).expect("documents are plain data");
        Self { text, json: json + "\n", failed: false }
    }
}

/// The game and the board that most verbs are about.
#[derive(Args, Clone, Debug)]
pub struct Subject {
    /// The board, ROWSxCOLUMNS
    pub board: Board,
    /// The game
    #[arg(long, default_value = "domineering")]
    pub game: String,
}

/// Where a verb writes files.
#[derive(Args, Clone, Debug)]
pub struct Out {
    /// Directory to write files into (made if it is not there)
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

impl Out {
    /// The directory, proven writable, before work is put into what goes there.
    ///
    /// # Errors
    /// It cannot be made or takes no files.
    pub fn prepared(&self) -> Result<Option<&std::path::Path>, Error> {
        if let Some(directory) = &self.out {
            crate::save::prepare_directory(directory)?;
        }
        Ok(self.out.as_deref())
    }
}

/// Sets of squares drawn beside one another, `per_row` to a row, two blanks apart.
///
/// ```
/// let board = "2x2".parse()?;
/// assert_eq!(zobrist_lab::cmd::drawn(board, &[0b0001, 0b1100], 8), "  #.  ..\n  ..  ##\n");
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
pub fn drawn(board: Board, sets: &[u64], per_row: usize) -> String {
    let mut text = String::new();
    for (row, sets) in sets.chunks(per_row).enumerate() {
        if row > 0 {
            text.push('\n');
        }
        let boards: Vec<Vec<String>> = sets.iter().map(|&set| board.draw_rows(set)).collect();
        for line in 0..board.rows() {
            boards.iter().for_each(|rows| text.extend(["  ", &rows[line]]));
            text.push('\n');
        }
    }
    text
}

/// A count with its thousands set apart: `592,275,474`.
pub fn grouped(count: impl Into<u128>) -> String {
    let digits = count.into().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A figure with so many decimals, or a dash where there is none.
fn or_dash(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or("–".into(), |figure| format!("{figure:.decimals$}"))
}
