//! Reading an experiment from its file. Whatever is wrong with it is said with the line.

use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;

use arena::TimeControl;
use gamecore::short_hash;
use registry::{AgentSpec, AnyGame, Loader, Registry};
use serde::Deserialize;
use toml::{Spanned, Value};

use super::conditions::Wish;
use super::tune::TuneFields;
use super::{
    Experiment, Kind, KindName, Log, Over, SPEC_SCHEMA, Seen, Spec, SprtSpec, Starts, hashes,
    remembering,
};

/// More games than this are a slip of the pen.
const MOST_GAMES: u64 = 1_000_000_000;

/// Longer lists of agents, opponents or setups are slips, too.
const MOST_PLAYERS: usize = 1_000;
/// Everybody against everybody of three hundred. Every pairing has its line in tables.
const MOST_PAIRINGS: usize = 50_000;

/// What is wrong with an experiment, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{file}'{}: {message}{}", line_number(.line), line_text(.line))]
pub struct ExperimentError {
    file: String,
    /// Number and text of the line.
    line: Option<(usize, String)>,
    message: String,
}

impl ExperimentError {
    /// The number of the line, from 1, if the fault stands in one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line.as_ref().map(|(number, _)| *number)
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

fn line_number(line: &Option<(usize, String)>) -> String {
    line.as_ref().map_or_else(String::new, |(number, _)| format!(", line {number}"))
}

fn line_text(line: &Option<(usize, String)>) -> String {
    line.as_ref().map_or_else(String::new, |(number, text)| format!("\n{number:>5} | {text}"))
}

/// The fields of a file. What may be given together depends on the kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Fields {
    name: Option<Spanned<String>>,
    #[serde(default)]
    about: String,
    pub(super) game: Spanned<String>,
    pub(super) rules: Option<Spanned<String>>,
    pub(super) units: Option<Spanned<String>>,
    pub(super) kind: Spanned<KindName>,
    pub(super) over: Option<Spanned<Over>>,
    pub(super) agents: Spanned<Vec<Spanned<Value>>>,
    pub(super) opponents: Option<Spanned<Vec<Spanned<Value>>>>,
    pub(super) setups: Option<Spanned<Vec<Spanned<Value>>>>,
    pub(super) mirror: Option<Spanned<bool>>,
    games: Spanned<u64>,
    #[serde(default)]
    seed: Seed,
    starts: Option<Starts>,
    pub(super) opening_plies: Option<Spanned<u32>>,
    pub(super) openings: Option<Spanned<String>>,
    clock: Option<Spanned<String>>,
    #[serde(default)]
    log: Log,
    sprt: Option<Spanned<SprtSpec>>,
    pub(super) sweep: Option<Spanned<toml::Table>>,
    pub(super) tune: Option<Spanned<TuneFields>>,
}

/// A seed; numbers of the format end at 2⁶³ − 1, above that it is written in quotes.
struct Seed(u64);

impl Default for Seed {
    fn default() -> Self {
        Self(1)
    }
}

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Value::deserialize(deserializer)?;
        let seed = match &found {
            Value::Integer(number) => u64::try_from(*number).ok(),
            Value::String(text) => text.parse().ok(),
            _ => None,
        };
        let expected = "a whole number from 0 to 18446744073709551615, in quotes above 2⁶³ − 1";
        seed.map(Self)
            .ok_or_else(|| serde::de::Error::custom(format!("{found}: expected {expected}")))
    }
}

/// What to do about an error of the format whose words do not say it.
fn hint(message: &str) -> &'static str {
    if message.contains("dotted key") || message.contains("duplicate key") {
        "; write a key with dots in quotes, such as \"widen.alpha\" = …"
    } else if message.contains("too large") {
        "; write a number above 9223372036854775807 in quotes"
    } else {
        ""
    }
}

/// A name and a text, with the place where they stand.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) span: Range<usize>,
    /// Of an agent in a sweep: the agent with one of the swept keys alone, and where that stands.
    pub(super) swept: Vec<(AgentSpec, Range<usize>)>,
}

/// The file while it is read.
pub(super) struct Reader<'a> {
    pub(super) games: &'a Registry,
    file: &'a str,
    pub(super) content: &'a str,
    pub(super) load: Loader<'a>,
}

/// Reads and checks the experiment of a file; `load` reads the files it names.
pub fn read_experiment(
    games: &Registry,
    file: &str,
    content: &str,
    load: Loader<'_>,
) -> Result<Experiment, ExperimentError> {
    let seen = Seen::default();
    let load = remembering(load, &seen);
    let reader = Reader { games, file, content, load: &load };
    let wrong = |error: toml::de::Error| {
        // Its first line says it all; the rest draws the place, which is told here.
        let message = error.message().lines().next().unwrap_or_default();
        // What is missing stands in no line.
        let place = error.span().filter(|_| !message.starts_with("missing field"));
        reader.error(place, in_words(message) + hint(message))
    };
    let table: toml::Table = toml::from_str(content).map_err(wrong)?;
    let fields: Fields = toml::from_str(content).map_err(wrong)?;
    let mut experiment = reader.experiment(&fields)?;
    experiment.identity = identity(&experiment.spec.name, table);
    experiment.files = seen.take();
    experiment.data = hashes(&experiment.files);
    Ok(experiment)
}

/// What the reader of TOML says, without the words of programmers.
fn in_words(message: &str) -> String {
    let message = message.replace("invalid type: ", "").replace("invalid value: ", "");
    let Some((found, expected)) = message.split_once(", expected ") else {
        return message.replace('`', "'");
    };
    let expected = match expected {
        "u64" | "u32" => "a whole number, 0 or more",
        "i64" => "a whole number",
        "f64" => "a number",
        "a string" => "a text in quotes",
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "a map" => "a table",
        _ if expected.starts_with("struct ") => "a table",
        other => other,
    };
    format!("{found}, expected {expected}").replace('`', "'")
}

/// Names what the file asks for. Spaces, comments, the order of fields and the words about it do
/// not matter.
fn identity(name: &str, mut table: toml::Table) -> String {
    table.remove("about");
    short_hash(format!("{name}\n{}", toml::to_string(&table).expect("a table is plain data")))
}

impl Reader<'_> {
    pub(super) fn error(
        &self,
        span: Option<Range<usize>>,
        message: impl Into<Box<dyn Error>>,
    ) -> ExperimentError {
        let line = span.map(|span| {
            let before = &self.content[..span.start.min(self.content.len())];
            let number = before.matches('\n').count();
            (number + 1, self.content.lines().nth(number).unwrap_or_default().trim_end().to_owned())
        });
        ExperimentError { file: self.file.to_owned(), line, message: message.into().to_string() }
    }

    pub(super) fn at<T>(
        &self,
        field: &Spanned<T>,
        message: impl Into<Box<dyn Error>>,
    ) -> ExperimentError {
        self.error(Some(field.span()), message)
    }

    fn experiment(&self, fields: &Fields) -> Result<Experiment, ExperimentError> {
        self.check_fields_of_kind(fields)?;
        let over = fields.over.as_ref().map_or(Over::Agents, |over| *over.get_ref());
        let kind = *fields.kind.get_ref();
        let (points, wishes) = match kind {
            KindName::Sweep => self.sweep(fields)?,
            _ => (Vec::new(), vec![Wish::of(fields)]),
        };
        let granted = wishes
            .iter()
            .map(|wish| self.open_condition(fields, wish))
            .collect::<Result<Vec<_>, _>>()?;
        let lists = [Some(&fields.agents), fields.opponents.as_ref(), fields.setups.as_ref()];
        let mut lists = lists.into_iter().flatten();
        if let Some(list) = lists.find(|list| list.get_ref().len() > MOST_PLAYERS) {
            let found = list.get_ref().len();
            let message = format!("{found} players: expected at most {MOST_PLAYERS}");
            return Err(self.error(Some(list.span()), message));
        }
        let (players, cells) = self.pairings(fields, &granted, over, &points)?;
        if cells.len() > MOST_PAIRINGS {
            let message = format!("{} pairings: expected at most {MOST_PAIRINGS}", cells.len());
            return Err(self.error(Some(fields.agents.span()), message));
        }
        self.check_games(fields, &*granted[0].game, cells.len() as u64)?;
        let payload = match kind {
            KindName::Match => Kind::Match,
            KindName::RoundRobin => Kind::RoundRobin { over },
            KindName::Gauntlet => Kind::Gauntlet,
            KindName::Sprt => Kind::Sprt { sprt: self.sprt(fields)? },
            KindName::Sweep => Kind::Sweep,
            KindName::Tune => {
                let base = self.named(fields.agents.get_ref())?;
                Kind::Tune { tune: self.tune(fields, &base[0], &*granted[0].game)? }
            }
        };
        let spec = Spec {
            schema: SPEC_SCHEMA.into(),
            name: self.name(fields)?,
            about: fields.about.clone(),
            kind: payload,
            game: fields.game.get_ref().clone(),
            conditions: granted.into_iter().map(|granted| granted.condition).collect(),
            players,
            cells,
            games: *fields.games.get_ref(),
            seed: fields.seed.0,
            starts: fields.starts.unwrap_or(match kind {
                KindName::RoundRobin => Starts::Own,
                _ => Starts::Shared,
            }),
            clock: self.clock(fields)?,
            log: fields.log,
        };
        let experiment = Experiment::open(self.games, spec, self.load)
            .map_err(|error| self.error(None, error))?;
        // A start that cannot be made is better known now than after an hour.
        for (index, cell) in experiment.spec.cells.iter().enumerate() {
            let made = experiment.pair(index, 0);
            made.map_err(|error| self.error(wishes[cell.under].place_of_starts(), error))?;
        }
        Ok(experiment)
    }

    /// The name of the experiment: its own, or that of the file.
    fn name(&self, fields: &Fields) -> Result<String, ExperimentError> {
        let from_file = || {
            let file = self.file.rsplit(['/', '\\']).next().unwrap_or_default();
            file.strip_suffix(".toml").unwrap_or(file).to_owned()
        };
        let name = fields.name.as_ref().map_or_else(from_file, |name| name.get_ref().clone());
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.len() > 60 || !name.chars().all(plain) {
            let message =
                format!("name '{name}': expected 1 to 60 letters, digits, '-', '_' or '.'");
            return Err(self.error(fields.name.as_ref().map(Spanned::span), message));
        }
        Ok(name)
    }

    /// Fields that mean nothing for the kind are refused: they would be a wish not fulfilled.
    fn check_fields_of_kind(&self, fields: &Fields) -> Result<(), ExperimentError> {
        let kind = *fields.kind.get_ref();
        let refuse = |span: Option<Range<usize>>, field: &str, of: &str| match span {
            Some(span) => Err(self.error(Some(span), format!("{field} belongs to {of}"))),
            None => Ok(()),
        };
        if kind != KindName::Sprt {
            let span = fields.sprt.as_ref().map(Spanned::span);
            refuse(span, "[sprt]", "kind = \"sprt\"")?;
        }
        if kind != KindName::Sweep {
            let span = fields.sweep.as_ref().map(Spanned::span);
            refuse(span, "[sweep]", "kind = \"sweep\"")?;
        }
        if kind != KindName::Tune {
            let span = fields.tune.as_ref().map(Spanned::span);
            refuse(span, "[tune]", "kind = \"tune\"")?;
        }
        if !matches!(kind, KindName::Gauntlet | KindName::Sweep | KindName::Tune) {
            let span = fields.opponents.as_ref().map(Spanned::span);
            refuse(span, "opponents", "the kinds gauntlet, sweep and tune")?;
        }
        let over_setups = fields.over.as_ref().filter(|over| *over.get_ref() == Over::Setups);
        if kind != KindName::RoundRobin {
            let span = over_setups.map(Spanned::span);
            refuse(span, "over = \"setups\"", "kind = \"round-robin\"")?;
        }
        if over_setups.is_none() {
            let span = fields.mirror.as_ref().map(Spanned::span);
            refuse(span, "mirror", "over = \"setups\"")?;
        }
        Ok(())
    }

    /// A list of texts, or of tables { name, spec }.
    pub(super) fn named(&self, list: &[Spanned<Value>]) -> Result<Vec<Named>, ExperimentError> {
        let mut names = BTreeSet::new();
        let mut all = Vec::new();
        for entry in list {
            let (name, text) = match entry.get_ref() {
                Value::String(text) => (text.clone(), text.clone()),
                Value::Table(table) => {
                    let word = |key: &str| table.get(key).and_then(Value::as_str);
                    let (Some(name), Some(text), 2) = (word("name"), word("spec"), table.len())
                    else {
                        let message = "expected a text, or { name = \"…\", spec = \"…\" }";
                        return Err(self.at(entry, message));
                    };
                    (name.to_owned(), text.to_owned())
                }
                other => {
                    let message = format!("{other}: expected a text");
                    return Err(self.at(entry, message));
                }
            };
            if name.is_empty() || name.chars().any(char::is_control) {
                return Err(self.at(entry, "expected a name that can be printed"));
            }
            if !names.insert(name.clone()) {
                let message = format!("'{name}' is named twice");
                return Err(self.at(entry, message));
            }
            all.push(Named { name, text, span: entry.span(), swept: Vec::new() });
        }
        Ok(all)
    }

    fn check_games(
        &self,
        fields: &Fields,
        game: &dyn AnyGame,
        cells: u64,
    ) -> Result<(), ExperimentError> {
        let games = *fields.games.get_ref();
        let info = game.info();
        if games == 0 || !games.is_multiple_of(info.games_per_start()) {
            let message = if info.dealt {
                "expected a positive multiple of four: every deal is played by both agents at \
                 both seats, with either seat first"
            } else {
                "expected a positive even number: every start is played twice with the agents exchanged"
            };
            return Err(self.at(&fields.games, format!("games = {games}: {message}")));
        }
        if games.saturating_mul(cells) > MOST_GAMES {
            let message = format!("games = {games}: more than 1,000,000,000 games in all");
            return Err(self.at(&fields.games, message));
        }
        Ok(())
    }

    fn clock(&self, fields: &Fields) -> Result<Option<String>, ExperimentError> {
        let Some(clock) = &fields.clock else { return Ok(None) };
        let control: TimeControl =
            clock.get_ref().parse().map_err(|error| self.at(clock, error))?;
        Ok(Some(control.to_string()))
    }

    fn sprt(&self, fields: &Fields) -> Result<SprtSpec, ExperimentError> {
        let Some(field) = &fields.sprt else { return Ok(SprtSpec::default()) };
        let sprt = *field.get_ref();
        sprt.test().map_err(|error| self.at(field, error))?;
        if sprt.batch == 0 {
            return Err(self.at(field, "expected a batch of at least one pair"));
        }
        Ok(sprt)
    }
}
