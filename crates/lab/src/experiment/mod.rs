//! Experiments: one file says everything, and the schedule is a function of it alone.

mod conditions;
mod file;
mod pairings;
mod schedule;
mod spec;
mod sweep;
mod tune;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use arena::TimeControl;
use gamecore::short_hash;
use registry::{AgentSpec, AnyGame, Loader, Registry, ResolvedAgent, SpecError};
use store::GameRow;

use crate::tuning::{Keys, TuneSpec, Tuning};

pub use conditions::read_openings;
pub use file::{ExperimentError, read_experiment};
pub use schedule::Place;
pub use spec::{
    Cell, Condition, Kind, KindName, Log, Over, Player, SPEC_SCHEMA, Spec, SprtSpec, Starts,
};

/// The keys that a tuning gives to A and B of a game, where it gives them some.
pub type KeysOfBoth = [Option<Keys>; 2];

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
    /// The contents of those files.
    files: BTreeMap<String, String>,
    /// The tuned agent with every value of a grid, one key at a time, or with the ends of the range
    /// of each parameter.
    tuned: Vec<ResolvedAgent>,
}

impl Experiment {
    /// Opens the game of a spec and checks its agents.
    pub fn open(games: &Registry, spec: Spec, load: Loader<'_>) -> Result<Self, SpecError> {
        let seen = RefCell::default();
        let load: Loader<'_> = &remembering(load, &seen);
        let identity = short_hash(serde_json::to_string(&spec).expect("a spec is plain data"));
        let open = |condition: &Condition| {
            let game = games.open(&spec.game, &condition.rules)?;
            let resolve =
                |player: &Player| game.resolve(&AgentSpec::parse(&player.agent, load)?, load);
            let agents = spec.players.iter().map(resolve).collect::<Result<_, _>>()?;
            Ok(Opened { game, agents })
        };
        let opened = spec.conditions.iter().map(open).collect::<Result<Vec<_>, SpecError>>()?;
        let time = spec.clock.as_deref().map(str::parse).transpose().map_err(SpecError::plain)?;
        let tried = spec.tune().into_iter().flat_map(TuneSpec::values_tried).map(|(key, value)| {
            let agent = tune::with_keys(&opened[0].agents[0].spec, &vec![(key, value)]);
            opened[0].game.resolve(&agent, load)
        });
        let tuned = tried.collect::<Result<_, SpecError>>()?;
        let files = seen.take();
        let data = hashes(&files);
        Ok(Self { spec, opened, time, identity, data, files, tuned })
    }

    /// An experiment of one condition whose game is open already.
    pub(crate) fn of_one(
        spec: Spec,
        game: Arc<dyn AnyGame>,
        agents: Vec<ResolvedAgent>,
        time: Option<TimeControl>,
    ) -> Self {
        let opened = vec![Opened { game, agents }];
        let (data, files, tuned) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        Self { identity: spec.name.clone(), spec, opened, time, data, files, tuned }
    }

    /// Names the experiment with its number of games: runs of one name are runs of the same wish.
    #[must_use]
    pub fn hash(&self) -> String {
        let tuned = self.spec.tune().map(|tune| format!("/{}", tune.evaluations));
        let tuned = tuned.unwrap_or_default();
        short_hash(format!("{}/{}{tuned}", self.identity, self.spec.games))
    }

    /// The same with a share of the games, at least one start a cell.
    #[must_use]
    pub fn scaled(mut self, share: f64) -> Self {
        let together = self.games_per_start();
        let starts = (self.spec.games as f64 * share / together as f64) as u64;
        self.spec.games = starts.max(1) * together;
        if let Kind::Tune { tune } = &mut self.spec.kind {
            tune.scale(share);
        }
        self
    }

    /// The same spec gives the same games.
    #[must_use]
    pub fn repeatable(&self) -> bool {
        self.time.is_none() && self.all_agents().all(|agent| agent.repeatable)
    }

    /// Every agent that may play, those of a tuning with one value at a time.
    pub fn all_agents(&self) -> impl Iterator<Item = &ResolvedAgent> {
        self.opened.iter().flat_map(|opened| &opened.agents).chain(&self.tuned)
    }

    /// The game as a pairing plays it.
    #[must_use]
    pub fn game(&self, cell: usize) -> &dyn AnyGame {
        &*self.opened[self.spec.cell(cell).under].game
    }

    /// The agents of a pairing, A first. In a tuning they depend on what it has found.
    pub fn agents(
        &self,
        number: usize,
        tuning: Option<&Tuning>,
    ) -> Result<[ResolvedAgent; 2], SpecError> {
        self.agents_with(number, &self.keys(number, tuning)?)
    }

    /// The keys that a tuning gives to the agents of a pairing: those that it tries, or in a pairing
    /// that confirms what it found, the best.
    pub fn keys(&self, number: usize, tuning: Option<&Tuning>) -> Result<KeysOfBoth, SpecError> {
        let Some(tuning) = tuning else { return Ok([None, None]) };
        if let Some(pair) = number.checked_sub(self.spec.cells.len()) {
            let unknown = || SpecError::plain("an evaluation that was not asked for");
            let trial = tuning.trial_of_pair(pair as u64).ok_or_else(unknown)?;
            return Ok([Some(trial.a.clone()), trial.b.clone()]);
        }
        let is_tuned = self.spec.cell(number).a == 0;
        Ok([is_tuned.then(|| tuning.recommendation()).flatten(), None])
    }

    /// The agents of a pairing with these keys, A first.
    pub fn agents_with(
        &self,
        number: usize,
        keys: &KeysOfBoth,
    ) -> Result<[ResolvedAgent; 2], SpecError> {
        let cell = self.spec.cell(number);
        let agent = |player: usize, keys: &Option<Keys>| {
            let agent = &self.opened[cell.under].agents[player];
            match keys {
                Some(keys) => self.resolve(&tune::with_keys(&agent.spec, keys)),
                None => Ok(agent.clone()),
            }
        };
        Ok([agent(cell.a, &keys[0])?, agent(cell.b, &keys[1])?])
    }

    /// The contents of the files that it names.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<String, String> {
        &self.files
    }

    /// An agent out of a tuning; every file that it may name was read when the experiment was.
    fn resolve(&self, spec: &AgentSpec) -> Result<ResolvedAgent, SpecError> {
        let load = |path: &str| {
            let unread = || std::io::Error::other(format!("the file '{path}' was not read"));
            self.files.get(path).cloned().ok_or_else(unread)
        };
        self.opened[0].game.resolve(spec, &load)
    }

    /// What a tuning says after these games, in schedule order; `None` if the experiment is none.
    #[must_use]
    pub fn tuning(&self, rows: &[GameRow]) -> Option<Tuning> {
        self.spec.tuning(rows)
    }

    /// Games that belong to one start, under every condition alike.
    #[must_use]
    pub fn games_per_start(&self) -> u64 {
        self.opened[0].game.info().games_per_start()
    }
}

/// What the files hold, in short.
fn hashes(files: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    files.iter().map(|(path, content)| (path.clone(), short_hash(content))).collect()
}

/// Contents of files, as they are read.
type Seen = RefCell<BTreeMap<String, String>>;

/// A loader that notes what the files held.
fn remembering<'a>(
    load: Loader<'a>,
    seen: &'a Seen,
) -> impl Fn(&str) -> std::io::Result<String> + 'a {
    move |path| {
        let content = load(path)?;
        seen.borrow_mut().insert(path.to_owned(), content.clone());
        Ok(content)
    }
}
