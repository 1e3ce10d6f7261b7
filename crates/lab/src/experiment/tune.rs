//! Tunings: what may vary, and how the values are chosen.

use registry::{AgentInfo, AgentSpec, AnyGame, Param, ParamKind as Range, SpecError};
use serde::Deserialize;
use toml::Spanned;
use tune::{Bonus, Dimension, NtbeaSettings, SpsaParameter, SpsaSettings, TupleSizes};

use super::file::{ExperimentError, Fields, Named, Reader};
use crate::tuning::{Keys, Method, TuneSpec};

/// A declared range with more steps than this is better listed by hand.
const MOST_VALUES: usize = 64;

/// Grids up to this size are checked point by point.
const MOST_CHECKED: usize = 5000;

/// The names of methods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum MethodName {
    #[default]
    Ntbea,
    Halving,
    Uniform,
    Spsa,
}

/// One number that SPSA moves; what is not given comes from the declaration of the key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterFields {
    key: Spanned<String>,
    start: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    step: Option<f64>,
    rate: Option<f64>,
}

/// The table `[tune]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct TuneFields {
    #[serde(default)]
    method: MethodName,
    evaluations: Spanned<u64>,
    #[serde(default = "eight")]
    batch: u64,
    bonus: Option<Bonus>,
    k: Option<f64>,
    epsilon: Option<f64>,
    neighbours: Option<u32>,
    tuples: Option<TupleSizes>,
    alpha: Option<f64>,
    gamma: Option<f64>,
    stability: Option<f64>,
    #[serde(default)]
    space: toml::Table,
    #[serde(default)]
    parameters: Vec<Spanned<ParameterFields>>,
}

fn eight() -> u64 {
    8
}

impl Reader<'_> {
    /// The tuning of a file, if it is one; `base` is the agent that is tuned.
    pub(super) fn tune(
        &self,
        fields: &Fields,
        base: &Named,
        game: &dyn AnyGame,
    ) -> Result<TuneSpec, ExperimentError> {
        let Some(place) = &fields.tune else {
            return Err(self.at(&fields.kind, "expected a table [tune]"));
        };
        let given = place.get_ref();
        let spec = AgentSpec::parse(&base.text, self.load)
            .map_err(|error| self.error(Some(base.span.clone()), error))?;
        let agents = game.agents();
        let known = agents.iter().find(|agent| agent.name == spec.name);
        let refuse = |unwanted: bool, message: &str| {
            if unwanted { Err(self.at(place, message)) } else { Ok(()) }
        };
        let settings = NtbeaSettings::default();
        let ntbea = given.method == MethodName::Ntbea;
        let own = given.bonus.is_some()
            || given.k.is_some()
            || given.epsilon.is_some()
            || given.neighbours.is_some()
            || given.tuples.is_some();
        refuse(own && !ntbea, "bonus, k, epsilon, neighbours and tuples belong to method ntbea")?;
        let spsa = given.method == MethodName::Spsa;
        let own = given.alpha.is_some() || given.gamma.is_some() || given.stability.is_some();
        refuse(own && !spsa, "alpha, gamma and stability belong to method spsa")?;
        refuse(!spsa && !given.parameters.is_empty(), "[[tune.parameters]] belong to method spsa")?;
        refuse(spsa && !given.space.is_empty(), "method spsa has [[tune.parameters]], no space")?;
        let method = match given.method {
            MethodName::Ntbea => Method::Ntbea(NtbeaSettings {
                bonus: given.bonus.unwrap_or(settings.bonus),
                k: given.k.unwrap_or(settings.k),
                epsilon: given.epsilon.unwrap_or(settings.epsilon),
                neighbours: given.neighbours.unwrap_or(settings.neighbours),
                tuples: given.tuples.unwrap_or(settings.tuples),
                ..settings
            }),
            MethodName::Halving => Method::Halving,
            MethodName::Uniform => Method::Uniform,
            MethodName::Spsa => {
                let default = SpsaSettings::default();
                Method::Spsa(SpsaSettings {
                    parameters: self.parameters(given, &spec, known, base, game)?,
                    alpha: given.alpha.unwrap_or(default.alpha),
                    gamma: given.gamma.unwrap_or(default.gamma),
                    stability: given.stability.unwrap_or(default.stability),
                    ..default
                })
            }
        };
        let space = if spsa { Vec::new() } else { self.space(fields, &spec, known, game)? };
        let evaluations = *given.evaluations.get_ref();
        let tune = TuneSpec { method, evaluations, batch: given.batch, space };
        tune.check().map_err(|error| self.at(place, error))?;
        Ok(tune)
    }

    /// The grid: lists of values, or every declared one.
    fn space(
        &self,
        fields: &Fields,
        spec: &AgentSpec,
        known: Option<&AgentInfo>,
        game: &dyn AnyGame,
    ) -> Result<Vec<Dimension>, ExperimentError> {
        let mut space = Vec::new();
        for (key, span, values) in self.tuned_axes(fields)? {
            let wrong =
                |message: String| self.error(Some(span.clone()), format!("{key}: {message}"));
            let values = match values {
                Some(values) => values,
                None => {
                    let param =
                        known.and_then(|agent| agent.params.iter().find(|it| it.key == key));
                    let param = param.ok_or_else(|| wrong("the agent has no such key".into()))?;
                    declared(param).map_err(|error| wrong(error.to_string()))?
                }
            };
            // Every value must be one that the agent takes, whatever the others are.
            for value in &values {
                let tried = with_keys(spec, &vec![(key.clone(), value.clone())]);
                game.resolve(&tried, self.load).map_err(|error| wrong(error.to_string()))?;
            }
            space.push(Dimension::new(&key, values));
        }
        self.check_together(fields, spec, &space, game)?;
        Ok(space)
    }

    /// Values that are fine alone may be refused together, better now than after an hour: all points
    /// of a small grid, all pairs of values of a large one.
    fn check_together(
        &self,
        fields: &Fields,
        spec: &AgentSpec,
        space: &[Dimension],
        game: &dyn AnyGame,
    ) -> Result<(), ExperimentError> {
        let place = fields.tune.as_ref().map(Spanned::span);
        let try_keys = |keys: &Keys| {
            let agent = with_keys(spec, keys);
            game.resolve(&agent, self.load).map(|_| ()).map_err(|error| {
                let message = format!("[tune.space] has a point that cannot play: {error}");
                self.error(place.clone(), message)
            })
        };
        let key = |dimension: &Dimension, value: &str| (dimension.name.clone(), value.to_owned());
        let mut points: Vec<Keys> = vec![Vec::new()];
        for dimension in space {
            let mut more = Vec::new();
            for point in &points {
                for value in &dimension.values {
                    let mut point = point.clone();
                    point.push(key(dimension, value));
                    more.push(point);
                }
            }
            more.truncate(MOST_CHECKED + 1);
            points = more;
        }
        if points.len() <= MOST_CHECKED {
            return points.iter().try_for_each(try_keys);
        }
        for (index, one) in space.iter().enumerate() {
            for other in &space[index + 1..] {
                for first in &one.values {
                    for second in &other.values {
                        try_keys(&vec![key(one, first), key(other, second)])?;
                    }
                }
            }
        }
        Ok(())
    }

    fn parameters(
        &self,
        given: &TuneFields,
        spec: &AgentSpec,
        known: Option<&AgentInfo>,
        base: &Named,
        game: &dyn AnyGame,
    ) -> Result<Vec<SpsaParameter>, ExperimentError> {
        let resolved = game
            .resolve(spec, self.load)
            .map_err(|error| self.error(Some(base.span.clone()), error))?;
        let mut parameters = Vec::new();
        for entry in &given.parameters {
            let fields = entry.get_ref();
            let key = fields.key.get_ref();
            let param = known.and_then(|agent| agent.params.iter().find(|it| it.key == *key));
            let (min, max, step, integer) = match param.map(|param| &param.kind) {
                Some(Range::Integer { min, max }) => (*min as f64, *max as f64, 1.0, true),
                Some(Range::Decimal { min, max, step }) => (*min, *max, *step, false),
                Some(_) => {
                    let message = format!("{key}: not a number; method ntbea takes words");
                    return Err(self.at(&fields.key, message));
                }
                None => {
                    return Err(self.at(&fields.key, format!("{key}: the agent has no such key")));
                }
            };
            let now = resolved.values.iter().find(|(name, _)| *name == key);
            let now = now.and_then(|(_, value)| value.parse::<f64>().ok());
            let start = fields.start.or(now).ok_or_else(|| {
                self.at(entry, format!("{key}: expected start, because the agent sets no number"))
            })?;
            if [fields.min, fields.max].into_iter().flatten().any(|it| !(min..=max).contains(&it)) {
                let message =
                    format!("{key}: expected min and max inside its range, {min} to {max}");
                return Err(self.at(entry, message));
            }
            parameters.push(SpsaParameter {
                name: key.clone(),
                start,
                min: fields.min.unwrap_or(min),
                max: fields.max.unwrap_or(max),
                step_end: fields.step.unwrap_or(step),
                rate_end: fields.rate.unwrap_or(0.05),
                integer,
            });
        }
        Ok(parameters)
    }
}

/// All values that a key is declared to take.
fn declared(param: &Param) -> Result<Vec<String>, SpecError> {
    let too_many = || {
        let range = param.range_text();
        SpecError::plain(format!("its range {range} has too many values to try all; list some"))
    };
    match &param.kind {
        Range::Choice(words) => Ok(words.iter().map(|&word| word.to_owned()).collect()),
        Range::Integer { min, max } if max - min < MOST_VALUES as i64 => {
            Ok((*min..=*max).map(|value| value.to_string()).collect())
        }
        Range::Decimal { min, max, step } if (max - min) / step < MOST_VALUES as f64 => {
            let steps = ((max - min) / step).round() as usize;
            // Rounded, so that 0.1 + 0.2 is 0.3.
            let value = |index: usize| ((min + step * index as f64) * 1e6).round() / 1e6;
            Ok((0..=steps).map(|index| value(index).to_string()).collect())
        }
        _ => Err(too_many()),
    }
}

/// A spec with some keys set, whatever it said about them.
pub(super) fn with_keys(spec: &AgentSpec, keys: &Keys) -> AgentSpec {
    let mut spec = spec.clone();
    for (key, value) in keys {
        match spec.keys.iter_mut().find(|(known, _)| known == key) {
            Some(known) => known.1.clone_from(value),
            None => spec.keys.push((key.clone(), value.clone())),
        }
    }
    spec.without_idle()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_ranges_become_values() {
        let all = |param: &Param| declared(param);
        assert_eq!(
            all(&Param::decimal("x", (0.1, 0.5, 0.1), 0.2, "")).unwrap(),
            ["0.1", "0.2", "0.3", "0.4", "0.5"]
        );
        assert_eq!(all(&Param::integer("x", 2, 4, 2, "")).unwrap(), ["2", "3", "4"]);
        assert_eq!(all(&Param::word("x", &[("a", 1), ("b", 2)], "")).unwrap(), ["a", "b"]);
        assert!(
            all(&Param::integer("x", 0, 1000, 2, "")).unwrap_err().to_string().contains("0…1000")
        );
    }

    #[test]
    fn tuned_keys_take_the_place_of_given_ones() {
        let spec = AgentSpec::parse("mcts:calls=10,select.c=0.5", &registry::no_files).unwrap();
        let keys = vec![("select.c".to_owned(), "2".to_owned()), ("reuse".into(), "off".into())];
        assert_eq!(with_keys(&spec, &keys).to_string(), "mcts:calls=10,select.c=2,reuse=off");
        let keys = [("widen.c", "3"), ("widen", "off")];
        let keys = keys.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        assert!(!with_keys(&spec, &keys).to_string().contains("widen.c"));
        let unprunes = AgentSpec { keys: vec![("prune.mode".into(), "unprune".into())], ..spec };
        assert!(with_keys(&unprunes, &keys).to_string().contains("widen.c=3"));
    }
}
