//! The commands of Conquest: what they cost, what they do, and why one cannot be used.

use conquest::{Action, Command, Conquest, Deed, State, commands_in};
use gamecore::{Buf, Game, Seat, Turn};
use serde::Serialize;
use utoipa::ToSchema;

use super::spaced;

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
pub(super) const fn about(command: Command) -> &'static str {
    match command {
        Command::BattleCry => "One of your troops gets 200 extra health and 200 more damage.",
        Command::Stoicism => "One of your troops gets 400 extra health.",
        Command::Regenerate => "One of your troops is healed completely.",
        Command::Bombard => "An enemy troop loses 100 health, wherever it stands.",
        Command::WindsOfFate => "One of your commands that cools down is ready again.",
        Command::Charge => "The selected troop may move twice as far.",
        Command::Chastise => "An enemy troop cannot be selected in its next turn.",
        Command::Vigilance => {
            "One of your troops strikes first when it is attacked, if it can reach."
        }
        Command::ShieldWall => "A hit takes at most 100 from one of your troops.",
    }
}

/// The commands of a seat that these eyes may know.
pub(super) fn commands(
    game: &Conquest,
    state: &State,
    seat: Seat,
    eyes: Option<Seat>,
) -> Vec<CommandFace> {
    let known = eyes.map_or(*state, |eyes| *game.view(state, eyes).known());
    let acts = game.turn(state) == Turn::Player(seat);
    let mut actions = Buf::new();
    if acts {
        game.actions(state, &mut actions);
    }
    commands_in(known.owned(seat))
        .map(|command| {
            let stats = game.options().units.command(command);
            let used =
                |action: &Action| matches!(action.deed(), Deed::Command(it, _) if it == command);
            let usable = actions.iter().any(used);
            CommandFace {
                id: command.name().to_owned(),
                name: spaced(command.name()),
                about: about(command).to_owned(),
                cost: stats.cost,
                cooldown: stats.cooldown,
                cooling: state.cooldown(seat, command),
                usable,
                reason: if usable { String::new() } else { why_not(game, state, seat, command) },
            }
        })
        .collect()
}

/// Why a command cannot be used now, in the order of rule 6: ready, paid for, its phase, its target.
fn why_not(game: &Conquest, state: &State, seat: Seat, command: Command) -> String {
    let stats = game.options().units.command(command);
    let (points, cost) = (state.points(seat), u32::from(stats.cost));
    match state.cooldown(seat, command) {
        0 => {}
        1 => return "cools down for 1 turn".to_owned(),
        turns => return format!("cools down for {turns} turns"),
    }
    if points < cost {
        return format!("needs {} more points", cost - points);
    }
    match game.turn(state) {
        Turn::Over => return "the game is over".to_owned(),
        Turn::Player(mover) if mover == seat => {}
        _ => return "waits for its turn".to_owned(),
    }
    let offered = !game.options().command_window || stats.phases >> state.phase() as u8 & 1 != 0;
    match offered {
        true => no_target(state, seat, command).to_owned(),
        false => phases_of(stats.phases),
    }
}

/// When a command is offered: `only after moving or after attacking`.
fn phases_of(phases: u8) -> String {
    let words = ["while choosing a troop", "before moving", "after moving", "after attacking"];
    let offered = (0..).zip(words).filter(|(phase, _)| phases >> phase & 1 != 0);
    let offered: Vec<&str> = offered.map(|(_, words)| words).collect();
    if offered.is_empty() {
        return "never, under these rules".to_owned();
    }
    format!("only {}", offered.join(" or "))
}

/// What a command that is ready, paid for and in its phase lacks.
fn no_target(state: &State, seat: Seat, command: Command) -> &'static str {
    let unmarked = state.living(seat.other()) & !state.marked(command);
    match command {
        Command::BattleCry | Command::Stoicism | Command::Vigilance => {
            "every own troop has it already"
        }
        Command::Regenerate => "no own troop is hurt",
        Command::ShieldWall => "no own troop that lacks it has more than 100 health",
        Command::Bombard => "every enemy troop was bombarded in this turn",
        Command::WindsOfFate => "no own command cools down",
        Command::Charge => "the selected troop has it already",
        Command::Chastise if unmarked == 0 => "every enemy troop is chastised already",
        Command::Chastise => "another enemy troop must stay free to act",
    }
}
