//! Decisions explained: every action with who acts, what it does in words, and where.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use gamecore::{
    Decision, Evaluator, Notation, PrunedAction, Reading, RootAction, Score, Seat, TreeNode, Turn,
    TurnOption,
};
use protocol::{
    BoundKind, Candidate, ComparedTurn, Explanation, HeuristicScore, PrunedCandidate, Step,
};

use crate::appearance::Appearance;
use crate::reports::{DecisionReport, TreeStep};
use crate::words;

/// Where chances come from that no value tells.
const BY_EVALUATION: &str = "the game's own evaluation";

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
    pub(crate) fn step(&self, state: &G::State, seat: Seat, action: G::Action) -> Step {
        Step {
            seat: seat.index() as u8,
            action: self.game.action_text(state, action),
            words: (self.appearance.words)(self.game, state, action),
            squares: (self.appearance.touched)(self.game, state, action),
        }
    }

    /// Explains a decision of `seat` by the agent of this spec; `own` is the game's own evaluation.
    pub(crate) fn explain(
        &self,
        state: &G::State,
        seat: Seat,
        spec: &str,
        decision: Decision<G::Action>,
        own: &dyn Evaluator<G>,
        options: usize,
    ) -> DecisionReport {
        let (reading, value) = (decision.reading, decision.value);
        let chance = |value: Option<f64>| value.and_then(|value| reading.chance(value));
        let step = |action| self.step(state, seat, action);
        let (line, end) = self.line(state, seat, &decision.principal_variation);
        let by_evaluation = reading == Reading::Own && !line.is_empty();
        let terms = if by_evaluation { own.explain(self.game, &end, seat) } else { decision.terms };
        let pruned = |it: PrunedAction<G::Action>| PrunedCandidate {
            step: step(it.action),
            reason: it.reason,
            scores: it.scores.into_iter().map(score).collect(),
        };
        let pruned: Vec<PrunedCandidate> = decision.pruned.into_iter().map(pruned).collect();
        let removed: BTreeSet<&str> = pruned.iter().map(|it| it.step.action.as_str()).collect();
        let all: u64 = decision.root.iter().map(|root| root.visits).sum();
        let candidate = |root: RootAction<G::Action>| {
            let (step, bound) = (step(root.action), words::bound(root.bound));
            Candidate {
                pruned: removed.contains(step.action.as_str()),
                step,
                visits: root.visits,
                share: root.visits as f64 / all.max(1) as f64,
                value: root.value,
                value_words: words::bounded(reading, root.value, bound),
                chance: chance(root.value),
                bound,
                prior: root.prior,
            }
        };
        let candidates = decision.root.into_iter().map(candidate).collect();
        let turn = |turn: TurnOption<G::Action>| {
            let (value, bound) = (turn.value, words::bound(turn.bound));
            ComparedTurn {
                line: self.line(state, seat, &turn.actions).0,
                value,
                value_words: words::bounded(reading, Some(value), bound),
                chance: reading.chance(value),
                bound,
            }
        };
        let explanation = Explanation {
            seat: seat.index() as u8,
            spec: spec.to_owned(),
            summary: String::new(),
            choice: step(decision.action),
            values: words::kind(reading),
            value,
            value_words: words::bounded(reading, value, BoundKind::Exact),
            chance: if by_evaluation { self.chance(&end, seat, own) } else { chance(value) },
            chance_source: by_evaluation.then(|| BY_EVALUATION.to_owned()),
            depth: decision.depth,
            complete: decision.complete,
            effort: words::figures(&decision.counters),
            line,
            candidates,
            turns: decision.turns.into_iter().map(turn).collect(),
            pruned,
            terms: words::terms(&terms),
        };
        let (counters, tree) = (decision.counters, self.tree(state, seat, &decision.tree));
        DecisionReport { explanation, options, reading, counters, tree }
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
    fn line(&self, state: &G::State, seat: Seat, actions: &[G::Action]) -> (Vec<Step>, G::State) {
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
        let mut told: BTreeMap<Step, Arc<Step>> = BTreeMap::new();
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
                bound: words::bound(node.bound),
                note: node.note.map(words::note),
                searched: node.is_searched(),
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

/// What a heuristic says of an action. A game that is over has no score among others.
fn score((name, value): (String, f64)) -> HeuristicScore {
    let open = value.abs() < f64::from(Score::INFINITE.0);
    let words = match open {
        true => words::signed(value),
        false if value > 0.0 => "wins".to_owned(),
        false => "loses".to_owned(),
    };
    HeuristicScore { name, value: if open { value } else { f64::INFINITY.copysign(value) }, words }
}

impl DecisionReport {
    /// What is told of it, of a choice drawn from so many lots. The choice comes first, then
    /// candidates by visits, and where there are none by value: a depth-first search looks longest
    /// at what is hard to refute, not at what is good.
    #[must_use]
    pub fn told(self, lots: usize) -> Explanation {
        let summary = self.summary(lots);
        let by_value = self.counters.iterations == 0;
        let Explanation { choice, mut candidates, .. } = self.explanation;
        candidates.sort_by(|one, other| {
            let value = |candidate: &Candidate| candidate.value.unwrap_or(f64::NEG_INFINITY);
            let chosen = |candidate: &Candidate| candidate.step.action == choice.action;
            let best = value(other).total_cmp(&value(one));
            let exact = (one.bound != BoundKind::Exact).cmp(&(other.bound != BoundKind::Exact));
            let visits = other.visits.cmp(&one.visits);
            let rest = if by_value { best.then(exact).then(visits) } else { visits.then(best) };
            chosen(other).cmp(&chosen(one)).then(rest)
        });
        Explanation { summary, choice, candidates, ..self.explanation }
    }

    /// One sentence.
    fn summary(&self, lots: usize) -> String {
        let options = words::grouped(self.options as u64);
        if self.options == 1 {
            return "The only legal action.".to_owned();
        }
        let Some(value) = self.explanation.value else {
            return format!("One of {options} actions, chosen without evaluating them.");
        };
        let effort = words::effort(&self.counters);
        let opinion = words::value(self.reading, value);
        let opinion = match self.reading {
            Reading::Margin => format!("solved: it {opinion} with best play"),
            Reading::Chance => format!("win probability about {opinion}"),
            Reading::Own => format!("value {opinion} in its own units"),
            Reading::Points { won_from, .. } if value.abs() >= won_from => {
                format!("it {opinion} with best play")
            }
            Reading::Points { .. } | Reading::None => {
                let chance = self.explanation.chance.map(words::percent).unwrap_or_default();
                format!("about {chance} to win, valued at {opinion}")
            }
        };
        match lots {
            0 | 1 => format!("Best of {options} actions{effort}: {opinion}."),
            _ => format!(
                "Drawn by lot from the {lots} best of {options} actions{effort}, which are nearly \
                 equal: {opinion}."
            ),
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
