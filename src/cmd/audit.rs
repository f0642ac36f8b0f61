//! `zlab audit [RxC] --key FILE`: what a given key confuses.

use std::fmt::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Common, Report, Verb, grouped};
use crate::audit::{self, Audit, Dependencies, Truncation, Words};
use crate::error::Error;

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "audit",
    about: "Say what a key of any game confuses, at every length it may be cut to",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// The words: one a line (0x… or decimal, # comments), a JSON array, or a
    /// pasted C or Rust array literal
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Bits of a word [default: those of the widest]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=128))]
    width: Option<u32>,
    /// Cut the words to L bits only [default: 16, 20, 24 and so on to the width]
    #[arg(long, value_name = "L")]
    bits: Option<u32>,
    /// Look for sets of up to this many words that cancel
    #[arg(long, default_value_t = 4, value_name = "N",
          value_parser = clap::value_parser!(u8).range(1..=audit::MAX_WEIGHT as i64))]
    weight: u8,
    /// List at most this many of the sets of each weight
    #[arg(long, default_value_t = 3, value_name = "N")]
    list: usize,
}

#[derive(Serialize)]
struct Document {
    key: String,
    #[serde(flatten)]
    audit: Audit,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let key = Words::read(&arguments.key, arguments.width)?;
    let lengths = match arguments.bits {
        None => audit::standard_lengths(key.width),
        Some(bits) if (1..=key.width).contains(&bits) => vec![bits],
        Some(bits) => {
            let problem = format!("{bits}: want 1 to {}, the bits of a word", key.width);
            return Err(Error::argument("--bits", problem));
        }
    };
    let progress = common.progress("meeting in the middle", 1);
    let weight = usize::from(arguments.weight);
    let audit = Audit::of(&key, &lengths, weight, arguments.list, &progress)?;
    progress.finish_and_clear();
    let text = readable(&audit);
    Ok(Report::new(text, &Document { key: arguments.key.display().to_string(), audit }))
}

fn readable(audit: &Audit) -> String {
    let Audit { words, width, rank, zero_words, equal_words, truncations } = audit;
    let mut text = format!("{words} words of {width} bits, rank {rank}\n");
    let mut line = |line: String| text += &(line + "\n");
    match zero_words.as_slice() {
        [] => line("no word is zero".into()),
        zero => line(format!("{} zero: {zero:?}", zero.len())),
    }
    match equal_words.as_slice() {
        [] => line("no two words are equal".into()),
        equal => line(format!("{} groups equal: {equal:?}", equal.len())),
    }
    let weights = truncations.first().map_or(0, |truncation| truncation.dependencies.len());
    let heads: String = (1..=weights).map(|weight| format!(" {weight:>12}")).collect();
    line(format!(
        "\nsets of words that cancel, by number of words\n{:>9} {:>5}{heads}",
        "cut to", "rank"
    ));
    for Truncation { side, bits, rank, dependencies } in truncations {
        let counts = dependencies.iter().map(|found| format!(" {:>12}", grouped(found.count)));
        let cut = format!("{} {bits}", side.name());
        line(format!("{cut:>9} {rank:>5}{}", counts.collect::<String>()));
    }
    text + &listed(truncations)
}

/// The sets of fewest words, of the longest truncations that have any.
fn listed(truncations: &[Truncation]) -> String {
    let mut text = String::new();
    for Truncation { side, bits, dependencies, .. } in truncations.iter().rev() {
        let Some(Dependencies { weight, count, first }) =
            dependencies.iter().find(|found| !found.first.is_empty())
        else {
            continue;
        };
        let (side, more) = (side.name(), if *count > first.len() as u64 { ", …" } else { "" });
        let sets: Vec<String> = first.iter().map(|set| format!("{set:?}")).collect();
        write!(text, "\n{side} {bits}: {weight} words cancel: {}{more}", sets.join(", "))
            .expect("a String takes all text");
    }
    if text.is_empty() { text } else { text + "\n" }
}
