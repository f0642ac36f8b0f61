//! The exchanges of the scalar kernel on four rows at a time.
//!
//! ```text
//! vector v holds rows 4v, 4v+1, 4v+2, 4v+3: exchanges 32, 16, 8, 4 pair vectors;
//! after a 4 × 4 transpose of words, so do exchanges 2 and 1
//! ```

use wide::u64x4;

use super::scalar::low;
use super::{Block, PlaneKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PlaneKernel> = Kernel::new("wide", Tier::Portable, &[], &Wide);

struct Wide;

impl PlaneKernel for Wide {
    fn transpose(&self, blocks: &mut [Block]) {
        for block in blocks {
            let mut rows: [u64x4; 16] = bytemuck::must_cast(*block);
            exchange::<32>(&mut rows, 8);
            exchange::<16>(&mut rows, 4);
            exchange::<8>(&mut rows, 2);
            exchange::<4>(&mut rows, 1);
            words(&mut rows);
            exchange::<2>(&mut rows, 2);
            exchange::<1>(&mut rows, 1);
            words(&mut rows);
            *block = bytemuck::must_cast(rows);
        }
    }
}

/// Exchanges quarters of `SIDE` × `SIDE` bits between vectors `apart`.
#[inline]
fn exchange<const SIDE: u32>(rows: &mut [u64x4; 16], apart: usize) {
    let low = u64x4::splat(low(SIDE as usize));
    for square in rows.chunks_exact_mut(2 * apart) {
        let (upper, lower) = square.split_at_mut(apart);
        for (a, b) in upper.iter_mut().zip(lower) {
            let differ = ((*a >> SIDE) ^ *b) & low;
            *a ^= differ << SIDE;
            *b ^= differ;
        }
    }
}

/// Transposes each four vectors as a 4 × 4 matrix of words.
#[inline]
fn words(rows: &mut [u64x4; 16]) {
    for four in rows.as_chunks_mut::<4>().0 {
        *four = u64x4::transpose(*four);
    }
}
