//! Budgets, memory, repetition and refusals of search under hidden information.

use std::sync::Mutex;
use std::time::Duration;

use conquest::{Conquest, Options, Setup};
use gamecore::{Game, Limits, Rng, Seat, StopToken, TimeLeft};
use othello::Othello;
use testkit::CountingClock;
use testkit::toys::{DiceRace, MiniPoker, StagedNim, TicTacToe};

use crate::common::{after, legal, positions};
use crate::hidden_common::{agent, decide, decide_with, try_agent};

/// Every agent in combinations that differ in as much as possible.
const VARIED: [&str; 7] = [
    "ismcts:iterations=200",
    "ismcts:calls=900,select.c=1.2,rollout.unit=actions,rollout.length=3,normalise=on",
    "ismcts:iterations=200,tree.nodes=5,rewards=paranoid,final=robust",
    "ismcts:iterations=200,tree.nodes=2,rollout.unit=turns,rollout.length=1,rollout.end=eval",
    "pimc:iterations=200,worlds=7",
    "pimc:calls=900,worlds=3,select=puct,merge=on,final=value",
    "pimc:iterations=3,tree.nodes=2",
];

fn same<G: Game>(game: &G, spec: &str) {
    let states = positions(game, 20, 9, 8);
    let mut differs = false;
    for state in &states {
        let told = decide(spec, 5, game, state);
        assert_eq!(told, decide(spec, 5, game, state), "{}: {spec}", G::NAME);
        let actions = legal(game, state);
        assert!(actions.contains(&told.action), "{}: {spec}", G::NAME);
        assert_eq!(told.principal_variation[0], told.action);
        if actions.len() > 1 {
            let listed: Vec<_> = told.root.iter().map(|action| action.action).collect();
            assert_eq!(listed, actions, "every action, in the game's order");
            assert!(told.complete && told.value.is_some());
        }
        differs |= decide(spec, 6, game, state) != told;
    }
    assert!(differs, "{}: {spec}: the seed matters", G::NAME);
}

#[test]
fn decisions_repeat_for_a_seed() {
    for spec in VARIED {
        same(&MiniPoker, spec);
        same(&TicTacToe, spec);
        same(&StagedNim::default(), spec);
        same(&DiceRace, spec);
    }
}

#[test]
fn iterations_are_kept_exactly() {
    let state = MiniPoker.start(&(), &mut Rng::new(4));
    for budget in [1, 2, 7, 100, 1_003] {
        for (spec, worlds) in [("ismcts:", budget), ("pimc:worlds=20,", budget.min(20))] {
            let told = decide(&format!("{spec}iterations={budget}"), 1, &MiniPoker, &state);
            assert_eq!(told.counters.iterations, budget, "{spec}");
            let visits: u64 = told.root.iter().map(|action| action.visits).sum();
            assert_eq!(visits, budget, "{spec}");
            assert_eq!(told.counters.worlds, worlds, "{spec}");
        }
    }
}

/// The last iteration may go beyond the budget of calls; worlds do not add up such excesses.
#[test]
fn calls_are_kept() {
    let state = Othello.start(&(), &mut Rng::new(0));
    for budget in [1, 50, 3_000] {
        for (name, most) in [("ismcts:", 70), ("pimc:worlds=20,", 70), ("pimc:worlds=1,", 70)] {
            let told = decide(&format!("{name}calls={budget}"), 1, &Othello, &state);
            let calls = told.counters.calls;
            assert!((budget..=budget + most).contains(&calls), "{name}: {calls} of {budget}");
        }
    }
    let told = decide("pimc:worlds=20,calls=30000", 1, &Othello, &state);
    assert_eq!(told.counters.worlds, 20);
}

/// Worlds vote: each has its share, all together keep to the budget, and most votes win.
#[test]
fn worlds_that_vote_share_a_budget() {
    let secrets = Conquest::new(Options::parse("secret-commands=yes").expect("rules"));
    let state = secrets.start(&Setup::default(), &mut Rng::new(0));
    let told = decide("turn-beam:calls=900,worlds=4,spread=20", 1, &secrets, &state);
    assert!(told.counters.calls <= 900, "{:?}", told.counters);
    assert_eq!(told.counters.worlds, 4, "a share for each");
    let told = decide("pvs:nodes=400,worlds=4", 1, &secrets, &state);
    assert!(told.counters.nodes <= 400 + 4, "{:?}", told.counters);
    assert_eq!(told.counters.worlds, 4);
    let told = decide("pvs:depth=2", 1, &secrets, &state);
    assert!(told.complete && told.counters.worlds == 8 && told.depth == 2, "{told:?}");
    let mut rng = Rng::new(3);
    for _ in 0..50 {
        let state = MiniPoker.start(&(), &mut rng);
        let told = decide("pvs:depth=9,worlds=9", 1, &MiniPoker, &state);
        assert!(told.complete && legal(&MiniPoker, &state).contains(&told.action), "{told:?}");
        assert!(told.root.iter().any(|root| root.value.is_some()), "votes have values: {told:?}");
    }
    // Where nothing is hidden there is one world.
    let state = TicTacToe.start(&(), &mut Rng::new(0));
    let told = decide("pvs:depth=3", 1, &TicTacToe, &state);
    assert_eq!((told.counters.worlds, told.depth), (0, 3));
}

#[test]
fn a_full_store_still_learns() {
    let state = MiniPoker.start(&(), &mut Rng::new(4));
    let mut full = agent::<MiniPoker>("ismcts:iterations=3000,tree.nodes=4", 1);
    let told = decide_with(&mut *full, &MiniPoker, &state, 0);
    assert_eq!((told.counters.iterations, told.counters.tree_nodes), (3_000, 4));
    let (nodes, bytes) = full.tree_memory();
    assert!(nodes == 4 && bytes < 4 * 16 * 64, "{bytes} bytes");
    let state = Othello.start(&(), &mut Rng::new(0));
    let mut full = agent::<Othello>("ismcts:iterations=3000,tree.nodes=40", 1);
    let told = decide_with(&mut *full, &Othello, &state, 1_000);
    assert_eq!(told.counters.tree_nodes, 40);
    assert!(told.tree.len() > 40, "edges out of the store are told too");
}

fn told_in_time<G: Game>(spec: &str, game: &G, state: &G::State, time: Option<TimeLeft>) -> u64 {
    let (clock, stop) = (CountingClock::new(Duration::from_millis(1)), StopToken::default());
    let limits =
        Limits { clock: &clock, stop: &stop, time_left: time, progress: None, tree_nodes: 0 };
    let told = agent(spec, 1).decide(game, &game.view(state, Seat::Zero), &limits);
    assert!(told.value.is_some());
    clock.looks()
}

/// On this clock every look takes a millisecond; a world needs a few looks of its own.
#[test]
fn time_ends_a_search_and_worlds_share_it() {
    let state = Othello.start(&(), &mut Rng::new(0));
    for spec in ["ismcts:ms=80", "pimc:ms=80,worlds=4"] {
        let looks = told_in_time(spec, &Othello, &state, None);
        assert!((40..100).contains(&looks), "{spec}: {looks} looks");
    }
    let left = TimeLeft { remaining: Duration::from_secs(2), increment: Duration::ZERO };
    for spec in ["ismcts:iterations=100000000", "pimc:iterations=100000000,worlds=4"] {
        let looks = told_in_time(spec, &Othello, &state, Some(left));
        assert!((40..120).contains(&looks), "{spec}: {looks} looks of a clock's 24th part");
    }
}

#[test]
fn a_stop_from_outside_is_heard() {
    let state = Othello.start(&(), &mut Rng::new(0));
    let (clock, stop) = (CountingClock::new(Duration::ZERO), StopToken::default());
    stop.stop();
    let limits =
        Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
    for spec in ["ismcts:iterations=100000000", "pimc:iterations=100000000"] {
        let told = agent(spec, 1).decide(&Othello, &Othello.view(&state, Seat::Zero), &limits);
        assert!(!told.complete && told.counters.iterations < 100, "{:?}", told.counters);
        assert!(told.value.is_some(), "an opinion even then");
    }
}

#[test]
fn progress_is_told() {
    let state = MiniPoker.start(&(), &mut Rng::new(4));
    let (clock, stop) = (CountingClock::new(Duration::ZERO), StopToken::default());
    for (spec, expected) in [
        ("ismcts:iterations=1100", &[256, 512, 1024][..]),
        ("pimc:iterations=1100,worlds=3", &[367, 734, 1100]),
    ] {
        let heard = Mutex::new(Vec::new());
        let listener = |news: &gamecore::Progress<_>| heard.lock().unwrap().push(news.completed);
        let limits = Limits {
            clock: &clock,
            stop: &stop,
            time_left: None,
            progress: Some(&listener),
            tree_nodes: 0,
        };
        agent(spec, 1).decide(&MiniPoker, &MiniPoker.view(&state, Seat::Zero), &limits);
        assert_eq!(*heard.lock().unwrap(), expected);
    }
}

#[test]
fn a_single_action_is_played_without_search() {
    let nim = StagedNim::new(&[1]);
    let state = nim.start(&(), &mut Rng::new(0));
    for spec in ["ismcts:iterations=100", "pimc:iterations=100"] {
        assert_eq!(decide(spec, 1, &nim, &state).counters.iterations, 0);
    }
}

/// Where nothing is hidden, an information set is a position, and the tree is that of UCT.
#[test]
fn open_games_give_playable_lines_and_trees() {
    let state = TicTacToe.start(&(), &mut Rng::new(0));
    let mut searching = agent::<TicTacToe>("ismcts:iterations=5000", 1);
    let told = decide_with(&mut *searching, &TicTacToe, &state, 300);
    let mut along = state;
    for &action in &told.principal_variation {
        assert!(legal(&TicTacToe, &along).contains(&action));
        along = after(&TicTacToe, &along, action);
    }
    assert_eq!((told.tree.len(), told.tree[0].visits), (300, 5_000));
    for (index, node) in told.tree.iter().enumerate().skip(1) {
        let parent = node.parent.expect("all but the root have one");
        assert!(parent < index && node.visits <= told.tree[parent].visits);
        assert!((0.0..=1.0).contains(&node.value.expect("visited")));
    }
}

#[test]
fn bad_keys_are_named() {
    let cases = [
        ("ismcts:select.c=1", "needs a budget"),
        ("ismcts:iterations=9,select=puct", "unknown key 'select', did you mean 'select.c'?"),
        ("ismcts:iterations=9,solver=on", "unknown key 'solver'"),
        ("ismcts:iterations=9,worlds=4", "unknown key 'worlds'"),
        ("ismcts:iterations=0", "iterations=0: expected a whole number"),
        ("ismcts:iterations=9,rollout=best", "one of uniform, boltzmann"),
        ("pimc:worlds=3", "needs a budget"),
        ("pimc:iterations=9,worlds=0", "worlds=0: expected a whole number from 1"),
        ("pimc:iterations=9,reuse=on", "unknown key 'reuse'"),
        ("pimc:iterations=9,threads=2", "unknown key 'threads'"),
        ("pimc:iterations=9,merge=on,select=ucb1-tuned", "UCB1-Tuned"),
    ];
    for (spec, expected) in cases {
        let Err(message) = try_agent::<MiniPoker>(spec, 1) else { panic!("{spec} is accepted") };
        assert!(message.contains(expected), "{spec}: {message}");
    }
}
