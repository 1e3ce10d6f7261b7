//! The game itself, for its designers: lengths, draws, what acting first is worth.

use super::draw::{Bar, bars};
use super::{Block, Data};
use crate::experiment::Spec;
use crate::numbers::{grouped, percent};
use crate::run::{ConditionSummary, DesignFigures, Rate, Spread, Summary};
use crate::table::{Table, head};

/// What a designer asks first.
pub(super) fn section(summary: &Summary, blocks: &mut Vec<Block>) {
    if summary.figures.draws.n == 0 {
        return;
    }
    blocks.push(Block::Heading("The game itself".into()));
    blocks.push(Block::Table(Data::plain("game", figures_table(&summary.figures))));
    if !summary.conditions.is_empty() {
        let table = conditions_table(&summary.conditions);
        blocks.push(Block::Table(Data::plain("conditions", table)));
    }
}

/// How long its games are: the turns of each.
pub(super) fn lengths(spec: &Spec, summary: &Summary, lengths: &[u64], blocks: &mut Vec<Block>) {
    if let Some(spread) = &summary.figures.turns {
        let all = histogram(lengths);
        let [least, tenth, median, ninth, most] = spread.quantiles;
        let words = format!(
            "A game lasts {:.1} ± {:.1} turns (mean and standard deviation, n = {}); the median \
             is {median:.0}, 80 % are between {tenth:.0} and {ninth:.0}, the shortest is \
             {least:.0} and the longest {most:.0}.",
            spread.mean,
            spread.sd,
            grouped(lengths.len() as u64)
        );
        let row = |bar: &Bar| {
            let last = bar.to - 1.0;
            let range = if last > bar.from {
                format!("{:.0}–{last:.0}", bar.from)
            } else {
                format!("{:.0}", bar.from)
            };
            let share = bar.count as f64 / lengths.len() as f64;
            vec![range, grouped(bar.count), percent(share)]
        };
        let table = Table {
            caption: format!("Turns per game, n = {} games", grouped(lengths.len() as u64)),
            head: head(&["turns", "games", "percent"]),
            rows: all.iter().map(row).collect(),
        };
        let title = format!("Length of games of {}", spec.game);
        let drawing = bars(&title, "turns a game", &all);
        blocks.push(Block::Figure { words, drawing, data: Data::plain("lengths", table) });
    }
}

/// At most this many bars.
const BARS: u64 = 24;

/// Counts values into ranges of equal, whole width.
fn histogram(values: &[u64]) -> Vec<Bar> {
    let (Some(&low), Some(&high)) = (values.iter().min(), values.iter().max()) else {
        return Vec::new();
    };
    let width = (high - low + 1).div_ceil(BARS).max(1);
    let bins = (high - low) / width + 1;
    let mut counts = vec![0u64; bins as usize];
    for value in values {
        counts[((value - low) / width) as usize] += 1;
    }
    let bar = |(index, count): (u64, u64)| Bar {
        from: (low + index * width) as f64,
        to: (low + (index + 1) * width) as f64,
        count,
    };
    (0..).zip(counts).map(bar).collect()
}

/// The figures of a game as a table.
fn figures_table(figures: &DesignFigures) -> Table {
    let rate = |words: &str, rate: &Rate| {
        let [low, high] = rate.wilson.map(percent);
        let value = rate.rate.map_or_else(
            || "not known".to_owned(),
            |value| format!("{} % [{low}, {high}]", percent(value)),
        );
        vec![words.to_owned(), value, grouped(rate.n)]
    };
    let n = grouped(figures.draws.n);
    let spread = |words: &str, spread: &Option<Spread>| {
        let value = spread.as_ref().map_or_else(
            || "not known".to_owned(),
            |Spread { mean, sd, quantiles: [least, _, median, _, most] }| {
                format!("{mean:.1} ± {sd:.1} (median {median}, {least} to {most})")
            },
        );
        vec![words.to_owned(), value, n.clone()]
    };
    let number = |words: &str, value: Option<f64>| {
        let value = value.map_or_else(|| "not known".into(), |value| format!("{value:.2}"));
        vec![words.to_owned(), value, n.clone()]
    };
    Table {
        caption: "Shares with 95 % intervals (Wilson), means ± standard deviation; n games".into(),
        head: head(&["measure", "value", "n"]),
        rows: vec![
            rate("score of the first player", &figures.first_seat),
            rate("draws", &figures.draws),
            spread("turns per game", &figures.turns),
            spread("decisions per game", &figures.decisions),
            number("legal actions per decision", figures.choices),
            number("entropy of root visits, bits", figures.decision_entropy),
            rate("won after being behind half-way", &figures.comebacks),
        ],
    }
}

/// What the conditions do to the game, side by side.
fn conditions_table(conditions: &[ConditionSummary]) -> Table {
    let rate = |rate: &Rate| {
        let [low, high] = rate.wilson.map(percent);
        rate.rate.map_or_else(String::new, |value| format!("{} [{low}, {high}]", percent(value)))
    };
    let spread = |spread: &Option<Spread>| {
        spread.map_or_else(String::new, |found| format!("{:.1} ± {:.1}", found.mean, found.sd))
    };
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.2}"));
    let row = |condition: &ConditionSummary| {
        let figures = &condition.figures;
        vec![
            condition.name.clone(),
            grouped(figures.draws.n),
            rate(&figures.first_seat),
            rate(&figures.draws),
            spread(&figures.turns),
            spread(&figures.decisions),
            number(figures.choices),
            number(figures.decision_entropy),
            rate(&figures.comebacks),
        ]
    };
    Table {
        caption: "The game under each condition; rates in percent".into(),
        head: head(&[
            "under",
            "games",
            "first player",
            "draws",
            "turns",
            "decisions",
            "actions",
            "bits",
            "from behind",
        ]),
        rows: conditions.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_counted_once() {
        let values: Vec<u64> = (0..1000).map(|number| 24 + number * 7 % 172).collect();
        let bars = histogram(&values);
        assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), 1000);
        assert!(bars.len() <= BARS as usize && bars[0].from == 24.0);
        assert!(bars.windows(2).all(|two| two[0].to == two[1].from));
        assert_eq!(histogram(&[5, 5]), [Bar { from: 5.0, to: 6.0, count: 2 }]);
        assert!(histogram(&[]).is_empty());
    }
}
