//! Arithmetic modulo `2^q − 1`: how the inverse transform stays at 32 bits.
//!
//! The modulus is odd, so 2 has an inverse and the transform can be undone;
//! nothing here needs it to be prime. Since `2^q = 1`, what stands above bit
//! `q` is added below it, and multiplying or dividing by a power of two turns
//! the `q` bits round:
//!
//! ```text
//! q = 4, modulus 15:   fold  1 0110 → 0110 + 1 = 0111      22 mod 15 = 7
//!                      7 / 2 : 0111 turned right by 1 = 1011 = 11,   2·11 = 22
//! ```
//!
//! Headroom. [`Modulus::fold`] takes *any* `i32` to one of size below
//! `2^q + 2^(31−q)`; each stage of the transform at most doubles the size; so
//! with `16 ≤ q ≤ 29` a fold leaves room for `30 − q` stages, and one stage at least.

/// The modulus `2^q − 1`, `16 ≤ q ≤ 29`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modulus {
    q: u32,
}

/// Stages that kernels make between two folds where the modulus leaves the room.
const STEP: u32 = 4;

impl Modulus {
    pub(super) const MIN_Q: u32 = 16;
    pub(super) const MAX_Q: u32 = 29;

    /// The largest value that some modulus tells from all smaller ones.
    pub const LARGEST: u64 = (1 << Self::MAX_Q) - 2;

    /// The least modulus above `value`, if there is one.
    pub fn above(value: u64) -> Option<Self> {
        (value <= Self::LARGEST)
            .then(|| Self { q: (value + 1).next_power_of_two().ilog2() })
            .map(|least| if (1 << least.q) - 1 > value { least } else { Self { q: least.q + 1 } })
            .map(|least| Self { q: least.q.max(Self::MIN_Q) })
    }

    /// The exponent `q`.
    pub fn q(self) -> u32 {
        self.q
    }

    /// The number itself, which is also the mask of the low `q` bits.
    #[inline(always)]
    pub fn value(self) -> i32 {
        (1 << self.q) - 1
    }

    /// Whether one fold is enough for four stages.
    pub(super) fn roomy(self) -> bool {
        30 - self.q >= STEP
    }

    /// A congruent number of size below `2^q + 2^(31−q)`.
    #[inline(always)]
    pub(super) fn fold(self, value: i32) -> i32 {
        (value & self.value()) + (value >> self.q)
    }

    /// The square of a number of size below `2^q`, as a number below `2^(q+1)`.
    #[inline(always)]
    pub(super) fn square(self, value: i32) -> i32 {
        let square = (i64::from(value) * i64::from(value)) as u64;
        ((square & self.value() as u64) + (square >> self.q)) as i32
    }

    /// `value / 2^halvings`, in `0..modulus`.
    #[inline(always)]
    pub fn quotient(self, value: i32, halvings: u32) -> u32 {
        // A second fold of what was folded lies in 0..=modulus.
        let value = self.fold(self.fold(value)) as u32;
        let turn = halvings % self.q;
        let turned = (value >> turn | value << (self.q - turn)) & self.value() as u32;
        // The modulus itself stands for 0.
        turned.min(turned.wrapping_sub(self.value() as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i32; 9] =
        [0, 1, -1, 2, i32::MAX, i32::MIN, i32::MAX - 1, i32::MIN + 1, 0x5555_5555];

    #[test]
    fn the_least_modulus_above() {
        let q = |value| Modulus::above(value).map(Modulus::q);
        assert_eq!((q(0), q(65_534), q(65_535)), (Some(16), Some(16), Some(17)));
        assert_eq!(
            (q((1 << 20) - 2), q((1 << 20) - 1), q(1 << 20)),
            (Some(20), Some(21), Some(21))
        );
        assert_eq!((q(Modulus::LARGEST), q(Modulus::LARGEST + 1)), (Some(29), None));
    }

    #[test]
    fn folds_are_congruent_and_small_and_quotients_undo_doubling() {
        for q in Modulus::MIN_Q..=Modulus::MAX_Q {
            let modulus = Modulus { q };
            let m = i64::from(modulus.value());
            for near in
                EDGES.into_iter().chain([1 << q, -1 << q, modulus.value(), -modulus.value()])
            {
                for value in [near, near.wrapping_add(1), near.wrapping_sub(1)] {
                    let folded = i64::from(modulus.fold(value));
                    assert_eq!((folded - i64::from(value)) % m, 0, "{value} modulo 2^{q} - 1");
                    let bound = (1i64 << q) + (1 << (31 - q));
                    assert!(folded.abs() <= bound && bound << (30 - q) <= i64::from(i32::MAX));
                    for halvings in 0..64 {
                        let quotient = i64::from(modulus.quotient(value, halvings));
                        assert!((0..m).contains(&quotient));
                        let back = (0..halvings).fold(quotient, |x, _| 2 * x % m);
                        assert_eq!(back, i64::from(value).rem_euclid(m));
                    }
                    let root = i64::from(value) % m;
                    let square = i64::from(modulus.square(root as i32));
                    assert!(square < 2 << q && (square - root * root) % m == 0);
                }
            }
        }
    }
}
