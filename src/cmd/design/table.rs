//! `zlab design RxC --table`: three designs beside the essays' sixty keys.

use std::fmt::Write;
use std::ops::RangeInclusive;
use std::time::Duration;

use serde::Serialize;

use crate::cmd::{Common, Report, grouped};
use crate::code::Code;
use crate::design::{self, Found, Ground, Sets};
use crate::draw;
use crate::error::Error;

/// Lengths compared, as far as the board has them.
pub(super) const LENGTHS: RangeInclusive<usize> = 12..=19;

/// Time for the lower bound of each length.
const PROOF: Duration = Duration::from_millis(500);

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
    /// The largest distance that Griesmer's bound allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    griesmer: Option<usize>,
    /// The largest distance that the sphere-packing bound allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    sphere_packing: Option<usize>,
    /// Reachable pairs that every key confuses, as far as half a second proves.
    #[serde(skip_serializing_if = "Option::is_none")]
    lower_bound: Option<u64>,
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
    let lengths = *LENGTHS.start()..=(*LENGTHS.end()).min(features);
    if lengths.is_empty() {
        return Err(Error::argument(
            "--table",
            "keys of 12 to 19 bits: want a board of 12 squares",
        ));
    }
    let over = stored.unwrap_or(reachable);
    let progress = common.progress("searching", (lengths.clone().count() * 3 * restarts) as u64);
    let row = |bits: usize| -> Result<(Row, Found), Error> {
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
            // Even words have even distances.
            let allowed = |bound: Option<usize>| bound.map(|d| if even { d - d % 2 } else { d });
            designs.push(Design {
                objective,
                reached,
                griesmer: allowed(design::griesmer(features, dimension)),
                sphere_packing: allowed(design::sphere_packing(features, dimension)),
                lower_bound: None,
                codes: found.codes.len(),
                pairs,
            });
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
        for found in &found {
            let confused = reachable.confused(&design::completed(sets, bits, &found.basis, seed));
            assert_eq!(found.total, confused, "a total of sums below the cap of a fold");
        }
        let pairs = pairs(sets, &found);
        designs.push(Design {
            objective: "pairs",
            reached: least,
            griesmer: None,
            sphere_packing: None,
            lower_bound: None,
            codes: found.len(),
            pairs,
        });
        let row = Row { bits, random: Spread::of(&random.collect::<Vec<_>>()), designs };
        Ok((row, found.into_iter().next().expect("a restart")))
    };
    let rows = lengths.map(row).collect::<Result<Vec<(Row, Found)>, Error>>()?;
    // Fewer bits, more dimensions: each bound starts from the one before.
    let (mut lengths, best): (Vec<Row>, Vec<Found>) = rows.into_iter().unzip();
    let rising: Vec<&Found> = best.iter().rev().collect();
    let (cells, symmetries) = (reachable.prices.cells(), &reachable.symmetries);
    let bounds = design::lower_bounds(cells, &rising, symmetries, PROOF);
    for (row, bound) in lengths.iter_mut().rev().zip(bounds) {
        row.designs.last_mut().expect("three designs").lower_bound = Some(bound);
    }
    progress.finish_and_clear();
    let over = if stored.is_some() { "stored" } else { "reachable" };
    let document = Document { board, over, seed, restarts, lengths };
    Ok(Report::new(readable(&document), &document))
}

fn readable(document: &Document) -> String {
    let Document { board, over, restarts, lengths, .. } = document;
    let mut text = format!(
        "{board}: pairs of {over} positions that keys confuse, as mean (least–most)\n\n\
         random  the essays' sixty keys\n\
         d, e    largest distance, of all words and of even words; G and S are the most that\n        \
         Griesmer's and the sphere-packing bound allow\n\
         r       fewest reachable pairs; every key confuses at least as many as stand beside it\n\
         keys    of {restarts} restarts those that reached d, e or r, whose pairs are counted\n\n\
         {:>4}  {:<20}  {:>3} {:>3} {:>3} {:>4} {:<22}  {:>3} {:>3} {:>3} {:>4} {:<22}  \
         {:>7} {:>8} {:>4} {:<20}\n",
        "bits",
        "random",
        "d",
        "G",
        "S",
        "keys",
        "pairs",
        "e",
        "G",
        "S",
        "keys",
        "pairs",
        "r",
        "at least",
        "keys",
        "pairs"
    );
    for Row { bits, random, designs } in lengths {
        write!(text, "{bits:>4}  {:<20}", spread(random)).expect("a String takes all text");
        for design in designs {
            let (reached, keys, pairs) =
                (number(design.reached), design.codes, spread(&design.pairs));
            let cell = match design.lower_bound {
                Some(bound) => {
                    let (reached, bound) =
                        (design.reached.map_or("–".into(), grouped), grouped(bound));
                    format!("  {reached:>7} {bound:>8} {keys:>4} {pairs:<20}")
                }
                None => {
                    let [griesmer, packing] = [design.griesmer, design.sphere_packing]
                        .map(|d| number(d.map(|d| d as u64)));
                    format!("  {reached:>3} {griesmer:>3} {packing:>3} {keys:>4} {pairs:<22}")
                }
            };
            text += &cell;
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

fn number(number: Option<u64>) -> String {
    number.map_or("–".into(), |number| number.to_string())
}

fn spread(spread: &Spread) -> String {
    let Spread { least, mean, most } = spread;
    if least == most { format!("{most}") } else { format!("{mean:.1} ({least}–{most})") }
}
