//! Writing and reading values in standard notation.
//!
//! ```text
//! game    =  { list | list }  |  ± game  |  [number] [arrow [n]] [∗ [n]]
//! number  =  0, 3, -1/2 …               a dyadic fraction
//! arrow   =  ↑ ↓ ⇑ ⇓, and ↑3 = ↑+↑+↑    in ASCII ^ v ^^ vv
//! star    =  ∗ ∗2 ∗3 …                  in ASCII *
//! ```
//!
//! A sum of a number, ups and a nimber is written side by side: `1/2↑∗2`.
//! Everything else is braces, options by birthday, then by length and text, so
//! a value is always written the same way. Reading is the inverse: it accepts
//! any form and yields the canonical value.

mod read;
mod write;

use super::{Value, Values};
use crate::error::Error;

impl Values {
    /// The value in standard notation. It may be long: games share their
    /// options, text repeats them.
    pub fn notation(&self, value: Value) -> String {
        self.notation_within(value, usize::MAX).expect("no text is longer")
    }

    /// The value in standard notation, if that has at most `limit` characters.
    pub fn notation_within(&self, value: Value, limit: usize) -> Option<String> {
        write::Writer::new(self, limit).text(value)
    }

    /// The value that `text` denotes.
    ///
    /// # Errors
    /// Text that is not in the notation; the message names the character.
    pub fn parse(&self, text: &str) -> Result<Value, Error> {
        read::read(self, text)
    }

    /// An integer: `n` moves in hand for Left, or for Right if negative.
    pub fn integer(&self, n: i64) -> Value {
        let mut value = Self::ZERO;
        for _ in 0..n.unsigned_abs() {
            value = if n > 0 { self.game(&[value], &[]) } else { self.game(&[], &[value]) };
        }
        value
    }

    /// The dyadic fraction `numerator / denominator`, the denominator a power of two.
    pub fn dyadic(&self, numerator: i64, denominator: i64) -> Value {
        assert!(
            denominator > 0 && denominator & (denominator - 1) == 0,
            "1/{denominator} is not dyadic"
        );
        if denominator == 1 {
            return self.integer(numerator);
        }
        if numerator & 1 == 0 {
            return self.dyadic(numerator / 2, denominator / 2);
        }
        let side = |numerator: i64| self.dyadic(numerator / 2, denominator / 2);
        self.game(&[side(numerator - 1)], &[side(numerator + 1)])
    }

    /// The nimber ∗n: a heap of `n`.
    pub fn nimber(&self, n: u32) -> Value {
        let mut heaps = vec![];
        for _ in 0..=n {
            heaps.push(self.game(&heaps, &heaps));
        }
        heaps[n as usize]
    }

    /// `n` times ↑, or −`n` times ↓.
    pub fn ups(&self, n: i32) -> Value {
        let star = self.nimber(1);
        let up = match n.signum() {
            1 => self.game(&[Self::ZERO], &[star]),
            _ => self.game(&[star], &[Self::ZERO]),
        };
        (0..n.unsigned_abs()).fold(Self::ZERO, |sum, _| self.sum(sum, up))
    }
}
