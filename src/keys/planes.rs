//! Bit-sliced: bit `j` of all keys is the XOR of the planes whose word has bit `j`.
//!
//! ```text
//! words  0b11   plane 0  ..001      key bit 0 = plane 0 ^ plane 1
//!        0b01   plane 1  ..011  ─►  key bit 1 = plane 0 ^ plane 2
//!        0b10   plane 2  ..010
//! ```
//!
//! On 4x5, where the byte tables take 0.59 ns a position, this takes 3.3: the two
//! transposes 2.3, the XORs 0.9. The AVX-512 transposes take 0.6 together, still
//! eight times all of `gfni`. It pays where positions already are planes and
//! planes are wanted: [`Planes::keys`].

use super::{KeyKernel, check_lengths};
use crate::planes::{self, PlaneKernel, Planes};
use crate::tier::{Kernel, Tier, pick};

pub(super) const KERNEL: Kernel<dyn KeyKernel> =
    Kernel::new("planes", Tier::Scalar, &[], &BitSliced);

struct BitSliced;

/// Positions sliced at a time: planes and keys stay in L1.
const CHUNK: usize = 2048;

impl KeyKernel for BitSliced {
    fn keys(&self, words: &[u64], positions: &[u64], out: &mut [u64]) {
        check_lengths(words, positions, out);
        let width = width(words.iter().fold(0, |or, word| or | word));
        let transpose = transpose();
        for (positions, out) in positions.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
            let planes = Planes::new(transpose, words.len(), positions);
            planes.keys(words, width).write(transpose, out);
        }
    }

    fn keys32(&self, words: &[u32], positions: &[u32], out: &mut [u32]) {
        check_lengths(words, positions, out);
        let words: Vec<u64> = words.iter().map(|word| (*word).into()).collect();
        let mut wide = [[0; CHUNK]; 2];
        for (positions, out) in positions.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
            let [wide, keys] = &mut wide;
            let (wide, keys) = (&mut wide[..positions.len()], &mut keys[..positions.len()]);
            wide.iter_mut().zip(positions).for_each(|(wide, narrow)| *wide = (*narrow).into());
            self.keys(&words, wide, keys);
            out.iter_mut().zip(keys).for_each(|(narrow, wide)| *narrow = *wide as u32);
        }
    }
}

/// Bits of the longest word.
fn width(or: u64) -> usize {
    (64 - or.leading_zeros()) as usize
}

/// The scalar transpose: a wider one would run instructions above this kernel's tier, which
/// `--tier` may have forbidden, and the byte tables would win all the same (see above).
fn transpose() -> &'static dyn PlaneKernel {
    pick(planes::KERNELS, None, Tier::Scalar).expect("the scalar transpose runs anywhere").1
}
