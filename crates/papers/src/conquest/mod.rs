//! *Optimising setups and gameplay for Conquest* (Bax 2025), done again: what its reductions of the
//! search space save, which of its agents is stronger, its tournament of 31 setups, the cycles in
//! it, and what its players did.

mod agents;
mod compare;
mod published;
mod reductions;
mod tournament;
mod tuning;

use arena::WallClock;

use serde::Serialize;

pub use agents::{AgentsStudy, StartDecisions};
pub use reductions::{DrawCost, ReductionsStudy, Row, WindsStudy};
pub use tournament::TournamentStudy;
pub use tuning::TuningStudy;

use super::{Bench, PaperError, Planned, Scale, StudyTiming, Verdict};
use lab::report::{Block, Document, DocumentFile};

/// The name of the game.
pub const GAME: &str = "conquest";

/// The rules that everything is played under: the best guess of what the thesis's program played,
/// and the game as the thesis describes it.
pub const RULES: [&str; 2] = ["thesis", "intended"];

/// A part of the experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The tree of a turn with and without each reduction.
    Reductions,
    /// A round robin of the agents.
    Agents,
    /// The tuning of its FPU agent.
    Tuning,
    /// The tournament of setups, its cycles, and what its players did.
    Tournament,
}

impl Part {
    /// Names and parts.
    pub const ALL: [(&'static str, Self); 4] = [
        ("agents", Self::Agents),
        ("tuning", Self::Tuning),
        ("tournament", Self::Tournament),
        ("reductions", Self::Reductions),
    ];
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
    /// What became of its claims.
    pub verdicts: Vec<Verdict>,
    /// The round robins of agents, one for each of [`RULES`].
    pub agents: Vec<AgentsStudy>,
    /// The tunings, one for each of [`RULES`].
    pub tunings: Vec<TuningStudy>,
    /// The tournaments of setups, one for each of [`RULES`].
    pub tournaments: Vec<TournamentStudy>,
    /// The tree of a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reductions: Option<ReductionsStudy>,
    /// Everything measured by a clock.
    pub timing: StudyTiming,
}

/// The runs of these parts; the reductions have none.
#[must_use]
pub fn planned(parts: &[Part], (scale, seed): (Scale, u64)) -> Vec<Planned> {
    let of = |part, planned: fn(&str, Scale, u64) -> Planned| {
        let rules = RULES.into_iter().filter(move |_| parts.contains(&part));
        rules.map(move |rules| planned(rules, scale, seed))
    };
    of(Part::Agents, agents::planned)
        .chain(of(Part::Tuning, tuning::planned))
        .chain(of(Part::Tournament, tournament::planned))
        .collect()
}

/// Runs the parts; `None` if interrupted.
pub fn run(
    bench: &Bench<'_>,
    parts: &[Part],
    (scale, seed): (Scale, u64),
) -> Result<Option<Study>, PaperError> {
    let began = WallClock::new();
    let mut study = Study {
        schema: "warroom-reproduce-conquest-2",
        paper: super::paper(GAME).title,
        version: env!("CARGO_PKG_VERSION"),
        scale: scale.name(),
        seed,
        verdicts: Vec::new(),
        agents: Vec::new(),
        tunings: Vec::new(),
        tournaments: Vec::new(),
        reductions: None,
        timing: StudyTiming { seconds: 0.0, games_before: 0 },
    };
    for rules in RULES {
        if parts.contains(&Part::Agents) {
            let Some(found) = agents::run(bench, rules, scale, seed)? else { return Ok(None) };
            study.agents.push(found);
        }
    }
    for rules in RULES {
        if parts.contains(&Part::Tuning) {
            let Some(found) = tuning::run(bench, rules, scale, seed)? else { return Ok(None) };
            study.tunings.push(found);
        }
    }
    for rules in RULES {
        if parts.contains(&Part::Tournament) {
            let Some(found) = tournament::run(bench, rules, scale, seed)? else { return Ok(None) };
            study.tournaments.push(found);
        }
    }
    if parts.contains(&Part::Reductions) {
        let game = standard::open_game(GAME, "")?;
        let threads = bench.threads;
        study.reductions =
            reductions::run(&game, scale, seed, threads, bench.stop, bench.progress)?;
    }
    if bench.stop.is_stopped() {
        return Ok(None);
    }
    study.verdicts = study.agents.iter().flat_map(AgentsStudy::verdicts).collect();
    study.verdicts.extend(study.tunings.iter().flat_map(TuningStudy::verdicts));
    study.verdicts.extend(study.tournaments.iter().flat_map(TournamentStudy::verdicts));
    let runs = study.agents.iter().map(|part| &part.stored);
    let runs = runs.chain(study.tunings.iter().map(|part| &part.stored));
    let runs = runs.chain(study.tournaments.iter().map(|part| &part.stored));
    study.timing = StudyTiming::of(&began, runs);
    Ok(Some(study))
}

/// The study for readers.
#[must_use]
pub fn document(study: &Study) -> Document {
    let Study { paper, version, scale, seed, timing, .. } = study;
    let done: Vec<&str> = Part::ALL
        .into_iter()
        .filter(|(_, part)| match part {
            Part::Reductions => study.reductions.is_some(),
            Part::Agents => !study.agents.is_empty(),
            Part::Tuning => !study.tunings.is_empty(),
            Part::Tournament => !study.tournaments.is_empty(),
        })
        .map(|(name, _)| name)
        .collect();
    let took = timing.words();
    let mut blocks = Vec::new();
    if !study.verdicts.is_empty() {
        blocks.push(Block::Heading("Claims of the thesis, and verdicts".into()));
        blocks.extend(study.verdicts.iter().cloned().map(Block::Verdict));
    }
    for part in &study.tournaments {
        blocks.extend(part.blocks());
    }
    for part in &study.agents {
        blocks.extend(part.blocks());
    }
    for part in &study.tunings {
        blocks.extend(part.blocks());
    }
    if let Some(reductions) = &study.reductions {
        blocks.extend(reductions.blocks());
    }
    Document {
        title: "Conquest: the 2025 thesis reproduced".into(),
        lead: vec![
            format!("{paper}."),
            format!(
                "Made by `warroom reproduce conquest --part {} --scale {scale} --seed {seed}`, \
                 version {version}, {took}. Everything is played under two sets of rules: \
                 **thesis**, the best guess of what its program played (Regenerate does nothing, \
                 every defender strikes back, 25 points at the start), and **intended**, the game \
                 as the thesis describes it.",
                done.join(",")
            ),
        ],
        facts: Vec::new(),
        blocks,
    }
}

/// What was measured, for programs, beside the tables of the document.
#[must_use]
pub fn data_files(study: &Study) -> Vec<DocumentFile> {
    let reductions = study.reductions.iter().map(|reductions| DocumentFile {
        name: "conquest-reductions.csv".into(),
        content: reductions.csv(),
    });
    reductions.collect()
}
