//! `turn-beam`: minimax over whole turns, each node looking only at its most promising turns.
//!
//! Alpha-beta (Knuth and Moore, 1975) in which a move is a turn, with the beam of Justesen et al.
//! (2016) inside each turn and a beam over turns at each node: `width` at the root, `reply` below.
//! Depth grows turn by turn to three. From there on beams that left turns out are doubled twice before
//! the search goes deeper, while the budget lasts: deep lines of narrow beams overlook the best
//! answers. A table remembers, for every position between two turns, its list of turns (the expensive
//! part) and what a search of it came to. Beyond the last turn, turns that strike are tried while there
//! are any, up to `quiescence` of them.

use std::sync::Arc;

use gamecore::{
    ActionScore, Agent, Bound, Budget, Buf, Decision, Evaluator, Game, Limits, Progress, Rng,
    Score, Seat, Turn, weighted_mean,
};
use rustc_hash::FxHashSet;

use super::config::{MAX_TURNS, TurnBeamConfig};
use super::effort::Effort;
use super::generator::{Generator, Means, PlayedTurn, Wish};
use super::memory::{Entry, Known, Memory};
use super::report::{self, Ending, Found, RootTurn};
use crate::KnownSearch;
use crate::window::{Stopped, Value, Window};

/// Turns looked ahead before beams are doubled, and how often they are at each depth and in all.
const NARROW_TURNS: u32 = 3;
const DOUBLINGS: u32 = 2;
const MOST_DOUBLINGS: u32 = 8;
/// Doubling makes no beam wider than this.
const MOST_WIDTH: usize = 10_000;

/// An agent that looks ahead turn by turn. Built anew for every game.
pub struct TurnBeam<G: Game> {
    config: TurnBeamConfig,
    evaluator: Arc<dyn Evaluator<G>>,
    action_score: Option<Arc<dyn ActionScore<G>>>,
    generator: Generator<G>,
    memory: Memory<G::Action>,
    ending: Ending<G::Action>,
}

/// One decision.
struct Search<'a, 'l, G: Game> {
    game: &'a G,
    config: &'a TurnBeamConfig,
    evaluator: &'a dyn Evaluator<G>,
    action_score: Option<&'a dyn ActionScore<G>>,
    generator: &'a mut Generator<G>,
    memory: &'a mut Memory<G::Action>,
    effort: Effort<'l>,
    /// Positions at which the search ended although the game did not.
    horizon: u64,
    /// How often beams were doubled.
    doubled: u32,
    /// Whether beams left out turns: at the root, and anywhere in the search that goes on.
    left_out_at_root: bool,
    left_out: bool,
}

impl<G: Game> TurnBeam<G> {
    /// An agent of this make. Its action heuristic, if any, leaves out what it scores 0.
    #[must_use]
    pub fn new(
        config: TurnBeamConfig,
        evaluator: Arc<dyn Evaluator<G>>,
        action_score: Option<Arc<dyn ActionScore<G>>>,
    ) -> Self {
        let (generator, memory) = (Generator::new(), Memory::new(config.table_mb));
        Self { config, evaluator, action_score, generator, memory, ending: None }
    }
}

impl<G: Game> Search<'_, '_, G> {
    /// Looks one turn ahead, then two, and so on; the best turn comes first.
    fn deepen(
        &mut self,
        state: &G::State,
        seat: Seat,
        limits: &Limits<'_, G::Action>,
    ) -> (Vec<RootTurn<G>>, u32, bool) {
        let (mut turns, whole) = self.root_turns(state, seat);
        if !whole {
            return (turns, 0, false);
        }
        let last = self.config.turns.unwrap_or(MAX_TURNS);
        let (mut depth, mut reached) = (1, 1);
        loop {
            let horizon = self.horizon;
            self.left_out = self.left_out_at_root;
            if self.search_root(&mut turns, depth, seat).is_err() {
                return (turns, reached, false);
            }
            reached = depth;
            if let (Some(progress), Some(best)) = (limits.progress, turns.first()) {
                progress(&Progress {
                    completed: u64::from(depth),
                    action: best.turn.actions[0],
                    value: best.value,
                    counters: self.effort.counters,
                });
            }
            let ended = self.horizon == horizon;
            let best = turns.first().map_or(f64::NEG_INFINITY, |best| best.value);
            let won = best >= f64::from(self.evaluator.won_from().0);
            // Where no line met the horizon, wider beams are not worth their time either.
            if won && (ended || self.wins_are_sure(depth)) {
                return (turns, depth, true);
            }
            if self.may_double(depth, ended, last) {
                self.doubled += 1;
                if !self.widen(state, seat, &mut turns) {
                    return (turns, depth, false);
                }
            } else if ended || depth == last {
                return (turns, depth, true);
            } else {
                depth += 1;
            }
        }
    }

    /// Whether a win that was found needs no deeper look, which would only find later ones. A beam or
    /// a heuristic may leave out the answer that spoils a win, but there is no answer to one in this turn.
    fn wins_are_sure(&self, depth: u32) -> bool {
        let sees_all = depth == 1 || !self.left_out && self.action_score.is_none();
        sees_all && self.config.turns.is_none() && !self.game.traits().chance
    }

    /// Whether wider beams come before more depth. A budget of turns alone has one width.
    fn may_double(&self, depth: u32, ended: bool, last: u32) -> bool {
        let most = if ended || depth == last {
            MOST_DOUBLINGS
        } else {
            (DOUBLINGS * (depth + 1).saturating_sub(NARROW_TURNS)).min(MOST_DOUBLINGS)
        };
        self.left_out && self.config.budget != Budget::default() && self.doubled < most
    }

    /// Adds the turns that wider beams find at the root; false if there was no time for it.
    fn widen(&mut self, state: &G::State, seat: Seat, turns: &mut Vec<RootTurn<G>>) -> bool {
        let (wider, whole) = self.root_turns(state, seat);
        let key = |turn: &RootTurn<G>| self.game.key(&turn.turn.state);
        let known: FxHashSet<u64> = turns.iter().map(key).collect();
        turns.extend(wider.into_iter().filter(|turn| whole && !known.contains(&key(turn))));
        whole
    }

    /// The turns at the root, and whether all that were wished for could be made.
    fn root_turns(&mut self, state: &G::State, seat: Seat) -> (Vec<RootTurn<G>>, bool) {
        let wish = self.wish(self.config.spread, self.config.width);
        let made = self.generate(state, seat, wish);
        let whole = made.is_ok();
        self.left_out_at_root = self.generator.left_out;
        let turns = made.unwrap_or_else(|Stopped| self.generator.found(wish.keep));
        let known = |turn: PlayedTurn<G>| RootTurn {
            value: f64::from(turn.value.0),
            bound: Bound::Estimate,
            // It was valued when it was made.
            nodes: 1,
            line: Vec::new(),
            turn,
        };
        (turns.into_iter().map(known).collect(), whole)
    }

    /// One depth. If it is stopped after a turn that is better than the best so far, that stays.
    fn search_root(
        &mut self,
        turns: &mut [RootTurn<G>],
        depth: u32,
        seat: Seat,
    ) -> Result<(), Stopped> {
        let mut window = Window::FULL;
        let mut done = 0;
        let mut stopped = Ok(());
        for root in turns.iter_mut() {
            let before = self.effort.counters.nodes;
            let state = root.turn.state.clone();
            match self.value(&state, depth - 1, window, seat) {
                Ok(value) => {
                    root.bound = window.bound(value);
                    root.value = f64::from(value.0);
                    root.nodes += self.effort.counters.nodes - before;
                    if value > window.alpha {
                        window.alpha = value;
                        root.line = self.line(&state, depth - 1);
                    } else {
                        root.line.clear();
                    }
                    done += 1;
                }
                Err(Stopped) => {
                    stopped = Err(Stopped);
                    break;
                }
            }
        }
        // What was not reached has the value of the depth before, or of the evaluation if it is new.
        for root in &mut turns[done..] {
            root.bound = Bound::Estimate;
        }
        // Lost whatever is played: the order of the depth before says what holds out longest, unless a
        // turn that was not reached may hold out longer.
        let lost = f64::from(-self.evaluator.won_from().0);
        if turns[..done].iter().all(|root| root.value <= lost) {
            if let Some(open) = turns[done..].iter().position(|root| root.value > lost) {
                turns[..=done + open].rotate_right(1);
            }
            return stopped;
        }
        // Of equal values the exact one comes first: bounds are at most that.
        let is_bound = |root: &RootTurn<G>| root.bound != Bound::Exact;
        turns[..done].sort_by(|one, other| {
            other.value.total_cmp(&one.value).then(is_bound(one).cmp(&is_bound(other)))
        });
        stopped
    }

    /// The value for `view` of a position between two turns.
    fn value(&mut self, state: &G::State, depth: u32, window: Window, view: Seat) -> Value {
        self.effort.node()?;
        match self.game.turn(state) {
            Turn::Over => {
                self.effort.counters.leaves += 1;
                Ok(self.evaluator.terminal(self.game, state, view))
            }
            Turn::Chance => self.expected(state, depth, view),
            Turn::Player(seat) => {
                let window = if seat == view { window } else { window.flipped() };
                let value = if depth > 0 {
                    self.best(state, depth, window, seat)?
                } else {
                    self.quiet(state, self.config.quiescence, window, seat)?
                };
                Ok(if seat == view { value } else { -value })
            }
        }
    }

    /// The mean over what may be drawn, by weight.
    fn expected(&mut self, state: &G::State, depth: u32, view: Seat) -> Value {
        let mut outcomes = Buf::new();
        self.game.actions(state, &mut outcomes);
        let (mut sum, mut total) = (0i64, 0i64);
        for outcome in outcomes {
            self.effort.call()?;
            let weight = i64::from(self.game.weight(state, outcome));
            let mut next = state.clone();
            self.game.apply(&mut next, outcome);
            let Score(value) = self.value(&next, depth, Window::FULL, view)?;
            sum += weight * i64::from(value);
            total += weight;
        }
        Ok(Score(weighted_mean(sum, total)))
    }

    /// The best turn's value for the seat to act.
    fn best(&mut self, state: &G::State, depth: u32, window: Window, seat: Seat) -> Value {
        let key = self.game.key(state);
        let known = self.memory.get(key).filter(|entry| entry.doubled >= self.doubled);
        let (mut left_out, mut doubled) = known.map_or((false, 0), |it| (it.left_out, it.doubled));
        if let Some(entry) = known.filter(|entry| entry.depth == depth && answers(entry, window)) {
            self.effort.counters.table_hits += 1;
            self.horizon += u64::from(entry.cut);
            self.left_out |= left_out;
            return Ok(entry.value);
        }
        let mut turns = self.memory.take_turns(key, self.doubled);
        if turns.is_empty() {
            let wish = self.wish(self.config.reply_spread, self.config.reply);
            let made = self.generate(state, seat, wish)?;
            turns = made
                .into_iter()
                .map(|turn| Known { actions: turn.actions, value: turn.value })
                .collect();
            (left_out, doubled) = (self.generator.left_out, self.doubled);
        }
        // What is remembered of this position covers all below it.
        let elsewhere = std::mem::replace(&mut self.left_out, left_out);
        // All beginnings led where the beam had been before and had turned away.
        if turns.is_empty() {
            self.left_out |= elsewhere;
            return self.quiet(state, 0, window, seat);
        }
        let horizon = self.horizon;
        let searched = self.try_turns(state, &mut turns, depth, window, seat);
        let (value, depth) = match searched {
            Ok(value) => (value, depth),
            Err(Stopped) => (Score(0), 0),
        };
        let (bound, cut) = (window.bound(value), self.horizon > horizon);
        left_out = self.left_out;
        self.left_out |= elsewhere;
        self.memory.put(key, Entry { turns, depth, value, bound, cut, doubled, left_out });
        searched
    }

    /// Tries the turns in order and puts the best one first.
    fn try_turns(
        &mut self,
        state: &G::State,
        turns: &mut [Known<G::Action>],
        depth: u32,
        mut window: Window,
        seat: Seat,
    ) -> Value {
        // The last turn is worth what the evaluation said of it when it was made.
        if depth == 1 && self.config.quiescence == 0 && !self.game.traits().chance {
            self.horizon += 1;
            self.effort.counters.leaves += turns.len() as u64;
            // A deeper search may have put another turn first.
            let best = turns.iter().map(|turn| turn.value).max().unwrap_or(-Score::INFINITE);
            let first = turns.iter().position(|turn| turn.value == best).unwrap_or(0);
            turns[..=first].rotate_right(1);
            return Ok(best);
        }
        let mut best = -Score::INFINITE;
        let mut first = 0;
        for (number, turn) in turns.iter().enumerate() {
            let mut next = state.clone();
            for &action in &turn.actions {
                self.effort.call()?;
                self.game.apply(&mut next, action);
            }
            let value = self.value(&next, depth - 1, window, seat)?;
            if value > best {
                best = value;
                first = number;
                if value > window.alpha {
                    window.alpha = value;
                }
                if value >= window.beta {
                    self.effort.counters.cutoffs += 1;
                    break;
                }
            }
        }
        turns[..=first].rotate_right(1);
        Ok(best)
    }

    /// The value at the horizon: what the evaluation says, or what a turn that strikes makes of it.
    fn quiet(&mut self, state: &G::State, left: u32, mut window: Window, seat: Seat) -> Value {
        self.horizon += 1;
        let mut best = self.evaluator.evaluate(self.game, state, seat);
        self.effort.counters.leaves += 1;
        if left == 0 || best >= window.beta {
            return Ok(best);
        }
        window.alpha = window.alpha.max(best);
        let wish = Wish { noisy: true, ..self.wish(self.config.reply_spread, self.config.reply) };
        for turn in self.generate(state, seat, wish)? {
            let value = self.after_strike(&turn, left, window, seat)?;
            best = best.max(value);
            window.alpha = window.alpha.max(value);
            if value >= window.beta {
                self.effort.counters.cutoffs += 1;
                break;
            }
        }
        Ok(best)
    }

    fn after_strike(
        &mut self,
        turn: &PlayedTurn<G>,
        left: u32,
        window: Window,
        seat: Seat,
    ) -> Value {
        self.effort.node()?;
        match self.game.turn(&turn.state) {
            Turn::Player(other) if other != seat => {
                Ok(-self.quiet(&turn.state, left - 1, window.flipped(), other)?)
            }
            _ => Ok(turn.value),
        }
    }

    /// Turns by beams of this width, doubled as often as they were.
    fn wish(&self, spread: usize, keep: usize) -> Wish {
        let wide = |width: usize| (width << self.doubled).min(width.max(MOST_WIDTH));
        Wish { spread: wide(spread), keep: wide(keep), noisy: false }
    }

    fn generate(
        &mut self,
        state: &G::State,
        seat: Seat,
        wish: Wish,
    ) -> Result<Vec<PlayedTurn<G>>, Stopped> {
        let means = Means::new(self.game, seat, self.action_score, self.evaluator);
        self.generator.turns(&means, state, wish, &mut self.effort)
    }

    /// What the table expects to follow.
    fn line(&self, state: &G::State, depth: u32) -> Vec<G::Action> {
        let mut state = state.clone();
        let mut line = Vec::new();
        for _ in 0..depth {
            let entry = self.memory.get(self.game.key(&state));
            let Some(turn) = entry.and_then(|entry| entry.turns.first()) else { break };
            for &action in &turn.actions {
                self.game.apply(&mut state, action);
                line.push(action);
            }
        }
        line
    }
}

/// Whether what is remembered is enough for this window.
fn answers<A>(entry: &Entry<A>, window: Window) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= window.beta,
        Bound::Upper => entry.value <= window.alpha,
        Bound::Estimate => false,
    }
}

impl<G: Game> KnownSearch<G> for TurnBeam<G> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.config.budget
    }

    fn decide_state(
        &mut self,
        game: &G,
        state: &G::State,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        let Self { config, evaluator, action_score, generator, memory, ending } = self;
        report::decide(game, state, &**evaluator, limits, ending, |question| {
            memory.make_room();
            let mut search = Search {
                game,
                config,
                evaluator: &**evaluator,
                action_score: action_score.as_deref(),
                generator,
                effort: Effort::new(&config.budget, limits),
                memory,
                horizon: 0,
                doubled: 0,
                left_out_at_root: false,
                left_out: false,
            };
            let (turns, depth, complete) = search.deepen(state, question.seat, limits);
            let mut counters = search.effort.counters;
            counters.tree_nodes = search.memory.len() as u64;
            Found { turns, reading: evaluator.reading(), depth, complete, counters }
        })
    }
}

impl<G: Game> Agent<G> for TurnBeam<G> {
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
