//! The translate kernel on the `wide` crate: rows of 256 bits, no shuffle.
//!
//! Without a byte shuffle a translate is dear, so each is made once: for one
//! larger block all 256, in a table that stays in the L1 cache, while all
//! smaller blocks pass by. The price is that the difference of the high bits
//! changes with every pair of blocks, and the planes are counters in memory:
//!
//! ```text
//! larger ─► table of 256 translates ─┐
//! smaller ─► members ────────────────┴─► sum ─► += planes of (high ^ high)
//! ```

use wide::u64x4;

use super::blocks::{self, Blocks, Row};
use super::{PairKernel, Prepared};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairKernel> = Kernel::new("wide", Tier::Portable, &[], &Wide);

struct Wide;

impl PairKernel for Wide {
    fn prepare(&self, reduced: Vec<u32>, length: usize) -> Box<dyn Prepared> {
        blocks::prepare(reduced, length, by_fours, |blocks, members, first, cells| {
            by_blocks(blocks, members, first, cells);
        })
    }
}

/// Words of a row.
const WORDS: usize = 4;
/// Bits of a row.
const CELLS: usize = Row::<WORDS>::CELLS;
/// A row of no bits, after the translates: fours are filled up with it.
const NOTHING: u16 = CELLS as u16;
/// Planes that hold the sum of two blocks: at most 256.
const SUM: usize = 9;

fn by_blocks(blocks: &Blocks<WORDS>, members: &[Vec<u16>], first: u32, cells: &mut [u32]) {
    let zero = u64x4::ZERO;
    let highs = (cells.len() / CELLS).min(blocks.highs().saturating_sub(first as usize));
    // A count is at most the number of positions.
    let positions: usize = (0..blocks.len()).map(|rank| blocks.members(rank).len()).sum();
    let planes = positions.ilog2() as usize + 1;
    let mut counters = vec![zero; planes * highs];

    let mut table = [zero; CELLS + 1];
    for (larger, row) in blocks.rows().iter().enumerate() {
        write_translates(row, &mut table);
        for (smaller, members) in members[..=larger].iter().enumerate() {
            let high = blocks.high(larger) ^ blocks.high(smaller);
            let index = high.wrapping_sub(first) as usize;
            if index < highs {
                add_sum(&table, members, &mut counters[planes * index..][..planes]);
            }
        }
    }

    let mut counts = vec![0; CELLS];
    for ((index, planes), cells) in
        counters.chunks_exact(planes).enumerate().zip(cells.chunks_exact_mut(CELLS))
    {
        let planes: Vec<_> = planes.iter().map(|plane| Row(plane.to_array())).collect();
        blocks::write_counts(&planes, &mut counts);
        blocks::add(first + index as u32, &mut counts, cells);
    }
}

/// The members of every block, filled up to fours.
fn by_fours(blocks: &Blocks<WORDS>) -> Vec<Vec<u16>> {
    let fours = |rank| {
        let mut fours = blocks.members(rank).to_vec();
        fours.resize(fours.len().next_multiple_of(4), NOTHING);
        fours
    };
    (0..blocks.len()).map(fours).collect()
}

/// All translates of a row, each from one that lacks a single bit of it.
fn write_translates(row: &Row<WORDS>, table: &mut [u64x4; CELLS + 1]) {
    table[0] = u64x4::new(row.0);
    for bit in 0..CELLS.ilog2() {
        let (done, next) = table[..2 << bit].split_at_mut(1 << bit);
        for (from, to) in done.iter().zip(next) {
            let words = from.to_array();
            *to = u64x4::new(std::array::from_fn(|word| match bit {
                0..6 => blocks::translated_word(words[word], 1 << bit),
                _ => words[word ^ 1 << (bit - 6)],
            }));
        }
    }
}

/// Adds the translates by `members` to the counters of their high bits.
fn add_sum(table: &[u64x4; CELLS + 1], members: &[u16], planes: &mut [u64x4]) {
    let mut sum = [u64x4::ZERO; SUM];
    for four in members.as_chunks::<4>().0 {
        let [a, b, c, d] = four.map(|member| table[usize::from(member)]);
        let (partial, carry_1) = add(sum[0], a, b);
        let (ones, carry_2) = add(partial, c, d);
        let (twos, mut carry) = add(sum[1], carry_1, carry_2);
        [sum[0], sum[1]] = [ones, twos];
        for plane in &mut sum[2..] {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
            if carry == u64x4::ZERO {
                break;
            }
        }
    }
    // The sum of m translates has as many planes as m has bits.
    let used = (members.len().ilog2() as usize + 1).min(planes.len());
    let mut carry = u64x4::ZERO;
    for (plane, sum) in planes.iter_mut().zip(&sum[..used]) {
        (*plane, carry) = add(*plane, *sum, carry);
    }
    for plane in &mut planes[used..] {
        if carry == u64x4::ZERO {
            return;
        }
        (*plane, carry) = (*plane ^ carry, *plane & carry);
    }
}

/// The sum and the carry of three rows, bit by bit.
#[inline(always)]
fn add(a: u64x4, b: u64x4, c: u64x4) -> (u64x4, u64x4) {
    let either = a ^ b;
    (either ^ c, (a & b) | (either & c))
}
