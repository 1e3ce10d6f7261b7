//! A tuning in words and tables.

use super::{TuningSummary, ValueSummary, in_a_line};
use crate::numbers::{grouped, percent};
use crate::run::CellSummary;
use crate::table::{Table, head};

fn score(cell: &CellSummary) -> String {
    // Without draws the exact interval is the one to state.
    let [low, high] = cell.evidence.exact.unwrap_or(cell.evidence.wilson).map(percent);
    let kind = if cell.evidence.exact.is_some() { "exact" } else { "Wilson" };
    cell.evidence.score.map_or_else(
        || "no games yet".to_owned(),
        |score| {
            format!(
                "{} % [{low}, {high}] ({kind}) of {} games",
                percent(score),
                cell.evidence.counted_games()
            )
        },
    )
}

impl TuningSummary {
    /// What was found, what was expected of it, and what fresh games say: the sentences at the top.
    #[must_use]
    pub fn words(&self, cells: &[CellSummary], finished: bool) -> Vec<String> {
        let [done, planned] = self.evaluations;
        let of = self.points.map_or_else(String::new, |points| {
            format!(" on {} of {} points", grouped(self.visited), grouped(points))
        });
        let mut words = vec![format!(
            "{} of {} evaluations{of} by {}.",
            grouped(done),
            grouped(planned),
            self.method
        )];
        let Some(found) = &self.recommendation else { return words };
        let expected = self.estimate.map_or_else(String::new, |estimate| {
            let (n, mean) = self.observed.as_ref().map_or((0, 0.0), |seen| (seen.n, seen.mean));
            let seen =
                if n > 0 { format!(", mean reward {} %", percent(mean)) } else { String::new() };
            format!(
                "; its model predicts {} % for it, from {n} evaluations of this point{seen}",
                percent(estimate)
            )
        });
        words.push(format!("Found: **{}**{expected}.", in_a_line(found)));
        for cell in cells.iter().filter(|cell| cell.evidence.counted_games() > 0) {
            words.push(format!(
                "Held-out games: {} scores {} against {}.",
                cell.a,
                score(cell),
                cell.b
            ));
        }
        let confirmed: Vec<f64> = cells
            .iter()
            .filter(|cell| cell.a == "tuned")
            .filter_map(|cell| cell.evidence.score)
            .collect();
        if let (Some(estimate), true, false) = (self.estimate, finished, confirmed.is_empty()) {
            let mean = confirmed.iter().sum::<f64>() / confirmed.len() as f64;
            let more = (estimate - mean) * 100.0;
            words.push(if more > 0.0 {
                format!(
                    "The model predicted {more:.1} percentage points more than the held-out games \
                     give: the best of many is partly lucky (winner’s curse)."
                )
            } else {
                format!(
                    "Held-out games give {:.1} percentage points more than the model predicted, \
                     which averages over other points.",
                    -more
                )
            });
        }
        words
    }

    /// Rewards by value of each key.
    pub(crate) fn marginals(&self) -> Table {
        let mut rows = Vec::new();
        for dimension in &self.dimensions {
            let chosen = self.recommendation.iter().flatten();
            let chosen: Option<&String> =
                chosen.filter(|(key, _)| *key == dimension.name).map(|(_, value)| value).next();
            for value in &dimension.values {
                let mark = if chosen == Some(&value.value) { "chosen" } else { "" };
                let mut row = vec![dimension.name.clone(), value.value.clone()];
                row.extend(numbers(value));
                row.push(mark.to_owned());
                rows.push(row);
            }
        }
        Table {
            caption:
                "Mean reward in percent by value of each key, with its 95 % interval over games; n \
                      evaluations. Good values are tried more often, so the means of values that \
                      were dropped early are rough"
                    .into(),
            head: head(&["key", "value", "n", "reward", ""]),
            rows,
        }
    }

    /// The points evaluated most.
    pub(crate) fn visits(&self) -> Table {
        let row = |value: &ValueSummary| {
            let mut row = vec![value.value.clone()];
            row.extend(numbers(value));
            row
        };
        Table {
            caption: "The most evaluated points: reward in percent, n evaluations".into(),
            head: head(&["point", "n", "reward"]),
            rows: self.most_visited.iter().map(row).collect(),
        }
    }
}

fn numbers(value: &ValueSummary) -> [String; 2] {
    if value.n == 0 {
        return ["0".into(), String::new()];
    }
    let [low, high] = value.wilson.map(percent);
    [grouped(value.n), format!("{} [{low}, {high}]", percent(value.mean))]
}
