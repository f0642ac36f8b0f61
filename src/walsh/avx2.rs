//! AVX2: 16, 8 or 4 cells a register, radix 8.
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

use super::WalshKernel;
use super::bitmap;
use super::blocked::{Arithmetic, Engine, Work};
use super::modulus::Modulus;
use super::quotients;
use super::skew::{RowSkew, Skew};
use super::squares::{self, Middle};
use super::steps::{self, STRIP_BYTES};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn WalshKernel> =
    Kernel::new("avx2", Tier::Avx2, &["avx2"], &Avx2);

struct Avx2;

/// The engine behind the kernel, if this CPU runs it.
#[cfg(test)]
pub(super) fn engine() -> Option<&'static dyn Engine> {
    KERNEL.get().map(|_| &Avx2 as _)
}

impl Engine for Avx2 {
    #[expect(unsafe_code, reason = "the door asked the CPU for the features")]
    fn run(&self, work: Work<'_, '_>) {
        // SAFETY: nothing outside this file can name an `Avx2`, and whoever holds one
        // has it by way of `KERNEL`'s door, which asked for every feature of `run`.
        unsafe { run(work) }
    }
}

/// A register.
type V = __m256i;
/// Registers in flight.
const R: usize = 8;
/// Registers in a row of a strip.
const S: usize = STRIP_BYTES / size_of::<V>();

#[target_feature(enable = "avx2")]
fn run(work: Work<'_, '_>) {
    match work {
        Work::Along16(row) => {
            let lanes = |_, v: &mut [V; R]| {
                v.iter_mut().for_each(|v| *v = lanes16(*v));
            };
            steps::along::<i16, V, 16, R>(row, 1, lanes, |a, b| sums16(a, b), |v| v);
        }
        Work::Across16(panel) => {
            steps::across::<i16, V, 16, S, R>(panel, |a, b| sums16(a, b), |v| v);
        }
        Work::Along32(row, arithmetic) => match arithmetic {
            Arithmetic::Plain => along32(row, |a, b| sums32(a, b), |v| v),
            Arithmetic::Halving => along32(row, |a, b| means32(a, b), |v| v),
            Arithmetic::Modulo(modulus) if modulus.roomy() => {
                along32(row, |a, b| sums32(a, b), move |v| fold(v, modulus));
            }
            Arithmetic::Modulo(modulus) => along32(row, move |a, b| residues(a, b, modulus), |v| v),
        },
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
            false => steps::across::<i64, V, 4, S, R>(panel, |a, b| sums64(a, b), |v| v),
            true => steps::across::<i64, V, 4, S, R>(panel, |a, b| means64(a, b), |v| v),
        },
        Work::Expand { words, pairs, skew } => {
            bitmap::expand(words, pairs, skew);
            let pairs = bytemuck::must_cast_slice_mut(pairs);
            // The table made all stages inside a register of eight pairs.
            steps::along::<i16, V, 16, R>(pairs, 1, |_, _| {}, |a, b| sums16(a, b), |v| v);
        }
        Work::SquaresNarrow(panel, modulus) => {
            let square = |v| fold(_mm256_madd_epi16(v, v), modulus);
            let fold = move |v| fold(v, modulus);
            let (sums16, sums32) = (|a, b| sums16(a, b), |a, b| sums32(a, b));
            squares::squares_narrow::<V, V, 8, S, R>(panel, sums16, square, sums32, fold);
        }
        Work::SquaresWide { panel, modulus, skew, exact } if modulus.roomy() => {
            middle(panel, modulus, skew, exact, |a, b| sums32(a, b), move |v| fold(v, modulus));
        }
        Work::SquaresWide { panel, modulus, skew, exact } => {
            middle(panel, modulus, skew, exact, move |a, b| residues(a, b, modulus), |v| v);
        }
        Work::Squares(from, to, modulus) => {
            squares::map::<V, 8>(from, to, |v| square(v, modulus));
        }
        Work::Add { cells, more, negative: false, modulus } => {
            squares::merge::<V, 8>(cells, more, |a, b| fold(sums32(a, b).0, modulus));
        }
        Work::Add { cells, more, negative: true, modulus } => {
            squares::merge::<V, 8>(cells, more, |a, b| fold(sums32(a, b).1, modulus));
        }
        Work::Quotients { row, modulus, halvings, odd } => {
            *odd = quotients::quotients(row, modulus, halvings);
        }
        Work::Counts { row, skew, modulus, halvings, odd } => match modulus.roomy() {
            true => {
                let fold = move |v| fold(v, modulus);
                *odd = counts(row, skew, modulus, halvings, |a, b| sums32(a, b), fold);
            }
            false => {
                let butterfly = move |a, b| residues(a, b, modulus);
                *odd = counts(row, skew, modulus, halvings, butterfly, |v| v);
            }
        },
    }
}

#[target_feature(enable = "avx2")]
fn along32(row: &mut [i32], butterfly: impl Fn(V, V) -> (V, V), fold: impl Fn(V) -> V) {
    let lanes = |_, v: &mut [V; R]| v.iter_mut().for_each(|v| *v = lanes32(*v, &butterfly));
    steps::along::<i32, V, 8, R>(row, 1, lanes, &butterfly, fold);
}

#[target_feature(enable = "avx2")]
fn across32(panel: &mut [&mut [i32]], butterfly: impl Fn(V, V) -> (V, V), fold: impl Fn(V) -> V) {
    steps::across::<i32, V, 8, S, R>(panel, butterfly, fold);
}

#[target_feature(enable = "avx2")]
fn along64(row: &mut [i64], butterfly: impl Fn(V, V) -> (V, V)) {
    let lanes = |_, v: &mut [V; R]| v.iter_mut().for_each(|v| *v = lanes64(*v, &butterfly));
    steps::along::<i64, V, 4, R>(row, 1, lanes, &butterfly, |v| v);
}

/// The middle of the autocorrelation at 32 bits.
#[target_feature(enable = "avx2")]
fn middle(
    panel: &mut [&mut [u32]],
    modulus: Modulus,
    skew: Skew,
    exact: usize,
    butterfly: impl Fn(V, V) -> (V, V),
    fold: impl Fn(V) -> V,
) {
    let middle = Middle {
        narrow: |a, b| sums16(a, b),
        halves: |v| {
            (_mm256_srai_epi32::<16>(_mm256_slli_epi32::<16>(v)), _mm256_srai_epi32::<16>(v))
        },
        plain: |a, b| sums32(a, b),
        squares: move |a, b| {
            self::fold(_mm256_add_epi32(square(a, modulus), square(b, modulus)), modulus)
        },
        butterfly,
        fold,
    };
    middle.run::<V, 8, S, R>(panel, skew, exact);
}

/// Back along a row to its counts; the lowest bit of the result is 1 if some was odd.
#[target_feature(enable = "avx2")]
fn counts(
    row: &mut [u32],
    skew: RowSkew,
    modulus: Modulus,
    halvings: u32,
    butterfly: impl Fn(V, V) -> (V, V) + Copy,
    fold: impl Fn(V) -> V + Copy,
) -> u32 {
    let mut odd = _mm256_setzero_si256();
    let back = move |part: &mut [i32]| along32(part, butterfly, fold);
    quotients::counts::<V, 8, R>(row, back, butterfly, |strip, v| {
        let sign = _mm256_set1_epi32(skew.sign(strip));
        let signed = _mm256_sub_epi32(_mm256_xor_si256(v, sign), sign);
        let twice = quotient(signed, modulus, halvings);
        odd = _mm256_or_si256(odd, twice);
        _mm256_srli_epi32::<1>(twice)
    });
    bytemuck::must_cast::<V, [u32; 8]>(odd).into_iter().fold(0, |all, odd| all | odd)
}

/// The butterfly of 16-bit cells.
#[target_feature(enable = "avx2")]
fn sums16(a: V, b: V) -> (V, V) {
    (_mm256_add_epi16(a, b), _mm256_sub_epi16(a, b))
}

/// The butterfly of 32-bit cells.
#[target_feature(enable = "avx2")]
fn sums32(a: V, b: V) -> (V, V) {
    (_mm256_add_epi32(a, b), _mm256_sub_epi32(a, b))
}

/// The butterfly of 64-bit cells.
#[target_feature(enable = "avx2")]
fn sums64(a: V, b: V) -> (V, V) {
    (_mm256_add_epi64(a, b), _mm256_sub_epi64(a, b))
}

/// The halving butterfly of 32-bit cells: `a + b = 2 (a & b) + (a ^ b)`.
#[target_feature(enable = "avx2")]
fn means32(a: V, b: V) -> (V, V) {
    let half = _mm256_srai_epi32::<1>(_mm256_xor_si256(a, b));
    let mean = _mm256_add_epi32(_mm256_and_si256(a, b), half);
    (mean, _mm256_sub_epi32(a, mean))
}

/// The halving butterfly of 64-bit cells.
#[target_feature(enable = "avx2")]
fn means64(a: V, b: V) -> (V, V) {
    // AVX2 has no arithmetic shift of 64 bits: the sign is put back by hand.
    let bits = _mm256_xor_si256(a, b);
    let sign = _mm256_and_si256(bits, _mm256_set1_epi64x(i64::MIN));
    let half = _mm256_or_si256(_mm256_srli_epi64::<1>(bits), sign);
    let mean = _mm256_add_epi64(_mm256_and_si256(a, b), half);
    (mean, _mm256_sub_epi64(a, mean))
}

/// The butterfly of 32-bit residues, both folded.
#[target_feature(enable = "avx2")]
fn residues(a: V, b: V, modulus: Modulus) -> (V, V) {
    let (sum, difference) = sums32(a, b);
    (fold(sum, modulus), fold(difference, modulus))
}

/// [`Modulus::square`] and a fold, lane by lane: even lanes and odd ones.
#[target_feature(enable = "avx2")]
fn square(v: V, modulus: Modulus) -> V {
    let q = _mm_cvtsi32_si128(modulus.q() as i32);
    let mask = _mm256_set1_epi64x(modulus.value().into());
    let reduced = |v| {
        let square = _mm256_mul_epi32(v, v);
        _mm256_add_epi64(_mm256_and_si256(square, mask), _mm256_srl_epi64(square, q))
    };
    let odd = _mm256_slli_epi64::<32>(reduced(_mm256_srli_epi64::<32>(v)));
    fold(_mm256_or_si256(reduced(v), odd), modulus)
}

/// [`Modulus::quotient`], lane by lane.
#[target_feature(enable = "avx2")]
fn quotient(v: V, modulus: Modulus, halvings: u32) -> V {
    let (turn, all) = (halvings % modulus.q(), _mm256_set1_epi32(modulus.value()));
    let [down, up] = [turn, modulus.q() - turn].map(|bits| _mm_cvtsi32_si128(bits as i32));
    let v = fold(fold(v, modulus), modulus);
    let turned = _mm256_or_si256(_mm256_srl_epi32(v, down), _mm256_sll_epi32(v, up));
    let turned = _mm256_and_si256(turned, all);
    _mm256_min_epu32(turned, _mm256_sub_epi32(turned, all))
}

/// [`Modulus::fold`], lane by lane.
#[target_feature(enable = "avx2")]
fn fold(v: V, modulus: Modulus) -> V {
    let low = _mm256_and_si256(v, _mm256_set1_epi32(modulus.value()));
    _mm256_add_epi32(low, _mm256_sra_epi32(v, _mm_cvtsi32_si128(modulus.q() as i32)))
}

/// All stages inside a register of 16-bit cells.
#[target_feature(enable = "avx2")]
fn lanes16(v: V) -> V {
    let (sum, difference) = sums16(swap16(v), v);
    let v = _mm256_blend_epi16::<0xAA>(sum, difference);
    let (sum, difference) = sums16(swap32(v), v);
    let v = _mm256_blend_epi16::<0xCC>(sum, difference);
    let (sum, difference) = sums16(swap64(v), v);
    let v = _mm256_blend_epi16::<0xF0>(sum, difference);
    let (sum, difference) = sums16(swap128(v), v);
    _mm256_blend_epi32::<0xF0>(sum, difference)
}

/// All stages inside a register of 32-bit cells.
#[target_feature(enable = "avx2")]
fn lanes32(v: V, butterfly: impl Fn(V, V) -> (V, V)) -> V {
    let (sum, difference) = butterfly(swap32(v), v);
    let v = _mm256_blend_epi32::<0xAA>(sum, difference);
    let (sum, difference) = butterfly(swap64(v), v);
    let v = _mm256_blend_epi32::<0xCC>(sum, difference);
    let (sum, difference) = butterfly(swap128(v), v);
    _mm256_blend_epi32::<0xF0>(sum, difference)
}

/// All stages inside a register of 64-bit cells.
#[target_feature(enable = "avx2")]
fn lanes64(v: V, butterfly: impl Fn(V, V) -> (V, V)) -> V {
    let (sum, difference) = butterfly(swap64(v), v);
    let v = _mm256_blend_epi32::<0xCC>(sum, difference);
    let (sum, difference) = butterfly(swap128(v), v);
    _mm256_blend_epi32::<0xF0>(sum, difference)
}

/// Exchanges neighbouring runs of 16 bits.
#[target_feature(enable = "avx2")]
fn swap16(v: V) -> V {
    let low = _mm256_shufflelo_epi16::<0b10_11_00_01>(v);
    _mm256_shufflehi_epi16::<0b10_11_00_01>(low)
}

/// Exchanges neighbouring runs of 32 bits.
#[target_feature(enable = "avx2")]
fn swap32(v: V) -> V {
    _mm256_shuffle_epi32::<0b10_11_00_01>(v)
}

/// Exchanges neighbouring runs of 64 bits.
#[target_feature(enable = "avx2")]
fn swap64(v: V) -> V {
    _mm256_shuffle_epi32::<0b01_00_11_10>(v)
}

/// Exchanges the halves.
#[target_feature(enable = "avx2")]
fn swap128(v: V) -> V {
    _mm256_permute2x128_si256::<0x01>(v, v)
}
