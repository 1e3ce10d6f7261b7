//! What people ask of a game.

use gamecore::{Ending, Seat};

use crate::{Audience, Effect, LiveGame, Refusal};
use protocol::{Answer, Request};

impl LiveGame {
    /// Does what is asked, or tells why not.
    pub(crate) fn obey(&mut self, asker: u64, request: Request) {
        let done = match request {
            Request::Play { action, back, version } => self.play(&action, back, version),
            Request::Undo => self.undo(),
            Request::Redo => self.redo(),
            Request::Hint => self.ask_advice(asker),
            Request::Stop => {
                self.stop_thinking();
                Ok(())
            }
            Request::Pause => self.pause(),
            Request::Resume => self.resume(),
            Request::Resign => self.resign(),
            Request::Ping => {
                self.tell(Audience::Asker(asker), Answer::Pong);
                Ok(())
            }
        };
        if let Err(Refusal { reason: error, .. }) = done {
            self.tell(Audience::Asker(asker), Answer::Refused { error });
        }
    }

    fn play(&mut self, action: &str, back: u8, version: u64) -> Result<(), Refusal> {
        let Some(seat) = self.session.to_act() else {
            return Err(Refusal::conflict(format!("'{}': the game is over", short(action))));
        };
        if !self.is_person(seat) {
            return Err(Refusal::conflict(format!(
                "'{}': it is not a person's turn",
                short(action)
            )));
        }
        if version != self.version {
            return Err(Refusal::conflict(format!(
                "'{}' was meant for version {version} of the game; it is at {} now",
                short(action),
                self.version
            )));
        }
        if self.flag_fell() {
            self.flag_falls();
            return Err(Refusal::conflict(format!("'{}': time is up", short(action))));
        }
        self.apply_after(action, back)?;
        self.stop_pondering();
        self.abandon_advice();
        self.after_action(seat);
        self.changed();
        self.advance();
        Ok(())
    }

    /// Takes back own actions and plays another one; if that fails the game is as before. Only
    /// what the scene offers can be taken back this way: a second thought must not reveal anything.
    fn apply_after(&mut self, action: &str, back: u8) -> Result<(), Refusal> {
        if back > 0 {
            let choices = self.session.scene(self.eyes()).choices;
            if !choices.iter().any(|choice| choice.action == action && choice.back == back) {
                return Err(Refusal::conflict(format!(
                    "'{}' cannot be played {back} actions back",
                    short(action)
                )));
            }
        }
        let taken = (0..back).take_while(|_| self.session.undo()).count();
        let played = if taken == usize::from(back) {
            self.session.apply(action).map_err(Refusal::from)
        } else {
            Err(Refusal::conflict(format!("{back} actions cannot be taken back")))
        };
        if played.is_err() {
            for _ in 0..taken {
                self.session.redo();
            }
        }
        played
    }

    /// Whether there is an action of a person (of anybody where only agents play), or that somebody
    /// gave up. What was seen of hidden cards cannot be unseen, and time does not come back, so in
    /// such games people take nothing back.
    pub(crate) fn can_undo(&self) -> bool {
        let binding = self.session.hides() || self.clock.is_some();
        if binding && !self.people().is_empty() {
            return false;
        }
        match self.session.ending() {
            Some((_, Ending::Time)) => return false,
            Some((_, Ending::Resigned)) => return true,
            _ => {}
        }
        let only_agents = self.people().is_empty();
        self.session.plies().iter().any(|ply| only_agents || self.was_person(ply))
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        if !self.can_undo() {
            return Err(Refusal::conflict("there is nothing to take back"));
        }
        self.abandon_all();
        let was_resigned = matches!(self.session.ending(), Some((_, Ending::Resigned)));
        let stop_anywhere = was_resigned || self.people().is_empty();
        loop {
            let before = self.session.plies();
            if !self.session.undo() {
                break;
            }
            if self.session.played() < before.len() {
                self.undone.extend(before.last().map(|ply| ply.action.clone()));
                self.thoughts.undo();
            }
            if stop_anywhere || self.person_to_act() {
                break;
            }
        }
        self.paused = !self.person_to_act();
        self.changed();
        self.advance();
        Ok(())
    }

    fn redo(&mut self) -> Result<(), Refusal> {
        if !self.session.can_redo() {
            return Err(Refusal::conflict("there is nothing to redo"));
        }
        self.abandon_all();
        let stop_anywhere = self.people().is_empty();
        while self.session.redo() {
            self.undone.pop();
            self.thoughts.redo();
            if stop_anywhere || self.person_to_act() {
                break;
            }
        }
        // Where only agents play, people go back and forth until they say `resume`.
        self.paused &= stop_anywhere;
        self.changed();
        self.advance();
        Ok(())
    }

    fn stop_thinking(&mut self) {
        let thought = self.thought.as_ref().map(|thought| thought.number);
        let advice = self.advice.as_ref().map(|advice| advice.work.number);
        self.effects.extend(thought.into_iter().chain(advice).map(Effect::Stop));
        if self.pondering.is_running() {
            self.stop_pondering();
            self.show();
        }
    }

    fn pause(&mut self) -> Result<(), Refusal> {
        self.abandon_thought();
        self.stop_pondering();
        self.wait_until = None;
        self.paused = true;
        self.keep();
        self.advance();
        Ok(())
    }

    fn resume(&mut self) -> Result<(), Refusal> {
        self.paused = false;
        self.keep();
        self.advance();
        Ok(())
    }

    fn resign(&mut self) -> Result<(), Refusal> {
        let to_act =
            self.session.to_act().ok_or_else(|| Refusal::conflict("the game is over already"))?;
        let seat: Seat = match self.people()[..] {
            [] => {
                return Err(Refusal::conflict("only people can resign, and no person is playing"));
            }
            [only] => only,
            _ => to_act,
        };
        self.abandon_all();
        self.session.resign(seat);
        self.changed();
        self.advance();
        Ok(())
    }
}

/// The beginning of a text, to be given back.
fn short(text: &str) -> String {
    text.chars().take(80).collect()
}
