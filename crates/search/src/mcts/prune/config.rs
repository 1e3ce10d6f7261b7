//! The keys of pruning, and what they may not say together.

use super::super::config::{MctsConfig, Select, Widening};
use crate::params::{Param, ParamError, Values, Words};

/// More heuristics than any game has.
pub(super) const MOST_HEURISTICS: usize = 16;

/// What becomes of the others, and the word for letting them come back by the keys of widening.
pub(in super::super) const PRUNE_MODE: &str = "prune.mode";
pub(in super::super) const UNPRUNE: &str = "unprune";

/// The value of `prune` that stands for none.
const OFF: &str = "off";

const DEFAULT_LIMIT: i64 = 15;

/// How the choices of several heuristics become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// What any of them chose.
    Union,
    /// Of the union as many as one heuristic may choose: those chosen by most.
    Votes,
}

/// How the rest of the turn is played before a position is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continue {
    /// Uniformly at random.
    Random,
    /// By the option whose next state the heuristic likes best.
    Greedy,
    /// In every way; the best counts.
    Exhaustive,
}

/// State extrapolation: play on to the opponent's next decision, then score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extrapolation {
    /// How often; the scores are averaged.
    pub continuations: u32,
    /// How.
    pub how: Continue,
}

/// What becomes of an action that no heuristic chose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PruneMode {
    /// It is dropped for good.
    Hard,
    /// Its selection value is lowered by this at first.
    Soft(f64),
    /// It comes back when the node's visits call for more actions.
    Unprune(Widening),
}

/// Heuristic move pruning.
#[derive(Clone, Debug, PartialEq)]
pub struct Pruning {
    /// The evaluations that choose.
    pub names: Vec<String>,
    /// How many actions each of them chooses.
    pub limit: usize,
    /// Equal scores are put in random order, instead of the game's.
    pub random_ties: bool,
    /// Whether the rest of the turn is played before scoring.
    pub extrapolation: Option<Extrapolation>,
    /// How their choices are joined.
    pub join: Join,
    /// What becomes of the others.
    pub mode: PruneMode,
}

const RANDOM_TIES: &Words<bool> = &[("random", true), ("listed", false)];
const JOIN: &Words<Join> = &[("union", Join::Union), ("votes", Join::Votes)];
/// By `prune.handicap`, and by `widen.c` and `widen.alpha`.
const MODE: &Words<fn(f64, Widening) -> PruneMode> = &[
    ("hard", |_, _| PruneMode::Hard),
    ("soft", |handicap, _| PruneMode::Soft(handicap)),
    (UNPRUNE, |_, widening| PruneMode::Unprune(widening)),
];
const CONTINUE: &Words<Continue> = &[
    ("random", Continue::Random),
    ("greedy", Continue::Greedy),
    ("exhaustive", Continue::Exhaustive),
];

impl Pruning {
    /// The names in a value of the key `prune`; none if it says `off`.
    pub fn names(value: &str) -> Result<Vec<String>, ParamError> {
        if value == OFF {
            return Ok(Vec::new());
        }
        let names: Vec<String> = value.split('+').map(|name| name.trim().to_owned()).collect();
        let twice = |(index, name)| names[..index].contains(name);
        let wrong = names.len() > MOST_HEURISTICS
            || names.iter().any(|name| name.is_empty() || name == OFF)
            || names.iter().enumerate().any(twice);
        if wrong {
            return Err(ParamError::Value {
                key: "prune".into(),
                value: value.into(),
                expected: format!(
                    "off, or up to {MOST_HEURISTICS} different names of evaluations joined by +"
                ),
            });
        }
        Ok(names)
    }

    /// Fills in the limit where something is pruned and none was given.
    pub fn settle(values: &mut Values) {
        if values.text("prune").is_some_and(|names| names != OFF) {
            values.set_default("hpl", &DEFAULT_LIMIT.to_string());
        }
    }

    pub(crate) fn params() -> Vec<Param> {
        vec![
            Param::text(
                "prune",
                Some(OFF),
                "keep the actions that these evaluations rate best: off, or NAME+NAME+…",
            ),
            Param::optional("hpl", 1, 512, "how many actions each of them keeps, 15 if not given"),
            Param::word("prune.ties", RANDOM_TIES, "order of equal scores"),
            Param::word(
                "prune.join",
                JOIN,
                "of several: what any chose, or the hpl that most chose",
            ),
            Param::word(
                PRUNE_MODE,
                MODE,
                "the others are dropped, handicapped, or come back one by one by widen.c, .alpha",
            ),
            Param::decimal(
                "prune.handicap",
                (0.0, 100.0, 0.25),
                1.0,
                "of soft, at the first visit",
            ),
            Param::integer(
                "extrapolate",
                0,
                100,
                0,
                "how many times to play out the rest of the turn before scoring; the mean counts",
            ),
            Param::word(
                "extrapolate.mode",
                CONTINUE,
                "how: at random, by the heuristic, or in every way",
            ),
        ]
    }

    pub(crate) fn from_values(values: &Values) -> Result<Option<Self>, ParamError> {
        let decimal = |key: &str| values.decimal(key).expect("has a default");
        let names = Self::names(values.text("prune").expect("has a default"))?;
        let continuations = values.number("extrapolate").expect("has a default") as u32;
        let how = values.word("extrapolate.mode", CONTINUE).expect("has a default");
        let join = values.word("prune.join", JOIN).expect("has a default");
        let votes = join == Join::Votes;
        let random_ties = values.word("prune.ties", RANDOM_TIES).expect("has a default");
        let widening = Widening { c: decimal("widen.c"), alpha: decimal("widen.alpha") };
        let mode = values.word(PRUNE_MODE, MODE).expect("has a default");
        let mode = mode(decimal("prune.handicap"), widening);
        let off = names.is_empty();
        let refused = [
            (
                off && values.text("hpl").is_some(),
                "hpl says how many actions a heuristic keeps, and prune names none: give \
                 prune=NAME or no hpl",
            ),
            (
                off && (continuations > 0 || votes || mode != PruneMode::Hard || !random_ties),
                "extrapolate and the keys prune.… say how pruning works, and prune=off: give \
                 prune=NAME",
            ),
            (
                continuations == 0 && how != Continue::Random,
                "extrapolate.mode says how the rest of a turn is played, and extrapolate=0 plays \
                 none: give extrapolate=1",
            ),
            (
                continuations > 1 && how == Continue::Exhaustive,
                "extrapolate.mode=exhaustive plays every continuation once, so there is nothing \
                 to average: give extrapolate=1",
            ),
            (
                votes && names.len() == 1,
                "prune.join=votes counts how many heuristics chose an action: name several in \
                 prune",
            ),
        ];
        if let Some((_, reason)) = refused.iter().find(|(wrong, _)| *wrong) {
            return Err(ParamError::Combination((*reason).to_owned()));
        }
        Ok((!off).then(|| Self {
            names,
            limit: values.number("hpl").unwrap_or(DEFAULT_LIMIT) as usize,
            random_ties,
            extrapolation: (continuations > 0).then_some(Extrapolation { continuations, how }),
            join,
            mode,
        }))
    }

    /// What became of an action that is pruned, and why.
    pub(crate) fn reason(&self) -> String {
        let fate = match self.mode {
            PruneMode::Hard => "dropped",
            PruneMode::Soft(_) => "handicapped",
            PruneMode::Unprune(_) => "held back at first",
        };
        let names = self.names.join("+");
        match self.join {
            Join::Union => format!("{fate}: not among the {} best by {names}", self.limit),
            Join::Votes => format!("{fate}: not among the {} most chosen by {names}", self.limit),
        }
    }

    /// What has no meaning together with the rest of a configuration.
    pub(crate) fn refusal(&self, config: &MctsConfig) -> Option<&'static str> {
        if self.mode == PruneMode::Hard {
            return None;
        }
        let refused = [
            (
                config.select == Select::Uniform,
                "select=uniform draws among all actions alike: give prune.mode=hard or another \
                 select",
            ),
            (
                config.widening.is_some(),
                "widen=on and prune.mode=soft or unprune both say which actions are open: give \
                 widen=off or prune.mode=hard",
            ),
            (
                config.positive_only,
                "expand.positive=on and prune.mode=soft or unprune both say which actions wait: \
                 give expand.positive=off or prune.mode=hard",
            ),
            (
                matches!(self.mode, PruneMode::Unprune(widening) if widening.alpha == 0.0),
                "prune.mode=unprune opens more actions with n^widen.alpha, and widen.alpha=0 \
                 opens none: give more",
            ),
        ];
        refused.iter().find(|(wrong, _)| *wrong).map(|(_, reason)| *reason)
    }
}
