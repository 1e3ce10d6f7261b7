//! What a Monte-Carlo tree search is made of: small policies, each an enum or a number.

use gamecore::{Budget, Evaluator, Game, Horizon, Reading};

use super::prune::Pruning;

/// Which action to follow inside the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// `mean + C·√(2 ln n / nᵢ)`.
    Ucb1,
    /// UCB1 with the measured variance.
    Ucb1Tuned,
    /// `mean + C·√(ln(n + 1) / nᵢ)`, the form of the thesis's full-turn agent.
    UcbPlus,
    /// `mean + C·√n / (nᵢ + 1)`.
    AlphaGo,
    /// `mean + C·P·√n / (nᵢ + 1)`.
    Puct,
    /// Any action, equally likely: no tree policy at all.
    Uniform,
}

/// How urgent an action is that was never tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fpu {
    /// Before every action that was.
    Infinite,
    /// As an action with this score.
    Absolute(f64),
    /// As an action with the node's mean plus this.
    Relative(f64),
    /// With AlphaGo's exploration term, but at least this.
    AtLeast(f64),
}

/// Which untried action comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expand {
    /// Any.
    Random,
    /// As the game lists them.
    Listed,
    /// The best score, equal ones at random.
    Heuristic,
    /// The best score, equal ones as the game lists them.
    HeuristicListed,
}

/// How actions are drawn in rollouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Policy {
    /// All alike.
    Uniform,
    /// ∝ e^(score / temperature).
    Boltzmann(f64),
    /// The best score, or with this probability any.
    EpsilonGreedy(f64),
    /// ∝ score.
    Proportional,
    /// ∝ e^(mean / temperature), by what the action's iterations came to.
    Mast(f64),
    /// The best mean, or with this probability any.
    MastGreedy(f64),
}

/// What the end of a rollout is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RolloutEnd {
    /// The payoff; ½ for games that did not end.
    Result,
    /// What the evaluation says each seat gets.
    Evaluation,
}

/// The rollout from the edge of the tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rollout {
    /// How the searching seat acts.
    pub own: Policy,
    /// How its opponent acts.
    pub opponent: Policy,
    /// How far.
    pub horizon: Horizon,
    /// What comes back.
    pub end: RolloutEnd,
}

impl Rollout {
    /// Whether rollouts go by what earlier ones came to.
    pub(crate) const fn learns(&self) -> bool {
        matches!(self.own, Policy::Mast(_) | Policy::MastGreedy(_))
    }
}

/// What minimax adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hybrid {
    /// Nothing.
    Off,
    /// Rollouts that are cut short are valued by minimax of this depth.
    Cutoff(u32),
    /// New nodes are searched for proven results to this depth.
    Expand(u32),
}

/// Progressive widening: of a node with `n` visits, `C·n^α` actions are open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Widening {
    /// C.
    pub c: f64,
    /// α.
    pub alpha: f64,
}

/// In what the depth of the tree is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepthUnit {
    /// Single actions.
    Actions,
    /// Turns: how often the seat changes.
    Turns,
}

/// Which action is played in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalChoice {
    /// Most visits.
    Visits,
    /// Highest mean.
    Value,
    /// Highest mean among those with at least half as many visits as the most visited.
    Robust,
}

/// A Monte-Carlo tree search, ready to be built.
#[derive(Clone, Debug, PartialEq)]
pub struct MctsConfig {
    /// When to stop.
    pub budget: Budget,
    /// Selection.
    pub select: Select,
    /// Its constant.
    pub c: f64,
    /// First-play urgency.
    pub fpu: Fpu,
    /// Weight of progressive bias; 0 for none.
    pub bias: f64,
    /// Progressive widening.
    pub widening: Option<Widening>,
    /// Order of expansion.
    pub expand: Expand,
    /// Expand only actions that score above 0, where there are such.
    pub positive_only: bool,
    /// Rollouts.
    pub rollout: Rollout,
    /// The opponent is taken to want the reverse of what the searching seat gets.
    pub paranoid: bool,
    /// Map the rewards seen so far to 0…1.
    pub normalise: bool,
    /// Implicit minimax: its share α.
    pub implicit: Option<f64>,
    /// Prove results.
    pub solver: bool,
    /// Help by minimax.
    pub hybrid: Hybrid,
    /// One node for all ways to a position.
    pub merge: bool,
    /// How deep the tree grows, if that is limited.
    pub tree_depth: Option<u32>,
    /// In what that is counted.
    pub tree_unit: DepthUnit,
    /// Most nodes in the store.
    pub tree_nodes: usize,
    /// Keep what was learnt below the position reached.
    pub reuse: bool,
    /// Final choice.
    pub final_choice: FinalChoice,
    /// Actions never tried count as value 0 in the final choice, instead of being left out.
    pub unvisited_zero: bool,
    /// Plan whole turns: search until the best line reaches the end of the turn, then follow it.
    pub plan: bool,
    /// Search again inside a planned turn where the heuristic says so.
    pub reconsider: bool,
    /// How often the budget may be spent for that.
    pub bursts: u32,
    /// Independent trees, each on a thread of its own.
    pub threads: usize,
    /// Which actions heuristics keep.
    pub pruning: Option<Pruning>,
}

impl MctsConfig {
    /// What the values of a search with this evaluation mean: chances to win if all that is averaged
    /// are results or an evaluation's chances.
    pub(crate) fn reading<G: Game>(&self, evaluator: &dyn Evaluator<G>) -> Reading {
        let by_result =
            self.rollout.end == RolloutEnd::Result && !matches!(self.hybrid, Hybrid::Cutoff(_));
        let chances = by_result || evaluator.rewards_are_chances();
        if chances { Reading::Chance } else { Reading::Own }
    }

    /// Whether edges need a prior.
    pub(crate) fn uses_priors(&self) -> bool {
        self.by_prior()
            || self.positive_only
            || matches!(self.expand, Expand::Heuristic | Expand::HeuristicListed)
    }

    /// Whether an untried action's urgency depends on its prior.
    pub(crate) fn by_prior(&self) -> bool {
        self.select == Select::Puct || self.bias > 0.0
    }
}
