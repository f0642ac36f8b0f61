//! Bad input from outside, told in one line: what was wrong and what would be right.
//!
//! Absence is an `Option` and our own bugs are `assert!`s; only what a user
//! can mend is an [`Error`]. The command prints it after `error: ` and exits
//! with code 2.
//!
//! ```
//! use zobrist_lab::board::Board;
//! let error = "4x".parse::<Board>().unwrap_err();
//! assert_eq!(error.to_string(), "board `4x`: want ROWSxCOLUMNS, for example 4x5");
//! ```

/// What a caller outside this crate got wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A board's name does not read as `ROWSxCOLUMNS`, or its size is refused.
    #[error("board `{text}`: {problem}")]
    Board {
        /// The text as given.
        text: String,
        /// What is wrong with it and what would be right.
        problem: String,
    },
    /// An argument's value is not one of those possible.
    #[error("{what}: {problem}")]
    Argument {
        /// The argument, as the user knows it (`--kernel`, `--set`).
        what: String,
        /// What is wrong with it and what would be right.
        problem: String,
    },
    /// A file's content is not what the reader was promised.
    #[error("{path}: {problem}")]
    File {
        /// The file, as given.
        path: String,
        /// What is wrong with it and, where it is known, the line.
        problem: String,
    },
    /// The operating system refused to read or write a file.
    #[error("{path}: {source}")]
    Io {
        /// The file, as given.
        path: String,
        /// The system's own word.
        source: std::io::Error,
    },
    /// A job is larger than this machine's memory.
    #[error("{what} needs {} of memory and {} is available{hint}", bytes(*.needed), bytes(*.available))]
    Memory {
        /// The job.
        what: String,
        /// Bytes needed.
        needed: u64,
        /// Bytes present and free.
        available: u64,
        /// What would fit, starting with `; `, or nothing.
        hint: String,
    },
}

impl Error {
    /// An [`Error::Argument`] from anything that prints.
    pub fn argument(what: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Argument { what: what.into(), problem: problem.into() }
    }

    /// An [`Error::File`] from a path and anything that prints.
    pub fn file(path: &std::path::Path, problem: impl Into<String>) -> Self {
        Self::File { path: path.display().to_string(), problem: problem.into() }
    }

    /// An [`Error::Io`] from a path and the system's error.
    pub fn io(path: &std::path::Path, source: std::io::Error) -> Self {
        Self::Io { path: path.display().to_string(), source }
    }
}

/// Bytes as a person reads them: `512 B`, `1.5 GiB`.
///
/// ```
/// assert_eq!(zobrist_lab::error::bytes(3 << 29), "1.5 GiB");
/// ```
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}
