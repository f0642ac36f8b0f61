//! What a design comes to, for a script, for a person and for a compiler.

use serde::Serialize;

use super::Objective;
use crate::board::Board;
use crate::cmd::grouped;
use crate::code::Code;
use crate::export::{Export, Language, this_command};

#[derive(Serialize)]
pub(super) struct Document {
    pub(super) board: String,
    pub(super) bits: usize,
    pub(super) objective: Objective,
    pub(super) seed: u64,
    pub(super) restarts: usize,
    #[serde(flatten)]
    pub(super) counts: Counts,
    pub(super) minimum_distance: Option<usize>,
    pub(super) minimum_even_distance: Option<usize>,
    pub(super) griesmer: Option<usize>,
    pub(super) sphere_packing: Option<usize>,
    pub(super) even_distance_bound: Option<usize>,
    pub(super) code: Vec<Vec<usize>>,
    pub(super) words: Vec<u64>,
    pub(super) optimal: bool,
    pub(super) lower_bound: Option<u64>,
    /// No key of fewer bits confuses no stored pair, if that was the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) bits_at_least: Option<usize>,
    pub(super) seconds: f64,
    pub(super) peak_bytes: Option<u64>,
}

/// Pairs that the key confuses, and what a random key does on average.
#[derive(Serialize)]
pub(super) struct Counts {
    pub(super) pairs_reachable: u64,
    pub(super) pairs_stored: Option<u64>,
    pub(super) random_reachable: f64,
    pub(super) random_stored: Option<f64>,
}

/// The words as source text.
pub(super) fn exported(
    document: &Document,
    subject: &str,
    aim: &str,
    language: Language,
) -> String {
    let Document { bits, counts, .. } = document;
    let exact = match counts.pairs_reachable {
        0 => "Exact: no two of the positions with the same mover share a key.".to_owned(),
        pairs => format!("Not exact: confuses {} pairs of positions.", grouped(pairs)),
    };
    let mut about = vec![format!("{subject}, {bits} bits, {aim}."), exact];
    let stored = counts.pairs_stored;
    about.extend(stored.map(|pairs| format!("Confuses {} stored pairs.", grouped(pairs))));
    let words = &document.words;
    Export { words, bits: *bits, about, command: this_command() }.render(language)
}

/// The document for a person; of positions `from_files` nothing says that they are all.
pub(super) fn readable(
    document: &Document,
    board: Option<Board>,
    code: &Code,
    aim: &str,
    from_files: bool,
) -> String {
    let Document { board: name, bits, objective, counts, words, .. } = document;
    let mut text = format!("{name}, {bits} bits, {aim}\n");
    let mut line = |line: String| text += &(line + "\n");
    line(format!(
        "confuses {} {} (a random key {:.1})",
        grouped(counts.pairs_reachable),
        if from_files { "pairs of the positions" } else { "reachable pairs" },
        counts.random_reachable
    ));
    if let (Some(pairs), Some(random)) = (counts.pairs_stored, counts.random_stored) {
        line(format!("confuses {} stored pairs (a random key {random:.1})", grouped(pairs)));
    }
    match (document.optimal, document.lower_bound, objective) {
        (true, ..) if document.bits_at_least.is_some() => {
            line("proved: every shorter key confuses some stored pair".into());
        }
        (false, ..) if let Some(bits) = document.bits_at_least => line(format!(
            "not proved shortest: the proof stopped at its --limit; at least {bits} bits are needed"
        )),
        (true, _, Objective::Distance | Objective::EvenDistance) => {
            line("no code has a larger distance: it is the bound".into());
        }
        (false, _, Objective::Distance | Objective::EvenDistance) => {
            line("the distance is below the bound: a better code is not ruled out".into());
        }
        (true, ..) => line("proved: no key of this length confuses fewer".into()),
        (false, Some(0), _) => line("the best found; no bound from below is known".into()),
        (false, Some(bound), _) => {
            line(format!("proved: every key of this length confuses at least {}", grouped(bound)));
        }
        (false, None, _) => line("the best found; --prove says how good it is".into()),
    }
    let or_none = |number: Option<usize>| number.map_or("none".into(), |number| number.to_string());
    line(format!(
        "distance {} (at most {} by Griesmer, {} by sphere packing), of even words {} (at most {})",
        or_none(document.minimum_distance),
        or_none(document.griesmer),
        or_none(document.sphere_packing),
        or_none(document.minimum_even_distance),
        or_none(document.even_distance_bound),
    ));
    line(format!("\ncode, dimension {}:", code.dimension()));
    let sets: Vec<String> = match board {
        Some(board) => code.basis().iter().map(|&set| board.draw(set)).collect(),
        None => document.code.iter().map(|set| format!("{set:?}")).collect(),
    };
    sets.into_iter().for_each(&mut line);
    line("\nwords:".into());
    let digits = bits.div_ceil(4);
    for row in words.chunks(board.map_or(8, Board::columns)) {
        let row: Vec<String> = row.iter().map(|word| format!("0x{word:0digits$x}")).collect();
        line(row.join(" "));
    }
    text
}
