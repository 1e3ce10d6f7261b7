//! Opinions about a position that can be laid over its board.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use live::{told, words};
use registry::{ActionOpinion, LensInfo, LensReport};

use super::subject;
use crate::app::App;
use crate::dto::{
    ActionValue, Lens, LensCard, LensKind, LensList, LensQuery, PlyQuery, Problem, SquareValue,
};
use crate::error::{Refusal, aside};
use crate::input::{Asked, Named};

/// The opinions that can be asked for.
#[utoipa::path(
    get, path = "/api/games/{id}/lenses", tag = "insight", operation_id = "list_lenses",
    params(("id" = String, Path, description = "The id of the game"), PlyQuery),
    responses(
        (status = 200, description = "The most useful first", body = LensList),
        (status = 400, description = "No such position", body = Problem),
        (status = 404, description = "No such game", body = Problem),
        (status = 409, description = "It would reveal hidden information", body = Problem),
    )
)]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(asked): Asked<PlyQuery>,
) -> Result<Json<LensList>, Refusal> {
    let subject = subject(&app, &id).await?;
    let ply = subject.ply(asked.ply)?;
    let list = aside(move || Ok(subject.at(ply)?.lenses()));
    Ok(Json(LensList { lenses: list.await?.into_iter().map(card).collect() }))
}

/// One of them.
#[utoipa::path(
    get, path = "/api/games/{id}/lens", tag = "insight", operation_id = "show_lens",
    params(("id" = String, Path, description = "The id of the game"), LensQuery),
    responses(
        (status = 200, description = "What it shows", body = Lens),
        (status = 400, description = "No such position or lens", body = Problem),
        (status = 404, description = "No such game", body = Problem),
        (status = 409, description = "It would reveal hidden information", body = Problem),
    )
)]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(asked): Asked<LensQuery>,
) -> Result<Json<Lens>, Refusal> {
    let subject = subject(&app, &id).await?;
    let ply = subject.ply(asked.ply)?;
    let seen = aside(move || Ok(subject.at(ply)?.lens(&asked.name)?));
    Ok(Json(lens(seen.await?)))
}

fn card(info: LensInfo) -> LensCard {
    let kind = match info.kind {
        registry::LensKind::Squares => LensKind::Squares,
        registry::LensKind::Evaluation => LensKind::Evaluation,
        registry::LensKind::Heuristic => LensKind::Heuristic,
    };
    LensCard { name: info.name, about: info.about, kind }
}

fn lens(seen: LensReport) -> Lens {
    let kind = seen.info.kind;
    let text = |opinion: &ActionOpinion| match (opinion.result, kind) {
        (Some(result), _) if result > 0.5 => "wins".to_owned(),
        (Some(result), _) if result < 0.5 => "loses".to_owned(),
        (Some(_), _) => "draws".to_owned(),
        (None, registry::LensKind::Evaluation) => words::signed(opinion.value),
        (None, _) => words::fine(opinion.value),
    };
    let mut actions: Vec<ActionValue> = seen
        .actions
        .iter()
        .map(|opinion| ActionValue {
            step: opinion.step.clone(),
            value: opinion.value,
            text: text(opinion),
        })
        .collect();
    actions.sort_by(|one, other| other.value.total_cmp(&one.value));
    // Results would leave no colours for what is open.
    let open = seen.actions.iter().filter(|opinion| opinion.result.is_none());
    let open: Vec<f64> = match kind {
        registry::LensKind::Squares => seen.squares.iter().map(|(_, value)| *value).collect(),
        _ => open.map(|opinion| opinion.value).collect(),
    };
    let squares = match kind {
        registry::LensKind::Squares => squares(&seen.squares),
        _ => last_squares(&actions),
    };
    Lens {
        seat: seen.seat.index() as u8,
        lowest: open.iter().copied().reduce(f64::min).unwrap_or(0.0),
        highest: open.iter().copied().reduce(f64::max).unwrap_or(0.0),
        squares,
        actions,
        position_words: position(&seen),
        terms: told::terms(&seen.terms),
        card: card(seen.info),
    }
}

fn position(seen: &LensReport) -> String {
    let Some(points) = seen.position else { return String::new() };
    let chance = seen.chance.map(words::percent).unwrap_or_default();
    format!("about {chance} to win, valued at {}", words::signed(points))
}

/// The squares of a map. Where all are alike they are marked only.
fn squares(map: &[(u16, f64)]) -> Vec<SquareValue> {
    let alike = map.iter().all(|(_, value)| *value == map[0].1);
    let text = |value| if alike { String::new() } else { words::signed(value).replace('+', "") };
    map.iter().map(|&(square, value)| SquareValue { square, value, text: text(value) }).collect()
}

/// The best action that touches each square last; actions come best first.
fn last_squares(actions: &[ActionValue]) -> Vec<SquareValue> {
    let mut best: BTreeMap<u16, SquareValue> = BTreeMap::new();
    for action in actions {
        if let Some(&square) = action.step.squares.last() {
            let value = || SquareValue { square, value: action.value, text: action.text.clone() };
            best.entry(square).or_insert_with(value);
        }
    }
    best.into_values().collect()
}
