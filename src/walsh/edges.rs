//! Tests at the edge of every width: just inside is exact, just outside is refused.

use super::*;
use crate::tier;

/// The kernels that this CPU runs, their names printed; the quadratic oracle up to 2^12 cells.
fn kernels(log: u32) -> impl Iterator<Item = (&'static str, &'static dyn WalshKernel)> {
    let kernels = tier::available(KERNELS).into_iter();
    kernels.filter(move |kernel| log <= 12 || kernel.name != "oracle").map(move |kernel| {
        println!("covered: {} at 2^{log}", kernel.name);
        (kernel.name, kernel.get().expect("available"))
    })
}

/// Of `2^log` cells, `2^few` evenly spread that sum in size to `sum`, their signs those
/// of the transform's value at `peak`: and the transform, which is `sum` there.
fn adversary(log: u32, few: u32, sum: i128, peak: usize) -> [Vec<i128>; 2] {
    let (share, rest) = (sum >> few, sum % (1 << few));
    let mut cells = vec![0; 1 << log];
    for x in 0..1_usize << few {
        let sign = if (x & peak).count_ones().is_multiple_of(2) { 1 } else { -1 };
        cells[x << (log - few)] = sign * share;
    }
    cells[0] += rest;
    let there = |u: usize| u >> (log - few) == peak;
    let value = |u| rest + if there(u) { sum - rest } else { 0 };
    [cells, (0..1 << log).map(value).collect()]
}

/// A checked transform.
type Door<T> = fn(&dyn WalshKernel, &mut [T]) -> Result<(), Error>;

/// Tries a door just inside and just outside, with either sign, at many sizes.
fn edge<T: Copy + PartialEq + TryFrom<i128> + std::fmt::Debug>(
    most: i128,
    forward: Door<T>,
    halving: Option<Door<T>>,
) where
    T::Error: std::fmt::Debug,
{
    let narrow = |cells: &[i128], sign: i128| -> Vec<T> {
        cells.iter().map(|cell| T::try_from(sign * cell).expect("it fits")).collect()
    };
    for (log, few, peak) in
        [(0, 0, 0), (1, 1, 1), (4, 3, 5), (9, 9, 300), (11, 10, 77), (14, 12, 4095), (18, 13, 513)]
    {
        let [mut cells, transform] = adversary(log, few, most, peak);
        assert_eq!(transform.iter().max(), Some(&most), "the adversary reaches the edge");
        for sign in [1, -1] {
            for (name, kernel) in kernels(log) {
                let start = narrow(&cells, sign);
                let mut got = start.clone();
                forward(kernel, &mut got).unwrap();
                assert!(got == narrow(&transform, sign), "{name}: 2^{log} cells of sum {most}");
                if let Some(halving) = halving {
                    halving(kernel, &mut got).unwrap();
                    assert!(got == start, "{name}: back, 2^{log} cells of sum {most}");
                }
            }
        }
        if log == 0 {
            continue; // one cell of that width cannot pass it but by its least value
        }
        let other = (1 << log) - 1;
        cells[other] += if cells[other] < 0 { -1 } else { 1 };
        for sign in [1, -1] {
            for (name, kernel) in kernels(log) {
                let start = narrow(&cells, sign);
                let mut got = start.clone();
                let refused = forward(kernel, &mut got).unwrap_err().to_string();
                let sum = format!("cells: sizes sum to {}: ", most + 1);
                assert!(refused.starts_with(&sum), "{name}: {refused}");
                assert!(got == start, "{name} changed what it refused");
            }
        }
    }
    for (name, kernel) in kernels(0) {
        for cells in [vec![], narrow(&[1, 2, 3], 1), narrow(&[-most - 1, 0], 1)] {
            assert!(forward(kernel, &mut cells.clone()).is_err(), "{name}: {cells:?}");
        }
    }
}

#[test]
fn just_inside_a_width_is_exact_and_just_outside_is_refused() {
    edge::<i16>(i16::MAX.into(), forward16, None);
    edge::<i32>(i32::MAX.into(), forward32, Some(halving32));
    edge::<i64>(i64::MAX.into(), forward64, Some(halving64));
}

#[test]
fn only_the_transform_of_integers_is_halved() {
    for log in [0, 1, 3, 9, 12] {
        for (name, kernel) in kernels(log) {
            // The transform of extreme integers, modulo nothing: sums would pass 32 bits.
            let mut extreme = vec![0; 1 << log];
            extreme[0] = i32::MAX;
            halving32(kernel, &mut extreme.clone()).map_or_else(
                |_| assert!(log > 0, "{name}: a single cell is its own transform"),
                |()| assert!(log == 0, "{name}: {} / 2^{log}", i32::MAX),
            );
            extreme.fill(i32::MIN);
            halving32(kernel, &mut extreme).unwrap();
            assert!(extreme[0] == i32::MIN && extreme[1..].iter().all(|&cell| cell == 0));
            if log == 0 {
                continue;
            }
            let mut cells: Vec<i64> = (0..1 << log).map(|x| x * x - 40).collect();
            forward64(kernel, &mut cells).unwrap();
            // One cell off by one: odd sums. Two: even ones in the first stage only.
            cells[1] += 1;
            let start = cells.clone();
            assert!(halving64(kernel, &mut cells).is_err(), "{name} at 2^{log}");
            assert_eq!(cells, start, "{name} changed what it refused");
            cells[0] += 1;
            assert_eq!(halving64(kernel, &mut cells).is_err(), log > 1, "{name} at 2^{log}");
            assert!(halving64(kernel, &mut [1, 1, 1]).is_err(), "{name}");
        }
    }
}

#[test]
fn the_number_of_positions_has_an_edge() {
    use super::bitmap::check_counts;
    for counts in [[MOST_POSITIONS, 0], [MOST_POSITIONS - 7, 7]] {
        check_counts(counts).unwrap();
        let refused = check_counts([counts[0], counts[1] + 1]).unwrap_err().to_string();
        assert!(refused.contains("536870911 of two movers: at most 536870910"), "{refused}");
    }
}

#[test]
fn residues_stay_exact_from_the_largest_there_are() {
    use super::blocked::{Arithmetic, Work};
    use super::tests::engines;
    const CELLS: usize = 1 << 12;
    for q in modulus::Modulus::MIN_Q..=modulus::Modulus::MAX_Q {
        let modulus = modulus::Modulus::above((1 << (q - 1)) - 1).unwrap();
        let q = modulus.q();
        // What a fold leaves is smaller than this in size.
        let bound = (1_i64 << q) + (1 << (31 - q));
        for peak in [0_usize, 1, 0b1010_1010_1010, CELLS - 1] {
            let sign = |x: usize| if (x & peak).count_ones().is_multiple_of(2) { 1 } else { -1 };
            let start: Vec<i32> = (0..CELLS).map(|x| (sign(x) * (bound - 1)) as i32).collect();
            let want = |u| if u == peak { CELLS as i64 * (bound - 1) } else { 0 };
            for (name, engine) in engines() {
                let along = |cells: &mut [i32]| {
                    engine.run(Work::Along32(cells, Arithmetic::Modulo(modulus)));
                };
                let across = |cells: &mut [i32]| {
                    let mut panel: Vec<&mut [i32]> = cells.chunks_exact_mut(512).collect();
                    engine.run(Work::Across32(&mut panel, Arithmetic::Modulo(modulus)));
                    panel.into_iter().for_each(along);
                };
                for work in [&along as &dyn Fn(&mut [i32]), &across] {
                    let mut cells = start.clone();
                    work(&mut cells);
                    for (u, &cell) in cells.iter().enumerate() {
                        let off = (i64::from(cell) - want(u)) % i64::from(modulus.value());
                        assert_eq!(off, 0, "{name} modulo 2^{q} - 1: cell {u} is {cell}");
                        assert!(i64::from(cell).abs() < bound, "{name}: {cell} is not folded");
                    }
                }
            }
        }
    }
}

#[test]
fn squares_stay_exact_from_the_largest_there_are() {
    use super::blocked::Work;
    use super::skew::{STRIP_CELLS, Skew};
    use super::tests::engines;
    for q in modulus::Modulus::MIN_Q..=modulus::Modulus::MAX_Q {
        let modulus = modulus::Modulus::above((1 << (q - 1)) - 1).unwrap();
        let (rows, value) = (1 << (modulus.q() - 15), i64::from(modulus.value()));
        // All positions are one mover's, or nearly half of them each one's.
        for [left, right] in [[32_767, 0], [0, 32_767], [16_384, 16_383], [-16_383, 16_383]] {
            for peak in [0, 1, rows - 1] {
                let sign =
                    |row: usize| if (row & peak).count_ones().is_multiple_of(2) { 1 } else { -1 };
                let square = (left * left + right * right) * (rows * rows) as i64;
                for (name, engine) in engines() {
                    let pair = |row| [sign(row) * left, sign(row) * right].map(|half| half as u16);
                    let pairs = |row| u32::from(pair(row)[0]) | u32::from(pair(row)[1]) << 16;
                    let mut cells: Vec<u32> =
                        (0..rows * STRIP_CELLS).map(|at| pairs(at / STRIP_CELLS)).collect();
                    let mut panel: Vec<&mut [u32]> = cells.chunks_exact_mut(STRIP_CELLS).collect();
                    let panel = &mut panel[..];
                    engine.run(Work::SquaresWide { panel, modulus, skew: Skew::NONE, exact: 1 });
                    for (at, &cell) in cells.iter().enumerate() {
                        let want = sign(at / STRIP_CELLS) * square;
                        let off = (i64::from(cell as i32) - want) % value;
                        assert_eq!(off, 0, "{name} modulo 2^{q} - 1, cell {at}: {cell}");
                    }
                }
            }
        }
    }
}
