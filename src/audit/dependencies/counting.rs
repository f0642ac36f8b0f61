//! How many sets cancel: what meets, less what is no set of its own.

use indicatif::ProgressBar;
use rayon::prelude::*;

use super::sums::{Ways, Word, beginning, choose_two, meetings, pairs, repeats, runs, triples};
use super::{MAX_WEIGHT, most_met};
use crate::error::Error;
use crate::memory;

/// Sums of a prefix that are sorted together: 8 or 16 MiB of them.
const SUMS: u64 = 1 << 20;

/// Classes of words, and what is asked about them.
pub(super) struct Search<'a, W, N> {
    /// Ascending, top-aligned.
    pub(super) classes: Vec<(W, N)>,
    /// Number of words in all classes.
    pub(super) words: usize,
    pub(super) lengths: &'a [u32],
    pub(super) weight: usize,
}

/// What was counted at one length.
pub(super) struct Counted {
    /// Sets of weight 1, 2, …
    pub(super) counts: Vec<u64>,
    /// Some of the sums (prefixes) of the smaller half, for each weight, ascending.
    pub(super) sums: [Vec<u128>; MAX_WEIGHT],
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

impl<W: Word, N: Ways> Search<'_, W, N> {
    /// Counts at each length.
    pub(super) fn run(&self, progress: &ProgressBar) -> Result<Vec<Counted>, Error> {
        let n = self.classes.len() as u64;
        let halves = if self.weight > 4 { n * n / 2 * n / 3 } else { n * n / 2 };
        // Every length must be at least the prefix that splits the sums.
        let shortest = self.lengths.iter().copied().min().unwrap_or(0);
        let split = (halves / SUMS).checked_ilog2().map_or(0, |log| log + 1).min(shortest).min(12);
        let together = self.most_sums(split) * rayon::current_num_threads() as u64;
        let what = format!("weight {} among {} words", self.weight, self.words);
        memory::require(&what, 2 * size_of::<(W, N)>() as u64 * together, "")?;
        progress.set_length(1 << split);
        let parts = (0..1u64 << split).into_par_iter().map(|prefix| {
            let met = self.with_prefix(u128::from(prefix), split);
            progress.inc(1);
            met
        });
        let empty = || vec![Met::default(); self.lengths.len()];
        // Collected in order, so that the sums listed do not depend on the threads.
        let parts: Vec<Vec<Met>> = parts.collect();
        let most = most_met(self.words);
        let met = parts.into_iter().fold(empty(), |mut all, part| {
            all.iter_mut().zip(part).for_each(|(all, part)| all.append(part, most));
            all
        });
        Ok(self.lengths.iter().zip(met).map(|(length, met)| self.report(*length, met)).collect())
    }

    /// The most pairs, or triples if they are needed, with one prefix.
    fn most_sums(&self, split: u32) -> u64 {
        let prefixes = 0..1usize << split;
        let mut words = vec![0u64; prefixes.len()];
        self.classes.iter().for_each(|class| words[class.0.prefix(split) as usize] += 1);
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
        let classes = self.classes.as_slice();
        let singles = &classes[beginning(classes, |class| class.0, prefix, split)];
        let pairs = if self.weight > 1 { pairs(classes, prefix, split) } else { Vec::new() };
        let triples = if self.weight > 4 { triples(classes, prefix, split) } else { Vec::new() };
        let lengths = self.lengths.iter();
        lengths
            .map(|&length| {
                let most = most_met(self.words);
                let mut met = Met::default();
                for (word, count) in runs(singles, length) {
                    let zero = if word.prefix(length) == 0 { count } else { 0 };
                    met.add(1, zero, 0, most);
                    met.add(2, choose_two(count), word.prefix(length), most);
                }
                let mut meet = |weight, small: &[(W, N)], large: &[(W, N)]| {
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

    /// Matches to sets: takes off what shares words, and divides.
    fn report(&self, length: u32, met: Met) -> Counted {
        let n = self.words as u128;
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
        let count = |count: &u128| u64::try_from(*count).expect("at most C(4096, 6) sets");
        let counts = counts[1..=self.weight].iter().map(count).collect();
        Counted { counts, sums: met.sums }
    }
}
