//! One writer for a run.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// Who only looks whether a run is locked holds the lock for some microseconds; so it is tried so
/// often, which takes some milliseconds.
const TRIES: u32 = 1000;

/// The right to write games of a run. The system takes it back when the process ends, however it
/// ends, so a killed run never stays locked.
#[derive(Debug)]
pub struct RunLock {
    #[cfg_attr(not(unix), expect(dead_code, reason = "the file stays there"))]
    path: PathBuf,
    _file: File,
}

impl RunLock {
    pub(crate) fn take(database: &Path, id: &str) -> Result<Self, StoreError> {
        let path = file_of(database, id);
        let wrong = |error: std::io::Error| StoreError::Lock {
            path: path.clone(),
            reason: error.to_string(),
        };
        let mut tries = 0;
        loop {
            let mut file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .read(true)
                .write(true)
                .open(&path)
                .map_err(wrong)?;
            match file.try_lock() {
                // Who had it before may have removed the file since it was opened here; what nobody
                // else finds any more locks nothing.
                Ok(()) if !is_the_file_at(&file, &path) => {}
                Ok(()) => {
                    file.set_len(0).and_then(|()| file.rewind()).map_err(wrong)?;
                    write!(file, "{}", std::process::id()).map_err(wrong)?;
                    return Ok(Self { path, _file: file });
                }
                Err(TryLockError::WouldBlock) if tries < TRIES => {
                    tries += 1;
                }
                Err(TryLockError::WouldBlock) => {
                    let mut process = String::new();
                    let _ = file.read_to_string(&mut process);
                    let process = if process.is_empty() { "unknown".into() } else { process };
                    return Err(StoreError::Locked { id: id.to_owned(), process });
                }
                Err(TryLockError::Error(error)) => return Err(wrong(error)),
            }
        }
    }

    /// Whether somebody has the lock of a run.
    pub(crate) fn is_held(database: &Path, id: &str) -> bool {
        let file = File::open(file_of(database, id));
        file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

fn file_of(database: &Path, id: &str) -> PathBuf {
    // One name for the file, however it was reached.
    let database = database.canonicalize().unwrap_or_else(|_| database.to_owned());
    let mut name = database.into_os_string();
    name.push(format!(".{id}.lock"));
    PathBuf::from(name)
}

#[cfg(unix)]
fn is_the_file_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let name = |found: std::fs::Metadata| (found.dev(), found.ino());
    let (open, there) = (file.metadata().map(name), std::fs::metadata(path).map(name));
    matches!((open, there), (Ok(open), Ok(there)) if open == there)
}

/// Without names of files to compare, the file is never removed.
#[cfg(not(unix))]
fn is_the_file_at(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(unix)]
impl Drop for RunLock {
    fn drop(&mut self) {
        // While it is still locked: see `take`.
        let _ = std::fs::remove_file(&self.path);
    }
}
