//! Positions grouped into blocks: a bitmap of the low bits for each value of
//! the high ones, in ascending order of size.
//!
//! ```text
//! position = high · 2^LOW + low
//!
//!            low 0 1 2 3 4 5 6 7            rank  high  members
//! high 0   row   . # . . # . . .     ->     0     2     {3}
//! high 2   row   . . . # . . . .            1     0     {1, 4}
//! high 3   row   # . # . . . # .            2     3     {0, 2, 6}
//! ```
//!
//! The pairs whose difference has `d` above the low bits are the pairs of one
//! member each of two blocks `h` and `h ^ d`. [`Blocks::partners`] lists those
//! pairs of blocks, the smaller block first: the work a kernel does for one is
//! the *translate* of the larger one's row by each member of the smaller one,
//! so that a block of one member costs one translate, however full its partner.

use std::ops::Range;

use super::scalar::{self, Scatter};
use super::{Prepared, raised};

/// A row of `WORDS · 64` bits, one a value of the low bits; aligned for a vector load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Row<const WORDS: usize>(pub(super) [u64; WORDS]);

impl<const WORDS: usize> Row<WORDS> {
    /// No member.
    pub(super) const EMPTY: Self = Self([0; WORDS]);
    /// Number of bits, each a value of the low bits.
    pub(super) const CELLS: usize = WORDS * 64;
}

/// Two blocks, by rank; the first has at most as many members as the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partners {
    pub(super) smaller: u32,
    pub(super) larger: u32,
}

/// A set of positions as blocks of `WORDS · 64` low values, smallest block first.
pub(super) struct Blocks<const WORDS: usize> {
    /// The high bits of each block.
    high: Vec<u32>,
    /// The members of each block as a bitmap.
    rows: Vec<Row<WORDS>>,
    /// The members of each block as low values, all blocks one after another.
    members: Vec<u16>,
    /// Where in `members` each block's begin, and the end.
    starts: Vec<u32>,
    /// The rank of the block by its high bits; 0 also where there is none.
    ranks: Vec<u32>,
}

impl<const WORDS: usize> Blocks<WORDS> {
    /// Number of low bits.
    pub(super) const LOW: u32 = WORDS.ilog2() + 6;

    /// The blocks of `set`, which ascends and repeats nothing.
    pub(super) fn new(set: &[u32]) -> Self {
        let mut runs: Vec<Range<usize>> = vec![];
        let mut begin = 0;
        for run in set.chunk_by(|x, y| x >> Self::LOW == y >> Self::LOW) {
            runs.push(begin..begin + run.len());
            begin += run.len();
        }
        runs.sort_by_key(Range::len);

        let highest = set.last().map_or(0, |last| (last >> Self::LOW) as usize);
        let mut blocks = Self {
            high: vec![],
            rows: vec![Row::EMPTY; runs.len()],
            members: Vec::with_capacity(set.len()),
            starts: vec![0],
            ranks: vec![0; (highest + 1).next_power_of_two()],
        };
        for (rank, run) in runs.into_iter().enumerate() {
            let high = set[run.start] >> Self::LOW;
            blocks.high.push(high);
            blocks.ranks[high as usize] = rank as u32;
            for position in &set[run] {
                let low = (position & ((1 << Self::LOW) - 1)) as u16;
                blocks.rows[rank].0[usize::from(low / 64)] |= 1 << (low % 64);
                blocks.members.push(low);
            }
            blocks.starts.push(blocks.members.len() as u32);
        }
        blocks
    }

    /// Number of blocks; no block is empty.
    pub(super) fn len(&self) -> usize {
        self.high.len()
    }

    /// The rows, by rank.
    pub(super) fn rows(&self) -> &[Row<WORDS>] {
        &self.rows
    }

    /// The high bits of the block at `rank`.
    pub(super) fn high(&self, rank: usize) -> u32 {
        self.high[rank]
    }

    /// The low values of the block at `rank`.
    pub(super) fn members(&self, rank: usize) -> &[u16] {
        &self.members[self.starts[rank] as usize..self.starts[rank + 1] as usize]
    }

    /// Number of values of the high bits, those without a block included.
    pub(super) fn highs(&self) -> usize {
        self.ranks.len()
    }

    /// Writes the pairs of blocks whose high bits differ by `difference`, in
    /// ascending order of the smaller one; every block with itself for zero.
    pub(super) fn partners(&self, difference: u32, partners: &mut Vec<Partners>) {
        partners.clear();
        if difference == 0 {
            partners
                .extend((0..self.len() as u32).map(|own| Partners { smaller: own, larger: own }));
            return;
        }
        partners.resize(self.len(), Partners { smaller: 0, larger: 0 });
        // No branch: half of the blocks come second in their pair, in no order.
        let mut count = 0;
        for (rank, high) in self.high.iter().enumerate() {
            let (smaller, larger) = (rank as u32, self.ranks[(high ^ difference) as usize]);
            partners[count] = Partners { smaller, larger };
            count += usize::from(larger > smaller);
        }
        partners.truncate(count);
    }

    /// Translates that all pairs of blocks need: each pair as many as its smaller has members.
    fn translates(&self) -> u64 {
        let blocks = self.len() as u64;
        (0..)
            .zip(self.starts.windows(2))
            .map(|(rank, ends)| (blocks - rank) * u64::from(ends[1] - ends[0]))
            .sum()
    }

    /// Whether going by blocks is cheaper than a scatter of every pair.
    pub(super) fn worth_it(&self, chunk_highs: usize) -> bool {
        let members = self.members.len() as u64;
        let highs = self.highs().min(chunk_highs) as u64;
        let scatter = members * members / 2 / (self.highs() as u64 / highs);
        let translates = self.translates() / (self.highs() as u64 / highs);
        let listed = highs * self.len() as u64;
        let counted = highs * Row::<WORDS>::CELLS as u64;
        TRANSLATE * translates + LISTED * listed + COUNTED * counted < SCATTERED * scatter
    }
}

/// What a step costs on this kernel family's first machine, in tenths of a nanosecond.
const SCATTERED: u64 = 5;
/// One translate of a row, added to the counters.
const TRANSLATE: u64 = 16;
/// One block looked up for its partner.
const LISTED: u64 = 6;
/// One count taken from the planes and added to its cell.
const COUNTED: u64 = 6;

/// Prepares `reduced` for chunks of `length` cells: a set's pairs are added by
/// `count`, to which go the blocks and the `tables` made of them, the first value of
/// the high bits and the cells; those of repeats, or of a set too sparse, by a scatter.
pub(super) fn prepare<const WORDS: usize, T: Sync + 'static>(
    reduced: Vec<u32>,
    length: usize,
    tables: impl FnOnce(&Blocks<WORDS>) -> T,
    count: impl Fn(&Blocks<WORDS>, &T, u32, &mut [u32]) + Sync + 'static,
) -> Box<dyn Prepared> {
    if length < Row::<WORDS>::CELLS || reduced.is_empty() {
        return Box::new(Scatter::new(reduced, length));
    }
    let mut set = reduced.clone();
    set.sort(); // Stable because two ascending runs, a dropped square's halves, are its best case.
    let mut repeats = vec![];
    set.dedup_by(|next, kept| {
        let same = next == kept;
        if same {
            repeats.push(*next);
        }
        same
    });
    let highest = u64::from(set.last().copied().unwrap_or(0)) >> Blocks::<WORDS>::LOW;
    if (set.len() as u64).pow(2) < highest && !always() {
        return Box::new(Scatter::new(reduced, length)); // before a table of that many is made
    }
    let blocks = Blocks::new(&set);
    if !blocks.worth_it(length / Row::<WORDS>::CELLS) && !always() {
        return Box::new(Scatter::new(reduced, length));
    }
    let repeats = Scatter::new(repeats, length);
    Box::new(ByBlocks { tables: tables(&blocks), blocks, set, repeats, count })
}

/// Whether tests want blocks however little they are worth.
#[cfg(test)]
fn always() -> bool {
    ALWAYS.get()
}

#[cfg(not(test))]
fn always() -> bool {
    false
}

#[cfg(test)]
thread_local! {
    /// Set by tests, so that the vector code meets the small inputs too.
    pub(super) static ALWAYS: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// What [`prepare`] prepared of a set dense enough.
struct ByBlocks<const WORDS: usize, T, F> {
    blocks: Blocks<WORDS>,
    tables: T,
    set: Vec<u32>,
    /// What occurs in `set` already, as often as it occurs again.
    repeats: Scatter,
    count: F,
}

impl<const WORDS: usize, T: Sync, F> Prepared for ByBlocks<WORDS, T, F>
where
    F: Fn(&Blocks<WORDS>, &T, u32, &mut [u32]) + Sync,
{
    fn add(&self, chunk: u32, cells: &mut [u32]) {
        let first = chunk * (cells.len() / Row::<WORDS>::CELLS) as u32;
        (self.count)(&self.blocks, &self.tables, first, cells);
        self.repeats.add(chunk, cells);
        scalar::across_chunk(self.repeats.positions(), &self.set, chunk, cells);
    }
}

/// For each value of the high bits in turn, from `first` on, has `count` write the counts of
/// its pairs of blocks and adds them to its cells.
#[inline(always)]
pub(super) fn each_high<const WORDS: usize>(
    blocks: &Blocks<WORDS>,
    first: u32,
    cells: &mut [u32],
    mut count: impl FnMut(&[Partners], &mut [u32]),
) {
    let mut counts = vec![0; Row::<WORDS>::CELLS];
    let mut partners = vec![];
    for (high, cells) in (first..blocks.highs() as u32).zip(cells.chunks_exact_mut(counts.len())) {
        blocks.partners(high, &mut partners);
        if !partners.is_empty() {
            count(&partners, &mut counts);
            add(high, &mut counts, cells);
        }
    }
}

/// Adds the counts of one value of the high bits to its cells.
pub(super) fn add(high: u32, counts: &mut [u32], cells: &mut [u32]) {
    if high == 0 {
        // Blocks with themselves: every pair came twice, and every member met itself.
        counts[0] = 0;
        counts.iter_mut().for_each(|count| *count /= 2);
    }
    for (cell, count) in cells.iter_mut().zip(counts) {
        *cell = raised(*cell, *count);
    }
}

/// Writes the count of every low value: the sum over the planes `k` in which
/// its bit is set of `2^k`.
#[inline(always)] // so that it is compiled for its caller's instructions
pub(super) fn write_counts<const WORDS: usize>(planes: &[Row<WORDS>], counts: &mut [u32]) {
    counts.fill(0);
    for (word, counts) in counts.as_chunks_mut::<64>().0.iter_mut().enumerate() {
        for (weight, plane) in planes.iter().enumerate() {
            let (low, high) = counts.split_at_mut(32);
            for (half, counts) in
                [(plane.0[word] as u32, low), ((plane.0[word] >> 32) as u32, high)]
            {
                for (bit, count) in counts.iter_mut().enumerate() {
                    *count += if half & 1 << bit == 0 { 0 } else { 1 << weight };
                }
            }
        }
    }
}

/// A word of a row with bit `i` moved to `i ^ by`, for `by` below 64.
pub(super) fn translated_word(mut word: u64, by: u32) -> u64 {
    const LOWER: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    for (bit, lower) in LOWER.iter().enumerate() {
        if by >> bit & 1 == 1 {
            word = (word & lower) << (1 << bit) | word >> (1 << bit) & lower;
        }
    }
    word
}
