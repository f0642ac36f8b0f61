//! How a value compares with up to 64 fixed test games: a filter before comparisons.
//!
//! If G ≤ H then every test above H is above G, and every test below G is
//! below H: a test that breaks this refutes G ≤ H. A test above G and below H
//! proves it. Two word operations each:
//!
//! ```text
//! tests        ⇓  ↓  0  ∗  ↑  ⇑
//! 0 at most    .  .  x  .  x  x
//! ∗ at most    .  .  .  x  .  x     0 ≤ ∗ ?   test ∗ is above ∗ and not above 0: refuted
//! ↓ at most    .  x  x  .  x  x
//! ⇑∗ at least  x  x  x  x  .  .     ↓ ≤ ⇑∗ ?  test 0 is above ↓ and below ⇑∗: proved
//! ```
//!
//! The tests are closed under taking options, so the signature of
//! `{L | R}` follows from those of its options alone, canonical or not:
//! G ≥ T unless some G^R ≤ T or G ≤ some T^L. On the 4x4 census 64 % of the
//! comparisons are refuted, 19 % proved, and half of the others remembered.

use std::sync::LazyLock;

use super::Values;

/// Which tests are above and below a value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Signature {
    /// Bit i: the value is at most test i.
    at_most: u64,
    /// Bit i: the value is at least test i.
    at_least: u64,
}

impl Signature {
    /// False only if the value of `self` is certainly not at most that of `other`.
    pub(super) fn may_be_at_most(self, other: Self) -> bool {
        other.at_most & !self.at_most == 0 && self.at_least & !other.at_least == 0
    }

    /// True only if the value of `self` is certainly at most that of `other`.
    pub(super) fn is_at_most(self, other: Self) -> bool {
        self.at_most & other.at_least != 0
    }
}

/// The options of each test, as sets of earlier tests: `[left, right]`.
#[derive(Clone)]
pub(super) struct Tests(Vec<[u64; 2]>);

impl Tests {
    /// No tests: every signature is empty and refutes nothing.
    pub(super) fn none() -> Self {
        Self(vec![])
    }

    /// The tests every store uses.
    pub(super) fn standard() -> Self {
        static STANDARD: LazyLock<Tests> = LazyLock::new(Tests::build);
        STANDARD.clone()
    }

    /// The signature of `{left | right}` from those of its options.
    pub(super) fn signature(
        &self,
        left: impl Iterator<Item = Signature>,
        right: impl Iterator<Item = Signature>,
    ) -> Signature {
        let not_at_most = left.fold(0, |tests, option| tests | option.at_least);
        let not_at_least = right.fold(0, |tests, option| tests | option.at_most);
        let mut whole = Signature::default();
        for (index, &[test_left, test_right]) in self.0.iter().enumerate() {
            let at_least = u64::from(whole.at_most & test_left == 0) & !(not_at_least >> index);
            let at_most = u64::from(whole.at_least & test_right == 0) & !(not_at_most >> index);
            whole.at_least |= (at_least & 1) << index;
            whole.at_most |= (at_most & 1) << index;
        }
        whole
    }

    fn build() -> Self {
        let values = Values::without_tests();
        let mut tests = vec![];
        let mut masks = vec![];
        for name in NAMES.split_whitespace() {
            let value = values.parse(name).expect("a test's name is notation");
            let mask = |options: &[super::Value]| {
                options.iter().fold(0, |mask, option| {
                    let place = tests.iter().position(|test| test == option);
                    mask | 1 << place.unwrap_or_else(|| panic!("{name} comes before its options"))
                })
            };
            masks.push([mask(values.left(value)), mask(values.right(value))]);
            tests.push(value);
        }
        assert!(masks.len() <= 64, "{} tests do not fit a word", masks.len());
        Self(masks)
    }
}

/// The tests, options before the games that have them.
const NAMES: &str = "
    0 ∗ ∗2 ∗3 ↑ ↓ ↑∗ ↓∗ ↑∗2 ↓∗2 ↑∗3 ↓∗3
    ⇑ ⇓ ⇑∗ ⇓∗ ⇑∗2 ⇓∗2 ⇑∗3 ⇓∗3 ↑3 ↓3 ↑3∗ ↓3∗
    1 -1 ±1 {1|0} {0|-1} {1|∗} {∗|-1} {1|0,∗} {0,∗|-1} {∗|↓} {↑|∗} {∗,↑|∗,↓}
";
