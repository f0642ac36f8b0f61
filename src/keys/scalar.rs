//! Byte tables: one look-up in L1 for every eight features. The honest baseline.
//!
//! ```text
//! position  0x03_a1_7f   key  table 0 [0x7f] ^ table 1 [0xa1] ^ table 2 [0x03]
//! ```

use super::{KeyKernel, Word, check_lengths, check_seen, tabulate};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn KeyKernel> = Kernel::new("scalar", Tier::Scalar, &[], &Scalar);

struct Scalar;

impl KeyKernel for Scalar {
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]) {
        keys(words, positions, out);
    }

    fn keys32(&self, words: &[u32], positions: &[u32], out: &mut [u32]) {
        keys(words, positions, out);
    }
}

fn keys<T: Word>(words: &[T], positions: &[T], out: &mut [T]) {
    check_lengths(words, positions, out);
    let seen = match words.len().div_ceil(8) {
        0 | 1 => look_up::<T, 1>(words, positions, out),
        2 => look_up::<T, 2>(words, positions, out),
        3 => look_up::<T, 3>(words, positions, out),
        4 => look_up::<T, 4>(words, positions, out),
        5 => look_up::<T, 5>(words, positions, out),
        6 => look_up::<T, 6>(words, positions, out),
        7 => look_up::<T, 7>(words, positions, out),
        _ => look_up::<T, 8>(words, positions, out),
    };
    check_seen(words.len(), seen);
}

/// The keys by `BYTES` tables; returns the OR of all positions.
fn look_up<T: Word, const BYTES: usize>(words: &[T], positions: &[T], out: &mut [T]) -> u64 {
    let mut tables = [[T::default(); 256]; BYTES];
    for (table, words) in tables.iter_mut().zip(words.chunks(8)) {
        tabulate(words, table);
    }
    let mut seen = 0;
    for (&position, key) in positions.iter().zip(out) {
        let position: u64 = position.into();
        seen |= position;
        let bytes = position.to_le_bytes();
        *key = tables
            .iter()
            .zip(bytes)
            .fold(T::default(), |key, (table, byte)| key ^ table[usize::from(byte)]);
    }
    seen
}
