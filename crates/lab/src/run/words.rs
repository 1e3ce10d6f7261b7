//! A run in words, for a terminal.

use std::fmt::Write as _;

use stats::{Analysis, SprtVerdict};
use store::Run;

use super::summary::{CellSummary, DesignFigures, Rate, Spread, Summary};
use crate::numbers::{grouped, p_value};
use crate::table::{Table, head};

/// Pairings that are shown one by one; of more, only the clearest.
const SHOWN_CELLS: usize = 60;

/// What a run says, void games first.
#[must_use]
pub fn in_words(run: &Run, summary: &Summary) -> String {
    let mut text = String::new();
    for void in &summary.void {
        let number = void.number.unwrap_or_default();
        let id = &run.id;
        let advice = if run.manifest.repeatable {
            format!("play it again: warroom runs rerun {id} --game {number}")
        } else {
            format!("look at it: warroom runs replay {id} {number}")
        };
        let _ = writeln!(text, "VOID  game {number}: {}\n      {advice}", void.reason);
    }
    let manifest = &run.manifest;
    let state = if summary.finished { "finished" } else { "not finished" };
    let _ = writeln!(
        text,
        "run {}  {} of {} games, {state}  ({}, begun {})",
        run.id,
        grouped(summary.played),
        grouped(summary.planned),
        manifest.game,
        run.created
    );
    if !manifest.repeatable {
        text.push_str("not repeatable: a time budget, a clock, several threads or a program from outside decide\n");
    }
    text.push('\n');
    text.push_str(&cells_table(&summary.cells).as_text());
    for sentence in sequential_words(summary).into_iter().chain(field_words(summary)) {
        let _ = writeln!(text, "\n{sentence}");
    }
    if let Some(analysis) = &summary.analysis {
        let _ = write!(text, "\n{}", ratings_table(analysis).as_text());
    }
    let _ = write!(text, "\n{}", figures_words(&summary.figures));
    text
}

fn percent(rate: f64) -> String {
    format!("{:.1}", rate * 100.0)
}

fn cells_table(cells: &[CellSummary]) -> Table {
    let mut shown: Vec<&CellSummary> = cells.iter().collect();
    let mut caption = "Score of A in percent, with its 95 % interval (Wilson); p by the sign test \
                       over pairs, and over all pairings together (Holm)"
        .to_owned();
    if cells.len() > SHOWN_CELLS {
        shown.sort_by(|one, other| one.p_value.total_cmp(&other.p_value));
        shown.truncate(SHOWN_CELLS);
        let _ = write!(caption, "; the {SHOWN_CELLS} clearest of {}", cells.len());
    }
    let row = |cell: &&CellSummary| {
        let score = cell.score.map_or_else(
            || "no games".to_owned(),
            |score| {
                let [low, high] = cell.wilson.map(percent);
                format!("{} [{low}, {high}]", percent(score))
            },
        );
        let mark = if cell.p_holm < 0.05 { " *" } else { "" };
        vec![
            cell.a.clone(),
            cell.b.clone(),
            grouped(cell.games),
            grouped(cell.distinct_games),
            format!("+{} ={} -{}", cell.a_wins, cell.draws, cell.b_wins),
            score,
            p_value(cell.p_value),
            format!("{}{mark}", p_value(cell.p_holm)),
        ]
    };
    Table {
        caption,
        head: head(&["A", "B", "games", "distinct", "result", "score", "alone", "among all"]),
        rows: shown.iter().map(row).collect(),
    }
}

/// The verdict of a sequential test.
fn sequential_words(summary: &Summary) -> Option<String> {
    let sprt = summary.sprt.as_ref()?;
    let (elo0, elo1) = (sprt.test.elo0, sprt.test.elo1);
    let unit = if sprt.test.normalised { "normalised Elo" } else { "Elo" };
    let verdict = match sprt.status.verdict {
        SprtVerdict::AcceptH1 => {
            format!("A is better than B (by {elo1} {unit} rather than {elo0})")
        }
        SprtVerdict::AcceptH0 => {
            format!("A is not better than B (by {elo0} {unit} rather than {elo1})")
        }
        SprtVerdict::Continue => "not decided yet".to_owned(),
        SprtVerdict::UndecidedAtCap => {
            "undecided: the most games that may be played were".to_owned()
        }
    };
    let [low, high] = sprt.status.bounds;
    let biased = match sprt.stopped_after {
        Some(_) => " The score above is that at the stop, which flatters the winner.",
        None => "",
    };
    Some(format!(
        "SPRT: {verdict}. LLR {:.3} in [{low:.3}, {high:.3}] after {} pairs.{biased}",
        sprt.status.llr, sprt.status.pairs
    ))
}

/// What may be claimed of a field of many players.
fn field_words(summary: &Summary) -> Option<String> {
    let analysis = summary.analysis.as_ref()?;
    let claims = summary.cells.iter().filter(|cell| cell.p_holm < 0.05).count();
    let mut words = format!(
        "{claims} of {} pairings differ at 5 % over all of them together.",
        summary.cells.len()
    );
    if let Some(p) = analysis.fit.p {
        let verdict = if p < 0.05 {
            "ratings alone do not explain the results: somebody beats others more or less than \
             their ratings say"
        } else {
            "ratings alone explain the results"
        };
        let _ = write!(
            words,
            "\nTransitive? Deviance {:.1} on {} degrees of freedom, {}: {verdict}.",
            analysis.fit.deviance,
            analysis.fit.freedom,
            p_value(p)
        );
    }
    for test in &analysis.null.cycles {
        let more = if test.at_least { "≥ " } else { "" };
        let _ = write!(
            words,
            "\nCycles where {:.0} % of the points dominate: {more}{} ({} of three); without any true \
             cycle {:.1} [{:.0}, {:.0}] are expected, {}.",
            test.threshold * 100.0,
            test.all.observed,
            test.three.observed,
            test.all.mean,
            test.all.quantiles[0],
            test.all.quantiles[2],
            p_value(test.all.p)
        );
    }
    Some(words)
}

fn ratings_table(analysis: &Analysis) -> Table {
    let row = |&index: &usize| {
        let player = &analysis.players[index];
        let [low, high] = player.rating.interval;
        vec![
            player.name.clone(),
            format!("{:+.0} [{low:+.0}, {high:+.0}]", player.rating.elo),
            grouped(player.games.games()),
            percent(player.games.points() / (player.games.games().max(1)) as f64),
            percent(player.nash_weight),
        ]
    };
    Table {
        caption: "Ratings (Bradley–Terry, Elo, mean 0), points in percent, and weight in the Nash \
                  average in percent"
            .into(),
        head: head(&["player", "Elo, 95 %", "games", "points", "Nash"]),
        rows: analysis.ranking.iter().map(row).collect(),
    }
}

fn figures_words(figures: &DesignFigures) -> String {
    let rate = |rate: &Rate| match rate.rate {
        Some(value) => {
            let [low, high] = rate.wilson.map(percent);
            format!("{} % [{low}, {high}] of {}", percent(value), grouped(rate.n))
        }
        None => "not known".to_owned(),
    };
    let spread = |spread: &Option<Spread>| match spread {
        Some(found) => {
            let [least, _, median, _, most] = found.quantiles;
            format!("{:.1} ± {:.1} (median {median}, {least} to {most})", found.mean, found.sd)
        }
        None => "not known".to_owned(),
    };
    let number =
        |value: Option<f64>| value.map_or_else(|| "not known".into(), |v| format!("{v:.2}"));
    format!(
        "The game itself\n\n\
         points of the seat that begins  {}\n\
         draws                           {}\n\
         turns a game                    {}\n\
         decisions a game                {}\n\
         legal actions at a decision     {}\n\
         undecidedness at it, bits       {}\n\
         won from behind at half-time    {}\n",
        rate(&figures.first_seat),
        rate(&figures.draws),
        spread(&figures.turns),
        spread(&figures.decisions),
        number(figures.choices),
        number(figures.decision_entropy),
        rate(&figures.comebacks),
    )
}
