//! Numbers in the words of verdicts.

use lab::run::CellSummary;
use stats::Ratios;

/// A ratio with interval and n.
pub(crate) fn ratio(ratios: Option<Ratios>) -> String {
    ratios.map_or_else(
        || "not measured".to_owned(),
        |Ratios { n, mean, interval: [low, high], .. }| {
            format!("{mean:.2}× [{low:.2}, {high:.2}] (n = {n} positions)")
        },
    )
}

/// The result of a match with interval and n.
pub(crate) fn score(found: &CellSummary) -> String {
    let found = &found.evidence;
    let [low, high] = found.wilson.map(|end| end * 100.0);
    let repeats = match found.repeated_pairs {
        0 => String::new(),
        repeated => format!("; {repeated} of {} pairs are repeats", found.pairs),
    };
    format!(
        "{:.1} % [{low:.1}, {high:.1}] (n = {} games: +{} ={} −{}{repeats})",
        found.score.unwrap_or(0.5) * 100.0,
        found.games,
        found.a_wins,
        found.draws,
        found.b_wins
    )
}
