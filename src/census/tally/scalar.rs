//! Row after row, lane after lane, in plain Rust.

use super::{LANES, Lanes, TallyKernel};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn TallyKernel> =
    Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

struct Scalar;

impl TallyKernel for Scalar {
    fn rows(&self, rows: &[[u32; LANES]], running: &mut [Lanes]) {
        for (row, counts) in rows.iter().enumerate() {
            let lanes = &mut running[row.count_ones() as usize];
            for (lane, &count) in counts.iter().enumerate() {
                lanes.sums[lane] += u64::from(count);
                lanes.maxima[lane] = lanes.maxima[lane].max(count);
                lanes.zeros[lane] += u32::from(count == 0);
            }
        }
    }
}
