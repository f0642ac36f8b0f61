//! The definition: square by square.

use super::{KeyKernel, Word, check_lengths, check_seen};
use crate::board::squares_of;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn KeyKernel> = Kernel::new("oracle", Tier::Scalar, &[], &Oracle);

struct Oracle;

impl KeyKernel for Oracle {
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]) {
        keys(words, positions, out);
    }

    fn keys32(&self, words: &[u32], positions: &[u32], out: &mut [u32]) {
        keys(words, positions, out);
    }
}

fn keys<T: Word>(words: &[T], positions: &[T], out: &mut [T]) {
    check_lengths(words, positions, out);
    for (&position, key) in positions.iter().zip(out) {
        let position = position.into();
        check_seen(words.len(), position);
        *key = squares_of(position).fold(T::default(), |key, square| key ^ words[square]);
    }
}
