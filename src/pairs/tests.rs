//! Every kernel this CPU has against the oracle.

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::blocks::{ALWAYS, Blocks};
use super::*;
use crate::game::domineering::Domineering;
use crate::positions;
use crate::tier::available;

/// Cells that are not zero, since kernels add.
fn dirty(len: usize) -> Vec<u32> {
    (0..len as u32).map(|cell| cell.wrapping_mul(2_654_435_761) >> 8).collect()
}

/// Compares every kernel, whole, in four chunks and on threads, with the oracle:
/// as it would go, and by blocks even where that is not worth it.
fn check(positions: &[u64], len: usize) {
    for always in [false, true] {
        ALWAYS.set(always);
        check_as_set(positions, len);
        ALWAYS.set(false);
    }
}

fn check_as_set(positions: &[u64], len: usize) {
    let mut expected = dirty(len);
    KERNELS[0].get().unwrap().differences(positions, &mut expected);
    for kernel in available(KERNELS) {
        let name = kernel.name;
        let run = kernel.get().unwrap();
        let mut cells = dirty(len);
        run.differences(positions, &mut cells);
        assert_eq!(cells, expected, "{name}: {} positions, {len} cells", positions.len());

        let mut cells = dirty(len);
        differences_parallel(run, positions, &mut cells);
        assert_eq!(cells, expected, "{name} on threads: {} positions", positions.len());

        let mut cells = dirty(len);
        let length = (len / 4).max(1);
        let prepared = run.prepare(reduced(positions, len), length);
        for (chunk, cells) in cells.chunks_mut(length).enumerate() {
            prepared.add(chunk as u32, cells);
        }
        assert_eq!(cells, expected, "{name} in chunks: {} positions", positions.len());
    }
}

/// `count` different numbers below `2^bits` in ascending order.
fn random_set(bits: u32, count: usize, seed: u64) -> Vec<u64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut set = std::collections::BTreeSet::new();
    while set.len() < count {
        set.insert(rng.next_u64() >> (64 - bits));
    }
    set.into_iter().collect()
}

#[test]
fn small_lists_and_few_cells() {
    let names: Vec<_> = available(KERNELS).iter().map(|kernel| kernel.name).collect();
    println!("covered: {}", names.join(", "));
    let positions = [0, 3, u64::MAX, 3, 5, 1 << 63, 3, 6, 0];
    for len in [1, 2, 4, 8, 64] {
        for count in 0..=positions.len() {
            check(&positions[..count], len);
            check(&positions[count..], len);
        }
    }
}

#[test]
fn blocks_of_every_size_about_a_step_and_a_row() {
    // Full blocks of 256, 512 or 1,024 members, and all around the steps' four.
    for size in [1, 3, 4, 5, 8, 63, 64, 65, 255, 256, 257, 511, 512, 513, 1023, 1024] {
        let blocks: Vec<u64> =
            (0..4).flat_map(|high| (0..size).map(move |low| high << 10 | low)).collect();
        for len in [256, 512, 1024, 2048, 4096] {
            check(&blocks, len);
            check(&blocks[1..], len);
        }
    }
}

/// That the second half of [`check`] goes where it says.
#[test]
fn tests_can_have_blocks_always() {
    let tabulated = |list: Vec<u32>| {
        let mut made = false;
        blocks::prepare(list, 256, |_: &Blocks<4>| made = true, |_, (), _, _| {});
        made
    };
    assert!(!tabulated(vec![1, 2]));
    ALWAYS.set(true);
    assert!(tabulated(vec![1, 2]) && !tabulated(vec![]));
    ALWAYS.set(false);
}

#[test]
fn full_sets_meet_every_difference_equally_often() {
    for kernel in available(KERNELS) {
        let all: Vec<u64> = (0..1 << 12).collect();
        let mut cells = vec![7; 1 << 12];
        kernel.get().unwrap().differences(&all, &mut cells);
        assert_eq!(cells[0], 7, "{}", kernel.name);
        assert!(cells[1..].iter().all(|cell| *cell == (1 << 11) + 7), "{}", kernel.name);
    }
}

#[test]
fn dense_sets_go_by_blocks_and_sparse_ones_do_not() {
    let narrow = |set: &[u64]| set.iter().map(|x| *x as u32).collect::<Vec<u32>>();
    let (dense, sparse) = (random_set(14, 1_200, 1), random_set(28, 300, 2));
    for (set, worth_it) in [(&dense, true), (&sparse, false)] {
        let set = narrow(set);
        let cells = if worth_it { 1 << 14 } else { 1 << 28 };
        assert_eq!(Blocks::<4>::new(&set).worth_it(cells / 256), worth_it);
        assert_eq!(Blocks::<16>::new(&set).worth_it(cells / 1024), worth_it);
    }
    check(&dense, 1 << 14);
    check(&random_set(20, 300, 3), 1 << 20);
}

#[test]
fn repeats_and_bits_above_the_cells_count_too() {
    let mut list = random_set(13, 1_000, 4);
    list.extend_from_within(..300);
    list.extend_from_within(..50);
    list.iter_mut().step_by(3).for_each(|position| *position |= 0xABCD << 40);
    check(&list, 1 << 13);
    check(&list, 1 << 11);
    check(&[17; 500], 1 << 11);
}

#[test]
fn a_count_that_would_wrap_is_refused() {
    // Few pairs take the scatter, many the blocks.
    for list in [random_set(12, 40, 5), random_set(12, 1_000, 6)] {
        for kernel in available(KERNELS) {
            let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mut cells = vec![0; 1 << 12];
                cells[(list[0] ^ list[1]) as usize] = u32::MAX;
                kernel.get().unwrap().differences(&list, &mut cells);
            }));
            assert!(refused.is_err(), "{} wrapped", kernel.name);
        }
    }
}

#[test]
fn every_pair_of_domineering_4x5_by_every_kernel() {
    let positions = positions::enumerate(&Domineering, "4x5".parse().unwrap()).unwrap();
    let mut expected: Option<Vec<u32>> = None;
    for kernel in available(KERNELS) {
        let mut cells = vec![0; 1 << 19];
        for list in positions.both() {
            kernel.get().unwrap().differences(list, &mut cells);
        }
        let pairs: u64 = cells.iter().map(|cell| u64::from(*cell)).sum();
        assert_eq!(pairs, 592_275_474, "{}", kernel.name);
        assert_eq!(cells[0], 0, "{}", kernel.name);
        let expected = expected.get_or_insert_with(|| cells.clone());
        assert!(*expected == cells, "{} differs from the oracle", kernel.name);
    }
}

proptest! {
    #[test]
    fn kernels_agree_with_the_oracle(
        bits in 1_u32..20,
        list in prop::collection::vec(any::<u64>(), 0..700),
        skip in 0_usize..3,
        cells in 0_u32..14,
    ) {
        let list: Vec<u64> = list.iter().map(|position| position >> (64 - bits)).collect();
        check(&list[skip.min(list.len())..], 1 << cells);
    }
}
