//! What Conquest brings beyond its rules: evaluations, loadouts by name and as text, traces of the
//! original program, counts of behaviour, and how it is put on the table. Everything generic is
//! instantiated for Conquest here.

mod behaviour;
pub mod evals;
pub mod loadouts;
mod presentation;
pub mod scene;
mod shop;
mod traces;

use crate::evals::{
    AttackReach, ConquestFactors, FullTurnHeuristic, MATERIAL, OUTLOOK, RolloutHeuristic,
    ThesisEvaluation,
};
use conquest::{Conquest, Deed, Options, Units};
use registry::presets::{self, CALLS, FPU, FPU_BOTH, NO_HEURISTIC, Preset, TreeSearch};
use registry::{
    ActionCount, BenchPlan, DecisionBench, GameEntry, Kit, Measure, Playouts, SpecError,
    UnitTables, WHOLE_TURNS, evaluation, factor_entry, factor_file,
};

const BENCH: BenchPlan = BenchPlan {
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
        DecisionBench {
            name: "turn-decision",
            agent: "conquest-best",
            positions: 4,
            plies: 60,
            measure: Measure::Milliseconds,
        },
    ],
};

/// The rollouts of `fpu`; to the end of the game they would be too long to learn from.
const WITH_SECRETS: &str = "ismcts:calls=100000,rollout=boltzmann,rollout.unit=turns,\
                                     rollout.length=4,rollout.end=eval,normalise=on";

/// The strongest agent for Conquest so far: whole turns, judged by the fitted outlook
/// (docs/results/whole-turns).
const BEST: Preset = Preset {
    name: "conquest-best",
    about: "the strongest so far: searches whole turns, judged by the fitted outlook",
    budget: ("calls", "40000"),
    heuristic: NO_HEURISTIC,
    evaluation: "outlook",
    keys: &[],
};

/// The strongest before it, by which published results were played. It is what a sweep found and a tuning
/// (experiments/conquest-best.toml) began with; the tuning found nothing better.
const FORMER_BEST: Preset = Preset {
    name: "conquest-best-1",
    about: "the strongest by single actions: fpu that tries everything once, rollouts of 2 turns",
    budget: CALLS,
    heuristic: "ah-rs",
    evaluation: "h",
    keys: &[FPU_BOTH, FPU, &[("fpu.value", "1"), ("rollout.length", "2")]],
};

/// What is counted in every game.
const COUNTS: &[ActionCount<Conquest>] = &[
    ActionCount {
        name: "attacks",
        words: "attacks per game",
        counts: |action| matches!(action.deed(), Deed::Attack(_)),
    },
    ActionCount {
        name: "commands",
        words: "commands per game",
        counts: |action| matches!(action.deed(), Deed::Command(..)),
    },
];

/// The game, compiled here.
pub fn entry() -> Result<GameEntry, SpecError> {
    GameEntry::new(kit)
}

/// Everything about it.
#[must_use]
pub fn kit() -> Kit<Conquest> {
    let rules = |text: &str| Ok(Conquest::new(Options::parse(text).map_err(SpecError::plain)?));
    Kit::with_rules(rules, "troops and commands on a 20×20 board", 0)
        .with_setups(shop::LOADOUTS)
        .with_units(UnitTables { key: "units", value: units })
        .evaluated(vec![
            evaluation("h", "the thesis's evaluation as intended", ThesisEvaluation::INTENDED),
            evaluation(
                "h-original",
                "the thesis's evaluation as programmed",
                ThesisEvaluation::ORIGINAL,
            ),
            factor_entry::<Conquest, ConquestFactors>("outlook", OUTLOOK)
                .expect("built-in weights"),
            factor_entry::<Conquest, ConquestFactors>("material", MATERIAL)
                .expect("built-in weights"),
        ])
        .with_evaluator_files(factor_file::<Conquest, ConquestFactors>)
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
        .measured(BENCH)
        .opposed_by(&["conquest-best:calls=200000", WITH_SECRETS, "random"])
        .with_traces(traces::verify)
        .with_agent(presets::entry(FORMER_BEST, TreeSearch))
        .with_agent(presets::entry(BEST, WHOLE_TURNS))
        .counting(COUNTS)
        .counted(behaviour::of_conquest)
        .presented(presentation::conquest())
}

/// The tables of a file as the value of a rule option.
fn units(content: &str) -> Result<String, SpecError> {
    let units = Units::from_toml(content).map_err(|error| SpecError::plain(error.reason))?;
    Ok(units.text())
}
