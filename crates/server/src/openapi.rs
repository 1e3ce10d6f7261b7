//! The description of the interface.

use utoipa::OpenApi;

use crate::dto;

#[derive(OpenApi)]
#[openapi(
    info(title = "warroom", description = "Play and keep games"),
    components(schemas(
        dto::Catalog,
        dto::Problem,
        dto::NewGame,
        dto::GameList,
        dto::GameSummary,
        dto::GameState,
        dto::ImportRequest,
        dto::ImportAnswer,
        dto::LoadoutRequest,
        dto::LoadoutCard,
        dto::SavedLoadouts,
        dto::Request,
        dto::Answer,
    ))
)]
struct Description;

/// The description as JSON.
#[must_use]
pub fn openapi() -> String {
    Description::openapi().to_pretty_json().expect("a description has a form in JSON")
}
