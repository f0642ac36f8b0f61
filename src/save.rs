//! Files that are whole or absent: written beside their name, then renamed.
//!
//! ```text
//! results/cells.npy.partial-4711  ──rename──►  results/cells.npy
//! ```
//!
//! A failure removes the partial file, and so does [`remove_partials`], which
//! the command calls when it is interrupted.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::error::Error;

/// Partial files of this process that are being written now.
static PARTIALS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes sure that `directory` exists and takes files, before work is put into
/// what will go there.
///
/// # Errors
/// It cannot be made, or a file cannot be made in it.
pub fn prepare_directory(directory: &Path) -> Result<(), Error> {
    fs::create_dir_all(directory)
        .and_then(|()| Partial::create(&directory.join("probe")).map(drop))
        .map_err(|source| Error::io(directory, source))
}

/// Writes a file through `fill`, so that at `path` there is either the whole
/// new content or whatever was there before.
///
/// # Errors
/// The system refused to create, write, flush or rename.
pub fn save(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), Error> {
    let written = (|| {
        let (partial, file) = Partial::create(path)?;
        let mut writer = BufWriter::with_capacity(1 << 20, file);
        fill(&mut writer)?;
        writer.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        // Under the lock: an interrupt comes before the rename or after it.
        let partials = lock();
        let renamed = fs::rename(&partial.0, path);
        drop(partials);
        renamed
    })();
    written.map_err(|source| Error::io(path, source))
}

/// Removes every partial file of this process, for the moment before it exits
/// early. While the guard that comes back is held, no other file is begun or
/// finished.
pub fn remove_partials() -> impl Drop {
    let mut partials = lock();
    for partial in partials.drain(..) {
        // Gone already is as good as removed.
        let _ = fs::remove_file(partial);
    }
    partials
}

/// A file beside its name, removed when dropped unless it was renamed.
struct Partial(PathBuf);

impl Partial {
    fn create(path: &Path) -> std::io::Result<(Self, File)> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let partial = path.with_file_name(format!("{name}.partial-{}", std::process::id()));
        // Created under the lock: what an interrupt does not find here does not exist.
        let mut partials = lock();
        let file = File::create(&partial)?;
        partials.push(partial.clone());
        Ok((Self(partial), file))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let mut partials = lock();
        partials.retain(|other| *other != self.0);
        // After the rename there is nothing to remove.
        let _ = fs::remove_file(&self.0);
    }
}

fn lock() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    PARTIALS.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("answer.txt");
        save(&path, |writer| writer.write_all(b"42")).unwrap();
        let failed = save(&path, |writer| {
            writer.write_all(b"half")?;
            Err(std::io::Error::other("disk full"))
        });
        assert!(failed.unwrap_err().to_string().ends_with("answer.txt: disk full"));
        assert_eq!(fs::read_to_string(&path).unwrap(), "42");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
