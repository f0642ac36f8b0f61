//! Reading: by recursive descent, one character ahead.

use super::simple::{MAX_DENOMINATOR, MAX_NIMBER, MAX_NUMBER, MAX_UPS};
use crate::error::Error;
use crate::value::{Value, Values};

/// Games inside each other, the whole and the innermost included.
const MAX_DEPTH: usize = 100;

/// The value that the whole of `text` denotes.
pub(super) fn read(values: &Values, text: &str) -> Result<Value, Error> {
    let characters: Vec<char> = text.chars().collect();
    let mut reader = Reader { values, characters: &characters, place: 0, depth: 0 };
    let value = reader.game()?;
    reader.blanks();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.refuse("the end")),
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
        let (mut number, mut ups, mut nimber) = (Values::ZERO, 0, 0);
        if self.peek().is_some_and(|character| character == '-' || character.is_ascii_digit()) {
            number = self.number()?;
        }
        if let Some(arrow) = self.peek().filter(|character| "↑↓⇑⇓^v".contains(*character)) {
            self.place += 1;
            let sign = if "↑⇑^".contains(arrow) { 1 } else { -1 };
            let doubled = "⇑⇓".contains(arrow) || ("^v".contains(arrow) && self.take(arrow));
            let multiple = if doubled { 2 } else { self.multiple(MAX_UPS)? };
            ups = sign * multiple as i32;
        }
        if self.take('∗') || self.take('*') {
            nimber = self.multiple(MAX_NIMBER)?;
        }
        if self.place == start {
            return Err(self.refuse("a game: `{`, `±`, a number, an arrow or a star"));
        }
        Ok(self.values.beside(number, ups, nimber))
    }

    fn number(&mut self) -> Result<Value, Error> {
        let negative = self.take('-');
        let start = self.place;
        let numerator = self.digits()?;
        let denominator = if self.take('/') { self.digits()? } else { 1 };
        let fits = denominator.count_ones() == 1
            && denominator <= MAX_DENOMINATOR
            && numerator <= MAX_NUMBER * denominator;
        if !fits {
            self.place = start;
            let wanted = format!(
                "a number up to {MAX_NUMBER}, whole or over a power of two up to {MAX_DENOMINATOR}"
            );
            return Err(self.refuse(&wanted));
        }
        Ok(self.values.dyadic(if negative { -numerator } else { numerator }, denominator))
    }

    /// The digits after an arrow or a star; 1 if there are none.
    fn multiple(&mut self, bound: u32) -> Result<u32, Error> {
        if !self.peek().is_some_and(|character| character.is_ascii_digit()) {
            return Ok(1);
        }
        let start = self.place;
        match u32::try_from(self.digits()?) {
            Ok(multiple) if multiple <= bound => Ok(multiple),
            _ => {
                self.place = start;
                Err(self.refuse(&format!("a multiple up to {bound}")))
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
