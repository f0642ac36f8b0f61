//! `zlab reproduce [ESSAY]`: every figure of the essays, measured again.

use std::fmt::Write;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Common, Report, Verb};
use crate::error::Error;
use crate::experiment::{self, ESSAYS, EXPERIMENTS, Experiment, Lab, Outcome, Verdict};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "reproduce",
    about: "Measure every figure of the essays again, and say which come out the same",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// The essay, or all
    #[arg(default_value = "all", value_parser = known)]
    essay: String,
    /// List the questions and their figures, and measure nothing
    #[arg(long)]
    list: bool,
}

fn known(essay: &str) -> Result<String, String> {
    if essay == "all" || ESSAYS.contains(&essay) {
        return Ok(essay.into());
    }
    Err(format!("no such essay: want {} or all", ESSAYS.join(", ")))
}

#[derive(Serialize)]
struct Document<'a> {
    figures: Vec<Row<'a>>,
    same: usize,
    differs: usize,
    unclear: usize,
    changed: usize,
    /// Known to be the same, and no longer so.
    lost: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Row<'a> {
    essay: &'a str,
    id: &'a str,
    expected: serde_json::Value,
    measured: serde_json::Value,
    verdict: Verdict,
    convention: &'a str,
    /// What the figure is of.
    of: &'a str,
    /// The verdict it is known to get.
    known: Verdict,
}

#[derive(Serialize)]
struct Question<'a> {
    essay: &'a str,
    name: &'a str,
    question: &'a str,
    figures: Vec<&'a str>,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let Arguments { essay, list } =
        Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let essay = (essay != "all").then_some(essay.as_str());
    if list {
        return Ok(listed(essay));
    }
    let lab = Lab::new(common.ceiling()?);
    let progress = common.progress("measuring figures", 0);
    let start = std::time::Instant::now();
    let outcomes = experiment::run(essay, &lab, &progress)?;
    let seconds = start.elapsed().as_secs_f64();
    progress.finish_and_clear();
    let of = |verdict| outcomes.iter().filter(|outcome| outcome.verdict == verdict).count();
    let document = Document {
        figures: outcomes.iter().map(Row::new).collect(),
        same: of(Verdict::Same),
        differs: of(Verdict::Differs),
        unclear: of(Verdict::Unclear),
        changed: outcomes.iter().filter(|outcome| outcome.changed()).count(),
        lost: outcomes.iter().filter(|outcome| outcome.lost()).count(),
        seconds,
    };
    let mut report = Report::new(readable(&outcomes, &document), &document);
    report.failed = document.lost > 0;
    Ok(report)
}

impl<'a> Row<'a> {
    fn new(outcome: &'a Outcome) -> Self {
        let Outcome { experiment, figure, measured, verdict } = outcome;
        Self {
            essay: experiment.essay,
            id: figure.id,
            expected: figure.says.json(),
            measured: measured.json(),
            verdict: *verdict,
            convention: figure.convention,
            of: figure.of,
            known: figure.verdict,
        }
    }
}

fn readable(outcomes: &[Outcome], document: &Document) -> String {
    let mut text = String::new();
    let mut asked: Option<&Experiment> = None;
    for outcome in outcomes {
        let Outcome { experiment, figure, measured, verdict } = outcome;
        if asked.is_none_or(|asked| asked.name != experiment.name) {
            put(&mut text, format_args!("\n{}: {}", experiment.essay, experiment.question));
            asked = Some(experiment);
        }
        let mark = match (outcome.lost(), outcome.changed()) {
            (true, _) => "  LOST",
            (false, true) => "  CHANGED",
            (false, false) => "",
        };
        put(&mut text, format_args!("\n  {verdict:<13} {}: {}{mark}", figure.id, figure.of));
        put(&mut text, format_args!("    essay        {}", figure.says.readable()));
        put(&mut text, format_args!("    measured     {}", measured.readable()));
        put(&mut text, format_args!("    convention   {}", figure.convention));
    }
    let Document { same, differs, unclear, changed, lost, seconds, .. } = document;
    put(
        &mut text,
        format_args!(
            "\n{} figures in {seconds:.1} s: {same} same, {differs} differ, {unclear} essay unclear; \
             {changed} changed, {lost} lost",
            outcomes.len()
        ),
    );
    text
}

fn listed(essay: Option<&str>) -> Report {
    let wanted = EXPERIMENTS.iter().filter(|asked| essay.is_none_or(|essay| asked.essay == essay));
    let question = |asked: &'static Experiment| Question {
        essay: asked.essay,
        name: asked.name,
        question: asked.question,
        figures: asked.figures.iter().map(|figure| figure.id).collect(),
    };
    let questions: Vec<Question> = wanted.map(question).collect();
    let mut text = String::new();
    for Question { essay, name, question, figures } in &questions {
        put(
            &mut text,
            format_args!("{essay:<14} {name:<12} {:>3} figures  {question}", figures.len()),
        );
    }
    Report::new(text, &questions)
}

fn put(text: &mut String, line: std::fmt::Arguments) {
    writeln!(text, "{line}").expect("a String takes all text");
}
