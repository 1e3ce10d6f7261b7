//! Text of actions, positions and endings. A game speaks to people and files only through this.

use crate::ending::{Ending, Outcome, Told, YOU_LOST, YOU_WON, capital};
use crate::game::{Buf, Game, Seat, Turn};
use crate::rng::Rng;
use crate::rule_options::RuleSheet;
use crate::text_error::NotationError;

/// The text face of a game. Everything written can be read back.
pub trait Notation: Game {
    /// Whether [`Notation::view_text`] tells views where something is hidden.
    const VIEWS_AS_TEXT: bool = false;

    /// What the seats bring where nothing is said, as [`Notation::parse_setup`] reads it; empty where
    /// they bring nothing.
    const USUAL_SETUPS: [&'static str; 2] = [""; 2];

    /// The text of an action in this position; unique among the legal ones.
    fn action_text(&self, state: &Self::State, action: Self::Action) -> String;

    /// The action that a text seems to be, legal or not. [`Notation::parse_action`] accepts it only
    /// with exactly this text, and compares all texts if it is refused or missing.
    fn guess_action(&self, _state: &Self::State, _text: &str) -> Option<Self::Action> {
        None
    }

    /// Reads a legal action of this position. Texts are compared as they are written, so that reader
    /// and writer cannot disagree: first that of the guess, then those of all legal actions.
    fn parse_action(&self, state: &Self::State, text: &str) -> Result<Self::Action, NotationError> {
        let mut actions = Buf::new();
        if self.turn(state) != Turn::Over {
            self.actions(state, &mut actions);
        }
        if let Some(guess) = self.guess_action(state, text.trim())
            && actions.contains(&guess)
            && self.action_text(state, guess) == text.trim()
        {
            return Ok(guess);
        }
        let texts: Vec<String> =
            actions.iter().map(|&action| self.action_text(state, action)).collect();
        match texts.iter().position(|legal| legal == text.trim()) {
            Some(index) => Ok(actions[index]),
            None if texts.is_empty() => Err(NotationError::new("action", text, "the game is over")),
            None => {
                let reason = format!("legal here: {}", texts.join(" "));
                Err(NotationError::new("action", text, reason))
            }
        }
    }

    /// The position on one line.
    fn position_text(&self, state: &Self::State) -> String;

    /// What a seat knows, on one line, for programs that play from outside. Where nothing is hidden
    /// it is the position. Games with secrets say in their rules what theirs looks like.
    ///
    /// # Panics
    /// Where something is hidden and [`Notation::VIEWS_AS_TEXT`] is not set.
    fn view_text(&self, view: &Self::View) -> String {
        assert!(!self.traits().hidden, "{} has no text of what a seat knows", Self::NAME);
        // The view of an open game is its state, so there is nothing to draw.
        self.position_text(&self.sample(view, &mut Rng::new(0)))
    }

    /// Reads a position; every accepted text is a state the rules can continue from.
    fn parse_position(&self, text: &str) -> Result<Self::State, NotationError>;

    /// Reads what each seat brings (`--setup`, `--armies`); an empty text is the game's own.
    /// Games without anything accept only that.
    fn parse_setup(&self, seats: [&str; 2]) -> Result<Self::Setup, NotationError> {
        match seats.into_iter().find(|text| !text.is_empty()) {
            None => Ok(Self::Setup::default()),
            Some(text) => {
                Err(NotationError::new("setup", text, format!("{} has no setups", Self::NAME)))
            }
        }
    }

    /// The text of a setup kept in a file, by name where the file holds several.
    fn setup_from_file(&self, _content: &str, name: Option<&str>) -> Result<String, NotationError> {
        let reason = format!("{} has no setups", Self::NAME);
        Err(NotationError::new("setup", name.unwrap_or_default(), reason))
    }

    /// A drawing of the position for a terminal, several lines, legal actions marked if the game
    /// can do so.
    fn picture(&self, state: &Self::State) -> String;

    /// The same for the eyes of a seat. Games with secrets leave out what it may not know; one that draws
    /// nothing of its own for a seat shows it the text of what it knows.
    fn picture_for(&self, state: &Self::State, seat: Seat) -> String {
        if !self.traits().hidden {
            return self.picture(state);
        }
        if Self::VIEWS_AS_TEXT {
            return self.view_text(&self.view(state, seat));
        }
        "(not drawn: something here is hidden from you)".to_owned()
    }

    /// How a finished game ended, in a few words; empty while it goes on. Records keep this text and
    /// are compared with it, so it never changes; [`Notation::ending_tail`] says it to people.
    fn ending(&self, state: &Self::State) -> String;

    /// What follows `Black won`, `You lost` or `A draw` when a reason that [`Notation::ending`] once
    /// gave is told: ` 38 to 26`, `: the turn limit was reached`. By default the reason itself, unless
    /// it says no more than who won.
    fn ending_tail(&self, told: &Told<'_>, reason: &str) -> String {
        let plain = told.winner.map_or_else(|| "draw".to_owned(), |seat| format!("{seat} wins"));
        if reason == plain { String::new() } else { format!(": {reason}") }
    }

    /// What people call a seat: `black (X)`, `player 1`, …
    fn seat_name(&self, seat: Seat) -> String {
        format!("player {}", seat.number())
    }

    /// The same to begin a sentence with, without the letter that pictures use: `Black`, `Player 1`.
    fn seat_title(&self, seat: Seat) -> String {
        let name = self.seat_name(seat);
        capital(name.split(" (").next().unwrap_or(&name))
    }

    /// How the game at a finished position ended, as a sentence; empty while it goes on.
    fn ending_words(&self, state: &Self::State) -> String {
        if self.turn(state) != Turn::Over {
            return String::new();
        }
        let winner = Outcome::of_payoff(self.payoff(state, Seat::Zero)).winner();
        let names = Seat::BOTH.map(|seat| self.seat_title(seat));
        Told { winner, ending: &Ending::Rules(self.ending(state)), you: None, names }.words(self)
    }

    /// The rule options in words, with the values of this game; nothing if there are none.
    fn rule_sheet(&self) -> RuleSheet {
        RuleSheet::default()
    }

    /// The rule options as resolved, `key = value` in a fixed order; empty if there are none.
    fn rules(&self) -> Vec<(&'static str, String)> {
        self.rule_sheet().rules.into_iter().map(|rule| (rule.words.key, rule.value)).collect()
    }

    /// The rule options as one canonical text: `key=value,…`, or `standard` if there are none.
    fn rules_text(&self) -> String {
        let pairs: Vec<String> =
            self.rules().into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        if pairs.is_empty() { "standard".to_owned() } else { pairs.join(",") }
    }
}

impl Told<'_> {
    /// `Black won 38 to 26`, `You lost: you resigned`, `A draw: 32 discs each`.
    #[must_use]
    pub fn words<G: Notation>(&self, game: &G) -> String {
        let result = match self.winner {
            None => "A draw".to_owned(),
            Some(_) if self.is_yours() => YOU_LOST.to_owned(),
            Some(_) if self.you.is_some() => YOU_WON.to_owned(),
            Some(winner) => format!("{} won", self.names[winner.index()]),
        };
        let loser = self.winner.map_or("", |winner| &self.names[winner.other().index()]);
        let why = match self.ending {
            Ending::Rules(reason) if reason.is_empty() => String::new(),
            Ending::Rules(reason) => game.ending_tail(self, reason),
            Ending::Resigned if self.is_yours() => ": you resigned".to_owned(),
            Ending::Resigned => format!(": {loser} resigned"),
            Ending::Time if self.is_yours() => ": your time is up".to_owned(),
            Ending::Time => format!(": {loser} ran out of time"),
            ending => format!(": {ending}"),
        };
        result + &why
    }
}
