//! What many keys confuse, cut to each of several lengths: totals over the
//! keys, the worst of them, and how a bit more or less treats one key.
//!
//! ```text
//! key 37 cut to 18 bits   ....#  ..    {0,4,7,15}      100 pairs
//!                         three      {3,6,8,11,…}     25 pairs
//!                         families   their union      11 pairs
//! cut to 19 bits          one family goes whole or stays whole: lumps
//! ```

use indicatif::ProgressBar;
use rayon::prelude::*;

use crate::census::Census;
use crate::code::Code;
use crate::draw;

/// Keys to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keys {
    /// The essays' keys, numbered from 1.
    Essays,
    /// [`draw::random_words`] of this seed, numbered from 0.
    Random(u64),
}

impl Keys {
    /// The number of the first key.
    fn first(self) -> u64 {
        match self {
            Self::Essays => 1,
            Self::Random(_) => 0,
        }
    }

    /// The drawn words of a key, 32 bits each.
    fn words(self, number: u64, features: usize) -> Vec<u32> {
        match self {
            Self::Essays => {
                let number = u32::try_from(number).expect("the essays have sixty keys");
                draw::essay_words(number, features)
            }
            Self::Random(seed) => draw::random_words(seed, number, features),
        }
    }
}

/// What keys confuse, cut to one length. Counts are totals over the keys.
#[derive(Clone, PartialEq, Debug)]
pub struct Length {
    /// Bits of each word kept, the top ones.
    pub bits: u32,
    /// Confused pairs of positions.
    pub pairs: u64,
    /// The sum over the keys of the square of their pairs.
    pub squared_pairs: u128,
    /// Families: codewords on which pairs differ.
    pub families: u64,
    /// Codewords other than the empty set.
    pub codewords: u64,
    /// Codewords of even size.
    pub even: u64,
    /// Even codewords on which two *reachable* positions differ.
    pub costly: u64,
    /// The most pairs that one key confuses.
    pub worst_pairs: u64,
    /// The first key that confuses so many.
    pub worst_key: u64,
    /// Keys that confuse some pair.
    pub keys_confusing: u64,
}

impl Length {
    /// Pairs a key, and the standard error of that mean, which one key alone does not have.
    pub fn mean(&self, keys: u64) -> (f64, Option<f64>) {
        let mean = self.pairs as f64 / keys as f64;
        let spread = self.squared_pairs as f64 / keys as f64 - mean * mean;
        (mean, (keys > 1).then(|| (spread.max(0.0) / (keys as f64 - 1.0)).sqrt()))
    }
}

/// What one bit more does to keys that confuse something.
#[derive(Clone, PartialEq, Debug)]
pub struct Lumps {
    /// Bits before; one more after.
    pub bits: u32,
    /// Keys that confuse a pair before.
    pub keys: u64,
    /// Of these, keys that keep none of their pairs,
    pub none: u64,
    /// all of them,
    pub all: u64,
    /// or some.
    pub some: u64,
    /// Keys that keep between a quarter and three quarters, both included.
    pub middle: u64,
    /// The share kept, summed over the keys.
    pub kept: f64,
}

/// What `count` keys confuse at each of `lengths` (ascending, at most 32 bits),
/// over the positions of one census and, for what is costly, over all
/// reachable ones; and the lumps between lengths that follow one another.
///
/// ```
/// use zobrist_lab::{census::{Census, Road}, confusions::{self, Keys}, solve, tier::Tier};
/// let stored = solve::stored("2x4".parse()?)?;
/// let census = Census::take(&stored, &Road::choose("auto", Tier::best(), &stored)?)?;
/// let hidden = indicatif::ProgressBar::hidden();
/// let (lengths, lumps) = confusions::of(Keys::Essays, 60, &[6, 7], &census, &census, &hidden);
/// assert!(lengths[0].pairs > lengths[1].pairs && lumps[0].keys == lengths[0].keys_confusing);
/// # Ok::<(), zobrist_lab::Error>(())
/// ```
pub fn of(
    keys: Keys,
    count: u64,
    lengths: &[u32],
    over: &Census,
    reachable: &Census,
    progress: &ProgressBar,
) -> (Vec<Length>, Vec<Lumps>) {
    const AT_ONCE: u64 = 16;
    progress.set_length(count);
    // Chunks are added up in their order: sums of shares must not depend on the threads.
    let chunks: Vec<Totals> = (0..count.div_ceil(AT_ONCE))
        .into_par_iter()
        .map(|chunk| {
            let mut totals = Totals::new(lengths);
            let first = chunk * AT_ONCE;
            for number in first..count.min(first + AT_ONCE) {
                totals.add_key(keys, keys.first() + number, over, reachable);
            }
            progress.inc(AT_ONCE);
            totals
        })
        .collect();
    let mut totals = Totals::new(lengths);
    chunks.iter().for_each(|chunk| totals.add(chunk));
    (totals.lengths, totals.lumps)
}

struct Totals {
    lengths: Vec<Length>,
    lumps: Vec<Lumps>,
}

impl Totals {
    fn new(lengths: &[u32]) -> Self {
        let length = |&bits| Length {
            bits,
            pairs: 0,
            squared_pairs: 0,
            families: 0,
            codewords: 0,
            even: 0,
            costly: 0,
            worst_pairs: 0,
            worst_key: 0,
            keys_confusing: 0,
        };
        let steps = lengths.windows(2).filter(|pair| pair[0] + 1 == pair[1]);
        let lump = |pair: &[u32]| Lumps {
            bits: pair[0],
            keys: 0,
            none: 0,
            all: 0,
            some: 0,
            middle: 0,
            kept: 0.0,
        };
        Self { lengths: lengths.iter().map(length).collect(), lumps: steps.map(lump).collect() }
    }

    fn add_key(&mut self, keys: Keys, number: u64, over: &Census, reachable: &Census) {
        let drawn = keys.words(number, over.features());
        let mut before: Option<(u32, u64)> = None;
        for length in &mut self.lengths {
            let code = Code::of_words(&draw::top_bits(&drawn, length.bits));
            let mut pairs = 0;
            for set in code.codewords() {
                let even = set.count_ones() % 2 == 0;
                let differ = u64::from(over.count(set));
                length.codewords += 1;
                length.even += u64::from(even);
                length.costly += u64::from(even && reachable.count(set) > 0);
                length.families += u64::from(differ > 0);
                pairs += differ;
            }
            length.pairs += pairs;
            length.squared_pairs += u128::from(pairs) * u128::from(pairs);
            length.keys_confusing += u64::from(pairs > 0);
            if pairs > length.worst_pairs {
                (length.worst_pairs, length.worst_key) = (pairs, number);
            }
            if let Some((bits, had)) = before
                && had > 0
                && let Some(lumps) = self.lumps.iter_mut().find(|lumps| lumps.bits == bits)
            {
                lumps.add_key(had, pairs);
            }
            before = Some((length.bits, pairs));
        }
    }

    fn add(&mut self, other: &Self) {
        for (sum, part) in self.lengths.iter_mut().zip(&other.lengths) {
            sum.pairs += part.pairs;
            sum.squared_pairs += part.squared_pairs;
            sum.families += part.families;
            sum.codewords += part.codewords;
            sum.even += part.even;
            sum.costly += part.costly;
            sum.keys_confusing += part.keys_confusing;
            if part.worst_pairs > sum.worst_pairs {
                (sum.worst_pairs, sum.worst_key) = (part.worst_pairs, part.worst_key);
            }
        }
        for (sum, part) in self.lumps.iter_mut().zip(&other.lumps) {
            sum.keys += part.keys;
            sum.none += part.none;
            sum.all += part.all;
            sum.some += part.some;
            sum.middle += part.middle;
            sum.kept += part.kept;
        }
    }
}

impl Lumps {
    /// A key that confused `had` pairs, at least one, and confuses `kept` of them still.
    fn add_key(&mut self, had: u64, kept: u64) {
        assert!(kept <= had, "a longer key confuses {kept} pairs and a shorter one {had}");
        self.keys += 1;
        self.none += u64::from(kept == 0);
        self.all += u64::from(kept == had);
        self.some += u64::from(kept != 0 && kept != had);
        self.middle += u64::from(had <= 4 * kept && 4 * kept <= 3 * had);
        self.kept += kept as f64 / had as f64;
    }

    /// The share of its pairs that a key keeps, on average.
    pub fn mean_kept(&self) -> f64 {
        if self.keys == 0 { 0.0 } else { self.kept / self.keys as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, squares_of};
    use crate::census::Road;
    use crate::game::domineering::Domineering;
    use crate::positions::{self, Positions};
    use crate::solve;
    use crate::tier::Tier;

    fn census(positions: &Positions) -> Census {
        let road = Road::choose("auto", Tier::best(), positions).unwrap();
        Census::take(positions, &road).unwrap()
    }

    fn on_4x5() -> [Census; 2] {
        let board: Board = "4x5".parse().unwrap();
        let reachable = positions::enumerate(&Domineering, board).unwrap();
        [census(&solve::stored(board).unwrap()), census(&reachable)]
    }

    #[test]
    fn the_sixty_keys_confuse_what_the_essays_count() {
        let [stored, reachable] = on_4x5();
        let lengths: Vec<u32> = (12..=20).collect();
        let hidden = ProgressBar::hidden();
        let (lengths, lumps) = of(Keys::Essays, 60, &lengths, &stored, &reachable, &hidden);
        let found: Vec<_> = lengths
            .iter()
            .map(|l| (l.bits, l.pairs, l.families, l.codewords, l.even, l.costly, l.worst_pairs))
            .collect();
        let known = [
            (12, 127_574, 6_266, 15_300, 7_620, 7_611, 2_674),
            (13, 64_862, 3_198, 7_748, 3_844, 3_841, 2_068),
            (14, 32_081, 1_614, 3_908, 1_956, 1_955, 1_562),
            (15, 15_830, 791, 1_956, 964, 963, 738),
            (16, 7_617, 392, 964, 476, 475, 392),
            (17, 3_788, 201, 476, 244, 244, 275),
            (18, 1_749, 98, 228, 120, 120, 136),
            (19, 705, 39, 102, 49, 49, 61),
            (20, 199, 15, 41, 20, 20, 46),
        ];
        assert_eq!(found, known);
        assert_eq!((lengths[6].worst_key, lengths[8].keys_confusing), (37, 13));
        let long = &lengths[4..];
        let sum = |count: fn(&Length) -> u64| long.iter().map(count).sum::<u64>();
        assert_eq!((sum(|length| length.even), sum(|length| length.costly)), (909, 908));
        assert_eq!(lumps[2].bits, 14);
        assert_eq!(lumps[2].middle, 58);
        let Lumps { bits: 18, keys: 58, none: 30, all: 14, some: 14, .. } = lumps[6] else {
            panic!("{:?}", lumps[6]);
        };
        assert_eq!((lumps[6].mean_kept() * 1000.0).round(), 356.0);
        // Ten and eleven bits, and what reachable positions say at twenty.
        let (short, _) = of(Keys::Essays, 60, &[10, 11], &stored, &reachable, &hidden);
        assert_eq!([short[0].pairs, short[1].pairs], [521_085, 257_941]);
        let (twenty, _) = of(Keys::Essays, 60, &[20], &reachable, &reachable, &hidden);
        assert_eq!(twenty[0].keys_confusing, 18);
    }

    #[test]
    fn key_37_has_three_families_and_a_longer_key_drops_them_whole() {
        let [stored, _] = on_4x5();
        let drawn = draw::essay_words(37, 20);
        let families = |bits| Code::of_words(&draw::top_bits(&drawn, bits)).families(&stored);
        let found: Vec<(Vec<usize>, u64)> =
            families(18).iter().map(|f| (squares_of(f.set).collect(), f.pairs)).collect();
        let small = vec![0, 4, 7, 15];
        let large = vec![3, 6, 8, 11, 16, 17, 18, 19];
        let mut union = [small.clone(), large.clone()].concat();
        union.sort_unstable();
        assert_eq!(found, [(small, 100), (large, 25), (union, 11)]);
        assert!(families(19).iter().all(|family| families(18).contains(family)));
        // Key 1 at sixteen bits confuses ninety pairs.
        let first = Code::of_words(&draw::top_bits(&draw::essay_words(1, 20), 16));
        assert_eq!(first.families(&stored).iter().map(|family| family.pairs).sum::<u64>(), 90);
    }

    #[test]
    fn random_keys_confuse_as_many_pairs_as_chance_has_it() {
        let [stored, reachable] = on_4x5();
        let hidden = ProgressBar::hidden();
        let (lengths, _) = of(Keys::Random(1), 20_000, &[16], &stored, &reachable, &hidden);
        let (mean, error) = lengths[0].mean(20_000);
        let error = error.expect("of more than one key");
        let expected = stored.pairs() as f64 / 65_536.0;
        assert!((mean - expected).abs() < 3.0 * error, "{mean} ± {error}, not {expected}");
        // Two threads or one, the totals are the same.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = || of(Keys::Random(1), 20_000, &[16], &stored, &reachable, &hidden);
        assert_eq!(pool.install(alone).0, lengths);
    }
}
