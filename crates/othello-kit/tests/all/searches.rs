//! Searches by the evaluations and orders of Othello, held against what every search keeps to.

use std::sync::Arc;

use gamecore::{ActionScore, Evaluator, Notation, ResultOnly};
use othello::Othello;
use othello_kit::evals::{OthelloEvaluator, OthelloOrder, OthelloSquares, WEIGHTS};
use search::{Algorithm, Config, Mcts, Order, TableUse};
use testkit::HashEvaluator;

use crate::common::shipped;
use crate::mcts_common::{agent_with, decide as decide_by_tree};
use crate::search_common::equality::{check_even, check_game, every_variant, opening, play};
use crate::search_common::{ALGORITHMS, HashOrder, decide, positions, variants};

/// The evaluation by the weight file of this number.
fn evaluator(number: usize) -> OthelloEvaluator {
    OthelloEvaluator::new(&shipped()[number].1)
}

#[test]
fn every_search_by_the_papers_factors_is_minimax() {
    for number in 0..WEIGHTS.len() {
        check_game(&Othello, evaluator(number), 60, 58, 1..=4, 0);
        check_game(&Othello, evaluator(number), 45, 58, 1..=3, 3);
    }
}

#[test]
fn games_are_equal_move_for_move() {
    let evaluator: Arc<dyn Evaluator<Othello>> = Arc::new(evaluator(1));
    check_even(&Othello, &evaluator, &every_variant(2), 3, 8);
}

/// Another order of actions is another agent with the same answers.
#[test]
fn the_order_of_actions_decides_nothing() {
    let evaluator: Arc<dyn Evaluator<Othello>> = Arc::new(HashEvaluator::with_range(4, 4));
    let hash: Arc<dyn ActionScore<Othello>> = Arc::new(HashOrder);
    let own: Arc<dyn ActionScore<Othello>> = Arc::new(OthelloOrder);
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Scout, Algorithm::Pvs, Algorithm::Mtdf] {
        let config = Config {
            order: Order::Good,
            table: TableUse::Exact,
            table_mb: 1,
            deepening: true,
            ..Config::plain(algorithm, 4)
        };
        let start = opening(&Othello, 9, 10);
        let both = [&config, &config];
        let expected = play(&Othello, &start, both, &evaluator, [&own, &own]).actions;
        for orders in [[&own, &hash], [&hash, &own], [&hash, &hash]] {
            let record = play(&Othello, &start, both, &evaluator, orders);
            assert_eq!(record.actions, expected, "{algorithm:?}");
        }
    }
}

#[test]
fn terms_add_up_to_the_value() {
    let evaluator = Arc::new(evaluator(0));
    for (number, state) in positions(&Othello, 40, 22, 60).into_iter().enumerate() {
        for algorithm in ALGORITHMS {
            for config in variants(algorithm, 1 + number as u32 % 3, 0) {
                let decision = decide(&config, &evaluator, &Othello, &state);
                let sum: i32 = decision.terms.iter().map(|term| term.value * term.weight).sum();
                let told = !decision.terms.is_empty();
                if told {
                    assert_eq!(decision.value, Some(f64::from(sum)), "{config:?}");
                }
                // MTD(f) proves its value by null windows, which leave no line behind.
                let must_tell = config.table == TableUse::Off && algorithm != Algorithm::Mtdf;
                assert!(told || !must_tell, "no terms: {config:?}");
            }
        }
    }
}

#[test]
fn cut_offs_save_nodes() {
    let evaluator = Arc::new(evaluator(0));
    let mut saved = 0;
    for state in positions(&Othello, 20, 51, 50) {
        let count = |config: &Config| decide(config, &evaluator, &Othello, &state).counters;
        let minimax = count(&Config::plain(Algorithm::Minimax, 4));
        assert_eq!(minimax.cutoffs, 0);
        for algorithm in [Algorithm::AlphaBeta, Algorithm::Pvs] {
            let pruned = count(&Config::plain(algorithm, 4));
            assert!(pruned.nodes <= minimax.nodes, "{algorithm:?}: {pruned:?}");
            saved += u64::from(pruned.nodes * 2 < minimax.nodes && pruned.cutoffs > 0);
        }
        let table = Config { table: TableUse::Exact, ..Config::plain(Algorithm::AlphaBeta, 5) };
        let with_table = count(&Config { table_mb: 1, ..table.clone() });
        let without = count(&Config { table: TableUse::Off, ..table });
        assert!(with_table.nodes <= without.nodes, "{with_table:?} {without:?}");
    }
    assert!(saved > 30, "half of the nodes are saved in most positions, not in {saved} of 40");
}

/// One-sided rewards: each seat maximises its own, which is not the opponent's loss.
#[test]
fn heuristics_and_evaluations_reach_the_search() {
    // White may take the corner a1 or not: with no rollout at all, the evaluation decides.
    let state = Othello.parse_position("f5d6c3d3c4f4f6").unwrap();
    let keys = "iterations=400,rollout.unit=actions,rollout.length=0,rollout.end=eval";
    let mut agent: Mcts<Othello> = agent_with(keys, evaluator(0), OthelloSquares, 1);
    let decision = decide_by_tree(&mut agent, &Othello, &state);
    assert_eq!(decision.counters.calls, decision.counters.calls.max(400));
    assert!(decision.root.iter().all(|action| action.value != Some(0.5)));
    // Priors are those of the heuristic, in the unit interval.
    let keys = "iterations=400,expand=heuristic";
    let mut agent: Mcts<Othello> = agent_with(keys, ResultOnly, OthelloSquares, 1);
    let decision = decide_by_tree(&mut agent, &Othello, &state);
    assert!(decision.root.iter().all(|action| (0.0..=1.0).contains(&action.prior.unwrap())));
}
