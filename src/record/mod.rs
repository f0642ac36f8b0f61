//! Records of measurements: every number of a verb's document as a typed row,
//! appended to a file of its day and machine, and never edited.
//!
//! ```text
//! results/census/amd-epyc-2c-32m/2026-11-30.csv
//!     run,commit,command,figure,value,unit
//!     2026-11-30T11:20:03.471Z,44f65f5,zlab census 4x5,pairs,592275474,count
//!     2026-11-30T11:20:03.471Z,44f65f5,zlab census 4x5,seconds,0.00035,s
//! results/census/amd-epyc-2c-32m/machine.txt      what each run ran on
//! ```
//!
//! A figure's name is its place in the document. An element of a list is named
//! by its first field where that tells the elements apart, else by the first
//! two, else by its number: `price_list.12.pairs`, `splits.10+8.wrong`. What is
//! text is no measurement and makes no row, nor does what is asked for or had
//! rather than measured, such as threads.

mod compare;
mod headlines;
mod stamp;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;

pub use compare::{Change, Compared, Comparison, OneSided, Side, Spread, compare};
pub use headlines::headlines;
pub use stamp::{Stamp, machine, now};

/// Where records are kept unless told otherwise.
pub const DIRECTORY: &str = "results";

/// One measurement.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// When the run ended, in UTC: `2026-11-30T11:20:03.471Z`.
    pub run: String,
    /// The commit that the program was built of, `+` if its sources had changes.
    pub commit: String,
    /// The command that made it.
    pub command: String,
    /// Its place in the command's document.
    pub figure: String,
    /// What was measured.
    #[serde(serialize_with = "plainly")]
    pub value: f64,
    /// What it is measured in.
    pub unit: Unit,
}

/// Writes integers as such.
fn plainly<S: serde::Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if value.fract() == 0.0 && value.abs() < 2f64.powi(53) {
        serializer.serialize_i64(*value as i64)
    } else {
        serializer.serialize_f64(*value)
    }
}

/// What a value is measured in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Unit {
    /// An exact number of something; exact in a `f64` below 2^53.
    #[serde(rename = "count")]
    Count,
    /// 1 for yes, 0 for no.
    #[serde(rename = "bool")]
    Bool,
    /// A ratio or a mean.
    #[serde(rename = "1")]
    Ratio,
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanoseconds,
    /// One time over another: noisy, unlike other ratios.
    #[serde(rename = "s/s")]
    TimeRatio,
    /// So many a second.
    #[serde(rename = "1/s")]
    Rate,
    /// Bytes held: noisy, unlike a count.
    #[serde(rename = "B")]
    Bytes,
}

impl Unit {
    /// By the name of a document's field.
    fn of(field: &str, value: &Value) -> Self {
        let ends = |end: &str| field == end || field.ends_with(&format!("_{end}"));
        match value {
            Value::Bool(_) => Self::Bool,
            _ if field.ends_with("per_second") => Self::Rate,
            _ if ends("time_ratio") => Self::TimeRatio,
            _ if ends("seconds") => Self::Seconds,
            _ if ends("ns") => Self::Nanoseconds,
            _ if ends("bytes") => Self::Bytes,
            Value::Number(number) if number.is_f64() => Self::Ratio,
            _ => Self::Count,
        }
    }

    /// Whether it is the same in every run of one program.
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Count | Self::Bool | Self::Ratio)
    }
}

/// What a machine or a user gives, and how a plan was cut for it.
const PARAMETERS: [&str; 8] = [
    "threads",
    "ranks",
    "available",
    "available_bytes",
    "slices_at_once",
    "differences",
    "differences_a_shard",
    "shards",
];

/// Whether a figure is no measurement but a parameter: it may differ between
/// machines while nothing has changed.
fn is_parameter(figure: &str) -> bool {
    figure.rsplit('.').next().is_some_and(|field| PARAMETERS.contains(&field))
}

/// Every measured number of a document: figure, value, unit.
///
/// ```
/// use zobrist_lab::record::{Unit, figures};
/// let document = serde_json::json!({"board": "2x4", "seconds": 0.5,
///     "price_list": [{"squares": 2, "pairs": 40}, {"squares": 4, "pairs": 9}]});
/// let found = figures(&document);
/// assert_eq!(found[0], ("seconds".into(), 0.5, Unit::Seconds));
/// assert_eq!(found[3], ("price_list.4.squares".into(), 4.0, Unit::Count));
/// ```
pub fn figures(document: &Value) -> Vec<(String, f64, Unit)> {
    let mut found = Vec::new();
    collect(document, "", "", &mut found);
    found.retain(|(figure, ..)| !is_parameter(figure));
    found
}

fn collect(value: &Value, path: &str, field: &str, found: &mut Vec<(String, f64, Unit)>) {
    let below = |name: &str| if path.is_empty() { name.into() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                collect(value, &below(name), name, found);
            }
        }
        Value::Array(items) => {
            for (name, item) in names(items).into_iter().zip(items) {
                collect(item, &below(&name), field, found);
            }
        }
        Value::Number(number) => {
            let value_of = number.as_f64().expect("JSON numbers are floats or integers");
            found.push((path.into(), value_of, Unit::of(field, value)));
        }
        Value::Bool(holds) => found.push((path.into(), f64::from(*holds), Unit::Bool)),
        Value::String(_) | Value::Null => {}
    }
}

/// Names of a list's elements; see the head of this file.
fn names(items: &[Value]) -> Vec<String> {
    let label = |item: &Value, fields: usize| -> Option<String> {
        let values = item.as_object()?.values().take(fields);
        let texts = values.map(|value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) if !number.is_f64() => Some(number.to_string()),
            _ => None,
        });
        Some(texts.collect::<Option<Vec<_>>>()?.join("+"))
    };
    for fields in 1..=2 {
        let labels: Option<Vec<String>> = items.iter().map(|item| label(item, fields)).collect();
        if let Some(labels) = labels
            && labels.iter().collect::<BTreeSet<_>>().len() == labels.len()
        {
            return labels;
        }
    }
    (0..items.len()).map(|index| index.to_string()).collect()
}

/// Appends a run's figures to `directory/question/machine/date.csv`, and what
/// it ran on to `machine.txt` beside; returns the file.
///
/// # Errors
/// The system refuses to make or to write them.
pub fn append(
    directory: &Path,
    question: &str,
    command: &str,
    document: &Value,
) -> Result<PathBuf, Error> {
    let stamp = Stamp::take();
    let folder = directory.join(question).join(&stamp.machine);
    fs::create_dir_all(&folder).map_err(|source| Error::io(&folder, source))?;
    let date = stamp.run.split('T').next().expect("a time has a date");
    let file = folder.join(format!("{date}.csv"));
    let header = !file.exists();
    let mut writer = csv::WriterBuilder::new().has_headers(header).from_writer(Vec::new());
    for (figure, value, unit) in figures(document) {
        let row = Row {
            run: stamp.run.clone(),
            commit: stamp.commit.clone(),
            command: command.into(),
            figure,
            value,
            unit,
        };
        writer.serialize(row).expect("a vector takes all rows");
    }
    let rows = writer.into_inner().expect("a vector takes all rows");
    add(&file, &rows)?;
    add(&folder.join("machine.txt"), stamp.text(command).as_bytes())?;
    Ok(file)
}

/// Adds bytes at the end of a file in one write, so that runs do not mix.
fn add(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    let added = OpenOptions::new().create(true).append(true).open(file);
    added.and_then(|mut file| file.write_all(bytes)).map_err(|source| Error::io(file, source))
}

/// The rows of one file, and where they were found.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The verb.
    pub question: String,
    /// The machine's name.
    pub machine: String,
    /// The day.
    pub date: String,
    /// The rows, in the order of their runs.
    pub rows: Vec<Row>,
}

impl Record {
    /// How many runs it holds.
    pub fn runs(&self) -> usize {
        self.rows.iter().map(|row| &row.run).collect::<BTreeSet<_>>().len()
    }
}

/// Every record below a directory, by question, machine and date; none if there
/// is no such directory.
///
/// # Errors
/// A file that cannot be read, or whose rows are not as [`append`] writes them.
pub fn read(directory: &Path) -> Result<Vec<Record>, Error> {
    let mut records = Vec::new();
    for (question, folder) in entries(directory)? {
        for (machine, folder) in entries(&folder)? {
            for (name, file) in entries(&folder)? {
                let Some(date) = name.strip_suffix(".csv") else { continue };
                let (question, machine) = (question.clone(), machine.clone());
                records.push(Record { question, machine, date: date.into(), rows: rows(&file)? });
            }
        }
    }
    Ok(records)
}

fn rows(file: &Path) -> Result<Vec<Row>, Error> {
    let mut reader =
        csv::Reader::from_path(file).map_err(|error| Error::file(file, error.to_string()))?;
    let rows: Result<Vec<Row>, csv::Error> = reader.deserialize().collect();
    rows.map_err(|error| Error::file(file, format!("no record: {error}")))
}

/// Names and paths in a directory, sorted; none where there is no directory.
fn entries(directory: &Path) -> Result<Vec<(String, PathBuf)>, Error> {
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let read = fs::read_dir(directory).map_err(|source| Error::io(directory, source))?;
    let mut names: Vec<_> = read
        .filter_map(Result::ok)
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn elements_are_named_by_what_tells_them_apart() {
        let named = |document: Value| -> Vec<String> {
            figures(&document).into_iter().map(|(figure, ..)| figure).collect()
        };
        let splits = json!([{"address": 10, "check": 0, "wrong": 3}, {"address": 10, "check": 8}]);
        assert_eq!(
            named(json!({ "splits": splits })),
            [
                "splits.10+0.address",
                "splits.10+0.check",
                "splits.10+0.wrong",
                "splits.10+8.address",
                "splits.10+8.check"
            ]
        );
        assert_eq!(named(json!({"a": [1, 2], "b": [], "c": null, "d": "x"})), ["a.0", "a.1"]);
        assert_eq!(named(json!({"a": [{"x": 1.5}, {"x": 2.5}]})), ["a.0.x", "a.1.x"]);
    }

    #[test]
    fn units_follow_names_and_types() {
        let unit = |field: &str, value: Value| Unit::of(field, &value);
        assert_eq!(unit("percentiles_seconds", json!(0.5)), Unit::Seconds);
        assert_eq!(unit("searches_per_second", json!(2.0)), Unit::Rate);
        assert_eq!(unit("median_ns", json!(2.0)), Unit::Nanoseconds);
        assert_eq!(unit("peak_bytes", json!(7)), Unit::Bytes);
        assert_eq!(unit("pairs", json!(7)), Unit::Count);
        assert_eq!(unit("mean_pairs", json!(7.0)), Unit::Ratio);
        assert_eq!(unit("proved", json!(true)), Unit::Bool);
        assert_eq!(unit("time_ratio", json!(1.5)), Unit::TimeRatio);
    }

    #[test]
    fn parameters_are_no_figures() {
        let document = json!({"threads": 2, "pairs": 7, "available_bytes": 9,
            "tiers": [{"available": true, "tier": "avx2"}], "passes": [{"shards": 3, "sets": 4}]});
        let figures: Vec<String> = figures(&document).into_iter().map(|(name, ..)| name).collect();
        assert_eq!(figures, ["pairs", "passes.3.sets"]);
    }

    #[test]
    fn what_is_appended_is_read_back_and_what_was_there_stays() {
        let directory = tempfile::tempdir().unwrap();
        let document = |seconds: f64| json!({"pairs": 654, "seconds": seconds, "board": "2x4"});
        let file = append(directory.path(), "census", "zlab census 2x4", &document(0.25)).unwrap();
        let first = fs::read_to_string(&file).unwrap();
        append(directory.path(), "census", "zlab census 2x4", &document(0.5)).unwrap();
        let both = fs::read_to_string(&file).unwrap();
        assert!(both.starts_with(&first) && both.len() > first.len());
        let records = read(directory.path()).unwrap();
        assert_eq!(records.len(), 1);
        let record = &records[0];
        assert_eq!((&*record.question, record.rows.len()), ("census", 4));
        assert_eq!(record.machine, machine());
        let seconds: Vec<f64> = record
            .rows
            .iter()
            .filter(|row| row.unit == Unit::Seconds)
            .map(|row| row.value)
            .collect();
        assert_eq!(seconds, [0.25, 0.5]);
        let stamps = fs::read_to_string(file.with_file_name("machine.txt")).unwrap();
        assert_eq!(stamps.matches("command  zlab census 2x4").count(), 2, "{stamps}");
        fs::write(&file, "run,commit\n1,2\n").unwrap();
        assert!(read(directory.path()).unwrap_err().to_string().contains("no record"));
        assert!(read(&directory.path().join("nowhere")).unwrap().is_empty());
    }
}
