//! Games over HTTP: to be made, listed, looked at, played.
#![allow(unused_qualifications, reason = "the description's macro writes paths")]

use std::sync::Arc;

use arena::GameRecord;
use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use live::won_by;
use serde::Deserialize;
use store::{AppGameRow, AppQuery};
use tokio::sync::oneshot;
use utoipa::IntoParams;

use crate::app::App;
use crate::dto::{GameList, GameState, GameSummary, NewGame, Problem};
use crate::error::Refusal;
use crate::input::{Asked, Body, Named};
use crate::outbox::Outbox;
use crate::socket::{self, LONGEST_MESSAGE};
use crate::table::Message;

/// Games of one list at most.
const LONGEST_LIST: u32 = 200;

/// Words of a search at most.
const MOST_WORDS: usize = 20;

/// Which games are asked for.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// Words that appear in the id, the game, the players or the status.
    #[serde(default)]
    search: String,
    /// The name of the game.
    #[serde(default)]
    game: String,
    /// How many to leave out first.
    #[serde(default)]
    offset: u32,
    /// How many at most; 200 at most.
    #[serde(default = "usual_limit")]
    limit: u32,
}

fn usual_limit() -> u32 {
    50
}

/// Makes a game.
#[utoipa::path(
    post, path = "/api/games", tag = "games", request_body = NewGame,
    responses(
        (status = 201, description = "The game", body = GameState),
        (status = 400, description = "It cannot be made", body = Problem),
        (status = 413, description = "More than 1 MB", body = Problem),
        (status = 415, description = "No JSON", body = Problem),
        (status = 503, description = "Too many games", body = Problem),
    )
)]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Body(asked): Body<NewGame>,
) -> Result<(StatusCode, Json<GameState>), Refusal> {
    let mut asked = asked;
    let replaced = asked.replaces.take();
    let state = app.lobby.create(asked).await?;
    if let Some(id) = replaced {
        // The new game is there, whatever becomes of the old one.
        let _ = app.lobby.delete_untouched(&id).await;
    }
    Ok((StatusCode::CREATED, Json(state)))
}

/// Lists games, the last changed first.
#[utoipa::path(
    get, path = "/api/games", tag = "games", params(ListQuery),
    responses(
        (status = 200, description = "A part of the list", body = GameList),
        (status = 400, description = "Not so", body = Problem),
    )
)]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Asked(asked): Asked<ListQuery>,
) -> Result<Json<GameList>, Refusal> {
    if asked.search.split_whitespace().count() > MOST_WORDS {
        return Err(Refusal::bad(format!("search: expected at most {MOST_WORDS} words")));
    }
    let query = AppQuery {
        search: asked.search,
        game: asked.game,
        offset: asked.offset,
        limit: asked.limit.min(LONGEST_LIST),
    };
    let (rows, total) = app.lobby.services.keeper.games(query).await?;
    Ok(Json(GameList { games: rows.into_iter().map(summary).collect(), total }))
}

fn summary(row: AppGameRow) -> GameSummary {
    GameSummary {
        id: row.id,
        game: row.game,
        players: row.players,
        plies: row.plies,
        won: won_by(&row.status),
        status: row.status,
        over: row.over,
        created: row.created,
        updated: row.updated,
    }
}

/// Shows a game.
#[utoipa::path(
    get, path = "/api/games/{id}", tag = "games",
    params(("id" = String, Path, description = "The id of the game")),
    responses(
        (status = 200, description = "The game", body = GameState),
        (status = 404, description = "No such game", body = Problem),
    )
)]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Json<GameState>, Refusal> {
    Ok(Json(app.lobby.ask(&id, Message::State).await?))
}

/// Deletes a game for good.
#[utoipa::path(
    delete, path = "/api/games/{id}", tag = "games",
    params(("id" = String, Path, description = "The id of the game")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, description = "No such game", body = Problem),
    )
)]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<StatusCode, Refusal> {
    app.lobby.delete(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// How a record is written.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RecordQuery {
    /// `record`, or a form of the game; Othello has `transcript` and `ggf`.
    #[serde(default)]
    format: String,
}

/// The record of a game, to be kept elsewhere.
#[utoipa::path(
    get, path = "/api/games/{id}/record", tag = "games",
    params(("id" = String, Path, description = "The id of the game"), RecordQuery),
    responses(
        (status = 200, description = "The record", content(
            (String = "application/json"), (String = "text/plain")
        )),
        (status = 400, description = "No such format", body = Problem),
        (status = 404, description = "No such game", body = Problem),
        (status = 409, description = "It would reveal hidden information", body = Problem),
    )
)]
pub(crate) async fn record(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(asked): Asked<RecordQuery>,
) -> Result<Response, Refusal> {
    let record: GameRecord = app.lobby.ask(&id, Message::Record).await??;
    let texts = app.lobby.services.games.open(&record.game, &record.rules)?.texts();
    let (text, kind, ending) = match asked.format.as_str() {
        "" | "record" => (record.to_json(), "application/json", "json"),
        asked => match texts.iter().find(|format| format.name == asked) {
            Some(format) => ((format.write)(&record)?, "text/plain", format.ending),
            None => {
                let shown: String = asked.chars().take(40).collect();
                let known: String = texts.iter().map(|text| format!(", {}", text.name)).collect();
                let reason = format!("format '{shown}': expected record{known}");
                return Err(Refusal::bad(reason));
            }
        },
    };
    let name = format!("attachment; filename=\"{}-{id}.{ending}\"", record.game);
    let headers = [
        (header::CONTENT_TYPE, format!("{kind}; charset=utf-8")),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

/// Makes another game like this one with the seats exchanged.
#[utoipa::path(
    post, path = "/api/games/{id}/rematch", tag = "games",
    params(("id" = String, Path, description = "The id of the game")),
    responses(
        (status = 201, description = "The new game", body = GameState),
        (status = 404, description = "No such game", body = Problem),
    )
)]
pub(crate) async fn rematch(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<(StatusCode, Json<GameState>), Refusal> {
    let mut asked: NewGame = app.lobby.ask(&id, Message::Asked).await?;
    asked.seats.swap(0, 1);
    asked.setups.swap(0, 1);
    asked.seed = None;
    let state = app.lobby.create(asked).await?;
    Ok((StatusCode::CREATED, Json(state)))
}

/// Opens the socket over which a game is played: requests and answers as in `Request` and `Answer`.
#[utoipa::path(
    get, path = "/api/games/{id}/play", tag = "games",
    params(("id" = String, Path, description = "The id of the game")),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 400, description = "Not a WebSocket request", body = Problem),
        (status = 404, description = "No such game", body = Problem),
        (status = 503, description = "Too many watch", body = Problem),
    )
)]
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|rejection| Refusal::bad(rejection.body_text()))?;
    let handle = app.lobby.table(&id).await?;
    let outbox = Arc::new(Outbox::default());
    let (done, joined) = oneshot::channel();
    let closing = || Refusal::busy(format!("game '{id}' is being closed; try again"));
    let join = Message::Join(outbox.clone(), done);
    handle.sender.send(join).await.map_err(|_| closing())?;
    let number = joined.await.map_err(|_| closing())??;
    let upgrade = upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE);
    let leave = handle.sender.clone();
    let open = app.socket().ok_or_else(closing)?;
    let limits = app.limits;
    Ok(upgrade.on_failed_upgrade(move |_| drop(leave.try_send(Message::Leave(number)))).on_upgrade(
        async move |socket| {
            socket::serve(socket, number, handle.sender, outbox, limits).await;
            drop(open);
        },
    ))
}
