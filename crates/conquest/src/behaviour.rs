//! What players did: the counts behind the thesis's tables 3–7 and A.2–A.3. They are taken from
//! finished games, step by step, so a game that nobody counts pays nothing.

use gamecore::Seat;
use serde::Serialize;

use crate::rules::Conquest;
use crate::state::{Action, Deed, State, bits, owner};
use crate::units::{COMMANDS, Command, TROOPS, Troop};

/// Attacks of one kind of troop on another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Attacks {
    /// How many.
    pub count: u64,
    /// How many killed the one attacked.
    pub kills: u64,
}

/// What troops died of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Deaths {
    /// Attacked.
    pub attacked: u64,
    /// Struck back at while attacking.
    pub struck_back: u64,
    /// Bombarded.
    pub bombarded: u64,
}

/// What was left when a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PointsLeft {
    /// Cost of the living troops of each seat at the end.
    pub troop_points: [u32; 2],
    /// Command points of each seat at the end.
    pub command_points: [u32; 2],
}

/// Counts over any number of games. Arrays follow the order of the troop and command tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Behaviour {
    /// Every game, in order.
    pub games: Vec<PointsLeft>,
    /// How often each kind of troop was selected.
    pub selections: [u64; TROOPS],
    /// Uses of each command, by the kind of troop it was aimed at.
    pub commands: [[u64; TROOPS]; COMMANDS],
    /// Uses of Winds of Fate, which is aimed at nobody.
    pub winds_of_fate: u64,
    /// Attacks, attacker by defender.
    pub attacks: [[Attacks; TROOPS]; TROOPS],
    /// Causes of death by kind of troop.
    pub deaths: [Deaths; TROOPS],
    /// Moves by kind of troop.
    pub moves: [u64; TROOPS],
    /// Moves after a Charge.
    pub charged_moves: [u64; TROOPS],
}

impl Behaviour {
    /// Counts one action, or one outcome of a draw.
    pub fn observe(&mut self, before: &State, action: Action, after: &State) {
        let kind = |slot: usize| usize::from(before.kind[slot]);
        let selected = before.selected.map(usize::from);
        let died = before.alive & !after.alive;
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
                    if owner(slot) == before.player {
                        self.deaths[kind(slot)].struck_back += 1;
                    } else {
                        attacks.kills += 1;
                        self.deaths[kind(slot)].attacked += 1;
                    }
                }
            }
            (Deed::Move { .. }, Some(slot)) => {
                let charged = before.carries(slot, Command::Charge);
                let moves = if charged { &mut self.charged_moves } else { &mut self.moves };
                moves[kind(slot)] += 1;
            }
            (Deed::Attack(_) | Deed::Move { .. }, None) => {}
            (Deed::End | Deed::Reset(_) | Deed::Freed(_), _) => {}
        }
    }

    /// Ends a game.
    pub fn end(&mut self, game: &Conquest, last: &State) {
        let troop_points = |seat: Seat| {
            let cost = |slot| u32::from(game.options().units.troop(last.troop(slot)).cost);
            bits(last.living(seat)).map(cost).sum()
        };
        self.games.push(PointsLeft {
            troop_points: Seat::BOTH.map(troop_points),
            command_points: last.points,
        });
    }

    /// The names behind the indices of the arrays.
    #[must_use]
    pub fn names() -> ([&'static str; TROOPS], [&'static str; COMMANDS]) {
        (Troop::ALL.map(Troop::name), Command::ALL.map(Command::name))
    }
}
