//! A run in words, for a terminal.

use std::fmt::Write as _;

use gamecore::capital;
use registry::GameInfo;
use stats::{Side, SprtVerdict, is_shown};
use store::Run;

use super::analysis::FieldAnalysis;
use super::summary::{
    CellSummary, ConditionSummary, DesignFigures, Rate, Spread, Summary, Used, VoidGame,
};
use crate::evidence::Evidence;
use crate::experiment::{Kind, Over, Spec};
use crate::numbers::{grouped, p_value, percent};
use crate::plan::Openings;
use crate::report::claims;
use crate::table::{Table, head};

/// What is said of games that nobody can play again.
pub const NOT_REPEATABLE: &str =
    "not repeatable: depends on a time budget, a clock, several threads or an outside program";

/// Pairings that are shown one by one; of more, only the clearest.
const SHOWN_CELLS: usize = 60;

/// A table: what it shows, the names of its columns, its rows.
pub type Tabled = (String, Vec<String>, Vec<Vec<String>>);

/// What a run shows, for a page: sentences, and the tables that they rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings {
    /// The most important first; names stand between double asterisks.
    pub sentences: Vec<String>,
    /// The game itself, then scores and ratings.
    pub tables: Vec<Tabled>,
}

/// What a run shows, in sentences and tables.
#[must_use]
pub fn findings(spec: &Spec, summary: &Summary) -> Findings {
    let mut tables = vec![figures_table(&summary.figures)];
    if let Some(tuning) = summary.tuning.as_ref().filter(|tuning| tuning.path.is_empty()) {
        tables.push(tuning.marginals());
    }
    if !summary.conditions.is_empty() {
        tables.push(conditions_table(&summary.conditions));
    }
    tables.extend(summary.analysis.as_ref().map(ratings_table));
    tables.push(cells_table(summary));
    let tabled = |Table { caption, head, rows }| (caption, head, rows);
    let sentences = claims(spec, summary);
    Findings { sentences, tables: tables.into_iter().map(tabled).collect() }
}

/// What a run says, void games first.
#[must_use]
pub fn in_words(run: &Run, spec: &Spec, summary: &Summary) -> String {
    let mut text = String::new();
    for VoidGame { number, reason, .. } in &summary.void {
        let id = &run.id;
        let advice = if run.manifest.repeatable {
            format!("play it again: warroom runs rerun {id} --game {number}")
        } else {
            format!("look at it: warroom runs replay {id} {number}")
        };
        let _ = writeln!(text, "VOID  game {number}: {}\n      {advice}", reason.fault_words());
    }
    let manifest = &run.manifest;
    let state = if summary.finished { "finished" } else { "not finished" };
    let _ = writeln!(
        text,
        "run {}  {} of {} games, {state}  ({}, begun {} on {})",
        run.id,
        grouped(summary.played),
        grouped(summary.planned),
        manifest.game,
        run.created,
        manifest.cpu
    );
    if !manifest.repeatable {
        let _ = writeln!(text, "{NOT_REPEATABLE}");
    }
    if summary.programs.len() > 1 {
        let (count, names) = (summary.programs.len(), summary.programs.join(", "));
        let _ = writeln!(text, "played by {count} programs: {names}");
        if !manifest.repeatable {
            text.push_str(
                "not all games repeat, so nothing proves that these programs play alike\n",
            );
        }
    }
    text.push('\n');
    if summary.cells.len() == 1
        && summary.tuning.is_none()
        && let Ok(game) = standard::open_game(&spec.game, &spec.conditions[0].rules)
    {
        return text + &pairing_words(spec, &game.info(), summary);
    }
    text.push_str(&cells_table(summary).as_text());
    if let Some(tuning) = &summary.tuning {
        let sentences = tuning.words(&summary.cells, summary.finished).join("\n").replace("**", "");
        let _ = writeln!(text, "\n{sentences}");
        if tuning.path.is_empty() {
            let _ = write!(text, "\n{}", tuning.marginals().as_text());
        }
    }
    for words in sequential_words(summary).into_iter().chain(field_words(summary)) {
        let _ = writeln!(text, "\n{words}");
    }
    if let Some(analysis) = &summary.analysis {
        let _ = write!(text, "\n{}", ratings_table(analysis).as_text());
    }
    let _ = write!(text, "\n{}", figures_words(&summary.figures));
    if !summary.conditions.is_empty() {
        let _ = write!(text, "\n{}", conditions_table(&summary.conditions).as_text());
    }
    text
}

/// What the games of an only pairing show: the same of a match and of a run.
pub(crate) fn pairing_words(spec: &Spec, info: &GameInfo, summary: &Summary) -> String {
    let cell = &summary.cells[0];
    let mut text = String::new();
    let mut line = |words: &str| {
        text.push_str(words);
        text.push('\n');
    };
    line(&format!("A  {}\nB  {}\nStart  {}", cell.a, cell.b, start_words(spec, info)));
    let found = &cell.evidence;
    line(&format!(
        "A: +{} ={} -{} of {} games ({} distinct)",
        found.a_wins, found.draws, found.b_wins, found.games, found.distinct_games
    ));
    if found.repeated_pairs > 0 {
        line(&format!(
            "{} of {} pairs repeat another exactly; everything below counts each pair once. For more \
             variety, start each pair with more random actions: --opening-plies N, or opening-plies \
             in an experiment",
            found.repeated_pairs, found.pairs
        ));
    }
    score_words(found, &mut line);
    if let Some(words) = sequential_words(summary) {
        line(&words);
    } else {
        line(match summary.stronger(cell) {
            _ if !summary.finished => "No claims are made until all games are played.",
            Some(Side::A) => "A is stronger.",
            Some(Side::B) => "B is stronger.",
            None if found.p_value.is_none() => "An agent is not tested against itself.",
            None => "No difference shown.",
        });
    }
    let Used { seconds: [of_a, of_b], work } = &summary.used[0];
    for (letter, work, seconds) in work.iter().flat_map(|[a, b]| [("A", a, of_a), ("B", b, of_b)]) {
        line(&format!(
            "{letter}: {} decisions, {}, {:.2} ms per decision, {seconds:.1} s of thinking time",
            grouped(work.decisions),
            match work.counters.iterations {
                0 => format!("{} nodes", grouped(work.counters.nodes)),
                iterations => format!("{} iterations", grouped(iterations)),
            },
            1000.0 * seconds / work.decisions.max(1) as f64
        ));
    }
    let _ = write!(text, "\n{}", figures_words(&summary.figures));
    text
}

/// Score, Elo and pairs.
fn score_words(found: &Evidence, line: &mut dyn FnMut(&str)) {
    if let Some(score) = found.score {
        let [low, high] = found.wilson.map(percent);
        let by_pairs = found.pair_interval.map_or_else(String::new, |ends| {
            let [low, high] = ends.map(percent);
            format!(", [{low}, {high}] by pairs")
        });
        line(&format!(
            "score {} % of {} games [{low}, {high}] (95 % Wilson){by_pairs}",
            percent(score),
            found.counted_games()
        ));
        let elo = |elo: Option<f64>, infinite: &str| {
            elo.map_or_else(|| infinite.to_owned(), |elo| format!("{elo:+.0}"))
        };
        let [low, middle, high] = found.elo;
        let unbounded = if score < 0.5 { "-∞" } else { "+∞" };
        line(&format!("Elo {} [{}, {}]", elo(middle, unbounded), elo(low, "-∞"), elo(high, "+∞")));
    }
    let p = found.p_value.map_or_else(String::new, |p| format!(", sign test {}", p_value(p)));
    line(&format!(
        "pairs {} by points of A 0 ½ 1 1½ 2: {:?}{p}",
        found.pairs - found.repeated_pairs,
        found.pentanomial.0,
    ));
}

/// From where the games begin and what the sides bring, also where nobody said it.
fn start_words(spec: &Spec, info: &GameInfo) -> String {
    let condition = &spec.conditions[0];
    let openings = match &condition.openings {
        Openings::Positions(list) => format!("{} given positions", list.len()),
        Openings::Random(plies) => match plies.unwrap_or(info.opening_plies) {
            0 => "the usual start".to_owned(),
            plies => format!("{plies} random actions before each pair"),
        },
    };
    let players = spec.cells[0].players();
    let given = [0, 1].map(|side| {
        let own = spec.players[players[side]].setup.as_deref();
        own.unwrap_or(&condition.setups[side])
    });
    let default = if given == [""; 2] { " (the default)" } else { "" };
    let brought = [0, 1].map(|side| match given[side] {
        "" => info.usual_setups[side],
        own => own,
    });
    // Armies that are compared with each other exchange their seats like all players.
    let travel = matches!(spec.kind, Kind::RoundRobin { over: Over::Setups });
    match brought {
        ["", _] => openings,
        [both, other] if both == other => format!("{openings}; both bring {both}{default}"),
        [one, other] if info.dealt && !travel => {
            format!("{openings}; {one} for player 1, {other} for player 2{default}")
        }
        [one, other] => format!("{openings}; A brings {one}, B {other}"),
    }
}

fn cells_table(summary: &Summary) -> Table {
    let mut shown: Vec<&CellSummary> = summary.cells.iter().collect();
    let mut caption = "Score of A in percent, with its 95 % interval (Wilson)".to_owned();
    if summary.sprt.is_none() {
        caption += "; p from the sign test over pairs, alone and corrected for all pairings (Holm)";
    }
    if shown.len() > SHOWN_CELLS {
        let p = |cell: &CellSummary| cell.evidence.p_value.unwrap_or(2.0);
        shown.sort_by(|one, other| p(one).total_cmp(&p(other)));
        shown.truncate(SHOWN_CELLS);
        let _ = write!(caption, "; the {SHOWN_CELLS} clearest of {}", summary.cells.len());
    }
    let repeats = summary.cells.iter().any(|cell| cell.evidence.repeated_pairs > 0);
    if repeats {
        caption += "; pairs that repeat another exactly are counted once in scores and tests";
    }
    let conditions = !summary.conditions.is_empty();
    let row = |cell: &&CellSummary| {
        let score = cell.evidence.score.map_or_else(
            || "no games".to_owned(),
            |score| {
                let [low, high] = cell.evidence.wilson.map(percent);
                format!("{} [{low}, {high}]", percent(score))
            },
        );
        let p = |p: Option<f64>| p.map_or_else(String::new, p_value);
        let claim = summary.stronger(cell).is_some();
        let mut row = vec![
            cell.a.clone(),
            cell.b.clone(),
            grouped(cell.evidence.games),
            format!("+{} ={} -{}", cell.evidence.a_wins, cell.evidence.draws, cell.evidence.b_wins),
            score,
            p(cell.evidence.p_value),
            format!("{}{}", p(cell.p_holm), if claim { " *" } else { "" }),
        ];
        if repeats {
            row.push(grouped(cell.evidence.repeated_pairs));
        }
        if conditions {
            row.insert(0, cell.condition.clone());
        }
        row
    };
    let mut table_head = head(&["A", "B", "games", "result", "score", "p alone", "p among all"]);
    if repeats {
        table_head.push("repeated pairs".into());
    }
    if conditions {
        table_head.insert(0, "under".into());
    }
    Table { caption, head: table_head, rows: shown.iter().map(row).collect() }
}

/// The verdict of a sequential test.
fn sequential_words(summary: &Summary) -> Option<String> {
    let sprt = summary.sprt.as_ref()?;
    let verdict = sprt.words("A", "B");
    let [low, high] = sprt.status.bounds;
    let biased = match sprt.status.verdict {
        SprtVerdict::AcceptH0 | SprtVerdict::AcceptH1 => {
            " The score above is that at the stop, which is biased towards the winner."
        }
        SprtVerdict::Continue | SprtVerdict::UndecidedAtCap => "",
    };
    Some(format!(
        "SPRT: {verdict}. LLR {:.3} in [{low:.3}, {high:.3}] after {} pairs.{biased}",
        sprt.status.llr, sprt.status.pairs
    ))
}

/// What may be claimed of a field of many players.
fn field_words(summary: &Summary) -> Option<String> {
    let analysis = summary.analysis.as_ref()?;
    let (claims, tests) = summary.claims();
    let mut words = if summary.finished {
        format!(
            "{claims} of {tests} pairings differ significantly (5 %, corrected for all pairings)."
        )
    } else {
        "No claims are made until all games are played.".to_owned()
    };
    if let Some(p) = analysis.fit.p {
        let verdict = if is_shown(p) {
            "ratings alone do not explain the results: some players beat others more or less \
             often than their ratings predict"
        } else {
            "ratings alone are consistent with the results"
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
        let capped = if test.null_at_least > 0.0 { "≥ " } else { "" };
        let _ = write!(
            words,
            "\nCycles where a score of {:.0} % dominates: {more}{} ({} of three); without any \
             true cycle {capped}{:.1} are expected (80 % of the time {:.0} to {:.0}), {}.",
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

/// A Nash weight with its interval, in percent.
pub(crate) fn nash_words(player: &stats::PlayerReport) -> String {
    let [low, high] = player.nash_interval.map(percent);
    format!("{} [{low}, {high}]", percent(player.nash_weight))
}

fn ratings_table(analysis: &FieldAnalysis) -> Table {
    let row = |&index: &usize| {
        let player = &analysis.players[index];
        let [low, high] = player.rating.interval;
        vec![
            player.name.clone(),
            format!("{:+.0} [{low:+.0}, {high:+.0}]", player.rating.elo),
            grouped(player.games.games()),
            percent(player.games.points() / (player.games.games().max(1)) as f64),
            nash_words(player),
        ]
    };
    let prior = match &analysis.unbounded {
        Some(reason) => format!("; with a virtual draw each, because {reason}"),
        None => String::new(),
    };
    Table {
        caption: format!(
            "Ratings (Bradley–Terry, Elo, mean 0{prior}), score in percent, and Nash weight in \
             percent with its 95 % bootstrap interval"
        ),
        head: head(&["player", "Elo, 95 %", "games", "points", "Nash"]),
        rows: analysis.ranking.iter().map(row).collect(),
    }
}

/// What the conditions do to the game, side by side.
pub(crate) fn conditions_table(conditions: &[ConditionSummary]) -> Table {
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

fn figures_words(figures: &DesignFigures) -> String {
    let (caption, rows) = (FIGURES, figures_rows(figures));
    let line = |(name, value): &(&str, String)| format!("{name:<33}{value}\n");
    format!("{caption}\n\n{}", rows.iter().map(line).collect::<String>())
}

fn figures_table(figures: &DesignFigures) -> Table {
    let rows = figures_rows(figures).into_iter().map(|(name, value)| vec![capital(name), value]);
    Table { caption: FIGURES.into(), head: head(&["measure", "value"]), rows: rows.collect() }
}

const FIGURES: &str = "The game itself";

fn figures_rows(figures: &DesignFigures) -> [(&'static str, String); 7] {
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
    [
        ("score of the first player", rate(&figures.first_seat)),
        ("draws", rate(&figures.draws)),
        ("turns per game", spread(&figures.turns)),
        ("decisions per game", spread(&figures.decisions)),
        ("legal actions per decision", number(figures.choices)),
        ("entropy of root visits, bits", number(figures.decision_entropy)),
        ("won after being behind half-way", rate(&figures.comebacks)),
    ]
}
