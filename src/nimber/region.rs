//! Sets of squares of an 8-by-8 grid, one byte a row: taken apart, moved to the
//! corner and turned to one orientation of the eight.
//!
//! ```text
//! row 0   bits 0 .. 7      mirror left-right   reverse the bits of each byte
//! row 1   bits 8 .. 15     mirror top-bottom   reverse the bytes
//! ...                      diagonal            transpose the 8-by-8 bit matrix
//! ```

use crate::board::{Board, squares_of};

/// Squares of a side of the grid.
pub const SIDE: usize = 8;

/// All but the last column, and all but the first.
const NOT_LAST: u64 = 0x7F7F_7F7F_7F7F_7F7F;
const NOT_FIRST: u64 = NOT_LAST << 1;

/// A set of squares of `board`, in the top left corner of the grid.
///
/// # Panics
/// If a side of the board is longer than 8.
pub fn place(board: Board, set: u64) -> u64 {
    assert!(board.rows().max(board.columns()) <= SIDE, "{board} does not fit a grid of 8x8");
    let on_grid = |square| square / board.columns() * SIDE + square % board.columns();
    squares_of(set).map(|square| 1 << on_grid(square)).sum()
}

/// The connected regions of a set in which a domino fits; lone squares are
/// worth nothing and left out.
pub fn components(mut set: u64) -> impl Iterator<Item = u64> {
    set &= neighbours(set);
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let mut region = set & set.wrapping_neg();
            loop {
                let grown = (region | neighbours(region)) & set;
                if grown == region {
                    break;
                }
                region = grown;
            }
            set &= !region;
            region
        })
    })
}

/// The squares beside a square of `set`.
fn neighbours(set: u64) -> u64 {
    (set & NOT_LAST) << 1 | (set & NOT_FIRST) >> 1 | set << SIDE | set >> SIDE
}

/// Every domino that fits inside `set`: horizontal ones, then vertical ones.
pub fn dominoes(set: u64) -> impl Iterator<Item = u64> {
    let horizontal = squares_of(set & set >> 1 & NOT_LAST).map(|first| 0b11 << first);
    horizontal.chain(squares_of(set & set >> SIDE).map(|first| 0x101 << first))
}

/// The least of the eight images of a region, each moved to the corner: two
/// regions are one up to symmetry and place if and only if these are equal.
pub fn canonical(region: u64) -> u64 {
    let turned = transposed(region);
    let images = [region, turned].into_iter().flat_map(|region| {
        let (mirrored, flipped) = (left_right(region), region.swap_bytes());
        [region, mirrored, flipped, mirrored.swap_bytes()]
    });
    images.map(to_corner).min().expect("eight images")
}

fn to_corner(region: u64) -> u64 {
    if region == 0 {
        return 0;
    }
    let region = region >> (region.trailing_zeros() & !7);
    let columns = region | region >> 32;
    let columns = columns | columns >> 16;
    let columns = columns | columns >> 8;
    region >> (columns as u8).trailing_zeros()
}

fn left_right(region: u64) -> u64 {
    region.reverse_bits().swap_bytes()
}

/// Rows and columns exchanged, by swapping ever larger blocks across the diagonal.
fn transposed(mut region: u64) -> u64 {
    for (shift, mask) in
        [(7, 0x00AA_00AA_00AA_00AA), (14, 0x0000_CCCC_0000_CCCC), (28, 0x0000_0000_F0F0_F0F0)]
    {
        let differ = (region ^ region >> shift) & mask;
        region ^= differ ^ differ << shift;
    }
    region
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn images_are_the_board_s(set: u64) {
            let board = Board::new(SIDE, SIDE).unwrap();
            prop_assert_eq!(place(board, set), set);
            prop_assert_eq!(left_right(set), board.image(Symmetry::LeftRight, set));
            prop_assert_eq!(set.swap_bytes(), board.image(Symmetry::TopBottom, set));
            prop_assert_eq!(transposed(set), board.image(Symmetry::Diagonal, set));
            for &symmetry in board.symmetries() {
                prop_assert_eq!(canonical(board.image(symmetry, set)), canonical(set));
            }
            prop_assert_eq!(canonical(set).count_ones(), set.count_ones());
        }

        #[test]
        fn components_are_a_partition_without_lone_squares(a: u64, b: u64) {
            let set = a & b;
            let mut together = 0;
            for region in components(set) {
                prop_assert!(region.count_ones() > 1 && together & region == 0);
                prop_assert_eq!(neighbours(region) & set & !region, 0);
                prop_assert_eq!(components(region).collect::<Vec<_>>(), vec![region]);
                together |= region;
            }
            prop_assert_eq!(together, set & neighbours(set));
            prop_assert_eq!(dominoes(set).filter(|domino| domino & !together != 0).count(), 0);
        }

        #[test]
        fn place_does_not_matter(set in 0_u64..1 << 20, down in 0_usize..3, right in 0_usize..4) {
            let board = Board::new(5, 4).unwrap();
            let region = place(board, set);
            prop_assert_eq!(canonical(region << (SIDE * down + right)), canonical(region));
        }
    }
}
