//! The definition: square by square, on lists of coordinates.

use std::collections::BTreeMap;

use super::{Expansion, Frame, Key, PieceKernel};
use crate::game::{Game, Mover, clobber};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PieceKernel> =
    Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

/// Stones by (row, column); true is red.
type Stones = BTreeMap<(i32, i32), bool>;

impl PieceKernel for Oracle {
    fn expand(&self, frame: &Frame, pieces: &[u64], out: &mut Expansion) {
        for &piece in pieces {
            let before = out.moves.len();
            for mover in Mover::BOTH {
                let mut positions = vec![];
                clobber::Clobber.moves(frame.board(), mover, piece, &mut positions);
                for position in positions {
                    let parts = parts(&read(frame, position));
                    out.moves.push(Expansion::encode(mover, parts.len()));
                    out.parts
                        .extend(parts.iter().map(|part| write(frame, part).expect("a part fits")));
                }
            }
            out.counts.push((out.moves.len() - before) as u16);
        }
    }

    fn corner(&self, frame: &Frame, pieces: &mut [u64]) {
        for piece in pieces {
            *piece = write(frame, &cornered(&read(frame, *piece))).expect("a piece fits");
        }
    }

    fn images(&self, frame: &Frame, pieces: &[u64], out: &mut [[u64; 8]]) {
        for (piece, out) in pieces.iter().zip(out) {
            *out = images(&read(frame, *piece)).map(|image| write(frame, &image).unwrap_or(0));
        }
    }

    fn keys(&self, frame: &Frame, key: Key, pieces: &mut [u64], swapped: &mut [bool]) {
        for (piece, swapped) in pieces.iter_mut().zip(swapped) {
            let stones = read(frame, *piece);
            let mut images = vec![stones.clone()];
            if matches!(key, Key::Symmetry | Key::Both) {
                images = self::images(&stones).to_vec();
            }
            // Landscape images only: those always fit the frame.
            let width = |stones: &Stones| stones.keys().map(|&(_, column)| column).max();
            let widest = images.iter().map(width).max().flatten();
            images.retain(|image| width(image) == widest);
            let words = images.iter().map(|image| write(frame, image).expect("it is landscape"));
            let words = words.flat_map(|word| [(word, false), (frame.swapped(word), true)]);
            let colours = matches!(key, Key::Colour | Key::Both);
            let least = words.filter(|&(_, swapped)| colours || !swapped).min();
            (*piece, *swapped) = least.expect("a piece has images");
        }
    }
}

/// The live pieces of a position, each shifted to the corner.
pub(super) fn live_parts(frame: &Frame, position: u64) -> Vec<u64> {
    let parts = parts(&read(frame, position));
    parts.iter().map(|part| write(frame, &cornered(part)).expect("a part fits")).collect()
}

fn read(frame: &Frame, position: u64) -> Stones {
    let [blue, red] = clobber::stones(frame.board(), position);
    let columns = frame.columns as i32;
    let place = |square: usize| (square as i32 / columns, square as i32 % columns);
    let blue = crate::board::squares_of(blue).map(|square| (place(square), false));
    blue.chain(crate::board::squares_of(red).map(|square| (place(square), true))).collect()
}

/// The word of a set of stones, if it fits the frame.
fn write(frame: &Frame, stones: &Stones) -> Option<u64> {
    let (rows, columns) = (frame.rows as i32, frame.columns as i32);
    let mut piece = 0;
    for (&(row, column), &red) in stones {
        if !(0..rows).contains(&row) || !(0..columns).contains(&column) {
            return None;
        }
        piece |= 1 << ((columns * row + column) as u32 + if red { frame.squares } else { 0 });
    }
    Some(piece)
}

fn cornered(stones: &Stones) -> Stones {
    let row = stones.keys().map(|&(row, _)| row).min().unwrap_or(0);
    let column = stones.keys().map(|&(_, column)| column).min().unwrap_or(0);
    stones.iter().map(|(&(r, c), &red)| ((r - row, c - column), red)).collect()
}

fn images(stones: &Stones) -> [Stones; 8] {
    std::array::from_fn(|symmetry| {
        let image = stones.iter().map(|(&(row, column), &red)| {
            let (row, column) = if symmetry & 4 == 0 { (row, column) } else { (column, row) };
            let row = if symmetry & 2 == 0 { row } else { -row };
            let column = if symmetry & 1 == 0 { column } else { -column };
            ((row, column), red)
        });
        cornered(&image.collect())
    })
}

/// The connected sets of stones with both colours, least square first.
fn parts(stones: &Stones) -> Vec<Stones> {
    let mut left = stones.clone();
    let mut parts = vec![];
    while let Some((&first, _)) = left.iter().next() {
        let mut part = Stones::new();
        let mut open = vec![first];
        while let Some((row, column)) = open.pop() {
            if let Some(red) = left.remove(&(row, column)) {
                part.insert((row, column), red);
                open.extend([
                    (row - 1, column),
                    (row + 1, column),
                    (row, column - 1),
                    (row, column + 1),
                ]);
            }
        }
        if part.values().any(|&red| red) && part.values().any(|&red| !red) {
            parts.push(part);
        }
    }
    parts
}
