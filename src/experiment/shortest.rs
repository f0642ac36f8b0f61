//! How short can an exact key be?
//!
//! ```text
//! 4x5    .#...     one shade, rows of different parity: the other eighteen
//!        #....     squares and the mover say which of the two are covered
//! ```

use indicatif::ProgressBar;

use super::lab::board;
use super::{Experiment, Lab, Measured, Says, count, counts, d, differs, same, share};
use crate::board::{Board, squares_of};
use crate::error::Error;
use crate::exact::{self, Exact};
use crate::game::Mover;
use crate::tier::Tier;

/// The essay's seven boards, in its order.
const BOARDS: [&str; 7] = ["2x4", "2x6", "3x4", "3x5", "4x4", "3x6", "4x5"];
const SEVEN: &str = "2x4, 2x6, 3x4, 3x5, 4x4, 3x6, 4x5; all reachable positions, movers apart";
const PAIRS: &str = "same shade (row + column), rows of different parity; row 0 on top";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "key-is-a-code",
    name: "shortest",
    question: "How short can an exact key be?",
    figures: &[
        same(
            "free-pairs-are-the-rule",
            "the free two-square sets are exactly the same-shade pairs in rows of different parity",
            Says::Holds,
            PAIRS,
            |lab| {
                Ok(Measured::Holds(
                    free_pairs(lab, lab.four_by_five())? == by_rule(lab.four_by_five()),
                ))
            },
        ),
        same(
            "shades-balance",
            "every position covers as many squares of one shade as of the other",
            Says::Holds,
            "all reachable positions of 4x5",
            |lab| {
                let board = lab.four_by_five();
                let shaded = squares_of(board.all()).filter(|&square| shade(board, square) == 0);
                let shaded: u64 = shaded.map(|square| 1 << square).sum();
                let positions = lab.reachable(board)?;
                let balances = |&set: &u64| 2 * (set & shaded).count_ones() == set.count_ones();
                Ok(Measured::Holds(positions.both().concat().iter().all(balances)))
            },
        ),
        same(
            "row-parity-follows",
            "the mover and the number of covered squares give the parity of those in odd rows",
            Says::Holds,
            "all reachable positions of 4x5; k dominoes, Left to move: floor(k/2) are vertical; Right: the rest of them half up",
            |lab| {
                let board = lab.four_by_five();
                let odd_rows = squares_of(board.all()).filter(|s| s / board.columns() % 2 == 1);
                let odd_rows: u64 = odd_rows.map(|square| 1 << square).sum();
                let positions = lab.reachable(board)?;
                let follows = Mover::BOTH.into_iter().all(|mover| {
                    positions.of(mover).iter().all(|set| {
                        let vertical = match mover {
                            Mover::Left => set.count_ones() / 2 / 2,
                            Mover::Right => (set.count_ones() / 2).div_ceil(2),
                        };
                        (set & odd_rows).count_ones() % 2 == vertical % 2
                    })
                });
                Ok(Measured::Holds(follows))
            },
        ),
        same(
            "two-squares-left-out-4x5",
            "pairs that a key without words for two such squares confuses",
            Says::Counts(&[0]),
            "4x5, for each of the 48 pairs; checked on the positions themselves",
            |lab| {
                let pairs = by_rule(lab.four_by_five());
                let exact =
                    pairs.iter().map(|&pair| leaves_out_exactly(lab, lab.four_by_five(), pair));
                let exact = exact.collect::<Result<Vec<bool>, Error>>()?;
                Ok(count(exact.iter().filter(|exact| !**exact).count()))
            },
        ),
        same(
            "exact-bits-4x5",
            "bits of the shortest exact key of 4x5",
            Says::Counts(&[18]),
            "exhaustion over all spaces of free even sets",
            |lab| Ok(count(proved(lab, lab.four_by_five())?.code.bits())),
        ),
        same(
            "free-even-sets",
            "free even sets of 4x5",
            Says::Counts(&[512]),
            "even sets other than the empty one with no pair of reachable positions",
            |lab| Ok(count(proved(lab, lab.four_by_five())?.free_sets)),
        ),
        same(
            "largest-free-dimension",
            "largest dimension of a space of free even sets of 4x5",
            Says::Counts(&[1]),
            "exhaustion over all spaces of free even sets",
            |lab| Ok(count(proved(lab, lab.four_by_five())?.free_dimension)),
        ),
        same(
            "exact-bits-of-seven",
            "bits of the shortest exact key of each board",
            Says::Counts(&[6, 10, 10, 13, 14, 16, 18]),
            SEVEN,
            |lab| each_board(|board| Ok(proved(lab, board)?.code.bits() as u64)),
        ),
        same(
            "free-pairs-of-seven",
            "free two-square sets of each board",
            Says::Counts(&[8, 18, 16, 24, 32, 36, 48]),
            SEVEN,
            |lab| each_board(|board| Ok(free_pairs(lab, board)?.len() as u64)),
        ),
        same(
            "rule-on-seven",
            "on each they are exactly the pairs of the shade-and-row rule, and one left out is exact",
            Says::Holds,
            SEVEN,
            |lab| {
                let holds = BOARDS.map(board).into_iter().map(|board| {
                    let pairs = by_rule(board);
                    Ok(free_pairs(lab, board)? == pairs
                        && leaves_out_exactly(lab, board, pairs[0])?)
                });
                Ok(Measured::Holds(
                    holds.collect::<Result<Vec<bool>, Error>>()?.into_iter().all(|h| h),
                ))
            },
        ),
        differs(
            "squares-less-two-on-every-board",
            "squares less two on every board: bits of the shortest exact key of 2x7",
            Says::Counts(&[12]),
            "the heading says every board; of the rectangles beyond the seven, 2x7 is the first to break it",
            |lab| Ok(count(proved(lab, board("2x7"))?.code.bits())),
        ),
        same(
            "pairs-4x5",
            "millions of same-mover pairs on 4x5",
            Says::Digits(&[d("592")]),
            "unordered pairs of reachable positions with the same mover",
            |lab| Ok(share(lab.reachable(lab.four_by_five())?.pairs(), 1_000_000)),
        ),
        same(
            "random-keys-confusing-20",
            "random keys of twenty bits that confuse some pair",
            Says::Counts(&[13]),
            "of the sixty; pairs of stored positions (over all reachable ones it is more)",
            |lab| Ok(count(lab.length(20)?.keys_confusing)),
        ),
        differs(
            "random-keys-confusing-20-reachable",
            "the same, were it any pair of reachable positions",
            Says::Counts(&[13]),
            "the essay's words do not say which positions; over reachable ones its number does not come out",
            |lab| {
                let census = lab.census(lab.four_by_five())?;
                let confuses = |&key: &u32| !lab.essay_code(key, 20).families(&census).is_empty();
                Ok(count((1..=crate::draw::ESSAY_KEYS).filter(confuses).count()))
            },
        ),
    ],
};

fn each_board(of: impl Fn(Board) -> Result<u64, Error>) -> Result<Measured, Error> {
    Ok(counts(BOARDS.map(board).into_iter().map(of).collect::<Result<Vec<u64>, Error>>()?))
}

/// The shortest exact key of a board, which must be proved.
fn proved(lab: &Lab, board: Board) -> Result<Exact, Error> {
    let hidden = ProgressBar::hidden();
    let exact = exact::shortest(&*lab.reachable(board)?, Tier::best(), exact::EFFORT, &hidden)?;
    assert!(exact.proved(), "{board} is small enough for exhaustion");
    Ok(exact)
}

/// The free sets of two squares, in the census's order.
fn free_pairs(lab: &Lab, board: Board) -> Result<Vec<u64>, Error> {
    let mut free = lab.census(board)?.free_sets();
    free.retain(|set| set.count_ones() == 2);
    free.sort_unstable();
    Ok(free)
}

fn shade(board: Board, square: usize) -> usize {
    (square / board.columns() + square % board.columns()) % 2
}

/// The pairs of squares of one shade in rows of different parity, ascending.
fn by_rule(board: Board) -> Vec<u64> {
    let row = |square| square / board.columns();
    let squares = 0..board.squares();
    let pairs = squares.clone().flat_map(|a| squares.clone().skip(a + 1).map(move |b| (a, b)));
    let fits =
        |&(a, b): &(usize, usize)| shade(board, a) == shade(board, b) && row(a) % 2 != row(b) % 2;
    let mut sets: Vec<u64> = pairs.filter(fits).map(|(a, b)| 1 << a | 1 << b).collect();
    sets.sort_unstable();
    sets
}

/// Whether the key with a bit for every square but those two is exact.
fn leaves_out_exactly(lab: &Lab, board: Board, pair: u64) -> Result<bool, Error> {
    let word = |square: usize| if pair >> square & 1 == 1 { 0 } else { 1u64 << square };
    let words: Vec<u64> = (0..board.squares()).map(word).collect();
    Ok(exact::verify(&words, &*lab.reachable(board)?).is_ok())
}
