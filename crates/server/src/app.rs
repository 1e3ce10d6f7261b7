//! What all handlers share, and the guards around them.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::extract::{DefaultBodyLimit, State};
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router, middleware};
use tokio::sync::{Semaphore, mpsc};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::dto::{Catalog, Health};
use crate::error::Refusal;
use crate::insight::Insight;
use crate::limits::Limits;
use crate::lobby::Lobby;
use crate::openapi::{openapi, routes};
use crate::runs::Runs;
use crate::security::{self, Guard};
use crate::{Page, catalog};

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
    /// What is shown in the browser.
    pub(crate) page: Page,
    catalog: Catalog,
    /// The description of the interface, once somebody asked: making it takes milliseconds.
    description: OnceLock<String>,
}

impl App {
    /// What handlers use, and what ends when the last socket is closed.
    pub(crate) fn new(
        lobby: Lobby,
        runs: Runs,
        page: Page,
        guard: Guard,
        limits: Limits,
    ) -> (Self, mpsc::Receiver<Infallible>) {
        let runs = Arc::new(runs);
        let (sockets, closed) = mpsc::channel(1);
        let sockets = Mutex::new(Some(sockets));
        let insight = Insight::new(lobby.services.pool.threads());
        let large_bodies = Semaphore::new(limits.large_bodies);
        let catalog = catalog::catalog(&lobby.services.games, lobby.services.pool.threads());
        let description = OnceLock::new();
        let app = Self {
            lobby,
            guard,
            runs,
            insight,
            limits,
            large_bodies,
            sockets,
            page,
            catalog,
            description,
        };
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

/// All addresses, with their limits and guards.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (api, _) = routes().split_for_parts();
    api.method_not_allowed_fallback(wrong_method)
        .fallback(show_page)
        .layer(DefaultBodyLimit::max(Limits::LONGEST_BODY))
        .layer(CompressionLayer::new().quality(CompressionLevel::Precise(PACKING)))
        .layer(CatchPanicLayer::custom(|_| {
            Refusal::storage("internal error; other games are not affected").into_response()
        }))
        .layer(middleware::from_fn_with_state(app.clone(), security::watch))
        .with_state(app)
}

/// The page, wherever there is nothing else.
async fn show_page(State(app): State<Arc<App>>, method: Method, uri: Uri) -> Response {
    app.page.answer(&method, &uri)
}

/// How the server does.
#[utoipa::path(
    get, path = "/api/health", tag = "server",
    responses((status = 200, description = "It works", body = Health))
)]
pub(crate) async fn health(State(app): State<Arc<App>>) -> Json<Health> {
    let (thinking, waiting) = app.lobby.services.pool.load();
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
pub(crate) async fn description(State(app): State<Arc<App>>) -> Response {
    let text = app.description.get_or_init(|| openapi(&app.lobby.services.games)).clone();
    ([("content-type", "application/json")], text).into_response()
}

async fn wrong_method(uri: Uri) -> Refusal {
    let reason = format!("'{}': method not allowed", uri.path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, reason)
}
