//! The definition: double loops over the cells and over the pairs. For small sizes.
//!
//! ```text
//! F(u) = Σ_x (−1)^|x & u| f(x)
//! ```

use std::num::Wrapping;
use std::ops::{AddAssign, SubAssign};

use super::{Bitmap, WalshKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn WalshKernel> =
    Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl WalshKernel for Oracle {
    fn forward16(&self, cells: &mut [i16]) {
        transform::<Wrapping<i16>>(bytemuck::must_cast_slice_mut(cells));
    }

    fn forward32(&self, cells: &mut [i32]) {
        transform::<Wrapping<i32>>(bytemuck::must_cast_slice_mut(cells));
    }

    fn forward64(&self, cells: &mut [i64]) {
        transform::<Wrapping<i64>>(bytemuck::must_cast_slice_mut(cells));
    }

    fn halving32(&self, cells: &mut [i32]) {
        let mut wide: Vec<i64> = cells.iter().map(|&cell| cell.into()).collect();
        self.halving64(&mut wide);
        for (cell, wide) in cells.iter_mut().zip(wide) {
            *cell = wide.try_into().expect("the inverse passes 32 bits");
        }
    }

    fn halving64(&self, cells: &mut [i64]) {
        let mut wide: Vec<i128> = cells.iter().map(|&cell| cell.into()).collect();
        let length = cells.len() as i128;
        transform(&mut wide);
        for (cell, wide) in cells.iter_mut().zip(wide) {
            assert!(wide % length == 0, "{wide} is no multiple of {length}");
            *cell = (wide / length).try_into().expect("the inverse passes 64 bits");
        }
    }

    fn autocorrelation(&self, movers: &Bitmap, cells: &mut [u32]) {
        cells.fill(0);
        for set in 0..2 {
            let members: Vec<usize> = movers.members(set).collect();
            for (index, x) in members.iter().enumerate() {
                for y in &members[..index] {
                    cells[x ^ y] += 1;
                }
            }
        }
    }
}

fn transform<T: Copy + Default + AddAssign + SubAssign>(cells: &mut [T]) {
    let signal = cells.to_vec();
    for (u, cell) in cells.iter_mut().enumerate() {
        *cell = T::default();
        for (x, &value) in signal.iter().enumerate() {
            if (x & u).count_ones() % 2 == 0 {
                *cell += value;
            } else {
                *cell -= value;
            }
        }
    }
}
