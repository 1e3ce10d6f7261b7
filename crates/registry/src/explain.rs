//! Decisions explained: every action with who acts, what it does in words, and where.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamecore::{
    Decision, Evaluator, Notation, Reading, RootAction, Seat, TreeNode, Turn, TurnOption,
};

use crate::appearance::Appearance;
use crate::reports::{
    CandidateReport, DecisionReport, Explained, PrunedReport, PrunedStep, RootReport, StepReport,
    TreeReport, TreeStep, TurnReport,
};

/// What makes steps of the actions of a game.
pub(crate) struct Teller<'a, G: Notation> {
    pub(crate) game: &'a G,
    pub(crate) appearance: &'a Appearance<G>,
}

impl<G: Notation> Clone for Teller<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Notation> Copy for Teller<'_, G> {}

impl<G: Notation> Teller<'_, G> {
    /// An action of `seat`, or what chance does after it.
    pub(crate) fn step(&self, state: &G::State, seat: Seat, action: G::Action) -> StepReport {
        StepReport {
            seat,
            action: self.game.action_text(state, action),
            words: (self.appearance.words)(self.game, state, action),
            squares: (self.appearance.touched)(self.game, state, action),
        }
    }

    /// Explains a decision of `seat`; `own` is the game's own evaluation.
    pub(crate) fn explain(
        &self,
        state: &G::State,
        seat: Seat,
        decision: Decision<G::Action>,
        own: &dyn Evaluator<G>,
        options: usize,
    ) -> Explained {
        let step = |action| self.step(state, seat, action);
        let (line, end) = self.line(state, seat, &decision.principal_variation);
        let told = decision.value.and_then(|value| decision.reading.chance(value));
        let by_evaluation = decision.reading == Reading::Own && !line.is_empty();
        let candidate = |root: RootAction<G::Action>| CandidateReport {
            step: step(root.action),
            visits: root.visits,
            value: root.value,
            bound: root.bound,
            prior: root.prior,
        };
        Explained {
            seat,
            choice: step(decision.action),
            options,
            reading: decision.reading,
            value: decision.value,
            chance: if by_evaluation { self.chance(&end, seat, own) } else { told },
            chance_by_evaluation: by_evaluation,
            depth: decision.depth,
            complete: decision.complete,
            line,
            terms: if by_evaluation { own.explain(self.game, &end, seat) } else { decision.terms },
            candidates: decision.root.into_iter().map(candidate).collect(),
            turns: decision
                .turns
                .into_iter()
                .map(|TurnOption { actions, value, bound }| TurnReport {
                    line: self.line(state, seat, &actions).0,
                    value,
                    bound,
                })
                .collect(),
            pruned: decision
                .pruned
                .into_iter()
                .map(|pruned| PrunedStep {
                    step: step(pruned.action),
                    scores: pruned.scores,
                    reason: pruned.reason,
                })
                .collect(),
            counters: decision.counters,
            tree: self.tree(state, seat, &decision.tree),
        }
    }

    /// The chance of a seat by an evaluation, or by the result.
    pub(crate) fn chance(
        &self,
        state: &G::State,
        seat: Seat,
        evaluator: &dyn Evaluator<G>,
    ) -> Option<f64> {
        if self.game.turn(state) == Turn::Over {
            return Some(f64::from(self.game.payoff(state, seat)));
        }
        let points = evaluator.evaluate(self.game, state, seat);
        evaluator.reading().chance(f64::from(points.0))
    }

    /// As much of a line as can be played, and where it ends. Where something is hidden it ends
    /// with the turn: what is possible beyond in the true position would tell what the other seat
    /// has.
    fn line(
        &self,
        state: &G::State,
        seat: Seat,
        actions: &[G::Action],
    ) -> (Vec<StepReport>, G::State) {
        let game = self.game;
        let (hidden, turn) = (game.traits().hidden, game.turn(state));
        let (mut state, mut seat) = (state.clone(), seat);
        let mut steps = Vec::new();
        for &action in actions {
            if hidden && game.turn(&state) != turn {
                break;
            }
            seat = seat_of(game.turn(&state), seat);
            let before = state.clone();
            if gamecore::play(game, &mut state, action).is_err() {
                state = before;
                break;
            }
            steps.push(self.step(&before, seat, action));
        }
        (steps, state)
    }

    /// The tree in words. Where something is hidden it ends with the turn of the seat that thought,
    /// as lines do.
    pub(crate) fn tree(
        &self,
        root: &G::State,
        seat: Seat,
        nodes: &[TreeNode<G::Action>],
    ) -> Vec<TreeStep> {
        let game = self.game;
        let (hidden, turn) = (game.traits().hidden, game.turn(root));
        // State, seat and place in the answer of every node that was searched and can be played.
        let mut known: Vec<Option<(G::State, Seat, usize)>> = Vec::with_capacity(nodes.len());
        let mut told: BTreeMap<StepReport, Arc<StepReport>> = BTreeMap::new();
        let mut steps = Vec::with_capacity(nodes.len());
        for node in nodes {
            let above = match node.parent {
                None => Some((root, seat, None)),
                Some(parent) => known[parent].as_ref().map(|(state, s, at)| (state, *s, Some(*at))),
            };
            let above = above
                .filter(|(state, ..)| node.action.is_none() || !hidden || game.turn(state) == turn);
            let Some((state, before, parent)) = above else {
                known.push(None);
                continue;
            };
            let seat = seat_of(game.turn(state), before);
            // Nothing follows what was left out, so its position is not needed.
            let mut after = node.is_searched().then(|| state.clone());
            if let (Some(after), Some(action)) = (&mut after, node.action)
                && gamecore::play(game, after, action).is_err()
            {
                known.push(None);
                continue;
            }
            let step = node.action.map(|action| {
                let step = self.step(state, seat, action);
                told.entry(step).or_insert_with_key(|step| Arc::new(step.clone())).clone()
            });
            steps.push(TreeStep {
                parent,
                step,
                depth: node.depth,
                visits: node.visits,
                value: node.value,
                bound: node.bound,
                note: node.note,
                pruned: node.pruned,
            });
            known.push(after.map(|after| (after, seat, steps.len() - 1)));
        }
        steps
    }
}

fn seat_of(turn: Turn, before: Seat) -> Seat {
    if let Turn::Player(seat) = turn { seat } else { before }
}

impl From<Explained> for DecisionReport {
    fn from(told: Explained) -> Self {
        let tree = |node: TreeStep| TreeReport {
            parent: node.parent,
            action: node.step.map(|step| step.action.clone()),
            depth: node.depth,
            visits: node.visits,
            value: node.value,
            bound: node.bound,
            note: node.note,
        };
        let root = |candidate: CandidateReport| RootReport {
            action: candidate.step.action,
            visits: candidate.visits,
            value: candidate.value,
            bound: candidate.bound,
            prior: candidate.prior,
        };
        let turn = |turn: TurnReport| TurnOption {
            actions: turn.line.into_iter().map(|step| step.action).collect(),
            value: turn.value,
            bound: turn.bound,
        };
        let pruned = |pruned: PrunedStep| PrunedReport {
            action: pruned.step.action,
            scores: pruned.scores.into_iter().collect(),
            reason: pruned.reason,
        };
        Self {
            action: told.choice.action,
            value: told.value,
            reading: told.reading,
            depth: told.depth,
            complete: told.complete,
            principal_variation: told.line.into_iter().map(|step| step.action).collect(),
            // Parts of another evaluation say nothing about the value.
            terms: if told.chance_by_evaluation { Vec::new() } else { told.terms },
            root: told.candidates.into_iter().map(root).collect(),
            turns: told.turns.into_iter().map(turn).collect(),
            pruned: told.pruned.into_iter().map(pruned).collect(),
            counters: told.counters,
            tree: told.tree.into_iter().map(tree).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use gamecore::Bound;

    use super::*;
    use gamecore::{Game, Rng};
    use testkit::toys::{MiniPoker, MiniPokerAction};

    #[test]
    fn trees_tell_nothing_of_what_the_other_seat_has() {
        let state = MiniPoker.start(&(), &mut Rng::new(1));
        let node = |parent, action, visits| TreeNode {
            parent,
            action,
            depth: 0,
            visits,
            value: None,
            bound: Bound::Estimate,
            note: None,
            pruned: 0,
        };
        // Nobody can call before a bet; after it the other seat answers.
        let tree = [
            node(None, None, 10),
            node(Some(0), Some(MiniPokerAction::Call), 6),
            node(Some(1), Some(MiniPokerAction::Check), 5),
            node(Some(0), Some(MiniPokerAction::Bet), 4),
            node(Some(3), Some(MiniPokerAction::Fold), 3),
        ];
        let appearance = Appearance::plain();
        let told =
            Teller { game: &MiniPoker, appearance: &appearance }.tree(&state, Seat::Zero, &tree);
        let told: Vec<(Option<usize>, Option<&str>, u64)> = told
            .iter()
            .map(|node| (node.parent, node.step.as_ref().map(|s| s.action.as_str()), node.visits))
            .collect();
        assert_eq!(told, [(None, None, 10), (Some(0), Some("bet"), 4)]);
    }
}
