//! The tables, and how old forms become new ones.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::StoreError;

/// Marks the file as ours: `warr` in ASCII.
const APPLICATION: i64 = 0x7761_7272;

/// Steps from an empty file to the present form; the form is how many of them were made. A step
/// that was released never changes.
const STEPS: [&str; 5] = [
    "
    CREATE TABLE runs (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        created TEXT NOT NULL,
        spec_hash TEXT NOT NULL,
        manifest TEXT NOT NULL
    );
    CREATE TABLE visits (
        run INTEGER NOT NULL REFERENCES runs,
        at TEXT NOT NULL,
        what TEXT NOT NULL,
        detail TEXT NOT NULL
    );
    CREATE TABLE games (
        run INTEGER NOT NULL REFERENCES runs,
        number INTEGER NOT NULL,
        cell INTEGER NOT NULL,
        pair INTEGER NOT NULL,
        game INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        reason TEXT NOT NULL,
        first_seat INTEGER,
        actions INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        decisions INTEGER NOT NULL,
        choices INTEGER NOT NULL,
        entropy REAL NOT NULL,
        entropy_decisions INTEGER NOT NULL,
        half_leader INTEGER,
        moves_hash INTEGER NOT NULL,
        seconds_0 REAL NOT NULL,
        seconds_1 REAL NOT NULL,
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
    CREATE TABLE records (
        run INTEGER NOT NULL REFERENCES runs,
        number INTEGER NOT NULL,
        record BLOB NOT NULL,
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
    CREATE TRIGGER runs_stay BEFORE UPDATE ON runs
        BEGIN SELECT RAISE(ABORT, 'runs are never changed'); END;
    CREATE TRIGGER games_stay BEFORE UPDATE ON games
        BEGIN SELECT RAISE(ABORT, 'games are never changed'); END;
    CREATE TRIGGER games_remain BEFORE DELETE ON games
        BEGIN SELECT RAISE(ABORT, 'games are never deleted'); END;
    CREATE TRIGGER records_stay BEFORE UPDATE ON records
        BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
    CREATE TRIGGER records_remain BEFORE DELETE ON records
        BEGIN SELECT RAISE(ABORT, 'records are never deleted'); END;
",
    "
    CREATE TABLE app_games (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        created TEXT NOT NULL,
        updated TEXT NOT NULL,
        player_0 TEXT NOT NULL,
        player_1 TEXT NOT NULL,
        status TEXT NOT NULL,
        over INTEGER NOT NULL,
        plies INTEGER NOT NULL,
        body TEXT NOT NULL
    );
    CREATE INDEX app_games_by_time ON app_games (updated);
    CREATE TABLE loadouts (
        name TEXT PRIMARY KEY,
        text TEXT NOT NULL
    );
",
    "
    ALTER TABLE games ADD COLUMN work TEXT;
    ALTER TABLE games ADD COLUMN program TEXT;
",
    "
    ALTER TABLE games ADD COLUMN counts TEXT;
",
    "
    ALTER TABLE games ADD COLUMN host TEXT;
",
];

/// Since then games keep who played them, and with how much work.
pub(crate) const WORK_SINCE: i64 = 3;

/// Since then they keep what the game counts of its own.
pub(crate) const COUNTS_SINCE: i64 = 4;

/// Since then they keep the machine that played them.
pub(crate) const HOST_SINCE: i64 = 5;

/// The present form.
pub(crate) const FORM: i64 = STEPS.len() as i64;

/// Refuses what is not ours or too new; `None` if the file is empty.
pub(crate) fn form(connection: &Connection, path: &Path) -> Result<Option<i64>, StoreError> {
    let wrong = |error: rusqlite::Error| StoreError::of(path, &error);
    // One statement, so that somebody who makes the tables at this moment is seen whole or not at all.
    let (application, found, tables): (i64, i64, i64) = connection
        .query_row(
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) \
             FROM pragma_application_id, pragma_user_version",
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .map_err(wrong)?;
    match (application, tables) {
        (0, 0) => Ok(None),
        (APPLICATION, _) if found > FORM => {
            Err(StoreError::Newer { path: path.to_owned(), found, known: FORM })
        }
        (APPLICATION, _) => Ok(Some(found)),
        _ => Err(StoreError::Foreign(path.to_owned())),
    }
}

/// Where the copy of a file of an older form is kept.
fn copy_of(path: &Path, form: i64) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".form-{form}"));
    name.into()
}

/// Brings a file to the present form, all steps in one transaction. A file of an older form is
/// copied before.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let wrong = |error: rusqlite::Error| StoreError::of(path, &error);
    match form(connection, path)? {
        Some(FORM) => return Ok(()),
        Some(old) => {
            let copy = copy_of(path, old);
            // One that is there is whole: it gets its name when it is written.
            if !copy.exists() {
                let part = copy.with_extension(format!("form-{old}-{}", std::process::id()));
                connection.execute("VACUUM INTO ?1", [part.to_string_lossy()]).map_err(wrong)?;
                fs::rename(&part, &copy).map_err(|error| StoreError::Failed {
                    path: copy.clone(),
                    reason: error.to_string(),
                })?;
            }
        }
        None => {}
    }
    let transaction = connection
        .transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)
        .map_err(wrong)?;
    // Somebody else may have made the tables since.
    let found = form(&transaction, path)?.unwrap_or(0);
    for step in &STEPS[found as usize..] {
        transaction.execute_batch(step).map_err(wrong)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION).map_err(wrong)?;
    transaction.pragma_update(None, "user_version", FORM).map_err(wrong)?;
    transaction.commit().map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AppQuery, Store};

    #[test]
    fn a_file_of_an_older_form_gets_what_it_lacks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.sqlite");
        let old = Connection::open(&path).unwrap();
        old.execute_batch(STEPS[0]).unwrap();
        old.pragma_update(None, "application_id", APPLICATION).unwrap();
        old.pragma_update(None, "user_version", 1).unwrap();
        drop(old);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.app_games(&AppQuery::default()).unwrap(), (Vec::new(), 0));
        assert_eq!(store.runs().unwrap(), Vec::new());
        let opened = Connection::open(&path).unwrap();
        assert_eq!(form(&opened, &path).unwrap(), Some(FORM));
        let copy = Connection::open(copy_of(&path, 1)).unwrap();
        assert_eq!(form(&copy, &path).unwrap(), Some(1), "as it was before");
    }
}
