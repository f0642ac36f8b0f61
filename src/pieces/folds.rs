//! How far a table of pieces folds: by colour, by symmetry, by both; and, once
//! it is valued, by value, with the checks of every identification.
//!
//! ```text
//! colour     xo and ox           one entry and a sign
//! symmetry   xo, ox, x|o, o|x    one entry
//! value      xo and xoxo|oxox    one value, ∗, whatever they look like
//! ```
//!
//! All counts are of pieces with equally many stones, added up: neither a
//! symmetry nor a colour swap changes the number of stones.

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::{Key, Pieces};
use crate::value::{Value, Values};

const CHUNK: usize = 512;

/// Counts over all pieces of a table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Folds {
    /// Orbits under the colour swap, the eight symmetries, and both together.
    pub orbits: Orbits,
    /// Pieces whose colour swap is in the table.
    pub swap_present: u64,
    /// Pieces whose colour swap is one of their own images.
    pub self_negative_shape: u64,
    /// Pieces that are an image of themselves.
    pub own_symmetry: u64,
}

/// Numbers of orbits; `None` where it was not asked for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Orbits {
    /// Under the colour swap.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<u64>,
    /// Under the eight symmetries of a piece.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<u64>,
    /// Under both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub both: Option<u64>,
}

/// Counts over the values of all pieces of a table.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct ValueCounts {
    /// Different values.
    pub distinct: u64,
    /// Pieces worth nought.
    pub zero: u64,
    /// Pieces worth their own negative.
    pub self_negative: u64,
    /// Pairs of a piece and another image of it that is in the table too,
    /// found to be worth the same or not. On 4x4 1,453,724; the 1,456,929 that is
    /// also quoted counts the images that are the piece itself, 3,205, too.
    pub mirror_checks: u64,
    /// Pieces whose colour swap is in the table, found to be worth the negative or not.
    pub colour_checks: u64,
    /// Checks that failed.
    pub failures: u64,
}

/// Counts the folds of a table kept by [`Key::Piece`]; orbits under each of `keys`.
pub fn count(pieces: &Pieces, keys: &[Key], progress: &ProgressBar) -> Folds {
    assert!(pieces.key == Key::Piece, "a table by {} has lost its pieces", pieces.key);
    let mut folds = Folds::default();
    let [mut by_symmetry, mut by_both] = [0; 2];
    for layer in pieces.layers() {
        let [swap_present, self_negative, own] = layer
            .par_chunks(CHUNK)
            .map(|chunk| {
                progress.inc(chunk.len() as u64);
                shapes(pieces, chunk)
            })
            .reduce(Default::default, |a, b| std::array::from_fn(|i| a[i] + b[i]));
        folds.swap_present += swap_present;
        folds.self_negative_shape += self_negative;
        folds.own_symmetry += own;
        if keys.contains(&Key::Symmetry) || keys.contains(&Key::Both) {
            let orbits = distinct_keys(pieces, Key::Symmetry, layer);
            by_symmetry += orbits.len() as u64;
            // An orbit under both is made of whole orbits under the symmetries.
            by_both += distinct_keys(pieces, Key::Both, &orbits).len() as u64;
        }
    }
    // Two colour swaps are one orbit; no piece is its own swap.
    let by_colour = pieces.len() as u64 - folds.swap_present / 2;
    let asked = |key: Key, orbits: u64| keys.contains(&key).then_some(orbits);
    folds.orbits = Orbits {
        colour: asked(Key::Colour, by_colour),
        symmetry: asked(Key::Symmetry, by_symmetry),
        both: asked(Key::Both, by_both),
    };
    folds
}

fn shapes(pieces: &Pieces, chunk: &[u64]) -> [u64; 3] {
    let mut images = vec![[0; 8]; chunk.len()];
    pieces.kernel.images(&pieces.frame, chunk, &mut images);
    let mut counts = [0; 3];
    for (&piece, images) in chunk.iter().zip(&images) {
        let swapped = pieces.frame.swapped(piece);
        counts[0] += u64::from(pieces.contains(swapped));
        counts[1] += u64::from(images.contains(&swapped));
        counts[2] += u64::from(images[1..].contains(&piece));
    }
    counts
}

/// The different keys of a list, ascending.
fn distinct_keys(pieces: &Pieces, key: Key, list: &[u64]) -> Vec<u64> {
    let mut keys = list.to_vec();
    keys.par_chunks_mut(CHUNK).for_each_init(Vec::new, |swapped, keys| {
        swapped.resize(keys.len(), false);
        pieces.kernel.keys(&pieces.frame, key, keys, swapped);
    });
    keys.par_sort_unstable();
    keys.dedup();
    keys
}

/// Counts the values of a table kept and valued by [`Key::Piece`], checks every
/// identification, and hands `each_layer` the stones, the pieces and the
/// values met so far with that many stones or fewer. Also the day the
/// latest-born of the values is born.
pub fn count_values(
    pieces: &Pieces,
    values: &Values,
    progress: &ProgressBar,
    mut each_layer: impl FnMut(usize, u64, u64),
) -> (ValueCounts, u32) {
    assert!(pieces.key == Key::Piece, "a table by {} has lost its pieces", pieces.key);
    let mut counts = ValueCounts::default();
    let mut met = vec![false; values.len()];
    for (stones, layer) in pieces.layers().iter().enumerate() {
        let checked = layer
            .par_chunks(CHUNK)
            .map(|chunk| {
                progress.inc(chunk.len() as u64);
                checks(pieces, values, chunk)
            })
            .reduce(Default::default, |a, b| std::array::from_fn(|i| a[i] + b[i]));
        counts.mirror_checks += checked[0];
        counts.colour_checks += checked[1];
        counts.failures += checked[2];
        counts.self_negative += checked[3];
        for &piece in layer {
            let value = pieces.number_of(piece).expect("the layer is in the table");
            counts.zero += u64::from(value == Values::ZERO.number());
            counts.distinct += u64::from(!std::mem::replace(&mut met[value as usize], true));
        }
        each_layer(stones, layer.len() as u64, counts.distinct);
    }
    let taken = (0..).zip(&met).filter(|(_, met)| **met);
    let born =
        taken.filter_map(|(number, _)| values.get(number)).map(|value| values.birthday(value));
    (counts, born.max().unwrap_or(0))
}

fn checks(pieces: &Pieces, values: &Values, chunk: &[u64]) -> [u64; 4] {
    let mut images = vec![[0; 8]; chunk.len()];
    pieces.kernel.images(&pieces.frame, chunk, &mut images);
    let [mut mirrors, mut colours, mut failures, mut self_negative] = [0; 4];
    for (&piece, images) in chunk.iter().zip(&images) {
        let number = pieces.number_of(piece).expect("the chunk is in the table");
        let negative = values.get(number).map(|value: Value| values.negative(value).number());
        self_negative += u64::from(negative == Some(number));
        for &image in images[1..].iter().filter(|&&image| image != 0 && image != piece) {
            if let Some(other) = pieces.number_of(image) {
                mirrors += 1;
                failures += u64::from(other != number);
            }
        }
        if let Some(other) = pieces.number_of(pieces.frame.swapped(piece)) {
            colours += 1;
            failures += u64::from(negative != Some(other));
        }
    }
    [mirrors, colours, failures, self_negative]
}

impl Pieces {
    /// The number in the slot of a key, if it is in the table.
    pub(super) fn number_of(&self, key: u64) -> Option<u32> {
        self.table.find(key).map(|slot| self.table.number(slot))
    }
}
