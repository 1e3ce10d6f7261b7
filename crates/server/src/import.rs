//! Texts that may be a game or a position.

use std::sync::Arc;

use arena::{GameRecord, Seeds};
use axum::Json;
use axum::extract::State;
use live::record_from_outside;
use registry::Registry;

use crate::app::App;
use crate::dto::{ImportAnswer, ImportRequest, Problem};
use crate::error::{Refusal, aside};
use crate::input::Body;

/// Finds out what a text is; nothing is kept.
#[utoipa::path(
    post, path = "/api/import", tag = "games", request_body = ImportRequest,
    responses(
        (status = 200, description = "What it is", body = ImportAnswer),
        (status = 400, description = "Unknown format", body = Problem),
    )
)]
pub(crate) async fn import(
    State(app): State<Arc<App>>,
    Body(asked): Body<ImportRequest>,
) -> Result<Json<ImportAnswer>, Refusal> {
    aside(move || read(&app.lobby.services.games, &asked)).await.map(Json)
}

fn read(games: &Registry, asked: &ImportRequest) -> Result<ImportAnswer, Refusal> {
    let text = asked.text.trim().trim_start_matches('\u{feff}');
    if text.is_empty() {
        return Err(Refusal::bad("the text is empty: expected a game record or a position"));
    }
    let expected = asked.game.as_deref().filter(|game| !game.is_empty());
    if text.starts_with('{') {
        return read_record(games, text, expected);
    }
    // Where nobody says which game it is of, it is of the first.
    let name = expected.or(games.names().first().copied()).unwrap_or_default();
    let game = games.open(name, &asked.rules)?;
    let Some(format) = game.texts().iter().find(|format| (format.resembles)(text)) else {
        let session = game.open(&game.position(text)?, Seeds::default())?;
        return answer(games, "position", &session.record(Default::default()));
    };
    let read = (format.read)(text)?;
    let mut session = game.open(&read.start, Seeds::default())?;
    for action in &read.actions {
        session.apply(action)?;
    }
    answer(games, format.name, &session.record(read.players))
}

fn read_record(
    games: &Registry,
    text: &str,
    expected: Option<&str>,
) -> Result<ImportAnswer, Refusal> {
    let record = record_from_outside(text)?;
    if let Some(expected) = expected.filter(|&game| game != record.game) {
        let reason = format!("the record is of '{}', expected '{expected}'", record.game);
        return Err(Refusal::bad(reason));
    }
    answer(games, "record", &record)
}

fn answer(games: &Registry, format: &str, record: &GameRecord) -> Result<ImportAnswer, Refusal> {
    let session = games.open(&record.game, &record.rules)?.open_record(record)?;
    Ok(ImportAnswer {
        format: format.to_owned(),
        game: record.game.clone(),
        rules: record.rules.clone(),
        record: record.to_json(),
        plies: record.actions.len() as u32,
        scene: session.scene(None),
    })
}
