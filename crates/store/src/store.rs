//! Reading and writing the database.

use gamecore::Outcome;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use serde::de::DeserializeOwned;

use crate::file_id::FileId;
use crate::schema::{COUNTS_SINCE, HOST_SINCE, WORK_SINCE};
use crate::{GameRow, Manifest, Run, RunLock, StoreError, Visit};

const NOW: &str = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";

pub(crate) const GAME_COLUMNS: &str = "number, cell, pair, game, outcome, reason, first_seat, actions, turns, \
                            decisions, choices, entropy, entropy_decisions, half_leader, \
                            moves_hash, seconds_0, seconds_1, work, program, counts, host";

/// Games that are copied in one transaction.
pub(crate) const SLICE: u64 = 1_000;

/// An open database.
pub struct Store {
    pub(crate) connection: Mutex<Connection>,
    pub(crate) path: PathBuf,
    /// The form of its tables.
    pub(crate) form: i64,
    /// The file behind it when it was opened.
    pub(crate) file: FileId,
    /// Writes so far; `None` if it was opened to read.
    pub(crate) writes: Option<AtomicU64>,
}

impl Store {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A panic of another thread while it held the connection rolled its transaction back.
    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wrong(&self, error: &rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, error)
    }

    /// All runs, the oldest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.select_runs("ORDER BY key", [])
    }

    /// The runs of one experiment, the oldest first.
    pub fn runs_of_spec(&self, spec_hash: &str) -> Result<Vec<Run>, StoreError> {
        self.select_runs("WHERE spec_hash = ?1 ORDER BY key", [spec_hash])
    }

    fn select_runs(
        &self,
        which: &str,
        values: impl rusqlite::Params,
    ) -> Result<Vec<Run>, StoreError> {
        let connection = self.connection();
        let read = || -> rusqlite::Result<Vec<(i64, String, String, String)>> {
            let text = format!("SELECT key, id, created, manifest FROM runs {which}");
            let mut statement = connection.prepare(&text)?;
            let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?));
            statement.query_map(values, row)?.collect()
        };
        let rows = read().map_err(|error| self.wrong(&error))?;
        let run = |(key, id, created, manifest): (i64, String, String, String)| {
            let manifest =
                serde_json::from_str(&manifest).map_err(|error| StoreError::Corrupt {
                    path: self.path.clone(),
                    reason: format!("manifest of run '{id}': {error}"),
                })?;
            Ok(Run { key, id, created, manifest })
        };
        rows.into_iter().map(run).collect()
    }

    /// The run of exactly this name, if there is one.
    pub fn run_of_id(&self, id: &str) -> Result<Option<Run>, StoreError> {
        Ok(self.select_runs("WHERE id = ?1", [id])?.pop())
    }

    /// The run of this name, of this unmistakable beginning of a name, or the `latest`.
    pub fn run(&self, asked: &str) -> Result<Run, StoreError> {
        let mut runs = self.runs()?;
        if asked == "latest"
            && let Some(run) = runs.pop()
        {
            return Ok(run);
        }
        if let Some(found) = runs.iter().position(|run| run.id == asked) {
            return Ok(runs.swap_remove(found));
        }
        let begins = |run: &&Run| !asked.is_empty() && run.id.starts_with(asked);
        let candidates: Vec<&Run> = runs.iter().filter(begins).collect();
        let names =
            |runs: &[&Run]| runs.iter().map(|run| run.id.as_str()).collect::<Vec<_>>().join(", ");
        match candidates[..] {
            [one] => Ok(one.clone()),
            [] => {
                let known = if runs.is_empty() {
                    "it holds no runs".to_owned()
                } else {
                    let newest: Vec<&Run> = runs.iter().rev().take(8).collect();
                    format!("the newest are {}", names(&newest))
                };
                let (asked, path) = (asked.to_owned(), self.path.clone());
                Err(StoreError::NoRun { asked, path, known })
            }
            _ => Err(StoreError::Ambiguous {
                asked: asked.to_owned(),
                candidates: names(&candidates),
            }),
        }
    }

    /// Writes the manifest of a new run; one that is there already stays as it is.
    pub fn create(&self, id: &str, manifest: &Manifest) -> Result<Run, StoreError> {
        insert_run(&self.connection(), id, manifest, None).map_err(|error| self.wrong(&error))?;
        self.run(id)
    }

    /// Writes the manifest of a run that is surely new. `id` names it by a number: how many runs of
    /// the experiment there are, or the next whose name is free. Two programs that do this at the
    /// same moment make two runs.
    pub fn create_another(
        &self,
        id: &dyn Fn(u64) -> String,
        manifest: &Manifest,
    ) -> Result<Run, StoreError> {
        let mut connection = self.connection();
        let mut insert = || -> rusqlite::Result<String> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let count = "SELECT count(*) FROM runs WHERE spec_hash = ?1";
            let there: i64 =
                transaction.query_row(count, [&manifest.spec_hash], |row| row.get(0))?;
            let mut number = there as u64;
            while insert_run(&transaction, &id(number), manifest, None)? == 0 {
                number += 1;
            }
            transaction.commit()?;
            Ok(id(number))
        };
        let made = insert().map_err(|error| self.wrong(&error))?;
        drop(connection);
        self.run(&made)
    }

    /// Takes the right to write games of a run.
    pub fn lock(&self, id: &str) -> Result<RunLock, StoreError> {
        RunLock::take(&self.path, id)
    }

    /// Whether somebody has the right to write games of a run now.
    #[must_use]
    pub fn is_locked(&self, id: &str) -> bool {
        RunLock::is_held(&self.path, id)
    }

    /// Notes that work on a run began or ended.
    pub fn note(&self, run: &Run, what: &str, detail: &str) -> Result<(), StoreError> {
        let insert =
            format!("INSERT INTO visits (run, at, what, detail) VALUES (?1, {NOW}, ?2, ?3)");
        let values = params![run.key, what, detail];
        self.connection().execute(&insert, values).map_err(|error| self.wrong(&error))?;
        self.check_written()
    }

    /// When work on a run began and ended.
    pub fn visits(&self, run: &Run) -> Result<Vec<Visit>, StoreError> {
        let connection = self.connection();
        let read = || -> rusqlite::Result<Vec<Visit>> {
            let text = "SELECT at, what, detail FROM visits WHERE run = ?1 ORDER BY rowid";
            let mut statement = connection.prepare(text)?;
            let row = |row: &Row<'_>| {
                Ok(Visit { at: row.get(0)?, what: row.get(1)?, detail: row.get(2)? })
            };
            statement.query_map([run.key], row)?.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// Writes one game with its record, as one transaction. A game that is there already stays as
    /// it is.
    pub fn add(&self, run: &Run, game: &GameRow, record: &str) -> Result<(), StoreError> {
        // Outside of the lock: compressing takes longer than writing.
        let packed = pack(record);
        let mut connection = self.connection();
        let mut write = || -> rusqlite::Result<()> {
            let transaction = connection.transaction()?;
            insert_game(&transaction, run.key, game, &packed)?;
            transaction.commit()
        };
        write().map_err(|error| self.wrong(&error))?;
        drop(connection);
        self.check_written()
    }

    /// The columns of games; a file of an older form that is only read lacks the last ones.
    pub(crate) fn game_columns(&self) -> String {
        match self.form {
            HOST_SINCE.. => GAME_COLUMNS.to_owned(),
            COUNTS_SINCE.. => GAME_COLUMNS.replace("host", "NULL"),
            WORK_SINCE.. => GAME_COLUMNS.replace("counts, host", "NULL, NULL"),
            _ => GAME_COLUMNS.replace("work, program, counts, host", "NULL, NULL, NULL, NULL"),
        }
    }

    /// All games of a run in schedule order, without their records.
    pub fn games(&self, run: &Run) -> Result<Vec<GameRow>, StoreError> {
        let connection = self.connection();
        let read = || -> rusqlite::Result<Vec<GameRow>> {
            let columns = self.game_columns();
            let text = format!("SELECT {columns} FROM games WHERE run = ?1 ORDER BY number");
            let mut statement = connection.prepare(&text)?;
            statement.query_map([run.key], game_row)?.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// Tells all games of a run in schedule order, without their records and a slice at a time: a million of
    /// them need not fit into memory, and nobody waits long for the database.
    pub fn each_game<E: From<StoreError>>(
        &self,
        run: &Run,
        mut hear: impl FnMut(GameRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut next = 0;
        loop {
            let slice = self.slice(run, next)?;
            let Some(last) = slice.last() else { return Ok(()) };
            next = last.number + 1;
            slice.into_iter().try_for_each(&mut hear)?;
        }
    }

    /// The first games of a run from a number on.
    pub(crate) fn slice(&self, run: &Run, from: u64) -> Result<Vec<GameRow>, StoreError> {
        let connection = self.connection();
        let read = || -> rusqlite::Result<Vec<GameRow>> {
            let text = format!(
                "SELECT {} FROM games WHERE run = ?1 AND number >= ?2 ORDER BY number \
                 LIMIT {SLICE}",
                self.game_columns()
            );
            let mut statement = connection.prepare_cached(&text)?;
            statement.query_map(params![run.key, from as i64], game_row)?.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// The numbers of all games of a run, in order.
    pub fn numbers(&self, run: &Run) -> Result<Vec<u64>, StoreError> {
        let connection = self.connection();
        let read = || -> rusqlite::Result<Vec<u64>> {
            let text = "SELECT number FROM games WHERE run = ?1 ORDER BY number";
            let mut statement = connection.prepare(text)?;
            let number = |row: &Row<'_>| row.get::<_, i64>(0).map(|number| number as u64);
            statement.query_map([run.key], number)?.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// How many games of a run are there, without reading them.
    pub fn count(&self, run: &Run) -> Result<u64, StoreError> {
        let text = "SELECT count(*) FROM games WHERE run = ?1";
        let count: i64 = self
            .connection()
            .query_row(text, [run.key], |row| row.get(0))
            .map_err(|error| self.wrong(&error))?;
        Ok(count as u64)
    }

    /// The record of a game as JSON.
    pub fn record(&self, run: &Run, number: u64) -> Result<String, StoreError> {
        let text = "SELECT record FROM records WHERE run = ?1 AND number = ?2";
        let packed: Option<Vec<u8>> = self
            .connection()
            .query_row(text, params![run.key, number as i64], |row| row.get(0))
            .optional()
            .map_err(|error| self.wrong(&error))?;
        match packed {
            Some(packed) => self.unpack(run, number, &packed),
            None => Err(StoreError::NoGame { id: run.id.clone(), number }),
        }
    }

    /// The records of games that follow each other in a run, as they are stored; an error if one is missing
    /// or cannot be read.
    pub(crate) fn packed_records(
        &self,
        run: &Run,
        games: &[GameRow],
    ) -> Result<Vec<Vec<u8>>, StoreError> {
        let ends = [games.first(), games.last()].map(|game| game.map_or(0, |game| game.number));
        let read = || -> rusqlite::Result<BTreeMap<u64, Vec<u8>>> {
            let connection = self.connection();
            let text =
                "SELECT number, record FROM records WHERE run = ?1 AND number BETWEEN ?2 AND ?3";
            let mut statement = connection.prepare_cached(text)?;
            let values = params![run.key, ends[0] as i64, ends[1] as i64];
            let row = |row: &Row<'_>| Ok((row.get::<_, i64>(0)? as u64, row.get(1)?));
            statement.query_map(values, row)?.collect()
        };
        let mut packed = read().map_err(|error| self.wrong(&error))?;
        let sound = |game: &GameRow| {
            let number = game.number;
            let missing = || StoreError::NoGame { id: run.id.clone(), number };
            let record = packed.remove(&number).ok_or_else(missing)?;
            self.unpack(run, number, &record).map(|_| record)
        };
        games.iter().map(sound).collect()
    }

    fn unpack(&self, run: &Run, number: u64, packed: &[u8]) -> Result<String, StoreError> {
        let mut text = String::new();
        DeflateDecoder::new(packed).read_to_string(&mut text).map_err(|error| {
            StoreError::Corrupt {
                path: self.path.clone(),
                reason: format!("record of game {number} of run '{}': {error}", run.id),
            }
        })?;
        Ok(text)
    }

    /// Whether the file is sound, by the database's own check.
    pub fn check(&self) -> Result<(), StoreError> {
        let found: String = self
            .connection()
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|error| self.wrong(&error))?;
        if found == "ok" {
            return Ok(());
        }
        Err(StoreError::Corrupt { path: self.path.clone(), reason: found })
    }
}

/// Writes a run; `created` is when it began, if that was not now.
pub(crate) fn insert_run(
    connection: &Connection,
    id: &str,
    manifest: &Manifest,
    created: Option<&str>,
) -> rusqlite::Result<usize> {
    let text = serde_json::to_string(manifest).expect("a manifest is plain data");
    let insert = format!(
        "INSERT OR IGNORE INTO runs (id, created, spec_hash, manifest) \
         VALUES (?1, coalesce(?2, {NOW}), ?3, ?4)"
    );
    connection.execute(&insert, params![id, created, manifest.spec_hash, text])
}

pub(crate) fn insert_game(
    transaction: &Transaction<'_>,
    run: i64,
    game: &GameRow,
    packed: &[u8],
) -> rusqlite::Result<()> {
    let text = format!(
        "INSERT OR IGNORE INTO games (run, {GAME_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, \
         ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)"
    );
    let added = transaction.prepare_cached(&text)?.execute(params![
        run,
        game.number as i64,
        game.cell as i64,
        game.pair as i64,
        game.game,
        game.outcome.name(),
        game.reason.to_string(),
        game.first_seat,
        game.actions as i64,
        game.turns as i64,
        game.decisions as i64,
        game.choices as i64,
        game.entropy,
        game.entropy_decisions as i64,
        game.half_leader,
        game.moves_hash as i64,
        game.seconds[0],
        game.seconds[1],
        game.work.map(|work| serde_json::to_string(&work).expect("work is plain data")),
        game.program,
        (!game.counts.is_empty())
            .then(|| serde_json::to_string(&game.counts).expect("counts are plain data")),
        game.host,
    ])?;
    if added > 0 {
        transaction
            .prepare_cached("INSERT INTO records (run, number, record) VALUES (?1, ?2, ?3)")?
            .execute(params![run, game.number as i64, packed])?;
    }
    Ok(())
}

/// Only what no program of ours has written is no outcome.
fn outcome(row: &Row<'_>, index: usize) -> rusqlite::Result<Outcome> {
    let text: String = row.get(index)?;
    text.parse().map_err(|error| unreadable(index, error))
}

/// What stands in a column as JSON.
fn plain<T: DeserializeOwned>(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<T>> {
    let text: Option<String> = row.get(index)?;
    let read = text.map(|text| serde_json::from_str(&text)).transpose();
    read.map_err(|error| unreadable(index, error))
}

fn unreadable(index: usize, error: impl Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, Box::new(error))
}

pub(crate) fn game_row(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    let count = |index: usize| row.get::<_, i64>(index).map(|number| number as u64);
    Ok(GameRow {
        number: count(0)?,
        cell: count(1)?,
        pair: count(2)?,
        game: row.get(3)?,
        outcome: outcome(row, 4)?,
        reason: row.get::<_, String>(5)?.into(),
        first_seat: row.get(6)?,
        actions: count(7)?,
        turns: count(8)?,
        decisions: count(9)?,
        choices: count(10)?,
        entropy: row.get(11)?,
        entropy_decisions: count(12)?,
        half_leader: row.get(13)?,
        moves_hash: count(14)?,
        seconds: [row.get(15)?, row.get(16)?],
        work: plain(row, 17)?,
        program: row.get(18)?,
        counts: plain(row, 19)?.unwrap_or_default(),
        host: row.get(20)?,
    })
}

thread_local! {
    /// Its room is a third of a megabyte: made for every record, the allocator would give it back to the
    /// system each time, which costs more than a short game.
    static PACKER: RefCell<DeflateEncoder<Vec<u8>>> =
        RefCell::new(DeflateEncoder::new(Vec::new(), Compression::fast()));
}

pub(crate) fn pack(record: &str) -> Vec<u8> {
    PACKER.with_borrow_mut(|packer| {
        // What is written is ended and handed over when the next begins, with an empty place to write to.
        let written = packer.write_all(record.as_bytes()).and_then(|()| packer.reset(Vec::new()));
        written.expect("writing to memory does not fail")
    })
}

#[cfg(test)]
impl Store {
    /// Pages of the file now.
    pub(crate) fn pages(&self) -> i64 {
        self.connection().pragma_query_value(None, "page_count", |row| row.get(0)).unwrap()
    }

    /// Lets the file grow to so many pages only, as a full disk would.
    pub(crate) fn limit_pages(&self, pages: i64) {
        self.connection().pragma_update(None, "max_page_count", pages).unwrap();
    }
}
