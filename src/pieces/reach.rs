//! Every live piece reachable from a position, by number of stones.
//!
//! A move leaves pieces with fewer stones, so the pieces of n stones are
//! complete once all larger ones have moved: the search goes down by stones,
//! and within one number of stones in parallel. The oracle plays on whole
//! boards and takes them apart at the end.

use std::collections::BTreeSet;

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::table::Table;
use super::{Expansion, Frame, Key, PieceKernel, oracle};
use crate::game::{Game, Mover, clobber};

/// Pieces that one thread expands at a time.
const CHUNK: usize = 256;
/// Chunks between two growths of the table.
const BATCH: usize = 16;

/// The reachable pieces of a frame under one key, and room for a number each.
pub struct Pieces {
    pub(super) frame: Frame,
    pub(super) key: Key,
    pub(super) kernel: &'static dyn PieceKernel,
    pub(super) table: Table,
    /// `layers[n]`: the keys of n stones; ascending once all are there.
    pub(super) layers: Vec<Vec<u64>>,
    /// Live parts met on the way, repeats included.
    pub(super) live_parts: u64,
}

/// Expands pieces and writes the parts' keys over the parts.
pub(super) fn expand_keyed(
    (frame, key, kernel): (&Frame, Key, &dyn PieceKernel),
    pieces: &[u64],
    out: &mut Expansion,
    swapped: &mut Vec<bool>,
) {
    out.clear();
    kernel.expand(frame, pieces, out);
    kernel.corner(frame, &mut out.parts);
    swapped.resize(out.parts.len(), false);
    kernel.keys(frame, key, &mut out.parts, swapped);
}

impl Pieces {
    /// The live pieces reachable from `start`, by any moves of either player;
    /// those of `start` itself included. `progress` counts pieces expanded.
    pub fn reachable(
        frame: &Frame,
        start: u64,
        key: Key,
        kernel: &'static dyn PieceKernel,
        progress: &ProgressBar,
    ) -> Self {
        let layers = vec![vec![]; frame.squares as usize + 1];
        let mut pieces =
            Self { frame: frame.clone(), key, kernel, table: Table::new(), layers, live_parts: 0 };
        let mut parts = live_parts(frame, start);
        let mut swapped = vec![false; parts.len()];
        kernel.keys(frame, key, &mut parts, &mut swapped);
        for key in parts {
            if pieces.table.insert(key) {
                pieces.layers[key.count_ones() as usize].push(key);
                pieces.table.add_used(1);
            }
        }
        for stones in (2..pieces.layers.len()).rev() {
            let layer = std::mem::take(&mut pieces.layers[stones]);
            for batch in layer.chunks(CHUNK * BATCH) {
                pieces.expand_batch(batch);
                progress.inc(batch.len() as u64);
            }
            pieces.layers[stones] = layer;
        }
        // Threads find them in no particular order; sorted, a layer is the
        // same list every time, which checkpoints rest on.
        pieces.layers.iter_mut().for_each(|layer| layer.par_sort_unstable());
        pieces
    }

    fn expand_batch(&mut self, batch: &[u64]) {
        let how = (&self.frame, self.key, self.kernel);
        let expanded: Vec<Vec<u64>> = batch
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut out = Expansion::default();
                expand_keyed(how, chunk, &mut out, &mut vec![]);
                out.parts
            })
            .collect();
        let parts: usize = expanded.iter().map(Vec::len).sum();
        self.live_parts += parts as u64;
        self.table.reserve(parts);
        let table = &self.table;
        let new: Vec<Vec<u64>> = expanded
            .into_par_iter()
            .map(|mut parts| {
                parts.retain(|&part| table.insert(part));
                parts
            })
            .collect();
        for key in new.into_iter().flatten() {
            self.layers[key.count_ones() as usize].push(key);
            self.table.add_used(1);
        }
    }

    /// The frame.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Number of pieces, or of keys.
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// Whether the start has no live piece.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Live parts that all moves of all pieces leave, repeats included.
    pub fn live_parts(&self) -> u64 {
        self.live_parts
    }

    /// `layers()[n]`: the keys with n stones, ascending.
    pub fn layers(&self) -> &[Vec<u64>] {
        &self.layers
    }

    /// Whether a key is there.
    pub fn contains(&self, key: u64) -> bool {
        key != 0 && self.table.find(key).is_some()
    }

    /// Bytes of the table and the lists.
    pub fn bytes(&self) -> u64 {
        self.table.bytes()
            + self.layers.iter().map(|layer| 8 * layer.capacity() as u64).sum::<u64>()
    }
}

/// The live pieces of a position, each shifted to the corner.
pub fn live_parts(frame: &Frame, position: u64) -> Vec<u64> {
    oracle::live_parts(frame, position)
}

/// The pieces found by playing on whole boards: the oracle.
pub fn by_whole_boards(frame: &Frame, start: u64) -> BTreeSet<u64> {
    let mut boards = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(board) = open.pop() {
        let mut next = vec![];
        for mover in Mover::BOTH {
            clobber::Clobber.moves(frame.board(), mover, board, &mut next);
        }
        open.extend(next.into_iter().filter(|&board| boards.insert(board)));
    }
    boards.iter().flat_map(|&board| live_parts(frame, board)).collect()
}
