//! The statistics of the search equal those of a slow tree search written independently: boxed
//! nodes, sums for both seats, formulas as printed, the same random draws.

mod common;
mod mcts_common;

use gamecore::math::ln;
use gamecore::{Game, Horizon, Rng, Seat, Turn, draw_outcome, playout_by_listing};
use testkit::toys::{DiceRace, RandomTree, StagedNim, TicTacToe};

use common::{after, legal, mover, positions};
use mcts_common::{agent, decide};

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
                let mean = branch.sums[seat.index()] / branch.visits;
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
        &self,
        game: &G,
        at: &mut Position<G::Action>,
        state: &G::State,
        depth: usize,
        rng: &mut Rng,
    ) -> [f64; 2] {
        let turn = game.turn(state);
        let rewards = if turn == Turn::Over || depth == self.depth {
            roll_out(game, state, rng)
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
                    roll_out(game, &next, rng)
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
}

fn roll_out<G: Game>(game: &G, state: &G::State, rng: &mut Rng) -> [f64; 2] {
    let mut end = state.clone();
    playout_by_listing(game, &mut end, rng, Horizon::GAME);
    Seat::BOTH.map(|seat| f64::from(game.payoff(&end, seat)))
}

fn compare<G: Game>(game: &G, reference: &Reference, keys: &str, spread: u32) {
    for (number, state) in positions(game, 6, 11, spread).iter().enumerate() {
        let seed = number as u64;
        if legal(game, state).len() == 1 {
            continue;
        }
        let decision = decide(&mut agent(keys, seed), game, state);
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

fn compare_everywhere(reference: &Reference, keys: &str) {
    compare(&TicTacToe, reference, keys, 5);
    compare(&StagedNim::new(&[2, 3, 4]), reference, keys, 4);
    compare(&RandomTree::new(3, 14), reference, keys, 3);
    compare(&RandomTree::with_chance(4, 14), reference, keys, 3);
    compare(&DiceRace, reference, keys, 4);
}

#[test]
fn uct_as_the_reference() {
    let reference = Reference {
        formula: Formula::Ucb1,
        c: 0.5,
        fpu: None,
        random_order: true,
        depth: usize::MAX,
    };
    compare_everywhere(&reference, "iterations=700");
    let listed = Reference { random_order: false, ..reference };
    compare_everywhere(&listed, "iterations=700,expand=listed");
}

#[test]
fn other_formulas_as_the_reference() {
    let alphago = Reference {
        formula: Formula::AlphaGo,
        c: 1.5,
        fpu: Some(0.6),
        random_order: true,
        depth: 3,
    };
    let keys = "iterations=700,select=alphago,select.c=1.5,fpu=absolute,fpu.value=0.6,tree.depth=3";
    compare_everywhere(&alphago, keys);
    let plus = Reference {
        formula: Formula::UcbPlus,
        c: 0.7,
        fpu: Some(1.0),
        random_order: false,
        depth: usize::MAX,
    };
    let keys = "iterations=700,select=ucb-plus,select.c=0.7,fpu=absolute,fpu.value=1,expand=listed";
    compare_everywhere(&plus, keys);
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
