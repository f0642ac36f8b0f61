//! `zlab results`: what is on record, and how it has changed.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Common, Report, Verb, grouped};
use crate::error::{Error, bytes};
use crate::record::{self, Change, Compared, OneSided, Record, Side, Spread, Unit};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "results",
    about: "List what --record has recorded, and compare it with an earlier day or another machine",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// Only records of this verb
    verb: Option<String>,
    /// Compare the newest records with those of this day, machine or commit
    #[arg(long, value_name = "DATE|MACHINE|COMMIT")]
    against: Option<String>,
    /// Print the README's table of headline figures, in Markdown
    #[arg(long, conflicts_with_all = ["against", "verb"])]
    headlines: bool,
    /// Where the records are
    #[arg(long, value_name = "DIR", default_value = record::DIRECTORY)]
    results: PathBuf,
}

#[derive(Serialize)]
struct Listed {
    records: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    verb: String,
    machine: String,
    date: String,
    runs: usize,
    rows: usize,
}

#[derive(Serialize)]
struct Comparison<'a> {
    against: &'a str,
    same: usize,
    only_before: usize,
    only_now: usize,
    changes: &'a [Compared],
    one_sided: &'a [OneSided],
}

fn run(matches: &ArgMatches, _: &Common) -> Result<Report, Error> {
    let Arguments { verb, against, headlines, results } =
        Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let mut records = record::read(&results)?;
    records.retain(|record| verb.as_ref().is_none_or(|verb| record.question == *verb));
    if records.is_empty() {
        let of = verb.map_or(String::new(), |verb| format!(" of {verb}"));
        let problem =
            format!("no records{of} in {}: any verb makes one with --record", results.display());
        return Err(Error::argument("--results", problem));
    }
    if headlines {
        let text = record::headlines(&records);
        return Ok(Report::new(text.clone(), &text));
    }
    let Some(against) = against else { return Ok(listed(&records)) };
    let side = side(&records, &against)?;
    let record::Comparison { compared, one_sided } =
        record::compare(&records, &side, &record::machine());
    if compared.is_empty() && one_sided.is_empty() {
        let problem = format!("nothing newer on this machine to compare with `{against}`");
        return Err(Error::argument("--against", problem));
    }
    let (same, changes): (Vec<Compared>, Vec<Compared>) =
        compared.into_iter().partition(|figure| figure.change == Change::Same);
    let document = Comparison {
        against: &against,
        same: same.len(),
        only_before: one_sided.iter().map(|lone| lone.only_before).sum(),
        only_now: one_sided.iter().map(|lone| lone.only_now).sum(),
        changes: &changes,
        one_sided: &one_sided,
    };
    let mut report = Report::new(readable(&document), &document);
    report.failed = changes.iter().any(|figure| figure.change == Change::Differs);
    Ok(report)
}

/// What `--against` names.
fn side(records: &[Record], name: &str) -> Result<Side, Error> {
    if records.iter().any(|record| record.date == name) {
        return Ok(Side::Date(name.into()));
    }
    if records.iter().any(|record| record.machine == name) {
        return Ok(Side::Machine(name.into()));
    }
    let begins = |record: &Record| record.rows.iter().any(|row| row.commit.starts_with(name));
    if name.len() >= 4 && records.iter().any(begins) {
        return Ok(Side::Commit(name.into()));
    }
    let dates: BTreeSet<&str> = records.iter().map(|record| &*record.date).collect();
    let dates = dates.into_iter().collect::<Vec<_>>().join(", ");
    let problem =
        format!("no record of `{name}`: want a machine, a commit or a date; there are {dates}");
    Err(Error::argument("--against", problem))
}

fn listed(records: &[Record]) -> Report {
    let line = |record: &Record| Line {
        verb: record.question.clone(),
        machine: record.machine.clone(),
        date: record.date.clone(),
        runs: record.runs(),
        rows: record.rows.len(),
    };
    let document = Listed { records: records.iter().map(line).collect() };
    let mut text = String::new();
    for Line { verb, machine, date, runs, rows } in &document.records {
        let rows = grouped(*rows as u128);
        writeln!(text, "{verb:<12} {machine:<28} {date}  {runs:>4} runs {rows:>9} rows")
            .expect("a String takes all text");
    }
    Report::new(text, &document)
}

fn readable(document: &Comparison) -> String {
    let Comparison { against, same, only_before, only_now, changes, one_sided } = document;
    let mut text = format!(
        "against {against}: {same} exact figures are the same, {only_before} only before, \
         {only_now} only now\n"
    );
    for OneSided { command, only_before, only_now } in *one_sided {
        writeln!(text, "  {only_before} only before, {only_now} only now: {command}")
            .expect("a String takes all text");
    }
    let mut command = "";
    for figure in *changes {
        if figure.command != command {
            command = &figure.command;
            writeln!(text, "\n{command}").expect("a String takes all text");
        }
        let Compared { figure, unit, before, after, change, .. } = figure;
        let value = |value: f64| match unit {
            Unit::Bytes => bytes(value as u64),
            _ => format!("{value:.6}"),
        };
        let side = |side: &Spread| {
            let [median, low, high] = [side.median, side.low, side.high].map(value);
            format!("{median:>12} [{low} to {high}, {}]", side.runs)
        };
        writeln!(text, "  {change:<13} {figure:<32} {}  now {}", side(before), side(after))
            .expect("a String takes all text");
    }
    text
}
