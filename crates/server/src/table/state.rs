//! What is told of a game.

use std::sync::Arc;
use std::time::Instant;

use arena::{GameRecord, Outcome};
use gamecore::Seat;
use scene::capital;

use super::Table;
use crate::dto::{Ending, Explanation, GameState, Ply, SeatState};
use crate::error::Refusal;
use crate::insight::Subject;
use crate::players::seat_word;

impl Table {
    /// Everything about the game, for the eyes of those who play it.
    pub(super) fn state(&self) -> GameState {
        let to_act = self.session.to_act();
        let human_to_act = self.person_to_act();
        let eyes = self.eyes();
        let mut scene = self.session.scene(eyes);
        if !human_to_act {
            scene.choices.clear();
        }
        let secret = self.keeps_secrets();
        let ply = |(number, ply): (usize, registry::PlyReport)| Ply {
            number: number as u32,
            seat: ply.seat.index() as u8,
            action: ply.action,
            words: ply.words,
            chance: self.thoughts.chance(number).filter(|_| !secret),
            explained: !secret && self.thoughts.explanation(number).is_some(),
            squares: ply.squares,
        };
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
            history: self.session.plies().into_iter().enumerate().map(ply).collect(),
            can_undo: self.can_undo(),
            can_redo: self.session.can_redo(),
            scene,
            position: (!secret).then(|| self.session.position()),
            ending: self.ending(),
            clock: self.clock.as_ref().map(|clock| clock.state(Instant::now())),
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
    pub(super) fn eyes(&self) -> Option<Seat> {
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

    fn ending(&self) -> Option<Ending> {
        let (outcome, reason) = self.session.ending()?;
        let winner = outcome.winner();
        let names = Seat::BOTH.map(|seat| seat_word(&self.session.seat_name(seat)));
        let you = match self.people()[..] {
            [only] => Some(only),
            _ => None,
        };
        let words = match (outcome, winner) {
            (_, Some(seat)) => won_words(&names, seat, you, &reason),
            (Outcome::Draw, None) if reason.is_empty() => "A draw".to_owned(),
            (Outcome::Draw, None) => format!("A draw: {reason}"),
            (_, None) => format!("No result: {reason}"),
        };
        Some(Ending { winner: winner.map(|seat| seat.index() as u8), reason, words })
    }

    /// Nobody has acted (no person, or where there is none, no agent), and nobody looks.
    pub(super) fn untouched(&self) -> bool {
        let plies = self.session.plies();
        let agents_only = self.people().is_empty();
        let acted = plies.iter().any(|ply| agents_only || self.is_person(ply.seat));
        let went_back = !self.undone.is_empty();
        let open = self.session.to_act().is_some();
        open && !acted && !went_back && self.sockets.is_empty()
    }

    /// How the game stands, one line.
    pub(super) fn status(&self) -> String {
        match self.ending() {
            Some(ending) => ending.words,
            None => self.session.scene(self.eyes()).status,
        }
    }

    /// The game with its agents, unless its record would tell secrets.
    pub(super) fn subject(&self) -> Result<Subject, Refusal> {
        Ok(Subject {
            id: self.id.clone(),
            record: self.telling_record()?,
            game: self.game.clone(),
            agents: self.seats.each_ref().map(|seated| seated.agent.clone()),
        })
    }

    /// Why an agent played an action, unless that would tell secrets.
    pub(super) fn explanation(&self, ply: u32) -> Result<Arc<Explanation>, Refusal> {
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
                Some(ply) if self.is_person(ply.seat) => "a person played it".to_owned(),
                Some(_) => {
                    "it is no longer kept; ask an agent about the position instead".to_owned()
                }
            };
            let reason = format!("no explanation of action {ply}: {why}");
            Refusal::new(axum::http::StatusCode::NOT_FOUND, reason)
        })
    }

    /// The record, unless it would tell secrets.
    pub(super) fn telling_record(&self) -> Result<GameRecord, Refusal> {
        if self.keeps_secrets() {
            let reason = format!(
                "game '{}': its record contains hidden information; ask when the game is over",
                self.id
            );
            return Err(Refusal::conflict(reason));
        }
        Ok(self.session.record(self.names.clone()))
    }
}

/// What the one person among the players reads first.
const YOU_WON: &str = "You won";
const YOU_LOST: &str = "You lost";

/// Who won, and why, in one sentence; `you` is the only person among the players.
fn won_words(names: &[String; 2], winner: Seat, you: Option<Seat>, reason: &str) -> String {
    let name = |seat: Seat| &names[seat.index()];
    let loser = winner.other();
    let result = match you {
        Some(you) if you == winner => YOU_WON.to_owned(),
        Some(_) => YOU_LOST.to_owned(),
        None => format!("{} won", capital(name(winner))),
    };
    // Some games say who won themselves.
    let rest = reason.strip_prefix(name(winner).as_str()).and_then(|it| it.strip_prefix(" won"));
    let why = match (reason, rest) {
        ("", _) => return result,
        ("resigned", _) if you == Some(loser) => "you resigned".to_owned(),
        ("resigned", _) => format!("{} resigned", capital(name(loser))),
        ("time", _) if you == Some(loser) => "your time is up".to_owned(),
        ("time", _) => format!("the time of {} is up", capital(name(loser))),
        (_, Some(rest)) if you != Some(loser) => return format!("{result}{rest}"),
        (reason, Some(_)) => capital(reason),
        (reason, None) => reason.to_owned(),
    };
    format!("{result}: {why}")
}

/// Whether the only person among the players won, by how the game is said to stand.
pub(crate) fn won_by(status: &str) -> Option<bool> {
    let won = status.starts_with(YOU_WON);
    (won || status.starts_with(YOU_LOST)).then_some(won)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_once_who_won_and_why() {
        let colours = ["black".to_owned(), "white".to_owned()];
        let players = ["player 0".to_owned(), "player 1".to_owned()];
        let (zero, one) = (Some(Seat::Zero), Some(Seat::One));
        let left = "player 1 won with 3 troops left";
        for (names, you, reason, expected) in [
            (&colours, None, "discs 20:44", "White won: discs 20:44"),
            (&colours, one, "discs 20:44", "You won: discs 20:44"),
            (&colours, zero, "discs 20:44", "You lost: discs 20:44"),
            (&colours, zero, "resigned", "You lost: you resigned"),
            (&colours, one, "resigned", "You won: Black resigned"),
            (&colours, None, "resigned", "White won: Black resigned"),
            (&colours, zero, "time", "You lost: your time is up"),
            (&colours, one, "time", "You won: the time of Black is up"),
            (&colours, one, "", "You won"),
            (&players, None, left, "Player 1 won with 3 troops left"),
            (&players, one, left, "You won with 3 troops left"),
            (&players, zero, left, "You lost: Player 1 won with 3 troops left"),
        ] {
            let words = won_words(names, Seat::One, you, reason);
            assert_eq!(words, expected);
            assert_eq!(won_by(&words), you.map(|you| you == Seat::One), "{words}");
        }
        assert_eq!(won_by("A draw"), None);
    }
}
