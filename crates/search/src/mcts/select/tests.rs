//! Selection on nodes made by hand.

use gamecore::{Rng, Seat};

use super::super::config::{Expand, Fpu, MctsConfig, Select, Widening};
use super::super::normalise::Range;
use super::super::store::{Extras, Kind, Node, Proven, Store};
use super::Selection;
use crate::params::Values;

fn config() -> MctsConfig {
    let values = Values::resolve(&MctsConfig::params(), [("iterations", "1")]).unwrap();
    MctsConfig::from_values(&values).unwrap()
}

/// A node with edges of these visits, totals and priors; those with visits come first.
fn store(edges: &[(u32, f64, u16)]) -> Store<u8> {
    let mut store = Store::new(100, Extras { squares: true, ..Extras::default() });
    let visits = edges.iter().map(|edge| edge.0).sum();
    let (kind, proven) = (Kind::Zero, Proven::Unknown);
    store.push(Node { key: 1, first: 0, visits, count: 0, tried: 0, kind, proven });
    let actions: Vec<u8> = (0..edges.len() as u8).collect();
    let priors: Vec<u16> = edges.iter().map(|edge| edge.2).collect();
    assert!(store.open(0, &actions, &priors));
    for (edge, &(visits, total, _)) in store.edges.iter_mut().zip(edges) {
        (edge.visits, edge.total) = (visits, total);
    }
    for (square, &(_, total, _)) in store.squares.iter_mut().zip(edges) {
        *square = total;
    }
    store.nodes[0].tried = edges.iter().filter(|edge| edge.0 > 0).count() as u16;
    store
}

fn chosen(config: &MctsConfig, store: &mut Store<u8>, seed: u64) -> u8 {
    let selection = Selection { config, range: Range::new(false), all_actions: false };
    let edge = selection.choose(store, 0, Seat::Zero, &mut Rng::new(seed));
    store.edge(edge).action
}

#[test]
fn every_formula_takes_its_maximum() {
    // Means 0.6, 0.5 and 0.45 with 60, 30 and 10 visits; n = 100.
    let edges = [(60, 36.0, 0), (30, 15.0, 0), (10, 4.5, 0)];
    let with = |select, c| MctsConfig { select, c, ..config() };
    // C·√(2 ln 100 / nᵢ): 0.392·C, 0.554·C, 0.960·C.
    assert_eq!(chosen(&with(Select::Ucb1, 0.1), &mut store(&edges), 1), 0);
    assert_eq!(chosen(&with(Select::Ucb1, 0.5), &mut store(&edges), 1), 2);
    // C·√(ln 101 / nᵢ): 0.277·C, 0.392·C, 0.679·C.
    assert_eq!(chosen(&with(Select::UcbPlus, 0.37), &mut store(&edges), 1), 0);
    assert_eq!(chosen(&with(Select::UcbPlus, 0.38), &mut store(&edges), 1), 2);
    // K·10 / (nᵢ + 1): 0.164·K, 0.323·K, 0.909·K.
    assert_eq!(chosen(&with(Select::AlphaGo, 0.2), &mut store(&edges), 1), 0);
    assert_eq!(chosen(&with(Select::AlphaGo, 0.21), &mut store(&edges), 1), 2);
}

#[test]
fn puct_explores_by_share() {
    let edges = [(50, 25.0, 6_553), (50, 25.0, 58_981)];
    let puct = MctsConfig { select: Select::Puct, c: 1.0, ..config() };
    assert_eq!(chosen(&puct, &mut store(&edges), 1), 1);
    // Untried: urgency 0.4 as mean, and C·P·√n on top: 0.4 + 0.25·√100 = 2.9 against 0.9 + 0.07.
    let puct = MctsConfig { fpu: Fpu::Absolute(0.4), ..puct };
    let edges = [(100, 90.0, 49_151), (0, 0.0, 16_384)];
    assert_eq!(chosen(&puct, &mut store(&edges), 1), 1);
    let puct = MctsConfig { c: 0.01, ..puct };
    assert_eq!(chosen(&puct, &mut store(&edges), 1), 0);
}

#[test]
fn urgency_decides_between_tried_and_untried() {
    let edges = [(4, 3.2, 0), (0, 0.0, 0)];
    let with = |fpu| MctsConfig { select: Select::AlphaGo, c: 0.5, fpu, ..config() };
    // 0.8 + 0.5·2/5 = 1.0.
    assert_eq!(chosen(&with(Fpu::Infinite), &mut store(&edges), 1), 1);
    assert_eq!(chosen(&with(Fpu::Absolute(0.6)), &mut store(&edges), 1), 0);
    assert_eq!(chosen(&with(Fpu::Absolute(1.1)), &mut store(&edges), 1), 1);
    assert_eq!(chosen(&with(Fpu::Relative(0.1)), &mut store(&edges), 1), 0);
    assert_eq!(chosen(&with(Fpu::Relative(0.3)), &mut store(&edges), 1), 1);
    assert_eq!(chosen(&with(Fpu::AtLeast(0.1)), &mut store(&edges), 1), 0, "max(0.1, 0.5·2) = 1");
    assert_eq!(chosen(&with(Fpu::AtLeast(10.0)), &mut store(&edges), 1), 1);
}

#[test]
fn the_thesis_urgency_never_repeats_before_all_are_tried() {
    let at_least =
        MctsConfig { select: Select::AlphaGo, c: 0.5, fpu: Fpu::AtLeast(10.0), ..config() };
    for visits in [1, 10, 100, 1_000, 10_000, 100_000] {
        // One perfect action, one untried.
        let edges = [(visits, f64::from(visits), 0), (0, 0.0, 0)];
        assert_eq!(chosen(&at_least, &mut store(&edges), 1), 1, "{visits}");
    }
}

#[test]
fn bias_fades_with_visits() {
    let biased = MctsConfig { c: 0.0, bias: 1.0, ..config() };
    // 0.5 + 1/(1+1) against 0.9 + 0.
    assert_eq!(chosen(&biased, &mut store(&[(1, 0.5, 1000), (1, 0.9, 0)]), 1), 0);
    // 0.5 + 1/(9+1) against 0.9.
    assert_eq!(chosen(&biased, &mut store(&[(9, 4.5, 1000), (1, 0.9, 0)]), 1), 1);
}

#[test]
fn widening_opens_the_best_first() {
    let widening = Some(Widening { c: 1.0, alpha: 0.5 });
    let wide = MctsConfig { widening, expand: Expand::Heuristic, ..config() };
    let mut node = store(&[(0, 0.0, 10), (0, 0.0, 30), (0, 0.0, 20)]);
    assert_eq!(chosen(&wide, &mut node, 1), 1);
    node.edges[0].visits = 1;
    node.nodes[0].visits = 3;
    assert_eq!(chosen(&wide, &mut node, 1), 1, "√3 opens one");
    node.nodes[0].visits = 4;
    assert_eq!(chosen(&wide, &mut node, 1), 2, "√4 opens two");
}

#[test]
fn only_positive_actions_are_expanded_while_there_are_some() {
    let positive = MctsConfig { positive_only: true, expand: Expand::Heuristic, ..config() };
    let node = || store(&[(3, 1.5, 700), (0, 0.0, 0)]);
    assert_eq!(chosen(&positive, &mut node(), 1), 0);
    let mut all_zero = store(&[(3, 1.5, 0), (0, 0.0, 0)]);
    assert_eq!(chosen(&positive, &mut all_zero, 1), 1);
    let selection = Selection { config: &positive, range: Range::new(false), all_actions: true };
    let mut open = node();
    let edge = selection.choose(&mut open, 0, Seat::Zero, &mut Rng::new(1));
    assert_eq!(open.edge(edge).action, 1, "a reconsidered position expands everything");
}

#[test]
fn equal_scores_in_listed_order() {
    let listed = MctsConfig { expand: Expand::HeuristicListed, ..config() };
    let mut node = store(&[(0, 0.0, 5), (0, 0.0, 9), (0, 0.0, 5), (0, 0.0, 9)]);
    let mut order = Vec::new();
    for _ in 0..4 {
        order.push(chosen(&listed, &mut node, 1));
        let tried = usize::from(node.nodes[0].tried);
        node.edges[tried - 1].visits = 1;
    }
    assert_eq!(order, [1, 3, 0, 2]);
}

#[test]
fn proven_losses_are_avoided_and_wins_of_the_other_seat_are_losses() {
    let mut node = store(&[(50, 40.0, 0), (50, 10.0, 0)]);
    node.edges[0].proven = Proven::Lost;
    assert_eq!(chosen(&config(), &mut node, 1), 1);
    node.nodes[0].kind = Kind::One;
    let config = config();
    let selection = Selection { config: &config, range: Range::new(false), all_actions: false };
    let edge = selection.choose(&mut node, 0, Seat::One, &mut Rng::new(1));
    assert_eq!(node.edge(edge).action, 0, "what seat 0 loses, seat 1 wins");
}

#[test]
fn ties_are_broken_evenly() {
    let mut counts = [0; 3];
    for seed in 0..3_000 {
        let mut node = store(&[(5, 2.5, 0), (5, 2.5, 0), (5, 2.5, 0)]);
        counts[usize::from(chosen(&config(), &mut node, seed))] += 1;
    }
    assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
}
