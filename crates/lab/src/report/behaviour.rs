//! What players did, as counted in the records of a run.

use serde_json::{Map, Value};

use super::{Block, Data};
use crate::numbers::grouped;
use crate::table::Table;

/// The section of a page: every count of the game, as tables.
pub(super) fn section(behaviour: &Value, blocks: &mut Vec<Block>) {
    let game = behaviour["game"].as_str().unwrap_or_default();
    let Some(own) = behaviour[game].as_object() else { return };
    let games = behaviour["games"].as_u64().unwrap_or_default();
    blocks.push(Block::Heading("What players did".into()));
    blocks.push(Block::Words(format!(
        "Counted by replaying {} games; {:.2} actions a turn.",
        grouped(games),
        behaviour["actions_per_turn"].as_f64().unwrap_or_default()
    )));
    let mut single = Vec::new();
    for (name, value) in own {
        match value {
            Value::Object(map) if map.values().all(Value::is_object) => {
                blocks.push(Block::Table(cross(name, map, games)));
            }
            Value::Object(map) => blocks.push(Block::Table(list(name, map, games))),
            Value::Number(number) => single.push((name.clone(), number.to_string())),
            _ => {}
        }
    }
    if !single.is_empty() {
        let table = Table {
            caption: format!("Other counts, n = {} games", grouped(games)),
            head: vec!["what".into(), "count".into()],
            rows: single.into_iter().map(|(name, count)| vec![words(&name), count]).collect(),
        };
        blocks.push(Block::Table(Data::plain("counts", table)));
    }
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

fn count(value: &Value) -> String {
    match value {
        Value::Number(number) => number
            .as_u64()
            .map_or_else(|| format!("{:.2}", number.as_f64().unwrap_or_default()), grouped),
        other => other.to_string(),
    }
}

/// One count a name.
fn list(name: &str, map: &Map<String, Value>, games: u64) -> Data {
    let total: u64 = map.values().filter_map(Value::as_u64).sum();
    let row = |(key, value): (&String, &Value)| {
        let share = value.as_u64().map_or_else(String::new, |value| {
            format!("{:.1}", value as f64 * 100.0 / total.max(1) as f64)
        });
        vec![words(key), count(value), share]
    };
    let table = Table {
        caption: format!("{}, n = {} games", capitalised(&words(name)), grouped(games)),
        head: ["", "count", "percent"].map(str::to_owned).into(),
        rows: map.iter().map(row).collect(),
    };
    Data::plain(&format!("behaviour-{}", name.replace('_', "-")), table)
}

/// Counts by two names.
fn cross(name: &str, map: &Map<String, Value>, games: u64) -> Data {
    let columns: Vec<&String> = map
        .values()
        .next()
        .and_then(Value::as_object)
        .map_or_else(Vec::new, |row| row.keys().collect());
    let row = |(key, value): (&String, &Value)| {
        let cell = |column: &&String| count(value.get(column.as_str()).unwrap_or(&Value::Null));
        let total: u64 = columns.iter().filter_map(|&column| value[column].as_u64()).sum();
        let mut row = vec![words(key)];
        row.extend(columns.iter().map(cell));
        row.push(grouped(total));
        row
    };
    let mut heads = vec![String::new()];
    heads.extend(columns.iter().map(|column| words(column)));
    heads.push("all".into());
    let table = Table {
        caption: format!("{}, n = {} games", capitalised(&words(name)), grouped(games)),
        head: heads,
        rows: map.iter().map(row).collect(),
    };
    Data::plain(&format!("behaviour-{}", name.replace('_', "-")), table)
}

fn capitalised(words: &str) -> String {
    super::html::capitalised(words)
}
