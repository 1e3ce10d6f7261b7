//! Games and loadouts of the app. Unlike those of runs they change: people play them.

use rusqlite::{OptionalExtension, Row, params};

use crate::{Store, StoreError};

/// A game of the app, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppGameRow {
    /// Its id.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// When it was made, RFC 3339.
    pub created: String,
    /// When something last happened.
    pub updated: String,
    /// Who plays, by seat.
    pub players: [String; 2],
    /// How it stands, one line.
    pub status: String,
    /// It is over.
    pub over: bool,
    /// Actions so far.
    pub plies: u32,
}

/// A game of the app with everything needed to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppGame {
    /// How it is listed.
    pub row: AppGameRow,
    /// Whatever the app needs, in its own form.
    pub body: String,
}

/// One change of what the app keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppWrite {
    /// A game in its present form, new or not.
    Game(Box<AppGame>),
    /// A game goes.
    DeleteGame(String),
    /// A loadout, new or not: its name and its text.
    Loadout(String, String),
    /// A loadout goes.
    DeleteLoadout(String),
}

/// Which games are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppQuery {
    /// Words that appear in id, game, players or status; all of them.
    pub search: String,
    /// The name of the game; empty for all.
    pub game: String,
    /// How many to leave out first.
    pub offset: u32,
    /// How many at most.
    pub limit: u32,
}

const COLUMNS: &str = "id, game, created, updated, player_0, player_1, status, over, plies";

impl Store {
    /// Makes changes, all in one transaction; says of each whether it changed something.
    pub fn write_app(&self, writes: &[AppWrite]) -> Result<Vec<bool>, StoreError> {
        let mut connection = self.connection();
        let mut write = || -> rusqlite::Result<Vec<bool>> {
            let transaction = connection.transaction()?;
            let changed = writes
                .iter()
                .map(|change| write_one(&transaction, change).map(|rows| rows > 0))
                .collect::<rusqlite::Result<Vec<bool>>>()?;
            transaction.commit()?;
            Ok(changed)
        };
        let changed = write().map_err(|error| self.wrong(&error))?;
        drop(connection);
        self.check_written()?;
        Ok(changed)
    }

    /// A game of the app, if there is one of this id.
    pub fn app_game(&self, id: &str) -> Result<Option<AppGame>, StoreError> {
        let text = format!("SELECT {COLUMNS}, body FROM app_games WHERE id = ?1");
        let read = |row: &Row<'_>| Ok(AppGame { row: game_row(row)?, body: row.get(9)? });
        let connection = self.connection();
        let found = connection
            .prepare_cached(&text)
            .and_then(|mut statement| statement.query_row([id], read).optional());
        found.map_err(|error| self.wrong(&error))
    }

    /// The games asked for, the last changed first, and how many there are without the limit.
    pub fn app_games(&self, query: &AppQuery) -> Result<(Vec<AppGameRow>, u64), StoreError> {
        let mut conditions = vec!["(?1 = '' OR game = ?1)".to_owned()];
        let words: Vec<String> = query.search.split_whitespace().map(like_pattern).collect();
        for index in 0..words.len() {
            conditions.push(format!(
                "id || ' ' || game || ' ' || player_0 || ' ' || player_1 || ' ' || status \
                 LIKE ?{} ESCAPE '\\'",
                index + 4
            ));
        }
        let conditions = conditions.join(" AND ");
        let connection = self.connection();
        let read = || -> rusqlite::Result<(Vec<AppGameRow>, u64)> {
            let mut values: Vec<&dyn rusqlite::ToSql> =
                vec![&query.game, &query.limit, &query.offset];
            values.extend(words.iter().map(|word| word as &dyn rusqlite::ToSql));
            // Limit and offset are named so that both statements have the same parameters.
            let count = format!(
                "SELECT count(*) FROM app_games WHERE {conditions} AND ?2 >= 0 AND ?3 >= 0"
            );
            let total: i64 = connection.query_row(&count, &values[..], |row| row.get(0))?;
            let text = format!(
                "SELECT {COLUMNS} FROM app_games WHERE {conditions} \
                 ORDER BY updated DESC, id LIMIT ?2 OFFSET ?3"
            );
            let mut statement = connection.prepare(&text)?;
            let rows = statement.query_map(&values[..], game_row)?.collect::<Result<_, _>>()?;
            Ok((rows, total as u64))
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// All loadouts: name and text, by name.
    pub fn loadouts(&self) -> Result<Vec<(String, String)>, StoreError> {
        let connection = self.connection();
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut statement =
                connection.prepare("SELECT name, text FROM loadouts ORDER BY name")?;
            statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }
}

/// A word as a pattern that finds it anywhere, whatever signs it holds.
fn like_pattern(word: &str) -> String {
    let plain = word.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{plain}%")
}

fn write_one(connection: &rusqlite::Connection, change: &AppWrite) -> rusqlite::Result<usize> {
    match change {
        AppWrite::Game(game) => {
            let AppGame { row, body } = &**game;
            let text = format!(
                "INSERT OR REPLACE INTO app_games ({COLUMNS}, body) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
            );
            connection.prepare_cached(&text)?.execute(params![
                row.id,
                row.game,
                row.created,
                row.updated,
                row.players[0],
                row.players[1],
                row.status,
                row.over,
                row.plies,
                body,
            ])
        }
        AppWrite::DeleteGame(id) => {
            connection.prepare_cached("DELETE FROM app_games WHERE id = ?1")?.execute([id])
        }
        AppWrite::Loadout(name, text) => connection
            .prepare_cached("INSERT OR REPLACE INTO loadouts (name, text) VALUES (?1, ?2)")?
            .execute([name, text]),
        AppWrite::DeleteLoadout(name) => {
            connection.prepare_cached("DELETE FROM loadouts WHERE name = ?1")?.execute([name])
        }
    }
}

fn game_row(row: &Row<'_>) -> rusqlite::Result<AppGameRow> {
    Ok(AppGameRow {
        id: row.get(0)?,
        game: row.get(1)?,
        created: row.get(2)?,
        updated: row.get(3)?,
        players: [row.get(4)?, row.get(5)?],
        status: row.get(6)?,
        over: row.get(7)?,
        plies: row.get(8)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(id: &str, name: &str, player: &str, updated: &str) -> AppWrite {
        let row = AppGameRow {
            id: id.into(),
            game: name.into(),
            created: "2026-01-01T00:00:00Z".into(),
            updated: updated.into(),
            players: [player.into(), "Level 3".into()],
            status: "Black to move".into(),
            over: false,
            plies: 7,
        };
        AppWrite::Game(Box::new(AppGame { row, body: format!("{{\"id\":\"{id}\"}}") }))
    }

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("app.sqlite")).unwrap();
        (folder, store)
    }

    fn ids(store: &Store, query: &AppQuery) -> (Vec<String>, u64) {
        let (rows, total) = store.app_games(query).unwrap();
        (rows.into_iter().map(|row| row.id).collect(), total)
    }

    #[test]
    fn games_are_kept_listed_and_found() {
        let (_folder, store) = store();
        let writes = [
            game("aaa", "othello", "Ann", "2026-01-02T00:00:00Z"),
            game("bbb", "conquest", "100% Bob", "2026-01-03T00:00:00Z"),
            game("ccc", "othello", "Cid_", "2026-01-04T00:00:00Z"),
        ];
        assert_eq!(store.write_app(&writes).unwrap(), [true; 3]);
        let all = AppQuery { limit: 10, ..AppQuery::default() };
        assert_eq!(ids(&store, &all), (vec!["ccc".into(), "bbb".into(), "aaa".into()], 3));
        let page = AppQuery { limit: 1, offset: 1, ..AppQuery::default() };
        assert_eq!(ids(&store, &page), (vec!["bbb".into()], 3));
        let found = |search: &str, game: &str| {
            ids(&store, &AppQuery { search: search.into(), game: game.into(), ..all.clone() }).0
        };
        assert_eq!(found("level ann", ""), ["aaa"]);
        assert_eq!(found("%", ""), ["bbb"]);
        assert_eq!(found("_", ""), ["ccc"]);
        assert_eq!(found("", "othello"), ["ccc", "aaa"]);
        assert_eq!(found("'; DROP TABLE app_games; --", ""), [""; 0]);
    }

    #[test]
    fn a_game_is_replaced_and_deleted() {
        let (_folder, store) = store();
        let at = |updated: &str| game("aaa", "othello", "Ann", updated);
        store.write_app(&[at("2026-01-02T00:00:00Z"), at("2026-01-05T00:00:00Z")]).unwrap();
        let kept = store.app_game("aaa").unwrap().expect("it was written");
        assert_eq!(kept.row.updated, "2026-01-05T00:00:00Z");
        let delete = AppWrite::DeleteGame("aaa".into());
        assert_eq!(store.write_app(&[delete.clone(), delete]).unwrap(), [true, false]);
        assert_eq!(store.app_game("aaa").unwrap(), None);
    }

    #[test]
    fn loadouts_have_names() {
        let (_folder, store) = store();
        let write = |name: &str, text: &str| AppWrite::Loadout(name.into(), text.into());
        store.write_app(&[write("b", "1"), write("a", "2"), write("b", "3")]).unwrap();
        let pairs = [("a", "2"), ("b", "3")].map(|(n, t)| (n.to_owned(), t.to_owned()));
        assert_eq!(store.loadouts().unwrap(), pairs);
        store.write_app(&[AppWrite::DeleteLoadout("a".into())]).unwrap();
        assert_eq!(store.loadouts().unwrap(), pairs[1..]);
    }
}
