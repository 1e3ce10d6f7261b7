//! The description of the interface.

use utoipa::OpenApi;

use crate::insight::{analysis, explanations, lenses, scenes, studies};
use crate::{app, dto, games, guide, import, loadouts, runs};

#[derive(OpenApi)]
#[openapi(
    info(title = "warroom", description = "Play and keep games"),
    paths(
        app::health, app::show_catalog, app::description,
        games::create, games::list, games::show, games::delete, games::record, games::rematch,
        games::play, import::import,
        loadouts::list, loadouts::save, loadouts::check, loadouts::delete,
        runs::list_experiments, runs::check_experiment, runs::start_run, runs::list_runs,
        runs::show_run, runs::follow_run, runs::stop_run, runs::resume_run, runs::report_run,
        runs::list_run_games, runs::open_run_game, runs::compare_runs, guide::show,
        scenes::show, explanations::show, lenses::list, lenses::show, analysis::analyse, analysis::last,
        studies::create, studies::show, studies::delete, studies::tree, studies::download,
    ),
    // What is said over the socket appears in no body.
    components(schemas(dto::Request, dto::Answer))
)]
struct Description;

/// The description as JSON.
///
/// # Panics
/// Never: a description is plain data.
#[must_use]
pub fn openapi() -> String {
    Description::openapi().to_pretty_json().expect("a description has a form in JSON")
}
