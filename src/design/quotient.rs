//! Designs on positions of too many features to price every set: a price list of what a
//! longer key tells apart.
//!
//! A key of `L` bits with a few bits more sends positions to few enough cells, and the pairs
//! of cells priced there are pairs of positions. Every key that the longer one determines is
//! a quotient of it by a code of these cells, the key itself among them, so the search for a
//! cheap code ([`descend`]) leads to a key that confuses no more:
//!
//! ```text
//! key of L bits ─► + 4 random bits ─► prices of 2^(L+4) cells ─► cheapest code of dimension 4
//!   ▲                                                               │ quotient: L bits
//!   └───────────────────────────────────────────────────────────────┘
//! ```
//!
//! Where `2^(L+4)` cells are too many, some bits of the key, mixed anew each time, are left
//! as they are, and only positions that agree on them are paired.

use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::ProgressBar;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use rayon::prelude::*;

use super::{Folds, Found, capped, descend, total};
use crate::code::Code;
use crate::cosets::{self, CAP, CosetKernel};
use crate::error::Error;
use crate::positions::Positions;
use crate::tier::{self, Tier};
use crate::{draw, gf2, keys, memory, walsh};

/// Bits that a key is made longer by: with fewer a round finds less, with more it takes longer.
const MORE: usize = 4;

/// Bits of the smallest and the largest tables of prices, where the key is not shorter.
const TABLES: [usize; 2] = [18, 24];

/// Rounds without a better key after which a restart ends.
const FRUITLESS: usize = 24;

/// A key and what it confuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quotient {
    /// One word a feature.
    pub words: Vec<u64>,
    /// Same-mover pairs of positions that share a key.
    pub pairs: u64,
}

/// The key of `bits`, fewer than the features, that confuses the fewest pairs of all that
/// so many seeded searches find; the first such. `ceiling` bounds the kernels, and no tier
/// changes the key.
///
/// # Errors
/// The tables of prices do not fit the memory that is free.
pub fn cheap_key(
    positions: &Positions,
    bits: usize,
    restarts: usize,
    seed: u64,
    ceiling: Tier,
    progress: &ProgressBar,
) -> Result<Quotient, Error> {
    let plan = Plan::of(positions, bits, ceiling);
    plan.require_memory(positions)?;
    // Nothing is better than an exact key, and of those the first restart's is taken.
    let exact = AtomicUsize::new(usize::MAX);
    let restart = |restart: usize| {
        if exact.load(Ordering::Relaxed) < restart {
            return None;
        }
        let key = plan.search(positions, &mut draw::generator(seed, restart as u64));
        if key.pairs == 0 {
            exact.fetch_min(restart, Ordering::Relaxed);
        }
        progress.inc(1);
        Some((key.pairs, restart, key))
    };
    let found = (0..restarts).into_par_iter().filter_map(restart);
    let best = found.min_by_key(|&(pairs, restart, _)| (pairs, restart));
    Ok(best.expect("the first restart ends").2)
}

/// Pairs that every key of `bits` confuses, linear or not: positions as evenly as can be over
/// all keys.
///
/// ```
/// use zobrist_lab::{design, positions::Positions};
/// let positions = Positions { features: 40, left: (0..10).collect(), right: vec![] };
/// assert_eq!(design::crowded_pairs(&positions, 2), 3 + 3 + 1 + 1);
/// assert_eq!(design::crowded_pairs(&positions, 4), 0);
/// ```
pub fn crowded_pairs(positions: &Positions, bits: usize) -> u64 {
    crowded(positions.both().map(<[u64]>::len), bits)
}

/// [`crowded_pairs`] of two movers with so many positions.
pub(super) fn crowded(positions: [usize; 2], bits: usize) -> u64 {
    let of_list = |count: usize| {
        let keys = 1u128 << bits;
        let (each, more) = (count as u128 / keys, count as u128 % keys);
        (keys - more) * (each * each.saturating_sub(1) / 2) + more * (each * (each + 1) / 2)
    };
    let pairs: u128 = positions.into_iter().map(of_list).sum();
    u64::try_from(pairs).expect("pairs of positions in memory")
}

/// Which bits of the longer key choose a cell, the lowest, and which are left as they are.
struct Plan {
    /// Bits of the key that cells show.
    free: usize,
    /// Bits more.
    more: usize,
    /// Bits of the key left as they are.
    fixed: usize,
    kernel: &'static dyn keys::KeyKernel,
    transform: &'static dyn walsh::WalshKernel,
    fold: &'static dyn CosetKernel,
}

impl Plan {
    fn of(positions: &Positions, bits: usize, ceiling: Tier) -> Self {
        assert!(bits < positions.features, "{bits} bits for {} features", positions.features);
        let (_, kernel) = tier::pick(keys::KERNELS, None, ceiling).expect("a scalar kernel");
        let (_, transform) = tier::pick(walsh::KERNELS, None, ceiling).expect("a scalar kernel");
        let (_, fold) = tier::pick(cosets::KERNELS, None, ceiling).expect("a scalar kernel");
        let more = MORE.min(positions.features - bits);
        let plan = |fixed| Self { free: bits - fixed, more, fixed, kernel, transform, fold };
        let [smallest, largest] = TABLES;
        let tables = (0..=bits).map(plan).filter(|plan| {
            plan.table() <= largest && (plan.fixed == 0 || plan.table() >= smallest)
        });
        tables.min_by_key(|plan| plan.steps(positions)).expect("a table of 18 to 24 bits")
    }

    /// Bits of a cell's number.
    fn table(&self) -> usize {
        self.free + self.more
    }

    /// Steps of a transform, in pairs that could be counted meanwhile.
    fn transform_steps(&self) -> u128 {
        ((self.table() as u128) << self.table()) / 16
    }

    /// About how long a round takes, in pairs that could be counted meanwhile.
    fn steps(&self, positions: &Positions) -> u128 {
        let folding = 16u128 << self.table();
        let counting = positions.both().map(|list| {
            let run = (list.len() as u128) >> self.fixed;
            (run * run / 2).min(self.transform_steps()) << self.fixed
        });
        folding + counting.iter().sum::<u128>()
    }

    fn require_memory(&self, positions: &Positions) -> Result<(), Error> {
        let longest = positions.both().map(<[u64]>::len).into_iter().max().unwrap_or(0) as u64;
        // Prices and a copy, their folds, counts and the sum of their squares.
        let each = ((4 + 4 + 4 + 8 + 8) << self.table()) + 8 * longest;
        let needed = each * rayon::current_num_threads() as u64;
        let what = format!("a search with prices of 2^{} cells", self.table());
        memory::require(&what, needed, "; want fewer --threads")
    }

    fn search(&self, positions: &Positions, generator: &mut ChaCha8Rng) -> Quotient {
        let bits = self.free + self.fixed;
        let mut best = Quotient {
            words: full_rank(&vec![0; positions.features], 0, bits, generator),
            pairs: u64::MAX,
        };
        let mut fruitless = 0;
        while fruitless < FRUITLESS && best.pairs > 0 {
            let found = self.round(positions, &best.words, generator);
            fruitless = if found.pairs < best.pairs { 0 } else { fruitless + 1 };
            // A step on the level is taken too.
            if found.pairs <= best.pairs {
                best = found;
            }
        }
        best
    }

    /// A key that confuses no more pairs than the one with these words.
    fn round(&self, positions: &Positions, words: &[u64], generator: &mut ChaCha8Rng) -> Quotient {
        let Self { free, more, fixed, .. } = *self;
        let mixing = draw::invertible(free + fixed, generator);
        let mixed: Vec<u64> = words.iter().map(|&word| gf2::times(&mixing, word)).collect();
        // From the lowest: the free bits, those that are more, those that stay as they are.
        let low = (1u64 << free) - 1;
        let parted: Vec<u64> =
            mixed.iter().map(|word| (word & !low) << more | word & low).collect();
        let longer = full_rank(&parted, free, more, generator);
        let (shared, prices) = self.prices(positions, &longer);
        let prices = capped(&prices);
        let basis: Vec<u32> = (free..free + more).map(|bit| 1 << bit).collect();
        let known = Found { total: total(&prices, &basis), basis };
        let found = descend(&mut Folds::new(self.fold, &prices), known, generator);
        let basis: Vec<u64> = found.basis.iter().map(|&cell| cell.into()).collect();
        let of_cells = Code::spanned(self.table(), &basis).words();
        let within = (1u64 << self.table()) - 1;
        let quotient =
            |word: &u64| gf2::times(&of_cells, word & within) | word >> self.table() << free;
        Quotient { words: longer.iter().map(quotient).collect(), pairs: shared + found.total }
    }

    /// The pairs that agree on all bits of these words, and the number of pairs that agree
    /// on the fixed bits and differ by each cell, up to [`CAP`]; of cell 0, anything.
    fn prices(&self, positions: &Positions, words: &[u64]) -> (u64, Vec<u32>) {
        let within = (1u64 << self.table()) - 1;
        let mut prices = vec![0u32; 1 << self.table()];
        let mut squares: Vec<i64> = Vec::new();
        let mut transformed = 0;
        for list in positions.both() {
            let mut keys = vec![0; list.len()];
            self.kernel.keys(words, list, &mut keys);
            if self.fixed > 0 {
                keys.sort_unstable();
            }
            for run in keys.chunk_by(|x, y| (x ^ y) & !within == 0) {
                if (run.len() as u128).pow(2) / 2 <= self.transform_steps() {
                    for (index, x) in run.iter().enumerate() {
                        for y in &run[..index] {
                            let price = &mut prices[((x ^ y) & within) as usize];
                            *price = price.saturating_add(1);
                        }
                    }
                    continue;
                }
                let mut counts = vec![0i64; prices.len()];
                run.iter().for_each(|key| counts[(key & within) as usize] += 1);
                self.transform.forward64(&mut counts);
                squares.resize(prices.len(), 0);
                let both = squares.iter_mut().zip(counts);
                both.for_each(|(sum, value)| *sum += value * value);
                transformed += run.len() as i64;
            }
        }
        assert!(prices[0] < u32::MAX, "pairs that are counted one by one fit 32 bits");
        let mut shared = u64::from(prices[0]);
        if !squares.is_empty() {
            // Ordered pairs now, and of cell 0 also every position with itself.
            self.transform.halving64(&mut squares);
            shared += (squares[0] - transformed) as u64 / 2;
            for (price, ordered) in prices.iter_mut().zip(squares).skip(1) {
                *price = (u64::from(*price) + ordered as u64 / 2).min(CAP.into()) as u32;
            }
        }
        (shared, prices)
    }
}

/// The words with `more` random bits added from bit `at` on (where they have none), all of
/// whose bits are independent if those that the words have are.
fn full_rank(words: &[u64], at: usize, more: usize, generator: &mut ChaCha8Rng) -> Vec<u64> {
    let rank = gf2::rank(words) + more;
    loop {
        let random = |word: &u64| {
            let bits = generator.next_u64().checked_shr(64 - more as u32).unwrap_or(0);
            word | bits << at
        };
        let longer: Vec<u64> = words.iter().map(random).collect();
        if gf2::rank(&longer) == rank {
            return longer;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::{Census, Road};
    use crate::design::{Sets, prove_cheapest};
    use crate::game::domineering::Domineering;
    use crate::positions;
    use std::time::{Duration, Instant};

    fn census(name: &str) -> (Positions, Census) {
        let positions = positions::enumerate(&Domineering, name.parse().unwrap()).unwrap();
        let road = Road::choose("auto", Tier::best(), &positions).unwrap();
        let census = Census::take(&positions, &road).unwrap();
        (positions, census)
    }

    /// So many sets of features by a multiplicative walk, and three beside them.
    fn scattered(features: u32, count: u64) -> Positions {
        let set = |i: u64| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - features);
        let mut left: Vec<u64> = (0..count).map(set).collect();
        left.sort_unstable();
        left.dedup();
        Positions { features: features as usize, left, right: vec![0, 1, 5] }
    }

    #[test]
    fn prices_are_those_of_the_pairs_by_either_road() {
        let positions = scattered(40, 300);
        let mut roads = [0; 2];
        for (fixed, free, more) in
            [(0, 14, 4), (0, 8, 4), (0, 3, 1), (3, 6, 2), (1, 4, 2), (9, 1, 4)]
        {
            let plan = Plan { free, more, fixed, ..Plan::of(&positions, 14, Tier::best()) };
            let bits = fixed + free + more;
            let words = full_rank(&[0; 40], 0, bits, &mut draw::generator(3, bits as u64));
            let mut want = vec![0u32; 1 << plan.table()];
            for list in positions.both() {
                let keys: Vec<u64> = list.iter().map(|&set| gf2::times(&words, set)).collect();
                for (index, x) in keys.iter().enumerate() {
                    for y in keys[..index].iter().filter(|y| (x ^ **y) >> plan.table() == 0) {
                        want[(x ^ y) as usize] += 1;
                    }
                }
            }
            let (shared, prices) = plan.prices(&positions, &words);
            assert_eq!(shared, u64::from(want[0]), "{fixed} fixed bits, {free} free");
            assert_eq!(prices[1..], want[1..], "{fixed} fixed bits, {free} free");
            let run = (positions.left.len() as u128) >> fixed;
            roads[usize::from(run * run / 2 > plan.transform_steps())] += 1;
        }
        assert!(roads[0] > 1 && roads[1] > 1, "both roads: {roads:?}");
    }

    #[test]
    fn keys_of_boards_cost_what_is_proved_to_be_the_least() {
        let (later, hidden) = (Instant::now() + Duration::from_secs(600), ProgressBar::hidden());
        for (name, lengths) in [("2x4", 2..=6), ("3x4", 7..=10), ("2x6", 8..=10)] {
            let (positions, census) = census(name);
            for bits in lengths {
                let dimension = Sets::of(&census).code_dimension(bits);
                let known = super::super::cheap_codes(census.cells(), dimension, 4, 64, 1, &hidden);
                let proof = prove_cheapest(census.cells(), &known[0], &[], 1, later, &hidden);
                let key = cheap_key(&positions, bits, 8, 1, Tier::best(), &hidden).unwrap();
                assert_eq!(key.pairs, proof.lower_bound, "{name} at {bits} bits");
                assert_eq!(Code::of_words(&key.words).pairs_among(&positions), key.pairs);
                assert!(key.words.iter().all(|word| word >> bits == 0));
                assert!(crowded_pairs(&positions, bits) <= key.pairs);
            }
        }
    }

    #[test]
    fn rounds_never_confuse_more_whatever_stays_fixed() {
        let positions = scattered(64, 2_000);
        for fixed in [0, 4, 9] {
            let plan =
                Plan { free: 12 - fixed, more: 3, fixed, ..Plan::of(&positions, 12, Tier::best()) };
            let mut generator = draw::generator(7, fixed as u64);
            let mut words = full_rank(&[0; 64], 0, 12, &mut generator);
            let mut pairs = Code::of_words(&words).pairs_among(&positions);
            let random = pairs;
            for _ in 0..6 {
                let found = plan.round(&positions, &words, &mut generator);
                assert!(found.pairs <= pairs, "{} and {pairs}", found.pairs);
                assert_eq!(Code::of_words(&found.words).pairs_among(&positions), found.pairs);
                assert_eq!(Code::of_words(&found.words).bits(), 12);
                (words, pairs) = (found.words, found.pairs);
            }
            assert!(pairs < random, "{fixed} fixed bits: {pairs} of {random}");
        }
    }

    #[test]
    fn a_key_depends_on_its_seed_alone_and_few_positions_need_no_pair() {
        let positions = scattered(40, 300);
        let key = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (tier, hidden) = (Tier::best(), ProgressBar::hidden());
            pool.install(|| cheap_key(&positions, 9, 3, 5, tier, &hidden).unwrap())
        };
        assert_eq!(key(1), key(3));
        let hidden = ProgressBar::hidden();
        for tier in Tier::ALL.into_iter().filter(|tier| tier.available()) {
            assert_eq!(cheap_key(&positions, 9, 3, 5, tier, &hidden).unwrap(), key(3), "{tier}");
        }
        let exact = cheap_key(&positions, 20, 3, 5, Tier::best(), &hidden).unwrap();
        assert_eq!(exact.pairs, 0);
        for left in [vec![], vec![7]] {
            let few = Positions { features: 33, left, right: vec![] };
            assert_eq!(cheap_key(&few, 3, 2, 1, Tier::best(), &hidden).unwrap().pairs, 0);
        }
    }
}
