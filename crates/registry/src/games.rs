//! The list of games. To add one, add a line to [`GAMES`].

use std::sync::Arc;

use conquest::{Conquest, Options, Units};
use evals::conquest::{AttackReach, FullTurnHeuristic, RolloutHeuristic, ThesisEvaluation};
use evals::othello::{OthelloFactors, OthelloOrder, OthelloSquares, WEIGHTS};
use gamecore::{Evaluator, Game, Notation};
use lords_of_war::{Army, LordsOfWar};
use othello::Othello;
use search::params::did_you_mean;
use testkit::toys::{DiceRace, MiniPoker, StagedNim, TicTacToe};

use crate::SpecError;
use crate::agents::{AgentEntry, ORDER};
use crate::behaviour;
use crate::bound::Bound;
use crate::catalog::{
    BenchPlan, Catalog, DecisionBench, EvaluatorEntry, Measure, Playouts, SolveBench,
};
use crate::conquest_traces;
use crate::erased::AnyGame;
use crate::lords_of_war_parts;
use crate::othello_parts::{self, EngineKind, make_solver};
use crate::{presets, tables};

const FFO: &str = include_str!("../../../data/othello/ffo.csv");

const OTHELLO_MCTS: DecisionBench = DecisionBench {
    name: "mcts",
    agent: "uct:iterations=10000",
    positions: 8,
    plies: 12,
    measure: Measure::Iterations,
};

const CONQUEST_BENCH: BenchPlan = BenchPlan {
    playouts: Playouts::Actions(500),
    perft_depth: 6,
    searches: 4,
    search_plies: 40,
    agent: "alphabeta:depth=4",
    solve: None,
    decisions: &[
        DecisionBench {
            name: "mcts",
            agent: "uct:iterations=1000",
            positions: 4,
            plies: 40,
            measure: Measure::Iterations,
        },
        DecisionBench {
            name: "fpu-original-decision",
            agent: "fpu-original",
            positions: 200,
            plies: 0,
            measure: Measure::Milliseconds,
        },
    ],
};

type Opener = fn(&str) -> Result<Arc<dyn AnyGame>, SpecError>;

/// Name and constructor of every game.
const GAMES: &[(&str, Opener)] = &[
    (Othello::NAME, |rules| {
        let about = "discs that turn over on an 8×8 board";
        let mut catalog = Catalog::with_factors::<OthelloFactors>(about, 8, WEIGHTS);
        catalog.evaluators.push(othello_parts::outlook());
        let bench = BenchPlan {
            playouts: Playouts::Games(100_000),
            perft_depth: 11,
            searches: 8,
            search_plies: 12,
            // The paper's factors without stability and intermediate discs.
            agent: "alphabeta:depth=9,eval=paper-quick",
            solve: Some(SolveBench { name: "solve-ffo40-44", file: FFO, ids: (40, 44) }),
            decisions: &[
                OTHELLO_MCTS,
                DecisionBench {
                    name: "mcts-node-bytes",
                    measure: Measure::NodeBytes,
                    ..OTHELLO_MCTS
                },
            ],
        };
        let engine = "pvs by the fitted outlook in the midgame, exact endgames";
        let catalog = catalog
            .with_heuristic("squares", "value of the square, corners 1", OthelloSquares)
            .with_heuristic(ORDER, "value of the square, replies; for its order only", OthelloOrder)
            .measured(bench)
            .with_agent(AgentEntry::new("othello-engine", engine, EngineKind))
            .with_solver(make_solver)
            .opposed_by(&["othello-engine:depth=8,roots=all", "random"])
            .on_table(tables::othello());
        standard(rules, Othello, catalog)
    }),
    (Conquest::NAME, |rules| {
        let options = Options::parse(rules).map_err(SpecError::plain)?;
        let catalog = Catalog::plain("troops and commands on a 20×20 board", 0)
            .evaluated(vec![
                evaluation("h", "the thesis's evaluation as intended", ThesisEvaluation::INTENDED),
                evaluation(
                    "h-original",
                    "the thesis's evaluation as programmed",
                    ThesisEvaluation::ORIGINAL,
                ),
            ])
            .with_heuristic(
                "ah-rs",
                "attacks and what leads to them first",
                RolloutHeuristic(AttackReach::Inclusive),
            )
            .with_heuristic(
                "ah-ft",
                "the same, no command but Charge",
                FullTurnHeuristic(AttackReach::Inclusive),
            )
            .with_heuristic(
                "ah-rs-original",
                "ah-rs with the original program's short reach",
                RolloutHeuristic(AttackReach::Strict),
            )
            .with_heuristic(
                "ah-ft-original",
                "ah-ft with the original program's short reach",
                FullTurnHeuristic(AttackReach::Strict),
            )
            .measured(CONQUEST_BENCH)
            .opposed_by(&["fpu:calls=100000", CONQUEST_WITH_SECRETS, "random"])
            .with_traces(conquest_traces::verify)
            .with_agent(presets::entry(presets::CONQUEST_BEST))
            .counted(behaviour::of_conquest)
            .on_table(tables::conquest());
        Ok(Arc::new(Bound::new(Conquest::new(options), catalog)))
    }),
    (LordsOfWar::NAME, |rules| {
        let options = lords_of_war::Options::parse(rules).map_err(SpecError::plain)?;
        Ok(Arc::new(Bound::new(LordsOfWar::new(options), lords_of_war_parts::catalog())))
    }),
    (TicTacToe::NAME, |rules| standard(rules, TicTacToe, Catalog::plain("toy: three in a row", 1))),
    (StagedNim::NAME, |rules| {
        let about = "toy: heaps, two decisions a turn, and turns that repeat";
        standard(rules, StagedNim::default(), Catalog::plain(about, 2))
    }),
    (DiceRace::NAME, |rules| {
        standard(rules, DiceRace, Catalog::plain("toy: a race with loaded dice", 1))
    }),
    (MiniPoker::NAME, |rules| {
        standard(rules, MiniPoker, Catalog::plain("toy: one hidden card each", 0))
    }),
];

/// The rollouts of `fpu`; to the end of the game they would be too long to learn from.
const CONQUEST_WITH_SECRETS: &str = "ismcts:calls=100000,rollout=boltzmann,rollout.unit=turns,\
                                     rollout.length=4,rollout.end=eval,normalise=on";

/// An evaluation without tunables.
pub(crate) fn evaluation<G: Game>(
    name: &str,
    about: &str,
    evaluator: impl Evaluator<G> + Clone + 'static,
) -> EvaluatorEntry<G> {
    EvaluatorEntry {
        name: name.into(),
        about: about.into(),
        params: Vec::new(),
        build: Arc::new(move |_| Ok(Arc::new(evaluator.clone()))),
    }
}

/// A game without rule options.
fn standard<G: Notation>(
    rules: &str,
    game: G,
    catalog: Catalog<G>,
) -> Result<Arc<dyn AnyGame>, SpecError> {
    let canonical = game.rules_text();
    if !matches!(rules, "" | "standard") && rules != canonical {
        let reason = format!("{} has no rule options; the only rules are 'standard'", G::NAME);
        return Err(SpecError::new(rules, reason));
    }
    Ok(Arc::new(Bound::new(game, catalog)))
}

/// Rules with the tables of units of a file put in; only some games have such tables.
pub fn rules_with_units(name: &str, rules: &str, content: &str) -> Result<String, SpecError> {
    let (key, tables) = match name {
        Conquest::NAME => ("units", Units::from_toml(content).map(|units| units.text())),
        LordsOfWar::NAME => {
            let armies = Army::read_file(content).map_err(|error| error.to_string());
            ("armies", armies.map(|armies| lords_of_war::Options::armies_text(&armies)))
        }
        _ => {
            let reason = "has no tables of units; conquest and lords-of-war have";
            return Err(SpecError::new(name, reason));
        }
    };
    if rules.split(',').any(|part| part.split_once('=').is_some_and(|(known, _)| known == key)) {
        let reason = format!("names {key} already; give them there or in a file");
        return Err(SpecError::new(rules, reason));
    }
    let tables = tables.map_err(SpecError::plain)?;
    let before = if rules.is_empty() { String::new() } else { format!("{rules},") };
    Ok(format!("{before}{key}={tables}"))
}

/// What is unusual about rules that can be played nevertheless: armies that miss a quota.
#[must_use]
pub fn rule_warnings(name: &str, rules: &str) -> Vec<String> {
    if name != LordsOfWar::NAME {
        return Vec::new();
    }
    let options = lords_of_war::Options::parse(rules).unwrap_or_default();
    options.armies.iter().flat_map(Army::warnings).collect()
}

/// The names of all games.
#[must_use]
pub fn game_names() -> Vec<&'static str> {
    GAMES.iter().map(|(name, _)| *name).collect()
}

/// The game of this name under these rules (a preset, `key=value,…`, or nothing for the default).
pub fn open_game(name: &str, rules: &str) -> Result<Arc<dyn AnyGame>, SpecError> {
    let Some((_, open)) = GAMES.iter().find(|(known, _)| *known == name) else {
        let names = game_names();
        let near = did_you_mean(name, &names);
        let reason = format!("no such game{near} (games: {})", names.join(", "));
        return Err(SpecError::new(name, reason));
    };
    open(rules)
}
