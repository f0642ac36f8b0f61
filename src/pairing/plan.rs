//! The test in whole-set arithmetic: what `scalar` does to one set and `lanes`
//! to a block of them.
//!
//! ```text
//! a set, its frame              top row + bottom row   = rows
//!   . . . . .                   left + right column    = columns
//!   . # # . .   rows    1+2=3
//!   . . # # .   columns 1+3=4   square (r, c) turns to (rows - r, columns - c)
//! ```
//!
//! Everything follows from the two sums. The half turn sends square `i` to
//! `k - i` with `k = columns_of_board · rows + columns`, which is the 64-bit
//! reversal rotated by `k + 1`; a mirror is the board's own mirror, rotated. No
//! bit wraps, because the image of a set stays inside its box.
//!
//! The squares where an answer could be spoilt are few: with both sums even the
//! middle square is its own image, with one sum even the squares on both sides
//! of the middle face each other. A mirror has a line of such squares in place
//! of one, and a diagonal has fixed squares but no facing ones.

use super::Clause;
use crate::board::Board;

/// A permutation of squares as masked rotations: the OR of `set` rotated left
/// by each distance, kept inside each mask.
pub(super) type Rotations = Vec<(u32, u64)>;

/// What the test needs to know of a board and a clause.
pub(super) struct Plan {
    columns: u64,
    /// `square · reciprocal >> 16` is the square's row.
    reciprocal: u64,
    /// Row 0 and column 0.
    row: u64,
    column: u64,
    /// Shifts that fold every row onto row 0; 0 where there is none to fold.
    folds: [u32; 6],
    /// All but the last column, and the distance to the row below (0: no such row).
    not_last: u64,
    below: u32,
    below_mask: u64,
    /// All ones if the clause minds facing pairs; if it minds fixed squares
    /// only beside other squares of the set.
    mind_facing: u64,
    only_beside: bool,
    /// Exchanges the rows, or the columns if they are fewer.
    pub(super) mirror: Rotations,
    /// Whether `mirror` exchanges the columns.
    pub(super) mirror_is_left_right: bool,
    /// What rotates the mirror's companion (mirror and half turn) into place.
    rows_less_1: u64,
    /// Exchanges rows and columns of the largest square in the top left corner.
    pub(super) transpose: Rotations,
    /// The falling diagonal from square 0, and the rising one through it, moved right.
    falling: u64,
    rising: u64,
}

/// A set's bounding box.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Top row + bottom row.
    pub(super) rows: u64,
    /// Left column + right column.
    pub(super) columns: u64,
    /// The box's top left square.
    pub(super) corner: u64,
    /// Rows less one.
    pub(super) height: u64,
    /// Columns less one.
    pub(super) width: u64,
}

/// Squares that could spoil an answer.
#[derive(Clone, Copy)]
pub(super) struct Spoilers {
    /// Squares that are their own image.
    fixed: u64,
    /// One of each two neighbours that change places.
    facing: u64,
}

impl Plan {
    pub(super) fn new(board: Board, clause: Clause) -> Self {
        let (rows, columns) = (board.rows(), board.columns());
        let row = board.all() >> (board.squares() - columns);
        let side = rows.min(columns);
        let rotation = |distance: isize| distance.rem_euclid(64) as u32;
        let mirror_is_left_right = columns < rows;
        let mirror = (0..side).map(|line| {
            let to = side - 1 - line;
            let lines = to as isize - line as isize;
            if mirror_is_left_right {
                (rotation(lines), board.column(to))
            } else {
                (rotation(lines * columns as isize), row << (to * columns))
            }
        });
        let last = side as isize - 1;
        let transpose = (-last..=last).map(|offset| {
            // Squares (r, r + offset) go to (r + offset, r).
            let to = (0..side as isize).filter(|r| (0..side as isize).contains(&(r + offset)));
            let to = to.map(|r| 1 << ((r + offset) * columns as isize + r)).sum();
            (rotation(offset * (columns as isize - 1)), to)
        });
        let fold = |power: u32| {
            let shift = columns << power;
            if shift < board.squares() { shift as u32 } else { 0 }
        };
        Self {
            columns: columns as u64,
            reciprocal: 65536_u64.div_ceil(columns as u64),
            row,
            column: board.column(0),
            folds: [0, 1, 2, 3, 4, 5].map(fold),
            not_last: board.all() & !board.column(columns - 1),
            below: if rows > 1 { columns as u32 } else { 0 },
            below_mask: if rows > 1 { u64::MAX } else { 0 },
            mind_facing: if clause == Clause::Naive { 0 } else { u64::MAX },
            only_beside: clause == Clause::Relaxed,
            mirror: mirror.collect(),
            mirror_is_left_right,
            rows_less_1: rows as u64 - 1,
            transpose: transpose.collect(),
            falling: (0..side).map(|r| 1 << (r * (columns + 1))).sum(),
            rising: (0..side).fold(0, |line, r| line | 1 << (r * (columns - 1))),
        }
    }

    /// The bounding box; of the empty set, nothing in particular.
    #[inline(always)]
    pub(super) fn frame(&self, set: u64) -> Frame {
        let projected = self.folds.iter().fold(set, |set, fold| set | set >> fold) & self.row;
        let left = u64::from(projected.trailing_zeros());
        let right = 63_u64.wrapping_sub(u64::from(projected.leading_zeros()));
        let row_of = |square: u64| square.wrapping_mul(self.reciprocal) >> 16;
        let top = row_of(u64::from(set.trailing_zeros()));
        let bottom = row_of(63_u64.wrapping_sub(u64::from(set.leading_zeros())));
        Frame {
            rows: top.wrapping_add(bottom),
            columns: left.wrapping_add(right),
            corner: top.wrapping_mul(self.columns).wrapping_add(left),
            height: bottom.wrapping_sub(top),
            width: right.wrapping_sub(left),
        }
    }

    /// Half turn about the centre of the box.
    #[inline(always)]
    pub(super) fn half_turn(&self, set: u64, frame: Frame) -> u64 {
        let k = frame.rows.wrapping_mul(self.columns).wrapping_add(frame.columns);
        rotate(set.reverse_bits(), k.wrapping_add(1))
    }

    /// The board's own left-right mirror of a set, moved onto the set's box.
    #[inline(always)]
    pub(super) fn left_right(&self, mirrored: u64, frame: Frame) -> u64 {
        rotate(mirrored, frame.columns.wrapping_sub(self.columns - 1))
    }

    /// The board's own top-bottom mirror of a set, moved onto the set's box.
    #[inline(always)]
    pub(super) fn top_bottom(&self, mirrored: u64, frame: Frame) -> u64 {
        let rows = frame.rows.wrapping_sub(self.rows_less_1);
        rotate(mirrored, rows.wrapping_mul(self.columns))
    }

    /// Half turn of the whole board: what makes each mirror of the other.
    #[inline(always)]
    pub(super) fn turn_board(&self, set: u64) -> u64 {
        rotate(set.reverse_bits(), (self.rows_less_1 + 1) * self.columns)
    }

    /// The middle: fixed if both sums are even, facing a neighbour if one is.
    #[inline(always)]
    pub(super) fn middle(&self, frame: Frame) -> Spoilers {
        let square = (frame.rows >> 1).wrapping_mul(self.columns).wrapping_add(frame.columns >> 1);
        let (odd_rows, odd_columns) = (frame.rows & 1, frame.columns & 1);
        Spoilers {
            fixed: shift_left(1 ^ (odd_rows | odd_columns), square),
            facing: shift_left(odd_rows ^ odd_columns, square),
        }
    }

    /// The middle column, or the last before the middle.
    #[inline(always)]
    pub(super) fn middle_column(&self, frame: Frame) -> Spoilers {
        line(shift_left(self.column, frame.columns >> 1), frame.columns)
    }

    /// The middle row, or the last before the middle.
    #[inline(always)]
    pub(super) fn middle_row(&self, frame: Frame) -> Spoilers {
        let square = (frame.rows >> 1).wrapping_mul(self.columns);
        line(shift_left(self.row, square), frame.rows)
    }

    /// The diagonal from the box's top left to its bottom right square.
    #[inline(always)]
    pub(super) fn falling(&self, frame: Frame) -> Spoilers {
        Spoilers { fixed: shift_left(self.falling, frame.corner), facing: 0 }
    }

    /// The diagonal from the box's top right to its bottom left square.
    #[inline(always)]
    pub(super) fn rising(&self, frame: Frame) -> Spoilers {
        let top_right = frame.corner.wrapping_add(frame.width);
        Spoilers { fixed: shift_left(self.rising, top_right), facing: 0 }
    }

    /// Whether the clause finds no fault with a set that is its own image.
    #[inline(always)]
    pub(super) fn unspoilt(&self, set: u64, spoilers: Spoilers) -> bool {
        let fixed = if self.only_beside { self.beside(set) } else { u64::MAX };
        set & (spoilers.fixed & fixed | spoilers.facing & self.mind_facing) == 0
    }

    /// The squares that have a neighbour in `set`.
    #[inline(always)]
    fn beside(&self, set: u64) -> u64 {
        let sideways = (set & self.not_last) << 1 | set >> 1 & self.not_last;
        let upright = set << self.below | set >> self.below;
        sideways | upright & self.below_mask
    }
}

impl Frame {
    /// Whether the box is square.
    #[inline(always)]
    pub(super) fn is_square(self) -> bool {
        self.height == self.width
    }

    /// A set moved to the board's top left corner.
    #[inline(always)]
    pub(super) fn cornered(self, set: u64) -> u64 {
        set >> (self.corner & 63)
    }

    /// A set in the board's top left corner moved to the box.
    #[inline(always)]
    pub(super) fn placed(self, set: u64) -> u64 {
        shift_left(set, self.corner)
    }
}

/// Whether a set reads the same from both ends, in the order of its squares'
/// numbers. Of a set that is its own half turn this holds, because its first
/// square goes to its last; the box, which this does not need, decides whether
/// it is.
#[inline(always)]
pub(super) fn reads_the_same(set: u64) -> bool {
    let reversed = set.reverse_bits();
    let ends = u64::from(reversed.leading_zeros()).wrapping_sub(u64::from(set.leading_zeros()));
    rotate(reversed, ends) == set
}

/// The image under a permutation of squares.
#[inline(always)]
pub(super) fn permuted(rotations: &Rotations, set: u64) -> u64 {
    rotations.iter().fold(0, |image, &(by, mask)| image | set.rotate_left(by) & mask)
}

#[inline(always)]
fn line(squares: u64, sum: u64) -> Spoilers {
    let odd = 0_u64.wrapping_sub(sum & 1);
    Spoilers { fixed: squares & !odd, facing: squares & odd }
}

#[inline(always)]
fn rotate(set: u64, by: u64) -> u64 {
    set.rotate_left((by & 63) as u32)
}

#[inline(always)]
fn shift_left(set: u64, by: u64) -> u64 {
    set << (by & 63)
}
