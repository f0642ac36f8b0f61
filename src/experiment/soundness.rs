//! Is the pairing check right, and what does the missing clause cost?
//!
//! ```text
//! 4x5    fires at 8,613 of 58,830 positions, 1,026 of them losses
//!        with the clause that no swapped squares are neighbours: 6,561, none
//! ```

use super::lab::{board, half_turn};
use super::{
    Experiment, Lab, Measured, Number, Says, count, counts, d, differs, ratio, same, share, unclear,
};
use crate::board::{Board, Symmetry};
use crate::error::Error;
use crate::game::cram;
use crate::pairing::policy::{Order, Policy, solve};
use crate::pairing::{Census, Counts};

const BOARDS: [&str; 5] = ["3x4", "4x4", "2x7", "4x5", "3x5"];
const FIRES: &str = "reachable positions from which some move leaves a set equal to its half turn in its bounding box, no square fixed";
const REPAIRED: &str = "as before, and no two squares that change places are neighbours";
const WINS: &str = "firings on winning positions ÷ winning positions, by dominoes placed on 4x5";

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "pairing-check",
    name: "soundness",
    question: "Is the pairing check right, and what does the missing clause cost?",
    figures: &[
        same(
            "positions-4x5",
            "positions of 4x5 reachable by play",
            Says::Counts(&[58_830]),
            "distinct sets of free squares, the empty and terminal boards included",
            |lab| Ok(count(naive(lab, "4x5")?.total.positions)),
        ),
        same("naive-fires-4x5", "the check fires on", Says::Counts(&[8613]), FIRES, |lab| {
            Ok(count(naive(lab, "4x5")?.total.fires))
        }),
        same("naive-wrong-4x5", "of these are losses", Says::Counts(&[1026]), FIRES, |lab| {
            Ok(count(naive(lab, "4x5")?.total.wrong))
        }),
        same(
            "naive-wrong-shares",
            "per cent wrong on 3x4, 4x4, 2x7 and 4x5",
            Says::Digits(&[d("19"), d("14"), d("16"), d("12")]),
            FIRES,
            |lab| {
                let wrong = BOARDS[..4].iter().map(|board| {
                    let total = naive(lab, board)?.total;
                    Ok(ratio(100 * total.wrong, total.fires))
                });
                Ok(Measured::Numbers(wrong.collect::<Result<_, Error>>()?))
            },
        ),
        same(
            "one-firing-in-eight",
            "one firing in so many is wrong on 4x5",
            Says::Digits(&[d("8")]),
            FIRES,
            |lab| {
                let total = naive(lab, "4x5")?.total;
                Ok(share(total.fires, total.wrong))
            },
        ),
        same(
            "half-turn-of-9",
            "the square that the half turn of 4x5 exchanges with square 9",
            Says::Counts(&[10]),
            "squares numbered row by row from 0",
            |_| Ok(count(board("4x5").permutation(Symmetry::HalfTurn)[9])),
        ),
        differs(
            "own-answer-on-empty-4x5",
            "dominoes of the empty 4x5 that the half turn sends to themselves",
            Says::Counts(&[0]),
            "the two squares in the middle of the middle column are neighbours and change places",
            |_| Ok(count(own_answers(board("4x5")))),
        ),
        differs(
            "own-answer-on-any-empty",
            "boards of the sweep with such a domino on the empty board",
            Says::Counts(&[0]),
            "3x4, 4x4, 2x7, 4x5, 3x5",
            |_| Ok(count(BOARDS.iter().filter(|name| own_answers(board(name)) > 0).count())),
        ),
        same(
            "right-on-empty-boards",
            "the check without the clause is right about all five empty boards",
            Says::Counts(&[5]),
            "checked at the root only, against the exact sweep: 3x4, 4x4, 2x7, 4x5, 3x5",
            |lab| Ok(count(right_at_the_root(lab, &BOARDS)?)),
        ),
        same(
            "repaired-fires-4x5",
            "with the clause it fires on",
            Says::Counts(&[6561]),
            REPAIRED,
            |lab| Ok(count(repaired(lab, "4x5")?.total.fires)),
        ),
        same(
            "a-quarter-less",
            "which is about a quarter less often",
            Says::From(d("0.2"), d("0.3")),
            "lost firings ÷ firings on 4x5; about a quarter: 0.2 to 0.3",
            |lab| {
                let [before, after] =
                    [naive(lab, "4x5")?.total.fires, repaired(lab, "4x5")?.total.fires];
                Ok(share(before - after, before))
            },
        ),
        same(
            "lost-firings-4x5",
            "firings lost, and of these wrong",
            Says::Counts(&[2052, 1026]),
            REPAIRED,
            |lab| {
                let [before, after] = [naive(lab, "4x5")?.total, repaired(lab, "4x5")?.total];
                Ok(counts([before.fires - after.fires, before.wrong - after.wrong]))
            },
        ),
        same(
            "repaired-wrong",
            "wrong firings on all five boards",
            Says::Counts(&[0]),
            REPAIRED,
            |lab| {
                let wrong = BOARDS.iter().map(|board| Ok(repaired(lab, board)?.total.wrong));
                Ok(count(wrong.collect::<Result<Vec<u64>, Error>>()?.iter().sum::<u64>()))
            },
        ),
        same(
            "positions-of-five",
            "positions of the five boards",
            Says::Counts(&[69_592]),
            "3x4, 4x4, 2x7, 4x5, 3x5",
            |lab| {
                let positions = BOARDS.iter().map(|board| Ok(naive(lab, board)?.total.positions));
                Ok(count(positions.collect::<Result<Vec<u64>, Error>>()?.iter().sum::<u64>()))
            },
        ),
        same(
            "odd-board-3x5",
            "positions of 3x5, and firings among them",
            Says::Counts(&[3054, 0]),
            FIRES,
            |lab| {
                let total = naive(lab, "3x5")?.total;
                Ok(counts([total.positions, total.fires]))
            },
        ),
        same(
            "never-on-5x5",
            "firings on 5x5, at any depth",
            Says::Counts(&[0]),
            "no square fixed, as the essay has it; the relaxed clause, which is sound too, does fire there",
            |lab| Ok(count(naive(lab, "5x5")?.total.fires)),
        ),
        same(
            "positions-by-depth-4x4",
            "positions of 4x4 with none to four dominoes",
            Says::Counts(&[1, 24, 215, 912, 1911]),
            "distinct sets of free squares by dominoes placed",
            |lab| {
                let census = naive(lab, "4x4")?;
                Ok(counts(census.by_dominoes[..5].iter().map(|layer| layer.positions)))
            },
        ),
        same(
            "profile-naive-1",
            "with one domino on 4x5 the check fires on 26 of 26",
            Says::Counts(&[26, 26]),
            WINS,
            |lab| Ok(on_wins(&naive(lab, "4x5")?.by_dominoes[1])),
        ),
        same(
            "profile-repaired-1",
            "and repaired on 10 of 26",
            Says::Counts(&[10, 26]),
            WINS,
            |lab| Ok(on_wins(&repaired(lab, "4x5")?.by_dominoes[1])),
        ),
        same(
            "profile-7",
            "per cent at seven dominoes, before and after",
            Says::Digits(&[d("56"), d("50")]),
            WINS,
            |lab| {
                let percent = |census: &Census| {
                    let layer = census.by_dominoes[7];
                    ratio(100 * layer.fires_on_wins, layer.wins)
                };
                Ok(Measured::Numbers(vec![
                    percent(&*naive(lab, "4x5")?),
                    percent(&*repaired(lab, "4x5")?),
                ]))
            },
        ),
        same(
            "subtree-orders",
            "orders of magnitude by which subtrees vary",
            Says::Digits(&[d("4")]),
            "log10 of the positions below the root of 4x4, a terminal position having one",
            |lab| {
                let positions = naive(lab, "4x4")?.total.positions;
                Ok(Measured::Numbers(vec![Number::Real((positions as f64).log10())]))
            },
        ),
        same(
            "rate-orders",
            "and firing rates",
            Says::Digits(&[d("1")]),
            "log10 of the largest over the least share of winning positions of 4x4 that fire, by dominoes placed, layers without wins or firings left out; the repaired check",
            |lab| {
                let census = repaired(lab, "4x4")?;
                let layers = census.by_dominoes.iter().filter(|layer| layer.fires_on_wins > 0);
                let rates: Vec<f64> =
                    layers.map(|l| l.fires_on_wins as f64 / l.wins as f64).collect();
                let [least, most] = [f64::min, f64::max]
                    .map(|pick| rates.iter().copied().reduce(pick).expect("it fires somewhere"));
                Ok(Measured::Numbers(vec![Number::Real((most / least).log10())]))
            },
        ),
        same(
            "both-ends-of-a-game",
            "the check fires most often at the two ends of a game",
            Says::Holds,
            "share of winning positions of 4x5 that fire, repaired check, layers with wins in thirds: the first's and the last's largest each above the middle's",
            |lab| {
                let census = repaired(lab, "4x5")?;
                let layers = census.by_dominoes.iter().filter(|layer| layer.wins > 0);
                let rates: Vec<f64> =
                    layers.map(|l| l.fires_on_wins as f64 / l.wins as f64).collect();
                let third = rates.len() / 3;
                let (last, most) = (rates.len() - third, |rates: &[f64]| {
                    rates.iter().copied().fold(0.0, f64::max)
                });
                let middle = most(&rates[third..last]);
                Ok(Measured::Holds(most(&rates[..third]) > middle && most(&rates[last..]) > middle))
            },
        ),
        unclear(
            "catalogue",
            "even first-player shapes with a symmetric position one move away, of all",
            Says::Unstated(&[d("288"), d("767")]),
            "an earlier essay's catalogue of shapes, which is not given",
            |_| Ok(Measured::Nothing),
        ),
    ],
};

fn naive(lab: &Lab, name: &str) -> Result<std::sync::Arc<Census>, Error> {
    lab.firings(board(name), false)
}

fn repaired(lab: &Lab, name: &str) -> Result<std::sync::Arc<Census>, Error> {
    lab.firings(board(name), true)
}

fn on_wins(layer: &Counts) -> Measured {
    counts([layer.fires_on_wins, layer.wins])
}

/// Dominoes of the empty board that its half turn sends to themselves.
fn own_answers(board: Board) -> usize {
    let own = |&domino: &u64| board.image(Symmetry::HalfTurn, domino) == domino;
    cram::fitting(board, board.all()).filter(own).count()
}

/// Boards whose outcome a solver that checks at the root only, without the clause, gets right.
fn right_at_the_root(lab: &Lab, names: &[&str]) -> Result<usize, Error> {
    let right = names.iter().map(|name| {
        let board = board(name);
        let effort = solve(&half_turn(board, false), Policy::Plies(1), Order::RightDown, 0)?;
        Ok(effort.wins == lab.outcomes(board)?.empty_wins())
    });
    Ok(right.collect::<Result<Vec<bool>, Error>>()?.into_iter().filter(|right| *right).count())
}
