//! The figures on the README's front page, from the newest records.
//!
//! ```text
//! | what                                    | measured   | by                |
//! | a census of 4×5: 592,275,474 pairs      | 0.4 ms     | `zlab census 4x5` |
//! ```

use super::{Record, Row, Unit};
use crate::cmd::grouped;

/// A line of the table: what, the command, its figure, and how it is shown.
struct Headline {
    what: &'static str,
    command: &'static str,
    figure: &'static str,
    show: fn(f64) -> String,
}

fn time(seconds: f64) -> String {
    match seconds {
        _ if seconds < 1e-3 => format!("{:.0} µs", seconds * 1e6),
        _ if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.1} s"),
    }
}

fn count(count: f64) -> String {
    grouped(count as u128)
}

const HEADLINES: &[Headline] = &[
    Headline {
        what: "pairs of 4×5 Domineering counted by the set they differ on",
        command: "zlab census 4x5",
        figure: "pairs",
        show: count,
    },
    Headline { what: "in", command: "zlab census 4x5", figure: "seconds", show: time },
    Headline {
        what: "pairs of 5×6 counted, all",
        command: "zlab census 5x6",
        figure: "pairs",
        show: count,
    },
    Headline { what: "in", command: "zlab census 5x6", figure: "seconds", show: time },
    Headline {
        what: "bits of the shortest exact key of 4×5, proved",
        command: "zlab exact 4x5",
        figure: "exact_bits",
        show: count,
    },
    Headline {
        what: "searches a second with short keys, each of 5,988 positions",
        command: "zlab table 4x5 --keys random --count 6000 --splits 10+8",
        figure: "searches_per_second",
        show: count,
    },
    Headline {
        what: "Clobber pieces of 4×4 valued, each on its own",
        command: "zlab clobber 4x4 --values",
        figure: "pieces",
        show: count,
    },
    Headline { what: "in", command: "zlab clobber 4x4 --values", figure: "seconds", show: time },
    Headline {
        what: "figures of the four essays measured again",
        command: "zlab reproduce all",
        figure: "same",
        show: |same| format!("{} come out the same", grouped(same as u128)),
    },
    Headline { what: "in", command: "zlab reproduce all", figure: "seconds", show: time },
];

/// The table in Markdown: of the newest day that has the command, the least time
/// and the highest rate, since what else a machine does only slows a run down,
/// and the last of anything else, since the lab grows. A line without a record is left out.
pub fn headlines(records: &[Record]) -> String {
    let mut text = String::from("| what | measured | by |\n|---|---|---|\n");
    for Headline { what, command, figure, show } in HEADLINES {
        let holds = |record: &&Record| {
            record.rows.iter().any(|row| row.command == *command && row.figure == *figure)
        };
        let Some(newest) = records.iter().filter(holds).max_by(|a, b| a.date.cmp(&b.date)) else {
            continue;
        };
        let rows = newest.rows.iter();
        let rows = rows.filter(|row| row.command == *command && row.figure == *figure);
        let better = |a: f64, row: &Row| match row.unit {
            Unit::Rate => a.max(row.value),
            Unit::Seconds => a.min(row.value),
            _ => row.value,
        };
        let start = |unit| if unit == Unit::Rate { 0.0 } else { f64::INFINITY };
        let rows: Vec<&Row> = rows.collect();
        let best = rows.iter().fold(start(rows[0].unit), |best, row| better(best, row));
        text += &format!("| {what} | {} | `{command}` |\n", show(best));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_day_and_its_best_are_shown() {
        let record = |date: &str, values: &[f64]| Record {
            question: "census".into(),
            machine: "m".into(),
            date: date.into(),
            rows: values
                .iter()
                .map(|&value| Row {
                    run: String::new(),
                    commit: String::new(),
                    command: "zlab census 4x5".into(),
                    figure: "seconds".into(),
                    value,
                    unit: Unit::Seconds,
                })
                .collect(),
        };
        let records = [record("2026-01-02", &[0.3, 0.0004, 0.0005]), record("2026-01-01", &[9.0])];
        let table = headlines(&records);
        assert_eq!(table.lines().count(), 3, "{table}");
        assert!(table.ends_with("| in | 400 µs | `zlab census 4x5` |\n"), "{table}");

        let mut counted = record("2026-01-03", &[182.0, 184.0, 183.0]);
        for row in &mut counted.rows {
            (row.figure, row.unit) = ("pairs".into(), Unit::Count);
        }
        let table = headlines(&[counted]);
        assert!(
            table.ends_with("by the set they differ on | 183 | `zlab census 4x5` |\n"),
            "{table}"
        );
    }
}
