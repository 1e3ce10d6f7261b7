//! A match: a run of one pairing, kept in memory.

use std::sync::{Arc, Mutex, PoisonError};

use arena::{GameRecord, TimeControl};
use gamecore::StopToken;
use registry::{AnyGame, ResolvedAgent};
use store::GameRow;

use crate::experiment::{
    Cell, Condition, Experiment, Kind, Log, Player, SPEC_SCHEMA, Spec, Starts,
};
use crate::plan::Openings;
use crate::run::{Numbered, Players, RunError, Summary, Wanted, summarise};

/// Everything that decides how a match goes.
pub struct MatchSpec {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// Agent A.
    pub a: ResolvedAgent,
    /// Agent B.
    pub b: ResolvedAgent,
    /// Games, a multiple of those that belong to one start: 2, or 4 for games that are dealt.
    pub games: u64,
    /// Seed of the whole match.
    pub seed: u64,
    /// Start positions.
    pub openings: Openings,
    /// What agents A and B (in games that are dealt, seats 0 and 1) bring, where starts are
    /// random; empty for the game's own.
    pub setups: [String; 2],
    /// Chess clock, if any.
    pub time: Option<TimeControl>,
}

impl MatchSpec {
    /// The experiment that it is.
    pub fn experiment(&self) -> Result<Experiment, RunError> {
        let info = self.game.info();
        if self.games == 0 || !self.games.is_multiple_of(info.games_per_start()) {
            return Err(if info.dealt { RunError::DealtGames } else { RunError::Games }(
                self.games,
            ));
        }
        let players = [(&self.a, &self.setups[0]), (&self.b, &self.setups[1])];
        let named = |(agent, setup): (&ResolvedAgent, &String)| {
            let agent = agent.spec.to_string();
            // Where starts are deals, what is brought belongs to the seats.
            let setup = (!info.dealt && !setup.is_empty()).then(|| setup.clone());
            Player { name: agent.clone(), agent, setup }
        };
        let mut players = players.map(named);
        if players[0].agent == players[1].agent && players[0].setup != players[1].setup {
            // One agent with different things is not an agent against itself.
            for player in &mut players {
                let setup = player.setup.as_deref().unwrap_or("the usual setup");
                player.name = format!("{} with {setup}", player.agent);
            }
        }
        let condition = Condition {
            name: String::new(),
            rules: info.rules,
            openings: self.openings.clone(),
            setups: self.setups.clone(),
        };
        let spec = Spec {
            schema: SPEC_SCHEMA.to_owned(),
            name: "match".to_owned(),
            about: String::new(),
            kind: Kind::Match,
            game: info.name.to_owned(),
            conditions: vec![condition],
            players: players.to_vec(),
            cells: vec![Cell { a: 0, b: 1, under: 0 }],
            games: self.games,
            seed: self.seed,
            starts: Starts::Shared,
            clock: self.time.map(|control| control.to_string()),
            log: Log::Decisions,
        };
        let agents = vec![self.a.clone(), self.b.clone()];
        Ok(Experiment::of_one(spec, Arc::clone(&self.game), agents, self.time))
    }
}

/// Plays an experiment of one pairing, or what it can of it until somebody asks to stop: what it
/// shows, and every game that ended, in schedule order. `hear` hears of each as it ends.
pub fn play_in_memory(
    experiment: &Experiment,
    players: &dyn Players,
    stop: &StopToken,
    hear: &(dyn Fn(&GameRow) + Sync),
) -> Result<(Summary, Vec<GameRecord>), RunError> {
    let numbers: Vec<u64> = (0..experiment.spec.total_games()).collect();
    let games = Mutex::new(Vec::new());
    let wanted = Wanted { experiment, tuning: None, numbers: &numbers, ahead: &[] };
    players.play(&wanted, stop, &|game: Numbered| {
        hear(&game.0);
        games.lock().unwrap_or_else(PoisonError::into_inner).push(game);
        Ok(())
    })?;
    let mut games = games.into_inner().unwrap_or_else(PoisonError::into_inner);
    games.sort_by_key(|(row, _)| row.number);
    let (rows, records): (Vec<_>, Vec<_>) = games.into_iter().unzip();
    Ok((summarise(&experiment.spec, &rows), records))
}
