//! The router: every address, its limits and its guards.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router, middleware};
use tokio::sync::{Semaphore, mpsc};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::dto::{Catalog, Health};
use crate::error::Refusal;
use crate::insight::{self, Insight};
use crate::limits::Limits;
use crate::lobby::Lobby;
use crate::runs::{self, Runs};
use crate::security::{self, Guard};
use crate::{catalog, games, guide, page};

/// Between speed and size: assets are packed when they are asked for.
const PACKING: i32 = 5;

/// What every handler may use.
pub(crate) struct App {
    pub(crate) lobby: Lobby,
    pub(crate) guard: Guard,
    pub(crate) runs: Arc<Runs>,
    pub(crate) insight: Insight,
    pub(crate) limits: Limits,
    /// One for every large body that may arrive now.
    pub(crate) large_bodies: Semaphore,
    /// A copy of this goes with every open socket, so that it is known when the last one is closed;
    /// `None` once the server stops.
    sockets: Mutex<Option<mpsc::Sender<Infallible>>>,
    catalog: Catalog,
}

impl App {
    /// What handlers use, and what ends when the last socket is closed.
    pub(crate) fn new(
        lobby: Lobby,
        runs: Runs,
        guard: Guard,
        limits: Limits,
    ) -> (Self, mpsc::Receiver<Infallible>) {
        let runs = Arc::new(runs);
        let (sockets, closed) = mpsc::channel(1);
        let sockets = Mutex::new(Some(sockets));
        let insight = Insight::new(lobby.house.pool.threads());
        let large_bodies = Semaphore::new(limits.large_bodies);
        let catalog = catalog::catalog();
        let app = Self { lobby, guard, runs, insight, limits, large_bodies, sockets, catalog };
        (app, closed)
    }

    /// What an open socket holds as long as it is open.
    pub(crate) fn socket(&self) -> Option<mpsc::Sender<Infallible>> {
        self.sockets.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// No more sockets.
    pub(crate) fn close_sockets(&self) {
        drop(self.sockets.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

/// All addresses.
pub(crate) fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/api/health", get(health))
        .route("/api/catalog", get(show_catalog))
        .route("/api/openapi.json", get(description))
        .route("/api/games", get(games::list).post(games::create))
        .route("/api/games/{id}", get(games::show).delete(games::delete))
        .route("/api/games/{id}/record", get(games::record))
        .route("/api/games/{id}/rematch", post(games::rematch))
        .route("/api/games/{id}/play", get(games::play))
        .route("/api/import", post(crate::import::import))
        .route("/api/loadouts", get(crate::loadouts::list).post(crate::loadouts::save))
        .route("/api/loadouts/check", post(crate::loadouts::check))
        .route("/api/loadouts/{name}", delete(crate::loadouts::delete))
        .merge(lab())
        .merge(insights())
        .method_not_allowed_fallback(wrong_method);
    api.fallback(page::serve)
        .layer(DefaultBodyLimit::max(Limits::LONGEST_BODY))
        .layer(CompressionLayer::new().quality(CompressionLevel::Precise(PACKING)))
        .layer(CatchPanicLayer::custom(|_| {
            Refusal::storage("internal error; other games are not affected").into_response()
        }))
        .layer(middleware::from_fn_with_state(app.clone(), security::watch))
        .with_state(app)
}

/// Experiments of the lab, and the guide.
fn lab() -> Router<Arc<App>> {
    Router::new()
        .route("/api/experiments", get(runs::list_experiments))
        .route("/api/experiments/check", post(runs::check_experiment))
        .route("/api/runs", get(runs::list_runs).post(runs::start_run))
        .route("/api/runs/{id}", get(runs::show_run))
        .route("/api/runs/{id}/events", get(runs::follow_run))
        .route("/api/runs/{id}/stop", post(runs::stop_run))
        .route("/api/runs/{id}/resume", post(runs::resume_run))
        .route("/api/runs/{id}/report", get(runs::report_run))
        .route("/api/runs/{id}/games", get(runs::list_run_games))
        .route("/api/runs/{id}/games/{number}", post(runs::open_run_game))
        .route("/api/workers", get(runs::list_workers))
        .route("/api/compare", get(runs::compare_runs))
        .route("/api/guide", get(guide::show))
}

/// Addresses of what explains agents.
fn insights() -> Router<Arc<App>> {
    use insight::{analysis, explanations, lenses, scenes, studies};
    Router::new()
        .route("/api/games/{id}/scene", get(scenes::show))
        .route("/api/games/{id}/explanations/{ply}", get(explanations::show))
        .route("/api/games/{id}/lenses", get(lenses::list))
        .route("/api/games/{id}/lens", get(lenses::show))
        .route("/api/games/{id}/analysis", get(analysis::analyse))
        .route("/api/games/{id}/analysis/last", get(analysis::last))
        .route("/api/studies", post(studies::create))
        .route("/api/studies/{id}", get(studies::show).delete(studies::delete))
        .route("/api/studies/{id}/tree", get(studies::tree))
        .route("/api/studies/{id}/tree.json", get(studies::download))
}

/// How the server does.
#[utoipa::path(
    get, path = "/api/health", tag = "server",
    responses((status = 200, description = "It works", body = Health))
)]
pub(crate) async fn health(State(app): State<Arc<App>>) -> Json<Health> {
    let (thinking, waiting) = app.lobby.house.pool.load();
    Json(Health {
        status: "ok".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        live_games: app.lobby.count() as u64,
        thinking: thinking as u64,
        waiting: waiting as u64,
    })
}

/// Everything that can be played.
#[utoipa::path(
    get, path = "/api/catalog", tag = "server",
    responses((status = 200, description = "Games, rules, levels, agents", body = Catalog))
)]
pub(crate) async fn show_catalog(State(app): State<Arc<App>>) -> Response {
    Json(&app.catalog).into_response()
}

/// This description.
#[utoipa::path(
    get, path = "/api/openapi.json", tag = "server",
    responses((status = 200, description = "OpenAPI", content_type = "application/json"))
)]
pub(crate) async fn description() -> impl IntoResponse {
    ([("content-type", "application/json")], crate::openapi())
}

async fn wrong_method(uri: Uri) -> Refusal {
    let reason = format!("'{}': method not allowed", uri.path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, reason)
}
