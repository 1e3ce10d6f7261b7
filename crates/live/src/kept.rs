//! A game as it is kept, and as it is made from what was asked for.

use std::sync::Arc;

use arena::{GameRecord, Seeds};
use gamecore::{Ending, Purpose, Seat, seed};
use registry::{AnyGame, Registry, ResolvedAgent, Session};
use serde::{Deserialize, Serialize};

use crate::clock::{chess_clock, left_ms};
use crate::players::names;
use crate::pondering::Pondering;
use crate::thoughts::{Chance, Thoughts};
use crate::{LiveGame, Moment, Refusal, Seated};
use protocol::NewGame;

/// Actions of a game that is brought along or looked through, at most.
pub const LONGEST_GAME: usize = 5_000;

/// A game with everything that is needed to go on.
pub struct KeptGame {
    /// Its id.
    pub id: String,
    created: String,
    body: Body,
}

/// A game to be written down: what lists show of it, and what is needed to go on.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Its id.
    pub id: String,
    /// The name of the game.
    pub game: String,
    /// When it was made.
    pub created: String,
    /// Who plays, by seat, as people call them.
    pub players: [String; 2],
    /// How it stands, one line.
    pub status: String,
    /// It is over.
    pub over: bool,
    /// Actions so far.
    pub plies: u32,
    /// All that [`KeptGame::read`] needs; whoever keeps it need not understand it.
    pub body: String,
}

/// What whoever keeps it does not need to understand.
#[derive(Clone, Serialize, Deserialize)]
struct Body {
    asked: NewGame,
    record: GameRecord,
    /// Actions taken back, the next to be played again last.
    #[serde(default)]
    undone: Vec<String>,
    #[serde(default)]
    left_ms: Option<[u64; 2]>,
    paused: bool,
    version: u64,
    /// The agents as they were when the game was made: levels may be measured anew.
    #[serde(default)]
    agents: [Option<String>; 2],
    /// What agents told of the chance to win, for actions played and for those taken back.
    #[serde(default)]
    chances: [Vec<Chance>; 2],
    /// Names of the loadouts that the seats brought.
    #[serde(default)]
    loadouts: [String; 2],
}

impl Body {
    /// Of a game in which nothing was done yet but what its record tells.
    fn first(asked: NewGame, record: GameRecord) -> Self {
        Self {
            asked,
            record,
            undone: Vec::new(),
            left_ms: None,
            paused: false,
            version: 0,
            agents: Default::default(),
            chances: Default::default(),
            loadouts: Default::default(),
        }
    }
}

impl KeptGame {
    /// A new game as it was asked for; `drawn` is its seed if none was asked for. Its agents may use so
    /// many threads; its seats bring loadouts of these names.
    pub fn make(
        id: String,
        created: String,
        mut asked: NewGame,
        drawn: u64,
        threads: usize,
        loadouts: [String; 2],
        games: &Registry,
    ) -> Result<Self, Refusal> {
        let record = match asked.record.take() {
            Some(text) => record_of_text(games, &mut asked, &text)?,
            None => first_record(games, &mut asked, drawn)?,
        };
        let game = games.open(&asked.game, &asked.rules)?;
        let seated = |seat: usize| Seated::new(&*game, &asked.seats[seat], threads);
        let agents = [seated(0)?.spec(), seated(1)?.spec()];
        if let Some(clock) = asked.clock {
            chess_clock(clock, None)?;
        }
        let body = Body { agents, loadouts, ..Body::first(asked, record) };
        Ok(Self { id, created, body })
    }

    /// A game that was kept.
    pub fn read(id: String, created: String, body: &str) -> Result<Self, Refusal> {
        let body = serde_json::from_str(body).map_err(|error| {
            Refusal::storage(format!("game '{id}' cannot be read from the database: {error}"))
        })?;
        Ok(Self { id, created, body })
    }

    /// Replays it, which takes a while if it was long.
    pub fn open(self, threads: usize, games: &Registry) -> Result<LiveGame, Refusal> {
        let game = games.open(&self.body.asked.game, &self.body.asked.rules)?;
        let seated = |seat: usize| {
            let Body { asked, agents, .. } = &self.body;
            Seated::again(&*game, &asked.seats[seat], agents[seat].as_deref(), threads)
        };
        let seats = [seated(0)?, seated(1)?];
        self.seat(game, seats)
    }

    /// The game with these players.
    fn seat(self, game: Arc<dyn AnyGame>, seats: [Seated; 2]) -> Result<LiveGame, Refusal> {
        let session = open_at_end(&*game, &self.body.record, &self.body.undone)?;
        let Body { asked, record, undone, left_ms, paused, version, chances, loadouts, .. } =
            self.body;
        let clock = asked.clock.map(|clock| chess_clock(clock, left_ms)).transpose()?;
        let thoughts = Thoughts::of(&chances, [record.actions.len(), undone.len()]);
        Ok(LiveGame {
            names: names(&*game, &seats),
            id: self.id,
            created: self.created,
            game,
            session,
            seats,
            seeds: record.seeds,
            version,
            paused,
            undone,
            thoughts,
            clock,
            opened: false,
            watching: 0,
            last_number: 0,
            thought: None,
            advice: None,
            pondering: Pondering::default(),
            wait_until: None,
            now: Moment::ZERO,
            effects: Vec::new(),
            adviser: None,
            asked,
            loadouts,
        })
    }
}

impl LiveGame {
    /// A game that nobody keeps, from where a record ends; its agents may be any, and hints come from
    /// `adviser`.
    pub fn unkept(
        game: Arc<dyn AnyGame>,
        record: GameRecord,
        seats: [Seated; 2],
        adviser: ResolvedAgent,
    ) -> Result<Self, Refusal> {
        let asked = NewGame {
            game: record.game.clone(),
            rules: record.rules.clone(),
            seats: seats.each_ref().map(|seated| seated.player.clone()),
            setups: Default::default(),
            clock: None,
            position: None,
            record: None,
            seed: None,
            replaces: None,
        };
        let body = Body::first(asked, record);
        let kept = KeptGame { id: String::new(), created: String::new(), body };
        Ok(Self { adviser: Some(adviser), ..kept.seat(game, seats)? })
    }

    /// The game as it is written down.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let record = self.record();
        let plies = record.actions.len() as u32;
        let body = Body {
            asked: self.asked.clone(),
            record,
            undone: self.undone.clone(),
            left_ms: self.clock.as_ref().map(|clock| left_ms(clock, self.now)),
            paused: self.paused,
            version: self.version,
            agents: self.seats.each_ref().map(Seated::spec),
            chances: self.thoughts.chances(),
            loadouts: self.loadouts.clone(),
        };
        Snapshot {
            id: self.id.clone(),
            game: self.asked.game.clone(),
            created: self.created.clone(),
            players: self.names.clone(),
            status: self.status(),
            over: self.session.to_act().is_none(),
            plies,
            body: serde_json::to_string(&body).expect("a game is plain data"),
        }
    }
}

/// The seeds of a game.
fn seeds(run: u64) -> Seeds {
    let agent = |letter| seed(run, 0, Purpose::Agent { game: 0, letter });
    Seeds {
        start: seed(run, 0, Purpose::Start),
        chance: seed(run, 0, Purpose::Chance),
        agents: [agent('a'), agent('b')],
    }
}

/// The record of a game that has not begun.
fn first_record(games: &Registry, asked: &mut NewGame, drawn: u64) -> Result<GameRecord, Refusal> {
    let game = games.open(&asked.game, &asked.rules)?;
    asked.rules = game.info().rules;
    let seeds = seeds(*asked.seed.get_or_insert(drawn));
    let no_files =
        |path: &str| Err(std::io::Error::other(format!("'{path}': the app reads no files")));
    let start = match &asked.position {
        Some(text) if asked.setups.iter().all(String::is_empty) => game.position(text)?,
        Some(_) => {
            let reason =
                "both position and setups are given: a position already includes the setups";
            return Err(Refusal::bad(reason));
        }
        None => {
            for text in asked.setups.iter().filter(|text| !text.is_empty()) {
                game.setup(text, &no_files)?;
            }
            let setups = asked.setups.each_ref().map(String::as_str);
            game.start(setups, Some(0), seeds.start, false)?
        }
    };
    let session = game.open(&start, seeds)?;
    Ok(session.record([String::new(), String::new()]))
}

/// Reads a record that somebody sent, and refuses one that is too long before it is replayed.
pub fn record_from_outside(text: &str) -> Result<GameRecord, Refusal> {
    let record = GameRecord::from_json(text).map_err(|error| Refusal::bad(error.to_string()))?;
    let found = record.actions.len();
    if found > LONGEST_GAME {
        let reason = format!("a record of {found} actions: expected at most {LONGEST_GAME}");
        return Err(Refusal::bad(reason));
    }
    Ok(record)
}

/// The record that a game is to go on with; what else was said about the game must agree.
fn record_of_text(
    games: &Registry,
    asked: &mut NewGame,
    text: &str,
) -> Result<GameRecord, Refusal> {
    let record = record_from_outside(text.trim())?;
    if !asked.game.is_empty() && asked.game != record.game {
        let reason = format!("game '{}': the record is of '{}'", asked.game, record.game);
        return Err(Refusal::bad(reason));
    }
    if !asked.rules.is_empty() {
        let rules = games.open(&record.game, &asked.rules)?.info().rules;
        if rules != record.rules {
            let reason = format!("rules '{rules}': the record was made under '{}'", record.rules);
            return Err(Refusal::bad(reason));
        }
    }
    if asked.position.is_some() || asked.setups.iter().any(|setup| !setup.is_empty()) {
        return Err(Refusal::bad("a record holds its position and setups; leave these out"));
    }
    asked.game.clone_from(&record.game);
    asked.rules.clone_from(&record.rules);
    // A second game from here begins where this one began.
    asked.position = Some(record.start.clone());
    let game = games.open(&record.game, &record.rules)?;
    open_at_end(&*game, &record, &[])?;
    Ok(GameRecord { decisions: None, timing: None, ..record })
}

/// A session at the end of a record, with what was taken back there to be played again.
fn open_at_end(
    game: &dyn AnyGame,
    record: &GameRecord,
    undone: &[String],
) -> Result<Box<dyn Session>, Refusal> {
    let mut session = game.open_record(record)?;
    let mut played = 0;
    for action in undone.iter().rev() {
        if session.apply(action).is_err() {
            break;
        }
        played += 1;
    }
    for _ in 0..played {
        session.undo();
    }
    // Replaying actions does not tell who gave up.
    if session.ending().is_none()
        && let Some(winner) = record.outcome.winner()
    {
        let loser: Seat = winner.other();
        match record.reason {
            Ending::Time => session.lose_on_time(),
            _ => session.resign(loser),
        }
    }
    Ok(session)
}
