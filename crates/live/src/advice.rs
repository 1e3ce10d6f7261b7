//! Advice for the person to act.

use gamecore::Seat;
use protocol::scene::Choice;
use registry::{DecisionReport, SpecError, words};

use crate::players::adviser;
use crate::state::side_seed;
use crate::{Audience, Effect, LiveGame, Pending, Refusal};
use protocol::{Answer, Hint, Player};

/// Advice that is being thought about.
pub(crate) struct Advice {
    pub(crate) work: Pending,
    asker: u64,
    version: u64,
}

impl LiveGame {
    /// Begins to think about advice for the person to act.
    pub(crate) fn ask_advice(&mut self, asker: u64) -> Result<(), Refusal> {
        let Some(seat) = self.session.to_act().filter(|&seat| self.is_person(seat)) else {
            return Err(Refusal::conflict("hints are for a person whose turn it is"));
        };
        if self.advice.is_some() {
            return Err(Refusal::conflict("a hint is already being computed"));
        }
        let agent = match &self.adviser {
            Some(agent) => agent.clone(),
            None => adviser(&*self.game, 1)?,
        };
        let task = self.task(seat, &agent, side_seed(self.seeds));
        let number = self.number();
        let work = Pending { number, seat, deadline: None };
        self.advice = Some(Advice { work, asker, version: self.version });
        self.effects.push(Effect::Advise(number, Box::new(task)));
        Ok(())
    }

    pub(crate) fn abandon_advice(&mut self) {
        if let Some(advice) = self.advice.take() {
            self.effects.push(Effect::Abandon(advice.work.number));
        }
    }

    pub(crate) fn advised(
        &mut self,
        number: u64,
        decision: Result<Box<DecisionReport>, SpecError>,
    ) {
        let Some(advice) = self.advice.take_if(|advice| advice.work.number == number) else {
            return;
        };
        if advice.version != self.version {
            return;
        }
        let decision = match decision {
            Ok(decision) => decision,
            Err(why) => {
                let error = format!("there is no hint: {why}");
                return self.tell(Audience::Asker(advice.asker), Answer::Refused { error });
            }
        };
        let reason = self.reason_of(&decision);
        let action = decision.explanation.choice.action;
        let choices = self.session.scene(self.eyes()).choices;
        let advised = |choice: &Choice| choice.back == 0 && choice.action == action;
        let choice = choices.into_iter().find(advised);
        let (words, path) = choice
            .map_or_else(|| (action.clone(), Vec::new()), |choice| (choice.words, choice.path));
        let hint = Hint { reason, action, words, path, version: advice.version };
        self.tell(Audience::Asker(advice.asker), Answer::Hint(hint));
    }

    /// Why an action is advised, one sentence.
    fn reason_of(&self, decision: &DecisionReport) -> String {
        let line = decision.explanation.line.iter().skip(1).take(5);
        let line: Vec<&str> = line.map(|step| step.action.as_str()).collect();
        // Where something is hidden the expected continuation may tell it.
        // Squares speak for themselves; what is said of other actions stands under Explain.
        let tells = !self.session.hides() && line.iter().all(|action| !action.contains(' '));
        let expected = match tells && !line.is_empty() {
            true => format!("; then it expects {}", line.join(" ")),
            false => String::new(),
        };
        let effort = words::effort(&decision.counters);
        format!("Best of {} actions{effort}{expected}.", decision.options)
    }

    /// Whether a level sits there.
    pub(crate) fn draws_lots(&self, seat: Seat) -> bool {
        matches!(self.seats[seat.index()].player, Player::Level { .. })
    }
}
