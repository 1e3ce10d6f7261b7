//! Conquest: troops with their health, commands with their costs, attacks weighed before they are
//! made.

use conquest::{Command, Conquest, Deed, Phase, SIZE, State, Troop, commands_in};
use gamecore::{Game, Notation, Seat, Turn};
use serde::Serialize;
use utoipa::ToSchema;

use crate::conquest_choices::{choices, words};
use crate::plain::{Look, Sighted};
use crate::{Choice, Detail, Geometry, Marked, Overlay, Piece, Placed, Scene, capital};

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

/// A command as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct CommandFace {
    /// Its name in actions: `BattleCry`.
    pub id: String,
    /// Its name for people: `Battle Cry`.
    pub name: String,
    /// What it does, one sentence.
    pub about: String,
    /// Command points it costs.
    pub cost: u16,
    /// Turns it cools down after use.
    pub cooldown: u8,
    /// Turns until it is ready again.
    pub cooling: u8,
    /// It can be used now.
    pub usable: bool,
    /// Why not, if not: `cools down for 2 turns`, `needs 25 more points`.
    pub reason: String,
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
pub fn conquest() -> Sighted<Conquest> {
    Sighted {
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
    }
}

/// The number of a square.
pub(crate) fn at((col, row): (u8, u8)) -> u16 {
    u16::from(row) * SIZE as u16 + u16::from(col)
}

/// The troops of a set of slots.
pub(crate) fn slots(set: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |slot| set >> slot & 1 != 0)
}

/// Whose troop is in a slot.
pub(crate) fn owner(state: &State, slot: usize) -> Seat {
    if state.began(Seat::Zero) >> slot & 1 != 0 { Seat::Zero } else { Seat::One }
}

/// The name of a troop for people.
pub(crate) fn troop_name(troop: Troop) -> String {
    spaced(troop.name())
}

/// A name of several words: `BattleCry` is `Battle Cry`, `WindsOfFate` is `Winds of Fate`.
pub(crate) fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.push(letter);
    }
    words.replace(" Of ", " of ")
}

/// The name of a command for people: `Battle Cry`.
#[must_use]
pub fn command_name(command: Command) -> String {
    spaced(command.name())
}

/// What a command does, one sentence.
#[must_use]
pub const fn command_about(command: Command) -> &'static str {
    about(command)
}

/// What a command does, one sentence.
pub(crate) const fn about(command: Command) -> &'static str {
    match command {
        Command::BattleCry => "An own troop gets 200 extra health and 200 more damage.",
        Command::Stoicism => "An own troop gets 400 extra health.",
        Command::Regenerate => "An own troop is healed completely.",
        Command::Bombard => "An enemy troop loses 100 health, wherever it stands.",
        Command::WindsOfFate => "One of your commands that cools down is ready again.",
        Command::Charge => "The selected troop may move twice as far.",
        Command::Chastise => "An enemy troop cannot be selected in its next turn.",
        Command::Vigilance => "An own troop strikes first when it is attacked, if it can reach.",
        Command::ShieldWall => "A hit takes at most 100 from an own troop.",
    }
}

fn conquest_scene(game: &Conquest, state: &State, look: &Look<'_, Conquest>) -> Scene {
    let choices = choices(game, state, look);
    let detail = ConquestScene {
        turn: state.turn(),
        phase: state.phase().name().to_owned(),
        points: Seat::BOTH.map(|seat| state.points(seat)),
        commands: Seat::BOTH.map(|seat| commands(game, state, seat, look, &choices)),
        lost: Seat::BOTH.map(|seat| {
            let dead = state.began(seat) & !state.living(seat);
            slots(dead).map(|slot| state.troop(slot).letter().to_string()).collect()
        }),
        selected: state.selected().map(|slot| at(state.square(slot.into()))),
    };
    Scene {
        status: status(game, state),
        pieces: pieces(game, state),
        obstacles: state.obstacles().into_iter().map(at).collect(),
        overlays: overlays(game, state, &choices),
        choices,
        detail: Detail::Conquest(detail),
    }
}

fn status(game: &Conquest, state: &State) -> String {
    let Turn::Player(seat) = game.turn(state) else { return capital(&game.ending(state)) };
    let name = capital(&game.seat_name(seat));
    let troop = state.selected().map(|slot| troop_name(state.troop(slot.into())));
    let troop = troop.unwrap_or_default();
    match state.phase() {
        Phase::Select => format!("{name}: choose a troop"),
        Phase::Move => format!("{name}: move the {troop}, attack with it, or end the turn"),
        Phase::Combat => format!("{name}: attack with the {troop}, or end the turn"),
        Phase::Rally => format!("{name}: use a command, or end the turn"),
    }
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
                piece: Piece::Troop(TroopFace {
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
                }),
            }
        })
    };
    let mut pieces: Vec<Placed> = of(Seat::Zero).chain(of(Seat::One)).collect();
    pieces.sort_by_key(|placed| placed.square);
    pieces
}

/// The commands of a seat that these eyes may know.
fn commands(
    game: &Conquest,
    state: &State,
    seat: Seat,
    look: &Look<'_, Conquest>,
    choices: &[Choice],
) -> Vec<CommandFace> {
    let known = look.eyes.map_or(*state, |eyes| *game.view(state, eyes).known());
    commands_in(known.owned(seat))
        .map(|command| {
            let stats = game.options().units.command(command);
            let start = format!("k:{}", command.name());
            let usable = choices.iter().any(|choice| choice.path[0] == start);
            let cooling = state.cooldown(seat, command);
            let (points, cost) = (state.points(seat), u32::from(stats.cost));
            let reason = match cooling {
                _ if usable => String::new(),
                1 => "cools down for 1 turn".to_owned(),
                2.. => format!("cools down for {cooling} turns"),
                0 if points < cost => format!("needs {} more points", cost - points),
                0 if game.turn(state) != Turn::Player(seat) => "not your turn".to_owned(),
                0 => "nothing to use it on now".to_owned(),
            };
            CommandFace {
                id: command.name().to_owned(),
                name: spaced(command.name()),
                about: about(command).to_owned(),
                cost: stats.cost,
                cooldown: stats.cooldown,
                cooling,
                usable,
                reason,
            }
        })
        .collect()
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
