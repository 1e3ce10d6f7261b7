//! The file of a database: opened, recognised, and missed when it goes.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::file_id::FileId;
use crate::schema;
use crate::{Store, StoreError};

/// How long to wait for another program that writes at the same moment.
const PATIENCE: Duration = Duration::from_secs(20);

/// Writes after which the log is moved into the file, so that a copy of the file alone holds what was
/// written before.
const WRITES_IN_LOG: u64 = 512;

impl Store {
    /// Opens a database to read and write; makes it if there is none.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        refuse_folder(path)?;
        let wrong = |error: rusqlite::Error| StoreError::of(path, &error);
        let mut connection = Connection::open(path).map_err(wrong)?;
        connection.busy_timeout(PATIENCE).map_err(wrong)?;
        // Before anything is written: a file of somebody else stays as it is.
        let is_empty = || Ok::<_, StoreError>(schema::form(&connection, path)?.is_none());
        // Asked again: somebody may have made the tables in between.
        if is_empty()? && has_lost_its_log(path) && is_empty()? {
            return Err(StoreError::LostLog(path.to_owned()));
        }
        // Before there is a log: a file of ours always holds its tables.
        schema::migrate(&mut connection, path)?;
        // A write-ahead log makes a committed game survive the death of the process without waiting
        // for the disk at every game.
        use_log(&connection).map_err(wrong)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(wrong)?;
        // Moving the log into the file costs more than writing it: less often than by default.
        connection.pragma_update(None, "wal_autocheckpoint", 8000).map_err(wrong)?;
        Ok(Self::of(connection, path, schema::FORM, true))
    }

    /// Opens a database that exists, to read only.
    pub fn open_existing(path: &Path) -> Result<Self, StoreError> {
        if !path.exists() {
            return Err(StoreError::Missing(path.to_owned()));
        }
        refuse_folder(path)?;
        let wrong = |error: rusqlite::Error| StoreError::of(path, &error);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let opened = Connection::open_with_flags(path, flags).map_err(wrong)?;
        opened.busy_timeout(PATIENCE).map_err(wrong)?;
        let connection = match schema::form(&opened, path) {
            // A folder that cannot be written cannot hold the shared memory of the log; without a
            // log nobody writes, and the file can be read as it is.
            Err(StoreError::Open { .. } | StoreError::ReadOnly(_)) => {
                let mut log = path.as_os_str().to_owned();
                log.push("-wal");
                if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
                    return Err(StoreError::PendingLog(path.to_owned()));
                }
                let text = path.to_string_lossy().replace('%', "%25").replace('?', "%3f");
                let uri = format!("file:{}?immutable=1", text.replace('#', "%23"));
                Connection::open_with_flags(uri, flags).map_err(wrong)?
            }
            Err(error) => return Err(error),
            Ok(_) => opened,
        };
        match schema::form(&connection, path)? {
            Some(form) => Ok(Self::of(connection, path, form, false)),
            None if has_lost_its_log(path) => Err(StoreError::LostLog(path.to_owned())),
            None => Err(StoreError::Foreign(path.to_owned())),
        }
    }

    fn of(connection: Connection, path: &Path, form: i64, writable: bool) -> Self {
        Self {
            connection: Mutex::new(connection),
            path: path.to_owned(),
            form,
            file: FileId::of(path),
            writes: writable.then(AtomicU64::default),
        }
    }

    /// To be asked after a write: an error if it went into a file that nobody will find any more.
    /// Now and then it moves the log into the file.
    pub(crate) fn check_written(&self) -> Result<(), StoreError> {
        if self.file != FileId::of(&self.path) {
            return Err(StoreError::Gone(self.path.clone()));
        }
        let writes =
            self.writes.as_ref().map_or(0, |writes| writes.fetch_add(1, Ordering::Relaxed));
        if writes % WRITES_IN_LOG == WRITES_IN_LOG - 1 {
            self.checkpoint();
        }
        Ok(())
    }

    /// Moves the log into the file, as far as nobody still reads it.
    pub fn checkpoint(&self) {
        // What cannot be moved now stays in the log, where it is safe.
        let _ = self.connection().query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // The database does so by itself only when nobody else has it open.
        if self.writes.is_some() {
            self.checkpoint();
        }
    }
}

/// Switches to the log. Where several do so at the same moment, the database says at once that it is
/// busy, without the patience it has otherwise.
fn use_log(connection: &Connection) -> rusqlite::Result<()> {
    const TRIES: u32 = 1000;
    for _ in 1..TRIES {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            // A transaction waits for whoever writes.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => {
                connection.execute_batch("BEGIN IMMEDIATE; COMMIT")?;
            }
            done => return done,
        }
    }
    connection.pragma_update(None, "journal_mode", "WAL")
}

/// The database itself would only speak of input and output.
fn refuse_folder(path: &Path) -> Result<(), StoreError> {
    if path.is_dir() { Err(StoreError::Folder(path.to_owned())) } else { Ok(()) }
}

/// Whether a file without tables says that it is written through a log (bytes 18 and 19 of its
/// header): then what it held is in a log that was left behind.
fn has_lost_its_log(path: &Path) -> bool {
    let mut header = [0; 20];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header[18..] == [2, 2]
}
