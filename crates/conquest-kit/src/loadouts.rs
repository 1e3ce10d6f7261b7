//! Loadouts of Conquest, for commands that work on them alone.

use conquest::{Loadout, LoadoutKind, Units, count_loadouts, named_loadouts};
use gamecore::Rng;
use serde::Serialize;

use registry::SpecError;

/// How many loadouts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LoadoutCounts {
    /// All but the completely empty one.
    pub all: u64,
    /// Nothing can be added.
    pub maximal: u64,
    /// All points spent.
    pub exact: u64,
}

/// One loadout, in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoadoutReport {
    /// Its name; empty if it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Troops by kind, and commands.
    pub summary: String,
    /// Exact squares: a text that `--setup` takes.
    pub text: String,
    /// What it costs.
    pub points: u32,
    /// How many troops.
    pub troops: usize,
    /// What is wrong with it, and by how much.
    pub faults: Vec<String>,
}

impl LoadoutReport {
    pub(crate) fn of(loadout: &Loadout, units: &Units) -> Self {
        Self {
            name: loadout.name.clone(),
            summary: loadout.summary(),
            text: loadout.text(),
            points: loadout.points(units),
            troops: loadout.troops().count(),
            faults: loadout.faults(units).iter().map(ToString::to_string).collect(),
        }
    }
}

/// The tables that loadouts are priced by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables(Units);

impl Tables {
    /// Reads a file of changed tables.
    pub fn read(content: &str) -> Result<Self, SpecError> {
        Units::from_toml(content).map(Self).map_err(|error| SpecError::plain(error.reason))
    }

    /// Counts all loadouts by going through them.
    #[must_use]
    pub fn count(&self) -> LoadoutCounts {
        let counts = count_loadouts(&self.0);
        LoadoutCounts { all: counts.all, maximal: counts.maximal, exact: counts.exact }
    }

    /// The named ones.
    #[must_use]
    pub fn named(&self) -> Vec<LoadoutReport> {
        named_loadouts().iter().map(|loadout| self.report(loadout)).collect()
    }

    /// Those of a file, legal or not.
    pub fn of_file(&self, content: &str) -> Result<Vec<LoadoutReport>, SpecError> {
        let loadouts = Loadout::read_file(content);
        let loadouts = loadouts.map_err(|error| SpecError::plain(error.reason))?;
        Ok(loadouts.iter().map(|loadout| self.report(loadout)).collect())
    }

    /// A random one; `kind` is `all`, `maximal` or `exact`.
    pub fn random(&self, kind: &str, seed: u64) -> Result<LoadoutReport, SpecError> {
        let known = match kind {
            "all" => LoadoutKind::All,
            "maximal" => LoadoutKind::Maximal,
            "exact" => LoadoutKind::Exact,
            _ => return Err(SpecError::new(kind, "expected all, maximal or exact")),
        };
        let drawn = Loadout::random(&self.0, known, &mut Rng::new(seed));
        let drawn =
            drawn.ok_or_else(|| SpecError::new(kind, "no such loadout under these tables"))?;
        Ok(self.report(&drawn))
    }

    fn report(&self, loadout: &Loadout) -> LoadoutReport {
        LoadoutReport::of(loadout, &self.0)
    }
}
