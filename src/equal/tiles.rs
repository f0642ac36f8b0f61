//! The double loop in tiles: [`ROWS`] rows at a time against everything after.
//!
//! ```text
//!          keys  0 1 2 3 4 5 6 7 8 9 …
//! rows 0..8      . x x x x x x x|# # #     x  inside the tile: a loop
//!                  . x x x x x x|# # #     #  the kernel's: each load of keys
//!                    …       . x|# # #        is compared with all eight rows
//! ```

use std::ops::Range;

/// Rows that a kernel takes at once.
pub(super) const ROWS: usize = 8;

/// The number of equal pairs `(i, j)`, `i` in `rows`, `j > i`; `tile` counts
/// the equal pairs of one of eight keys and one of a slice.
#[inline(always)] // so that a kernel's loop is compiled for its instructions
pub(super) fn equal<T: PartialEq + Copy>(
    keys: &[T],
    rows: Range<usize>,
    mut tile: impl FnMut(&[T; ROWS], &[T]) -> u64,
) -> u64 {
    let mut pairs = 0;
    let (tiles, rest) = keys[rows.clone()].as_chunks::<ROWS>();
    for (index, own) in tiles.iter().enumerate() {
        for (row, x) in own.iter().enumerate() {
            pairs += count(*x, &own[row + 1..]);
        }
        pairs += tile(own, &keys[rows.start + (index + 1) * ROWS..]);
    }
    let first = rows.end - rest.len();
    for (row, x) in (first..).zip(rest) {
        pairs += count(*x, &keys[row + 1..]);
    }
    pairs
}

/// The number of pairs of one of `own` and one of `keys`: what is left over by a register.
pub(super) fn leftover<T: PartialEq + Copy>(own: &[T; ROWS], keys: &[T]) -> u64 {
    own.iter().map(|x| count(*x, keys)).sum()
}

/// How many of `keys` are `x`.
pub(super) fn count<T: PartialEq + Copy>(x: T, keys: &[T]) -> u64 {
    keys.iter().map(|y| u64::from(*y == x)).sum()
}
