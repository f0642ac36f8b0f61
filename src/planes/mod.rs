//! Bit-sliced positions: one bit-plane per square over all positions.
//!
//! ```text
//! positions  0b011   squares 0, 1        plane 0  ..001   bit i of plane s is
//!            0b110   squares 1, 2   ◄─►  plane 1  ..011   bit s of position i
//!            0b000                       plane 2  ..010
//! ```
//!
//! In this form one vector operation serves as many positions as it has bits:
//! bit `j` of the XOR keys of all positions is the XOR of the planes whose
//! word has bit `j`.
//!
//! Both directions are the same bit-matrix transpose of 64 × 64 blocks, and
//! that transpose is what the kernels of this family provide. Callers who keep
//! positions as planes pick the fastest. The key kernel `planes` takes the scalar
//! one, being of the scalar tier itself.

mod oracle;
mod scalar;
mod wide;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use crate::tier::Kernel;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::BYTES_TO_WORDS;

/// A 64 × 64 bit matrix: bit `c` of word `r` is the entry of row `r`, column `c`.
pub type Block = [u64; 64];

/// A way to transpose bit matrices.
pub trait PlaneKernel: Sync {
    /// Transposes each block in place: bit `c` of word `r` and bit `r` of word
    /// `c` change places. Doing it twice changes nothing.
    fn transpose(&self, blocks: &mut [Block]);
}

/// Every kernel of the family, the oracle first and the fastest last.
pub static KERNELS: &[Kernel<dyn PlaneKernel>] = &[
    oracle::KERNEL,
    scalar::KERNEL,
    wide::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx2::KERNEL,
    #[cfg(target_arch = "x86_64")]
    avx512::KERNEL,
];

/// Words a plane is rounded up to: 512 bits, the widest vector.
const ROUND: usize = 8;

/// A list of positions, bit-sliced.
///
/// Planes are padded to whole 512-bit groups, and the padding is zero, so that
/// whole vectors may be read and popcounts need no mask.
///
/// ```
/// use zobrist_lab::planes::{KERNELS, Planes};
/// let kernel = KERNELS[0].get().unwrap();
/// let planes = Planes::new(kernel, 3, &[0b011, 0b110, 0b000]);
/// assert_eq!([planes.plane(0)[0], planes.plane(1)[0], planes.plane(2)[0]], [0b001, 0b011, 0b010]);
/// assert_eq!(planes.positions(kernel), [0b011, 0b110, 0b000]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planes {
    features: usize,
    len: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Planes {
    /// Slices `positions`, which have no bit at or above `features` (at most 64).
    ///
    /// # Panics
    /// If a position has such a bit.
    pub fn new(kernel: &dyn PlaneKernel, features: usize, positions: &[u64]) -> Self {
        let mut planes = Self::zero(features, positions.len());
        let mut blocks = [[0; 64]; ROUND];
        for (group, chunk) in positions.chunks(64 * ROUND).enumerate() {
            let seen = chunk.iter().fold(0, |seen, position| seen | position);
            assert!(
                features == 64 || seen >> features == 0,
                "squares {seen:#x} in positions of {features} features"
            );
            let flat = blocks.as_flattened_mut();
            flat[..chunk.len()].copy_from_slice(chunk);
            flat[chunk.len()..].fill(0);
            kernel.transpose(&mut blocks);
            for square in 0..features {
                let plane = &mut planes.bits[square * planes.words + group * ROUND..][..ROUND];
                for (word, block) in plane.iter_mut().zip(&blocks) {
                    *word = block[square];
                }
            }
        }
        planes
    }

    /// All-zero planes for `len` positions of `features` features: that many
    /// times the empty position.
    pub fn zero(features: usize, len: usize) -> Self {
        assert!(features <= 64, "{features} features do not fit a u64");
        let words = len.div_ceil(64).next_multiple_of(ROUND);
        Self { features, len, words, bits: vec![0; features * words] }
    }

    /// The positions again, in their order.
    pub fn positions(&self, kernel: &dyn PlaneKernel) -> Vec<u64> {
        let mut positions = vec![0; self.len];
        self.write(kernel, &mut positions);
        positions
    }

    /// Writes the positions, in their order, over `out`, which is of [`Planes::len`].
    pub fn write(&self, kernel: &dyn PlaneKernel, out: &mut [u64]) {
        assert_eq!(out.len(), self.len, "one word a position");
        for (group, chunk) in out.chunks_mut(64 * ROUND).enumerate() {
            let mut blocks = [[0; 64]; ROUND];
            for square in 0..self.features {
                let plane = &self.bits[square * self.words + group * ROUND..][..ROUND];
                for (block, word) in blocks.iter_mut().zip(plane) {
                    block[square] = *word;
                }
            }
            kernel.transpose(&mut blocks);
            chunk.copy_from_slice(&blocks.as_flattened()[..chunk.len()]);
        }
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of planes: features a position may have.
    pub fn features(&self) -> usize {
        self.features
    }

    /// The plane of one square: bit `i % 64` of word `i / 64` is that of
    /// position `i`. Its length is a multiple of 8; bits past the last
    /// position are zero.
    pub fn plane(&self, square: usize) -> &[u64] {
        assert!(square < self.features, "plane {square} of {}", self.features);
        &self.bits[square * self.words..][..self.words]
    }

    /// The planes of the XOR keys: plane `j` holds bit `j` of every position's
    /// key, for keys of `width` bits under `words`, one word a feature.
    ///
    /// # Panics
    /// If `words` is not of [`Planes::features`] words.
    pub fn keys(&self, words: &[u64], width: usize) -> Self {
        assert_eq!(words.len(), self.features, "one word a feature");
        let mut keys = Self::zero(width, self.len);
        if self.words == 0 {
            return keys;
        }
        for (bit, key) in keys.bits.chunks_exact_mut(self.words).enumerate() {
            for (word, plane) in words.iter().zip(self.bits.chunks_exact(self.words)) {
                if word >> bit & 1 == 1 {
                    key.iter_mut().zip(plane).for_each(|(key, plane)| *key ^= plane);
                }
            }
        }
        keys
    }
}

#[cfg(test)]
mod tests;
