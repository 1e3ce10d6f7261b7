//! Search under hidden information: what it must find, what it must not know, and where the two
//! methods differ.

use conquest::{Conquest, Options};
use gamecore::{Agent, Game, Notation, ResultOnly, Rng, Score, Seat, Turn, random_action};
use testkit::conformance::{Conformance, check_equal_views};
use testkit::minimax::reference_value;
use testkit::toys::{MiniPoker, MiniPokerAction, MiniPokerState, StagedNim, TicTacToe};

use crate::common::{after, legal, mover, positions};
use crate::hidden_common::{At, Place, Table, agent, decide, decide_with};

const BOTH: [&str; 2] = ["ismcts:iterations=1500", "pimc:iterations=1500,worlds=5"];

/// Where every action but the best throws something away, the best one is found.
fn solves<G: Game>(game: &G, states: &[G::State], depth: u32) -> usize {
    let mut tried = 0;
    for state in states {
        let (actions, seat) = (legal(game, state), mover(game, state));
        let value = |&action: &G::Action| {
            reference_value(game, &ResultOnly, &after(game, state, action), depth, seat)
        };
        let values: Vec<Score> = actions.iter().map(value).collect();
        let best = *values.iter().max().expect("there is an action");
        if values.iter().all(|value| *value == best) {
            continue;
        }
        tried += 1;
        for spec in BOTH {
            let chosen = decide(spec, 1, game, state).action;
            assert_eq!(value(&chosen), best, "{spec}: {chosen:?} in {state:?}");
        }
    }
    tried
}

#[test]
fn open_games_are_solved() {
    // With two or three squares taken, tic-tac-toe needs more than a few iterations.
    let squares: Vec<_> = positions(&TicTacToe, 120, 3, 8)
        .into_iter()
        .filter(|state| legal(&TicTacToe, state).len() <= 6)
        .collect();
    let tried = solves(&TicTacToe, &squares, 9);
    assert!(tried > 30, "only {tried} positions");
    let nim = StagedNim::new(&[2, 3]);
    let tried = solves(&nim, &positions(&nim, 60, 5, 6), 30);
    assert!(tried > 10, "only {tried} positions");
}

/// Points of A against uniformly random play, each pair of games from one start; and the half
/// width of the 95 % interval over pairs.
fn against_random<G: Game>(game: &G, spec: &str, pairs: u64) -> (f64, f64) {
    let mut points = Vec::new();
    for pair in 0..pairs {
        let start = game.start(&G::Setup::default(), &mut Rng::new(pair));
        let mut sum = 0.0;
        for seat in Seat::BOTH {
            let mut player = agent::<G>(spec, pair);
            let mut rng = Rng::new(!pair);
            let mut state = start.clone();
            loop {
                let action = match game.turn(&state) {
                    Turn::Over => break,
                    Turn::Player(mover) if mover == seat => {
                        decide_with(&mut *player, game, &state, 0).action
                    }
                    _ => random_action(game, &state, &mut rng).expect("the game goes on"),
                };
                game.apply(&mut state, action);
            }
            sum += f64::from(game.payoff(&state, seat));
        }
        points.push(sum / 2.0);
    }
    let mean = points.iter().sum::<f64>() / pairs as f64;
    let square = |point: &f64| (point - mean) * (point - mean);
    let variance = points.iter().map(square).sum::<f64>() / (pairs - 1) as f64;
    (mean, 1.96 * (variance / pairs as f64).sqrt())
}

/// 2,000 games each of mini-poker (measured: 0.677 ± 0.013 and 0.714 ± 0.014), 200 of tic-tac-toe
/// (0.968 ± 0.017 and 0.945 ± 0.027). The bounds lie below that and far above an even score.
#[test]
fn random_play_is_beaten() {
    for spec in ["ismcts:iterations=200", "pimc:iterations=200,worlds=20"] {
        let (mean, half) = against_random(&MiniPoker, spec, 1_000);
        assert!(mean - half > 0.6, "{spec}: {mean:.3} ± {half:.3}");
        let (mean, half) = against_random(&TicTacToe, spec, 100);
        assert!(mean - half > 0.85, "{spec}: {mean:.3} ± {half:.3}");
    }
}

/// The last decision of a game of mini-poker, call or fold, with the first two hands shown: the
/// opponent has one of five cards, so the value of both answers can be counted.
struct LastDecision {
    state: MiniPokerState,
    /// Of calling and folding.
    values: [f64; 2],
    /// Whether one answer is never worse than the other, whatever the card: its position.
    dominant: Option<usize>,
}

fn last_decisions(count: usize) -> Vec<LastDecision> {
    let mut rng = Rng::new(11);
    let mut found = Vec::new();
    while found.len() < count {
        let mut deck: Vec<u8> = (1..=5).flat_map(|rank| [rank; 2]).collect();
        rng.shuffle(&mut deck);
        let (stage, caller) = if rng.below(2) == 0 { ("bet", 1) } else { ("checked-bet", 0) };
        let balance = rng.below(7) as i32 - 3;
        let position = |card: u8| {
            let own: String = deck[..3].iter().map(u8::to_string).collect();
            let theirs = format!("{}{}{card}", deck[3], deck[4]);
            let cards = if caller == 0 { [own, theirs] } else { [theirs, own] };
            let text = format!("{} {} 2 {stage} {balance} ss.", cards[0], cards[1]);
            MiniPoker.parse_position(&text).expect("a position")
        };
        let payoff = |card: u8, action| {
            let mut state = position(card);
            MiniPoker.apply(&mut state, action);
            f64::from(MiniPoker.payoff(&state, Seat::from_index(caller)))
        };
        let answers = [MiniPokerAction::Call, MiniPokerAction::Fold];
        let by_card: Vec<[f64; 2]> =
            deck[5..].iter().map(|&card| answers.map(|action| payoff(card, action))).collect();
        let values = [0, 1].map(|answer| by_card.iter().map(|v| v[answer]).sum::<f64>() / 5.0);
        let never_worse = |a: usize| by_card.iter().all(|v| v[a] >= v[1 - a]);
        let dominant = [0, 1].into_iter().find(|&a| never_worse(a) && values[a] > values[1 - a]);
        found.push(LastDecision { state: position(deck[5]), values, dominant });
    }
    found
}

/// Against a bet that may be anything, information sets give the exact best response and its value.
#[test]
fn the_last_bet_is_answered_by_the_exact_best_response() {
    let (mut best_responses, mut dominated) = (0, 0);
    for LastDecision { state, values, dominant } in last_decisions(400) {
        let told = decide("ismcts:iterations=2000", 1, &MiniPoker, &state);
        let position = usize::from(told.action == MiniPokerAction::Fold);
        if (values[0] - values[1]).abs() > 0.01 {
            let best = usize::from(values[1] > values[0]);
            assert_eq!(position, best, "{values:?} in {state:?}: {told:?}");
            best_responses += 1;
            // Unless all cards are alike the value is a mean over 2,000 draws.
            let error = (told.value.unwrap() - values[best]).abs();
            assert!(error < 0.06, "{told:?} instead of {values:?}");
        }
        if let Some(dominant) = dominant {
            let told = decide("pimc:iterations=2000,worlds=20", 1, &MiniPoker, &state);
            let position = usize::from(told.action == MiniPokerAction::Fold);
            assert_eq!(position, dominant, "{values:?} in {state:?}: {told:?}");
            dominated += 1;
        }
    }
    assert!(best_responses > 200 && dominated > 100, "{best_responses} {dominated}");
}

const SAFE: u8 = 0;
const GAMBLE: u8 = 1;

/// Seat 0 may take a draw, or name the hidden card of three: right wins, wrong loses. Who knew the
/// card would name it; who does not gets ⅓ out of it.
const FUSION: Table = Table(&[
    &[Z, NAME_IT, At::End(0.5), At::End(1.0), At::End(0.0)],
    &[Z, At::Choice(Seat::Zero, &[(0, 4), (1, 3), (2, 4)]), At::End(0.5), At::End(1.0), LOST],
    &[Z, At::Choice(Seat::Zero, &[(0, 4), (1, 4), (2, 3)]), At::End(0.5), At::End(1.0), LOST],
]);
const Z: At = At::Choice(Seat::Zero, &[(SAFE, 2), (GAMBLE, 1)]);
const NAME_IT: At = At::Choice(Seat::Zero, &[(0, 3), (1, 4), (2, 4)]);
const LOST: At = At::End(0.0);

/// Strategy fusion (Frank and Basin, 1998): in every single world the gamble wins, so averaging
/// over worlds takes it, with any number of worlds (each long enough to see the win). One tree over all worlds has one answer for
/// all of them and takes the draw.
#[test]
fn only_worlds_apart_fall_for_strategy_fusion() {
    for card in 0..3 {
        let state = Place { card, place: 0 };
        for seed in 0..10 {
            let told = decide("ismcts:iterations=3000", seed, &FUSION, &state);
            assert_eq!(told.action, SAFE, "{told:?}");
            // Explored much instead of a little, the gamble has its true value.
            let told = decide("ismcts:iterations=3000,select.c=20", seed, &FUSION, &state);
            let gamble = told.root[1].value.unwrap();
            assert!((0.27..0.40).contains(&gamble), "about ⅓: {told:?}");
            for worlds in [1, 20, 60] {
                let spec = format!("pimc:iterations=3000,worlds={worlds}");
                let told = decide(&spec, seed, &FUSION, &state);
                assert_eq!(told.action, GAMBLE, "{told:?}");
            }
            for spec in ["pvs:depth=3,worlds=5", "turn-beam:turns=2"] {
                let told = decide(spec, seed, &FUSION, &state);
                assert_eq!(told.action, GAMBLE, "{spec}: {told:?}");
            }
            let told = decide("pimc:iterations=3000,worlds=3", seed, &FUSION, &state);
            assert!(told.root[1].value.unwrap() > 0.9, "believes to know: {told:?}");
        }
    }
}

/// After action 0, who acts depends on the card: seat 0 again, seat 1, chance, or nobody. Seat 0
/// wins ¾ of that, seat 1 choosing well; action 1 wins half.
const PARTING: Table = Table(&[
    &[START, At::Choice(Seat::Zero, &[(5, 2), (6, 3)]), At::End(0.0), At::End(1.0), EVEN],
    &[START, At::Choice(Seat::One, &[(5, 2), (7, 3)]), At::End(0.0), At::End(1.0), EVEN],
    &[START, At::Draw(&[(5, 2), (8, 3)]), At::End(1.0), At::End(1.0), EVEN],
    &[START, At::End(1.0), LOST, LOST, EVEN],
]);
const START: At = At::Choice(Seat::Zero, &[(0, 1), (1, 4)]);
const EVEN: At = At::End(0.5);

/// One node for all of these would let seat 1 choose for seat 0 or the other way round.
#[test]
fn worlds_part_where_different_seats_act() {
    for card in 0..4 {
        let mut agent = agent::<Table>("ismcts:iterations=8000", 2);
        let told = decide_with(&mut *agent, &PARTING, &Place { card, place: 0 }, 100);
        assert_eq!(told.action, 0);
        let value = told.value.unwrap();
        assert!((0.72..0.76).contains(&value), "{told:?}");
        // The root, four nodes behind action 0, one behind action 1, and the ends behind the six
        // actions of the nodes that have some.
        assert_eq!(told.counters.tree_nodes, 1 + 4 + 1 + 6, "{told:?}");
        // What stands below action 0 in the answer: 5 three times, for two seats and chance.
        let zero = told.tree.iter().position(|node| node.action == Some(0)).unwrap();
        let mut below: Vec<u8> = told
            .tree
            .iter()
            .filter(|node| node.parent == Some(zero))
            .filter_map(|node| node.action)
            .collect();
        below.sort_unstable();
        assert_eq!(below, [5, 5, 5, 6, 7, 8]);
        // The expected line goes on in one of the worlds.
        assert_eq!(told.principal_variation[0], 0);
        assert_eq!(told.principal_variation.len(), 2);
    }
}

/// Equal views, equal decisions with all that explains them: whatever is hidden in truth.
#[test]
fn nothing_but_the_view_is_used() {
    let secrets = Options::parse("secret-commands=yes,turn-limit=6").expect("rules");
    let secrets = Conquest::new(secrets);
    for (poker, conquest) in [
        ("ismcts:iterations=60", "ismcts:iterations=20,rollout.unit=actions"),
        ("pimc:iterations=60,worlds=7", "pimc:iterations=20,worlds=4,rollout.unit=actions"),
        ("pvs:depth=4,worlds=3", "pvs:nodes=60,worlds=3"),
        ("turn-beam:turns=3,worlds=3", "turn-beam:calls=300,worlds=2,spread=9"),
    ] {
        let make = || agent::<MiniPoker>(poker, 3);
        check_equal_views(&MiniPoker, &make, &Conformance { games: 200, ..Default::default() });
        let make = || -> Box<dyn Agent<Conquest>> { agent(conquest, 3) };
        let options = Conformance { games: 3, max_plies: 60, ..Conformance::default() };
        check_equal_views(&secrets, &make, &options);
    }
    // The samples of that check are other states than the true one.
    let (mut other, mut all) = ([0, 0], [0, 0]);
    let mut rng = Rng::new(1);
    for state in positions(&MiniPoker, 200, 1, 9) {
        let view = MiniPoker.view(&state, mover(&MiniPoker, &state));
        other[0] += u32::from(MiniPoker.sample(&view, &mut rng) != state);
        all[0] += 1;
    }
    for state in positions(&secrets, 50, 1, 60) {
        let view = secrets.view(&state, mover(&secrets, &state));
        other[1] += u32::from(secrets.sample(&view, &mut rng) != state);
        all[1] += 1;
    }
    assert!(other[0] * 2 > all[0] && other[1] * 2 > all[1], "{other:?} of {all:?}");
}
