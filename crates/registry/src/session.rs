//! A game in progress behind [`Session`].

use std::sync::Arc;

use arena::{GameInProgress, GameRecord, Replay, Seeds, Step};
use gamecore::{Agent, Buf, Decision, Ending, Limits, Notation, Outcome, Progress, Seat, Turn};
use protocol::scene::Scene;
use protocol::{Event, Lens, LensCard};

use crate::SpecError;
use crate::agents::PreparedAgent;
use crate::appearance::Viewer;
use crate::endings::ending_words;
use crate::erased::{ResolvedAgent, Session, Thinking};
use crate::explain::Teller;
use crate::kit::Kit;
use crate::lenses::Looking;
use crate::reports::{DecisionReport, ProgressReport};

/// One game, its history and the agents that may be asked.
pub(crate) struct Play<G: Notation> {
    progress: GameInProgress<G>,
    kit: Arc<Kit<G>>,
    /// With their specs.
    agents: Vec<(String, Box<dyn Agent<G>>)>,
}

impl<G: Notation> Play<G> {
    pub(crate) fn new(game: G, kit: Arc<Kit<G>>, history: Replay<G>, seeds: Seeds) -> Self {
        Self { progress: GameInProgress::new(game, history, seeds), kit, agents: Vec::new() }
    }

    fn actions(&self) -> Buf<G::Action> {
        let mut actions = Buf::new();
        if self.to_act().is_some() {
            self.progress.game().actions(self.progress.state(), &mut actions);
        }
        actions
    }

    fn teller(&self) -> Teller<'_, G> {
        Teller { game: self.progress.game(), appearance: &self.kit.presentation.appearance }
    }

    fn looking(&self) -> Looking<'_, G> {
        Looking {
            kit: &self.kit,
            teller: self.teller(),
            state: self.progress.state(),
            actions: self.actions(),
        }
    }

    /// Who acts, and a legal action of that seat.
    fn read(&self, text: &str) -> Result<(Seat, G::Action), SpecError> {
        let read = self.progress.game().parse_action(self.progress.state(), text);
        let action = read.map_err(SpecError::plain)?;
        match self.to_act() {
            Some(seat) if self.actions().contains(&action) => Ok((seat, action)),
            _ => Err(SpecError::new(text, "no legal action here")),
        }
    }

    fn explained(&self, seat: Seat, spec: &str, decision: Decision<G::Action>) -> DecisionReport {
        let (own, options) = (self.kit.own_evaluator(), self.actions().len());
        self.teller().explain(self.progress.state(), seat, spec, decision, &*own, options)
    }
}

impl<G: Notation> Session for Play<G> {
    fn to_act(&self) -> Option<Seat> {
        match self.progress.game().turn(self.progress.state()) {
            Turn::Player(seat) if self.progress.ending().is_none() => Some(seat),
            _ => None,
        }
    }

    fn seat_name(&self, seat: Seat) -> String {
        self.progress.game().seat_name(seat)
    }

    fn legal(&self) -> Vec<String> {
        let text =
            |&action: &G::Action| self.progress.game().action_text(self.progress.state(), action);
        self.actions().iter().map(text).collect()
    }

    fn apply(&mut self, action: &str) -> Result<(), SpecError> {
        let read = self.progress.game().parse_action(self.progress.state(), action);
        let action = read.map_err(SpecError::plain)?;
        self.progress.play(action).map_err(SpecError::plain)
    }

    fn undo(&mut self) -> bool {
        self.progress.undo()
    }

    fn redo(&mut self) -> bool {
        self.progress.redo()
    }

    fn can_redo(&self) -> bool {
        self.progress.can_redo()
    }

    fn resign(&mut self, seat: Seat) {
        self.progress.resign(seat);
    }

    fn lose_on_time(&mut self) {
        self.progress.lose_on_time();
    }

    fn hides(&self) -> bool {
        self.progress.game().traits().hidden
    }

    fn position(&self) -> String {
        self.progress.game().position_text(self.progress.state())
    }

    fn picture(&self, seat: Option<Seat>) -> String {
        let (game, state) = (self.progress.game(), self.progress.state());
        let picture = match seat {
            Some(seat) => game.picture_for(state, seat),
            None => game.picture(state),
        };
        // Some games end their last line, others do not.
        picture.trim_end_matches('\n').to_owned()
    }

    fn scene(&self, eyes: Option<Seat>) -> Scene {
        let last = self.progress.plies().last().map(|(state, _, action)| (state, action));
        let viewer = Viewer { eyes, last };
        (self.kit.presentation.appearance.scene)(
            self.progress.game(),
            self.progress.state(),
            &viewer,
        )
    }

    fn played(&self) -> usize {
        self.progress.plies().count()
    }

    fn plies(&self) -> Vec<protocol::Step> {
        let teller = self.teller();
        let step = |(state, seat, action)| teller.step(state, seat, action);
        self.progress.plies().map(step).collect()
    }

    fn events(&self, eyes: Option<Seat>) -> Vec<Vec<Event>> {
        let (game, appearance) = (self.progress.game(), &self.kit.presentation.appearance);
        let mut all: Vec<Vec<Event>> = Vec::new();
        for (state, step) in self.progress.steps() {
            let events = (appearance.events)(game, state, step.action(), eyes);
            match (step, all.last_mut()) {
                // What chance does follows from what a player did, or from nothing before the first.
                (Step::Chance { .. }, Some(last)) => last.extend(events),
                (Step::Chance { .. }, None) => {}
                (Step::Player { .. }, _) => all.push(events),
            }
        }
        all
    }

    fn ending(&self) -> Option<(Outcome, Ending)> {
        self.progress.ending()
    }

    fn ending_words(&self, ending: (Outcome, &Ending), you: Option<Seat>) -> String {
        ending_words(self.progress.game(), ending, you, None)
    }

    fn add_agent(&mut self, agent: &ResolvedAgent, seed: u64) -> usize {
        self.agents.push((agent.spec.to_string(), PreparedAgent::of(agent).make(seed)));
        self.agents.len() - 1
    }

    fn think(&mut self, agent: usize, limits: &Thinking<'_>) -> Result<DecisionReport, SpecError> {
        let seat = self.to_act().expect("asked to think in a finished game");
        let (game, state) = (self.progress.game(), self.progress.state());
        let report = |progress: &Progress<G::Action>| {
            if let Some(listener) = limits.progress {
                listener(&ProgressReport {
                    completed: progress.completed,
                    action: game.action_text(state, progress.action),
                    value: progress.value,
                    counters: progress.counters,
                });
            }
        };
        let limits = Limits {
            clock: limits.clock,
            stop: limits.stop,
            time_left: limits.time_left,
            progress: Some(&report),
            tree_nodes: limits.tree_nodes,
        };
        let view = game.view(state, seat);
        let (spec, agent) = &mut self.agents[agent];
        let decision = agent.decide(game, &view, &limits);
        if let Some(failure) = agent.failure() {
            return Err(SpecError::plain(failure));
        }
        let spec = spec.clone();
        Ok(self.explained(seat, &spec, decision))
    }

    fn unexplained(&self, action: &str, spec: &str) -> Result<DecisionReport, SpecError> {
        let (seat, action) = self.read(action)?;
        Ok(self.explained(seat, spec, Decision::plain(action)))
    }

    fn step(&self, action: &str) -> Result<protocol::Step, SpecError> {
        let (seat, action) = self.read(action)?;
        Ok(self.teller().step(self.progress.state(), seat, action))
    }

    fn lenses(&self) -> Vec<LensCard> {
        self.looking().list()
    }

    fn lens(&self, name: &str) -> Result<Lens, SpecError> {
        self.looking().through(name)
    }

    fn tree_memory(&self, agent: usize) -> (usize, usize) {
        self.agents[agent].1.tree_memory()
    }

    fn record(&self, agents: [String; 2]) -> GameRecord {
        self.progress.record(agents)
    }
}
