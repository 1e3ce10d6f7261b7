//! How a coordinator lets games be played: it hands them out, hears reports, and says what it waits for.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::message::PublishMessage;
use gamecore::StopToken;
use lab::run::{Numbered, RunError, Wanted, asked_otherwise};
use protocol::{Chunk, ChunkReport, Fault, GameOrder, pack};
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::Game;
use crate::access::lock;
use crate::board::nonce;
use crate::coordinator::{Coordinator, GLANCE, Heard, PATIENCE, PAUSE, Shared};
use crate::error::ClusterError;
use crate::here::{Again, Here};

/// First games that may fail here before it is said that none can be played.
const MOST_FIRST: usize = 8;

/// What a run waits for, and whether that was told.
#[derive(Default)]
pub(crate) struct Waiting {
    since: Option<Instant>,
    told: Option<String>,
}

impl Waiting {
    /// What is to be told of what is waited for, which must last so long.
    fn news(&mut self, now: Option<String>, at_least: Duration) -> Option<String> {
        let Some(now) = now else {
            self.since = None;
            return self.told.take().map(|_| "the run goes on".to_owned());
        };
        let lasts = self.since.get_or_insert_with(Instant::now).elapsed() >= at_least;
        let is_new = lasts && self.told.as_ref() != Some(&now);
        is_new.then(|| self.told.insert(now).clone())
    }
}

/// What came, as far as it is believed.
#[derive(Default)]
struct Sorted {
    games: Vec<Game>,
    faults: Vec<Fault>,
    /// Who reports the faults.
    by: String,
    message: Option<Box<Message>>,
}

impl Coordinator<'_> {
    pub(crate) async fn play_all(
        &self,
        wanted: &Wanted<'_>,
        stop: &StopToken,
        hear: &(dyn Fn(Numbered) -> Result<(), RunError> + Sync),
    ) -> Result<(), RunError> {
        let mut open: BTreeSet<u64> = wanted.numbers.iter().copied().collect();
        let tell = |game: Game| {
            self.shared.stored.fetch_add(1, Ordering::Relaxed);
            hear(game)
        };
        let kept = lock(&self.desk).ask(wanted.numbers, wanted.ahead);
        for game in kept {
            open.remove(&game.0.number);
            tell(game)?;
        }
        let mut left_out: Vec<(u64, String)> = Vec::new();
        let mut heard = self.heard.lock().await;
        let mut glance = interval(GLANCE);
        glance.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut news = Instant::now();
        while !open.is_empty() && !stop.is_stopped() {
            self.check_alarm()?;
            if self.begin_here(wanted)? {
                self.hand_out(wanted).await?;
            }
            let what = tokio::select! {
                what = heard.recv() => what,
                _ = glance.tick() => None,
            };
            self.tell_checked_sometimes()?;
            let Some(what) = what else {
                self.say_what_is_missing();
                if news.elapsed() > PATIENCE * self.shared.timing.heartbeat {
                    self.look_for_lost().await;
                    news = Instant::now();
                }
                continue;
            };
            news = Instant::now();
            let Sorted { games, faults, by, message } = self.sort(what, wanted).await?;
            for game in games {
                let number = game.0.number;
                let is_asked = open.contains(&number);
                let news = lock(&self.desk).hear(game, is_asked);
                if let Some(game) = news {
                    tell(game)?;
                    open.remove(&number);
                }
            }
            let able = lock(&self.shared.census).able;
            for fault in faults {
                let given_up = lock(&self.desk).fail(fault, &by, able);
                left_out.extend(given_up.into_iter().filter(|(number, _)| open.remove(number)));
            }
            if let Some(message) = message {
                // If that is not heard, the report comes again, and is no news.
                let _ = message.ack().await;
            }
        }
        left_out.sort();
        match left_out.first() {
            Some((number, what)) if !stop.is_stopped() => {
                let (number, what, more) = (*number, what.clone(), left_out.len() - 1);
                Err(RunError::LeftOut { number, what, more })
            }
            _ => Ok(()),
        }
    }

    /// Whether the run cannot go on.
    fn check_alarm(&self) -> Result<(), RunError> {
        lock(&self.shared.alarm).take().map_or(Ok(()), |alarm| Err(alarm.into()))
    }

    /// Waits until all games of workers that are to be checked are.
    pub(crate) async fn await_checks(&self, stop: &StopToken) -> Result<(), RunError> {
        let mut is_told = false;
        let mut heard = self.heard.lock().await;
        let mut news = Instant::now();
        loop {
            let open = lock(&self.shared.checks).open();
            self.check_alarm()?;
            if open == 0 || stop.is_stopped() {
                return self.tell_checked();
            }
            self.tell_checked_sometimes()?;
            if !std::mem::replace(&mut is_told, true) {
                self.listener.waits(&format!("{open} games of workers are still to be checked"));
            }
            tokio::select! {
                Some(Heard::Report(report, message)) = heard.recv() => {
                    // Games that nobody asked for in the end are not wanted.
                    self.shared.hear_lent(&self.here, report);
                    let _ = message.ack().await;
                    news = Instant::now();
                }
                () = sleep(GLANCE / 4) => {}
            }
            if news.elapsed() > PATIENCE * self.shared.timing.heartbeat {
                self.look_for_lost().await;
                news = Instant::now();
            }
        }
    }

    /// Plays some games here where none is known that others could prove themselves with. Whether others may
    /// have games.
    fn begin_here(&self, wanted: &Wanted<'_>) -> Result<bool, RunError> {
        let shared = &self.shared;
        if !shared.repeatable || !lock(&shared.trust).is_empty() {
            return Ok(true);
        }
        let mut first = lock(&self.first);
        if first.0 == 0 {
            for number in lock(&self.desk).take_some() {
                let order = GameOrder { number, keys: wanted.keys(number)? };
                first.0 += usize::from(self.here.send(Here::First(order)).is_ok());
            }
        }
        Ok(false)
    }

    /// What came, as far as it is believed.
    async fn sort(&self, what: Heard, wanted: &Wanted<'_>) -> Result<Sorted, RunError> {
        match what {
            Heard::First(game) => {
                lock(&self.first).0 -= 1;
                Ok(Sorted { games: vec![*game], ..Sorted::default() })
            }
            Heard::NoFirst(number, what) => {
                let mut first = lock(&self.first);
                *first = (first.0 - 1, first.1 + 1);
                if first.1 >= MOST_FIRST && lock(&self.shared.trust).is_empty() {
                    let what = format!("game {number}: {what}");
                    return Err(ClusterError::FirstGames(what).into());
                }
                let faults = vec![Fault { numbers: vec![number], what, unheard: false }];
                let by = self.shared.host.clone();
                Ok(Sorted { faults, by, ..Sorted::default() })
            }
            Heard::Report(report, message) => {
                let message = Some(message);
                let Some(report) = self.shared.hear_lent(&self.here, report) else {
                    return Ok(Sorted { message, ..Sorted::default() });
                };
                // Nobody is to blame for the death of others.
                let is_unheard = report.faults.iter().any(|fault| fault.unheard);
                let by = if is_unheard { &report.chunk } else { &report.worker }.clone();
                let (games, faults) = self.believe(*report, wanted).await;
                Ok(Sorted { games, faults, by, message })
            }
        }
    }

    /// What a report says, as far as its worker is believed; some of it is played again.
    async fn believe(
        &self,
        report: ChunkReport<Game>,
        wanted: &Wanted<'_>,
    ) -> (Vec<Game>, Vec<Fault>) {
        let ChunkReport { worker, seconds, games, faults, returned, .. } = report;
        lock(&self.desk).give_back(returned.into_iter().rev());
        let asked = |(row, record): &Game| {
            let otherwise = asked_otherwise(wanted.experiment, row, record, wanted.tuning);
            let what = otherwise.unwrap_or_else(|error| Some(error.to_string()))?;
            Some(format!("it reports a game {} that nobody asked for: {what}", row.number))
        };
        // Nothing of the report is taken, and what was before is asked for.
        if let Some(reason) = games.iter().find_map(asked) {
            self.shared.refuse(&worker, &reason, None).await;
        }
        let mut trust = lock(&self.shared.trust);
        if trust.is_refused(&worker) {
            let failed = faults.into_iter().flat_map(|fault| fault.numbers);
            let numbers = games.iter().map(|(row, _)| row.number).chain(failed);
            lock(&self.desk).give_back(numbers);
            return (Vec::new(), Vec::new());
        }
        for (row, record) in &games {
            if trust.is_audited(&worker, row.number)
                && let Ok(keys) = wanted.keys(row.number)
            {
                let (worker, game) = (worker.clone(), Box::new((row.clone(), record.clone())));
                self.shared.owe(&self.here, Again { worker, game, keys });
            }
        }
        lock(&self.desk).note_pace(games.len(), seconds);
        (games, faults)
    }

    /// Says what the run waits for, if it does for more than a moment.
    fn say_what_is_missing(&self) {
        let at_least = self.shared.timing.heartbeat.max(Duration::from_secs(1));
        let news = lock(&self.waiting).news(self.shared.what_is_missing(), at_least);
        if let Some(news) = news {
            self.listener.waits(&news);
        }
    }

    /// Fills the queue of chunks.
    async fn hand_out(&self, wanted: &Wanted<'_>) -> Result<(), RunError> {
        let Shared { bus, key, timing, .. } = &*self.shared;
        let together = wanted.experiment.games_per_start();
        loop {
            let players = self.players();
            let numbers = lock(&self.desk).next(timing.chunk, players, together);
            let [first, ..] = numbers[..] else { return Ok(()) };
            let order = |&number: &u64| Ok(GameOrder { number, keys: wanted.keys(number)? });
            let games = numbers.iter().map(order).collect::<Result<_, RunError>>()?;
            let id = format!("{first}-{}", nonce()?);
            let message = PublishMessage::build()
                .payload(pack(&Chunk { id: id.clone(), games, again: None }).into())
                .message_id(id);
            let sent = bus.send(key.job_subject(), message).await;
            self.shared.note_trouble(&sent);
            if sent.is_err() {
                // A server that is away, is full, or has lost what it had.
                lock(&self.desk).give_back(numbers.into_iter().rev());
                sleep(PAUSE).await;
                let _ = self.shared.make_queues().await;
                return Ok(());
            }
        }
    }

    /// Hands out again what lies nowhere: finished is what is here, not what is gone from a queue.
    async fn look_for_lost(&self) {
        let Shared { bus, key, .. } = &*self.shared;
        if !lock(&self.desk).is_waiting() && lock(&self.shared.lent).is_empty() {
            return;
        }
        for name in [key.jobs(), key.reports()] {
            match bus.streams.get_stream(name).await {
                Ok(stream) if stream.cached_info().state.messages == 0 => {}
                // Somebody has it, or nobody can say.
                _ => return,
            }
        }
        lock(&self.desk).all_lost();
        self.shared.all_lent_lost(&self.here);
    }
}

impl Shared {
    /// What the run waits for, as far as that is known.
    fn what_is_missing(&self) -> Option<String> {
        let address = &self.bus.address;
        if !self.bus.is_connected() {
            return Some(format!(
                "the NATS server at {address} does not answer; the run goes on when it is back"
            ));
        }
        if let Some(trouble) = &*lock(&self.trouble) {
            return Some(format!(
                "the NATS server at {address} does not keep what it is sent ({trouble}); the run goes on when \
                 it does"
            ));
        }
        let census = lock(&self.census);
        if census.workers == 0 {
            return Some(format!("no worker is there; `warroom worker {address}` starts one"));
        }
        let (worker, reason) = census.unable.first_key_value()?;
        (census.unable.len() == census.workers).then(|| {
            format!("none of the {} workers plays this run; {worker}: {reason}", census.workers)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_waits_for_is_told_once_when_it_lasts() {
        let mut waiting = Waiting::default();
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(waiting.news(some("no worker"), Duration::from_hours(1)), None, "a moment");
        assert_eq!(waiting.news(some("no worker"), Duration::ZERO), some("no worker"));
        assert_eq!(waiting.news(some("no worker"), Duration::ZERO), None);
        assert_eq!(waiting.news(some("no server"), Duration::ZERO), some("no server"));
        assert_eq!(waiting.news(None, Duration::ZERO), some("the run goes on"));
        assert_eq!(waiting.news(None, Duration::ZERO), None);
    }
}
