//! Any evaluation as an action heuristic: an action is worth what the evaluation says of the position
//! after it, from its worst action (0) to its best (1000).

use std::sync::Arc;

use gamecore::{ActionScore, Buf, Evaluator, FULL_SCORE, Game, Score, Turn, rank_value};

/// Scores actions by the positions after them:
///
/// ```text
/// 1000·(v − lowest v) / (highest v − lowest v)
/// ```
///
/// where v is [`Evaluator::one_sided`] for the seat that chooses. Actions that win at once score 1000,
/// those that lose at once 0, and both are left out of lowest and highest. If all others are equal,
/// they score 500. As in all action heuristics, what is tried out is not counted as a call.
pub(crate) struct AfterAction<G: Game>(Arc<dyn Evaluator<G>>);

impl<G: Game> AfterAction<G> {
    /// By this evaluation.
    pub(crate) fn new(evaluator: Arc<dyn Evaluator<G>>) -> Self {
        Self(evaluator)
    }
}

impl<G: Game> ActionScore<G> for AfterAction<G> {
    fn score(
        &self,
        game: &G,
        state: &G::State,
        actions: &[G::Action],
        _depth: u32,
        out: &mut Buf<i32>,
    ) {
        let Turn::Player(seat) = game.turn(state) else {
            out.extend(actions.iter().map(|_| FULL_SCORE / 2));
            return;
        };
        let mut values = Buf::<Score>::new();
        let mut next = state.clone();
        for &action in actions {
            next.clone_from(state);
            game.apply(&mut next, action);
            values.push(rank_value(&*self.0, game, &next, seat));
        }
        let open = || values.iter().filter(|value| value.0.abs() < Score::INFINITE.0);
        let lowest = open().min().map_or(0, |value| i64::from(value.0));
        let highest = open().max().map_or(0, |value| i64::from(value.0));
        out.extend(values.iter().map(|&value| match value {
            Score::INFINITE => FULL_SCORE,
            lost if lost == -Score::INFINITE => 0,
            _ if highest == lowest => FULL_SCORE / 2,
            Score(value) => {
                let above = i64::from(FULL_SCORE) * (i64::from(value) - lowest);
                (above / (highest - lowest)) as i32
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::{Notation, ResultOnly, Rng, Seat};
    use testkit::HashEvaluator;
    use testkit::toys::TicTacToe;

    fn scores<E: Evaluator<TicTacToe> + 'static>(evaluator: E, position: &str) -> Vec<i32> {
        let state = TicTacToe.parse_position(position).unwrap();
        let (mut actions, mut out) = (Buf::new(), Buf::new());
        TicTacToe.actions(&state, &mut actions);
        AfterAction::new(Arc::new(evaluator)).score(&TicTacToe, &state, &actions, 0, &mut out);
        out.to_vec()
    }

    #[test]
    fn stretches_from_the_worst_to_the_best() {
        let evaluator = HashEvaluator::with_range(5, 1000);
        let start = TicTacToe.start(&(), &mut Rng::new(0));
        let found = scores(evaluator, &TicTacToe.position_text(&start));
        let (mut actions, mut values) = (Buf::new(), Vec::new());
        TicTacToe.actions(&start, &mut actions);
        for &action in &actions {
            let mut next = start;
            TicTacToe.apply(&mut next, action);
            values.push(f64::from(evaluator.evaluate(&TicTacToe, &next, Seat::Zero).0));
        }
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (found, value) in found.iter().zip(values) {
            let expected = 1000.0 * (value - lowest) / (highest - lowest);
            assert!((f64::from(*found) - expected).abs() <= 1.0, "{found} {expected}");
        }
        assert!(found.contains(&0) && found.contains(&1000));
    }

    #[test]
    fn a_win_at_once_scores_most_and_does_not_stretch_the_rest() {
        let mut state = TicTacToe.start(&(), &mut Rng::new(0));
        let mut actions = Buf::new();
        TicTacToe.actions(&state, &mut actions);
        // Two in the first row for the first seat, two in the second for the other.
        for square in [0, 3, 1, 4] {
            TicTacToe.apply(&mut state, actions[square]);
        }
        let found = scores(HashEvaluator::with_range(5, 1000), &TicTacToe.position_text(&state));
        assert_eq!(found[0], 1000, "completes the row");
        assert!(found[1..].contains(&0) && found[1..].contains(&1000), "{found:?}");
        let found = scores(ResultOnly, &TicTacToe.position_text(&state));
        assert_eq!(found, [1000, 500, 500, 500, 500]);
    }

    #[test]
    fn equal_ones_score_half() {
        let start = TicTacToe.position_text(&TicTacToe.start(&(), &mut Rng::new(0)));
        assert_eq!(scores(ResultOnly, &start), [500; 9]);
    }
}
