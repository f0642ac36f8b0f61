//! `zlab census RxC --shards DIR` and `zlab census merge DIR`.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{ArgMatches, Args, FromArgMatches};
use serde::Serialize;

use super::Arguments;
use super::document::{Document, Mpi, Row, listed, readable, write_prices};
use crate::board::squares_of;
use crate::cmd::{Common, Out, Report, grouped};
use crate::error::{Error, bytes};
use crate::shards::{Board, Counts, Folder, Part, Plan, State};
use crate::{game, memory, save, tier, walsh};

/// Share of the free memory that shards take where nobody says how much.
const SHARE: f64 = 0.8;

/// What `merge` takes.
#[derive(Args)]
pub(super) struct Merge {
    /// The folder
    folder: PathBuf,
    #[command(flatten)]
    out: Out,
    /// List the sets on which no pair differs
    #[arg(long)]
    free: bool,
}

/// What some shards have come to while others are missing.
#[derive(Serialize)]
struct Partial {
    board: String,
    game: String,
    shards: usize,
    counted: Vec<usize>,
    missing: Vec<usize>,
    seconds: f64,
}

/// Bytes as `16G`, `512M` or a plain number; powers of 1,024.
pub(super) fn size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 10),
        Some((at, 'M' | 'm')) => (&text[..at], 20),
        Some((at, 'G' | 'g')) => (&text[..at], 30),
        Some((at, 'T' | 't')) => (&text[..at], 40),
        _ => (text, 0),
    };
    let number = digits.parse::<u64>().ok().filter(|&number| number > 0);
    let bytes = number.and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| "want a number of bytes, for example 16G or 512M".into())
}

/// Bytes that shards take where nobody says how many.
pub(super) fn default_room() -> u64 {
    memory::available().map_or(8 << 30, |free| (free as f64 * SHARE) as u64)
}

/// Counts the shards that are asked for and not there yet.
pub(super) fn run(arguments: &Arguments, path: &Path, common: &Common) -> Result<Report, Error> {
    let ceiling = common.ceiling()?;
    let out = arguments.out.prepared()?;
    let folder = open(arguments, path, arguments.memory.unwrap_or_else(default_room), ceiling)?;
    let plan = folder.plan();
    let start = Instant::now();
    let wanted = wanted(&folder, arguments.shard)?;
    if !wanted.is_empty() {
        let spinner = common.spinner("enumerating positions");
        let counted = Board::new(plan)?;
        spinner.finish_and_clear();
        let steps = wanted.iter().map(|&shard| counted.steps(shard)).sum();
        let progress = common.progress("counting shards", steps);
        for shard in wanted {
            folder.save(shard, &counted.count(shard, ceiling, &progress)?)?;
        }
        progress.finish_and_clear();
    }
    outcome(&folder, arguments.free, out, ceiling, start.elapsed().as_secs_f64(), None)
}

/// The folder to count in, cut for `room` bytes if it is new.
pub(super) fn open(
    arguments: &Arguments,
    path: &Path,
    room: u64,
    ceiling: tier::Tier,
) -> Result<Folder, Error> {
    let board = arguments.source.board.expect("clap requires a board where there are no files");
    let game = game::find(arguments.source.game())?;
    let folder = Folder::open(path, arguments.shard, || Plan::new(game, board, room, ceiling))?;
    let needed = folder.plan().cost().memory;
    if let Some(room) = arguments.memory.filter(|&room| room < needed) {
        let problem = format!(
            "{}: the shards in {} were cut for {}",
            bytes(room),
            path.display(),
            bytes(needed)
        );
        return Err(Error::argument("--memory", problem));
    }
    Ok(folder)
}

/// How a census is cut, or would be, if shards are asked for by `--shards` or `--memory`: a
/// folder that has a plan is obeyed.
pub(super) fn planned(arguments: &Arguments, ceiling: tier::Tier) -> Result<Option<Plan>, Error> {
    if arguments.shards.is_none() && arguments.memory.is_none() {
        return Ok(None);
    }
    let board = arguments.source.board.expect("clap requires a board where there are no files");
    let game = game::find(arguments.source.game())?;
    if let Some(path) = arguments.shards.as_ref().filter(|path| path.join("plan.json").exists()) {
        let folder = Folder::read(path)?;
        folder.require(game, board)?;
        return Ok(Some(folder.plan().clone()));
    }
    Plan::new(game, board, arguments.memory.unwrap_or_else(default_room), ceiling).map(Some)
}

/// The shards to count; says why one that is there is counted again.
pub(super) fn wanted(folder: &Folder, part: Option<Part>) -> Result<Vec<usize>, Error> {
    let mut wanted = Vec::new();
    for shard in 0..folder.plan().shards() {
        let mine = part.is_none_or(|part| shard % part.of == part.part - 1);
        match folder.state(shard)? {
            State::Missing if mine => wanted.push(shard),
            State::Wrong(why) if mine => {
                eprintln!("warning: {why}: counting it again");
                wanted.push(shard);
            }
            _ => {}
        }
    }
    Ok(wanted)
}

/// The census if every shard is there, and else which are missing.
pub(super) fn outcome(
    folder: &Folder,
    free: bool,
    out: Option<&Path>,
    ceiling: tier::Tier,
    seconds: f64,
    mpi: Option<Mpi>,
) -> Result<Report, Error> {
    let plan = folder.plan();
    let missing: Vec<usize> = match folder.gather()? {
        Ok(counts) => {
            let whole = Whole { plan, shards: Some(plan.shards()), mpi, seconds };
            return whole.report(counts, free, out, ceiling);
        }
        Err(absent) => absent.into_iter().map(|(shard, _)| shard).collect(),
    };
    let partial = Partial {
        board: plan.board().to_string(),
        game: plan.game().name().into(),
        shards: plan.shards(),
        counted: (0..plan.shards()).filter(|shard| !missing.contains(shard)).collect(),
        missing,
        seconds,
    };
    let text = format!(
        "{} {}: {} of {} shards counted, {:.1} s; missing: {:?}\n",
        partial.board,
        partial.game,
        partial.counted.len(),
        partial.shards,
        seconds,
        partial.missing
    );
    Ok(Report::new(text, &partial))
}

/// Puts the shards of a folder together.
pub(super) fn merge(matches: &ArgMatches, common: &Common) -> Result<Report, Error> {
    let Merge { folder, out, free } =
        Merge::from_arg_matches(matches).expect("clap checked the arguments");
    let ceiling = common.ceiling()?;
    let out = out.prepared()?;
    let start = Instant::now();
    let folder = Folder::read(&folder)?;
    let counts = folder.merge()?;
    let (plan, seconds) = (folder.plan(), start.elapsed().as_secs_f64());
    let whole = Whole { plan, shards: Some(plan.shards()), mpi: None, seconds };
    whole.report(counts, free, out, ceiling)
}

/// What the census of a whole board took.
pub(super) struct Whole<'a> {
    pub(super) plan: &'a Plan,
    pub(super) shards: Option<usize>,
    pub(super) mpi: Option<Mpi>,
    pub(super) seconds: f64,
}

impl Whole<'_> {
    /// The document of its counts.
    pub(super) fn report(
        self,
        mut counts: Counts,
        free: bool,
        out: Option<&Path>,
        ceiling: tier::Tier,
    ) -> Result<Report, Error> {
        let Self { plan, shards, mpi, seconds } = self;
        let (kernel, _) = tier::pick(walsh::KERNELS, None, ceiling)?;
        let start = Instant::now();
        let percentiles = counts.percentiles(&[0.5, 0.9, 0.99]);
        crate::census::sort_by_size(&mut counts.free);
        let [left, right] = counts.positions.map(|count| count as usize);
        let document = Document {
            board: plan.board().to_string(),
            game: Some(plan.game().name().into()),
            left,
            right,
            pairs: counts.pairs(),
            kernel: format!("walsh/{}", kernel.name),
            threads: rayon::current_num_threads(),
            seconds,
            percentiles_seconds: start.elapsed().as_secs_f64(),
            shards,
            mpi,
            free_sets: counts.free.len() as u64,
            by_size: counts
                .sizes
                .iter()
                .zip(&percentiles)
                .map(|(size, p)| Row::new(size, p))
                .collect(),
            free: free.then(|| counts.free.iter().map(|&set| squares_of(set).collect()).collect()),
            peak_bytes: memory::peak(),
        };
        let mut text = readable(&document);
        if free {
            text += &format!("\nfree sets, by size:\n{}", listed(&counts.free));
        }
        if let Some(directory) = out {
            let path = directory.join("free.txt");
            save::save(&path, |writer| writer.write_all(listed(&counts.free).as_bytes()))?;
            text += &format!("wrote {} ({} sets)\n", path.display(), grouped(document.free_sets));
            text += &write_prices(directory, &document)?;
        }
        Ok(Report::new(text, &document))
    }
}
