//! Positions as the golden traces write them: JSON objects.

use std::fmt::Display;

use gamecore::{NotationError, Read, Seat, Wrong, refuse};
use serde_json::{Map, Value, json};

use crate::board::{BOARD, Square, squares_in};
use crate::cards::{ARMY_SIZE, Army};
use crate::position::{self, FULL_DECK, TurnSoFar, complete, fill_hands, read_shot};
use crate::rules::LordsOfWar;
use crate::state::{HAND_LIMIT, Stage, Standing, State, threatened_squares};

/// The first decision of a recorded game: `armies`, `first`, and the shuffled `order` of physical
/// numbers, of which every card of an army has one.
pub fn opening(game: &LordsOfWar, record: &Value) -> Read<State> {
    let wrong = |reason: &dyn Display| NotationError::new("game", &record.to_string(), reason);
    let army =
        [0, 1].map(|seat| record["armies"][seat].as_str().and_then(|id| game.army_index(id)));
    let [Some(zero), Some(one)] = army else {
        refuse!(wrong, "armies {}: expected two of {}", record["armies"], game.army_names());
    };
    let first = match record["first"].as_u64() {
        Some(seat @ 0..=1) => Seat::from_index(seat as usize),
        _ => refuse!(wrong, "first is 0 or 1, not {}", record["first"]),
    };
    let order = |seat: usize, army: u8| {
        let army = &game.armies()[usize::from(army)];
        let numbers = record["order"][seat].as_array().map_or(&[][..], Vec::as_slice);
        read_order(army, numbers)
            .ok_or_else(|| wrong(&format!("order of seat {seat}: not the cards of {}", army.id)))
    };
    let orders = [order(0, zero)?, order(1, one)?];
    Ok(game.deal([zero, one], first, [&orders[0], &orders[1]]))
}

fn read_order(army: &Army, numbers: &[Value]) -> Option<Vec<u8>> {
    let kinds = army.physical();
    let mut seen = [false; ARMY_SIZE];
    let mut order = Vec::new();
    for number in numbers {
        let number = number.as_u64()? as usize;
        let kind = *kinds.get(number)?;
        if seen[number] || kind == army.general() {
            return None;
        }
        seen[number] = true;
        order.push(kind);
    }
    (order.len() == ARMY_SIZE - 1).then_some(order)
}

/// The position as an object, without the heuristic values.
#[must_use]
pub fn state_object(state: &State) -> Map<String, Value> {
    let over = state.stage == Stage::Over;
    let both = |value: &dyn Fn(Seat) -> Value| Value::from(Seat::BOTH.map(value).to_vec());
    let board: Map<String, Value> = squares_in(BOARD)
        .filter_map(|square| {
            let (seat, kind) = state.card_at(square)?;
            Some((square.to_string(), json!([seat.index(), kind])))
        })
        .collect();
    let mut object = Map::new();
    let mut set = |key: &str, value: Value| object.insert(key.to_owned(), value);
    set("turn", state.turn.into());
    set("seat", if over { Value::Null } else { state.mover.index().into() });
    set("stage", state.stage.name().into());
    set("board", board.into());
    set("hands", both(&|seat| json!(state.hand(seat))));
    set("decks", both(&|seat| state.deck(seat).len().into()));
    set("lost", both(&|seat| state.lost(seat).into()));
    set("lost_commands", both(&|seat| state.lost_commands(seat).into()));
    let result = match state.standing {
        Standing::Open => Value::Null,
        Standing::Zero => 0.into(),
        Standing::One => 1.into(),
        Standing::Drawn => "draw".into(),
    };
    set("result", result);
    set("reason", if over { state.reason.name().into() } else { Value::Null });
    let threat = |seat| threatened_squares(state, seat).count_ones().into();
    set("threat", both(&threat));
    if let Some(shooter) = state.shooter() {
        set("shooter", shooter.to_string().into());
        let fired: Vec<String> = state.shots().map(|(from, to)| format!("{from}>{to}")).collect();
        set("fired", fired.into());
    }
    object
}

/// Reads such an object. It has neither armies (`armies` may be added; Orcs and Dwarves
/// otherwise) nor deck orders: both decks get what is left, in ascending order.
pub(crate) fn read_state(game: &LordsOfWar, text: &str, wrong: Wrong<'_>) -> Read<State> {
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(&error))?;
    let number = |value: &Value, what: &str| {
        value.as_u64().ok_or_else(|| wrong(&format!("'{what}' must be a number, not {value}")))
    };
    let armies = value.get("armies").cloned().unwrap_or_else(|| json!(["orcs", "dwarves"]));
    let army = [0, 1].map(|seat| armies[seat].as_str().and_then(|id| game.army_index(id)));
    let [Some(zero), Some(one)] = army else {
        refuse!(wrong, "armies {armies}: expected two of {}", game.army_names());
    };
    let turn = number(&value["turn"], "turn")?.min(u16::MAX.into()) as u16;
    let seat = match &value["seat"] {
        // Over: nobody is to act.
        Value::Null => Seat::Zero,
        given => read_seat(given, wrong)?,
    };
    let mut state = State::empty([zero, one], if turn % 2 == 1 { seat } else { seat.other() });
    state.turn = turn;
    let stage = Stage::ALL.into_iter().find(|stage| value["stage"] == stage.name());
    state.stage = stage.ok_or_else(|| wrong(&format!("no stage {}", value["stage"])))?;
    for (square, card) in
        value["board"].as_object().ok_or_else(|| wrong(&"'board' must be an object"))?
    {
        let at = Square::parse(square).ok_or_else(|| wrong(&format!("'{square}' is no square")))?;
        let owner = read_seat(&card[0], wrong)?;
        let kind = number(&card[1], "card id")?.min(255) as u8;
        position::put(game, &mut state, owner, kind, at, wrong)?;
    }
    let mut hands = [Vec::new(), Vec::new()];
    for seat in Seat::BOTH {
        let hand = value["hands"][seat.index()]
            .as_array()
            .ok_or_else(|| wrong(&"'hands' must be two lists"))?;
        for kind in hand.iter().take(HAND_LIMIT + 1) {
            hands[seat.index()].push(number(kind, "card id")?.min(255) as u8);
        }
        let left = left_over(game, &state, seat, &hands[seat.index()], &value, wrong)?;
        state.set_deck(seat, &left);
    }
    fill_hands(&mut state, &hands, &Default::default(), wrong)?;
    let square = |field: &str| match &value[field] {
        Value::Null => Ok(None),
        given => given
            .as_str()
            .and_then(Square::parse)
            .map(Some)
            .ok_or_else(|| wrong(&format!("'{field}' must be a square, not {given}"))),
    };
    let (placed, shooter) = (square("placed")?, square("shooter")?);
    let mut so_far = TurnSoFar { placed, shooter, ..TurnSoFar::default() };
    for shot in value["fired"].as_array().into_iter().flatten() {
        so_far.fired.push(read_shot(shot.as_str().unwrap_or_default(), wrong)?);
    }
    complete(game, state, &so_far, wrong)
}

fn read_seat(value: &Value, wrong: Wrong<'_>) -> Read<Seat> {
    match value.as_u64() {
        Some(seat @ 0..=1) => Ok(Seat::from_index(seat as usize)),
        _ => Err(wrong(&format!("a seat is 0 or 1, not {value}"))),
    }
}

/// A deck for a side: of the cards that are neither on the board nor in hand, so many are lost,
/// and so many of those are command cards. Which ones is not told: the first in order.
fn left_over(
    game: &LordsOfWar,
    state: &State,
    seat: Seat,
    hand: &[u8],
    value: &Value,
    wrong: Wrong<'_>,
) -> Read<Vec<u8>> {
    let army = game.army(state, seat);
    let mut left = army.physical().to_vec();
    let board = squares_in(state.held(seat)).filter_map(|square| state.card_at(square));
    for kind in board.map(|(_, kind)| kind).chain(hand.iter().copied()) {
        let place = left.iter().position(|&other| other == kind);
        left.remove(place.ok_or_else(|| wrong(&format!("{} has fewer cards {kind}", army.id)))?);
    }
    let count = |field: &str| value[field][seat.index()].as_u64().unwrap_or(0) as usize;
    let commands = count("lost_commands");
    let (mut lost, mut lost_others) = (commands, count("lost").saturating_sub(commands));
    left.retain(|&kind| {
        let counter =
            if army.cards[usize::from(kind)].commands() { &mut lost } else { &mut lost_others };
        let kept = *counter == 0;
        *counter = counter.saturating_sub(1);
        kept
    });
    if left.len() > FULL_DECK {
        refuse!(wrong, "seat {}: a deck has at most {FULL_DECK} cards", seat.index());
    }
    if left.len() != count("decks") {
        let (seat, all) = (seat.index(), ARMY_SIZE);
        refuse!(wrong, "seat {seat}: board, hand, deck and lost cards do not add up to {all}");
    }
    Ok(left)
}
