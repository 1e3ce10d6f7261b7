//! Numbers as people say them, and other parts of what is told.

use gamecore::{Bound, Counters, Reading, Term, TreeNote};
use protocol::{BoundKind, Figure, NodeNote, TermCard, ValueKind};

/// `62 %`; chances near the ends do not pretend to be certain.
#[must_use]
pub fn percent(chance: f64) -> String {
    match chance {
        chance if chance > 0.0 && chance < 0.005 => "< 1 %".to_owned(),
        chance if chance < 1.0 && chance > 0.995 => "> 99 %".to_owned(),
        chance => format!("{:.0} %", chance * 100.0),
    }
}

/// `+1,312` or `−80`.
#[must_use]
pub fn signed(value: f64) -> String {
    let rounded = value.round();
    let sign = match rounded {
        rounded if rounded > 0.0 => "+",
        rounded if rounded < 0.0 => "−",
        _ => "",
    };
    format!("{sign}{}", grouped(rounded.abs() as u64))
}

/// `20,000`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `+0.31` or `−1.20`.
#[must_use]
pub fn fine(value: f64) -> String {
    let sign = if value < -0.005 { "−" } else { "+" };
    format!("{sign}{:.2}", value.abs())
}

/// A value in the units of its reading.
#[must_use]
pub fn value(reading: Reading, value: f64) -> String {
    match reading {
        Reading::Chance => percent(value),
        Reading::Points { won_from, .. } if value >= won_from => "wins".to_owned(),
        Reading::Points { won_from, .. } if value <= -won_from => "loses".to_owned(),
        // Not called points: in Othello people would read discs.
        Reading::Points { .. } => signed(value),
        Reading::Margin if value > 0.0 => format!("wins by {value:.0}"),
        Reading::Margin if value < 0.0 => format!("loses by {:.0}", -value),
        Reading::Margin => "draws".to_owned(),
        Reading::Own => fine(value),
        Reading::None => String::new(),
    }
}

/// The same with what it says about the true value.
#[must_use]
pub fn bounded(reading: Reading, known: Option<f64>, bound: BoundKind) -> String {
    let Some(known) = known else { return String::new() };
    let text = value(reading, known);
    match bound {
        BoundKind::Lower => format!("≥ {text}"),
        BoundKind::Upper => format!("≤ {text}"),
        BoundKind::Exact | BoundKind::Estimate => text,
    }
}

/// The parts of an evaluation as they are told.
pub(crate) fn terms(terms: &[Term]) -> Vec<TermCard> {
    let card = |term: &Term| TermCard {
        name: term.name.to_owned(),
        value: term.value,
        weight: term.weight,
        adds: i64::from(term.value) * i64::from(term.weight),
    };
    terms.iter().map(card).collect()
}

/// What a value says, as it is told.
pub(crate) fn bound(bound: Bound) -> BoundKind {
    match bound {
        Bound::Exact => BoundKind::Exact,
        Bound::Lower => BoundKind::Lower,
        Bound::Upper => BoundKind::Upper,
        Bound::Estimate => BoundKind::Estimate,
    }
}

/// Why a node was not searched, as it is told.
pub(crate) fn note(note: TreeNote) -> NodeNote {
    match note {
        TreeNote::Leaf => NodeNote::Leaf,
        TreeNote::Over => NodeNote::Over,
        TreeNote::Table => NodeNote::Table,
        TreeNote::Cut => NodeNote::Cut,
        TreeNote::Skipped => NodeNote::Skipped,
        TreeNote::Pruned => NodeNote::Pruned,
    }
}

/// How values are to be read, as it is told.
pub(crate) fn kind(reading: Reading) -> ValueKind {
    match reading {
        Reading::Chance => ValueKind::Chance,
        Reading::Points { .. } => ValueKind::Points,
        Reading::Margin => ValueKind::Margin,
        Reading::Own => ValueKind::Own,
        Reading::None => ValueKind::None,
    }
}

/// Work done, as it is told.
pub(crate) fn figures(work: &Counters) -> Vec<Figure> {
    let all = [
        ("positions", work.nodes),
        ("leaves", work.leaves),
        ("table hits", work.table_hits),
        ("cut-offs", work.cutoffs),
        ("repeated searches", work.researches),
        ("iterations", work.iterations),
        ("actions tried", work.calls),
        ("nodes kept", work.tree_nodes),
        ("worlds", work.worlds),
        ("options before pruning", work.prune_options),
        ("options after pruning", work.prune_kept),
    ];
    let counted = all.into_iter().filter(|(_, value)| *value > 0);
    counted.map(|(name, value)| Figure { name: name.to_owned(), value }).collect()
}

/// ` after 20,000 iterations`; empty where nothing was counted.
#[must_use]
pub fn effort(work: &Counters) -> String {
    match (work.iterations, work.nodes) {
        (0, 0) => String::new(),
        (0, nodes) => format!(" after {} positions", grouped(nodes)),
        (iterations, _) => format!(" after {} iterations", grouped(iterations)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_people_say_them() {
        assert_eq!(
            [0.0, 0.62, 0.999, 0.001, 1.0].map(percent),
            ["0 %", "62 %", "> 99 %", "< 1 %", "100 %"]
        );
        assert_eq!([312.0, -1312.4, 0.0].map(signed), ["+312", "−1,312", "0"]);
        assert_eq!([7, 999, 20_000, 1_234_567].map(grouped), ["7", "999", "20,000", "1,234,567"]);
        let points = Reading::Points { per_e: 1000.0, won_from: 90_000.0 };
        assert_eq!(value(points, 312.0), "+312");
        assert_eq!(value(points, -100_700.0), "loses");
        assert_eq!(
            [12.0, 0.0, -2.0].map(|by| value(Reading::Margin, by)),
            ["wins by 12", "draws", "loses by 2"]
        );
        assert_eq!(bounded(points, Some(-4.0), BoundKind::Upper), "≤ −4");
        assert_eq!(
            (value(Reading::Own, 0.313), value(Reading::Own, -1.2)),
            ("+0.31".to_owned(), "−1.20".to_owned())
        );
        assert_eq!(bounded(points, None, BoundKind::Exact), "");
    }
}
