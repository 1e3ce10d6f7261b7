//! What players did: the counts behind the thesis's tables 3–7 and A.2–A.3. They are taken from
//! finished games, step by step, so a game that nobody counts pays nothing.

use arena::Replay;
use conquest::{Action, COMMANDS, Command, Conquest, Deed, State, TROOPS, Troop, bits};
use gamecore::Seat;
use registry::{OwnCounts, Spread, named};
use serde::Serialize;
use serde_json::{Value, json};

/// The counts of the Conquest thesis, with names.
pub(crate) fn of_conquest() -> Box<dyn OwnCounts<Conquest>> {
    Box::<Behaviour>::default()
}

/// Attacks of one kind of troop on another.
#[derive(Clone, Copy, Default, Serialize)]
struct Attacks {
    /// How many.
    count: u64,
    /// How many killed the one attacked.
    kills: u64,
}

/// What troops died of.
#[derive(Clone, Copy, Default, Serialize)]
struct Deaths {
    /// Attacked.
    attacked: u64,
    /// Struck back at while attacking.
    struck_back: u64,
    /// Bombarded.
    bombarded: u64,
}

/// What was left when a game ended.
struct PointsLeft {
    /// Cost of the living troops of each seat at the end.
    troop_points: [u32; 2],
    /// Command points of each seat at the end.
    command_points: [u32; 2],
}

/// Counts over any number of games. Arrays follow the order of the troop and command tables.
#[derive(Default)]
struct Behaviour {
    /// Every game, in order.
    games: Vec<PointsLeft>,
    /// How often each kind of troop was selected.
    selections: [u64; TROOPS],
    /// Uses of each command, by the kind of troop it was aimed at.
    commands: [[u64; TROOPS]; COMMANDS],
    /// Uses of Winds of Fate, which is aimed at nobody.
    winds_of_fate: u64,
    /// Attacks, attacker by defender.
    attacks: [[Attacks; TROOPS]; TROOPS],
    /// Causes of death by kind of troop.
    deaths: [Deaths; TROOPS],
    /// Moves by kind of troop.
    moves: [u64; TROOPS],
    /// Moves after a Charge.
    charged_moves: [u64; TROOPS],
}

impl Behaviour {
    /// Counts one action, or one outcome of a draw.
    fn observe(&mut self, before: &State, action: Action, after: &State) {
        let kind = |slot: usize| before.troop(slot) as usize;
        let selected = before.selected().map(usize::from);
        let died = living(before) & !living(after);
        match (action.deed(), selected) {
            (Deed::Select(slot), _) => self.selections[kind(slot)] += 1,
            (Deed::Command(Command::WindsOfFate, _), _) => self.winds_of_fate += 1,
            (Deed::Command(command, slot), _) => {
                self.commands[command as usize][kind(slot)] += 1;
                if died != 0 {
                    self.deaths[kind(slot)].bombarded += 1;
                }
            }
            (Deed::Attack(target), Some(attacker)) => {
                let attacks = &mut self.attacks[kind(attacker)][kind(target)];
                attacks.count += 1;
                for slot in bits(died) {
                    if before.living(before.player()) >> slot & 1 != 0 {
                        self.deaths[kind(slot)].struck_back += 1;
                    } else {
                        attacks.kills += 1;
                        self.deaths[kind(slot)].attacked += 1;
                    }
                }
            }
            (Deed::Move { .. }, Some(slot)) => {
                let charged = before.marked(Command::Charge) >> slot & 1 != 0;
                let moves = if charged { &mut self.charged_moves } else { &mut self.moves };
                moves[kind(slot)] += 1;
            }
            (Deed::Attack(_) | Deed::Move { .. }, None) => {}
            (Deed::End | Deed::Reset(_) | Deed::Freed(_), _) => {}
        }
    }

    /// Ends a game.
    fn end(&mut self, game: &Conquest, last: &State) {
        let troop_points = |seat: Seat| {
            let cost = |slot| u32::from(game.options().units.troop(last.troop(slot)).cost);
            bits(last.living(seat)).map(cost).sum()
        };
        self.games.push(PointsLeft {
            troop_points: Seat::BOTH.map(troop_points),
            command_points: Seat::BOTH.map(|seat| last.points(seat)),
        });
    }
}

/// The living troops of both seats.
fn living(state: &State) -> u32 {
    state.living(Seat::Zero) | state.living(Seat::One)
}

impl OwnCounts<Conquest> for Behaviour {
    fn add(&mut self, game: &Conquest, replay: &Replay<Conquest>) {
        for (states, step) in replay.states.windows(2).zip(&replay.steps) {
            self.observe(&states[0], step.action(), &states[1]);
        }
        self.end(game, replay.final_state());
    }

    fn value(&self) -> Value {
        let (troops, commands) = (Troop::ALL.map(Troop::name), Command::ALL.map(Command::name));
        let spread = |of: fn(&PointsLeft) -> u32| {
            Spread::of(&self.games.iter().map(|game| f64::from(of(game))).collect::<Vec<_>>())
        };
        json!({
            "selections": named(troops, &self.selections),
            "moves": named(troops, &self.moves),
            "charged_moves": named(troops, &self.charged_moves),
            "commands": named(commands, &self.commands.map(|row| named(troops, &row))),
            "winds_of_fate": self.winds_of_fate,
            "attacks": named(troops, &self.attacks.map(|row| named(troops, &row))),
            "deaths": named(troops, &self.deaths),
            "troop_points_left": [
                spread(|game| game.troop_points[0]),
                spread(|game| game.troop_points[1]),
            ],
            "command_points_left": [
                spread(|game| game.command_points[0]),
                spread(|game| game.command_points[1]),
            ],
        })
    }
}
