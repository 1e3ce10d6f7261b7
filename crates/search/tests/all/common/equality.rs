//! What must be equal whatever is searched with: the value of minimax, and whole games. Kits hold their
//! evaluations against it, too.

use std::sync::Arc;
use std::time::Duration;

use arena::{GameOptions, GameRecord, play_game};
use gamecore::{ActionScore, Evaluator, Game, Notation, Rng, Turn, random_action};
use search::{Config, DepthFirst};
use testkit::CountingClock;
use testkit::minimax::{Horizon, reference_decision};

use super::{ALGORITHMS, HashOrder, decide, positions, variants};

pub(crate) fn check_position<G: Game, E: Evaluator<G> + 'static>(
    game: &G,
    evaluator: &Arc<E>,
    state: &G::State,
    horizon: Horizon,
) {
    let (action, value) = reference_decision(game, &**evaluator, state, horizon);
    for algorithm in ALGORITHMS {
        for config in variants(algorithm, horizon.depth, horizon.quiescence) {
            let decision = decide(&config, evaluator, game, state);
            assert_eq!(
                (decision.action, decision.value),
                (action, Some(f64::from(value.0))),
                "{} at {horizon:?} in {state:?} by {config:?}",
                G::NAME
            );
            assert_eq!(decision.principal_variation.first(), Some(&action), "{config:?}");
            assert!(decision.complete, "{config:?}");
        }
    }
}

pub(crate) fn check_game<G: Game, E: Evaluator<G> + 'static>(
    game: &G,
    evaluator: E,
    count: usize,
    spread: u32,
    depths: std::ops::RangeInclusive<u32>,
    quiescence: u32,
) {
    let evaluator = Arc::new(evaluator);
    for (number, state) in positions(game, count, 11, spread).iter().enumerate() {
        let span = depths.end() - depths.start() + 1;
        let depth = depths.start() + number as u32 % span;
        check_position(game, &evaluator, state, Horizon { depth, quiescence });
    }
}

/// Plays one game between two agents of these makes.
pub(crate) fn play<G: Notation>(
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
pub(crate) fn opening<G: Notation>(game: &G, seed: u64, plies: u32) -> G::State {
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
pub(crate) fn check_even<G: Notation>(
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

pub(crate) fn every_variant(depth: u32) -> Vec<Config> {
    ALGORITHMS.into_iter().flat_map(|algorithm| variants(algorithm, depth, 0)).collect()
}
