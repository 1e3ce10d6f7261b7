//! Speed, by whatever clock is given. Every benchmark repeats one fixed piece of work; the signature is
//! a hash of what that work computed, the same on every machine and in every run.

use std::time::Duration;

use arena::Seeds;
use gamecore::key::fold;
use gamecore::{Clock, StopToken};
use serde::Serialize;

use crate::bench_plan::{BenchPlan, DecisionBench, Measure, Playouts, SolveBench};
use crate::erased::{AnyGame, Thinking};
use crate::reports::DecisionReport;
use crate::solver::SolverSettings;
use crate::{AgentSpec, SpecError, no_files};

/// One measurement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchResult {
    /// `GAME/WHAT`.
    pub name: String,
    /// The measured number, the best of several rounds.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Whether more is better.
    pub higher_is_better: bool,
    /// Hash of the work done, 16 hexadecimal digits.
    pub signature: String,
}

/// Work done by one round of a benchmark.
struct Work {
    amount: u64,
    signature: u64,
}

/// How long to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BenchEffort {
    /// One round each: enough for signatures.
    Quick,
    /// Rounds for about two seconds each.
    Full,
}

/// How it is measured.
#[derive(Clone, Copy)]
struct Means<'a> {
    effort: BenchEffort,
    clock: &'a dyn Clock,
}

/// Runs the benchmarks of a game one after the other on this thread, timed by `clock`; `progress` hears
/// the name of each before it starts.
pub fn bench(
    game: &dyn AnyGame,
    effort: BenchEffort,
    clock: &dyn Clock,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<BenchResult>, SpecError> {
    let means = Means { effort, clock };
    let info = game.info();
    let plan = game.bench_plan();
    let start = game.start([""; 2], Some(0), 1, false)?;
    let mut results = Vec::new();
    let mut run = |what: &str, unit, work: &mut dyn FnMut() -> Result<Work, SpecError>| {
        let name = format!("{}/{what}", info.name);
        progress(&name);
        let (rate, signature) = best_rate(means, work)?;
        let signature = format!("{signature:016x}");
        results.push(BenchResult { name, value: rate, unit, higher_is_better: true, signature });
        Ok::<(), SpecError>(())
    };
    let (name, unit, games) = match plan.playouts {
        Playouts::Games(games) => ("playouts", "games/s", games),
        Playouts::Actions(games) => ("random-actions", "actions/s", games),
    };
    run(name, unit, &mut || {
        let report = game.playouts(games, 1);
        let counted = matches!(plan.playouts, Playouts::Actions(_));
        let amount = if counted { report.actions } else { report.games };
        Ok(Work { amount, signature: fold(report.signature, report.actions) })
    })?;
    if !info.hidden {
        run("perft", "leaves/s", &mut || {
            let report = game.perft(&start, plan.perft_depth, &mut |_, _| {})?;
            Ok(Work { amount: report.leaves, signature: fold(1, report.leaves) })
        })?;
        run("alphabeta", "nodes/s", &mut || searches(game, &plan, clock))?;
    }
    for bench in plan.decisions.iter().filter(|_| !info.hidden) {
        let name = format!("{}/{}", info.name, bench.name);
        progress(&name);
        results.push(measure_decisions(game, bench, name, means)?);
    }
    if let Some(solve) = plan.solve {
        let name = format!("{}/{}", info.name, solve.name);
        progress(&name);
        let (rate, signature) = best_rate(means, &mut || solve_problems(game, &solve))?;
        let signature = format!("{signature:016x}");
        // Work is counted as one, so the inverse of the rate is the time of all problems.
        let value = 1.0 / rate;
        results.push(BenchResult { name, value, unit: "s", higher_is_better: false, signature });
    }
    Ok(results)
}

fn solve_problems(game: &dyn AnyGame, bench: &SolveBench) -> Result<Work, SpecError> {
    let make = || {
        let settings = SolverSettings { table_mb: 64, threads: 1 };
        let name = game.info().name;
        game.solver(settings).ok_or_else(|| SpecError::new(name, "the game has no solver"))
    };
    let (from, to) = bench.ids;
    let mut signature = 0;
    for problem in make()?.problems(bench.file)? {
        if !problem.id.parse().is_ok_and(|id: u32| (from..=to).contains(&id)) {
            continue;
        }
        if let Some(report) = make()?.solve(&problem.position, &|| false)? {
            signature = fold(fold(signature, report.nodes), report.score as u64);
        }
    }
    Ok(Work { amount: 1, signature })
}

fn searches(game: &dyn AnyGame, plan: &BenchPlan, clock: &dyn Clock) -> Result<Work, SpecError> {
    let mut work = Work { amount: 0, signature: 0 };
    let positions = (plan.searches, plan.search_plies);
    decide(game, plan.agent, positions, clock, &mut |decision, _| {
        let value = decision.explanation.value.unwrap_or(0.0).to_bits();
        work.amount += decision.counters.nodes;
        work.signature = fold(fold(work.signature, decision.counters.nodes), value);
    })?;
    Ok(work)
}

/// Lets fresh agents decide so many random positions after so many actions; `hear` is told each decision and the memory (nodes
/// and bytes) of its agent.
fn decide(
    game: &dyn AnyGame,
    agent: &str,
    (positions, plies): (u64, u32),
    clock: &dyn Clock,
    hear: &mut dyn FnMut(&DecisionReport, (usize, usize)),
) -> Result<(), SpecError> {
    let agent = game.resolve(&AgentSpec::parse(agent, &no_files)?, &no_files)?;
    let stop = StopToken::default();
    for seed in 0..positions {
        let start = game.start([""; 2], Some(plies), seed, false)?;
        let mut session = game.open(&start, Seeds::default())?;
        let number = session.add_agent(&agent, 0);
        let limits = Thinking::new(clock, &stop);
        let decision = session.think(number, &limits)?;
        hear(&decision, session.tree_memory(number));
    }
    Ok(())
}

fn measure_decisions(
    game: &dyn AnyGame,
    bench: &DecisionBench,
    name: String,
    means: Means<'_>,
) -> Result<BenchResult, SpecError> {
    let DecisionBench { agent, positions, plies, measure, .. } = *bench;
    let mut memory = (0, 0);
    // How much of it is measured does not change what an agent does.
    let once = Means { effort: BenchEffort::Quick, ..means };
    let means = if measure == Measure::NodeBytes { once } else { means };
    let (rate, signature) = best_rate(means, &mut || {
        let mut work = Work { amount: 0, signature: 0 };
        memory = (0, 0);
        decide(game, agent, (positions, plies), means.clock, &mut |decision, (nodes, bytes)| {
            let counters = decision.counters;
            work.amount += if measure == Measure::Iterations { counters.iterations } else { 1 };
            let value = decision.explanation.value.unwrap_or(0.0).to_bits();
            work.signature = fold(fold(work.signature, counters.calls), value);
            memory = (memory.0 + nodes, memory.1 + bytes);
        })?;
        Ok(work)
    })?;
    let (value, unit) = match measure {
        Measure::Iterations => (rate, "iterations/s"),
        Measure::Milliseconds => (1000.0 / rate, "ms"),
        Measure::NodeBytes => (memory.1 as f64 / memory.0.max(1) as f64, "bytes"),
    };
    let signature = format!("{signature:016x}");
    let higher_is_better = measure == Measure::Iterations;
    Ok(BenchResult { name, value, unit, higher_is_better, signature })
}

/// The fastest of several rounds, because everything that disturbs a round makes it slower.
fn best_rate(
    Means { effort, clock }: Means<'_>,
    work: &mut dyn FnMut() -> Result<Work, SpecError>,
) -> Result<(f64, u64), SpecError> {
    let began = clock.now();
    let mut best = 0f64;
    loop {
        let round = clock.now();
        let Work { amount, signature } = work()?;
        let now = clock.now();
        best = best.max(amount as f64 / now.saturating_sub(round).as_secs_f64().max(1e-9));
        if effort == BenchEffort::Quick || now.saturating_sub(began) > Duration::from_secs(2) {
            return Ok((best, signature));
        }
    }
}
