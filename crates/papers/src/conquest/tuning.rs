//! The tuning of the FPU agent (section 7.4): the thesis's 1080 points against its random search, by
//! NTBEA with the settings of its framework, with the winner confirmed on games of its own. In its
//! program UCB ignores K; here it does not.

use std::cmp::Ordering;

use serde::Serialize;

use super::{Bench, PaperError, Planned, Scale};
use crate::stored::Stored;
use lab::report::{self, Block};
use lab::report::{Ruling, Verdict};
use lab::run::{CellSummary, points_of_a};
use lab::{p_value, percent};

/// The experiment as it is checked in; a scale changes how much is played.
const EXPERIMENT: &str = include_str!("../../../../experiments/conquest-tuning.toml");

/// Evaluations, and games that confirm. The thesis does not say how many it played.
const fn effort(scale: Scale) -> (i64, i64) {
    match scale {
        Scale::Tiny => (8, 2),
        Scale::Quick => (100, 40),
        Scale::Standard | Scale::Paper => (500, 200),
    }
}

/// What the thesis chose, without FPU, which has no effect.
const PUBLISHED: [(&str, &str); 5] = [
    ("tree.depth", "3"),
    ("rollout.length", "4"),
    ("select", "alphago"),
    ("select.c", "0.5"),
    ("reuse", "on"),
];

/// The finished tuning.
#[derive(Debug, Serialize)]
pub struct TuningStudy {
    /// The rules.
    pub rules: &'static str,
    /// The run.
    #[serde(flatten)]
    pub(super) stored: Stored,
}

/// Plays it; `None` if interrupted.
pub(super) fn run(
    bench: &Bench<'_>,
    rules: &'static str,
    scale: Scale,
    seed: u64,
) -> Result<Option<TuningStudy>, PaperError> {
    let stored = bench.play(&planned(rules, scale, seed))?;
    Ok(stored.map(|stored| TuningStudy { rules, stored }))
}

/// The run that it needs.
pub(super) fn planned(rules: &str, scale: Scale, seed: u64) -> Planned {
    let mut fields: toml::Table = toml::from_str(EXPERIMENT).expect("it is checked in");
    let (evaluations, games) = effort(scale);
    let mut set = |key: &str, value: toml::Value| fields.insert(key.to_owned(), value);
    set("name", format!("conquest-tuning-{rules}").into());
    set("rules", rules.into());
    set("seed", toml::Value::Integer(seed as i64));
    set("games", toml::Value::Integer(games));
    if scale == Scale::Tiny {
        let few = |name: &str| toml::Value::from(vec![format!("{name}:calls=30")]);
        set("agents", few("fpu-original"));
        set("opponents", few("random-search-original"));
    }
    if let Some(tune) = fields.get_mut("tune").and_then(toml::Value::as_table_mut) {
        tune.insert("evaluations".into(), toml::Value::Integer(evaluations));
        if scale == Scale::Tiny {
            let few = "\"tree.depth\" = [1, 3]\n\"select.c\" = [0.5, 1.0]\n";
            let few: toml::Table = toml::from_str(few).expect("a table");
            tune.insert("space".into(), few.into());
        }
    }
    let text = toml::to_string(&fields).expect("a table is plain data");
    Planned { what: "tuning", text }
}

impl TuningStudy {
    /// The held-out results: what was found here, and what the thesis chose.
    fn confirmed(&self) -> Option<[&CellSummary; 2]> {
        match &self.stored.summary.cells[..] {
            [found, published] => Some([found, published]),
            _ => None,
        }
    }

    /// Pairs of held-out games at the same start that our point won better, and worse, than the
    /// thesis's against the same opponent.
    fn better_and_worse(&self) -> (u64, u64) {
        let points = |cell: usize| {
            let mut by_pair = std::collections::BTreeMap::new();
            for row in self.stored.rows_of(cell) {
                if let Some(points) = points_of_a(row) {
                    *by_pair.entry(row.pair).or_insert(0.0) += points;
                }
            }
            by_pair
        };
        let (found, published) = (points(0), points(1));
        let mut counts = (0, 0);
        for (pair, ours) in &found {
            match published.get(pair).map(|theirs| ours.total_cmp(theirs)) {
                Some(Ordering::Greater) => counts.0 += 1,
                Some(Ordering::Less) => counts.1 += 1,
                _ => {}
            }
        }
        counts
    }

    /// What became of the claim.
    pub(super) fn verdicts(&self) -> Vec<Verdict> {
        let Some([found, published]) = self.confirmed() else { return Vec::new() };
        let tuning = self.stored.summary.tuning.as_ref();
        let keys = tuning.and_then(|tuning| tuning.recommendation.clone()).unwrap_or_default();
        let same = PUBLISHED
            .iter()
            .all(|(key, value)| keys.iter().any(|(known, found)| known == key && found == value));
        let (better, worse) = self.better_and_worse();
        let p = stats::sign_test(better, worse);
        let ruling = match (same, stats::is_shown(p * super::RULES.len() as f64), better > worse) {
            (true, ..) => Ruling::Holds,
            (_, true, true) => Ruling::DoesNotHold,
            _ => Ruling::NotShown,
        };
        let words = |cell: &CellSummary| {
            let [low, high] = cell.evidence.wilson.map(percent);
            let score = percent(cell.evidence.score.unwrap_or(0.5));
            format!("{score} % [{low}, {high}] of {} games", cell.evidence.counted_games())
        };
        vec![Verdict {
            claim: format!(
                "Tuning against random search finds depth 3, rollouts of 4, K 0.5 and reuse (section \
                 7.4; {} rules)",
                self.rules
            ),
            ruling,
            measured: format!(
                "the thesis’s point scores {} against random search, ours ({}) {}; at the same \
                 starts ours did better in {better} pairs and worse in {worse}, {}",
                words(published),
                lab::tuning::in_a_line(&keys),
                words(found),
                p_value(p)
            ),
            why: "It holds if our tuning chooses the same point, and does not if its own is better \
                  at 5 % over both sets of rules. Many of the 1080 points differ by less than games \
                  can show; FPU from 10 on has no effect at all."
                .into(),
        }]
    }

    /// The section of a page.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let Self { rules, stored } = self;
        let mut blocks = vec![Block::Heading(format!("Tuning, {rules} rules"))];
        let tuning = stored.summary.tuning.as_ref();
        let sentences = tuning.map(|tuning| tuning.words(&stored.summary.cells, true));
        blocks.push(Block::Words(stored.origin()));
        blocks.extend(sentences.into_iter().flatten().map(Block::Words));
        blocks.extend(report::tuning_blocks(&format!("tuning-{rules}"), &stored.summary));
        blocks
    }
}
