//! The words of a key as people have them: lists, JSON, pasted array literals.
//!
//! ```text
//! # two words        [1, "0xff"]      static const uint64_t Z[2] =        pub const Z: [u64; 2] =
//! 0x9d39247e33776d41                    { U64(0x9D39), 0x2AULL };           [0x9d39, 42_u64];
//! 42                                  {"bits": 16, "words": [1, 255]}
//! ```
//!
//! A word is hexadecimal with `0x`, decimal without; where any word without a
//! prefix has a digit a–f, all of them are hexadecimal, and must then have the
//! same number of digits: `12` beside `9f3c` may be meant as either. `#`, `//` and `/* */`
//! start comments. A declared type and declared lengths are held against what
//! stands in the braces. Arrays must be whole: every bracket closed, a word
//! before every comma. Those of C and Rust may be nested in equal rows, whose
//! words are taken one after the other.

mod literal;

use std::path::Path;

use super::Side;
use crate::error::Error;

/// Most words a key may have.
pub const MAX_WORDS: usize = 4096;

/// Widest word, in bits.
pub const MAX_WIDTH: u32 = 128;

/// A key: one word a feature, right-aligned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// Bits of a word; no word has a bit at or above this.
    pub width: u32,
    /// The words, in the order of the features.
    pub words: Vec<u128>,
    /// Whether they stood in arrays within an array, and were taken one after the other.
    pub nested: bool,
}

impl Words {
    /// Words of that width.
    ///
    /// # Panics
    /// If a word is wider, or there are none or too many.
    pub fn new(width: u32, words: Vec<u128>) -> Self {
        assert!((1..=MAX_WIDTH).contains(&width), "a width of {width} bits");
        assert!((1..=MAX_WORDS).contains(&words.len()), "{} words", words.len());
        let widest = words.iter().map(|word| bits_of(*word)).max();
        assert!(widest <= Some(width), "a word of {widest:?} bits in a key of {width}");
        Self { width, words, nested: false }
    }

    /// Reads a file. The width is `width` if given, else the `bits` of a JSON
    /// object, else that of the widest word.
    ///
    /// # Errors
    /// A file that cannot be read or holds anything but words; see [`Words::parse`].
    pub fn read(path: &Path, width: Option<u32>) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::io(path, source))?;
        Self::parse(&text, width).map_err(|problem| Error::file(path, problem))
    }

    /// Reads the text of a key; the error says what is wrong, and on which line.
    ///
    /// # Errors
    /// No word, more than [`MAX_WORDS`], a token that is no word, an array that is
    /// cut short, has an empty element or unequal rows, a negative word, one wider than the key or its declared type, or another number of
    /// words than declared.
    ///
    /// ```
    /// use zobrist_lab::audit::Words;
    /// let key = Words::parse("static const uint16_t Z[2] = { 0x1f, 3 };", None)?;
    /// assert_eq!((key.width, key.words), (5, vec![0x1f, 3]));
    /// assert!(Words::parse("12\n-4\n", None).unwrap_err().starts_with("line 2: `-4` is negative"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse(text: &str, width: Option<u32>) -> Result<Self, String> {
        // Windows' editors put a byte order mark first.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (tokens, declared) = match object(text)? {
            Some(read) => read,
            None => literal::literal(text)?,
        };
        if tokens.is_empty() {
            return Err("no words in it: want one a line, a JSON array or an array literal".into());
        }
        if tokens.len() > MAX_WORDS {
            return Err(format!("{} words: at most {MAX_WORDS} are audited", tokens.len()));
        }
        let bare_hexadecimal = tokens.iter().find(|token| token.has_bare_hexadecimal_digit());
        if let Some(lettered) = bare_hexadecimal
            && let Some(token) = tokens.iter().find(|token| token.may_be_decimal(lettered))
        {
            return Err(format!(
                "line {}: `{}` may be decimal, or hexadecimal as `{}` on line {} is: want 0x before \
                 hexadecimal words, or as many digits in all",
                token.line, token.text, lettered.text, lettered.line
            ));
        }
        let bare_hexadecimal = bare_hexadecimal.is_some();
        let words = tokens.iter().map(|token| token.value(bare_hexadecimal));
        let words = words.collect::<Result<Vec<u128>, String>>()?;
        if let Some(count) = declared.count
            && count != words.len()
        {
            return Err(format!("{} words where {count} are declared", words.len()));
        }
        let widest = words.iter().map(|word| bits_of(*word)).max().unwrap_or(0).max(1);
        let width = width.or(declared.bits).unwrap_or(widest);
        let (limit, whose) = match declared.type_bits {
            Some(bits) if bits < width => (bits, "its declared type"),
            _ => (width, "the key"),
        };
        match words.iter().position(|word| bits_of(*word) > limit) {
            Some(index) => Err(format!(
                "line {}: word {index} has {} bits and {whose} has {limit}",
                tokens[index].line,
                bits_of(words[index])
            )),
            None if declared.type_bits.is_some_and(|bits| bits < width) => {
                Err(format!("a width of {width} bits where the declared type has {limit}"))
            }
            None => Ok(Self { width, words, nested: declared.nested }),
        }
    }

    /// The words cut to `bits` of one side, right-aligned.
    ///
    /// # Panics
    /// If the length is not within the width.
    pub fn cut(&self, side: Side, bits: u32) -> Vec<u128> {
        assert!((1..=self.width).contains(&bits), "{bits} of {} bits", self.width);
        let cut = |word: &u128| match side {
            Side::Top => word >> (self.width - bits),
            Side::Low => word & (u128::MAX >> (u128::BITS - bits)),
        };
        self.words.iter().map(cut).collect()
    }
}

/// What is written around the words.
#[derive(Default)]
struct Declared {
    count: Option<usize>,
    type_bits: Option<u32>,
    bits: Option<u32>,
    nested: bool,
}

/// One word as written.
struct Token {
    text: String,
    line: usize,
}

/// Endings of C and Rust integer literals.
const SUFFIXES: [&str; 13] =
    ["", "u", "l", "ul", "lu", "ll", "ull", "llu", "u8", "u16", "u32", "u64", "u128"];

impl Token {
    /// Lower case, without digit separators.
    fn plain(&self) -> String {
        self.text.to_ascii_lowercase().chars().filter(|letter| !"_'".contains(*letter)).collect()
    }

    fn has_bare_hexadecimal_digit(&self) -> bool {
        let text = self.plain();
        let digits = text.split(['u', 'l']).next().unwrap_or("");
        !text.starts_with("0x")
            && digits.chars().all(|letter| letter.is_ascii_hexdigit())
            && digits.chars().any(|letter| !letter.is_ascii_digit())
    }

    /// Whether a word of digits alone, and of another number of them than a
    /// `lettered` word, has two values.
    fn may_be_decimal(&self, lettered: &Self) -> bool {
        let (text, lettered) = (self.plain(), lettered.plain());
        let digits = text.chars().all(|letter| letter.is_ascii_digit());
        digits && text.len() != lettered.len() && text.trim_start_matches('0').len() > 1
    }

    fn value(&self, bare_hexadecimal: bool) -> Result<u128, String> {
        let Self { text, line } = self;
        let refuse = |problem: &str| Err(format!("line {line}: `{text}` {problem}"));
        let plain = self.plain();
        if plain.starts_with('-') {
            return refuse("is negative: a word is a set of bits");
        }
        let (digits, radix) = match plain.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (plain.as_str(), if bare_hexadecimal { 16 } else { 10 }),
        };
        let end = digits.find(|letter: char| !letter.is_digit(radix)).unwrap_or(digits.len());
        let (digits, suffix) = digits.split_at(end);
        if digits.is_empty() || !SUFFIXES.contains(&suffix) {
            return refuse("is no word: want a hexadecimal (0x…) or decimal number");
        }
        match u128::from_str_radix(digits, radix) {
            Ok(value) => Ok(value),
            Err(_) => refuse(&format!("is wider than {MAX_WIDTH} bits")),
        }
    }
}

/// The words of a JSON object with a field `words`, and its `bits`; `None` for any other text.
fn object(text: &str) -> Result<Option<(Vec<Token>, Declared)>, String> {
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(text) else {
        return Ok(None);
    };
    let Some(serde_json::Value::Array(words)) = object.get("words") else {
        return Err("a JSON object without a list `words`".into());
    };
    let token = |word: &serde_json::Value| match word {
        serde_json::Value::Number(number) => Ok(number.to_string()),
        serde_json::Value::String(text) => Ok(text.clone()),
        other => Err(format!("`{other}` among the words: want numbers")),
    };
    let tokens = words.iter().map(|word| Ok(Token { text: token(word)?, line: 1 }));
    let bits = object.get("bits").and_then(serde_json::Value::as_u64);
    match bits {
        Some(bits) if !(1..=u64::from(MAX_WIDTH)).contains(&bits) => {
            Err(format!("`bits` is {bits}: want 1 to {MAX_WIDTH}"))
        }
        bits => {
            let declared = Declared { bits: bits.map(|bits| bits as u32), ..Declared::default() };
            Ok(Some((tokens.collect::<Result<_, String>>()?, declared)))
        }
    }
}

/// Bits up to the highest set one.
fn bits_of(word: u128) -> u32 {
    u128::BITS - word.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<u128> {
        Words::parse(text, None).unwrap_or_else(|problem| panic!("{text}: {problem}")).words
    }

    #[test]
    fn every_form_gives_the_same_words() {
        for text in [
            "0x9d39247e33776d41\n255 # a comment\n\n# another\n0\n",
            "9D39247E33776D41\nff\n0\n",
            "9D39247E33776D41\n00000000000000ff\n0000000000000000\n",
            "\u{feff}11329126462075137345 255 0",
            "11329126462075137345 255 0",
            "[11329126462075137345, 255, 0]",
            "[\"0x9d39247e33776d41\", \"0xff\",\n \"0\"]",
            "{\"board\": \"1x3\", \"words\": [11329126462075137345, 255, 0]}",
            "static const uint64_t Z[3] = {\n  0x9D39247E33776D41ULL, 0xFFu, // two\n  0 /* one */ };",
            "U64 Z[3] = { U64(0x9D39247E33776D41), U64(0xFF), U64 (0x0) };",
            "const unsigned long long Z[3][1] = { {0x9D39247E33776D41}, {255}, {0} };",
            "#[rustfmt::skip]\npub const Z: [u64; 3] = [0x9d39_247e_3377_6d41, 255u64, 0];",
            "pub static Z: [[u64; 1]; 3] = [[0x9d39247e33776d41], [0xff], [0]];",
            "enum { BITS = 64 };\nstatic const uint64_t Z[3] = { 0x9d39247e33776d41, 255, 0 };",
            "pub const BITS: u32 = 64;\npub const Z: [u64; 3] = [0x9d39247e33776d41, 255, 0];",
            "const uint64_t Z[SQUARES] = { 0x9d39247e33776d41, 0xff, 0, };",
        ] {
            assert_eq!(words(text), [0x9d39_247e_3377_6d41, 255, 0], "{text}");
        }
        assert_eq!(words("340282366920938463463374607431768211455"), [u128::MAX]);
        assert_eq!(words("1f 20 0x300"), [0x1f, 0x20, 0x300], "as many digits: all hexadecimal");
    }

    #[test]
    fn nested_arrays_are_told() {
        let nested = |text: &str| Words::parse(text, None).unwrap().nested;
        assert!(nested("U64 z[2][2] = { {1, 2}, {3, 4,}, };"));
        assert!(nested("let z = [[[1], [2]], [[3], [4]]];"));
        assert!(!nested("U64 z[2] = { (1), U64(2) };") && !nested("[1, 2,]") && !nested("1, 2"));
    }

    #[test]
    fn the_width_is_what_was_said_or_the_widest_word() {
        let width = |text, width| Words::parse(text, width).map(|key| key.width);
        assert_eq!(width("1 2 9", None), Ok(4));
        assert_eq!(width("0 0", None), Ok(1));
        assert_eq!(width("1 2 9", Some(16)), Ok(16));
        assert_eq!(width("{\"bits\": 7, \"words\": [1]}", None), Ok(7));
        assert!(width("uint16_t z[1] = {1};", Some(17)).is_err());
    }

    #[test]
    fn what_is_no_key_is_refused_on_its_line() {
        let long = "1\n".repeat(MAX_WORDS + 1);
        for (text, expected) in [
            ("", "no words"),
            ("# only a comment\n", "no words"),
            ("1\n2\nxyz\n", "line 3: `xyz` is no word"),
            ("1\n0x\n", "line 2: `0x` is no word"),
            ("5\n-1\n", "line 2: `-1` is negative"),
            ("1.5", "line 1: `1.5` is no word"),
            ("9f\n7\n255\n", "line 3: `255` may be decimal, or hexadecimal as `9f` on line 1 is"),
            ("0x123456789012345678901234567890123", "wider than 128 bits"),
            (
                "uint8_t z[2] = {\n 1,\n 300 };",
                "line 3: word 1 has 9 bits and its declared type has 8",
            ),
            ("uint8_t z[3] = { 1, 2 };", "2 words where 3 are declared"),
            ("let z: [u64; 1] = [1, 2];", "2 words where 1 are declared"),
            ("int a[1] = {1}; int b[1] = {2};", "2 array literals: want one"),
            ("{\"keys\": [1]}", "without a list `words`"),
            ("{\"words\": [1, null]}", "`null` among the words"),
            ("{\"bits\": 2, \"words\": [1, 4]}", "has 3 bits and the key has 2"),
            (&long, "at most 4096"),
            ("[1,2,", "line 1: `[` is not closed"),
            ("[1, 2, 3", "line 1: `[` is not closed"),
            ("[1,,2]", "line 1: no word before a comma"),
            ("uint64_t k[] = {1,2,3", "line 1: `{` is not closed"),
            ("[[1,2],[3]]", "arrays within an array"),
            ("[[1, 2], [3, 4]]", "arrays within an array"),
            ("let k = [[1, 2],\n [3]];", "rows of 2 and of 1 words"),
            ("let k = [[1, 2], 3];", "`3` is nested unlike"),
            ("{\"words\": [1, 2", "line 1: no comma before `:`"),
            ("[1, 2}", "`}` closes nothing"),
            ("1, 2]", "`]` closes nothing"),
            ("[, 1]", "no word before a comma"),
            ("[1 2]", "no comma before `2`"),
            ("[1]\n[2]", "line 2: a second array"),
            ("[1] 2", "`2` after the end"),
            ("[\"1\", \"2]", "a quote is not closed"),
            ("uint64_t z[] = { U64(0x1), U64(0x2 };", "`}` closes nothing"),
        ] {
            let problem = Words::parse(text, None).unwrap_err();
            assert!(problem.contains(expected), "`{problem}` should say `{expected}`");
            assert!(!problem.contains('\n'), "one line: {problem}");
        }
        let problem = Words::parse("1\n256\n", Some(8)).unwrap_err();
        assert_eq!(problem, "line 2: word 1 has 9 bits and the key has 8");
    }
}
