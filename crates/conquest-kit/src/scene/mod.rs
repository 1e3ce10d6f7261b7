//! Conquest: troops with their health, commands with their costs, attacks weighed before they are
//! made.

mod choices;
mod commands;
mod events;

use conquest::{Action, Command, Conquest, Deed, Phase, SIZE, State, Troop};
use gamecore::{Buf, Game, Notation, Seat, Turn, capital};
use protocol::scene::{
    Choice, Detail, Geometry, Marked, Overlay, Piece, Placed, Scene, SceneForms,
};
use registry::{Appearance, Viewer, actions_for};
use serde::Serialize;
use utoipa::ToSchema;

use choices::{choices, words};
use commands::commands;

pub use commands::{CommandFace, command_about, command_name};

/// A troop as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TroopFace {
    /// `K`.
    pub letter: String,
    /// `Knight`.
    pub name: String,
    /// Health now.
    pub health: u16,
    /// Health at the start.
    pub full_health: u16,
    /// Extra health until its next turn.
    pub boost: u16,
    /// What a hit of it takes.
    pub damage: u16,
    /// Squares it can move.
    pub movement: u8,
    /// Squares it can strike across.
    pub range: u8,
    /// Points it costs, and gives to who kills it.
    pub cost: u16,
    /// It is selected now.
    pub selected: bool,
    /// Commands it carries.
    pub marks: Vec<String>,
}

/// What Conquest alone shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ConquestScene {
    /// Turns ended.
    pub turn: u32,
    /// `select`, `move`, `combat` or `rally`.
    pub phase: String,
    /// Command points, by seat.
    pub points: [u32; 2],
    /// Commands, by seat; those that these eyes may not know are left out.
    pub commands: [Vec<CommandFace>; 2],
    /// Letters of the troops each seat has lost.
    pub lost: [Vec<String>; 2],
    /// The square of the selected troop.
    pub selected: Option<u16>,
}

/// How Conquest looks.
#[must_use]
pub fn appearance() -> Appearance<Conquest> {
    Appearance {
        geometry: |_| Geometry {
            columns: SIZE as u8,
            rows: SIZE as u8,
            names: (0..SIZE * SIZE).map(|at| format!("{},{}", at % SIZE, at / SIZE)).collect(),
            row_zero_below: true,
            turned_for_seat_one: true,
        },
        scene: conquest_scene,
        touched: |_, state, action| match action.deed() {
            Deed::Move { col, row } => {
                let from = state.selected().map(|slot| at(state.square(slot.into())));
                from.into_iter().chain([at((col, row))]).collect()
            }
            Deed::Attack(slot) => {
                let from = state.selected().map(|slot| at(state.square(slot.into())));
                from.into_iter().chain([at(state.square(slot))]).collect()
            }
            Deed::Select(slot) | Deed::Freed(slot) => vec![at(state.square(slot))],
            Deed::Command(Command::WindsOfFate, _) | Deed::End | Deed::Reset(_) => Vec::new(),
            Deed::Command(_, slot) => vec![at(state.square(slot))],
        },
        words,
        events: events::events,
        forms: || {
            SceneForms::default()
                .piece::<TroopFace>("troop", "A troop of Conquest.")
                .detail::<ConquestScene>(Conquest::NAME, "Conquest.")
        },
    }
}

/// The number of a square.
fn at((col, row): (u8, u8)) -> u16 {
    u16::from(row) * SIZE as u16 + u16::from(col)
}

/// The troops of a set of slots.
fn slots(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |slot| set >> slot & 1 != 0)
}

/// Whose troop is in a slot.
fn owner(state: &State, slot: usize) -> Seat {
    if state.began(Seat::Zero) >> slot & 1 != 0 { Seat::Zero } else { Seat::One }
}

/// The name of a troop for people.
fn troop_name(troop: Troop) -> String {
    spaced(troop.name())
}

/// A name of several words: `BattleCry` is `Battle Cry`, `WindsOfFate` is `Winds of Fate`.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.push(letter);
    }
    words.replace(" Of ", " of ")
}

fn conquest_scene(game: &Conquest, state: &State, viewer: &Viewer<'_, Conquest>) -> Scene {
    let choices = choices(game, state, viewer);
    let detail = ConquestScene {
        turn: state.turn(),
        phase: state.phase().name().to_owned(),
        points: Seat::BOTH.map(|seat| state.points(seat)),
        commands: Seat::BOTH.map(|seat| commands(game, state, seat, viewer.eyes)),
        lost: Seat::BOTH.map(|seat| {
            let dead = state.began(seat) & !state.living(seat);
            slots(dead).map(|slot| state.troop(slot).letter().to_string()).collect()
        }),
        selected: state.selected().map(|slot| at(state.square(slot.into()))),
    };
    Scene {
        status: status(game, state, viewer.eyes),
        pieces: pieces(game, state),
        obstacles: state.obstacles().into_iter().map(at).collect(),
        overlays: overlays(game, state, &choices),
        choices,
        detail: Detail::new(Conquest::NAME, &detail),
    }
}

/// Who is to do what: only what can be done is named. What the other seat could use of its commands
/// may be hidden, so it is not told.
fn status(game: &Conquest, state: &State, eyes: Option<Seat>) -> String {
    let Turn::Player(seat) = game.turn(state) else { return game.ending_words(state) };
    let name = capital(&game.seat_name(seat));
    if state.phase() == Phase::Select {
        return format!("{name}: choose a troop");
    }
    let troop = state.selected().map(|slot| troop_name(state.troop(slot.into())));
    let troop = troop.unwrap_or_default();
    let mut all = Buf::new();
    game.actions(state, &mut all);
    let own = actions_for(game, state, eyes);
    let any = |actions: &Buf<Action>, is: fn(Deed) -> bool| actions.iter().any(|it| is(it.deed()));
    let moves = any(&all, |deed| matches!(deed, Deed::Move { .. }));
    let attacks = any(&all, |deed| matches!(deed, Deed::Attack(_)));
    let mut parts = Vec::new();
    if moves {
        parts.push(format!("move the {troop}"));
    }
    if attacks {
        let with = if moves { "it".to_owned() } else { format!("the {troop}") };
        parts.push(format!("attack with {with}"));
    }
    if any(&own, |deed| matches!(deed, Deed::Command(..))) {
        parts.push("use a command".to_owned());
    }
    let list = match &parts[..] {
        [] => "end the turn".to_owned(),
        parts => format!("{}, or end the turn", parts.join(", ")),
    };
    format!("{name}: {list}")
}

fn pieces(game: &Conquest, state: &State) -> Vec<Placed> {
    let units = &game.options().units;
    let of = |seat: Seat| {
        slots(state.living(seat)).map(move |slot| {
            let (troop, stats) = (state.troop(slot), units.troop(state.troop(slot)));
            let name = troop_name(troop);
            let marked = |command: &Command| state.marked(*command) >> slot & 1 != 0;
            let marks: Vec<String> =
                Command::ALL.iter().filter(|c| marked(c)).map(|c| spaced(c.name())).collect();
            let carried = marks.iter().map(|mark| format!(", {mark}")).collect::<String>();
            let (health, full) = (state.health(slot), stats.health);
            Placed {
                square: at(state.square(slot)),
                seat: seat.index() as u8,
                label: format!(
                    "{} of {}, {health} of {full} health{carried}",
                    name,
                    game.seat_name(seat)
                ),
                piece: Piece::new(
                    "troop",
                    &TroopFace {
                        letter: troop.letter().to_string(),
                        name,
                        health,
                        full_health: full,
                        boost: state.boost(slot),
                        damage: stats.damage,
                        movement: stats.movement,
                        range: stats.range,
                        cost: stats.cost,
                        selected: state.selected() == Some(slot as u8),
                        marks,
                    },
                ),
            }
        })
    };
    let mut pieces: Vec<Placed> = of(Seat::Zero).chain(of(Seat::One)).collect();
    pieces.sort_by_key(|placed| placed.square);
    pieces
}

/// What the selected troop can strike in this turn, and what each side could strike in its next.
fn overlays(game: &Conquest, state: &State, choices: &[Choice]) -> Vec<Overlay> {
    let mut overlays = Vec::new();
    if let Some(slot) = state.selected().map(usize::from)
        && state.phase() != Phase::Rally
        && !choices.is_empty()
    {
        let mut from = vec![state.square(slot)];
        if state.phase() == Phase::Move {
            from.extend(game.walkable(state, slot));
        }
        overlays.push(Overlay {
            id: "range".to_owned(),
            name: "Attack range".to_owned(),
            about: "Squares the selected troop can strike in this turn.".to_owned(),
            seat: Some(owner(state, slot).index() as u8),
            shown: true,
            squares: within(&from, game.range_of(state, slot)),
        });
    }
    for seat in Seat::BOTH {
        let mut struck: Vec<u16> = slots(state.living(seat))
            .flat_map(|slot| {
                let mut from = game.walkable(state, slot);
                from.push(state.square(slot));
                within(&from, game.range_of(state, slot))
            })
            .map(|marked| marked.square)
            .collect();
        struck.sort_unstable();
        struck.dedup();
        let name = game.seat_name(seat);
        overlays.push(Overlay {
            id: format!("danger-{}", seat.index()),
            name: format!("Danger from {name}"),
            about: format!("Squares that {name} could strike in a turn, without commands."),
            seat: Some(seat.index() as u8),
            shown: false,
            squares: struck.into_iter().map(|square| Marked { square, text: None }).collect(),
        });
    }
    overlays
}

/// Squares at most so far from one of these.
fn within(from: &[(u8, u8)], range: u8) -> Vec<Marked> {
    let last = SIZE as u8 - 1;
    let mut hit = [[false; SIZE]; SIZE];
    for &(col, row) in from {
        for line in &mut hit[row.saturating_sub(range).into()..=(row + range).min(last).into()] {
            line[col.saturating_sub(range).into()..=(col + range).min(last).into()].fill(true);
        }
    }
    let squares = hit.iter().flatten().zip(0..).filter(|(hit, _)| **hit);
    squares.map(|(_, square)| Marked { square, text: None }).collect()
}
