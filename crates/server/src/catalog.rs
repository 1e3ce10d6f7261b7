//! What can be played, as the page is told.

use std::sync::Arc;

use gamecore::{RuleInfo, RuleSheet, RuleWords};
use live::{lot, seat_word};
use registry::{AgentInfo, AnyGame, Level, Param, ParamKind, Registry};

use crate::dto::{AgentCard, Catalog, GameCard, LevelCard, ParamCard, RuleCard, RulePreset};

/// Everything that can be played, by agents that may use so many threads.
pub(crate) fn catalog(games: &Registry, threads: usize) -> Catalog {
    let card = |game: &Arc<dyn AnyGame>| game_card(&**game, threads);
    let mut games: Vec<GameCard> = games.all().iter().map(card).collect();
    games.sort_by_key(|game| game.toy);
    Catalog {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        levels_choose: lot::WORDS.to_owned(),
        games,
    }
}

fn game_card(game: &dyn AnyGame, threads: usize) -> GameCard {
    let (info, presentation) = (game.info(), game.presentation());
    let RuleSheet { presets, rules } = presentation.options;
    let rule = |rule: RuleInfo| {
        let RuleInfo { words: RuleWords { key, about, .. }, values, range, value } = rule;
        RuleCard {
            key: key.to_owned(),
            about: if values.is_empty() { format!("{about}: {range}") } else { about.to_owned() },
            values: values.into_iter().map(str::to_owned).collect(),
            default: value,
        }
    };
    let preset =
        |(name, about): (&str, &str)| RulePreset { name: name.into(), about: about.into() };
    GameCard {
        name: info.name.to_owned(),
        title: presentation.title.to_owned(),
        about: info.about.to_owned(),
        toy: presentation.toy,
        seats: presentation.seats.map(|seat| seat_word(&seat)),
        geometry: presentation.geometry,
        presets: presets.into_iter().map(preset).collect(),
        rules: rules.into_iter().filter(|rule| rule.words.offered).map(rule).collect(),
        setup: game.setups(),
        levels: presentation.levels.iter().zip(1..).map(level_card).collect(),
        // Programs from outside are not started for whoever asks over the network.
        agents: (game.agents().iter().filter(|agent| agent.name != "exec"))
            .map(|agent| agent_card(agent, threads))
            .collect(),
        rules_text: presentation.rules_text.to_owned(),
    }
}

fn level_card((level, number): (&Level, u32)) -> LevelCard {
    LevelCard {
        number,
        name: level.name.clone(),
        spec: level.spec.clone(),
        elo: level.elo,
        elo_error: level.elo_error,
        hidden_spec: level.hidden_spec.clone(),
    }
}

fn agent_card(agent: &AgentInfo, threads: usize) -> AgentCard {
    AgentCard {
        name: agent.name.to_owned(),
        about: agent.about.to_owned(),
        refused: agent.refused.clone(),
        params: agent.params.iter().map(|param| param_card(param, threads)).collect(),
    }
}

/// A tunable with the range that is allowed here.
fn param_card(param: &Param, threads: usize) -> ParamCard {
    let most = param.cost.map_or(f64::INFINITY, |cost| cost.most(threads) as f64);
    let (values, range, whole) = match &param.kind {
        ParamKind::Integer { min, max } => (Vec::new(), Some((*min as f64, *max as f64)), true),
        ParamKind::Decimal { min, max, .. } => (Vec::new(), Some((*min, *max)), false),
        ParamKind::Choice(words) => {
            (words.iter().map(|&word| word.to_owned()).collect(), None, false)
        }
        ParamKind::Text => (Vec::new(), None, false),
    };
    ParamCard {
        key: param.key.clone(),
        about: param.about.clone(),
        default: param.default.clone(),
        values,
        min: range.map(|(min, _)| min),
        max: range.map(|(_, max)| max.min(most)),
        whole,
    }
}

#[cfg(test)]
mod tests {
    use registry::{AgentSpec, no_files, within_caps};

    use super::*;

    #[test]
    fn the_largest_value_shown_is_the_largest_allowed() {
        let game = standard::registry().open("othello", "").unwrap();
        let allowed = |spec: &str| {
            let agent = game.resolve(&AgentSpec::parse(spec, &no_files).unwrap(), &no_files);
            agent.ok().map(|agent| within_caps(&agent, 2).is_ok())
        };
        let mut capped = 0;
        for agent in game_card(&*game, 2).agents {
            for param in agent.params {
                let Some(max) = param.max.filter(|_| param.whole) else { continue };
                let more = format!("{}:{}={}", agent.name, param.key, max + 1.0);
                assert_ne!(allowed(&more), Some(true), "{more}");
                // What the range itself forbids is not resolved.
                capped += u32::from(allowed(&more) == Some(false));
                let most = format!("{}:{}={max}", agent.name, param.key);
                assert_ne!(allowed(&most), Some(false), "{most}");
            }
        }
        assert!(capped > 50, "{capped}");
    }
}
