//! `zlab exact RxC`: the shortest exact key, its code, its words and its proof.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::source::Source;
use super::{Common, Report, Verb, drawn, grouped};
use crate::board::{Board, squares_of};
use crate::code::Code;
use crate::design;
use crate::error::Error;
use crate::exact::{self, Exact, Weighed};
use crate::export::{Export, Language, this_command};
use crate::shards::Folder;
use crate::{memory, positions};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "exact",
    about: "Find the shortest key that confuses no two positions, with proof",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    #[command(flatten)]
    source: Source,
    /// From the shards of a census (`zlab census RxC --shards DIR`): for boards beyond memory
    #[arg(long, value_name = "DIR", conflicts_with_all = ["positions", "one_table"])]
    shards: Option<PathBuf>,
    /// Both movers share one table: separate them too, by one more word for Right to move
    #[arg(long)]
    one_table: bool,
    /// Mix the bits of the words by a random invertible matrix of this seed: as exact, and any
    /// of its bits are then as good an address in a table as any other
    #[arg(long, value_name = "SEED")]
    mix: Option<u64>,
    /// Print the words as source text
    #[arg(long, value_enum, value_name = "LANGUAGE", conflicts_with = "json")]
    export: Option<Language>,
    /// Sums of free sets that a proof may look up; a key is found all the same
    #[arg(long, value_name = "LOOKUPS", default_value_t = exact::EFFORT)]
    effort: u64,
}

#[derive(Serialize)]
struct Document {
    board: String,
    squares: usize,
    one_table: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    mix: Option<u64>,
    exact_bits: usize,
    proved: bool,
    at_least: usize,
    free_sets: u64,
    largest_free_even_dimension: usize,
    lookups: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    weighed: Option<Parities>,
    code: Vec<Vec<usize>>,
    words: Vec<u64>,
    verified_pairs: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

/// [`exact::Weighed`], its parities as lists of squares.
#[derive(Serialize)]
pub(super) struct Parities {
    pub parities: Vec<Vec<usize>>,
    pub halved: bool,
    pub least: usize,
    pub heavy: u64,
}

impl Parities {
    pub(super) fn of(weighed: &Weighed) -> Self {
        let Weighed { parities, halved, least, heavy } = weighed;
        let parities = parities.iter().map(|&parity| squares_of(parity).collect()).collect();
        Self { parities, halved: *halved, least: *least, heavy: *heavy }
    }
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let start = Instant::now();
    let (found, words, pairs, board) = match &arguments.shards {
        Some(folder) => of_shards(&arguments, folder, common)?,
        None => of_positions(&arguments, common)?,
    };
    let squares = found.code.features() - usize::from(arguments.one_table);
    let document = Document {
        board: arguments.source.name(board),
        squares,
        one_table: arguments.one_table,
        mix: arguments.mix,
        exact_bits: found.code.bits(),
        proved: found.proved(),
        at_least: found.at_least,
        free_sets: found.free_sets,
        largest_free_even_dimension: found.free_dimension,
        lookups: found.lookups,
        weighed: found.weighed.as_ref().map(Parities::of),
        code: found.code.basis().iter().map(|set| squares_of(*set).collect()).collect(),
        words,
        verified_pairs: u64::try_from(pairs).expect("pairs of positions in memory"),
        seconds: start.elapsed().as_secs_f64(),
        peak_bytes: memory::peak(),
    };
    let text = match arguments.export {
        Some(language) => exported(&document, &arguments.source.subject(board), language),
        None => readable(&document, &found, board),
    };
    Ok(Report::new(text, &document))
}

/// A key, its words, the pairs they were checked on, and the board if there is one.
type Checked = (Exact, Vec<u64>, u128, Option<Board>);

/// The words of a code, mixed if that is asked for.
fn words(code: &Code, arguments: &Arguments) -> Vec<u64> {
    arguments.mix.map_or_else(|| code.words(), |seed| design::mixed_words(code, seed))
}

/// The key of positions in memory.
fn of_positions(arguments: &Arguments, common: &Common) -> Result<Checked, Error> {
    let (mut positions, board) = arguments.source.positions(common)?;
    if arguments.one_table {
        positions = exact::one_table(&positions)?;
    }
    let progress = common.progress("searching the free sets", 0);
    let found = exact::shortest(&positions, common.ceiling()?, arguments.effort, &progress)?;
    progress.finish_and_clear();
    let words = words(&found.code, arguments);
    let pairs = exact::verify(&words, &positions).unwrap_or_else(|[x, y]| {
        panic!("{x:#x} and {y:#x} share a key that the census calls exact: {words:x?}")
    });
    Ok((found, words, pairs, board))
}

/// The same of a board whose census is in shards.
fn of_shards(arguments: &Arguments, folder: &Path, common: &Common) -> Result<Checked, Error> {
    let folder = Folder::read(folder)?;
    let (board, game) = (folder.plan().board(), folder.plan().game());
    let asked = arguments.source.board.expect("clap requires a board where there are no files");
    if (asked, arguments.source.game()) != (board, game.name()) {
        let problem = format!("it has shards of {board} {}", game.name());
        return Err(Error::argument("--shards", problem));
    }
    let counts = folder.merge()?;
    let progress = common.progress("searching the free sets", 0);
    let found = exact::of_free_sets(
        board.squares(),
        counts.positions,
        &counts.free,
        arguments.effort,
        &progress,
    )?;
    progress.finish_and_clear();
    let spinner = common.spinner("checking every position");
    positions::require_memory(game, board)?;
    let bitmaps = game.even_bitmaps(board).expect("a game that is cut into shards has them");
    let words = words(&found.code, arguments);
    let verified = exact::verify_bitmaps(&words, found.code.bits(), &bitmaps, common.ceiling()?)?;
    spinner.finish_and_clear();
    let pairs = verified.unwrap_or_else(|twice| {
        panic!("{twice:#x} shares a key that the census calls exact: {words:x?}")
    });
    Ok((found, words, pairs, Some(board)))
}

fn exported(document: &Document, subject: &str, language: Language) -> String {
    let Document { squares, exact_bits, .. } = document;
    let order = match document.one_table {
        true => format!("{squares} words in the order of the squares, then one for Right to move."),
        false => format!("{squares} words in the order of the squares; a table for each mover."),
    };
    let shortest =
        if document.proved { "no exact linear key is shorter" } else { "not proved shortest" };
    let about = vec![
        format!("Zobrist words for {subject}, {exact_bits} bits."),
        format!("Exact: no two positions that meet in a table share a key; {shortest}."),
        order,
    ];
    let export =
        Export { words: &document.words, bits: *exact_bits, about, command: this_command() };
    export.render(language)
}

fn readable(document: &Document, found: &Exact, board: Option<Board>) -> String {
    let Document {
        board: name, squares, exact_bits, largest_free_even_dimension: dimension, ..
    } = document;
    let mut text = String::new();
    let mut line = |line: String| writeln!(text, "{line}").expect("a String takes all text");
    let all = squares + usize::from(document.one_table);
    line(format!(
        "{name}: {exact_bits} bits, {} less than the {all} words, tell all positions apart",
        all - exact_bits
    ));
    line(format!(
        "free sets: {}; the largest space of them has dimension {dimension}",
        grouped(document.free_sets)
    ));
    if document.proved {
        let sums = grouped(document.lookups);
        line(match &found.weighed {
            None => format!(
                "proof: none has dimension {}, by exhaustion ({sums} sums looked up)",
                dimension + 1
            ),
            Some(Weighed { parities, halved, least, heavy }) => {
                let half = if *halved { ", and of its half odd on an even number," } else { "" };
                format!(
                    "proof: of a space of dimension {}{half} one set is even on {least} of the {} \
                     parities below, at least;\n  {} free sets are, and no such space is around \
                     them ({sums} sums looked up)",
                    dimension + 1,
                    parities.len(),
                    grouped(*heavy)
                )
            }
        });
    } else {
        let why = match document.lookups {
            0 => "more sets are free than can be exhausted".to_owned(),
            lookups => format!("the search stopped after {} sums (see --effort)", grouped(lookups)),
        };
        let least = document.at_least;
        line(format!("not proved shortest: {why}; at least {least} bits are needed"));
    }
    line(format!(
        "checked on the positions: {} pairs that meet in a table, none shares a key",
        grouped(document.verified_pairs)
    ));
    line("\ncode, one basis set a drawing:".into());
    match board {
        Some(board) if !document.one_table => text += &drawn(board, found.code.basis(), 8),
        _ => {
            for set in &document.code {
                writeln!(text, "  {set:?}").expect("a String takes all text");
            }
        }
    }
    if let (Some(weighed), Some(board)) = (&found.weighed, board.filter(|_| !document.one_table)) {
        text += "\nparities, squares that a set has an even or odd number of:\n";
        text += &drawn(board, &weighed.parities, 4);
    }
    text += "\nwords:\n";
    let width = exact_bits.div_ceil(4).max(1);
    let columns = board.map_or(8, Board::columns);
    for row in document.words.chunks(columns) {
        let words: Vec<String> = row.iter().map(|word| format!("{word:0width$x}")).collect();
        writeln!(text, "  {}", words.join(" ")).expect("a String takes all text");
    }
    text
}
