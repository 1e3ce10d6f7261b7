//! Whole games looked through again: what agents think of every position, what every action cost,
//! and exact scores where they can be found. Told piece by piece; who closes the stream ends it.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::Stream;
use futures_util::stream::unfold;
use live::{LONGEST_GAME, Subject, adviser, agent};
use registry::{ResolvedAgent, SolverSettings};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinHandle;

use super::looking::{Analysis, spots};
use super::{MOST_ANALYSES, subject};
use crate::app::App;
use crate::dto::{AnalysisEvent, AnalysisQuery, Problem};
use crate::error::{Refusal, aside};
use crate::input::{Asked, Named};

/// Pieces that wait for a slow reader at most; the work waits with them.
const WAITING: usize = 64;
/// MiB of the solver's table.
const SOLVER_TABLE: usize = 32;

/// Looks a game through: a stream of events, each a piece of the analysis as JSON.
#[utoipa::path(
    get, path = "/api/games/{id}/analysis", tag = "insight", operation_id = "analyse_game",
    params(("id" = String, Path, description = "The id of the game"), AnalysisQuery),
    responses(
        (status = 200, description = "Server-sent events", content_type = "text/event-stream",
            body = AnalysisEvent),
        (status = 400, description = "No such agent, or too long a game", body = Problem),
        (status = 404, description = "No such game", body = Problem),
        (status = 409, description = "It would reveal hidden information", body = Problem),
        (status = 429, description = "Too many analyses are running", body = Problem),
    )
)]
pub(crate) async fn analyse(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(asked): Asked<AnalysisQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let subject = subject(&app, &id).await?;
    let length = subject.record.actions.len();
    if length > LONGEST_GAME {
        let reason = format!("game '{id}' has {length} actions: expected at most {LONGEST_GAME}");
        return Err(Refusal::bad(reason));
    }
    let agents = agents(&app, &subject, &asked)?;
    let actions = subject.record.actions.clone();
    let permit = app.insight.analyses.clone().try_acquire_owned().map_err(|_| {
        let reason =
            format!("{MOST_ANALYSES} analyses are already running; close one or try later");
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, reason)
    })?;
    let (events, pieces) = mpsc::channel(WAITING);
    let services = app.lobby.services.clone();
    let driver = tokio::spawn(async move {
        let prepared = aside(move || {
            let settings = SolverSettings { table_mb: SOLVER_TABLE, threads: 1 };
            let solver = subject.game.solver(settings);
            Ok((spots(&subject)?, solver, subject))
        });
        let ended = match prepared.await {
            Ok((spots, solver, subject)) => {
                Analysis::new(services, &subject, spots, agents, solver, events.clone()).run().await
            }
            Err(refusal) => Err(refusal),
        };
        if let Err(Refusal { reason, .. }) = ended {
            // A reader that is gone does not mind.
            drop(events.send(AnalysisEvent::Failed { error: reason }).await);
        }
    });
    let guard = Driving { driver, _permit: permit };
    let telling = Telling { pieces, told: Vec::new(), app, game: id, actions, _guard: guard };
    let stream = unfold(telling, async |mut telling| {
        let text = telling.next().await?;
        Some((Ok(Event::default().data(text)), telling))
    });
    Ok(Sse::new(stream).keep_alive(KeepAlive::default()))
}

fn agents(
    app: &App,
    subject: &Subject,
    asked: &AnalysisQuery,
) -> Result<Vec<ResolvedAgent>, Refusal> {
    let threads = app.lobby.services.pool.threads();
    let named = |spec: &Option<String>| {
        let spec = spec.as_deref().filter(|spec| !spec.is_empty())?;
        Some(agent(&*subject.game, spec, threads))
    };
    let first = named(&asked.agent).unwrap_or_else(|| adviser(&*subject.game, 1))?;
    let second = named(&asked.second).transpose()?;
    Ok(std::iter::once(first).chain(second).collect())
}

/// The last analysis of a game as it is now, if one was finished: its events, or none.
#[utoipa::path(
    get, path = "/api/games/{id}/analysis/last", tag = "insight", operation_id = "last_analysis",
    params(("id" = String, Path, description = "The id of the game")),
    responses(
        (status = 200, description = "The last analysis", body = Vec<AnalysisEvent>),
        (status = 404, description = "No such game", body = Problem),
    )
)]
pub(crate) async fn last(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Response, Refusal> {
    let kept = match subject(&app, &id).await {
        Ok(subject) => app.insight.finished.find(&id, &subject.record.actions),
        // What must not be told now was not looked through either.
        Err(refusal) if refusal.status == StatusCode::CONFLICT => None,
        Err(refusal) => return Err(refusal),
    };
    let events = kept.as_deref().unwrap_or("[]").to_owned();
    Ok(([(header::CONTENT_TYPE, "application/json")], events).into_response())
}

/// An analysis that is told to somebody, and kept when all of it was.
struct Telling {
    pieces: mpsc::Receiver<AnalysisEvent>,
    told: Vec<String>,
    app: Arc<App>,
    game: String,
    actions: Vec<String>,
    _guard: Driving,
}

impl Telling {
    /// The next event; `None` after the last.
    async fn next(&mut self) -> Option<String> {
        let piece = self.pieces.recv().await?;
        let text = serde_json::to_string(&piece).expect("a piece is plain data");
        self.told.push(text.clone());
        if matches!(piece, AnalysisEvent::Done { .. }) {
            let actions = std::mem::take(&mut self.actions);
            self.app.insight.finished.keep(&self.game, actions, &self.told);
        }
        Some(text)
    }
}

/// The work behind a stream; it ends with it.
struct Driving {
    driver: JoinHandle<()>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Driving {
    fn drop(&mut self) {
        self.driver.abort();
    }
}
