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
        let name = |seat: Seat| capital(&seat_word(&self.session.seat_name(seat)));
        let words = match (outcome, winner, reason.as_str()) {
            (_, Some(seat), "resigned") => {
                format!("{} won: {} resigned", name(seat), name(seat.other()))
            }
            (_, Some(seat), "time") => {
                format!("{} won: the time of {} is up", name(seat), name(seat.other()))
            }
            (_, Some(seat), "") => format!("{} won", name(seat)),
            // Some games say who won themselves.
            (_, Some(_), reason) if reason.contains(" won") => capital(reason),
            (_, Some(seat), reason) => format!("{} won: {reason}", name(seat)),
            (Outcome::Draw, None, "") => "A draw".to_owned(),
            (Outcome::Draw, None, reason) => format!("A draw: {reason}"),
            (_, None, reason) => format!("No result: {reason}"),
        };
        Some(Ending { winner: winner.map(|seat| seat.index() as u8), reason, words })
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
                "game '{}': what agents think may tell what is hidden from who plays; ask when it \
                 is over",
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
                Some(_) => "it is not kept; a study of the position finds another".to_owned(),
            };
            let reason = format!("no explanation of action {ply}: {why}");
            Refusal::new(axum::http::StatusCode::NOT_FOUND, reason)
        })
    }

    /// The record, unless it would tell secrets.
    pub(super) fn telling_record(&self) -> Result<GameRecord, Refusal> {
        if self.keeps_secrets() {
            let reason = format!(
                "game '{}': its record holds what is hidden from who plays; ask when it is over",
                self.id
            );
            return Err(Refusal::conflict(reason));
        }
        Ok(self.session.record(self.names.clone()))
    }
}
