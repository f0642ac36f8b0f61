//! AVX-512: 32, 16 or 8 cells a register, radix 16.
//!
//! A stage inside a register exchanges partners by a shuffle and keeps the sum
//! where the lane's bit is clear and the difference where it is set:
//!
//! ```text
//! v        a    b    c    d
//! partner  b    a    d    c
//!          a+b  a−b  c+d  c−d      partner − v where the bit is set
//! ```

use std::arch::x86_64::*;
use std::array;

use super::WalshKernel;
use super::bitmap::WORD_CELLS;
use super::blocked::{Arithmetic, Engine, Work};
use super::modulus::Modulus;
use super::quotients;
use super::skew::{RowSkew, STRIP_CELLS};
use super::squares::{self, Middle};
use super::steps::{self, STRIP_BYTES};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn WalshKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f", "avx512bw", "avx512bitalg"], &Avx512);

struct Avx512;

/// The engine behind the kernel, if this CPU runs it.
#[cfg(test)]
pub(super) fn engine() -> Option<&'static dyn Engine> {
    KERNEL.get().map(|_| &Avx512 as _)
}

impl Engine for Avx512 {
    #[expect(unsafe_code, reason = "the door asked the CPU for the features")]
    fn run(&self, work: Work<'_, '_>) {
        // SAFETY: nothing outside this file can name an `Avx512`, and whoever holds one
        // has it by way of `KERNEL`'s door, which asked for every feature of `run`.
        unsafe { run(work) }
    }
}

/// A register.
type V = __m512i;
/// Registers in flight.
const R: usize = 16;
/// Registers in a row of a strip.
const S: usize = STRIP_BYTES / size_of::<V>();

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn run(work: Work<'_, '_>) {
    match work {
        Work::Along16(row) => {
            let lanes = |_, v: &mut [V; R]| {
                v.iter_mut().for_each(|v| *v = lanes16(*v));
            };
            steps::along::<i16, V, 32, R>(row, 1, lanes, |a, b| sums16(a, b), |v| v);
        }
        Work::Across16(panel) => {
            steps::across::<i16, V, 32, S, R>(panel, |a, b| sums16(a, b), |v| v);
        }
        Work::Along32(row, Arithmetic::Plain) => along32(row, |v| v),
        Work::Along32(row, Arithmetic::Halving) => along32_by(row, |a, b| means32(a, b)),
        Work::Along32(row, Arithmetic::Modulo(modulus)) if modulus.roomy() => {
            along32(row, move |v| fold(v, modulus));
        }
        Work::Along32(row, Arithmetic::Modulo(modulus)) => {
            along32_by(row, move |a, b| residues(a, b, modulus));
        }
        Work::Across32(panel, arithmetic) => match arithmetic {
            Arithmetic::Plain => across32(panel, |a, b| sums32(a, b), |v| v),
            Arithmetic::Halving => across32(panel, |a, b| means32(a, b), |v| v),
            Arithmetic::Modulo(modulus) if modulus.roomy() => {
                across32(panel, |a, b| sums32(a, b), move |v| fold(v, modulus));
            }
            Arithmetic::Modulo(modulus) => {
                across32(panel, move |a, b| residues(a, b, modulus), |v| v);
            }
        },
        Work::Along64(row, halving) => match halving {
            false => along64(row, |a, b| sums64(a, b)),
            true => along64(row, |a, b| means64(a, b)),
        },
        Work::Across64(panel, halving) => match halving {
            false => steps::across::<i64, V, 8, S, R>(panel, |a, b| sums64(a, b), |v| v),
            true => steps::across::<i64, V, 8, S, R>(panel, |a, b| means64(a, b), |v| v),
        },
        Work::Expand { words, pairs, skew } => {
            let pairs = bytemuck::must_cast_slice_mut(pairs);
            let (words, _) = words.as_chunks::<R>();
            let sizes = sizes();
            if skew == RowSkew::NONE {
                let lanes = |group: usize, v: &mut [V; R]| {
                    for (v, word) in v.iter_mut().zip(words[group]) {
                        *v = first_stages(word as i32, sizes[0]);
                    }
                };
                return steps::along::<i16, V, 32, R>(pairs, 1, lanes, |a, b| sums16(a, b), |v| v);
            }
            let sign = |vector: usize| skew.sign(vector * WORD_CELLS / STRIP_CELLS);
            let pattern: V = bytemuck::must_cast::<[i32; R], V>(array::from_fn(sign));
            let lanes = |group: usize, v: &mut [V; R]| {
                // The signs of a group are those of the first group, or all the others.
                let signs = _mm512_xor_si512(pattern, _mm512_set1_epi32(sign(group * R)));
                let words = _mm512_xor_si512(bytemuck::must_cast(words[group]), signs);
                let [signs, words]: [[i32; R]; 2] = [signs, words].map(bytemuck::must_cast);
                for at in 0..R {
                    v[at] = first_stages(words[at], sizes[(signs[at] & 1) as usize]);
                }
            };
            steps::along::<i16, V, 32, R>(pairs, 1, lanes, |a, b| sums16(a, b), |v| v);
        }
        Work::SquaresNarrow(panel, modulus) => {
            let square = |v| fold(_mm512_madd_epi16(v, v), modulus);
            let fold = move |v| fold(v, modulus);
            let (sums16, sums32) = (|a, b| sums16(a, b), |a, b| sums32(a, b));
            squares::squares_narrow::<V, V, 16, S, R>(panel, sums16, square, sums32, fold);
        }
        Work::SquaresWide { panel, modulus, skew, exact } if modulus.roomy() => {
            let middle = Middle {
                narrow: |a, b| sums16(a, b),
                halves: |v| halves(v),
                plain: |a, b| sums32(a, b),
                squares: move |a, b| squares_roomy(a, b, modulus),
                butterfly: |a, b| sums32(a, b),
                fold: move |v| fold(v, modulus),
            };
            middle.run::<V, 16, S, R>(panel, skew, exact);
        }
        Work::SquaresWide { panel, modulus, skew, exact } => {
            let middle = Middle {
                narrow: |a, b| sums16(a, b),
                halves: |v| halves(v),
                plain: |a, b| sums32(a, b),
                squares: move |a, b| {
                    fold(_mm512_add_epi32(square(a, modulus), square(b, modulus)), modulus)
                },
                butterfly: move |a, b| residues(a, b, modulus),
                fold: |v| v,
            };
            middle.run::<V, 16, S, R>(panel, skew, exact);
        }
        Work::Squares(from, to, modulus) => {
            squares::map::<V, 16>(from, to, |v| square(v, modulus));
        }
        Work::Add { cells, more, negative: false, modulus } => {
            squares::merge::<V, 16>(cells, more, |a, b| fold(sums32(a, b).0, modulus));
        }
        Work::Add { cells, more, negative: true, modulus } => {
            squares::merge::<V, 16>(cells, more, |a, b| fold(sums32(a, b).1, modulus));
        }
        Work::Quotients { row, modulus, halvings, odd } => {
            *odd = quotients::quotients(row, modulus, halvings);
        }
        Work::Counts { row, skew, modulus, halvings, odd } if modulus.roomy() => {
            let back = move |part: &mut [i32]| along32(part, move |v| fold(v, modulus));
            *odd = counts(row, skew, modulus, halvings, back, |a, b| sums32(a, b));
        }
        Work::Counts { row, skew, modulus, halvings, odd } => {
            let back =
                move |part: &mut [i32]| along32_by(part, move |a, b| residues(a, b, modulus));
            *odd = counts(row, skew, modulus, halvings, back, move |a, b| residues(a, b, modulus));
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn along32(row: &mut [i32], fold: impl Fn(V) -> V) {
    let lanes = |_, v: &mut [V; R]| v.iter_mut().for_each(|v| *v = lanes32(*v));
    steps::along::<i32, V, 16, R>(row, 1, lanes, |a, b| sums32(a, b), fold);
}

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn along32_by(row: &mut [i32], butterfly: impl Fn(V, V) -> (V, V)) {
    let lanes = |_, v: &mut [V; R]| v.iter_mut().for_each(|v| *v = lanes32_by(*v, &butterfly));
    steps::along::<i32, V, 16, R>(row, 1, lanes, &butterfly, |v| v);
}

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn across32(panel: &mut [&mut [i32]], butterfly: impl Fn(V, V) -> (V, V), fold: impl Fn(V) -> V) {
    steps::across::<i32, V, 16, S, R>(panel, butterfly, fold);
}

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn along64(row: &mut [i64], butterfly: impl Fn(V, V) -> (V, V)) {
    let lanes = |_, v: &mut [V; R]| v.iter_mut().for_each(|v| *v = lanes64(*v, &butterfly));
    steps::along::<i64, V, 8, R>(row, 1, lanes, &butterfly, |v| v);
}

/// Back along a row to its counts; the lowest bit of the result is 1 if some was odd.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn counts(
    row: &mut [u32],
    skew: RowSkew,
    modulus: Modulus,
    halvings: u32,
    back: impl Fn(&mut [i32]),
    butterfly: impl Fn(V, V) -> (V, V),
) -> u32 {
    let mut odd = _mm512_setzero_si512();
    let count = |odd: &mut V, v| {
        let twice = quotient(v, modulus, halvings);
        *odd = _mm512_or_si512(*odd, twice);
        _mm512_srli_epi32::<1>(twice)
    };
    if skew == RowSkew::NONE {
        quotients::counts::<V, 16, R>(row, back, butterfly, |_, v| count(&mut odd, v));
    } else {
        quotients::counts::<V, 16, R>(row, back, butterfly, |strip, v| {
            let sign = _mm512_set1_epi32(skew.sign(strip));
            count(&mut odd, _mm512_sub_epi32(_mm512_xor_si512(v, sign), sign))
        });
    }
    _mm512_reduce_or_epi32(odd) as u32
}

/// The halves of pairs, as 32 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn halves(v: V) -> (V, V) {
    (_mm512_srai_epi32::<16>(_mm512_slli_epi32::<16>(v)), _mm512_srai_epi32::<16>(v))
}

/// The butterfly of 16-bit cells.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn sums16(a: V, b: V) -> (V, V) {
    (_mm512_add_epi16(a, b), _mm512_sub_epi16(a, b))
}

/// The butterfly of 32-bit cells.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn sums32(a: V, b: V) -> (V, V) {
    (_mm512_add_epi32(a, b), _mm512_sub_epi32(a, b))
}

/// The butterfly of 64-bit cells.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn sums64(a: V, b: V) -> (V, V) {
    (_mm512_add_epi64(a, b), _mm512_sub_epi64(a, b))
}

/// The halving butterfly of 32-bit cells: `a + b = 2 (a & b) + (a ^ b)`.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn means32(a: V, b: V) -> (V, V) {
    let half = _mm512_srai_epi32::<1>(_mm512_xor_si512(a, b));
    let mean = _mm512_add_epi32(_mm512_and_si512(a, b), half);
    (mean, _mm512_sub_epi32(a, mean))
}

/// The halving butterfly of 64-bit cells.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn means64(a: V, b: V) -> (V, V) {
    let half = _mm512_srai_epi64::<1>(_mm512_xor_si512(a, b));
    let mean = _mm512_add_epi64(_mm512_and_si512(a, b), half);
    (mean, _mm512_sub_epi64(a, mean))
}

/// The butterfly of 32-bit residues, both folded.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn residues(a: V, b: V, modulus: Modulus) -> (V, V) {
    let (sum, difference) = sums32(a, b);
    (fold(sum, modulus), fold(difference, modulus))
}

/// [`Modulus::square`] and a fold, lane by lane: even lanes and odd ones.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn square(v: V, modulus: Modulus) -> V {
    let q = _mm_cvtsi32_si128(modulus.q() as i32);
    let mask = _mm512_set1_epi64(modulus.value().into());
    let reduced = |v| {
        let square = _mm512_mul_epi32(v, v);
        _mm512_add_epi64(_mm512_and_si512(square, mask), _mm512_srl_epi64(square, q))
    };
    let odd = _mm512_slli_epi64::<32>(reduced(_mm512_srli_epi64::<32>(v)));
    fold(_mm512_or_si512(reduced(v), odd), modulus)
}

/// The sum of two squares, folded, of numbers whose sizes add up to less than a roomy modulus.
///
/// How often `2^q − 1` is to be taken away is estimated by floats. Their squares and sum are
/// off by `2^-22` of at most `2^(2q)`, so the estimate by `2^(q − 22)` and a rounding, less
/// than 17 where `q ≤ 26`. What is left is below `18 · 2^26 < 2^31` in size: 32 bits tell it.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn squares_roomy(a: V, b: V, modulus: Modulus) -> V {
    let [x, y] = [a, b].map(|v| _mm512_cvtepi32_ps(v));
    let scale = _mm512_set1_ps(1.0 / (1u32 << modulus.q()) as f32);
    let sum = _mm512_fmadd_ps(x, x, _mm512_mul_ps(y, y));
    let times = _mm512_cvtps_epi32(_mm512_mul_ps(sum, scale));
    let low = _mm512_add_epi32(_mm512_mullo_epi32(a, a), _mm512_mullo_epi32(b, b));
    let q = _mm_cvtsi32_si128(modulus.q() as i32);
    let rest = _mm512_sub_epi32(low, _mm512_sub_epi32(_mm512_sll_epi32(times, q), times));
    fold(rest, modulus)
}

/// [`Modulus::quotient`], lane by lane.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn quotient(v: V, modulus: Modulus, halvings: u32) -> V {
    let (turn, all) = (halvings % modulus.q(), _mm512_set1_epi32(modulus.value()));
    let [down, up] = [turn, modulus.q() - turn].map(|bits| _mm_cvtsi32_si128(bits as i32));
    let v = fold(fold(v, modulus), modulus);
    let turned = _mm512_or_si512(_mm512_srl_epi32(v, down), _mm512_sll_epi32(v, up));
    let turned = _mm512_and_si512(turned, all);
    _mm512_min_epu32(turned, _mm512_sub_epi32(turned, all))
}

/// [`Modulus::fold`], lane by lane.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn fold(v: V, modulus: Modulus) -> V {
    let low = _mm512_and_si512(v, _mm512_set1_epi32(modulus.value()));
    _mm512_add_epi32(low, _mm512_sra_epi32(v, _mm_cvtsi32_si128(modulus.q() as i32)))
}

/// The cells of 16 that count negatively in the four lowest stages, at each `u`, for two movers.
const NEGATIVE: [[u16; 2]; 16] = {
    let mut masks = [[0; 2]; 16];
    let mut at = 0;
    while at < 256 {
        let (u, x): (usize, usize) = (at / 16, at % 16);
        if (u & x).count_ones() % 2 == 1 {
            masks[u][0] |= 1 << x;
            masks[u][1] |= 1 << x;
        }
        at += 1;
    }
    masks
};

/// How many cells of 16 count negatively at each `u`, and how many do not.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn sizes() -> [V; 2] {
    let negative: V = bytemuck::must_cast(NEGATIVE);
    [negative, _mm512_xor_si512(negative, _mm512_set1_epi16(-1))].map(|v| _mm512_popcnt_epi16(v))
}

/// The four lowest stages of 16 cells of two movers, from their bits and the number of cells
/// that count negatively.
///
/// These are a mask `m` of 8 of the 16 (none at `u = 0`), and `|w \ m| − |w & m| =
/// |w ^ m| − |m|` for the set bits of any word `w`. With all bits of `w` exchanged and the
/// number of cells outside `m`, it is the same negated.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn first_stages(word: i32, size: V) -> V {
    let differing = _mm512_xor_si512(_mm512_set1_epi32(word), bytemuck::must_cast(NEGATIVE));
    _mm512_sub_epi16(_mm512_popcnt_epi16(differing), size)
}

/// All stages inside a register of 16-bit cells.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn lanes16(v: V) -> V {
    let (sum, difference) = sums16(_mm512_rol_epi32::<16>(v), v);
    let v = _mm512_mask_blend_epi16(0xAAAA_AAAA, sum, difference);
    let (sum, difference) = sums16(swap32(v), v);
    let v = _mm512_mask_blend_epi16(0xCCCC_CCCC, sum, difference);
    let (sum, difference) = sums16(swap64(v), v);
    let v = _mm512_mask_blend_epi16(0xF0F0_F0F0, sum, difference);
    let (sum, difference) = sums16(swap128(v), v);
    let v = _mm512_mask_blend_epi16(0xFF00_FF00, sum, difference);
    let (sum, difference) = sums16(swap256(v), v);
    _mm512_mask_blend_epi16(0xFFFF_0000, sum, difference)
}

/// All stages inside a register of 32-bit cells: see [`sums32`].
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn lanes32(v: V) -> V {
    let stage =
        |mask, partner, v| _mm512_mask_sub_epi32(_mm512_add_epi32(partner, v), mask, partner, v);
    let v = stage(0xAAAA, swap32(v), v);
    let v = stage(0xCCCC, swap64(v), v);
    let v = stage(0xF0F0, swap128(v), v);
    stage(0xFF00, swap256(v), v)
}

/// The same with another butterfly.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn lanes32_by(v: V, butterfly: impl Fn(V, V) -> (V, V)) -> V {
    let stage = |mask, partner, v| {
        let (sum, difference) = butterfly(partner, v);
        _mm512_mask_blend_epi32(mask, sum, difference)
    };
    let v = stage(0xAAAA, swap32(v), v);
    let v = stage(0xCCCC, swap64(v), v);
    let v = stage(0xF0F0, swap128(v), v);
    stage(0xFF00, swap256(v), v)
}

/// All stages inside a register of 64-bit cells.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn lanes64(v: V, butterfly: impl Fn(V, V) -> (V, V)) -> V {
    let (sum, difference) = butterfly(swap64(v), v);
    let v = _mm512_mask_blend_epi64(0xAA, sum, difference);
    let (sum, difference) = butterfly(swap128(v), v);
    let v = _mm512_mask_blend_epi64(0xCC, sum, difference);
    let (sum, difference) = butterfly(swap256(v), v);
    _mm512_mask_blend_epi64(0xF0, sum, difference)
}

/// Exchanges neighbouring runs of 32 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn swap32(v: V) -> V {
    _mm512_shuffle_epi32::<0b10_11_00_01>(v)
}

/// Exchanges neighbouring runs of 64 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn swap64(v: V) -> V {
    _mm512_shuffle_epi32::<0b01_00_11_10>(v)
}

/// Exchanges neighbouring runs of 128 bits.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn swap128(v: V) -> V {
    _mm512_shuffle_i64x2::<0b10_11_00_01>(v, v)
}

/// Exchanges the halves.
#[target_feature(enable = "avx512f,avx512bw,avx512bitalg")]
fn swap256(v: V) -> V {
    _mm512_shuffle_i64x2::<0b01_00_11_10>(v, v)
}
