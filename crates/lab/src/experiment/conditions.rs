//! Under what a game is played: its rules, its starts and what the sides bring.

use std::ops::Range;
use std::sync::Arc;

use arena::Seeds;
use registry::{AnyGame, SpecError};
use toml::{Spanned, Value};

use super::file::{ExperimentError, Fields, Named, Reader};
use super::{Condition, KindName, Over};
use crate::plan::Openings;

/// What a file or one point of a sweep wants, with the places where it says so.
#[derive(Clone)]
pub(super) struct Wish {
    /// What sets it apart from the other points of a sweep.
    pub(super) names: Vec<String>,
    /// Rules laid over those of the file: `KEY=VALUE`, or all of them as one text.
    pub(super) rules: Vec<Spanned<String>>,
    pub(super) units: Option<Spanned<String>>,
    pub(super) opening_plies: Option<Spanned<u32>>,
    pub(super) setups: Option<Spanned<Vec<Spanned<Value>>>>,
}

impl Wish {
    /// What the file itself wants.
    pub(super) fn of(fields: &Fields) -> Self {
        Self {
            names: Vec::new(),
            rules: Vec::new(),
            units: fields.units.clone(),
            opening_plies: fields.opening_plies.clone(),
            setups: fields.setups.clone(),
        }
    }

    /// Where the starts come from, if anything is said about them.
    pub(super) fn place_of_starts(&self) -> Option<Range<usize>> {
        let plies = self.opening_plies.as_ref().map(Spanned::span);
        plies.or_else(|| self.setups.as_ref().map(Spanned::span))
    }
}

/// What a file asks of a condition, opened and checked.
pub(super) struct OpenedCondition {
    pub(super) condition: Condition,
    pub(super) game: Arc<dyn AnyGame>,
    /// The setups with their names.
    pub(super) setups: Vec<Named>,
}

impl Reader<'_> {
    /// Opens the game as wished, and checks what the sides bring.
    pub(super) fn open_condition(
        &self,
        fields: &Fields,
        wish: &Wish,
    ) -> Result<OpenedCondition, ExperimentError> {
        self.check_openings(fields, wish)?;
        let game = self.game(fields, wish)?;
        let setups = self.setups(fields, wish, &*game)?;
        let over_setups = fields.over.as_ref().is_some_and(|over| *over.get_ref() == Over::Setups);
        let condition = Condition {
            name: wish.names.join(","),
            rules: game.info().rules,
            openings: self.openings(fields, wish, &*game)?,
            setups: match &setups[..] {
                _ if over_setups => [String::new(), String::new()],
                [] => [String::new(), String::new()],
                [both] => [both.text.clone(), both.text.clone()],
                several => [several[0].text.clone(), several[1].text.clone()],
            },
        };
        Ok(OpenedCondition { condition, game, setups })
    }

    /// Positions from a file hold everything about starts already.
    fn check_openings(&self, fields: &Fields, wish: &Wish) -> Result<(), ExperimentError> {
        let Some(openings) = &fields.openings else { return Ok(()) };
        if wish.opening_plies.is_some() {
            let message = "openings and opening-plies contradict each other; give one of them";
            return Err(self.at(openings, message));
        }
        if wish.setups.is_some() {
            let message = "start positions already include the setups; give one or the other";
            return Err(self.at(openings, message));
        }
        Ok(())
    }

    fn game(&self, fields: &Fields, wish: &Wish) -> Result<Arc<dyn AnyGame>, ExperimentError> {
        let name = fields.game.get_ref();
        let own = fields.rules.as_ref().map_or("", |rules| rules.get_ref());
        let with = |more: &[Spanned<String>]| {
            let more = more.iter().map(|rule| rule.get_ref().as_str());
            let texts = std::iter::once(own).filter(|own| !own.is_empty()).chain(more);
            texts.collect::<Vec<_>>().join(",")
        };
        let mut rules = with(&wish.rules);
        if let Some(units) = &wish.units {
            let path = units.get_ref();
            let content = (self.load)(path)
                .map_err(|reason| self.at(units, format!("'{path}': {reason}")))?;
            rules = self
                .games
                .rules_with_units(name, &rules, &content)
                .map_err(|error| self.at(units, format!("'{path}': {error}")))?;
        }
        self.games.open(name, &rules).map_err(|error| {
            // Of several rules, the one that is wrong alone too.
            let alone = |rule: &&Spanned<String>| {
                let rule = std::slice::from_ref(*rule);
                self.games.open(name, &with(rule)).is_err_and(|alone| alone == error)
            };
            let swept = wish.rules.iter().find(alone).or(wish.rules.last());
            let place = swept
                .or(fields.rules.as_ref())
                .filter(|_| self.games.names().contains(&name.as_str()));
            self.error(Some(place.map_or(fields.game.span(), Spanned::span)), error)
        })
    }

    fn setups(
        &self,
        fields: &Fields,
        wish: &Wish,
        game: &dyn AnyGame,
    ) -> Result<Vec<Named>, ExperimentError> {
        let Some(list) = &wish.setups else { return Ok(Vec::new()) };
        let over_setups = fields.over.as_ref().is_some_and(|over| *over.get_ref() == Over::Setups);
        // Twice the same setup is a mirror match, not a slip.
        let mut setups = match &list.get_ref()[..] {
            [first, second] if !over_setups => {
                let mut both = self.named(std::slice::from_ref(first))?;
                both.extend(self.named(std::slice::from_ref(second))?);
                both
            }
            list => self.named(list)?,
        };
        for setup in &mut setups {
            setup.text = game
                .setup(&setup.text, self.load)
                .map_err(|error| self.error(Some(setup.span.clone()), error))?;
        }
        // Elsewhere it is clear who is A and who B.
        let two_sided = game.info().dealt || *fields.kind.get_ref() != KindName::RoundRobin;
        let most = if two_sided { 2 } else { 1 };
        if !over_setups && setups.len() > most {
            let message = if two_sided {
                "expected one setup for both sides, or one for each; a round robin of setups needs \
                 over = \"setups\""
            } else {
                "expected one setup for both sides: in a round robin of agents nobody is A or B; \
                 one of setups needs over = \"setups\""
            };
            return Err(self.at(list, message));
        }
        Ok(setups)
    }

    fn openings(
        &self,
        fields: &Fields,
        wish: &Wish,
        game: &dyn AnyGame,
    ) -> Result<Openings, ExperimentError> {
        let Some(file) = &fields.openings else {
            let plies = wish.opening_plies.as_ref().map(|plies| *plies.get_ref());
            return Ok(Openings::Random(plies));
        };
        let path = file.get_ref();
        let content =
            (self.load)(path).map_err(|reason| self.at(file, format!("'{path}': {reason}")))?;
        read_openings(game, &content).map_err(|error| self.at(file, format!("'{path}', {error}")))
    }
}

/// Reads start positions, one a line; lines that begin with # are skipped.
pub fn read_openings(game: &dyn AnyGame, content: &str) -> Result<Openings, SpecError> {
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(content.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |reason: String| SpecError::plain(format!("line {number}: {reason}"));
        let position = game.position(line).map_err(|error| wrong(error.to_string()))?;
        if game.open(&position, Seeds::default())?.to_act().is_none() {
            return Err(wrong("the game is already over".into()));
        }
        positions.push(position);
    }
    if positions.is_empty() {
        return Err(SpecError::plain("line 1: expected at least one position"));
    }
    Ok(Openings::Positions(positions))
}
