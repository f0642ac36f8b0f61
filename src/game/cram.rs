//! Cram: both players place dominoes either way up on free squares; a player
//! who cannot place one loses.
//!
//! ```text
//! either player, to move:  ....      ##..          #...
//!                          ....  ->  ....    or    #...    or any other domino
//! ```
//!
//! Who is to move does not matter, so a position is a set of squares and is
//! either a win for the player to move or a loss. Tables here hold *covered*
//! sets, as everywhere in this crate; [`free`] turns one into the set of free
//! squares that the literature speaks of, and back.
//!
//! [`losses`] decides every one of the `2^n` sets by one sweep from the full
//! board down, 64 sets a word: a set is a loss when no domino leads to a loss.
//! [`first_player_wins`] is the same thing from the definition.

use super::domino::{Direction, bitmap_words};
use super::{Game, Mover};
use crate::board::{Board, squares_of};

/// The rules of Cram; a position is the set of covered squares.
pub struct Cram;

/// The dominoes either player places: horizontal, then vertical.
pub fn dominoes(board: Board) -> [Direction; 2] {
    [Direction::horizontal(board), Direction::vertical(board)]
}

/// The free squares when `covered` are covered; also the other way round.
pub fn free(board: Board, covered: u64) -> u64 {
    board.all() & !covered
}

/// Every domino that fits inside `free`: horizontals row by row, then verticals.
pub fn fitting(board: Board, free: u64) -> impl Iterator<Item = u64> {
    dominoes(board).into_iter().flat_map(move |direction| {
        squares_of(direction.fitting(free)).map(move |first| direction.domino(first))
    })
}

/// Whether the player to move wins, from the definition: some domino leads to
/// a position where the next player does not. Takes time exponential in the
/// number of free squares and keeps no table; what [`losses`] is tested against.
pub fn first_player_wins(board: Board, covered: u64) -> bool {
    fitting(board, free(board, covered)).any(|domino| !first_player_wins(board, covered | domino))
}

/// Every covered set that play can reach, one bit each: bit `S` of the bitmap
/// (bit `S & 63` of word `S >> 6`) says whether dominoes cover exactly `S`.
/// One sweep upwards; 4-by-5 squares are 128 KiB, 5-by-6 are 128 MiB.
pub fn reachable(board: Board) -> Vec<u64> {
    let dominoes = dominoes(board);
    let mut bitmap = vec![0; bitmap_words(board.squares())];
    bitmap[0] = 1;
    for word in 0..bitmap.len() {
        let mut members = dominoes
            .iter()
            .fold(bitmap[word], |members, d| members | d.placed_from_others(&bitmap, word));
        if members == 0 {
            continue;
        }
        // At most three dominoes fit in the six low squares.
        for _ in 0..3 {
            members =
                dominoes.iter().fold(members, |members, d| members | d.placed_within(members));
        }
        bitmap[word] = members;
    }
    bitmap
}

/// Every covered set, reachable or not, from which the player to move loses,
/// as a bitmap like that of [`reachable`].
///
/// A retrograde sweep: the full board is a loss, and a set is a loss unless
/// some domino leads to a loss. Every successor of a word's sets stands in a
/// later word or in the word itself, so one pass downwards decides 64 sets at a
/// time. Inside the word a set with `k` dominoes of room among the six low
/// squares is right after `k` rounds, and `k <= 3`.
///
/// Half a second of one core for the 2^30 sets of 5-by-6, 30 ns a word. Working
/// out the low squares' masks and shifts once a sweep gained 8 % of that and is
/// left out.
pub fn losses(board: Board) -> Vec<u64> {
    let dominoes = dominoes(board);
    let sets = word_of_sets(board);
    let mut losses = vec![0; bitmap_words(board.squares())];
    for word in (0..losses.len()).rev() {
        let wins = dominoes.iter().fold(0, |wins, d| wins | d.leading_to_others(&losses, word));
        let mut lost = sets & !wins;
        for _ in 0..3 {
            let within = dominoes.iter().fold(0, |wins, d| wins | d.leading_within(lost));
            lost = sets & !(wins | within);
        }
        losses[word] = lost;
    }
    losses
}

/// The sets of word `word` from which some of a board's [`dominoes`] leads into
/// `bitmap`.
pub fn leading_to(dominoes: &[Direction; 2], bitmap: &[u64], word: usize) -> u64 {
    dominoes.iter().fold(0, |sets, d| {
        sets | d.leading_to_others(bitmap, word) | d.leading_within(bitmap[word])
    })
}

/// The bits of a bitmap's word that stand for sets: all, from six squares up.
fn word_of_sets(board: Board) -> u64 {
    u64::MAX >> (64 - (1 << board.squares().min(6)))
}

impl Game for Cram {
    fn name(&self) -> &'static str {
        "cram"
    }

    fn features(&self, board: Board) -> usize {
        board.squares()
    }

    fn start(&self, _board: Board) -> u64 {
        0
    }

    fn moves(&self, board: Board, _mover: Mover, position: u64, out: &mut Vec<u64>) {
        out.extend(fitting(board, free(board, position)).map(|domino| position | domino));
    }

    /// Either player may start and both move alike: the two bitmaps are one.
    fn bitmaps(&self, board: Board) -> Option<[Vec<u64>; 2]> {
        let bitmap = reachable(board);
        Some([bitmap.clone(), bitmap])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions;

    fn rectangles(squares: usize) -> impl Iterator<Item = Board> {
        (1..=squares).flat_map(move |rows| {
            (1..=squares / rows).map(move |columns| Board::new(rows, columns).unwrap())
        })
    }

    #[test]
    fn the_bitmap_holds_what_layers_of_play_reach() {
        for board in rectangles(14) {
            let (bitmap, layers) =
                (positions::enumerate(&Cram, board).unwrap(), positions::layered(&Cram, board));
            assert_eq!(bitmap, layers, "{board}");
            assert_eq!(bitmap.left, bitmap.right, "{board}: Cram is impartial");
        }
    }

    #[test]
    fn the_sweep_agrees_with_plain_recursion_on_every_set() {
        for board in rectangles(12) {
            let losses = losses(board);
            for covered in 0..=board.all() {
                let lost = losses[(covered >> 6) as usize] >> (covered & 63) & 1 == 1;
                assert_eq!(lost, !first_player_wins(board, covered), "{board} {covered:#b}");
            }
        }
    }

    #[test]
    fn leading_to_is_one_move_back() {
        for board in rectangles(10) {
            // An arbitrary bitmap: the losses of another rule would do as well.
            let bitmap: Vec<u64> = (0..bitmap_words(board.squares()) as u64)
                .map(|word| (word + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) & word_of_sets(board))
                .collect();
            let member = |set: u64| bitmap[(set >> 6) as usize] >> (set & 63) & 1 == 1;
            for set in 0..=board.all() {
                let leads = fitting(board, free(board, set)).any(|domino| member(set | domino));
                let found =
                    leading_to(&dominoes(board), &bitmap, (set >> 6) as usize) >> (set & 63) & 1
                        == 1;
                assert_eq!(found, leads, "{board} {set:#b}");
            }
        }
    }

    #[test]
    fn positions_and_outcomes_are_the_known_ones() {
        for (name, reached, winning, empty_wins) in [
            // The half turn settles the even rectangles: lost when both sides
            // are even, won by the middle domino when one is.
            ("3x4", 550, None, Some(true)),
            ("4x4", 5_700, None, Some(false)),
            ("2x7", 1_458, None, Some(true)),
            ("4x5", 58_830, None, Some(true)),
            ("3x5", 3_054, None, None),
            ("5x5", 1_125_703, Some(830_327), Some(false)),
            ("4x6", 607_752, Some(449_160), Some(false)),
        ] {
            let board: Board = name.parse().unwrap();
            let (reachable, losses) = (reachable(board), losses(board));
            let count: u32 = reachable.iter().map(|word| word.count_ones()).sum();
            assert_eq!(count, reached, "{name}");
            let wins: u32 = reachable.iter().zip(&losses).map(|(r, l)| (r & !l).count_ones()).sum();
            assert!(winning.is_none_or(|winning| winning == wins), "{name}: {wins} wins");
            assert!(empty_wins.is_none_or(|wins| wins == (losses[0] & 1 == 0)), "{name}");
        }
    }

    #[test]
    fn positions_by_dominoes_are_the_known_ones() {
        for (name, counts) in [
            ("4x5", &[1, 31, 383, 2440, 8662, 17275, 18520, 9532, 1885, 100, 1][..]),
            ("4x4", &[1, 24, 215, 912, 1911, 1868, 704, 64, 1][..]),
        ] {
            let positions = positions::enumerate(&Cram, name.parse().unwrap()).unwrap();
            let by_dominoes: Vec<u64> =
                positions.by_dominoes().iter().map(|[left, _]| *left).collect();
            assert_eq!(by_dominoes, counts, "{name}");
        }
    }
}
