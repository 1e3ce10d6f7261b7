//! Agents under names of their own: a preset is a set of defaults of one kind of agent, and every key
//! of that kind can be given on top. Here are those of Monte-Carlo tree search.
//!
//! The names after `uct` are the agents of the Conquest thesis. Each comes as intended, and
//! (`…-original`) as its program really played.

use gamecore::{Game, Traits};
use search::params::{Param, ParamError, Values};
use search::{Mcts, MctsConfig, Pruning};

use crate::agents::{AgentEntry, AgentKind, BUDGETS, Parts, Ready, admitted};

/// The value of the key `heuristic` that stands for none.
pub const NO_HEURISTIC: &str = "none";

/// A key and its value.
pub type Key = (&'static str, &'static str);

/// One set of defaults.
#[derive(Clone, Copy)]
pub struct Preset {
    /// What specs call it.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The budget when a spec gives none.
    pub budget: Key,
    /// The action heuristic that suits it best, if the game has one of that name.
    pub heuristic: &'static str,
    /// The evaluation that suits it best, if the game has one of that name.
    pub evaluation: &'static str,
    /// What differs from the defaults of its kind; of tree search, plain UCT.
    pub keys: &'static [&'static [Key]],
}

pub(crate) const ITERATIONS: Key = ("iterations", "10000");
/// The budget of the thesis's agents.
pub const CALLS: Key = ("calls", "3000");

const PLAIN: &[Key] = &[
    ("rollout.unit", "actions"),
    ("rollout.length", "10"),
    ("rollout.end", "eval"),
    ("normalise", "on"),
    ("final", "value"),
    ("reuse", "off"),
];

const RANDOM_SEARCH: &[Key] = &[
    ("select", "uniform"),
    ("tree.depth", "1"),
    ("rollout", "boltzmann"),
    ("rollout.opponent", "uniform"),
    ("rollout.unit", "turns"),
    ("rollout.length", "8"),
    ("rollout.end", "eval"),
    ("final", "value"),
    ("reuse", "off"),
];

/// What `fpu` has in common with the original program's.
pub const FPU_BOTH: &[Key] = &[
    ("select", "alphago"),
    ("select.c", "0.5"),
    ("normalise", "on"),
    ("tree.depth", "3"),
    ("rollout.unit", "turns"),
    ("rollout.length", "4"),
    ("rollout.end", "eval"),
    ("final", "value"),
    ("reuse", "on"),
];

/// What `fpu` does as intended.
pub const FPU: &[Key] = &[
    ("fpu", "absolute"),
    ("fpu.value", "0.6"),
    ("expand", "heuristic"),
    ("tree.unit", "turns"),
    ("rollout", "boltzmann"),
    ("rollout.temperature", "1"),
];

const FPU_ORIGINAL: &[Key] = &[("fpu", "at-least"), ("fpu.value", "10")];

const FULL_TURN: &[Key] = &[
    ("select", "ucb-plus"),
    ("select.c", "1.4"),
    ("expand", "heuristic-listed"),
    ("expand.positive", "on"),
    ("tree.depth", "15"),
    ("rollout", "proportional"),
    ("rollout.unit", "turns"),
    ("rollout.length", "1"),
    ("rollout.end", "eval"),
    ("rewards", "paranoid"),
    ("final", "value"),
    ("turn.plan", "on"),
    ("turn.bursts", "5"),
    ("reuse", "off"),
];

/// What the program rolled out and how often it would go on, instead of what was written down.
const FULL_TURN_ORIGINAL: &[Key] =
    &[("rollout.unit", "actions"), ("rollout.length", "10"), ("turn.bursts", "1000")];

/// Turns planned as wholes by the selection of `fpu`.
const FPU_FULL_TURN: &[Key] = &[
    ("expand", "heuristic"),
    ("tree.depth", "15"),
    ("tree.unit", "actions"),
    ("turn.plan", "on"),
    ("turn.bursts", "5"),
];

/// Actions never tried have value 0 in the final choice.
const UNVISITED: &[Key] = &[("final.unvisited", "zero")];

const PRESETS: [Preset; 11] = [
    Preset {
        name: "mcts",
        about: "Monte-Carlo tree search with every option; by default UCT with solver and reuse",
        budget: ITERATIONS,
        heuristic: "",
        evaluation: "",
        keys: &[&[("solver", "on"), ("reuse", "on")]],
    },
    Preset {
        name: "uct",
        about: "plain UCT: UCB1, uniform rollouts to the end, most visits",
        budget: ITERATIONS,
        heuristic: "",
        evaluation: "",
        // Every decision has its budget and no more, as in published comparisons.
        keys: &[&[("reuse", "off")]],
    },
    Preset {
        name: "plain-mcts",
        about: "the thesis's baseline: UCB1, uniform rollouts of 10 actions, evaluation",
        budget: CALLS,
        heuristic: "",
        evaluation: "h",
        keys: &[PLAIN],
    },
    Preset {
        name: "plain-mcts-original",
        about: "plain-mcts as its program played: the exploration constant has no effect",
        budget: CALLS,
        heuristic: "",
        evaluation: "h-original",
        // √½ here is the √(ln n / nᵢ) of the program.
        keys: &[PLAIN, &[("select.c", "0.7071067811865476")], UNVISITED],
    },
    Preset {
        name: "random-search",
        about: "rollouts of 8 turns from random root actions, the highest mean",
        budget: CALLS,
        heuristic: "ah-rs",
        evaluation: "h",
        keys: &[RANDOM_SEARCH],
    },
    Preset {
        name: "random-search-original",
        about: "random-search as its program played",
        budget: CALLS,
        heuristic: "ah-rs-original",
        evaluation: "h-original",
        keys: &[RANDOM_SEARCH, UNVISITED],
    },
    Preset {
        name: "fpu",
        about: "AlphaGo's formula with first-play urgency, 3 turns deep, rollouts of 4 turns",
        budget: CALLS,
        heuristic: "ah-rs",
        evaluation: "h",
        keys: &[FPU_BOTH, FPU],
    },
    Preset {
        name: "fpu-original",
        about: "fpu as its program played: urgency without effect, 3 actions deep, uniform",
        budget: CALLS,
        heuristic: "ah-rs-original",
        evaluation: "h-original",
        keys: &[FPU_BOTH, FPU_ORIGINAL, UNVISITED],
    },
    Preset {
        name: "full-turn",
        about: "plans whole turns: searches until the best line ends the turn, then follows it",
        budget: CALLS,
        heuristic: "ah-ft",
        evaluation: "h",
        keys: &[FULL_TURN],
    },
    Preset {
        name: "full-turn-original",
        about: "full-turn as its program played: rollouts of 10 actions, any number of bursts",
        budget: CALLS,
        heuristic: "ah-ft-original",
        evaluation: "h-original",
        keys: &[FULL_TURN, FULL_TURN_ORIGINAL],
    },
    Preset {
        name: "fpu-full-turn",
        about: "plans whole turns by the selection of fpu",
        budget: CALLS,
        // Its games against fpu-original: 78 % won; under the order of ah-ft, 16 %.
        heuristic: "ah-rs",
        evaluation: "h",
        keys: &[FPU_BOTH, FPU, FPU_FULL_TURN],
    },
];

/// Every preset as an agent of a game.
pub(crate) fn tree_searches<G: Game>() -> impl Iterator<Item = AgentEntry<G>> {
    PRESETS.into_iter().map(|preset| entry(preset, TreeSearch))
}

/// A preset of a kind of agent, as an agent of a game.
pub fn entry<G: Game>(preset: Preset, kind: impl AgentKind<G> + 'static) -> AgentEntry<G> {
    AgentEntry::new(preset.name, preset.about, Tuned { preset, kind })
}

/// The budget when a spec gives none.
pub(crate) fn settle_budget(values: &mut Values, (key, value): Key) {
    if BUDGETS.iter().all(|key| values.text(key).is_none()) {
        values.set_default(key, value);
    }
}

/// Monte-Carlo tree search.
#[derive(Clone, Copy, Debug)]
pub struct TreeSearch;

impl<G: Game> AgentKind<G> for TreeSearch {
    fn params(&self) -> Vec<Param> {
        MctsConfig::params()
    }

    fn settle(&self, values: &mut Values) {
        Pruning::settle(values);
    }

    fn prepare(&self, values: &Values, traits: Traits) -> Result<Ready<G>, ParamError> {
        let config = MctsConfig::from_values(values)?;
        admitted(MctsConfig::refuses::<G>(traits))?;
        Ok(Ready::new(move |Parts { evaluator, action_score, pruners, seed }| {
            Mcts::new(config.clone(), evaluator, action_score, seed).pruned_by(pruners)
        }))
    }
}

/// A kind of agent with other defaults.
struct Tuned<K> {
    preset: Preset,
    kind: K,
}

impl<G: Game, K: AgentKind<G>> AgentKind<G> for Tuned<K> {
    fn params(&self) -> Vec<Param> {
        let mut params = self.kind.params();
        for (key, value) in self.preset.keys.iter().copied().flatten() {
            let param = params.iter_mut().find(|param| param.key == *key);
            param.expect("presets name keys that exist").default = Some((*value).to_owned());
        }
        params
    }

    fn evaluation(&self) -> &'static str {
        self.preset.evaluation
    }

    fn heuristic(&self) -> Option<&'static str> {
        Some(self.preset.heuristic)
    }

    fn settle(&self, values: &mut Values) {
        settle_budget(values, self.preset.budget);
        self.kind.settle(values);
    }

    fn prepare(&self, values: &Values, traits: Traits) -> Result<Ready<G>, ParamError> {
        self.kind.prepare(values, traits)
    }
}
