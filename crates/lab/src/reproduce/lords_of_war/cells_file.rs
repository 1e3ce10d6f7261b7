//! Finished cells on file, so that an experiment of days can be stopped and taken up again.

use std::collections::BTreeMap;

use registry::AnyGame;
use serde::{Deserialize, Serialize};

use super::CellResult;
use crate::reproduce::Scale;

/// The first line of such a file: results of another experiment must not mix with these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellsFile {
    schema: String,
    version: String,
    scale: String,
    seed: u64,
    rules: String,
}

impl CellsFile {
    /// The head for an experiment.
    #[must_use]
    pub fn new(game: &dyn AnyGame, scale: Scale, seed: u64) -> Self {
        Self {
            schema: "warroom-cells-1".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            scale: scale.name().into(),
            seed,
            rules: game.info().rules,
        }
    }

    /// The head as the first line.
    #[must_use]
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a head is plain data") + "\n"
    }

    /// A finished cell as a line.
    #[must_use]
    pub fn cell_line(cell: &CellResult) -> String {
        serde_json::to_string(cell).expect("a cell is plain data") + "\n"
    }

    /// Reads a file that was written under the same head, and where its last whole line ends. A
    /// line that was being written when the program died is not whole, and is played again.
    pub fn read(&self, content: &str) -> Result<(BTreeMap<String, CellResult>, usize), String> {
        let whole = content.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = content[..whole].lines();
        let head: Self = match lines.next().map(serde_json::from_str) {
            Some(Ok(head)) => head,
            _ => return Err("this is no file of cells".into()),
        };
        if head != *self {
            return Err(format!(
                "its cells belong to another experiment: {} instead of {}",
                head.line().trim(),
                self.line().trim()
            ));
        }
        let mut cells = BTreeMap::new();
        for (number, line) in (2..).zip(lines) {
            let cell: CellResult =
                serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
            cells.insert(cell.name.clone(), cell);
        }
        Ok((cells, whole))
    }
}
