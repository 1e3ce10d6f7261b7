//! The description of the interface.

use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{Content, OpenApi as Described, Ref, RefOr, ResponseBuilder};
use utoipa::{Modify, OpenApi};

use crate::insight::{analysis, explanations, lenses, scenes, studies};
use crate::{app, dto, games, guide, import, loadouts, runs};

#[derive(OpenApi)]
#[openapi(
    info(title = "warroom", description = "Play and keep games"),
    modifiers(&ConnectionLimits),
    paths(
        app::health, app::show_catalog, app::description,
        games::create, games::list, games::show, games::delete, games::record, games::rematch,
        games::play, import::import,
        loadouts::list, loadouts::save, loadouts::check, loadouts::delete,
        runs::list_experiments, runs::check_experiment, runs::start_run, runs::list_runs,
        runs::show_run, runs::follow_run, runs::stop_run, runs::resume_run, runs::report_run,
        runs::list_run_games, runs::open_run_game, runs::compare_runs, runs::list_workers, guide::show,
        scenes::show, explanations::show, lenses::list, lenses::show, analysis::analyse, analysis::last,
        studies::create, studies::show, studies::delete, studies::tree, studies::download,
    ),
    // What is said over the socket appears in no body.
    components(schemas(dto::Request, dto::Answer))
)]
struct Description;

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
pub fn openapi() -> String {
    Description::openapi().to_pretty_json().expect("a description has a form in JSON")
}
