//! What is told of a game.

use std::sync::Arc;

use arena::{GameRecord, Seeds};
use gamecore::{Purpose, Seat, YOU_LOST, YOU_WON, seed};
use registry::{AnyGame, ResolvedAgent, Session, SpecError};

use crate::clock::clock_state;
use crate::players::seat_word;
use crate::{LiveGame, Moment, Refusal};
use protocol::{Ending, Event, Explanation, GameState, Ply, SeatState, Step};

/// A game as it was when somebody asked about it.
pub struct Subject {
    /// Its id.
    pub id: String,
    /// The rules.
    pub game: Arc<dyn AnyGame>,
    /// What was played.
    pub record: GameRecord,
    /// The agents that play it, by seat.
    pub agents: [Option<ResolvedAgent>; 2],
}

impl Subject {
    /// The number of actions before the position that is asked for.
    pub fn ply(&self, asked: Option<u32>) -> Result<usize, Refusal> {
        let last = self.record.actions.len();
        match asked {
            None => Ok(last),
            Some(ply) if ply as usize <= last => Ok(ply as usize),
            Some(ply) => Err(Refusal::bad(format!(
                "ply {ply}: the game has {last} actions; expected 0 to {last}"
            ))),
        }
    }

    /// The game after so many of its actions.
    pub fn at(&self, ply: usize) -> Result<Box<dyn Session>, SpecError> {
        let mut session = self.game.open_record(&self.record)?;
        for _ in ply..self.record.actions.len() {
            session.undo();
        }
        Ok(session)
    }

    /// The seed of whoever thinks about the game from outside.
    #[must_use]
    pub fn side_seed(&self) -> u64 {
        side_seed(self.record.seeds)
    }

    /// The seed of the agent that plays a seat, so that it decides as it would at the table.
    #[must_use]
    pub fn seat_seed(&self, seat: Seat) -> u64 {
        self.record.seeds.agents[seat.index()]
    }
}

/// The seed of whoever thinks beside a game; not that of the deal, which would know the cards.
pub(crate) fn side_seed(seeds: Seeds) -> u64 {
    seed(seeds.start, 1, Purpose::Agent { game: 0, letter: 'h' })
}

impl LiveGame {
    /// Everything about the game at this moment, for the eyes of those who play it.
    #[must_use]
    pub fn state_at(&self, now: Moment) -> GameState {
        let mut state = self.state();
        state.clock = self.clock.as_ref().map(|clock| clock_state(clock, self.now.max(now)));
        state
    }

    /// The same at the last moment that it heard of.
    pub(crate) fn state(&self) -> GameState {
        let to_act = self.session.to_act();
        let human_to_act = self.person_to_act();
        let eyes = self.eyes();
        let mut scene = self.session.scene(eyes);
        if !human_to_act {
            scene.choices.clear();
        }
        let secret = self.keeps_secrets();
        let ply = |(number, (ply, events)): (usize, (Step, Vec<Event>))| Ply {
            number: number as u32,
            seat: ply.seat,
            action: ply.action,
            words: ply.words,
            chance: self.thoughts.chance(number).filter(|_| !secret),
            explained: !secret && self.thoughts.explanation(number).is_some(),
            squares: ply.squares,
            events,
        };
        let plies = self.session.plies().into_iter().zip(self.session.events(eyes));
        GameState {
            id: self.id.clone(),
            game: self.asked.game.clone(),
            rules: self.asked.rules.clone(),
            hidden: self.session.hides(),
            seats: Seat::BOTH.map(|seat| self.seat_state(seat)),
            to_act: to_act.map(|seat| seat.index() as u8),
            human_to_act,
            thinking: self.thought.is_some(),
            pondering: self.pondering.is_running(),
            paused: self.paused,
            eyes: eyes.map(|seat| seat.index() as u8),
            version: self.version,
            plies: self.session.played() as u32,
            history: plies.enumerate().map(ply).collect(),
            can_undo: self.can_undo(),
            can_redo: self.session.can_redo(),
            scene,
            position: (!secret).then(|| self.session.position()),
            ending: self.ending(),
            clock: self.clock.as_ref().map(|clock| clock_state(clock, self.now)),
            created: self.created.clone(),
        }
    }

    fn seat_state(&self, seat: Seat) -> SeatState {
        let seated = &self.seats[seat.index()];
        SeatState {
            seat: seat_word(&self.session.seat_name(seat)),
            name: self.names[seat.index()].clone(),
            player: seated.player.clone(),
            spec: seated.agent.as_ref().map(|agent| agent.spec.to_string()),
            loadout: self.loadouts[seat.index()].clone(),
        }
    }

    /// Whose eyes the scene is for: those of the only person, or of the one of two who is to act;
    /// all see a finished game and a game of agents.
    #[must_use]
    pub fn eyes(&self) -> Option<Seat> {
        let to_act = self.session.to_act()?;
        match self.people()[..] {
            [] => None,
            [only] => Some(only),
            _ => Some(to_act),
        }
    }

    /// Something must not be told yet to somebody who plays.
    fn keeps_secrets(&self) -> bool {
        self.session.hides() && self.eyes().is_some()
    }

    /// How it ended, to the only person among the players or to anybody.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let (outcome, reason) = self.session.ending()?;
        let you = match self.people()[..] {
            [only] => Some(only),
            _ => None,
        };
        let words = self.session.ending_words((outcome, &reason), you);
        let winner = outcome.winner().map(|seat| seat.index() as u8);
        Some(Ending { winner, reason: reason.to_string(), words })
    }

    /// Nobody has acted (no person, or where there is none, no agent), and nobody looks.
    #[must_use]
    pub fn untouched(&self) -> bool {
        let plies = self.session.plies();
        let agents_only = self.people().is_empty();
        let acted = plies.iter().any(|ply| agents_only || self.was_person(ply));
        let went_back = !self.undone.is_empty();
        let open = self.session.to_act().is_some();
        open && !acted && !went_back && self.watching == 0
    }

    /// How the game stands, one line.
    pub(crate) fn status(&self) -> String {
        match self.ending() {
            Some(ending) => ending.words,
            None => self.session.scene(self.eyes()).status,
        }
    }

    /// The game with its agents, unless its record would tell secrets.
    pub fn subject(&self) -> Result<Subject, Refusal> {
        Ok(Subject {
            id: self.id.clone(),
            record: self.telling_record()?,
            game: self.game.clone(),
            agents: self.seats.each_ref().map(|seated| seated.agent.clone()),
        })
    }

    /// Why an agent played an action, unless that would tell secrets.
    pub fn explanation(&self, ply: u32) -> Result<Arc<Explanation>, Refusal> {
        if self.keeps_secrets() {
            let reason = format!(
                "game '{}': explanations may reveal hidden information; ask when the game is over",
                self.id
            );
            return Err(Refusal::conflict(reason));
        }
        let found = self.thoughts.explanation(ply as usize);
        found.cloned().ok_or_else(|| {
            let played = self.session.plies().into_iter().nth(ply as usize);
            let why = match played {
                None => format!("the game has {} actions", self.session.played()),
                Some(ply) if self.was_person(&ply) => "a person played it".to_owned(),
                Some(_) => {
                    "it is no longer kept; ask an agent about the position instead".to_owned()
                }
            };
            let reason = format!("no explanation of action {ply}: {why}");
            Refusal::missing(reason)
        })
    }

    /// The record, unless it would tell secrets.
    pub fn telling_record(&self) -> Result<GameRecord, Refusal> {
        if self.keeps_secrets() {
            let reason = format!(
                "game '{}': its record contains hidden information; ask when the game is over",
                self.id
            );
            return Err(Refusal::conflict(reason));
        }
        Ok(self.record())
    }
}

/// Whether the only person among the players won, by how the game is said to stand.
#[must_use]
pub fn won_by(status: &str) -> Option<bool> {
    let won = status.starts_with(YOU_WON);
    (won || status.starts_with(YOU_LOST)).then_some(won)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::Seeds;
    use gamecore::Outcome;

    #[test]
    fn the_ending_says_once_who_won_and_why() {
        let (zero, one) = (Some(Seat::Zero), Some(Seat::One));
        let left = "player 1 won with 1 troops left";
        let cards = "20 cards and 4 command cards lost";
        for (game, you, reason, expected) in [
            ("othello", None, "discs 20:44", "White won 44 to 20"),
            ("othello", one, "discs 20:44", "You won 44 to 20"),
            ("othello", zero, "discs 20:44", "You lost 20 to 44"),
            ("othello", zero, "resigned", "You lost: you resigned"),
            ("othello", one, "resigned", "You won: Black resigned"),
            ("othello", None, "resigned", "White won: Black resigned"),
            ("othello", zero, "time", "You lost: your time is up"),
            ("othello", one, "time", "You won: Black ran out of time"),
            ("othello", one, "", "You won"),
            ("conquest", None, left, "Player 2 won with 1 troop left"),
            ("conquest", one, left, "You won with 1 troop left"),
            ("conquest", zero, left, "You lost: Player 2 had 1 troop left"),
            (
                "lords-of-war",
                None,
                cards,
                "Player 2 won: Player 1 lost 20 cards and 4 command cards",
            ),
            ("lords-of-war", zero, cards, "You lost: your side lost 20 cards and 4 command cards"),
            ("lords-of-war", one, "20 cards lost", "You won: Player 1 lost 20 cards"),
            ("tic-tac-toe", None, "seat 1 wins", "Player 2 won"),
        ] {
            let game = standard::registry().open(game, "").unwrap();
            let start = game.start(["", ""], None, 0, false).unwrap();
            let session = game.open(&start, Seeds::default()).unwrap();
            let words = session.ending_words((Outcome::SeatOne, &reason.into()), you);
            assert_eq!(words, expected);
            assert_eq!(won_by(&words), you.map(|you| you == Seat::One), "{words}");
        }
        assert_eq!(won_by("A draw"), None);
    }

    #[test]
    fn draws_are_told_too() {
        for (game, reason, expected) in [
            ("othello", "discs 32:32", "A draw: 32 discs each"),
            ("conquest", "drawn after 300 turns", "A draw after 300 turns"),
            ("lords-of-war", "turn limit", "A draw: the turn limit was reached"),
            ("lords-of-war", "both sides beaten at once", "A draw: both sides were beaten at once"),
            ("othello", "action limit 9", "A draw: action limit 9"),
        ] {
            let game = standard::registry().open(game, "").unwrap();
            assert_eq!(game.ending_words((Outcome::Draw, &reason.into()), ["a", "b"]), expected);
        }
    }
}
