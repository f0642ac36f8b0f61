//! Some of the sets that cancel, traced back from the sums that met.

use super::most_met;
use super::sums::{Word, beginning};

/// Partners of one word (of one pair) that are traced: more are equal in the
/// bits kept, and would crowd out all other words.
const PARTNERS: usize = 16;

/// Words sorted by value.
pub(super) struct Sorted<W> {
    /// Ascending, top-aligned.
    pub(super) words: Vec<W>,
    /// The number that each had before.
    index: Vec<usize>,
}

impl<W: Word> Sorted<W> {
    pub(super) fn new(words: &[W]) -> Self {
        let mut index: Vec<usize> = (0..words.len()).collect();
        index.sort_by_key(|&word| words[word]);
        Self { words: index.iter().map(|&word| words[word]).collect(), index }
    }

    /// At most `list` sets of that weight whose smaller half has one of those sums, ascending.
    pub(super) fn listed(
        &self,
        weight: usize,
        length: u32,
        sums: &[u128],
        list: usize,
    ) -> Vec<Vec<usize>> {
        let mut sets: Vec<Vec<usize>> = Vec::new();
        let most = most_met(self.words.len());
        'traced: for &sum in sums {
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
                    break 'traced;
                }
            }
        }
        sets.sort_unstable();
        sets.dedup();
        sets.truncate(list);
        sets
    }

    /// Sets of `size` words, at most 3, whose sum begins with `sum`: at most
    /// some hundreds, and not many of the same first words.
    fn halves(&self, size: usize, length: u32, sum: u128) -> Vec<Vec<usize>> {
        let single = |prefix: u128, after: usize| {
            let range = beginning(&self.words, |word| *word, prefix, length);
            range.start.max(after)..range.end
        };
        let named = |words: &[usize]| words.iter().map(|&word| self.index[word]).collect();
        let most = 4 * most_met(self.words.len());
        let n = self.words.len();
        let mut halves = Vec::new();
        match size {
            0 if sum == 0 => halves.push(Vec::new()),
            0 => {}
            1 => halves.extend(single(sum, 0).take(most).map(|word| named(&[word]))),
            2 => {
                for first in 0..n {
                    let rest = sum ^ self.words[first].prefix(length);
                    let seconds = single(rest, first + 1).take(PARTNERS);
                    halves.extend(seconds.map(|second| named(&[first, second])));
                    if halves.len() >= most {
                        break;
                    }
                }
            }
            3 => {
                'all: for first in 0..n {
                    let mut of_first = 0;
                    for second in first + 1..n {
                        let pair = self.words[first].xor(self.words[second]);
                        let thirds = single(sum ^ pair.prefix(length), second + 1).take(PARTNERS);
                        of_first += thirds.len();
                        halves.extend(thirds.map(|third| named(&[first, second, third])));
                        if halves.len() >= most {
                            break 'all;
                        }
                        if of_first >= 4 * PARTNERS {
                            break;
                        }
                    }
                }
            }
            _ => unreachable!("halves have at most three words"),
        }
        halves.truncate(most);
        halves
    }
}
