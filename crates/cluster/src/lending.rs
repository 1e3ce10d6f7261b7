//! Games of workers that other workers play again, where the coordinator has more of them to check than cores. Where
//! the two differ, it plays the game itself: so a difference is proof whoever found it.

use async_nats::jetstream::message::PublishMessage;
use lab::run::difference;
use protocol::{Chunk, ChunkReport, GameOrder, pack};
use tokio::sync::mpsc;

use crate::Game;
use crate::access::lock;
use crate::board::nonce;
use crate::coordinator::Shared;
use crate::here::{Again, Here};

/// How the names of such chunks begin.
const AGAIN: &str = "again-";

/// Games lent at a time, for every game that the workers play at a time.
const MOST: usize = 2;

impl Shared {
    /// Gives a game to another worker; back if nobody else may have it.
    pub(crate) async fn lend(&self, again: Again) -> Option<Again> {
        let players = self.players.load(std::sync::atomic::Ordering::Relaxed);
        let is_full = lock(&self.lent).len() >= MOST * players;
        if !self.repeatable || is_full || lock(&self.census).able < 2 {
            return Some(again);
        }
        let Ok(nonce) = nonce() else { return Some(again) };
        let Again { worker, game, keys } = &again;
        let order = GameOrder { number: game.0.number, keys: keys.clone() };
        let id = format!("{AGAIN}{nonce}");
        let chunk = Chunk { id: id.clone(), games: vec![order], again: Some(worker.clone()) };
        let message = PublishMessage::build().payload(pack(&chunk).into()).message_id(id.clone());
        // It may be played before the server has said that it has it.
        lock(&self.lent).insert(id.clone(), again);
        match self.bus.send(self.key.job_subject(), message).await {
            Ok(()) => None,
            Err(_) => lock(&self.lent).remove(&id),
        }
    }

    /// Hears a report if it is of a game that was lent, and plays here whatever is not plain; gives back one of games
    /// of the schedule.
    pub(crate) fn hear_lent(
        &self,
        here: &mpsc::UnboundedSender<Here>,
        report: Box<ChunkReport<Game>>,
    ) -> Option<Box<ChunkReport<Game>>> {
        if !report.chunk.starts_with(AGAIN) {
            return Some(report);
        }
        // One that came twice, or of a coordinator before this one.
        let again = lock(&self.lent).remove(&report.chunk)?;
        let is_believed = !lock(&self.trust).is_refused(&report.worker);
        match compare(&again, *report).filter(|_| is_believed) {
            Some(Ok(number)) => {
                let mut checks = lock(&self.checks);
                checks.is_alike(number);
                checks.by_others += 1;
            }
            Some(Err(other)) => {
                self.owe(here, other);
                drop(here.send(Here::Again(again)));
            }
            None => drop(here.send(Here::Again(again))),
        }
        None
    }

    /// Nobody has what was lent.
    pub(crate) fn all_lent_lost(&self, here: &mpsc::UnboundedSender<Here>) {
        for again in std::mem::take(&mut *lock(&self.lent)).into_values() {
            drop(here.send(Here::Again(again)));
        }
    }
}

/// The number of a game that came out as it was, or the game as the other worker played it. Nothing if it did not.
fn compare(again: &Again, report: ChunkReport<Game>) -> Option<Result<u64, Again>> {
    let ChunkReport { worker, mut games, .. } = report;
    let (row, record) = &*again.game;
    let (other, other_record) = games.pop().filter(|(other, _)| other.number == row.number)?;
    let differs = difference((row, &record.to_json()), (&other, other_record.clone())).is_some();
    let game = Box::new((other, other_record));
    Some(if differs {
        Err(Again { worker, game, keys: again.keys.clone() })
    } else {
        Ok(row.number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: u64, turns: u64) -> Game {
        let record = serde_json::json!({
            "schema": "warroom-game-1", "game": "g", "rules": "", "start": "",
            "seeds": { "start": 1, "chance": 2, "agents": [3, 4] }, "agents": ["a", "b"],
            "actions": [], "chance": [], "outcome": "draw", "reason": "equal",
        });
        let record = arena::GameRecord::from_json(&record.to_string()).unwrap();
        (store::GameRow { number, turns, ..store::GameRow::default() }, record)
    }

    #[test]
    fn a_game_that_another_worker_played_is_alike_or_both_are_to_be_judged() {
        let again = Again { worker: "ann".into(), game: Box::new(game(7, 1)), keys: [None, None] };
        let compared = |games: Vec<Game>| {
            let report = ChunkReport {
                chunk: "again-1".into(),
                worker: "bob".into(),
                seconds: 1.0,
                games,
                faults: Vec::new(),
                returned: Vec::new(),
            };
            let told = compare(&again, report)?;
            Some(told.map_err(|other| (other.worker, other.game.0.turns)))
        };
        assert_eq!(compared(vec![game(7, 1)]), Some(Ok(7)));
        assert_eq!(compared(vec![game(7, 2)]), Some(Err(("bob".into(), 2))));
        assert_eq!(compared(vec![game(8, 1)]), None, "not what was asked for");
        assert_eq!(compared(Vec::new()), None, "given back, or failed");
    }
}
