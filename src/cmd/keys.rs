//! `zlab keys RxC`: what random keys confuse at each length.

use std::fmt::Write;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use serde::Serialize;

use super::{Common, Report, Subject, Verb, grouped, or_dash};
use crate::census::{self, Census, Road};
use crate::confusions::{self, Keys, Length, Lumps};
use crate::draw;
use crate::error::Error;
use crate::game::{self, Game};
use crate::positions::{self, Positions};
use crate::solve;
use crate::tier::Tier;

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "keys",
    about: "Count what random keys confuse at each length, and how one bit more helps",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    #[command(flatten)]
    subject: Subject,
    /// Lengths: one, or the first and the last
    #[arg(long, value_name = "L or L..M", default_value = "12..20")]
    bits: String,
    /// Which keys: the essays' sixty, or random ones of a seed
    #[arg(long, value_enum, default_value = "essays")]
    set: Set,
    /// How many keys [default: 60]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Seed of the random keys [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Which positions' pairs count
    #[arg(long, value_enum, default_value = "stored")]
    over: Over,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Set {
    /// The sixty keys of the essays.
    Essays,
    /// Keys drawn with --seed.
    Random,
}

/// Which positions of a board are meant.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Over {
    /// Those that a who-wins search stores (Domineering).
    Stored,
    /// All reachable ones.
    Reachable,
}

impl Over {
    /// The positions themselves, given all reachable ones.
    ///
    /// # Errors
    /// A game without a search, or a board too large for it.
    pub(super) fn positions(
        self,
        game: &dyn Game,
        board: crate::board::Board,
        reachable: &Positions,
    ) -> Result<Positions, Error> {
        match self {
            Self::Reachable => Ok(reachable.clone()),
            Self::Stored if game.name() == "domineering" => solve::stored(board),
            Self::Stored => {
                let problem = format!("no search stores {}: want --over reachable", game.name());
                Err(Error::argument("--over stored", problem))
            }
        }
    }

    pub(super) fn name(self) -> String {
        self.to_possible_value().expect("no value is hidden").get_name().to_owned()
    }
}

#[derive(Serialize)]
struct Document {
    board: String,
    over: String,
    set: &'static str,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    /// Same-mover pairs of positions, of which a random key of L bits is
    /// expected to confuse one in 2^L.
    position_pairs: u64,
    lengths: Vec<Row>,
    lumps: Vec<Lump>,
}

#[derive(Serialize)]
struct Row {
    bits: u32,
    pairs: u64,
    families: u64,
    codewords: u64,
    even: u64,
    costly: u64,
    worst_pairs: u64,
    worst_key: u64,
    keys_confusing: u64,
    mean_pairs: f64,
    /// One key has none.
    standard_error: Option<f64>,
    expected_pairs: f64,
}

#[derive(Serialize)]
struct Lump {
    from: u32,
    to: u32,
    keys: u64,
    keep_none: u64,
    keep_some: u64,
    keep_all: u64,
    keep_quarter_to_three_quarters: u64,
    mean_kept: f64,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let ceiling = common.ceiling()?;
    let lengths = parse_lengths(&arguments.bits)?;
    let (keys, count) = arguments.keys()?;
    let Subject { board, game } = &arguments.subject;
    let game = game::find(game)?;
    // A census that cannot fit is refused before its positions are made.
    census::cell_count(&format!("a census of {board}"), game.features(*board), true)?;
    let progress = common.spinner("counting pairs");
    let reachable = positions::enumerate(game, *board)?;
    let over = arguments.over.positions(game, *board, &reachable)?;
    let [over, reachable] = [take(&over, ceiling)?, take(&reachable, ceiling)?];
    progress.finish_and_clear();

    let progress = common.progress("looking at keys", count);
    let (lengths, lumps) = confusions::of(keys, count, &lengths, &over, &reachable, &progress);
    progress.finish_and_clear();
    let document = Document {
        board: board.to_string(),
        over: arguments.over.name(),
        set: if arguments.set == Set::Essays { "essays" } else { "random" },
        count,
        seed: (arguments.set == Set::Random).then_some(arguments.seed()),
        position_pairs: over.pairs(),
        lengths: lengths.iter().map(|length| Row::new(length, count, over.pairs())).collect(),
        lumps: lumps.iter().map(Lump::new).collect(),
    };
    Ok(Report::new(readable(&document), &document))
}

impl Arguments {
    fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    fn keys(&self) -> Result<(Keys, u64), Error> {
        let essays = u64::from(draw::ESSAY_KEYS);
        let count = self.count.unwrap_or(essays);
        match self.set {
            Set::Essays if count > essays => {
                let problem = format!("the essays have {essays} keys: want at most that many");
                Err(Error::argument("--count", problem))
            }
            Set::Essays if self.seed.is_some() => {
                let problem = "the essays' keys have their own: want --set random";
                Err(Error::argument("--seed", problem))
            }
            Set::Essays => Ok((Keys::Essays, count)),
            Set::Random => Ok((Keys::Random(self.seed()), count)),
        }
    }
}

fn take(positions: &Positions, ceiling: Tier) -> Result<Census, Error> {
    Census::take(positions, &Road::choose("auto", ceiling, positions)?)
}

/// `16`, or `12..20` with both ends, of drawn words of 32 bits.
fn parse_lengths(text: &str) -> Result<Vec<u32>, Error> {
    let refuse = |problem: String| Err(Error::argument("--bits", problem));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else {
        return refuse(format!("`{text}` is no length: want for example 16 or 12..20"));
    };
    if first == 0 || last > u32::BITS {
        return refuse(format!("a drawn word has 32 bits: want 1 to 32, not {text}"));
    }
    if first > last {
        return refuse(format!("{text} runs backwards: want the smaller length first"));
    }
    Ok((first..=last).collect())
}

impl Row {
    fn new(length: &Length, count: u64, position_pairs: u64) -> Self {
        let (mean_pairs, standard_error) = length.mean(count);
        Self {
            bits: length.bits,
            pairs: length.pairs,
            families: length.families,
            codewords: length.codewords,
            even: length.even,
            costly: length.costly,
            worst_pairs: length.worst_pairs,
            worst_key: length.worst_key,
            keys_confusing: length.keys_confusing,
            mean_pairs,
            standard_error,
            expected_pairs: position_pairs as f64 / f64::from(length.bits).exp2(),
        }
    }
}

impl Lump {
    fn new(lumps: &Lumps) -> Self {
        Self {
            from: lumps.bits,
            to: lumps.bits + 1,
            keys: lumps.keys,
            keep_none: lumps.none,
            keep_some: lumps.some,
            keep_all: lumps.all,
            keep_quarter_to_three_quarters: lumps.middle,
            mean_kept: lumps.mean_kept(),
        }
    }
}

fn readable(document: &Document) -> String {
    let Document { board, over, set, count, position_pairs, .. } = document;
    let mut text = format!(
        "{board}: {} {set} keys over {over} positions, {} same-mover pairs; totals over the keys\n\n\
         {:>4} {:>13} {:>11} {:>11} {:>11} {:>11} {:>10} {:>10} {:>10} {:>12} {:>10} {:>12}\n",
        grouped(*count),
        grouped(*position_pairs),
        "bits",
        "pairs",
        "families",
        "codewords",
        "even",
        "costly",
        "worst",
        "worst key",
        "confusing",
        "mean",
        "error",
        "by chance"
    );
    for row in &document.lengths {
        let Row { bits, mean_pairs, standard_error, expected_pairs, worst_key, .. } = row;
        let [pairs, families, codewords] = [row.pairs, row.families, row.codewords].map(grouped);
        let [even, costly] = [row.even, row.costly].map(grouped);
        let [worst, confusing] = [row.worst_pairs, row.keys_confusing].map(grouped);
        let error = or_dash(*standard_error, 3);
        writeln!(
            text,
            "{bits:>4} {pairs:>13} {families:>11} {codewords:>11} {even:>11} {costly:>11} \
             {worst:>10} {worst_key:>10} {confusing:>10} {mean_pairs:>12.3} \
             {error:>10} {expected_pairs:>12.3}"
        )
        .expect("a String takes all text");
    }
    if !document.lumps.is_empty() {
        text += "\none bit more: of the keys that confuse a pair, those that keep\n";
        text += "    bits     keys     none     some      all    ¼ to ¾   mean share\n";
    }
    for lump in &document.lumps {
        let Lump { from, to, keys, keep_none, keep_some, keep_all, mean_kept, .. } = lump;
        let middle = lump.keep_quarter_to_three_quarters;
        writeln!(
            text,
            "{from:>4}→{to:<3} {keys:>8} {keep_none:>8} {keep_some:>8} {keep_all:>8} {middle:>9} \
             {mean_kept:>12.3}"
        )
        .expect("a String takes all text");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_or_refused() {
        assert_eq!(parse_lengths("16").unwrap(), [16]);
        assert_eq!(parse_lengths("30..32").unwrap(), [30, 31, 32]);
        for bad in ["", "0", "0..4", "33", "20..12", "a..b", "12..", "-3", "1.5"] {
            let error = parse_lengths(bad).unwrap_err().to_string();
            assert!(error.starts_with("--bits: "), "{bad}: {error}");
        }
    }
}
