//! What players did, as counted in the records of a run.

use arena::GameRecord;
use gamecore::Outcome;
use registry::AnyGame;
use serde_json::{Map, Value};
use store::{GameRow, Run, Store};

use super::html::capitalised;
use super::{Block, Data};
use crate::numbers::grouped;
use crate::run::RunError;
use crate::table::Table;

/// What players did in some games of a run, if the game counts anything of its own.
pub fn behaviour_of<'a>(
    store: &Store,
    run: &Run,
    game: &dyn AnyGame,
    rows: impl IntoIterator<Item = &'a GameRow>,
) -> Result<Option<Value>, RunError> {
    let empty = game.behaviour(&mut std::iter::empty())?;
    if empty.get(game.info().name).is_none() {
        return Ok(None);
    }
    let mut failed = None;
    // Void games have nothing to replay.
    let numbers = rows.into_iter().filter(|row| row.outcome != Outcome::Void).map(|row| row.number);
    let mut records = numbers.map_while(|number| {
        let wrong = |reason: String| RunError::Record { id: run.id.clone(), number, reason };
        let read = || -> Result<GameRecord, RunError> {
            let text = store.record(run, number)?;
            GameRecord::from_json(&text).map_err(|error| wrong(error.to_string()))
        };
        read().map_err(|error| failed = Some(error)).ok()
    });
    let counted = game.behaviour(&mut records)?;
    drop(records);
    failed.map_or(Ok(Some(counted)), Err)
}

/// The section of a page: every count of the game, as tables. `sound` games of the whole run count.
pub(super) fn section(behaviour: &Value, sound: u64, blocks: &mut Vec<Block>) {
    let game = behaviour["game"].as_str().unwrap_or_default();
    let Some(own) = behaviour[game].as_object() else { return };
    let games = behaviour["games"].as_u64().unwrap_or_default();
    if games == 0 {
        return;
    }
    blocks.push(Block::Heading("What players did".into()));
    let which = if games < sound {
        format!("the first n = {} of {} games", grouped(games), grouped(sound))
    } else {
        format!("all n = {} games", grouped(games))
    };
    blocks.push(Block::Words(format!(
        "Counted by replaying {which}, repeated games included; {:.2} actions per turn.",
        behaviour["actions_per_turn"].as_f64().unwrap_or_default()
    )));
    let mut single = Vec::new();
    for (name, value) in own {
        tables(name, value, games, blocks, &mut single);
    }
    if !single.is_empty() {
        let caption = format!("Other counts, n = {} games", grouped(games));
        let table = Table { caption, head: vec!["what".into(), "count".into()], rows: single };
        blocks.push(Block::Table(Data::plain("counts", table)));
    }
}

/// The tables of one count, whatever its form: nothing is left out.
fn tables(
    name: &str,
    value: &Value,
    games: u64,
    blocks: &mut Vec<Block>,
    single: &mut Vec<Vec<String>>,
) {
    let map = match value {
        Value::Object(map) => map.clone(),
        Value::Array(seats) => {
            let seat =
                |(seat, value): (usize, &Value)| (format!("player {}", seat + 1), value.clone());
            seats.iter().enumerate().map(seat).collect()
        }
        other => {
            single.push(vec![capitalised(&words(name)), cell(other)]);
            return;
        }
    };
    let plain = |value: &Value| !value.is_object() && !value.is_array();
    let simple = |value: &Value| {
        plain(value)
            || value
                .as_object()
                .is_some_and(|inner| inner.values().all(|it| plain(it) || attack(it)))
    };
    let same_keys = {
        let mut keys = map.values().map(|value| {
            value.as_object().map(|inner| inner.keys().cloned().collect::<Vec<String>>())
        });
        let first = keys.next().flatten();
        first.is_some() && keys.all(|keys| keys == first)
    };
    let table = if map.values().all(plain) {
        list(&map)
    } else if map.values().all(simple) && same_keys {
        cross(&map)
    } else {
        for (inner, value) in &map {
            tables(&format!("{name}_{inner}"), value, games, blocks, single);
        }
        return;
    };
    let caption = format!("{}, n = {} games", capitalised(&words(name)), grouped(games));
    let file = format!("behaviour-{}", name.replace(['_', ' '], "-"));
    blocks.push(Block::Table(Data::plain(&file, Table { caption, ..table })));
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// A count and how many of it killed.
fn attack(value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|map| map.len() == 2 && map.contains_key("count") && map.contains_key("kills"))
}

fn cell(value: &Value) -> String {
    match value {
        Value::Number(number) => number
            .as_u64()
            .map_or_else(|| format!("{:.2}", number.as_f64().unwrap_or_default()), grouped),
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value if attack(value) => {
            let [count, kills] = ["count", "kills"].map(|key| value[key].as_u64().unwrap_or(0));
            if count == 0 {
                return "0".into();
            }
            format!("{} ({:.0} % kill)", grouped(count), kills as f64 * 100.0 / count as f64)
        }
        other => other.to_string(),
    }
}

/// One count a name, with its share where all are counts.
fn list(map: &Map<String, Value>) -> Table {
    let counts: Option<Vec<u64>> = map.values().map(Value::as_u64).collect();
    let mut head = vec![String::new(), "count".to_owned()];
    let mut rows: Vec<Vec<String>> =
        map.iter().map(|(key, value)| vec![words(key), cell(value)]).collect();
    if let Some(counts) = counts {
        let total = counts.iter().sum::<u64>().max(1) as f64;
        head.push("percent".into());
        for (row, count) in rows.iter_mut().zip(&counts) {
            row.push(format!("{:.1}", *count as f64 * 100.0 / total));
        }
    } else {
        head[1] = "value".into();
    }
    Table { caption: String::new(), head, rows }
}

/// Values by two names, with their sum where all are counts.
fn cross(map: &Map<String, Value>) -> Table {
    let keys = map.values().next().and_then(Value::as_object);
    let columns: Vec<&String> = keys.map_or_else(Vec::new, |row| row.keys().collect());
    let rows = || map.values().map(|row| columns.iter().map(|&column| &row[column]));
    let all_counts = rows().flatten().all(Value::is_u64);
    let all_attacks = rows().flatten().all(attack);
    let sum = |of: &dyn Fn(&Value) -> u64, row: &Value| -> u64 {
        columns.iter().map(|&column| of(&row[column])).sum()
    };
    let row = |(key, value): (&String, &Value)| {
        let mut row = vec![words(key)];
        row.extend(columns.iter().map(|&column| cell(&value[column])));
        if all_counts {
            row.push(grouped(sum(&|value| value.as_u64().unwrap_or(0), value)));
        } else if all_attacks {
            let [count, kills] =
                ["count", "kills"].map(|key| sum(&|value| value[key].as_u64().unwrap_or(0), value));
            row.push(cell(&serde_json::json!({ "count": count, "kills": kills })));
        }
        row
    };
    let mut head = vec![String::new()];
    head.extend(columns.iter().map(|column| words(column)));
    if all_counts || all_attacks {
        head.push("all".into());
    }
    Table { caption: String::new(), head, rows: map.iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_of_every_form_are_shown() {
        let behaviour = json!({
            "game": "g", "games": 3, "actions_per_turn": 2.5,
            "g": {
                "moves": { "Scout": 3, "Mage": 1 },
                "attacks": {
                    "Scout": { "Mage": { "count": 12, "kills": 10 } },
                    "Mage": { "Mage": { "count": 0, "kills": 0 } },
                },
                "deployments": { "ranks": { "hero": 2 }, "classes": { "archer": 4, "rider": 0 } },
                "points_left": [
                    { "mean": 1.5, "sd": 0.5, "min": 1.0, "max": 2.0 },
                    { "mean": 3.0, "sd": 0.0, "min": 3.0, "max": 3.0 },
                ],
                "mean_options": { "deploy": 7.25 },
                "draws": 2,
            },
        });
        let mut blocks = Vec::new();
        section(&behaviour, 0, &mut blocks);
        let shown: String = blocks
            .iter()
            .map(|block| match block {
                Block::Table(data) => format!("{}\n{}", data.name, data.table.as_markdown()),
                _ => String::new(),
            })
            .collect();
        for part in [
            "| Scout | 3 | 75.0 |",
            "| Scout | 12 (83 % kill) | 12 (83 % kill) |",
            "| Mage | 0 | 0 |",
            "behaviour-deployments-classes\nDeployments classes, n = 3 games.",
            "| hero | 2 | 100.0 |",
            "| player 2 | 3.00 | 0.00 | 3.00 | 3.00 |",
            "| deploy | 7.25 |",
            "| Draws | 2 |",
        ] {
            assert!(shown.contains(part), "{part} in {shown}");
        }
    }
}
