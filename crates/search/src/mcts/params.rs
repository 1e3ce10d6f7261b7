//! The tunables of Monte-Carlo tree search, and what they may not say together.

use gamecore::{Budget, Game, Horizon, Traits};

use super::config::{
    DepthUnit, Expand, FinalChoice, Fpu, Hybrid, MctsConfig, Policy, Rollout, RolloutEnd, Select,
    Widening,
};
use super::prune::Pruning;
use crate::params::{Param, ParamError, Values};

/// Rollouts end after this many actions even if the game does not.
const LONGEST_ROLLOUT: u32 = 100_000;

const ON_OFF: &[&str] = &["on", "off"];

impl MctsConfig {
    /// Every tunable, with the defaults of plain UCT.
    #[must_use]
    pub fn params() -> Vec<Param> {
        let mut params = vec![
            Param::optional(
                "iterations",
                1,
                1 << 50,
                "iterations: select, expand, rollout, back up",
            ),
            Param::optional("calls", 1, 1 << 50, "actions applied, in the tree and in rollouts"),
            Param::optional("ms", 1, 86_400_000, "maximum milliseconds; not repeatable"),
        ];
        params.extend(tree_params());
        params.extend(Pruning::params());
        params.extend(rollout_params());
        params.extend(value_params());
        params
    }

    /// Reads resolved values and refuses combinations without meaning.
    pub fn from_values(values: &Values) -> Result<Self, ParamError> {
        let word = |key: &str| values.text(key).expect("has a default");
        let is = |key: &str, expected: &str| word(key) == expected;
        let decimal = |key: &str| values.decimal(key).expect("has a default");
        let number = |key: &str| values.number(key).expect("has a default");
        let budget = |key: &str| values.number(key).map(|number| number as u64);
        let config = Self {
            budget: Budget {
                iterations: budget("iterations"),
                calls: budget("calls"),
                ms: budget("ms"),
                ..Budget::default()
            },
            select: match word("select") {
                "ucb1" => Select::Ucb1,
                "ucb1-tuned" => Select::Ucb1Tuned,
                "ucb-plus" => Select::UcbPlus,
                "alphago" => Select::AlphaGo,
                "puct" => Select::Puct,
                _ => Select::Uniform,
            },
            c: decimal("select.c"),
            fpu: match word("fpu") {
                "absolute" => Fpu::Absolute(decimal("fpu.value")),
                "relative" => Fpu::Relative(decimal("fpu.value")),
                "at-least" => Fpu::AtLeast(decimal("fpu.value")),
                _ => Fpu::Infinite,
            },
            bias: decimal("bias"),
            widening: is("widen", "on")
                .then(|| Widening { c: decimal("widen.c"), alpha: decimal("widen.alpha") }),
            expand: match word("expand") {
                "listed" => Expand::Listed,
                "heuristic" => Expand::Heuristic,
                "heuristic-listed" => Expand::HeuristicListed,
                _ => Expand::Random,
            },
            positive_only: is("expand.positive", "on"),
            rollout: rollout(values),
            paranoid: is("rewards", "paranoid"),
            normalise: is("normalise", "on"),
            implicit: is("backup", "implicit").then(|| decimal("backup.alpha")),
            solver: is("solver", "on"),
            hybrid: match (word("hybrid"), number("hybrid.depth") as u32) {
                ("cutoff", depth) => Hybrid::Cutoff(depth),
                ("expand", depth) => Hybrid::Expand(depth),
                _ => Hybrid::Off,
            },
            merge: is("merge", "on"),
            tree_depth: match number("tree.depth") as u32 {
                0 => None,
                depth => Some(depth),
            },
            tree_unit: if is("tree.unit", "turns") { DepthUnit::Turns } else { DepthUnit::Actions },
            tree_nodes: number("tree.nodes") as usize,
            reuse: is("reuse", "on"),
            final_choice: match word("final") {
                "value" => FinalChoice::Value,
                "robust" => FinalChoice::Robust,
                _ => FinalChoice::Visits,
            },
            unvisited_zero: is("final.unvisited", "zero"),
            plan: is("turn.plan", "on"),
            bursts: number("turn.bursts") as u32,
            reconsider: is("turn.reconsider", "on"),
            threads: number("threads") as usize,
            pruning: Pruning::from_values(values)?,
        };
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), ParamError> {
        let Self { select, hybrid, rollout, .. } = *self;
        let refused = [
            (
                self.budget == Budget::default(),
                "tree search needs a budget: give iterations, calls or ms",
            ),
            (
                self.merge && select == Select::Ucb1Tuned,
                "UCB1-Tuned needs the spread of the rewards that came over an edge, and merged \
                 nodes keep means only: give merge=off or another select",
            ),
            (
                matches!(hybrid, Hybrid::Expand(_)) && !self.solver,
                "hybrid=expand looks for proven results, which only solver=on uses",
            ),
            (
                matches!(hybrid, Hybrid::Cutoff(_))
                    && (rollout.end == RolloutEnd::Result
                        || rollout.horizon.actions == LONGEST_ROLLOUT
                            && rollout.horizon.turns == u32::MAX),
                "hybrid=cutoff values rollouts that are cut short: give rollout.unit=actions or \
                 turns, and rollout.end=eval",
            ),
            (
                matches!(self.fpu, Fpu::AtLeast(_)) && select != Select::AlphaGo,
                "fpu=at-least bounds the exploration term of AlphaGo's formula from below: it \
                 needs select=alphago",
            ),
            (
                select == Select::Uniform && self.fpu != Fpu::Infinite,
                "select=uniform asks no action how urgent it is: first-play urgency means nothing",
            ),
            (
                select == Select::Uniform && self.widening.is_some(),
                "select=uniform draws among all actions: give widen=off or another select",
            ),
            (
                self.plan && select == Select::Uniform,
                "a turn is planned along the best line of the tree, and select=uniform follows \
                 none: give turn.plan=off",
            ),
            (
                self.plan && self.threads > 1,
                "the plan of a turn is one line of one tree, and several threads grow several \
                 trees: give turn.plan=off or threads=1",
            ),
            (
                self.unvisited_zero && self.final_choice != FinalChoice::Value,
                "final.unvisited=zero gives a value to actions never tried, which only \
                 final=value looks at",
            ),
        ];
        let refused = refused.iter().find(|(wrong, _)| *wrong).map(|(_, reason)| *reason);
        let pruning = || self.pruning.as_ref().and_then(|pruning| pruning.refusal(self));
        match refused.or_else(pruning) {
            Some(reason) => Err(ParamError::Combination(reason.to_owned())),
            None => Ok(()),
        }
    }

    /// Why such an agent cannot play a game with these traits, if so.
    #[must_use]
    pub fn refuses<G: Game>(traits: Traits) -> Option<String> {
        traits.hidden.then(|| {
            format!(
                "this tree search needs to see the whole state, and {} hides part of it under \
                 these rules: ismcts and pimc play such games",
                G::NAME
            )
        })
    }
}

fn rollout(values: &Values) -> Rollout {
    let word = |key: &str| values.text(key).expect("has a default");
    let decimal = |key: &str| values.decimal(key).expect("has a default");
    let policy = |word: &str| match word {
        "boltzmann" => Policy::Boltzmann(decimal("rollout.temperature")),
        "greedy" => Policy::EpsilonGreedy(decimal("rollout.epsilon")),
        "proportional" => Policy::Proportional,
        "mast" => Policy::Mast(decimal("rollout.temperature")),
        "mast-greedy" => Policy::MastGreedy(decimal("rollout.epsilon")),
        _ => Policy::Uniform,
    };
    let own = policy(word("rollout"));
    let opponent = if word("rollout.opponent") == "same" { own } else { Policy::Uniform };
    let length = values.number("rollout.length").expect("has a default") as u32;
    let horizon = match word("rollout.unit") {
        "actions" => Horizon::actions(length.min(LONGEST_ROLLOUT)),
        "turns" => Horizon { actions: LONGEST_ROLLOUT, turns: length },
        _ => Horizon::actions(LONGEST_ROLLOUT),
    };
    let end =
        if word("rollout.end") == "eval" { RolloutEnd::Evaluation } else { RolloutEnd::Result };
    Rollout { own, opponent, horizon, end }
}

/// Selection, expansion, size and shape of the tree.
fn tree_params() -> Vec<Param> {
    let selections: &[&str] = &["ucb1", "ucb1-tuned", "ucb-plus", "alphago", "puct", "uniform"];
    let orders: &[&str] = &["random", "listed", "heuristic", "heuristic-listed"];
    vec![
        Param::choice("select", selections, "ucb1", "formula that chooses inside the tree"),
        Param::decimal("select.c", (0.0, 100.0, 0.1), 0.5, "exploration constant"),
        Param::choice(
            "fpu",
            &["infinite", "absolute", "relative", "at-least"],
            "infinite",
            "urgency of an untried action: before all others, a score, or the node's mean plus",
        ),
        Param::decimal("fpu.value", (-10.0, 1e9, 0.1), 1.0, "that score or addition"),
        Param::decimal("bias", (0.0, 100.0, 0.1), 0.0, "progressive bias: weight of score/(nᵢ+1)"),
        Param::choice("widen", ON_OFF, "off", "progressive widening: C·n^α actions are open"),
        Param::decimal("widen.c", (0.1, 100.0, 0.5), 2.0, "its C"),
        Param::decimal("widen.alpha", (0.0, 1.0, 0.05), 0.5, "its α"),
        Param::choice("expand", orders, "random", "which untried action comes first"),
        Param::choice("expand.positive", ON_OFF, "off", "expand only actions that score above 0"),
        Param::integer("tree.depth", 0, 10_000, 0, "depth of the tree; 0: no limit"),
        Param::choice("tree.unit", &["actions", "turns"], "actions", "what tree.depth counts"),
        Param::integer("tree.nodes", 2, 1 << 27, 1_000_000, "maximum stored nodes"),
        Param::choice("merge", ON_OFF, "off", "one node per position, whatever the path to it"),
        Param::choice("reuse", ON_OFF, "on", "keep the subtree of the position reached"),
        Param::choice("turn.plan", ON_OFF, "off", "search until the best line ends the turn"),
        Param::integer("turn.bursts", 1, 1_000, 5, "budgets that may be spent on that"),
        Param::choice(
            "turn.reconsider",
            ON_OFF,
            "on",
            "search again inside the turn where the heuristic says that its zeros may matter",
        ),
        Param::integer("threads", 1, 256, 1, "independent trees, their roots added up, for play"),
    ]
}

fn rollout_params() -> Vec<Param> {
    let policies: &[&str] =
        &["uniform", "boltzmann", "greedy", "proportional", "mast", "mast-greedy"];
    vec![
        Param::choice("rollout", policies, "uniform", "how actions are drawn in rollouts"),
        Param::choice(
            "rollout.opponent",
            &["same", "uniform"],
            "same",
            "how the opponent's actions are drawn",
        ),
        Param::decimal("rollout.temperature", (0.01, 100.0, 0.25), 1.0, "of boltzmann and mast"),
        Param::decimal(
            "rollout.epsilon",
            (0.0, 1.0, 0.05),
            0.1,
            "probability that greedy and mast-greedy play a random action",
        ),
        Param::choice(
            "rollout.unit",
            &["game", "actions", "turns"],
            "game",
            "to the end of the game, or a number of actions or turns",
        ),
        Param::integer("rollout.length", 0, 10_000, 10, "how many; 0: no rollout"),
        Param::choice(
            "rollout.end",
            &["result", "eval"],
            "result",
            "value at the end of the rollout: the result (½ if unfinished), or the evaluation",
        ),
    ]
}

/// What rewards become, and the final choice.
fn value_params() -> Vec<Param> {
    vec![
        Param::choice(
            "rewards",
            &["own", "paranoid"],
            "own",
            "each seat its own, or the opponent the reverse of ours",
        ),
        Param::choice("normalise", ON_OFF, "off", "map the rewards seen to 0…1 in selection"),
        Param::choice("backup", &["mean", "implicit"], "mean", "means, or implicit minimax"),
        Param::decimal("backup.alpha", (0.0, 1.0, 0.1), 0.4, "share of the minimax value"),
        Param::choice("solver", ON_OFF, "off", "prove results and act on them"),
        Param::choice(
            "hybrid",
            &["off", "cutoff", "expand"],
            "off",
            "minimax at the end of short rollouts, or for proofs at new nodes",
        ),
        Param::integer("hybrid.depth", 1, 16, 2, "depth of that minimax"),
        Param::choice(
            "final",
            &["visits", "value", "robust"],
            "visits",
            "which action is played: most visits, highest mean, highest mean of the well visited",
        ),
        Param::choice(
            "final.unvisited",
            &["excluded", "zero"],
            "excluded",
            "value of actions never tried in the final choice",
        ),
    ]
}
