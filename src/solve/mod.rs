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

mod bounded;
pub mod orders;
mod plain;
mod search;
mod verdicts;

pub use bounded::{Bounded, Buckets};
pub use plain::{Cells, Plain};
pub use search::{Known, Search, Store};
pub use verdicts::Verdicts;

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
    use crate::census::{Census, Road};
    use crate::game::Game;
    use crate::game::domineering::Domineering;
    use crate::positions;
    use crate::tier::Tier;

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
                assert_eq!(plain.nodes(), verdicts.len() as u64, "{board}");
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

    /// Pairs by the size of the set they differ on: means over all sets of that
    /// size, and the totals that are known.
    #[test]
    fn stored_pairs_by_size_are_the_essays() {
        let stored = stored("4x5".parse().unwrap()).unwrap();
        let road = Road::choose("auto", Tier::best(), &stored).unwrap();
        let census = Census::take(&stored, &road).unwrap();
        let sizes = census.price_list();
        let means: Vec<String> =
            sizes.iter().map(|size| format!("{} {:.3}", size.squares, size.mean())).collect();
        let known = [
            "2 165.526",
            "4 71.506",
            "6 36.726",
            "8 22.208",
            "10 14.558",
            "12 10.472",
            "14 8.285",
            "16 8.024",
            "18 8.532",
            "20 21.000",
        ];
        assert_eq!(means, known);
        let of = |squares| {
            let size = sizes.iter().find(|size| size.squares == squares).unwrap();
            (size.pairs, size.sets)
        };
        assert_eq!([of(2), of(16), of(20)], [(31_450, 190), (38_874, 4_845), (21, 1)]);
        assert_eq!(sizes.iter().map(|size| size.pairs).sum::<u64>(), 8_969_506);
    }

    #[test]
    fn a_bounded_table_only_searches_again() {
        // On 4x4 the search reaches the full board with Left to move.
        for (name, wins) in [("4x5", [true, false]), ("4x4", [true, true])] {
            let board: Board = name.parse().unwrap();
            let stored = stored(board).unwrap().total() as u64;
            let mut nodes = vec![];
            for bits in [2, 6, 10, 14, 24] {
                let mut bounded = Bounded::new(board, bits).unwrap();
                let won = Mover::BOTH.map(|mover| bounded.root(mover));
                assert_eq!(won, wins, "{name}, {bits} bits");
                let store = bounded.store();
                assert_eq!(store.written, bounded.nodes(), "every position searched is written");
                assert_eq!(store.occupied() + store.lost, store.written, "{name}, {bits} bits");
                assert!(store.occupied() <= 1 << bits);
                // What was searched again is what the pushed-out verdicts allow.
                assert!(bounded.nodes() - stored <= store.lost, "{name}, {bits} bits");
                nodes.push(bounded.nodes());
            }
            assert!(nodes.is_sorted_by(|larger, smaller| larger >= smaller), "{name}: {nodes:?}");
            // In 2^24 slots no bucket is ever full, and nothing is searched twice.
            assert_eq!(nodes.last(), Some(&stored), "{name}");
            assert!(nodes[0] > 2 * stored, "{name}: {nodes:?}");
        }
    }

    /// Who wins is as in Breuker, Uiterwijk and van den Herik, Solving 8 × 8
    /// Domineering (2000).
    #[test]
    fn a_bounded_table_solves_a_board_that_no_plain_one_holds() {
        let board = "5x7".parse().unwrap();
        let mut bounded = Bounded::new(board, 24).unwrap();
        assert_eq!(Mover::BOTH.map(|mover| bounded.root(mover)), [false, true], "Right wins");
        let store = bounded.store();
        assert_eq!(store.occupied() + store.lost, store.written);
        assert!(store.lost > 0 && Plain::new(board).is_err());
    }

    #[test]
    fn a_board_too_large_is_refused() {
        let refused = |name: &str| Plain::new(name.parse().unwrap()).err().unwrap().to_string();
        let refusal = refused("6x6");
        assert!(refusal.starts_with("board: 6x6 has 36 squares") && refusal.contains("32 at most"));
        assert!(Bounded::new("8x8".parse().unwrap(), 20).is_err());
        for bits in [0, 1, 41] {
            let error = Bounded::new("4x5".parse().unwrap(), bits).err().unwrap();
            assert!(error.to_string().ends_with("address bits: want 2 to 40"), "{error}");
        }
    }
}
