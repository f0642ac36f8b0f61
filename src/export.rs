//! Words of a key as source text that a program compiles in.
//!
//! Every language gets the same comment: what the words are of, how long and
//! how exact the key is, and the command that made it.
//!
//! ```
//! use zobrist_lab::export::{Export, Language};
//! let export = Export {
//!     words: &[0x1, 0x2, 0x3],
//!     bits: 2,
//!     about: vec!["Board 1x3, 2 bits.".into()],
//!     command: "zlab exact 1x3 --export c".into(),
//! };
//! assert_eq!(
//!     export.render(Language::C),
//!     "// Board 1x3, 2 bits.\n\
//!      // Made by: zlab exact 1x3 --export c\n\
//!      #ifndef ZOBRIST_WORDS_H\n#define ZOBRIST_WORDS_H\n\
//!      #include <stdint.h>\n\
//!      enum { ZOBRIST_BITS = 2 };\n\
//!      static const uint32_t ZOBRIST_WORDS[3] = {\n    0x1, 0x2, 0x3,\n};\n\
//!      #endif\n"
//! );
//! ```

/// What words are written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Language {
    /// A `pub const` array.
    Rust,
    /// A `static const` array, C99, in a header that may be included twice.
    C,
    /// An object; what would be comments are fields.
    Json,
    /// One hexadecimal word a line after `#` comments, which `audit` reads.
    Text,
}

/// Words and what is to be said of them.
pub struct Export<'a> {
    /// One word a feature, right-aligned.
    pub words: &'a [u64],
    /// Length of the key.
    pub bits: usize,
    /// Lines of comment: board, length, exactness.
    pub about: Vec<String>,
    /// The command that made the words; see [`this_command`].
    pub command: String,
}

impl Export<'_> {
    /// The text, ending with a newline.
    pub fn render(&self, language: Language) -> String {
        let count = self.words.len();
        let wide = self.bits > 32;
        match language {
            Language::Rust => format!(
                "{}/// Bits of the key.\npub const ZOBRIST_BITS: u32 = {};\n\
                 /// One word a feature; a key is the XOR of the words of the features present.\n\
                 pub const ZOBRIST_WORDS: [{}; {count}] = [\n{}];\n",
                self.comment("//"),
                self.bits,
                if wide { "u64" } else { "u32" },
                self.rows("")
            ),
            Language::C => format!(
                "{}#ifndef ZOBRIST_WORDS_H\n#define ZOBRIST_WORDS_H\n\
                 #include <stdint.h>\nenum {{ ZOBRIST_BITS = {} }};\n\
                 static const {} ZOBRIST_WORDS[{count}] = {{\n{}}};\n#endif\n",
                self.comment("//"),
                self.bits,
                if wide { "uint64_t" } else { "uint32_t" },
                self.rows(if wide { "ULL" } else { "" })
            ),
            Language::Json => {
                let Self { words, bits, about, command } = self;
                let object = serde_json::json!(
                    { "about": about, "command": command, "bits": bits, "words": words }
                );
                serde_json::to_string_pretty(&object).expect("plain data") + "\n"
            }
            Language::Text => {
                let digits = self.bits.div_ceil(4).max(1) + "0x".len();
                let words = self.words.iter().map(|word| format!("{word:#0digits$x}\n"));
                self.comment("#") + &words.collect::<String>()
            }
        }
    }

    fn comment(&self, mark: &str) -> String {
        let made = format!("Made by: {}", self.command);
        let lines = self.about.iter().chain([&made]);
        lines.map(|line| format!("{mark} {}\n", printable(line))).collect()
    }

    /// The words in rows of at most 80 characters.
    fn rows(&self, suffix: &str) -> String {
        let digits = self.bits.div_ceil(4).max(1);
        let word = |word: &u64| format!("{word:#0width$x}{suffix},", width = digits + 2);
        let row = |row: &[u64]| row.iter().map(word).collect::<Vec<_>>().join(" ");
        let a_row = 76 / (digits + suffix.len() + 4);
        self.words.chunks(a_row).map(|words| format!("    {}\n", row(words))).collect()
    }
}

/// The command line of this process, as a shell would take it on one line.
pub fn this_command() -> String {
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.map(|argument| quoted(&argument.to_string_lossy()));
    ["zlab".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}

/// Plain words as they are, all else between quotes and without control
/// characters, so that no file name ends a comment or continues it.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,:=+".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", printable(argument).replace('\'', r"'\''"))
}

/// The text without control characters.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_arguments_stay_on_their_line() {
        assert_eq!(quoted("a/b-1.npy,c"), "a/b-1.npy,c");
        assert_eq!(quoted("two\nlines \\"), "'two?lines \\'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
