//! The statistics of the search equal those of a slow tree search written independently: boxed
//! nodes, sums for both seats, formulas as printed, the same random draws.

use gamecore::math::ln;
use gamecore::{
    Evaluator, Game, Horizon, Rng, Score, Seat, Turn, draw_outcome, key, playout_by_listing,
};
use testkit::toys::{DiceRace, RandomTree, StagedNim, TicTacToe};

use crate::common::{HashOrder, after, legal, mover, positions};
use crate::mcts_common::{agent, agent_with, decide};

/// Which formula the reference follows.
#[derive(Clone, Copy)]
enum Formula {
    Ucb1,
    UcbPlus,
    AlphaGo,
}

struct Reference {
    formula: Formula,
    c: f64,
    fpu: Option<f64>,
    random_order: bool,
    depth: usize,
    /// Rollouts of so many turns, valued by [`OneSided`]; otherwise to the end, for the payoff.
    turns: Option<u32>,
    /// Rewards seen, if means are normalised by them.
    range: Option<[f64; 2]>,
}

/// What each seat gets has nothing to do with what the other gets.
#[derive(Clone, Copy)]
struct OneSided;

impl<G: Game> Evaluator<G> for OneSided {
    fn evaluate(&self, _game: &G, _state: &G::State, _seat: Seat) -> Score {
        Score(0)
    }

    fn rewards(&self, game: &G, state: &G::State) -> [f32; 2] {
        [1, 2].map(|seed| (key::fold(seed, game.key(state)) % 3080) as f32 / 1000.0 - 1.75)
    }
}

struct Branch<A> {
    action: A,
    visits: f64,
    sums: [f64; 2],
    below: Option<Box<Position<A>>>,
}

struct Position<A> {
    visits: f64,
    untried: Option<Vec<A>>,
    tried: Vec<Branch<A>>,
}

impl<A> Position<A> {
    fn new() -> Self {
        Self { visits: 0.0, untried: None, tried: Vec::new() }
    }
}

impl Reference {
    fn exploration(&self, n: f64, visits: f64) -> f64 {
        match self.formula {
            Formula::Ucb1 => self.c * (2.0 * ln(n.max(1.0)) / visits).sqrt(),
            Formula::UcbPlus => self.c * (ln(n + 1.0) / visits).sqrt(),
            Formula::AlphaGo => self.c * n.sqrt() / (visits + 1.0),
        }
    }

    /// The position among the tried of the branch to follow; a new one is added where it is due.
    fn select<A: Copy>(&self, at: &mut Position<A>, seat: Seat, rng: &mut Rng) -> usize {
        let untried = at.untried.as_mut().expect("listed");
        let mut best = (0, f64::NEG_INFINITY);
        let all_first = self.fpu.is_none() || at.tried.is_empty();
        if untried.is_empty() || !all_first {
            let mut ties = 0;
            for (index, branch) in at.tried.iter().enumerate() {
                let mut mean = branch.sums[seat.index()] / branch.visits;
                if let Some([lo, hi]) = self.range {
                    mean = (mean - lo) / if hi > lo { hi - lo } else { 1.0 };
                }
                let score = mean + self.exploration(at.visits, branch.visits);
                if score > best.1 {
                    (best, ties) = ((index, score), 1);
                } else if score == best.1 {
                    ties += 1;
                    if rng.below(ties) == 0 {
                        best.0 = index;
                    }
                }
            }
        }
        let urgency = if all_first { f64::INFINITY } else { self.fpu.unwrap() };
        if untried.is_empty() || urgency <= best.1 {
            return best.0;
        }
        if self.random_order && untried.len() > 1 {
            let drawn = rng.below(untried.len() as u32) as usize;
            untried.swap(0, drawn);
        }
        let action = untried.remove(0);
        at.tried.push(Branch { action, visits: 0.0, sums: [0.0; 2], below: None });
        at.tried.len() - 1
    }

    /// One iteration below a position; what each seat got.
    fn iterate<G: Game>(
        &mut self,
        game: &G,
        at: &mut Position<G::Action>,
        state: &G::State,
        depth: usize,
        rng: &mut Rng,
    ) -> [f64; 2] {
        let turn = game.turn(state);
        let rewards = if turn == Turn::Over || depth == self.depth {
            self.roll_out(game, state, rng)
        } else {
            let untried = at.untried.get_or_insert_with(|| legal(game, state));
            let chosen = match turn {
                Turn::Player(seat) => self.select(at, seat, rng),
                _ => {
                    let outcome = draw_outcome(game, state, rng);
                    let known = at.tried.iter().position(|branch| branch.action == outcome);
                    known.unwrap_or_else(|| {
                        untried.retain(|&other| other != outcome);
                        let sums = [0.0; 2];
                        at.tried.push(Branch { action: outcome, visits: 0.0, sums, below: None });
                        at.tried.len() - 1
                    })
                }
            };
            let branch = &mut at.tried[chosen];
            let next = after(game, state, branch.action);
            let rewards = match &mut branch.below {
                Some(below) => self.iterate(game, below, &next, depth + 1, rng),
                None => {
                    let mut below = Position::new();
                    below.visits = 1.0;
                    branch.below = Some(Box::new(below));
                    self.roll_out(game, &next, rng)
                }
            };
            branch.visits += 1.0;
            branch.sums[0] += rewards[0];
            branch.sums[1] += rewards[1];
            rewards
        };
        at.visits += 1.0;
        rewards
    }

    fn roll_out<G: Game>(&mut self, game: &G, state: &G::State, rng: &mut Rng) -> [f64; 2] {
        let mut end = state.clone();
        let horizon = self.turns.map_or(Horizon::GAME, Horizon::turns);
        playout_by_listing(game, &mut end, rng, horizon);
        let rewards = match self.turns {
            Some(_) => OneSided.rewards(game, &end).map(f64::from),
            None => Seat::BOTH.map(|seat| f64::from(game.payoff(&end, seat))),
        };
        if let Some([lo, hi]) = &mut self.range {
            *lo = rewards.into_iter().fold(*lo, f64::min);
            *hi = rewards.into_iter().fold(*hi, f64::max);
        }
        rewards
    }
}

fn compare<G: Game>(game: &G, reference: &mut Reference, keys: &str, spread: u32) {
    for (number, state) in positions(game, 6, 11, spread).iter().enumerate() {
        let seed = number as u64;
        if legal(game, state).len() == 1 {
            continue;
        }
        let decision = decide(&mut agent_with(keys, OneSided, HashOrder, seed), game, state);
        if let Some(range) = &mut reference.range {
            *range = [f64::INFINITY, f64::NEG_INFINITY];
        }
        let mut root = Position::new();
        let mut rng = Rng::new(seed);
        for _ in 0..700 {
            reference.iterate(game, &mut root, state, 0, &mut rng);
        }
        let seat = mover(game, state).index();
        root.tried.sort_by_key(|branch| branch.action);
        let tried: Vec<_> = decision.root.iter().filter(|action| action.visits > 0).collect();
        assert_eq!(tried.len(), root.tried.len(), "{} {keys}", G::NAME);
        for (found, expected) in tried.iter().zip(&root.tried) {
            assert_eq!(found.action, expected.action);
            assert_eq!(found.visits as f64, expected.visits, "{} {keys}", G::NAME);
            let mean = expected.sums[seat] / expected.visits;
            assert_eq!(found.value, Some(mean), "{} {keys}", G::NAME);
        }
        assert_eq!(decision.counters.iterations, 700);
    }
}

fn compare_everywhere(reference: &mut Reference, keys: &str) {
    compare(&TicTacToe, reference, keys, 5);
    compare(&StagedNim::new(&[2, 3, 4]), reference, keys, 4);
    compare(&RandomTree::new(3, 14), reference, keys, 3);
    compare(&RandomTree::with_chance(4, 14), reference, keys, 3);
    compare(&DiceRace, reference, keys, 4);
}

#[test]
fn uct_as_the_reference() {
    let mut reference = Reference {
        formula: Formula::Ucb1,
        c: 0.5,
        fpu: None,
        random_order: true,
        depth: usize::MAX,
        turns: None,
        range: None,
    };
    compare_everywhere(&mut reference, "iterations=700");
    let mut listed = Reference { random_order: false, ..reference };
    compare_everywhere(&mut listed, "iterations=700,expand=listed");
}

#[test]
fn other_formulas_as_the_reference() {
    let mut alphago = Reference {
        formula: Formula::AlphaGo,
        c: 1.5,
        fpu: Some(0.6),
        random_order: true,
        depth: 3,
        turns: None,
        range: None,
    };
    let keys = "iterations=700,select=alphago,select.c=1.5,fpu=absolute,fpu.value=0.6,tree.depth=3";
    compare_everywhere(&mut alphago, keys);
    let mut plus = Reference {
        formula: Formula::UcbPlus,
        c: 0.7,
        fpu: Some(1.0),
        random_order: false,
        depth: usize::MAX,
        turns: None,
        range: None,
    };
    let keys = "iterations=700,select=ucb-plus,select.c=0.7,fpu=absolute,fpu.value=1,expand=listed";
    compare_everywhere(&mut plus, keys);
}

/// The thesis's winner as its program played: one-sided rewards, each seat its own, normalised over
/// both; three single actions deep, uniform rollouts of four turns, urgency without effect.
#[test]
fn the_thesis_agent_as_the_reference() {
    let mut original = Reference {
        formula: Formula::AlphaGo,
        c: 0.5,
        fpu: None,
        random_order: true,
        depth: 3,
        turns: Some(4),
        range: Some([0.0; 2]),
    };
    let keys = "iterations=700,select=alphago,select.c=0.5,fpu=at-least,fpu.value=10,normalise=on,\
                tree.depth=3,rollout.unit=turns,rollout.length=4,rollout.end=eval,final=value,\
                final.unvisited=zero";
    compare_everywhere(&mut original, keys);
    let mut ordered = Reference { random_order: false, fpu: Some(0.6), ..original };
    let keys = keys.replace("at-least,fpu.value=10", "absolute,fpu.value=0.6");
    compare_everywhere(&mut ordered, &format!("{keys},expand=listed"));
}

/// Merging without anything to merge changes nothing but the rounding of sums.
#[test]
fn a_tree_is_the_case_without_merging() {
    // Heaps of one: every order of taking them leads to other positions of other seats, but equal
    // positions do occur; tic-tac-toe at depth 1 has none.
    for state in positions(&TicTacToe, 8, 5, 3) {
        let keys = "iterations=400,tree.depth=1";
        let plain = decide(&mut agent(keys, 9), &TicTacToe, &state);
        let merged = decide(&mut agent(&format!("{keys},merge=on"), 9), &TicTacToe, &state);
        for (plain, merged) in plain.root.iter().zip(&merged.root) {
            assert_eq!((plain.action, plain.visits), (merged.action, merged.visits));
            let difference = plain.value.unwrap() - merged.value.unwrap();
            assert!(difference.abs() < 1e-9, "{difference}");
        }
    }
}
