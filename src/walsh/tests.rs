//! Known answers, every kernel against the oracle, the roads against one
//! another, and the edges of the widths.

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::game::domineering::Domineering;
use crate::positions::{Positions, enumerate};
use crate::tier;

/// The kernels that this CPU runs, their names printed.
fn kernels() -> Vec<(&'static str, &'static dyn WalshKernel)> {
    let kernels: Vec<_> = tier::available(KERNELS)
        .into_iter()
        .map(|kernel| (kernel.name, kernel.get().expect("available")))
        .collect();
    println!("covered: {:?}", kernels.iter().map(|(name, _)| name).collect::<Vec<_>>());
    kernels
}

fn oracle() -> &'static dyn WalshKernel {
    KERNELS[0].get().expect("the oracle runs everywhere")
}

fn scalar() -> &'static dyn WalshKernel {
    KERNELS[1].get().expect("the baseline runs everywhere")
}

fn domineering(board: &str) -> Positions {
    enumerate(&Domineering, board.parse().unwrap()).unwrap()
}

/// A set of exactly `count` of `cells`, the same for the same seed.
fn sample(cells: usize, count: usize, seed: u64) -> Vec<u64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut all: Vec<u64> = (0..cells as u64).collect();
    for at in 0..count {
        let other = at + random.next_u32() as usize % (cells - at);
        all.swap(at, other);
    }
    all.truncate(count);
    all
}

#[test]
fn known_answers() {
    for (name, kernel) in kernels() {
        let signs = [1, 1, -1, 1, 1, -1, 1, 1];
        let mut cells = signs;
        kernel.forward32(&mut cells);
        assert_eq!(cells, [4, 0, 0, 4, 0, -4, 4, 0], "{name}");
        kernel.halving32(&mut cells);
        assert_eq!(cells, signs, "{name}");
        let mut one = [5];
        kernel.forward64(&mut one);
        kernel.halving64(&mut one);
        assert_eq!(one, [5], "{name}");
        let mut two = [0, 1];
        kernel.forward16(&mut two);
        assert_eq!(two, [1, -1], "{name}");
    }
}

#[test]
fn every_kernel_makes_the_oracles_transform_at_every_size() {
    for log in 0..=12 {
        let mut random = ChaCha8Rng::seed_from_u64(log);
        let small: Vec<i16> = (0..1 << log).map(|_| (random.next_u32() % 15) as i16 - 7).collect();
        let cells32: Vec<i32> = small.iter().map(|&x| i32::from(x) * 60_001).collect();
        let cells64: Vec<i64> = small.iter().map(|&x| i64::from(x) << 45 | 1).collect();
        let (mut want16, mut want32, mut want64) =
            (small.clone(), cells32.clone(), cells64.clone());
        oracle().forward16(&mut want16);
        oracle().forward32(&mut want32);
        oracle().forward64(&mut want64);
        for (name, kernel) in kernels() {
            // One cell of dirt before makes the slices unaligned.
            let mut cells = [&[77], &small[..]].concat();
            kernel.forward16(&mut cells[1..]);
            assert!(cells[0] == 77 && cells[1..] == want16, "{name} 16 bits 2^{log}");
            let mut cells = [&[77], &cells32[..]].concat();
            kernel.forward32(&mut cells[1..]);
            assert!(cells[0] == 77 && cells[1..] == want32, "{name} 32 bits 2^{log}");
            kernel.halving32(&mut cells[1..]);
            assert!(cells[0] == 77 && cells[1..] == cells32, "{name} 32 bits back 2^{log}");
            let mut cells = [&[77], &cells64[..]].concat();
            kernel.forward64(&mut cells[1..]);
            assert!(cells[0] == 77 && cells[1..] == want64, "{name} 64 bits 2^{log}");
            kernel.halving64(&mut cells[1..]);
            assert!(cells[0] == 77 && cells[1..] == cells64, "{name} 64 bits back 2^{log}");
        }
    }
}

#[test]
fn large_transforms_agree_with_the_baseline() {
    for log in [13, 15, 16, 17, 19, 21] {
        let mut random = ChaCha8Rng::seed_from_u64(log);
        let cells: Vec<i32> = (0..1 << log).map(|_| random.next_u32() as i32 >> 23).collect();
        let mut want32 = cells.clone();
        scalar().forward32(&mut want32);
        let mut want64: Vec<i64> = cells.iter().map(|&x| i64::from(x) << 30).collect();
        scalar().forward64(&mut want64);
        // Sparse enough for 16 bits: 32,767 ones in all.
        let mut ones = vec![0i16; 1 << log];
        ones.iter_mut().step_by((1 << log) / 4096).for_each(|cell| *cell = 7);
        let mut want16 = ones.clone();
        scalar().forward16(&mut want16);
        for (name, kernel) in kernels().into_iter().skip(2) {
            let mut got32 = cells.clone();
            kernel.forward32(&mut got32);
            assert!(got32 == want32, "{name} 32 bits 2^{log}");
            kernel.halving32(&mut got32);
            assert!(got32 == cells, "{name} 32 bits back 2^{log}");
            let mut got64: Vec<i64> = cells.iter().map(|&x| i64::from(x) << 30).collect();
            kernel.forward64(&mut got64);
            assert!(got64 == want64, "{name} 64 bits 2^{log}");
            kernel.halving64(&mut got64);
            assert!(got64.iter().zip(&cells).all(|(got, want)| got >> 30 == i64::from(*want)));
            let mut got16 = ones.clone();
            kernel.forward16(&mut got16);
            assert!(got16 == want16, "{name} 16 bits 2^{log}");
        }
    }
}

proptest! {
    #[test]
    fn autocorrelations_of_random_sets_are_the_oracles(
        log in 0..=11u32,
        left in 0.0..=1.0f64,
        right in 0.0..=1.0f64,
        seed: u64,
    ) {
        let size = 1usize << log;
        let part = |share: f64| (share * size.min(600) as f64).round() as usize;
        let movers = [sample(size, part(left), seed), sample(size, part(right), !seed)];
        let lists = [&movers[0][..], &movers[1]];
        let mut want = vec![0; size];
        autocorrelation(oracle(), &lists, &mut want).unwrap();
        for (name, kernel) in kernels() {
            let mut cells = vec![0xDEAD_BEEF; size];
            autocorrelation(kernel, &lists, &mut cells).unwrap();
            prop_assert_eq!(&cells, &want, "{}", name);
        }
    }
}

/// Every kernel's cells of one or more lists, all equal to the baseline's.
fn agreed(lists: &[&[u64]], size: usize) -> Vec<u32> {
    let mut want = vec![0; size];
    autocorrelation(scalar(), lists, &mut want).unwrap();
    for (name, kernel) in kernels().into_iter().skip(2) {
        let mut cells = vec![0xDEAD_BEEF; size];
        autocorrelation(kernel, lists, &mut cells).unwrap();
        assert!(cells == want, "{name} differs on {size} cells");
    }
    want
}

#[test]
fn any_number_of_movers_adds_up() {
    let lists: Vec<Vec<u64>> = (0..5).map(|seed| sample(1 << 10, 300, seed)).collect();
    let mut sum = vec![0; 1 << 10];
    for list in &lists {
        for (sum, cell) in sum.iter_mut().zip(agreed(&[list], 1 << 10)) {
            *sum += cell;
        }
    }
    let slices: Vec<&[u64]> = lists.iter().map(Vec::as_slice).collect();
    assert_eq!(agreed(&slices, 1 << 10), sum);
    assert_eq!(agreed(&[], 1 << 10), vec![0; 1 << 10]);
    assert_eq!(agreed(&[&[]], 1), [0]);
}

#[test]
fn sets_at_the_edge_of_the_widths_are_exact() {
    // A coset of a subspace has the largest transform there is, N, at half of
    // the subspace's annihilator with the other sign; one member more or less
    // stands at either side of every width that depends on N.
    let coset = |count: u64| -> Vec<u64> { (0..count).map(|x| x << 3 | 5).collect() };
    let odd = |count: usize| -> Vec<u64> {
        (0..1 << 19).filter(|x: &u64| x.count_ones() % 2 == 1).take(count).collect()
    };
    for count in [16_383, 16_384, 32_766, 32_767, 32_768, 32_769, 65_535, 65_536] {
        let (left, right) = (coset(count), odd(count as usize));
        let cells = agreed(&[&left, &right], 1 << 19);
        let pairs: u64 = cells.iter().map(|&cell| u64::from(cell)).sum();
        assert_eq!(pairs, count * (count - 1), "{count} positions each");
    }
    // Every cell: F(0) = 2^19, and each difference is met 2^18 times.
    let all: Vec<u64> = (0..1 << 19).collect();
    let cells = agreed(&[&all, &all], 1 << 19);
    assert!(cells[0] == 0 && cells[1..].iter().all(|&cell| cell == 1 << 19));
}

#[test]
fn rows_are_skewed_alike_by_any_number_of_threads() {
    // So sparse that 16 bits hold a step beyond the rows, and too many for them to hold all.
    let cells = 1 << 22;
    let lists = [1, 2].map(|seed| sample(cells, 1 << 16, seed));
    let lists = [&lists[0][..], &lists[1]];
    assert_eq!(Bitmap::new(lists, cells).unwrap().exact_stages(20), 20);
    let want = agreed(&lists, cells);
    for threads in [1, 3, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| agreed(&lists, cells)) == want, "{threads} threads");
    }
}

#[test]
fn every_modulus_gives_the_same_counts() {
    // Random sets, and all cells against a half that is a subspace: the transform's
    // largest values, in which a square has 28 bits and is reduced by every modulus.
    let half: Vec<u64> = (0..1 << 14).filter(|x: &u64| x.count_ones().is_multiple_of(2)).collect();
    for lists in [
        [sample(1 << 14, 5000, 1), sample(1 << 14, 9000, 2)],
        [(0..1 << 14).collect(), half],
        [(1..1 << 14).collect(), (1..1 << 14).collect()],
    ] {
        let lists = [&lists[0][..], &lists[1]];
        let movers = Bitmap::new(lists, 1 << 14).unwrap();
        let want = agreed(&lists, 1 << 14);
        for q in modulus::Modulus::MIN_Q..=modulus::Modulus::MAX_Q {
            let modulus = modulus::Modulus::above((1 << (q - 1)) - 1).unwrap();
            assert_eq!(modulus.q(), q.max(16));
            for (name, engine) in engines() {
                let mut cells = vec![0; 1 << 14];
                blocked::autocorrelation(engine, &movers, &mut cells, modulus);
                assert!(cells == want, "{name} modulo 2^{q} - 1");
            }
        }
    }
}

/// The engines of the vector kernels that this CPU runs.
pub(super) fn engines() -> Vec<(&'static str, &'static dyn blocked::Engine)> {
    let mut engines: Vec<(_, &'static dyn blocked::Engine)> = vec![("wide", &wide::Wide)];
    #[cfg(target_arch = "x86_64")]
    {
        engines.extend(avx2::engine().map(|engine| ("avx2", engine)));
        engines.extend(avx512::engine().map(|engine| ("avx512", engine)));
    }
    println!("covered: {:?}", engines.iter().map(|(name, _)| name).collect::<Vec<_>>());
    engines
}

#[test]
fn what_cannot_be_exact_is_refused() {
    for (_, kernel) in kernels() {
        let refused = |movers: &[&[u64]], size| {
            autocorrelation(kernel, movers, &mut vec![0; size]).unwrap_err().to_string()
        };
        assert!(refused(&[&[1, 2]], 3).starts_with("cells: 3 is no power of two"));
        assert!(refused(&[&[], &[1, 2, 1]], 4).contains("distinct"));
        assert!(refused(&[&[0b001, 0b101]], 4).contains("twice the cells"));
    }
}

#[test]
fn domineering_boards_have_the_known_totals() {
    for (board, pairs, free) in [
        ("2x4", 654, 8),
        ("2x6", 40_489, 60),
        ("3x4", 60_588, 32),
        ("3x5", 1_704_529, 100),
        ("4x4", 5_965_806, 128),
        ("3x6", 48_143_386, 264),
        ("4x5", 592_275_474, 512),
        ("2x7", 331_503, 164),
        ("4x6", 59_651_952_916, 2_048),
        ("5x5", 207_313_115_172, 3_072),
    ] {
        let positions = domineering(board);
        let cells = agreed(&positions.both(), 1 << (positions.features - 1));
        assert_eq!(cells.iter().map(|&cell| u64::from(cell)).sum::<u64>(), pairs, "{board}");
        assert_eq!(cells[1..].iter().filter(|&&cell| cell == 0).count(), free, "{board}");
    }
}

#[test]
fn the_four_by_five_census_has_the_known_price_list() {
    let cells = agreed(&domineering("4x5").both(), 1 << 19);
    // Squares of the set, sets, mean to one decimal in tenths, largest, free.
    for (squares, sets, mean, largest, free) in [
        (2, 190, 32_433, 8_659, 48),
        (4, 4_845, 19_745, 7_869, 208),
        (6, 38_760, 14_181, 4_876, 208),
        (8, 125_970, 11_700, 5_522, 48),
        (10, 184_756, 10_622, 4_090, 0),
        (12, 125_970, 10_514, 3_655, 0),
        (14, 38_760, 11_361, 3_482, 0),
        (16, 4_845, 13_716, 3_310, 0),
        (18, 190, 19_783, 3_241, 0),
        (20, 1, 44_990, 4_499, 0),
    ] {
        // The twentieth square is in the set if it makes the size even.
        let of_size: Vec<u32> = cells
            .iter()
            .enumerate()
            .filter(|(low, _)| low.count_ones().next_multiple_of(2) == squares)
            .map(|(_, &cell)| cell)
            .collect();
        let sum: u64 = of_size.iter().map(|&cell| u64::from(cell)).sum();
        assert_eq!(of_size.len(), sets, "sets of {squares}");
        assert_eq!((10 * sum + sets as u64 / 2) / sets as u64, mean, "mean of {squares}");
        assert_eq!(of_size.iter().max(), Some(&largest), "largest of {squares}");
        assert_eq!(of_size.iter().filter(|&&cell| cell == 0).count(), free, "free of {squares}");
    }
}
