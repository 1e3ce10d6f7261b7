//! Sweeps: every combination of values, of keys of the agent and of what games are played under.

use std::collections::BTreeSet;
use std::ops::Range;

use registry::AgentSpec;
use serde::Deserialize as _;
use toml::de::{DeTable, DeValue, ValueDeserializer};
use toml::{Spanned, Value};

use super::conditions::Wish;
use super::file::{ExperimentError, Fields, Named, Reader};

/// More combinations than this make tables that nobody reads.
const MOST_POINTS: usize = 2000;

/// Stands for every value that a key is declared to take.
const ALL: &str = "all";

/// One key with its values.
struct Axis {
    /// The key with dots.
    key: String,
    span: Range<usize>,
    values: Vec<Spanned<Value>>,
}

/// Keys of the agent with their values and where these stand.
type Keys = Vec<(String, String, Range<usize>)>;

/// A key of a tuning, where it stands, and its values; `None` for all declared ones.
type TunedAxis = (String, Range<usize>, Option<Vec<String>>);

impl Reader<'_> {
    /// The agents and the conditions of a sweep; each of these is played with each of those.
    pub(super) fn sweep(
        &self,
        fields: &Fields,
    ) -> Result<(Vec<Named>, Vec<Wish>), ExperimentError> {
        let agents = self.named(fields.agents.get_ref())?;
        let [base] = &agents[..] else {
            return Err(self.at(&fields.agents, "expected one agent, which is swept"));
        };
        let axes = self.axes(fields)?;
        let spec = AgentSpec::parse(&base.text, self.load)
            .map_err(|error| self.error(Some(base.span.clone()), error))?;
        let mut points: Vec<Keys> = vec![Vec::new()];
        let mut wishes = vec![Wish::of(fields)];
        for axis in &axes {
            let twice = |given: bool, who: &str| {
                let message = format!("{}: {who} already sets this", axis.key);
                if given { Err(self.error(Some(axis.span.clone()), message)) } else { Ok(()) }
            };
            let key = axis.key.as_str();
            match key {
                "rules" => twice(fields.rules.is_some(), "the file")?,
                "units" => twice(fields.units.is_some(), "the file")?,
                "opening-plies" => twice(fields.opening_plies.is_some(), "the file")?,
                "setups" => twice(fields.setups.is_some(), "the file")?,
                _ => {}
            }
            let named = matches!(key, "rules" | "units" | "opening-plies" | "setups");
            if named || key.starts_with("rules.") {
                wishes = self.every_wish(&wishes, axis)?;
            } else {
                twice(spec.keys.iter().any(|(known, _)| known == key), "the agent itself")?;
                points = self.every_point(&points, axis)?;
            }
            if points.len() * wishes.len() > MOST_POINTS {
                let message = format!("{key}: more than {MOST_POINTS} combinations");
                return Err(self.error(Some(axis.span.clone()), message));
            }
        }
        let agent = |keys: &Keys| agent_of(base, &spec, keys);
        Ok((points.iter().map(agent).collect(), wishes))
    }

    /// The keys of a sweep in order, tables in tables with dots.
    fn axes(&self, fields: &Fields) -> Result<Vec<Axis>, ExperimentError> {
        let Some(place) = &fields.sweep else {
            let message = "expected a table [sweep] with KEY = [VALUE, …]";
            return Err(self.at(&fields.kind, message));
        };
        self.axes_in(&["sweep"], place.span())
    }

    /// The keys of the space of a tuning with their values; `None` for all declared ones.
    pub(super) fn tuned_axes(&self, fields: &Fields) -> Result<Vec<TunedAxis>, ExperimentError> {
        let place = fields.tune.as_ref().map_or(0..0, Spanned::span);
        let read = |axis: Axis| {
            let all = matches!(&axis.values[..], [one] if one.get_ref().as_str() == Some(ALL));
            let values = if all { None } else { Some(self.texts(&axis, ["on", "off"])?) };
            Ok((axis.key, axis.span, values))
        };
        self.axes_in(&["tune", "space"], place)?.into_iter().map(read).collect()
    }

    /// The keys with lists of values in a table of the file.
    fn axes_in(&self, path: &[&str], place: Range<usize>) -> Result<Vec<Axis>, ExperimentError> {
        let wrong = |error: toml::de::Error| self.error(error.span(), error.message());
        let table = DeTable::parse(self.content).map_err(wrong)?;
        let mut leaves = Vec::new();
        let mut inside = Some(table.get_ref());
        for name in path {
            let found = inside.and_then(|table| table.get(*name)).map(Spanned::get_ref);
            inside = match found {
                Some(DeValue::Table(table)) => Some(table),
                _ => None,
            };
        }
        if let Some(table) = inside {
            dotted("", table, &mut leaves);
        }
        if leaves.is_empty() {
            let message = format!("[{}]: expected KEY = [VALUE, …]", path.join("."));
            return Err(self.error(Some(place), message));
        }
        let tuned = path[0] == "tune";
        let axis = |(key, span, value): (String, Range<usize>, &Spanned<DeValue<'_>>)| {
            let wrong =
                |message: &str| Err(self.error(Some(span.clone()), format!("{key}: {message}")));
            if tuned && matches!(value.get_ref(), DeValue::String(word) if word == ALL) {
                let values = vec![Spanned::new(value.span(), Value::String(ALL.into()))];
                return Ok(Axis { key, span, values });
            }
            let DeValue::Array(values) = value.get_ref() else {
                let or = if tuned { ", or \"all\" for every declared one" } else { "" };
                return wrong(&format!("expected a list of values{or}"));
            };
            let read = |value: &Spanned<DeValue<'_>>| {
                let read = Value::deserialize(ValueDeserializer::from(value.clone()));
                read.map(|read| Spanned::new(value.span(), read))
            };
            let values: Result<Vec<_>, _> = values.iter().map(read).collect();
            let values = values.map_err(|error| self.error(Some(span.clone()), error.message()))?;
            if values.is_empty() {
                return wrong("expected at least one value");
            }
            Ok(Axis { key, span, values })
        };
        leaves.into_iter().map(axis).collect()
    }

    /// Every point with every value of one more key of the agent.
    fn every_point(&self, points: &[Keys], axis: &Axis) -> Result<Vec<Keys>, ExperimentError> {
        let texts = self.texts(axis, ["on", "off"])?;
        let mut all = Vec::new();
        for point in points {
            for (text, value) in texts.iter().zip(&axis.values) {
                let mut point = point.clone();
                point.push((axis.key.clone(), text.clone(), value.span()));
                all.push(point);
            }
        }
        Ok(all)
    }

    /// Every condition with every value of one more key.
    fn every_wish(&self, wishes: &[Wish], axis: &Axis) -> Result<Vec<Wish>, ExperimentError> {
        let changes = self.changes(axis)?;
        let with = |wish: &Wish, (name, change): &(String, Change)| {
            let mut wish = wish.clone();
            wish.names.push(name.clone());
            match change.clone() {
                Change::Rule(rule) => wish.rules.push(rule),
                Change::Units(file) => wish.units = Some(file),
                Change::OpeningPlies(plies) => wish.opening_plies = Some(plies),
                Change::Setups(setups) => wish.setups = Some(setups),
            }
            wish
        };
        let all = wishes.iter().flat_map(|wish| changes.iter().map(move |one| with(wish, one)));
        Ok(all.collect())
    }

    /// What the values of a key change about a condition, each with its name.
    fn changes(&self, axis: &Axis) -> Result<Vec<(String, Change)>, ExperimentError> {
        if axis.key == "setups" {
            let all: Vec<_> =
                axis.values.iter().map(|value| self.setups_of(value)).collect::<Result<_, _>>()?;
            self.refuse_twice(axis, all.iter().map(|(name, _)| name.as_str()))?;
            return Ok(all);
        }
        let mut changes = Vec::new();
        for (value, text) in axis.values.iter().zip(self.texts(axis, ["yes", "no"])?) {
            let wrong = |expected: &str| {
                self.at(value, format!("{} = {}: expected {expected}", axis.key, value.get_ref()))
            };
            let key = axis.key.trim_start_matches("rules.");
            let name = format!("{key}={text}");
            let change = match (axis.key.as_str(), value.get_ref()) {
                ("units", Value::String(file)) => {
                    Change::Units(Spanned::new(value.span(), file.clone()))
                }
                ("units", _) => return Err(wrong("the name of a file")),
                ("opening-plies", Value::Integer(plies)) => {
                    let plies =
                        u32::try_from(*plies).map_err(|_| wrong("a whole number, 0 or more"))?;
                    Change::OpeningPlies(Spanned::new(value.span(), plies))
                }
                ("opening-plies", _) => return Err(wrong("a whole number, 0 or more")),
                ("rules", _) => Change::Rule(Spanned::new(value.span(), text.clone())),
                _ if text.contains(',') => return Err(wrong("one value, without commas")),
                _ => Change::Rule(Spanned::new(value.span(), name.clone())),
            };
            changes.push((name, change));
        }
        Ok(changes)
    }

    /// One setup for both sides, or a list of two.
    fn setups_of(&self, value: &Spanned<Value>) -> Result<(String, Change), ExperimentError> {
        let one = |value: &Value, span| Spanned::new(span, value.clone());
        let list = match value.get_ref() {
            Value::Array(both) if both.len() == 2 => {
                both.iter().map(|setup| one(setup, value.span())).collect()
            }
            Value::Array(_) => {
                return Err(self.at(value, "expected one setup for both sides, or one for each"));
            }
            both => vec![one(both, value.span())],
        };
        let mut names = Vec::new();
        for setup in &list {
            names.extend(self.named(std::slice::from_ref(setup))?.into_iter().map(|it| it.name));
        }
        let name = format!("setups={}", names.join(" v "));
        Ok((name, Change::Setups(Spanned::new(value.span(), list))))
    }

    /// The values of a key as texts, with these words for true and false.
    fn texts(&self, axis: &Axis, [yes, no]: [&str; 2]) -> Result<Vec<String>, ExperimentError> {
        let mut texts = Vec::new();
        for value in &axis.values {
            texts.push(match value.get_ref() {
                Value::String(text) => text.clone(),
                number @ (Value::Integer(_) | Value::Float(_)) => number.to_string(),
                Value::Boolean(on) => (if *on { yes } else { no }).to_owned(),
                _ => {
                    let message = format!("{}: expected numbers, words or true/false", axis.key);
                    return Err(self.at(value, message));
                }
            });
        }
        self.refuse_twice(axis, texts.iter().map(String::as_str))?;
        Ok(texts)
    }

    fn refuse_twice<'a>(
        &self,
        axis: &Axis,
        texts: impl Iterator<Item = &'a str>,
    ) -> Result<(), ExperimentError> {
        let mut seen = BTreeSet::new();
        for (text, value) in texts.zip(&axis.values) {
            if !seen.insert(text) {
                let message = format!("{}: a value is listed twice", axis.key);
                return Err(self.at(value, message));
            }
        }
        Ok(())
    }
}

/// The agent of a sweep with these keys.
fn agent_of(base: &Named, spec: &AgentSpec, keys: &Keys) -> Named {
    let with = |keys: &Keys| {
        let mut spec = spec.clone();
        spec.keys.extend(keys.iter().map(|(key, value, _)| (key.clone(), value.clone())));
        spec.without_idle()
    };
    let written = |(key, value, _): &(String, String, Range<usize>)| format!("{key}={value}");
    let swept = keys.iter().map(written).collect::<Vec<_>>().join(",");
    Named {
        name: if keys.is_empty() { base.name.clone() } else { swept },
        text: with(keys).to_string(),
        span: keys.last().map_or(base.span.clone(), |(_, _, span)| span.clone()),
        swept: keys.iter().map(|key| (with(&vec![key.clone()]), key.2.clone())).collect(),
    }
}

/// What one value of a sweep changes about a condition.
#[derive(Clone)]
enum Change {
    Rule(Spanned<String>),
    Units(Spanned<String>),
    OpeningPlies(Spanned<u32>),
    Setups(Spanned<Vec<Spanned<Value>>>),
}

/// Keys with dots, where they stand, and their values.
fn dotted<'t, 'i>(
    before: &str,
    table: &'t DeTable<'i>,
    all: &mut Vec<(String, Range<usize>, &'t Spanned<DeValue<'i>>)>,
) {
    for (key, value) in table {
        let name = format!("{before}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) => dotted(&format!("{name}."), inner, all),
            _ => all.push((name, key.span(), value)),
        }
    }
}
