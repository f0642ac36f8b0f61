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
    let failed = |source| Error::io(directory, source);
    fs::create_dir_all(directory).map_err(failed)?;
    let probe = directory.join(format!(".probe-{}", std::process::id()));
    File::create(&probe).and_then(|_| fs::remove_file(&probe)).map_err(failed)
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
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let partial = path.with_file_name(format!("{name}.partial-{}", std::process::id()));
    lock().push(partial.clone());
    let written = (|| {
        let mut writer = BufWriter::with_capacity(1 << 20, File::create(&partial)?);
        fill(&mut writer)?;
        writer.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(&partial, path)
    })();
    if written.is_err() {
        // The first error is the one to tell; a partial file may not even exist.
        let _ = fs::remove_file(&partial);
    }
    lock().retain(|other| *other != partial);
    written.map_err(|source| Error::io(path, source))
}

/// Removes every partial file of this process: for the moment before it exits early.
pub fn remove_partials() {
    for partial in lock().drain(..) {
        // Gone already is as good as removed.
        let _ = fs::remove_file(partial);
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
