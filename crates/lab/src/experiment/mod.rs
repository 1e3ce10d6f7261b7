//! Experiments: one file says everything, and the schedule is a function of it alone.

mod file;
mod pairings;
mod schedule;
mod spec;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use arena::TimeControl;
use gamecore::short_hash;
use registry::{AgentSpec, AnyGame, Loader, ResolvedAgent, SpecError};

pub use file::{ExperimentError, read_experiment, read_openings};
pub use schedule::Place;
pub use spec::{Kind, Log, Over, Player, SPEC_SCHEMA, Spec, SprtSpec, Starts};

/// An experiment that can be played: its spec, the game opened and every agent checked.
pub struct Experiment {
    /// Everything that decides its games.
    pub spec: Spec,
    /// The game under its rules.
    pub game: Arc<dyn AnyGame>,
    /// The agents of the players, in their order.
    pub agents: Vec<ResolvedAgent>,
    /// The chess clock, if any.
    pub time: Option<TimeControl>,
    /// Names what was asked for, whatever the files that it names hold.
    identity: String,
    /// Every file that was read, with the hash of its content.
    pub data: BTreeMap<String, String>,
}

impl Experiment {
    /// Opens the game of a spec and checks its agents.
    pub fn open(spec: Spec, load: Loader<'_>) -> Result<Self, SpecError> {
        let seen = RefCell::default();
        let load: Loader<'_> = &remembering(load, &seen);
        let identity = short_hash(&serde_json::to_string(&spec).expect("a spec is plain data"));
        let game = registry::open_game(&spec.game, &spec.rules)?;
        let resolve = |player: &Player| game.resolve(&AgentSpec::parse(&player.agent, load)?, load);
        let agents = spec.players.iter().map(resolve).collect::<Result<_, _>>()?;
        let time = spec.clock.as_deref().map(str::parse).transpose().map_err(SpecError::plain)?;
        Ok(Self { spec, game, agents, time, identity, data: seen.take() })
    }

    /// Names the experiment with its number of games: runs of one name are runs of the same wish.
    #[must_use]
    pub fn hash(&self) -> String {
        short_hash(&format!("{}/{}", self.identity, self.spec.games))
    }

    /// The same with a share of the games, at least one start a cell.
    #[must_use]
    pub fn scaled(mut self, share: f64) -> Self {
        let together = self.game.info().games_per_start();
        let starts = (self.spec.games as f64 * share / together as f64) as u64;
        self.spec.games = starts.max(1) * together;
        self
    }

    /// The same spec gives the same games.
    #[must_use]
    pub fn repeatable(&self) -> bool {
        self.time.is_none() && self.agents.iter().all(|agent| agent.repeatable)
    }
}

/// Contents of files by hash, as they are read.
type Seen = RefCell<BTreeMap<String, String>>;

/// A loader that notes what the files held.
fn remembering<'a>(
    load: Loader<'a>,
    seen: &'a Seen,
) -> impl Fn(&str) -> Result<String, String> + 'a {
    move |path| {
        let content = load(path)?;
        seen.borrow_mut().insert(path.to_owned(), short_hash(&content));
        Ok(content)
    }
}
