//! The properties that every game must have, checked on random games. A violation panics with the
//! game, the seed, the ply and the property.

mod agents;
mod position;
mod record;
mod text;
mod views;

pub use agents::{check_antisymmetric, check_equal_views};

use std::collections::BTreeMap;
use std::fmt;

use gamecore::{Buf, Game, MAX_BRANCHING, Notation, Rng, Seat, Turn, key, random_action};

/// How much to check.
#[derive(Clone, Debug)]
pub struct Conformance {
    /// Random games for each setup.
    pub games: u32,
    /// Where their randomness begins.
    pub seed: u64,
    /// A random game that lasts longer is an error.
    pub max_plies: u32,
    /// Setups as texts, a text a seat; without any, the default setup.
    pub setups: Vec<[String; 2]>,
    /// More positions to begin random games from, as texts.
    pub positions: Vec<String>,
    /// Whether different states must have different keys. The contract asks only that a key tells
    /// seats and legal actions apart; games whose key leaves out a counter switch this off.
    pub distinct_keys: bool,
    /// Whether `guess_action` must know every legal action, and no action has a second text.
    pub guesses: bool,
}

impl Default for Conformance {
    fn default() -> Self {
        Self {
            games: 30,
            seed: 1,
            max_plies: 5_000,
            setups: Vec::new(),
            positions: Vec::new(),
            distinct_keys: true,
            guesses: false,
        }
    }
}

/// Where in which game a property is checked; the beginning of every complaint.
#[derive(Clone, Debug)]
struct Place {
    game: &'static str,
    rules: String,
    source: String,
    seed: u64,
    ply: u32,
    position: String,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, rules, source, seed, ply, position } = self;
        write!(out, "{game} ({rules}), {source}, seed {seed}, ply {ply}, position '{position}'")
    }
}

/// Fails with the place and the property.
macro_rules! require {
    ($place:expr, $property:literal, $holds:expr, $($detail:tt)+) => {
        assert!($holds, "{}: {}: {}", $place, $property, format_args!($($detail)+))
    };
}
use require;

/// What is remembered over all games of a check.
struct Memory<G: Game> {
    state_of_key: BTreeMap<u64, G::State>,
    /// Whether some state could not be told from its view, as hidden information demands.
    met_secret: bool,
    met_chance: bool,
}

/// Checks every property of the contract that can be checked from outside.
///
/// # Panics
/// If a property does not hold.
pub fn check<G: Notation>(game: &G, options: &Conformance) {
    check_constants(game);
    let mut memory = Memory { state_of_key: BTreeMap::new(), met_secret: false, met_chance: false };
    let each_start = |visit: &mut dyn FnMut(Place, G::State, Rng)| {
        for_each_start(game, options, visit);
    };
    each_start(&mut |place, state, rng| walk(game, options, place, state, rng, &mut memory));
    each_start(&mut |place, state, _| record::check_record(game, &place, options, state));
    let traits = game.traits();
    assert!(
        memory.met_secret || !traits.hidden,
        "{}: hidden information: traits say some is hidden, but every view told the whole state",
        G::NAME
    );
    assert!(
        memory.met_chance || !traits.chance,
        "{}: chance: traits say there is chance, but no random game met any",
        G::NAME
    );
}

fn check_constants<G: Notation>(game: &G) {
    let name = G::NAME;
    assert!(!name.is_empty(), "a game has a name");
    assert!(size_of::<G::Action>() <= 8, "{name}: size of an action: at most 8 bytes");
    assert!(
        (1..=MAX_BRANCHING).contains(&G::MAX_ACTIONS),
        "{name}: MAX_ACTIONS: {} is not from 1 to {MAX_BRANCHING}",
        G::MAX_ACTIONS
    );
    let rules = game.rules_text();
    assert!(
        game.rules_text() == rules && game.clone().rules_text() == rules && !rules.contains('\n'),
        "{name}: rules text: not one stable line: '{rules}'"
    );
    for garbage in ["\u{0}", "no such setup", "💥"] {
        // Reading may refuse or not, but must come back.
        drop(game.parse_setup([garbage, garbage]));
        drop(game.parse_position(garbage));
    }
}

/// Calls `visit` with every start position asked for and a random stream of its own.
fn for_each_start<G: Notation>(
    game: &G,
    options: &Conformance,
    visit: &mut dyn FnMut(Place, G::State, Rng),
) {
    let place = |source: String, seed| Place {
        game: G::NAME,
        rules: game.rules_text(),
        source,
        seed,
        ply: 0,
        position: String::new(),
    };
    let default_setup = [[const { String::new() }; 2]];
    let setups = if options.setups.is_empty() { &default_setup[..] } else { &options.setups };
    for (index, [zero, one]) in setups.iter().enumerate() {
        let setup =
            game.parse_setup([zero, one]).unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
        for number in 0..options.games {
            let seed = key::fold(key::fold(options.seed, index as u64), u64::from(number));
            let mut rng = Rng::new(seed);
            let state = game.start(&setup, &mut rng);
            let again = game.start(&setup, &mut Rng::new(seed));
            let place = place(format!("setup '{zero}' v '{one}' game {number}"), seed);
            require!(place, "start repeats", state == again, "one seed gave two positions");
            visit(place, state, rng);
        }
    }
    for (index, text) in options.positions.iter().enumerate() {
        let seed = key::fold(!options.seed, index as u64);
        let state =
            game.parse_position(text).unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
        visit(place(format!("position {index}"), seed), state, Rng::new(seed));
    }
}

/// One random game with every property checked at every ply.
fn walk<G: Notation>(
    game: &G,
    options: &Conformance,
    mut place: Place,
    mut state: G::State,
    mut rng: Rng,
    memory: &mut Memory<G>,
) {
    let mut texts_seen = Vec::new();
    loop {
        place.position = game.position_text(&state);
        check_position(game, options, &place, &state, memory);
        text::check_foreign_actions(game, options, &place, &state, &texts_seen);
        let Some(action) = random_action(game, &state, &mut rng) else { return };
        if texts_seen.len() < 50 {
            texts_seen.push(game.action_text(&state, action));
        }
        game.apply(&mut state, action);
        place.ply += 1;
        let most = options.max_plies;
        require!(place, "games end", place.ply <= most, "not over after {most} plies");
    }
}

fn check_position<G: Notation>(
    game: &G,
    options: &Conformance,
    place: &Place,
    state: &G::State,
    memory: &mut Memory<G>,
) {
    let mut actions = Buf::new();
    let turn = game.turn(state);
    if turn == Turn::Over {
        position::check_payoff(game, place, state);
    } else {
        game.actions(state, &mut actions);
        position::check_actions::<G>(place, &actions);
    }
    if turn == Turn::Chance {
        memory.met_chance = true;
        require!(place, "chance", game.traits().chance, "a chance node, but traits say no chance");
        position::check_weights(game, place, state, &actions);
    }
    position::check_key(game, options, place, state, &mut memory.state_of_key);
    position::check_clones(game, place, state, &actions);
    position::check_playout(game, place, state);
    position::check_perft(game, place, state);
    text::check_actions(game, options, place, state, &actions);
    text::check_position(game, place, state);
    for seat in Seat::BOTH {
        memory.met_secret |= views::check_view(game, place, state, seat);
    }
}
