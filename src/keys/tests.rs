//! Every kernel against the definition.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proptest::prelude::*;

use super::*;
use crate::tier::available;

fn oracle() -> &'static dyn KeyKernel {
    KERNELS[0].get().unwrap()
}

/// Lengths about every lane and step boundary of a kernel.
const LENGTHS: [usize; 31] = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 127, 128, 129, 511,
    512, 513, 2047, 2048, 2049, 4097,
];

/// Reproducible words, `width` bits each.
fn spread(len: usize, width: usize, seed: u64) -> Vec<u64> {
    let word = |i: u64| {
        let x = (i ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
    };
    let mask = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
    (0..len as u64).map(|i| word(i) & mask).collect()
}

fn narrow(words: &[u64]) -> Vec<u32> {
    words.iter().map(|word| u32::try_from(*word).unwrap()).collect()
}

/// Both doors of every kernel on one input, against the oracle's first door.
fn agree(words: &[u64], positions: &[u64]) {
    let mut known = vec![0; positions.len()];
    oracle().keys(words, positions, &mut known);
    for kernel in available(KERNELS) {
        let (name, kernel) = (kernel.name, kernel.get().unwrap());
        let mut out = vec![u64::MAX; positions.len()];
        kernel.keys(words, positions, &mut out);
        assert_eq!(out, known, "{name}: {} words, {} positions", words.len(), positions.len());
        if words.len() <= 32 && words.iter().all(|word| *word >> 32 == 0) {
            let mut out = vec![u32::MAX; positions.len()];
            kernel.keys32(&narrow(words), &narrow(positions), &mut out);
            assert_eq!(out, narrow(&known), "{name}, 32 bits: {} words", words.len());
        }
    }
}

#[test]
fn the_drawn_key_comes_out_of_every_kernel() {
    let covered: Vec<_> = available(KERNELS).iter().map(|kernel| kernel.name).collect();
    println!("keys kernels covered: {}", covered.join(", "));
    for kernel in available(KERNELS) {
        let mut out = [u64::MAX; 4];
        kernel.get().unwrap().keys(&[3, 5, 9], &[0b101, 0b000, 0b111, 0b010], &mut out);
        assert_eq!(out, [10, 0, 15, 5], "{}", kernel.name);
        let mut out = [u32::MAX; 4];
        kernel.get().unwrap().keys32(&[3, 5, 9], &[0b101, 0b000, 0b111, 0b010], &mut out);
        assert_eq!(out, [10, 0, 15, 5], "{}", kernel.name);
    }
}

#[test]
fn every_bit_of_every_word_reaches_its_place() {
    // One feature a position, one bit a word: a misplaced table or matrix shows.
    let positions: Vec<u64> = (0..64).map(|s| 1 << s).collect();
    for bit in 0..64 {
        let words: Vec<u64> = (0..64).map(|s| u64::from(s % 3 == bit % 3) << bit).collect();
        agree(&words, &positions);
        let low: Vec<u64> = words[..32].iter().map(|word| word & 0xffff_ffff).collect();
        agree(&low, &positions[..32]);
    }
}

#[test]
fn every_kernel_is_the_oracle_at_every_number_of_words_and_length() {
    for words in 0..=64 {
        for width in [1, 31, 32, 33, 64] {
            for len in LENGTHS.into_iter().filter(|len| words % 8 == 4 || *len < 130) {
                // One position more in front, so that slices start off a boundary.
                let positions = spread(len + 1, words, 7);
                agree(&spread(words, width, 99), &positions[1..]);
            }
        }
    }
}

#[test]
fn a_bit_above_the_words_is_refused_by_every_kernel() {
    let refuses = |call: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(call)).is_err();
    for kernel in available(KERNELS) {
        let (name, kernel) = (kernel.name, kernel.get().unwrap());
        for words in [0, 1, 20, 31, 32, 33, 63] {
            for at in [0, 63, 64, 99] {
                let mut positions = vec![0_u64; 100];
                let mut out = vec![0; 100];
                kernel.keys(&vec![1; words], &positions, &mut out);
                positions[at] = 1 << words;
                let refused = refuses(&mut || kernel.keys(&vec![1; words], &positions, &mut out));
                assert!(refused, "{name}: {words} words, position {at}");
                if words < 32 {
                    let (positions, mut out) = (narrow(&positions), vec![0; 100]);
                    let refused =
                        refuses(&mut || kernel.keys32(&vec![1; words], &positions, &mut out));
                    assert!(refused, "{name}, 32 bits: {words} words, position {at}");
                }
            }
        }
        assert!(refuses(&mut || kernel.keys(&[1], &[0, 0], &mut [0])), "{name}: lengths");
        assert!(refuses(&mut || kernel.keys(&[1; 65], &[0], &mut [0])), "{name}: 65 words");
        assert!(refuses(&mut || kernel.keys32(&[1; 33], &[0], &mut [0])), "{name}: 33 words");
    }
}

#[test]
fn the_parallel_doors_give_the_same_keys() {
    let (words, positions) = (spread(20, 32, 1), spread(3 * TASK + 5, 20, 2));
    let mut known = vec![0; positions.len()];
    oracle().keys(&words, &positions, &mut known);
    for kernel in available(KERNELS) {
        let kernel = kernel.get().unwrap();
        let mut out = vec![u64::MAX; positions.len()];
        par_keys(kernel, &words, &positions, &mut out);
        assert_eq!(out, known);
        let mut out = vec![u32::MAX; positions.len()];
        par_keys32(kernel, &narrow(&words), &narrow(&positions), &mut out);
        assert_eq!(out, narrow(&known));
    }
}

proptest! {
    #[test]
    fn every_kernel_is_the_oracle_on_random_input(
        words in prop::collection::vec(any::<u64>(), 0..=64),
        positions in prop::collection::vec(any::<u64>(), 0..300),
        width in 1_u32..=64,
    ) {
        let words: Vec<u64> = words.iter().map(|word| word >> (64 - width)).collect();
        let unused = 64 - words.len() as u32;
        let positions: Vec<u64> =
            positions.iter().map(|position| position.checked_shr(unused).unwrap_or(0)).collect();
        agree(&words, &positions);
    }
}
