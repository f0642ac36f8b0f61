//! `zlab table RxC --compare-designs`: ways of choosing words, at equal length.

use std::fmt::Write;
use std::time::Instant;

use serde::Serialize;

use super::{Arguments, DEFAULT_KEYS, MOST_KEYS, named};
use crate::cmd::{Common, Report, grouped, or_dash};
use crate::error::Error;
use crate::table::{
    Compared, Counts, Design, Exact, Grounds, Setup, Trial, compare, mean_and_error, require,
};

#[derive(Serialize)]
struct Document {
    board: String,
    rule: String,
    holds: String,
    seeds: Vec<u64>,
    keys_per_seed: usize,
    restarts: usize,
    threads: usize,
    seconds: f64,
    splits: Vec<Lengths>,
}

/// All designs at the length of one split.
#[derive(Serialize)]
struct Lengths {
    address: u32,
    check: u32,
    designs: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    design: &'static str,
    bits: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<usize>,
    codes: usize,
    stored_pairs: f64,
    /// Total over all keys of all seeds.
    wrong: u64,
    wrong_mean: f64,
    /// Standard error of the mean, from the means of the seeds; one seed has none.
    wrong_error: Option<f64>,
    mean_by_seed: Vec<f64>,
    wrong_worst: u64,
    /// The worst key of a seed, on average over seeds, and its standard error.
    worst_mean: f64,
    worst_error: Option<f64>,
    worst_by_seed: Vec<u64>,
    keys_wrong: u64,
    winner_wrong: u64,
    extra_mean: f64,
}

impl Row {
    fn new(compared: &Compared, plain: u64) -> Self {
        let keys = || compared.by_seed.iter().flatten();
        let sum = |what: fn(&Counts) -> u64| keys().map(what).sum::<u64>();
        let (mean_by_seed, worst_by_seed) = (compared.mean_by_seed(), compared.worst_by_seed());
        let worst: Vec<f64> = worst_by_seed.iter().map(|&worst| worst as f64).collect();
        let (wrong_mean, wrong_error) = mean_and_error(&mean_by_seed);
        let (worst_mean, worst_error) = mean_and_error(&worst);
        let searched = sum(|key| key.searched) as f64 / keys().count() as f64;
        Self {
            design: compared.design.name(),
            bits: compared.split.bits(),
            distance: compared.distance,
            codes: compared.codes,
            stored_pairs: compared.stored_pairs,
            wrong: sum(|key| key.wrong),
            wrong_mean,
            wrong_error,
            mean_by_seed,
            wrong_worst: worst_by_seed.iter().copied().max().unwrap_or(0),
            worst_mean,
            worst_error,
            worst_by_seed,
            keys_wrong: sum(|key| u64::from(key.wrong > 0)),
            winner_wrong: sum(|key| u64::from(key.winner_wrong)),
            extra_mean: searched - plain as f64,
        }
    }
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<Report, Error> {
    let &Arguments { board, ref splits, rule, holds, .. } = arguments;
    let first = arguments.seed.unwrap_or(1);
    let seeds: Vec<u64> =
        (0..arguments.seeds.unwrap_or(4)).map(|next| first.wrapping_add(next)).collect();
    let keys = arguments.count.unwrap_or(DEFAULT_KEYS);
    if !(1..=MOST_KEYS).contains(&keys) {
        let problem = format!("{keys} keys a seed: want 1 to {MOST_KEYS}");
        return Err(Error::argument("--count", problem));
    }
    splits.iter().try_for_each(|&split| require(board, split))?;
    let restarts = arguments.restarts.unwrap_or(24) as usize;
    let trial = Trial { seeds: &seeds, keys, restarts };
    let start = Instant::now();
    let exact = Exact::new(board, holds)?;
    let steps = splits.len() * Design::ALL.len() * seeds.len() * keys;
    let progress = common.progress("comparing designs", steps as u64);
    let grounds = Grounds::of(board, common.ceiling()?)?;
    splits.iter().try_for_each(|&split| grounds.require(split))?;
    let rows = splits.iter().map(|&split| {
        let setup = Setup { board, holds, split, rule };
        let compared = compare(setup, &exact, &grounds, trial, &progress)?;
        let designs = compared.iter().map(|one| Row::new(one, exact.searched())).collect();
        Ok(Lengths { address: split.address, check: split.check, designs })
    });
    let splits = rows.collect::<Result<_, Error>>()?;
    progress.finish_and_clear();
    let document = Document {
        board: board.to_string(),
        rule: named(&rule),
        holds: named(&holds),
        seeds,
        keys_per_seed: keys,
        restarts,
        threads: rayon::current_num_threads(),
        seconds: start.elapsed().as_secs_f64(),
        splits,
    };
    Ok(Report::new(readable(&document), &document))
}

fn readable(document: &Document) -> String {
    let Document { board, rule, holds, seeds, keys_per_seed, restarts, threads, seconds, .. } =
        document;
    let mut text = format!(
        "{board} domineering, rule {rule}, slots hold a {holds}: keys of equal length, \
         {} of each of {} seeds from {}\n\
         {restarts} restarts a search; {seconds:.2} s on {threads} thread{}\n\
         ± one standard error over seeds; `worst` is the worst key of a seed, on average\n",
        grouped(*keys_per_seed as u64),
        seeds.len(),
        seeds[0],
        if *threads == 1 { "" } else { "s" },
    );
    for lengths in &document.splits {
        write!(
            text,
            "\n{:>15} {:>5} {:>9} {:>8} {:>13} {:>17} {:>14} {:>6} {:>7} {:>7} {:>9}\n",
            format!("{}+{}", lengths.address, lengths.check),
            "bits",
            "distance",
            "codes",
            "stored pairs",
            "wrong a key",
            "worst",
            "of all",
            "keys>0",
            "winner",
            "extra"
        )
        .expect("a String takes all text");
        for row in &lengths.designs {
            writeln!(
                text,
                "{:>15} {:>5} {:>9} {:>8} {:>13.1} {:>17} {:>14} {:>6} {:>7} {:>7} {:>9.1}",
                row.design,
                row.bits,
                row.distance.map_or("-".into(), |distance| distance.to_string()),
                grouped(row.codes as u64),
                row.stored_pairs,
                format!("{:.3} ± {}", row.wrong_mean, or_dash(row.wrong_error, 3)),
                format!("{:.1} ± {}", row.worst_mean, or_dash(row.worst_error, 1)),
                row.wrong_worst,
                row.keys_wrong,
                row.winner_wrong,
                row.extra_mean
            )
            .expect("a String takes all text");
        }
    }
    text
}
