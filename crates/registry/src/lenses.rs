//! Opinions about a position that can be laid over its board: what evaluations make of the actions,
//! what action heuristics think of them, and what squares are worth.

use gamecore::{Buf, Evaluator, Notation, Seat, Turn};

use crate::SpecError;
use crate::explain::Teller;
use crate::kit::Kit;
use crate::named::with_defaults;
use crate::reports::{ActionOpinion, LensInfo, LensKind, LensReport, SquareMap};

/// Heuristics are asked as if so many decisions were still to be searched: for their best.
const FULL_DEPTH: u32 = 64;
/// Scores of action heuristics are thousandths.
const UNIT: f64 = 1_000.0;

/// A position and what is known of its game.
pub(crate) struct Looking<'a, G: Notation> {
    pub(crate) kit: &'a Kit<G>,
    pub(crate) teller: Teller<'a, G>,
    pub(crate) state: &'a G::State,
    /// The legal actions; none in a finished game.
    pub(crate) actions: Buf<G::Action>,
}

impl<G: Notation> Looking<'_, G> {
    fn seat(&self) -> Seat {
        match self.teller.game.turn(self.state) {
            Turn::Player(seat) => seat,
            Turn::Chance | Turn::Over => Seat::Zero,
        }
    }

    fn maps(&self) -> Vec<SquareMap> {
        (self.kit.presentation.maps)(self.teller.game, self.state, self.seat())
    }

    /// All lenses: what searches go by first, then single opinions.
    pub(crate) fn list(&self) -> Vec<LensInfo> {
        let card = |kind, prefix: &str, name: &str, about: &str| LensInfo {
            name: format!("{prefix}:{name}"),
            about: about.to_owned(),
            kind,
        };
        let mut evaluations = self
            .kit
            .evaluators
            .iter()
            .map(|entry| card(LensKind::Evaluation, "eval", &entry.name, &entry.about));
        let mut all: Vec<LensInfo> = evaluations.next().into_iter().collect();
        let heuristics = self.kit.heuristics.iter();
        all.extend(
            heuristics.map(|entry| card(LensKind::Heuristic, "heuristic", entry.name, entry.about)),
        );
        let maps = self.maps();
        all.extend(maps.iter().map(|map| card(LensKind::Squares, "squares", map.name, &map.about)));
        all.extend(evaluations);
        all
    }

    /// What the lens of this name shows.
    pub(crate) fn through(&self, name: &str) -> Result<LensReport, SpecError> {
        let list = self.list();
        let Some(info) = list.iter().find(|info| info.name == name) else {
            let names: Vec<&str> = list.iter().map(|info| info.name.as_str()).collect();
            let near = search::params::did_you_mean(name, &names);
            let shown: String = name.chars().take(60).collect();
            let reason = format!("no such lens{near} (lenses: {})", names.join(", "));
            return Err(SpecError::new(&shown, reason));
        };
        let empty = LensReport {
            info: info.clone(),
            seat: self.seat(),
            squares: Vec::new(),
            actions: Vec::new(),
            position: None,
            chance: None,
            terms: Vec::new(),
        };
        let short = name.split_once(':').map_or(name, |(_, short)| short);
        Ok(match info.kind {
            LensKind::Squares => {
                let map = self.maps().into_iter().find(|map| map.name == short);
                LensReport { squares: map.map(|map| map.squares).unwrap_or_default(), ..empty }
            }
            LensKind::Evaluation => {
                let mut entries = self.kit.evaluators.iter();
                let entry = entries.find(|entry| entry.name == short).expect("it was listed");
                self.by_evaluation(&*with_defaults(entry), empty)
            }
            LensKind::Heuristic => {
                let mut entries = self.kit.heuristics.iter();
                let entry = entries.find(|entry| entry.name == short).expect("it was listed");
                let mut scores = Buf::new();
                let game = self.teller.game;
                entry.score.score(game, self.state, &self.actions, FULL_DEPTH, &mut scores);
                let opinion = |(&action, &score): (&G::Action, &i32)| ActionOpinion {
                    step: self.teller.step(self.state, self.seat(), action),
                    value: f64::from(score) / UNIT,
                    result: None,
                };
                let actions = self.actions.iter().zip(scores.iter()).map(opinion).collect();
                LensReport { actions, ..empty }
            }
        })
    }

    fn by_evaluation(&self, evaluator: &dyn Evaluator<G>, empty: LensReport) -> LensReport {
        let (game, seat) = (self.teller.game, self.seat());
        let value = |state: &G::State| match game.turn(state) {
            Turn::Over => f64::from(evaluator.terminal(game, state, seat).0),
            _ => f64::from(evaluator.evaluate(game, state, seat).0),
        };
        let opinion = |&action: &G::Action| {
            let mut after = self.state.clone();
            game.apply(&mut after, action);
            let over = game.turn(&after) == Turn::Over;
            ActionOpinion {
                step: self.teller.step(self.state, seat, action),
                value: value(&after),
                result: over.then(|| game.payoff(&after, seat)),
            }
        };
        let position = value(self.state);
        let over = game.turn(self.state) == Turn::Over;
        let chance = match over {
            true => Some(f64::from(game.payoff(self.state, seat))),
            false => evaluator.reading().chance(position),
        };
        LensReport {
            actions: self.actions.iter().map(opinion).collect(),
            position: Some(position),
            chance,
            terms: evaluator.explain(game, self.state, seat),
            ..empty
        }
    }
}
