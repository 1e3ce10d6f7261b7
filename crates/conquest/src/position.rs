//! A position on one line, and whether the rules can go on from it.
//!
//! `PLAYER PHASE TURN SELECTED STANDING POINTS COMMANDS COMMANDS TROOPS TROOPS OBSTACLES`, see
//! `docs/rules/conquest.md`.

use std::fmt::Display;
use std::str::FromStr;

use gamecore::{Read, Seat, Wrong, refuse};

use crate::obstacles;
use crate::options::MAX_TURNS;
use crate::rules::Conquest;
use crate::state::{MAX_COMMANDS, MAX_TROOPS, Pending, Phase, SIZE, STRIDE, Standing, State, bits};
use crate::units::{Command, Troop, commands_in};

/// A troop with its square, health, boost and marks: `C12/5=300+200!BattleCry`.
pub(crate) fn troop_text(state: &State, slot: usize) -> String {
    let letter = state.troop(slot).letter();
    if state.alive >> slot & 1 == 0 {
        return format!("{letter}x");
    }
    let (col, row) = state.square(slot);
    let mut text = format!("{letter}{col}/{row}={}", state.health[slot]);
    if state.boost[slot] > 0 {
        text += &format!("+{}", state.boost[slot]);
    }
    for command in Command::ALL.into_iter().filter(|&command| state.carries(slot, command)) {
        text += &format!("!{}", command.name());
    }
    text
}

/// The line.
pub(crate) fn write(state: &State) -> String {
    let or_dash = |list: Vec<String>| match list.is_empty() {
        true => "-".to_owned(),
        false => list.join(","),
    };
    let commands = |seat: Seat| {
        let texts = commands_in(state.owned(seat)).map(|command| {
            let seen = state.revealed[seat.index()] & command.bit() != 0;
            let cooldown = match state.cooldown(seat, command) {
                0 => String::new(),
                turns => format!(":{turns}"),
            };
            format!("{}{cooldown}{}", command.name(), if seen { "*" } else { "" })
        });
        or_dash(texts.collect())
    };
    let troops =
        |seat: Seat| or_dash(bits(state.began(seat)).map(|slot| troop_text(state, slot)).collect());
    let draw = match state.pending {
        Pending::Nothing => "",
        Pending::Winds => "?winds",
        Pending::Freed => "?freed",
    };
    let selected = match state.selected {
        None => "-".to_owned(),
        Some(slot) if state.moved > 0 => format!("{}:{}", usize::from(slot) % STRIDE, state.moved),
        Some(slot) => (usize::from(slot) % STRIDE).to_string(),
    };
    let standing = match state.standing {
        Standing::Open => "open",
        Standing::Zero => "won0",
        Standing::One => "won1",
        Standing::Drawn => "drawn",
    };
    let obstacles = state.obstacles().iter().map(|(col, row)| format!("{col}/{row}")).collect();
    format!(
        "{} {}{draw} {} {selected} {standing} {}/{} {} {} {} {} {}",
        state.player.index(),
        state.phase.name(),
        state.turn,
        state.points[0],
        state.points[1],
        commands(Seat::Zero),
        commands(Seat::One),
        troops(Seat::Zero),
        troops(Seat::One),
        or_dash(obstacles),
    )
}

/// Reads the line; [`check`] says whether it makes sense.
pub(crate) fn read(text: &str, wrong: Wrong<'_>) -> Read<State> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [player, phase, turn, selected, standing, points, c0, c1, t0, t1, blocks] = words[..]
    else {
        refuse!(
            wrong,
            "expected 11 words, found {}: player phase turn selected standing points commands \
             commands troops troops obstacles",
            words.len()
        );
    };
    let mut state = State::empty();
    state.player = match player {
        "0" => Seat::Zero,
        "1" => Seat::One,
        _ => refuse!(wrong, "player '{player}' is neither 0 nor 1"),
    };
    let (phase, draw) = phase.split_once('?').map_or((phase, None), |(p, d)| (p, Some(d)));
    state.phase = read_phase(phase, wrong)?;
    state.pending = match draw {
        None => Pending::Nothing,
        Some("winds") => Pending::Winds,
        Some("freed") => Pending::Freed,
        Some(other) => refuse!(wrong, "draw '{other}' is neither winds nor freed"),
    };
    state.turn = number("turn", turn, wrong)?;
    if selected != "-" {
        let (slot, moved) = selected.split_once(':').unwrap_or((selected, "0"));
        let slot: usize = number("selected", slot, wrong)?;
        if slot >= MAX_TROOPS {
            refuse!(wrong, "selected {slot} is not from 0 to {}", MAX_TROOPS - 1);
        }
        state.selected = Some((slot + STRIDE * state.player.index()) as u8);
        state.moved = number("distance", moved, wrong)?;
    }
    state.standing = match standing {
        "open" => Standing::Open,
        "won0" => Standing::Zero,
        "won1" => Standing::One,
        "drawn" => Standing::Drawn,
        _ => refuse!(wrong, "standing '{standing}' is none of open, won0, won1, drawn"),
    };
    let (zero, one) =
        points.split_once('/').ok_or_else(|| wrong(&"points are two numbers: 0/25"))?;
    state.points = [number("points", zero, wrong)?, number("points", one, wrong)?];
    for (seat, list) in Seat::BOTH.into_iter().zip([c0, c1]) {
        read_commands(&mut state, seat, list, wrong)?;
    }
    for (seat, list) in Seat::BOTH.into_iter().zip([t0, t1]) {
        for (number, troop) in list.split(',').filter(|_| list != "-").enumerate() {
            if number == MAX_TROOPS {
                refuse!(wrong, "more than {MAX_TROOPS} troops on one side");
            }
            let wrong = |reason: &dyn Display| wrong(&format!("troop '{troop}': {reason}"));
            read_troop(&mut state, seat.index() * STRIDE + number, troop, &wrong)?;
        }
    }
    for square in blocks.split(',').filter(|_| blocks != "-") {
        let (col, row) = read_square(square, wrong)?;
        occupy(&mut state, col, row, wrong)?;
    }
    Ok(state)
}

pub(crate) fn read_phase(name: &str, wrong: Wrong<'_>) -> Read<Phase> {
    let found = Phase::ALL.into_iter().find(|phase| phase.name() == name);
    found.ok_or_else(|| wrong(&format!("phase '{name}' is none of select, move, combat, rally")))
}

fn number<N: FromStr>(what: &str, text: &str, wrong: Wrong<'_>) -> Read<N> {
    text.parse().map_err(|_| wrong(&format!("{what} '{text}' is not a number in range")))
}

fn read_square(text: &str, wrong: Wrong<'_>) -> Read<(u8, u8)> {
    let (col, row) =
        text.split_once('/').ok_or_else(|| wrong(&format!("'{text}' is not COLUMN/ROW")))?;
    Ok((number("column", col, wrong)?, number("row", row, wrong)?))
}

/// Blocks a square that must be free.
pub(crate) fn occupy(state: &mut State, col: u8, row: u8, wrong: Wrong<'_>) -> Read<()> {
    let size = SIZE as u8;
    if col >= size || row >= size {
        refuse!(wrong, "square {col}/{row} is beyond the board");
    }
    if !state.is_free(col, row) {
        refuse!(wrong, "square {col}/{row} is taken twice");
    }
    state.blocked[usize::from(row)] |= 1 << col;
    Ok(())
}

fn read_commands(state: &mut State, seat: Seat, list: &str, wrong: Wrong<'_>) -> Read<()> {
    for text in list.split(',').filter(|_| list != "-") {
        let (text, seen) = text.strip_suffix('*').map_or((text, false), |rest| (rest, true));
        let (name, turns) = text.split_once(':').unwrap_or((text, "0"));
        let turns = number("cooldown", turns, wrong)?;
        let command = read_command(name, wrong)?;
        own(state, seat, command, turns, wrong)?;
        state.revealed[seat.index()] |= if seen { command.bit() } else { 0 };
    }
    Ok(())
}

pub(crate) fn read_command(name: &str, wrong: Wrong<'_>) -> Read<Command> {
    Command::from_name(name).ok_or_else(|| wrong(&format!("no such command '{name}'")))
}

/// Gives a command to a seat.
pub(crate) fn own(
    state: &mut State,
    seat: Seat,
    command: Command,
    turns: u8,
    wrong: Wrong<'_>,
) -> Read<()> {
    if state.owned[seat.index()] & command.bit() != 0 {
        refuse!(wrong, "the command {} is listed twice", command.name());
    }
    state.owned[seat.index()] |= command.bit();
    state.cooldown[seat.index()][command as usize] = turns;
    if turns == 0 {
        state.ready[seat.index()] |= command.bit();
    } else {
        // What cools down was used, and so seen.
        state.revealed[seat.index()] |= command.bit();
    }
    Ok(())
}

fn read_troop(state: &mut State, slot: usize, text: &str, wrong: Wrong<'_>) -> Read<()> {
    let letter = text.chars().next().ok_or_else(|| wrong(&"nothing there"))?;
    let troop = Troop::from_letter(letter)
        .ok_or_else(|| wrong(&"the first letter is no troop (S F H A M K C)"))?;
    let rest = &text[letter.len_utf8()..];
    state.kind[slot] = troop as u8;
    state.placed |= 1 << slot;
    if rest == "x" {
        return Ok(());
    }
    let mut parts = rest.split('!');
    let body = parts.next().expect("split yields at least one part");
    let (square, health) =
        body.split_once('=').ok_or_else(|| wrong(&"expected COLUMN/ROW=HEALTH, or x"))?;
    let (health, boost) = health.split_once('+').unwrap_or((health, "0"));
    let (col, row) = read_square(square, wrong)?;
    occupy(state, col, row, wrong)?;
    state.place(slot, troop, number("health", health, wrong)?, col, row);
    state.boost[slot] = number("boost", boost, wrong)?;
    for name in parts {
        mark(state, slot, name, wrong)?;
    }
    Ok(())
}

/// Marks a troop with a command.
pub(crate) fn mark(state: &mut State, slot: usize, name: &str, wrong: Wrong<'_>) -> Read<()> {
    let command = read_command(name, wrong)?;
    if state.carries(slot, command) || command == Command::WindsOfFate {
        refuse!(wrong, "{name} cannot be carried, or not twice");
    }
    state.marks[command as usize] |= 1 << slot;
    Ok(())
}

/// Refuses what no game can come to, or could not go on from.
pub(crate) fn check(game: &Conquest, state: &State, wrong: Wrong<'_>) -> Read<()> {
    let options = game.options();
    for seat in Seat::BOTH {
        if state.owned(seat).count_ones() > MAX_COMMANDS {
            refuse!(wrong, "more than {MAX_COMMANDS} commands on one side");
        }
        if state.began(seat) == 0 {
            refuse!(wrong, "player {} has no troops", seat.index());
        }
        for command in commands_in(state.owned(seat)) {
            let (name, turns) = (command.name(), state.cooldown(seat, command));
            let full = options.units.command(command).cooldown;
            if turns > full {
                refuse!(wrong, "{name}: cooldown {turns} is above {full}");
            }
        }
    }
    for slot in bits(state.alive) {
        let (troop, health) = (state.troop(slot), state.health[slot]);
        let full = options.units.troop(troop).health;
        if health == 0 || health > full {
            let name = troop.name();
            refuse!(wrong, "{name} has health from 1 to {full}, not {health}");
        }
        if state.boost[slot] > 20_000 {
            refuse!(wrong, "a boost of {} is above 20000", state.boost[slot]);
        }
    }
    if state.turn > MAX_TURNS {
        refuse!(wrong, "turn {} is above {MAX_TURNS}", state.turn);
    }
    if !obstacles::is_connected(state) {
        refuse!(wrong, "the obstacles close off a part of the board");
    }
    check_standing(game, state, wrong)?;
    if state.standing == Standing::Open { check_turn(game, state, wrong) } else { Ok(()) }
}

/// The standing must be what the living troops and the turn say.
fn check_standing(game: &Conquest, state: &State, wrong: Wrong<'_>) -> Read<()> {
    let options = game.options();
    let living = Seat::BOTH.map(|seat| state.living(seat) != 0);
    let limit = options.turn_limit.is_some_and(|limit| state.turn >= limit);
    // A Bombard may have killed the last enemy with the turn still going on.
    let waits = !options.bombard_wins_at_once && living[state.player.index()];
    let fits = match state.standing {
        Standing::Open => (living == [true; 2] || waits) && !limit,
        Standing::Zero => living == [true, false],
        Standing::One => living == [false, true],
        Standing::Drawn => living == [true; 2] && limit,
    };
    if fits { Ok(()) } else { Err(wrong(&"the standing does not fit the troops and the turn")) }
}

fn check_turn(game: &Conquest, state: &State, wrong: Wrong<'_>) -> Read<()> {
    let living = state.living(state.player);
    let chastised = state.marked(Command::Chastise);
    let selected = state.selected.map(usize::from);
    match state.pending {
        Pending::Winds if state.cooling() == 0 => {
            refuse!(wrong, "no command is cooling down, so Winds of Fate draws nothing");
        }
        Pending::Freed if state.phase != Phase::Select || living & !chastised != 0 => {
            refuse!(wrong, "a troop is freed only when a turn begins with all chastised");
        }
        _ => {}
    }
    match (state.phase, selected) {
        (Phase::Select, None) if state.pending == Pending::Freed => Ok(()),
        (Phase::Select, None) if living & !chastised == 0 => {
            Err(wrong(&"every troop of the player is chastised: nobody can be selected"))
        }
        (Phase::Select, None) => Ok(()),
        (Phase::Select, Some(_)) => Err(wrong(&"nobody is selected in the select phase")),
        (_, None) => Err(wrong(&"somebody must be selected after the select phase")),
        (phase, Some(slot)) => {
            let dead = living >> slot & 1 == 0;
            if state.began(state.player) >> slot & 1 == 0 || dead && phase != Phase::Rally {
                refuse!(wrong, "the selected troop is not there");
            }
            let movement = game.movement(state.kind[slot]);
            // The dead carry no marks any more.
            let charged = dead || state.carries(slot, Command::Charge);
            let distance = if charged { 2 * movement } else { movement };
            match state.moved {
                moved if moved > 0 && game.options().one_move || moved > distance => {
                    Err(wrong(&format!("the selected troop cannot have moved {moved}")))
                }
                _ => Ok(()),
            }
        }
    }
}
