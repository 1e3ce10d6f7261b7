//! Texts of actions and positions. `docs/rules/conquest.md` defines them.

use std::fmt::{Display, Write as _};

use gamecore::{Game, Notation, NotationError, RuleSheet, Seat, Told};

use crate::loadout::{Loadout, Setup};
use crate::options::Options;
use crate::position;
use crate::rules::Conquest;
use crate::state::{Action, Deed, Pending, SIZE, Standing, State, bits};
use crate::trace;
use crate::units::{Command, commands_in};
use crate::view::View;

impl Notation for Conquest {
    const VIEWS_AS_TEXT: bool = true;
    const USUAL_SETUPS: [&'static str; 2] = ["Default"; 2];

    fn action_text(&self, state: &State, action: Action) -> String {
        let at = |slot: usize| format!("{},{}", state.col[slot], state.row[slot]);
        match action.deed() {
            Deed::Move { col, row } => format!("mov {col},{row}"),
            Deed::Attack(slot) => format!("atk {}", at(slot)),
            Deed::Select(slot) => format!("sel {}", at(slot)),
            Deed::Command(Command::WindsOfFate, _) => "cmd WindsOfFate".to_owned(),
            Deed::Command(command, slot) => format!("cmd {} {}", command.name(), at(slot)),
            Deed::End => "end".to_owned(),
            Deed::Reset(command) => format!("reset {}", command.name()),
            Deed::Freed(slot) => format!("freed {}", at(slot)),
        }
    }

    fn guess_action(&self, state: &State, text: &str) -> Option<Action> {
        let square = |text: &str| {
            let (col, row) = text.split_once(',')?;
            Some((col.parse().ok()?, row.parse().ok()?))
        };
        let slot = |text| bits(state.alive).find(|&slot| square(text) == Some(state.square(slot)));
        let words: Vec<&str> = text.split(' ').collect();
        Some(Action::new(match words[..] {
            ["mov", target] => square(target).map(|(col, row)| Deed::Move { col, row })?,
            ["atk", target] => Deed::Attack(slot(target)?),
            ["sel", target] => Deed::Select(slot(target)?),
            ["cmd", name] => Deed::Command(Command::from_name(name)?, 0),
            ["cmd", name, target] => Deed::Command(Command::from_name(name)?, slot(target)?),
            ["end"] => Deed::End,
            ["reset", name] => Deed::Reset(Command::from_name(name)?),
            ["freed", target] => Deed::Freed(slot(target)?),
            _ => return None,
        }))
    }

    fn position_text(&self, state: &State) -> String {
        position::write(state)
    }

    fn view_text(&self, view: &View) -> String {
        position::write(view.known())
    }

    fn picture_for(&self, state: &State, seat: Seat) -> String {
        self.picture(Game::view(self, state, seat).known())
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let wrong = |reason: &dyn Display| NotationError::new("position", text, reason);
        let state = if text.trim_start().starts_with('{') {
            trace::read_state(self, text, &wrong)?
        } else {
            position::read(text, &wrong)?
        };
        position::check(self, &state, &wrong).map(|()| state)
    }

    fn parse_setup(&self, seats: [&str; 2]) -> Result<Setup, NotationError> {
        Setup::parse(seats, &self.options.units)
    }

    fn setup_from_file(&self, content: &str, name: Option<&str>) -> Result<String, NotationError> {
        let loadouts = Loadout::read_file(content)?;
        let found = match name {
            Some(name) => loadouts.iter().find(|loadout| loadout.name == name),
            None => loadouts.first().filter(|_| loadouts.len() == 1),
        };
        found.map(Loadout::text).ok_or_else(|| {
            let names: Vec<&str> = loadouts.iter().map(|loadout| loadout.name.as_str()).collect();
            let names = names.join(", ");
            let reason = format!("say which loadout, as FILE.toml#NAME; the file has {names}");
            NotationError::new("loadout", name.unwrap_or_default(), reason)
        })
    }

    fn picture(&self, state: &State) -> String {
        let mut board = vec![vec!['.'; SIZE]; SIZE];
        for (col, row) in state.obstacles() {
            board[usize::from(row)][usize::from(col)] = '#';
        }
        for slot in bits(state.alive) {
            let letter = state.troop(slot).letter();
            let seen =
                if slot < crate::state::STRIDE { letter } else { letter.to_ascii_lowercase() };
            board[usize::from(state.row[slot])][usize::from(state.col[slot])] = seen;
        }
        let mut text = String::from("    0 1 2 3 4 5 6 7 8 9 10  12  14  16  18\n");
        for (row, line) in board.iter().enumerate() {
            write!(text, "{row:>2} ").expect("writing to a string");
            for letter in line {
                write!(text, " {letter}").expect("writing to a string");
            }
            text.push('\n');
        }
        for seat in Seat::BOTH {
            let commands: Vec<String> = commands_in(state.owned(seat))
                .map(|command| match state.cooldown(seat, command) {
                    0 => command.name().to_owned(),
                    turns => format!("{} (in {turns})", command.name()),
                })
                .collect();
            writeln!(
                text,
                "{} ({}): {} command points, {}",
                self.seat_name(seat),
                if seat == Seat::Zero { "capitals" } else { "small letters" },
                state.points(seat),
                if commands.is_empty() { "no commands".to_owned() } else { commands.join(", ") },
            )
            .expect("writing to a string");
            let troops: Vec<String> =
                bits(state.living(seat)).map(|slot| position::troop_text(state, slot)).collect();
            writeln!(text, "  {}", troops.join(" ")).expect("writing to a string");
        }
        let (player, phase) = (self.seat_name(state.player), state.phase.name());
        write!(text, "turn {}, {player}, {phase} phase", state.turn).expect("writing to a string");
        if let Some(slot) = state.selected.map(usize::from) {
            write!(text, ", selected {}", position::troop_text(state, slot))
                .expect("writing to a string");
        }
        if state.pending != Pending::Nothing {
            text.push_str(", a draw is due");
        }
        text.push('\n');
        text
    }

    fn ending(&self, state: &State) -> String {
        let left = |seat| {
            let count = state.living(seat).count_ones();
            format!("player {} won with {count} troops left", seat.index())
        };
        match state.standing {
            Standing::Open => String::new(),
            Standing::Zero => left(Seat::Zero),
            Standing::One => left(Seat::One),
            Standing::Drawn => format!("drawn after {} turns", state.turn),
        }
    }

    fn ending_tail(&self, told: &Told<'_>, reason: &str) -> String {
        let Some(winner) = told.winner else {
            return reason
                .strip_prefix("drawn")
                .map_or_else(|| format!(": {reason}"), str::to_owned);
        };
        let left = reason.split_once(" won with ").and_then(|(_, left)| left.strip_suffix(" left"));
        match left.map(|left| if left == "1 troops" { "1 troop" } else { left }) {
            None => format!(": {reason}"),
            Some(left) if told.is_yours() => {
                format!(": {} had {left} left", told.names[winner.index()])
            }
            Some(left) => format!(" with {left} left"),
        }
    }

    fn rule_sheet(&self) -> RuleSheet {
        Options::RULES.sheet(&self.options)
    }
}
