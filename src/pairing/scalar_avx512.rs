//! `scalar` compiled for all that `avx512` may use, and for the scalar bit
//! counts of the same CPUs: what the vectors of `avx512` are worth is measured
//! against this, not against the plainer instructions of `scalar`.

use super::{Check, PairingKernel, scalar};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairingKernel> =
    Kernel::new("scalar_avx512", Tier::Avx512, NEEDS, &ScalarAvx512);

const NEEDS: &[&str] = &[
    "avx512f",
    "avx512bw",
    "avx512dq",
    "avx512vl",
    "avx512cd",
    "avx512vpopcntdq",
    "gfni",
    "bmi1",
    "bmi2",
    "lzcnt",
    "popcnt",
];

struct ScalarAvx512;

impl PairingKernel for ScalarAvx512 {
    #[expect(unsafe_code, reason = "calls code compiled for more than the build's target")]
    fn accepted(&self, check: &Check, sets: &[u64], accepted: &mut [u8]) {
        // SAFETY: `KERNEL` is the only way to a `ScalarAvx512`, and it asks the CPU for `NEEDS`.
        unsafe { body(check, sets, accepted) }
    }
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vpopcntdq,gfni,bmi1,bmi2,lzcnt,popcnt"
)]
fn body(check: &Check, sets: &[u64], accepted: &mut [u8]) {
    scalar::accepted(check, sets, accepted);
}
