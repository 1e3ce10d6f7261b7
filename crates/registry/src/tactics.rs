//! Positions with a point, proved in material.

use gamecore::{Evaluator, Notation, Score, Seat, StopToken, Term, Turn};
use search::Prover;

/// How a position is proved.
#[derive(Clone, Copy, Debug)]
pub struct ProofLimits<'a> {
    /// Positions with more turns of a side are not looked at.
    pub most_turns: usize,
    /// Turns worth so much less than the best one miss the point.
    pub margin: i32,
    /// Ends a proof without a result.
    pub stop: &'a StopToken,
}

/// What the turns of a position are worth in material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnProof {
    /// Material now, for the seat to act.
    pub before: i32,
    /// Material after the best turn and the best answer.
    pub best: i32,
    /// Whether the best turn itself wins the game.
    pub wins: bool,
    /// Turns of the seat to act.
    pub turns: usize,
    /// Those that come near the best.
    pub solving: usize,
    /// Whether a single action ends the turn and misses the point.
    pub may_end_badly: bool,
    /// The best turn, and the best answer to it.
    pub line: Vec<String>,
    /// The parts of the material that they change for the better.
    pub changes: Vec<&'static str>,
}

/// A prover of this game.
pub(crate) fn prover<'a, G: Notation>(
    game: &'a G,
    material: &'a dyn Evaluator<G>,
    limits: ProofLimits<'a>,
) -> Prover<'a, G> {
    let ProofLimits { most_turns, margin, stop } = limits;
    Prover { game, material, most_turns, margin, stop }
}

/// Proves a position with a point that cannot wait, in words; of its turns at most this share may come
/// near the best one.
pub(crate) fn prove<G: Notation>(
    prover: &Prover<'_, G>,
    state: &G::State,
    share: f64,
) -> Option<TurnProof> {
    let proof = prover.prove_tactic(state, share)?;
    let Prover { game, material, .. } = *prover;
    let Turn::Player(seat) = game.turn(state) else { return None };
    let mut end = state.clone();
    let mut line = Vec::new();
    for &action in proof.line.iter().chain(&proof.answer) {
        line.push(game.action_text(&end, action));
        game.apply(&mut end, action);
    }
    let terms = |state: &G::State| material.explain(game, state, seat);
    let gain = |term: &Term| i64::from(term.value) * i64::from(term.weight);
    let changes = terms(state)
        .into_iter()
        .zip(terms(&end))
        .filter(|(before, after)| gain(after) > gain(before))
        .map(|(before, _)| before.name)
        .collect();
    Some(TurnProof {
        before: proof.before.0,
        best: proof.best.0,
        wins: proof.answer.is_empty() && proof.best >= material.won_from(),
        turns: proof.turns,
        solving: proof.solving,
        may_end_badly: proof.may_end_badly,
        line,
        changes,
    })
}

/// What a turn that led to this position is worth to the seat that played it.
pub(crate) fn worth<G: Notation>(
    prover: &Prover<'_, G>,
    state: &G::State,
    seat: Seat,
) -> Option<i32> {
    prover.worth(state, seat).map(|Score(value)| value)
}
