//! Evaluations and heuristics by the names that agents give: for valuing positions, for scoring
//! actions, for pruning.

use std::sync::Arc;

use crate::after_action::AfterAction;
use gamecore::{ActionScore, Evaluator, Game, Notation};
use search::Pruning;
use search::params::{Values, did_you_mean};

use crate::SpecError;
use crate::kit::{EvaluatorEntry, Kit};
use crate::presets::NO_HEURISTIC;

/// The evaluation that an agent uses, with its name.
pub(crate) type Own<G> = Option<(String, Arc<dyn Evaluator<G>>)>;

impl<G: Notation> Kit<G> {
    /// The evaluation of this name: the agent's own with its weights, others with theirs.
    fn named_evaluator(&self, name: &str, own: &Own<G>) -> Option<Arc<dyn Evaluator<G>>> {
        match own {
            Some((of, evaluator)) if of == name => Some(evaluator.clone()),
            _ => Some(with_defaults(self.evaluators.iter().find(|entry| entry.name == name)?)),
        }
    }

    /// The game's own evaluation with its own weights.
    pub(crate) fn own_evaluator(&self) -> Arc<dyn Evaluator<G>> {
        with_defaults(&self.evaluators[0])
    }

    fn evaluator_names(&self) -> impl Iterator<Item = &str> {
        self.evaluators.iter().map(|entry| entry.name.as_str())
    }

    /// The evaluations that the key `prune` names, in its order.
    pub(crate) fn pruners(
        &self,
        values: &Values,
        own: &Own<G>,
    ) -> Result<Vec<Arc<dyn Evaluator<G>>>, SpecError> {
        let Some(text) = values.text("prune") else { return Ok(Vec::new()) };
        let wrong = |reason| SpecError::new(&format!("prune={text}"), reason);
        let find = |name: &String| {
            self.named_evaluator(name, own).ok_or_else(|| {
                let names: Vec<&str> = self.evaluator_names().collect();
                let near = did_you_mean(name, &names);
                let (game, names) = (G::NAME, names.join(", "));
                wrong(format!("no evaluation '{name}' of {game}{near} ({names}, or off)"))
            })
        };
        Pruning::names(text).map_err(SpecError::plain)?.iter().map(find).collect()
    }

    /// The action heuristic that resolved values name, or what an evaluation of that name makes of
    /// the positions after the actions.
    pub(crate) fn heuristic(
        &self,
        values: &Values,
        own: &Own<G>,
    ) -> Result<Option<Arc<dyn ActionScore<G>>>, SpecError> {
        let Some(name) = values.text("heuristic").filter(|name| *name != NO_HEURISTIC) else {
            return Ok(None);
        };
        if let Some(entry) = self.heuristics.iter().find(|entry| entry.name == name) {
            return Ok(Some(entry.score.clone()));
        }
        if let Some(evaluator) = self.named_evaluator(name, own) {
            return Ok(Some(Arc::new(AfterAction::new(evaluator))));
        }
        let mut names: Vec<&str> = self.heuristics.iter().map(|entry| entry.name).collect();
        names.extend(self.evaluator_names());
        names.push(NO_HEURISTIC);
        let near = did_you_mean(name, &names);
        let reason =
            format!("no such action heuristic of {}{near} ({})", G::NAME, names.join(", "));
        Err(SpecError::new(&format!("heuristic={name}"), reason))
    }
}

/// An evaluation with its own weights.
pub(crate) fn with_defaults<G: Game>(entry: &EvaluatorEntry<G>) -> Arc<dyn Evaluator<G>> {
    let values = Values::resolve(&entry.params, []).expect("defaults are in range");
    (entry.build)(&values).expect("an evaluation can be built from its defaults")
}
