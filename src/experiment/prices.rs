//! Are wide sets cheap?
//!
//! ```text
//! squares    2     4     6     8    10    12    14    16    18    20
//! mean A  3243  1974  1418  1170  1062  1051  1136  1371  1978  4499
//! ```

use super::{Experiment, Measured, Says, count, counts, d, ratio, same};
use crate::census::{Census, Size};

const REACHABLE: &str = "pairs with the same mover of the 48,670 reachable positions of 4x5; mean over all sets of the size";
const STORED: &str = "pairs with the same mover of the 5,988 stored positions of 4x5, both roots searched; mean over all sets of the size";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "key-is-a-code",
    name: "prices",
    question: "Are wide sets cheap?",
    figures: &[
        same(
            "reachable-mean-by-size",
            "pairs a set holds at 2, 12, 18 and 20 squares",
            Says::Digits(&[d("3243"), d("1051"), d("1978"), d("4499")]),
            REACHABLE,
            |lab| Ok(means(&*lab.census(lab.four_by_five())?, &[2, 12, 18, 20])),
        ),
        same(
            "falls-then-rises",
            "the mean falls from two squares to twelve and rises from there",
            Says::Holds,
            REACHABLE,
            |lab| {
                let sizes = lab.census(lab.four_by_five())?.price_list();
                let falls =
                    |pair: &[Size]| (pair[0].mean() > pair[1].mean()) == (pair[1].squares <= 12);
                Ok(Measured::Holds(sizes.windows(2).all(falls)))
            },
        ),
        same(
            "stored-mean-2",
            "stored pairs a set of two squares holds",
            Says::About(d("165"), 1),
            "as for sixteen squares; about: within one per cent",
            |lab| Ok(means(&*lab.stored_census()?, &[2])),
        ),
        same(
            "stored-mean-16-20",
            "stored pairs a set holds at 16 squares, and the whole board",
            Says::Digits(&[d("8.0"), d("21")]),
            STORED,
            |lab| Ok(means(&*lab.stored_census()?, &[16, 20])),
        ),
        same(
            "stored-positions",
            "positions that a who-wins search stores",
            Says::Counts(&[5988]),
            "moves by the domino's first square; both roots share the tables",
            |lab| Ok(count(lab.stored()?.total())),
        ),
        same(
            "complements",
            "pairs of a position and its complement, counted one by one",
            Says::Counts(&[4499]),
            "both with the same player to move",
            |lab| {
                let board = lab.four_by_five();
                let positions = lab.reachable(board)?;
                let complements = positions.both().map(|list| {
                    let other = |&&set: &&u64| list.binary_search(&(board.all() & !set)).is_ok();
                    list.iter().filter(other).count() / 2
                });
                Ok(count(complements.iter().sum::<usize>()))
            },
        ),
        same(
            "free-sets-by-size",
            "sets of 2, 4, 6, 8 and then 10 to 20 squares that no two positions differ on",
            Says::Counts(&[48, 208, 208, 48, 0, 0, 0, 0, 0, 0]),
            "even sets with no pair of reachable positions",
            |lab| {
                Ok(counts(
                    lab.census(lab.four_by_five())?.price_list().iter().map(|size| size.free),
                ))
            },
        ),
    ],
};

/// Pairs a set at each of these sizes.
fn means(census: &Census, squares: &[usize]) -> Measured {
    let sizes = census.price_list();
    let mean = |squares: &usize| {
        let size = sizes.iter().find(|size| size.squares == *squares).expect("an even size");
        ratio(size.pairs, size.sets)
    };
    Measured::Numbers(squares.iter().map(mean).collect())
}
