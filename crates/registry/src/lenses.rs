//! Opinions about a position that can be laid over its board: what evaluations make of the actions,
//! what action heuristics think of them, and what squares are worth.

use std::collections::BTreeMap;

use gamecore::{Buf, Evaluator, Notation, Seat, Turn};
use protocol::{ActionValue, Lens, LensCard, LensKind, SquareValue};

use crate::SpecError;
use crate::explain::Teller;
use crate::kit::Kit;
use crate::named::with_defaults;
use crate::reports::SquareMap;
use crate::words;

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
    pub(crate) fn list(&self) -> Vec<LensCard> {
        let card = |kind, prefix: &str, name: &str, about: &str| LensCard {
            name: format!("{prefix}:{name}"),
            about: about.to_owned(),
            kind,
        };
        let mut evaluations = self
            .kit
            .evaluators
            .iter()
            .map(|entry| card(LensKind::Evaluation, "eval", &entry.name, &entry.about));
        let mut all: Vec<LensCard> = evaluations.next().into_iter().collect();
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
    pub(crate) fn through(&self, name: &str) -> Result<Lens, SpecError> {
        let list = self.list();
        let Some(card) = list.iter().find(|card| card.name == name) else {
            let names: Vec<&str> = list.iter().map(|card| card.name.as_str()).collect();
            let near = search::params::did_you_mean(name, &names);
            let shown: String = name.chars().take(60).collect();
            let reason = format!("no such lens{near} (lenses: {})", names.join(", "));
            return Err(SpecError::new(&shown, reason));
        };
        let empty = Lens {
            card: card.clone(),
            seat: self.seat().index() as u8,
            lowest: 0.0,
            highest: 0.0,
            squares: Vec::new(),
            actions: Vec::new(),
            position_words: String::new(),
            terms: Vec::new(),
        };
        let short = name.split_once(':').map_or(name, |(_, short)| short);
        Ok(match card.kind {
            LensKind::Squares => {
                let map = self.maps().into_iter().find(|map| map.name == short);
                let map = map.map(|map| map.squares).unwrap_or_default();
                let (lowest, highest) = ends(map.iter().map(|(_, value)| *value));
                Lens { lowest, highest, squares: squares(&map), ..empty }
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
                let values = scores.iter().map(|&score| f64::from(score) / UNIT);
                let opinion = |(&action, value): (&G::Action, f64)| ActionValue {
                    step: self.teller.step(self.state, self.seat(), action),
                    value,
                    text: words::fine(value),
                };
                let actions = self.actions.iter().zip(values.clone()).map(opinion).collect();
                of_actions(actions, ends(values), empty)
            }
        })
    }

    fn by_evaluation(&self, evaluator: &dyn Evaluator<G>, empty: Lens) -> Lens {
        let (game, seat) = (self.teller.game, self.seat());
        let value = |state: &G::State| match game.turn(state) {
            Turn::Over => f64::from(evaluator.terminal(game, state, seat).0),
            _ => f64::from(evaluator.evaluate(game, state, seat).0),
        };
        // Results would leave no colours for what is open.
        let mut open = Vec::new();
        let opinion = |&action: &G::Action| {
            let mut after = self.state.clone();
            game.apply(&mut after, action);
            let value = value(&after);
            let text = match game.turn(&after) {
                Turn::Over => result(game.payoff(&after, seat)).to_owned(),
                _ => {
                    open.push(value);
                    words::signed(value)
                }
            };
            ActionValue { step: self.teller.step(self.state, seat, action), value, text }
        };
        let actions = self.actions.iter().map(opinion).collect();
        let chance = self.teller.chance(self.state, seat, evaluator);
        let chance = chance.map(words::percent).unwrap_or_default();
        let points = words::signed(value(self.state));
        Lens {
            position_words: format!("about {chance} to win, valued at {points}"),
            terms: words::terms(&evaluator.explain(game, self.state, seat)),
            ..of_actions(actions, ends(open.into_iter()), empty)
        }
    }
}

fn result(payoff: f32) -> &'static str {
    match payoff {
        payoff if payoff > 0.5 => "wins",
        payoff if payoff < 0.5 => "loses",
        _ => "draws",
    }
}

/// The lowest and the highest value, for colours.
fn ends(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let lowest = values.clone().reduce(f64::min);
    (lowest.unwrap_or(0.0), values.reduce(f64::max).unwrap_or(0.0))
}

/// A lens about actions: the best first, and on each square the best that touches it last.
fn of_actions(mut actions: Vec<ActionValue>, (lowest, highest): (f64, f64), empty: Lens) -> Lens {
    actions.sort_by(|one, other| other.value.total_cmp(&one.value));
    let mut best: BTreeMap<u16, SquareValue> = BTreeMap::new();
    for ActionValue { step, value, text } in &actions {
        if let Some(&square) = step.squares.last() {
            let value = || SquareValue { square, value: *value, text: text.clone() };
            best.entry(square).or_insert_with(value);
        }
    }
    Lens { lowest, highest, squares: best.into_values().collect(), actions, ..empty }
}

/// The squares of a map. Where all are alike they are marked only.
fn squares(map: &[(u16, f64)]) -> Vec<SquareValue> {
    let alike = map.iter().all(|(_, value)| *value == map[0].1);
    let text = |value| if alike { String::new() } else { words::signed(value).replace('+', "") };
    map.iter().map(|&(square, value)| SquareValue { square, value, text: text(value) }).collect()
}
