//! Two sides of records against each other, with their noise.
//!
//! ```text
//! before   ├──┤ 1.00            quartiles of the runs apart, medians
//! after          ├─┤ 1.21       5 % apart: slower
//! ```
//!
//! What is exact must be equal. What is timed is compared by medians, and only
//! where each side has three runs: a difference counts if the quartiles of the
//! two sides do not overlap and the medians are a twentieth apart. Run the two
//! sides in turns (A B A B …), so that a drifting machine moves both.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Record, Unit};

/// Which rows are meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// Those of one day.
    Date(String),
    /// Those of one machine.
    Machine(String),
    /// Those of one commit, or of all that begin so.
    Commit(String),
}

/// What became of a figure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// An exact figure that is equal.
    Same,
    /// An exact figure that is not.
    Differs,
    /// A timed one that is better by more than the noise.
    Better,
    /// Or worse.
    Worse,
    /// Or neither.
    WithinNoise,
    /// Fewer than three runs on a side.
    TooFewRuns,
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Same => "same",
            Self::Differs => "differs",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::WithinNoise => "within noise",
            Self::TooFewRuns => "too few runs",
        })
    }
}

/// One figure on both sides.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Compared {
    /// The command.
    pub command: String,
    /// The figure.
    pub figure: String,
    /// What it is measured in.
    pub unit: Unit,
    /// Before: quartiles of the runs, and how many there are.
    pub before: Spread,
    /// After.
    pub after: Spread,
    /// What became of it.
    pub change: Change,
}

/// What two sides have come to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Comparison {
    /// The figures that both have.
    pub compared: Vec<Compared>,
    /// The commands that have others.
    pub one_sided: Vec<OneSided>,
}

/// Figures of a command that one side does not have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct OneSided {
    /// The command.
    pub command: String,
    /// How many only the earlier side has.
    pub only_before: usize,
    /// And how many only the later.
    pub only_now: usize,
}

/// The runs of a figure on one side.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// A quarter of the runs are below, by nearest rank.
    pub low: f64,
    /// Half of them.
    pub median: f64,
    /// Three quarters.
    pub high: f64,
    /// How many.
    pub runs: usize,
}

impl Spread {
    fn of(values: &[f64]) -> Self {
        let mut values = values.to_vec();
        values.sort_unstable_by(f64::total_cmp);
        let rank = |share: f64| {
            values[((share * values.len() as f64).ceil() as usize).clamp(1, values.len()) - 1]
        };
        Self { low: rank(0.25), median: rank(0.5), high: rank(0.75), runs: values.len() }
    }
}

/// Runs a side needs before a time says anything.
const ENOUGH: usize = 3;
/// Medians closer than this share are the same for all purposes.
const CLOSE: f64 = 0.05;

fn change(unit: Unit, before: Spread, after: Spread) -> Change {
    if unit.is_exact() {
        let steady = |side: Spread| side.low == side.median && side.median == side.high;
        let close = (before.median - after.median).abs() <= 1e-9 * before.median.abs();
        let same = steady(before) && steady(after) && close;
        return if same { Change::Same } else { Change::Differs };
    }
    if before.runs < ENOUGH || after.runs < ENOUGH {
        return Change::TooFewRuns;
    }
    let apart = before.high < after.low || after.high < before.low;
    if !apart || (after.median / before.median - 1.0).abs() < CLOSE {
        return Change::WithinNoise;
    }
    let more = after.median > before.median;
    if more == (unit == Unit::Rate) { Change::Better } else { Change::Worse }
}

type Figures = BTreeMap<(String, String), (Unit, Vec<f64>)>;

fn gathered<'a>(rows: impl Iterator<Item = &'a super::Row>) -> Figures {
    let mut figures = Figures::new();
    // Older records have rows of parameters.
    for row in rows.filter(|row| !super::is_parameter(&row.figure)) {
        let key = (row.command.clone(), row.figure.clone());
        figures.entry(key).or_insert((row.unit, Vec::new())).1.push(row.value);
    }
    figures
}

/// The figures of both sides: `before` as named, and the newest of what it
/// leaves, by the same kind: the newest day, this machine, the newest commit.
/// Nothing if it leaves nothing.
pub fn compare(records: &[Record], before: &Side, this_machine: &str) -> Comparison {
    let holds = |side: &Side, record: &Record, row: &super::Row| match side {
        Side::Date(date) => record.date == *date && record.machine == this_machine,
        Side::Machine(machine) => record.machine == *machine,
        Side::Commit(commit) => row.commit.starts_with(commit.as_str()),
    };
    let all = || records.iter().flat_map(|record| record.rows.iter().map(move |row| (record, row)));
    let left = || all().filter(|(record, row)| !holds(before, record, row));
    let newest = left().filter(|(record, _)| record.machine == this_machine);
    let newest = newest.max_by(|a, b| a.1.run.cmp(&b.1.run));
    let Some((record, row)) = newest else { return Comparison::default() };
    let after = match before {
        Side::Date(_) => Side::Date(record.date.clone()),
        Side::Machine(_) => Side::Machine(this_machine.into()),
        Side::Commit(_) => Side::Commit(row.commit.clone()),
    };
    let old = gathered(all().filter(|(r, row)| holds(before, r, row)).map(|(_, row)| row));
    let new = gathered(left().filter(|(r, row)| holds(&after, r, row)).map(|(_, row)| row));
    let mut lone: BTreeMap<&String, OneSided> = BTreeMap::new();
    for (here, there, earlier) in [(&old, &new, true), (&new, &old, false)] {
        for (command, _) in here.keys().filter(|figure| !there.contains_key(figure)) {
            let none = || OneSided { command: command.clone(), only_before: 0, only_now: 0 };
            let lone = lone.entry(command).or_insert_with(none);
            *if earlier { &mut lone.only_before } else { &mut lone.only_now } += 1;
        }
    }
    let one_sided = lone.into_values().collect();
    let both = |((command, figure), (unit, values)): (&(String, String), &(Unit, Vec<f64>))| {
        let (_, old) = old.get(&(command.clone(), figure.clone()))?;
        let (before, after) = (Spread::of(old), Spread::of(values));
        let (command, figure) = (command.clone(), figure.clone());
        let change = change(*unit, before, after);
        Some(Compared { command, figure, unit: *unit, before, after, change })
    };
    Comparison { compared: new.iter().filter_map(both).collect(), one_sided }
}

#[cfg(test)]
mod tests {
    use super::super::Row;
    use super::*;

    fn record(date: &str, machine: &str, commit: &str, unit: Unit, values: &[f64]) -> Record {
        let row = |(index, &value): (usize, &f64)| Row {
            run: format!("{date}T00:00:{index:02}Z"),
            commit: commit.into(),
            command: "zlab census 4x5".into(),
            figure: "seconds".into(),
            value,
            unit,
        };
        Record {
            question: "census".into(),
            machine: machine.into(),
            date: date.into(),
            rows: values.iter().enumerate().map(row).collect(),
        }
    }

    fn changed(unit: Unit, before: &[f64], after: &[f64]) -> Change {
        let records = [
            record("2026-01-01", "m", "a", unit, before),
            record("2026-01-02", "m", "b", unit, after),
        ];
        let by_date = compare(&records, &Side::Date("2026-01-01".into()), "m").compared;
        let by_commit = compare(&records, &Side::Commit("a".into()), "m").compared;
        assert_eq!((by_date.len(), &by_date), (1, &by_commit));
        by_date[0].change
    }

    #[test]
    fn noise_is_no_difference_and_a_difference_is_told() {
        let seconds = |before: &[f64], after: &[f64]| changed(Unit::Seconds, before, after);
        assert_eq!(seconds(&[1.0, 1.1, 1.2], &[1.3, 1.4, 1.5]), Change::Worse);
        assert_eq!(seconds(&[1.3, 1.4, 1.5], &[1.0, 1.1, 1.2]), Change::Better);
        assert_eq!(seconds(&[1.0, 1.1, 1.4], &[1.3, 1.35, 1.5]), Change::WithinNoise);
        assert_eq!(seconds(&[1.0, 1.0, 1.0], &[1.01, 1.01, 1.01]), Change::WithinNoise);
        assert_eq!(seconds(&[1.0, 1.0], &[9.0, 9.0, 9.0]), Change::TooFewRuns);
        assert_eq!(changed(Unit::Rate, &[1.0, 1.1, 1.2], &[1.3, 1.4, 1.5]), Change::Better);
        assert_eq!(changed(Unit::Count, &[512.0], &[512.0, 512.0]), Change::Same);
        assert_eq!(changed(Unit::Count, &[512.0], &[513.0]), Change::Differs);
        assert_eq!(changed(Unit::Count, &[512.0], &[512.0, 513.0]), Change::Differs);
    }

    #[test]
    fn another_machine_is_compared_with_this_one() {
        let records = [
            record("2026-01-01", "theirs", "a", Unit::Seconds, &[2.0, 2.0, 2.0]),
            record("2026-01-03", "ours", "b", Unit::Seconds, &[1.0, 1.0, 1.0]),
        ];
        let theirs = Side::Machine("theirs".into());
        assert_eq!(compare(&records, &theirs, "ours").compared[0].change, Change::Better);
        assert_eq!(compare(&records[..1], &theirs, "ours"), Comparison::default());
    }

    #[test]
    fn other_threads_are_no_difference_and_other_time_ratios_are_noise() {
        let named = |mut record: Record, figure: &str| {
            record.rows.iter_mut().for_each(|row| row.figure = figure.into());
            record
        };
        let side = |machine: &str, threads: f64, ratio: f64| {
            let made = |unit, value| record("2026-01-01", machine, "a", unit, &[value; 3]);
            [
                named(made(Unit::Count, threads), "threads"),
                named(made(Unit::TimeRatio, ratio), "figures.9.measured.time_ratio"),
                named(made(Unit::Count, 512.0), "free_sets"),
            ]
        };
        let records = [side("theirs", 64.0, 1.9), side("ours", 2.0, 1.3)].concat();
        let found = compare(&records, &Side::Machine("theirs".into()), "ours");
        let changes: Vec<_> = found.compared.iter().map(|c| (&*c.figure, c.change)).collect();
        let ratio = ("figures.9.measured.time_ratio", Change::Better);
        assert_eq!(changes, [ratio, ("free_sets", Change::Same)]);
    }

    #[test]
    fn figures_of_one_side_are_counted() {
        let mut records = [
            record("2026-01-01", "m", "a", Unit::Count, &[1.0, 2.0, 3.0]),
            record("2026-01-02", "m", "b", Unit::Count, &[3.0, 4.0]),
        ];
        for row in records.iter_mut().flat_map(|record| &mut record.rows) {
            row.figure = row.value.to_string();
        }
        let found = compare(&records, &Side::Date("2026-01-01".into()), "m");
        assert_eq!(found.compared.len(), 1);
        let lone = OneSided { command: "zlab census 4x5".into(), only_before: 2, only_now: 1 };
        assert_eq!(found.one_sided, [lone]);
    }
}
