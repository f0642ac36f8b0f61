//! The translate kernel on AVX-512: rows of 1,024 bits, two registers each.
//!
//! A translate by `x` moves bit `i` to `i ^ x`. Its ten bits act one after
//! another:
//!
//! ```text
//! x = 9 | 8 7 6 5 4 3 | 2 1 0
//!     │        │          └ inside each byte: GF2P8AFFINEQB by a permutation matrix
//!     │        └─────────── bytes of a register: VPERMB by the index i ^ (x >> 3)
//!     └──────────────────── the two registers change places
//! ```
//!
//! One index and one matrix serve both registers, and a full adder is two
//! VPTERNLOGQ. Rows of 512 bits, one register, need as many registers' worth
//! of translates on 4x5 but twice the indices and matrices; rows of 2,048 bits
//! need an eighth more translates.

use std::arch::x86_64::*;

use super::blocks::{self, Blocks, Partners, Row};
use super::{PairKernel, Prepared};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f", "avx512bw", "avx512vbmi", "gfni"], &Avx512);

struct Avx512;

impl PairKernel for Avx512 {
    fn prepare(&self, reduced: Vec<u32>, length: usize) -> Box<dyn Prepared> {
        blocks::prepare(reduced, length, Steps::new, |blocks, steps, first, cells| {
            #[expect(unsafe_code, reason = "the one call from plain to AVX-512 code")]
            // SAFETY: `Kernel::get` hands out an `Avx512` only on a CPU with these features.
            unsafe {
                by_blocks(blocks, steps, first, cells);
            }
        })
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn by_blocks(blocks: &Blocks<WORDS>, steps: &Steps, first: u32, cells: &mut [u32]) {
    blocks::each_high(blocks, first, cells, |partners, counts| {
        let planes = count(steps, blocks.rows(), partners).map(bytemuck::must_cast);
        let used = planes.iter().rposition(|plane| *plane != [0; WORDS]).map_or(0, |top| top + 1);
        blocks::write_counts(&planes.map(Row)[..used], counts);
    });
}

/// Words of a row.
const WORDS: usize = 16;
/// A row in two registers.
type Double = [__m512i; 2];
/// Planes of a count: it is at most the number of positions.
const PLANES: usize = 32;

/// How to translate within a register: the entries of [`BYTES`] and [`BITS`].
#[derive(Clone, Copy)]
struct Step {
    byte: u16,
    bit: u16,
}

/// The members of every block as steps, by fours.
struct Steps {
    fours: Vec<[Step; 4]>,
    /// Where each block's fours begin and where those with bit 9 set do:
    /// two entries a block, and the end.
    starts: Vec<usize>,
}

impl Steps {
    fn new(blocks: &Blocks<WORDS>) -> Self {
        let mut steps = Self { fours: vec![], starts: vec![0] };
        for rank in 0..blocks.len() {
            let members = blocks.members(rank);
            let (low, high) = members.split_at(members.partition_point(|member| *member < 512));
            for half in [low, high] {
                steps.fours.extend(half.chunks(4).map(|members| {
                    let mut four = [Step { byte: 0, bit: NO_BIT }; 4];
                    for (step, member) in four.iter_mut().zip(members) {
                        *step = Step { byte: member >> 3 & 63, bit: member & 7 };
                    }
                    four
                }));
                steps.starts.push(steps.fours.len());
            }
        }
        steps
    }
}

/// The planes of the counts of all `partners`.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn count(steps: &Steps, rows: &[Row<WORDS>], partners: &[Partners]) -> [Double; PLANES] {
    let zero = [_mm512_setzero_si512(); 2];
    let mut planes = [zero; PLANES];
    let (mut ones, mut twos) = (zero, zero);
    let mut sixteen = [zero; 16];
    let mut full = 0;
    for Partners { smaller, larger } in partners {
        let mut row: Double = bytemuck::must_cast(rows[*larger as usize].0);
        let starts = &steps.starts[2 * *smaller as usize..][..3];
        for half in starts.windows(2) {
            for four in &steps.fours[half[0]..half[1]] {
                let [a, b, c, d] = [0, 1, 2, 3].map(|index| translated(row, &four[index]));
                let (sum, carry_1) = add(ones, a, b);
                let carry_2;
                (ones, carry_2) = add(sum, c, d);
                (twos, sixteen[full]) = add(twos, carry_1, carry_2);
                full += 1;
                if full == sixteen.len() {
                    add_sixteen(&mut planes, &sixteen);
                    full = 0;
                }
            }
            row.swap(0, 1);
        }
    }
    sixteen[full..].fill(zero);
    add_sixteen(&mut planes, &sixteen);
    [planes[0], planes[1]] = [ones, twos];
    planes
}

/// The row with each register's bits moved as `step` says.
#[target_feature(enable = "avx512f,avx512vbmi,gfni")]
#[inline]
fn translated(row: Double, step: &Step) -> Double {
    let index = bytemuck::must_cast(BYTES.0[usize::from(step.byte) % BYTES.0.len()]);
    let matrix = _mm512_set1_epi64(BITS[usize::from(step.bit) % BITS.len()]);
    let moved = |register| {
        _mm512_permutexvar_epi8(index, _mm512_gf2p8affine_epi64_epi8::<0>(register, matrix))
    };
    [moved(row[0]), moved(row[1])]
}

/// The sum and the carry of three rows, bit by bit.
#[target_feature(enable = "avx512f")]
#[inline]
fn add(a: Double, b: Double, c: Double) -> (Double, Double) {
    let sum = |half: usize| _mm512_ternarylogic_epi64::<0x96>(a[half], b[half], c[half]);
    let carry = |half: usize| _mm512_ternarylogic_epi64::<0xE8>(a[half], b[half], c[half]);
    ([sum(0), sum(1)], [carry(0), carry(1)])
}

/// Adds sixteen rows of weight four to the planes from 2 on.
#[target_feature(enable = "avx512f")]
fn add_sixteen(planes: &mut [Double; PLANES], fours: &[Double; 16]) {
    let mut eights = [fours[0]; 8];
    for (index, carry) in eights.iter_mut().enumerate() {
        (planes[2], *carry) = add(planes[2], fours[2 * index], fours[2 * index + 1]);
    }
    let mut sixteens = [fours[0]; 4];
    for (index, carry) in sixteens.iter_mut().enumerate() {
        (planes[3], *carry) = add(planes[3], eights[2 * index], eights[2 * index + 1]);
    }
    let (sum, carry_1) = add(planes[4], sixteens[0], sixteens[1]);
    let (carry_2, mut carry);
    (planes[4], carry_2) = add(sum, sixteens[2], sixteens[3]);
    (planes[5], carry) = add(planes[5], carry_1, carry_2);
    for plane in &mut planes[6..] {
        let any = _mm512_or_si512(carry[0], carry[1]);
        if _mm512_test_epi64_mask(any, any) == 0 {
            return;
        }
        for half in 0..2 {
            let both = _mm512_and_si512(plane[half], carry[half]);
            plane[half] = _mm512_xor_si512(plane[half], carry[half]);
            carry[half] = both;
        }
    }
}

#[repr(C, align(64))]
struct Aligned([[u8; 64]; 64]);

/// `BYTES[b]`: the index `i ^ b` at every byte `i`.
static BYTES: Aligned = {
    let mut indices = [[0; 64]; 64];
    let mut entry = 0;
    while entry < 64 * 64 {
        indices[entry / 64][entry % 64] = ((entry / 64) ^ (entry % 64)) as u8;
        entry += 1;
    }
    Aligned(indices)
};

/// `BITS[b]`: the matrix that moves bit `i ^ b` of a byte to bit `i`; row `i`
/// of a matrix is its byte `7 - i`. From [`NO_BIT`] on it is zero, which makes
/// the translate of nothing: fours are filled up with it.
static BITS: [i64; 16] = {
    let mut matrices = [0; 16];
    let mut entry = 0;
    while entry < 8 * 8 {
        let (by, bit) = (entry / 8, entry % 8);
        matrices[by] |= 1 << (8 * (7 - bit) + (bit ^ by));
        entry += 1;
    }
    matrices
};
const NO_BIT: u16 = 8;
