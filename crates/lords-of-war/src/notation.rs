//! Texts of actions and positions. `docs/rules/lords-of-war.md` defines them.

use std::fmt::{Display, Write as _};

use gamecore::{Buf, Game as _, Notation, NotationError, RuleSheet, Seat, Told};

use crate::board::{COLS, ROWS, Square, squares_in};
use crate::options::Options;
use crate::position;
use crate::rules::{LordsOfWar, Setup};
use crate::state::{Action, Deed, Reason, Stage, State};
use crate::trace;
use crate::view::View;

/// Names of the directions of arrows.
const DIRECTIONS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// The words of traces for actions; the same in every text.
pub(crate) fn deed_text(deed: Deed) -> String {
    match deed {
        Deed::Deploy(kind, square) => format!("deploy {kind} {square}"),
        Deed::Shoot(from, to) => format!("shoot {from}>{to}"),
        Deed::Hold => "hold".to_owned(),
        Deed::Draw => "draw".to_owned(),
        Deed::Pass => "pass".to_owned(),
        Deed::Retreat(square) => format!("retreat {square}"),
    }
}

impl LordsOfWar {
    /// The names of all armies, for messages.
    pub(crate) fn army_names(&self) -> String {
        self.armies().iter().map(|army| army.id.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn card_text(&self, state: &State, seat: Seat, kind: u8) -> String {
        let Some(card) = self.army(state, seat).cards.get(usize::from(kind)) else {
            return "?".to_owned();
        };
        let mut parts = vec![card.defence.to_string()];
        // Arrows as they point on the board: north is row 5 for both seats.
        let arrow = |index: usize| (DIRECTIONS[(index + 4 * seat.index()) % 8], card.melee[index]);
        let arrows = (0..8).map(|index| arrow((index + 4 * seat.index()) % 8));
        parts.extend(
            arrows
                .filter(|(_, strength)| *strength > 0)
                .map(|(name, strength)| format!("{name}{strength}")),
        );
        if card.shot > 0 {
            parts.push(format!("shot {}", card.shot));
        }
        format!("{kind} {} ({})", card.name, parts.join(" "))
    }

    fn count_options(&self, state: &State) -> usize {
        let mut actions = Buf::new();
        self.actions(state, &mut actions);
        actions.len()
    }

    /// A card of the hand that is not known is a question mark.
    fn drawing(&self, state: &State, options: Option<usize>) -> String {
        let mut text = String::new();
        let mut line = |words: String| {
            text.push_str(&words);
            text.push('\n');
        };
        for row in (0..ROWS).rev() {
            let cell = |col| match Square::new(col, row).and_then(|at| state.card_at(at)) {
                Some((seat, kind)) => {
                    format!("{}{kind:<2}", if seat == Seat::Zero { 'A' } else { 'b' })
                }
                None => " . ".to_owned(),
            };
            let cells: Vec<String> = (0..COLS).map(cell).collect();
            line(format!("{row}  {}", cells.join(" ")));
        }
        line(format!("    {}", (0..COLS).map(|col| format!("{col}   ")).collect::<String>()));
        for seat in Seat::BOTH.into_iter().rev() {
            line(format!(
                "{} ({}, {}): {} in the deck, {} lost, {} of them commands",
                self.seat_name(seat),
                self.army(state, seat).name,
                if seat == Seat::Zero { 'A' } else { 'b' },
                state.deck(seat).len(),
                state.lost(seat),
                state.lost_commands(seat),
            ));
            let card = |&kind: &u8| self.card_text(state, seat, kind);
            let hand: Vec<String> = state.hand(seat).iter().map(card).collect();
            line(format!("  hand: {}", hand.join("\n        ")));
            let cards = squares_in(state.held(seat)).filter_map(|at| {
                let (_, kind) = state.card_at(at)?;
                let attacked = state.attack(seat.other(), at);
                let card = self.card_text(state, seat, kind);
                Some(format!("{at} {card} under {attacked}"))
            });
            line(format!("  board: {}", cards.collect::<Vec<_>>().join("; ")));
        }
        let stage = match (state.stage, state.shooter()) {
            (Stage::Open, _) => "places its first card".to_owned(),
            (Stage::Deploy, _) => "deploys a card".to_owned(),
            (Stage::Shoot, Some(shooter)) => format!("may shoot from {shooter}"),
            (Stage::Retreat, _) => "draws or retreats".to_owned(),
            _ => return text + &self.ending_words(state),
        };
        let (turn, mover) = (state.turn, self.seat_name(state.mover));
        write!(text, "turn {turn}: {mover} {stage}").expect("to a string");
        if let Some(options) = options {
            write!(text, ", {options} options").expect("to a string");
        }
        text
    }
}

impl Notation for LordsOfWar {
    const VIEWS_AS_TEXT: bool = true;
    const USUAL_SETUPS: [&'static str; 2] = ["orcs", "dwarves"];

    fn action_text(&self, _state: &State, action: Action) -> String {
        deed_text(action.deed())
    }

    fn guess_action(&self, _state: &State, text: &str) -> Option<Action> {
        let words: Vec<&str> = text.split([' ', '>']).collect();
        Some(Action::from(match words[..] {
            ["deploy", kind, square] => Deed::Deploy(kind.parse().ok()?, Square::parse(square)?),
            ["shoot", from, to] => Deed::Shoot(Square::parse(from)?, Square::parse(to)?),
            ["hold"] => Deed::Hold,
            ["draw"] => Deed::Draw,
            ["pass"] => Deed::Pass,
            ["retreat", square] => Deed::Retreat(Square::parse(square)?),
            _ => return None,
        }))
    }

    fn position_text(&self, state: &State) -> String {
        position::write(self, state)
    }

    fn view_text(&self, view: &View) -> String {
        position::write_view(self, view)
    }

    fn parse_position(&self, text: &str) -> Result<State, NotationError> {
        let wrong = |reason: &dyn Display| NotationError::new("position", text, reason);
        if text.trim_start().starts_with('{') {
            trace::read_state(self, text, &wrong)
        } else {
            position::read(self, text, &wrong)
        }
    }

    fn parse_setup(&self, seats: [&str; 2]) -> Result<Setup, NotationError> {
        let mut setup = Setup::default();
        for (seat, id) in seats.into_iter().enumerate() {
            if !id.is_empty() {
                setup.armies[seat] = self.army_index(id).ok_or_else(|| {
                    let reason = format!("no such army; there are {}", self.army_names());
                    NotationError::new("army", id, reason)
                })?;
            }
        }
        Ok(setup)
    }

    fn picture(&self, state: &State) -> String {
        self.drawing(state, Some(self.count_options(state)))
    }

    fn picture_for(&self, state: &State, seat: Seat) -> String {
        let options = self.count_options(state);
        let view = self.view(state, seat);
        // How many options the other seat has would tell of its hand.
        let told = !self.options.hidden || state.mover == seat;
        self.drawing(view.known(), told.then_some(options))
    }

    fn ending(&self, state: &State) -> String {
        state.reason.kept().to_owned()
    }

    fn ending_tail(&self, told: &Told<'_>, kept: &str) -> String {
        match Reason::ALL.into_iter().find(|reason| reason.kept() == kept) {
            Some(Reason::Cards) => told.of_loser("lost 20 cards"),
            Some(Reason::Commands) => told.of_loser("lost 4 command cards"),
            Some(Reason::CardsAndCommands) => told.of_loser("lost 20 cards and 4 command cards"),
            Some(Reason::BothBeaten) => ": both sides were beaten at once".to_owned(),
            Some(Reason::TurnLimit) => ": the turn limit was reached".to_owned(),
            Some(Reason::None) | None => format!(": {kept}"),
        }
    }

    fn rule_sheet(&self) -> RuleSheet {
        Options::RULES.sheet(&self.options)
    }
}
