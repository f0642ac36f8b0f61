//! Wall time of summing prices over codes, `codesum/<kernel>/<workload>` in
//! codewords a second, and of folding them, `cosets/<kernel>/<workload>` in
//! cosets a second; one thread.
//!
//! The prices are the pair counts of reachable 4x5 positions and the codes the
//! even parts of key 1 of the essays' sixty, cut to that many bits. The dual
//! road walks another number of words: its rate is that of the codewords it
//! answers for, with the transform made before.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use zobrist_lab::census::{Census, Road};
use zobrist_lab::code::Code;
use zobrist_lab::codesum::{self, Prices};
use zobrist_lab::cosets;
use zobrist_lab::design::{Sets, capped};
use zobrist_lab::draw;
use zobrist_lab::game::domineering::Domineering;
use zobrist_lab::positions;
use zobrist_lab::tier::{Tier, available};

fn census() -> Census {
    let positions = positions::enumerate(&Domineering, "4x5".parse().expect("a board"));
    let positions = positions.expect("a small board");
    let road = Road::choose("auto", Tier::best(), &positions).expect("a road is always there");
    Census::take(&positions, &road).expect("a small census")
}

fn sums(criterion: &mut Criterion) {
    let census = census();
    let sets = Sets::of(&census);
    let prices = Prices::new(census.cells().to_vec());
    prices.transform();
    for bits in [16, 12, 8, 4] {
        let words = draw::top_bits(&draw::essay_words(1, 20), bits);
        let code = Code::of_words(&words).even_part();
        let basis: Vec<u32> = code.basis().iter().map(|&set| sets.cell(set)).collect();
        let expected: u64 = code.families(&census).iter().map(|family| family.pairs).sum();
        let mut group = criterion.benchmark_group("codesum");
        group.throughput(Throughput::Elements(1 << basis.len()));
        for kernel in available(codesum::KERNELS) {
            let sum = kernel.get().expect("it is available");
            let id = format!("{}/domineering-4x5-{bits}", kernel.name);
            assert_eq!(sum.sum(&prices, &basis), expected, "{id}");
            group.bench_function(id, |bencher| {
                bencher.iter(|| sum.sum(black_box(&prices), black_box(&basis)));
            });
        }
        group.finish();
    }
}

fn folds(criterion: &mut Criterion) {
    let prices = capped(census().cells());
    let mut folded = vec![0; prices.len() / 2];
    let mut group = criterion.benchmark_group("cosets");
    group.throughput(Throughput::Elements(folded.len() as u64));
    for kernel in available(cosets::KERNELS) {
        let fold = kernel.get().expect("it is available");
        let id = format!("{}/domineering-4x5", kernel.name);
        let (mut got, by) = (0, 0x5_a5a5);
        group.bench_function(id.as_str(), |bencher| {
            bencher.iter(|| got = fold.fold(black_box(&prices), black_box(by), &mut folded));
        });
        // A filter that matched nothing has left the fold undone.
        if got > 0 {
            let least = (1..prices.len()).filter(|set| set ^ by as usize != 0);
            let least = least.map(|set| prices[set] + prices[set ^ by as usize]).min();
            assert_eq!(Some(got), least, "{id}");
        }
    }
    group.finish();
}

criterion_group!(benches, sums, folds);
criterion_main!(benches);
