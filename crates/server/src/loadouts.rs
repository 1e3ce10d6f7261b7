//! Loadouts: checked, kept, listed.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use live::check_name;
use store::AppWrite;

use crate::app::App;
use crate::dto::{LoadoutCard, LoadoutRequest, Problem, SavedLoadout, SavedLoadouts};
use crate::error::Refusal;
use crate::input::{Body, Named};
use crate::setups::read_loadout;

/// Loadouts that can be kept.
const MOST: usize = 1000;

/// Says what a loadout costs and what is wrong with it.
#[utoipa::path(
    post, path = "/api/loadouts/check", tag = "loadouts", request_body = LoadoutRequest,
    responses(
        (status = 200, description = "The loadout, checked", body = LoadoutCard),
        (status = 400, description = "No loadout", body = Problem),
    )
)]
pub(crate) async fn check(
    State(app): State<Arc<App>>,
    Body(asked): Body<LoadoutRequest>,
) -> Result<Json<LoadoutCard>, Refusal> {
    Ok(Json(read_loadout(&app.lobby.services.games, &asked)?))
}

/// Lists the loadouts that were kept.
#[utoipa::path(
    get, path = "/api/loadouts", tag = "loadouts", operation_id = "list_loadouts",
    responses((status = 200, description = "All of them", body = SavedLoadouts))
)]
pub(crate) async fn list(State(app): State<Arc<App>>) -> Result<Json<SavedLoadouts>, Refusal> {
    let loadouts = app.lobby.services.keeper.loadouts().await?;
    let loadouts = loadouts.into_iter().map(|(name, text)| SavedLoadout { name, text }).collect();
    Ok(Json(SavedLoadouts { loadouts }))
}

/// Keeps a loadout under a name; one of the same name is replaced.
#[utoipa::path(
    post, path = "/api/loadouts", tag = "loadouts", request_body = LoadoutRequest,
    responses(
        (status = 201, description = "It is kept", body = SavedLoadout),
        (status = 400, description = "No loadout, or no name", body = Problem),
    )
)]
pub(crate) async fn save(
    State(app): State<Arc<App>>,
    Body(asked): Body<LoadoutRequest>,
) -> Result<(StatusCode, Json<SavedLoadout>), Refusal> {
    let name = asked.name.trim().to_owned();
    check_name(&name)?;
    if name.is_empty() || name.contains('/') {
        return Err(Refusal::bad(format!("the name '{name}': expected letters, without /")));
    }
    let keeper = &app.lobby.services.keeper;
    let text = read_loadout(&app.lobby.services.games, &asked)?.text;
    let kept = keeper.loadouts().await?;
    if kept.len() >= MOST && !kept.iter().any(|(known, _)| *known == name) {
        return Err(Refusal::conflict(format!("{MOST} loadouts are already saved; delete one")));
    }
    keeper.write(AppWrite::Loadout(name.clone(), text.clone())).await?;
    Ok((StatusCode::CREATED, Json(SavedLoadout { name, text })))
}

/// Deletes a loadout.
#[utoipa::path(
    delete, path = "/api/loadouts/{name}", tag = "loadouts", operation_id = "delete_loadout",
    params(("name" = String, Path, description = "Its name")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, description = "No such loadout", body = Problem),
    )
)]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Named(name): Named<String>,
) -> Result<StatusCode, Refusal> {
    if app.lobby.services.keeper.write(AppWrite::DeleteLoadout(name.clone())).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refusal::missing("loadout", &name))
    }
}
