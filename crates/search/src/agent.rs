//! The depth-first agent: iterative deepening with aspiration (Slate and Atkin, 1977) around
//! any algorithm of [`crate::Algorithm`], on one thread or several.

use std::sync::Arc;

use gamecore::{
    ActionScore, Agent, Bound, Budget, Buf, Counters, Decision, Evaluator, Game, Limits, Progress,
    Rng, RootAction, Score, Seat, StopToken, Term, Turn,
};

use crate::KnownSearch;
use crate::config::{Config, MAX_DEPTH, Order, TableUse};
use crate::ordering::{Memory, Picker};
use crate::parallel::beside;
use crate::root::{RootResult, RootValue};
use crate::searcher::{Ending, Place, Searcher};
use crate::table::Table;
use crate::time::TimePlan;
use crate::trace::Trace;
use crate::window::{Stopped, Window};

/// An agent that looks ahead depth first. Built anew for every game.
pub struct DepthFirst<G: Game> {
    config: Config,
    evaluator: Arc<dyn Evaluator<G>>,
    action_score: Option<Arc<dyn ActionScore<G>>>,
    /// Made at the first decision that needs it, empty.
    table: Option<Table>,
}

/// The position to decide.
pub(crate) struct Question<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) state: &'a G::State,
    pub(crate) actions: &'a [G::Action],
    pub(crate) seat: Seat,
}

/// What deepening came to.
pub(crate) struct Outcome<A> {
    pub(crate) result: Option<RootResult<A>>,
    pub(crate) depth: u32,
    pub(crate) complete: bool,
}

impl<G: Game> DepthFirst<G> {
    /// An agent of this make.
    #[must_use]
    pub fn new(
        config: Config,
        evaluator: Arc<dyn Evaluator<G>>,
        action_score: Option<Arc<dyn ActionScore<G>>>,
    ) -> Self {
        Self { config, evaluator, action_score, table: None }
    }

    /// How many milliseconds the next decisions may take; with `None`, time does not limit them.
    pub fn limit_time(&mut self, ms: Option<u64>) {
        self.config.budget.ms = ms;
    }

    /// How many positions the next decisions may enter; with `None`, their number does not limit
    /// them.
    pub fn limit_nodes(&mut self, nodes: Option<u64>) {
        self.config.budget.nodes = nodes;
    }

    fn run(
        &self,
        searcher: &mut Searcher<'_, G>,
        question: &Question<'_, G>,
        limits: &Limits<'_, G::Action>,
    ) -> Outcome<G::Action> {
        let (enough, time_left) = (StopToken::default(), limits.time_left);
        let helpers = (1..self.config.threads).map(|number| {
            let mut helper = self.searcher(question, limits, &enough, number as u64);
            move || {
                helper.deepen(question, time_left, None, number);
                helper.counters
            }
        });
        let (outcome, helped) = beside(helpers, || {
            let outcome = searcher.deepen(question, time_left, limits.progress, 0);
            enough.stop();
            outcome
        });
        helped.into_iter().for_each(|counters| searcher.counters += counters);
        outcome
    }

    /// The search of one thread, of which number 0 gives the answer.
    pub(crate) fn searcher<'s>(
        &'s self,
        question: &Question<'s, G>,
        limits: &Limits<'s, G::Action>,
        stop: &'s StopToken,
        thread: u64,
    ) -> Searcher<'s, G> {
        // All threads together keep to the budget.
        let threads = self.config.threads as u64;
        let share = |nodes: u64| nodes / threads + u64::from(thread < nodes % threads);
        let plan = TimePlan::of(&self.config.budget, limits.time_left);
        Searcher {
            game: question.game,
            evaluator: &*self.evaluator,
            action_score: self.action_score.as_deref(),
            config: &self.config,
            table: self.table.as_ref().filter(|_| self.config.uses_memory()),
            ending: Ending {
                clock: limits.clock,
                stop,
                nodes: self.config.budget.nodes.map_or(u64::MAX, share),
                deadline: plan.map(|plan| limits.clock.now() + plan.hard),
            },
            root_seat: question.seat,
            won_from: self.evaluator.won_from(),
            memory: Memory::new(),
            counters: Counters::default(),
            horizon: 0,
            lines: Vec::new(),
            trace: None,
        }
    }
}

impl<G: Game> Searcher<'_, G> {
    /// Searches depth after depth. `shift` makes helper threads try root actions in other orders.
    pub(crate) fn deepen(
        &mut self,
        question: &Question<'_, G>,
        time_left: Option<gamecore::TimeLeft>,
        progress: Option<gamecore::ProgressFn<'_, G::Action>>,
        shift: usize,
    ) -> Outcome<G::Action> {
        let budget = &self.config.budget;
        let last = budget.depth.unwrap_or(MAX_DEPTH);
        let began = self.ending.clock.now();
        let soft = TimePlan::of(&self.config.budget, time_left).map(|plan| began + plan.soft);
        let mut outcome = Outcome { result: None, depth: 0, complete: false };
        let mut order = self.first_order(question, shift);
        for depth in if self.config.deepening { 1 } else { last }..=last {
            let horizon_before = self.horizon;
            let previous = outcome.result.as_ref();
            let Ok(mut result) = self.search_depth(question, &order, depth, previous) else {
                return outcome;
            };
            if let Some(trace) = &mut self.trace {
                trace.keep();
            }
            let settled = budget.depth.is_none() && self.settles(result.value);
            // Lost whatever is played: the depth before knows what holds out longest. The value is that
            // of the least bad loss.
            if settled
                && result.value < Score(0)
                && let Some(before) = outcome.result.take()
            {
                result.best = before.best;
                result.line = before.line;
                let lost = RootValue { value: result.value, bound: Bound::Upper, nodes: 0 };
                result.values[before.best].get_or_insert(lost);
            }
            if let Some(progress) = progress {
                progress(&Progress {
                    completed: u64::from(depth),
                    action: question.actions[result.best],
                    value: f64::from(result.value.0),
                    counters: self.counters,
                });
            }
            if self.config.order == Order::Good {
                reorder(&mut order, &result, shift);
            }
            outcome = Outcome { result: Some(result), depth, complete: depth == last };
            // Every line that mattered was seen to its end: looking deeper changes nothing. Or the result
            // is sure: looking deeper would find later wins, and an agent that prefers them never wins.
            if self.horizon == horizon_before || settled {
                outcome.complete = true;
                break;
            }
            if soft.is_some_and(|soft| self.ending.clock.now() >= soft)
                || self.ending.stop.is_stopped()
            {
                break;
            }
        }
        outcome
    }

    /// Whether a value tells a sure win or a sure loss. The mean of what may be drawn does not.
    fn settles(&self, value: Score) -> bool {
        !self.game.traits().chance && value.0.abs() >= self.won_from.0
    }

    fn first_order(&self, question: &Question<'_, G>, shift: usize) -> Vec<usize> {
        let place = Place { seat: question.seat, depth: MAX_DEPTH, ply: 0 };
        let mut picker = Picker::new(question.actions.len());
        self.order(&mut picker, question.state, question.actions, place, None);
        let mut order: Vec<usize> = std::iter::from_fn(|| picker.pick()).collect();
        let len = order.len();
        order.rotate_left(shift % len);
        order
    }

    /// One depth, first in a narrow window around the previous value if that is asked for.
    fn search_depth(
        &mut self,
        question: &Question<'_, G>,
        order: &[usize],
        depth: u32,
        previous: Option<&RootResult<G::Action>>,
    ) -> Result<RootResult<G::Action>, Stopped> {
        let guess = previous.map_or(Score(0), |result| result.value);
        let Question { state, actions, .. } = *question;
        let half = self.config.aspiration;
        if half > 0 && previous.is_some() {
            let window = Window { alpha: Score(guess.0 - half), beta: Score(guess.0 + half) };
            let result = self.search_root(state, actions, order, depth, window, guess)?;
            if result.bound == Bound::Exact {
                return Ok(result);
            }
            self.counters.researches += 1;
        }
        self.search_root(state, actions, order, depth, Window::FULL, guess)
    }
}

/// The best action first, then the others by effort: hard ones were nearly as good.
fn reorder<A>(order: &mut [usize], result: &RootResult<A>, shift: usize) {
    let effort = |index: usize| result.values[index].map_or(0, |value| value.nodes);
    order.sort_by_key(|&index| (index != result.best, std::cmp::Reverse(effort(index)), index));
    let len = order.len();
    order.rotate_left(shift % len);
}

/// The parts of the evaluation at the end of the expected continuation. Nothing if something cut that
/// line short, because then its end is not where the value comes from.
pub(crate) fn terms_at_end<G: Game>(
    question: &Question<'_, G>,
    evaluator: &dyn Evaluator<G>,
    line: &[G::Action],
    value: Option<f64>,
) -> Vec<Term> {
    let Question { game, seat, .. } = *question;
    let mut state = question.state.clone();
    for &action in line {
        game.apply(&mut state, action);
    }
    let at_end = match game.turn(&state) {
        Turn::Over => evaluator.terminal(game, &state, seat),
        Turn::Player(_) => evaluator.evaluate(game, &state, seat),
        Turn::Chance => return Vec::new(),
    };
    if value != Some(f64::from(at_end.0)) {
        return Vec::new();
    }
    evaluator.explain(game, &state, seat)
}

fn decision<A: Copy>(
    actions: &[A],
    outcome: Outcome<A>,
    counters: Counters,
    fallback: usize,
    tree: Vec<gamecore::TreeNode<A>>,
) -> Decision<A> {
    let Some(result) = outcome.result else {
        // Stopped before depth 1 was complete: the most promising action, without an opinion.
        return Decision { complete: false, counters, tree, ..Decision::plain(actions[fallback]) };
    };
    let root = actions
        .iter()
        .zip(&result.values)
        .map(|(&action, value)| RootAction {
            action,
            visits: value.map_or(0, |value| value.nodes),
            value: value.map(|value| f64::from(value.value.0)),
            bound: value.map_or(Bound::Upper, |value| value.bound),
            prior: None,
        })
        .collect();
    Decision {
        value: Some(f64::from(result.value.0)),
        depth: outcome.depth,
        complete: outcome.complete,
        principal_variation: result.line,
        root,
        counters,
        tree,
        ..Decision::plain(actions[result.best])
    }
}

impl<G: Game> KnownSearch<G> for DepthFirst<G> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.config.budget
    }

    fn decide_state(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        let Turn::Player(seat) = game.turn(state) else {
            panic!("asked to decide where nobody decides: {state:?}");
        };
        let mut actions = Buf::new();
        game.actions(state, &mut actions);
        if self.config.table != TableUse::Off && self.table.is_none() {
            self.table = Some(Table::new(self.config.table_mb));
        }
        let question = Question { game, state, actions: &actions, seat };
        let mut searcher = self.searcher(&question, limits, limits.stop, 0);
        searcher.trace = (limits.tree_nodes > 0).then(|| Trace::new(limits.tree_nodes));
        let outcome = self.run(&mut searcher, &question, limits);
        let counters = searcher.counters;
        let tree = searcher.trace.take().map(Trace::finish).unwrap_or_default();
        let fallback = searcher.first_order(&question, 0)[0];
        let mut decision = decision(&actions, outcome, counters, fallback, tree);
        let line = &decision.principal_variation;
        decision.terms = terms_at_end(&question, &*self.evaluator, line, decision.value);
        if decision.value.is_some() {
            decision.reading = self.evaluator.reading();
        }
        decision
    }
}

impl<G: Game> Agent<G> for DepthFirst<G> {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        // Without [`crate::Voting`], where nothing is hidden, so the draw cannot matter.
        let state = game.sample(view, &mut Rng::new(0));
        self.decide_state(game, &state, limits)
    }
}
