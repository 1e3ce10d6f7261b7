//! Who plays the games of a run. What becomes of a game that fails is decided here, and only here: a
//! fault of an agent or of the program makes it void, a fault of the machine is no fact of the game.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use arena::{GameRecord, WallClock};
use gamecore::{Ending, MachineFault, Outcome, StopToken};
use registry::{AnyGame, GameFigures, Job, SpecError};
use store::GameRow;

use super::{RunError, Shard, row};
use crate::experiment::{Experiment, KeysOfBoth};
use crate::plan::by_seat;
use crate::tuning::Tuning;
use crate::workers::in_order;

/// A game of the schedule with the record to keep of it.
pub type Numbered = (GameRow, GameRecord);

/// Games of an experiment that are asked for.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The experiment.
    pub experiment: &'a Experiment,
    /// What a tuning has found so far: who plays depends on it.
    pub tuning: Option<&'a Tuning>,
    /// Their numbers, in order.
    pub numbers: &'a [u64],
    /// Games that may be asked for next. Whoever would be idle may play them, and keeps them until
    /// they are.
    pub ahead: &'a [u64],
}

impl Wanted<'_> {
    /// The keys that a tuning gives to the agents of a game.
    pub fn keys(&self, number: u64) -> Result<KeysOfBoth, SpecError> {
        self.experiment.keys(self.experiment.place(number).cell, self.tuning)
    }
}

/// Who plays: threads here, or others elsewhere. Games may end in any order; who hears of them puts
/// them in order.
pub trait Players: Sync {
    /// Plays these games until all have ended, one could not be played here and now, or somebody
    /// asks to stop.
    fn play(
        &self,
        wanted: &Wanted<'_>,
        stop: &StopToken,
        hear: &(dyn Fn(Numbered) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError>;

    /// Waits until what they played is checked, as far as it is to be; an error if some of it is not true.
    fn settle(&self, _stop: &StopToken) -> Result<(), RunError> {
        Ok(())
    }

    /// The program that they are.
    fn program(&self) -> &str;

    /// How many games they play at a time.
    fn at_once(&self) -> usize;

    /// The part of a run that they play, if not all of it.
    fn shard(&self) -> Option<Shard> {
        None
    }
}

/// Threads of this program.
#[derive(Clone, Debug)]
pub struct Threads {
    /// How many.
    pub count: usize,
    /// This program.
    pub program: String,
    /// The part of a run that they play, if not all of it.
    pub shard: Option<Shard>,
}

impl Threads {
    /// So many of them, of whatever program, for whole runs.
    #[must_use]
    pub fn new(count: usize) -> Self {
        Self { count, program: String::new(), shard: None }
    }
}

impl Players for Threads {
    fn play(
        &self,
        wanted: &Wanted<'_>,
        stop: &StopToken,
        hear: &(dyn Fn(Numbered) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        in_order(self.count, wanted.numbers, stop, &|&number| {
            let keys = wanted.keys(number)?;
            match play_numbered(wanted.experiment, number, &keys, stop)? {
                Some((row, record)) => {
                    hear((GameRow { program: Some(self.program.clone()), ..row }, record))
                }
                None => Ok(()),
            }
        })
    }

    fn program(&self) -> &str {
        &self.program
    }

    fn at_once(&self) -> usize {
        self.count
    }

    fn shard(&self) -> Option<Shard> {
        self.shard
    }
}

/// Plays one game of the schedule; `None` if it was stopped.
pub fn play_numbered(
    experiment: &Experiment,
    number: u64,
    keys: &KeysOfBoth,
    stop: &StopToken,
) -> Result<Option<Numbered>, RunError> {
    let place = experiment.place(number);
    let pair = experiment.pair(place.cell, place.pair)?;
    let game = usize::from(place.game);
    let clock = WallClock::new();
    let agents = experiment.agents_with(place.cell, keys)?;
    let job = Job {
        start: &pair.starts[game],
        agents: by_seat(place.game, agents.each_ref()),
        seeds: pair.seeds[game],
        time: experiment.time,
        clock: &clock,
        stop,
        log: true,
    };
    let (record, figures) = play_guarded(experiment.game(place.cell), &job)
        .map_err(|fault| RunError::Machine { number, fault })?;
    Ok(row::row(experiment, number, record, &figures))
}

/// Pauses before a game is begun again that the machine did not let be played.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];

/// Plays a game; a fault in it makes it void and does not spoil the others. After a fault of the
/// machine it is begun again, and given up without a result if that does not help.
pub(crate) fn play_guarded(
    game: &dyn AnyGame,
    job: &Job<'_>,
) -> Result<(GameRecord, GameFigures), MachineFault> {
    let mut pauses = PAUSES.iter();
    loop {
        let panic = match catch_unwind(AssertUnwindSafe(|| game.play(job))) {
            Ok(played) => return Ok(played),
            Err(panic) => panic,
        };
        let fault = match panic.downcast::<MachineFault>() {
            Ok(fault) => fault,
            Err(panic) => {
                let record = void_record(game, job, panic_text(&*panic));
                return Ok((record, GameFigures::default()));
            }
        };
        match pauses.next() {
            Some(&pause) if !job.stop.is_stopped() => thread::sleep(pause),
            _ => return Err(*fault),
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown cause".to_owned())
}

fn void_record(game: &dyn AnyGame, job: &Job<'_>, reason: String) -> GameRecord {
    let info = game.info();
    GameRecord {
        schema: arena::SCHEMA.to_owned(),
        game: info.name.to_owned(),
        rules: info.rules,
        start: job.start.to_owned(),
        seeds: job.seeds,
        agents: job.agents.map(|agent| agent.spec.to_string()),
        actions: Vec::new(),
        chance: Vec::new(),
        outcome: Outcome::Void,
        reason: Ending::Panic(reason),
        decisions: None,
        timing: None,
    }
}
