//! Every agent stops when it is told to, whatever its keys say: counted in actions that it applies
//! after the stop, not by a clock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use gamecore::{Game, Limits, Notation, Rng, Turn, random_action};
use registry::{AgentEntry, Param, ParamKind, Parts, Ready, generic_agents};
use search::params::Values;
use testkit::{CountingClock, HashEvaluator, Watched};

/// The stop is said when so many actions were applied.
const STOP_AT: u64 = 3_000;

/// Actions that may be applied after it: a rollout to the end of a game that is going on, and what
/// is done between two looks.
const AT_MOST: u64 = 12_000;

type Keys = Vec<(String, String)>;

/// Always tried: a minimax inside an iteration, as deep as it may be.
const HYBRIDS: [&[(&str, &str)]; 2] = [
    &[
        ("hybrid", "cutoff"),
        ("hybrid.depth", "16"),
        ("rollout.end", "eval"),
        ("rollout.unit", "actions"),
    ],
    &[("hybrid", "expand"), ("hybrid.depth", "16"), ("solver", "on")],
];

/// One of each kind of agent; the others are the same kinds under other names.
const KINDS: [&str; 11] = [
    "minimax",
    "alphabeta",
    "scout",
    "pvs",
    "mtdf",
    "mcts",
    "pimc",
    "ismcts",
    "turn-beam",
    "oep",
    "turn-mcts",
];

/// The budget that only a stop can end.
const ENDLESS: [(&str, &str); 4] =
    [("iterations", "20000000"), ("depth", "60"), ("turns", "40"), ("nodes", "9000000000")];

/// The values at the ends of what a key may be, within what the app allows.
fn extremes(param: &Param) -> Vec<String> {
    match &param.kind {
        ParamKind::Integer { min, max } => {
            let most = param.cost.map_or(*max, |cost| (*max).min(cost.most(2) as i64));
            vec![min.to_string(), most.to_string()]
        }
        ParamKind::Decimal { min, max, .. } => vec![min.to_string(), max.to_string()],
        ParamKind::Choice(words) => words.iter().map(|&word| word.to_owned()).collect(),
        // What a text may be is known to the part that reads it.
        ParamKind::Text => Vec::new(),
    }
}

/// Every key at its extremes, alone and in pairs drawn at random.
fn cases(params: &[Param], rng: &mut Rng) -> Vec<Keys> {
    let alone: Keys = params
        .iter()
        .flat_map(|param| extremes(param).into_iter().map(|value| (param.key.clone(), value)))
        .collect();
    let mut draw = || alone[rng.below(alone.len() as u32) as usize].clone();
    let pairs: Vec<Keys> = (0..alone.len()).map(|_| vec![draw(), draw()]).collect();
    let alone = alone.iter().map(|key| vec![key.clone()]);
    alone.chain(pairs).collect()
}

/// An agent with these keys and no end of its own; `None` if they make no sense.
fn ready<G: Game>(
    entry: &AgentEntry<Watched<G>>,
    keys: &Keys,
    game: &G,
) -> Option<Ready<Watched<G>>> {
    let params = entry.kind.params();
    let known = |key: &str| params.iter().any(|param| param.key == key);
    let given = |key: &str| keys.iter().any(|(given, _)| given == key);
    let endless = ENDLESS.into_iter().filter(|(key, _)| known(key) && !given(key));
    let keys = keys.iter().map(|(key, value)| (key.as_str(), value.as_str()));
    let mut values = Values::resolve(&params, keys.chain(endless)).ok()?;
    entry.kind.settle(&mut values);
    entry.kind.prepare(&values, game.traits()).ok()
}

fn agents_stop<G: Notation + Clone>(game: &G) {
    let mut rng = Rng::new(5);
    let entries = generic_agents::<Watched<G>>();
    let mut tried = Vec::new();
    for entry in entries.iter().filter(|entry| KINDS.contains(&entry.name)) {
        let sensible = |keys: Keys| Some((entry, ready(entry, &keys, game)?, keys));
        tried.extend(cases(&entry.kind.params(), &mut rng).into_iter().filter_map(sensible));
    }
    let tree_search = entries.iter().find(|entry| entry.name == "mcts").expect("mcts exists");
    for keys in HYBRIDS {
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let keys = keys.iter().map(owned).collect();
        tried.extend(ready(tree_search, &keys, game).map(|ready| (tree_search, ready, keys)));
    }
    let mut stopped = 0;
    for (entry, ready, keys) in tried {
        let watched = Watched::new(game.clone(), STOP_AT, AT_MOST);
        let mut state = watched.start(&G::Setup::default(), &mut rng);
        for _ in 0..4 {
            let Some(action) = random_action(game, &state, &mut rng) else { break };
            game.apply(&mut state, action);
        }
        let Turn::Player(seat) = game.turn(&state) else { continue };
        let parts = Parts {
            evaluator: Arc::new(HashEvaluator::new(3)),
            action_score: None,
            pruners: Vec::new(),
            seed: 1,
        };
        let clock = CountingClock::new(Duration::ZERO);
        let (stop, view) = (watched.stop().clone(), watched.view(&state, seat));
        let limits =
            Limits { clock: &clock, stop: &stop, time_left: None, progress: None, tree_nodes: 0 };
        let mut agent = (ready.make)(parts);
        let decide = || agent.decide(&watched, &view, &limits);
        let decided = catch_unwind(AssertUnwindSafe(decide));
        assert!(decided.is_ok(), "{} {keys:?} does not stop", entry.name);
        // Some find the answer before they are told to stop.
        stopped += u32::from(stop.is_stopped());
    }
    assert!(stopped >= 50, "{}: only {stopped} searches were long enough to be stopped", G::NAME);
}

#[test]
fn in_othello() {
    agents_stop(&othello::Othello);
}

#[test]
fn in_conquest() {
    agents_stop(&conquest::Conquest::default());
}

#[test]
fn in_lords_of_war() {
    agents_stop(&lords_of_war::LordsOfWar::new(lords_of_war::Options::default()));
}

#[test]
fn where_cards_are_hidden() {
    let options = lords_of_war::Options::parse("table").unwrap();
    agents_stop(&lords_of_war::LordsOfWar::new(options));
}
