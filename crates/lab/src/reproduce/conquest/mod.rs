//! *Optimising setups and gameplay for Conquest* (Bax 2025), done again: what its reductions of the
//! search space save, and which of its agents is stronger.

mod agents;
mod reductions;

use std::sync::Arc;
use std::time::Instant;

use gamecore::StopToken;
use registry::AnyGame;
use serde::Serialize;

pub use agents::{AGENTS, AgentsStudy, StartDecisions};
pub use reductions::{DrawCost, ReductionsStudy, Row, WindsStudy};

use super::{Scale, Stage};
use crate::MatchError;

/// The name of the game.
pub const GAME: &str = "conquest";

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The tree of a turn with and without each reduction.
    Reductions,
    /// A round robin of the agents.
    Agents,
}

impl Part {
    /// Names and parts.
    pub const ALL: [(&'static str, Self); 2] =
        [("reductions", Self::Reductions), ("agents", Self::Agents)];
}

/// The finished experiment, or those of its parts that were asked for.
#[derive(Debug, Serialize)]
pub struct Study {
    /// Name of this form.
    pub schema: &'static str,
    /// The paper.
    pub paper: &'static str,
    /// Version of this program.
    pub version: &'static str,
    /// The scale.
    pub scale: &'static str,
    /// The seed.
    pub seed: u64,
    /// The tree of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reductions: Option<ReductionsStudy>,
    /// The round robin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agents: Option<AgentsStudy>,
    /// Everything measured by a clock.
    pub timing: StudyTiming,
}

/// What a clock measured.
#[derive(Debug, Serialize)]
pub struct StudyTiming {
    /// Seconds of the whole experiment.
    pub seconds: f64,
}

/// Runs the parts; `None` if interrupted.
pub fn run(
    game: &Arc<dyn AnyGame>,
    parts: &[Part],
    (scale, seed): (Scale, u64),
    threads: usize,
    stop: &StopToken,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Option<Study>, MatchError> {
    let began = Instant::now();
    let mut study = Study {
        schema: "warroom-reproduce-conquest-1",
        paper: super::paper(GAME).title,
        version: env!("CARGO_PKG_VERSION"),
        scale: scale.name(),
        seed,
        reductions: None,
        agents: None,
        timing: StudyTiming { seconds: 0.0 },
    };
    if parts.contains(&Part::Reductions) {
        study.reductions = reductions::run(game, scale, seed, threads, stop, progress)?;
    }
    if parts.contains(&Part::Agents) && !stop.is_stopped() {
        study.agents = agents::run(game, scale, seed, threads, stop, progress)?;
    }
    study.timing.seconds = began.elapsed().as_secs_f64();
    Ok((!stop.is_stopped()).then_some(study))
}

/// The study as Markdown.
#[must_use]
pub fn markdown(study: &Study) -> String {
    let Study { paper, version, scale, seed, timing, .. } = study;
    let parts: Vec<&str> = Part::ALL
        .into_iter()
        .filter(|(_, part)| match part {
            Part::Reductions => study.reductions.is_some(),
            Part::Agents => study.agents.is_some(),
        })
        .map(|(name, _)| name)
        .collect();
    let mut text = format!(
        "# Conquest: the thesis of 2025, done again\n\n{paper}.\n\nMade by `warroom reproduce \
         conquest --part {} --scale {scale} --seed {seed}`, version {version}, in {:.0} s.\n",
        parts.join(","),
        timing.seconds
    );
    for part in [
        study.reductions.as_ref().map(ReductionsStudy::markdown),
        study.agents.as_ref().map(AgentsStudy::markdown),
    ] {
        text.extend(part.map(|part| format!("\n{part}")));
    }
    text
}

/// Everything about the study that is kept: names of files and what is in them.
#[must_use]
pub fn files(study: &Study) -> Vec<(&'static str, String)> {
    let mut files = vec![("README.md", markdown(study))];
    if let Some(reductions) = &study.reductions {
        files.push(("conquest-reductions.csv", reductions.csv()));
    }
    if let Some(agents) = &study.agents {
        files.push(("conquest-agents.csv", agents.csv()));
        files.push(("conquest-agents.toml", agents.spec()));
    }
    files
}
