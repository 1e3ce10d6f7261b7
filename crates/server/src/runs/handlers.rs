//! Runs over HTTP.
#![allow(unused_qualifications, reason = "the description's macro writes paths")]

use std::sync::Arc;

use arena::GameRecord;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use gamecore::{Outcome, short_hash};
use live::{LONGEST_NAME, agent};

use super::{Runs, examples, follow};
use crate::app::App;
use crate::dto::{
    CompareQuery, ExperimentCheck, ExperimentList, ExperimentRequest, NewGame, OpenedGame, Player,
    Problem, RunCard, RunComparison, RunDetail, RunEvent, RunGames, RunGamesQuery, RunList,
    WorkerList,
};
use crate::error::{Refusal, aside};
use crate::input::{Asked, Body, Named};
use crate::table::Message;

/// A report needs nothing but itself, and may stand in our own page.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/// Letters and digits of a game's id after the first.
const ID_DIGITS: usize = 9;

/// Does something with the runs where nobody waits for anything else.
async fn with_runs<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&Runs) -> Result<T, Refusal> + Send + 'static,
) -> Result<Json<T>, Refusal> {
    let runs = app.runs.clone();
    aside(move || work(&runs)).await.map(Json)
}

/// The experiments that come with the program.
#[utoipa::path(
    get, path = "/api/experiments", tag = "runs",
    responses((status = 200, description = "All of them", body = ExperimentList))
)]
pub(crate) async fn list_experiments(
    State(app): State<Arc<App>>,
) -> Result<Json<ExperimentList>, Refusal> {
    with_runs(&app, |runs| Ok(ExperimentList { experiments: examples::experiments(&runs.known) }))
        .await
}

/// Says what is wrong with a text, or what it would play.
#[utoipa::path(
    post, path = "/api/experiments/check", tag = "runs", request_body = ExperimentRequest,
    responses(
        (status = 200, description = "What it is", body = ExperimentCheck),
        (status = 400, description = "Not an experiment", body = Problem),
    )
)]
pub(crate) async fn check_experiment(
    State(app): State<Arc<App>>,
    Body(asked): Body<ExperimentRequest>,
) -> Result<Json<ExperimentCheck>, Refusal> {
    with_runs(&app, move |runs| runs.check(&asked)).await
}

/// Shows the machines that play runs, if this server was started with some.
#[utoipa::path(
    get, path = "/api/workers", tag = "runs",
    responses((status = 200, description = "Who is there", body = WorkerList))
)]
pub(crate) async fn list_workers(State(app): State<Arc<App>>) -> Result<Json<WorkerList>, Refusal> {
    with_runs(&app, |runs| Ok(runs.workers())).await
}

/// Starts an experiment, or goes on with its run.
#[utoipa::path(
    post, path = "/api/runs", tag = "runs", request_body = ExperimentRequest,
    responses(
        (status = 201, description = "It is played", body = RunCard),
        (status = 400, description = "It cannot be played", body = Problem),
        (status = 409, description = "Another one is being played", body = Problem),
    )
)]
pub(crate) async fn start_run(
    State(app): State<Arc<App>>,
    Body(asked): Body<ExperimentRequest>,
) -> Result<(StatusCode, Json<RunCard>), Refusal> {
    let card = with_runs(&app, move |runs| runs.card(&runs.start(&asked)?)).await?;
    Ok((StatusCode::CREATED, card))
}

/// Lists runs, the last ones first.
#[utoipa::path(
    get, path = "/api/runs", tag = "runs",
    responses((status = 200, description = "All of them", body = RunList))
)]
pub(crate) async fn list_runs(State(app): State<Arc<App>>) -> Result<Json<RunList>, Refusal> {
    with_runs(&app, |runs| Ok(RunList { runs: runs.cards()? })).await
}

/// Shows a run.
#[utoipa::path(
    get, path = "/api/runs/{id}", tag = "runs",
    params(("id" = String, Path, description = "The id of the run")),
    responses(
        (status = 200, description = "The run", body = RunDetail),
        (status = 404, description = "No such run", body = Problem),
    )
)]
pub(crate) async fn show_run(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Json<RunDetail>, Refusal> {
    with_runs(&app, move |runs| runs.detail(&id)).await
}

/// Follows a run: server-sent events until it ends.
#[utoipa::path(
    get, path = "/api/runs/{id}/events", tag = "runs",
    params(("id" = String, Path, description = "The id of the run")),
    responses(
        (status = 200, description = "News", body = RunEvent, content_type = "text/event-stream"),
        (status = 404, description = "No such run", body = Problem),
    )
)]
pub(crate) async fn follow_run(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Response, Refusal> {
    let asked = id.clone();
    let runs = app.runs.clone();
    aside(move || runs.run(&asked)).await?;
    Ok(follow::follow(app.runs.clone(), id).into_response())
}

/// Stops a run that is played here; every finished game is kept.
#[utoipa::path(
    post, path = "/api/runs/{id}/stop", tag = "runs",
    params(("id" = String, Path, description = "The id of the run")),
    responses(
        (status = 200, description = "It is stopped", body = RunCard),
        (status = 404, description = "No such run", body = Problem),
        (status = 409, description = "It is not played here", body = Problem),
    )
)]
pub(crate) async fn stop_run(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Json<RunCard>, Refusal> {
    with_runs(&app, move |runs| runs.card(&runs.stop(&id)?)).await
}

/// Goes on with a run.
#[utoipa::path(
    post, path = "/api/runs/{id}/resume", tag = "runs",
    params(("id" = String, Path, description = "The id of the run")),
    responses(
        (status = 200, description = "It is played", body = RunCard),
        (status = 404, description = "No such run", body = Problem),
        (status = 409, description = "It cannot be continued now", body = Problem),
    )
)]
pub(crate) async fn resume_run(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Json<RunCard>, Refusal> {
    with_runs(&app, move |runs| runs.card(&runs.resume(&id)?)).await
}

/// The report on a run, one page without anything else.
#[utoipa::path(
    get, path = "/api/runs/{id}/report", tag = "runs",
    params(("id" = String, Path, description = "The id of the run")),
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html"),
        (status = 404, description = "No such run", body = Problem),
    )
)]
pub(crate) async fn report_run(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Response, Refusal> {
    let Json(page) = with_runs(&app, move |runs| {
        let run = runs.run(&id)?;
        let report = lab::report::of_run(&runs.known, &runs.store, &run);
        report.map(|report| report.html()).map_err(|error| Refusal::storage(error.to_string()))
    })
    .await?;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, page).into_response())
}

/// A part of the games of a run.
#[utoipa::path(
    get, path = "/api/runs/{id}/games", tag = "runs",
    params(("id" = String, Path, description = "The id of the run"), RunGamesQuery),
    responses(
        (status = 200, description = "A part of the list", body = RunGames),
        (status = 404, description = "No such run", body = Problem),
    )
)]
pub(crate) async fn list_run_games(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(asked): Asked<RunGamesQuery>,
) -> Result<Json<RunGames>, Refusal> {
    with_runs(&app, move |runs| runs.games(&id, &asked)).await
}

/// Puts a game of a run among the games, so that it can be looked at.
#[utoipa::path(
    post, path = "/api/runs/{id}/games/{number}", tag = "runs",
    params(
        ("id" = String, Path, description = "The id of the run"),
        ("number" = u64, Path, description = "The number of the game"),
    ),
    responses(
        (status = 200, description = "It can be opened, as it was played", body = OpenedGame),
        (status = 404, description = "No such run or game", body = Problem),
        (status = 409, description = "It cannot be shown", body = Problem),
    )
)]
pub(crate) async fn open_run_game(
    State(app): State<Arc<App>>,
    Named((id, number)): Named<(String, u64)>,
) -> Result<Json<OpenedGame>, Refusal> {
    let run = id.clone();
    let Json(asked) = with_runs(&app, move |runs| runs.game_to_show(&run, number)).await?;
    let recorded = asked.record.as_deref().and_then(|text| GameRecord::from_json(text).ok());
    let mut copy = 0;
    loop {
        let digits = short_hash(format!("{id}/{number}/{copy}"));
        let name = format!("r{}", &digits[..ID_DIGITS]);
        if app.lobby.services.keeper.game(&name).await?.is_none() {
            app.lobby.create_as(name.clone(), asked).await?;
            return Ok(Json(OpenedGame { id: name }));
        }
        let kept: GameRecord = app.lobby.ask(&name, Message::Record).await??;
        if recorded.as_ref().is_some_and(|recorded| recorded.actions == kept.actions) {
            return Ok(Json(OpenedGame { id: name }));
        }
        // Somebody took something back there and went on otherwise; that game is theirs.
        copy += 1;
    }
}

/// Compares two runs of one game.
#[utoipa::path(
    get, path = "/api/compare", tag = "runs", params(CompareQuery),
    responses(
        (status = 200, description = "Side by side", body = RunComparison),
        (status = 400, description = "They cannot be compared", body = Problem),
        (status = 404, description = "No such run", body = Problem),
    )
)]
pub(crate) async fn compare_runs(
    State(app): State<Arc<App>>,
    Asked(asked): Asked<CompareQuery>,
) -> Result<Json<RunComparison>, Refusal> {
    with_runs(&app, move |runs| runs.compare(&asked.a, &asked.b)).await
}

impl Runs {
    /// A recorded game as one that can be made here: agents that the app does not know sit there by
    /// name only.
    fn game_to_show(&self, id: &str, number: u64) -> Result<NewGame, Refusal> {
        let run = self.run(id)?;
        let text = self.store.record(&run, number)?;
        let record = GameRecord::from_json(&text).map_err(|error| {
            Refusal::conflict(format!("game {number} of run '{id}' cannot be read: {error}"))
        })?;
        if record.outcome == Outcome::Void {
            let reason = format!("game {number} of run '{id}' is void: {}", record.reason);
            return Err(Refusal::conflict(reason));
        }
        let game = self.known.open(&record.game, &record.rules)?;
        // Those who really played: a tuning changes its agent from game to game.
        let seats = record.agents.each_ref().map(|spec| match agent(&*game, spec, 1) {
            Ok(_) => Player::Agent { spec: spec.clone() },
            Err(_) => {
                let shown = |letter: &char| !letter.is_control();
                Player::Human { name: spec.chars().filter(shown).take(LONGEST_NAME).collect() }
            }
        });
        Ok(NewGame {
            game: String::new(),
            seats,
            rules: String::new(),
            setups: [const { String::new() }; 2],
            clock: None,
            position: None,
            record: Some(text),
            seed: None,
            replaces: None,
        })
    }
}
