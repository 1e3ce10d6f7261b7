//! A game as the database keeps it, and as it is made from what was asked for.

use std::sync::Arc;

use arena::{GameRecord, Seeds};
use gamecore::{Ending, Purpose, Seat, seed};
use registry::{AnyGame, Session};
use serde::{Deserialize, Serialize};
use store::{AppGame, AppGameRow, AppWrite};
use tokio::sync::mpsc;

use super::thoughts::{Chance, Thoughts};
use super::{ChessClock, House, Message, Presence, Table};
use crate::dto::NewGame;
use crate::error::Refusal;
use crate::moment;
use crate::players::{Seated, names};
use crate::setups;

/// Actions of a game that is brought along or looked through, at most.
pub(crate) const LONGEST_GAME: usize = 5_000;

/// A game with everything that is needed to go on.
pub(crate) struct Kept {
    pub(crate) id: String,
    created: String,
    body: Body,
}

/// What the database does not need to understand.
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

impl Kept {
    /// A new game as it was asked for; `drawn` is its seed if none was asked for.
    pub(crate) fn make(
        id: String,
        mut asked: NewGame,
        drawn: u64,
        threads: usize,
        saved: &[(String, String)],
    ) -> Result<Self, Refusal> {
        let brings = asked.record.is_none() && asked.position.is_none();
        let name = |text: &String| setups::loadout_name(&asked.game, text, saved);
        let loadouts = if brings { asked.setups.each_ref().map(name) } else { Default::default() };
        let record = match asked.record.take() {
            Some(text) => record_of_text(&mut asked, &text)?,
            None => first_record(&mut asked, drawn)?,
        };
        let game = standard::open_game(&asked.game, &asked.rules)?;
        let seated = |seat: usize| Seated::new(&*game, &asked.seats[seat], threads);
        let agents = [seated(0)?.spec(), seated(1)?.spec()];
        if let Some(clock) = asked.clock {
            ChessClock::new(clock, None)?;
        }
        let body = Body {
            asked,
            record,
            undone: Vec::new(),
            left_ms: None,
            paused: false,
            version: 0,
            agents,
            chances: Default::default(),
            loadouts,
        };
        Ok(Self { id, created: moment::now(), body })
    }

    /// A game out of the database.
    pub(crate) fn read(game: AppGame) -> Result<Self, Refusal> {
        let AppGame { row, body } = game;
        let body = serde_json::from_str(&body).map_err(|error| {
            Refusal::storage(format!("game '{}' cannot be read from the database: {error}", row.id))
        })?;
        Ok(Self { id: row.id, created: row.created, body })
    }

    pub(super) fn into_table(
        self,
        house: Arc<House>,
        inbox: mpsc::WeakSender<Message>,
        presence: Arc<Presence>,
    ) -> Result<Table, Refusal> {
        let Body { asked, record, undone, left_ms, paused, version, agents, chances, loadouts } =
            self.body;
        let game = standard::open_game(&asked.game, &asked.rules)?;
        let threads = house.pool.threads();
        let seated = |seat: usize| {
            Seated::again(&*game, &asked.seats[seat], agents[seat].as_deref(), threads)
        };
        let seats = [seated(0)?, seated(1)?];
        let session = open_at_end(&*game, &record, &undone)?;
        let clock = asked.clock.map(|clock| ChessClock::new(clock, left_ms)).transpose()?;
        let thoughts = Thoughts::of(&chances, [record.actions.len(), undone.len()]);
        Ok(Table {
            names: names(&*game, &seats),
            house,
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
            sockets: std::collections::BTreeMap::new(),
            next_number: 0,
            thinkers: [None, None],
            thought: None,
            advice: None,
            pondering: super::Pondering::default(),
            wait_until: None,
            inbox,
            presence,
            asked,
            loadouts,
        })
    }
}

impl Table {
    /// The game as it is written.
    pub(super) fn kept_row(&self) -> AppWrite {
        let record = self.session.record(self.names.clone());
        let row = AppGameRow {
            id: self.id.clone(),
            game: self.asked.game.clone(),
            created: self.created.clone(),
            updated: moment::now(),
            players: self.names.clone(),
            status: self.status(),
            over: self.session.to_act().is_none(),
            plies: record.actions.len() as u32,
        };
        let now = std::time::Instant::now();
        let body = Body {
            asked: self.asked.clone(),
            record,
            undone: self.undone.clone(),
            left_ms: self.clock.as_ref().map(|clock| clock.left_ms(now)),
            paused: self.paused,
            version: self.version,
            agents: self.seats.each_ref().map(Seated::spec),
            chances: self.thoughts.chances(),
            loadouts: self.loadouts.clone(),
        };
        let body = serde_json::to_string(&body).expect("a game is plain data");
        AppWrite::Game(Box::new(AppGame { row, body }))
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
fn first_record(asked: &mut NewGame, drawn: u64) -> Result<GameRecord, Refusal> {
    let game = standard::open_game(&asked.game, &asked.rules)?;
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
pub(crate) fn record_from_outside(text: &str) -> Result<GameRecord, Refusal> {
    let record = GameRecord::from_json(text).map_err(|error| Refusal::bad(error.to_string()))?;
    let found = record.actions.len();
    if found > LONGEST_GAME {
        let reason = format!("a record of {found} actions: expected at most {LONGEST_GAME}");
        return Err(Refusal::bad(reason));
    }
    Ok(record)
}

/// The record that a game is to go on with; what else was said about the game must agree.
fn record_of_text(asked: &mut NewGame, text: &str) -> Result<GameRecord, Refusal> {
    let record = record_from_outside(text.trim())?;
    if !asked.game.is_empty() && asked.game != record.game {
        let reason = format!("game '{}': the record is of '{}'", asked.game, record.game);
        return Err(Refusal::bad(reason));
    }
    if !asked.rules.is_empty() {
        let rules = standard::open_game(&record.game, &asked.rules)?.info().rules;
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
    let game = standard::open_game(&record.game, &record.rules)?;
    open_at_end(&*game, &record, &[])?;
    Ok(GameRecord { decisions: None, timing: None, ..record })
}

/// A session at the end of a record, with what was taken back there to be played again.
pub(super) fn open_at_end(
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
