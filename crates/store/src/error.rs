//! What can go wrong with a database, in words that say what to do.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

/// Why the store cannot do what it was asked. Whatever it says, games that were committed before
/// are still there.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such file.
    #[error("'{}': no such database; `warroom run FILE` makes one", .0.display())]
    Missing(PathBuf),
    /// A folder where a file is needed.
    #[error("'{}': this is a folder; expected the file of a database", .0.display())]
    Folder(PathBuf),
    /// It cannot be opened at all.
    #[error("'{}': cannot open the database: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// A file of something else.
    #[error("'{}': this file is not a warroom database; it was not changed", .0.display())]
    Foreign(PathBuf),
    /// Written by a later program.
    #[error(
        "'{}': written by a newer version (format {found}; this one reads up to {known}); it was \
         not changed",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its form.
        found: i64,
        /// The last form known here.
        known: i64,
    },
    /// The disk is full.
    #[error("'{}': the disk is full; free some space and run the same command to continue", .0.display())]
    Full(PathBuf),
    /// The file was taken away while it was in use.
    #[error(
        "'{}': the database was deleted or replaced while it was in use; what was written since is lost",
        .0.display()
    )]
    Gone(PathBuf),
    /// The file alone, without the log that holds what was written.
    #[error(
        "'{}': a database without its log: copy it again together with the file of the same name that \
         ends in -wal. It was left as it is",
        .0.display()
    )]
    LostLog(PathBuf),
    /// Reading or writing failed.
    #[error("'{}': reading or writing failed: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// It cannot be written.
    #[error("'{}': the database cannot be written: the file or its folder is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// Games are still in the log, which cannot be read where nothing can be written.
    #[error(
        "'{}': some games are still in its log; copy it together with its -wal file to a writable \
         folder",
        .0.display()
    )]
    PendingLog(PathBuf),
    /// The file is damaged.
    #[error(
        "'{}': the database is damaged ({reason}); keep a copy, and recover what is readable with \
         `sqlite3 FILE .recover`",
        path.display()
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
    /// Another process holds the database for too long.
    #[error("'{}': another program is using the database; try again when it has finished", .0.display())]
    Busy(PathBuf),
    /// Another process plays this run.
    #[error("run '{id}' is being played by process {process}; only one program can write a run")]
    Locked {
        /// The run.
        id: String,
        /// Who plays it.
        process: String,
    },
    /// The lock of a run cannot be taken.
    #[error("'{}': cannot lock the run: {reason}", path.display())]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// No run of this name.
    #[error("run '{asked}': no such run in '{}'; {known}", path.display())]
    NoRun {
        /// What was asked for.
        asked: String,
        /// The file.
        path: PathBuf,
        /// What there is instead.
        known: String,
    },
    /// A beginning that several runs share.
    #[error("run '{asked}': several runs match: {candidates}")]
    Ambiguous {
        /// What was asked for.
        asked: String,
        /// They.
        candidates: String,
    },
    /// A game that the run does not hold.
    #[error("run '{id}' has no game {number}")]
    NoGame {
        /// The run.
        id: String,
        /// The game.
        number: u64,
    },
    /// Two databases tell different things about one game.
    #[error("run '{id}', game {number}: '{}' has a different game from '{}'; nothing was merged", from.display(), into.display())]
    Conflict {
        /// The run.
        id: String,
        /// The game.
        number: u64,
        /// Where it was read.
        from: PathBuf,
        /// Where it is already.
        into: PathBuf,
    },
    /// Two databases hold runs of one name made under other conditions.
    #[error("run '{id}': '{}' was made with another {what} than '{}'; nothing was merged", from.display(), into.display())]
    OtherRun {
        /// The run.
        id: String,
        /// What differs.
        what: &'static str,
        /// Where it was read.
        from: PathBuf,
        /// Where it is already.
        into: PathBuf,
    },
    /// Anything else.
    #[error("'{}': {reason}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What the database says.
        reason: String,
    },
}

impl StoreError {
    /// Whether the machine is to blame, not what was asked.
    #[must_use]
    pub fn is_machine_fault(&self) -> bool {
        matches!(self, Self::Full(_) | Self::Gone(_) | Self::Failed { .. } | Self::Lock { .. })
    }

    /// What an error of the database means to the user.
    pub(crate) fn of(path: &Path, error: &rusqlite::Error) -> Self {
        let path = path.to_owned();
        let reason = error.to_string();
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full(path),
            Some(ErrorCode::ReadOnly) => Self::ReadOnly(path),
            Some(ErrorCode::NotADatabase) => Self::Foreign(path),
            Some(ErrorCode::DatabaseCorrupt) => Self::Corrupt { path, reason },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy(path),
            Some(ErrorCode::CannotOpen) => Self::Open { path, reason },
            Some(ErrorCode::SystemIoFailure | ErrorCode::OutOfMemory) => {
                Self::Failed { path, reason }
            }
            _ => Self::Other { path, reason },
        }
    }
}
