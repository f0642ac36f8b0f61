//! Every transpose against the definition, and the planes against the positions.

use proptest::prelude::*;

use super::*;
use crate::tier::available;

fn oracle() -> &'static dyn PlaneKernel {
    KERNELS[0].get().unwrap()
}

#[test]
fn the_oracle_transposes_what_can_be_seen() {
    // Row 0 full, row 63 with one entry in column 1: column 0 … 63 full in row
    // 0, and column 1 has row 63 too.
    let mut block = [0; 64];
    block[0] = u64::MAX;
    block[63] = 2;
    let mut known = [1; 64];
    known[1] = 1 | 1 << 63;
    oracle().transpose(std::slice::from_mut(&mut block));
    assert_eq!(block, known);
}

#[test]
fn every_kernel_moves_every_single_bit_to_its_place() {
    let covered: Vec<_> = available(KERNELS).iter().map(|kernel| kernel.name).collect();
    println!("planes kernels covered: {}", covered.join(", "));
    for kernel in available(KERNELS) {
        for row in 0..64 {
            for column in 0..64 {
                let mut block = [0; 64];
                block[row] = 1 << column;
                kernel.get().unwrap().transpose(std::slice::from_mut(&mut block));
                let mut known = [0; 64];
                known[column] = 1 << row;
                assert_eq!(block, known, "{} at row {row}, column {column}", kernel.name);
            }
        }
    }
}

#[test]
#[should_panic(expected = "in positions of 3 features")]
fn a_square_that_is_no_feature_is_refused() {
    Planes::new(oracle(), 3, &[0b1000]);
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    let block =
        prop::collection::vec(any::<u64>(), 64).prop_map(|words| <Block>::try_from(words).unwrap());
    prop::collection::vec(block, 0..5)
}

proptest! {
    #[test]
    fn every_kernel_is_the_oracle_and_its_own_inverse(blocks in blocks()) {
        let mut known = blocks.clone();
        oracle().transpose(&mut known);
        for kernel in available(KERNELS) {
            let mut result = blocks.clone();
            kernel.get().unwrap().transpose(&mut result);
            prop_assert_eq!(&result, &known, "{}", kernel.name);
            kernel.get().unwrap().transpose(&mut result);
            prop_assert_eq!(&result, &blocks, "{} twice", kernel.name);
        }
    }

    #[test]
    fn planes_hold_every_bit_and_give_the_positions_back(
        features in 0_usize..=64,
        skip in 0_usize..8,
        len in prop_oneof![0_usize..3, 63_usize..66, 510_usize..515, 0_usize..1500],
        seed: u64,
    ) {
        let mask = if features == 64 { u64::MAX } else { (1 << features) - 1 };
        let all: Vec<u64> = (0..(skip + len) as u64)
            .map(|i| (i ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) & mask)
            .collect();
        let positions = &all[skip..];
        for kernel in available(KERNELS) {
            let kernel = kernel.get().unwrap();
            let planes = Planes::new(kernel, features, positions);
            prop_assert_eq!((planes.len(), planes.features()), (len, features));
            for square in 0..features {
                let plane = planes.plane(square);
                prop_assert_eq!(plane.len() % 8, 0);
                for i in 0..64 * plane.len() {
                    let bit = positions.get(i).map_or(0, |position| position >> square & 1);
                    prop_assert_eq!(plane[i / 64] >> (i % 64) & 1, bit);
                }
            }
            let mut dirty = vec![u64::MAX; len];
            planes.write(kernel, &mut dirty);
            prop_assert_eq!(&dirty, positions);
        }
    }
}
