//! The census of a board: its pieces, their folds, and the values they take.
//!
//! ```text
//! estimate ─► reach the pieces ─► count folds ─► value layer by layer ─► count values
//!                                                 └ checkpoint after each layer
//! ```
//!
//! Valuing by another key than the piece itself values one piece an orbit and
//! copies. The checks then cannot fail for what the key identifies; by
//! [`Key::Piece`] every piece is valued on its own and they can.

use std::collections::HashMap;
use std::path::Path;

use indicatif::ProgressBar;

use super::checkpoint::Checkpoint;
use super::folds::{self, Folds, ValueCounts};
use super::{Frame, Key, PieceKernel, Pieces, reach, solve};
use crate::board::Board;
use crate::error::Error;
use crate::value::{Value, Values};

/// What to find out, and how.
pub struct Plan<'a> {
    /// The board's frame.
    pub frame: Frame,
    /// Folds to count.
    pub folds: Vec<Key>,
    /// The key to value by; `None`: do not value.
    pub values: Option<Key>,
    /// The kernel.
    pub kernel: &'static dyn PieceKernel,
    /// A directory of checkpoints: written after each layer, read to resume.
    pub checkpoint: Option<&'a Path>,
}

/// What was found.
pub struct Census {
    /// The pieces; valued if it was asked for.
    pub pieces: Pieces,
    /// Their folds.
    pub folds: Folds,
    /// Their values.
    pub valued: Option<Valued>,
    /// By number of stones, ascending, numbers without pieces left out.
    pub by_stones: Vec<Layer>,
}

/// The values of a board.
pub struct Valued {
    /// The store they stand in.
    pub values: Values,
    /// Counts and checks.
    pub counts: ValueCounts,
    /// The value of the start.
    pub opening: Value,
    /// The day the latest-born of them is born.
    pub largest_birthday: u32,
}

/// The pieces of one number of stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Layer {
    /// The number of stones.
    pub stones: usize,
    /// Pieces with that many.
    pub pieces: u64,
    /// Different values of pieces with at most that many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<u64>,
}

/// Takes the census; `phase` makes a progress bar for a number of pieces.
///
/// # Errors
/// A checkpoint of another census, or one that cannot be read or written.
pub fn take(
    plan: &Plan,
    phase: &dyn Fn(&'static str, u64) -> ProgressBar,
) -> Result<Census, Error> {
    let frame = &plan.frame;
    let expected = estimate(frame.board(), plan.kernel).pieces;
    let bar = phase("reaching pieces", expected);
    let pieces = Pieces::reachable(frame, frame.start(), Key::Piece, plan.kernel, &bar);
    bar.finish_and_clear();
    let bar = phase("counting folds", pieces.len() as u64);
    let folds = folds::count(&pieces, &plan.folds, &bar);
    bar.finish_and_clear();
    let valued = match plan.values {
        Some(key) => Some(value(plan, &pieces, key, phase)?),
        None => None,
    };
    let Some((valued, by_stones)) = valued else {
        let layers = pieces.layers().iter().enumerate().filter(|(_, layer)| !layer.is_empty());
        let layer = |(stones, layer): (usize, &Vec<u64>)| Layer {
            stones,
            pieces: layer.len() as u64,
            values: None,
        };
        let by_stones = layers.map(layer).collect();
        return Ok(Census { pieces, folds, valued: None, by_stones });
    };
    Ok(Census { pieces, folds, valued: Some(valued), by_stones })
}

fn value(
    plan: &Plan,
    pieces: &Pieces,
    key: Key,
    phase: &dyn Fn(&'static str, u64) -> ProgressBar,
) -> Result<(Valued, Vec<Layer>), Error> {
    let frame = &plan.frame;
    let orbits = (key != Key::Piece).then(|| {
        let bar = phase("reaching orbits", pieces.len() as u64 / 8);
        let orbits = Pieces::reachable(frame, frame.start(), key, plan.kernel, &bar);
        bar.finish_and_clear();
        orbits
    });
    let solved = orbits.as_ref().unwrap_or(pieces);
    let values = Values::with_caches(cache_bits(solved.len() as u64));
    let mut checkpoint =
        plan.checkpoint.map(|directory| Checkpoint::open(directory, solved)).transpose()?;
    let bar = phase("valuing pieces", solved.len() as u64);
    for stones in 0..solved.layers().len() {
        let restored = match &mut checkpoint {
            Some(checkpoint) => checkpoint.restore(solved, &values, stones)?,
            None => false,
        };
        if restored {
            bar.inc(solved.layers()[stones].len() as u64);
            continue;
        }
        solve::value_layer(solved, &values, stones, &bar);
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.write(solved, &values, stones)?;
        }
    }
    bar.finish_and_clear();
    if orbits.is_some() {
        solve::copy_values(solved, pieces, &values);
    }
    let bar = phase("checking values", pieces.len() as u64);
    let mut by_stones = vec![];
    let (counts, largest_birthday) =
        folds::count_values(pieces, &values, &bar, |stones, pieces, values| {
            if pieces > 0 {
                by_stones.push(Layer { stones, pieces, values: Some(values) });
            }
        });
    bar.finish_and_clear();
    let opening = solve::worth(pieces, &values, &reach::live_parts(frame, frame.start()));
    Ok((Valued { values, counts, opening, largest_birthday }, by_stones))
}

/// Index bits of the caches of values for that many pieces: a slot each,
/// within reason.
pub fn cache_bits(pieces: u64) -> u32 {
    pieces.next_power_of_two().ilog2().clamp(15, 22)
}

/// How large a census will be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Estimate {
    /// Pieces, about.
    pub pieces: u64,
    /// Bytes at the most.
    pub bytes: u64,
}

/// Bytes a piece: the table as it grows, the list as it grows, and its share
/// of the values. A process valuing 4x5 by piece held 533 MiB, 45 a piece, just
/// before its table would have grown once more.
const BYTES_A_PIECE: u64 = 80;
/// Bytes of the caches of values at the most, and of everything small.
const BYTES_AT_LEAST: u64 = 2 * (8 << 22) + (16 << 20);

/// Estimates a census without taking it: the board is expected to grow by its
/// last column as its smaller neighbour did, N(r, c) ≈ N(r, c−1)² / N(r, c−2),
/// and boards of up to 15 squares before it are counted. That gives 1,436,960 for
/// the 1,432,138 pieces of 3x6 and 15.4 million for the 12,319,610 of 4x5.
pub fn estimate(board: Board, kernel: &'static dyn PieceKernel) -> Estimate {
    let known = &mut HashMap::new();
    let (rows, columns) = (board.rows().min(board.columns()), board.rows().max(board.columns()));
    let pieces = grown(rows, columns, kernel, known).min(1e15) as u64;
    Estimate { pieces, bytes: BYTES_AT_LEAST + BYTES_A_PIECE * pieces }
}

/// Estimates valuing a position whose largest piece has that many stones: as
/// many as a board about square that they would fill.
pub fn estimate_of_stones(stones: usize, kernel: &'static dyn PieceKernel) -> Estimate {
    let rows = stones.isqrt().max(1);
    let columns = stones.div_ceil(rows).max(1);
    estimate(Board::new(rows, columns).expect("few stones make a small board"), kernel)
}

/// The pieces that the boards with one and two columns fewer let expect.
fn grown(rows: usize, columns: usize, kernel: &'static dyn PieceKernel, known: &mut Known) -> f64 {
    if columns < 3 {
        return counted(rows, columns, kernel);
    }
    let mut of = |columns: usize| {
        let sides = (rows.min(columns), rows.max(columns));
        if let Some(&pieces) = known.get(&sides) {
            return pieces;
        }
        let pieces = match sides {
            (rows, columns) if rows * columns <= 15 => counted(rows, columns, kernel),
            (rows, columns) => grown(rows, columns, kernel, known),
        };
        known.insert(sides, pieces);
        pieces
    };
    of(columns - 1).powi(2) / of(columns - 2).max(1.0)
}

/// Pieces by sides, the shorter first.
type Known = HashMap<(usize, usize), f64>;

fn counted(rows: usize, columns: usize, kernel: &'static dyn PieceKernel) -> f64 {
    let frame = Board::new(rows, columns).and_then(Frame::new).expect("15 squares fit");
    let hidden = ProgressBar::hidden();
    Pieces::reachable(&frame, frame.start(), Key::Piece, kernel, &hidden).len() as f64
}
