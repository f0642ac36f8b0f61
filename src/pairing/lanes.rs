//! The test on a block of sets, without a branch on any of them: every loop
//! runs over the block with the same few integer operations, so the compiler
//! makes vectors of it, as wide as the features of the function it is inlined
//! into. `portable`, `avx2` and `avx512` are that function for three tiers.
//!
//! ```text
//! sets     [ s0 s1 s2 … s63 ]
//! frames   [ f0 f1 f2 … f63 ]     boxes, once
//! image    [ …              ]     per pairing: reversed, or masked rotations OR-ed up
//! accepted [ a0 a1 a2 … a63 ]     |= (image == set and unspoilt) << pairing
//! ```
//!
//! Nanoseconds a set of `avx512`, half turn, strict clause: frames as an array of
//! structs 2.6, as a struct of arrays 1.3, and with the sieve, over the free
//! sets that play on 4x5 reaches: 0.29 with trailing zeros counted by way of a
//! population count, 0.21 with leading zeros of the set and of its reversal
//! and two shifts, which the compiler guards against distances of 64, 0.15
//! with two rotations, which need no guard. `scalar` takes 1.75, which leaves
//! early by the same sieve, and `scalar_avx512` 1.04.

use crate::board::squares_of;

use super::plan::{self, Frame, Plan, Rotations, Spoilers};
use super::{Check, Pairing, Pairings};

/// Sets in a block: scratch of a few KiB stays in the first-level cache.
pub(super) const BLOCK: usize = 64;

pub(super) type Block = [u64; BLOCK];

/// The frames of a block, one array a field: vectors load and store whole.
struct Frames {
    rows: Block,
    columns: Block,
    corner: Block,
    height: Block,
    width: Block,
}

impl Frames {
    #[inline(always)]
    fn of(plan: &Plan, sets: &Block) -> Self {
        let zero = [0; BLOCK];
        let mut frames =
            Self { rows: zero, columns: zero, corner: zero, height: zero, width: zero };
        for (i, set) in sets.iter().enumerate() {
            let frame = plan.frame(*set);
            frames.rows[i] = frame.rows;
            frames.columns[i] = frame.columns;
            frames.corner[i] = frame.corner;
            frames.height[i] = frame.height;
            frames.width[i] = frame.width;
        }
        frames
    }

    #[inline(always)]
    fn at(&self, i: usize) -> Frame {
        Frame {
            rows: self.rows[i],
            columns: self.columns[i],
            corner: self.corner[i],
            height: self.height[i],
            width: self.width[i],
        }
    }
}

/// The test over all sets; `sieve` says of a block, as bit `i` for set `i`,
/// which may be their own half turns: [`reads_the_same`], or what is faster.
#[inline(always)]
pub(super) fn accepted(
    check: &Check,
    sets: &[u64],
    accepted: &mut [u8],
    sieve: impl Fn(&Block) -> u64,
) {
    assert_eq!(sets.len(), accepted.len(), "one answer a set");
    let plan = Plan::new(check.board, check.clause);
    if check.pairings == Pairings::HALF_TURN {
        return half_turn_alone(&plan, check, sets, accepted, sieve);
    }
    let (blocks, rest) = sets.as_chunks::<BLOCK>();
    let (outs, out_rest) = accepted.as_chunks_mut::<BLOCK>();
    for (sets, out) in blocks.iter().zip(outs) {
        block(&plan, check, sets, out);
    }
    if !rest.is_empty() {
        let mut out = [0; BLOCK];
        block(&plan, check, &padded(rest), &mut out);
        out_rest.copy_from_slice(&out[..rest.len()]);
    }
}

/// The sets of a short block, and empty ones.
#[inline(always)]
fn padded(sets: &[u64]) -> Block {
    let mut block = [0; BLOCK];
    block[..sets.len()].copy_from_slice(sets);
    block
}

/// The half turn has a sieve: only sets that read the same from both ends can
/// be its own, and few do. They are collected into blocks of their own.
#[inline(always)]
fn half_turn_alone(
    plan: &Plan,
    check: &Check,
    sets: &[u64],
    accepted: &mut [u8],
    sieve: impl Fn(&Block) -> u64,
) {
    let mut kept = Kept { sets: [0; BLOCK], places: [0; BLOCK], count: 0 };
    let (blocks, rest) = sets.as_chunks::<BLOCK>();
    accepted[BLOCK * blocks.len()..].fill(0);
    for (index, sets) in blocks.iter().enumerate() {
        accepted[BLOCK * index..][..BLOCK].fill(0);
        for bit in squares_of(sieve(sets)) {
            kept.push(sets[bit], BLOCK * index + bit);
            if kept.count == BLOCK {
                kept.judge(plan, check, accepted);
            }
        }
    }
    for bit in squares_of(sieve(&padded(rest))).take_while(|bit| *bit < rest.len()) {
        kept.push(rest[bit], BLOCK * blocks.len() + bit);
        if kept.count == BLOCK {
            kept.judge(plan, check, accepted);
        }
    }
    kept.judge(plan, check, accepted);
}

/// The sieve in integer operations that the compiler makes vectors of.
#[inline(always)]
pub(super) fn reads_the_same(sets: &Block) -> u64 {
    let mut same = [0_u8; BLOCK];
    for (same, set) in same.iter_mut().zip(sets) {
        *same = u8::from(plan::reads_the_same(*set));
    }
    let eights = bytemuck::must_cast::<_, [u64; BLOCK / 8]>(same);
    // Bytes 0 or 1: the product gathers eight of them in the top byte.
    let gathered = |eight: &u64| u64::from_le(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    (0..).zip(&eights).map(|(place, eight)| gathered(eight) << (8 * place)).sum()
}

/// Sets that passed a sieve, and where they came from.
struct Kept {
    sets: Block,
    places: [usize; BLOCK],
    count: usize,
}

impl Kept {
    #[inline(always)]
    fn push(&mut self, set: u64, place: usize) {
        self.sets[self.count] = set;
        self.places[self.count] = place;
        self.count += 1;
    }

    /// Judges the sets kept and forgets them.
    #[inline(always)]
    fn judge(&mut self, plan: &Plan, check: &Check, accepted: &mut [u8]) {
        let mut out = [0; BLOCK];
        block(plan, check, &self.sets, &mut out);
        for (place, out) in self.places[..self.count].iter().zip(out) {
            accepted[*place] = out;
        }
        self.count = 0;
    }
}

#[inline(always)]
fn block(plan: &Plan, check: &Check, sets: &Block, out: &mut [u8; BLOCK]) {
    *out = [0; BLOCK];
    let frames = Frames::of(plan, sets);
    for pairing in check.pairings.iter() {
        match pairing {
            Pairing::HalfTurn => {
                let image = each(sets, &frames, |set, frame| plan.half_turn(set, frame));
                judge(plan, pairing, sets, &image, &frames, |frame| plan.middle(frame), out);
            }
            Pairing::LeftRight => {
                let mirrored = mirrored(plan, sets, plan.mirror_is_left_right);
                let image = each(&mirrored, &frames, |set, frame| plan.left_right(set, frame));
                judge(plan, pairing, sets, &image, &frames, |frame| plan.middle_column(frame), out);
            }
            Pairing::TopBottom => {
                let mirrored = mirrored(plan, sets, !plan.mirror_is_left_right);
                let image = each(&mirrored, &frames, |set, frame| plan.top_bottom(set, frame));
                judge(plan, pairing, sets, &image, &frames, |frame| plan.middle_row(frame), out);
            }
            Pairing::Diagonal => {
                let image = exchanged(plan, sets, &frames);
                judge(plan, pairing, sets, &image, &frames, |frame| plan.falling(frame), out);
            }
            Pairing::AntiDiagonal => {
                let exchanged = exchanged(plan, sets, &frames);
                let image = each(&exchanged, &frames, |set, frame| plan.half_turn(set, frame));
                judge(plan, pairing, sets, &image, &frames, |frame| plan.rising(frame), out);
            }
        }
    }
}

#[inline(always)]
fn each(sets: &Block, frames: &Frames, map: impl Fn(u64, Frame) -> u64) -> Block {
    let mut image = [0; BLOCK];
    for i in 0..BLOCK {
        image[i] = map(sets[i], frames.at(i));
    }
    image
}

/// The board's cheaper mirror of each set, or else the other one.
#[inline(always)]
fn mirrored(plan: &Plan, sets: &Block, cheaper: bool) -> Block {
    let mut mirrored = permuted(&plan.mirror, sets);
    if !cheaper {
        for set in &mut mirrored {
            *set = plan.turn_board(*set);
        }
    }
    mirrored
}

/// Rows and columns of each set exchanged, inside its box; 0 if that is not square.
#[inline(always)]
fn exchanged(plan: &Plan, sets: &Block, frames: &Frames) -> Block {
    let corners = each(sets, frames, |set, frame| frame.cornered(set));
    each(&permuted(&plan.transpose, &corners), frames, |set, frame| {
        if frame.is_square() { frame.placed(set) } else { 0 }
    })
}

/// The image of each set under a permutation of squares.
#[inline(always)]
fn permuted(rotations: &Rotations, sets: &Block) -> Block {
    let mut image = [0; BLOCK];
    for &(by, mask) in rotations {
        for (image, set) in image.iter_mut().zip(sets) {
            *image |= set.rotate_left(by) & mask;
        }
    }
    image
}

/// Sets the pairing's bit for each set that is its own image and unspoilt.
#[inline(always)]
fn judge(
    plan: &Plan,
    pairing: Pairing,
    sets: &Block,
    image: &Block,
    frames: &Frames,
    spoilers: impl Fn(Frame) -> Spoilers,
    out: &mut [u8; BLOCK],
) {
    for i in 0..BLOCK {
        let unspoilt = plan.unspoilt(sets[i], spoilers(frames.at(i)));
        let passes = (image[i] == sets[i]) & (sets[i] != 0) & unspoilt;
        out[i] |= u8::from(passes) << pairing as u8;
    }
}
