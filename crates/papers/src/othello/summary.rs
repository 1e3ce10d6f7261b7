//! What the searches come to: totals, means, ratios, and whether the algorithms agree.

use std::collections::BTreeMap;

use serde::Serialize;

use super::measure::{Measurement, Minimal};
use super::plan::{BASE, EXACT, Plan};
use stats::{Ratios, cluster_rate, geometric_mean};

/// One algorithm in one setting at one depth.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The setting.
    pub setting: &'static str,
    /// The algorithm.
    pub algorithm: &'static str,
    /// The agent, exactly.
    pub spec: String,
    /// Decisions looked ahead.
    pub depth: u32,
    /// Positions.
    pub n: usize,
    /// Nodes of all positions together.
    pub nodes_total: u64,
    /// Geometric mean of the nodes of a position.
    pub nodes_mean: f64,
    /// Leaves of all positions together.
    pub leaves_total: u64,
    /// Geometric mean of the leaves of a position.
    pub leaves_mean: f64,
    /// Searches repeated, all positions together.
    pub researches: u64,
    /// Answers of the table, all positions together.
    pub table_hits: u64,
    /// Nodes divided by those of alpha-beta in the same setting, position by position.
    pub to_base: Option<Ratios>,
    /// Nodes divided by those of the smallest tree, where that was measured.
    pub to_minimal: Option<Ratios>,
    /// What a clock measured.
    pub timing: RowTiming,
}

/// Times of a [`Row`].
#[derive(Clone, Debug, Serialize)]
pub struct RowTiming {
    /// Seconds of all positions together.
    pub seconds_total: f64,
    /// Geometric mean of the milliseconds of a position.
    pub ms_mean: f64,
    /// Time divided by that of alpha-beta in the same setting, position by position.
    pub to_base: Option<Ratios>,
}

/// The smallest trees of one depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MinimalRow {
    /// Decisions looked ahead.
    pub depth: u32,
    /// Positions.
    pub n: usize,
    /// Geometric mean of the nodes.
    pub nodes_mean: f64,
    /// The fewest nodes of all.
    pub fewest: u64,
    /// Positions that need more nodes than the paper reports at most.
    pub beyond_reported: usize,
    /// Nodes for the start position alone.
    pub start: Option<u64>,
    /// Leaves by the formula for uniform trees, b^⌈d/2⌉ + b^⌊d/2⌋ − 1.
    pub formula_leaves: f64,
    /// The same summed over all levels: nodes.
    pub formula_nodes: f64,
}

/// Whether the algorithms agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Agreement {
    /// Searches by correct algorithms.
    pub searches: usize,
    /// Pairs of position and depth.
    pub questions: usize,
    /// Searches whose value is not that of alpha-beta.
    pub wrong_values: usize,
    /// Searches whose action is not that of alpha-beta.
    pub wrong_actions: usize,
    /// Searches by the printed pseudo-code.
    pub printed: usize,
    /// Of them with the right value.
    pub printed_values: usize,
    /// Of them with the right action.
    pub printed_actions: usize,
    /// Positions of these searches; one position is asked about at several depths.
    pub printed_positions: usize,
    /// 95 % interval on the rate of right actions: bootstrap over positions.
    pub printed_interval: [f64; 2],
    /// The rate at which blind choice would hit the right action: the mean of 1 / actions.
    pub blind_rate: f64,
}

type ByPosition<'a> = BTreeMap<usize, &'a Measurement>;

/// All searches by column and depth.
fn grouped<'a>(searches: &'a [Measurement]) -> BTreeMap<(usize, u32), ByPosition<'a>> {
    let mut groups: BTreeMap<(usize, u32), ByPosition<'a>> = BTreeMap::new();
    for search in searches {
        groups.entry((search.column, search.depth)).or_default().insert(search.position, search);
    }
    groups
}

/// The table of results.
pub(super) fn rows(plan: &Plan, searches: &[Measurement], minimal: &[Minimal]) -> Vec<Row> {
    let groups = grouped(searches);
    let smallest: BTreeMap<(usize, u32), u64> =
        minimal.iter().map(|tree| ((tree.position, tree.depth), tree.nodes)).collect();
    let row = |(&(column, depth), group): (&(usize, u32), &ByPosition<'_>)| {
        let made = &plan.columns[column];
        let base = plan.column(BASE, made.setting).and_then(|base| groups.get(&(base, depth)));
        let ratios = |measure: fn(&Measurement) -> f64| {
            let pairs = group.iter().filter_map(|(position, search)| {
                Some(measure(search) / measure(base?.get(position)?))
            });
            Ratios::of(&pairs.collect::<Vec<f64>>(), plan.seed)
        };
        let total = |measure: fn(&Measurement) -> u64| group.values().map(|s| measure(s)).sum();
        let above_minimal: Vec<f64> = group
            .iter()
            .filter_map(|(&position, search)| {
                Some(search.nodes as f64 / *smallest.get(&(position, depth))? as f64)
            })
            .collect();
        Row {
            setting: made.setting,
            algorithm: made.algorithm,
            spec: made.spec(depth),
            depth,
            n: group.len(),
            nodes_total: total(|search| search.nodes),
            nodes_mean: geometric_mean(group.values().map(|search| search.nodes as f64)),
            leaves_total: total(|search| search.leaves),
            leaves_mean: geometric_mean(group.values().map(|search| search.leaves.max(1) as f64)),
            researches: total(|search| search.researches),
            table_hits: total(|search| search.table_hits),
            to_base: ratios(|search| search.nodes as f64),
            // One position alone says nothing about the others.
            to_minimal: (above_minimal.len() > 1 || above_minimal.len() == group.len())
                .then(|| Ratios::of(&above_minimal, plan.seed))
                .flatten(),
            timing: RowTiming {
                seconds_total: group.values().map(|search| search.seconds).sum(),
                ms_mean: geometric_mean(group.values().map(|search| search.seconds * 1e3)),
                to_base: ratios(|search| search.seconds),
            },
        }
    };
    groups.iter().map(row).collect()
}

/// The mean branching: the number whose power is the mean number of leaves of plain minimax.
pub(super) fn branching(rows: &[Row]) -> f64 {
    let deepest = rows.iter().filter(|row| row.algorithm == "minimax").max_by_key(|row| row.depth);
    deepest.map_or(0.0, |row| row.leaves_mean.powf(1.0 / f64::from(row.depth)))
}

/// Leaves of the smallest proof in a uniform tree.
fn formula(branching: f64, depth: u32) -> f64 {
    let power = |exponent: u32| branching.powi(exponent as i32);
    power(depth.div_ceil(2)) + power(depth / 2) - 1.0
}

/// The smallest trees by depth. Where only the start position was measured, `n` is 1.
pub(super) fn minimal_rows(minimal: &[Minimal], branching: f64) -> Vec<MinimalRow> {
    let deepest = minimal.iter().map(|tree| tree.depth).max().unwrap_or(0);
    (1..=deepest)
        .map(|depth| {
            let of_depth = || minimal.iter().filter(move |tree| tree.depth == depth);
            MinimalRow {
                depth,
                n: of_depth().count(),
                nodes_mean: geometric_mean(of_depth().map(|tree| tree.nodes as f64)),
                fewest: of_depth().map(|tree| tree.nodes).min().unwrap_or(0),
                beyond_reported: of_depth()
                    .filter(|tree| tree.nodes > super::scout_nodes()[1])
                    .count(),
                start: of_depth().find(|tree| tree.position == 0).map(|tree| tree.nodes),
                formula_leaves: formula(branching, depth),
                formula_nodes: (0..=depth).map(|level| formula(branching, level)).sum(),
            }
        })
        .collect()
}

/// Compares every search with alpha-beta in the plainest setting that answered the same question.
/// `choices` is how many actions each position offers.
pub(super) fn agreement(plan: &Plan, searches: &[Measurement], choices: &[usize]) -> Agreement {
    let mut truth: BTreeMap<(usize, u32), &Measurement> = BTreeMap::new();
    for search in searches.iter().filter(|search| plan.columns[search.column].algorithm == BASE) {
        let known = truth.entry((search.position, search.depth)).or_insert(search);
        if search.column < known.column {
            *known = search;
        }
    }
    let mut found = Agreement { questions: truth.len(), ..Agreement::default() };
    let mut blind = 0.0;
    let mut printed: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
    for search in searches {
        let Some(right) = truth.get(&(search.position, search.depth)) else { continue };
        let (value, action) = (search.value == right.value, search.action == right.action);
        if plan.columns[search.column].is_exact() {
            found.searches += 1;
            found.wrong_values += usize::from(!value);
            found.wrong_actions += usize::from(!action);
        } else {
            found.printed += 1;
            found.printed_values += usize::from(value);
            found.printed_actions += usize::from(action);
            blind += 1.0 / choices[search.position] as f64;
            let (hits, answers) = printed.entry(search.position).or_default();
            *hits += u64::from(action);
            *answers += 1;
        }
    }
    let clusters: Vec<(u64, u64)> = printed.into_values().collect();
    found.printed_positions = clusters.len();
    found.printed_interval = cluster_rate(&clusters, plan.seed);
    found.blind_rate = if found.printed == 0 { 0.0 } else { blind / found.printed as f64 };
    found
}

/// What one thing saves one algorithm: the same searches with it and without it.
#[derive(Clone, Debug, Serialize)]
pub struct Gain {
    /// The algorithm.
    pub algorithm: &'static str,
    /// The setting without it.
    pub from: String,
    /// The setting with it.
    pub to: String,
    /// Decisions looked ahead.
    pub depth: u32,
    /// Nodes with it divided by nodes without it, position by position.
    pub nodes: Ratios,
}

/// What is added, from which setting to which.
pub(super) fn added() -> Vec<[String; 3]> {
    super::SHEET.data("added")
}

/// What order, table and deepening save each algorithm, at the greatest depth of both settings.
pub(super) fn gains(plan: &Plan, searches: &[Measurement]) -> Vec<Gain> {
    let groups = grouped(searches);
    let gain = |algorithm, from: String, to: String| {
        let (without, with) = (plan.column(algorithm, &from)?, plan.column(algorithm, &to)?);
        let deepest = (1..=plan.depth()).rev().find_map(|depth| {
            let (without, with) = (groups.get(&(without, depth))?, groups.get(&(with, depth))?);
            let ratios: Vec<f64> = without
                .iter()
                .filter_map(|(position, slow)| {
                    Some(with.get(position)?.nodes as f64 / slow.nodes as f64)
                })
                .collect();
            Some((depth, Ratios::of(&ratios, plan.seed)?))
        });
        let (depth, nodes) = deepest?;
        Some(Gain { algorithm, from, to, depth, nodes })
    };
    let each = added().into_iter().flat_map(|step| EXACT.map(|name| (name, step.clone())));
    each.filter_map(|(name, [_, from, to])| gain(name, from, to)).collect()
}
