//! Instructions a kernel executes, counted by Callgrind: exact, and the same on
//! a noisy machine. `scripts/instructions` installs what this needs and runs it.
//!
//! One group a family; a family is one function, one `Family` line and one
//! group in `main!`. Valgrind knows no AVX-512 and hides it from run-time
//! detection, so kernels of that tier are named as skipped before anything runs.

use zobrist_lab::tier::{Kernel, Tier};
use zobrist_lab::{equal, pairs};

/// What is counted of a family, to be held against its kernels.
struct Family {
    name: &'static str,
    kernels: Vec<(&'static str, Tier)>,
    counted: &'static [&'static str],
}

fn family<K: ?Sized>(
    name: &'static str,
    kernels: &[Kernel<K>],
    counted: &'static [&'static str],
) -> Family {
    let kernels = kernels.iter().map(|kernel| (kernel.name, kernel.tier)).collect();
    Family { name, kernels, counted }
}

fn families() -> Vec<Family> {
    vec![
        family("pairs", pairs::KERNELS, &["oracle", "scalar", "wide", "avx2"]),
        family("equal", equal::KERNELS, &["oracle", "scalar", "wide", "avx2", "radix"]),
    ]
}

/// Names the kernels Valgrind cannot run; a kernel neither counted nor skipped is a mistake here.
fn announce() {
    for family in families() {
        for (kernel, tier) in family.kernels {
            let counted = family.counted.contains(&kernel);
            if tier == Tier::Avx512 {
                println!("skipped {}/{kernel}: Valgrind knows no AVX-512", family.name);
            }
            let name = family.name;
            assert!(counted != (tier == Tier::Avx512), "{name}/{kernel} is missing from its group");
        }
    }
}

fn main() {
    // The harness starts this program again, once a benchmark.
    if !std::env::args().any(|argument| argument == "--iai-run") {
        announce();
    }
    counts::run();
}

mod counts {
    use std::hint::black_box;

    use iai_callgrind::{library_benchmark, library_benchmark_group};
    use zobrist_lab::equal::{self, EqualKernel};
    use zobrist_lab::game::domineering::Domineering;
    use zobrist_lab::pairs::{self, PairKernel};
    use zobrist_lab::positions;
    use zobrist_lab::tier::{self, Kernel, Tier};

    /// The kernel of that name.
    fn kernel<K: ?Sized>(family: &'static [Kernel<K>], name: &str) -> &'static K {
        tier::pick(family, Some(name), Tier::best()).expect("Valgrind runs it").1
    }

    /// Left's 1,358 positions on 3x5.
    fn left_3x5() -> Vec<u64> {
        let board = "3x5".parse().expect("a board");
        positions::enumerate(&Domineering, board).expect("a small board").left
    }

    type PairsInput = (&'static dyn PairKernel, Vec<u64>, Vec<u32>);

    fn pairs_input(name: &str) -> PairsInput {
        (kernel(pairs::KERNELS, name), left_3x5(), vec![0; 1 << 14])
    }

    #[library_benchmark(setup = pairs_input)]
    #[benches::of(args = ["oracle", "scalar", "wide", "avx2"])]
    fn differences((kernel, positions, mut cells): PairsInput) -> Vec<u32> {
        kernel.differences(black_box(&positions), &mut cells);
        cells
    }

    library_benchmark_group!(name = pairs_3x5; benchmarks = differences);

    type EqualInput = (&'static dyn EqualKernel, Vec<u16>);

    /// Keys of 16 bits: each of Left's positions on 3x5, multiplied and cut.
    fn equal_input(name: &str) -> EqualInput {
        let key = |position: &u64| (position.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48) as u16;
        (kernel(equal::KERNELS, name), left_3x5().iter().map(key).collect())
    }

    #[library_benchmark(setup = equal_input)]
    #[benches::of(args = ["oracle", "scalar", "wide", "avx2", "radix"])]
    fn equal16((kernel, keys): EqualInput) -> u64 {
        kernel.equal16(black_box(&keys))
    }

    library_benchmark_group!(name = equal_3x5; benchmarks = equal16);

    iai_callgrind::main!(library_benchmark_groups = pairs_3x5, equal_3x5);

    pub fn run() {
        main();
    }
}
