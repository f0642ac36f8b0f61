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
    let place = |square: usize| (square / board.columns(), square % board.columns());
    let rows = || squares_of(set).map(|square| place(square).0);
    let columns = || squares_of(set).map(|square| place(square).1);
    let (Some(top), Some(bottom)) = (rows().min(), rows().max()) else { return false };
    let (Some(left), Some(right)) = (columns().min(), columns().max()) else { return false };
    let square_box = bottom - top == right - left;
    if matches!(pairing, Pairing::Diagonal | Pairing::AntiDiagonal) && !square_box {
        return false;
    }
    let image = |square: usize| {
        let (row, column) = place(square);
        let (down, across) = (row - top, column - left);
        let (row, column) = match pairing {
            Pairing::HalfTurn => (bottom - down, right - across),
            Pairing::LeftRight => (row, right - across),
            Pairing::TopBottom => (bottom - down, column),
            Pairing::Diagonal => (top + across, left + down),
            Pairing::AntiDiagonal => (bottom - across, right - down),
        };
        board.square(row, column)
    };
    let adjacent = |a: usize, b: usize| {
        let ((row_a, column_a), (row_b, column_b)) = (place(a), place(b));
        row_a.abs_diff(row_b) + column_a.abs_diff(column_b) == 1
    };
    let is_own_image = squares_of(set).map(|square| 1 << image(square)).sum::<u64>() == set;
    let fixed = |square: usize| image(square) == square;
    is_own_image
        && match clause {
            Clause::Naive => !squares_of(set).any(fixed),
            Clause::Strict => {
                !squares_of(set).any(|square| fixed(square) || adjacent(square, image(square)))
            }
            Clause::Relaxed => !squares_of(set).any(|a| {
                let mut dominoes = squares_of(set).filter(|b| adjacent(a, *b));
                dominoes.any(|b| [a, b].contains(&image(a)) || [a, b].contains(&image(b)))
            }),
        }
}
