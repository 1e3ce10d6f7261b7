//! Positions of the past.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use protocol::scene::Scene;

use super::subject;
use crate::app::App;
use crate::dto::{PlyQuery, Problem};
use crate::error::{Refusal, aside};
use crate::input::{Asked, Named};

/// A position of a game, to be drawn for all eyes; nothing can be played there.
#[utoipa::path(
    get, path = "/api/games/{id}/scene", tag = "insight", operation_id = "show_scene",
    params(("id" = String, Path, description = "The id of the game"), PlyQuery),
    responses(
        (status = 200, description = "The position", body = Scene),
        (status = 400, description = "No such position", body = Problem),
        (status = 404, description = "No such game", body = Problem),
        (status = 409, description = "It would reveal hidden information", body = Problem),
    )
)]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(asked): Asked<PlyQuery>,
) -> Result<Json<Scene>, Refusal> {
    let subject = subject(&app, &id).await?;
    let ply = subject.ply(asked.ply)?;
    let scene = aside(move || Ok(subject.at(ply)?.scene(None))).await?;
    Ok(Json(Scene { choices: Vec::new(), ..scene }))
}
