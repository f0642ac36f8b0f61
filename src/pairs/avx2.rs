//! The translate kernel on AVX2: rows of 256 bits, one register each.
//!
//! A translate by `x` moves bit `i` to `i ^ x`. Its eight bits act in three ways:
//!
//! ```text
//! x = 7 | 6 5 4 3 | 2 1 0
//!     │      │        └ inside each byte: one of eight rows made beforehand
//!     │      └───────── bytes of a half: VPSHUFB by the index i ^ (x >> 3)
//!     └──────────────── halves change places: each row is stored low, high,
//!                       low, and loaded from its second half
//! ```
//!
//! A full adder is five instructions here.

use std::arch::x86_64::*;

use super::blocks::{self, Blocks, Partners, Row};
use super::{PairKernel, Prepared};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn PairKernel> = Kernel::new("avx2", Tier::Avx2, &["avx2"], &Avx2);

struct Avx2;

impl PairKernel for Avx2 {
    fn prepare(&self, reduced: Vec<u32>, length: usize) -> Box<dyn Prepared> {
        blocks::prepare(reduced, length, Tables::new, |blocks, tables, first, cells| {
            #[expect(unsafe_code, reason = "the one call from plain to AVX2 code")]
            // SAFETY: `Kernel::get` hands out an `Avx2` only on a CPU with these features.
            unsafe {
                by_blocks(blocks, tables, first, cells);
            }
        })
    }
}

#[target_feature(enable = "avx2")]
fn by_blocks(blocks: &Blocks<WORDS>, tables: &Tables, first: u32, cells: &mut [u32]) {
    let Tables { steps, versions } = tables;
    blocks::each_high(blocks, first, cells, |partners, counts| {
        let planes = count(steps, versions, partners).map(bytemuck::must_cast);
        let used = planes.iter().rposition(|plane| *plane != [0; WORDS]).map_or(0, |top| top + 1);
        blocks::write_counts(&planes.map(Row)[..used], counts);
    });
}

/// What is made of the blocks once.
struct Tables {
    steps: Steps,
    versions: Vec<Versions>,
}

impl Tables {
    fn new(blocks: &Blocks<WORDS>) -> Self {
        let versions = blocks.rows().iter().map(versions).collect();
        Self { steps: Steps::new(blocks), versions }
    }
}

/// Words of a row.
const WORDS: usize = 4;
/// Planes of a count: it is at most the number of positions.
const PLANES: usize = 32;

/// A row's translates by 0 to 7, each as low, high and low half, and nothing at [`NO_BIT`].
type Versions = [[u64; 2]; 27];

fn versions(row: &Row<WORDS>) -> Versions {
    let mut versions = [[0; 2]; 27];
    for (by, version) in versions.as_chunks_mut::<3>().0[..8].iter_mut().enumerate() {
        let [a, b, c, d] = row.0.map(|word| blocks::translated_word(word, by as u32));
        *version = [[a, b], [c, d], [a, b]];
    }
    versions
}

/// How to translate: where in [`Versions`] to load and the entry of [`BYTES`].
#[derive(Clone, Copy)]
struct Step {
    half: u16,
    byte: u16,
}

/// The members of every block as steps, by fours.
struct Steps {
    fours: Vec<[Step; 4]>,
    /// Where each block's fours begin, and the end.
    starts: Vec<usize>,
}

impl Steps {
    fn new(blocks: &Blocks<WORDS>) -> Self {
        let mut steps = Self { fours: vec![], starts: vec![0] };
        for rank in 0..blocks.len() {
            steps.fours.extend(blocks.members(rank).chunks(4).map(|members| {
                let mut four = [Step { half: 3 * NO_BIT, byte: 0 }; 4];
                for (step, member) in four.iter_mut().zip(members) {
                    *step = Step { half: 3 * (member & 7) + (member >> 7), byte: member >> 3 & 15 };
                }
                four
            }));
            steps.starts.push(steps.fours.len());
        }
        steps
    }
}

/// The planes of the counts of all `partners`.
#[target_feature(enable = "avx2")]
fn count(steps: &Steps, versions: &[Versions], partners: &[Partners]) -> [__m256i; PLANES] {
    let zero = _mm256_setzero_si256();
    let mut planes = [zero; PLANES];
    let (mut ones, mut twos) = (zero, zero);
    let mut sixteen = [zero; 16];
    let mut full = 0;
    for Partners { smaller, larger } in partners {
        let versions = &versions[*larger as usize];
        let starts = &steps.starts[*smaller as usize..][..2];
        for four in &steps.fours[starts[0]..starts[1]] {
            let [a, b, c, d] = [0, 1, 2, 3].map(|index| translated(versions, &four[index]));
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
    }
    sixteen[full..].fill(zero);
    add_sixteen(&mut planes, &sixteen);
    [planes[0], planes[1]] = [ones, twos];
    planes
}

/// The row with its bits moved as `step` says.
#[target_feature(enable = "avx2")]
#[inline]
fn translated(versions: &Versions, step: &Step) -> __m256i {
    let halves = &versions[usize::from(step.half)..][..2];
    let row = bytemuck::must_cast([halves[0], halves[1]]);
    let index = bytemuck::must_cast(BYTES.0[usize::from(step.byte) % BYTES.0.len()]);
    _mm256_shuffle_epi8(row, index)
}

/// The sum and the carry of three rows, bit by bit.
#[target_feature(enable = "avx2")]
#[inline]
fn add(a: __m256i, b: __m256i, c: __m256i) -> (__m256i, __m256i) {
    let either = _mm256_xor_si256(a, b);
    let carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(either, c));
    (_mm256_xor_si256(either, c), carry)
}

/// Adds sixteen rows of weight four to the planes from 2 on.
#[target_feature(enable = "avx2")]
fn add_sixteen(planes: &mut [__m256i; PLANES], fours: &[__m256i; 16]) {
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
        if _mm256_testz_si256(carry, carry) == 1 {
            return;
        }
        let both = _mm256_and_si256(*plane, carry);
        *plane = _mm256_xor_si256(*plane, carry);
        carry = both;
    }
}

#[repr(C, align(32))]
struct Aligned([[u8; 32]; 16]);

/// `BYTES[b]`: the index `i ^ b` at every byte `i` of both halves.
static BYTES: Aligned = {
    let mut indices = [[0; 32]; 16];
    let mut entry = 0;
    while entry < 16 * 32 {
        indices[entry / 32][entry % 32] = ((entry / 32) ^ (entry % 16)) as u8;
        entry += 1;
    }
    Aligned(indices)
};
const NO_BIT: u16 = 8;
