//! A rectangle of up to 64 squares, and sets of its squares as `u64`s.
//!
//! Square `columns · row + column` is bit of the same number; row 0 is on top.
//! A set is written row by row, `#` for a square in it and `.` for one that
//! is not, rows joined by `|` or newlines:
//!
//! ```text
//! 0 1 2 3       ##..
//! 4 5 6 7       ..#.     the set {0, 1, 6} of the 2x4 board: `##..|..#.`
//! ```
//!
//! ```
//! use zobrist_lab::board::{Board, Symmetry};
//! let board: Board = "2x4".parse()?;
//! let set = board.parse_set("##..|..#.")?;
//! assert_eq!(set, 0b0100_0011);
//! assert_eq!(board.draw(board.image(Symmetry::HalfTurn, set)), ".#..|..##");
//! # Ok::<(), zobrist_lab::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;

use crate::error::Error;

/// Largest number of squares a board may have: one bit of a `u64` each.
pub const MAX_SQUARES: usize = 64;

/// A board of `rows × columns` squares, at least one and at most 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Board {
    rows: u8,
    columns: u8,
}

impl Board {
    /// The board of that many rows and columns.
    ///
    /// # Errors
    /// A side of zero, or more than 64 squares.
    pub fn new(rows: usize, columns: usize) -> Result<Self, Error> {
        let refuse = |problem: String| Error::Board { text: format!("{rows}x{columns}"), problem };
        if rows == 0 || columns == 0 {
            return Err(refuse("both sides must be at least 1".into()));
        }
        match rows.checked_mul(columns) {
            Some(squares) if squares <= MAX_SQUARES => {
                Ok(Self { rows: rows as u8, columns: columns as u8 })
            }
            _ => Err(refuse(format!("a set of squares is 64 bits: at most {MAX_SQUARES} squares"))),
        }
    }

    /// Number of rows.
    pub fn rows(self) -> usize {
        usize::from(self.rows)
    }

    /// Number of columns.
    pub fn columns(self) -> usize {
        usize::from(self.columns)
    }

    /// Number of squares.
    pub fn squares(self) -> usize {
        self.rows() * self.columns()
    }

    /// The set of all squares.
    pub fn all(self) -> u64 {
        u64::MAX >> (MAX_SQUARES - self.squares())
    }

    /// The number of the square in `row` and `column`.
    pub fn square(self, row: usize, column: usize) -> usize {
        assert!(row < self.rows() && column < self.columns(), "({row}, {column}) is off {self}");
        self.columns() * row + column
    }

    /// The set of all squares of one column.
    pub fn column(self, column: usize) -> u64 {
        (0..self.rows()).map(|row| 1 << self.square(row, column)).sum()
    }

    /// The board with rows and columns exchanged.
    pub fn transposed(self) -> Self {
        Self { rows: self.columns, columns: self.rows }
    }

    /// Reads a set of squares drawn in this board's notation.
    ///
    /// # Errors
    /// A character other than `.` or `#`, or rows that do not fit the board.
    pub fn parse_set(self, text: &str) -> Result<u64, Error> {
        let refuse = |problem: String| Error::Board { text: text.trim().into(), problem };
        let rows: Vec<&str> = text.trim().split(['|', '\n']).map(str::trim).collect();
        if rows.len() != self.rows() {
            return Err(refuse(format!("{} rows drawn, {self} has {}", rows.len(), self.rows())));
        }
        let mut set = 0;
        for (row, line) in rows.iter().enumerate() {
            let width = line.chars().count();
            if width != self.columns() {
                let want = self.columns();
                return Err(refuse(format!("row {row} has {width} squares, {self} has {want}")));
            }
            for (column, character) in line.chars().enumerate() {
                match character {
                    '.' => {}
                    '#' => set |= 1 << self.square(row, column),
                    other => {
                        return Err(refuse(format!(
                            "`{other}` at row {row}, column {column}: want `.` or `#`"
                        )));
                    }
                }
            }
        }
        Ok(set)
    }

    /// Draws a set of squares, rows joined by `|`.
    pub fn draw(self, set: u64) -> String {
        self.draw_rows(set).join("|")
    }

    /// Draws a set of squares, one string a row.
    pub fn draw_rows(self, set: u64) -> Vec<String> {
        let cell = |row, column| if set >> self.square(row, column) & 1 == 1 { '#' } else { '.' };
        (0..self.rows())
            .map(|row| (0..self.columns()).map(|column| cell(row, column)).collect())
            .collect()
    }

    /// The symmetries that map this board to itself: four, or eight if it is square.
    pub fn symmetries(self) -> &'static [Symmetry] {
        if self.rows == self.columns { &Symmetry::ALL } else { &Symmetry::ALL[..4] }
    }

    /// Where each square goes under `symmetry`, as a permutation of square numbers.
    ///
    /// # Panics
    /// If the symmetry exchanges the sides of a board that is not square.
    pub fn permutation(self, symmetry: Symmetry) -> Vec<usize> {
        assert!(self.symmetries().contains(&symmetry), "{symmetry:?} does not fit {self}");
        let (last_row, last_column) = (self.rows() - 1, self.columns() - 1);
        (0..self.squares())
            .map(|square| {
                let (row, column) = (square / self.columns(), square % self.columns());
                let (row, column) = match symmetry {
                    Symmetry::Identity => (row, column),
                    Symmetry::HalfTurn => (last_row - row, last_column - column),
                    Symmetry::LeftRight => (row, last_column - column),
                    Symmetry::TopBottom => (last_row - row, column),
                    Symmetry::Diagonal => (column, row),
                    Symmetry::AntiDiagonal => (last_column - column, last_row - row),
                    Symmetry::QuarterTurn => (column, last_row - row),
                    Symmetry::ThreeQuarterTurn => (last_column - column, row),
                };
                self.square(row, column)
            })
            .collect()
    }

    /// The image of a set of squares under `symmetry`; see [`Board::permutation`].
    pub fn image(self, symmetry: Symmetry, set: u64) -> u64 {
        let permutation = self.permutation(symmetry);
        squares_of(set).map(|square| 1 << permutation[square]).sum()
    }
}

/// A symmetry of the rectangle; the last four need a square board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Symmetry {
    /// Every square stays.
    Identity,
    /// Rotation by 180° about the centre.
    HalfTurn,
    /// The mirror that exchanges left and right.
    LeftRight,
    /// The mirror that exchanges top and bottom.
    TopBottom,
    /// The mirror in the falling diagonal: rows become columns.
    Diagonal,
    /// The mirror in the rising diagonal.
    AntiDiagonal,
    /// Rotation by 90°, clockwise.
    QuarterTurn,
    /// Rotation by 270°, clockwise.
    ThreeQuarterTurn,
}

impl Symmetry {
    /// All eight, those of every rectangle first.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::HalfTurn,
        Self::LeftRight,
        Self::TopBottom,
        Self::Diagonal,
        Self::AntiDiagonal,
        Self::QuarterTurn,
        Self::ThreeQuarterTurn,
    ];
}

/// The squares of a set, in ascending order.
///
/// ```
/// let squares: Vec<_> = zobrist_lab::board::squares_of(0b1001_0001).collect();
/// assert_eq!(squares, [0, 4, 7]);
/// ```
pub fn squares_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.rows, self.columns)
    }
}

impl FromStr for Board {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || Error::Board {
            text: text.into(),
            problem: "want ROWSxCOLUMNS, for example 4x5".into(),
        };
        let (rows, columns) = text.split_once(['x', 'X', '×']).ok_or_else(refuse)?;
        let side = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse::<usize>().ok()).flatten()
        };
        match (side(rows), side(columns)) {
            (Some(rows), Some(columns)) => Self::new(rows, columns),
            _ => Err(refuse()),
        }
    }
}

impl serde::Serialize for Board {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_or_say_why_not() {
        for good in ["1x1", "4x5", "8x8", "1x64", "4×5"] {
            let board: Board = good.parse().unwrap();
            assert_eq!(board.to_string(), good.replace('×', "x"));
        }
        for bad in ["", "4", "4x", "x5", "4×", "4x5x6", "-4x5", "+4x5", "0x5", "9x9", "4 x5", "4y5"]
        {
            assert!(bad.parse::<Board>().is_err(), "{bad} must be refused");
        }
    }

    #[test]
    fn drawing_and_parsing_are_inverse() {
        let board = Board::new(3, 5).unwrap();
        for set in (0..=board.all()).step_by(7) {
            assert_eq!(board.parse_set(&board.draw(set)).unwrap(), set);
            assert_eq!(board.parse_set(&board.draw_rows(set).join("\n")).unwrap(), set);
        }
        for bad in
            ["", ".....|.....", ".....|.....|....", ".....|.....|..x..", "......|.....|....."]
        {
            assert!(board.parse_set(bad).is_err(), "{bad} must be refused");
        }
    }

    #[test]
    fn symmetries_are_permutations_and_have_their_order() {
        for board in [Board::new(3, 5).unwrap(), Board::new(4, 4).unwrap()] {
            for &symmetry in board.symmetries() {
                let order = match symmetry {
                    Symmetry::Identity => 1,
                    Symmetry::QuarterTurn | Symmetry::ThreeQuarterTurn => 4,
                    _ => 2,
                };
                let permutation = board.permutation(symmetry);
                let mut square: Vec<usize> = (0..board.squares()).collect();
                for step in 1..=order {
                    square = square.iter().map(|&s| permutation[s]).collect();
                    let identity = square.iter().enumerate().all(|(s, &t)| s == t);
                    assert_eq!(identity, step == order, "{symmetry:?} on {board}");
                }
            }
        }
        let board = Board::new(2, 2).unwrap();
        assert_eq!(board.permutation(Symmetry::QuarterTurn), [1, 3, 0, 2]);
    }
}
