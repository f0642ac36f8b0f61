//! Positions as files: text for people, `.npy` for numpy.
//!
//! Text is one board a line, in the board notation; blank lines and lines that
//! start with `//` are passed over. `.npy` is a one-dimensional array of
//! unsigned 64-bit integers (`<u8`); other integers are read too, if none is
//! negative. One file holds one mover's positions.
//!
//! ```text
//! ....|....        left.txt        left.npy: array([0, 17, 34, …], dtype=uint64)
//! #...|#...
//! .#..|.#..
//! ```

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use super::Positions;
use crate::board::Board;
use crate::error::Error;
use crate::game::Mover;
use crate::save;

/// The two formats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Format {
    /// One board a line.
    Text,
    /// A numpy array of unsigned 64-bit integers.
    Npy,
}

impl Format {
    /// The format's file name ending.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Npy => "npy",
        }
    }
}

/// Writes `left` and `right` with the format's ending into `directory`, and
/// returns both paths.
///
/// # Errors
/// The system refused to write.
pub fn write(
    directory: &Path,
    format: Format,
    board: Board,
    positions: &Positions,
) -> Result<[PathBuf; 2], Error> {
    let path = |name: &str| directory.join(format!("{name}.{}", format.extension()));
    let paths = [path("left"), path("right")];
    for (path, mover) in paths.iter().zip(Mover::BOTH) {
        match format {
            Format::Text => write_text(path, board, positions.of(mover))?,
            Format::Npy => write_npy(path, positions.of(mover))?,
        }
    }
    Ok(paths)
}

/// Writes one board a line.
///
/// # Errors
/// The system refused to write.
pub fn write_text(path: &Path, board: Board, sets: &[u64]) -> Result<(), Error> {
    save::save(path, |writer| {
        sets.iter().try_for_each(|&set| writeln!(writer, "{}", board.draw(set)))
    })
}

/// Writes a one-dimensional `.npy` array of `u64` or of any other integer.
///
/// # Errors
/// The system refused to write.
pub fn write_npy<T: npyz::AutoSerialize + Copy>(path: &Path, values: &[T]) -> Result<(), Error> {
    use npyz::WriterBuilder;
    save::save(path, |writer| {
        let options = npyz::WriteOptions::new().default_dtype().shape(&[values.len() as u64]);
        let mut npy = options.writer(writer).begin_nd()?;
        npy.extend(values.iter().copied())?;
        npy.finish()
    })
}

/// Positions as a user brings them: one file for each mover, or one for all
/// (then Right has none). Every list comes back sorted.
///
/// `board`, if known, is the board that text must draw; else the first line says.
///
/// # Errors
/// A file that cannot be read, breaks its format, holds a set outside the
/// board or holds a set twice.
pub fn read(paths: &[PathBuf], board: Option<Board>) -> Result<(Positions, Option<Board>), Error> {
    let (left, right) = match paths {
        [left] => (left, None),
        [left, right] => (left, Some(right)),
        _ => return Err(Error::argument("--positions", "want FILE or LEFT,RIGHT")),
    };
    let (mut left, board) = read_sets(left, board)?;
    let (mut right, board) = match right {
        Some(right) => read_sets(right, board)?,
        None => (Vec::new(), board),
    };
    for (list, path) in [(&mut left, &paths[0]), (&mut right, &paths[paths.len() - 1])] {
        if let Some(board) = board
            && let Some(stray) = list.iter().find(|set| **set & !board.all() != 0)
        {
            let problem = format!("set {stray:#x} has a bit beyond the squares of {board}");
            return Err(Error::file(path, problem));
        }
        list.sort_unstable();
        if let Some(twice) = list.windows(2).find(|pair| pair[0] == pair[1]) {
            let set =
                board.map_or_else(|| format!("{:#x}", twice[0]), |board| board.draw(twice[0]));
            let places = places_of(path, board, twice[0])?;
            return Err(Error::file(path, format!("position {set} stands there twice, {places}")));
        }
    }
    if left.is_empty() && right.is_empty() {
        return Err(Error::file(&paths[0], "no position in it: want at least one"));
    }
    let features = board.map_or_else(
        || {
            left.iter()
                .chain(&right)
                .map(|set| 64 - set.leading_zeros() as usize)
                .max()
                .unwrap_or(0)
        },
        Board::squares,
    );
    Ok((Positions { features, left, right }, board))
}

/// The sets of one file, in its order, by the file's ending (`.npy`, or text).
fn read_sets(path: &Path, board: Option<Board>) -> Result<(Vec<u64>, Option<Board>), Error> {
    if is_npy(path) { Ok((read_npy(path)?, board)) } else { read_text(path, board) }
}

/// Where the first two of a repeated set stand in a file.
fn places_of(path: &Path, board: Option<Board>, set: u64) -> Result<String, Error> {
    let mut places = Vec::new();
    let kind = if is_npy(path) {
        let entries = read_npy(path)?.into_iter().enumerate();
        places.extend(entries.filter(|(_, other)| *other == set).map(|(entry, _)| entry));
        "as entries"
    } else {
        read_lines(path, board, |line, other| {
            if other == set {
                places.push(line);
            }
        })?;
        "on lines"
    };
    Ok(format!("{kind} {} and {}", places[0], places[1]))
}

fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "npy")
}

/// The array of a `.npy` file of little-endian integers.
fn read_npy(path: &Path) -> Result<Vec<u64>, Error> {
    let refuse = |problem: String| Error::file(path, problem);
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    let npy = npyz::NpyFile::new(BufReader::new(file))
        .map_err(|error| refuse(format!("not a whole .npy file ({error})")))?;
    let (dtype, shape) = (npy.dtype().descr(), npy.shape().to_vec());
    if shape.len() != 1 {
        return Err(refuse(format!("an array of {} dimensions: want one", shape.len())));
    }
    match dtype.trim_matches('\'') {
        "<u8" => sets_of::<u64, _>(npy),
        "<i8" => sets_of::<i64, _>(npy),
        "<u4" => sets_of::<u32, _>(npy),
        "<i4" => sets_of::<i32, _>(npy),
        "<u2" => sets_of::<u16, _>(npy),
        "|u1" => sets_of::<u8, _>(npy),
        _ => Err(format!(
            "an array of dtype {dtype}: want unsigned 64-bit integers, '<u8' (or '<i8', '<u4', \
             '<i4', '<u2', '|u1')"
        )),
    }
    .map_err(refuse)
}

/// The entries as sets; or what is wrong with them.
fn sets_of<T, R: Read>(npy: npyz::NpyFile<R>) -> Result<Vec<u64>, String>
where
    T: npyz::Deserialize + TryInto<u64> + Copy + std::fmt::Display,
{
    let promised = npy.shape()[0];
    let entries = npy.into_vec::<T>().map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => {
            format!("truncated: its header promises {promised} entries")
        }
        _ => error.to_string(),
    })?;
    let set = |(index, entry): (usize, T)| {
        let negative = |_| format!("entry {index} is {entry}: a set of bits is not negative");
        entry.try_into().map_err(negative)
    };
    entries.into_iter().enumerate().map(set).collect()
}

/// One board a line; without a board, the first line's shape.
fn read_text(path: &Path, board: Option<Board>) -> Result<(Vec<u64>, Option<Board>), Error> {
    let mut sets = Vec::new();
    let board = read_lines(path, board, |_, set| sets.push(set))?;
    Ok((sets, board))
}

/// Calls with the number of every line that draws a board and its set; returns the board.
fn read_lines(
    path: &Path,
    mut board: Option<Board>,
    mut with: impl FnMut(usize, u64),
) -> Result<Option<Board>, Error> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_to_string(&mut text));
    read.map_err(|source| Error::io(path, source))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        let at = |problem: Error| Error::file(path, format!("line {}: {problem}", number + 1));
        let shape = match board {
            Some(board) => board,
            None => shape_of(line).map_err(at)?,
        };
        board = Some(shape);
        with(number + 1, shape.parse_set(line).map_err(at)?);
    }
    Ok(board)
}

/// The board that a line draws.
fn shape_of(line: &str) -> Result<Board, Error> {
    let rows: Vec<&str> = line.split('|').collect();
    Board::new(rows.len(), rows[0].trim().chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::domineering::Domineering;
    use crate::positions::enumerate;

    #[test]
    fn what_is_written_is_read_back() {
        let board: Board = "3x4".parse().unwrap();
        let positions = enumerate(&Domineering, board).unwrap();
        let directory = tempfile::tempdir().unwrap();
        for format in [Format::Text, Format::Npy] {
            let paths = write(directory.path(), format, board, &positions).unwrap();
            for known in [Some(board), None] {
                if known.is_none() && format == Format::Npy {
                    continue;
                }
                let (read, shape) = read(&paths, known).unwrap();
                assert_eq!((read, shape), (positions.clone(), Some(board)), "{format:?}");
            }
        }
    }

    #[test]
    fn an_array_without_a_board_has_the_features_it_uses() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("sets.npy");
        write_npy(&path, &[9u64, 1, 1 << 40]).unwrap();
        let (positions, board) = read(&[path], None).unwrap();
        assert_eq!((positions.features, board), (41, None));
        assert_eq!((positions.left, positions.right), (vec![1, 9, 1 << 40], vec![]));
    }

    #[test]
    fn arrays_of_other_integers_and_marked_text_are_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        write_npy(&path("i8.npy"), &[9i64, 0, 17]).unwrap();
        write_npy(&path("i4.npy"), &[9i32, 0, 17]).unwrap();
        write_npy(&path("u4.npy"), &[9u32, 0, 17]).unwrap();
        write_npy(&path("u2.npy"), &[9u16, 0, 17]).unwrap();
        write_npy(&path("u1.npy"), &[9u8, 0, 17]).unwrap();
        std::fs::write(path("marked.txt"), "\u{feff}....|....\n#..#|....\n#...|#...\n").unwrap();
        for name in ["i8.npy", "i4.npy", "u4.npy", "u2.npy", "u1.npy", "marked.txt"] {
            let (positions, _) = read(&[path(name)], None).unwrap();
            assert_eq!(positions.left, [0, 9, 17], "{name}");
        }
    }

    #[test]
    fn broken_files_are_refused_in_one_line() {
        let board: Board = "2x4".parse().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let file = |name: &str, content: &[u8]| {
            let path = directory.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        };
        let sets = directory.path().join("sets.npy");
        write_npy(&sets, &[3u64, 12, 0]).unwrap();
        let whole = std::fs::read(&sets).unwrap();
        let npy = |name: &str| directory.path().join(name);
        let (twice, negative) = (npy("twice.npy"), npy("negative.npy"));
        write_npy(&twice, &[0u64, 3, 12, 3]).unwrap();
        write_npy(&negative, &[3i64, -3]).unwrap();
        let mut big = whole.clone();
        let order = big.iter().position(|&byte| byte == b'<').unwrap();
        big[order] = b'>';
        let floats = directory.path().join("floats.npy");
        write_npy(&floats, &[0.5f64]).unwrap();
        let high = directory.path().join("high.npy");
        write_npy(&high, &[1u64 << 8]).unwrap();
        // The board is known only from the second file: the first is checked all the same.
        let drawn = file("drawn.txt", b"....|....\n");
        let error = read(&[high.clone(), drawn], None).unwrap_err().to_string();
        assert!(error.contains("high.npy") && error.contains("beyond the squares"), "{error}");
        let cases = [
            (file("stray.txt", b"....|....\n..x.|....\n"), "line 2"),
            (file("short.txt", b"....|...\n"), "line 1"),
            (file("twice.txt", b"##..|....\n\n....|....\n##..|....\n"), "twice, on lines 1 and 4"),
            (twice, "twice, as entries 1 and 3"),
            (negative, "entry 1 is -3: a set of bits is not negative"),
            (file("big.npy", &big), "dtype '>u8': want unsigned 64-bit integers, '<u8'"),
            (file("cut.npy", &whole[..whole.len() - 4]), "truncated"),
            (file("header.npy", &whole[..9]), "not a whole .npy"),
            (floats, "want unsigned 64-bit integers"),
            (high, "beyond the squares"),
            (directory.path().join("absent.txt"), "No such file"),
        ];
        for (path, expected) in cases {
            let error = read(&[path], Some(board)).unwrap_err().to_string();
            assert!(error.contains(expected), "`{error}` should say `{expected}`");
            assert!(!error.contains('\n'), "one line: {error}");
        }
    }
}
