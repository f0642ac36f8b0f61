//! The indicator functions of two movers' positions as one bitmap, and the
//! lowest stages of their transforms by table.
//!
//! The two movers' bits stand side by side, so that a byte holds four cells of
//! both and one look-up makes two stages for each:
//!
//! ```text
//! cell     3   2   1   0
//! bit     R L R L R L R L
//! byte    0 0 0 1 1 0 1 1   Left {0, 2}, Right {0, 1}
//! row     (2,2) (2,0) (0,2) (0,0)      (Left, Right) at u = 0, 1, 2, 3
//! ```

use crate::error::Error;

/// Two sets of cells.
pub struct Bitmap {
    words: Vec<u64>,
    counts: [u64; 2],
}

/// Cells, of both sets, in a word.
pub(super) const WORD_CELLS: usize = 32;

/// The even bits of a word: the first set's.
const FIRST: u64 = 0x5555_5555_5555_5555;

impl Bitmap {
    /// The cells `position mod cells` of two lists of positions.
    ///
    /// # Errors
    /// Two positions of one list in one cell, or more than [`super::MOST_POSITIONS`].
    pub(super) fn new(lists: [&[u64]; 2], cells: usize) -> Result<Self, Error> {
        let mask = cells as u64 - 1;
        let total = lists.iter().map(|list| list.len() as u64).sum::<u64>();
        if total > super::MOST_POSITIONS {
            let most = super::MOST_POSITIONS;
            let problem = format!("{total} of two movers: at most {most} are counted exactly");
            return Err(Error::argument("positions", problem));
        }
        let mut words = vec![0u64; cells.div_ceil(WORD_CELLS)];
        for (set, list) in lists.into_iter().enumerate() {
            for position in list {
                let bit = (position & mask) * 2 + set as u64;
                words[(bit / 64) as usize] |= 1 << (bit % 64);
            }
        }
        let mut counts = [0; 2];
        for word in &words {
            counts[0] += u64::from((word & FIRST).count_ones());
            counts[1] += u64::from((word & !FIRST).count_ones());
        }
        if counts != lists.map(|list| list.len() as u64) {
            let problem = format!(
                "two of a mover's positions are equal in the bits of {cells} cells: want distinct \
                 positions, and twice the cells if their parity is mixed"
            );
            return Err(Error::argument("positions", problem));
        }
        Ok(Self { words, counts })
    }

    /// How many cells are in each set.
    pub(super) fn counts(&self) -> [u64; 2] {
        self.counts
    }

    /// Asserts what the cell of difference 0 must hold before it is halved: every
    /// position once.
    pub(super) fn check_zero_cell(&self, found: u64) {
        let [first, second] = self.counts;
        assert_eq!(found, first + second, "the zero cell must be {first} + {second} positions");
    }

    /// The words, 32 cells each, lowest first; at least one.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The members of one set, ascending.
    pub(super) fn members(&self, set: usize) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(move |(index, word)| {
            let bits = word >> set & FIRST;
            crate::board::squares_of(bits).map(move |bit| (index * 64 + bit) / 2)
        })
    }
}

/// The two lowest stages of both sets' transforms, for each pattern of four cells.
static TABLE: [[i16; 8]; 256] = table();

const fn table() -> [[i16; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut at = 0;
        while at < 8 {
            let (u, set) = (at / 2, at % 2);
            let mut x = 0;
            while x < 4 {
                if byte >> (2 * x + set) & 1 == 1 {
                    table[byte][at] += if (x & u).count_ones() % 2 == 0 { 1 } else { -1 };
                }
                x += 1;
            }
            at += 1;
        }
        byte += 1;
    }
    table
}

/// Writes the cells of some words, as pairs of 16 bits, the two lowest stages made.
#[inline(always)]
pub(super) fn expand(words: &[u64], pairs: &mut [i16]) {
    let (eights, _) = pairs.as_chunks_mut::<8>();
    let (groups, _) = eights.as_chunks_mut::<8>();
    for (group, word) in groups.iter_mut().zip(words) {
        *group = word.to_le_bytes().map(|byte| TABLE[usize::from(byte)]);
    }
}
