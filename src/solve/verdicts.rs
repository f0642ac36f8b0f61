//! The exact verdict of every position: one retrograde sweep over bitmaps of
//! all boards, 64 a word.
//!
//! A mover wins a board if one of his dominoes leads to a board that the other
//! player, to move, does not win. Placing a domino makes a larger set, so the
//! sweep goes downwards from the full board and every board it leads to is
//! decided when it is needed:
//!
//! ```text
//! word w of Left's wins  =  OR over vertical dominoes of
//!                           NOT (the word of Right's wins that the domino leads to)
//! ```
//!
//! Dominoes that stay inside the word (both squares among the six lowest) are
//! settled by repeating: three of them at most fit there.

use crate::board::Board;
use crate::error::Error;
use crate::game::Mover;
use crate::game::domineering::dominoes;
use crate::game::domino::bitmap_words;
use crate::memory;

/// Who wins every set of covered squares, for either player to move.
///
/// ```
/// use zobrist_lab::{game::Mover, solve::Verdicts};
/// let verdicts = Verdicts::sweep("4x5".parse()?)?;
/// assert!(verdicts.wins(Mover::Left, 0) && !verdicts.wins(Mover::Right, 0));
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
pub struct Verdicts {
    /// Bit `s` of each mover's bitmap: not a win for him.
    losses: [Vec<u64>; 2],
}

impl Verdicts {
    /// Decides every board of `board`'s squares.
    ///
    /// # Errors
    /// Two bitmaps of a bit for every set of squares do not fit the memory that is free.
    pub fn sweep(board: Board) -> Result<Self, Error> {
        let words = bitmap_words(board.squares().min(60)) as u64;
        memory::require(&format!("the verdict of every position of {board}"), 16 * words, "")?;
        let words = bitmap_words(board.squares());
        let [vertical, horizontal] = Mover::BOTH.map(|mover| dominoes(board, mover));
        // Losses and not wins are kept: they are what a move wants to lead to.
        let (mut left, mut right) = (vec![0; words], vec![0; words]);
        for word in (0..words).rev() {
            let left_wins = vertical.leading_to_others(&right, word);
            let right_wins = horizontal.leading_to_others(&left, word);
            let (mut left_loses, mut right_loses) = (!left_wins, !right_wins);
            for _ in 0..3 {
                (left_loses, right_loses) = (
                    !(left_wins | vertical.leading_within(right_loses)),
                    !(right_wins | horizontal.leading_within(left_loses)),
                );
            }
            (left[word], right[word]) = (left_loses, right_loses);
        }
        Ok(Self { losses: [left, right] })
    }

    /// Whether `mover`, to move, wins with the squares of `covered` covered.
    pub fn wins(&self, mover: Mover, covered: u64) -> bool {
        self.losses[mover as usize][(covered >> 6) as usize] >> (covered & 63) & 1 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::domineering::Domineering;
    use crate::positions;

    /// The definition, without any memory.
    fn wins(board: Board, mover: Mover, position: u64) -> bool {
        let mut moves = vec![];
        Domineering.moves(board, mover, position, &mut moves);
        moves.into_iter().any(|child| !wins(board, mover.other(), child))
    }

    #[test]
    fn every_set_of_small_rectangles_is_decided_as_the_definition_decides_it() {
        for rows in 1..=12 {
            for columns in 1..=12 / rows {
                let board = Board::new(rows, columns).unwrap();
                let verdicts = Verdicts::sweep(board).unwrap();
                for mover in Mover::BOTH {
                    for set in 0..=board.all() {
                        let want = wins(board, mover, set);
                        assert_eq!(verdicts.wins(mover, set), want, "{board} {mover:?} {set:#x}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_reachable_position_of_4x5_follows_from_its_moves() {
        let board: Board = "4x5".parse().unwrap();
        let verdicts = Verdicts::sweep(board).unwrap();
        let reachable = positions::enumerate(&Domineering, board).unwrap();
        let mut decided = 0;
        for mover in Mover::BOTH {
            for &position in reachable.of(mover) {
                let mut moves = vec![];
                Domineering.moves(board, mover, position, &mut moves);
                let want = moves.iter().any(|&child| !verdicts.wins(mover.other(), child));
                assert_eq!(verdicts.wins(mover, position), want, "{mover:?} {position:#x}");
                decided += 1;
            }
        }
        assert_eq!(decided, 48_670);
    }
}
