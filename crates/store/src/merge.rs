//! Games of a run from elsewhere: another run of this database, or another database.

use std::collections::BTreeMap;
use std::path::PathBuf;

use gamecore::short_hash;
use rusqlite::params;

use crate::store::{GAME_COLUMNS, SLICE, insert_game, insert_run};
use crate::{GameRow, Manifest, Run, Store, StoreError};

/// What a merge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Games that were not there before.
    pub added: u64,
    /// Games that both had.
    pub known: u64,
}

impl Store {
    /// Copies the games of a run below a number to another run of this database, without those of a machine, if
    /// one is named; in slices: nobody who writes at the same time waits for all of them.
    pub fn copy_games(
        &self,
        from: &Run,
        to: &Run,
        below: u64,
        without: Option<&str>,
    ) -> Result<(), StoreError> {
        // What has no name is of the program that began the other run, not of the one that began this.
        let named = GAME_COLUMNS.replace("program", "coalesce(program, ?5)");
        let games = format!(
            "INSERT OR IGNORE INTO games (run, {GAME_COLUMNS}) SELECT ?1, {named} FROM games \
             WHERE run = ?2 AND number >= ?3 AND number < ?4 AND (?6 IS NULL OR host IS NOT ?6)"
        );
        let records = "INSERT OR IGNORE INTO records (run, number, record) SELECT ?1, number, record \
                       FROM records WHERE run = ?2 AND number >= ?3 AND number < ?4 \
                       AND number IN (SELECT number FROM games WHERE run = ?1)";
        for first in (0..below).step_by(SLICE as usize) {
            let (first, end) = (first as i64, below.min(first + SLICE) as i64);
            let mut connection = self.connection();
            let mut copy = || -> rusqlite::Result<()> {
                let transaction = connection.transaction()?;
                let program = &from.manifest.version;
                transaction
                    .execute(&games, params![to.key, from.key, first, end, program, without])?;
                transaction.execute(records, params![to.key, from.key, first, end])?;
                transaction.commit()
            };
            copy().map_err(|error| self.wrong(&error))?;
        }
        self.check_written()
    }

    /// Copies the games of a run from another database. A contradiction is found before anything is
    /// copied; copies are written in slices, and one that was interrupted is completed by another.
    pub fn merge(&self, from: &Self, id: &str) -> Result<Merged, StoreError> {
        let source = from.run(id)?;
        let id = source.id.as_str();
        let target = match self.runs()?.into_iter().find(|run| run.id == id) {
            Some(run) => run,
            None => {
                // It began when its first games were played, not when they were copied.
                let created = Some(source.created.as_str());
                insert_run(&self.connection(), id, &source.manifest, created)
                    .map_err(|error| self.wrong(&error))?;
                self.run(id)?
            }
        };
        if let Some(what) = first_difference(&source.manifest, &target.manifest) {
            return Err(StoreError::OtherRun {
                id: id.to_owned(),
                what,
                from: from.path.clone(),
                into: self.path.clone(),
            });
        }
        let mut merged = Merged::default();
        let mut here = Vec::new();
        from.each_game(&source, |game| {
            if here.last().is_none_or(|last: &GameRow| last.number < game.number) {
                here = self.slice(&target, game.number)?;
            }
            match here.binary_search_by_key(&game.number, |known| known.number) {
                Ok(found) if !here[found].is_same(&game) => {
                    let (from, into) = (from.path.clone(), self.path.clone());
                    let (id, number) = (id.to_owned(), game.number);
                    return Err(StoreError::Conflict { id, number, from, into });
                }
                Ok(_) => merged.known += 1,
                Err(_) => merged.added += 1,
            }
            Ok(())
        })?;
        let mut next = 0;
        loop {
            let slice = from.slice(&source, next)?;
            let Some(last) = slice.last() else { break };
            next = last.number + 1;
            // Read outside of the transaction, for which others wait.
            let packed = from.packed_records(&source, &slice)?;
            let mut connection = self.connection();
            let mut write = || -> rusqlite::Result<()> {
                let transaction = connection.transaction()?;
                for (game, packed) in slice.iter().zip(&packed) {
                    insert_game(&transaction, target.key, game, packed)?;
                }
                transaction.commit()
            };
            write().map_err(|error| self.wrong(&error))?;
            drop(connection);
            self.check_written()?;
        }
        Ok(merged)
    }
}

/// What several databases say of the games of a run: looked at one after the other, so that a contradiction
/// between any two is found before anything is copied.
#[derive(Debug, Default)]
pub struct Agreement {
    /// The databases, with what the run rests on there.
    seen: Vec<(PathBuf, Manifest)>,
    /// A hash of every game, and the first of them that holds it: small, for there may be millions.
    games: BTreeMap<u64, (u64, u32)>,
}

impl Agreement {
    /// Hears another one; an error if it contradicts one before.
    pub fn hear(&mut self, store: &Store, run: &Run) -> Result<(), StoreError> {
        let place = self.seen.len() as u32;
        self.seen.push((store.path.clone(), run.manifest.clone()));
        let (first, manifest) = &self.seen[0];
        if let Some(what) = first_difference(&run.manifest, manifest) {
            let (id, from, into) = (run.id.clone(), store.path.clone(), first.clone());
            return Err(StoreError::OtherRun { id, what, from, into });
        }
        // The one that was looked into last: there may be millions of such games.
        let mut last: Option<(u32, Store, Run)> = None;
        store.each_game(run, |game| {
            let number = game.number;
            let plain = GameRow { seconds: [0.0; 2], program: None, host: None, ..game.clone() };
            let hash = short_hash(format!("{plain:?}"));
            let hash = u64::from_str_radix(&hash, 16).expect("sixteen digits");
            let (known, holder) = self.games.entry(number).or_insert((hash, place));
            if *known == hash {
                return Ok(());
            }
            // One of them may have kept less than the other.
            let (into, _) = &self.seen[*holder as usize];
            let (_, other, other_run) = match last.take().filter(|(of, ..)| of == holder) {
                Some(there) => last.insert(there),
                None => {
                    let other = Store::open_existing(into)?;
                    let other_run = other.run(&run.id)?;
                    last.insert((*holder, other, other_run))
                }
            };
            let there = other.slice(other_run, number)?;
            if there.first().is_some_and(|there| there.is_same(&game)) {
                return Ok(());
            }
            let (id, from, into) = (run.id.clone(), store.path.clone(), into.clone());
            Err(StoreError::Conflict { id, number, from, into })
        })
    }
}

/// What two manifests must have in common for their games to belong together.
fn first_difference(one: &Manifest, other: &Manifest) -> Option<&'static str> {
    if one.spec_hash != other.spec_hash {
        Some("spec")
    } else if one.version != other.version {
        Some("version of the program")
    } else if one.rules != other.rules {
        Some("rules text")
    } else if one.data != other.data {
        Some("content of the files it names")
    } else {
        None
    }
}
