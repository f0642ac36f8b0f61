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
//!
//! Names are read and written for numbers up to 1000 over denominators up to
//! 1024, up to 100 arrows and nimbers up to ∗63; beyond, values are braces:
//! `{1000|}`, `{0|1/1024}`. Braces nest at most 99 deep when read. A value that
//! was read is written no deeper, so it is always read back.

mod read;
mod simple;
mod write;

use super::{Value, Values};
use crate::error::Error;

impl Values {
    /// The value in standard notation. It may be long: games share their
    /// options, text repeats them; ∗64 and beyond double with every step.
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
}
