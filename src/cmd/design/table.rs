//! `zlab design RxC --table`: three designs beside the essays' sixty keys.

use std::fmt::Write;

use serde::Serialize;

use crate::cmd::{Common, Report};
use crate::code::Code;
use crate::design::{self, Found, Ground, Sets};
use crate::draw;
use crate::error::Error;

#[derive(Serialize)]
struct Document<'a> {
    board: &'a str,
    over: &'static str,
    seed: u64,
    restarts: usize,
    lengths: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    bits: usize,
    random: Spread,
    designs: Vec<Design>,
}

#[derive(Serialize)]
struct Design {
    objective: &'static str,
    /// The largest distance found, or the fewest reachable pairs.
    reached: Option<u64>,
    /// Restarts that reached it.
    codes: usize,
    pairs: Spread,
}

/// The pairs confused by each of several keys.
#[derive(Clone, Copy, Serialize)]
struct Spread {
    least: u64,
    mean: f64,
    most: u64,
}

impl Spread {
    fn of(pairs: &[u64]) -> Self {
        Self {
            least: pairs.iter().copied().min().unwrap_or(0),
            mean: pairs.iter().sum::<u64>() as f64 / pairs.len() as f64,
            most: pairs.iter().copied().max().unwrap_or(0),
        }
    }
}

pub(super) fn run(
    board: &str,
    reachable: &Ground,
    stored: Option<&Ground>,
    restarts: usize,
    seed: u64,
    common: &Common,
) -> Result<Report, Error> {
    let features = reachable.sets.features;
    let lengths = 12..=19usize.min(features);
    if lengths.is_empty() {
        return Err(Error::argument(
            "--table",
            "keys of 12 to 19 bits: want a board of 12 squares",
        ));
    }
    let over = stored.unwrap_or(reachable);
    let progress = common.progress("searching", (lengths.clone().count() * 3 * restarts) as u64);
    let row = |bits: usize| -> Result<Row, Error> {
        let keys = 1..=draw::ESSAY_KEYS;
        let random = keys.map(|key| {
            let words = draw::top_bits(&draw::essay_words(key, features), bits as u32);
            over.confused(&Code::of_words(&words))
        });
        let pairs = |sets: Sets, codes: &[Found]| -> Spread {
            let code = |found: &Found| design::completed(sets, bits, &found.basis, seed);
            Spread::of(&codes.iter().map(|found| over.confused(&code(found))).collect::<Vec<_>>())
        };
        let mut designs = Vec::new();
        for (objective, even) in [("distance", false), ("even-distance", true)] {
            let sets = Sets { features, even };
            let dimension = sets.code_dimension(bits);
            let found = design::distant_codes(sets, dimension, restarts, seed, true, &progress)?;
            let reached = found.distance.map(|distance| distance as u64);
            let pairs = pairs(sets, &found.codes);
            designs.push(Design { objective, reached, codes: found.codes.len(), pairs });
        }
        let sets = reachable.sets;
        let cells = reachable.prices.cells();
        let found = design::cheap_codes(
            cells,
            sets.code_dimension(bits),
            restarts,
            design::EFFORT,
            seed,
            &progress,
        );
        let least = found.iter().map(|found| found.total).min();
        let found: Vec<Found> =
            found.into_iter().filter(|found| Some(found.total) == least).collect();
        let pairs = pairs(sets, &found);
        designs.push(Design { objective: "pairs", reached: least, codes: found.len(), pairs });
        Ok(Row { bits, random: Spread::of(&random.collect::<Vec<_>>()), designs })
    };
    let lengths = lengths.map(row).collect::<Result<Vec<Row>, Error>>()?;
    progress.finish_and_clear();
    let over = if stored.is_some() { "stored" } else { "reachable" };
    let document = Document { board, over, seed, restarts, lengths };
    Ok(Report::new(readable(&document), &document))
}

fn readable(document: &Document) -> String {
    let Document { board, over, restarts, lengths, .. } = document;
    let mut text = format!(
        "{board}: {over} pairs confused, mean (least–most) over the sixty keys and over the \
         restarts,\nof {restarts}, that reached the best distance, or the fewest reachable pairs\n\n\
         {:>4} {:>22}  {:<32}  {:<32}  {:<32}\n",
        "bits", "sixty random keys", "largest distance", "largest even distance", "board read"
    );
    for Row { bits, random, designs } in lengths {
        write!(text, "{bits:>4} {:>22}", spread(random)).expect("a String takes all text");
        for Design { reached, codes, pairs, .. } in designs {
            let reached = reached.map_or("–".into(), |reached| reached.to_string());
            let cell = format!("{reached}: {} ×{codes}", spread(pairs));
            write!(text, "  {cell:<32}").expect("a String takes all text");
        }
        text.push('\n');
    }
    text
}

fn spread(spread: &Spread) -> String {
    let Spread { least, mean, most } = spread;
    if least == most { format!("{most}") } else { format!("{mean:.1} ({least}–{most})") }
}
