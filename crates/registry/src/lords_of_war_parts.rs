//! What the registry knows of Lords of War.

use std::sync::Arc;

use evals::lords_of_war::{
    Availability, HEAT_MAPS, HeatMap, Heuristic, LordsFactors, OUTLOOK, RIM,
};
use lords_of_war::LordsOfWar;
use search::params::{Kind, Param, ParamError};

use crate::behaviour;
use crate::catalog::{
    BenchPlan, Catalog, DecisionBench, EvaluatorEntry, Measure, Playouts, factor_entry,
};
use crate::games::evaluation;
use crate::lords_of_war_traces;
use crate::{presets, tables};

/// The key that holds a heat map.
const MAP_KEY: &str = "eval.map";

const BENCH: BenchPlan = BenchPlan {
    playouts: Playouts::Games(20_000),
    perft_depth: 4,
    searches: 4,
    search_plies: 20,
    agent: "alphabeta:depth=3",
    solve: None,
    decisions: &[DecisionBench {
        name: "uct-10k-decision",
        agent: "uct:iterations=10000",
        positions: 4,
        // The first deployment of a deal: both sides have opened.
        plies: 2,
        measure: Measure::Milliseconds,
    }],
};

pub(crate) fn catalog() -> Catalog<LordsOfWar> {
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
        heat_entry("map", "a heat map of one's own in eval.map", HEAT_MAPS[4].2),
    ]);
    Catalog::plain("cards with arrows on a 7×6 board", 0)
        .evaluated(evaluators)
        .with_evaluator_files(|content| {
            let map = HeatMap::from_toml(content).map_err(|error| error.to_string())?;
            Ok(heat_entry("map", "a heat map from a file", map))
        })
        .measured(BENCH)
        .with_agent(presets::entry(presets::LORDS_OF_WAR_BEST))
        .opposed_by(&["lords-of-war-best:iterations=20000", "ismcts:iterations=10000", "random"])
        .with_traces(lords_of_war_traces::verify)
        .counted(behaviour::of_lords_of_war)
        .on_table(tables::lords_of_war())
}

/// The evaluation by a heat map that its tunable holds.
fn heat_entry(name: &str, about: &str, map: HeatMap) -> EvaluatorEntry<LordsOfWar> {
    let param = Param {
        key: MAP_KEY.into(),
        kind: Kind::Text,
        default: Some(map.text()),
        about: "weights of squares, far side first: rows joined by /, weights by :".into(),
    };
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
