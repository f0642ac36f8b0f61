//! Dominoes on a board, and what placing one does to a bitmap of boards.
//!
//! A [`Direction`] is every domino of one orientation. On one board they are a
//! mask and a shift: the first squares of the dominoes that fit a free set are
//! `free & free >> stride & first`.
//!
//! On a *bitmap* of boards (bit `S` says whether the covered set `S` is a
//! member) placing one domino `{a, b}` moves every member without `a` and `b`
//! up by `2^a + 2^b`: a masked shift that carries 64 boards at a time.
//! Bit `S` stands in word `S >> 6`, so squares 0 to 5 choose the bit and the
//! others the word:
//!
//! ```text
//! both squares >= 6   whole words move:        out |= map[w ^ a ^ b]
//! one square    < 6   a word moves and shifts: out |= (map[w ^ b] & without a) << 2^a
//! both squares  < 6   the word itself shifts:  out |= (own & without a, b) << 2^a + 2^b
//! ```
//!
//! Taking the domino up again is the same shift the other way: it finds the
//! boards from which some placement leads into the bitmap.

use crate::board::Board;

/// Squares that choose the bit inside a word of a bitmap.
const LOW: u32 = 6;

/// `WITHOUT[a]`: the bits of a word whose low set does not hold square `a`.
const WITHOUT: [u64; LOW as usize] = [
    0x5555_5555_5555_5555,
    0x3333_3333_3333_3333,
    0x0F0F_0F0F_0F0F_0F0F,
    0x00FF_00FF_00FF_00FF,
    0x0000_FFFF_0000_FFFF,
    0x0000_0000_FFFF_FFFF,
];

/// All dominoes of one orientation on a board.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// Distance from a domino's first square to its second.
    stride: u32,
    /// The squares where a domino may begin (its top or left square).
    first: u64,
}

impl Direction {
    /// Dominoes that cover two squares of one row.
    pub fn horizontal(board: Board) -> Self {
        Self { stride: 1, first: board.all() & !board.column(board.columns() - 1) }
    }

    /// Dominoes that cover two squares of one column.
    pub fn vertical(board: Board) -> Self {
        // A one-row board has no vertical domino; its stride may reach 64, a shift too far.
        let stride = board.columns() as u32 % u64::BITS;
        let first = if board.rows() == 1 { 0 } else { board.all() >> stride };
        Self { stride, first }
    }

    /// The first squares of the dominoes that fit inside `free`.
    pub fn fitting(self, free: u64) -> u64 {
        free & free >> self.stride & self.first
    }

    /// The two squares of the domino that begins at `first`.
    pub fn domino(self, first: usize) -> u64 {
        (1 | 1 << self.stride) << first
    }

    /// The members of word `word` got by placing a domino on a member of
    /// *another* word of `bitmap`. Those words all come before `word`.
    pub fn placed_from_others(self, bitmap: &[u64], word: usize) -> u64 {
        let high = word as u64;
        let mut boards = 0;
        let mut both_high = high & high >> self.stride & self.first >> LOW;
        while both_high != 0 {
            let domino = self.domino(both_high.trailing_zeros() as usize);
            boards |= bitmap[(high ^ domino) as usize];
            both_high &= both_high - 1;
        }
        for low in LOW.saturating_sub(self.stride)..LOW {
            let second = 1 << (low + self.stride - LOW);
            if self.first >> low & 1 == 1 && high & second != 0 {
                boards |= (bitmap[(high ^ second) as usize] & WITHOUT[low as usize]) << (1 << low);
            }
        }
        boards
    }

    /// The members got by placing, on the members in `boards`, a domino both
    /// of whose squares choose the bit: one word, moved within itself.
    pub fn placed_within(self, boards: u64) -> u64 {
        let mut placed = 0;
        for low in 0..LOW.saturating_sub(self.stride) {
            let second = low + self.stride;
            if self.first >> low & 1 == 1 {
                let clear = boards & WITHOUT[low as usize] & WITHOUT[second as usize];
                placed |= clear << ((1 << low) + (1 << second));
            }
        }
        placed
    }

    /// The boards of word `word` from which placing a domino leads to a member
    /// of *another* word of `bitmap`. Those words all come after `word`.
    pub fn leading_to_others(self, bitmap: &[u64], word: usize) -> u64 {
        let high = word as u64;
        let mut boards = 0;
        let mut both_high = !high & !high >> self.stride & self.first >> LOW;
        while both_high != 0 {
            let domino = self.domino(both_high.trailing_zeros() as usize);
            boards |= bitmap[(high | domino) as usize];
            both_high &= both_high - 1;
        }
        for low in LOW.saturating_sub(self.stride)..LOW {
            let second = 1 << (low + self.stride - LOW);
            if self.first >> low & 1 == 1 && high & second == 0 {
                boards |= bitmap[(high | second) as usize] >> (1 << low) & WITHOUT[low as usize];
            }
        }
        boards
    }

    /// The boards from which placing a domino, both of whose squares choose
    /// the bit, leads to one of `boards`: one word, moved within itself.
    pub fn leading_within(self, boards: u64) -> u64 {
        let mut leading = 0;
        for low in 0..LOW.saturating_sub(self.stride) {
            let second = low + self.stride;
            if self.first >> low & 1 == 1 {
                let before = boards >> ((1 << low) + (1 << second));
                leading |= before & WITHOUT[low as usize] & WITHOUT[second as usize];
            }
        }
        leading
    }
}

/// [`Direction`] on bitmaps of even sets alone, half as long: the highest square has no
/// bit, since the parity of the others tells whether it is covered.
///
/// A domino that covers it moves boards by the other square only, and only those boards
/// whose bits are even in number, on which the highest square is free:
///
/// ```text
/// 2x2, square 3 dropped   index 000 is ..   -> index 100 is ..   by the domino {2, 3}
///                                      ..                   ##
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EvenDirection {
    /// The dominoes that do not cover the highest square.
    others: Direction,
    /// The square that shares a domino with the highest one.
    partner: Option<u32>,
}

/// Bits of a word whose number is even.
const EVEN: u64 = {
    let (mut mask, mut bit) = (0, 0u64);
    while bit < u64::BITS as u64 {
        mask |= ((bit.count_ones() as u64 + 1) % 2) << bit;
        bit += 1;
    }
    mask
};

impl EvenDirection {
    /// The direction on a board of so many squares.
    pub fn new(direction: Direction, squares: usize) -> Self {
        let partner = (squares as u32 - 1).checked_sub(direction.stride);
        let partner = partner.filter(|&square| direction.first >> square & 1 == 1);
        let covering = partner.map_or(0, |square| 1 << square);
        Self { others: Direction { first: direction.first & !covering, ..direction }, partner }
    }

    /// As [`Direction::placed_from_others`].
    pub fn placed_from_others(self, bitmap: &[u64], word: usize) -> u64 {
        let mut boards = self.others.placed_from_others(bitmap, word);
        if let Some(square) = self.partner.and_then(|square| square.checked_sub(LOW))
            && word >> square & 1 == 1
        {
            let source = word ^ 1 << square;
            boards |= bitmap[source] & highest_free(source);
        }
        boards
    }

    /// As [`Direction::placed_within`], the boards being those of word `word`.
    pub fn placed_within(self, boards: u64, word: usize) -> u64 {
        let mut placed = self.others.placed_within(boards);
        if let Some(square) = self.partner.filter(|&square| square < LOW) {
            placed |= (boards & highest_free(word) & WITHOUT[square as usize]) << (1 << square);
        }
        placed
    }
}

/// The bits of a word of even boards on which the highest square is free.
pub fn highest_free(word: usize) -> u64 {
    if word.count_ones().is_multiple_of(2) { EVEN } else { !EVEN }
}

/// Words of a bitmap over all sets of `squares` squares.
pub fn bitmap_words(squares: usize) -> usize {
    1 << squares.saturating_sub(LOW as usize)
}
