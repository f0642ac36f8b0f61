//! `lanes` as the build's own target has it: two sets a register on plain x86-64.

use super::{Check, PairingKernel, lanes};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairingKernel> =
    Kernel::new("portable", Tier::Portable, &[], &Portable);

struct Portable;

impl PairingKernel for Portable {
    fn accepted(&self, check: &Check, sets: &[u64], accepted: &mut [u8]) {
        lanes::accepted(check, sets, accepted, lanes::reads_the_same);
    }
}
