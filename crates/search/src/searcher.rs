//! What all depth-first algorithms share: entering a node, limits, leaves, table, order, lines.
//!
//! Sign by seat: every search function takes the seat whose value it returns (`view`). Only where
//! the seat to act differs from it are value and window turned round. Turning them round at every
//! ply, as textbooks do, is wrong for games whose seats act several times in a row.

use std::time::Duration;

use gamecore::{
    ActionScore, Bound, Clock, Counters, Evaluator, Game, Score, Seat, StopToken, TreeNote, Turn,
};

use crate::config::{Config, Order, TableUse};
use crate::ordering::{Memory, Picker};
use crate::table::{Entry, Table};
use crate::trace::{Trace, flipped};
use crate::window::{Stopped, Value, Window};

/// The clock is read once in this many nodes.
const NODES_PER_LOOK: u64 = 1024;

/// The table holds positions with at least this many decisions below them.
const LEAST_TABLE_DEPTH: u32 = 2;

/// When a search must end.
pub(crate) struct Ending<'a> {
    pub(crate) clock: &'a dyn Clock,
    pub(crate) stop: &'a StopToken,
    pub(crate) nodes: u64,
    pub(crate) deadline: Option<Duration>,
}

/// What a position turns out to be when it is entered.
pub(crate) enum Entered {
    /// Finished or at the horizon: its value for the seat that asked.
    Valued(Score),
    /// An outcome is drawn.
    Chance,
    /// This seat decides.
    Decide(Seat),
}

/// Where in the tree actions are ordered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) seat: Seat,
    pub(crate) depth: u32,
    pub(crate) ply: usize,
}

/// The result of asking the table.
pub(crate) enum Probe {
    /// It answers.
    Answer(Score),
    /// It knows at most the best action of an earlier search.
    Hint(Option<usize>),
}

/// One depth-first search: the position-independent parts and the work counted so far.
pub(crate) struct Searcher<'a, G: Game> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a dyn Evaluator<G>,
    pub(crate) action_score: Option<&'a dyn ActionScore<G>>,
    pub(crate) config: &'a Config,
    pub(crate) table: Option<&'a Table>,
    pub(crate) ending: Ending<'a>,
    pub(crate) root_seat: Seat,
    /// Values from here on are sure wins.
    pub(crate) won_from: Score,
    pub(crate) memory: Memory<G::Action>,
    pub(crate) counters: Counters,
    /// Leaves valued because of the horizon. If it does not grow during a search, that search
    /// saw the ends of all lines that mattered.
    pub(crate) horizon: u64,
    pub(crate) lines: Vec<Vec<G::Action>>,
    pub(crate) trace: Option<Trace<G::Action>>,
}

impl<'a, G: Game> Searcher<'a, G> {
    /// Counts a node, obeys the limits, and values it if nothing is to be searched below.
    #[inline]
    pub(crate) fn enter(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: usize,
        window: Window,
        view: Seat,
    ) -> Result<Entered, Stopped> {
        self.count_node()?;
        if let Some(line) = self.lines.get_mut(ply) {
            line.clear();
        }
        Ok(match self.game.turn(state) {
            Turn::Over => Entered::Valued(self.finished(state, view)),
            Turn::Chance => Entered::Chance,
            Turn::Player(seat) if depth > 0 => Entered::Decide(seat),
            Turn::Player(seat) => {
                let quiescence = self.config.quiescence;
                Entered::Valued(self.quiet_value(state, quiescence, window, seat, view)?)
            }
        })
    }

    #[inline]
    pub(crate) fn count_node(&mut self) -> Result<(), Stopped> {
        if self.counters.nodes >= self.ending.nodes {
            return Err(Stopped);
        }
        self.counters.nodes += 1;
        if self.counters.nodes.is_multiple_of(NODES_PER_LOOK) {
            self.look_at_clock()?;
        }
        Ok(())
    }

    fn look_at_clock(&self) -> Result<(), Stopped> {
        let late = self.ending.deadline.is_some_and(|deadline| self.ending.clock.now() >= deadline);
        if late || self.ending.stop.is_stopped() { Err(Stopped) } else { Ok(()) }
    }

    /// The value of a finished game.
    pub(crate) fn finished(&mut self, state: &G::State, view: Seat) -> Score {
        self.counters.leaves += 1;
        self.note(Some(TreeNote::Over));
        self.evaluator.terminal(self.game, state, view)
    }

    /// The static value at the horizon.
    #[inline]
    pub(crate) fn static_value(&mut self, state: &G::State, view: Seat) -> Score {
        self.counters.leaves += 1;
        self.horizon += 1;
        self.note(Some(TreeNote::Leaf));
        self.evaluator.evaluate(self.game, state, view)
    }

    /// Plays `action` on a copy and searches there; `window` is what `search` was asked with.
    #[inline]
    pub(crate) fn step(
        &mut self,
        state: &G::State,
        action: G::Action,
        depth: u32,
        window: Window,
        view: Seat,
        search: impl FnOnce(&mut Self, &G::State) -> Value,
    ) -> Value {
        let mut child = state.clone();
        self.game.apply(&mut child, action);
        if self.trace.is_none() {
            return search(self, &child);
        }
        self.trace_enter(action, depth);
        let value = search(self, &child);
        self.trace_leave(value.ok().map(|value| (value, window.bound(value))), view);
        value
    }

    pub(crate) fn trace_enter(&mut self, action: G::Action, depth: u32) {
        if let Some(trace) = &mut self.trace {
            trace.enter(Some(action), depth);
        }
    }

    pub(crate) fn trace_leave(&mut self, value: Option<(Score, Bound)>, view: Seat) {
        let same = view == self.root_seat;
        if let Some(trace) = &mut self.trace {
            match value {
                Some((value, bound)) if same => trace.leave(Some(value), bound),
                Some((value, bound)) => trace.leave(Some(-value), flipped(bound)),
                None => trace.leave(None, Bound::Exact),
            }
        }
    }

    #[inline]
    pub(crate) fn note(&mut self, note: Option<TreeNote>) {
        if let Some(trace) = &mut self.trace {
            trace.note(note);
        }
    }

    /// Notes that the actions still to be picked are left out, where the tree is recorded.
    #[inline]
    pub(crate) fn trace_cut(&mut self, actions: &[G::Action], rest: &mut Picker) {
        if let Some(trace) = &mut self.trace {
            trace.note(Some(TreeNote::Cut));
            while let Some(index) = rest.pick() {
                trace.skip(actions[index]);
            }
        }
    }

    /// Asks the table about a position whose mover wants a value in `window`.
    #[inline]
    pub(crate) fn probe(&mut self, key: u64, depth: u32, window: Window) -> Probe {
        let Some(entry) = self.table_at(depth).and_then(|table| table.get(key, depth)) else {
            return Probe::Hint(None);
        };
        let deep_enough = entry.depth == depth
            || entry.resolved && entry.depth < depth
            || self.config.table == TableUse::Deeper
                && entry.depth > depth
                // How soon a sure result comes is told by the depth that finds it first.
                && entry.value.0.abs() < self.won_from.0;
        let answers = deep_enough
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= window.beta,
                Bound::Upper => entry.value <= window.alpha,
                Bound::Estimate => false,
            };
        if !answers {
            return Probe::Hint(Some(entry.best));
        }
        self.counters.table_hits += 1;
        if !entry.resolved {
            self.horizon += 1;
        }
        self.note(Some(TreeNote::Table));
        Probe::Answer(entry.value)
    }

    /// Remembers a result; `horizon_before` is [`Searcher::horizon`] when the search began.
    #[inline]
    pub(crate) fn remember(
        &self,
        key: u64,
        depth: u32,
        value: Score,
        bound: Bound,
        best: usize,
        horizon_before: u64,
    ) {
        if let Some(table) = self.table_at(depth) {
            let resolved = self.horizon == horizon_before;
            table.put(key, Entry { value, bound, depth, best, resolved });
        }
    }

    /// The table, where it is worth asking: right above the leaves a look into memory costs more
    /// than the few evaluations it may save.
    #[inline]
    fn table_at(&self, depth: u32) -> Option<&'a Table> {
        self.table.filter(|_| depth >= LEAST_TABLE_DEPTH)
    }

    /// The key, computed only if there is a table to use it.
    #[inline]
    pub(crate) fn table_key(&self, state: &G::State, depth: u32) -> u64 {
        if self.table_at(depth).is_some() { self.game.key(state) } else { 0 }
    }

    /// Decides the order in which a fresh `picker` hands out the actions: the game's own opinion
    /// where there is one, what cut-offs taught, and `first` before everything.
    #[inline]
    pub(crate) fn order(
        &self,
        picker: &mut Picker,
        state: &G::State,
        actions: &[G::Action],
        place: Place,
        first: Option<usize>,
    ) {
        if self.config.order == Order::Fixed {
            return;
        }
        match self.action_score {
            Some(score) => {
                score.score(self.game, state, actions, place.depth, &mut picker.scores);
            }
            None => picker.scores.extend(actions.iter().map(|_| 0)),
        }
        for (score, &action) in picker.scores.iter_mut().zip(actions) {
            *score = score.saturating_add(self.memory.bonus(place.seat, action, place.ply));
        }
        picker.put_first(first);
    }

    /// Puts `action` before the expected line of the next ply.
    pub(crate) fn extend_line(&mut self, ply: usize, action: G::Action) {
        if self.lines.len() < ply + 2 {
            self.lines.resize_with(ply + 2, Vec::new);
        }
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(action);
        line.extend_from_slice(&tail[0]);
    }
}
