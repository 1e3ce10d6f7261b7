//! What the coordinator plays itself: first games of a run, for workers to prove themselves with, and games of
//! workers again. What is owed is played before a run is called finished.

use std::sync::{Arc, Mutex};

use lab::experiment::{Experiment, KeysOfBoth};
use lab::run::difference;
use protocol::GameOrder;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::sleep;

use crate::Game;
use crate::access::lock;
use crate::coordinator::{Heard, PAUSE, Shared};
use crate::error::ClusterError;
use crate::player::{Player, PlayerFault, Shipped, cores};

/// How often is tried to play what this machine does not let be played.
const TRIES: u32 = 3;

/// What is played here.
pub(crate) enum Here {
    /// One of the first games of a run, for others to prove themselves with.
    First(GameOrder),
    /// A game of a worker, again.
    Again(Again),
}

/// A game that is to be played again.
pub(crate) struct Again {
    /// The worker that played it, or its machine.
    pub(crate) worker: String,
    /// The game as it played it.
    pub(crate) game: Box<Game>,
    /// What a tuning gave to its agents.
    pub(crate) keys: KeysOfBoth,
}

/// Games of workers that were to be played again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checks {
    /// All of them.
    pub(crate) owed: u64,
    /// Those that were.
    pub(crate) made: u64,
    /// Those of them that other workers played.
    pub(crate) by_others: u64,
    /// Those that could not be.
    pub(crate) failed: u64,
    /// Why the last of these could not.
    pub(crate) why: String,
    /// Games that are not to be played again any more, and were not noted as such yet.
    fresh: Vec<u64>,
}

impl Checks {
    /// A game came out as it was.
    pub(crate) fn is_alike(&mut self, number: u64) {
        self.made += 1;
        self.fresh.push(number);
    }

    /// What is to be noted.
    pub(crate) fn take_fresh(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.fresh)
    }

    /// How many wait.
    pub(crate) fn open(&self) -> u64 {
        self.owed - self.made - self.failed
    }

    /// All of it in words; nothing if none was to be played again.
    pub(crate) fn words(&self) -> Option<String> {
        let Self { owed, made, by_others, failed, why, .. } = self;
        let mut words = format!("{made} of {owed} games of workers that were to be checked are");
        if *by_others > 0 {
            words += &format!(", {by_others} of them by other workers");
        }
        if *failed > 0 {
            words += &format!("; {failed} could not be, such as {why}");
        }
        if self.open() > 0 {
            let open = self.open();
            words += &format!(
                "; {open} were not before the run was stopped, and are when it goes on here"
            );
        }
        (*owed > 0).then_some(words)
    }
}

/// One of them under way. It is over when this is dropped, whatever happens: nobody waits for it in vain.
struct Owed<'a> {
    checks: &'a Mutex<Checks>,
    number: u64,
    /// Why it could not be, unless it was.
    failed: Option<String>,
}

impl<'a> Owed<'a> {
    fn of(checks: &'a Mutex<Checks>, number: u64) -> Self {
        let failed = Some(format!("game {number}: a fault of this program"));
        Self { checks, number, failed }
    }
}

impl Drop for Owed<'_> {
    fn drop(&mut self) {
        let mut checks = lock(self.checks);
        match self.failed.take() {
            None => checks.is_alike(self.number),
            Some(why) => {
                checks.failed += 1;
                checks.why = why;
            }
        }
    }
}

/// Who plays here.
struct Stage {
    shipped: Shipped,
    /// Players that wait.
    idle: tokio::sync::Mutex<Vec<Player>>,
    /// What does not repeat is at least replayed by the rules.
    by_rules: Option<Experiment>,
}

/// What a game shows that was played again.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Alike,
    /// Whoever played it plays otherwise.
    Untrue(String),
    /// This machine plays it in two ways: that says nothing about others.
    Unsteady(String),
}

/// The same of how it differs from the first game here, and the second one here from the first.
fn verdict(of_worker: Option<String>, of_second: Option<String>) -> Verdict {
    match (of_worker, of_second) {
        (None, _) => Verdict::Alike,
        (Some(what), None) => Verdict::Untrue(what),
        (Some(_), Some(what)) => Verdict::Unsteady(what),
    }
}

impl Stage {
    /// Plays a game of a worker again; where it comes out otherwise, once more in another player.
    async fn play_against(
        &self,
        order: GameOrder,
        (row, record): &Game,
    ) -> Result<Verdict, PlayerFault> {
        let (first, first_record) = self.play_patiently(order.clone()).await?;
        let text = first_record.to_json();
        let Some(what) = difference((row, &record.to_json()), (&first, first_record)) else {
            return Ok(Verdict::Alike);
        };
        let (second, second_record) = Player::start(&self.shipped, None).await?.play(order).await?;
        Ok(verdict(Some(what), difference((&first, &text), (&second, second_record))))
    }

    async fn play(&self, order: GameOrder) -> Result<Game, PlayerFault> {
        let idle = self.idle.lock().await.pop();
        let mut player = match idle {
            Some(player) => player,
            None => Player::start(&self.shipped, None).await?,
        };
        let played = player.play(order).await;
        if !matches!(played, Err(PlayerFault::Gone(_))) {
            self.idle.lock().await.push(player);
        }
        played
    }

    /// The same, and again where this machine does not let it be played.
    async fn play_patiently(&self, order: GameOrder) -> Result<Game, PlayerFault> {
        let mut tries = 1;
        loop {
            match self.play(order.clone()).await {
                Err(PlayerFault::Unable(_)) if tries < TRIES => {
                    sleep(PAUSE * tries).await;
                    tries += 1;
                }
                played => return played,
            }
        }
    }
}

impl Shared {
    /// A game of a worker is to be played again.
    pub(crate) fn owe(&self, here: &mpsc::UnboundedSender<Here>, again: Again) {
        lock(&self.checks).owed += u64::from(here.send(Here::Again(again)).is_ok());
    }

    /// Plays here what must be, as many games at a time as this machine has cores.
    pub(crate) async fn play_here(
        self: Arc<Self>,
        shipped: Shipped,
        mut orders: mpsc::UnboundedReceiver<Here>,
        heard: mpsc::Sender<Heard>,
    ) {
        let by_rules = if self.repeatable { None } else { shipped.open().ok() };
        let stage = Arc::new(Stage { shipped, idle: tokio::sync::Mutex::default(), by_rules });
        let cores = Arc::new(Semaphore::new(cores()));
        while let Some(order) = orders.recv().await {
            let order = match order {
                Here::Again(again) if cores.available_permits() == 0 => {
                    let Some(back) = self.lend(again).await else { continue };
                    Here::Again(back)
                }
                order => order,
            };
            let Ok(core) = Arc::clone(&cores).acquire_owned().await else { return };
            let (shared, stage, heard) = (Arc::clone(&self), Arc::clone(&stage), heard.clone());
            tokio::spawn(async move {
                match order {
                    Here::First(order) => {
                        let first = shared.play_first(&stage, order).await;
                        drop(heard.send(first).await);
                    }
                    Here::Again(again) => shared.check(&stage, again).await,
                }
                drop(core);
            });
        }
    }

    async fn play_first(&self, stage: &Stage, order: GameOrder) -> Heard {
        let (number, keys) = (order.number, order.keys.clone());
        match stage.play_patiently(order).await {
            Ok((mut row, record)) => {
                row.program = Some(self.program.clone());
                row.host = Some(self.host.clone());
                lock(&self.trust).know((row.clone(), record.clone(), keys));
                lock(&self.checks).fresh.push(number);
                Heard::First(Box::new((row, record)))
            }
            Err(PlayerFault::Said(what) | PlayerFault::Gone(what) | PlayerFault::Unable(what)) => {
                Heard::NoFirst(number, what)
            }
        }
    }

    /// Plays a game of a worker again, or replays it by the rules.
    async fn check(&self, stage: &Stage, Again { worker, game, keys }: Again) {
        let row = &game.0;
        let number = row.number;
        let mut owed = Owed::of(&self.checks, number);
        let wrong = match &stage.by_rules {
            Some(experiment) => Ok(verdict(against_rules(experiment, &game), None)),
            None => stage.play_against(GameOrder { number, keys }, &game).await,
        };
        // Before it is counted as made: whoever waits for that looks for an alarm next.
        match &wrong {
            Ok(Verdict::Untrue(what)) => {
                let reason = format!("game {number} comes out otherwise here: {what}");
                self.refuse(&worker, &reason, row.host.clone()).await;
                let (run, what) = (self.run.clone(), what.clone());
                let check = if self.repeatable { "rerun" } else { "verify" };
                self.alarm(ClusterError::Untrue { worker, run, number, what, check });
            }
            Ok(Verdict::Unsteady(what)) => {
                let (host, what) = (self.host.clone(), what.clone());
                self.alarm(ClusterError::Unsteady { host, number, what });
            }
            _ => {}
        }
        owed.failed = match wrong {
            Ok(_) => None,
            // That it cannot be played here proves nothing about others.
            Err(PlayerFault::Said(what) | PlayerFault::Gone(what) | PlayerFault::Unable(what)) => {
                Some(format!("game {number}: {what}"))
            }
        };
    }
}

/// What the rules say against a game that does not repeat.
fn against_rules(experiment: &Experiment, (row, record): &Game) -> Option<String> {
    if record.outcome == gamecore::Outcome::Void {
        return None;
    }
    match experiment.game(row.cell as usize).verify(&record.to_json()) {
        Ok(report) => report.first_difference.map(|found| found.found.to_string()),
        Err(error) => Some(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_does_not_repeat_accuses_nobody() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(verdict(None, None), Verdict::Alike);
        assert_eq!(verdict(some("a"), None), Verdict::Untrue("a".into()));
        assert_eq!(verdict(some("a"), some("b")), Verdict::Unsteady("b".into()));
    }

    #[test]
    fn checks_that_were_not_made_are_told() {
        let checks = |owed, made, failed| Checks {
            owed,
            made,
            failed,
            why: "game 7: no".into(),
            ..Checks::default()
        };
        assert_eq!(checks(0, 0, 0).words(), None);
        let told = checks(5, 5, 0).words().unwrap();
        assert_eq!(told, "5 of 5 games of workers that were to be checked are");
        let told = Checks { by_others: 3, ..checks(5, 5, 0) }.words().unwrap();
        assert!(told.ends_with("are, 3 of them by other workers"), "{told}");
        let told = checks(5, 2, 1).words().unwrap();
        assert!(told.contains("1 could not be, such as game 7: no"), "{told}");
        assert!(told.contains("2 were not before"), "{told}");
        let checks = Mutex::new(checks(2, 0, 0));
        Owed::of(&checks, 5).failed = None;
        drop(Owed::of(&checks, 8));
        let mut told = checks.into_inner().unwrap();
        assert_eq!((told.made, told.failed, told.open()), (1, 1, 0));
        assert!(told.why.contains("game 8"), "{}", told.why);
        assert_eq!([told.take_fresh(), told.take_fresh()], [vec![5], vec![]]);
    }
}
