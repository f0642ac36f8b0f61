//! Minterm rows on AVX-512: 512 pairs settled by an AND and a population count.
//!
//! For 512 keys at a time, one bitmap for every value of every byte: which of
//! the keys have that byte. The keys equal to `x` are then the AND of the
//! bitmaps of `x`'s bytes, its *minterm*:
//!
//! ```text
//! keys            0: 12.34   1: 12.56   2: 99.34   3: 12.34
//! high byte 12    #          #          .          #
//! low byte 34     #          .          #          #
//! AND             #          .          .          #        keys equal to 12.34
//! ```
//!
//! The two tables of a tile of 16-bit keys fill 32 KiB of the L1 cache; the
//! four of 32-bit keys lie half in L2. Inside its own tile a key must meet
//! only those after it, so the tile is entered backwards and each key counted
//! just before it is.

use std::arch::x86_64::*;
use std::ops::Range;

use super::EqualKernel;
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn EqualKernel> =
    Kernel::new("minterm", Tier::Avx512, &["avx512f", "avx512vpopcntdq"], &Minterm);

struct Minterm;

#[expect(unsafe_code, reason = "the calls from plain to AVX-512 code")]
impl EqualKernel for Minterm {
    fn rows16(&self, keys: &[u16], rows: Range<usize>) -> u64 {
        // SAFETY: `Kernel::get` hands out a `Minterm` only on a CPU with these features.
        unsafe { equal(keys, rows, u16::to_le_bytes) }
    }

    fn rows32(&self, keys: &[u32], rows: Range<usize>) -> u64 {
        // SAFETY: as above.
        unsafe { equal(keys, rows, u32::to_le_bytes) }
    }
}

/// Keys of a tile: the bits of a register.
const TILE: usize = 512;

/// Which keys of a tile have a byte of a value.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bitmap([u64; TILE / 64]);

#[target_feature(enable = "avx512f,avx512vpopcntdq")]
fn equal<T: Copy, const BYTES: usize>(
    keys: &[T],
    rows: Range<usize>,
    bytes: impl Fn(T) -> [u8; BYTES] + Copy,
) -> u64 {
    let keys_of_rows = &keys[rows.clone()];
    let mut tables = vec![[Bitmap([0; TILE / 64]); 256]; BYTES];
    let tables: &mut [_; BYTES] = tables.as_mut_slice().try_into().expect("a table a byte");
    let mut pairs = _mm512_setzero_si512();
    let first = rows.start - rows.start % TILE;
    for (tile, own) in keys[first..].chunks(TILE).enumerate() {
        let begin = first + tile * TILE;
        tables.as_flattened_mut().fill(Bitmap([0; TILE / 64]));
        for (index, key) in own.iter().enumerate().rev() {
            let bytes = bytes(*key);
            if rows.contains(&(begin + index)) {
                pairs = _mm512_add_epi64(pairs, equal_in(tables, bytes));
            }
            for (table, byte) in tables.iter_mut().zip(bytes) {
                table[usize::from(byte)].0[index / 64] |= 1 << (index % 64);
            }
        }
        let before = begin.clamp(rows.start, rows.end) - rows.start;
        let mut counts = [_mm512_setzero_si512(); 4];
        let (fours, rest) = keys_of_rows[..before].as_chunks::<4>();
        for four in fours {
            for (count, key) in counts.iter_mut().zip(four) {
                *count = _mm512_add_epi64(*count, equal_in(tables, bytes(*key)));
            }
        }
        for key in rest {
            pairs = _mm512_add_epi64(pairs, equal_in(tables, bytes(*key)));
        }
        for count in counts {
            pairs = _mm512_add_epi64(pairs, count);
        }
    }
    _mm512_reduce_add_epi64(pairs).cast_unsigned()
}

/// How many keys of the tile have these bytes, in eight parts.
#[target_feature(enable = "avx512f,avx512vpopcntdq")]
#[inline]
fn equal_in<const BYTES: usize>(tables: &[[Bitmap; 256]; BYTES], bytes: [u8; BYTES]) -> __m512i {
    let bitmap = |byte: usize| bytemuck::must_cast(tables[byte][usize::from(bytes[byte])].0);
    let mut minterm: __m512i = bitmap(0);
    for byte in 1..BYTES {
        minterm = _mm512_and_si512(minterm, bitmap(byte));
    }
    _mm512_popcnt_epi64(minterm)
}
