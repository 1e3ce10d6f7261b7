//! The tunables of Monte-Carlo tree search, and what they may not say together.

use gamecore::{Budget, Game, Horizon, Traits};

use super::config::{
    DepthUnit, Expand, FinalChoice, Fpu, Hybrid, MctsConfig, Policy, Rollout, RolloutEnd, Select,
    Widening,
};
use super::prune::{PRUNE_MODE, Pruning, UNPRUNE};
use crate::params::{Cost, ON_OFF, Param, ParamError, Trees, Values, Words};

/// Rollouts end after this many actions even if the game does not.
const LONGEST_ROLLOUT: u32 = 100_000;

const SELECT: &Words<Select> = &[
    ("ucb1", Select::Ucb1),
    ("ucb1-tuned", Select::Ucb1Tuned),
    ("ucb-plus", Select::UcbPlus),
    ("alphago", Select::AlphaGo),
    ("puct", Select::Puct),
    ("uniform", Select::Uniform),
];
/// By `fpu.value`.
const FPU: &Words<fn(f64) -> Fpu> = &[
    ("infinite", |_| Fpu::Infinite),
    ("absolute", Fpu::Absolute),
    ("relative", Fpu::Relative),
    ("at-least", Fpu::AtLeast),
];
const EXPAND: &Words<Expand> = &[
    ("random", Expand::Random),
    ("listed", Expand::Listed),
    ("heuristic", Expand::Heuristic),
    ("heuristic-listed", Expand::HeuristicListed),
];
const TREE_UNIT: &Words<DepthUnit> =
    &[("actions", DepthUnit::Actions), ("turns", DepthUnit::Turns)];
/// By `rollout.temperature` and `rollout.epsilon`.
const POLICY: &Words<fn(f64, f64) -> Policy> = &[
    ("uniform", |_, _| Policy::Uniform),
    ("boltzmann", |temperature, _| Policy::Boltzmann(temperature)),
    ("greedy", |_, epsilon| Policy::EpsilonGreedy(epsilon)),
    ("proportional", |_, _| Policy::Proportional),
    ("mast", |temperature, _| Policy::Mast(temperature)),
    ("mast-greedy", |_, epsilon| Policy::MastGreedy(epsilon)),
];
/// By the policy of the seat that thinks.
const OPPONENT: &Words<fn(Policy) -> Policy> =
    &[("same", |own| own), ("uniform", |_| Policy::Uniform)];
/// By `rollout.length`.
const ROLLOUT_UNIT: &Words<fn(u32) -> Horizon> = &[
    ("game", |_| Horizon::actions(LONGEST_ROLLOUT)),
    ("actions", |length| Horizon::actions(length.min(LONGEST_ROLLOUT))),
    ("turns", |length| Horizon { actions: LONGEST_ROLLOUT, turns: length }),
];
const ROLLOUT_END: &Words<RolloutEnd> =
    &[("result", RolloutEnd::Result), ("eval", RolloutEnd::Evaluation)];
const PARANOID: &Words<bool> = &[("own", false), ("paranoid", true)];
const IMPLICIT: &Words<bool> = &[("mean", false), ("implicit", true)];
/// By `hybrid.depth`.
const HYBRID: &Words<fn(u32) -> Hybrid> =
    &[("off", |_| Hybrid::Off), ("cutoff", Hybrid::Cutoff), ("expand", Hybrid::Expand)];
const FINAL: &Words<FinalChoice> = &[
    ("visits", FinalChoice::Visits),
    ("value", FinalChoice::Value),
    ("robust", FinalChoice::Robust),
];
const UNVISITED_ZERO: &Words<bool> = &[("excluded", false), ("zero", true)];

impl MctsConfig {
    /// Every tunable, with the defaults of plain UCT.
    #[must_use]
    pub fn params() -> Vec<Param> {
        let mut params = vec![
            Param::iterations("iterations: select, expand, rollout, back up").of(Trees::All),
            Param::calls("actions applied, in the tree and in rollouts").of(Trees::All),
            Param::ms().of(Trees::All),
        ];
        params.extend(tree_params());
        params.extend(Pruning::params());
        params.extend(rollout_params().map(|param| param.of(Trees::All)));
        params.extend(value_params());
        params
    }

    /// Reads resolved values and refuses combinations without meaning.
    pub fn from_values(values: &Values) -> Result<Self, ParamError> {
        let is = |key: &str, words: &Words<bool>| values.word(key, words).expect("has a default");
        let on = |key: &str| is(key, ON_OFF);
        let decimal = |key: &str| values.decimal(key).expect("has a default");
        let number = |key: &str| values.number(key).expect("has a default");
        let config = Self {
            budget: values.budget(),
            select: values.word("select", SELECT).expect("has a default"),
            c: decimal("select.c"),
            fpu: values.word("fpu", FPU).expect("has a default")(decimal("fpu.value")),
            bias: decimal("bias"),
            widening: on("widen")
                .then(|| Widening { c: decimal("widen.c"), alpha: decimal("widen.alpha") }),
            expand: values.word("expand", EXPAND).expect("has a default"),
            positive_only: on("expand.positive"),
            rollout: rollout(values),
            paranoid: is("rewards", PARANOID),
            normalise: on("normalise"),
            implicit: is("backup", IMPLICIT).then(|| decimal("backup.alpha")),
            solver: on("solver"),
            hybrid: values.word("hybrid", HYBRID).expect("has a default")(
                number("hybrid.depth") as u32
            ),
            merge: on("merge"),
            tree_depth: match number("tree.depth") as u32 {
                0 => None,
                depth => Some(depth),
            },
            tree_unit: values.word("tree.unit", TREE_UNIT).expect("has a default"),
            tree_nodes: number("tree.nodes") as usize,
            reuse: on("reuse"),
            final_choice: values.word("final", FINAL).expect("has a default"),
            unvisited_zero: is("final.unvisited", UNVISITED_ZERO),
            plan: on("turn.plan"),
            bursts: number("turn.bursts") as u32,
            reconsider: on("turn.reconsider"),
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
    let decimal = |key: &str| values.decimal(key).expect("has a default");
    let policy = values.word("rollout", POLICY).expect("has a default");
    let own = policy(decimal("rollout.temperature"), decimal("rollout.epsilon"));
    let length = values.number("rollout.length").expect("has a default") as u32;
    Rollout {
        own,
        opponent: values.word("rollout.opponent", OPPONENT).expect("has a default")(own),
        horizon: values.word("rollout.unit", ROLLOUT_UNIT).expect("has a default")(length),
        end: values.word("rollout.end", ROLLOUT_END).expect("has a default"),
    }
}

/// Selection, expansion, size and shape of the tree.
fn tree_params() -> Vec<Param> {
    vec![
        Param::word("select", SELECT, "formula that chooses inside the tree"),
        Param::decimal("select.c", (0.0, 100.0, 0.1), 0.5, "exploration constant").of(Trees::All),
        Param::word(
            "fpu",
            FPU,
            "urgency of an untried action: before all others, a score, or the node's mean plus",
        ),
        Param::decimal("fpu.value", (-10.0, 1e9, 0.1), 1.0, "that score or addition"),
        Param::decimal("bias", (0.0, 100.0, 0.1), 0.0, "progressive bias: weight of score/(nᵢ+1)"),
        Param::word_or("widen", ON_OFF, "off", "progressive widening: C·n^α actions are open"),
        Param::decimal("widen.c", (0.1, 100.0, 0.5), 2.0, "its C").also_for(PRUNE_MODE, UNPRUNE),
        Param::decimal("widen.alpha", (0.0, 1.0, 0.05), 0.5, "its α").also_for(PRUNE_MODE, UNPRUNE),
        Param::word("expand", EXPAND, "which untried action comes first"),
        Param::word_or("expand.positive", ON_OFF, "off", "expand only actions that score above 0"),
        Param::integer("tree.depth", 0, 10_000, 0, "depth of the tree; 0: no limit"),
        Param::word("tree.unit", TREE_UNIT, "what tree.depth counts"),
        // About 200 MB of a Conquest tree.
        Param::integer("tree.nodes", 2, 1 << 27, 1_000_000, "maximum stored nodes")
            .costs(Cost::Memory(2_000_000))
            .of(Trees::All),
        Param::word_or("merge", ON_OFF, "off", "one node per position, whatever the path to it"),
        Param::word_or("reuse", ON_OFF, "on", "keep the subtree of the position reached")
            .of(Trees::Lasting),
        Param::word_or("turn.plan", ON_OFF, "off", "search until the best line ends the turn")
            .costs(Cost::Beyond(0))
            .of(Trees::Lasting),
        Param::integer("turn.bursts", 1, 1_000, 5, "budgets that may be spent on that")
            .of(Trees::Lasting),
        Param::word_or(
            "turn.reconsider",
            ON_OFF,
            "on",
            "search again inside the turn where the heuristic says that its zeros may matter",
        )
        .of(Trees::Lasting),
        Param::threads(true, "independent trees, their roots added up, for play")
            .of(Trees::Lasting),
    ]
}

fn rollout_params() -> [Param; 7] {
    [
        Param::word("rollout", POLICY, "how actions are drawn in rollouts"),
        Param::word("rollout.opponent", OPPONENT, "how the opponent's actions are drawn"),
        Param::decimal("rollout.temperature", (0.01, 100.0, 0.25), 1.0, "of boltzmann and mast"),
        Param::decimal(
            "rollout.epsilon",
            (0.0, 1.0, 0.05),
            0.1,
            "probability that greedy and mast-greedy play a random action",
        ),
        Param::word(
            "rollout.unit",
            ROLLOUT_UNIT,
            "to the end of the game, or a number of actions or turns",
        ),
        Param::integer("rollout.length", 0, 10_000, 10, "how many; 0: no rollout"),
        Param::word(
            "rollout.end",
            ROLLOUT_END,
            "value at the end of the rollout: the result (½ if unfinished), or the evaluation",
        ),
    ]
}

/// What rewards become, and the final choice.
fn value_params() -> Vec<Param> {
    vec![
        Param::word("rewards", PARANOID, "each seat its own, or the opponent the reverse of ours")
            .of(Trees::All),
        Param::word_or("normalise", ON_OFF, "off", "map the rewards seen to 0…1 in selection")
            .of(Trees::All),
        Param::word("backup", IMPLICIT, "means, or implicit minimax"),
        Param::decimal("backup.alpha", (0.0, 1.0, 0.1), 0.4, "share of the minimax value"),
        Param::word_or("solver", ON_OFF, "off", "prove results and act on them").of(Trees::Lasting),
        Param::word(
            "hybrid",
            HYBRID,
            "minimax at the end of short rollouts, or for proofs at new nodes",
        )
        .costs(Cost::Beyond(0)),
        Param::integer("hybrid.depth", 1, 16, 2, "depth of that minimax"),
        Param::word(
            "final",
            FINAL,
            "which action is played: most visits, highest mean, highest mean of the well visited",
        )
        .of(Trees::All),
        Param::word(
            "final.unvisited",
            UNVISITED_ZERO,
            "value of actions never tried in the final choice",
        ),
    ]
}
