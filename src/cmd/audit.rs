//! `zlab audit [RxC] --key FILE`: what a given key confuses.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use serde::Serialize;

use super::source::Source;
use super::{Common, Report, Verb, grouped};
use crate::audit::{
    self, Audit, Confusion, Dependencies, Layout, LayoutReport, OneTable, Side, Subject,
    Truncation, Words,
};
use crate::board::{Board, squares_of};
use crate::census::{Census, Road};
use crate::code::{Code, Family};
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
    /// The game
    #[arg(long, default_value = "domineering")]
    game: String,
    /// Positions from files, as for census, in place of all reachable ones
    #[arg(long, value_name = "FILE[,FILE]", value_delimiter = ',')]
    positions: Option<Vec<PathBuf>>,
    /// The words: one a line (0x… or decimal, # comments), a JSON array, or a
    /// pasted C or Rust array literal
    #[arg(long, value_name = "FILE")]
    key: PathBuf,
    /// Bits of a word [default: those of the widest]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=128))]
    width: Option<u32>,
    /// Cut the words to L bits only [default: 16, 20, 24 and so on to the
    /// width; all lengths where there is a board, and its families at the whole width]
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
    /// Fail (exit code 1) unless the key, cut to --bits, confuses no reachable pair
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
    #[serde(flatten)]
    audit: Audit,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<LayoutReport>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    positions: Option<OfPositions>,
    peak_bytes: Option<u64>,
}

/// What is known beside the words when there are positions.
#[derive(Serialize)]
struct OfPositions {
    board: String,
    bits: u32,
    exact: bool,
    pairs_reachable: u64,
    pairs_stored: Option<u64>,
    random_reachable: f64,
    random_stored: Option<f64>,
    families_reachable: u64,
    families: Vec<FamilyRow>,
    one_table: OneTable,
    layout_pairs_reachable: Option<u64>,
    layout_pairs_stored: Option<u64>,
}

#[derive(Serialize)]
struct FamilyRow {
    squares: Vec<usize>,
    pairs_reachable: u64,
    pairs_stored: Option<u64>,
}

fn run(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let arguments = Arguments::from_arg_matches(matches).expect("clap checked the arguments");
    let key = Words::read(&arguments.key, arguments.width)?;
    let on_positions = arguments.board.is_some() || arguments.positions.is_some();
    if arguments.require_exact && !on_positions {
        return Err(Error::argument(
            "--require-exact",
            "want a board: words alone have no positions",
        ));
    }
    let lengths = match arguments.bits {
        None if on_positions => (1..=key.width).collect(),
        None => audit::standard_lengths(key.width),
        Some(bits) if (1..=key.width).contains(&bits) => vec![bits],
        Some(bits) => {
            let problem = format!("{bits}: want 1 to {}, the bits of a word", key.width);
            return Err(Error::argument("--bits", problem));
        }
    };
    let layout = match (&arguments.address, &arguments.check) {
        (Some(address), Some(check)) => Some(Layout::parse(address, check, key.width)?),
        _ => None,
    };
    let ground = on_positions.then(|| positions(&arguments, common)).transpose()?;
    // The words must fit the positions before any work is put into them.
    let subjects = match &ground {
        None => None,
        Some((reachable, stored, _)) => {
            let stored = stored.as_ref().map(|stored| Subject::new(&key, stored)).transpose()?;
            Some((Subject::new(&key, reachable)?, stored))
        }
    };
    let progress = common.progress("meeting in the middle", 1);
    let weight = usize::from(arguments.weight);
    let mut audit = Audit::of(&key, &lengths, weight, arguments.list, &progress)?;
    progress.finish_and_clear();
    let mut of_positions = None;
    let mut board = None;
    if let (Some((reachable, stored, drawn)), Some(subjects)) = (&ground, &subjects) {
        audit.add_confusion(&subjects.0, subjects.1.as_ref());
        board = *drawn;
        let source = source(&arguments);
        let positions = (reachable, stored.as_ref());
        let name = source.name(board);
        of_positions =
            Some(confused(&arguments, name, &audit, positions, subjects, layout.as_ref(), common)?);
    }
    let layout = layout.map(|layout| layout.report(&key.words));
    let key = arguments.key.display().to_string();
    let peak_bytes = memory::peak();
    let document = Document { key, audit, layout, positions: of_positions, peak_bytes };
    let mut text = readable(&document.audit);
    text += &document.layout.as_ref().map_or_else(String::new, of_layout);
    text += &document.positions.as_ref().map_or_else(String::new, |found| of_board(found, board));
    let inexact = document.positions.as_ref().is_some_and(|found| !found.exact);
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
    let (reachable, board) = source(arguments).positions(common)?;
    // Larger boards take a search of minutes.
    let searched = arguments.game == "domineering" && arguments.positions.is_none();
    let searched = board.filter(|board| searched && board.squares() <= 25);
    let stored = searched.map(solve::stored).transpose()?;
    Ok((reachable, stored, board))
}

/// Families and pairs of the key cut to `--bits`, or whole.
fn confused(
    arguments: &Arguments,
    board: String,
    audit: &Audit,
    (reachable, stored): (&Positions, Option<&Positions>),
    (subject, stored_subject): &(Subject, Option<Subject>),
    layout: Option<&Layout>,
    common: &Common,
) -> Result<OfPositions, Error> {
    let bits = arguments.bits.unwrap_or(audit.width);
    let cut = audit.truncations.iter().find(|cut| cut.side == Side::Top && cut.bits == bits);
    let confusion = cut.and_then(|cut| cut.confusion.as_ref()).expect("the length was audited");
    let code = Code::of_words(&subject.cut(Side::Top, bits));
    let progress = common.spinner("gathering families");
    let families = families(&code, reachable, common)?;
    let total: u64 = families.iter().map(|family| family.pairs).sum();
    assert_eq!(total, confusion.pairs_reachable, "families and equal keys are the same pairs");
    let of_stored: Option<HashMap<u64, u64>> = stored
        .map(|stored| self::families(&code, stored, common))
        .transpose()?
        .map(|families| families.iter().map(|family| (family.set, family.pairs)).collect());
    progress.finish_and_clear();
    let families_reachable = families.len() as u64;
    let mut rows: Vec<FamilyRow> = families
        .iter()
        .map(|family| FamilyRow {
            squares: squares_of(family.set).collect(),
            pairs_reachable: family.pairs,
            pairs_stored: of_stored
                .as_ref()
                .map(|stored| stored.get(&family.set).copied().unwrap_or(0)),
        })
        .collect();
    if arguments.over == Over::Stored {
        rows.sort_by_key(|row| Reverse(row.pairs_stored));
    }
    rows.truncate(arguments.families);
    let random = |positions: &Positions| positions.pairs() as f64 / 2f64.powi(bits as i32);
    Ok(OfPositions {
        board,
        bits,
        exact: confusion.exact,
        pairs_reachable: confusion.pairs_reachable,
        pairs_stored: confusion.pairs_stored,
        random_reachable: random(reachable),
        random_stored: stored.map(random),
        families_reachable,
        families: rows,
        one_table: subject.one_table(),
        layout_pairs_reachable: layout.map(|layout| subject.pairs_under(layout)),
        layout_pairs_stored: layout
            .and_then(|layout| stored_subject.as_ref().map(|stored| stored.pairs_under(layout))),
    })
}

/// By the census where it is small beside the pairs, else from the equal keys themselves.
fn families(code: &Code, positions: &Positions, common: &Common) -> Result<Vec<Family>, Error> {
    if positions.features > 28 || code.dimension() > 28 {
        return Ok(code.families_among(positions));
    }
    let road = Road::choose("auto", common.ceiling()?, positions)?;
    Ok(code.families(&Census::take(positions, &road)?))
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
    let pairs = if known { "     reachable      stored pairs confused" } else { "" };
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
    format!(" {:>13} {stored:>11} {exact}", grouped(confusion.pairs_reachable)).trim_end().into()
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
    text + if report.sound { "no bit is shared or repeated\n" } else { "" }
}

fn of_board(found: &OfPositions, board: Option<Board>) -> String {
    let OfPositions { board: name, bits, .. } = found;
    let mut text = format!("\n{name}, top {bits} bits: ");
    let verdict = if found.exact {
        "exact: no two positions with the same mover share a key"
    } else {
        "not exact"
    };
    text += &format!(
        "{verdict}\n{} reachable pairs confused in {} families (a random key: {:.1} pairs)\n",
        grouped(found.pairs_reachable),
        grouped(found.families_reachable),
        found.random_reachable
    );
    if let (Some(pairs), Some(random)) = (found.pairs_stored, found.random_stored) {
        text += &format!(
            "{} stored pairs confused (a random key: {random:.1}): no more than these can store a wrong verdict\n",
            grouped(pairs)
        );
    }
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
    for FamilyRow { squares, pairs_reachable, pairs_stored } in &found.families {
        let set = squares.iter().map(|square| 1u64 << square).sum();
        let drawn = board.map_or_else(|| format!("{squares:?}"), |board| board.draw(set));
        let stored =
            pairs_stored.map_or(String::new(), |pairs| format!("{:>10} stored", grouped(pairs)));
        text += &format!("{drawn}  {:>10} reachable{stored}\n", grouped(*pairs_reachable));
    }
    text
}
