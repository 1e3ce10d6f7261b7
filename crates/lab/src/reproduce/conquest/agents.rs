//! The thesis's agents against each other (its section 7.4): a round robin with intervals, and
//! whether the agents as intended are stronger than the one that was really run.

use std::fmt::Write as _;
use std::sync::Arc;

use arena::{Seeds, WallClock};
use gamecore::{Purpose, StopToken, seed};
use registry::{AnyGame, ResolvedAgent, SpecError, Thinking};
use serde::Serialize;

use crate::reproduce::{Scale, Stage, agent};
use crate::{MatchError, MatchReport, MatchSpec, Openings, grouped, p_value, play_match};

/// The five agents as intended, and the thesis's winner as it really played.
pub const AGENTS: [&str; 6] =
    ["fpu", "full-turn", "fpu-full-turn", "plain-mcts", "random-search", ORIGINAL];
const ORIGINAL: &str = "fpu-original";
/// The thesis tuned its winner against this one.
const SPARRING: &str = "random-search-original";
const SPARRING_GAMES: u64 = 200;
const LOADOUT: &str = "Default";
const CALLS: u64 = 3000;

/// Work of decisions at the start position.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StartDecisions {
    /// How many were made, each by a fresh agent.
    pub decisions: u64,
    /// Fewest and most calls.
    pub calls: [u64; 2],
    /// Fewest and most iterations.
    pub iterations: [u64; 2],
    /// Mean iterations.
    pub mean_iterations: f64,
}

/// The finished round robin.
#[derive(Debug, Serialize)]
pub struct AgentsStudy {
    /// The rules.
    pub rules: String,
    /// Loadout of both sides.
    pub loadout: &'static str,
    /// Seed of every match.
    pub seed: u64,
    /// Games a pair of agents.
    pub games: u64,
    /// Agents with all their keys.
    pub agents: Vec<(String, Vec<(String, String)>)>,
    /// Every pair once, in the order of the agents.
    pub matches: Vec<MatchReport>,
    /// The thesis's winner against the agent it was tuned on, both as they really played.
    pub sparring: MatchReport,
    /// `fpu-original` at the start.
    pub start: StartDecisions,
}

const fn games(scale: Scale) -> u64 {
    match scale {
        Scale::Tiny => 2,
        Scale::Quick => 20,
        Scale::Standard | Scale::Paper => 400,
    }
}

fn resolve(game: &dyn AnyGame, name: &str) -> Result<ResolvedAgent, SpecError> {
    agent(game, &format!("{name}:calls={CALLS}"))
}

/// Plays it; `None` if interrupted.
pub(super) fn run(
    game: &Arc<dyn AnyGame>,
    scale: Scale,
    run_seed: u64,
    threads: usize,
    stop: &StopToken,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Option<AgentsStudy>, MatchError> {
    let play = |a: &str, b: &str, games: u64, told: &(dyn Fn(u64) + Sync)| {
        let spec = MatchSpec {
            game: game.clone(),
            a: resolve(&**game, a)?,
            b: resolve(&**game, b)?,
            games,
            seed: run_seed,
            openings: Openings::Random(Some(0)),
            setups: [LOADOUT.to_owned(), LOADOUT.to_owned()],
            time: None,
        };
        Ok::<_, MatchError>(
            play_match(&spec, threads, stop, &|standing| told(standing.games))?.report,
        )
    };
    let pairs: Vec<(usize, usize)> =
        (0..AGENTS.len()).flat_map(|a| (a + 1..AGENTS.len()).map(move |b| (a, b))).collect();
    let each = games(scale);
    let total = each * pairs.len() as u64 + SPARRING_GAMES.min(each);
    let mut matches = Vec::new();
    for (number, &(a, b)) in pairs.iter().enumerate() {
        let before = each * number as u64;
        let told = |done| progress(Stage { what: "round robin", done: before + done, total });
        matches.push(play(AGENTS[a], AGENTS[b], each, &told)?);
        if stop.is_stopped() {
            return Ok(None);
        }
    }
    let sparring = play(ORIGINAL, SPARRING, SPARRING_GAMES.min(each), &|_| {})?;
    let keys = |name: &&str| {
        let agent = resolve(&**game, name)?;
        let pairs = agent.values.iter().map(|(key, value)| (key.to_owned(), value.to_owned()));
        Ok(((*name).to_owned(), pairs.collect()))
    };
    Ok((!stop.is_stopped()).then_some(AgentsStudy {
        rules: game.info().rules,
        loadout: LOADOUT,
        seed: run_seed,
        games: each,
        agents: AGENTS.iter().map(keys).collect::<Result<_, SpecError>>()?,
        matches,
        sparring,
        start: start_decisions(&**game, each.max(20), run_seed)?,
    }))
}

/// Lets fresh agents decide the first position.
fn start_decisions(
    game: &dyn AnyGame,
    decisions: u64,
    run_seed: u64,
) -> Result<StartDecisions, SpecError> {
    let agent = resolve(game, ORIGINAL)?;
    let start = game.start([LOADOUT; 2], Some(0), run_seed, false)?;
    let (clock, stop) = (WallClock::new(), StopToken::default());
    let limits = Thinking { clock: &clock, stop: &stop, progress: None, tree_nodes: 0 };
    let (mut calls, mut iterations) = (Vec::new(), Vec::new());
    for number in 0..decisions {
        let mut session = game.open(&start, Seeds::default())?;
        let own = seed(run_seed, number, Purpose::Agent { game: 0, letter: 'a' });
        let agent = session.add_agent(&agent, own);
        let counters = session.think(agent, &limits)?.counters;
        calls.push(counters.calls);
        iterations.push(counters.iterations);
    }
    let ends = |counts: &[u64]| {
        let (least, most) = (counts.iter().min(), counts.iter().max());
        [least.copied().unwrap_or(0), most.copied().unwrap_or(0)]
    };
    Ok(StartDecisions {
        decisions,
        calls: ends(&calls),
        iterations: ends(&iterations),
        mean_iterations: iterations.iter().sum::<u64>() as f64 / decisions.max(1) as f64,
    })
}

/// One agent's result over all its matches.
struct Total {
    name: &'static str,
    score: f64,
    beaten: usize,
    lost_to: usize,
    ms: f64,
}

impl AgentsStudy {
    /// Score and interval of one agent against another, seen from the first.
    fn result(&self, a: &str, b: &str) -> Option<(f64, [f64; 2], f64)> {
        let name = |spec: &str| spec.split(':').next().map(str::to_owned);
        self.matches.iter().find_map(|report| {
            let (first, second) = (name(&report.a)?, name(&report.b)?);
            let score = report.score?;
            let [low, high] = report.wilson;
            if first == a && second == b {
                Some((score, [low, high], report.p_value))
            } else if first == b && second == a {
                Some((1.0 - score, [1.0 - high, 1.0 - low], report.p_value))
            } else {
                None
            }
        })
    }

    fn totals(&self) -> Vec<Total> {
        let total = |name: &'static str| {
            let results: Vec<_> =
                AGENTS.iter().filter_map(|other| self.result(name, other)).collect();
            let count = results.len().max(1) as f64;
            Total {
                name,
                score: results.iter().map(|(score, ..)| score).sum::<f64>() / count,
                beaten: results.iter().filter(|(_, [low, _], _)| *low > 0.5).count(),
                lost_to: results.iter().filter(|(_, [_, high], _)| *high < 0.5).count(),
                ms: self.milliseconds(name),
            }
        };
        let mut totals: Vec<Total> = AGENTS.into_iter().map(total).collect();
        totals.sort_by(|a, b| b.score.total_cmp(&a.score));
        totals
    }

    /// Mean wall time of a decision.
    fn milliseconds(&self, name: &str) -> f64 {
        let (mut seconds, mut decisions) = (0.0, 0);
        for report in &self.matches {
            let Some(effort) = report.effort else { continue };
            for (spec, spent, effort) in [
                (&report.a, report.timing.a_seconds, effort.a),
                (&report.b, report.timing.b_seconds, effort.b),
            ] {
                if spec.split(':').next() == Some(name) {
                    seconds += spent;
                    decisions += effort.decisions;
                }
            }
        }
        1000.0 * seconds / decisions.max(1) as f64
    }

    /// The tables and what they say, as Markdown.
    pub(super) fn markdown(&self) -> String {
        let mut text = format!(
            "## Agents\n\n{LOADOUT} against {LOADOUT}, {CALLS} calls a decision, {} games a pair \
             of agents (every pair of games with seats exchanged), seed {}. Score of the row \
             against the column in percent, with the 95 % Wilson interval of that pair alone; \
             **bold** where the interval leaves out 50.\n\n|",
            self.games, self.seed
        );
        let totals = self.totals();
        let mut put = |words: String| text.push_str(&words);
        put(totals.iter().map(|total| format!(" | {}", total.name)).collect::<String>());
        put(format!(" | mean |\n|---|{}---|\n", "---|".repeat(totals.len())));
        for row in &totals {
            put(format!("| {}", row.name));
            for column in &totals {
                let cell = self.result(row.name, column.name).map(|(score, [low, high], _)| {
                    let mark = if low > 0.5 || high < 0.5 { "**" } else { "" };
                    let [score, low, high] = [score, low, high].map(|part| part * 100.0);
                    format!("{mark}{score:.1}{mark} [{low:.1}, {high:.1}]")
                });
                put(format!(" | {}", cell.unwrap_or_else(|| "–".into())));
            }
            put(format!(" | {:.1} |\n", row.score * 100.0));
        }
        put(
            "\n| agent | stronger than | weaker than | ms a decision (wall) |\n|---|---|---|---|\n"
                .into(),
        );
        for Total { name, beaten, lost_to, ms, .. } in &totals {
            put(format!("| {name} | {beaten} | {lost_to} | {ms:.2} |\n"));
        }
        put(format!("\n{}\n", self.verdict()));
        let Self { sparring, start, .. } = self;
        let [low, high] = sparring.wilson.map(|end| end * 100.0);
        let _ = write!(
            text,
            "\n`{ORIGINAL}` against `{SPARRING}`, which it was tuned on: {:.1} % \
             [{low:.1}, {high:.1}] of {} games.\n\n`{ORIGINAL}` at the start, {} fresh decisions: \
             {}–{} calls, {}–{} iterations, {:.0} on average.\n",
            sparring.score.unwrap_or(0.5) * 100.0,
            sparring.games,
            start.decisions,
            grouped(start.calls[0]),
            grouped(start.calls[1]),
            start.iterations[0],
            start.iterations[1],
            start.mean_iterations,
        );
        text
    }

    /// Whether the intended agents are stronger, in a sentence each.
    fn verdict(&self) -> String {
        let mut text = format!("Against `{ORIGINAL}`, the agent of the thesis's tournaments:\n");
        for name in AGENTS.into_iter().filter(|&name| name != ORIGINAL) {
            let Some((score, [low, high], p)) = self.result(name, ORIGINAL) else { continue };
            let word = if low > 0.5 {
                "stronger"
            } else if high < 0.5 {
                "weaker"
            } else {
                "no difference shown"
            };
            let _ = write!(
                text,
                "\n- `{name}`: {word}: {:.1} % [{:.1}, {:.1}], sign test over pairs {}",
                score * 100.0,
                low * 100.0,
                high * 100.0,
                p_value(p)
            );
        }
        text.push_str(
            "\n\nFifteen pairs were compared, so an interval that only just leaves out 50 is weak \
             evidence.",
        );
        text
    }

    /// One line a match.
    pub(super) fn csv(&self) -> String {
        let mut text =
            "a,b,games,a_wins,draws,b_wins,score,wilson_low,wilson_high,p_value\n".to_owned();
        for report in self.matches.iter().chain([&self.sparring]) {
            let MatchReport { a, b, games, a_wins, draws, b_wins, wilson, p_value, .. } = report;
            let score = report.score.unwrap_or(0.5);
            let [low, high] = wilson;
            let _ = writeln!(
                text,
                "\"{a}\",\"{b}\",{games},{a_wins},{draws},{b_wins},{score:.4},{low:.4},{high:.4},\
                 {p_value:.6}"
            );
        }
        text
    }

    /// What was played, with every key of every agent.
    pub(super) fn spec(&self) -> String {
        let mut text = format!(
            "# What `warroom reproduce conquest --part agents` played.\ngame = \"conquest\"\n\
             rules = \"{}\"\nsetup = \"{}\"\nseed = {}\ngames_per_pair = {}\n",
            self.rules, self.loadout, self.seed, self.games
        );
        for (name, keys) in &self.agents {
            let _ = write!(text, "\n[agent.{name}]\n");
            for (key, value) in keys {
                let _ = writeln!(text, "\"{key}\" = \"{value}\"");
            }
        }
        text
    }
}
