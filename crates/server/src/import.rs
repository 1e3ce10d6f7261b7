//! Texts that may be a game or a position.

use arena::{GameRecord, Seeds};
use axum::Json;
use live::record_from_outside;
use standard::OthelloText;

use crate::dto::{ImportAnswer, ImportRequest, Problem};
use crate::error::{Refusal, aside};
use crate::input::Body;

const OTHELLO: &str = "othello";

/// Finds out what a text is; nothing is kept.
#[utoipa::path(
    post, path = "/api/import", tag = "games", request_body = ImportRequest,
    responses(
        (status = 200, description = "What it is", body = ImportAnswer),
        (status = 400, description = "Unknown format", body = Problem),
    )
)]
pub(crate) async fn import(
    Body(asked): Body<ImportRequest>,
) -> Result<Json<ImportAnswer>, Refusal> {
    aside(move || read(&asked)).await.map(Json)
}

fn read(asked: &ImportRequest) -> Result<ImportAnswer, Refusal> {
    let text = asked.text.trim().trim_start_matches('\u{feff}');
    if text.is_empty() {
        return Err(Refusal::bad("the text is empty: expected a game record or a position"));
    }
    let expected = asked.game.as_deref().filter(|game| !game.is_empty());
    if text.starts_with('{') {
        return read_record(text, expected);
    }
    let game = expected.unwrap_or(OTHELLO);
    if game == OTHELLO
        && let Some((format, read)) = othello_game(text)
    {
        return read_othello(format, &read?);
    }
    read_position(game, &asked.rules, text)
}

fn read_record(text: &str, expected: Option<&str>) -> Result<ImportAnswer, Refusal> {
    let record = record_from_outside(text)?;
    if let Some(expected) = expected.filter(|&game| game != record.game) {
        let reason = format!("the record is of '{}', expected '{expected}'", record.game);
        return Err(Refusal::bad(reason));
    }
    answer("record", &record)
}

/// The game in one of the forms of other programs that a text has, if it looks like one.
fn othello_game(text: &str) -> Option<(&'static str, Result<OthelloText, Refusal>)> {
    if text.starts_with('(') {
        let read = standard::read_othello_ggf(text).map_err(Refusal::from);
        return Some(("ggf", read));
    }
    let read = standard::read_othello_transcript(text);
    // A board has letters too, but none beyond those of its cells; moves name columns and rows.
    let has_rows = text.bytes().any(|byte| matches!(byte, b'1'..=b'8'));
    (read.is_ok() || has_rows).then(|| ("transcript", read.map_err(Refusal::from)))
}

fn read_othello(format: &str, read: &OthelloText) -> Result<ImportAnswer, Refusal> {
    let game = standard::open_game(OTHELLO, "")?;
    let mut session = game.open(&read.start, Seeds::default())?;
    for action in &read.actions {
        session.apply(action)?;
    }
    answer(format, &session.record(read.players.clone()))
}

fn read_position(game: &str, rules: &str, text: &str) -> Result<ImportAnswer, Refusal> {
    let game = standard::open_game(game, rules)?;
    let session = game.open(&game.position(text)?, Seeds::default())?;
    answer("position", &session.record([String::new(), String::new()]))
}

fn answer(format: &str, record: &GameRecord) -> Result<ImportAnswer, Refusal> {
    let game = standard::open_game(&record.game, &record.rules)?;
    let session = game.open_record(record)?;
    Ok(ImportAnswer {
        format: format.to_owned(),
        game: record.game.clone(),
        rules: record.rules.clone(),
        record: record.to_json(),
        plies: record.actions.len() as u32,
        scene: session.scene(None),
    })
}
