//! Words, classes of equal words and sums of them, sorted; and where sorted sums meet.
//!
//! ```text
//! words   3 3 3 5 0     classes   0 ×1   3 ×3   5 ×1
//! sums of two           0 ×3 (3+3, three ways)   3 ×3 (0+3)   5 ×1 (0+5)   6 ×3 (3+5)
//! ```

/// An unsigned integer whose top bits are the bits of a word.
pub(super) trait Word: Copy + Ord + Send + Sync {
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

/// In how many ways a sum is made: a number, or nothing where it is always one.
pub(super) trait Ways: Copy + Send + Sync {
    /// That many, of which there may be only one if nothing is stored.
    fn of(ways: u64) -> Self;
    fn count(self) -> u64;
}

impl Ways for () {
    fn of(ways: u64) {
        assert_eq!(ways, 1, "different words have one way");
    }
    fn count(self) -> u64 {
        1
    }
}

impl Ways for u64 {
    fn of(ways: u64) -> Self {
        ways
    }
    fn count(self) -> u64 {
        self
    }
}

/// The classes of equal words among sorted ones.
pub(super) fn classes<W: Word, N: Ways>(sorted: &[W]) -> Vec<(W, N)> {
    let classes = sorted.chunk_by(|x, y| x == y);
    classes.map(|class| (class[0], N::of(class.len() as u64))).collect()
}

/// Where sorted items that begin with `prefix` lie.
pub(super) fn beginning<T, W: Word>(
    items: &[T],
    word: impl Fn(&T) -> W,
    prefix: u128,
    length: u32,
) -> std::ops::Range<usize> {
    let before = |bound: u128| items.partition_point(|item| word(item).prefix(length) < bound);
    before(prefix)..before(prefix + 1)
}

/// C(count, 2).
pub(super) fn choose_two(count: u128) -> u128 {
    count * count.saturating_sub(1) / 2
}

/// The sums of two of the words whose sums begin with `prefix`, sorted.
pub(super) fn pairs<W: Word, N: Ways>(classes: &[(W, N)], prefix: u128, split: u32) -> Vec<(W, N)> {
    let mut sums = Vec::new();
    for (first, &(word, ways)) in classes.iter().enumerate() {
        let range = beginning(classes, |class| class.0, prefix ^ word.prefix(split), split);
        let others = &classes[range.start.max(first + 1).min(range.end)..range.end];
        let sum = |other: &(W, N)| (word.xor(other.0), N::of(ways.count() * other.1.count()));
        sums.extend(others.iter().map(sum));
    }
    // Two of one class cancel.
    let within: u64 = classes.iter().map(|class| two_of(class.1)).sum();
    if within > 0 && prefix == 0 {
        sums.push((classes[0].0.xor(classes[0].0), N::of(within)));
    }
    sums.sort_unstable_by_key(|sum| sum.0);
    sums
}

/// The sums of three of the words whose sums begin with `prefix`, sorted.
pub(super) fn triples<W: Word, N: Ways>(
    classes: &[(W, N)],
    prefix: u128,
    split: u32,
) -> Vec<(W, N)> {
    let starts: Vec<usize> = (0..=1u128 << split)
        .map(|prefix| beginning(classes, |class| class.0, prefix, split).start)
        .collect();
    let mut sums = Vec::new();
    for (first, &(word, ways)) in classes.iter().enumerate() {
        for (second, &(other, others)) in classes.iter().enumerate().skip(first + 1) {
            let (pair, ways) = (word.xor(other), ways.count() * others.count());
            let bucket = (prefix ^ pair.prefix(split)) as usize;
            let range = starts[bucket].max(second + 1)..starts[bucket + 1];
            let thirds = classes.get(range).unwrap_or(&[]);
            let sum = |third: &(W, N)| (pair.xor(third.0), N::of(ways * third.1.count()));
            sums.extend(thirds.iter().map(sum));
        }
    }
    // Two of one class cancel, which leaves the third: one of another class, or of the same.
    let within: u64 = classes.iter().map(|class| two_of(class.1)).sum();
    let alone = &classes[beginning(classes, |class| class.0, prefix, split)];
    for &(word, ways) in alone {
        let count = ways.count();
        let same = two_of(ways) * count.saturating_sub(2) / 3;
        let all = count * (within - two_of(ways)) + same;
        if all > 0 {
            sums.push((word, N::of(all)));
        }
    }
    sums.sort_unstable_by_key(|sum| sum.0);
    sums
}

fn two_of<N: Ways>(ways: N) -> u64 {
    ways.count() * (ways.count() - 1) / 2
}

/// The runs of sorted sums that agree on `length` bits: one of each, and its ways.
pub(super) fn runs<W: Word, N: Ways>(
    sums: &[(W, N)],
    length: u32,
) -> impl Iterator<Item = (W, u128)> {
    sums.chunk_by(move |x, y| x.0.common(y.0) >= length).map(|run| (run[0].0, ways(run)))
}

fn ways<W, N: Ways>(sums: &[(W, N)]) -> u128 {
    // Where there is one way each, the compiler makes this the length.
    u128::from(sums.iter().map(|sum| sum.1.count()).sum::<u64>())
}

/// Calls with C(r, 2) and the sum for every run of r > 1 ways.
pub(super) fn repeats<W: Word, N: Ways>(
    sums: &[(W, N)],
    length: u32,
    mut meet: impl FnMut(u128, u128),
) {
    let mut start = 0;
    for end in 1..=sums.len() {
        if end == sums.len() || sums[end].0.common(sums[end - 1].0) < length {
            let ways = ways(&sums[start..end]);
            if ways > 1 {
                meet(choose_two(ways), sums[start].0.prefix(length));
            }
            start = end;
        }
    }
}

/// Calls with r·s and the sum for every sum that `small` makes in r ways and `large` in s.
pub(super) fn meetings<W: Word, N: Ways>(
    small: &[(W, N)],
    large: &[(W, N)],
    length: u32,
    mut meet: impl FnMut(u128, u128),
) {
    let mut rest = large;
    for (sum, count) in runs(small, length) {
        let prefix = sum.prefix(length);
        // Gallop to the sum: the larger half may be hundreds of times as long.
        let mut step = 1;
        while step < rest.len() && rest[step].0.prefix(length) < prefix {
            step *= 2;
        }
        let within = &rest[..rest.len().min(step + 1)];
        rest = &rest[within.partition_point(|other| other.0.prefix(length) < prefix)..];
        let equal = rest.iter().take_while(|other| other.0.prefix(length) == prefix).count();
        meet(count * ways(&rest[..equal]), prefix);
    }
}
