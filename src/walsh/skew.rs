//! Rows whose cells stand in another order, so that what is used together is not kept in the
//! same few cache sets.
//!
//! ```text
//! strips of row 0   0 1 2 3 4 5 6 7      a column of strips, 3 say, stands
//!           row 1   1 0 3 2 5 4 7 6      at 3, 2, 1, 0, 7, 6, 5, 4
//!           row 2   2 3 0 1 6 7 4 5
//!           row 3   3 2 1 0 7 6 5 4
//! ```

use super::steps::STRIP_BYTES;

/// Cells of 32 bits in a strip.
pub(super) const STRIP_CELLS: usize = STRIP_BYTES / size_of::<u32>();

/// How rows are skewed: strip `s` of row `r` stands where strip `s ^ (r & mask)` would.
///
/// Rows are a power of two apart, so that a strip of all rows in one place would have a few
/// cache sets to itself; skewed, it is spread over all, and what is fetched ahead or to be
/// written stays in the cache. Nothing is moved for it: a transform comes out with its index
/// shifted by `k` if `x` is multiplied by −1 to the number of bits in `x & k` before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Skew {
    mask: usize,
}

impl Skew {
    /// None.
    pub(super) const NONE: Self = Self { mask: 0 };

    /// A skew within runs of `strips`, a power of two.
    pub(super) fn within(strips: usize) -> Self {
        assert!(strips.is_power_of_two(), "{strips} strips");
        Self { mask: strips - 1 }
    }

    /// That of one row.
    pub(super) fn row(self, row: usize) -> RowSkew {
        RowSkew(row & self.mask)
    }
}

/// How one row is skewed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RowSkew(usize);

impl RowSkew {
    /// None.
    pub(super) const NONE: Self = Self(0);

    /// Where that strip stands.
    #[inline(always)]
    pub(super) fn place(self, strip: usize) -> usize {
        strip ^ self.0
    }

    /// −1 if that strip of the untransformed row is negated, or else 0.
    #[inline(always)]
    pub(super) fn sign(self, strip: usize) -> i32 {
        -((strip & self.0).count_ones() as i32 & 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle;
    use super::*;
    use crate::walsh::WalshKernel;

    #[test]
    fn signs_shift_the_index_of_a_transform() {
        let cells: Vec<i32> = (0..8 * STRIP_CELLS as i32).map(|x| x * x % 77 - 30).collect();
        let oracle: &dyn WalshKernel = oracle::KERNEL.get().expect("the oracle runs everywhere");
        let mut want = cells.clone();
        oracle.forward32(&mut want);
        for row in 0..20 {
            let skew = Skew::within(8).row(row);
            let mut skewed = cells.clone();
            for (strip, cells) in skewed.chunks_exact_mut(STRIP_CELLS).enumerate() {
                cells.iter_mut().for_each(|cell| *cell *= 1 + 2 * skew.sign(strip));
            }
            oracle.forward32(&mut skewed);
            for (strip, cells) in skewed.chunks_exact(STRIP_CELLS).enumerate() {
                let there = (strip ^ (row % 8)) * STRIP_CELLS;
                assert_eq!(cells, &want[there..][..STRIP_CELLS], "strip {strip} of row {row}");
            }
        }
    }
}
