//! The thesis's agents against each other (its section 7.4).

use arena::{Seeds, WallClock};
use gamecore::{Purpose, StopToken, seed};
use registry::{AnyGame, SpecError, Thinking};
use serde::Serialize;

use super::published::SELECTION;
use super::{Bench, GAME, PaperError, Planned, Scale};
use crate::agent;
use crate::stored::Stored;
use lab::grouped;
use lab::percent;
use lab::report::{self, Block};
use lab::report::{Ruling, Verdict};
use lab::report::{Table, head};
use lab::run::CellSummary;

const ORIGINAL: &str = "fpu-original";
const LOADOUT: &str = "Default";

/// Three troops a side, for games that only show that all of it works.
const SMALL: &str = "IAmWarrior";

const fn loadout(scale: Scale) -> &'static str {
    if matches!(scale, Scale::Tiny) { SMALL } else { LOADOUT }
}

/// Who plays under which rules: the program's agents under its rules, two of them with a second value
/// of K, for the thesis has second sets of parameters but does not print them; and the agents as intended, with the thesis's winner
/// as it really played, under the rules as intended.
fn players(rules: &str) -> &'static [(&'static str, &'static str)] {
    match rules {
        "thesis" => &[
            (ORIGINAL, ""),
            ("fpu-original, K 1", "select.c=1"),
            ("full-turn-original", ""),
            ("full-turn-original, K 0.5", "select.c=0.5"),
            ("plain-mcts-original", ""),
            ("random-search-original", ""),
        ],
        _ => &[
            ("fpu", ""),
            ("full-turn", ""),
            ("fpu-full-turn", ""),
            ("plain-mcts", ""),
            ("random-search", ""),
            (ORIGINAL, ""),
        ],
    }
}

const fn games(scale: Scale) -> u64 {
    match scale {
        Scale::Tiny => 2,
        Scale::Quick => 40,
        Scale::Standard | Scale::Paper => 200,
    }
}

/// Calls a decision; the thesis gave 3,000.
const fn calls(scale: Scale) -> u64 {
    if matches!(scale, Scale::Tiny) { 100 } else { 3000 }
}

/// Games that only show that all of it works need not be decided.
const fn turn_limit(scale: Scale) -> &'static str {
    if matches!(scale, Scale::Tiny) { ",turn-limit=40" } else { "" }
}

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
    pub rules: &'static str,
    /// Calls a decision.
    pub calls: u64,
    /// The run.
    #[serde(flatten)]
    pub(super) stored: Stored,
    /// `fpu-original` at the start.
    pub start: StartDecisions,
}

/// The round robin under some rules.
pub(super) fn planned(rules: &str, scale: Scale, run_seed: u64) -> Planned {
    let calls = calls(scale);
    let listed: Vec<String> = players(rules)
        .iter()
        .map(|(name, keys)| {
            let agent = name.split(',').next().unwrap_or(name);
            let more = if keys.is_empty() { String::new() } else { format!(",{keys}") };
            format!("  {{ name = \"{name}\", spec = \"{agent}:calls={calls}{more}\" }},\n")
        })
        .collect();
    let text = format!(
        "name = \"conquest-agents-{rules}\"\nabout = \"The agents of the Conquest thesis under its \
         {rules} rules.\"\ngame = \"{GAME}\"\nrules = \"{rules}{}\"\nkind = \"round-robin\"\nsetups = \
         [\"{}\"]\ngames = {}\nseed = {run_seed}\nagents = [\n{}]\n",
        turn_limit(scale),
        loadout(scale),
        games(scale),
        listed.concat()
    );
    Planned { what: "agents", text }
}

/// Plays it; `None` if interrupted.
pub(super) fn run(
    bench: &Bench<'_>,
    rules: &'static str,
    scale: Scale,
    run_seed: u64,
) -> Result<Option<AgentsStudy>, PaperError> {
    let calls = calls(scale);
    let Some(stored) = bench.play(&planned(rules, scale, run_seed))? else { return Ok(None) };
    let game = standard::open_game(GAME, rules)?;
    let start = start_decisions(&*game, calls, games(scale).max(20), run_seed)?;
    Ok(Some(AgentsStudy { rules, calls, stored, start }))
}

/// Lets fresh agents decide the first position.
fn start_decisions(
    game: &dyn AnyGame,
    calls_each: u64,
    decisions: u64,
    run_seed: u64,
) -> Result<StartDecisions, SpecError> {
    let agent = agent(game, &format!("{ORIGINAL}:calls={calls_each}"))?;
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

impl AgentsStudy {
    /// The pairing of two players, seen from the first: score, interval, whether it is a claim.
    fn against(&self, a: &str, b: &str) -> Option<(f64, String, bool)> {
        let cells = &self.stored.summary.cells;
        let found =
            |cell: &&CellSummary| (cell.a == a && cell.b == b) || (cell.a == b && cell.b == a);
        let cell = cells.iter().find(found)?;
        let turned = cell.a != a;
        let of = |value: f64| if turned { 1.0 - value } else { value };
        let [one, other] = cell.evidence.wilson.map(of);
        let score = of(cell.evidence.score?);
        let words = format!(
            "{} % [{}, {}] of {} games",
            percent(score),
            percent(one.min(other)),
            percent(one.max(other)),
            cell.evidence.counted_games()
        );
        Some((score, words, self.stored.summary.stronger(cell).is_some()))
    }

    /// What became of the claims about agents.
    pub(super) fn verdicts(&self) -> Vec<Verdict> {
        if self.rules == "thesis" { self.program_verdicts() } else { self.intended_verdicts() }
    }

    fn program_verdicts(&self) -> Vec<Verdict> {
        let mut verdicts = Vec::new();
        let ruling = |better: Option<(f64, String, bool)>| match better {
            Some((score, words, true)) if score > 0.5 => (Ruling::Holds, words),
            Some((_, words, true)) => (Ruling::DoesNotHold, words),
            Some((_, words, false)) => (Ruling::NotShown, words),
            None => (Ruling::NotShown, "not played".to_owned()),
        };
        for (claim, rival) in [
            (
                "The FPU agent is stronger than random search (58 % against 35 % of about 50 \
                 games each, section 7.4)",
                "random-search-original",
            ),
            (
                "The FPU agent is stronger than the full-turn agent (58 % against 54 % of about 50 \
                 games each, section 7.4)",
                "full-turn-original",
            ),
        ] {
            let (ruling, measured) = ruling(self.against(ORIGINAL, rival));
            verdicts.push(Verdict {
                claim: claim.to_owned(),
                ruling,
                measured: format!("`{ORIGINAL}` scores {measured} against `{rival}`"),
                why: format!(
                    "About 50 games show differences of 20 points and more; 58 against 54 % may be \
                     chance. Both play {} calls a decision under the program’s rules; the verdict \
                     is corrected for all pairings of the round robin.",
                    self.calls
                ),
            });
        }
        verdicts
    }

    fn intended_verdicts(&self) -> Vec<Verdict> {
        let better: Vec<String> = players(self.rules)
            .iter()
            .filter_map(|(name, _)| {
                let (score, words, claim) = self.against(name, ORIGINAL)?;
                (claim && score > 0.5).then(|| format!("`{name}` {words}"))
            })
            .collect();
        let (ruling, measured, why) = if better.is_empty() {
            (
                Ruling::NotShown,
                "no agent is significantly stronger".to_owned(),
                "The thesis did not have these agents, so this is our question, not its claim.",
            )
        } else {
            (
                Ruling::DoesNotHold,
                format!("against `{ORIGINAL}`: {}", better.join(", ")),
                "The thesis did not have these agents: they do what it describes, where its program \
                 did something else. So this is our question, not its claim.",
            )
        };
        vec![Verdict {
            claim: format!(
                "Nothing that the thesis describes is stronger than the agent of its tournaments, \
                 with {} calls a decision (our question; intended rules)",
                self.calls
            ),
            ruling,
            measured,
            why: why.to_owned(),
        }]
    }

    /// The thesis's final selection beside ours. Its field was these five, ours has one more, which
    /// is left out of the count.
    fn selection(&self) -> Table {
        let ours = SELECTION.map(|(.., player)| player);
        let row = |(name, won, player): (&str, f64, &str)| {
            let (mut points, mut games) = (0.0, 0);
            for cell in &self.stored.summary.cells {
                if !(ours.contains(&&*cell.a) && ours.contains(&&*cell.b)) {
                    continue;
                }
                let score = cell.evidence.score.unwrap_or(0.5);
                let share = match player {
                    _ if cell.a == player => score,
                    _ if cell.b == player => 1.0 - score,
                    _ => continue,
                };
                points += share * cell.evidence.counted_games() as f64;
                games += cell.evidence.counted_games();
            }
            let share = points / games.max(1) as f64;
            vec![name.into(), format!("{won:.0}"), player.into(), percent(share), grouped(games)]
        };
        Table {
            caption: "The thesis's final selection, percent of about 50 games each, beside ours against the \
                      same four others"
                .into(),
            head: head(&["agent", "published", "here", "won", "games"]),
            rows: SELECTION.map(row).into(),
        }
    }

    /// The section of a page.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let loadout = &self.stored.spec.conditions[0].setups[0];
        let Self { rules, calls, start, stored } = self;
        let mut blocks = vec![
            Block::Heading(format!("Agents, {rules} rules")),
            Block::Words(format!(
                "{loadout} against {loadout}, {calls} calls per decision, {} games per pairing. {}",
                grouped(stored.spec.games),
                stored.origin()
            )),
        ];
        blocks.extend(report::field_blocks(
            &format!("agents-{rules}"),
            &stored.spec,
            &stored.summary,
        ));
        if *rules == "thesis" {
            blocks.push(Block::Table(report::Data::plain("agents-published", self.selection())));
        }
        blocks.push(Block::Words(format!(
            "`{ORIGINAL}` at the start, {} fresh decisions: {}–{} calls, {}–{} iterations, {:.0} on \
             average.",
            start.decisions,
            grouped(start.calls[0]),
            grouped(start.calls[1]),
            start.iterations[0],
            start.iterations[1],
            start.mean_iterations,
        )));
        blocks
    }
}
