//! Who may play: a worker proves itself by games of this run, played again to the last node; who is proved to
//! play otherwise is refused, by this coordinator and by those after it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use lab::run::{Draw, Known, difference, thought};
use protocol::{GameOrder, JoinAnswer, JoinRequest, PROTOCOL, Refusal, pack, unpack};

use crate::Game;
use crate::access::lock;
use crate::board::{refusals, write};
use crate::coordinator::Shared;
use crate::error::ClusterError;

/// Games that a worker replays at most before it plays, and seconds of thought; one game however long it is.
const MOST_PROOFS: usize = 8;
const MOST_SECONDS: f64 = 30.0;

/// What is known of who may play.
#[derive(Default)]
pub(crate) struct Trust {
    /// Games to replay; nothing if there is none yet.
    known: Vec<Known>,
    /// Workers that may not play.
    refused: BTreeMap<String, Refusal>,
    /// Which games are to be played again.
    draw: Draw,
    /// Workers of which a game was heard.
    seen: BTreeSet<String>,
}

impl Trust {
    /// With these games of the run, of which the first tell most.
    pub(crate) fn new(known: Vec<Known>, draw: Draw) -> Self {
        Self { known, draw, ..Self::default() }
    }

    /// The games that a worker is to replay: as many as cost little.
    fn proofs(&self) -> impl Iterator<Item = &Known> {
        let mut seconds = 0.0;
        let mut left = MOST_PROOFS;
        let fits = move |(row, ..): &&Known| {
            let is_first = left == MOST_PROOFS;
            let fits = left > 0 && (is_first || seconds + thought(row) <= MOST_SECONDS);
            if fits {
                seconds += thought(row);
                left -= 1;
            }
            fits
        };
        self.known.iter().filter(fits)
    }

    pub(crate) fn is_refused(&self, worker: &str) -> bool {
        self.refused.contains_key(worker)
    }

    /// One more game that is known.
    pub(crate) fn know(&mut self, game: Known) {
        self.known.push(game);
    }

    /// Machines that played games of the run otherwise than they come out, and how that is known.
    pub(crate) fn untrue(&self) -> BTreeMap<String, String> {
        let of_run = |refusal: &Refusal| Some((refusal.host.clone()?, refusal.reason.clone()));
        self.refused.values().filter_map(of_run).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether a game of a worker is to be played again: its first, and later some.
    pub(crate) fn is_audited(&mut self, worker: &str, number: u64) -> bool {
        self.seen.insert(worker.to_owned()) || self.draw.holds(number)
    }

    fn answer(&self, repeatable: bool, worker: &str, protocol: u32) -> JoinAnswer {
        if protocol != PROTOCOL {
            let reason = format!(
                "it speaks form {protocol} of the protocol, the coordinator form {PROTOCOL}"
            );
            return JoinAnswer::Refused { reason };
        }
        if let Some(Refusal { reason, .. }) = self.refused.get(worker) {
            return JoinAnswer::Refused { reason: reason.clone() };
        }
        if !repeatable {
            return JoinAnswer::Welcome;
        }
        if self.known.is_empty() {
            return JoinAnswer::Wait;
        }
        let order = |(row, _, keys): &Known| GameOrder { number: row.number, keys: keys.clone() };
        JoinAnswer::Prove { games: self.proofs().map(order).collect() }
    }

    /// What the games show that a worker replayed. Those that another coordinator asked for show nothing.
    fn judge(&self, games: Vec<Game>) -> JoinAnswer {
        let mut left: BTreeMap<u64, Game> =
            games.into_iter().map(|game| (game.0.number, game)).collect();
        let mut answer = JoinAnswer::Wait;
        for (row, record, _) in &self.known {
            // A game that became known since it was asked.
            let Some((again, again_record)) = left.remove(&row.number) else { continue };
            if let Some(what) = difference((row, &record.to_json()), (&again, again_record)) {
                let number = row.number;
                let reason = format!("game {number} of this run comes out otherwise there: {what}");
                return JoinAnswer::Refused { reason };
            }
            answer = JoinAnswer::Welcome;
        }
        answer
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
        let answer = lock(&self.trust).judge(games);
        if let JoinAnswer::Refused { reason } = &answer {
            // Nothing that it played is in the run.
            self.refuse(&worker, reason, None).await;
        }
        answer
    }

    /// Believes a worker nothing any more; its machine is named if games of it are in the run.
    pub(crate) async fn refuse(&self, worker: &str, reason: &str, host: Option<String>) {
        let refusal = Refusal { reason: reason.to_owned(), host };
        lock(&self.trust).refused.insert(worker.to_owned(), refusal.clone());
        // Whatever it sends is not taken, whether it hears of this or not.
        let _ = write(&self.bus, &self.key.refused(worker), &refusal).await;
    }

    /// Believes those no more whom a coordinator before did not believe.
    pub(crate) async fn remember_refused(&self) -> Result<(), ClusterError> {
        let refused = refusals(&self.bus, &self.key).await?;
        lock(&self.trust).refused.extend(refused);
        Ok(())
    }

    /// Writes anew who is refused, which the server would forget after a while.
    pub(crate) async fn renew_refused(&self) {
        let refused = lock(&self.trust).refused.clone();
        for (worker, refusal) in refused {
            let _ = write(&self.bus, &self.key.refused(&worker), &refusal).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(number: u64) -> Known {
        let record = serde_json::json!({
            "schema": "warroom-game-1", "game": "g", "rules": "", "start": "",
            "seeds": { "start": 1, "chance": 2, "agents": [3, 4] }, "agents": ["a", "b"],
            "actions": [], "chance": [], "outcome": "draw", "reason": "equal",
        });
        let record = arena::GameRecord::from_json(&record.to_string()).unwrap();
        (store::GameRow { number, ..store::GameRow::default() }, record, [None, None])
    }

    #[test]
    fn whoever_is_refused_stays_out_and_its_machine_is_known() {
        let mut trust = Trust::new(vec![known(3)], Draw::default());
        assert!(matches!(trust.answer(true, "ann", PROTOCOL), JoinAnswer::Prove { .. }));
        let refusal = |host: Option<&str>| Refusal {
            reason: "game 3 comes out otherwise here".into(),
            host: host.map(str::to_owned),
        };
        trust.refused.insert("ann".into(), refusal(Some("attic")));
        trust.refused.insert("bob".into(), refusal(None));
        for worker in ["ann", "bob"] {
            assert!(trust.is_refused(worker));
            assert!(matches!(trust.answer(true, worker, PROTOCOL), JoinAnswer::Refused { .. }));
        }
        assert!(!trust.is_refused("eve"));
        assert_eq!(trust.untrue().into_keys().collect::<Vec<_>>(), ["attic"]);
    }

    #[test]
    fn a_worker_proves_itself_by_games_of_the_run_and_no_others() {
        let trust = Trust::new((0..20).map(known).collect(), Draw::default());
        let JoinAnswer::Prove { games } = trust.answer(true, "ann", PROTOCOL) else { panic!() };
        assert_eq!(games.len(), MOST_PROOFS);
        let game = |number, turns| {
            let (row, record, _) = known(number);
            (store::GameRow { turns, ..row }, record)
        };
        let alike = trust.judge(vec![game(99, 7), game(0, 0), game(1, 0)]);
        assert!(matches!(alike, JoinAnswer::Welcome));
        let JoinAnswer::Refused { reason } = trust.judge(vec![game(0, 0), game(1, 7)]) else {
            panic!()
        };
        assert!(reason.contains("game 1"), "{reason}");
        // What another coordinator asked for speaks neither for a worker nor against it.
        for nothing in [vec![game(99, 7)], Vec::new()] {
            assert!(matches!(trust.judge(nothing), JoinAnswer::Wait));
        }
    }

    #[test]
    fn a_proof_is_bounded_by_thought() {
        let long = |number: u64, seconds: f64| {
            let (row, record, keys) = known(number);
            (store::GameRow { seconds: [seconds / 2.0; 2], ..row }, record, keys)
        };
        let numbers = |seconds: &[f64]| -> Vec<u64> {
            let known = (0..).zip(seconds).map(|(number, &seconds)| long(number, seconds));
            let trust = Trust::new(known.collect(), Draw::default());
            trust.proofs().map(|(row, ..)| row.number).collect()
        };
        assert_eq!(numbers(&[1000.0, 1.0]), [0], "one game at least");
        assert_eq!(numbers(&[10.0, 40.0, 12.0, 5.0, 8.0]), [0, 2, 3], "what fits of what comes");
        assert_eq!(numbers(&[1.0; 20]).len(), MOST_PROOFS);
    }

    #[test]
    fn the_first_game_of_a_worker_is_played_again_and_what_is_drawn() {
        let mut trust = Trust::default();
        assert!(trust.is_audited("ann", 5) && trust.is_audited("bob", 5));
        let later = (0..2_000).filter(|&number| trust.is_audited("ann", number));
        let drawn = (0..2_000).filter(|&number| Draw::default().holds(number));
        assert_eq!(later.collect::<Vec<u64>>(), drawn.collect::<Vec<u64>>());
    }
}
