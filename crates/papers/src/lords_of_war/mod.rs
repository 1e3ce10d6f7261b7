//! *Heuristic Move Pruning in Monte Carlo Tree Search for the Strategic Card Game Lords of War*
//! (Sephton, Cowling, Powley and Slaven, 2014), done again: every cell of its figures 2 and 5 to 7,
//! and what becomes of its claims.

mod claims;
mod plan;
mod words;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use gamecore::Outcome;
use lab::report::behaviour_of;
use registry::AnyGame;
use serde::Serialize;
use serde_json::{Value, json};
use stats::{sign_test, wilson};

pub use plan::{ARMIES, LIMITS};

use crate::{Bench, Finished, Found, GAMES, Order, Paper, PaperError, Sheet, Stored};
use plan::Cell;

/// The name of the game.
pub const GAME: &str = "lords-of-war";

static SHEET: LazyLock<Sheet> = LazyLock::new(|| Sheet::read(include_str!("../lords_of_war.toml")));

/// The paper.
pub(crate) const PAPER: Paper =
    Paper { sheet: &SHEET, planned: |order| Ok(plan::planned(order)), found };

/// Figure 2 of the paper: percent won against plain UCT; a row a limit, h1 first.
#[must_use]
pub fn figure_2() -> Vec<Vec<f64>> {
    SHEET.data("figure-2")
}

/// The result of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct CellResult {
    /// Its name.
    name: String,
    /// Agent A as specified.
    a: String,
    /// Agent B as specified.
    b: String,
    /// Games played.
    games: u64,
    /// Won by A.
    a_wins: u64,
    /// Drawn.
    draws: u64,
    /// Won by B.
    b_wins: u64,
    /// Games won by seat 0, drawn, won by seat 1.
    seats: [u64; 3],
    /// Games of distinct pairs, which alone say who is stronger, and points of A in them.
    #[serde(skip)]
    counted: u64,
    #[serde(skip)]
    points: f64,
    /// Pairs of games that A won and lost.
    pairs: [u64; 2],
    /// Mean turns of a game.
    turns: f64,
    /// Mean options of a deployment.
    deployments: f64,
    /// Mean options of all decisions.
    branching: f64,
}

impl CellResult {
    /// Points of A per game.
    fn score(&self) -> f64 {
        self.points / self.counted.max(1) as f64
    }

    /// 95 % interval on the score.
    fn wilson(&self) -> [f64; 2] {
        wilson(self.points, self.counted)
    }

    /// Exact sign test over decided pairs.
    fn p_value(&self) -> f64 {
        sign_test(self.pairs[0], self.pairs[1])
    }
}

/// Every cell that was played, in the order of the figures.
struct Results {
    cells: Vec<CellResult>,
}

/// Judges what was played.
fn found(bench: &Bench<'_>, order: &Order, runs: &[Stored]) -> Finished<Found> {
    let game = GAMES.open(GAME, "")?;
    let planned = plan::cells(order.scale, &order.parts);
    let mut cells: BTreeMap<String, CellResult> = BTreeMap::new();
    for stored in runs {
        for index in 0..stored.summary.cells.len() {
            let name = stored.spec.names(index).join(plan::VERSUS);
            let cell = planned.iter().find(|cell| cell.name == name).expect("it was planned");
            cells.insert(name, result(bench, &*game, stored, index, cell)?);
        }
    }
    let results =
        Results { cells: planned.iter().filter_map(|cell| cells.remove(&cell.name)).collect() };
    let ids: Vec<&String> = runs.iter().map(|stored| &stored.run.id).collect();
    let named: Vec<String> = ids.iter().map(|run| format!("`{run}`")).collect();
    let iterations = &SHEET.scale::<Value>(order.scale)["iterations"];
    Ok(Some(Found {
        verdicts: claims::verdicts(&results),
        values: json!({
            "games": results.cells.iter().map(|cell| cell.games).sum::<u64>(),
            "iterations": iterations,
            "armies": plan::BOX,
            "runs": named.join(", "),
        }),
        below: words::results(&results),
        data: vec![words::cells(&results)],
        results: json!({
            "rules": game.info().rules,
            "armies": plan::BOX,
            "iterations": iterations,
            "runs": ids,
            "cells": results.cells,
        }),
        ..Found::default()
    }))
}

/// What the games of a cell say.
fn result(
    bench: &Bench<'_>,
    game: &dyn AnyGame,
    stored: &Stored,
    index: usize,
    cell: &Cell,
) -> Result<CellResult, PaperError> {
    let found = &stored.summary.cells[index];
    let mut seats = [0; 3];
    for row in stored.rows_of(index) {
        let place = [Outcome::SeatZero, Outcome::Draw, Outcome::SeatOne]
            .iter()
            .position(|outcome| *outcome == row.outcome);
        seats[place.expect("every game counts")] += 1;
    }
    let counted = behaviour_of(bench.store, &stored.run, game, stored.rows_of(index))?;
    let own = &counted.unwrap_or_default()[GAME];
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let stages = ["open", "deploy", "shoot", "retreat"];
    let decisions: f64 = stages.iter().map(|stage| number(&own["decisions"][stage])).sum();
    let options: f64 = stages
        .iter()
        .map(|stage| number(&own["decisions"][stage]) * number(&own["mean_options"][stage]))
        .sum();
    let [a, b] = cell.agents.clone();
    let counted = found.evidence.counted_games();
    Ok(CellResult {
        name: cell.name.clone(),
        a,
        b,
        games: found.evidence.games,
        a_wins: found.evidence.a_wins,
        draws: found.evidence.draws,
        b_wins: found.evidence.b_wins,
        seats,
        counted,
        points: found.evidence.score.unwrap_or_default() * counted as f64,
        pairs: [found.evidence.pentanomial.won(), found.evidence.pentanomial.lost()],
        turns: number(&own["mean_turns"]),
        deployments: number(&own["mean_options"]["deploy"]),
        branching: options / decisions.max(1.0),
    })
}

impl Results {
    /// The result of a cell, if it was played.
    fn cell(&self, name: &str) -> Option<&CellResult> {
        self.cells.iter().find(|cell| cell.name == name)
    }
}
