//! One bitmap seen as slices: the positions' low squares within a slice, the fixed squares
//! telling the slices apart; and the signed sums of slices that enter a transform.
//!
//! ```text
//! fixed squares 7, 9     bitmap index  … 9 8 7 6 | 5 4 3 2 1 0
//!                                        g x g x |  x x x x x x   64 bits, one word
//! ```
//!
//! A sweep needs `Σ (−1)^|u & g| f(g, x)` over the outer fixed squares for every value of
//! the inner ones. Words of 64 cells are added bit-sliced, by full adders: a tree of them
//! takes 5 operations a word, where 64 cells would take 64.

use rayon::prelude::*;

use crate::board::squares_of;

/// Squares that choose the bit inside a word.
pub(super) const WORD_SQUARES: usize = 6;

/// The most outer squares: their sums must fit a byte.
pub(super) const MOST_OUTER: usize = 7;

/// Words of a slice that a thread takes at a time.
const CHUNK: usize = 64;

/// Where the words of each slice stand in a bitmap.
pub(super) struct Layout {
    /// The fixed squares, as bits of a word's number.
    fixed: usize,
    /// Words of one slice.
    words: usize,
    /// What each value of the inner fixed squares adds to a word's number.
    inner: Vec<usize>,
    /// Likewise of the outer ones.
    outer: Vec<usize>,
}

impl Layout {
    /// Bitmaps of `2^bits` bits; `inner` and `outer` are sets of fixed squares, all of
    /// them at least 6 and below `bits`.
    pub(super) fn new(bits: usize, inner: u64, outer: u64) -> Self {
        let fixed = inner | outer;
        assert!(fixed >> bits == 0 && fixed.trailing_zeros() as usize >= WORD_SQUARES);
        assert!(inner & outer == 0 && outer.count_ones() as usize <= MOST_OUTER);
        let words = 1 << (bits - WORD_SQUARES - fixed.count_ones() as usize);
        let offsets = |squares: u64| subsets(squares).map(|set| set as usize >> WORD_SQUARES);
        Self {
            fixed: fixed as usize >> WORD_SQUARES,
            words,
            inner: offsets(inner).collect(),
            outer: offsets(outer).collect(),
        }
    }

    /// Cells of one slice.
    pub(super) fn cells(&self) -> usize {
        self.words << WORD_SQUARES
    }

    /// Members of each slice, by the inner squares' value within the outer squares' value.
    pub(super) fn counts(&self, bitmap: &[u64]) -> Vec<u64> {
        let slice = |base: usize| {
            let mut at = 0;
            let mut count = 0;
            for _ in 0..self.words {
                count += u64::from(bitmap[base | at].count_ones());
                at = self.next(at);
            }
            count
        };
        let bases: Vec<usize> =
            self.outer.iter().flat_map(|outer| self.inner.iter().map(move |i| outer | i)).collect();
        bases.into_par_iter().map(slice).collect()
    }

    /// The word after one in the same slice.
    fn next(&self, word: usize) -> usize {
        ((word | self.fixed) + 1) & !self.fixed
    }

    /// The word that is number `index` in the slice of all fixed squares zero.
    fn word(&self, index: usize) -> usize {
        spread(index as u64, !self.fixed as u64) as usize
    }

    /// Writes, for every value of the inner squares, a slice of
    /// `Σ_g (−1)^|u & g| f(g, x)` over the values `g` of the outer ones.
    pub(super) fn signed_sums(&self, bitmap: &[u64], u: usize, slices: &mut [i32]) {
        let negative: Vec<u64> = (0..self.outer.len())
            .map(|g| 0u64.wrapping_sub(u64::from((u & g).count_ones() & 1)))
            .collect();
        let negatives = negative.iter().filter(|&&mask| mask != 0).count() as i32;
        let planes = self.outer.len().ilog2() as usize + 1;
        let chunk = CHUNK.min(self.words);
        let chunks = slices.par_chunks_mut(chunk << WORD_SQUARES).enumerate();
        chunks.for_each(|(index, cells)| {
            let (inner, first) = (index * chunk / self.words, index * chunk % self.words);
            let mut word = self.word(first);
            let mut words = vec![0; self.outer.len()];
            for cells in cells.as_chunks_mut::<64>().0 {
                let base = word | self.inner[inner];
                for ((to, outer), negative) in words.iter_mut().zip(&self.outer).zip(&negative) {
                    *to = bitmap[base | outer] ^ negative;
                }
                unslice(&sums(&mut words)[..planes], negatives, cells);
                word = self.next(word);
            }
        });
    }
}

/// The bits of `set` at the places of `mask`, pushed together.
pub(super) fn squeezed(set: u64, mask: u64) -> usize {
    let bits = squares_of(mask).enumerate();
    bits.map(|(bit, square)| (set as usize >> square & 1) << bit).sum()
}

/// The low bits of `number`, one to each place of `mask`: what [`squeezed`] undoes.
pub(super) fn spread(number: u64, mask: u64) -> u64 {
    let bits = squares_of(mask).enumerate();
    bits.map(|(bit, square)| (number >> bit & 1) << square).sum()
}

/// The subsets of a set, in the order of their numbers.
pub(super) fn subsets(set: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        let following = (subset | !set).wrapping_add(1) & set;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

/// For each bit, in how many words it is set: bit `b` of the number is in plane `b`.
fn sums(words: &mut [u64]) -> [u64; MOST_OUTER + 1] {
    let mut planes = [0; MOST_OUTER + 1];
    let mut count = words.len();
    for plane in &mut planes {
        // The words of this weight become one, their carries the words of the next.
        let (mut sum, mut carries, mut at) = (0, 0, 0);
        while at + 1 < count {
            let (a, b) = (words[at], words[at + 1]);
            let half = a ^ b;
            words[carries] = (a & b) | (half & sum);
            sum ^= half;
            carries += 1;
            at += 2;
        }
        if at < count {
            let a = words[at];
            words[carries] = sum & a;
            sum ^= a;
            carries += 1;
        }
        *plane = sum;
        count = if count == 1 { 0 } else { carries };
    }
    planes
}

/// The bits of a byte as eight bytes.
static BYTES: [u64; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 * 8 {
        let (byte, bit) = (at / 8, at % 8);
        table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
        at += 1;
    }
    table
};

/// Writes bit-sliced numbers, less `negatives`, as cells.
fn unslice(planes: &[u64], negatives: i32, cells: &mut [i32; 64]) {
    for (byte, cells) in cells.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut eight = 0;
        for (weight, plane) in planes.iter().enumerate() {
            eight |= BYTES[(plane >> (8 * byte) & 0xFF) as usize] << weight;
        }
        for (cell, number) in cells.iter_mut().zip(eight.to_le_bytes()) {
            *cell = i32::from(number) - negatives;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_sums_are_their_definition() {
        let mut word = 1u64;
        let bitmap: Vec<u64> = (0..1 << 9)
            .map(|_| {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(3);
                word ^ word << 27
            })
            .collect();
        let member = |set: u64| bitmap[set as usize >> 6] >> (set & 63) & 1;
        for (inner, outer) in [
            (0, 0),
            (0, 1 << 6),
            (1 << 14, 0),
            (1 << 8, 1 << 7 | 1 << 10),
            (1 << 6 | 1 << 7, 0b1111_1010_0000_0000 & 0x7FFF),
            (1 << 6, 0b111_1111 << 8),
        ] {
            let layout = Layout::new(15, inner, outer);
            let low = 0x7FFF & !(inner | outer);
            let counts = layout.counts(&bitmap);
            for u in [0, 1, (1usize << outer.count_ones()) - 1] {
                let mut got = vec![77; layout.cells() << inner.count_ones()];
                layout.signed_sums(&bitmap, u, &mut got);
                let mut at = 0;
                for g_inner in subsets(inner) {
                    for x in subsets(low) {
                        let values = subsets(outer).enumerate().map(|(g, set)| {
                            let odd = (u & g).count_ones() % 2 == 1;
                            let value = member(set | g_inner | x) as i32;
                            if odd { -value } else { value }
                        });
                        assert_eq!(got[at], values.sum::<i32>(), "cell {at}");
                        at += 1;
                    }
                }
                assert_eq!(at, got.len());
            }
            let mut counts = counts.into_iter();
            for g_outer in subsets(outer) {
                for g_inner in subsets(inner) {
                    let want = subsets(low).map(|x| member(g_outer | g_inner | x)).sum::<u64>();
                    assert_eq!(counts.next(), Some(want));
                }
            }
        }
    }
}
