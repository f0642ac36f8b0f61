//! `zlab audit [RxC] --key FILE`: what a given key confuses.

use std::fmt::Write;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use serde::Serialize;

use super::source::Source;
use super::{Common, Report, Verb, grouped};
use crate::audit::{
    self, Audit, ConfusedFamily, Confusion, Dependencies, Layout, LayoutReport, Listing, OneTable,
    Scale, Side, Subject, Truncation, Words,
};
use crate::board::Board;
use crate::error::Error;
use crate::positions::Positions;
use crate::{memory, solve};

/// The verb.
pub(super) const VERB: Verb = Verb {
    name: "audit",
    about: "Say what a key of any game confuses, at every length it may be cut to",
    arguments: Arguments::augment_args,
    run,
};

#[derive(Args)]
struct Arguments {
    /// The board whose squares the words are for, ROWSxCOLUMNS
    board: Option<Board>,
    /// The game [default: domineering]
    #[arg(long)]
    game: Option<String>,
    /// Positions from files, as for census, in place of all reachable ones
    #[arg(long, value_name = "FILE[,FILE]", value_delimiter = ',')]
    positions: Option<Vec<PathBuf>>,
    /// The words: one a line (0x… or decimal, # comments), a JSON array, or a
    /// pasted C or Rust array literal. Bare words are hexadecimal if any of
    /// them has a digit a-f
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Bits of a word [default: those of the widest]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=128))]
    width: Option<u32>,
    /// Cut the words to their L top bits and to their L low bits [default: 16,
    /// 20, 24 and so on to the width, and where the key becomes exact on a board]
    #[arg(long, value_name = "L")]
    bits: Option<u32>,
    /// Look for sets of up to this many words that cancel
    #[arg(long, default_value_t = 4, value_name = "N",
          value_parser = clap::value_parser!(u8).range(1..=audit::MAX_WEIGHT as i64))]
    weight: u8,
    /// List at most this many of the sets of each weight
    #[arg(long, default_value_t = 3, value_name = "N")]
    list: usize,
    /// List at most this many families, the worst first
    #[arg(long, default_value_t = 8, value_name = "N")]
    families: usize,
    /// Order the families by the pairs of these positions
    #[arg(long, value_enum, default_value = "stored")]
    over: Over,
    /// The bits that address a slot: top:A, low:A or mulhi:SLOTS
    #[arg(long, value_name = "LAYOUT", requires = "check")]
    address: Option<String>,
    /// The bits that a slot stores as a check: top:C, low:C or next:C
    #[arg(long, value_name = "LAYOUT", requires = "address")]
    check: Option<String>,
    /// Fail (exit code 1) unless the key, cut to --bits, confuses no reachable pair,
    /// and neither do the bits that --address and --check keep
    #[arg(long)]
    require_exact: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Over {
    /// The positions a search stores, where they are known
    Stored,
    /// All reachable positions
    Reachable,
}

#[derive(Serialize)]
struct Document {
    key: String,
    /// Whether the file has arrays within an array.
    nested: bool,
    #[serde(flatten)]
    audit: Audit,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<LayoutReport>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    positions: Option<OfPositions>,
    peak_bytes: Option<u64>,
}

/// The verdict on the key cut to the top `bits`, or whole.
#[derive(Serialize)]
struct OfPositions {
    board: String,
    bits: u32,
    exact: bool,
    pairs_reachable: u64,
    pairs_stored: Option<u64>,
    expected_wrong_verdicts_scale: Scale,
    random_reachable: f64,
    random_stored: Option<f64>,
    families_reachable: u64,
    families: Vec<ConfusedFamily>,
    one_table: OneTable,
    layout_pairs_reachable: Option<u64>,
    layout_pairs_stored: Option<u64>,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let key = Words::read(&arguments.key, arguments.width)?;
    let on_positions = arguments.board.is_some() || arguments.positions.is_some();
    for flag in ["require-exact", "over", "families", "game"] {
        let id = flag.replace('-', "_");
        if !on_positions && matches.value_source(&id) == Some(ValueSource::CommandLine) {
            let problem = "want a board or --positions: words alone have no positions";
            return Err(Error::argument(format!("--{flag}"), problem));
        }
    }
    if let Some(bits) = arguments.bits
        && !(1..=key.width).contains(&bits)
    {
        let problem = format!("{bits}: want 1 to {}, the bits of a word", key.width);
        return Err(Error::argument("--bits", problem));
    }
    let layout = match (&arguments.address, &arguments.check) {
        (Some(address), Some(check)) => Some(Layout::parse(address, check, key.width)?),
        _ => None,
    };
    let ground = on_positions.then(|| positions(&arguments, common)).transpose()?;
    let asked = matches.value_source("over") == Some(ValueSource::CommandLine);
    if let Some((_, None, _)) = &ground
        && asked
        && arguments.over == Over::Stored
    {
        let problem = "stored: those are known of Domineering boards of up to 25 squares, without \
                       --positions: want --over reachable";
        return Err(Error::argument("--over", problem));
    }
    // The words must fit the positions before any work is put into them.
    let subjects = match &ground {
        None => None,
        Some((reachable, stored, _)) => {
            let stored = stored.as_ref().map(|stored| Subject::new(&key, stored)).transpose()?;
            Some((Subject::new(&key, reachable)?, stored))
        }
    };
    let lengths = match (arguments.bits, &subjects) {
        (Some(bits), _) => vec![bits],
        (None, None) => audit::standard_lengths(key.width),
        (None, Some((reachable, _))) => audit::telling_lengths(&key, reachable),
    };
    let progress = common.progress("meeting in the middle", 1);
    let weight = usize::from(arguments.weight);
    let mut audit = Audit::of(&key, &lengths, weight, arguments.list, &progress)?;
    progress.finish_and_clear();
    let mut of_positions = None;
    let mut board = None;
    if let (Some((_, _, drawn)), Some((reachable, stored))) = (&ground, &subjects) {
        board = *drawn;
        let progress = common.progress("gathering families", audit.truncations.len() as u64);
        let by_stored = arguments.over == Over::Stored && stored.is_some();
        let listing = Listing { most: arguments.families, by_stored };
        audit.add_confusion(reachable, stored.as_ref(), listing, common.ceiling()?, &progress)?;
        progress.finish_and_clear();
        let under = |subject: &Subject| layout.as_ref().map(|layout| subject.pairs_under(layout));
        let bits = arguments.bits.unwrap_or(key.width);
        let confusion = confusion_of(&audit, Side::Top, bits).clone();
        of_positions = Some(OfPositions {
            board: source(&arguments).name(board),
            bits,
            exact: confusion.exact,
            pairs_reachable: confusion.pairs_reachable,
            pairs_stored: confusion.pairs_stored,
            expected_wrong_verdicts_scale: confusion.expected_wrong_verdicts_scale,
            random_reachable: reachable.expected(bits),
            random_stored: stored.as_ref().map(|stored| stored.expected(bits)),
            families_reachable: confusion.families_reachable,
            families: confusion.families,
            one_table: confusion.one_table,
            layout_pairs_reachable: under(reachable),
            layout_pairs_stored: stored.as_ref().and_then(under),
        });
    }
    let layout = layout.map(|layout| layout.report(&key.words));
    let nested = key.nested;
    let key = arguments.key.display().to_string();
    let peak_bytes = memory::peak();
    let document = Document { key, nested, audit, layout, positions: of_positions, peak_bytes };
    let verdict = |found| of_board(found, &document.audit, board) + "\n";
    let mut text = document.positions.as_ref().map_or_else(String::new, verdict);
    if nested {
        text += "arrays within an array: their words are taken one after the other\n";
    }
    text += &readable(&document.audit);
    text += &document.layout.as_ref().map_or_else(String::new, of_layout);
    let kept_confuse = |found: &OfPositions| found.layout_pairs_reachable.unwrap_or(0) > 0;
    let inexact =
        document.positions.as_ref().is_some_and(|found| !found.exact || kept_confuse(found));
    let mut report = Report::new(text, &document);
    report.failed = arguments.require_exact && inexact;
    Ok(report)
}

fn source(arguments: &Arguments) -> Source {
    let Arguments { board, game, positions, .. } = arguments;
    Source { board: *board, game: game.clone(), positions: positions.clone() }
}

/// Reachable positions, stored ones where they are known, and the board.
type Ground = (Positions, Option<Positions>, Option<Board>);

fn positions(arguments: &Arguments, common: &Common) -> Result<Ground, Error> {
    let source = source(arguments);
    let (reachable, board) = source.positions(common)?;
    // Larger boards take a search of minutes.
    let searched = source.game() == "domineering" && arguments.positions.is_none();
    let searched = board.filter(|board| searched && board.squares() <= 25);
    let stored = searched.map(solve::stored).transpose()?;
    Ok((reachable, stored, board))
}

/// What was added to the truncation to `bits` of a side.
fn confusion_of(audit: &Audit, side: Side, bits: u32) -> &Confusion {
    let cut = audit.truncations.iter().find(|cut| cut.side == side && cut.bits == bits);
    cut.and_then(|cut| cut.confusion.as_ref()).expect("the length was audited")
}

fn readable(audit: &Audit) -> String {
    let Audit { words, width, rank, zero_words, equal_words, truncations } = audit;
    let mut text = format!("{words} words of {width} bits, rank {rank}\n");
    let mut line = |line: String| text += &(line + "\n");
    match zero_words.as_slice() {
        [] => line("no word is zero".into()),
        zero => line(format!("{} zero: {zero:?}", zero.len())),
    }
    match equal_words.as_slice() {
        [] => line("no two words are equal".into()),
        equal => line(format!("{} groups equal: {equal:?}", equal.len())),
    }
    let weights = truncations.first().map_or(0, |truncation| truncation.dependencies.len());
    let heads: String = (1..=weights).map(|weight| format!(" {weight:>12}")).collect();
    let known = truncations.iter().any(|truncation| truncation.confusion.is_some());
    let pairs = if known { "     reachable      stored  × random  pairs confused" } else { "" };
    line(format!(
        "\nsets of words that cancel, by number of words\n{:>9} {:>5}{heads}{pairs}",
        "cut to", "rank"
    ));
    for Truncation { side, bits, rank, dependencies, confusion } in truncations {
        let counts = dependencies.iter().map(|found| format!(" {:>12}", grouped(found.count)));
        let cut = format!("{} {bits}", side.name());
        let pairs = confusion.as_ref().map_or_else(String::new, of_truncation);
        line(format!("{cut:>9} {rank:>5}{}{pairs}", counts.collect::<String>()));
    }
    // Where there are positions, families say more.
    if known { text } else { text + &listed(truncations) }
}

/// The sets of fewest words, of the longest truncations that have any.
fn listed(truncations: &[Truncation]) -> String {
    let mut text = String::new();
    for Truncation { side, bits, dependencies, .. } in truncations.iter().rev() {
        let Some(Dependencies { weight, count, first }) =
            dependencies.iter().find(|found| !found.first.is_empty())
        else {
            continue;
        };
        let (side, more) = (side.name(), if *count > first.len() as u64 { ", …" } else { "" });
        let sets: Vec<String> = first.iter().map(|set| format!("{set:?}")).collect();
        write!(text, "\n{side} {bits}: {weight} words cancel: {}{more}", sets.join(", "))
            .expect("a String takes all text");
    }
    if text.is_empty() { text } else { text + "\n" }
}

fn of_truncation(confusion: &Confusion) -> String {
    let stored = confusion.pairs_stored.map_or("–".into(), grouped);
    let exact = if confusion.exact { "exact" } else { "" };
    let ratio = confusion.expected_wrong_verdicts_scale.ratio;
    let reachable = grouped(confusion.pairs_reachable);
    format!(" {reachable:>13} {stored:>11} {ratio:>9.2}  {exact}").trim_end().into()
}

fn of_layout(report: &LayoutReport) -> String {
    let LayoutReport { address, check, address_bits, check_bits, rank, .. } = report;
    let mut text = format!(
        "\naddress {address}, check {check}: rank {rank} of {} bits\n",
        address_bits + check_bits
    );
    if !report.shared_bits.is_empty() {
        text += &format!("key bits kept twice: {:?}\n", report.shared_bits);
    }
    for bits in &report.dependent_bits {
        text += &match bits.as_slice() {
            [bit] => format!("key bit {bit} is always zero\n"),
            [x, y] => format!("key bits {x} and {y} always agree\n"),
            bits => format!("key bits {bits:?} always XOR to zero\n"),
        };
    }
    if let Some(share) = report.border_share {
        text += &format!(
            "{address} is no power of two: its slot reads check bits too, for {} of keys\n",
            if share > 0.001 {
                format!("up to {:.1} %", 100.0 * share)
            } else {
                format!("up to {share:.0e}")
            }
        );
    }
    text + if report.sound { "no bit is shared or repeated\n" } else { "" }
}

fn of_board(found: &OfPositions, audit: &Audit, board: Option<Board>) -> String {
    let OfPositions { board: name, bits, .. } = found;
    let part = if *bits == audit.width { "all" } else { "the top" };
    let verdict = match found.exact {
        true => "exact: no two positions with the same mover share a key",
        false => "not exact",
    };
    let mut text = format!("{name}, {part} {bits} bits: {verdict}\n");
    text += &format!(
        "{} reachable pairs confused in {} families (a random key: {:.1} pairs)\n",
        grouped(found.pairs_reachable),
        grouped(found.families_reachable),
        found.random_reachable
    );
    if let (Some(pairs), Some(random)) = (found.pairs_stored, found.random_stored) {
        let meaning = match pairs {
            0 => "no verdict can be wrong",
            _ => "a scale, not a bound: a wrong verdict spreads",
        };
        text += &format!(
            "{} stored pairs confused (a random key: {random:.1}): {meaning}\n",
            grouped(pairs)
        );
    }
    let Scale { unit, this_key, random_key, ratio } = found.expected_wrong_verdicts_scale;
    text += &format!(
        "expected wrong verdicts scale: {} {unit} against {random_key:.1} of a random key, {ratio:.2} times\n",
        grouped(this_key)
    );
    if let Some(pairs) = found.layout_pairs_reachable {
        let stored = found
            .layout_pairs_stored
            .map_or(String::new(), |pairs| format!(" and {} stored", grouped(pairs)));
        text += &format!("{} reachable{stored} pairs share slot and check\n", grouped(pairs));
    }
    let OneTable { mover_word, cross_pairs, separated } = found.one_table;
    text += &match (mover_word, separated) {
        (_, true) => "one table can serve both movers: no key is shared across them\n".to_owned(),
        (true, _) => format!(
            "the mover's word does not separate the movers: {} pairs\n",
            grouped(cross_pairs)
        ),
        (false, _) => format!(
            "each mover needs a table of its own: {} pairs across the movers share a key\n",
            grouped(cross_pairs)
        ),
    };
    text += &of_families(&found.families, board);
    if *bits < audit.width {
        let low = confusion_of(audit, Side::Low, *bits);
        text += &format!(
            "\n{name}, the low {bits} bits: {} reachable pairs confused in {} families\n",
            grouped(low.pairs_reachable),
            grouped(low.families_reachable)
        );
        text += &of_families(&low.families, board);
    }
    text
}

fn of_families(families: &[ConfusedFamily], board: Option<Board>) -> String {
    let mut text = String::new();
    for ConfusedFamily { squares, pairs_reachable, pairs_stored } in families {
        let set = squares.iter().map(|square| 1u64 << square).sum();
        let drawn = board.map_or_else(|| format!("{squares:?}"), |board| board.draw(set));
        let stored =
            pairs_stored.map_or(String::new(), |pairs| format!("{:>10} stored", grouped(pairs)));
        text += &format!("{drawn}  {:>10} reachable{stored}\n", grouped(*pairs_reachable));
    }
    text
}
