//! Checkpoints of a long census: after each layer, what it added.
//!
//! ```text
//! DIR/census.txt       board and key: whose checkpoint it is
//! DIR/values-07.bin    the canonical forms first met among pieces of 7 stones
//! DIR/numbers-07.bin   the number of the value of each such piece, ascending pieces
//! ```
//!
//! Files are whole or absent, and `numbers` is written last: a layer whose
//! `numbers` is there is done. The pieces themselves are quicker reached again
//! than read. All integers are little-endian u32; a form is the counts of its
//! left and right options, then the options.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Key, Pieces};
use crate::board::Board;
use crate::error::Error;
use crate::save;
use crate::value::{Value, Values};

/// Makes a directory the checkpoint of a census, if it is none or that already.
///
/// # Errors
/// It is another census's, or takes no files.
pub fn claim(directory: &Path, board: Board, key: Key) -> Result<(), Error> {
    save::prepare_directory(directory)?;
    let path = directory.join("census.txt");
    let title = format!("clobber {board} by {key}\n");
    match fs::read_to_string(&path) {
        Ok(found) if found == title => Ok(()),
        Ok(found) => {
            let (found, title) = (found.trim(), title.trim());
            let problem = format!("a checkpoint of `{found}`, want `{title}` or another directory");
            Err(Error::file(&path, problem))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            save::save(&path, |writer| writer.write_all(title.as_bytes()))
        }
        Err(error) => Err(Error::io(&path, error)),
    }
}

/// A directory of checkpoints of one census.
pub(super) struct Checkpoint {
    directory: PathBuf,
    /// Values written so far.
    written: u32,
    /// Whether a layer has been valued anew: later files number its values
    /// otherwise and are no longer read.
    anew: bool,
}

impl Checkpoint {
    /// Opens a directory for the census of `pieces`, making it if it is absent.
    pub(super) fn open(directory: &Path, pieces: &Pieces) -> Result<Self, Error> {
        claim(directory, pieces.frame.board(), pieces.key)?;
        Ok(Self { directory: directory.into(), written: 0, anew: false })
    }

    fn path(&self, what: &str, stones: usize) -> PathBuf {
        self.directory.join(format!("{what}-{stones:02}.bin"))
    }

    /// Reads a layer back, if it was done; layers come in ascending order.
    pub(super) fn restore(
        &mut self,
        pieces: &Pieces,
        values: &Values,
        stones: usize,
    ) -> Result<bool, Error> {
        let path = self.path("numbers", stones);
        if self.anew || !path.try_exists().map_err(|error| Error::io(&path, error))? {
            return Ok(false);
        }
        self.restore_values(values, stones)?;
        let numbers = read(&path)?;
        let layer = &pieces.layers()[stones];
        if numbers.len() != layer.len() {
            let problem = format!(
                "{} numbers for {} pieces: delete it to resume before it",
                numbers.len(),
                layer.len()
            );
            return Err(Error::file(&path, problem));
        }
        for (&piece, &number) in layer.iter().zip(&numbers) {
            let value = values.get(number).ok_or_else(|| {
                Error::file(
                    &path,
                    format!("value {number} of {}: delete it to resume before it", values.len()),
                )
            })?;
            pieces.store(piece, value);
        }
        Ok(true)
    }

    fn restore_values(&mut self, values: &Values, stones: usize) -> Result<(), Error> {
        let path = self.path("values", stones);
        let words = read(&path)?;
        let damaged = |at: usize| {
            Error::file(
                &path,
                format!("no canonical form at word {at}: the checkpoint is damaged, start another"),
            )
        };
        let mut at = 0;
        while at < words.len() {
            let [lefts, rights] = *words[at..].first_chunk().ok_or_else(|| damaged(at))?;
            let lists = words
                .get(at + 2..at + 2 + lefts as usize + rights as usize)
                .ok_or_else(|| damaged(at))?;
            let list: Option<Vec<Value>> = lists.iter().map(|&number| values.get(number)).collect();
            let list = list.ok_or_else(|| damaged(at))?;
            let (left, right) = list.split_at(lefts as usize);
            // In a form's own place only that form is made anew.
            if values.game(left, right).number() != self.written {
                return Err(damaged(at));
            }
            self.written += 1;
            at += 2 + list.len();
        }
        Ok(())
    }

    /// Writes a layer that has been valued.
    pub(super) fn write(
        &mut self,
        pieces: &Pieces,
        values: &Values,
        stones: usize,
    ) -> Result<(), Error> {
        self.anew = true;
        let met = values.len() as u32;
        save::save(&self.path("values", stones), |writer| {
            for number in self.written..met {
                let value = values.get(number).expect("the values are there");
                let (left, right) = (values.left(value), values.right(value));
                let counts = [left.len() as u32, right.len() as u32];
                let options = left.iter().chain(right).map(|option| option.number());
                for word in counts.into_iter().chain(options) {
                    writer.write_all(&word.to_le_bytes())?;
                }
            }
            Ok(())
        })?;
        self.written = met;
        save::save(&self.path("numbers", stones), |writer| {
            pieces.layers()[stones].iter().try_for_each(|&piece| {
                let number = pieces.number_of(piece).expect("the layer is in the table");
                writer.write_all(&number.to_le_bytes())
            })
        })
    }
}

fn read(path: &Path) -> Result<Vec<u32>, Error> {
    let bytes = fs::read(path).map_err(|error| Error::io(path, error))?;
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(Error::file(path, format!("{} bytes are not whole words of 4", bytes.len())));
    }
    Ok(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
}
