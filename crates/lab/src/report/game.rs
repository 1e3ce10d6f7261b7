//! The game itself, for its designers: lengths, draws, what acting first is worth.

use registry::GameInfo;

use super::draw::{Bar, bars};
use super::{Block, Data};
use crate::experiment::Spec;
use crate::numbers::{grouped, percent};
use crate::run::{ConditionSummary, CountFigures, DesignFigures, Rate, Spread, Summary};
use crate::table::{Table, head};

/// What a designer asks first.
pub(super) fn section(info: Option<&GameInfo>, summary: &Summary, blocks: &mut Vec<Block>) {
    if summary.figures.draws.n == 0 {
        return;
    }
    blocks.push(Block::Heading("The game itself".into()));
    blocks.push(Block::Table(Data::plain("game", figures_table(&summary.figures, info))));
    if !summary.conditions.is_empty() {
        let table = conditions_table(&summary.conditions);
        blocks.push(Block::Table(Data::plain("conditions", table)));
    }
}

/// How long its games are: the turns of each.
pub(super) fn lengths(spec: &Spec, summary: &Summary, blocks: &mut Vec<Block>) {
    let lengths = &summary.lengths;
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
fn histogram(values: &[u32]) -> Vec<Bar> {
    let (Some(&low), Some(&high)) = (values.iter().min(), values.iter().max()) else {
        return Vec::new();
    };
    let (low, high) = (u64::from(low), u64::from(high));
    let width = (high - low + 1).div_ceil(BARS).max(1);
    let bins = (high - low) / width + 1;
    let mut counts = vec![0u64; bins as usize];
    for &value in values {
        counts[((u64::from(value) - low) / width) as usize] += 1;
    }
    let bar = |(index, count): (u64, u64)| Bar {
        from: (low + index * width) as f64,
        to: (low + (index + 1) * width) as f64,
        count,
    };
    (0..).zip(counts).map(bar).collect()
}

/// What is known of a number.
enum Known<'a> {
    Rate(&'a Rate),
    Spread(Option<&'a Spread>),
    Mean(Option<f64>),
}

impl Known<'_> {
    /// In a table of its own.
    fn whole(&self) -> Option<String> {
        Some(match self {
            Self::Rate(Rate { rate, wilson, .. }) => {
                let [low, high] = wilson.map(percent);
                format!("{} % [{low}, {high}]", percent((*rate)?))
            }
            Self::Spread(spread) => {
                let Spread { mean, sd, quantiles: [least, _, median, _, most] } = (*spread)?;
                format!("{mean:.1} ± {sd:.1} (median {median}, {least} to {most})")
            }
            Self::Mean(mean) => format!("{:.2}", (*mean)?),
        })
    }

    /// Beside others.
    fn short(&self) -> Option<String> {
        Some(match self {
            Self::Spread(spread) => format!("{:.1} ± {:.1}", (*spread)?.mean, (*spread)?.sd),
            Self::Rate(_) => self.whole()?.replace(" %", ""),
            Self::Mean(_) => self.whole()?,
        })
    }
}

/// A number about games.
struct Number<'a> {
    /// Over a column.
    head: &'a str,
    /// On a line of its own.
    words: &'a str,
    n: u64,
    known: Known<'a>,
}

/// Everything that is measured in every game, those of the game's own last.
fn numbers<'a>(figures: &'a DesignFigures, info: Option<&GameInfo>) -> Vec<Number<'a>> {
    let all = figures.draws.n;
    let number = |head, words, known| Number { head, words, n: all, known };
    let rate =
        |head, words, rate: &'a Rate| Number { head, words, n: rate.n, known: Known::Rate(rate) };
    let spread = |spread: &'a Option<Spread>| Known::Spread(spread.as_ref());
    let own = figures.counts.iter().map(|CountFigures { name, n, spread: found }| {
        let declared = info.and_then(|info| info.counts.iter().find(|known| known.name == name));
        let words = declared.map_or(name.as_str(), |known| known.words);
        Number { head: name, words, n: *n, known: spread(found) }
    });
    let common = [
        rate("first player", "score of the first player", &figures.first_seat),
        rate("draws", "draws", &figures.draws),
        number("turns", "turns per game", spread(&figures.turns)),
        number("decisions", "decisions per game", spread(&figures.decisions)),
        number("actions", "legal actions per decision", Known::Mean(figures.choices)),
        number("bits", "entropy of root visits, bits", Known::Mean(figures.decision_entropy)),
        rate("from behind", "won after being behind half-way", &figures.comebacks),
    ];
    common.into_iter().chain(own).collect()
}

/// The figures of a game as a table.
fn figures_table(figures: &DesignFigures, info: Option<&GameInfo>) -> Table {
    let row = |Number { words, n, known, .. }: Number<'_>| {
        // Means over decisions rest on no number of games.
        let n = if matches!(known, Known::Mean(_)) { String::new() } else { grouped(n) };
        let value = known.whole().unwrap_or_else(|| "not known".into());
        vec![words.to_owned(), value, n]
    };
    Table {
        caption:
            "The game itself: shares with 95 % intervals (Wilson), means ± standard deviation; n \
                  games"
                .into(),
        head: head(&["measure", "value", "n"]),
        rows: numbers(figures, info).into_iter().map(row).collect(),
    }
}

/// What the conditions do to the game, side by side.
fn conditions_table(conditions: &[ConditionSummary]) -> Table {
    let row = |condition: &ConditionSummary| {
        let figures = &condition.figures;
        let values = numbers(figures, None).into_iter();
        let values = values.map(|number| number.known.short().unwrap_or_default());
        [condition.name.clone(), grouped(figures.draws.n)].into_iter().chain(values).collect()
    };
    let heads = conditions.iter().take(1).flat_map(|first| numbers(&first.figures, None));
    Table {
        caption: "Conditions: the game under each condition; rates in percent".into(),
        head: ["under", "games"]
            .into_iter()
            .chain(heads.map(|number| number.head))
            .map(str::to_owned)
            .collect(),
        rows: conditions.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_counted_once() {
        let values: Vec<u32> = (0..1000).map(|number| 24 + number * 7 % 172).collect();
        let bars = histogram(&values);
        assert_eq!(bars.iter().map(|bar| bar.count).sum::<u64>(), 1000);
        assert!(bars.len() <= BARS as usize && bars[0].from == 24.0);
        assert!(bars.windows(2).all(|two| two[0].to == two[1].from));
        assert_eq!(histogram(&[5, 5]), [Bar { from: 5.0, to: 6.0, count: 2 }]);
        assert!(histogram(&[]).is_empty());
    }
}
