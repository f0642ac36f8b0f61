//! Sixteen keys at a time: one gather from the packed table.

use std::arch::x86_64::*;

use super::packed::value;
use super::{Layout, LookupKernel, Table};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn LookupKernel> =
    Kernel::new("avx512", Tier::Avx512, &["avx512f"], &Avx512);

struct Avx512;

impl LookupKernel for Avx512 {
    fn layout(&self) -> Layout {
        Layout::Packed
    }

    #[expect(unsafe_code, reason = "calls code compiled for the features that the door checked")]
    fn look_up(&self, table: &Table, keys: &[u32], out: &mut [u8]) {
        // SAFETY: `Kernel::get` is the only source of an `Avx512`, and it asked the CPU.
        unsafe { look_up(table, keys, out) }
    }
}

#[target_feature(enable = "avx512f")]
fn look_up(table: &Table, keys: &[u32], out: &mut [u8]) {
    assert_eq!(keys.len(), out.len(), "one value a key");
    let slots = &*table.words;
    let last_slot = _mm512_set1_epi32((slots.len() - 1) as i32);
    let check_bits = _mm_cvtsi32_si128(table.split.check as i32);
    let check_mask = _mm512_set1_epi32(!(u32::MAX << table.split.check) as i32);
    let low_byte = _mm512_set1_epi32(0xFF);
    let (chunks, rest) = keys.as_chunks::<16>();
    let (out_chunks, out_rest) = out.as_chunks_mut::<16>();
    for (keys, out) in chunks.iter().zip(out_chunks) {
        let keys: __m512i = bytemuck::must_cast(*keys);
        let slot = _mm512_and_si512(_mm512_srl_epi32(keys, check_bits), last_slot);
        let found = gather(slots, slot);
        let check = _mm512_and_si512(keys, check_mask);
        let hit = _mm512_cmpeq_epi32_mask(_mm512_srli_epi32::<8>(found), check);
        let values = _mm512_maskz_and_epi32(hit, found, low_byte);
        *out = bytemuck::must_cast(_mm512_cvtepi32_epi8(values));
    }
    for (&key, out) in rest.iter().zip(out_rest) {
        *out = value(slots, table, key);
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
#[expect(unsafe_code, reason = "a gather takes a raw pointer")]
fn gather(slots: &[u32], slot: __m512i) -> __m512i {
    // SAFETY: the caller masked every index to the last slot's number, and a
    // table has at most 2^31 slots (its length is a power of two).
    unsafe { _mm512_i32gather_epi32::<4>(slot, slots.as_ptr().cast()) }
}
