//! `lanes` with 512-bit vectors: eight sets a register. Leading zeros are one
//! instruction (CD), a rotation by lane is one (F), and the reversal of 64 bits is
//! two: bits in bytes by an affine map (GFNI), bytes by a shuffle (BW).

use super::{Check, PairingKernel, lanes};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairingKernel> =
    Kernel::new("avx512", Tier::Avx512, NEEDS, &Avx512);

const NEEDS: &[&str] =
    &["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512cd", "avx512vpopcntdq", "gfni"];

struct Avx512;

impl PairingKernel for Avx512 {
    #[expect(unsafe_code, reason = "calls code compiled for more than the build's target")]
    fn accepted(&self, check: &Check, sets: &[u64], accepted: &mut [u8]) {
        // SAFETY: `KERNEL` is the only way to an `Avx512`, and it asks the CPU for `NEEDS`.
        unsafe { body(check, sets, accepted) }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vpopcntdq,gfni")]
fn body(check: &Check, sets: &[u64], accepted: &mut [u8]) {
    lanes::accepted(check, sets, accepted);
}
