//! Games of the original program, recorded: their loadouts and state objects.

use std::fmt::Display;

use gamecore::{NotationError, Read, Seat, Wrong, refuse};
use serde_json::{Map, Value, json};

use crate::loadout::{Loadout, Setup};
use crate::position;
use crate::rules::Conquest;
use crate::state::{STRIDE, Standing, State, bits, owner};
use crate::units::{Command, Troop, commands_in};

/// The first position of a recorded game, from its two `sides` and its first `state`.
pub fn opening(game: &Conquest, sides: &Value, first: &Value) -> Read<State> {
    let wrong = |reason: &dyn Display| NotationError::new("game", &sides.to_string(), reason);
    let side = |seat: usize| {
        let text = |name: &str| {
            sides[seat][name]
                .as_str()
                .ok_or_else(|| wrong(&format!("sides[{seat}].{name} is no text")))
        };
        let commands: Option<Vec<&str>> = sides[seat]["commands"]
            .as_array()
            .and_then(|names| names.iter().map(Value::as_str).collect());
        let commands =
            commands.ok_or_else(|| wrong(&format!("sides[{seat}].commands is no list")))?;
        Loadout::from_layout(text("layout")?.split('\n'), commands.into_iter(), &wrong)
    };
    let mut state = game.set_up(&Setup { zero: side(0)?, one: side(1)? });
    for seat in 0..2 {
        let points = first["cp"][seat].as_u64().and_then(|points| u32::try_from(points).ok());
        state.points[seat] = points.ok_or_else(|| wrong(&"state.cp is no list of two numbers"))?;
    }
    Ok(state)
}

/// A state as the traces write it. `moved` is the distance each troop has gone this turn, in the
/// order of their numbers, which the rules of one move a turn need not know.
#[must_use]
pub fn state_object(state: &State, moved: &[u8]) -> Map<String, Value> {
    let slots = slots(state);
    let id_of = |slot: u8| slots.iter().position(|&known| known == usize::from(slot));
    let troop = |(id, &slot): (usize, &usize)| {
        let kind = state.troop(slot).letter().to_string();
        let mut object = json!({
            "id": id, "owner": owner(slot).index(), "type": kind, "hp": state.health(slot),
        });
        if state.health(slot) > 0 {
            let (col, row) = state.square(slot);
            let marks = Command::ALL.into_iter().filter(|&command| state.carries(slot, command));
            let mut status: Vec<&str> = marks.map(Command::name).collect();
            status.sort_unstable();
            object["col"] = col.into();
            object["row"] = row.into();
            object["boost"] = state.boost(slot).into();
            object["moved"] = moved.get(id).copied().unwrap_or(0).into();
            object["status"] = status.into();
        }
        object
    };
    let cooldown = Seat::BOTH.map(|seat| {
        let turns = |command: Command| state.cooldown(seat, command);
        let pairs = commands_in(state.owned(seat))
            .map(|command| (command.name().to_owned(), Value::from(turns(command))));
        pairs.collect::<Map<String, Value>>()
    });
    let winner = match state.standing() {
        Standing::Zero => 0,
        Standing::One => 1,
        Standing::Open | Standing::Drawn => -1,
    };
    let object = json!({
        "player": state.player().index(),
        "phase": state.phase().name(),
        "turn": state.turn(),
        "selected": state.selected().and_then(id_of),
        "cp": state.points,
        "cooldown": cooldown,
        "troops": slots.iter().enumerate().map(troop).collect::<Vec<_>>(),
        "winner": winner,
    });
    let Value::Object(object) = object else { unreachable!("it was just made") };
    object
}

/// Troops in the order of their numbers in a trace: seat 0 first.
#[must_use]
pub fn slots(state: &State) -> Vec<usize> {
    bits(state.placed).collect()
}

/// Reads a state object. Distances moved mean nothing where there is one move a turn.
pub(crate) fn read_state(game: &Conquest, text: &str, wrong: Wrong<'_>) -> Read<State> {
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(&error))?;
    let field = |name: &str| {
        value.get(name).ok_or_else(|| wrong(&format!("the field '{name}' is missing")))
    };
    let number = |value: &Value, what: &str, max: u64| match value.as_u64() {
        Some(number) if number <= max => Ok(number),
        _ => Err(wrong(&format!("{what} is not a number up to {max}: {value}"))),
    };
    let mut state = State::empty();
    state.player = Seat::from_index(number(field("player")?, "player", 1)? as usize);
    state.phase = position::read_phase(field("phase")?.as_str().unwrap_or_default(), wrong)?;
    state.turn = number(field("turn")?, "turn", u32::MAX.into())? as u32;
    for seat in 0..2 {
        let points = field("cp")?.get(seat).unwrap_or(&Value::Null);
        state.points[seat] = number(points, "cp", u32::MAX.into())? as u32;
        let commands = field("cooldown")?.get(seat).and_then(Value::as_object);
        for (name, turns) in commands.ok_or_else(|| wrong(&"cooldown is a list of two objects"))? {
            let turns = number(turns, name, u8::MAX.into())? as u8;
            let command = position::read_command(name, wrong)?;
            position::own(&mut state, Seat::from_index(seat), command, turns, wrong)?;
        }
    }
    let mut slot_of_id = Vec::new();
    for troop in field("troops")?.as_array().ok_or_else(|| wrong(&"troops is a list"))? {
        let wrong = |reason: &dyn Display| wrong(&format!("{troop}: {reason}"));
        let slot = read_troop(&mut state, troop, &wrong)?;
        if troop.get("id").and_then(Value::as_u64) != Some(slot_of_id.len() as u64) {
            refuse!(wrong, "ids count from 0");
        }
        slot_of_id.push(slot);
    }
    state.selected = match field("selected")? {
        Value::Null => None,
        id => {
            let id = number(id, "selected", u64::MAX)? as usize;
            Some(*slot_of_id.get(id).ok_or_else(|| wrong(&"the selected troop is not there"))? as u8)
        }
    };
    state.standing = match field("winner")?.as_i64() {
        Some(-1) => Standing::Open,
        Some(0) => Standing::Zero,
        Some(1) => Standing::One,
        _ => refuse!(wrong, "winner is -1, 0 or 1"),
    };
    if !game.options().one_move {
        let id = slots(&state).iter().position(|&slot| Some(slot as u8) == state.selected);
        let moved = id.and_then(|id| field("troops").ok()?.get(id)?.get("moved")?.as_u64());
        state.moved = moved.unwrap_or(0).min(255) as u8;
    }
    Ok(state)
}

fn read_troop(state: &mut State, value: &Value, wrong: Wrong<'_>) -> Read<usize> {
    let number = |name: &str, max: u64| match value.get(name).and_then(Value::as_u64) {
        Some(number) if number <= max => Ok(number),
        _ => Err(wrong(&format!("'{name}' must be a number up to {max}"))),
    };
    let seat = number("owner", 1)? as usize;
    let first = STRIDE * seat;
    let slot = first + state.began(Seat::from_index(seat)).count_ones() as usize;
    if slot >= first + crate::MAX_TROOPS {
        refuse!(wrong, "one troop too many");
    }
    let letter = value.get("type").and_then(Value::as_str).unwrap_or_default();
    let troop =
        letter.chars().next().and_then(Troop::from_letter).ok_or_else(|| wrong(&"no such type"))?;
    state.kind[slot] = troop as u8;
    state.placed |= 1 << slot;
    let health = number("hp", u16::MAX.into())? as u16;
    if health > 0 {
        let (col, row) = (number("col", 255)? as u8, number("row", 255)? as u8);
        position::occupy(state, col, row, wrong)?;
        state.place(slot, troop, health, col, row);
        state.boost[slot] = number("boost", u16::MAX.into())? as u16;
        for name in value.get("status").and_then(Value::as_array).into_iter().flatten() {
            position::mark(state, slot, name.as_str().unwrap_or_default(), wrong)?;
        }
    }
    Ok(slot)
}
