//! What Lords of War brings beyond its rules: evaluations, armies, traces of an independent model,
//! counts of behaviour, and how it is put on the table. Everything generic is instantiated for Lords
//! of War here.

pub mod armies;
mod behaviour;
pub mod evals;
mod presentation;
pub mod scene;
mod traces;

use std::sync::Arc;

use crate::evals::{
    Availability, HEAT_MAPS, HeatMap, Heuristic, LordsFactors, MATERIAL, OUTLOOK, OUTLOOK_2, RIM,
};
use lords_of_war::{Army, Deed, LordsOfWar, Options};
use search::Algorithm;
use search::params::{Param, ParamError};

use registry::presets::{self, NO_HEURISTIC, Preset, TreeSearch};
use registry::{
    ActionCount, BenchPlan, DecisionBench, EvaluatorEntry, GameEntry, Kit, Measure, Playouts,
    SpecError, UnitTables, evaluation, factor_entry,
};

/// The key that holds a heat map.
const MAP_KEY: &str = "eval.map";

/// What is counted in every game.
const COUNTS: &[ActionCount<LordsOfWar>] = &[
    ActionCount {
        name: "shots",
        words: "shots per game",
        counts: |action| matches!(action.deed(), Deed::Shoot(..)),
    },
    ActionCount {
        name: "retreats",
        words: "retreats per game",
        counts: |action| matches!(action.deed(), Deed::Retreat(_)),
    },
];

const BENCH: BenchPlan = BenchPlan {
    playouts: Playouts::Games(20_000),
    perft_depth: 4,
    searches: 4,
    search_plies: 20,
    agent: "alphabeta:depth=3",
    solve: None,
    decisions: &[
        DecisionBench {
            name: "uct-10k-decision",
            agent: "uct:iterations=10000",
            positions: 4,
            // The first deployment of a deal: both sides have opened.
            plies: 2,
            measure: Measure::Milliseconds,
        },
        DecisionBench {
            name: "turn-decision",
            agent: "turn-beam:turns=4,eval=outlook-2",
            positions: 4,
            plies: 20,
            measure: Measure::Milliseconds,
        },
    ],
};

/// The strongest agent for Lords of War so far: depth first, judged by the fitted outlook
/// (docs/results/whole-turns).
const BEST: Preset = Preset {
    name: "lords-of-war-best",
    about: "the strongest so far: principal variation search, judged by the fitted outlook",
    budget: ("nodes", "100000"),
    heuristic: NO_HEURISTIC,
    evaluation: "outlook-2",
    keys: &[&[("table", "deeper")]],
};

/// The strongest before it, by which published results were played: what
/// experiments/lords-of-war-best.toml tuned.
const FORMER_BEST: Preset = Preset {
    name: "lords-of-war-best-1",
    about: "the strongest tree search: prunes and judges by the fitted outlook, no rollouts",
    budget: ("iterations", "10000"),
    heuristic: NO_HEURISTIC,
    evaluation: "outlook",
    keys: &[&[
        ("prune", "outlook"),
        ("hpl", "8"),
        ("select.c", "0.03"),
        ("rollout.unit", "turns"),
        ("rollout.length", "0"),
        ("rollout.end", "eval"),
    ]],
};

/// The game, compiled here.
pub fn entry() -> Result<GameEntry, SpecError> {
    GameEntry::new(kit)
}

/// Everything about it.
#[must_use]
pub fn kit() -> Kit<LordsOfWar> {
    let mut evaluators: Vec<EvaluatorEntry<LordsOfWar>> = Heuristic::all()
        .into_iter()
        .map(|(name, about, heuristic)| evaluation(name, about, heuristic))
        .collect();
    // The best of them first: it is what searches take that are told nothing.
    let best = evaluators.iter().position(|entry| entry.name == "h4").expect("h4 exists");
    evaluators[..=best].rotate_right(1);
    evaluators.extend([
        evaluation("-h2", "the opposite of h2", Heuristic::DefenceShortfall),
        evaluation(
            "availability",
            "squares where a hand card could go, against the opponent's",
            Availability { squares: u64::MAX },
        ),
        evaluation("rim", "the same for squares at the edge", Availability { squares: RIM }),
        factor_entry::<LordsOfWar, LordsFactors>("outlook", OUTLOOK).expect("built-in weights"),
        factor_entry::<LordsOfWar, LordsFactors>("outlook-2", OUTLOOK_2).expect("built-in weights"),
        factor_entry::<LordsOfWar, LordsFactors>("material", MATERIAL).expect("built-in weights"),
        heat_entry("map", "your own heat map in eval.map", HEAT_MAPS[4].2),
    ]);
    let rules = |text: &str| Ok(LordsOfWar::new(Options::parse(text).map_err(SpecError::plain)?));
    Kit::with_rules(rules, "cards with arrows on a 7×6 board", 0)
        .with_setups(armies::ARMIES)
        .with_units(UnitTables { key: "armies", value: own_armies })
        // Armies that miss a quota.
        .warned(|game| game.options().armies.iter().flat_map(Army::warnings).collect())
        .evaluated(evaluators)
        .with_evaluator_files(|path, content| {
            let map = HeatMap::from_toml(content).map_err(|error| SpecError::new(path, error))?;
            Ok(heat_entry("map", "a heat map from a file", map))
        })
        .measured(BENCH)
        .with_agent(presets::entry(FORMER_BEST, TreeSearch))
        .with_agent(presets::entry(BEST, Algorithm::Pvs))
        .opposed_by(&["lords-of-war-best:nodes=500000", "ismcts:iterations=10000", "random"])
        .with_traces(traces::verify)
        .counting(COUNTS)
        .counted(behaviour::of_lords_of_war)
        .presented(presentation::lords_of_war())
}

/// The armies of a file as the value of a rule option.
fn own_armies(content: &str) -> Result<String, SpecError> {
    let armies = Army::read_file(content).map_err(SpecError::plain)?;
    Ok(Options::armies_text(&armies))
}

/// The evaluation by a heat map that its tunable holds.
fn heat_entry(name: &str, about: &str, map: HeatMap) -> EvaluatorEntry<LordsOfWar> {
    let words = "weights of squares, far side first: rows joined by /, weights by :";
    let param = Param::text(MAP_KEY, Some(&map.text()), words);
    EvaluatorEntry {
        name: name.into(),
        about: about.into(),
        params: vec![param],
        build: Arc::new(|values| {
            let text = values.text(MAP_KEY).unwrap_or_default();
            let map = HeatMap::parse(text)
                .map_err(|error| ParamError::Combination(format!("{MAP_KEY}: {error}")))?;
            Ok(Arc::new(Heuristic::Heat(map)))
        }),
    }
}
