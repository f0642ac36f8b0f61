//! A word at a time: both colours of a piece move together in one `u64`.
//!
//! ```text
//! split     fill = (fill | fill beside) & rest, until it stands still or has met all
//! corner    rows: the lowest set bit; columns: the rows laid on each other
//! mirror    swap row i with row r−1−i: two shifts and a mask, both colours
//! half turn reverse all 2n bits, which exchanges the colours too; exchange back
//! transpose swap the d-th diagonals, above and below, for d = 1, 2, …
//! ```
//!
//! An image of a piece whose box is h × w is cornered by a known shift: the
//! mirror by (rows − h) rows, the half turn by (columns − w) more.

use super::{Expansion, Frame, Key, PieceKernel};
use crate::game::Mover;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PieceKernel> =
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

pub(super) struct Scalar;

impl PieceKernel for Scalar {
    fn expand(&self, frame: &Frame, pieces: &[u64], out: &mut Expansion) {
        for &piece in pieces {
            let before = out.moves.len();
            expand(frame, piece, Mover::Left, out);
            expand(frame, piece, Mover::Right, out);
            out.counts.push((out.moves.len() - before) as u16);
        }
    }

    fn corner(&self, frame: &Frame, pieces: &mut [u64]) {
        for piece in pieces {
            *piece = corner(frame, *piece);
        }
    }

    fn images(&self, frame: &Frame, pieces: &[u64], out: &mut [[u64; 8]]) {
        for (&piece, out) in pieces.iter().zip(out) {
            let (height, width) = size(frame, piece);
            let upright = four(frame, piece, height, width);
            let on_end = |piece| if width <= frame.rows { transposed(frame, piece) } else { 0 };
            let [same, left_right, top_bottom, half_turn] = upright.map(on_end);
            // Transposing first exchanges the two mirrors.
            out[..4].copy_from_slice(&upright);
            out[4..].copy_from_slice(&[same, top_bottom, left_right, half_turn]);
        }
    }

    fn keys(&self, frame: &Frame, key: Key, pieces: &mut [u64], swapped: &mut [bool]) {
        assert_eq!(pieces.len(), swapped.len(), "one sign a piece");
        // The match stands outside the loop: each arm is a loop of its own.
        let each = pieces.iter_mut().zip(swapped);
        match key {
            Key::Piece => each.for_each(|(_, swapped)| *swapped = false),
            Key::Colour => each.for_each(|(piece, swapped)| {
                let negative = frame.swapped(*piece);
                *swapped = negative < *piece;
                *piece = negative.min(*piece);
            }),
            Key::Symmetry => each.for_each(|(piece, swapped)| {
                *swapped = false;
                *piece = least(&landscape(frame, *piece));
            }),
            Key::Both => each.for_each(|(piece, swapped)| {
                let images = landscape(frame, *piece);
                let own = least(&images);
                let negative = least(&images.map(|image| frame.swapped(image)));
                *swapped = negative < own;
                *piece = negative.min(own);
            }),
        }
    }
}

/// The moves of one player, each with the parts it leaves.
fn expand(frame: &Frame, piece: u64, mover: Mover, out: &mut Expansion) {
    let (own, other) = match mover {
        Mover::Left => (0, frame.squares),
        Mover::Right => (frame.squares, 0),
    };
    let occupied = frame.occupied(piece);
    let targets = piece >> other & frame.all;
    // Only stones beside a target move.
    let mut movers = piece >> own & beside(frame, targets) & frame.all;
    while movers != 0 {
        let from = movers & movers.wrapping_neg();
        movers ^= from;
        let around = beside(frame, from) & occupied;
        let (parts, count) = split(frame, occupied ^ from, around);
        let mut to = around & targets;
        while to != 0 {
            let captured = to & to.wrapping_neg();
            to ^= captured;
            let moved = piece ^ from << own ^ captured << own ^ captured << other;
            let before = out.parts.len();
            for part in &parts[..count] {
                let part = moved & (part | part << frame.squares);
                if frame.is_live(part) {
                    out.parts.push(part);
                }
            }
            out.moves.push(Expansion::encode(mover, out.parts.len() - before));
        }
    }
}

fn beside(frame: &Frame, set: u64) -> u64 {
    (set & frame.not_first) >> 1
        | (set & frame.not_last) << 1
        | set >> frame.columns
        | set << frame.columns
}

/// The connected sets of `rest`, each of which meets `around`: at most four.
/// A fill that has met all of `around` that is left is all that is left; most
/// stones split nothing, and their fill ends after two or three steps.
fn split(frame: &Frame, mut rest: u64, mut around: u64) -> ([u64; 4], usize) {
    let mut parts = [0; 4];
    let mut count = 0;
    while around != 0 {
        let mut fill = around & around.wrapping_neg();
        while around & !fill != 0 {
            let more = (fill | beside(frame, fill)) & rest;
            if more == fill {
                break;
            }
            fill = more;
        }
        if around & !fill == 0 {
            fill = rest;
        }
        parts[count] = fill;
        count += 1;
        rest &= !fill;
        around &= !fill;
    }
    (parts, count)
}

/// The rows laid on each other, in the low bits.
fn columns_met(frame: &Frame, occupied: u64) -> u64 {
    let mut met = occupied;
    for row in 1..frame.rows {
        met |= occupied >> (row * frame.columns);
    }
    met & ((1 << frame.columns) - 1)
}

fn corner(frame: &Frame, piece: u64) -> u64 {
    let occupied = frame.occupied(piece);
    if occupied == 0 {
        return 0;
    }
    let row_start = u32::from(frame.row_start[occupied.trailing_zeros() as usize]);
    // No bit of either colour is below the shift, so none falls out.
    piece >> (row_start + columns_met(frame, occupied).trailing_zeros())
}

/// Rows and columns of a cornered piece.
fn size(frame: &Frame, piece: u64) -> (u32, u32) {
    let occupied = frame.occupied(piece);
    let last = u32::from(frame.row_start[occupied.checked_ilog2().unwrap_or(0) as usize]);
    (last / frame.columns + 1, u64::BITS - columns_met(frame, occupied).leading_zeros())
}

fn exchanged(piece: u64, swaps: &[(u64, u32)]) -> u64 {
    swaps.iter().fold(piece, |piece, &(lower, distance)| {
        let differ = (piece >> distance ^ piece) & lower;
        piece ^ differ ^ differ << distance
    })
}

fn transposed(frame: &Frame, piece: u64) -> u64 {
    exchanged(piece, &frame.diagonal_swaps)
}

/// The piece, its mirrors left to right and top to bottom, its half turn.
fn four(frame: &Frame, piece: u64, height: u32, width: u32) -> [u64; 4] {
    let below = (frame.rows - height) * frame.columns;
    let beyond = frame.columns - width;
    let turned = frame.swapped(piece.reverse_bits() >> (u64::BITS - 2 * frame.squares));
    let left_right = exchanged(turned, &frame.row_swaps) >> beyond;
    let top_bottom = exchanged(piece, &frame.row_swaps) >> below;
    [piece, left_right, top_bottom, turned >> (below + beyond)]
}

/// The images of a cornered piece that lie at least as wide as tall; a piece
/// that is not square has four and they come twice.
fn landscape(frame: &Frame, piece: u64) -> [u64; 8] {
    let (height, width) = size(frame, piece);
    let lying = if height > width { transposed(frame, piece) } else { piece };
    let [a, b, c, d] = four(frame, lying, height.min(width), height.max(width));
    if height != width {
        return [a, b, c, d, a, b, c, d];
    }
    let turn = |image| transposed(frame, image);
    [a, b, c, d, turn(a), turn(b), turn(c), turn(d)]
}

fn least(images: &[u64; 8]) -> u64 {
    images.iter().copied().fold(u64::MAX, u64::min)
}
