//! Tactics: what a turn is worth in material, proved by trying every turn of both sides.
//!
//! A turn is worth the material after the best answer to it, and a position is a tactic if few of its
//! turns come near the best one. No search is trusted: all turns of the seat to act are made, and all
//! answers to each, merged by position. A tactic is urgent if the chance passes: to every turn that misses
//! the point there is an answer after which no turn comes near it, even before it is answered in turn.

use std::cmp::Reverse;

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

/// A turn, what it is worth to the seat that plays it, and the best answer to it.
struct Weighed<G: Game> {
    way: Way<G>,
    worth: Score,
    answer: Vec<G::Action>,
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

    /// Material, or the result: a win is a win, whatever it leaves.
    fn count(&self, state: &G::State, seat: Seat) -> Score {
        match self.game.turn(state) {
            Turn::Over => {
                let won = self.material.won_from();
                self.material.terminal(self.game, state, seat).clamp(-won, won)
            }
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

    /// Every turn with what it is worth, the largest gain before the answer first; for turns that miss
    /// the point only an upper bound. `None` also if more than this share of them comes near.
    fn weigh(&self, state: &G::State, seat: Seat, share: f64) -> Option<Vec<Weighed<G>>> {
        let mut turns = self.turns(state, seat)?;
        // The largest gain first: then the floor is high soon.
        turns.sort_by_cached_key(|way| Reverse(self.count(&way.state, seat)));
        // A turn is hardly ever worth more than it gains before the answer. Where one is, a tactic may be
        // passed over, but none is made up.
        let near_all = self.floor(self.count(&turns.first()?.state, seat));
        let may_be_near = share * turns.len() as f64;
        let (mut best, mut near) = (-Score::INFINITE, 0u32);
        let mut weighed = Vec::with_capacity(turns.len());
        for way in turns {
            if self.stop.is_stopped() {
                return None;
            }
            let (worth, answer) = self.answered(&way.state, seat, self.floor(best))?;
            best = best.max(worth);
            near += u32::from(worth > near_all);
            if f64::from(near) > may_be_near {
                return None;
            }
            weighed.push(Weighed { way, worth, answer });
        }
        Some(weighed)
    }

    /// What is worth no more than this misses the point.
    fn floor(&self, best: Score) -> Score {
        Score(best.0.saturating_sub(self.margin))
    }

    /// Proves a position; `None` if nobody is to act or it has too many turns.
    #[must_use]
    pub fn prove(&self, state: &G::State) -> Option<Proof<G::Action>> {
        let Turn::Player(seat) = self.game.turn(state) else { return None };
        self.proof(state, seat, &self.weigh(state, seat, 1.0)?)
    }

    /// Proves a tactic that cannot wait: at most this share of the turns comes near the best one, and
    /// to each of the others there is an answer after which no turn comes near. `None` if it is not
    /// one, or that cannot be proved.
    #[must_use]
    pub fn prove_tactic(&self, state: &G::State, share: f64) -> Option<Proof<G::Action>> {
        let Turn::Player(seat) = self.game.turn(state) else { return None };
        let turns = self.weigh(state, seat, share)?;
        let proof = self.proof(state, seat, &turns)?;
        let floor = self.floor(proof.best);
        let few = proof.solving as f64 <= share * proof.turns as f64;
        let mut missing = turns.iter().filter(|turn| turn.worth <= floor);
        let urgent = few && missing.all(|turn| self.is_refuted(turn, seat, floor) == Some(true));
        urgent.then_some(proof)
    }

    fn proof(
        &self,
        state: &G::State,
        seat: Seat,
        turns: &[Weighed<G>],
    ) -> Option<Proof<G::Action>> {
        // Of equal ones the first.
        let best = turns.iter().rev().max_by_key(|turn| turn.worth)?;
        let near = |turn: &&Weighed<G>| turn.worth > self.floor(best.worth);
        Some(Proof {
            before: self.count(state, seat),
            best: best.worth,
            turns: turns.len(),
            solving: turns.iter().filter(near).count(),
            may_end_badly: turns.iter().any(|turn| turn.way.actions.len() == 1 && !near(&turn)),
            line: best.way.actions.clone(),
            answer: best.answer.clone(),
        })
    }

    /// Whether some answer to a turn of `seat` leaves it no turn that counts more than `floor`, even
    /// before that is answered; `None` if that cannot be proved.
    fn is_refuted(&self, turn: &Weighed<G>, seat: Seat, floor: Score) -> Option<bool> {
        let state = &turn.way.state;
        let Turn::Player(other) = self.game.turn(state) else { return Some(true) };
        let mut answers = self.turns(state, other)?;
        answers.sort_by_cached_key(|way| self.count(&way.state, seat));
        for answer in answers {
            if self.stop.is_stopped() {
                return None;
            }
            let refutes = match self.game.turn(&answer.state) {
                Turn::Player(_) => {
                    let turns = self.turns(&answer.state, seat)?;
                    turns.iter().all(|way| self.count(&way.state, seat) <= floor)
                }
                _ => self.count(&answer.state, seat) <= floor,
            };
            if refutes {
                return Some(true);
            }
        }
        Some(false)
    }
}
