//! Where in a search is the check worth running?
//!
//! The essay solved a sample of positions that it does not give and that could
//! not be recovered: its counts stand beside those from the empty board.
//!
//! ```text
//! empty 4x4     nodes   checks        node   a position not yet in the memo
//! no check      3,017        0        check  one move tried before recursing,
//! every node       25      260               stopping at the first accepted
//! ```

use super::lab::{board, half_turn};
use super::{Experiment, Measured, Says, count, counts, d, differs, same, share, unclear};
use crate::error::Error;
use crate::pairing::policy::{Effort, Order, Policy, solve};

const EMPTY: &str = "from the empty 4x4, moves by square, right before down, one memo: the essay's starting positions are not given";

// The essay's own counts, which two of its statements are about.
const EVERY_CHECKS: u32 = 580;
const ROOT_CHECKS: u32 = 358;
const END_CHECKS: u32 = 10_380;

pub(super) const EXPERIMENT: Experiment = Experiment {
    essay: "pairing-check",
    name: "policies",
    question: "Where in a search is the check worth running?",
    figures: &[
        unclear("no-check", "nodes without a check", Says::Unstated(&[d("3708")]), EMPTY, |_| {
            Ok(count(solved(Policy::Never)?.nodes))
        }),
        unclear(
            "every-node",
            "nodes and checks with a check at every node",
            Says::Unstated(&[d("128"), d("580")]),
            EMPTY,
            |_| effort(Policy::Always),
        ),
        unclear(
            "two-plies",
            "and in the first two plies",
            Says::Unstated(&[d("158"), d("358")]),
            EMPTY,
            |_| effort(Policy::Plies(2)),
        ),
        unclear(
            "endgame",
            "and with at most eight free squares",
            Says::Unstated(&[d("3437"), d("10380")]),
            EMPTY,
            |_| effort(Policy::Free(8)),
        ),
        same(
            "both-ends-is-everywhere",
            "a check at both ends does what a check everywhere does",
            Says::Holds,
            "nodes and checks from the empty 4x4, in each of three move orders",
            |_| {
                let ends = Policy::BothEnds { plies: 2, free: 8 };
                let alike = Order::ALL.map(|order| {
                    let [ends, always] =
                        [ends, Policy::Always].map(|policy| in_order(policy, order));
                    let (ends, always) = (ends?, always?);
                    Ok((ends.nodes, ends.checks) == (always.nodes, always.checks))
                });
                all(alike.into_iter())
            },
        ),
        same(
            "same-answers",
            "every policy returns the same answers",
            Says::Holds,
            "the empty 4x4 and every position of it with two dominoes, against the exact sweep",
            |lab| {
                let outcomes = lab.outcomes(board("4x4"))?;
                let starts = crate::pairing::policy::sample(&outcomes, 2, 215, super::lab::SEED);
                let right = Policy::compared(8).into_iter().flat_map(|policy| {
                    let outcomes = &outcomes;
                    [0].into_iter().chain(starts.iter().copied()).map(move |start| {
                        let check = half_turn(board("4x4"), true);
                        let wins = solve(&check, policy, Order::RightDown, start)?.wins;
                        let lost = outcomes.losses[(start >> 6) as usize] >> (start & 63) & 1 == 1;
                        Ok(wins != lost)
                    })
                });
                all(right)
            },
        ),
        same(
            "three-fifths",
            "the first two plies take three fifths of the checks of every node",
            Says::Digits(&[d("0.6")]),
            "the essay's own 358 and 580; from the empty board the two are the same search",
            |_| Ok(share(ROOT_CHECKS, EVERY_CHECKS)),
        ),
        differs(
            "eighteen-times",
            "the endgame policy runs so many times the checks of the root policy",
            Says::Digits(&[d("18")]),
            "the essay's own 10,380 and 358; eighteen is 10,380 over the 580 of every node",
            |_| Ok(share(END_CHECKS, ROOT_CHECKS)),
        ),
        same(
            "eighteen-times-every-node",
            "eighteen times the checks of every node",
            Says::Digits(&[d("18")]),
            "the essay's own 10,380 and 580",
            |_| Ok(share(END_CHECKS, EVERY_CHECKS)),
        ),
        same(
            "endgame-barely-helps",
            "the endgame check barely reduces the search",
            Says::From(d("0.9"), d("1")),
            "its nodes ÷ nodes without a check, from the empty 4x4; barely: by less than a tenth",
            |_| Ok(share(solved(Policy::Free(8))?.nodes, solved(Policy::Never)?.nodes)),
        ),
        same(
            "top-does-nearly-all",
            "a check in the first two plies saves nearly all that one everywhere saves",
            Says::AtLeast(d("0.95")),
            "nodes saved ÷ nodes saved by a check everywhere, from the empty 4x4; nearly all: 95 per cent",
            |_| {
                let never = solved(Policy::Never)?.nodes;
                Ok(share(
                    never - solved(Policy::Plies(2))?.nodes,
                    never - solved(Policy::Always)?.nodes,
                ))
            },
        ),
        differs(
            "root-and-nowhere-else",
            "testing at the root and nowhere else is the policy that pays: nodes it saves, in per cent",
            Says::AtLeast(d("90")),
            "from the empty 4x4, root meaning ply 0; it is ply 1 that saves there",
            |_| {
                let never = solved(Policy::Never)?.nodes;
                Ok(share(100 * (never - solved(Policy::Plies(1))?.nodes), never))
            },
        ),
        same(
            "root-only-4x6",
            "on a larger board the advantage of the top is larger: nodes of 4x6, none against two plies",
            Says::Holds,
            "nodes without a check ÷ nodes with two plies, 4x6 against 4x4, from the empty boards",
            |_| {
                let gain = |name| {
                    let [never, top] = [Policy::Never, Policy::Plies(2)].map(|policy| {
                        solve(&half_turn(board(name), true), policy, Order::RightDown, 0)
                    });
                    Ok::<f64, Error>(never?.nodes as f64 / top?.nodes as f64)
                };
                Ok(Measured::Holds(gain("4x6")? > gain("4x4")?))
            },
        ),
    ],
};

fn in_order(policy: Policy, order: Order) -> Result<Effort, Error> {
    solve(&half_turn(board("4x4"), true), policy, order, 0)
}

fn solved(policy: Policy) -> Result<Effort, Error> {
    in_order(policy, Order::RightDown)
}

fn effort(policy: Policy) -> Result<Measured, Error> {
    let Effort { nodes, checks, .. } = solved(policy)?;
    Ok(counts([nodes, checks]))
}

fn all(hold: impl Iterator<Item = Result<bool, Error>>) -> Result<Measured, Error> {
    let hold = hold.collect::<Result<Vec<bool>, Error>>()?;
    Ok(Measured::Holds(hold.into_iter().all(|holds| holds)))
}
