//! Prices that depend on little about a set: how many squares of each shade it
//! has, and whether an odd number of them lie in odd rows.
//!
//! ```text
//! shades  x.x.x     rows 0, 2 even     {0, 6}: two of one shade, one in an odd
//!         .x.x.     rows 1, 3 odd      row: free, as is every set of one shade
//!         x.x.x                        with an odd number in odd rows
//!         .x.x.
//! ```
//!
//! Why those are free in Domineering: a position has as many squares of one
//! shade as of the other, so two positions that differ within a shade have
//! equally many, hence equally many dominoes, hence (the mover being given) of
//! each direction; and the vertical ones settle the parity of the squares in
//! odd rows.

use crate::board::Board;

/// The price of an average even set.
pub const AVERAGE: u32 = 10_000;

/// A price that no search pays: of the empty set, which would add nothing to a code.
const NEVER: u32 = 1 << 30;

/// A price for each class of sets of a board; odd sets cost nothing.
#[derive(Clone, Debug)]
pub struct ClassPrices {
    board: Board,
    shaded: u64,
    odd_rows: u64,
    /// By squares of the first shade, of the other, and parity in odd rows.
    prices: Vec<u32>,
    others: usize,
}

impl ClassPrices {
    /// Prices from a function of the squares of each shade and of whether an odd
    /// number lies in odd rows, asked for even sets other than the empty one.
    pub fn new(board: Board, price: impl Fn(usize, usize, bool) -> u32) -> Self {
        let (shaded, odd_rows) = (shaded(board), odd_rows(board));
        let of_shade = shaded.count_ones() as usize;
        let others = board.squares() - of_shade;
        let mut prices = Vec::with_capacity((of_shade + 1) * (others + 1) * 2);
        for first in 0..=of_shade {
            for other in 0..=others {
                prices.extend([false, true].map(|odd| match first + other {
                    0 => NEVER,
                    size if size % 2 == 1 => 0,
                    _ => price(first, other, odd).min(NEVER),
                }));
            }
        }
        Self { board, shaded, odd_rows, prices, others }
    }

    /// Prices that rise fourfold with every square that a set lacks of `distance`.
    pub fn lacking(board: Board, distance: usize) -> Self {
        Self::new(board, |first, other, _| {
            let lack = distance.saturating_sub(first + other);
            lack.checked_sub(1).map_or(0, |lack| 1 << (2 * lack).min(24))
        })
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The squares of the shade of square 0.
    pub fn shaded(&self) -> u64 {
        self.shaded
    }

    /// The price of a set.
    #[inline]
    pub fn price(&self, set: u64) -> u32 {
        let first = (set & self.shaded).count_ones() as usize;
        let other = set.count_ones() as usize - first;
        let odd = (set & self.odd_rows).count_ones() as usize % 2;
        self.prices[(first * (self.others + 1) + other) * 2 + odd]
    }
}

/// Whether no two positions can differ on `set`, by shade and row: it is even,
/// of one shade and has an odd number of squares in odd rows.
///
/// ```
/// use zobrist_lab::travel::free_by_rule;
/// let board = "4x5".parse()?;
/// assert!(free_by_rule(board, 1 << 0 | 1 << 6));
/// assert!(!free_by_rule(board, 1 << 0 | 1 << 2));
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
pub fn free_by_rule(board: Board, set: u64) -> bool {
    let shaded = shaded(board);
    let one_shade = set & shaded == 0 || set & !shaded == 0;
    one_shade && set.count_ones().is_multiple_of(2) && (set & odd_rows(board)).count_ones() % 2 == 1
}

/// How many sets [`free_by_rule`] holds for: of each shade, an odd number of
/// its squares in odd rows and an odd number of those in even rows.
///
/// Two of one shade add up to a set with an even number in odd rows, and two of
/// different shades to a set of both: where no other set is free, the largest
/// free code has dimension 1 and the exact length is squares less two.
///
/// ```
/// assert_eq!(zobrist_lab::travel::free_sets_by_rule("4x5".parse()?), 512);
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
pub fn free_sets_by_rule(board: Board) -> u64 {
    let (shaded, odd_rows) = (shaded(board), odd_rows(board));
    let odd_subsets = |set: u64| if set == 0 { 0 } else { 1u64 << (set.count_ones() - 1) };
    [shaded, board.all() & !shaded]
        .map(|shade| odd_subsets(shade & odd_rows) * odd_subsets(shade & !odd_rows))
        .iter()
        .sum()
}

/// The squares of the shade of square 0.
fn shaded(board: Board) -> u64 {
    squares_where(board, |row, column| (row + column) % 2 == 0)
}

fn odd_rows(board: Board) -> u64 {
    squares_where(board, |row, _| row % 2 == 1)
}

fn squares_where(board: Board, holds: impl Fn(usize, usize) -> bool) -> u64 {
    let squares = (0..board.squares()).map(|s| (s / board.columns(), s % board.columns()));
    squares.enumerate().filter(|(_, (row, column))| holds(*row, *column)).map(|(s, _)| 1 << s).sum()
}
