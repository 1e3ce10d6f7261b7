//! Decisions as they are told to the page.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use gamecore::{Bound, Counters, Reading, Score, TreeNote};
use registry::{CandidateReport, Explained, PrunedStep, TurnReport, words};

use protocol::{
    BoundKind, Candidate, ComparedTurn, Explanation, Figure, HeuristicScore, NodeNote,
    PrunedCandidate, ValueKind,
};

/// Where chances come from that no value tells.
const BY_EVALUATION: &str = "the game's own evaluation";

/// What a value says, as it is told.
#[must_use]
pub fn bound(bound: Bound) -> BoundKind {
    match bound {
        Bound::Exact => BoundKind::Exact,
        Bound::Lower => BoundKind::Lower,
        Bound::Upper => BoundKind::Upper,
        Bound::Estimate => BoundKind::Estimate,
    }
}

/// Why a node was not searched, as it is told.
#[must_use]
pub fn note(note: TreeNote) -> NodeNote {
    match note {
        TreeNote::Leaf => NodeNote::Leaf,
        TreeNote::Over => NodeNote::Over,
        TreeNote::Table => NodeNote::Table,
        TreeNote::Cut => NodeNote::Cut,
        TreeNote::Skipped => NodeNote::Skipped,
        TreeNote::Pruned => NodeNote::Pruned,
    }
}

/// A decision of the agent with this spec.
#[must_use]
pub fn explanation(told: &Explained, spec: &str) -> Explanation {
    let reading = told.reading;
    Explanation {
        seat: told.seat.index() as u8,
        spec: spec.to_owned(),
        summary: summary(told, 1),
        choice: told.choice.clone(),
        values: kind(reading),
        value: told.value,
        value_words: words::bounded(reading, told.value, Bound::Exact),
        chance: told.chance,
        chance_source: told.chance_by_evaluation.then(|| BY_EVALUATION.to_owned()),
        depth: told.depth,
        complete: told.complete,
        effort: effort(&told.counters),
        line: told.line.clone(),
        candidates: candidates(told),
        turns: told.turns.iter().map(|turn| compared(turn, told.reading)).collect(),
        pruned: told.pruned.iter().map(pruned).collect(),
        terms: words::terms(&told.terms),
    }
}

/// The same, no longer than so many actions of each kind, of a choice drawn from so many lots.
#[must_use]
pub fn short_explanation(told: &Explained, spec: &str, most: usize, lots: usize) -> Explanation {
    let mut explanation = explanation(told, spec);
    explanation.summary = summary(told, lots);
    explanation.line.truncate(most);
    explanation.candidates.truncate(most);
    explanation.turns.truncate(most);
    explanation.pruned.truncate(most);
    explanation
}

fn compared(turn: &TurnReport, reading: Reading) -> ComparedTurn {
    ComparedTurn {
        line: turn.line.clone(),
        value: turn.value,
        value_words: words::bounded(reading, Some(turn.value), turn.bound),
        chance: reading.chance(turn.value),
        bound: bound(turn.bound),
    }
}

fn kind(reading: Reading) -> ValueKind {
    match reading {
        Reading::Chance => ValueKind::Chance,
        Reading::Points { .. } => ValueKind::Points,
        Reading::Margin => ValueKind::Margin,
        Reading::Own => ValueKind::Own,
        Reading::None => ValueKind::None,
    }
}

fn summary(told: &Explained, lots: usize) -> String {
    let options = words::grouped(told.options as u64);
    if told.options == 1 {
        return "The only legal action.".to_owned();
    }
    let Some(value) = told.value else {
        return format!("One of {options} actions, chosen without evaluating them.");
    };
    let work = &told.counters;
    let effort = match (work.iterations, work.nodes) {
        (0, 0) => String::new(),
        (0, nodes) => format!(" after {} positions", words::grouped(nodes)),
        (iterations, _) => format!(" after {} iterations", words::grouped(iterations)),
    };
    let opinion = words::value(told.reading, value);
    let opinion = match told.reading {
        Reading::Margin => format!("solved: it {opinion} with best play"),
        Reading::Chance => format!("win probability about {opinion}"),
        Reading::Own => format!("value {opinion} in its own units"),
        Reading::Points { won_from, .. } if value.abs() >= won_from => {
            format!("it {opinion} with best play")
        }
        Reading::Points { .. } | Reading::None => {
            let chance = told.chance.map(words::percent).unwrap_or_default();
            format!("about {chance} to win, valued at {opinion}")
        }
    };
    match lots {
        0 | 1 => format!("Best of {options} actions{effort}: {opinion}."),
        _ => format!(
            "Drawn by lot from the {lots} best of {options} actions{effort}, which are nearly equal: \
             {opinion}."
        ),
    }
}

fn effort(work: &Counters) -> Vec<Figure> {
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

/// The choice first, then by visits, and where there are none by value: a depth-first search looks
/// longest at what is hard to refute, not at what is good.
fn candidates(told: &Explained) -> Vec<Candidate> {
    let pruned: BTreeSet<&str> = told.pruned.iter().map(|it| it.step.action.as_str()).collect();
    let all: u64 = told.candidates.iter().map(|candidate| candidate.visits).sum();
    let mut sorted: Vec<&CandidateReport> = told.candidates.iter().collect();
    sorted.sort_by(|one, other| {
        let value = |candidate: &CandidateReport| candidate.value.unwrap_or(f64::NEG_INFINITY);
        let chosen = |candidate: &CandidateReport| candidate.step.action == told.choice.action;
        let best = value(other).total_cmp(&value(one));
        let exact = (one.bound != Bound::Exact).cmp(&(other.bound != Bound::Exact));
        let visits = Reverse(one.visits).cmp(&Reverse(other.visits));
        let rest = match told.counters.iterations {
            0 => best.then(exact).then(visits),
            _ => visits.then(best),
        };
        chosen(other).cmp(&chosen(one)).then(rest)
    });
    let card = |candidate: &CandidateReport| Candidate {
        step: candidate.step.clone(),
        visits: candidate.visits,
        share: share(candidate.visits, all),
        value: candidate.value,
        value_words: words::bounded(told.reading, candidate.value, candidate.bound),
        chance: candidate.value.and_then(|value| told.reading.chance(value)),
        bound: bound(candidate.bound),
        prior: candidate.prior,
        pruned: pruned.contains(candidate.step.action.as_str()),
    };
    sorted.into_iter().map(card).collect()
}

/// A chance of a seat as the chance of seat 0.
#[must_use]
pub fn for_seat_zero(seat: u8, chance: f64) -> f64 {
    if seat == 0 { chance } else { 1.0 - chance }
}

/// A part of all; 0 of nothing.
#[must_use]
pub fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

fn pruned(it: &PrunedStep) -> PrunedCandidate {
    let score = |(name, value): &(String, f64)| {
        let open = value.abs() < f64::from(Score::INFINITE.0);
        HeuristicScore {
            name: name.clone(),
            value: open.then_some(*value),
            words: match open {
                true => words::signed(*value),
                false if *value > 0.0 => "wins".to_owned(),
                false => "loses".to_owned(),
            },
        }
    };
    PrunedCandidate {
        step: it.step.clone(),
        reason: it.reason.clone(),
        scores: it.scores.iter().map(score).collect(),
    }
}
