//! Backups on small stores made by hand.

use super::super::store::{Extras, Kind, NONE, Node, Proven, Store};
use super::{Backups, Step, back_up, conclude};

const PLAIN: Backups = Backups { implicit: false, solver: false };

/// Adds a node of this kind with so many edges, all of them tried.
fn add(store: &mut Store<u8>, kind: Kind, edges: u8) -> u32 {
    let key = 100 + store.nodes.len() as u64;
    let proven = Proven::Unknown;
    let node = store.push(Node { key, first: 0, visits: 0, count: 0, tried: 0, kind, proven });
    if edges > 0 {
        let actions: Vec<u8> = (0..edges).collect();
        assert!(store.open(node, &actions, &[]));
        store.nodes[node as usize].tried = u16::from(edges);
    }
    node
}

fn link(store: &mut Store<u8>, parent: u32, edge: u32, child: u32) -> Step {
    let edge = store.node(parent).first + edge;
    store.edges[edge as usize].child = child;
    Step { node: parent, edge }
}

#[test]
fn every_edge_sums_up_the_reward_of_its_own_seat() {
    let mut store = Store::new(100, Extras { squares: true, ..Extras::default() });
    // Seat 0 twice in a row, then seat 1.
    let nodes = [Kind::Zero, Kind::Zero, Kind::One].map(|kind| add(&mut store, kind, 1));
    let path = [
        link(&mut store, nodes[0], 0, nodes[1]),
        link(&mut store, nodes[1], 0, nodes[2]),
        link(&mut store, nodes[2], 0, NONE),
    ];
    back_up(&mut store, &path, NONE, [0.25, -1.5], PLAIN);
    back_up(&mut store, &path[..2], nodes[2], [1.0, 0.5], PLAIN);
    let totals: Vec<f64> = store.edges.iter().map(|edge| edge.total).collect();
    assert_eq!(totals, [1.25, 1.25, -1.5]);
    assert_eq!(store.squares, [1.0625, 1.0625, 2.25]);
    let visits: Vec<u32> = store.edges.iter().map(|edge| edge.visits).collect();
    assert_eq!(visits, [2, 2, 1]);
    assert_eq!(store.nodes.iter().map(|node| node.visits).collect::<Vec<_>>(), [2, 2, 2]);
}

#[test]
fn implicit_minimax_takes_the_best_child_of_the_seat_that_decides() {
    let mut store = Store::new(100, Extras { heuristics: true, ..Extras::default() });
    let root = add(&mut store, Kind::Zero, 1);
    let below = add(&mut store, Kind::One, 2);
    let leaves = [add(&mut store, Kind::Zero, 0), add(&mut store, Kind::Zero, 0)];
    store.heuristics[leaves[0] as usize] = [0.9, 0.1];
    store.heuristics[leaves[1] as usize] = [0.3, 0.7];
    let first = link(&mut store, root, 0, below);
    let implicit = Backups { implicit: true, solver: false };
    for (number, leaf) in (0..).zip(leaves) {
        let path = [first, link(&mut store, below, number, leaf)];
        back_up(&mut store, &path, leaf, [0.5, 0.5], implicit);
    }
    assert_eq!(store.heuristics[below as usize], [0.3, 0.7], "seat 1 takes its best");
    assert_eq!(store.edge(first.edge).heuristic, 0.3);
    let mut chance = Store::new(100, Extras { heuristics: true, ..Extras::default() });
    let root = add(&mut chance, Kind::Chance, 2);
    for (number, value, times) in [(0, [0.0, 1.0], 3), (1, [1.0, 0.0], 1)] {
        let leaf = add(&mut chance, Kind::Zero, 0);
        chance.heuristics[leaf as usize] = value;
        let path = [link(&mut chance, root, number, leaf)];
        for _ in 0..times {
            back_up(&mut chance, &path, leaf, [0.5, 0.5], implicit);
        }
    }
    assert_eq!(chance.heuristics[root as usize], [0.25, 0.75]);
}

/// Two ways to one node: what comes over one of them changes the value of the other.
#[test]
fn merged_nodes_hand_their_value_to_all_parents() {
    let mut store = Store::new(100, Extras { merge: true, ..Extras::default() });
    let root = add(&mut store, Kind::Zero, 2);
    let sides = [add(&mut store, Kind::One, 1), add(&mut store, Kind::One, 1)];
    let shared = add(&mut store, Kind::Zero, 0);
    let paths = [0, 1].map(|side| {
        let first = link(&mut store, root, side, sides[side as usize]);
        [first, link(&mut store, sides[side as usize], 0, shared)]
    });
    back_up(&mut store, &paths[0], shared, [1.0, 0.0], PLAIN);
    back_up(&mut store, &paths[1], shared, [0.0, 1.0], PLAIN);
    // The shared node is worth ½ now. The second side learns it at once, the first when asked.
    assert_eq!(store.merged[shared as usize].value, [0.5, 0.5]);
    assert_eq!(store.merged[sides[1] as usize].value, [0.5, 0.5]);
    super::refresh(&mut store, sides[0]);
    super::refresh(&mut store, root);
    assert_eq!(store.merged[sides[0] as usize].value, [0.5, 0.5]);
    assert_eq!(store.edges_of(root).iter().map(|edge| edge.total).sum::<f64>(), 1.0);
    // Own rollouts count too: (1 + 2·½) / (1 + 2).
    store.merged[root as usize].own = [1.0, 0.0];
    store.merged[root as usize].own_visits = 1;
    super::refresh(&mut store, root);
    assert!((store.merged[root as usize].value[0] - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn proofs_follow_the_seat() {
    use Proven::{Drawn, Lost, Unknown, Won};
    let cases: [(Kind, &[Proven], Proven); 10] = [
        (Kind::Zero, &[Unknown, Won], Won),
        (Kind::Zero, &[Lost, Unknown], Unknown),
        (Kind::Zero, &[Lost, Lost], Lost),
        (Kind::Zero, &[Lost, Drawn], Drawn),
        (Kind::Zero, &[Drawn, Unknown], Unknown),
        (Kind::One, &[Unknown, Lost], Lost),
        (Kind::One, &[Won, Won], Won),
        (Kind::One, &[Won, Drawn], Drawn),
        (Kind::Chance, &[Won, Unknown], Unknown),
        (Kind::Chance, &[Won, Won], Won),
    ];
    for (kind, edges, expected) in cases {
        let mut store = Store::new(100, Extras::default());
        let root = add(&mut store, kind, edges.len() as u8);
        for (edge, &proven) in store.edges.iter_mut().zip(edges) {
            edge.proven = proven;
        }
        assert_eq!(conclude(&store, root), expected, "{kind:?} {edges:?}");
    }
    // Outcomes that differ prove nothing, whatever their order.
    for edges in [[Won, Lost, Lost], [Lost, Won, Lost], [Won, Lost, Won]] {
        let mut store = Store::new(100, Extras::default());
        let root = add(&mut store, Kind::Chance, 3);
        for (edge, proven) in store.edges.iter_mut().zip(edges) {
            edge.proven = proven;
        }
        assert_eq!(conclude(&store, root), Unknown, "{edges:?}");
    }
}
