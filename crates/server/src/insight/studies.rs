//! Searches of one position, asked for and kept for a while with their trees.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arena::WallClock;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use gamecore::StopToken;
use live::{Subject, adviser, agent};
use registry::{ResolvedAgent, Thinking};

use super::subject;
use super::tree::KeptTree;
use crate::app::App;
use crate::dto::{Problem, Study, StudyRequest, TreeDownload, TreePage, TreeQuery, TreeRow};
use crate::error::{Refusal, aside};
use crate::input::{Asked, Body, Named};
use crate::lobby::random_id;

/// A study ends after this long with the best it has found.
const LONGEST_STUDY: Duration = Duration::from_secs(60);
/// Nodes of one tree at most.
const MOST_NODES: u32 = 100_000;
/// Nodes of all trees that are kept.
const MOST_NODES_KEPT: usize = 400_000;
/// Studies that are kept, however small their trees.
const MOST_STUDIES: usize = 100;
/// Children of one page.
const USUAL_PAGE: u32 = 100;
const LARGEST_PAGE: u32 = 500;

/// A study and its tree.
pub(super) struct KeptStudy {
    study: Study,
    tree: KeptTree,
}

/// The studies that are kept, the newest first.
#[derive(Default)]
pub(super) struct Studies(Mutex<VecDeque<Arc<KeptStudy>>>);

impl Studies {
    fn kept(&self) -> MutexGuard<'_, VecDeque<Arc<KeptStudy>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a study; the oldest make room.
    fn keep(&self, study: KeptStudy) {
        let mut kept = self.kept();
        kept.push_front(Arc::new(study));
        let mut nodes = 0;
        let fits = |it: &&Arc<KeptStudy>| {
            nodes += it.tree.len();
            nodes <= MOST_NODES_KEPT
        };
        // The newest stays, whatever its size.
        let count = kept.iter().take(MOST_STUDIES).take_while(fits).count().max(1);
        kept.truncate(count);
    }

    fn find(&self, id: &str) -> Result<Arc<KeptStudy>, Refusal> {
        let found = self.kept().iter().find(|it| it.study.id == id).cloned();
        found.ok_or_else(|| Refusal::missing("study is kept", id))
    }

    fn forget(&self, id: &str) -> bool {
        let mut kept = self.kept();
        let before = kept.len();
        kept.retain(|it| it.study.id != id);
        kept.len() < before
    }
}

/// Searches a position of a game; answered when the search is done.
#[utoipa::path(
    post, path = "/api/studies", tag = "insight", operation_id = "create_study", request_body = StudyRequest,
    responses(
        (status = 201, description = "What was found", body = Study),
        (status = 400, description = "No such agent or position", body = Problem),
        (status = 404, description = "No such game", body = Problem),
        (status = 409, description = "It would reveal hidden information, or the game is over there",
            body = Problem),
        (status = 503, description = "The server stops", body = Problem),
    )
)]
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    Body(asked): Body<StudyRequest>,
) -> Result<(StatusCode, Json<Study>), Refusal> {
    if asked.tree_nodes > MOST_NODES {
        let reason = format!("tree_nodes {}: at most {MOST_NODES}", asked.tree_nodes);
        return Err(Refusal::bad(reason));
    }
    let subject = subject(&app, &asked.game).await?;
    let ply = subject.ply(asked.ply)?;
    let threads = app.lobby.services.pool.threads();
    let wanted = asked.spec.as_deref().filter(|spec| !spec.is_empty());
    let wanted = wanted.map(|spec| agent(&*subject.game, spec, threads)).transpose()?;
    let id = random_id()?;
    let tree_nodes = asked.tree_nodes as usize;
    let turn =
        app.insight.studying.acquire().await.map_err(|_| Refusal::busy("no more studies"))?;
    let whom = format!("study of {}", subject.id);
    let searched = app.lobby.services.work(&whom, LONGEST_STUDY, move |stop| {
        search(&subject, ply, wanted, tree_nodes, stop, id)
    });
    let kept = searched.await??;
    drop(turn);
    let study = kept.study.clone();
    app.insight.studies.keep(kept);
    Ok((StatusCode::CREATED, Json(study)))
}

fn search(
    subject: &Subject,
    ply: usize,
    wanted: Option<ResolvedAgent>,
    tree_nodes: usize,
    stop: &StopToken,
    id: String,
) -> Result<KeptStudy, Refusal> {
    let mut session = subject.at(ply)?;
    let Some(seat) = session.to_act() else {
        return Err(Refusal::conflict(format!("ply {ply}: the game is over there")));
    };
    let (agent, seed) = match (wanted, &subject.agents[seat.index()]) {
        (Some(agent), _) => (agent, subject.side_seed()),
        (None, Some(agent)) => (agent.clone(), subject.seat_seed(seat)),
        (None, None) => (adviser(&*subject.game, 1)?, subject.side_seed()),
    };
    let number = session.add_agent(&agent, seed);
    let began = Instant::now();
    let clock = WallClock::new();
    let limits = Thinking { tree_nodes, ..Thinking::new(&clock, stop) };
    let mut decision = session.think(number, &limits)?;
    let elapsed_ms = began.elapsed().as_millis() as u64;
    let tree = KeptTree::of(&mut decision);
    let spec = agent.spec.to_string();
    let left_out = tree.left_out();
    let study = Study {
        id,
        ply: ply as u32,
        elapsed_ms,
        explanation: decision.told(1),
        spec,
        tree_nodes: (tree.len() - left_out) as u32,
        left_out: left_out as u32,
    };
    Ok(KeptStudy { study, tree })
}

/// Shows a study.
#[utoipa::path(
    get, path = "/api/studies/{id}", tag = "insight", operation_id = "show_study",
    params(("id" = String, Path, description = "The id of the study")),
    responses(
        (status = 200, description = "What was found", body = Study),
        (status = 404, description = "It is not kept", body = Problem),
    )
)]
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Json<Study>, Refusal> {
    Ok(Json(app.insight.studies.find(&id)?.study.clone()))
}

/// Forgets a study.
#[utoipa::path(
    delete, path = "/api/studies/{id}", tag = "insight", operation_id = "delete_study",
    params(("id" = String, Path, description = "The id of the study")),
    responses(
        (status = 204, description = "It is gone"),
        (status = 404, description = "It is not kept", body = Problem),
    )
)]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<StatusCode, Refusal> {
    if !app.insight.studies.forget(&id) {
        return Err(Refusal::missing("study is kept", &id));
    }
    Ok(StatusCode::NO_CONTENT)
}

/// A part of the tree of a study: the root, or some children of a node.
#[utoipa::path(
    get, path = "/api/studies/{id}/tree", tag = "insight", operation_id = "show_tree",
    params(("id" = String, Path, description = "The id of the study"), TreeQuery),
    responses(
        (status = 200, description = "Nodes, the most visited first", body = TreePage),
        (status = 400, description = "No such node", body = Problem),
        (status = 404, description = "It is not kept", body = Problem),
    )
)]
pub(crate) async fn tree(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
    Asked(asked): Asked<TreeQuery>,
) -> Result<Json<TreePage>, Refusal> {
    let kept = app.insight.studies.find(&id)?;
    let limit = asked.limit.unwrap_or(USUAL_PAGE).min(LARGEST_PAGE);
    let page = kept.tree.page(asked.parent, asked.offset, limit);
    page.map(Json).ok_or_else(|| {
        let (parent, nodes) = (asked.parent.unwrap_or_default(), kept.tree.len());
        Refusal::bad(format!("parent {parent}: the tree has nodes 0 to {}", nodes.max(1) - 1))
    })
}

/// The whole tree of a study, to be kept elsewhere.
#[utoipa::path(
    get, path = "/api/studies/{id}/tree.json", tag = "insight", operation_id = "download_tree",
    params(("id" = String, Path, description = "The id of the study")),
    responses(
        (status = 200, description = "All nodes, parents first", body = TreeDownload),
        (status = 404, description = "It is not kept", body = Problem),
    )
)]
pub(crate) async fn download(
    State(app): State<Arc<App>>,
    Named(id): Named<String>,
) -> Result<Response, Refusal> {
    let kept = app.insight.studies.find(&id)?;
    let text = aside(move || {
        let tree = &kept.tree;
        let row = |node| TreeRow { parent: tree.parent(node), card: tree.card(node) };
        let all =
            TreeDownload { study: kept.study.clone(), nodes: (0..tree.len()).map(row).collect() };
        Ok(serde_json::to_string(&all).expect("a tree is plain data"))
    });
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"tree-{id}.json\"")),
    ];
    Ok((headers, text.await?).into_response())
}
