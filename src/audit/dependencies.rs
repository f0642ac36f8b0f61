//! Every small set of words that XORs to zero, by meeting in the middle.
//!
//! A set of four that cancels is two pairs of equal sum, met three ways; so
//! pairs (or triples) are summed, the sums sorted, and runs of equal sums
//! counted. What meets and is no set of its own is known and taken off:
//!
//! ```text
//! halves that meet          counts                       taken off: halves that share words
//! word  = pair    three     Σ P(w)            = 3·N₃     N₁·(n−1)               {k, zero} = k
//! pair  = pair    four      Σ C(P, 2)         = 3·N₄     N₂·(n−2)               {a,c} = {b,c}
//! pair  = triple  five      Σ P·T             = 10·N₅    3(n−3)·N₃ + N₁·C(n−1, 2)
//! triple = triple six       Σ C(T, 2)         = 10·N₆    3(n−4)·N₄ + N₂·C(n−2, 2)
//! ```
//!
//! Sorted by value, the words with a given prefix lie together, so the sums
//! with one prefix can be made without the others: they are sorted a prefix at
//! a time, in cache and in parallel, whatever their number. Sorted sums are
//! sorted for every shorter length too, so one sort serves all truncations of
//! a side; the low bits are the top bits of the reversed words.

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::words::Words;
use crate::error::Error;
use crate::memory;

/// Which bits of the words a truncation keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The most significant bits.
    Top,
    /// The least significant bits.
    Low,
}

impl Side {
    /// `top` or `low`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Top => "top",
            Self::Low => "low",
        }
    }
}

/// The sets of `weight` words that XOR to zero.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Dependencies {
    /// Words in each set.
    pub weight: usize,
    /// How many there are.
    pub count: u64,
    /// Some of them: the first ones met, each ascending, in ascending order.
    pub first: Vec<Vec<usize>>,
}

/// Largest weight that can be asked for.
pub const MAX_WEIGHT: usize = 6;

/// Sums of a prefix that are sorted together: 8 or 16 MiB of them.
const SUMS: u64 = 1 << 20;

/// Sums that met, of each weight and length, from which sets are listed: fewer
/// among more words, where each takes longer to trace.
fn most_met(words: usize) -> usize {
    (1usize << 16).div_ceil(words).clamp(64, 4096)
}

/// The dependencies of weight 1 to `weight` among the words cut to each of
/// `lengths`, by length. At most `list` sets of each are listed.
///
/// # Errors
/// The sums that must be sorted together do not fit the memory that is free.
///
/// # Panics
/// If a length is not within the width or the weight not within [`MAX_WEIGHT`].
pub fn dependencies(
    key: &Words,
    side: Side,
    lengths: &[u32],
    weight: usize,
    list: usize,
    progress: &ProgressBar,
) -> Result<Vec<Vec<Dependencies>>, Error> {
    assert!((1..=MAX_WEIGHT).contains(&weight), "a weight of {weight}");
    assert!(lengths.iter().all(|length| (1..=key.width).contains(length)), "{lengths:?}");
    let aligned = key.words.iter().map(|word| match side {
        Side::Top => word << (u128::BITS - key.width),
        Side::Low => word.reverse_bits(),
    });
    if key.width <= u64::BITS {
        let words: Vec<u64> = aligned.map(|word| (word >> 64) as u64).collect();
        Search::new(&words, lengths, weight, list).run(progress)
    } else {
        Search::new(&aligned.collect::<Vec<u128>>(), lengths, weight, list).run(progress)
    }
}

/// The first of `lengths` bits at the top of an unsigned integer.
trait Word: Copy + Ord + Send + Sync {
    fn xor(self, other: Self) -> Self;
    /// The `length` top bits.
    fn prefix(self, length: u32) -> u128;
    /// Number of top bits that agree.
    fn common(self, other: Self) -> u32;
}

impl Word for u64 {
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    fn prefix(self, length: u32) -> u128 {
        u128::from(self.checked_shr(64 - length).unwrap_or(0))
    }
    fn common(self, other: Self) -> u32 {
        (self ^ other).leading_zeros()
    }
}

impl Word for u128 {
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    fn prefix(self, length: u32) -> u128 {
        self.checked_shr(128 - length).unwrap_or(0)
    }
    fn common(self, other: Self) -> u32 {
        (self ^ other).leading_zeros()
    }
}

/// Words sorted by value, and what is asked about them.
struct Search<'a, W> {
    /// Ascending, top-aligned.
    words: Vec<W>,
    /// The number that each had before.
    index: Vec<usize>,
    lengths: &'a [u32],
    weight: usize,
    list: usize,
}

/// What one length has so far: matches of each kind, and where.
#[derive(Clone, Default)]
struct Met {
    /// Matches for weights 1 to 6, before anything is taken off.
    matches: [u128; MAX_WEIGHT],
    /// Sums (prefixes) of the smaller half that met a larger, ascending.
    sums: [Vec<u128>; MAX_WEIGHT],
}

impl Met {
    fn add(&mut self, weight: usize, matches: u128, sum: u128, most: usize) {
        if matches > 0 {
            self.matches[weight - 1] += matches;
            let sums = &mut self.sums[weight - 1];
            if sums.len() < most {
                sums.push(sum);
            }
        }
    }

    fn append(&mut self, other: Self, most: usize) {
        for (weight, (matches, sums)) in other.matches.into_iter().zip(other.sums).enumerate() {
            self.matches[weight] += matches;
            let room = most.saturating_sub(self.sums[weight].len());
            self.sums[weight].extend(sums.into_iter().take(room));
        }
    }
}

impl<'a, W: Word> Search<'a, W> {
    fn new(words: &[W], lengths: &'a [u32], weight: usize, list: usize) -> Self {
        let mut index: Vec<usize> = (0..words.len()).collect();
        index.sort_by_key(|&word| words[word]);
        let words = index.iter().map(|&word| words[word]).collect();
        Self { words, index, lengths, weight, list }
    }

    fn run(&self, progress: &ProgressBar) -> Result<Vec<Vec<Dependencies>>, Error> {
        let n = self.words.len() as u64;
        let halves = if self.weight > 4 { n * n / 2 * n / 3 } else { n * n / 2 };
        // Every length must be at least the prefix that splits the sums.
        let shortest = self.lengths.iter().copied().min().unwrap_or(0);
        let split = (halves / SUMS).checked_ilog2().map_or(0, |log| log + 1).min(shortest).min(12);
        let together = self.most_sums(split) * rayon::current_num_threads() as u64;
        let what = format!("weight {} among {n} words", self.weight);
        memory::require(&what, 2 * size_of::<W>() as u64 * together, "")?;
        progress.set_length(1 << split);
        let parts = (0..1u64 << split).into_par_iter().map(|prefix| {
            let met = self.with_prefix(u128::from(prefix), split);
            progress.inc(1);
            met
        });
        let empty = || vec![Met::default(); self.lengths.len()];
        // Collected in order, so that the sums listed do not depend on the threads.
        let parts: Vec<Vec<Met>> = parts.collect();
        let most = most_met(self.words.len());
        let met = parts.into_iter().fold(empty(), |mut all, part| {
            all.iter_mut().zip(part).for_each(|(all, part)| all.append(part, most));
            all
        });
        Ok(self
            .lengths
            .par_iter()
            .zip(met)
            .map(|(length, met)| self.report(*length, &met))
            .collect())
    }

    /// The most pairs, or triples if they are needed, with one prefix.
    fn most_sums(&self, split: u32) -> u64 {
        let prefixes = 0..1usize << split;
        let mut words = vec![0u64; prefixes.len()];
        self.words.iter().for_each(|word| words[word.prefix(split) as usize] += 1);
        let add_one = |sums: &[u64]| -> Vec<u64> {
            let at = |sum: usize| prefixes.clone().map(|word| sums[sum ^ word] * words[word]).sum();
            prefixes.clone().into_par_iter().map(at).collect()
        };
        let pairs = add_one(&words);
        let most = |sums: Vec<u64>| sums.into_iter().max().unwrap_or(0);
        if self.weight > 4 { most(add_one(&pairs)) / 6 } else { most(pairs) / 2 }
    }

    /// What meets among the sums that begin with `prefix`, for each length.
    fn with_prefix(&self, prefix: u128, split: u32) -> Vec<Met> {
        let singles = &self.words[self.beginning(prefix, split)];
        let pairs = if self.weight > 1 { self.pairs(prefix, split) } else { Vec::new() };
        let triples = if self.weight > 4 { self.triples(prefix, split) } else { Vec::new() };
        let lengths = self.lengths.iter();
        lengths
            .map(|&length| {
                let most = most_met(self.words.len());
                let mut met = Met::default();
                for (word, count) in runs(singles, length) {
                    let zero = if word.prefix(length) == 0 { count } else { 0 };
                    met.add(1, zero, 0, most);
                    met.add(2, choose_two(count), word.prefix(length), most);
                }
                let mut meet = |weight, small: &[W], large: &[W]| {
                    meetings(small, large, length, |matches, sum| {
                        met.add(weight, matches, sum, most);
                    });
                };
                meet(3, singles, &pairs);
                meet(5, &pairs, &triples);
                for (weight, sums) in [(4, &pairs), (6, &triples)] {
                    repeats(sums, length, |matches, sum| met.add(weight, matches, sum, most));
                }
                met
            })
            .collect()
    }

    /// Where the words that begin with `prefix` lie.
    fn beginning(&self, prefix: u128, split: u32) -> std::ops::Range<usize> {
        let before = |bound: u128| self.words.partition_point(|word| word.prefix(split) < bound);
        before(prefix)..before(prefix + 1)
    }

    /// The sums of pairs that begin with `prefix`, sorted.
    fn pairs(&self, prefix: u128, split: u32) -> Vec<W> {
        let mut sums = Vec::new();
        for (first, &word) in self.words.iter().enumerate() {
            let range = self.beginning(prefix ^ word.prefix(split), split);
            let others = &self.words[range.start.max(first + 1).min(range.end)..range.end];
            sums.extend(others.iter().map(|other| word.xor(*other)));
        }
        sums.sort_unstable();
        sums
    }

    /// The sums of triples that begin with `prefix`, sorted.
    fn triples(&self, prefix: u128, split: u32) -> Vec<W> {
        let starts: Vec<usize> =
            (0..=1u128 << split).map(|prefix| self.beginning(prefix, split).start).collect();
        let mut sums = Vec::new();
        for (first, &word) in self.words.iter().enumerate() {
            for (second, &other) in self.words.iter().enumerate().skip(first + 1) {
                let pair = word.xor(other);
                let bucket = (prefix ^ pair.prefix(split)) as usize;
                let range = starts[bucket].max(second + 1)..starts[bucket + 1];
                let thirds = self.words.get(range).unwrap_or(&[]);
                sums.extend(thirds.iter().map(|third| pair.xor(*third)));
            }
        }
        sums.sort_unstable();
        sums
    }

    /// Matches to sets: takes off what shares words, divides, lists some.
    fn report(&self, length: u32, met: &Met) -> Vec<Dependencies> {
        let n = self.words.len() as u128;
        let less = |by: u128| n.saturating_sub(by);
        let mut counts = [0u128; MAX_WEIGHT + 1];
        for weight in 1..=self.weight {
            let (shared, ways) = match weight {
                3 => (counts[1] * less(1), 3),
                4 => (counts[2] * less(2), 3),
                5 => (3 * less(3) * counts[3] + counts[1] * choose_two(less(1)), 10),
                6 => (3 * less(4) * counts[4] + counts[2] * choose_two(less(2)), 10),
                _ => (0, 1),
            };
            let sets = met.matches[weight - 1].checked_sub(shared);
            let sets = sets.expect("halves that share words are among those that meet");
            assert_eq!(sets % ways, 0, "{sets} meetings at weight {weight}, {length} bits");
            counts[weight] = sets / ways;
        }
        let weights = 1..=self.weight;
        weights
            .map(|weight| Dependencies {
                weight,
                count: u64::try_from(counts[weight]).expect("at most C(4096, 6) sets"),
                first: self.listed(weight, length, &met.sums[weight - 1]),
            })
            .collect()
    }

    /// Sets of that weight whose smaller half has one of those sums.
    fn listed(&self, weight: usize, length: u32, sums: &[u128]) -> Vec<Vec<usize>> {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        let most = most_met(self.words.len());
        for &sum in sums {
            if sets.len() >= most {
                break;
            }
            let small = self.halves(weight / 2, length, sum);
            let large = self.halves(weight - weight / 2, length, sum);
            for (half, other) in small.iter().flat_map(|half| large.iter().map(move |o| (half, o)))
            {
                let mut set = [half.as_slice(), other].concat();
                set.sort_unstable();
                set.dedup();
                if set.len() == weight {
                    sets.push(set);
                }
                if sets.len() >= 16 * most {
                    break;
                }
            }
        }
        sets.sort_unstable();
        sets.dedup();
        sets.truncate(self.list);
        sets
    }

    /// The sets of `size` words, at most 3, whose sum begins with `sum`; at most some hundreds.
    fn halves(&self, size: usize, length: u32, sum: u128) -> Vec<Vec<usize>> {
        let single = |prefix: u128, after: usize| {
            let range = self.beginning(prefix, length);
            range.start.max(after)..range.end
        };
        let named = |words: &[usize]| words.iter().map(|&word| self.index[word]).collect();
        let most = most_met(self.words.len());
        let mut halves = Vec::new();
        match size {
            0 if sum == 0 => halves.push(Vec::new()),
            0 => {}
            1 => halves.extend(single(sum, 0).map(|word| named(&[word]))),
            2 => {
                for first in 0..self.words.len() {
                    let rest = sum ^ self.words[first].prefix(length);
                    halves.extend(single(rest, first + 1).map(|word| named(&[first, word])));
                }
            }
            3 => {
                for first in 0..self.words.len() {
                    for second in first + 1..self.words.len() {
                        let pair = self.words[first].xor(self.words[second]);
                        let thirds = single(sum ^ pair.prefix(length), second + 1);
                        halves.extend(thirds.map(|third| named(&[first, second, third])));
                    }
                    if halves.len() > 4 * most {
                        break;
                    }
                }
            }
            _ => unreachable!("halves have at most three words"),
        }
        halves.truncate(4 * most);
        halves
    }
}

fn choose_two(count: u128) -> u128 {
    count * count.saturating_sub(1) / 2
}

/// The runs of sorted sums that agree on `length` bits: one of each, and its length.
fn runs<W: Word>(sums: &[W], length: u32) -> impl Iterator<Item = (W, u128)> {
    sums.chunk_by(move |x, y| x.common(*y) >= length).map(|run| (run[0], run.len() as u128))
}

/// Calls with C(r, 2) and the sum for every run of r > 1.
fn repeats<W: Word>(sums: &[W], length: u32, mut meet: impl FnMut(u128, u128)) {
    let mut start = 0;
    for end in 1..=sums.len() {
        if end == sums.len() || sums[end].common(sums[end - 1]) < length {
            if end - start > 1 {
                meet(choose_two((end - start) as u128), sums[start].prefix(length));
            }
            start = end;
        }
    }
}

/// Calls with r·s and the sum for every sum that r of `small` and s of `large` have.
fn meetings<W: Word>(small: &[W], large: &[W], length: u32, mut meet: impl FnMut(u128, u128)) {
    let mut rest = large;
    for (sum, count) in runs(small, length) {
        let prefix = sum.prefix(length);
        // Gallop to the sum: the larger half may be hundreds of times as long.
        let mut step = 1;
        while step < rest.len() && rest[step].prefix(length) < prefix {
            step *= 2;
        }
        let within = &rest[..rest.len().min(step + 1)];
        rest = &rest[within.partition_point(|other| other.prefix(length) < prefix)..];
        let equal = rest.iter().take_while(|other| other.prefix(length) == prefix).count();
        meet(count * equal as u128, prefix);
    }
}

#[cfg(test)]
mod tests;
