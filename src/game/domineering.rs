//! Domineering: Left places vertical dominoes, Right horizontal ones; a player
//! who cannot place one loses.
//!
//! ```text
//! Left, to move:   ....      #...      or any other vertical domino
//!                  ....  ->  #...
//! ```

use super::domino::{Direction, EvenDirection, bitmap_words};
use super::{Game, Mover};
use crate::board::Board;
use crate::board::squares_of;

/// The rules of Domineering; a position is the set of covered squares.
pub struct Domineering;

/// The dominoes that `mover` places.
pub fn dominoes(board: Board, mover: Mover) -> Direction {
    match mover {
        Mover::Left => Direction::vertical(board),
        Mover::Right => Direction::horizontal(board),
    }
}

impl Game for Domineering {
    fn name(&self) -> &'static str {
        "domineering"
    }

    fn features(&self, board: Board) -> usize {
        board.squares()
    }

    fn start(&self, _board: Board) -> u64 {
        0
    }

    fn moves(&self, board: Board, mover: Mover, position: u64, out: &mut Vec<u64>) {
        let direction = dominoes(board, mover);
        let fitting = direction.fitting(board.all() & !position);
        out.extend(squares_of(fitting).map(|first| position | direction.domino(first)));
    }

    fn bitmap_features(&self, board: Board) -> usize {
        board.squares() - 1
    }

    /// One sweep in ascending order: a board with Left to move is the empty
    /// one, or a board with Right to move plus a horizontal domino, and the
    /// other way round. Every source of a word stands in an earlier word or in
    /// the word itself.
    fn even_bitmaps(&self, board: Board) -> Option<[Vec<u64>; 2]> {
        let even = |direction| EvenDirection::new(direction, board.squares());
        let (vertical, horizontal) =
            (even(Direction::vertical(board)), even(Direction::horizontal(board)));
        let words = bitmap_words(board.squares() - 1);
        let (mut left, mut right) = (vec![0; words], vec![0; words]);
        for word in 0..words {
            let empty = u64::from(word == 0);
            let mut to_left = empty | horizontal.placed_from_others(&right, word);
            let mut to_right = empty | vertical.placed_from_others(&left, word);
            if to_left | to_right == 0 {
                continue;
            }
            // At most three dominoes fit in the six low squares and the highest.
            for _ in 0..3 {
                let from_right = horizontal.placed_within(to_right, word);
                let from_left = vertical.placed_within(to_left, word);
                (to_left, to_right) = (to_left | from_right, to_right | from_left);
            }
            (left[word], right[word]) = (to_left, to_right);
        }
        Some([left, right])
    }
}
