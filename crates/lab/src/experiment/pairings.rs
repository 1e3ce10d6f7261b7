//! Who plays, and who against whom.

use std::ops::Range;

use registry::{AgentSpec, SpecError};
use toml::Spanned;

use super::conditions::OpenedCondition;
use super::file::{ExperimentError, Fields, Named, Reader};
use super::{Cell, KindName, Over, Player};

impl Reader<'_> {
    /// Who plays, and who against whom; `points` are the agents of a sweep.
    pub(super) fn pairings(
        &self,
        fields: &Fields,
        granted: &[OpenedCondition],
        over: Over,
        points: &[Named],
    ) -> Result<(Vec<Player>, Vec<Cell>), ExperimentError> {
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
        let player = |named: &Named| self.player(named, granted);
        match (kind, over) {
            (KindName::Match | KindName::Sprt, _) => {
                want(agents.len() == 2, "expected two agents")?;
                let players = agents.iter().map(player).collect::<Result<_, _>>()?;
                Ok((players, everybody(2, false)))
            }
            (KindName::RoundRobin, Over::Agents) => {
                want(agents.len() >= 2, "expected at least two agents")?;
                let players: Vec<Player> = agents.iter().map(player).collect::<Result<_, _>>()?;
                let cells = everybody(players.len(), false);
                Ok((players, cells))
            }
            (KindName::RoundRobin, Over::Setups) => {
                want(agents.len() == 1, "expected one agent, who plays all setups")?;
                let agent = player(&agents[0])?.agent;
                let setups = &granted[0].setups;
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
            (KindName::Gauntlet, _) => {
                want(!agents.is_empty(), "expected at least one agent")?;
                want_opponents()?;
                self.against(&agents, &opponents, granted)
            }
            (KindName::Sweep, _) => {
                want_opponents()?;
                self.against(points, &opponents, granted)
            }
            (KindName::Tune, _) => {
                want(agents.len() == 1, "expected one agent, whose keys are tuned")?;
                want_opponents()?;
                let copy = |name: &str| Named {
                    name: name.to_owned(),
                    text: agents[0].text.clone(),
                    span: agents[0].span.clone(),
                    swept: Vec::new(),
                };
                // What tuning found, and what it began with.
                self.against(&[copy("tuned"), copy("untuned")], &opponents, granted)
            }
        }
    }

    /// A player, who must know how to play under every condition.
    fn player(
        &self,
        named: &Named,
        granted: &[OpenedCondition],
    ) -> Result<Player, ExperimentError> {
        // Of several keys of a sweep, the one that is wrong alone too.
        let alone = |(spec, _): &&(AgentSpec, Range<usize>)| {
            granted.iter().any(|granted| granted.game.resolve(spec, self.load).is_err())
        };
        let wrong = |error: SpecError| {
            let place = named.swept.iter().find(alone).map_or(&named.span, |(_, place)| place);
            self.error(Some(place.clone()), error)
        };
        let spec = AgentSpec::parse(&named.text, self.load).map_err(wrong)?;
        for OpenedCondition { condition, game, .. } in granted {
            game.resolve(&spec, self.load).map_err(|error| match condition.name.as_str() {
                "" => wrong(error),
                name => wrong(SpecError::plain(format!("under {name}: {error}"))),
            })?;
        }
        Ok(Player { name: named.name.clone(), agent: spec.to_string(), setup: None })
    }

    /// All of one side against all of the other, under every condition.
    fn against(
        &self,
        agents: &[Named],
        opponents: &[Named],
        granted: &[OpenedCondition],
    ) -> Result<(Vec<Player>, Vec<Cell>), ExperimentError> {
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
            all().map(|named| self.player(named, granted)).collect::<Result<_, _>>()?;
        let mut cells = Vec::new();
        for under in 0..granted.len() {
            for a in 0..agents.len() {
                cells.extend((agents.len()..players.len()).map(|b| Cell { a, b, under }));
            }
        }
        Ok((players, cells))
    }
}

/// All pairs of players under the only condition; `mirror` adds everybody against the like.
fn everybody(players: usize, mirror: bool) -> Vec<Cell> {
    let pairs = (0..players).flat_map(|a| (a..players).map(move |b| Cell { a, b, under: 0 }));
    pairs.filter(|cell| mirror || cell.a != cell.b).collect()
}
