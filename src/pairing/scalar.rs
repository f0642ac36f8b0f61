//! One set at a time, in registers, leaving at the first thing that fails: the
//! honest baseline, and what a search calls that tests single moves.

use super::plan::{Plan, permuted, reads_the_same};
use super::{Check, Pairing, PairingKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairingKernel> =
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

struct Scalar;

impl PairingKernel for Scalar {
    fn accepted(&self, check: &Check, sets: &[u64], accepted: &mut [u8]) {
        self::accepted(check, sets, accepted);
    }
}

#[inline(always)]
pub(super) fn accepted(check: &Check, sets: &[u64], accepted: &mut [u8]) {
    assert_eq!(sets.len(), accepted.len(), "one answer a set");
    let plan = Plan::new(check.board, check.clause);
    accepted.fill(0);
    for pairing in check.pairings.iter() {
        for (set, out) in sets.iter().zip(&mut *accepted) {
            *out |= u8::from(plan.accepts(pairing, *set)) << pairing as u8;
        }
    }
}

/// A [`Check`] prepared for one set after another, as a search asks it.
pub(crate) struct Tester {
    plan: Plan,
    pairings: Vec<Pairing>,
}

impl Check {
    /// The check, prepared.
    pub(crate) fn tester(&self) -> Tester {
        let plan = Plan::new(self.board, self.clause);
        Tester { plan, pairings: self.pairings.iter().collect() }
    }
}

impl Tester {
    /// Whether some pairing accepts `set`; adds to `tests` how many were asked.
    pub(crate) fn accepts(&self, set: u64, tests: &mut u64) -> bool {
        self.pairings.iter().any(|pairing| {
            *tests += 1;
            self.plan.accepts(*pairing, set)
        })
    }
}

impl Plan {
    /// Whether `set` passes the test under one pairing of its bounding box.
    #[inline(always)]
    pub(super) fn accepts(&self, pairing: Pairing, set: u64) -> bool {
        if set == 0 {
            return false;
        }
        if pairing == Pairing::HalfTurn && !reads_the_same(set) {
            return false;
        }
        let frame = self.frame(set);
        let (image, spoilers) = match pairing {
            Pairing::HalfTurn => (self.half_turn(set, frame), self.middle(frame)),
            Pairing::LeftRight | Pairing::TopBottom => {
                let mirrored = permuted(&self.mirror, set);
                let left_right = pairing == Pairing::LeftRight;
                let mirrored = if left_right == self.mirror_is_left_right {
                    mirrored
                } else {
                    self.turn_board(mirrored)
                };
                if left_right {
                    (self.left_right(mirrored, frame), self.middle_column(frame))
                } else {
                    (self.top_bottom(mirrored, frame), self.middle_row(frame))
                }
            }
            Pairing::Diagonal | Pairing::AntiDiagonal => {
                if !frame.is_square() {
                    return false;
                }
                let corner = frame.cornered(set);
                let exchanged = frame.placed(permuted(&self.transpose, corner));
                if pairing == Pairing::Diagonal {
                    (exchanged, self.falling(frame))
                } else {
                    (self.half_turn(exchanged, frame), self.rising(frame))
                }
            }
        };
        image == set && self.unspoilt(set, spoilers)
    }
}
