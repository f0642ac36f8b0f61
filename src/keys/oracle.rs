//! The definition: square by square.

use super::KeyKernel;
use crate::board::squares_of;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn KeyKernel> = Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl KeyKernel for Oracle {
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]) {
        assert_eq!(positions.len(), out.len(), "one key a position");
        for (position, key) in positions.iter().zip(out) {
            *key = squares_of(*position).fold(0, |key, square| key ^ words[square]);
        }
    }
}
