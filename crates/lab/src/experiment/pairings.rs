//! Who plays, and who against whom.

use std::collections::BTreeSet;

use registry::{AgentSpec, AnyGame, SpecError};
use toml::{Spanned, Value};

use super::file::{ExperimentError, Fields, Named, Reader};
use super::{Kind, Over, Player};

/// More players than this make tables that nobody reads.
const MOST_PLAYERS: usize = 2000;

impl Reader<'_> {
    /// Who plays, and who against whom.
    pub(super) fn pairings(
        &self,
        fields: &Fields,
        game: &dyn AnyGame,
        over: Over,
        setups: &[Named],
    ) -> Result<(Vec<Player>, Vec<[usize; 2]>), ExperimentError> {
        let agents = self.named(fields.agents.get_ref())?;
        let opponents = match &fields.opponents {
            Some(list) => self.named(list.get_ref())?,
            None => Vec::new(),
        };
        let kind = *fields.kind.get_ref();
        let want = |fine: bool, message: &str| {
            if fine { Ok(()) } else { Err(self.at(&fields.agents, message)) }
        };
        let want_opponents = || match &fields.opponents {
            None => Err(self.at(&fields.kind, "expected a field opponents = [\"AGENT\", …]")),
            Some(list) if list.get_ref().is_empty() => {
                Err(self.at(list, "expected at least one opponent"))
            }
            Some(_) => Ok(()),
        };
        let player = |named: &Named| self.player(named, game);
        match (kind, over) {
            (Kind::Match | Kind::Sprt, _) => {
                want(agents.len() == 2, "expected two agents")?;
                let players = agents.iter().map(player).collect::<Result<_, _>>()?;
                Ok((players, vec![[0, 1]]))
            }
            (Kind::RoundRobin, Over::Agents) => {
                want(agents.len() >= 2, "expected at least two agents")?;
                let players: Vec<Player> = agents.iter().map(player).collect::<Result<_, _>>()?;
                let cells = everybody(players.len(), false);
                Ok((players, cells))
            }
            (Kind::RoundRobin, Over::Setups) => {
                want(agents.len() == 1, "expected one agent, who plays all setups")?;
                let agent = player(&agents[0])?.agent;
                if setups.len() < 2 {
                    let span = fields.setups.as_ref().map_or(fields.kind.span(), Spanned::span);
                    return Err(self.error(Some(span), "expected setups = [\"…\", \"…\", …]"));
                }
                let players: Vec<Player> = setups
                    .iter()
                    .map(|setup| Player {
                        name: setup.name.clone(),
                        agent: agent.clone(),
                        setup: Some(setup.text.clone()),
                    })
                    .collect();
                let mirror = fields.mirror.as_ref().is_some_and(|mirror| *mirror.get_ref());
                let cells = everybody(players.len(), mirror);
                Ok((players, cells))
            }
            (Kind::Gauntlet, _) => {
                want(!agents.is_empty(), "expected at least one agent")?;
                want_opponents()?;
                self.against(&agents, &opponents, game)
            }
            (Kind::Sweep, _) => {
                want(agents.len() == 1, "expected one agent, whose keys are swept")?;
                want_opponents()?;
                let points = self.sweep(fields, &agents[0])?;
                self.against(&points, &opponents, game)
            }
        }
    }

    fn player(&self, named: &Named, game: &dyn AnyGame) -> Result<Player, ExperimentError> {
        let wrong = |error: SpecError| self.error(Some(named.span.clone()), error);
        let spec = AgentSpec::parse(&named.text, self.load).map_err(wrong)?;
        game.resolve(&spec, self.load).map_err(wrong)?;
        Ok(Player { name: named.name.clone(), agent: spec.to_string(), setup: None })
    }

    /// All of one side against all of the other.
    fn against(
        &self,
        agents: &[Named],
        opponents: &[Named],
        game: &dyn AnyGame,
    ) -> Result<(Vec<Player>, Vec<[usize; 2]>), ExperimentError> {
        let all = || agents.iter().chain(opponents);
        if let Some(twice) =
            opponents.iter().find(|other| agents.iter().any(|agent| agent.name == other.name))
        {
            let message = format!(
                "'{}' is on both sides; give one of them another name: {{ name, spec }}",
                twice.name
            );
            return Err(self.error(Some(twice.span.clone()), message));
        }
        let players: Vec<Player> =
            all().map(|named| self.player(named, game)).collect::<Result<_, _>>()?;
        let theirs = agents.len()..players.len();
        let cells = (0..agents.len())
            .flat_map(|mine| theirs.clone().map(move |other| [mine, other]))
            .collect();
        Ok((players, cells))
    }

    /// Every combination of the values of every key.
    fn sweep(&self, fields: &Fields, base: &Named) -> Result<Vec<Named>, ExperimentError> {
        let Some(table) = &fields.sweep else {
            let message = "expected a table [sweep] with KEY = [VALUE, …]";
            return Err(self.at(&fields.kind, message));
        };
        let base_spec = AgentSpec::parse(&base.text, self.load)
            .map_err(|error| self.error(Some(base.span.clone()), error))?;
        let mut points: Vec<Vec<(String, String)>> = vec![Vec::new()];
        for (key, values) in dotted(table.get_ref()) {
            let wrong = |message: &str| self.at(table, format!("{key}: {message}"));
            let Value::Array(values) = values else {
                return Err(wrong("expected a list of values"));
            };
            if base_spec.keys.iter().any(|(known, _)| *known == key) {
                return Err(wrong("the agent itself gives this key already"));
            }
            let mut texts = Vec::new();
            for value in values {
                texts.push(match value {
                    Value::String(text) => text.clone(),
                    Value::Integer(_) | Value::Float(_) => value.to_string(),
                    Value::Boolean(on) => (if *on { "on" } else { "off" }).to_owned(),
                    _ => return Err(wrong("expected numbers, words or true/false")),
                });
            }
            if texts.is_empty() {
                return Err(wrong("expected at least one value"));
            }
            if texts.iter().collect::<BTreeSet<_>>().len() < texts.len() {
                return Err(wrong("a value stands there twice"));
            }
            points = points
                .iter()
                .flat_map(|point| {
                    texts.iter().map(|text| {
                        let mut point = point.clone();
                        point.push((key.clone(), text.clone()));
                        point
                    })
                })
                .collect();
            if points.len() > MOST_PLAYERS {
                return Err(wrong("more than 2000 combinations"));
            }
        }
        if points[0].is_empty() {
            return Err(self.at(table, "expected KEY = [VALUE, …]"));
        }
        let named = |keys: Vec<(String, String)>| {
            let written = |(key, value): &(String, String)| format!("{key}={value}");
            let name = keys.iter().map(written).collect::<Vec<_>>().join(",");
            let mut spec = base_spec.clone();
            spec.keys.extend(keys);
            Named { name, text: spec.to_string(), span: table.span() }
        };
        Ok(points.into_iter().map(named).collect())
    }
}

/// All pairs of players; `mirror` adds everybody against the like.
fn everybody(players: usize, mirror: bool) -> Vec<[usize; 2]> {
    let pairs = (0..players).flat_map(|a| (a..players).map(move |b| [a, b]));
    pairs.filter(|[a, b]| mirror || a != b).collect()
}

/// The keys of tables in tables with dots, as agents have them.
fn dotted(table: &toml::Table) -> Vec<(String, &Value)> {
    let mut all = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) => all.extend(
                dotted(inner).into_iter().map(|(rest, value)| (format!("{key}.{rest}"), value)),
            ),
            value => all.push((key.clone(), value)),
        }
    }
    all
}
