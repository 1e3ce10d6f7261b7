//! Games of a run that the database picks out, so that nobody reads all of them.

use rusqlite::params;

use crate::schema::HOST_SINCE;
use crate::store::game_row;
use crate::{GameRow, Run, Store, StoreError};

impl Store {
    /// The quickest games of a run that are not void, so many of all and the quickest of so many pairings, in
    /// schedule order and without their records. However long the run is, no more are held in memory.
    pub fn quickest_games(&self, run: &Run, most: u64) -> Result<Vec<GameRow>, StoreError> {
        let connection = self.connection();
        let read = || -> rusqlite::Result<Vec<GameRow>> {
            let columns = self.game_columns();
            let sound = "FROM games WHERE run = ?1 AND outcome <> 'void'";
            let text = format!(
                "SELECT {columns} FROM games WHERE run = ?1 AND number IN (SELECT number FROM (\
                   SELECT number, min(seconds_0 + seconds_1) AS quick {sound} GROUP BY cell \
                   ORDER BY quick, number LIMIT ?2) \
                 UNION SELECT number FROM (SELECT number {sound} \
                   ORDER BY seconds_0 + seconds_1, number LIMIT ?2)) ORDER BY number"
            );
            let mut statement = connection.prepare(&text)?;
            statement.query_map(params![run.key, most as i64], game_row)?.collect()
        };
        read().map_err(|error| self.wrong(&error))
    }

    /// How many games of a run a machine played.
    pub fn count_of_host(&self, run: &Run, host: &str) -> Result<u64, StoreError> {
        Ok(self.of_host("count(*)", run, host)?.unwrap_or(0))
    }

    /// The first game of a run that a machine played.
    pub fn first_of_host(&self, run: &Run, host: &str) -> Result<Option<u64>, StoreError> {
        self.of_host("min(number)", run, host)
    }

    fn of_host(&self, what: &str, run: &Run, host: &str) -> Result<Option<u64>, StoreError> {
        if self.form < HOST_SINCE {
            return Ok(None);
        }
        let text = format!("SELECT {what} FROM games WHERE run = ?1 AND host = ?2");
        let found: Option<i64> = self
            .connection()
            .query_row(&text, params![run.key, host], |row| row.get(0))
            .map_err(|error| self.wrong(&error))?;
        Ok(found.map(|number| number as u64))
    }
}
