//! How large the tree of one turn is: every way to play from a position until the other seat is to
//! act. Equal positions are met once and counted as often as they are reached, so trees far too
//! large to walk are counted exactly; what is larger still is estimated by random probes
//! (Knuth 1975, *Estimating the efficiency of backtrack programs*).

use std::collections::BTreeMap;

use gamecore::{ActionScore, Buf, Game, Rng, Turn};

use crate::turns::Rest;

/// The size of the tree of one turn. Counts are decimals because they may be astronomic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnTree {
    /// Ways to play the turn.
    pub sequences: f64,
    /// Nodes of the tree, root and leaves included.
    pub nodes: f64,
    /// Nodes with a choice: at least two actions.
    pub choices: f64,
    /// Actions at all nodes with a choice together.
    pub choice_actions: f64,
    /// Different positions among the nodes; `None` where the tree was estimated.
    pub positions: Option<u64>,
}

/// Random walks of an estimate.
const PROBES: u32 = 20_000;

/// What is below a position.
#[derive(Clone, Copy)]
struct Below {
    sequences: f64,
    nodes: f64,
    choices: f64,
    choice_actions: f64,
}

const NOTHING: Below = Below { sequences: 0.0, nodes: 0.0, choices: 0.0, choice_actions: 0.0 };

impl Below {
    /// Adds `weight` nodes with so many actions each.
    fn add_node(&mut self, weight: f64, actions: usize) {
        self.nodes += weight;
        if actions > 1 {
            self.choices += weight;
            self.choice_actions += weight * actions as f64;
        }
    }

    fn add(&mut self, more: Self) {
        self.sequences += more.sequences;
        self.nodes += more.nodes;
        self.choices += more.choices;
        self.choice_actions += more.choice_actions;
    }

    fn tree(self, share: f64, positions: Option<u64>) -> TurnTree {
        TurnTree {
            sequences: self.sequences * share,
            nodes: self.nodes * share,
            choices: self.choices * share,
            choice_actions: self.choice_actions * share,
            positions,
        }
    }
}

struct Counter<'a, G: Game> {
    rest: Rest<'a, G>,
    known: BTreeMap<u64, Below>,
    limit: usize,
}

/// Counts the tree of the turn of the seat to act. `allowed` leaves out actions that it scores 0.
/// More than `limit` different positions are not counted but estimated. Nobody to act: `None`.
pub fn turn_tree<G: Game>(
    game: &G,
    state: &G::State,
    allowed: Option<&dyn ActionScore<G>>,
    limit: usize,
    seed: u64,
) -> Option<TurnTree> {
    let Turn::Player(seat) = game.turn(state) else { return None };
    let mut counter = Counter { rest: Rest { game, seat, allowed }, known: BTreeMap::new(), limit };
    if let Some(below) = counter.count(state) {
        return Some(below.tree(1.0, Some(counter.known.len() as u64)));
    }
    let mut rng = Rng::new(seed);
    let mut sum = NOTHING;
    for _ in 0..PROBES {
        sum.add(counter.probe(state, &mut rng));
    }
    Some(sum.tree(1.0 / f64::from(PROBES), None))
}

impl<G: Game> Counter<'_, G> {
    /// What may be played here; nothing where the turn is over. A draw belongs to the turn it
    /// happens in.
    fn actions(&self, state: &G::State) -> Buf<G::Action> {
        let goes_on = self.rest.goes_on(state) || self.rest.game.turn(state) == Turn::Chance;
        if goes_on { self.rest.actions(state) } else { Buf::new() }
    }

    /// `None` if there are too many positions.
    fn count(&mut self, state: &G::State) -> Option<Below> {
        let game = self.rest.game;
        let key = game.key(state);
        if let Some(below) = self.known.get(&key) {
            return Some(*below);
        }
        let actions = self.actions(state);
        let mut below = NOTHING;
        below.add_node(1.0, actions.len());
        if actions.is_empty() {
            below.sequences = 1.0;
        }
        for action in actions {
            let mut next = state.clone();
            game.apply(&mut next, action);
            below.add(self.count(&next)?);
        }
        if self.known.len() >= self.limit {
            return None;
        }
        self.known.insert(key, below);
        Some(below)
    }

    /// One random walk: every node stands for as many as there were choices above it.
    fn probe(&self, state: &G::State, rng: &mut Rng) -> Below {
        let mut state = state.clone();
        let mut weight = 1.0;
        let mut sum = NOTHING;
        loop {
            let actions = self.actions(&state);
            sum.add_node(weight, actions.len());
            if actions.is_empty() {
                break;
            }
            weight *= actions.len() as f64;
            self.rest.game.apply(&mut state, actions[rng.below(actions.len() as u32) as usize]);
        }
        sum.sequences = weight;
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamecore::Seat;
    use testkit::toys::StagedNim;

    /// The same count without memory.
    fn walked(game: &StagedNim, state: &<StagedNim as Game>::State, seat: Seat) -> [u64; 2] {
        if game.turn(state) != Turn::Player(seat) {
            return [1, 1];
        }
        let mut actions = Buf::new();
        game.actions(state, &mut actions);
        actions.iter().fold([0, 1], |[sequences, nodes], &action| {
            let mut next = state.clone();
            game.apply(&mut next, action);
            let [more_sequences, more_nodes] = walked(game, &next, seat);
            [sequences + more_sequences, nodes + more_nodes]
        })
    }

    #[test]
    fn counted_walked_and_estimated_trees_agree() {
        let game = StagedNim::default();
        let start = game.start(&Default::default(), &mut Rng::new(1));
        let Turn::Player(seat) = game.turn(&start) else { panic!("somebody begins") };
        let counted = turn_tree(&game, &start, None, 100_000, 1).unwrap();
        let [sequences, nodes] = walked(&game, &start, seat).map(|count| count as f64);
        assert_eq!((counted.sequences, counted.nodes), (sequences, nodes));
        assert!(counted.positions.is_some_and(|positions| positions as f64 <= nodes));
        let estimated = turn_tree(&game, &start, None, 1, 1).unwrap();
        assert_eq!(estimated.positions, None);
        for (estimate, exact) in [(estimated.sequences, sequences), (estimated.nodes, nodes)] {
            assert!((estimate / exact - 1.0).abs() < 0.1, "{estimate} for {exact}");
        }
    }
}
