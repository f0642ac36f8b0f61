//! `zlab travel RxC …`: whether a price list learned on 4x5 is good elsewhere.

use std::fmt::Write;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::{Common, Out, Report, Verb, grouped};
use crate::board::Board;
use crate::error::Error;
use crate::save;
use crate::travel::{self, Comparison};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "travel",
    about: "Compare keys fitted to the shape of 4x5's price list with others, on other boards",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// Domineering boards, ROWSxCOLUMNS
    #[arg(required = true, value_name = "BOARD")]
    boards: Vec<Board>,
    /// Bits fewer than the exact length, squares less two
    #[arg(long, default_value = "2,4,6", value_name = "N[,N]", value_delimiter = ',')]
    below: Vec<usize>,
    /// Leave out the codes chosen on a board's own census, which takes memory and minutes
    #[arg(long)]
    no_census: bool,
    /// Searches from different starts
    #[arg(long, default_value_t = 24, value_name = "N", value_parser = super::design::restarts)]
    restarts: usize,
    /// Seed of the searches
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    #[command(flatten)]
    out: Out,
}

#[derive(Serialize)]
struct Document {
    learned_on: Board,
    seed: u64,
    restarts: usize,
    boards: Vec<Comparison>,
}

/// A line of the table that `--out` writes.
#[derive(Serialize)]
struct Record {
    board: Board,
    pairs: u128,
    exact_bits: usize,
    bits: usize,
    random_pairs: f64,
    method: &'static str,
    codes: usize,
    distance: Option<usize>,
    least_pairs: u64,
    mean_pairs: f64,
    most_pairs: u64,
    factor: Option<f64>,
    predicted_factor: Option<f64>,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let ceiling = common.ceiling()?;
    let out = arguments.out.prepared()?;
    let Arguments { restarts, seed, .. } = arguments;
    let shape = travel::learned(ceiling)?;
    let mut boards = Vec::new();
    for &board in &arguments.boards {
        let progress = common.spinner("searching");
        let search = travel::Search { restarts, seed, own_census: !arguments.no_census };
        let comparison =
            travel::compare(&shape, board, &arguments.below, search, ceiling, &progress);
        progress.finish_and_clear();
        boards.push(comparison?);
    }
    let learned_on = travel::learned_on();
    let document = Document { learned_on, seed, restarts, boards };
    let mut text = readable(&document);
    if let Some(directory) = out {
        let path = directory.join("travel.csv");
        save::save(&path, |writer| {
            let mut csv = csv::Writer::from_writer(writer);
            for record in records(&document) {
                csv.serialize(record)?;
            }
            csv.flush()
        })?;
        writeln!(text, "\nwrote {}", path.display()).expect("a String takes all text");
    }
    Ok(Report::new(text, &document))
}

fn records(document: &Document) -> impl Iterator<Item = Record> {
    let rows = document.boards.iter().flat_map(|board| board.rows.iter().map(move |r| (board, r)));
    rows.flat_map(|(board, row)| {
        row.methods.iter().map(move |priced| Record {
            board: board.board,
            pairs: board.pairs,
            exact_bits: board.exact_bits,
            bits: row.bits,
            random_pairs: row.random,
            method: priced.method.name(),
            codes: priced.codes,
            distance: priced.distance,
            least_pairs: priced.least,
            mean_pairs: priced.mean,
            most_pairs: priced.most,
            factor: priced.factor,
            predicted_factor: priced.predicted,
        })
    })
}

fn readable(document: &Document) -> String {
    let mut text = format!(
        "times fewer pairs confused than by a random key of the length (and the factor predicted),\n\
         shape learned on {}, {} restarts, seed {}\n",
        document.learned_on, document.restarts, document.seed
    );
    for Comparison { board, pairs, exact_bits, rows, seconds, .. } in &document.boards {
        writeln!(
            text,
            "\n{board}: {} pairs, exact at {exact_bits} bits, {seconds:.1} s\n{:>4} {:>18}{}",
            grouped(*pairs),
            "bits",
            "random key",
            rows.first()
                .into_iter()
                .flat_map(|row| &row.methods)
                .fold(String::new(), |line, priced| line
                    + &format!("{:>16}", priced.method.name())),
        )
        .expect("a String takes all text");
        for row in rows {
            write!(text, "{:>4} {:>18.1}", row.bits, row.random).expect("a String takes all text");
            for priced in &row.methods {
                let predicted =
                    priced.predicted.map_or(String::new(), |factor| format!(" ({factor:.2})"));
                let factor = priced.factor.map_or("exact".into(), |factor| format!("{factor:.2}"));
                let cell = factor + &predicted;
                write!(text, "{cell:>16}").expect("a String takes all text");
            }
            text.push('\n');
        }
    }
    text
}
