//! What players did. Counts are taken from finished games, step by step, so a game that nobody
//! counts pays nothing.

use std::collections::BTreeMap;

use arena::Replay;
use gamecore::{Buf, Game as _, Seat};
use lords_of_war::{
    ARMY_SIZE, Action, Card, Class, Deed, LordsOfWar, Rank, Reason, Stage, State, squares_in,
};
use registry::{OwnCounts, named};
use serde_json::{Map, Value, json};

/// The counts of Lords of War, with names.
pub(crate) fn of_lords_of_war() -> Box<dyn OwnCounts<LordsOfWar>> {
    Box::<Behaviour>::default()
}

/// Number of ranks.
const RANKS: usize = Rank::QUOTA.len();
/// Number of stages in which something is decided.
const STAGES: usize = Stage::ALL.len() - 1;
/// Number of classes.
const CLASSES: usize = Class::ALL.len();

/// Counts over any number of games. Arrays follow the order of [`Rank::QUOTA`] and [`Class::ALL`].
///
/// Deployments, shots and holds are those that were chosen; one that was the only option is no
/// decision. What follows by itself upon an action counts for the seat that acted.
struct Behaviour {
    games: u64,
    /// Turns of all games together.
    turns: u64,
    /// Decisions, by the first four of [`Stage::ALL`].
    decisions: [u64; STAGES],
    /// Options of these decisions together.
    options: [u64; STAGES],
    /// Cards placed, by rank.
    deployed_ranks: [u64; RANKS],
    /// Cards placed, by class.
    deployed_classes: [u64; CLASSES],
    /// Enemies that fell, by class.
    kills: [u64; CLASSES],
    /// Own cards that fell in the own turn, by class.
    losses: [u64; CLASSES],
    /// Shots fired.
    shots: u64,
    /// Shots held.
    held: u64,
    /// Cards taken back.
    retreats: u64,
    /// Cards drawn, chosen or not.
    draws: u64,
    /// Games by what ended them; an empty name for a game that did not end by the rules.
    endings: BTreeMap<&'static str, u64>,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            games: 0,
            turns: 0,
            decisions: [0; STAGES],
            options: [0; STAGES],
            deployed_ranks: [0; RANKS],
            deployed_classes: [0; CLASSES],
            kills: [0; CLASSES],
            losses: [0; CLASSES],
            shots: 0,
            held: 0,
            retreats: 0,
            draws: 0,
            endings: Reason::ALL.into_iter().map(|reason| (reason.name(), 0)).collect(),
        }
    }
}

impl Behaviour {
    /// Counts one action.
    fn observe(&mut self, game: &LordsOfWar, before: &State, action: Action, after: &State) {
        let me = before.mover();
        let mut actions = Buf::new();
        game.actions(before, &mut actions);
        self.decisions[before.stage() as usize] += 1;
        self.options[before.stage() as usize] += actions.len() as u64;
        match action.deed() {
            Deed::Deploy(kind, _) => {
                let card = &game.army(before, me).cards[usize::from(kind)];
                self.deployed_ranks[card.rank as usize] += 1;
                self.deployed_classes[card.class as usize] += 1;
            }
            Deed::Shoot(..) => self.shots += 1,
            Deed::Hold => self.held += 1,
            Deed::Retreat(_) => self.retreats += 1,
            Deed::Draw | Deed::Pass => {}
        }
        for seat in Seat::BOTH {
            self.draws += (before.deck(seat).len() - after.deck(seat).len()) as u64;
            if after.lost(seat) == before.lost(seat) {
                continue;
            }
            let fell = if seat == me { &mut self.losses } else { &mut self.kills };
            let counts = alive(before, seat).into_iter().zip(alive(after, seat));
            let cards: &[Card] = &game.army(before, seat).cards;
            for (card, (had, has)) in cards.iter().zip(counts) {
                fell[card.class as usize] += had - has;
            }
        }
    }

    /// Ends a game.
    fn end(&mut self, last: &State) {
        self.turns += u64::from(last.turn());
        *self.endings.entry(last.reason().name()).or_default() += 1;
    }
}

/// How many cards of each kind a side still has on the board, in hand and in the deck.
fn alive(state: &State, seat: Seat) -> [u64; ARMY_SIZE] {
    let board =
        squares_in(state.held(seat)).filter_map(|at| state.card_at(at)).map(|(_, kind)| kind);
    let others = state.hand(seat).iter().chain(state.deck(seat)).copied();
    let mut counts = [0; ARMY_SIZE];
    for kind in board.chain(others) {
        counts[usize::from(kind)] += 1;
    }
    counts
}

impl OwnCounts<LordsOfWar> for Behaviour {
    fn add(&mut self, game: &LordsOfWar, replay: &Replay<LordsOfWar>) {
        self.games += 1;
        for (states, step) in replay.states.windows(2).zip(&replay.steps) {
            self.observe(game, &states[0], step.action(), &states[1]);
        }
        self.end(replay.final_state());
    }

    fn value(&self) -> Value {
        let ranks = Rank::QUOTA.map(|(_, name, _)| name);
        let classes = Class::ALL.map(|(_, name)| name);
        let endings = self.endings.iter().map(|(reason, games)| {
            (if reason.is_empty() { "unfinished" } else { reason }.to_owned(), (*games).into())
        });
        let stages: [&str; 4] = std::array::from_fn(|stage| Stage::ALL[stage].name());
        let mean = |total: u64, count: u64| total as f64 / count.max(1) as f64;
        let options: [f64; 4] =
            std::array::from_fn(|stage| mean(self.options[stage], self.decisions[stage]));
        json!({
            "mean_turns": mean(self.turns, self.games),
            "decisions": named(stages, &self.decisions),
            "mean_options": named(stages, &options),
            "deployments": {
                "ranks": named(ranks, &self.deployed_ranks),
                "classes": named(classes, &self.deployed_classes),
            },
            "kills": named(classes, &self.kills),
            "losses_in_own_turn": named(classes, &self.losses),
            "shots": { "fired": self.shots, "held": self.held },
            "retreats": self.retreats,
            "draws": self.draws,
            "endings": endings.collect::<Map<String, Value>>(),
        })
    }
}
