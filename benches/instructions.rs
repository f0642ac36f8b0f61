//! Instructions a kernel executes, counted by Callgrind: exact, and the same on
//! a noisy machine. `scripts/instructions` installs what this needs and runs it.
//!
//! One group a family; a family is one function, one `Family` line and one
//! group in `main!`. Valgrind knows no AVX-512 and hides it from run-time
//! detection, so kernels of that tier are named as skipped before anything runs.

use zobrist_lab::tier::{Kernel, Tier};
use zobrist_lab::{census::tally, equal, keys, pairs, planes, walsh};

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
        family("planes", planes::KERNELS, &["oracle", "scalar", "wide", "avx2"]),
        family("keys", keys::KERNELS, &["oracle", "wide", "planes", "scalar", "avx2"]),
        family("pairs", pairs::KERNELS, &["oracle", "scalar", "wide", "avx2"]),
        family("equal", equal::KERNELS, &["oracle", "scalar", "wide", "avx2", "radix"]),
        family("walsh", walsh::KERNELS, &["oracle", "scalar", "wide", "avx2"]),
        family("tally", tally::KERNELS, &["scalar", "avx2"]),
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
    use zobrist_lab::census::tally::{self, Tally, TallyKernel};
    use zobrist_lab::equal::{self, EqualKernel};
    use zobrist_lab::game::domineering::Domineering;
    use zobrist_lab::keys::{self, KeyKernel};
    use zobrist_lab::pairs::{self, PairKernel};
    use zobrist_lab::planes::{self, Block, PlaneKernel};
    use zobrist_lab::positions::{self, Positions};
    use zobrist_lab::tier::{self, Kernel, Tier};
    use zobrist_lab::walsh::{self, WalshKernel};

    /// The kernel of that name.
    fn kernel<K: ?Sized>(family: &'static [Kernel<K>], name: &str) -> &'static K {
        tier::pick(family, Some(name), Tier::best()).expect("Valgrind runs it").1
    }

    /// Left's 1,358 positions on 3x5.
    fn left_3x5() -> Vec<u64> {
        let board = "3x5".parse().expect("a board");
        positions::enumerate(&Domineering, board).expect("a small board").left
    }

    type PlanesInput = (&'static dyn PlaneKernel, Vec<Block>);

    fn planes_input(name: &str) -> PlanesInput {
        let positions = left_3x5();
        let mut blocks = vec![[0; 64]; positions.len().div_ceil(64)];
        blocks.as_flattened_mut()[..positions.len()].copy_from_slice(&positions);
        (kernel(planes::KERNELS, name), blocks)
    }

    #[library_benchmark(setup = planes_input)]
    #[benches::of(args = ["oracle", "scalar", "wide", "avx2"])]
    fn transpose((kernel, mut blocks): PlanesInput) -> Vec<Block> {
        kernel.transpose(black_box(&mut blocks));
        blocks
    }

    library_benchmark_group!(name = planes_3x5; benchmarks = transpose);

    type KeysInput = (&'static dyn KeyKernel, Vec<u64>, Vec<u64>, Vec<u64>);

    /// Words of 32 bits.
    fn keys_input(name: &str) -> KeysInput {
        let words = (1..=15_u64).map(|s| s.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32).collect();
        let positions = left_3x5();
        let out = vec![0; positions.len()];
        (kernel(keys::KERNELS, name), words, positions, out)
    }

    #[library_benchmark(setup = keys_input)]
    #[benches::of(args = ["oracle", "wide", "planes", "scalar", "avx2"])]
    fn xor_keys((kernel, words, positions, mut out): KeysInput) -> Vec<u64> {
        kernel.keys(black_box(&words), black_box(&positions), &mut out);
        out
    }

    library_benchmark_group!(name = keys_3x5; benchmarks = xor_keys);

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

    type TransformInput = (&'static dyn WalshKernel, Vec<i32>);

    /// 1,024 cells that the transform cannot make wrap.
    fn transform_input(name: &str) -> TransformInput {
        (kernel(walsh::KERNELS, name), (0..1 << 10).map(|x| x % 7 - 3).collect())
    }

    #[library_benchmark(setup = transform_input)]
    #[benches::of(args = ["oracle", "scalar", "wide", "avx2"])]
    fn forward32((kernel, mut cells): TransformInput) -> Vec<i32> {
        kernel.forward32(black_box(&mut cells));
        cells
    }

    type CensusInput = (&'static dyn WalshKernel, Positions, Vec<u32>);

    fn census_input(name: &str) -> CensusInput {
        let positions = positions::enumerate(&Domineering, "3x4".parse().expect("a board"));
        let positions = positions.expect("a small board");
        (kernel(walsh::KERNELS, name), positions, vec![0; 1 << 11])
    }

    #[library_benchmark(setup = census_input)]
    #[benches::of(args = ["oracle", "scalar", "wide", "avx2"])]
    fn autocorrelation((kernel, positions, mut cells): CensusInput) -> Vec<u32> {
        walsh::autocorrelation(kernel, &positions.both(), black_box(&mut cells)).expect("few");
        cells
    }

    library_benchmark_group!(name = walsh_3x4; benchmarks = forward32, autocorrelation);

    type TallyInput = (&'static dyn TallyKernel, Vec<u32>);

    fn tally_input(name: &str) -> TallyInput {
        (kernel(tally::KERNELS, name), (0..1 << 14).map(|cell| cell % 11).collect())
    }

    #[library_benchmark(setup = tally_input)]
    #[benches::of(args = ["scalar", "avx2"])]
    fn by_bits((kernel, cells): TallyInput) -> Vec<Tally> {
        tally::by_bits(kernel, black_box(&cells))
    }

    library_benchmark_group!(name = tally_3x5; benchmarks = by_bits);

    iai_callgrind::main!(
        library_benchmark_groups = planes_3x5,
        keys_3x5,
        pairs_3x5,
        equal_3x5,
        walsh_3x4,
        tally_3x5
    );

    pub(super) fn run() {
        main();
    }
}
