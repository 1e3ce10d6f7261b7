//! Every search of the plan, on many threads; the order of results is that of the plan.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use arena::{Seeds, WallClock};
use gamecore::{Clock, Purpose, Rng, StopToken, seed};
use registry::{AnyGame, ResolvedAgent, SpecError, Thinking};
use serde::Serialize;

use super::plan::{BASE, Plan, SETTINGS, Setting};
use crate::agent;
use lab::map_in_order;

/// One search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measurement {
    /// Index of the position.
    pub position: usize,
    /// Index of the column.
    pub column: usize,
    /// Decisions looked ahead.
    pub depth: u32,
    /// The value found.
    pub value: i32,
    /// The action chosen.
    pub action: String,
    /// Positions entered.
    pub nodes: u64,
    /// Of them, valued by evaluation or result.
    pub leaves: u64,
    /// Searches repeated.
    pub researches: u64,
    /// Positions entered by SCOUT's EVAL, of all entered.
    pub eval_nodes: u64,
    /// Answers of the table.
    pub table_hits: u64,
    /// Seconds of this search, the making of its table included.
    pub seconds: f64,
}

/// The smallest tree of one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimal {
    /// Index of the position.
    pub position: usize,
    /// Decisions looked ahead.
    pub depth: u32,
    /// Its nodes.
    pub nodes: u64,
}

/// Fewest and most nodes under random weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BothCounts {
    /// Weights tried.
    pub n: usize,
    /// Of SCOUT, only where EVAL enters.
    pub eval_nodes: [u64; 2],
    /// Of SCOUT, wherever it enters.
    pub nodes: [u64; 2],
    /// Of alpha-beta.
    pub alphabeta_nodes: [u64; 2],
}

/// Tells how many parts of how many are done.
pub(super) type ProgressFn<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// A search of a position, or the smallest tree of it where there is no column.
struct Task {
    position: usize,
    column: Option<usize>,
    depth: u32,
}

enum Found {
    Search(Measurement),
    Minimal(Minimal),
}

pub(super) struct Searching<'a> {
    pub(super) game: &'a dyn AnyGame,
    pub(super) plan: &'a Plan,
    pub(super) stop: &'a StopToken,
}

impl Searching<'_> {
    /// All searches and smallest trees, in the order of the plan. Incomplete if stopped.
    pub(super) fn run(
        &self,
        threads: usize,
        progress: ProgressFn<'_>,
    ) -> Result<(Vec<Measurement>, Vec<Minimal>), SpecError> {
        let tasks = self.tasks();
        let agents = self.agents()?;
        let done = AtomicU64::new(0);
        let found = map_in_order(threads, &tasks, &|task| {
            let found = self.one(task, &agents)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len() as u64);
            Ok::<_, SpecError>(found)
        })?;
        let (mut searches, mut minimal) = (Vec::new(), Vec::new());
        for found in found.into_iter().flatten() {
            match found {
                Found::Search(search) => searches.push(search),
                Found::Minimal(tree) => minimal.push(tree),
            }
        }
        Ok((searches, minimal))
    }

    /// Position after position, so that the pace is even.
    fn tasks(&self) -> Vec<Task> {
        let Plan { positions, columns, .. } = self.plan;
        let mut tasks = Vec::new();
        for position in 0..positions.len() {
            for depth in 1..=self.plan.depth() {
                let wanted = |column: &super::Column| {
                    let step = column.steps.get(depth as usize - 1);
                    step.is_some_and(|&step| position.is_multiple_of(step))
                };
                let wanted = columns.iter().enumerate().filter(|(_, column)| wanted(column));
                tasks.extend(wanted.map(|(at, _)| Task { position, column: Some(at), depth }));
            }
            let depths = 1..=self.plan.minimal_depth();
            let depths = depths.filter(|&depth| self.plan.has_minimal(position, depth));
            tasks.extend(depths.map(|depth| Task { position, column: None, depth }));
        }
        tasks
    }

    fn agents(&self) -> Result<BTreeMap<(usize, u32), ResolvedAgent>, SpecError> {
        let mut agents = BTreeMap::new();
        for (index, column) in self.plan.columns.iter().enumerate() {
            for depth in 1..=column.max_depth() {
                agents.insert((index, depth), agent(self.game, &column.spec(depth))?);
            }
        }
        Ok(agents)
    }

    /// Nothing if it was stopped.
    fn one(
        &self,
        &Task { position, column, depth }: &Task,
        agents: &BTreeMap<(usize, u32), ResolvedAgent>,
    ) -> Result<Option<Found>, SpecError> {
        if self.stop.is_stopped() {
            return Ok(None);
        }
        let Some(column) = column else {
            let nodes = self.minimal(position, depth)?;
            return Ok(nodes.map(|nodes| Found::Minimal(Minimal { position, depth, nodes })));
        };
        let found = self.search(position, &agents[&(column, depth)])?;
        Ok(found.map(|found| Found::Search(Measurement { column, depth, ..found })))
    }

    /// One search with an empty table; nothing if it was stopped.
    fn search(
        &self,
        position: usize,
        agent: &ResolvedAgent,
    ) -> Result<Option<Measurement>, SpecError> {
        let mut session = self.game.open(&self.plan.positions[position].text, Seeds::default())?;
        let number = session.add_agent(agent, 0);
        let clock = WallClock::new();
        let limits = Thinking::new(&clock, self.stop);
        let began = WallClock::new();
        let decision = session.think(number, &limits)?;
        let seconds = began.now().as_secs_f64();
        if self.stop.is_stopped() {
            return Ok(None);
        }
        Ok(Some(Measurement {
            position,
            column: 0,
            depth: 0,
            value: decision.explanation.value.unwrap_or_default() as i32,
            action: decision.explanation.choice.action,
            nodes: decision.counters.nodes,
            leaves: decision.counters.leaves,
            researches: decision.counters.researches,
            eval_nodes: decision.counters.eval_nodes,
            table_hits: decision.counters.table_hits,
            seconds,
        }))
    }

    /// Nodes from the start position, as deep as the paper looks, under random weights of the
    /// evaluation: how many there are depends on what is called a node.
    pub(super) fn counted_both_ways(&self, threads: usize) -> Result<BothCounts, SpecError> {
        let numbers: Vec<u64> = (0..self.plan.weights).collect();
        let found = map_in_order(threads, &numbers, &|&number| {
            let mut rng = Rng::new(seed(self.plan.seed, number, Purpose::Start));
            let keys: String = self
                .weights()
                .filter(|key| key != "eval.terminal")
                .map(|key| format!(",{key}={}", rng.below(11)))
                .collect();
            let nodes = |name: &str| -> Result<Option<Measurement>, SpecError> {
                let (depth, Setting { keys: plain, .. }) = (self.plan.start_depth, &SETTINGS[0]);
                let spec = format!("{name}:depth={depth},{plain},eval=paper{keys}");
                self.search(0, &agent(self.game, &spec)?)
            };
            Ok::<_, SpecError>([nodes("scout")?, nodes(BASE)?])
        })?;
        let range = |of: &dyn Fn(&[Option<Measurement>; 2]) -> Option<u64>| {
            let all = || found.iter().filter_map(of);
            [all().min().unwrap_or(0), all().max().unwrap_or(0)]
        };
        Ok(BothCounts {
            n: found.len(),
            eval_nodes: range(&|[scout, _]| Some(scout.as_ref()?.eval_nodes)),
            nodes: range(&|[scout, _]| Some(scout.as_ref()?.nodes)),
            alphabeta_nodes: range(&|[_, base]| Some(base.as_ref()?.nodes)),
        })
    }

    /// One step deeper than the paper says that memory allows; `None` if it was stopped.
    pub(super) fn beyond_reported(&self) -> Result<Option<u64>, SpecError> {
        let Setting { keys, .. } = &SETTINGS[0];
        let depth = self.plan.start_depth + 1;
        let agent = agent(self.game, &format!("{BASE}:depth={depth},{keys},eval=paper"))?;
        Ok(self.search(0, &agent)?.map(|found| found.nodes))
    }

    /// The keys of the evaluation's weights.
    fn weights(&self) -> impl Iterator<Item = String> {
        let agents = self.game.agents().into_iter().filter(|agent| agent.name == BASE);
        let keys = agents.flat_map(|agent| agent.params).map(|param| param.key);
        keys.filter(|key| key.starts_with("eval."))
    }

    /// The smallest tree whatever the evaluation says: where all values are equal every choice of
    /// refutations and of the best line is open, so none can be cheaper.
    pub(super) fn any_evaluation(&self, position: &str) -> Result<Option<u64>, SpecError> {
        let zero: String = self.weights().map(|key| format!(",{key}=0")).collect();
        let depth = self.plan.start_depth;
        let agent = agent(self.game, &format!("{BASE}:depth={depth},eval=paper{zero}"))?;
        self.game.minimal_tree(position, depth, 0, &agent, self.stop)
    }

    fn minimal(&self, position: usize, depth: u32) -> Result<Option<u64>, SpecError> {
        let [.., Setting { keys, .. }] = &SETTINGS[..] else { unreachable!("a table of settings") };
        let spec = format!("{BASE}:depth={depth},{keys},eval=paper");
        let agent = agent(self.game, &spec)?;
        let Some(Measurement { value, .. }) = self.search(position, &agent)? else {
            return Ok(None);
        };
        let text = &self.plan.positions[position].text;
        self.game.minimal_tree(text, depth, value, &agent, self.stop)
    }
}
