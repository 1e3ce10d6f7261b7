//! Tactics: what a turn is worth in material, proved by trying every turn of both sides.
//!
//! A turn is worth the material after the best answer to it, and a position is a tactic if few of its
//! turns come near the best one. No search is trusted: all turns of the seat to act are made, and all
//! answers to each, merged by position.

use gamecore::{Evaluator, Game, Score, Seat, StopToken, Turn};
use rustc_hash::FxHashSet;

use crate::turns::Rest;

/// What there is to count with, and how far to go.
pub struct Prover<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// Counts material.
    pub material: &'a dyn Evaluator<G>,
    /// Positions with more turns of a side are not looked at.
    pub most_turns: usize,
    /// Turns worth so much less than the best one miss the point.
    pub margin: i32,
    /// Ends a proof without a result.
    pub stop: &'a StopToken,
}

/// What a position came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Proof<A> {
    /// Material now, for the seat to act.
    pub before: Score,
    /// Material after the best turn and the best answer.
    pub best: Score,
    /// Turns of the seat to act.
    pub turns: usize,
    /// Those that come near the best.
    pub solving: usize,
    /// Whether a single action ends the turn and misses the point.
    pub may_end_badly: bool,
    /// The best turn.
    pub line: Vec<A>,
    /// The best answer to it; empty if the game is over.
    pub answer: Vec<A>,
}

/// A way to play a turn, and where it leads.
struct Way<G: Game> {
    actions: Vec<G::Action>,
    state: G::State,
}

impl<G: Game> Prover<'_, G> {
    /// Every turn from here, merged by position; `None` if there are too many or one meets chance.
    fn turns(&self, state: &G::State, seat: Seat) -> Option<Vec<Way<G>>> {
        let rest = Rest { game: self.game, seat, allowed: None };
        let mut seen = FxHashSet::default();
        let mut open: Vec<Way<G>> = vec![Way { actions: Vec::new(), state: state.clone() }];
        let mut ended = Vec::new();
        while let Some(way) = open.pop() {
            for action in rest.actions(&way.state) {
                let mut next = way.state.clone();
                self.game.apply(&mut next, action);
                if !seen.insert(self.game.key(&next)) {
                    continue;
                }
                let mut actions = way.actions.clone();
                actions.push(action);
                let way = Way { actions, state: next };
                match self.game.turn(&way.state) {
                    Turn::Chance => return None,
                    _ if rest.goes_on(&way.state) => open.push(way),
                    _ => ended.push(way),
                }
            }
            // Beginnings that end nowhere new count too: they take the time.
            if ended.len() > self.most_turns || seen.len() > self.most_turns.saturating_mul(4) {
                return None;
            }
        }
        // Where everything runs in circles nothing can be said.
        (!ended.is_empty()).then_some(ended)
    }

    fn count(&self, state: &G::State, seat: Seat) -> Score {
        match self.game.turn(state) {
            Turn::Over => self.material.terminal(self.game, state, seat),
            _ => self.material.evaluate(self.game, state, seat),
        }
    }

    /// What a position between two turns is worth to `seat`, which has just played, and the answer
    /// that shows it. Answers that leave no more than `floor` end the matter.
    fn answered(
        &self,
        state: &G::State,
        seat: Seat,
        floor: Score,
    ) -> Option<(Score, Vec<G::Action>)> {
        let Turn::Player(other) = self.game.turn(state) else {
            return Some((self.count(state, seat), Vec::new()));
        };
        let mut worst = (Score::INFINITE, Vec::new());
        for answer in self.turns(state, other)? {
            let value = self.count(&answer.state, seat);
            if value < worst.0 {
                worst = (value, answer.actions);
                if value <= floor {
                    break;
                }
            }
        }
        Some(worst)
    }

    /// What a turn that led here is worth to the seat that played it; `None` if it cannot be proved.
    #[must_use]
    pub fn worth(&self, state: &G::State, seat: Seat) -> Option<Score> {
        Some(self.answered(state, seat, -Score::INFINITE)?.0)
    }

    /// Proves a position; `None` if nobody is to act or it has too many turns.
    #[must_use]
    pub fn prove(&self, state: &G::State) -> Option<Proof<G::Action>> {
        let Turn::Player(seat) = self.game.turn(state) else { return None };
        let mut turns = self.turns(state, seat)?;
        // The largest gain first: then the floor is high soon.
        turns.sort_by_cached_key(|way| std::cmp::Reverse(self.count(&way.state, seat)));
        let mut best = (-Score::INFINITE, Vec::new(), Vec::new());
        let mut values = Vec::with_capacity(turns.len());
        for way in &turns {
            if self.stop.is_stopped() {
                return None;
            }
            let floor = Score(best.0.0.saturating_sub(self.margin));
            let (value, answer) = self.answered(&way.state, seat, floor)?;
            values.push(value);
            if value > best.0 {
                best = (value, way.actions.clone(), answer);
            }
        }
        let (best, line, answer) = best;
        let near = |value: Score| value.0 > best.0.saturating_sub(self.margin);
        let ends_badly = |(way, value): (&Way<G>, &Score)| way.actions.len() == 1 && !near(*value);
        Some(Proof {
            before: self.count(state, seat),
            best,
            turns: turns.len(),
            solving: values.iter().filter(|value| near(**value)).count(),
            may_end_badly: turns.iter().zip(&values).any(ends_badly),
            line,
            answer,
        })
    }
}
