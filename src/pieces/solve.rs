//! Valuing pieces: from the smallest up, each from the parts its moves leave.
//!
//! ```text
//! piece  --moves-->  parts  --table-->  values  --sum-->  options  -->  value
//! ```
//!
//! The parts of a move have fewer stones than the piece, so a layer of equal
//! stones is valued in parallel once the layers below it are. A part keyed by
//! its colour swap is worth the negative of what the table holds.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::memo::Memo;
use super::reach::expand_keyed;
use super::{Expansion, Frame, Key, PieceKernel, Pieces};
use crate::game::Mover;
use crate::value::{Value, Values};

/// Pieces that one thread values at a time.
const CHUNK: usize = 128;

/// Values every piece with exactly `stones` stones; those with fewer must have
/// their values. `progress` counts pieces.
pub fn value_layer(pieces: &Pieces, values: &Values, stones: usize, progress: &ProgressBar) {
    let layer = &pieces.layers()[stones];
    if layer.len() <= CHUNK {
        value_chunk(pieces, values, layer, &mut Scratch::new());
        progress.inc(layer.len() as u64);
        return;
    }
    // Every thread keeps one scratch and takes the next chunk until none is left.
    let next = AtomicUsize::new(0);
    rayon::broadcast(|_| {
        let mut scratch = Scratch::new();
        while let Some(chunk) = layer.chunks(CHUNK).nth(next.fetch_add(1, Relaxed)) {
            value_chunk(pieces, values, chunk, &mut scratch);
            progress.inc(chunk.len() as u64);
        }
    });
}

/// Values every piece.
pub fn value_all(pieces: &Pieces, values: &Values, progress: &ProgressBar) {
    for stones in 0..pieces.layers().len() {
        value_layer(pieces, values, stones, progress);
    }
}

/// Writes into a table by piece the values that a table by another key holds.
pub fn copy_values(from: &Pieces, to: &Pieces, values: &Values) {
    for layer in to.layers() {
        layer.par_iter().with_min_len(CHUNK).for_each(|&piece| {
            let value = from.value(values, piece).expect("a piece's key is in the table by keys");
            to.store(piece, value);
        });
    }
}

struct Scratch {
    expansion: Expansion,
    swapped: Vec<bool>,
    worth: Vec<Value>,
    options: [Vec<Value>; 2],
    memo: Memo,
}

impl Scratch {
    fn new() -> Self {
        let expansion = Expansion::default();
        let options = [vec![], vec![]];
        Self { expansion, swapped: vec![], worth: vec![], options, memo: Memo::new() }
    }
}

fn value_chunk(pieces: &Pieces, values: &Values, chunk: &[u64], scratch: &mut Scratch) {
    let Scratch { expansion, swapped, worth, options, memo } = scratch;
    expand_keyed((&pieces.frame, pieces.key, pieces.kernel), chunk, expansion, swapped);
    // All look-ups before any arithmetic: they miss the caches side by side.
    worth.clear();
    worth.extend(expansion.parts.iter().zip(&*swapped).map(|(&part, &swapped)| {
        let value = pieces.stored(values, part).expect("parts are reachable and smaller");
        if swapped { values.negative(value) } else { value }
    }));
    let mut worth = worth.iter().copied();
    let mut moves = expansion.moves.iter();
    for (&piece, &count) in chunk.iter().zip(&expansion.counts) {
        options.iter_mut().for_each(Vec::clear);
        for &entry in moves.by_ref().take(usize::from(count)) {
            let (mover, parts) = Expansion::decode(entry);
            let parts = worth.by_ref().take(parts);
            let option = parts.reduce(|sum, part| values.sum(sum, part)).unwrap_or(Values::ZERO);
            options[usize::from(mover == Mover::Right)].push(option);
        }
        let [left, right] = options;
        pieces.store(piece, memo.value(values, left, right));
    }
}

impl Pieces {
    /// The value written for a key that is in the table.
    fn stored(&self, values: &Values, key: u64) -> Option<Value> {
        let slot = self.table.find(key)?;
        values.get(self.table.number(slot))
    }

    /// Writes the value of a key that is in the table.
    pub(super) fn store(&self, key: u64, value: Value) {
        let slot = self.table.find(key).expect("the key is in the table");
        self.table.set_number(slot, value.number());
    }

    /// The value of a cornered piece, if its key is in the table; the table
    /// must be valued.
    pub fn value(&self, values: &Values, piece: u64) -> Option<Value> {
        let (mut keys, mut swapped) = ([piece], [false]);
        self.kernel.keys(&self.frame, self.key, &mut keys, &mut swapped);
        let value = self.stored(values, keys[0])?;
        Some(if swapped[0] { values.negative(value) } else { value })
    }
}

/// The value of any position of a frame, by a table of its own under `key`.
pub fn position_value(
    frame: &Frame,
    position: u64,
    key: Key,
    kernel: &'static dyn PieceKernel,
    values: &Values,
) -> Value {
    let hidden = ProgressBar::hidden();
    let pieces = Pieces::reachable(frame, position, key, kernel, &hidden);
    value_all(&pieces, values, &hidden);
    worth(&pieces, values, &super::reach::live_parts(frame, position))
}

/// The sum of pieces that are, by their keys, in a valued table.
pub fn worth(pieces: &Pieces, values: &Values, parts: &[u64]) -> Value {
    parts.iter().fold(Values::ZERO, |sum, &part| {
        values.sum(sum, pieces.value(values, part).expect("the parts are in the table"))
    })
}
