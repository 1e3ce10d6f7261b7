//! Who may play: a worker proves itself by games of this run, played again to the last node; and
//! some of what it plays later is played again here.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use lab::experiment::{Experiment, KeysOfBoth};
use lab::run::{Known, difference};
use protocol::{GameOrder, JoinAnswer, JoinRequest, PROTOCOL, pack, unpack};
use tokio::sync::mpsc;

use crate::Game;
use crate::access::{ClusterError, lock};
use crate::board::write;
use crate::coordinator::{Heard, Shared};
use crate::player::{Player, PlayerFault, Shipped};

/// Games that a worker replays at most before it plays.
const MOST_PROOFS: usize = 8;

/// Of so many games one is played again.
const AUDITED: u64 = 100;

/// What is played here.
pub(crate) enum Here {
    /// The first games of a run, for others to prove themselves with.
    First(Vec<GameOrder>),
    /// A game of a worker, again.
    Again {
        /// The worker.
        worker: String,
        /// The game as it played it.
        game: Box<Game>,
        /// What a tuning gave to its agents.
        keys: KeysOfBoth,
    },
}

/// What is known of who may play.
#[derive(Default)]
pub(crate) struct Trust {
    /// Games to replay; nothing if there is none yet.
    known: Vec<Known>,
    /// Workers that may not play, and why.
    refused: BTreeMap<String, String>,
    /// Workers of which a game was audited.
    seen: BTreeMap<String, u64>,
}

impl Trust {
    /// With these games of the run, the quickest of them.
    pub(crate) fn new(mut known: Vec<Known>) -> Self {
        let thought = |(row, ..): &Known| row.seconds[0] + row.seconds[1];
        known.sort_by(|one, other| thought(one).total_cmp(&thought(other)));
        known.truncate(MOST_PROOFS);
        Self { known, ..Self::default() }
    }

    pub(crate) fn is_refused(&self, worker: &str) -> bool {
        self.refused.contains_key(worker)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether a game of a worker is to be played again: its first, and later some.
    pub(crate) fn is_audited(&mut self, worker: &str, number: u64) -> bool {
        let games = self.seen.entry(worker.to_owned()).or_default();
        *games += 1;
        let drawn = gamecore::seed(number, 0, gamecore::Purpose::Cell);
        *games == 1 || drawn.is_multiple_of(AUDITED)
    }

    fn answer(&self, repeatable: bool, worker: &str, protocol: u32) -> JoinAnswer {
        if protocol != PROTOCOL {
            let reason = format!(
                "it speaks form {protocol} of the protocol, the coordinator form {PROTOCOL}"
            );
            return JoinAnswer::Refused { reason };
        }
        if let Some(reason) = self.refused.get(worker) {
            return JoinAnswer::Refused { reason: reason.clone() };
        }
        if !repeatable {
            return JoinAnswer::Welcome;
        }
        if self.known.is_empty() {
            return JoinAnswer::Wait;
        }
        let order = |(row, _, keys): &Known| GameOrder { number: row.number, keys: keys.clone() };
        JoinAnswer::Prove { games: self.known.iter().map(order).collect() }
    }

    /// What is wrong with the games that a worker replayed.
    fn wrong_with(&self, games: Vec<Game>) -> Option<String> {
        let mut left: BTreeMap<u64, Game> =
            games.into_iter().map(|game| (game.0.number, game)).collect();
        let mut proved = 0;
        for (row, record, _) in &self.known {
            // A game that became known since it was asked.
            let Some((again, again_record)) = left.remove(&row.number) else { continue };
            if let Some(what) = difference((row, &record.to_json()), (&again, again_record)) {
                return Some(format!(
                    "game {} of this run comes out otherwise there: {what}",
                    row.number
                ));
            }
            proved += 1;
        }
        (proved == 0).then(|| "it has replayed no game of this run".to_owned())
    }
}

impl Shared {
    /// Answers whoever wants to play.
    pub(crate) async fn receive(self: Arc<Self>) {
        use futures_util::StreamExt as _;
        loop {
            if let Ok(mut requests) = self.bus.client.subscribe(self.key.join_subject()).await {
                while let Some(message) = requests.next().await {
                    let Some(reply) = message.reply else { continue };
                    let Ok(request) = unpack(&message.payload) else { continue };
                    let answer = self.consider(request).await;
                    let _ = self.bus.client.publish(reply, Bytes::from(pack(&answer))).await;
                }
            }
            tokio::time::sleep(self.timing.heartbeat).await;
        }
    }

    async fn consider(&self, request: JoinRequest<Game>) -> JoinAnswer {
        let (worker, games) = match request {
            JoinRequest::Join { worker, protocol } => {
                return lock(&self.trust).answer(self.repeatable, &worker, protocol);
            }
            JoinRequest::Prove { worker, games } => (worker, games),
        };
        let wrong = lock(&self.trust).wrong_with(games);
        match wrong {
            None => JoinAnswer::Welcome,
            Some(reason) => {
                self.refuse(&worker, &reason).await;
                JoinAnswer::Refused { reason }
            }
        }
    }

    /// Believes a worker nothing any more.
    async fn refuse(&self, worker: &str, reason: &str) {
        lock(&self.trust).refused.insert(worker.to_owned(), reason.to_owned());
        // Whatever it sends is not taken, whether it hears of this or not.
        let _ = write(&self.bus, &self.key.refused(worker), &reason.to_owned()).await;
    }

    /// Plays here what must be: first games, and games of others again.
    pub(crate) async fn play_here(
        self: Arc<Self>,
        shipped: Shipped,
        mut orders: mpsc::Receiver<Here>,
        heard: mpsc::Sender<Heard>,
    ) {
        let mut player = None;
        // What does not repeat is at least replayed by the rules.
        let experiment = if self.repeatable { None } else { shipped.open().ok() };
        while let Some(order) = orders.recv().await {
            match order {
                Here::First(orders) => {
                    for order in orders {
                        self.play_first(&shipped, &mut player, order, &heard).await;
                    }
                }
                Here::Again { worker, game, keys } => {
                    let wrong = match &experiment {
                        Some(experiment) => against_rules(experiment, &game),
                        None => self.differs(&shipped, &mut player, &game, keys).await,
                    };
                    if let Some(what) = wrong {
                        let (run, number) = (self.run.clone(), game.0.number);
                        let reason = format!("game {number} comes out otherwise here: {what}");
                        self.refuse(&worker, &reason).await;
                        self.alarm(ClusterError::Untrue { worker, run, number, what });
                    }
                }
            }
        }
    }

    async fn play_first(
        &self,
        shipped: &Shipped,
        player: &mut Option<Player>,
        order: GameOrder,
        heard: &mpsc::Sender<Heard>,
    ) {
        let number = order.number;
        let keys = order.keys.clone();
        let what = match play_with(shipped, player, order).await {
            Ok((mut row, record)) => {
                row.program = Some(self.program.clone());
                row.host = Some(self.host.clone());
                lock(&self.trust).known.push((row.clone(), record.clone(), keys));
                Heard::Game(Box::new((row, record)))
            }
            Err(PlayerFault::Said(what) | PlayerFault::Gone(what)) => Heard::Fault(number, what),
        };
        let _ = heard.send(what).await;
    }

    /// Where a game comes out otherwise here.
    async fn differs(
        &self,
        shipped: &Shipped,
        player: &mut Option<Player>,
        (row, record): &Game,
        keys: KeysOfBoth,
    ) -> Option<String> {
        let order = GameOrder { number: row.number, keys };
        // That it cannot be played here proves nothing about others.
        let (again, again_record) = play_with(shipped, player, order).await.ok()?;
        difference((row, &record.to_json()), (&again, again_record))
    }
}

/// Plays a game in a player that is started where there is none.
async fn play_with(
    shipped: &Shipped,
    slot: &mut Option<Player>,
    order: GameOrder,
) -> Result<Game, PlayerFault> {
    let mut player = match slot.take() {
        Some(player) => player,
        None => Player::start(shipped, None).await?,
    };
    let played = player.play(order).await;
    if !matches!(played, Err(PlayerFault::Gone(_))) {
        *slot = Some(player);
    }
    played
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
