//! Canonical values of short partizan games: the smallest game equal to a game.
//!
//! ```text
//! {∗ | ↓}   {0 | ∗} = ↑   {0 | ↑} = ⇑∗   {1 | -1} = ±1   {0 | 2} = 1   {∗, 0 | } = 1
//! ```
//!
//! A game is what Left can move to and what Right can move to; the player who
//! cannot move loses. Every game has exactly one form without dominated and
//! without reversible options. [`Values`] stores each such form once, so that
//! equal games are the same [`Value`], a number. Threads share one `Values`.
//!
//! Methods, theorems and the standard notation are those of Berlekamp, Conway
//! and Guy, *Winning Ways*, and of Siegel, *Combinatorial Game Theory*, II.2.
//!
//! ```
//! use zobrist_lab::value::{Outcome, Values};
//! let values = Values::new();
//! let (up, star) = (values.parse("↑")?, values.parse("∗")?);
//! let sum = values.sum(up, star);
//! assert_eq!(values.notation(sum), "↑∗");
//! assert_eq!(values.outcome(sum), Outcome::First);
//! assert_eq!(values.game(&[Values::ZERO], &[up]), values.parse("⇑∗")?);
//! # Ok::<(), zobrist_lab::Error>(())
//! ```

mod arena;
mod cache;
mod canonical;
mod notation;
mod signature;

use arena::Arena;
use cache::Cache;
use signature::{Signature, Tests};

/// A canonical form: its number in one [`Values`], in order of making.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Value(u32);

impl Value {
    /// The number: below [`Values::len`].
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Who wins a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Left (Blue), whoever starts: the value is positive.
    Left,
    /// Right (Red), whoever starts: negative.
    Right,
    /// Whoever starts: confused with nought.
    First,
    /// Whoever does not start: nought.
    Second,
}

/// A store of values, and the arithmetic on them.
pub struct Values {
    arena: Arena,
    tests: Tests,
    order: Cache,
    sums: Cache,
}

impl Default for Values {
    fn default() -> Self {
        Self::new()
    }
}

/// Index bits of the two caches of [`Values::new`]: 256 KiB each.
const SMALL: u32 = 15;

impl Values {
    /// Nought, the game without moves: the first value of every store.
    pub const ZERO: Value = Value(0);

    /// A store that holds nought.
    pub fn new() -> Self {
        Self::with_caches(SMALL)
    }

    /// A store whose comparisons and sums are remembered in `2^index_bits`
    /// slots of 8 bytes each; results do not depend on it, times do.
    ///
    /// # Panics
    /// If `index_bits` is not between 15 and 51.
    pub fn with_caches(index_bits: u32) -> Self {
        Self::with_tests(Tests::standard(), index_bits)
    }

    /// A store that compares without signatures: for building the tests.
    fn without_tests() -> Self {
        Self::with_tests(Tests::none(), SMALL)
    }

    fn with_tests(tests: Tests, index_bits: u32) -> Self {
        let (order, sums) = (Cache::new(index_bits), Cache::new(index_bits));
        let values = Self { arena: Arena::new(), tests, order, sums };
        let zero = values.game(&[], &[]);
        assert_eq!(zero, Self::ZERO, "nought is made first");
        values
    }

    /// Number of values made so far.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// Never: nought is always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Bytes held by the values, their index and the caches.
    pub fn bytes(&self) -> u64 {
        self.arena.bytes() + self.order.bytes() + self.sums.bytes()
    }

    /// The value whose number is `number`, if it has been made.
    pub fn get(&self, number: u32) -> Option<Value> {
        ((number as usize) < self.len()).then_some(Value(number))
    }

    /// Left's options in canonical form.
    pub fn left(&self, value: Value) -> &[Value] {
        self.arena.node(value).left()
    }

    /// Right's options in canonical form.
    pub fn right(&self, value: Value) -> &[Value] {
        self.arena.node(value).right()
    }

    /// The day the value is born: the number of moves of the longest play in
    /// its canonical form.
    pub fn birthday(&self, value: Value) -> u32 {
        self.arena.node(value).birthday
    }

    /// Who wins.
    pub fn outcome(&self, value: Value) -> Outcome {
        match (self.le(Self::ZERO, value), self.le(value, Self::ZERO)) {
            (true, true) => Outcome::Second,
            (true, false) => Outcome::Left,
            (false, true) => Outcome::Right,
            (false, false) => Outcome::First,
        }
    }

    /// Whether `a` ≤ `b`: Right, moving second, wins `a` − `b`.
    pub fn le(&self, a: Value, b: Value) -> bool {
        if a == b {
            return true;
        }
        let (node_a, node_b) = (self.arena.node(a), self.arena.node(b));
        if !node_a.signature.may_be_at_most(node_b.signature) {
            return false;
        }
        if node_a.signature.is_at_most(node_b.signature) {
            return true;
        }
        if let Some(known) = self.order.get(a.0, b.0) {
            return known == 1;
        }
        let holds = !node_a.left().iter().any(|&left| self.le(b, left))
            && !node_b.right().iter().any(|&right| self.le(right, a));
        self.order.put(a.0, b.0, u32::from(holds));
        holds
    }

    /// −`value`: the players exchanged.
    pub fn negative(&self, value: Value) -> Value {
        let node = self.arena.node(value);
        if let Some(known) = node.negative() {
            return known;
        }
        let negated = |options: &[Value]| {
            let mut options: Vec<_> = options.iter().map(|&option| self.negative(option)).collect();
            options.sort_unstable();
            options
        };
        let (left, right) = (negated(node.right()), negated(node.left()));
        let negative = self.arena.intern(&left, &right, self.signature(&left, &right));
        node.set_negative(negative);
        self.arena.node(negative).set_negative(value);
        negative
    }

    /// `a` + `b`: a move in either.
    pub fn sum(&self, a: Value, b: Value) -> Value {
        let (a, b) = (a.min(b), a.max(b));
        if a == Self::ZERO {
            return b;
        }
        if let Some(known) = self.sums.get(a.0, b.0) {
            return Value(known);
        }
        let moved = |from_a: &[Value], from_b: &[Value]| -> Vec<Value> {
            let in_a = from_a.iter().map(|&option| self.sum(option, b));
            in_a.chain(from_b.iter().map(|&option| self.sum(a, option))).collect()
        };
        let mut left = moved(self.left(a), self.left(b));
        let mut right = moved(self.right(a), self.right(b));
        let sum = self.canonical(&mut left, &mut right);
        self.sums.put(a.0, b.0, sum.0);
        sum
    }

    /// The value of `{left | right}`; the lists may be in any order and repeat.
    pub fn game(&self, left: &[Value], right: &[Value]) -> Value {
        self.canonical(&mut left.to_vec(), &mut right.to_vec())
    }

    /// The value of `{left | right}`, for callers whose lists may be used up.
    pub fn canonical(&self, left: &mut Vec<Value>, right: &mut Vec<Value>) -> Value {
        canonical::canonical(self, left, right)
    }

    /// The signature of `{left | right}`.
    fn signature(&self, left: &[Value], right: &[Value]) -> Signature {
        let of = |&option: &Value| self.arena.node(option).signature;
        self.tests.signature(left.iter().map(of), right.iter().map(of))
    }
}
