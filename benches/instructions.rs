//! Instructions a kernel executes, counted by Callgrind: exact, and the same on
//! a noisy machine. `scripts/instructions` installs what this needs and runs it.
//!
//! One group a family; a family is one function, one `Family` line and one
//! group in `main!`. Valgrind knows no AVX-512 and hides it from run-time
//! detection, so kernels of that tier are named as skipped before anything runs.

use zobrist_lab::tier::{Kernel, Tier};
use zobrist_lab::{
    census::tally, codesum, cosets, equal, keys, lookup, pairing, pairs, pieces, planes, walsh,
};

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
        family("pairing", pairing::KERNELS, &["oracle", "scalar", "portable", "avx2"]),
        family("lookup", lookup::KERNELS, &["oracle", "arrays", "packed", "prefetch", "avx2"]),
        family("pieces", pieces::KERNELS, &["oracle", "scalar"]),
        family("codesum", codesum::KERNELS, &["oracle", "dual", "gray", "avx2"]),
        family("cosets", cosets::KERNELS, &["scalar", "avx2"]),
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
    use zobrist_lab::codesum::{self, CodeSumKernel, Prices};
    use zobrist_lab::cosets::{self, CosetKernel};
    use zobrist_lab::equal::{self, EqualKernel};
    use zobrist_lab::game::cram::{self, Cram};
    use zobrist_lab::game::domineering::Domineering;
    use zobrist_lab::keys::{self, KeyKernel};
    use zobrist_lab::lookup::{self, LookupKernel, Table};
    use zobrist_lab::pairing::{self, Check, Clause, PairingKernel, Pairings};
    use zobrist_lab::pairs::{self, PairKernel};
    use zobrist_lab::pieces::{self, Expansion, Frame, Key, PieceKernel, Pieces};
    use zobrist_lab::planes::{self, Block, PlaneKernel};
    use zobrist_lab::positions::{self, Positions};
    use zobrist_lab::table::Split;
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

    type PairingInput = (&'static dyn PairingKernel, Check, Vec<u64>, Vec<u8>);

    /// The 550 reachable free sets of 3x4 under the repaired half turn.
    fn pairing_input(name: &str) -> PairingInput {
        let board = "3x4".parse().expect("a board");
        let check = Check { board, pairings: Pairings::HALF_TURN, clause: Clause::Strict };
        let positions = positions::enumerate(&Cram, board).expect("a small board").left;
        let sets: Vec<u64> = positions.iter().map(|&set| cram::free(board, set)).collect();
        let accepted = vec![0; sets.len()];
        (kernel(pairing::KERNELS, name), check, sets, accepted)
    }

    #[library_benchmark(setup = pairing_input)]
    #[benches::of(args = ["oracle", "scalar", "portable", "avx2"])]
    fn accepted((kernel, check, sets, mut accepted): PairingInput) -> Vec<u8> {
        kernel.accepted(&check, black_box(&sets), &mut accepted);
        accepted
    }

    library_benchmark_group!(name = pairing_3x4; benchmarks = accepted);

    type LookupInput = (&'static dyn LookupKernel, Table, Vec<u32>, Vec<u8>);

    /// 1,024 keys, half of them in a table of 256 slots.
    fn lookup_input(name: &str) -> LookupInput {
        let kernel = kernel(lookup::KERNELS, name);
        let split = Split { address: 8, check: 6 };
        let mut table = Table::new(kernel.layout(), split).expect("it fits");
        let held = |slot: u32| slot << 6 | slot.wrapping_mul(0x9E37_79B1) >> 26;
        (0..1 << 8).for_each(|slot| table.insert(held(slot), (slot % 255) as u8 + 1));
        let keys: Vec<u32> = (0..1 << 10).map(|n| held(n * 37 % 256) ^ n & 1).collect();
        (kernel, table, keys, vec![0; 1 << 10])
    }

    #[library_benchmark(setup = lookup_input)]
    #[benches::of(args = ["oracle", "arrays", "packed", "prefetch", "avx2"])]
    fn look_up((kernel, table, keys, mut out): LookupInput) -> Vec<u8> {
        kernel.look_up(&table, black_box(&keys), &mut out);
        out
    }

    library_benchmark_group!(name = lookup_1024; benchmarks = look_up);

    type PiecesInput = (&'static dyn PieceKernel, Frame, Vec<u64>, Vec<bool>);

    /// Every sixteenth of the 11,191 pieces of 3x4.
    fn pieces_input(name: &str) -> PiecesInput {
        let frame = Frame::new("3x4".parse().expect("a board")).expect("it fits");
        let kernel = kernel(pieces::KERNELS, name);
        let hidden = indicatif::ProgressBar::hidden();
        let all = Pieces::reachable(&frame, frame.start(), Key::Piece, kernel, &hidden);
        let pieces: Vec<u64> = all.layers().concat().into_iter().step_by(16).collect();
        let swapped = vec![false; pieces.len()];
        (kernel, frame, pieces, swapped)
    }

    #[library_benchmark(setup = pieces_input)]
    #[benches::of(args = ["oracle", "scalar"])]
    fn expand((kernel, frame, pieces, _): PiecesInput) -> Expansion {
        let mut expansion = Expansion::default();
        kernel.expand(&frame, black_box(&pieces), &mut expansion);
        expansion
    }

    #[library_benchmark(setup = pieces_input)]
    #[benches::of(args = ["oracle", "scalar"])]
    fn piece_keys((kernel, frame, mut pieces, mut swapped): PiecesInput) -> Vec<u64> {
        kernel.keys(&frame, Key::Both, black_box(&mut pieces), &mut swapped);
        pieces
    }

    library_benchmark_group!(name = pieces_3x4; benchmarks = expand, piece_keys);

    type SumInput = (&'static dyn CodeSumKernel, Prices, Vec<u32>);

    /// A code of 2^8 words among 2^14 cells, with the transform made.
    fn sum_input(name: &str) -> SumInput {
        let prices = Prices::new((0..1 << 14).map(|cell| cell % 11).collect::<Vec<u32>>());
        prices.transform();
        let basis = (0..8).map(|bit| 1 << bit | 0x1100 << (bit % 2)).collect();
        (kernel(codesum::KERNELS, name), prices, basis)
    }

    #[library_benchmark(setup = sum_input)]
    #[benches::of(args = ["oracle", "dual", "gray", "avx2"])]
    fn sum((kernel, prices, basis): SumInput) -> (u64, Prices) {
        (kernel.sum(&prices, black_box(&basis)), prices)
    }

    library_benchmark_group!(name = codesum_2_14; benchmarks = sum);

    type FoldInput = (&'static dyn CosetKernel, Vec<u32>, Vec<u32>);

    fn fold_input(name: &str) -> FoldInput {
        let prices = (0..1 << 14).map(|cell| cell % 11).collect();
        (kernel(cosets::KERNELS, name), prices, vec![0; 1 << 13])
    }

    #[library_benchmark(setup = fold_input)]
    #[benches::of(args = ["scalar", "avx2"])]
    fn fold((kernel, prices, mut folded): FoldInput) -> (u32, Vec<u32>) {
        let least = kernel.fold(black_box(&prices), 0x15A5, &mut folded);
        (least, folded)
    }

    library_benchmark_group!(name = cosets_2_14; benchmarks = fold);

    iai_callgrind::main!(
        library_benchmark_groups = planes_3x5,
        keys_3x5,
        pairs_3x5,
        equal_3x5,
        walsh_3x4,
        tally_3x5,
        pairing_3x4,
        lookup_1024,
        pieces_3x4,
        codesum_2_14,
        cosets_2_14
    );

    pub(super) fn run() {
        main();
    }
}
