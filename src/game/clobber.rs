//! Clobber: a player moves one stone onto an orthogonal neighbour of the other
//! colour and takes it; a player who cannot capture loses.
//!
//! ```text
//! Blue, to move:   xo      .x     or any other blue stone onto a red one
//!                  ox  ->  ox
//! ```
//!
//! `x` is a blue stone, Left's; `o` a red one, Right's; `.` an empty square.
//! The start is the checkerboard with blue on the corner. A position on a
//! board of n squares has 2n features: blue on square s is bit s, red on
//! square s bit n + s. One `u64` carries boards of up to 32 squares.

use super::{Game, Mover};
use crate::board::{Board, Symmetry, squares_of};
use crate::error::Error;

/// Largest number of squares: a bit for each colour on each of them.
pub const MAX_SQUARES: usize = 32;

/// The rules of Clobber.
pub struct Clobber;

/// Refuses a board whose positions do not fit 64 bits.
///
/// # Errors
/// More than 32 squares.
pub fn check(board: Board) -> Result<(), Error> {
    if board.squares() <= MAX_SQUARES {
        return Ok(());
    }
    let problem =
        format!("a Clobber position is 64 bits, two a square: at most {MAX_SQUARES} squares");
    Err(Error::Board { text: board.to_string(), problem })
}

/// The position with those blue and red squares.
pub fn position(board: Board, blue: u64, red: u64) -> u64 {
    assert!(board.squares() <= MAX_SQUARES, "{board} has more than {MAX_SQUARES} squares");
    assert!((blue | red) & !board.all() == 0 && blue & red == 0, "{blue:#x}, {red:#x} on {board}");
    blue | red << board.squares()
}

/// The blue and the red squares of a position.
pub fn stones(board: Board, position: u64) -> [u64; 2] {
    [position & board.all(), position >> board.squares()]
}

/// The squares beside those of `set`, which may be among them.
pub fn beside(board: Board, set: u64) -> u64 {
    let columns = board.columns() as u32;
    let left = set & !board.column(0);
    let right = set & !board.column(board.columns() - 1);
    (left >> 1 | right << 1 | set >> columns | set << columns) & board.all()
}

/// Reads a position: rows of `x`, `o` and `.` joined by `|` or newlines. The
/// board is as large as the drawing.
///
/// # Errors
/// A stray character, unequal rows or a board too large; it names the place.
pub fn parse(text: &str) -> Result<(Board, u64), Error> {
    let text = text.trim();
    let refuse = |problem: String| Error::Argument { what: format!("position `{text}`"), problem };
    let rows: Vec<&str> = text.split(['|', '\n']).map(str::trim).collect();
    let columns = rows[0].chars().count();
    let board = Board::new(rows.len(), columns).and_then(|board| check(board).map(|()| board));
    // Every row is looked at before the size: a stray character is named first.
    let (mut blue, mut red) = (0, 0);
    for (row, line) in rows.iter().enumerate() {
        for (column, character) in line.chars().enumerate() {
            let stone = 1_u64.checked_shl((row * columns + column) as u32).unwrap_or(0);
            match character {
                'x' => blue |= stone,
                'o' => red |= stone,
                '.' => {}
                other => {
                    return Err(refuse(format!(
                        "`{other}` at row {row}, column {column}: want `x`, `o` or `.`"
                    )));
                }
            }
        }
        let width = line.chars().count();
        if width != columns {
            return Err(refuse(format!("row {row} has {width} squares, row 0 has {columns}")));
        }
    }
    let board = board.map_err(|error| refuse(error.to_string()))?;
    Ok((board, position(board, blue, red)))
}

/// The symmetries of the board that carry the start to its colour swap: a
/// mirror across an even side, a half turn if just one side is even, a quarter
/// turn if both are. A piece's image under such a one is reachable with the
/// colours exchanged; where there is none, its negative is there by chance.
pub fn colour_changing(board: Board) -> Vec<Symmetry> {
    let [blue, red] = stones(board, Clobber.start(board));
    let changes = |symmetry: &Symmetry| board.image(*symmetry, blue) == red;
    board.symmetries().iter().copied().filter(changes).collect()
}

/// Draws a position, rows joined by `|`.
///
/// ```
/// use zobrist_lab::game::clobber;
/// let (board, position) = clobber::parse("xo.|.ox")?;
/// assert_eq!(clobber::draw(board, position), "xo.|.ox");
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
pub fn draw(board: Board, position: u64) -> String {
    let [blue, red] = stones(board, position);
    let cell = |square: usize| match (blue >> square & 1, red >> square & 1) {
        (1, _) => 'x',
        (_, 1) => 'o',
        _ => '.',
    };
    let row = |row| (0..board.columns()).map(|column| cell(board.square(row, column))).collect();
    (0..board.rows()).map(row).collect::<Vec<String>>().join("|")
}

impl Game for Clobber {
    fn name(&self) -> &'static str {
        "clobber"
    }

    fn features(&self, board: Board) -> usize {
        2 * board.squares()
    }

    fn unit(&self) -> (&'static str, usize) {
        ("stones", 1)
    }

    fn start(&self, board: Board) -> u64 {
        let shade = |square: usize| (square / board.columns() + square % board.columns()) % 2;
        let blue = (0..board.squares()).filter(|&square| shade(square) == 0).map(|s| 1 << s).sum();
        position(board, blue, board.all() & !blue)
    }

    fn moves(&self, board: Board, mover: Mover, position: u64, out: &mut Vec<u64>) {
        let [blue, red] = stones(board, position);
        let (own, other) = match mover {
            Mover::Left => (blue, red),
            Mover::Right => (red, blue),
        };
        for from in squares_of(own) {
            for to in squares_of(beside(board, 1 << from) & other) {
                let (own, other) = (own ^ 1 << from ^ 1 << to, other ^ 1 << to);
                let (blue, red) = match mover {
                    Mover::Left => (own, other),
                    Mover::Right => (other, own),
                };
                out.push(self::position(board, blue, red));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_across_an_even_side_change_the_colours() {
        use Symmetry::*;
        for (name, expected) in [
            ("3x3", &[][..]),
            ("3x4", &[HalfTurn, LeftRight]),
            ("4x3", &[HalfTurn, TopBottom]),
            ("2x4", &[LeftRight, TopBottom]),
            ("4x4", &[LeftRight, TopBottom, QuarterTurn, ThreeQuarterTurn]),
        ] {
            assert_eq!(colour_changing(name.parse().unwrap()), expected, "{name}");
        }
    }

    #[test]
    fn the_start_is_a_checkerboard_and_moves_capture() {
        let board = Board::new(2, 3).unwrap();
        let start = Clobber.start(board);
        assert_eq!(draw(board, start), "xox|oxo");
        let mut moves = vec![];
        Clobber.moves(board, Mover::Right, start, &mut moves);
        let drawn: Vec<_> = moves.iter().map(|&position| draw(board, position)).collect();
        let expected =
            ["o.x|oxo", "x.o|oxo", "x.x|ooo", "oox|.xo", "xox|.oo", "xoo|ox.", "xox|oo."];
        assert_eq!(drawn, expected);
    }

    #[test]
    fn bad_drawings_are_refused_with_the_place() {
        for (text, part) in [
            ("xo|oz", "`z` at row 1, column 1"),
            ("xo|o", "row 1 has 1 squares, row 0 has 2"),
            ("", "both sides must be at least 1"),
            ("xoxoxoxoxoxoxoxoxoxoxoxoxoxoxoxox", "at most 32 squares"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part) && !error.contains('\n'), "{error}");
        }
    }
}
