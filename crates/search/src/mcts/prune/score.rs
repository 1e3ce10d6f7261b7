//! What a heuristic says of the positions after the actions of a node.
//!
//! Without extrapolation that is the position right after the action; steps the game takes by
//! itself are part of it. State extrapolation (Sephton et al., 2014, "R") plays on while the same
//! seat decides, and scores the position just before the opponent's next decision.

use std::sync::Arc;

use gamecore::{Buf, Evaluator, Game, Rng, Seat, Turn, draw_outcome, rank_value};

use super::config::{Continue, Extrapolation, MOST_HEURISTICS};

/// No continuation is longer, even if a turn runs in circles.
const LONGEST: usize = 4096;

/// Exhaustive extrapolation looks at so many positions after one action; an action whose turn has
/// more is scored by greedy extrapolation instead.
const MOST_STATES: u32 = 1000;

/// One value for each heuristic.
type Values = [f64; MOST_HEURISTICS];

/// Scores positions; its states are made once and used for every action.
pub(super) struct Scorer<'a, G: Game> {
    game: &'a G,
    heuristics: &'a [Arc<dyn Evaluator<G>>],
    extrapolation: Option<Extrapolation>,
    /// After the action under test.
    after: G::State,
    /// Further on in the turn.
    on: G::State,
    trial: G::State,
    best: G::State,
    /// Most positions of one exhaustive extrapolation.
    most_states: u32,
    /// Actions applied so far.
    pub(super) calls: u64,
}

impl<'a, G: Game> Scorer<'a, G> {
    pub(super) fn new(
        game: &'a G,
        heuristics: &'a [Arc<dyn Evaluator<G>>],
        extrapolation: Option<Extrapolation>,
        state: &G::State,
    ) -> Self {
        let [after, on, trial, best] = std::array::from_fn(|_| state.clone());
        let most_states = MOST_STATES;
        Self { game, heuristics, extrapolation, after, on, trial, best, most_states, calls: 0 }
    }

    /// What each heuristic says of an action of `seat`.
    pub(super) fn score(
        &mut self,
        state: &G::State,
        seat: Seat,
        action: G::Action,
        rng: &mut Rng,
    ) -> Values {
        self.after.clone_from(state);
        self.game.apply(&mut self.after, action);
        self.calls += 1;
        let Some(Extrapolation { continuations, how }) =
            self.extrapolation.filter(|_| goes_on(self.game, &self.after, seat))
        else {
            return self.values(&self.after, seat);
        };
        match how {
            Continue::Random => self.at_random(seat, continuations, rng),
            Continue::Greedy => self.greedy(seat, continuations, rng),
            Continue::Exhaustive => {
                let mut left = self.most_states;
                let found = self.in_every_way(&self.after, seat, &mut left);
                self.calls += u64::from(self.most_states - left);
                found.unwrap_or_else(|| self.greedy(seat, 1, rng))
            }
        }
    }

    fn value(&self, heuristic: usize, state: &G::State, seat: Seat) -> f64 {
        f64::from(rank_value(&*self.heuristics[heuristic], self.game, state, seat).0)
    }

    fn values(&self, state: &G::State, seat: Seat) -> Values {
        let mut values = [0.0; MOST_HEURISTICS];
        for (heuristic, value) in values.iter_mut().enumerate().take(self.heuristics.len()) {
            *value = self.value(heuristic, state, seat);
        }
        values
    }

    /// Every heuristic scores the same continuations.
    fn at_random(&mut self, seat: Seat, continuations: u32, rng: &mut Rng) -> Values {
        let mut totals = [0.0; MOST_HEURISTICS];
        for _ in 0..continuations {
            self.on.clone_from(&self.after);
            for _ in 0..LONGEST {
                if !goes_on(self.game, &self.on, seat) {
                    break;
                }
                let action = if self.game.turn(&self.on) == Turn::Chance {
                    draw_outcome(self.game, &self.on, rng)
                } else {
                    let mut options = Buf::new();
                    self.game.actions(&self.on, &mut options);
                    match options[..] {
                        [only] => only,
                        _ => options[rng.below(options.len() as u32) as usize],
                    }
                };
                self.game.apply(&mut self.on, action);
                self.calls += 1;
            }
            let values = self.values(&self.on, seat);
            for (total, value) in totals.iter_mut().zip(values) {
                *total += value;
            }
        }
        totals.map(|total| total / f64::from(continuations))
    }

    /// At each further decision the option whose next state this heuristic likes best, the first
    /// listed of equal ones.
    fn greedy(&mut self, seat: Seat, continuations: u32, rng: &mut Rng) -> Values {
        let mut totals = [0.0; MOST_HEURISTICS];
        for (heuristic, total) in totals.iter_mut().enumerate().take(self.heuristics.len()) {
            for _ in 0..continuations {
                self.on.clone_from(&self.after);
                for _ in 0..LONGEST {
                    if !goes_on(self.game, &self.on, seat) {
                        break;
                    }
                    if self.game.turn(&self.on) == Turn::Chance {
                        let outcome = draw_outcome(self.game, &self.on, rng);
                        self.game.apply(&mut self.on, outcome);
                        self.calls += 1;
                    } else {
                        self.step(heuristic, seat);
                    }
                }
                *total += self.value(heuristic, &self.on, seat);
            }
        }
        totals.map(|total| total / f64::from(continuations))
    }

    fn step(&mut self, heuristic: usize, seat: Seat) {
        let mut options = Buf::new();
        self.game.actions(&self.on, &mut options);
        let mut highest = None;
        for &option in &options {
            self.trial.clone_from(&self.on);
            self.game.apply(&mut self.trial, option);
            self.calls += 1;
            let value = self.value(heuristic, &self.trial, seat);
            if highest.is_none_or(|highest| value > highest) {
                highest = Some(value);
                std::mem::swap(&mut self.best, &mut self.trial);
            }
        }
        std::mem::swap(&mut self.on, &mut self.best);
    }

    /// The highest value that each heuristic can have at the end of the turn, the mean over the
    /// outcomes of chance; `None` if there are too many positions.
    fn in_every_way(&self, state: &G::State, seat: Seat, left: &mut u32) -> Option<Values> {
        if !goes_on(self.game, state, seat) {
            return Some(self.values(state, seat));
        }
        let chance = self.game.turn(state) == Turn::Chance;
        let mut options = Buf::new();
        self.game.actions(state, &mut options);
        let (mut total, mut weights) =
            ([if chance { 0.0 } else { f64::NEG_INFINITY }; MOST_HEURISTICS], 0.0);
        for &option in &options {
            *left = left.checked_sub(1)?;
            let mut next = state.clone();
            self.game.apply(&mut next, option);
            let values = self.in_every_way(&next, seat, left)?;
            let weight = if chance { f64::from(self.game.weight(state, option)) } else { 1.0 };
            weights += weight;
            for (total, value) in total.iter_mut().zip(values) {
                *total = if chance { *total + weight * value } else { total.max(value) };
            }
        }
        Some(if chance { total.map(|sum| sum / weights) } else { total })
    }
}

/// Whether the opponent's next decision is still to come, and the game not over.
fn goes_on<G: Game>(game: &G, state: &G::State, seat: Seat) -> bool {
    match game.turn(state) {
        Turn::Player(mover) => mover == seat,
        Turn::Chance => true,
        Turn::Over => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::HashEvaluator;
    use testkit::toys::{StagedNim, StagedNimAction};

    #[test]
    fn a_turn_with_too_many_positions_is_scored_greedily() {
        let game = StagedNim::new(&[3, 4, 3]);
        let state = game.start(&(), &mut Rng::new(0));
        let mut differ = 0;
        for seed in 0..40 {
            let heuristics: [Arc<dyn Evaluator<StagedNim>>; 1] =
                [Arc::new(HashEvaluator::new(seed))];
            let score = |how, most_states| {
                let extrapolation = Some(Extrapolation { continuations: 1, how });
                let mut scorer = Scorer::new(&game, &heuristics, extrapolation, &state);
                scorer.most_states = most_states;
                let action = StagedNimAction::Choose(0);
                let values = scorer.score(&state, Seat::Zero, action, &mut Rng::new(1));
                (values[0], scorer.calls)
            };
            let (greedy, greedy_calls) = score(Continue::Greedy, MOST_STATES);
            let (whole, whole_calls) = score(Continue::Exhaustive, MOST_STATES);
            assert!(greedy <= whole && whole_calls > 10);
            differ += u32::from(greedy < whole);
            // The calls spent on the attempt count too.
            let most = whole_calls as u32 - 2;
            assert_eq!(
                score(Continue::Exhaustive, most),
                (greedy, greedy_calls + u64::from(most)),
                "one position too many"
            );
            assert_eq!(score(Continue::Exhaustive, most + 1), (whole, whole_calls));
        }
        assert!(differ > 10, "{differ}");
    }
}
