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
        let choices = self.session.scene(self.eyes()).choices;
        let advised = |choice: &Choice| choice.back == 0 && choice.action == decision.action;
        let choice = choices.into_iter().find(advised);
        let (words, path) = choice.map_or_else(
            || (decision.action.clone(), Vec::new()),
            |choice| (choice.words, choice.path),
        );
        let hint = Hint {
            reason: self.reason_of(&decision),
            action: decision.action,
            words,
            path,
            version: advice.version,
        };
        self.tell(Audience::Asker(advice.asker), Answer::Hint(hint));
    }

    /// Why an action is advised, one sentence.
    fn reason_of(&self, decision: &DecisionReport) -> String {
        let options = self.session.legal().len();
        let work = &decision.counters;
        let effort = match (work.iterations, work.nodes) {
            (0, 0) => String::new(),
            (0, nodes) => format!(" after {} positions", words::grouped(nodes)),
            (iterations, _) => format!(" after {} iterations", words::grouped(iterations)),
        };
        // Where something is hidden the expected continuation may tell it.
        let expected =
            decision.principal_variation.get(1..6.min(decision.principal_variation.len()));
        let expected = match expected {
            // Squares speak for themselves; what is said of other actions stands under Explain.
            Some(line)
                if !line.is_empty()
                    && !self.session.hides()
                    && line.iter().all(|action| !action.contains(' ')) =>
            {
                format!("; then it expects {}", line.join(" "))
            }
            _ => String::new(),
        };
        format!("Best of {options} actions{effort}{expected}.")
    }

    /// Whether a level sits there.
    pub(crate) fn draws_lots(&self, seat: Seat) -> bool {
        matches!(self.seats[seat.index()].player, Player::Level { .. })
    }
}
