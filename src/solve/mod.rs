//! Who wins Domineering, by memoised search, and which positions the search
//! stores.
//!
//! The search asks only who wins. It tries the moves in ascending order of
//! their first (top or left) square, stops at the first that wins, and stores
//! the verdict of every position it searched, those without a move included:
//!
//! ```text
//!        ....  Left to move         searched, so stored
//!        ....                       │
//!       ╱    ╲                      │
//!    #...    .#..  Right to move    the first move wins: the second is
//!    #...    .#..                   neither searched nor stored
//! ```
//!
//! The stored positions are what a search asks its table about, and so what a
//! short key may confuse: on 4x5, both roots, 5,988 of the 48,670 reachable.

mod plain;

pub use plain::Plain;

use crate::board::Board;
use crate::error::Error;
use crate::game::Mover;
use crate::positions::Positions;

/// The positions that the plain search stores on `board` from both roots, with
/// Left to move and then with Right, sharing their tables.
///
/// ```
/// let stored = zobrist_lab::solve::stored("4x5".parse()?)?;
/// assert_eq!((stored.left.len(), stored.right.len()), (2902, 3086));
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
///
/// # Errors
/// See [`Plain::new`].
pub fn stored(board: Board) -> Result<Positions, Error> {
    let mut search = Plain::new(board)?;
    for mover in Mover::BOTH {
        search.root(mover);
    }
    Ok(search.stored())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::board::Symmetry;
    use crate::game::Game;
    use crate::game::domineering::Domineering;
    use crate::positions;

    type Verdicts = BTreeMap<(usize, u64), bool>;

    /// The search from its definition.
    fn search(board: Board, mover: Mover, position: u64, verdicts: &mut Verdicts) -> bool {
        if let Some(&verdict) = verdicts.get(&(mover as usize, position)) {
            return verdict;
        }
        let mut moves = vec![];
        Domineering.moves(board, mover, position, &mut moves);
        assert!(moves.is_sorted(), "the order is that of the first squares");
        let wins = moves.iter().any(|&child| !search(board, mover.other(), child, verdicts));
        verdicts.insert((mover as usize, position), wins);
        wins
    }

    #[test]
    fn every_rectangle_up_to_sixteen_squares_stores_what_the_definition_stores() {
        for rows in 1..=16 {
            for columns in 1..=16 / rows {
                let board = Board::new(rows, columns).unwrap();
                let (mut plain, mut verdicts) = (Plain::new(board).unwrap(), BTreeMap::new());
                for mover in Mover::BOTH {
                    let want = search(board, mover, 0, &mut verdicts);
                    assert_eq!(plain.root(mover), want, "{board}, {mover:?} to move");
                }
                assert_eq!(plain.nodes(), verdicts.len(), "{board}");
                let of = |mover| {
                    verdicts.keys().filter(move |key| key.0 == mover).map(|key| key.1).collect()
                };
                let want = Positions { features: board.squares(), left: of(0), right: of(1) };
                assert_eq!(plain.stored(), want, "{board}");
            }
        }
    }

    #[test]
    fn the_stored_positions_of_4x5_are_the_essays() {
        let board = "4x5".parse().unwrap();
        let mut plain = Plain::new(board).unwrap();
        // Twice, since the second search finds what the first left behind.
        for _ in 0..2 {
            plain.clear();
            assert!(plain.root(Mover::Left), "Left wins as first player");
            assert_eq!(plain.nodes(), 1114);
            assert!(!plain.root(Mover::Right), "Left wins as second player");
            assert_eq!(plain.nodes(), 5988);
        }
        let stored = plain.stored();
        assert_eq!((stored.left.len(), stored.right.len()), (2902, 3086));
        assert_eq!(stored.pairs(), 8_969_506);
        let reachable = positions::enumerate(&Domineering, board).unwrap();
        for mover in Mover::BOTH {
            let reached = |set: &u64| reachable.of(mover).binary_search(set).is_ok();
            assert!(stored.of(mover).iter().all(reached), "{mover:?}");
        }
        // The order of the moves shows: the stored sets are not closed under the half turn.
        let turned = |set: &u64| stored.left.contains(&board.image(Symmetry::HalfTurn, *set));
        assert!(!stored.left.iter().all(turned));
    }

    #[test]
    fn a_board_without_enough_memory_is_refused() {
        let refused = |name: &str| Plain::new(name.parse().unwrap()).err().unwrap().to_string();
        assert!(refused("6x6").ends_with("; 30 squares are the most at any memory"));
        assert!(refused("8x8").contains("needs 2097152.0 TiB"), "{}", refused("8x8"));
    }
}
