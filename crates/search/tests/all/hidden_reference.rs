//! Information set search against a slow one written independently: the same draws must give the
//! same statistics. This one keeps a map from histories to counts; a history is every action since
//! the root and who acted after it.

use std::collections::BTreeMap;

use gamecore::{Game, Horizon, Rng, Seat, Turn, draw_outcome, math::ln};
use testkit::toys::{DiceRace, MiniPoker, StagedNim, TicTacToe};

use crate::common::{legal, mover, positions};
use crate::hidden_common::{At, Table, decide};

type History<A> = Vec<(A, u8)>;

#[derive(Clone, Copy, Debug, Default)]
struct Known {
    available: u32,
    visits: u32,
    rewards: [f64; 2],
}

struct Reference<'a, G: Game> {
    game: &'a G,
    c: f64,
    rng: Rng,
    /// The nodes there are, by the history that leads to them.
    nodes: Vec<History<G::Action>>,
    /// The statistics of an action in a node.
    known: BTreeMap<(History<G::Action>, G::Action), Known>,
}

fn who(turn: Turn) -> u8 {
    match turn {
        Turn::Player(seat) => seat.index() as u8,
        Turn::Chance => 2,
        Turn::Over => 3,
    }
}

impl<G: Game> Reference<'_, G> {
    fn known(&self, node: &History<G::Action>, action: G::Action) -> Known {
        self.known.get(&(node.clone(), action)).copied().unwrap_or_default()
    }

    fn choose(&mut self, node: &History<G::Action>, legal: &[G::Action], seat: Seat) -> G::Action {
        let known: Vec<Known> = legal.iter().map(|&action| self.known(node, action)).collect();
        let untried: Vec<usize> = (0..legal.len()).filter(|&at| known[at].visits == 0).collect();
        match untried.len() {
            0 if legal.len() == 1 => return legal[0],
            0 => {}
            1 => return legal[untried[0]],
            count => return legal[untried[self.rng.below(count as u32) as usize]],
        }
        let score = |known: &Known| {
            let (available, visits) = (f64::from(known.available), f64::from(known.visits));
            known.rewards[seat.index()] / visits + self.c * (2.0 * ln(available) / visits).sqrt()
        };
        let scores: Vec<f64> = known.iter().map(score).collect();
        let (mut best, mut ties) = (0, 1);
        for at in 1..legal.len() {
            if scores[at] > scores[best] {
                (best, ties) = (at, 1);
            } else if scores[at] == scores[best] {
                ties += 1;
                if self.rng.below(ties) == 0 {
                    best = at;
                }
            }
        }
        legal[best]
    }

    fn iterate(&mut self, view: &G::View) {
        let mut world = self.game.sample(view, &mut self.rng);
        let mut node = Vec::new();
        let mut path = Vec::new();
        loop {
            let actions = match self.game.turn(&world) {
                Turn::Over => break,
                Turn::Chance => vec![draw_outcome(self.game, &world, &mut self.rng)],
                Turn::Player(_) => legal(self.game, &world),
            };
            let seat = match self.game.turn(&world) {
                Turn::Player(seat) => seat,
                _ => Seat::Zero,
            };
            let action = self.choose(&node, &actions, seat);
            for offered in actions {
                self.known.entry((node.clone(), offered)).or_default().available += 1;
            }
            path.push((node.clone(), action));
            self.game.apply(&mut world, action);
            node.push((action, who(self.game.turn(&world))));
            if !self.nodes.contains(&node) {
                self.nodes.push(node);
                break;
            }
        }
        self.game.playout(&mut world, &mut self.rng, Horizon::GAME);
        for step in path {
            let known = self.known.get_mut(&step).expect("it was offered");
            known.visits += 1;
            for seat in Seat::BOTH {
                known.rewards[seat.index()] += f64::from(self.game.payoff(&world, seat));
            }
        }
    }
}

fn agrees<G: Game>(game: &G, states: &[G::State]) {
    for (seed, state) in states.iter().enumerate() {
        let actions = legal(game, state);
        if actions.len() == 1 {
            continue;
        }
        let seat = mover(game, state);
        let view = game.view(state, seat);
        let rng = Rng::new(seed as u64);
        let mut slow =
            Reference { game, c: 0.7, rng, nodes: vec![Vec::new()], known: BTreeMap::new() };
        // The agent looks at one world before it begins, to see who acts.
        game.sample(&view, &mut slow.rng);
        for _ in 0..400 {
            slow.iterate(&view);
        }
        let fast = decide("ismcts:iterations=400,select.c=0.7", seed as u64, game, state);
        assert_eq!(fast.counters.tree_nodes, slow.nodes.len() as u64, "{}: {state:?}", G::NAME);
        for root in &fast.root {
            let known = slow.known(&Vec::new(), root.action);
            assert_eq!(root.visits, u64::from(known.visits), "{}: {state:?}", G::NAME);
            let value = known.rewards[seat.index()] / f64::from(known.visits);
            assert!((root.value.unwrap() - value).abs() < 1e-9, "{}: {state:?}", G::NAME);
        }
    }
}

/// Whose turn it is, what is legal and how it ends depend on the card.
const MIXED: Table = Table(&[
    &[START, At::Choice(Seat::Zero, &[(1, 2), (4, 3)]), At::End(0.0), At::End(1.0)],
    &[START, At::Choice(Seat::One, &[(1, 3), (2, 2), (7, 3)]), At::End(0.0), At::End(1.0)],
    &[START, At::Choice(Seat::One, &[(2, 3), (3, 2)]), At::End(0.5), At::End(1.0)],
    &[START, At::Draw(&[(1, 2), (2, 3), (3, 3)]), At::End(1.0), At::End(0.0)],
    &[START, At::End(0.5), At::End(1.0), At::End(0.0)],
]);
const START: At = At::Choice(Seat::Zero, &[(0, 1), (1, 1), (5, 2), (6, 3)]);

#[test]
fn a_slow_search_has_the_same_statistics() {
    agrees(&MiniPoker, &positions(&MiniPoker, 25, 1, 9));
    agrees(&MIXED, &positions(&MIXED, 10, 1, 1));
    agrees(&TicTacToe, &positions(&TicTacToe, 10, 2, 6));
    agrees(&StagedNim::default(), &positions(&StagedNim::default(), 10, 3, 6));
    agrees(&DiceRace, &positions(&DiceRace, 10, 4, 6));
}
