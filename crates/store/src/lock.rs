//! One writer for a run.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// The right to write games of a run. The system takes it back when the process ends, however it
/// ends, so a killed run never stays locked.
#[derive(Debug)]
pub struct RunLock {
    path: PathBuf,
    _file: File,
}

impl RunLock {
    pub(crate) fn take(database: &Path, id: &str) -> Result<Self, StoreError> {
        // One name for the file, however it was reached.
        let database = database.canonicalize().unwrap_or_else(|_| database.to_owned());
        let mut name = database.into_os_string();
        name.push(format!(".{id}.lock"));
        let path = PathBuf::from(name);
        let wrong = |error: std::io::Error| StoreError::Lock {
            path: path.clone(),
            reason: error.to_string(),
        };
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut process = String::new();
                let _ = file.read_to_string(&mut process);
                let process = if process.is_empty() { "unknown".into() } else { process };
                return Err(StoreError::Locked { id: id.to_owned(), process });
            }
            Err(TryLockError::Error(error)) => return Err(wrong(error)),
        }
        file.set_len(0).and_then(|()| file.rewind()).map_err(wrong)?;
        write!(file, "{}", std::process::id()).map_err(wrong)?;
        Ok(Self { path, _file: file })
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Who opened the file just before it goes may lock what nobody else finds any more. The
        // games' own keys still keep two writers from doing harm.
        let _ = std::fs::remove_file(&self.path);
    }
}
