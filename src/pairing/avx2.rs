//! `lanes` with 256-bit vectors: four sets a register.

use super::{Check, PairingKernel, lanes};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairingKernel> = Kernel::new("avx2", Tier::Avx2, NEEDS, &Avx2);

const NEEDS: &[&str] = &["avx2"];

struct Avx2;

impl PairingKernel for Avx2 {
    #[expect(unsafe_code, reason = "calls code compiled for more than the build's target")]
    fn accepted(&self, check: &Check, sets: &[u64], accepted: &mut [u8]) {
        // SAFETY: `KERNEL` is the only way to an `Avx2`, and it asks the CPU for `NEEDS`.
        unsafe { body(check, sets, accepted) }
    }
}

#[target_feature(enable = "avx2")]
fn body(check: &Check, sets: &[u64], accepted: &mut [u8]) {
    lanes::accepted(check, sets, accepted, lanes::reads_the_same);
}
