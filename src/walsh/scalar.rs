//! The honest baseline: radix 2, one stage a pass over memory, and the
//! autocorrelation at 64 bits.
//!
//! ```text
//! distance 1   (a b)(c d) …    →  a+b  a−b  c+d  c−d …
//! distance 2   (a b  c d) …    →  a+c  b+d  a−c  b−d …
//! ```

use super::{Bitmap, WalshKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn WalshKernel> =
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

pub(super) struct Scalar;

impl WalshKernel for Scalar {
    fn forward16(&self, cells: &mut [i16]) {
        transform(cells, |a, b| (a.wrapping_add(b), a.wrapping_sub(b)));
    }

    fn forward32(&self, cells: &mut [i32]) {
        transform(cells, |a, b| (a.wrapping_add(b), a.wrapping_sub(b)));
    }

    fn forward64(&self, cells: &mut [i64]) {
        transform(cells, |a, b| (a.wrapping_add(b), a.wrapping_sub(b)));
    }

    fn halving32(&self, cells: &mut [i32]) {
        transform(cells, |a, b| {
            let mean = (a & b) + ((a ^ b) >> 1);
            (mean, a.wrapping_sub(mean))
        });
    }

    fn halving64(&self, cells: &mut [i64]) {
        transform(cells, |a, b| {
            let mean = (a & b) + ((a ^ b) >> 1);
            (mean, a.wrapping_sub(mean))
        });
    }

    fn autocorrelation(&self, movers: &Bitmap, cells: &mut [u32]) {
        let mut sum = vec![0i64; cells.len()];
        for set in 0..2 {
            let mut signal = vec![0i64; cells.len()];
            for member in movers.members(set) {
                signal[member] = 1;
            }
            self.forward64(&mut signal);
            for (sum, value) in sum.iter_mut().zip(signal) {
                *sum += value * value;
            }
        }
        self.halving64(&mut sum);
        movers.check_zero_cell(sum[0] as u64);
        sum[0] = 0;
        for (cell, twice) in cells.iter_mut().zip(sum) {
            assert!(twice >= 0 && twice % 2 == 0, "a pair count is half of {twice}");
            *cell = (twice / 2) as u32;
        }
    }
}

/// All stages, lowest first.
pub(super) fn transform<T: Copy>(cells: &mut [T], butterfly: impl Fn(T, T) -> (T, T)) {
    transform_from(1, cells, butterfly);
}

/// The stages at distance `half` and more, lowest first.
pub(super) fn transform_from<T: Copy>(
    mut half: usize,
    cells: &mut [T],
    butterfly: impl Fn(T, T) -> (T, T),
) {
    assert!(cells.len().is_power_of_two(), "{} cells are no power of two", cells.len());
    while half < cells.len() {
        for block in cells.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = butterfly(*a, *b);
            }
        }
        half *= 2;
    }
}
