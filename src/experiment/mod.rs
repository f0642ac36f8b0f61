//! Every figure of the four essays, measured again.
//!
//! ```text
//! essay ─► question (an Experiment, a file) ─► figures ─► measured from the Lab ─► verdict
//! ```
//!
//! What an essay says is a constant beside the verdict that the figure is known
//! to get; everything else is computed in the run. A figure whose verdict is
//! not the one known has changed, and is marked; one that was the same and no
//! longer is has been lost, and that is a failure. Times are told and not judged.
//! What several figures are read off is measured once: see [`Lab`].
//!
//! Adding a question is one file, one `mod` line and one element of
//! [`EXPERIMENTS`].

mod check_bits;
mod designs;
mod exact_table;
mod families;
mod figure;
mod number;
mod folds;
pub(crate) mod lab;
mod openings;
mod policies;
mod prices;
mod shortest;
mod soundness;
mod splits;
mod values;
mod words;

pub use figure::{Measured, Says, Verdict, count, counts, judge, least_and_most, share, spread};
pub use lab::Lab;
pub use number::{Decimal, Number, d, ratio};

use indicatif::ProgressBar;

use crate::error::Error;

/// One question that an essay asks, with the figures of its answer.
#[derive(Debug)]
pub struct Experiment {
    /// The essay.
    pub essay: &'static str,
    /// Its file's name.
    pub name: &'static str,
    /// The question, in one line.
    pub question: &'static str,
    /// The figures, in the order of the essay.
    pub figures: &'static [Figure],
}

/// One figure: what an essay says, and how to measure it.
#[derive(Debug)]
pub struct Figure {
    /// A name, unique in its essay.
    pub id: &'static str,
    /// What the figure is of.
    pub of: &'static str,
    /// What the essay says.
    pub says: Says,
    /// The verdict it is known to get.
    pub verdict: Verdict,
    /// What the essay's words were taken to mean.
    pub convention: &'static str,
    /// Measures it.
    pub measure: fn(&Lab) -> Result<Measured, Error>,
}

type Measure = fn(&Lab) -> Result<Measured, Error>;

/// A figure that comes out as the essay says.
const fn same(
    id: &'static str,
    of: &'static str,
    says: Says,
    convention: &'static str,
    measure: Measure,
) -> Figure {
    Figure { id, of, says, verdict: Verdict::Same, convention, measure }
}

/// A figure that does not.
const fn differs(
    id: &'static str,
    of: &'static str,
    says: Says,
    convention: &'static str,
    measure: Measure,
) -> Figure {
    Figure { id, of, says, verdict: Verdict::Differs, convention, measure }
}

/// A figure that rests on what the essay does not say.
const fn unclear(
    id: &'static str,
    of: &'static str,
    says: Says,
    convention: &'static str,
    measure: Measure,
) -> Figure {
    Figure { id, of, says, verdict: Verdict::Unclear, convention, measure }
}

/// The essays, in the order in which they were asked about.
pub const ESSAYS: [&str; 4] = ["key-is-a-code", "check-bits", "pairing-check", "colour-swap"];

/// Every question, by essay.
pub const EXPERIMENTS: &[Experiment] = &[
    words::EXPERIMENT,
    prices::EXPERIMENT,
    shortest::EXPERIMENT,
    designs::EXPERIMENT,
    exact_table::EXPERIMENT,
    check_bits::EXPERIMENT,
    families::EXPERIMENT,
    splits::EXPERIMENT,
    soundness::EXPERIMENT,
    policies::EXPERIMENT,
    folds::EXPERIMENT,
    values::EXPERIMENT,
    openings::EXPERIMENT,
];

/// A figure and what this run found.
#[derive(Debug)]
pub struct Outcome {
    /// The question it belongs to.
    pub experiment: &'static Experiment,
    /// The figure.
    pub figure: &'static Figure,
    /// What was measured.
    pub measured: Measured,
    /// What comes of it.
    pub verdict: Verdict,
}

impl Outcome {
    /// Whether the verdict is not the one that the figure is known to get.
    pub fn changed(&self) -> bool {
        self.verdict != self.figure.verdict
    }

    /// Whether the figure is known to come out the same, and did not.
    pub fn lost(&self) -> bool {
        self.figure.verdict == Verdict::Same && self.changed()
    }
}

/// Measures the figures of one essay, or of all; `progress` counts figures.
///
/// # Errors
/// More memory than is free.
pub fn run(essay: Option<&str>, lab: &Lab, progress: &ProgressBar) -> Result<Vec<Outcome>, Error> {
    let wanted =
        || EXPERIMENTS.iter().filter(|asked| essay.is_none_or(|essay| asked.essay == essay));
    progress.set_length(wanted().map(|experiment| experiment.figures.len() as u64).sum());
    let mut outcomes = Vec::new();
    for experiment in wanted() {
        for figure in experiment.figures {
            let measured = (figure.measure)(lab)?;
            let verdict = judge(figure.says, &measured);
            outcomes.push(Outcome { experiment, figure, measured, verdict });
            progress.inc(1);
        }
    }
    Ok(outcomes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn only_a_figure_that_was_the_same_can_be_lost() {
        const FIGURES: [Figure; 3] = [
            same("a", "", Says::Holds, "", |_| Ok(Measured::Nothing)),
            differs("b", "", Says::Holds, "", |_| Ok(Measured::Nothing)),
            unclear("c", "", Says::Holds, "", |_| Ok(Measured::Nothing)),
        ];
        let all = [Verdict::Same, Verdict::Differs, Verdict::Unclear];
        for figure in &FIGURES {
            for verdict in all {
                let (experiment, measured) = (&EXPERIMENTS[0], Measured::Nothing);
                let outcome = Outcome { experiment, figure, measured, verdict };
                let lost = figure.verdict == Verdict::Same && verdict != Verdict::Same;
                assert_eq!(outcome.lost(), lost, "{} to {verdict}", figure.verdict);
                assert_eq!(outcome.changed(), figure.verdict != verdict);
            }
        }
    }

    #[test]
    fn every_essay_is_asked_about_and_no_name_serves_twice() {
        for essay in ESSAYS {
            let of = EXPERIMENTS.iter().filter(|experiment| experiment.essay == essay);
            let ids: Vec<&str> = of.flat_map(|e| e.figures).map(|figure| figure.id).collect();
            assert!(ids.len() > 10, "{essay}: {} figures", ids.len());
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{essay}: {ids:?}");
        }
        assert!(EXPERIMENTS.iter().all(|experiment| ESSAYS.contains(&experiment.essay)));
    }
}
