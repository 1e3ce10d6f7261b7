//! SCOUT (Pearl, AAAI 1980). TEST answers "is the value above v?" by the shortest proof it finds;
//! EVAL values the first action exactly, TESTs each of the others against the best so far, and
//! EVALs only those that pass. Both stop at the same horizon.
//!
//! Pearl writes MAX and MIN apart, with `>` for MAX and `≥` for MIN. Here values belong to a seat:
//! the seat to act always maximises its own value, which turns Pearl's second case into the first.

use gamecore::{Bound, Buf, Game, Score, Seat};

use crate::ordering::Picker;
use crate::searcher::{Entered, Place, Probe, Searcher};
use crate::window::{Stopped, Value, Window};

impl<G: Game> Searcher<'_, G> {
    /// EVAL: the exact value for `view`.
    pub(crate) fn scout_eval(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: usize,
        view: Seat,
    ) -> Value {
        self.counters.eval_nodes += 1;
        let seat = match self.enter(state, depth, ply, Window::FULL, view)? {
            Entered::Valued(value) => return Ok(value),
            Entered::Chance => {
                return self.expectation(state, depth, view, |me, child| {
                    me.scout_eval(child, depth, ply + 1, view)
                });
            }
            Entered::Decide(seat) => seat,
        };
        let best = self.scout_best(state, depth, ply, seat)?;
        Ok(if seat == view { best } else { -best })
    }

    fn scout_best(&mut self, state: &G::State, depth: u32, ply: usize, seat: Seat) -> Value {
        let key = self.table_key(state, depth);
        let horizon_before = self.horizon;
        let hint = match self.probe(key, depth, Window::FULL) {
            Probe::Answer(value) => return Ok(value),
            Probe::Hint(hint) => hint,
        };
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        let mut picker = Picker::new(actions.len());
        self.order(&mut picker, state, &actions, Place { seat, depth, ply }, hint);
        let (mut best, mut best_index) = (-Score::INFINITE, 0);
        while let Some(index) = picker.pick() {
            let action = actions[index];
            if best > -Score::INFINITE {
                if !self.scout_child_above(state, action, depth - 1, ply, best, seat)? {
                    continue;
                }
                self.counters.researches += 1;
            }
            let value = self.step(state, action, depth - 1, Window::FULL, seat, |me, child| {
                me.scout_eval(child, depth - 1, ply + 1, seat)
            })?;
            // Always so after a passed test, except with `table=deeper`.
            if value > best {
                (best, best_index) = (value, index);
                self.extend_line(ply, action);
            }
        }
        self.remember(key, depth, best, Bound::Exact, best_index, horizon_before);
        Ok(best)
    }

    /// TEST of the position after `action`: is its value for `view` above `score`?
    pub(crate) fn scout_child_above(
        &mut self,
        state: &G::State,
        action: G::Action,
        depth: u32,
        ply: usize,
        score: Score,
        view: Seat,
    ) -> Result<bool, Stopped> {
        let question = Window::above(score);
        let answer = self.step(state, action, depth, question, view, |me, child| {
            let above = me.scout_test(child, depth, ply + 1, score, view)?;
            Ok(if above { score.above() } else { score })
        })?;
        Ok(answer > score)
    }

    /// TEST: is the value for `view` above `score`?
    fn scout_test(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: usize,
        score: Score,
        view: Seat,
    ) -> Result<bool, Stopped> {
        let seat = match self.enter(state, depth, ply, Window::above(score), view)? {
            Entered::Valued(value) => return Ok(value > score),
            Entered::Chance => {
                let mean = self.expectation(state, depth, view, |me, child| {
                    me.scout_eval(child, depth, ply + 1, view)
                })?;
                return Ok(mean > score);
            }
            Entered::Decide(seat) => seat,
        };
        if seat == view {
            return self.scout_any_above(state, depth, ply, score, seat);
        }
        // value for view > score  ⇔  value for seat < −score  ⇔  not (value for seat > −score − 1)
        Ok(!self.scout_any_above(state, depth, ply, (-score).below(), seat)?)
    }

    /// Whether some action gives the seat to act more than `score`.
    fn scout_any_above(
        &mut self,
        state: &G::State,
        depth: u32,
        ply: usize,
        score: Score,
        seat: Seat,
    ) -> Result<bool, Stopped> {
        let key = self.table_key(state, depth);
        let horizon_before = self.horizon;
        let hint = match self.probe(key, depth, Window::above(score)) {
            Probe::Answer(value) => return Ok(value > score),
            Probe::Hint(hint) => hint,
        };
        let mut actions = Buf::new();
        self.game.actions(state, &mut actions);
        let mut picker = Picker::new(actions.len());
        self.order(&mut picker, state, &actions, Place { seat, depth, ply }, hint);
        let mut first_tried = None;
        while let Some(index) = picker.pick() {
            first_tried.get_or_insert(index);
            let action = actions[index];
            if self.scout_child_above(state, action, depth - 1, ply, score, seat)? {
                self.counters.cutoffs += 1;
                self.trace_cut(&actions, &mut picker);
                self.memory.reward(seat, action, depth, ply);
                self.remember(key, depth, score.above(), Bound::Lower, index, horizon_before);
                return Ok(true);
            }
        }
        let best = first_tried.unwrap_or(0);
        self.remember(key, depth, score, Bound::Upper, best, horizon_before);
        Ok(false)
    }
}
