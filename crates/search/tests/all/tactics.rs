//! What a turn is worth in material: proofs equal plain minimax over two turns.

use std::sync::LazyLock;

use gamecore::{Evaluator, Game, Score, Seat, StopToken, Turn};
use search::{Proof, Prover};
use testkit::HashEvaluator;
use testkit::toys::{StagedNim, TicTacToe};

use crate::common::{after, mover, positions};
use crate::turns::by_turns;

const MARGIN: i32 = 4;

static NEVER: LazyLock<StopToken> = LazyLock::new(StopToken::default);

fn prover<'a, G: Game>(game: &'a G, material: &'a HashEvaluator) -> Prover<'a, G> {
    Prover { game, material, most_turns: 10_000, margin: MARGIN, stop: &NEVER }
}

fn counted<G: Game>(game: &G, material: &HashEvaluator, state: &G::State, seat: Seat) -> Score {
    match game.turn(state) {
        Turn::Over => Evaluator::<G>::terminal(material, game, state, seat),
        _ => Evaluator::<G>::evaluate(material, game, state, seat),
    }
}

fn proofs_equal_minimax<G: Game>(game: &G, count: usize) {
    let material = HashEvaluator::with_range(5, 20);
    let prover = prover(game, &material);
    let mut points = 0;
    for state in positions(game, count, 11, 6) {
        let seat = mover(game, &state);
        let proof = prover.prove(&state).expect("small");
        let best = by_turns(game, &material, &state, 2, None, seat);
        assert_eq!(proof.best, best, "{state:?}");
        // The best turn is worth what the proof says, and the answer shows it.
        let end =
            proof.line.iter().fold(state.clone(), |state, &action| after(game, &state, action));
        assert_eq!(prover.worth(&end, seat), Some(best));
        let end = proof.answer.iter().fold(end, |state, &action| after(game, &state, action));
        assert_eq!(counted(game, &material, &end, seat), best, "{state:?}");
        assert!((1..=proof.turns).contains(&proof.solving), "{proof:?}");
        points += u32::from(proof.solving < proof.turns);
    }
    assert!(points > 5, "only {points} positions where a turn misses the point");
}

#[test]
fn proofs_are_minimax_over_two_turns() {
    proofs_equal_minimax(&StagedNim::default(), 40);
    proofs_equal_minimax(&TicTacToe, 40);
}

/// Every turn that comes near is counted, whatever was tried first.
#[test]
fn turns_that_come_near_are_counted() {
    let material = HashEvaluator::with_range(5, 20);
    for state in positions(&TicTacToe, 40, 11, 6) {
        let seat = mover(&TicTacToe, &state);
        let Proof { best, turns, solving, .. } =
            prover(&TicTacToe, &material).prove(&state).expect("small");
        let values: Vec<Score> = crate::common::legal(&TicTacToe, &state)
            .into_iter()
            .map(|action| after(&TicTacToe, &state, action))
            .map(|next| by_turns(&TicTacToe, &material, &next, 1, None, seat))
            .collect();
        assert_eq!(turns, values.len());
        let near = values.iter().filter(|value| value.0 > best.0.saturating_sub(MARGIN)).count();
        assert_eq!(solving, near, "{state:?}: {values:?}");
    }
}

#[test]
fn too_many_turns_prove_nothing() {
    let (game, material) = (StagedNim::default(), HashEvaluator::with_range(5, 20));
    let state = positions(&game, 1, 11, 2).remove(0);
    let narrow = Prover { most_turns: 1, ..prover(&game, &material) };
    assert_eq!(narrow.prove(&state), None);
    let stop = StopToken::default();
    stop.stop();
    assert_eq!(Prover { stop: &stop, ..prover(&game, &material) }.prove(&state), None);
}

/// A tactic cannot wait: what it finds is what plain minimax over three turns says of every turn that
/// misses the point.
#[test]
fn a_tactic_is_a_chance_that_passes() {
    let material = HashEvaluator::with_range(5, 20);
    let prover = prover(&TicTacToe, &material);
    let (mut tactics, mut waiting) = (0, 0);
    for state in positions(&TicTacToe, 400, 11, 6) {
        let seat = mover(&TicTacToe, &state);
        let Proof { best, solving, turns, .. } = prover.prove(&state).expect("small");
        let floor = Score(best.0 - MARGIN);
        let passes = crate::common::legal(&TicTacToe, &state)
            .into_iter()
            .map(|action| after(&TicTacToe, &state, action))
            .filter(|next| by_turns(&TicTacToe, &material, next, 1, None, seat) <= floor)
            .all(|next| by_turns(&TicTacToe, &material, &next, 2, None, seat) <= floor);
        let few = solving * 2 <= turns;
        assert_eq!(prover.prove_tactic(&state, 0.5).is_some(), few && passes, "{state:?}");
        tactics += u32::from(few && passes);
        waiting += u32::from(few && !passes);
    }
    assert!(tactics > 5 && waiting > 5, "{tactics} tactics, {waiting} that can wait");
}
