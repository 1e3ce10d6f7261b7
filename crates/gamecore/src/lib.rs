//! The vocabulary that every part shares: games, actions, views, agents, decisions.
//! No input or output, no clock, no threads, and no game by name.

mod agent;
mod ending;
mod eval;
mod fault;
mod game;
pub mod key;
pub mod math;
mod notation;
mod random_agent;
mod reading;
mod recorder;
mod rng;
mod rollout;
mod rule_options;
mod text_error;

pub use agent::{
    Agent, Bound, Budget, Clock, Counters, Decision, Limits, Progress, ProgressFn, PrunedAction,
    RootAction, StopToken, TimeLeft, TreeNode, TreeNote, TurnOption, Work,
};
pub use ending::{Ending, Outcome, OutcomeError, Told, YOU_LOST, YOU_WON, capital};
pub use eval::{Evaluator, ResultOnly, Score, Term, rank_value, score_of_payoff, weighted_mean};
pub use fault::MachineFault;
pub use game::{
    Buf, Game, Horizon, IllegalAction, MAX_BRANCHING, Progressing, Seat, Traits, Turn,
    draw_outcome, perft_by_listing, play, playout_by_listing, random_action,
};
pub use notation::Notation;
pub use random_agent::RandomAgent;
pub use reading::Reading;
pub use recorder::Recorder;
pub use rng::{Purpose, Rng, seed, short_hash};
pub use rollout::{ActionScore, FULL_SCORE, RolloutPolicy, ScoreWeights, rollout_by_score};
pub use rule_options::{RuleInfo, RuleKind, RuleOption, RuleOptions, RuleSheet, RuleWords, rule};
pub use text_error::{NotationError, Read, Wrong};
