//! The interface: every address, and its description.

use std::sync::Arc;

use registry::Registry;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{Content, OpenApi as Described, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::insight::{analysis, explanations, lenses, scenes, studies};
use crate::{app, dto, games, guide, import, loadouts, runs};

#[derive(OpenApi)]
#[openapi(
    info(title = "warroom", description = "Play and keep games"),
    // What is said over the socket appears in no body.
    components(schemas(dto::Request, dto::Answer))
)]
struct Description;

/// All addresses of the interface. A handler tells its path, its types and what it is for; here it is
/// only named, those of one path together.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(app::health))
        .routes(routes!(app::show_catalog))
        .routes(routes!(app::description))
        .routes(routes!(games::list, games::create))
        .routes(routes!(games::show, games::delete))
        .routes(routes!(games::record))
        .routes(routes!(games::rematch))
        .routes(routes!(games::play))
        .routes(routes!(import::import))
        .routes(routes!(loadouts::list, loadouts::save))
        .routes(routes!(loadouts::check))
        .routes(routes!(loadouts::delete))
        .merge(lab())
        .merge(insights())
}

/// Experiments of the lab, and the guide.
fn lab() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(runs::list_experiments))
        .routes(routes!(runs::check_experiment))
        .routes(routes!(runs::list_workers))
        .routes(routes!(runs::list_runs, runs::start_run))
        .routes(routes!(runs::show_run))
        .routes(routes!(runs::follow_run))
        .routes(routes!(runs::stop_run))
        .routes(routes!(runs::resume_run))
        .routes(routes!(runs::report_run))
        .routes(routes!(runs::list_run_games))
        .routes(routes!(runs::open_run_game))
        .routes(routes!(runs::compare_runs))
        .routes(routes!(guide::show))
}

/// What explains agents.
fn insights() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(scenes::show))
        .routes(routes!(explanations::show))
        .routes(routes!(lenses::list))
        .routes(routes!(lenses::show))
        .routes(routes!(analysis::analyse))
        .routes(routes!(analysis::last))
        .routes(routes!(studies::create))
        .routes(routes!(studies::show, studies::delete))
        .routes(routes!(studies::tree))
        .routes(routes!(studies::download))
}

/// Answers that any request may get before it is read, from the limits on connections and bodies.
struct ConnectionLimits;

const NO_ROOM: &str = "The server has reached its limit of connections; try again later";
const NO_ROOM_FOR_BODY: &str =
    "The server has reached its limit of connections or of large bodies; try again later";
const SLOW_BODY: &str = "The body did not arrive in time";
const LONG_BODY: &str = "The body is too long";

impl Modify for ConnectionLimits {
    fn modify(&self, description: &mut Described) {
        for PathItem { get, put, post, delete, .. } in description.paths.paths.values_mut() {
            for operation in [get, put, post, delete].into_iter().flatten() {
                if operation.request_body.is_some() {
                    add(operation, "408", SLOW_BODY);
                    add(operation, "413", LONG_BODY);
                    add(operation, "503", NO_ROOM_FOR_BODY);
                } else {
                    add(operation, "503", NO_ROOM);
                }
            }
        }
    }
}

/// One more answer, or one more reason for an answer that there is already.
fn add(operation: &mut Operation, status: &str, description: &str) {
    let all = &mut operation.responses.responses;
    if let Some(RefOr::T(response)) = all.get_mut(status) {
        response.description = format!("{}. {description}", response.description);
        return;
    }
    let problem = Content::new(Some(Ref::from_schema_name("Problem")));
    let response = ResponseBuilder::new().description(description);
    let response = response.content("application/json", problem).build();
    all.insert(status.to_owned(), response.into());
}

/// The description as JSON.
///
/// # Panics
/// Never: a description is plain data.
#[must_use]
pub fn openapi(games: &Registry) -> String {
    let mut description = routes().into_openapi();
    ConnectionLimits.modify(&mut description);
    let components = description.components.get_or_insert_default();
    games.scene_forms().declare_in(&mut components.schemas);
    description.to_pretty_json().expect("a description has a form in JSON")
}
