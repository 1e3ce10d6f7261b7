//! What a game does, in short: two programs that agree in it play by the same rules with the same data, whatever
//! their sources look like.

use std::sync::Arc;

use gamecore::key::fold;
use gamecore::{ActionScore, Buf, Evaluator, Notation, Rng, Seat, Turn, random_action};

/// A random game is left after so many actions.
const MOST_ACTIONS: usize = 300;

/// Heuristics are asked as if so many decisions were still to be searched: for their best.
const FULL_DEPTH: u32 = 64;

/// Hashes of what happens in a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conduct {
    /// Of positions, who acts, what is legal, what chance may do, and how it ends.
    pub rules: u64,
    /// Of what every named evaluation and action heuristic says of it, with the weights that are built in.
    pub evaluations: u64,
}

impl Conduct {
    /// Before anything has happened.
    pub const NOTHING: Self = Self { rules: 0, evaluations: 0 };

    /// This one, then that one.
    #[must_use]
    pub const fn then(self, Self { rules, evaluations }: Self) -> Self {
        Self { rules: fold(self.rules, rules), evaluations: fold(self.evaluations, evaluations) }
    }
}

fn fold_text(key: u64, text: &str) -> u64 {
    text.as_bytes().chunks(8).fold(fold(key, text.len() as u64), |key, bytes| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        fold(key, u64::from_le_bytes(word))
    })
}

/// Everything that has an opinion about a game.
pub(crate) struct Opinions<G: Notation> {
    pub(crate) evaluators: Vec<Arc<dyn Evaluator<G>>>,
    pub(crate) heuristics: Vec<Arc<dyn ActionScore<G>>>,
}

/// Of a random game from a state.
pub(crate) fn conduct<G: Notation>(
    game: &G,
    opinions: &Opinions<G>,
    mut state: G::State,
    seed: u64,
) -> Conduct {
    let mut rng = Rng::new(seed);
    let mut conduct = Conduct::NOTHING;
    let Conduct { rules, evaluations } = &mut conduct;
    for _ in 0..MOST_ACTIONS {
        *rules = fold_text(*rules, &game.position_text(&state));
        let turn = game.turn(&state);
        for evaluator in &opinions.evaluators {
            for value in values(game, &**evaluator, &state) {
                *evaluations = fold(*evaluations, value as u64);
            }
        }
        let mut actions = Buf::new();
        match turn {
            Turn::Over => {
                let payoff = game.payoff(&state, Seat::Zero);
                *rules = fold(*rules, u64::from(payoff.to_bits()));
                break;
            }
            Turn::Chance => {
                game.actions(&state, &mut actions);
                for &outcome in &actions {
                    *rules = fold(*rules, u64::from(game.weight(&state, outcome)));
                }
            }
            Turn::Player(seat) => {
                game.actions(&state, &mut actions);
                *rules = fold(*rules, seat.index() as u64);
                for heuristic in &opinions.heuristics {
                    let mut scores = Buf::new();
                    heuristic.score(game, &state, &actions, FULL_DEPTH, &mut scores);
                    for score in scores {
                        *evaluations = fold(*evaluations, score as u64);
                    }
                }
            }
        }
        for &action in &actions {
            *rules = fold_text(*rules, &game.action_text(&state, action));
        }
        match random_action(game, &state, &mut rng) {
            Some(action) => game.apply(&mut state, action),
            None => break,
        }
    }
    conduct
}

/// What an evaluation says of a state: for a seat, and as it is published for each.
fn values<G: Notation>(game: &G, evaluator: &dyn Evaluator<G>, state: &G::State) -> [i32; 3] {
    let value = match game.turn(state) {
        Turn::Over => evaluator.terminal(game, state, Seat::Zero),
        _ => evaluator.evaluate(game, state, Seat::Zero),
    };
    let [zero, one] = Seat::BOTH.map(|seat| evaluator.one_sided(game, state, seat));
    [value.0, zero.0, one.0]
}

#[cfg(test)]
mod tests {
    use testkit::HashEvaluator;
    use testkit::toys::{DiceRace, StagedNim};

    use super::*;

    fn of<G: Notation>(game: &G, evaluator: HashEvaluator, seed: u64) -> Conduct {
        let start = game.start(&G::Setup::default(), &mut Rng::new(1));
        let opinions = Opinions { evaluators: vec![Arc::new(evaluator)], heuristics: Vec::new() };
        conduct(game, &opinions, start, seed)
    }

    #[test]
    fn other_rules_and_other_evaluations_are_told_apart() {
        let nim = StagedNim::new(&[2, 3, 4]);
        let same = of(&nim, HashEvaluator::new(1), 7);
        assert_eq!(of(&nim, HashEvaluator::new(1), 7), same);
        let weighed = of(&nim, HashEvaluator::new(2), 7);
        assert_eq!(weighed.rules, same.rules);
        assert_ne!(weighed.evaluations, same.evaluations);
        assert_ne!(of(&StagedNim::new(&[2, 3, 5]), HashEvaluator::new(1), 7).rules, same.rules);
        assert_ne!(same.then(weighed), weighed.then(same));
        let [one, other] = [1, 2].map(|seed| of(&DiceRace, HashEvaluator::new(1), seed));
        assert_ne!(one.rules, other.rules, "chance is drawn");
    }
}
