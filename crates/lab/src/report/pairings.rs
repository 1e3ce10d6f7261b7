//! Who scored what against whom.

use super::draw::{Dot, Dots, HeatCell, HeatMap};
use super::{Block, Data, percent};
use crate::experiment::{Kind, Spec};
use crate::numbers::{grouped, p_value};
use crate::run::{CellSummary, Summary};
use crate::table::{Table, head};
use stats::SprtVerdict;

/// More pairings than this are no chart of dots any more.
const MOST_DOTS: usize = 80;

/// Sentences about single pairings at the top of a page, at most.
const SENTENCES: usize = 6;

/// Differs at 5 % over all pairings of a finished run together.
pub(super) fn is_claim(summary: &Summary, cell: &CellSummary) -> bool {
    // Whoever stops when something looks clear is wrong more often than 1 in 20.
    summary.finished && cell.p_holm.is_some_and(|p| p < 0.05)
}

/// The pairing with its condition, if there are several.
fn full_name(cell: &CellSummary) -> String {
    match cell.condition.as_str() {
        "" => format!("{} v {}", cell.a, cell.b),
        condition => format!("{condition}: {} v {}", cell.a, cell.b),
    }
}

fn score_words(cell: &CellSummary) -> String {
    cell.score.map_or_else(
        || "no games".to_owned(),
        |score| {
            let [low, high] = cell.wilson.map(percent);
            format!("{} % [{low}, {high}] of {} games", percent(score), grouped(cell.games))
        },
    )
}

/// What may be said about a pairing.
fn sentence(summary: &Summary, cell: &CellSummary) -> String {
    let (a, b) = (&cell.a, &cell.b);
    let under = match cell.condition.as_str() {
        "" => String::new(),
        condition => format!("With {condition}, "),
    };
    let score = score_words(cell);
    match (is_claim(summary, cell), cell.score) {
        (true, Some(score_of_a)) if score_of_a >= 0.5 => {
            format!("{under}**{a}** is stronger than {b}: {score}.")
        }
        (true, _) => format!("{under}**{b}** is stronger than {a}, who scores {score}."),
        (false, _) => {
            format!("{under}no difference is shown between **{a}** and **{b}**: {score}.")
        }
    }
}

/// The sentences at the top.
pub(super) fn lead(spec: &Spec, summary: &Summary) -> Vec<String> {
    if let Some(sprt) = &summary.sprt {
        let cell = &summary.cells[0];
        let (a, b) = (&cell.a, &cell.b);
        let verdict = match sprt.status.verdict {
            SprtVerdict::AcceptH1 => format!("**{a}** is better than {b}"),
            SprtVerdict::AcceptH0 => format!("**{a}** is not better than {b}"),
            SprtVerdict::Continue => "Not decided yet".to_owned(),
            SprtVerdict::UndecidedAtCap => format!("Undecided between {a} and {b}"),
        };
        return vec![format!(
            "{verdict}: the sequential test stopped after {} pairs at a log-likelihood ratio of \
             {:.2} in [{:.2}, {:.2}] ({} against {} Elo). The score at the stop, {}, flatters the \
             winner.",
            sprt.status.pairs,
            sprt.status.llr,
            sprt.status.bounds[0],
            sprt.status.bounds[1],
            sprt.test.elo1,
            sprt.test.elo0,
            score_words(cell)
        )];
    }
    if spec.kind == Kind::RoundRobin && spec.players.len() > 2 {
        return Vec::new();
    }
    if summary.cells.len() <= SENTENCES {
        return summary.cells.iter().map(|cell| sentence(summary, cell)).collect();
    }
    let claims: Vec<&CellSummary> =
        summary.cells.iter().filter(|cell| is_claim(summary, cell)).collect();
    let mut best: Vec<&CellSummary> =
        summary.cells.iter().filter(|cell| cell.score.is_some()).collect();
    best.sort_by(|one, other| other.score.partial_cmp(&one.score).expect("scores are numbers"));
    let mut lines = vec![format!(
        "{} of {} pairings differ at 5 % over all of them together.",
        claims.len(),
        summary.cells.len()
    )];
    if let Some(first) = best.first() {
        lines.push(format!(
            "Highest: **{}** against {} with {}. The highest of {} flatters itself; only fresh \
             games tell what it is worth.",
            first.a,
            first.b,
            score_words(first),
            best.len()
        ));
    }
    lines
}

/// The section of a page.
pub(super) fn section(spec: &Spec, summary: &Summary, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading("Pairings".into()));
    let table = table(summary);
    let fields = Some(fields(summary));
    let data = Data { name: "pairings".into(), table, fields };
    let players = spec.players.len();
    if spec.kind == Kind::RoundRobin && players > 2 {
        let words = format!(
            "Score of the row against the column in percent, the best rated first. {} games a \
             pairing. ★ holds at 5 % over all pairings together (Holm); the others may be chance. \
             A pointer over a field shows interval and n.",
            grouped(spec.games)
        );
        let drawing = heat_map(spec, summary).drawing();
        blocks.push(Block::Figure { words, drawing, data });
    } else if summary.cells.len() <= MOST_DOTS {
        let words = "Score of A with its 95 % interval (Wilson); grey where no difference is shown \
                     over all pairings together.";
        let dots = Dots {
            title: "Scores".into(),
            axis: "points of A in percent".into(),
            dots: summary.cells.iter().filter_map(|cell| dot(summary, cell)).collect(),
            reference: Some(50.0),
            limits: [0.0, 100.0],
        };
        blocks.push(Block::Figure { words: words.into(), drawing: dots.drawing(), data });
    } else {
        blocks.push(Block::Table(data));
    }
}

fn dot(summary: &Summary, cell: &CellSummary) -> Option<Dot> {
    let score = cell.score?;
    let [low, high] = cell.wilson;
    Some(Dot {
        name: full_name(cell),
        value: score * 100.0,
        interval: Some([low * 100.0, high * 100.0]),
        label: format!(
            "{} [{}, {}]  n = {}",
            percent(score),
            percent(low),
            percent(high),
            cell.games
        ),
        clear: is_claim(summary, cell) || (summary.sprt.is_some() && (low > 0.5 || high < 0.5)),
    })
}

/// Players in the order of their ratings, or as they stand in the spec.
pub(super) fn order(spec: &Spec, summary: &Summary) -> Vec<usize> {
    let ranking = summary.analysis.as_ref().map(|analysis| analysis.ranking.clone());
    ranking.unwrap_or_else(|| (0..spec.players.len()).collect())
}

fn heat_map(spec: &Spec, summary: &Summary) -> HeatMap {
    let order = order(spec, summary);
    let players = order.len();
    let place: Vec<usize> = (0..players)
        .map(|player| order.iter().position(|&at| at == player).expect("a ranking of all"))
        .collect();
    let mut cells = vec![None; players * players];
    let many = players > 12;
    for (index, cell) in summary.cells.iter().enumerate() {
        let [a, b] = spec.cells[index].players();
        let Some(score) = cell.score.filter(|_| a != b) else { continue };
        let star = if is_claim(summary, cell) { "★" } else { "" };
        for (row, column, score, [low, high], names) in [
            (a, b, score, cell.wilson, (&cell.a, &cell.b)),
            (b, a, 1.0 - score, cell.wilson.map(|end| 1.0 - end), (&cell.b, &cell.a)),
        ] {
            let (low, high) = (low.min(high), low.max(high));
            let text = if many { format!("{:.0}", score * 100.0) } else { percent(score) };
            let tip = format!(
                "{} v {}: {} % [{}, {}] of {} games {star}",
                names.0,
                names.1,
                percent(score),
                percent(low),
                percent(high),
                cell.games
            );
            cells[place[row] * players + place[column]] =
                Some(HeatCell { value: score, text: format!("{text}{star}"), tip });
        }
    }
    let names: Vec<String> = order.iter().map(|&at| spec.players[at].name.clone()).collect();
    HeatMap {
        title: format!("{}: score of the row against the column, percent", spec.name),
        rows: names.clone(),
        columns: names,
        cells,
        reach: 0.5,
    }
}

fn table(summary: &Summary) -> Table {
    let repeats = summary.cells.iter().any(|cell| cell.repeated_games > 0);
    let conditions = !summary.conditions.is_empty();
    let row = |cell: &CellSummary| {
        let p = |p: Option<f64>| p.map_or_else(String::new, p_value);
        let star = if is_claim(summary, cell) { " ★" } else { "" };
        let score = cell.score.map_or_else(
            || "no games".to_owned(),
            |score| {
                let [low, high] = cell.wilson.map(percent);
                format!("{} [{low}, {high}]", percent(score))
            },
        );
        let mut row = if conditions { vec![cell.condition.clone()] } else { Vec::new() };
        row.extend([
            cell.a.clone(),
            cell.b.clone(),
            grouped(cell.games),
            format!("+{} ={} −{}", cell.a_wins, cell.draws, cell.b_wins),
            score,
            p(cell.p_value),
            format!("{}{star}", p(cell.p_holm)),
        ]);
        if repeats {
            row.push(grouped(cell.repeated_games));
        }
        row
    };
    let mut heads = head(&["A", "B", "games", "result", "score", "alone", "among all"]);
    if conditions {
        heads.insert(0, "condition".into());
    }
    if repeats {
        heads.push("repeats".into());
    }
    let caption = "Score of A in percent with its 95 % interval (Wilson); p by the sign test over \
                   pairs, alone and among all pairings together (Holm)";
    Table { caption: caption.into(), head: heads, rows: summary.cells.iter().map(row).collect() }
}

fn fields(summary: &Summary) -> Vec<Vec<String>> {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6}"));
    let heads = [
        "condition",
        "a",
        "b",
        "games",
        "a_wins",
        "draws",
        "b_wins",
        "score",
        "low",
        "high",
        "p",
        "p_holm",
        "false_discovery",
        "pairs",
        "repeated_games",
    ];
    let row = |cell: &CellSummary| {
        let mut row = vec![cell.condition.clone(), cell.a.clone(), cell.b.clone()];
        row.extend([cell.games, cell.a_wins, cell.draws, cell.b_wins].map(|n| n.to_string()));
        let [low, high] = cell.wilson.map(Some);
        row.extend(
            [cell.score, low, high, cell.p_value, cell.p_holm, cell.false_discovery].map(number),
        );
        row.extend([cell.pairs, cell.repeated_games].map(|n| n.to_string()));
        row
    };
    std::iter::once(head(&heads)).chain(summary.cells.iter().map(row)).collect()
}
