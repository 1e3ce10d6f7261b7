//! Experiments: one file says everything, and the schedule is a function of it alone.

mod conditions;
mod file;
mod pairings;
mod schedule;
mod spec;
mod sweep;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use arena::TimeControl;
use gamecore::short_hash;
use registry::{AgentSpec, AnyGame, Loader, ResolvedAgent, SpecError};

pub use conditions::read_openings;
pub use file::{ExperimentError, read_experiment};
pub use schedule::Place;
pub use spec::{Cell, Condition, Kind, Log, Over, Player, SPEC_SCHEMA, Spec, SprtSpec, Starts};

/// A game under one condition.
pub struct Opened {
    /// The game under its rules.
    pub game: Arc<dyn AnyGame>,
    /// The agents of the players, in their order.
    pub agents: Vec<ResolvedAgent>,
}

/// An experiment that can be played: its spec, the game opened and every agent checked.
pub struct Experiment {
    /// Everything that decides its games.
    pub spec: Spec,
    /// The game and its agents under every condition of the spec.
    pub opened: Vec<Opened>,
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
        let open = |condition: &Condition| {
            let game = registry::open_game(&spec.game, &condition.rules)?;
            let resolve =
                |player: &Player| game.resolve(&AgentSpec::parse(&player.agent, load)?, load);
            let agents = spec.players.iter().map(resolve).collect::<Result<_, _>>()?;
            Ok(Opened { game, agents })
        };
        let opened = spec.conditions.iter().map(open).collect::<Result<Vec<_>, SpecError>>()?;
        let time = spec.clock.as_deref().map(str::parse).transpose().map_err(SpecError::plain)?;
        Ok(Self { spec, opened, time, identity, data: seen.take() })
    }

    /// Names the experiment with its number of games: runs of one name are runs of the same wish.
    #[must_use]
    pub fn hash(&self) -> String {
        short_hash(&format!("{}/{}", self.identity, self.spec.games))
    }

    /// The same with a share of the games, at least one start a cell.
    #[must_use]
    pub fn scaled(mut self, share: f64) -> Self {
        let together = self.games_per_start();
        let starts = (self.spec.games as f64 * share / together as f64) as u64;
        self.spec.games = starts.max(1) * together;
        self
    }

    /// The same spec gives the same games.
    #[must_use]
    pub fn repeatable(&self) -> bool {
        let mut agents = self.opened.iter().flat_map(|opened| &opened.agents);
        self.time.is_none() && agents.all(|agent| agent.repeatable)
    }

    /// The game as a pairing plays it.
    #[must_use]
    pub fn game(&self, cell: usize) -> &dyn AnyGame {
        &*self.opened[self.spec.cells[cell].under].game
    }

    /// The agents of a pairing, A first.
    #[must_use]
    pub fn agents(&self, cell: usize) -> [&ResolvedAgent; 2] {
        let cell = self.spec.cells[cell];
        cell.players().map(|player| &self.opened[cell.under].agents[player])
    }

    /// Games that belong to one start, under every condition alike.
    #[must_use]
    pub fn games_per_start(&self) -> u64 {
        self.opened[0].game.info().games_per_start()
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
