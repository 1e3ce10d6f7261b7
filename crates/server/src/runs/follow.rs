//! Runs as they go on, played here or by another program on the same database.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use lab::run::spec_of;

use super::{Runs, cards};
use crate::dto::{RunEvent, RunProgress, RunState, StandingCard};
use crate::error::{Refusal, aside};

/// How often is looked.
const LOOK_EVERY: Duration = Duration::from_millis(300);
/// The best that are told while games are played.
const MOST_LEADERS: usize = 5;

/// Somebody who follows a run.
struct Follower {
    runs: Arc<Runs>,
    id: String,
    /// The games there were and when, to know the pace of another program.
    first: Option<(Instant, u64)>,
    told: Option<RunProgress>,
    ended: bool,
}

/// The news of a run until it ends.
pub(super) fn follow(
    runs: Arc<Runs>,
    id: String,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let follower = Follower { runs, id, first: None, told: None, ended: false };
    let news = stream::unfold(follower, async |mut follower| {
        let event = follower.next().await?;
        let text = serde_json::to_string(&event).expect("events are plain data");
        Some((Ok(Event::default().data(text)), follower))
    });
    Sse::new(news).keep_alive(KeepAlive::default())
}

impl Follower {
    /// The next news; `None` after the last.
    async fn next(&mut self) -> Option<RunEvent> {
        loop {
            if self.ended {
                return None;
            }
            if self.told.is_some() {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            let (runs, id) = (self.runs.clone(), self.id.clone());
            let progress = match aside(move || runs.progress(&id)).await {
                Ok(progress) => self.with_pace(progress),
                Err(refusal) => {
                    // It was there a moment ago; the reader asks again.
                    self.ended = true;
                    drop(refusal);
                    return None;
                }
            };
            let over = progress.card.state != RunState::Running;
            if over && self.told.is_some() {
                self.ended = true;
                return Some(RunEvent::Ended { card: progress.card });
            }
            if self.told.as_ref() != Some(&progress) {
                self.told = Some(progress.clone());
                return Some(RunEvent::Progress(progress));
            }
        }
    }

    /// Completes what only somebody who looks twice can know.
    fn with_pace(&mut self, mut progress: RunProgress) -> RunProgress {
        let now = Instant::now();
        let (since, games) = *self.first.get_or_insert((now, progress.card.played));
        let seconds = now.duration_since(since).as_secs_f64();
        if !progress.card.here && seconds > 1.0 {
            progress.games_per_second = progress.card.played.saturating_sub(games) as f64 / seconds;
        }
        let pace = progress.games_per_second;
        let missing = progress.card.planned.saturating_sub(progress.card.played) as f64;
        let running = progress.card.state == RunState::Running;
        progress.seconds_left = (running && pace > 0.0).then(|| missing / pace);
        progress
    }
}

impl Runs {
    /// How far a run is now.
    fn progress(&self, id: &str) -> Result<RunProgress, Refusal> {
        let run = self.run(id)?;
        let pace = self.pace(id);
        let leaders = match (&pace, spec_of(&run)) {
            (Some(pace), Ok(spec)) => {
                let ranked = pace.seen().1.ranked();
                let card = |&(player, points, games): &(usize, f64, u64)| StandingCard {
                    name: spec.players[player].name.clone(),
                    games,
                    score: cards::share(points, games),
                    elo: None,
                };
                ranked.iter().take(MOST_LEADERS).map(card).collect()
            }
            _ => Vec::new(),
        };
        Ok(RunProgress {
            card: self.card(&run)?,
            games_per_second: pace.map_or(0.0, |pace| pace.games_per_second()),
            seconds_left: None,
            leaders,
        })
    }
}
