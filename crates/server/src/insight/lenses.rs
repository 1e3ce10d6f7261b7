//! Opinions about a position that can be laid over its board.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use super::subject;
use crate::app::App;
use crate::dto::{Lens, LensList, LensQuery, PlyQuery, Problem};
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
    let lenses = aside(move || Ok(subject.at(ply)?.lenses())).await?;
    Ok(Json(LensList { lenses }))
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
    Ok(Json(seen.await?))
}
