//! The figures on the README's front page, from the newest records.
//!
//! ```text
//! | what                                    | measured   | by                |
//! | a census of 4×5: 592,275,474 pairs      | 0.4 ms     | `zlab census 4x5` |
//! ```

use std::collections::BTreeMap;

use super::{Record, Row, Unit};
use crate::cmd::grouped;

/// A line of the table: what, the command, its figure, and how it is shown.
struct Headline {
    what: &'static str,
    command: &'static str,
    figure: &'static str,
    show: fn(f64) -> String,
    /// What else the best run has to say, if its record has what that takes.
    more: fn(&Run) -> Option<String>,
}

/// The figures of one run.
type Run<'a> = BTreeMap<&'a str, f64>;

fn no_more(_: &Run) -> Option<String> {
    None
}

/// Positions that a search passes on average.
fn positions_a_search(run: &Run) -> Option<String> {
    let positions = run.get("positions_per_second")? / run.get("searches_per_second")?;
    // Three digits: the rate is one of times.
    Some(format!(", each of {} positions on average", count((positions / 100.0).round() * 100.0)))
}

/// Of how many figures.
fn of_all_figures(run: &Run) -> Option<String> {
    let all = run.get("same")? + run.get("differs")? + run.get("unclear")?;
    Some(format!(" of {}", count(all)))
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
        more: no_more,
    },
    Headline {
        what: "in",
        command: "zlab census 4x5",
        figure: "seconds",
        show: time,
        more: no_more,
    },
    Headline {
        what: "pairs of 5×6 counted, all",
        command: "zlab census 5x6",
        figure: "pairs",
        show: count,
        more: no_more,
    },
    Headline {
        what: "in",
        command: "zlab census 5x6",
        figure: "seconds",
        show: time,
        more: no_more,
    },
    Headline {
        what: "bits of the shortest exact key of 4×5, proved",
        command: "zlab exact 4x5",
        figure: "exact_bits",
        show: count,
        more: no_more,
    },
    Headline {
        what: "searches a second with short keys of 10+8 bits",
        command: "zlab table 4x5 --keys random --count 6000 --splits 10+8",
        figure: "searches_per_second",
        show: count,
        more: positions_a_search,
    },
    Headline {
        what: "Clobber pieces of 4×4 valued, each on its own",
        command: "zlab clobber 4x4 --values",
        figure: "pieces",
        show: count,
        more: no_more,
    },
    Headline {
        what: "in",
        command: "zlab clobber 4x4 --values",
        figure: "seconds",
        show: time,
        more: no_more,
    },
    Headline {
        what: "figures of the four essays that come out the same, measured again",
        command: "zlab reproduce all",
        figure: "same",
        show: count,
        more: of_all_figures,
    },
    Headline {
        what: "in",
        command: "zlab reproduce all",
        figure: "seconds",
        show: time,
        more: no_more,
    },
];

/// The table in Markdown: of the newest day that has the command, the least time
/// and the highest rate, since what else a machine does only slows a run down,
/// and the last of anything else, since the lab grows. A line without a record is left out.
pub fn headlines(records: &[Record]) -> String {
    let mut text = String::from("| what | measured | by |\n|---|---|---|\n");
    for Headline { what, command, figure, show, more } in HEADLINES {
        let holds = |record: &&Record| {
            record.rows.iter().any(|row| row.command == *command && row.figure == *figure)
        };
        let Some(newest) = records.iter().filter(holds).max_by(|a, b| a.date.cmp(&b.date)) else {
            continue;
        };
        let rows = newest.rows.iter();
        let rows = rows.filter(|row| row.command == *command && row.figure == *figure);
        let better = |best: &Row, row: &Row| match row.unit {
            Unit::Rate => row.value > best.value,
            Unit::Seconds => row.value < best.value,
            _ => true,
        };
        let best = rows.reduce(|best, row| if better(best, row) { row } else { best });
        let best = best.expect("the record was taken for its row");
        let run: Run = newest
            .rows
            .iter()
            .filter(|row| (&row.run, &row.command) == (&best.run, &best.command))
            .map(|row| (&*row.figure, row.value))
            .collect();
        let more = more(&run).unwrap_or_default();
        text += &format!("| {what} | {}{more} | `{command}` |\n", show(best.value));
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

    #[test]
    fn what_a_line_says_besides_is_of_the_same_run() {
        let row = |run: &str, command: &str, figure: &str, value: f64, unit| Row {
            run: run.into(),
            commit: String::new(),
            command: command.into(),
            figure: figure.into(),
            value,
            unit,
        };
        let table = "zlab table 4x5 --keys random --count 6000 --splits 10+8";
        let rows = vec![
            row("1", table, "searches_per_second", 2_000.0, Unit::Rate),
            row("1", table, "positions_per_second", 31_800_000.0, Unit::Rate),
            row("2", table, "searches_per_second", 1_000.0, Unit::Rate),
            row("2", table, "positions_per_second", 1_000.0, Unit::Rate),
            row("3", "zlab reproduce all", "same", 184.0, Unit::Count),
            row("3", "zlab reproduce all", "differs", 18.0, Unit::Count),
            row("3", "zlab reproduce all", "unclear", 25.0, Unit::Count),
        ];
        let [question, machine, date] = ["", "m", "2026-01-01"].map(str::to_owned);
        let text = headlines(&[Record { question, machine, date, rows }]);
        assert!(text.contains("| 2,000, each of 15,900 positions on average |"), "{text}");
        assert!(text.contains("| 184 of 227 | `zlab reproduce all` |"), "{text}");
    }
}
