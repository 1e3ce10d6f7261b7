//! Scores over the values of a sweep: a line for one key, a field of colours for two.

use std::collections::BTreeMap;

use super::draw::{Chart, HeatMap, Point, Series};
use super::pairings::{heat_cell, narrowed};
use super::{Block, Data};
use crate::experiment::{Kind, Spec};
use crate::numbers::{grouped, percent};
use crate::run::{CellSummary, Summary};
use crate::table::Table;

/// Lines that can be told apart.
const MOST_LINES: usize = 6;

/// More values of a key than this are no readable chart.
const MOST_VALUES: usize = 60;

/// A swept key and its values, in the order of the file.
struct Axis {
    key: String,
    values: Vec<String>,
}

/// The swept keys, and where every pairing stands on them.
struct Grid {
    axes: Vec<Axis>,
    places: Vec<Vec<usize>>,
}

/// `KEY=VALUE,KEY=VALUE` apart; nothing if a text is none such.
fn keys_of(text: &str) -> Option<Vec<(&str, &str)>> {
    text.split(',').map(|part| part.split_once('=')).collect()
}

impl Grid {
    /// Reads the names of players and conditions, which say what was swept.
    fn of(spec: &Spec) -> Option<Self> {
        let agents_differ = spec.cells.iter().any(|cell| cell.a != spec.cells[0].a);
        let mut axes: Vec<Axis> = Vec::new();
        let mut places = Vec::new();
        for (index, cell) in spec.cells.iter().enumerate() {
            let condition = spec.condition(index).name.as_str();
            let mut keys = if condition.is_empty() { Vec::new() } else { keys_of(condition)? };
            if agents_differ {
                keys.extend(keys_of(&spec.players[cell.a].name)?);
            }
            if axes.is_empty() {
                axes = keys
                    .iter()
                    .map(|(key, _)| Axis { key: (*key).to_owned(), values: Vec::new() })
                    .collect();
            }
            if axes.len() != keys.len() {
                return None;
            }
            let mut place = Vec::new();
            for (axis, (key, value)) in axes.iter_mut().zip(keys) {
                if axis.key != key {
                    return None;
                }
                let known = axis.values.iter().position(|known| known == value);
                place.push(known.unwrap_or(axis.values.len()));
                if known.is_none() {
                    axis.values.push(value.to_owned());
                }
            }
            places.push(place);
        }
        Some(Self { axes, places })
    }
}

/// The pairings of each opponent, by its place in the spec.
fn by_opponent(spec: &Spec) -> BTreeMap<usize, Vec<usize>> {
    let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, cell) in spec.cells.iter().enumerate() {
        all.entry(cell.b).or_default().push(index);
    }
    all
}

/// Charts of a sweep over one key or two, each with its table; `pairings` is the table of all.
pub(super) fn figures(spec: &Spec, summary: &Summary, pairings: &Data) -> Option<Vec<Block>> {
    if spec.kind != Kind::Sweep {
        return None;
    }
    let grid = Grid::of(spec)?;
    if grid.axes.iter().any(|axis| !(2..=MOST_VALUES).contains(&axis.values.len())) {
        return None;
    }
    let opponents = by_opponent(spec);
    match &grid.axes[..] {
        [axis] if opponents.len() <= MOST_LINES => {
            Some(vec![line(spec, summary, &grid, axis, &opponents, pairings.clone())])
        }
        [rows, columns] => {
            let map = |(number, (&opponent, cells)): (usize, (&usize, &Vec<usize>))| {
                let name = &spec.players[opponent].name;
                field(summary, &grid, [rows, columns], (number, name), cells)
            };
            let mut blocks: Vec<Block> = (1..).zip(&opponents).map(map).collect();
            blocks.push(Block::Table(pairings.clone()));
            Some(blocks)
        }
        _ => None,
    }
}

fn line(
    spec: &Spec,
    summary: &Summary,
    grid: &Grid,
    axis: &Axis,
    opponents: &BTreeMap<usize, Vec<usize>>,
    data: Data,
) -> Block {
    let series = |(style, (&opponent, cells)): (usize, (&usize, &Vec<usize>))| {
        let point = |&index: &usize| {
            let cell = &summary.cells[index];
            let step = grid.places[index][0] as u32 + 1;
            let interval = Some(cell.evidence.wilson.map(|end| end * 100.0));
            cell.evidence.score.map(|score| Point { step, value: score * 100.0, interval })
        };
        Series {
            label: format!("v {}", spec.players[opponent].name),
            style,
            points: cells.iter().filter_map(point).collect(),
        }
    };
    let chart = Chart {
        title: format!("Score over {}", axis.key),
        axis: "score in percent, with 95 % intervals",
        below: axis.key.clone(),
        steps: axis.values.len() as u32,
        series: (1..).zip(opponents).map(series).collect(),
        line: Some(50.0),
        ticks: vec![0.0, 25.0, 50.0, 75.0, 100.0],
        linear: true,
        names: axis.values.clone(),
        ..Chart::default()
    };
    let words = format!(
        "Score over the values of `{}`, evenly spaced as in the file, with 95 % intervals (Wilson), \
         one line per opponent. Neighbouring values that agree are better evidence than one value \
         that stands out: the best of many is partly lucky.",
        axis.key
    );
    Block::Figure { words, drawing: chart.drawing(), data }
}

/// One opponent over two keys.
fn field(
    summary: &Summary,
    grid: &Grid,
    [rows, columns]: [&Axis; 2],
    (number, opponent): (usize, &str),
    cells: &[usize],
) -> Block {
    let wide = columns.values.len();
    let mut colours = vec![None; rows.values.len() * wide];
    let mut texts = vec![String::new(); rows.values.len() * wide];
    for &index in cells {
        let cell: &CellSummary = &summary.cells[index];
        let Some(score) = cell.evidence.score else { continue };
        let [row, column] = [grid.places[index][0], grid.places[index][1]];
        let star = summary.stronger(cell).is_some();
        let name = format!(
            "{}={}, {}={} v {opponent}",
            rows.key, rows.values[row], columns.key, columns.values[column]
        );
        let [low, high] = cell.evidence.wilson.map(percent);
        let mark = if star { " ★" } else { "" };
        texts[row * wide + column] = format!(
            "{} [{low}, {high}], n = {}{mark}",
            percent(score),
            grouped(cell.evidence.counted_games())
        );
        colours[row * wide + column] = Some(heat_cell(
            &name,
            score,
            cell.evidence.wilson,
            cell.evidence.counted_games(),
            star,
        ));
    }
    let named = |axis: &Axis| -> Vec<String> {
        axis.values.iter().map(|value| format!("{}={value}", axis.key)).collect()
    };
    let drawing = narrowed(HeatMap {
        title: format!("Score against {opponent}, percent"),
        rows: named(rows),
        columns: named(columns),
        cells: colours,
        apart: false,
    })
    .drawing();
    let table_row = |(row, name): (usize, &String)| {
        let cells = texts[row * wide..(row + 1) * wide].iter().cloned();
        std::iter::once(name.clone()).chain(cells).collect()
    };
    let mut head = vec![rows.key.clone()];
    head.extend(named(columns));
    let table = Table {
        caption: format!("Score against {opponent} in percent with its 95 % interval (Wilson)"),
        head,
        rows: rows.values.iter().enumerate().map(table_row).collect(),
    };
    let words = format!(
        "Score against **{opponent}** in percent, `{}` downwards and `{}` to the right. ★ is \
         significant at 5 % after correction for all pairings (Holm).",
        rows.key, columns.key
    );
    Block::Figure { words, drawing, data: Data::plain(&format!("sweep-{number}"), table) }
}

#[cfg(test)]
mod tests {
    use super::keys_of;

    #[test]
    fn names_of_swept_players_say_their_keys() {
        assert_eq!(keys_of("a=1,b.c=x"), Some(vec![("a", "1"), ("b.c", "x")]));
        assert_eq!(keys_of("setups=Rush v 3C,2S+Charge"), None);
    }
}
