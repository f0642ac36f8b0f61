//! Eight keys at a time: one gather from the packed table.

use std::arch::x86_64::*;

use super::packed::value;
use super::{Layout, LookupKernel, Table};
use crate::tier::{Kernel, Tier};

pub(super) const KERNEL: Kernel<dyn LookupKernel> =
    Kernel::new("avx2", Tier::Avx2, &["avx2"], &Avx2);

struct Avx2;

impl LookupKernel for Avx2 {
    fn layout(&self) -> Layout {
        Layout::Packed
    }

    #[expect(unsafe_code, reason = "calls code compiled for the features that the door checked")]
    fn look_up(&self, table: &Table, keys: &[u32], out: &mut [u8]) {
        // SAFETY: `Kernel::get` is the only source of an `Avx2`, and it asked the CPU.
        unsafe { look_up(table, keys, out) }
    }
}

#[target_feature(enable = "avx2")]
fn look_up(table: &Table, keys: &[u32], out: &mut [u8]) {
    assert_eq!(keys.len(), out.len(), "one value a key");
    let slots = &*table.words;
    let last_slot = _mm256_set1_epi32((slots.len() - 1) as i32);
    let check_bits = _mm_cvtsi32_si128(table.split.check as i32);
    let check_mask = _mm256_set1_epi32(!(u32::MAX << table.split.check) as i32);
    let low_byte = _mm256_set1_epi32(0xFF);
    let (chunks, rest) = keys.as_chunks::<8>();
    let (out_chunks, out_rest) = out.as_chunks_mut::<8>();
    for (keys, out) in chunks.iter().zip(out_chunks) {
        let keys: __m256i = bytemuck::must_cast(*keys);
        let slot = _mm256_and_si256(_mm256_srl_epi32(keys, check_bits), last_slot);
        let found = gather(slots, slot);
        let check = _mm256_and_si256(keys, check_mask);
        let hit = _mm256_cmpeq_epi32(_mm256_srli_epi32::<8>(found), check);
        let values = _mm256_and_si256(_mm256_and_si256(found, low_byte), hit);
        *out = bytemuck::must_cast::<_, [u32; 8]>(values).map(|value| value as u8);
    }
    for (&key, out) in rest.iter().zip(out_rest) {
        *out = value(slots, table, key);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "a gather takes a raw pointer")]
fn gather(slots: &[u32], slot: __m256i) -> __m256i {
    // SAFETY: the caller masked every index to the last slot's number, and a
    // table has at most 2^31 slots (its length is a power of two).
    unsafe { _mm256_i32gather_epi32::<4>(slots.as_ptr().cast(), slot) }
}
