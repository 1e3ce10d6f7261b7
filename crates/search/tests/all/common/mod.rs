//! What the tests of the search share.

pub(crate) mod equality;

use std::sync::Arc;
use std::time::Duration;

use gamecore::{
    ActionScore, Agent, Buf, Decision, Evaluator, Game, Limits, Rng, Seat, StopToken, Turn, key,
    random_action,
};
use search::{Algorithm, Config, DepthFirst, KnownSearch as _, Order, TableUse};
use testkit::CountingClock;

/// Every algorithm whose value must be minimax's.
pub(crate) const ALGORITHMS: [Algorithm; 5] =
    [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::Scout, Algorithm::Pvs, Algorithm::Mtdf];

/// Scores actions by a hash: an order as bad and as varied as can be.
pub(crate) struct HashOrder;

impl<G: Game> ActionScore<G> for HashOrder {
    fn score(
        &self,
        game: &G,
        state: &G::State,
        actions: &[G::Action],
        depth: u32,
        out: &mut Buf<i32>,
    ) {
        let seed = key::fold(game.key(state), u64::from(depth));
        out.extend((0..actions.len() as u64).map(|index| (key::fold(seed, index) % 100) as i32));
    }
}

/// Every combination of switches that keeps the value.
pub(crate) fn variants(algorithm: Algorithm, depth: u32, quiescence: u32) -> Vec<Config> {
    let plain = Config { quiescence, table_mb: 1, ..Config::plain(algorithm, depth) };
    let mut variants = vec![plain.clone(), Config { all_roots: true, ..plain.clone() }];
    if algorithm == Algorithm::Minimax {
        variants.push(Config { deepening: true, ..plain });
        return variants;
    }
    for order in [Order::Fixed, Order::Good] {
        for table in [TableUse::Off, TableUse::Exact] {
            for deepening in [false, true] {
                let config = Config { order, table, deepening, ..plain.clone() };
                if deepening && matches!(algorithm, Algorithm::AlphaBeta | Algorithm::Pvs) {
                    variants.push(Config { aspiration: 7, ..config.clone() });
                }
                variants.push(Config { all_roots: true, ..config.clone() });
                variants.push(config);
            }
        }
    }
    variants
}

/// Lets a fresh agent decide a position without any limit but its own.
pub(crate) fn decide<G: Game, E: Evaluator<G> + 'static>(
    config: &Config,
    evaluator: &Arc<E>,
    game: &G,
    state: &G::State,
) -> Decision<G::Action> {
    let order: Arc<dyn ActionScore<G>> = Arc::new(HashOrder);
    let mut agent = DepthFirst::<G>::new(config.clone(), evaluator.clone(), Some(order));
    decide_with(&mut agent, game, state)
}

/// The same, with the search tree in the answer.
pub(crate) fn decide_and_trace<G: Game, E: Evaluator<G> + 'static>(
    config: &Config,
    evaluator: &Arc<E>,
    game: &G,
    state: &G::State,
    tree_nodes: usize,
) -> Decision<G::Action> {
    let order: Arc<dyn ActionScore<G>> = Arc::new(HashOrder);
    let mut agent = DepthFirst::<G>::new(config.clone(), evaluator.clone(), Some(order));
    let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
    let limits = Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes };
    agent.decide_state(game, state, &limits)
}

/// Lets this agent decide.
pub(crate) fn decide_with<G: Game>(
    agent: &mut DepthFirst<G>,
    game: &G,
    state: &G::State,
) -> Decision<G::Action> {
    let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
    let limits =
        Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
    agent.decide(game, &game.view(state, mover(game, state)), &limits)
}

/// Who decides.
pub(crate) fn mover<G: Game>(game: &G, state: &G::State) -> Seat {
    let Turn::Player(seat) = game.turn(state) else { panic!("nobody decides in {state:?}") };
    seat
}

/// The legal actions.
pub(crate) fn legal<G: Game>(game: &G, state: &G::State) -> Vec<G::Action> {
    let mut actions = Buf::new();
    if game.turn(state) != Turn::Over {
        game.actions(state, &mut actions);
    }
    actions.to_vec()
}

/// The position after an action.
pub(crate) fn after<G: Game>(game: &G, state: &G::State, action: G::Action) -> G::State {
    let mut next = state.clone();
    game.apply(&mut next, action);
    next
}

/// Positions of random games in which somebody decides, up to `spread` actions in.
pub(crate) fn positions<G: Game>(game: &G, count: usize, seed: u64, spread: u32) -> Vec<G::State> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut state = game.start(&G::Setup::default(), &mut rng);
        for _ in 0..rng.below(spread) {
            match random_action(game, &state, &mut rng) {
                Some(action) => game.apply(&mut state, action),
                None => break,
            }
        }
        if matches!(game.turn(&state), Turn::Player(_)) {
            found.push(state);
        }
    }
    found
}
