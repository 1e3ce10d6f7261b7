//! What people are offered before a game exists and can be played.

use registry::{AgentSpec, no_files};
use standard::registry;

#[test]
fn offered_rules_are_rules() {
    for name in registry().names() {
        let options = registry().open(name, "").unwrap().presentation().options;
        for rule in &options.rules {
            let key = rule.words.key;
            assert!(!rule.value.is_empty(), "{name}: no rule {key}");
            assert!(!rule.words.about.is_empty() && !rule.range.is_empty(), "{name}: {key}");
            let listed = rule.values.iter().any(|value| *value == rule.value);
            assert!(rule.values.is_empty() || listed, "{name}: {key}={}", rule.value);
            for value in &rule.values {
                // An odd number of obstacles cannot be symmetric; the others stand alone.
                registry()
                    .open(name, &format!("{key}={value}"))
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
        for (preset, about) in &options.presets {
            assert!(registry().open(name, preset).is_ok() && !about.is_empty(), "{name}: {preset}");
        }
        if let Some((first, _)) = options.presets.first() {
            let rules = |text: &str| registry().open(name, text).unwrap().info().rules;
            assert_eq!(rules(first), rules(""), "{name}: the first preset is the default");
        }
    }
}

/// What is said of sides that bring nothing of their own is what they bring.
#[test]
fn usual_setups_are_the_usual_ones() {
    for name in registry().names() {
        let game = registry().open(name, "").unwrap();
        let start = |setups| game.start(setups, Some(0), 7, false).unwrap();
        assert_eq!(start(game.info().usual_setups), start([""; 2]), "{name}");
    }
}

#[test]
fn every_level_can_play_and_they_rise() {
    for name in registry().names() {
        let open = registry().open(name, "").unwrap();
        let presentation = open.presentation();
        let levels = presentation.levels;
        assert!(
            levels.len() >= if presentation.toy { 2 } else { 6 },
            "{name}: {} levels",
            levels.len()
        );
        for level in &levels {
            let spec = AgentSpec::parse(&level.spec, &no_files).unwrap();
            let known = open.resolve(&spec, &no_files);
            let hidden =
                level.hidden_spec.as_ref().map(|spec| AgentSpec::parse(spec, &no_files).unwrap());
            match (open.info().hidden, hidden) {
                // The strongest may think for a time.
                (false, _) => {
                    let last = Some(&level.spec) == levels.last().map(|last| &last.spec);
                    let able = known.is_ok_and(|agent| agent.repeatable || last);
                    assert!(able, "{name}: {}", level.spec);
                }
                (true, Some(spec)) => assert!(open.resolve(&spec, &no_files).is_ok()),
                (true, None) => assert!(known.is_ok(), "{name}: {}", level.spec),
            }
        }
        assert!(levels.windows(2).all(|two| presentation.toy || two[0].elo < two[1].elo), "{name}");
    }
}

#[test]
fn levels_can_play_where_something_is_hidden() {
    for (name, rules) in [("lords-of-war", "table"), ("conquest", "secret-commands=yes")] {
        let game = registry().open(name, rules).unwrap();
        assert!(game.info().hidden);
        for level in &game.presentation().levels {
            let text = level.hidden_spec.as_ref().unwrap_or(&level.spec);
            let spec = AgentSpec::parse(text, &no_files).unwrap();
            game.resolve(&spec, &no_files).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn levels_are_those_that_were_measured() {
    let files = [
        ("othello", include_str!("../../../../experiments/levels-othello.toml")),
        ("conquest", include_str!("../../../../experiments/levels-conquest.toml")),
        ("lords-of-war", include_str!("../../../../experiments/levels-lords-of-war.toml")),
    ];
    let agents = |file: &str| -> Vec<String> {
        let file: toml::Table = file.parse().unwrap();
        let agents = file["agents"].as_array().unwrap().iter();
        agents.map(|agent| agent.as_str().unwrap().to_owned()).collect()
    };
    let tops = [
        ("conquest", include_str!("../../../../experiments/levels-conquest-top.toml")),
        ("lords-of-war", include_str!("../../../../experiments/levels-lords-of-war-top.toml")),
    ];
    for (name, file) in files {
        let mut measured = agents(file);
        if let Some((_, top)) = tops.iter().find(|(game, _)| *game == name) {
            // The strongest level was matched with the one before it.
            let top = agents(top);
            assert_eq!(Some(&top[1]), measured.last());
            measured.push(top[0].clone());
        }
        let levels = registry().open(name, "").unwrap().presentation().levels;
        let mut measured = measured.iter();
        for level in &levels {
            let known = measured.any(|spec| *spec == level.spec);
            assert!(known, "{name}: {} was not measured, or stands out of order", level.spec);
        }
    }
}
