//! Agents of equal depth choose equal actions, so their games are the same move for move and
//! their matches exactly even.

use std::sync::Arc;
use std::time::Duration;

use crate::common::{ALGORITHMS, HashOrder, variants};
use arena::{GameOptions, GameRecord, play_game};
use evals::factors::Weights;
use evals::othello::{OthelloEvaluator, OthelloFactors, OthelloOrder, WEIGHTS};
use gamecore::{ActionScore, Evaluator, Notation, Rng, Turn, random_action};
use othello::Othello;
use search::{Algorithm, Config, DepthFirst, Order, TableUse};
use testkit::toys::{DiceRace, StagedNim};
use testkit::{CountingClock, HashEvaluator};

/// Plays one game between two agents of these makes.
fn play<G: Notation>(
    game: &G,
    start: &G::State,
    configs: [&Config; 2],
    evaluator: &Arc<dyn Evaluator<G>>,
    orders: [&Arc<dyn ActionScore<G>>; 2],
) -> GameRecord {
    let clock = CountingClock::new(Duration::from_millis(1));
    let agent = |seat: usize| {
        DepthFirst::<G>::new(configs[seat].clone(), evaluator.clone(), Some(orders[seat].clone()))
    };
    let (mut zero, mut one) = (agent(0), agent(1));
    let options = GameOptions::new(&clock);
    play_game(game, start.clone(), [&mut zero, &mut one], &options, &mut |_| {})
}

/// The start after a few random actions, at a decision of a player.
fn opening<G: Notation>(game: &G, seed: u64, plies: u32) -> G::State {
    let mut rng = Rng::new(seed);
    loop {
        let mut state = game.start(&G::Setup::default(), &mut rng);
        for _ in 0..plies {
            if let Some(action) = random_action(game, &state, &mut rng) {
                game.apply(&mut state, action);
            }
        }
        if matches!(game.turn(&state), Turn::Player(_)) {
            return state;
        }
    }
}

/// Every make plays against itself and against minimax; all games must be one game.
fn check_even<G: Notation>(
    game: &G,
    evaluator: &Arc<dyn Evaluator<G>>,
    configs: &[Config],
    openings: u64,
    plies: u32,
) {
    let order: Arc<dyn ActionScore<G>> = Arc::new(HashOrder);
    for seed in 0..openings {
        let start = opening(game, seed, plies);
        let minimax = &configs[0];
        let orders = [&order, &order];
        let expected = play(game, &start, [minimax, minimax], evaluator, orders).actions;
        assert!(expected.len() > 2, "a game of {} actions proves nothing", expected.len());
        for config in configs {
            for pair in [[minimax, config], [config, minimax]] {
                let record = play(game, &start, pair, evaluator, orders);
                assert_eq!(record.actions, expected, "opening {seed}, {pair:?}");
            }
        }
    }
}

fn every_variant(depth: u32) -> Vec<Config> {
    ALGORITHMS.into_iter().flat_map(|algorithm| variants(algorithm, depth, 0)).collect()
}

#[test]
fn othello_games_are_equal_move_for_move() {
    let weights = Weights::parse::<Othello, OthelloFactors>(WEIGHTS[1].1).expect("shipped");
    let evaluator: Arc<dyn Evaluator<Othello>> = Arc::new(OthelloEvaluator::new(&weights));
    check_even(&Othello, &evaluator, &every_variant(2), 3, 8);
    // Many ties: the choice among equal actions must be the same too.
    let ties: Arc<dyn Evaluator<Othello>> = Arc::new(HashEvaluator::with_range(1, 2));
    check_even(&Othello, &ties, &every_variant(3), 2, 12);
}

#[test]
fn games_with_repeated_turns_and_chance_are_equal() {
    let evaluator: Arc<dyn Evaluator<StagedNim>> = Arc::new(HashEvaluator::with_range(2, 3));
    check_even(&StagedNim::new(&[4, 5, 6]), &evaluator, &every_variant(3), 6, 2);
    let evaluator: Arc<dyn Evaluator<DiceRace>> = Arc::new(HashEvaluator::with_range(3, 3));
    check_even(&DiceRace, &evaluator, &every_variant(2), 4, 3);
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

/// Unequal depths must be able to give unequal games, or the equality above means nothing.
#[test]
fn other_depths_play_other_games() {
    let evaluator: Arc<dyn Evaluator<Othello>> = Arc::new(HashEvaluator::new(5));
    let order: Arc<dyn ActionScore<Othello>> = Arc::new(HashOrder);
    let start = opening(&Othello, 1, 8);
    let [two, three] = [2, 3].map(|depth| Config::plain(Algorithm::AlphaBeta, depth));
    let orders = [&order, &order];
    let first = play(&Othello, &start, [&two, &two], &evaluator, orders);
    let second = play(&Othello, &start, [&two, &three], &evaluator, orders);
    assert_ne!(first.actions, second.actions);
}
