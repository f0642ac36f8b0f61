//! The end of the autocorrelation, register by register: from residues to counts.
//!
//! ```text
//! row   part 0  part 1 … part 7     all stages within each part, in the first-level cache
//!          ╰──────┴────────╯        the stages between parts, and each cell divided
//! ```

use std::array;

use bytemuck::{Pod, must_cast};

use super::modulus::Modulus;
use super::skew::STRIP_CELLS;
use super::steps::butterflies;

/// Parts of a row between which the last stages are made: a power of two apart, they share the
/// sets of the first-level cache, which holds 8 lines or more in each.
const MOST_PARTS: usize = 8;

/// The stages back along a row, those between its eight parts,
/// or fewer if it is short, on the way of the quotients. `back` makes all stages of a part;
/// `quotient(strip, v)` divides and halves cells of that strip.
#[inline(always)]
pub(super) fn counts<V: Pod, const W: usize, const R: usize>(
    row: &mut [u32],
    back: impl Fn(&mut [i32]),
    butterfly: impl Fn(V, V) -> (V, V),
    mut quotient: impl FnMut(usize, V) -> V,
) {
    let parts = (row.len() / (W * R)).clamp(1, MOST_PARTS);
    for part in row.chunks_exact_mut(row.len() / parts) {
        back(bytemuck::must_cast_slice_mut(part));
    }
    match parts {
        8 => last::<V, W, 8>(row, butterfly, &mut quotient),
        4 => last::<V, W, 4>(row, butterfly, &mut quotient),
        2 => last::<V, W, 2>(row, butterfly, &mut quotient),
        _ => last::<V, W, 1>(row, butterfly, &mut quotient),
    }
}

/// The stages between `P` parts of a row, and quotients.
#[expect(clippy::needless_range_loop, reason = "a column runs through all parts")]
#[inline(always)]
fn last<V: Pod, const W: usize, const P: usize>(
    row: &mut [u32],
    butterfly: impl Fn(V, V) -> (V, V),
    quotient: &mut impl FnMut(usize, V) -> V,
) {
    let vectors = row.as_chunks_mut::<W>().0;
    let length = vectors.len() / P;
    let mut parts = vectors.chunks_exact_mut(length);
    let parts: [&mut [[u32; W]]; P] =
        array::from_fn(|_| &mut parts.next().expect("P parts")[..length]);
    for column in 0..length {
        let mut v = [V::zeroed(); P];
        for p in 0..P {
            v[p] = must_cast(parts[p][column]);
        }
        butterflies(&mut v, &butterfly);
        for p in 0..P {
            let strip = (p * length + column) * W / STRIP_CELLS;
            parts[p][column] = must_cast(quotient(strip, v[p]));
        }
    }
}

/// Divides residues by `2^halvings` and then halves; the lowest bit of the result is 1 if some
/// quotient was odd.
#[inline(always)]
pub(super) fn quotients(row: &mut [u32], modulus: Modulus, halvings: u32) -> u32 {
    let mut odd = 0;
    for cell in row {
        let twice = modulus.quotient(*cell as i32, halvings);
        odd |= twice;
        *cell = twice / 2;
    }
    odd
}
