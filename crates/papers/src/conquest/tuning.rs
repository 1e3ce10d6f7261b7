//! The tuning of the FPU agent (section 7.4): the thesis's 1080 points against its random search, by
//! NTBEA with the settings of its framework, with the winner confirmed on games of its own. In its
//! program UCB ignores K; here it does not.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use lab::points_of_a;
use lab::report::{Block, Verdict, tuning_blocks, tuning_lead};
use lab::tuning::in_a_line;
use serde_json::json;

use super::{Part, Played, RULES, SHEET, scored};
use crate::Stored;
use crate::sheet::judged;

/// Two tunings, each with what it found and what the thesis found on games held out.
pub(super) const PART: Part = Part {
    name: "tuning",
    key: "tunings",
    beside: |_, _, _, _| Ok(json!({})),
    verdicts: |played| verdict(played).into_iter().collect(),
    blocks,
};

/// Pairs of held-out games at the same start that our point won better, and worse, than the
/// thesis's against the same opponent.
fn better_and_worse(stored: &Stored) -> (u64, u64) {
    let points = |cell: usize| {
        let mut by_pair = BTreeMap::new();
        for row in stored.rows_of(cell) {
            if let Some(points) = points_of_a(row) {
                *by_pair.entry(row.pair).or_insert(0.0) += points;
            }
        }
        by_pair
    };
    let (found, published) = (points(0), points(1));
    let compared = found
        .iter()
        .filter_map(|(pair, ours)| published.get(pair).map(|theirs: &f64| ours.total_cmp(theirs)));
    compared.fold((0, 0), |(better, worse), ordering| match ordering {
        Ordering::Greater => (better + 1, worse),
        Ordering::Less => (better, worse + 1),
        Ordering::Equal => (better, worse),
    })
}

/// What became of the claim: held-out results of what was found here, and of what the thesis
/// chose.
fn verdict(played: &Played<'_>) -> Option<Verdict> {
    let [found, published] = &played.stored.summary.cells[..] else { return None };
    let tuning = played.stored.summary.tuning.as_ref();
    let keys = tuning.and_then(|tuning| tuning.recommendation.clone()).unwrap_or_default();
    let chosen: Vec<(String, String)> = SHEET.data("tuned");
    let same = chosen.iter().all(|key| keys.contains(key));
    let (better, worse) = better_and_worse(played.stored);
    let p = stats::sign_test(better, worse);
    let differs = stats::is_shown(p * RULES.len() as f64) && better > worse;
    let ruling = judged(!same && differs, same);
    let values = json!({
        "rules": played.rules,
        "published": scored(published, &published.a),
        "found": scored(found, &found.a),
        "keys": in_a_line(&keys),
        "better": better,
        "worse": worse,
        "p": p,
    });
    Some(SHEET.verdict("tuning", ruling, &values))
}

fn blocks(Played { rules, stored, .. }: &Played<'_>) -> Vec<Block> {
    let mut blocks = vec![Block::Words(stored.origin())];
    let tuning = stored.summary.tuning.as_ref();
    let sentences = tuning.map(|tuning| tuning_lead(tuning, &stored.summary.cells, true));
    blocks.extend(sentences.into_iter().flatten().map(Block::Words));
    blocks.extend(tuning_blocks(&format!("tuning-{rules}"), &stored.summary));
    blocks
}
