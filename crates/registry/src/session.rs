//! A game in progress behind [`Session`].

use std::sync::Arc;

use arena::{GameInProgress, GameRecord, Outcome, Replay, Seeds};
use gamecore::{Agent, Buf, Decision, Limits, Notation, Progress, Seat, TreeNode, Turn};
use scene::{Look, Scene};

use crate::SpecError;
use crate::catalog::Catalog;
use crate::erased::{
    DecisionReport, PlyReport, ProgressReport, PrunedReport, ResolvedAgent, RootReport, Session,
    Thinking, TreeReport,
};

/// One game, its history and the agents that may be asked.
pub(crate) struct Play<G: Notation> {
    progress: GameInProgress<G>,
    catalog: Arc<Catalog<G>>,
    agents: Vec<Box<dyn Agent<G>>>,
}

impl<G: Notation> Play<G> {
    pub(crate) fn new(game: G, catalog: Arc<Catalog<G>>, history: Replay<G>, seeds: Seeds) -> Self {
        Self { progress: GameInProgress::new(game, history, seeds), catalog, agents: Vec::new() }
    }

    fn actions(&self) -> Buf<G::Action> {
        let mut actions = Buf::new();
        if self.to_act().is_some() {
            self.progress.game().actions(self.progress.state(), &mut actions);
        }
        actions
    }
}

impl<G: Notation> Session for Play<G> {
    fn to_act(&self) -> Option<Seat> {
        match self.progress.game().turn(self.progress.state()) {
            Turn::Player(seat) if self.progress.ending().is_none() => Some(seat),
            _ => None,
        }
    }

    fn seat_name(&self, seat: Seat) -> String {
        self.progress.game().seat_name(seat)
    }

    fn legal(&self) -> Vec<String> {
        let text =
            |&action: &G::Action| self.progress.game().action_text(self.progress.state(), action);
        self.actions().iter().map(text).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), SpecError> {
        let read = self.progress.game().parse_action(self.progress.state(), action);
        let action = read.map_err(SpecError::plain)?;
        self.progress.play(action).map_err(SpecError::plain)
    }

    fn undo(&mut self) -> bool {
        self.progress.undo()
    }

    fn redo(&mut self) -> bool {
        self.progress.redo()
    }

    fn can_redo(&self) -> bool {
        self.progress.can_redo()
    }

    fn resign(&mut self, seat: Seat) {
        self.progress.resign(seat);
    }

    fn lose_on_time(&mut self) {
        self.progress.lose_on_time();
    }

    fn hides(&self) -> bool {
        self.progress.game().traits().hidden
    }

    fn position(&self) -> String {
        self.progress.game().position_text(self.progress.state())
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        let (game, state) = (self.progress.game(), self.progress.state());
        let picture = match seat {
            Some(seat) => game.picture_for(state, seat),
            None => game.picture(state),
        };
        // Some games end their last line, others do not.
        picture.trim_end_matches('\n').to_owned()
    }

    fn scene(&self, eyes: Option<Seat>) -> Scene {
        let last = self.progress.plies().last().map(|(state, _, action)| (state, action));
        let look = Look { eyes, last };
        (self.catalog.table.sighted.scene)(self.progress.game(), self.progress.state(), &look)
    }

    fn plies(&self) -> Vec<PlyReport> {
        let (game, sighted) = (self.progress.game(), &self.catalog.table.sighted);
        self.progress
            .plies()
            .map(|(state, seat, action)| PlyReport {
                seat,
                action: game.action_text(state, action),
                words: (sighted.words)(game, state, action),
                squares: (sighted.touched)(game, state, action),
            })
            .collect()
    }

    fn ending(&self) -> Option<(Outcome, String)> {
        self.progress.ending()
    }

    fn add_agent(&mut self, agent: &ResolvedAgent, seed: u64) -> usize {
        self.agents.push(self.catalog.build(agent, seed));
        self.agents.len() - 1
    }

    fn think(&mut self, agent: usize, limits: &Thinking<'_>) -> Result<DecisionReport, SpecError> {
        let seat = self.to_act().expect("asked to think in a finished game");
        let (game, state) = (self.progress.game(), self.progress.state());
        let report = |progress: &Progress<G::Action>| {
            if let Some(listener) = limits.progress {
                listener(&ProgressReport {
                    completed: progress.completed,
                    action: game.action_text(state, progress.action),
                    value: progress.value,
                    counters: progress.counters,
                });
            }
        };
        let limits = Limits {
            clock: limits.clock,
            stop: limits.stop,
            time_left: None,
            progress: Some(&report),
            tree_nodes: limits.tree_nodes,
        };
        let view = game.view(state, seat);
        let decision = self.agents[agent].decide(game, &view, &limits);
        match self.agents[agent].failure() {
            Some(failure) => Err(SpecError::plain(failure)),
            None => Ok(in_words(game, state, decision)),
        }
    }

    fn tree_memory(&self, agent: usize) -> (usize, usize) {
        self.agents[agent].tree_memory()
    }

    fn record(&self, agents: [String; 2]) -> GameRecord {
        self.progress.record(agents)
    }
}

/// A decision with every action as text.
fn in_words<G: Notation>(
    game: &G,
    state: &G::State,
    decision: Decision<G::Action>,
) -> DecisionReport {
    let text = |action| game.action_text(state, action);
    DecisionReport {
        action: text(decision.action),
        value: decision.value,
        reading: decision.reading,
        depth: decision.depth,
        complete: decision.complete,
        principal_variation: arena::playable_texts(game, state, &decision.principal_variation),
        terms: decision.terms,
        root: decision
            .root
            .into_iter()
            .map(|root| RootReport {
                action: text(root.action),
                visits: root.visits,
                value: root.value,
                bound: root.bound,
                prior: root.prior,
            })
            .collect(),
        pruned: decision
            .pruned
            .into_iter()
            .map(|pruned| PrunedReport {
                action: text(pruned.action),
                scores: pruned.scores.into_iter().collect(),
                reason: pruned.reason,
            })
            .collect(),
        counters: decision.counters,
        tree: tree_in_words(game, state, &decision.tree),
    }
}

/// The tree with every action as text. Where something is hidden it ends with the turn of the seat
/// that thought: what is possible beyond in the true position would tell what the other seat has.
fn tree_in_words<G: Notation>(
    game: &G,
    root: &G::State,
    nodes: &[TreeNode<G::Action>],
) -> Vec<TreeReport> {
    let (hidden, turn) = (game.traits().hidden, game.turn(root));
    // State and place in the answer of every node that can be played.
    let mut known: Vec<Option<(G::State, usize)>> = Vec::with_capacity(nodes.len());
    let mut reports = Vec::with_capacity(nodes.len());
    for node in nodes {
        let above = match node.parent {
            None => Some((root.clone(), None)),
            Some(parent) => known[parent].clone().map(|(state, place)| (state, Some(place))),
        };
        let played = above.and_then(|(mut state, parent)| {
            let Some(action) = node.action else { return Some((state, parent, None)) };
            if hidden && game.turn(&state) != turn {
                return None;
            }
            let before = state.clone();
            gamecore::play(game, &mut state, action).ok()?;
            Some((state, parent, Some(game.action_text(&before, action))))
        });
        known.push(played.map(|(state, parent, action)| {
            reports.push(TreeReport {
                parent,
                action,
                depth: node.depth,
                visits: node.visits,
                value: node.value,
                bound: node.bound,
                note: node.note,
            });
            (state, reports.len() - 1)
        }));
    }
    reports
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::{Bound, Game, Rng};
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
            note: "",
        };
        // Nobody can call before a bet; after it the other seat answers.
        let tree = [
            node(None, None, 10),
            node(Some(0), Some(MiniPokerAction::Call), 6),
            node(Some(1), Some(MiniPokerAction::Check), 5),
            node(Some(0), Some(MiniPokerAction::Bet), 4),
            node(Some(3), Some(MiniPokerAction::Fold), 3),
        ];
        let told = tree_in_words(&MiniPoker, &state, &tree);
        let told: Vec<(Option<usize>, Option<&str>, u64)> =
            told.iter().map(|node| (node.parent, node.action.as_deref(), node.visits)).collect();
        assert_eq!(told, [(None, None, 10), (Some(0), Some("bet"), 4)]);
    }
}
