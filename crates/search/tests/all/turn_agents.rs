//! `oep` and `turn-mcts`: what both promise, and what each finds on games small enough to know.

use std::sync::Arc;
use std::time::Duration;

use conquest::Conquest;
use gamecore::{
    Agent, Decision, Evaluator, Game, Limits, ResultOnly, Rng, StopToken, Traits, Turn, key,
    random_action,
};
use othello::Othello;
use search::params::Values;
use search::{OepConfig, TurnMctsConfig, TurnSearch};
use testkit::minimax::reference_value;
use testkit::toys::{DiceRace, RandomTree, StagedNim};
use testkit::{CountingClock, HashEvaluator};

use crate::common::{after, legal, mover, positions};
use crate::turns::by_turns;

/// An agent from `KEY=VALUE,…`.
fn agent<C: TurnSearch, G: Game>(
    keys: &str,
    evaluator: impl Evaluator<G> + 'static,
    seed: u64,
) -> Box<dyn Agent<G>> {
    let given = keys.split(',').filter_map(|part| part.split_once('='));
    let values = Values::resolve(&C::params(), given).expect("sensible keys");
    C::from_values(&values).build(Arc::new(evaluator), None, seed)
}

fn decide<G: Game>(
    agent: &mut dyn Agent<G>,
    game: &G,
    state: &G::State,
    stop: &StopToken,
) -> Decision<G::Action> {
    let clock = CountingClock::new(Duration::from_millis(1));
    let limits = Limits { clock: &clock, stop, time_left: None, progress: None, tree_nodes: 40 };
    agent.decide(game, &game.view(state, mover(game, state)), &limits)
}

fn decide_afresh<C: TurnSearch, G: Game>(
    keys: &str,
    evaluator: impl Evaluator<G> + 'static,
    game: &G,
    state: &G::State,
) -> Decision<G::Action> {
    decide(&mut *agent::<C, G>(keys, evaluator, 1), game, state, &StopToken::default())
}

/// Evolves until nothing better is to be found, as small as these games are.
fn evolution_finds_the_best_turn<G: Game>(game: &G, seed: u64, spread: u32) {
    let evaluator = HashEvaluator::with_range(seed, 50);
    for (number, state) in positions(game, 30, seed, spread).iter().enumerate() {
        if legal(game, state).len() == 1 {
            continue;
        }
        let horizon = number as u32 % 2;
        let keys =
            format!("iterations=40,population=60,mutation=0.3,horizon={horizon},reply.spread=9999");
        let decision = decide_afresh::<OepConfig, G>(&keys, evaluator, game, state);
        let value = by_turns(game, &evaluator, state, 1 + horizon, None, mover(game, state));
        assert_eq!(decision.value, Some(f64::from(value.0)), "{} from {state:?}", G::NAME);
    }
}

#[test]
fn evolution_finds_the_best_turn_and_the_best_after_the_reply() {
    evolution_finds_the_best_turn(&StagedNim::default(), 5, 6);
    evolution_finds_the_best_turn(&StagedNim::new(&[2, 3]), 6, 4);
}

#[test]
fn the_tree_of_turns_finds_what_wins() {
    let game = StagedNim::new(&[2, 4]);
    let mut tried = 0;
    for state in positions(&game, 40, 3, 5) {
        let (seat, actions) = (mover(&game, &state), legal(&game, &state));
        let value = |action: &_| {
            reference_value(&game, &ResultOnly, &after(&game, &state, *action), 20, seat)
        };
        let best = actions.iter().map(value).max().expect("somebody acts");
        if actions.iter().all(|action| value(action) == best) {
            continue;
        }
        let keys = "iterations=600,select.c=0.5,widen.c=100";
        let decision = decide_afresh::<TurnMctsConfig, _>(keys, ResultOnly, &game, &state);
        assert_eq!(value(&decision.action), best, "{state:?}");
        tried += 1;
    }
    assert!(tried > 5, "only {tried} positions had a choice");
}

#[test]
fn in_othello_a_turn_is_a_move() {
    let evaluator = HashEvaluator::with_range(3, 500);
    for state in positions(&Othello, 20, 4, 50) {
        let (seat, actions) = (mover(&Othello, &state), legal(&Othello, &state));
        if actions.len() == 1 {
            continue;
        }
        let value = |action: &_| {
            by_turns(&Othello, &evaluator, &after(&Othello, &state, *action), 0, None, seat)
        };
        let best = actions.iter().map(value).max().expect("somebody acts");
        let keys = "iterations=20,mutation=0.5,horizon=0";
        let decision = decide_afresh::<OepConfig, _>(keys, evaluator, &Othello, &state);
        assert_eq!(decision.principal_variation.len(), 1, "{state:?}");
        assert_eq!(value(&decision.action), best, "{state:?}");
        // Of the turns that the tree did not visit, it knows what the evaluation says of the move.
        let decision = decide_afresh::<TurnMctsConfig, _>(
            "iterations=1,width=99",
            evaluator,
            &Othello,
            &state,
        );
        assert_eq!(decision.root.iter().filter(|root| root.visits == 2).count(), 1, "{state:?}");
        for root in decision.root.iter().filter(|root| root.visits == 1) {
            let points = f64::from(value(&root.action).0);
            let reading = Evaluator::<Othello>::reading(&evaluator);
            assert_eq!(root.value, reading.chance(points), "{state:?} {:?}", root.action);
        }
    }
}

/// Plays the beginning of a game against itself, and hashes all that is said.
fn play<C: TurnSearch, G: Game>(game: &G, keys: &str, seed: u64) -> u64 {
    let mut rng = Rng::new(seed);
    let mut state = game.start(&G::Setup::default(), &mut rng);
    let mut agents = [0, 1].map(|seat| agent::<C, G>(keys, HashEvaluator::new(3), seed + seat));
    let mut said = 0;
    for _ in 0..60 {
        let Turn::Player(seat) = game.turn(&state) else {
            match random_action(game, &state, &mut rng) {
                Some(outcome) => game.apply(&mut state, outcome),
                None => break,
            }
            continue;
        };
        let decision = decide(&mut *agents[seat.index()], game, &state, &StopToken::default());
        said = key::fold(said, decision.counters.calls);
        said = key::fold(said, decision.value.unwrap_or(0.0).to_bits());
        check_plan(game, &state, &decision);
        game.apply(&mut state, decision.action);
    }
    said
}

/// The line is legal and goes at least to the end of the turn.
fn check_plan<G: Game>(game: &G, state: &G::State, decision: &Decision<G::Action>) {
    let line = &decision.principal_variation;
    assert_eq!(line[0], decision.action);
    let (mut now, seat, mut ended) = (state.clone(), mover(game, state), false);
    for &action in line {
        gamecore::play(game, &mut now, action).expect("a legal line");
        ended |= game.turn(&now) != Turn::Player(seat);
    }
    assert!(ended || decision.value.is_none(), "{}: {line:?} ends inside a turn", G::NAME);
}

fn plays_legally_and_repeats<C: TurnSearch>(keys: &str) {
    let again = |seed| play::<C, _>(&DiceRace, keys, seed);
    assert_eq!(again(2), again(2), "{keys}");
    let tree = RandomTree::with_chance(5, 30);
    assert_eq!(play::<C, _>(&tree, keys, 4), play::<C, _>(&tree, keys, 4), "{keys}");
    let nim = StagedNim::default();
    assert_eq!(play::<C, _>(&nim, keys, 4), play::<C, _>(&nim, keys, 4), "{keys}");
    let game = Conquest::default();
    let keys = format!("{keys},reply.spread=4");
    assert_eq!(play::<C, _>(&game, &keys, 1), play::<C, _>(&game, &keys, 1), "{keys}");
}

#[test]
fn plans_are_legal_to_the_end_of_the_turn_and_repeat() {
    plays_legally_and_repeats::<OepConfig>("iterations=6,population=8,horizon=2");
    plays_legally_and_repeats::<OepConfig>("calls=300,population=12,horizon=0");
    plays_legally_and_repeats::<TurnMctsConfig>("iterations=12,spread=8,table.mb=1,reply=100");
    plays_legally_and_repeats::<TurnMctsConfig>("calls=300,spread=4,width=4,reply=2");
    let evolved = |seed| play::<OepConfig, _>(&Conquest::default(), "iterations=3", seed);
    assert_ne!(evolved(1), evolved(2), "the seed matters");
}

fn keeps_budgets<C: TurnSearch>(rounds: &str, cheap: &str) {
    let game = Conquest::default();
    for state in positions(&game, 6, 3, 60) {
        if legal(&game, &state).len() == 1 {
            continue;
        }
        let decide =
            |keys: &str| decide_afresh::<C, Conquest>(keys, HashEvaluator::new(2), &game, &state);
        for calls in [1, 50, 2_000] {
            let decision = decide(&format!("calls={calls},{cheap}"));
            assert!(decision.counters.calls <= calls, "{} of {calls}", decision.counters.calls);
            assert!(legal(&game, &state).contains(&decision.action));
        }
        let decision = decide(&format!("iterations={rounds},{cheap}"));
        assert_eq!(decision.counters.iterations.to_string(), rounds);
        assert!(decision.complete);
        let mut stopped = agent::<C, Conquest>("calls=100000000", HashEvaluator::new(2), 1);
        let stop = StopToken::default();
        stop.stop();
        let decision = self::decide(&mut *stopped, &game, &state, &stop);
        assert!(!decision.complete && decision.counters.calls < 1_000, "{decision:?}");
    }
}

#[test]
fn budgets_hold_and_a_stop_is_heard() {
    keeps_budgets::<OepConfig>("5", "population=10");
    keeps_budgets::<TurnMctsConfig>("30", "spread=8,reply.spread=4");
}

#[test]
fn the_tree_of_turns_keeps_to_its_room() {
    let game = Conquest::default();
    let state = positions(&game, 1, 3, 60).remove(0);
    let keys = "iterations=400,table.mb=1,reply=100,spread=8,reply.spread=40";
    let mut agent = agent::<TurnMctsConfig, _>(keys, HashEvaluator::new(2), 1);
    for _ in 0..3 {
        let decision = decide(&mut *agent, &game, &state, &StopToken::default());
        // A position takes 128 bytes and 64 for each of its turns.
        let bytes = decision.counters.tree_nodes * (128 + 100 * 64);
        assert!((1 << 19..=1 << 20).contains(&bytes), "{bytes}");
        assert_eq!(decision.counters.iterations, 400);
    }
}

#[test]
fn hidden_information_is_refused() {
    let hidden = Traits { hidden: true, chance: false };
    for why in [refused::<OepConfig>(hidden), refused::<TurnMctsConfig>(hidden)] {
        assert!(why.expect("a reason").contains("hides part of it"));
    }
    assert_eq!(refused::<OepConfig>(Traits::default()), None);
}

/// Why an agent by its defaults does not play Conquest under these traits.
fn refused<C: TurnSearch>(traits: Traits) -> Option<String> {
    let values = Values::resolve(&C::params(), std::iter::empty()).expect("defaults");
    C::from_values(&values).refuses::<Conquest>(traits)
}
