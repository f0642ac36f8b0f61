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

use std::collections::HashMap;

use super::{Value, Values};
use crate::error::Error;

/// Bounds on what is read, so that no short text asks for a huge game.
const MAX_INTEGER: i64 = 1000;
const MAX_DENOMINATOR: i64 = 1 << 10;
const MAX_MULTIPLE: u32 = 200;
const MAX_DEPTH: usize = 100;

/// A number, `ups` times ↑ and a nimber, added.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Simple {
    number: (i64, i64),
    ups: i32,
    nimber: u32,
}

impl Values {
    /// The value in standard notation. It may be long: games share their
    /// options, text repeats them.
    pub fn notation(&self, value: Value) -> String {
        self.notation_within(value, usize::MAX).expect("no text is longer")
    }

    /// The value in standard notation, if that has at most `limit` characters.
    pub fn notation_within(&self, value: Value, limit: usize) -> Option<String> {
        let (texts, simples) = (HashMap::new(), HashMap::new());
        Writer { values: self, limit, texts, simples }.text(value)
    }

    /// The value that `text` denotes.
    ///
    /// # Errors
    /// Text that is not in the notation; the message names the character.
    pub fn parse(&self, text: &str) -> Result<Value, Error> {
        let characters: Vec<char> = text.chars().collect();
        let mut reader = Reader { values: self, characters: &characters, place: 0, depth: 0 };
        let value = reader.game()?;
        reader.blanks();
        match reader.peek() {
            None => Ok(value),
            Some(_) => Err(reader.refuse("the end")),
        }
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

struct Writer<'a> {
    values: &'a Values,
    limit: usize,
    texts: HashMap<Value, Option<String>>,
    simples: HashMap<Value, Option<Simple>>,
}

impl Writer<'_> {
    /// The text, unless it is over the limit.
    fn text(&mut self, value: Value) -> Option<String> {
        if let Some(text) = self.texts.get(&value) {
            return text.clone();
        }
        let text = match self.simple(value) {
            Some(simple) => Some(simple.to_string()),
            None => self.braces(value),
        };
        let text = text.filter(|text| text.chars().count() <= self.limit);
        self.texts.insert(value, text.clone());
        text
    }

    fn braces(&mut self, value: Value) -> Option<String> {
        let (left, right) = (self.values.left(value), self.values.right(value));
        if let ([a], [b]) = (left, right)
            && self.values.negative(*a) == *b
            && self.simple(*a).is_some()
        {
            return Some(format!("±{}", self.text(*a)?));
        }
        let (left, right) = (self.list(left)?, self.list(right)?);
        Some(format!("{{{left}|{right}}}"))
    }

    fn list(&mut self, options: &[Value]) -> Option<String> {
        let mut texts = vec![];
        for &option in options {
            let text = self.text(option)?;
            texts.push((self.values.birthday(option), text.chars().count(), text));
        }
        texts.sort();
        Some(texts.into_iter().map(|(_, _, text)| text).collect::<Vec<_>>().join(","))
    }

    /// The value as number + ups + nimber, if it is one. A number x translates
    /// every option of an infinitesimal g, so x + g has the shape of g; and
    /// n·↑ + ∗m is `{0 | (n−1)·↑ + ∗(m xor 1)}` for n ≥ 1, but ↑∗ = `{0, ∗ | 0}`.
    fn simple(&mut self, value: Value) -> Option<Simple> {
        if let Some(known) = self.simples.get(&value) {
            return *known;
        }
        let values = self.values;
        let mut list = |options: &[Value]| {
            options.iter().map(|&option| self.simple(option)).collect::<Option<Vec<_>>>()
        };
        let simple = match (list(values.left(value)), list(values.right(value))) {
            (Some(left), Some(right)) => combine(&left, &right),
            _ => None,
        };
        self.simples.insert(value, simple);
        simple
    }
}

fn combine(left: &[Simple], right: &[Simple]) -> Option<Simple> {
    if let Some(number) = number(left, right) {
        return Some(Simple { number, ups: 0, nimber: 0 });
    }
    let number = left.first()?.number;
    if left.iter().chain(right).any(|option| option.number != number) {
        return None;
    }
    let infinitesimal = |options: &[Simple]| {
        let mut list: Vec<_> = options.iter().map(|option| (option.ups, option.nimber)).collect();
        list.sort_unstable();
        list
    };
    let (left, right) = (infinitesimal(left), infinitesimal(right));
    let heap: Vec<_> = (0..left.len() as u32).map(|nimber| (0, nimber)).collect();
    if left == heap && right == heap {
        return Some(Simple { number, ups: 0, nimber: heap.len() as u32 });
    }
    let (ups, nimber) = match (&left[..], &right[..]) {
        ([(0, 0), (0, 1)], [(0, 0)]) => (1, 1),
        ([(0, 0)], [(0, 0), (0, 1)]) => (-1, 1),
        ([(0, 0)], &[(ups, nimber)]) if ups > 0 || (ups == 0 && nimber > 0) => {
            (ups + 1, nimber ^ 1)
        }
        (&[(ups, nimber)], [(0, 0)]) if ups < 0 || (ups == 0 && nimber > 0) => {
            (ups - 1, nimber ^ 1)
        }
        _ => return None,
    };
    Some(Simple { number, ups, nimber })
}

/// A canonical form whose options are numbers, at most one a side and Left's
/// the smaller, is the simplest number between them.
fn number(left: &[Simple], right: &[Simple]) -> Option<(i64, i64)> {
    let plain = |options: &[Simple]| match options {
        [] => Some(None),
        [Simple { number, ups: 0, nimber: 0 }] => Some(Some(*number)),
        _ => None,
    };
    match (plain(left)?, plain(right)?) {
        (None, None) => Some((0, 1)),
        (Some((n, 1)), None) => Some((n + 1, 1)),
        (None, Some((n, 1))) => Some((n - 1, 1)),
        (Some((a, b)), Some((c, d))) if a * d < c * b => {
            // Canonical: a/b and c/d are neighbours on the finer of their grids.
            let grid = b.max(d);
            Some((a * (grid / b) + c * (grid / d), 2 * grid))
        }
        _ => None,
    }
}

impl std::fmt::Display for Simple {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { number: (numerator, denominator), ups, nimber } = *self;
        if numerator != 0 || (ups == 0 && nimber == 0) {
            write!(f, "{numerator}")?;
            if denominator != 1 {
                write!(f, "/{denominator}")?;
            }
        }
        match ups {
            0 => {}
            1 => f.write_str("↑")?,
            -1 => f.write_str("↓")?,
            2 => f.write_str("⇑")?,
            -2 => f.write_str("⇓")?,
            3.. => write!(f, "↑{ups}")?,
            _ => write!(f, "↓{}", -ups)?,
        }
        match nimber {
            0 => Ok(()),
            1 => f.write_str("∗"),
            _ => write!(f, "∗{nimber}"),
        }
    }
}

struct Reader<'a> {
    values: &'a Values,
    characters: &'a [char],
    place: usize,
    depth: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.place).copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.place += usize::from(found);
        found
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.place += 1;
        }
    }

    fn refuse(&self, wanted: &str) -> Error {
        let text: String = self.characters.iter().take(60).collect();
        let found = match self.peek() {
            Some(character) => format!("`{character}`"),
            None => "the end".into(),
        };
        let place = self.place + 1;
        Error::argument(
            format!("value `{text}`"),
            format!("{found} at character {place}: want {wanted}"),
        )
    }

    fn game(&mut self) -> Result<Value, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.refuse(&format!("at most {MAX_DEPTH} braces inside each other")));
        }
        self.blanks();
        let value = if self.take('{') {
            let left = self.list('|')?;
            let right = self.list('}')?;
            self.values.game(&left, &right)
        } else if self.take('±') {
            let value = self.game()?;
            self.values.game(&[value], &[self.values.negative(value)])
        } else {
            self.simple()?
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Games up to the character that ends the list, which is consumed.
    fn list(&mut self, end: char) -> Result<Vec<Value>, Error> {
        let mut list = vec![];
        self.blanks();
        if self.take(end) {
            return Ok(list);
        }
        loop {
            list.push(self.game()?);
            self.blanks();
            if self.take(end) {
                return Ok(list);
            }
            if !self.take(',') {
                return Err(self.refuse(&format!("`,` or `{end}`")));
            }
        }
    }

    fn simple(&mut self) -> Result<Value, Error> {
        let start = self.place;
        let mut value = Values::ZERO;
        if self.peek().is_some_and(|character| character == '-' || character.is_ascii_digit()) {
            value = self.number()?;
        }
        if let Some(arrow) = self.peek().filter(|character| "↑↓⇑⇓^v".contains(*character)) {
            self.place += 1;
            let sign = if "↑⇑^".contains(arrow) { 1 } else { -1 };
            let doubled = "⇑⇓".contains(arrow) || ("^v".contains(arrow) && self.take(arrow));
            let multiple = if doubled { 2 } else { self.multiple()? };
            value = self.values.sum(value, self.values.ups(sign * multiple as i32));
        }
        if self.take('∗') || self.take('*') {
            value = self.values.sum(value, self.values.nimber(self.multiple()?));
        }
        if self.place == start {
            return Err(self.refuse("a game: `{`, `±`, a number, an arrow or a star"));
        }
        Ok(value)
    }

    fn number(&mut self) -> Result<Value, Error> {
        let negative = self.take('-');
        let start = self.place;
        let numerator = self.digits()?;
        let denominator = if self.take('/') { self.digits()? } else { 1 };
        let fits = denominator.count_ones() == 1
            && denominator <= MAX_DENOMINATOR
            && numerator / denominator <= MAX_INTEGER;
        if !fits {
            self.place = start;
            let wanted = format!(
                "an integer up to {MAX_INTEGER}, or a fraction over a power of two up to {MAX_DENOMINATOR}"
            );
            return Err(self.refuse(&wanted));
        }
        Ok(self.values.dyadic(if negative { -numerator } else { numerator }, denominator))
    }

    /// The digits after an arrow or a star; 1 if there are none.
    fn multiple(&mut self) -> Result<u32, Error> {
        if !self.peek().is_some_and(|character| character.is_ascii_digit()) {
            return Ok(1);
        }
        let start = self.place;
        match u32::try_from(self.digits()?) {
            Ok(multiple) if multiple <= MAX_MULTIPLE => Ok(multiple),
            _ => {
                self.place = start;
                Err(self.refuse(&format!("a multiple up to {MAX_MULTIPLE}")))
            }
        }
    }

    fn digits(&mut self) -> Result<i64, Error> {
        let start = self.place;
        while self.peek().is_some_and(|character| character.is_ascii_digit()) {
            self.place += 1;
        }
        let digits: String = self.characters[start..self.place].iter().collect();
        // More than 18 digits are out of every bound; the callers refuse them.
        match digits.len() {
            0 => Err(self.refuse("a digit")),
            1..=18 => Ok(digits.parse().expect("up to 18 digits fit")),
            _ => Ok(i64::MAX),
        }
    }
}
