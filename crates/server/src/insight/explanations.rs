//! Why agents played as they did.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;

use crate::app::App;
use crate::dto::{Explanation, Problem};
use crate::error::Refusal;
use crate::input::Named;
use crate::table::Message;

/// Why an agent played an action of a game.
#[utoipa::path(
    get, path = "/api/games/{id}/explanations/{ply}", tag = "insight",
    operation_id = "show_explanation",
    params(
        ("id" = String, Path, description = "The id of the game"),
        ("ply" = u32, Path, description = "The action: so many were played before it"),
    ),
    responses(
        (status = 200, description = "What the agent thought", body = Explanation),
        (status = 400, description = "No number", body = Problem),
        (status = 404, description = "No such game, or nothing is kept", body = Problem),
        (status = 409, description = "It would reveal hidden information", body = Problem),
    )
)]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Named((id, ply)): Named<(String, String)>,
) -> Result<Json<Explanation>, Refusal> {
    let number: u32 = ply.parse().map_err(|_| {
        let shown: String = ply.chars().take(40).collect();
        Refusal::bad(format!("'{shown}': expected the number of an action, the first is 0"))
    })?;
    let ask = |done| Message::Explanation(number, done);
    let kept: Arc<Explanation> = app.lobby.ask(&id, ask).await??;
    Ok(Json(Explanation::clone(&kept)))
}
