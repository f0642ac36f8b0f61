//! The definition, one square at a time. Every other kernel is tested against
//! it; it is written to be read, and ratios are quoted against `scalar` as well.

use super::{Check, Clause, Pairing, PairingKernel};
use crate::board::{Board, squares_of};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairingKernel> =
    Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl PairingKernel for Oracle {
    fn accepted(&self, check: &Check, sets: &[u64], accepted: &mut [u8]) {
        assert_eq!(sets.len(), accepted.len(), "one answer a set");
        for (set, out) in sets.iter().zip(accepted) {
            *out = check
                .pairings
                .iter()
                .filter(|pairing| accepts(check.board, *pairing, check.clause, *set))
                .map(|pairing| 1 << pairing as u8)
                .sum();
        }
    }
}

/// Whether `set` passes the test under one pairing of its bounding box.
pub(super) fn accepts(board: Board, pairing: Pairing, clause: Clause, set: u64) -> bool {
    let Some(image) = image(board, pairing, set) else { return false };
    let is_own_image = squares_of(set).map(|square| 1 << image(square)).sum::<u64>() == set;
    let fixed = |square: usize| image(square) == square;
    is_own_image
        && match clause {
            Clause::Naive => !squares_of(set).any(fixed),
            Clause::Strict => !squares_of(set)
                .any(|square| fixed(square) || adjacent(board, square, image(square))),
            Clause::Relaxed => !squares_of(set).any(|a| {
                let mut dominoes = squares_of(set).filter(|b| adjacent(board, a, *b));
                dominoes.any(|b| [a, b].contains(&image(a)) || [a, b].contains(&image(b)))
            }),
        }
}

/// A domino of `set` whose two squares change places, if there is one: the
/// first by its lesser square.
pub(super) fn own_answer(board: Board, pairing: Pairing, set: u64) -> Option<u64> {
    let image = image(board, pairing, set)?;
    let swapped = |square: &usize| adjacent(board, *square, image(*square));
    squares_of(set).find(swapped).map(|square| 1 << square | 1 << image(square))
}

/// Where a pairing of the bounding box of `set` sends a square of the box;
/// `None` if the set is empty or its box does not have that symmetry.
fn image(board: Board, pairing: Pairing, set: u64) -> Option<impl Fn(usize) -> usize> {
    let rows = || squares_of(set).map(|square| place(board, square).0);
    let columns = || squares_of(set).map(|square| place(board, square).1);
    let (top, bottom) = (rows().min()?, rows().max()?);
    let (left, right) = (columns().min()?, columns().max()?);
    let needs_square_box = matches!(pairing, Pairing::Diagonal | Pairing::AntiDiagonal);
    if needs_square_box && bottom - top != right - left {
        return None;
    }
    Some(move |square| {
        let (row, column) = place(board, square);
        let (down, across) = (row - top, column - left);
        let (row, column) = match pairing {
            Pairing::HalfTurn => (bottom - down, right - across),
            Pairing::LeftRight => (row, right - across),
            Pairing::TopBottom => (bottom - down, column),
            Pairing::Diagonal => (top + across, left + down),
            Pairing::AntiDiagonal => (bottom - across, right - down),
        };
        board.square(row, column)
    })
}

fn place(board: Board, square: usize) -> (usize, usize) {
    (square / board.columns(), square % board.columns())
}

fn adjacent(board: Board, a: usize, b: usize) -> bool {
    let ((row_a, column_a), (row_b, column_b)) = (place(board, a), place(board, b));
    row_a.abs_diff(row_b) + column_a.abs_diff(column_b) == 1
}
