//! The essays' figures: every verdict is the one known, and an expectation that
//! is moved a little is noticed.

use assert_cmd::Command;
use indicatif::ProgressBar;
use zobrist_lab::experiment::{self, Decimal, ESSAYS, Lab, Measured, Outcome, Says, Verdict};
use zobrist_lab::tier::Tier;

fn leaked<T: Clone>(items: &[T]) -> &'static [T] {
    Box::leak(items.to_vec().into_boxed_slice())
}

/// Something else than what the essay says, as near as its digits allow: two
/// units of the last, since a tie may be rounded either way.
fn mutated(outcome: &Outcome) -> (Says, Measured) {
    let moved = |decimal: Decimal| decimal.moved(2);
    let first = |digits: &[Decimal]| {
        let mut digits = digits.to_vec();
        digits[0] = moved(digits[0]);
        leaked(&digits)
    };
    let measured = outcome.measured.clone();
    match outcome.figure.says {
        Says::Counts(counts) => {
            let mut counts = counts.to_vec();
            let last = counts.len() - 1;
            counts[last] += 1;
            (Says::Counts(leaked(&counts)), measured)
        }
        Says::Digits(digits) => (Says::Digits(first(digits)), measured),
        Says::Extremes(least, most) => (Says::Extremes(moved(least), most), measured),
        Says::About(about, percent) => (Says::About(about.moved(1_000_000), percent), measured),
        Says::From(_, most) => (Says::From(most.moved(1), most.moved(2)), measured),
        Says::AtLeast(least) => (Says::AtLeast(least.moved(10i128.pow(9))), measured),
        Says::Texts(texts) => {
            let mut texts = texts.to_vec();
            texts.push("something else");
            (Says::Texts(leaked(&texts)), measured)
        }
        Says::Holds => (Says::Holds, Measured::Holds(false)),
        Says::Unstated(_) => unreachable!("it is never the same"),
    }
}

#[test]
fn every_figure_of_every_essay_gets_the_verdict_known() {
    let lab = Lab::new(Tier::best());
    for essay in ESSAYS {
        let outcomes = experiment::run(Some(essay), &lab, &ProgressBar::hidden()).unwrap();
        println!("{essay}: {} figures", outcomes.len());
        assert!(outcomes.len() > 20, "{essay}");
        for outcome in &outcomes {
            let (figure, measured) = (outcome.figure, &outcome.measured);
            assert!(
                !outcome.changed(),
                "{essay}, {}: {} instead of {}: {:?} against {measured:?}",
                figure.id,
                outcome.verdict,
                figure.verdict,
                figure.says
            );
            if outcome.verdict == Verdict::Same {
                let (says, measured) = mutated(outcome);
                let judged = experiment::judge(says, &measured);
                assert_eq!(judged, Verdict::Differs, "{essay}, {}: {says:?}", figure.id);
            }
        }
    }
}

#[test]
fn the_command_tells_every_figure_and_whether_it_changed() {
    let zlab = || Command::cargo_bin("zlab").unwrap();
    let output = zlab().args(["reproduce", "check-bits", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let figures = document["figures"].as_array().unwrap();
    for figure in figures {
        assert_eq!(figure["essay"], "check-bits");
        for field in ["id", "verdict", "convention"] {
            assert!(figure[field].is_string(), "{field} of {figure}");
        }
        assert!(figure.get("expected").is_some() && figure.get("measured").is_some(), "{figure}");
        assert_eq!(figure["verdict"], figure["known"]);
    }
    let found = |id: &str| figures.iter().find(|figure| figure["id"] == id).unwrap();
    assert_eq!(found("lumps-18")["measured"], serde_json::json!([58, 30, 14, 14]));
    assert_eq!(found("memory-16+0")["expected"], 131_072);

    let output = zlab().args(["reproduce", "--list", "--json"]).output().unwrap();
    let questions: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(questions.as_array().unwrap().len(), experiment::EXPERIMENTS.len());

    zlab().args(["reproduce", "a-fifth"]).assert().code(2).stderr(
        "error: invalid value 'a-fifth' for '[ESSAY]': no such essay: want key-is-a-code, \
         check-bits, pairing-check, colour-swap or all\n",
    );
}
