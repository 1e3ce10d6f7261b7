//! The turns of one seat as moves: every way to play on until the other seat may act, merged by the
//! position it leads to, the most promising first.
//!
//! A turn of a war game is a sequence of decisions, and most of its value shows only at its end. So
//! turns are grown level by level, as Hero Academy's search by beams does (Justesen, Mahlmann and
//! Togelius, 2016, *Online evolution for multi-action adversarial games*): at each level only the
//! `spread` most promising beginnings are continued, ranked by the evaluation. Whatever ends the
//! turn on the way is a turn. Chance inside a turn ends it, because what follows depends on the
//! draw. With a spread that nothing exceeds, the list is complete.

use std::cmp::Reverse;

use gamecore::{ActionScore, Buf, Evaluator, Game, Score, Seat, Turn};
use rustc_hash::FxHashSet;

use super::effort::Effort;
use crate::window::Stopped;

/// What of a turn may be played: who plays it, and which actions are worth a try.
pub(crate) struct Rest<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) seat: Seat,
    /// Leaves out actions that it scores 0 or less.
    pub(crate) allowed: Option<&'a dyn ActionScore<G>>,
}

impl<G: Game> Rest<'_, G> {
    /// Whether the same seat decides here.
    pub(crate) fn goes_on(&self, state: &G::State) -> bool {
        self.game.turn(state) == Turn::Player(self.seat)
    }

    /// The actions (or outcomes of a draw) to be tried, perhaps none.
    pub(crate) fn actions(&self, state: &G::State) -> Buf<G::Action> {
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        if let (Some(allowed), Turn::Player(_)) = (self.allowed, self.game.turn(state)) {
            let mut scores = Buf::new();
            allowed.score(self.game, state, &actions, 0, &mut scores);
            let mut number = 0;
            actions.retain(|_| {
                number += 1;
                scores[number - 1] > 0
            });
        }
        actions
    }

    /// The same, but all of them if none is worth a try: a turn must go on somehow.
    pub(crate) fn some_actions(&self, state: &G::State) -> Buf<G::Action> {
        let mut actions = self.actions(state);
        if actions.is_empty() {
            self.game.actions(state, &mut actions);
        }
        actions
    }
}

/// One way to play the rest of a turn.
#[derive(Clone, Debug)]
pub(crate) struct PlayedTurn<G: Game> {
    pub(crate) actions: Box<[G::Action]>,
    /// Where it leads: to the other seat, to a draw, or to the end of the game.
    pub(crate) state: G::State,
    /// What the evaluation says of that position, for the seat that played it.
    pub(crate) value: Score,
}

/// Which turns are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    /// Beginnings continued at each level.
    pub(crate) spread: usize,
    /// Turns kept, the best first.
    pub(crate) keep: usize,
    /// Only turns that the static value cannot be trusted with.
    pub(crate) noisy: bool,
}

/// The last action of a beginning, and the beginning before it.
struct Step<A> {
    before: u32,
    action: A,
}

/// A beginning that does not end the turn.
struct Beginning<S> {
    state: S,
    last: u32,
    value: Score,
}

/// A turn before its actions are written down.
struct Ended<S> {
    state: S,
    last: u32,
    value: Score,
}

const NONE: u32 = u32::MAX;

/// Beginnings and turns beyond those wished for that are kept until they are sorted out together.
const ROOM: usize = 1_024;

/// Leaves the best `keep` of a list that is longer than `most`, and says whether it did. Equal values
/// keep the game's order, so it does not matter when this is done.
fn keep_best<T>(list: &mut Vec<T>, most: usize, keep: usize, value: impl Fn(&T) -> Score) -> bool {
    let too_long = list.len() > most;
    if too_long {
        list.sort_by_key(|it| Reverse(value(it)));
        list.truncate(keep);
    }
    too_long
}

/// Makes turns; keeps its buffers.
pub(crate) struct Generator<G: Game> {
    steps: Vec<Step<G::Action>>,
    seen: FxHashSet<u64>,
    level: Vec<Beginning<G::State>>,
    next: Vec<Beginning<G::State>>,
    ended: Vec<Ended<G::State>>,
    /// Whether the last list lacks turns for want of width.
    pub(crate) left_out: bool,
}

/// Everything the generator asks of a game.
pub(crate) struct Means<'a, G: Game> {
    pub(crate) rest: Rest<'a, G>,
    pub(crate) evaluator: &'a dyn Evaluator<G>,
}

impl<'a, G: Game> Means<'a, G> {
    /// What a seat's turns are made by; `allowed` leaves out actions that it scores 0 or less.
    pub(crate) fn new(
        game: &'a G,
        seat: Seat,
        allowed: Option<&'a dyn ActionScore<G>>,
        evaluator: &'a dyn Evaluator<G>,
    ) -> Self {
        Self { rest: Rest { game, seat, allowed }, evaluator }
    }

    /// The value for the seat that plays the turn.
    pub(super) fn value(&self, state: &G::State) -> Score {
        let Rest { game, seat, .. } = self.rest;
        match game.turn(state) {
            Turn::Over => self.evaluator.terminal(game, state, seat),
            _ => self.evaluator.evaluate(game, state, seat),
        }
    }
}

impl<G: Game> Generator<G> {
    pub(crate) fn new() -> Self {
        Self {
            steps: Vec::new(),
            seen: FxHashSet::default(),
            level: Vec::new(),
            next: Vec::new(),
            ended: Vec::new(),
            left_out: false,
        }
    }

    /// The turns from a position in which the seat is to act. A stop in the middle leaves what was
    /// found in [`Generator::found`].
    pub(crate) fn turns(
        &mut self,
        means: &Means<'_, G>,
        state: &G::State,
        wish: Wish,
        effort: &mut Effort<'_>,
    ) -> Result<Vec<PlayedTurn<G>>, Stopped> {
        self.steps.clear();
        self.seen.clear();
        self.level.clear();
        self.next.clear();
        self.ended.clear();
        self.left_out = false;
        self.level.push(Beginning { state: state.clone(), last: NONE, value: Score(0) });
        while !self.level.is_empty() {
            let mut level = std::mem::take(&mut self.level);
            let grown = level.iter().try_for_each(|beginning| {
                self.continue_by_all(means, beginning, wish.noisy, effort)?;
                // What can no longer be among the best takes no memory.
                let [next, ended] = [wish.spread, wish.keep].map(|keep| 2 * keep + ROOM);
                self.left_out |= keep_best(&mut self.next, next, wish.spread, |it| it.value);
                self.left_out |= keep_best(&mut self.ended, ended, wish.keep, |it| it.value);
                Ok(())
            });
            level.clear();
            self.level = std::mem::replace(&mut self.next, level);
            grown?;
            self.left_out |= keep_best(&mut self.level, wish.spread, wish.spread, |it| it.value);
        }
        Ok(self.found(wish.keep))
    }

    /// The turns found so far, the best first.
    pub(crate) fn found(&mut self, keep: usize) -> Vec<PlayedTurn<G>> {
        self.ended.sort_by_key(|ended| Reverse(ended.value));
        self.left_out |= self.ended.len() > keep;
        self.ended.truncate(keep);
        let ended = std::mem::take(&mut self.ended);
        let turn = |ended: &Ended<G::State>| PlayedTurn {
            actions: self.actions_to(ended.last),
            state: ended.state.clone(),
            value: ended.value,
        };
        let turns = ended.iter().map(turn).collect();
        self.ended = ended;
        turns
    }

    fn continue_by_all(
        &mut self,
        means: &Means<'_, G>,
        beginning: &Beginning<G::State>,
        noisy: bool,
        effort: &mut Effort<'_>,
    ) -> Result<(), Stopped> {
        let Means { rest, evaluator } = means;
        let mut actions = rest.some_actions(&beginning.state);
        if noisy {
            let is_noisy =
                |&action: &G::Action| evaluator.is_noisy(rest.game, &beginning.state, action);
            if actions.iter().any(is_noisy) {
                actions.retain(|action| is_noisy(action));
            } else if beginning.last == NONE {
                return Ok(());
            }
        }
        for action in actions {
            effort.call()?;
            let mut state = beginning.state.clone();
            rest.game.apply(&mut state, action);
            if !self.seen.insert(rest.game.key(&state)) {
                continue;
            }
            let last = self.steps.len() as u32;
            self.steps.push(Step { before: beginning.last, action });
            let value = means.value(&state);
            if rest.goes_on(&state) {
                self.next.push(Beginning { state, last, value });
            } else {
                self.ended.push(Ended { state, last, value });
            }
        }
        Ok(())
    }

    fn actions_to(&self, last: u32) -> Box<[G::Action]> {
        let step = |at: u32| self.steps.get(at as usize);
        let steps = std::iter::successors(step(last), |known| step(known.before));
        let mut actions: Vec<G::Action> = steps.map(|known| known.action).collect();
        actions.reverse();
        actions.into()
    }
}
