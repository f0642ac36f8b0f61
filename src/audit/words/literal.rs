//! Array literals and lists: brackets, commas, comments and declarations.
//!
//! ```text
//! const Z: [[u64; 2]; 3] = [[1, 2], [3, 4], [5, 6]];      one after the other
//! [1, 2,   [1,,2]   {1, 2   [1 2]   [[1, 2], [3]]         refused
//! ```

use super::{Declared, Token};

/// The words of a list or of an array literal, and what its declaration says.
pub(super) fn literal(text: &str) -> Result<(Vec<Token>, Declared), String> {
    let text = without_comments(text);
    // An array opens after its `=`; constants beside it have one too.
    let opens = |at: &usize| text[at + 1..].trim_start().starts_with(['{', '[']);
    let arrays: Vec<usize> = text.match_indices('=').map(|(at, _)| at).filter(opens).collect();
    let (head, body) = match arrays.as_slice() {
        [] => text.split_once('=').unwrap_or(("", &text)),
        [at] => (&text[..*at], &text[at + 1..]),
        several => return Err(format!("{} array literals: want one", several.len())),
    };
    let skipped_lines = head.matches('\n').count();
    let mut shape = Shape::default();
    let mut tokens = Vec::new();
    for (number, line) in body.lines().enumerate() {
        let line_number = 1 + skipped_lines + number;
        for (start, piece) in pieces(line) {
            let call = line[start + piece.len()..].trim_start().starts_with('(');
            if piece.starts_with(SEPARATORS) {
                shape.mark(piece, line_number)?;
            } else if !(call && piece.starts_with(|first: char| first.is_ascii_alphabetic())) {
                // `U64(0x…)` and `UINT64_C(…)`: the name is no word.
                shape.word(piece, line_number)?;
                tokens.push(Token { text: piece.into(), line: line_number });
            }
        }
    }
    let declared = declaration(head);
    let nested = shape.end(!arrays.is_empty())?;
    Ok((tokens, Declared { nested, ..declared }))
}

/// What stands between words, beside white space.
const SEPARATORS: [char; 9] = [',', ';', '{', '}', '[', ']', '(', ')', '"'];

/// What has been read of the brackets and commas around the words.
#[derive(Default)]
struct Shape {
    /// Brackets that are open, and their lines.
    open: Vec<(char, usize)>,
    /// Whether a word or a closed bracket stands before, since the last comma or opening one.
    element: bool,
    /// Whether the outermost array has been closed.
    closed: bool,
    /// The depth of the words.
    depth: Option<usize>,
    /// Words of the array that is open, and of those closed before it.
    row: usize,
    rows: Vec<usize>,
    quoted: bool,
}

impl Shape {
    /// Arrays that are open: parentheses are those of `U64(0x…)`.
    fn arrays(&self) -> usize {
        self.open.iter().filter(|(bracket, _)| *bracket != '(').count()
    }

    fn word(&mut self, text: &str, line: usize) -> Result<(), String> {
        let depth = self.arrays();
        if self.closed {
            return Err(format!("line {line}: `{text}` after the end of the array"));
        }
        if depth > 0 && self.element {
            return Err(format!("line {line}: no comma before `{text}`"));
        }
        if *self.depth.get_or_insert(depth) != depth {
            return Err(format!("line {line}: `{text}` is nested unlike the words before it"));
        }
        self.element = true;
        self.row += 1;
        Ok(())
    }

    fn mark(&mut self, mark: &str, line: usize) -> Result<(), String> {
        let bracket = mark.chars().next().expect("a mark is one character");
        match bracket {
            '"' => self.quoted = !self.quoted,
            ',' if !self.element => return Err(format!("line {line}: no word before a comma")),
            ',' => self.element = false,
            '(' => self.open.push((bracket, line)),
            '[' | '{' if self.closed => {
                return Err(format!("line {line}: a second array: want one"));
            }
            '[' | '{' if self.element => {
                return Err(format!("line {line}: no comma before `{bracket}`"));
            }
            '[' | '{' => {
                self.open.push((bracket, line));
                self.row = 0;
            }
            ')' | ']' | '}' => {
                let opened = self.open.pop().map_or(' ', |(opened, _)| opened);
                if !["()", "[]", "{}"].contains(&format!("{opened}{bracket}").as_str()) {
                    return Err(format!("line {line}: `{bracket}` closes nothing"));
                }
                if bracket != ')' {
                    if self.row == 0 && !self.open.is_empty() {
                        return Err(format!("line {line}: an empty array within an array"));
                    }
                    if Some(self.arrays() + 1) == self.depth {
                        self.rows.push(self.row);
                    }
                    self.element = true;
                    self.closed = self.arrays() == 0;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether arrays are nested, which those of C and Rust may be: `declared`.
    fn end(self, declared: bool) -> Result<bool, String> {
        if let Some((bracket, line)) = self.open.first() {
            return Err(format!("line {line}: `{bracket}` is not closed: is the end missing?"));
        }
        if self.quoted {
            return Err("a quote is not closed: is the end missing?".into());
        }
        let nested = self.depth > Some(1);
        if nested && !declared {
            return Err("arrays within an array: want one list of words".into());
        }
        if let Some(row) = self.rows.iter().find(|row| **row != self.rows[0]) {
            let problem =
                format!("rows of {} and of {row} words: want as many in all", self.rows[0]);
            return Err(problem);
        }
        Ok(nested)
    }
}

/// The words and the separators of a line, with where they start.
fn pieces(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = move |piece: &str| piece.as_ptr() as usize - line.as_ptr() as usize;
    let pieces = line.split_whitespace().flat_map(|part| {
        let parts = part.split_inclusive(SEPARATORS);
        parts.flat_map(|part| {
            let end = part.trim_end_matches(SEPARATORS).len();
            let (word, separator) = part.split_at(end);
            [word, separator].into_iter().filter(|piece| !piece.is_empty())
        })
    });
    pieces.map(move |piece| (start(piece), piece))
}

/// The text with every comment blanked out; lines keep their numbers.
fn without_comments(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['#', '/']) {
        let (before, comment) = rest.split_at(start);
        plain += before;
        let block = comment.starts_with("/*");
        let end = if block { comment.find("*/").map(|end| end + 2) } else { comment.find('\n') };
        if comment.starts_with('/') && !block && !comment.starts_with("//") {
            plain.push('/');
            rest = &comment[1..];
            continue;
        }
        let (comment, after) = comment.split_at(end.unwrap_or(comment.len()));
        plain.push(' ');
        plain.extend(comment.chars().filter(|letter| *letter == '\n'));
        rest = after;
    }
    plain + rest
}

/// The type and the lengths that stand before the `=`.
fn declaration(head: &str) -> Declared {
    let starts = ["const ", "static ", "let "].map(|word| head.rfind(word));
    let head = &head[starts.into_iter().flatten().max().unwrap_or(0)..];
    let name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let names: Vec<&str> = head.split(|letter| !name(letter)).filter(|n| !n.is_empty()).collect();
    let type_bits = names.iter().find_map(|name| {
        let bits = name.strip_prefix("uint").and_then(|rest| rest.strip_suffix("_t"));
        let bits = bits.or_else(|| name.strip_prefix('u')).or_else(|| name.strip_prefix('U'));
        bits?.parse().ok().filter(|bits| [8, 16, 32, 64, 128].contains(bits))
    });
    // `[12][64]` of C and `; 64]` of Rust; a length that is a name is not known.
    let lengths = head.split(['[', ';']).skip(1).filter_map(|piece| piece.split(']').next());
    let lengths: Vec<Option<usize>> = lengths
        .map(str::trim)
        .filter(|length| !length.is_empty() && !length.starts_with(['u', 'U', '&']))
        .map(|length| length.parse().ok())
        .collect();
    let all: Option<Vec<usize>> = lengths.into_iter().collect();
    let count = all.filter(|lengths| !lengths.is_empty());
    let count = count.map(|lengths| lengths.iter().product());
    Declared { count, type_bits, ..Declared::default() }
}
