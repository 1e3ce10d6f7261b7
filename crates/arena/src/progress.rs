//! A game played step by step, with taking back: what a terminal or an app holds.

use gamecore::{Ending, IllegalAction, Notation, Outcome, Seat, Turn, play};

use crate::record::{GameRecord, SCHEMA, Seeds};
use crate::referee::chance_outcome;
use crate::replay::{Replay, Step};

/// A game with its history. Chance events happen by themselves.
pub struct GameInProgress<G: Notation> {
    game: G,
    history: Replay<G>,
    /// Actions taken back, the last one on top.
    undone: Vec<G::Action>,
    seeds: Seeds,
    /// Who lost without the rules saying so, and why.
    forfeit: Option<(Seat, Ending)>,
}

impl<G: Notation> GameInProgress<G> {
    /// Continues a history, which may be no more than a start position.
    #[must_use]
    pub fn new(game: G, history: Replay<G>, seeds: Seeds) -> Self {
        let mut progress = Self { game, history, undone: Vec::new(), seeds, forfeit: None };
        progress.run_chance();
        progress
    }

    /// The rules.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The present position.
    #[must_use]
    pub fn state(&self) -> &G::State {
        self.history.final_state()
    }

    /// All that happened so far, chance included: the position before each step, and the step.
    pub fn steps(&self) -> impl Iterator<Item = (&G::State, &Step<G::Action>)> {
        self.history.states.iter().zip(&self.history.steps)
    }

    /// The actions of the players so far: the position before each, who acted, and how.
    pub fn plies(&self) -> impl Iterator<Item = (&G::State, Seat, G::Action)> {
        self.steps().filter_map(|(state, step)| match *step {
            Step::Player { seat, action } => Some((state, seat, action)),
            Step::Chance { .. } => None,
        })
    }

    /// Whether something was taken back that can be played again.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        self.forfeit.is_none() && !self.undone.is_empty()
    }

    /// Plays a legal action of the seat to act and the chance events after it.
    pub fn play(&mut self, action: G::Action) -> Result<(), IllegalAction<G::Action>> {
        self.step(action)?;
        self.undone.clear();
        Ok(())
    }

    fn step(&mut self, action: G::Action) -> Result<(), IllegalAction<G::Action>> {
        let mut state = self.state().clone();
        let (Turn::Player(seat), None) = (self.game.turn(&state), &self.forfeit) else {
            return Err(IllegalAction { action });
        };
        play(&self.game, &mut state, action)?;
        self.history.states.push(state);
        self.history.steps.push(Step::Player { seat, action });
        self.run_chance();
        Ok(())
    }

    fn run_chance(&mut self) {
        while self.game.turn(self.state()) == Turn::Chance {
            let event = self.chance_events();
            let outcome = chance_outcome(&self.game, self.state(), self.seeds.chance, event);
            let mut state = self.state().clone();
            self.game.apply(&mut state, outcome);
            self.history.states.push(state);
            self.history.steps.push(Step::Chance { outcome });
        }
    }

    fn chance_events(&self) -> u64 {
        let is_chance = |step: &&Step<G::Action>| matches!(step, Step::Chance { .. });
        self.history.steps.iter().filter(is_chance).count() as u64
    }

    /// Takes back the last action of a player (or a resignation, or a loss on time); false if there
    /// is none.
    pub fn undo(&mut self) -> bool {
        if self.forfeit.take().is_some() {
            return true;
        }
        let is_player = |step: &Step<G::Action>| matches!(step, Step::Player { .. });
        let Some(last) = self.history.steps.iter().rposition(is_player) else { return false };
        self.undone.push(self.history.steps[last].action());
        self.history.steps.truncate(last);
        self.history.states.truncate(last + 1);
        true
    }

    /// Plays the action taken back last; false if there is none.
    pub fn redo(&mut self) -> bool {
        // Nothing is played in a game that was given up; the actions wait until that is taken back.
        if self.forfeit.is_some() {
            return false;
        }
        let Some(action) = self.undone.pop() else { return false };
        // Chance events repeat, so an action that was legal is legal again.
        self.step(action).is_ok()
    }

    /// Ends the game: `seat` gives up. Nothing happens to a finished game.
    pub fn resign(&mut self, seat: Seat) {
        self.forfeit(seat, Ending::Resigned);
    }

    /// Ends the game: the time of the seat to act is up. Nothing happens to a finished game.
    pub fn lose_on_time(&mut self) {
        if let Turn::Player(seat) = self.game.turn(self.state()) {
            self.forfeit(seat, Ending::Time);
        }
    }

    fn forfeit(&mut self, seat: Seat, by: Ending) {
        if self.ending().is_none() {
            self.forfeit = Some((seat, by));
        }
    }

    /// Who won and by what, if it is over.
    #[must_use]
    pub fn ending(&self) -> Option<(Outcome, Ending)> {
        if let Some((seat, by)) = &self.forfeit {
            return Some((Outcome::won_by(seat.other()), by.clone()));
        }
        let state = self.state();
        (self.game.turn(state) == Turn::Over).then(|| {
            let outcome = Outcome::of_payoff(self.game.payoff(state, Seat::Zero));
            (outcome, Ending::Rules(self.game.ending(state)))
        })
    }

    /// The game so far, played by agents of these names.
    #[must_use]
    pub fn record(&self, agents: [String; 2]) -> GameRecord {
        let (mut actions, mut chance) = (Vec::new(), Vec::new());
        for (state, step) in self.history.states.iter().zip(&self.history.steps) {
            let text = self.game.action_text(state, step.action());
            match step {
                Step::Player { .. } => actions.push(text),
                Step::Chance { .. } => chance.push(text),
            }
        }
        let (outcome, reason) = self.ending().unwrap_or((Outcome::Unfinished, Ending::Interrupted));
        GameRecord {
            schema: SCHEMA.to_owned(),
            game: G::NAME.to_owned(),
            rules: self.game.rules_text(),
            start: self.game.position_text(&self.history.states[0]),
            seeds: self.seeds,
            agents,
            actions,
            chance,
            outcome,
            reason,
            decisions: None,
            timing: None,
        }
    }
}
