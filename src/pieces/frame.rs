//! The rectangle that pieces are kept in.
//!
//! A piece is a [`game::clobber`](crate::game::clobber) position on the frame:
//! blue on square s is bit s, red bit n + s. A frame is never taller than
//! wide: a board on end is laid on its side first, the same game. So a frame
//! holds every piece of the board in at least its landscape orientation.
//!
//! ```text
//! board 4x3   xox     frame 3x4   xoxo
//!             oxo                 oxox
//!             xox                 xoxo
//!             oxo
//! ```

use crate::board::Board;
use crate::error::Error;
use crate::game::{Game, clobber};

/// A board of up to 32 squares, at least as wide as tall, with its masks.
#[derive(Clone, Debug)]
pub struct Frame {
    board: Board,
    /// Squares, rows and columns, as shift counts.
    pub(super) squares: u32,
    pub(super) rows: u32,
    pub(super) columns: u32,
    /// One colour's squares: all, all but the first column, all but the last.
    pub(super) all: u64,
    pub(super) not_first: u64,
    pub(super) not_last: u64,
    /// Rows `i` and `rows − 1 − i`: both colours' bits of row `i`, and the distance.
    pub(super) row_swaps: Vec<(u64, u32)>,
    /// The falling diagonals of the left square block: both colours' bits of
    /// the squares `(i, i + d)`, and the distance to `(i + d, i)`.
    pub(super) diagonal_swaps: Vec<(u64, u32)>,
    /// `row_start[s]`: the first square of the row of square s.
    pub(super) row_start: [u8; clobber::MAX_SQUARES],
}

impl Frame {
    /// The frame of a board: the board, laid on its side if it stands on end.
    ///
    /// # Errors
    /// A board of more than 32 squares.
    pub fn new(board: Board) -> Result<Self, Error> {
        clobber::check(board)?;
        let board = if board.rows() > board.columns() { board.transposed() } else { board };
        let (rows, columns) = (board.rows(), board.columns());
        let squares = board.squares() as u32;
        let both = |set: u64| set | set << squares;
        let row = |row: usize| ((1 << columns) - 1) << (columns * row);
        let row_swaps =
            (0..rows / 2).map(|i| (both(row(i)), (columns * (rows - 1 - 2 * i)) as u32)).collect();
        let diagonal = |d: usize| (0..rows - d).map(|i| 1 << board.square(i, i + d)).sum::<u64>();
        let diagonal_swaps =
            (1..rows).map(|d| (both(diagonal(d)), (d * (columns - 1)) as u32)).collect();
        let mut row_start = [0; clobber::MAX_SQUARES];
        for (square, start) in row_start.iter_mut().enumerate() {
            *start = (square - square % columns) as u8;
        }
        Ok(Self {
            board,
            squares,
            rows: rows as u32,
            columns: columns as u32,
            all: board.all(),
            not_first: board.all() & !board.column(0),
            not_last: board.all() & !board.column(columns - 1),
            row_swaps,
            diagonal_swaps,
            row_start,
        })
    }

    /// The frame's rectangle.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The checkerboard start.
    pub fn start(&self) -> u64 {
        clobber::Clobber.start(self.board)
    }

    /// A position of `board`, which has this frame, laid into the frame.
    pub fn lay(&self, board: Board, position: u64) -> u64 {
        if board == self.board {
            return position;
        }
        assert_eq!(board.transposed(), self.board, "{board} has another frame");
        let [blue, red] = clobber::stones(board, position).map(|set| {
            crate::board::squares_of(set)
                .map(|square| {
                    1 << self.board.square(square % board.columns(), square / board.columns())
                })
                .sum()
        });
        clobber::position(self.board, blue, red)
    }

    /// The squares with a stone of either colour.
    pub fn occupied(&self, piece: u64) -> u64 {
        (piece | piece >> self.squares) & self.all
    }

    /// Whether both colours are present.
    pub fn is_live(&self, piece: u64) -> bool {
        piece & self.all != 0 && piece >> self.squares != 0
    }

    /// The colours exchanged: the negative.
    pub fn swapped(&self, piece: u64) -> u64 {
        piece >> self.squares | (piece & self.all) << self.squares
    }

    /// Whether some symmetry of the board carries the start to its colour swap
    /// ([`clobber::colour_changing`]).
    pub fn has_colour_changing_symmetry(&self) -> bool {
        !clobber::colour_changing(self.board).is_empty()
    }
}
