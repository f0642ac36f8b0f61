//! Every kernel this CPU has against the oracle.

use proptest::prelude::*;

use super::*;
use crate::tier::available;

/// Compares every kernel, whole, by parts and on threads, with the oracle.
fn check(keys: &[u32]) {
    let narrow: Vec<u16> = keys.iter().map(|key| (key ^ key >> 16) as u16).collect();
    let oracle = KERNELS[0].get().unwrap();
    let (expected16, expected32) = (oracle.equal16(&narrow), oracle.equal32(keys));
    let cut = keys.len() / 3;
    for kernel in available(KERNELS) {
        let (name, run, length) = (kernel.name, kernel.get().unwrap(), keys.len());
        assert_eq!(run.equal16(&narrow), expected16, "{name}: {length} keys of 16 bits");
        assert_eq!(run.equal32(keys), expected32, "{name}: {length} keys of 32 bits");
        assert_eq!(equal16_parallel(run, &narrow), expected16, "{name} on threads: {length} keys");
        assert_eq!(equal32_parallel(run, keys), expected32, "{name} on threads: {length} keys");
        for rows in [0..cut, cut..length, length..length] {
            let (narrow_rows, wide_rows) =
                (oracle.rows16(&narrow, rows.clone()), oracle.rows32(keys, rows.clone()));
            assert_eq!(
                run.rows16(&narrow, rows.clone()),
                narrow_rows,
                "{name}: {rows:?} of {length}"
            );
            assert_eq!(run.rows32(keys, rows.clone()), wide_rows, "{name}: {rows:?} of {length}");
        }
    }
}

/// Keys that agree in some bytes and not in others, all values of a byte included.
fn keys(length: usize) -> Vec<u32> {
    (0..length as u32)
        .map(|index| (index * index).wrapping_mul(0x0101_0001) % 0x00FF_1F07)
        .collect()
}

#[test]
fn lengths_about_every_lane_and_tile() {
    let names: Vec<_> = available(KERNELS).iter().map(|kernel| kernel.name).collect();
    println!("covered: {}", names.join(", "));
    for about in [0, 4, 8, 16, 24, 32, 40, 64, 512, 520, 1024, 2048] {
        for length in usize::saturating_sub(about, 1)..=about + 1 {
            check(&keys(length + 1)[1..]);
        }
    }
}

#[test]
fn all_equal_and_none_equal() {
    for length in [7, 100, 3000] {
        let pairs = length as u64 * (length as u64 - 1) / 2;
        for kernel in available(KERNELS) {
            let (name, run) = (kernel.name, kernel.get().unwrap());
            assert_eq!(run.equal16(&vec![0xFFFF; length]), pairs, "{name}");
            assert_eq!(run.equal32(&vec![0xFFFF_FFFF; length]), pairs, "{name}");
            assert_eq!(run.equal16(&(0..length as u16).collect::<Vec<_>>()), 0, "{name}");
            assert_eq!(run.equal32(&(0..length as u32).collect::<Vec<_>>()), 0, "{name}");
        }
    }
}

#[test]
fn counts_do_not_wrap_in_a_lane() {
    // Eight equal rows against so many equal keys that a 16-bit lane would count past
    // 65,535 were it never emptied: a register has at most 32 lanes and a kernel at most
    // four registers of counts, and eight rows add 8 · keys / (32 · 4) to each lane.
    const KEYS: usize = 65_536 / 8 * 32 * 4 + 8;
    let keys = vec![9_u16; KEYS];
    let pairs: u64 = (KEYS as u64 - 8..KEYS as u64).sum();
    for kernel in available(KERNELS).iter().filter(|kernel| kernel.name != "oracle") {
        assert_eq!(kernel.get().unwrap().rows16(&keys, 0..8), pairs, "{}", kernel.name);
    }
}

#[test]
fn parts_cover_the_rows_once() {
    for length in [0, 1, 2, 7, 1000] {
        let parts = parts(length);
        assert_eq!(parts.iter().map(Range::len).sum::<usize>(), length);
        assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((parts[0].start, parts.last().unwrap().end), (0, length));
    }
}

proptest! {
    #[test]
    fn kernels_agree_with_the_oracle(
        bits in 1_u32..=32,
        keys in prop::collection::vec(any::<u32>(), 0..1200),
        skip in 0_usize..3,
    ) {
        let keys: Vec<u32> = keys.iter().map(|key| key >> (32 - bits)).collect();
        check(&keys[skip.min(keys.len())..]);
    }
}
