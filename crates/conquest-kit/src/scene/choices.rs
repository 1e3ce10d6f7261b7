//! The choices of Conquest, with attacks and commands weighed before they are made.

use conquest::{Action, Command, Conquest, Deed, Phase, State};
use gamecore::{Buf, Game, Notation};
use protocol::scene::{Choice, Effect, Preview, button, square};
use registry::{Viewer, actions_for};

use super::commands::about;
use super::{at, owner, slots, spaced, troop_name};

/// Everything that may be done, and the other troops that might have been selected instead.
pub(super) fn choices(
    game: &Conquest,
    state: &State,
    viewer: &Viewer<'_, Conquest>,
) -> Vec<Choice> {
    let actions = actions_for(game, state, viewer.eyes);
    let mut choices: Vec<Choice> =
        actions.iter().map(|&action| choice(game, state, action, &actions)).collect();
    if let Some((before, last)) = viewer.last
        && let Deed::Select(chosen) = last.deed()
        && state.phase() == Phase::Move
        && !actions.is_empty()
    {
        let mut others = Buf::new();
        game.actions(before, &mut others);
        let others = others.iter().filter(|action| matches!(action.deed(), Deed::Select(_)));
        choices.extend(
            others
                .filter(|action| action.deed() != Deed::Select(chosen))
                .map(|&action| Choice { back: 1, ..choice(game, before, action, &Buf::new()) }),
        );
    }
    choices
}

/// What an action does, in words.
pub(super) fn words(game: &Conquest, state: &State, action: Action) -> String {
    let troop = |slot: usize| troop_name(state.troop(slot));
    let place = |slot: usize| {
        let (col, row) = state.square(slot);
        format!("({col},{row})")
    };
    let selected = state.selected().map(usize::from);
    let mover = selected.map(troop).unwrap_or_default();
    match action.deed() {
        Deed::Select(slot) => format!("Select the {} at {}", troop(slot), place(slot)),
        Deed::Move { col, row } => format!("Move the {mover} to ({col},{row})"),
        Deed::Attack(slot) => format!("{mover} attacks the {} at {}", troop(slot), place(slot)),
        Deed::Command(command @ Command::WindsOfFate, _) => spaced(command.name()),
        Deed::Command(command, slot) => {
            format!("{} on the {} at {}", spaced(command.name()), troop(slot), place(slot))
        }
        Deed::End => "End the turn".to_owned(),
        Deed::Reset(_) | Deed::Freed(_) => game.action_text(state, action),
    }
}

fn choice(game: &Conquest, state: &State, action: Action, all: &Buf<Action>) -> Choice {
    let text = game.action_text(state, action);
    let path = match action.deed() {
        Deed::Select(slot) | Deed::Attack(slot) => vec![square(at(state.square(slot)))],
        Deed::Move { col, row } => vec![square(at((col, row)))],
        Deed::Command(command, slot) => {
            let mut path = vec![format!("k:{}", command.name())];
            let same =
                |other: &&Action| matches!(other.deed(), Deed::Command(c, _) if c == command);
            let aimed = match command {
                Command::WindsOfFate => false,
                // It goes to the selected troop, where the rules do not let it go elsewhere.
                Command::Charge => all.iter().filter(same).count() > 1,
                _ => true,
            };
            if aimed {
                path.push(square(at(state.square(slot))));
            }
            path
        }
        Deed::End => vec![button("end")],
        Deed::Reset(_) | Deed::Freed(_) => vec![button(&text)],
    };
    let preview = match action.deed() {
        Deed::Attack(_) | Deed::Command(..) => Some(preview(game, state, action)),
        _ => None,
    };
    Choice { preview, ..Choice::new(text, path, words(game, state, action)) }
}

/// What changes if the action is done: it is done in a copy.
fn preview(game: &Conquest, state: &State, action: Action) -> Preview {
    let mut after = *state;
    game.apply(&mut after, action);
    let mut words = Vec::new();
    if let Deed::Command(command, _) = action.deed() {
        let cost = game.options().units.command(command).cost;
        words.push(format!("Costs {cost} command points."));
        words.push(about(command).to_owned());
    }
    let mut effects = Vec::new();
    let living = state.living(gamecore::Seat::Zero) | state.living(gamecore::Seat::One);
    for slot in slots(living) {
        let total = |state: &State| i32::from(state.health(slot)) + i32::from(state.boost(slot));
        let alive = after.living(owner(state, slot)) >> slot & 1 != 0;
        let change = if alive { total(&after) - total(state) } else { -total(state) };
        if change == 0 {
            continue;
        }
        let name = troop_name(state.troop(slot));
        let (sign, amount) = if change < 0 { ('−', -change) } else { ('+', change) };
        effects.push(Effect {
            square: at(state.square(slot)),
            text: if alive { format!("{sign}{amount}") } else { "dies".to_owned() },
            lost: !alive,
        });
        words.push(match (alive, change < 0) {
            (false, _) => format!("The {name} dies."),
            (true, true) => format!("The {name} loses {amount} and keeps {}.", total(&after)),
            (true, false) => format!("The {name} gains {amount}."),
        });
    }
    if let Deed::Attack(slot) = action.deed() {
        let attacker = state.selected().map_or(slot, usize::from);
        let unhurt = effects.iter().all(|effect| effect.square != at(state.square(attacker)));
        let dead = effects.iter().any(|e| e.square == at(state.square(slot)) && e.lost);
        match (unhurt, dead) {
            (true, true) => words.push("Nobody strikes back.".to_owned()),
            (true, false) => words.push("It cannot strike back.".to_owned()),
            _ => {}
        }
    }
    Preview { words, effects }
}
