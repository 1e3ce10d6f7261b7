//! Who scored what against whom.

use super::draw::{Dot, Dots, HeatCell, HeatMap, MOST_WIDE};
use super::html::capitalised;
use super::{Block, Data, setting, signed, sweep};
use crate::evidence::Evidence;
use crate::experiment::{Kind, Spec};
use crate::numbers::{grouped, p_value, percent};
use crate::run::{CellSummary, Summary, Used};
use crate::table::{Column, MOST_ROWS, Table, head};
use registry::GameInfo;
use stats::{Side, SprtVerdict};

/// More pairings than this are no chart of dots any more.
const MOST_DOTS: usize = 80;

/// Sentences about single pairings at the top of a page, at most.
const SENTENCES: usize = 6;

/// The pairing with its condition, if there are several.
fn full_name(cell: &CellSummary) -> String {
    match cell.condition.as_str() {
        "" => format!("{} v {}", cell.a, cell.b),
        condition => format!("{condition}: {} v {}", cell.a, cell.b),
    }
}

fn score_words(cell: &CellSummary) -> String {
    cell.evidence.score.map_or_else(
        || "no games".to_owned(),
        |score| {
            let [low, high] = cell.evidence.wilson.map(percent);
            format!(
                "{} % [{low}, {high}] of {} games",
                percent(score),
                grouped(cell.evidence.counted_games())
            )
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
    match summary.stronger(cell) {
        Some(Side::A) => format!("{under}**{a}** is stronger than {b}: {score}."),
        Some(Side::B) => format!("{under}**{b}** is stronger than {a}, who scores {score}."),
        _ if cell.a == cell.b && cell.evidence.p_value.is_none() => {
            format!("{under}**{a}** is not tested against itself: {score}.")
        }
        None if cell.evidence.score.is_none() => {
            capitalised(&format!("{under}no games between **{a}** and **{b}** count."))
        }
        None if !summary.finished => {
            capitalised(&format!("{under}**{a}** scores {score} against {b} so far."))
        }
        None => capitalised(&format!(
            "{under}no difference is shown between **{a}** and **{b}**: {score}."
        )),
    }
}

/// The sentences at the top.
pub(super) fn lead(spec: &Spec, summary: &Summary) -> Vec<String> {
    if let Some(sprt) = &summary.sprt {
        let cell = &summary.cells[0];
        let verdict = sprt.words(&format!("**{}**", cell.a), &format!("**{}**", cell.b));
        let verdict = capitalised(&verdict);
        let decided = matches!(sprt.status.verdict, SprtVerdict::AcceptH1 | SprtVerdict::AcceptH0);
        let (test, flatters) = if decided {
            ("The sequential test stopped", "The score at the stop is biased towards the winner")
        } else {
            ("The sequential test stands", "The score so far")
        };
        let [low, high] = sprt.status.bounds.map(|bound| signed(bound, 2));
        return vec![format!(
            "{verdict}. {test} at a log-likelihood ratio of {} in [{low}, {high}] after {} pairs. \
             {flatters}: {}.",
            signed(sprt.status.llr, 2),
            sprt.status.pairs,
            score_words(cell)
        )];
    }
    if matches!(spec.kind, Kind::RoundRobin { .. }) && spec.players.len() > 2 {
        return Vec::new();
    }
    if summary.cells.len() <= SENTENCES {
        return summary.cells.iter().map(|cell| sentence(summary, cell)).collect();
    }
    let mut best: Vec<&CellSummary> =
        summary.cells.iter().filter(|cell| cell.evidence.score.is_some()).collect();
    best.sort_by(|one, other| {
        other.evidence.score.partial_cmp(&one.evidence.score).expect("scores are numbers")
    });
    let mut lines = Vec::new();
    if summary.finished {
        let (claims, tests) = summary.claims();
        lines.push(format!(
            "{claims} of {tests} pairings differ significantly (5 %, corrected for all pairings)."
        ));
    }
    if let Some(first) = best.first() {
        lines.push(format!(
            "Highest: **{}** with {}. The highest of {} is partly lucky; only new games show its \
             true score.",
            full_name(first),
            score_words(first),
            best.len()
        ));
    }
    lines
}

/// An only pairing, line by line.
pub(super) fn only(info: Option<&GameInfo>, spec: &Spec, summary: &Summary) -> Option<Data> {
    let [cell] = &summary.cells[..] else { return None };
    if summary.tuning.is_some() {
        return None;
    }
    let found = &cell.evidence;
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    for (name, player) in ["A", "B"].into_iter().zip(spec.cells[0].players()) {
        row(name, spec.players[player].agent.clone());
        let brought = setting::brings(spec, info, player);
        if !brought.is_empty() {
            row(&format!("{name} brings"), brought);
        }
    }
    if let Some(info) = info {
        row("begins with", setting::openings(&spec.conditions[0], info));
    }
    let Evidence { a_wins, draws, b_wins, games, distinct_games, .. } = found;
    let of = match 2 * found.pairs {
        paired if paired == *games => format!("of {games} games ({distinct_games} distinct)"),
        paired => {
            format!("of {games} games ({distinct_games} distinct), {paired} of them in whole pairs")
        }
    };
    row("result of A", format!("+{a_wins} ={draws} −{b_wins} {of}"));
    if let Some(score) = found.score {
        let by_pairs = found.pair_interval.map_or_else(String::new, |ends| {
            let [low, high] = ends.map(percent);
            format!(", [{low}, {high}] by pairs")
        });
        row("score of A", format!("{}{by_pairs}", score_words(cell)));
        let elo = |elo: Option<f64>, infinite: &str| {
            elo.map_or_else(|| infinite.to_owned(), |elo| signed(elo, 0))
        };
        let [low, middle, high] = found.elo;
        let middle = elo(middle, if score < 0.5 { "−∞" } else { "+∞" });
        row("Elo", format!("{middle} [{}, {}]", elo(low, "−∞"), elo(high, "+∞")));
    }
    row("pairs by points of A", format!("{:?} with 0, ½, 1, 1½, 2", found.pentanomial.0));
    if let Some(p) = found.p_value.filter(|_| found.pairs > 0) {
        row("sign test over pairs", p_value(p));
    }
    let Used { seconds, work } = &summary.used[0];
    for (name, work, seconds) in
        work.iter().flat_map(|[a, b]| [("A thought", a, seconds[0]), ("B thought", b, seconds[1])])
    {
        let steps = match work.counters.iterations {
            0 => format!("{} nodes", grouped(work.counters.nodes)),
            iterations => format!("{} iterations", grouped(iterations)),
        };
        let ms = 1000.0 * seconds / work.decisions.max(1) as f64;
        let decisions = grouped(work.decisions);
        // Games after the end of a sequential test, and halves of pairs, were played, too.
        let within = match summary.played {
            played if played == *games => String::new(),
            played => format!(" in all {} games", grouped(played)),
        };
        row(
            name,
            format!("{decisions} decisions{within}, {steps}; {ms:.2} ms each, {seconds:.1} s"),
        );
    }
    let caption = "The only pairing: with 95 % intervals (Wilson)".to_owned();
    Some(Data::plain("pairing", Table { caption, head: head(&["", "found"]), rows }))
}

/// The section of a page.
pub(super) fn section(
    info: Option<&GameInfo>,
    spec: &Spec,
    summary: &Summary,
    blocks: &mut Vec<Block>,
) {
    blocks.push(Block::Heading("Pairings".into()));
    let table = only(info, spec, summary).map_or_else(|| table(summary), |only| only.table);
    let fields = Some(fields(summary));
    let data = Data { name: "pairings".into(), table, fields };
    let players = spec.players.len();
    let played = summary.cells.iter().filter(|cell| cell.evidence.score.is_some()).count();
    if played == 0 {
        blocks.push(Block::Table(data));
    } else if matches!(spec.kind, Kind::RoundRobin { .. }) && players > 2 {
        let words = format!(
            "Score of the row against the column in percent with its 95 % interval (Wilson), the \
             best rated first; on the right, the mean over all games of the row. {}. ★ is \
             significant at 5 % after correction for all pairings (Holm); the others may be \
             chance.",
            games_words(summary)
        );
        let drawing = heat_map(spec, summary).drawing();
        blocks.push(Block::Figure { words, drawing, data });
    } else if let Some(mut figures) = sweep::figures(spec, summary, &data) {
        blocks.append(&mut figures);
    } else if (1..=MOST_DOTS).contains(&played) {
        let words = if summary.sprt.is_some() {
            "Score of A with its 95 % interval (Wilson), as of the last look of the test."
        } else {
            "Score of A with its 95 % interval (Wilson); grey where the difference is not \
             significant."
        };
        let dots = Dots {
            title: "Scores".into(),
            axis: "score of A in percent".into(),
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
    let score = cell.evidence.score?;
    let [low, high] = cell.evidence.wilson;
    Some(Dot {
        name: full_name(cell),
        value: score * 100.0,
        interval: Some([low * 100.0, high * 100.0]),
        label: format!(
            "{} [{}, {}]  n = {}",
            percent(score),
            percent(low),
            percent(high),
            grouped(cell.evidence.counted_games())
        ),
        clear: summary.stronger(cell).is_some()
            || (summary.sprt.is_some() && (low > 0.5 || high < 0.5)),
    })
}

/// Players in the order of their ratings, or as they stand in the spec.
pub(super) fn order(spec: &Spec, summary: &Summary) -> Vec<usize> {
    let ranking = summary.analysis.as_ref().map(|analysis| analysis.ranking.clone());
    ranking.unwrap_or_else(|| (0..spec.players.len()).collect())
}

/// How many games each pairing rests on.
fn games_words(summary: &Summary) -> String {
    let games = || summary.cells.iter().map(|cell| cell.evidence.counted_games());
    let (least, most) = (games().min().unwrap_or(0), games().max().unwrap_or(0));
    match least {
        _ if least == most => format!("n = {} games per pairing", grouped(most)),
        _ => format!("n = {} to {} games per pairing", grouped(least), grouped(most)),
    }
}

/// A score for a heat map, with its interval where there is room.
pub(super) fn heat_cell(
    name: &str,
    score: f64,
    ends: [f64; 2],
    games: u64,
    star: bool,
) -> HeatCell {
    let [low, high] = ends;
    let mark = if star { " ★" } else { "" };
    HeatCell {
        value: score,
        text: percent(score),
        below: format!("{:.0}–{:.0}", low * 100.0, high * 100.0),
        star,
        tip: format!(
            "{name}: {} % [{}, {}] of {} games{mark}",
            percent(score),
            percent(low),
            percent(high),
            grouped(games)
        ),
    }
}

/// Leaves out what small cells have no room for.
pub(super) fn narrowed(mut map: HeatMap) -> HeatMap {
    if map.columns.len() > MOST_WIDE + usize::from(map.apart) {
        for cell in map.cells.iter_mut().flatten() {
            cell.text = format!("{:.0}", cell.value * 100.0);
            cell.below.clear();
        }
    }
    map
}

fn heat_map(spec: &Spec, summary: &Summary) -> HeatMap {
    let order = order(spec, summary);
    let players = order.len();
    let place: Vec<usize> = (0..players)
        .map(|player| order.iter().position(|&at| at == player).expect("a ranking of all"))
        .collect();
    let columns = players + 1;
    let mut cells = vec![None; players * columns];
    let mut sums = vec![(0.0, 0u64); players];
    for (index, cell) in summary.cells.iter().enumerate() {
        let [a, b] = spec.cells[index].players();
        let Some(score) = cell.evidence.score.filter(|_| a != b) else { continue };
        let star = summary.stronger(cell).is_some();
        let [low, high] = cell.evidence.wilson;
        for (row, column, score, ends) in
            [(a, b, score, [low, high]), (b, a, 1.0 - score, [1.0 - high, 1.0 - low])]
        {
            let name = format!("{} v {}", spec.players[row].name, spec.players[column].name);
            cells[place[row] * columns + place[column]] =
                Some(heat_cell(&name, score, ends, cell.evidence.counted_games(), star));
            sums[row].0 += score * cell.evidence.counted_games() as f64;
            sums[row].1 += cell.evidence.counted_games();
        }
    }
    for (player, &(points, games)) in sums.iter().enumerate().filter(|(_, sum)| sum.1 > 0) {
        let name = format!("{}, all games", spec.players[player].name);
        let mean = points / games as f64;
        cells[place[player] * columns + players] =
            Some(heat_cell(&name, mean, stats::wilson(points, games), games, false));
    }
    let names: Vec<String> = order.iter().map(|&at| spec.players[at].name.clone()).collect();
    let mut columns = names.clone();
    columns.push("mean".into());
    narrowed(HeatMap {
        title: format!("{}: score of the row against the column, percent", spec.name),
        rows: names,
        columns,
        cells,
        apart: true,
    })
}

fn table(summary: &Summary) -> Table {
    let repeats = summary.cells.iter().any(|cell| cell.evidence.repeated_pairs > 0);
    // A sequential test has its own verdict.
    let tested = summary.cells.iter().any(|cell| cell.evidence.p_value.is_some());
    let p = |p: Option<f64>| p.map_or_else(String::new, p_value);
    let interval = |ends: [f64; 2]| {
        let [low, high] = ends.map(percent);
        format!("[{low}, {high}]")
    };
    let star = |cell| if summary.stronger(cell).is_some() { " ★" } else { "" };
    let score = |cell: &CellSummary, score| {
        format!("{} {}", percent(score), interval(cell.evidence.wilson))
    };
    let columns: [(bool, Column<'_, &CellSummary>); 10] = [
        (!summary.conditions.is_empty(), ("condition", &|cell| cell.condition.clone())),
        (true, ("A", &|cell| cell.a.clone())),
        (true, ("B", &|cell| cell.b.clone())),
        (true, ("games", &|cell| grouped(cell.evidence.games))),
        (
            true,
            ("result", &|CellSummary { evidence, .. }| {
                format!("+{} ={} −{}", evidence.a_wins, evidence.draws, evidence.b_wins)
            }),
        ),
        (
            true,
            ("score", &|cell| {
                cell.evidence.score.map_or_else(|| "no games".to_owned(), |it| score(cell, it))
            }),
        ),
        (
            true,
            ("by pairs", &|cell| cell.evidence.pair_interval.map_or_else(String::new, interval)),
        ),
        (tested, ("alone", &|cell| p(cell.evidence.p_value))),
        (tested, ("among all", &|cell| p(cell.p_holm) + star(cell))),
        (repeats, ("repeated pairs", &|cell| grouped(cell.evidence.repeated_pairs))),
    ];
    let columns: Vec<_> = columns.into_iter().filter(|it| it.0).map(|it| it.1).collect();
    let mut shown: Vec<&CellSummary> = summary.cells.iter().collect();
    let mut first = "";
    if tested && shown.len() > MOST_ROWS {
        let p = |cell: &CellSummary| cell.evidence.p_value.unwrap_or(2.0);
        shown.sort_by(|one, other| p(one).total_cmp(&p(other)));
        first = "; the clearest first";
    }
    let caption = if tested {
        "Pairings: score of A in percent with its 95 % interval (Wilson), and the interval from the variance of pairs \
         (Student); p from the sign test over pairs, \
         alone and corrected for all pairings (Holm); ★ marks what is significant at 5 % among all"
    } else {
        "Pairings: score of A in percent with its 95 % interval (Wilson), and that from the variance of pairs \
         (Student)"
    };
    Table::of(format!("{caption}{first}"), &columns, shown)
}

/// The same for programs.
fn fields(summary: &Summary) -> Table {
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6}"));
    let by_pairs = |cell: &CellSummary, end: usize| {
        number(cell.evidence.pair_interval.map(|interval| interval[end]))
    };
    let columns: [Column<'_, &CellSummary>; 17] = [
        ("condition", &|cell| cell.condition.clone()),
        ("a", &|cell| cell.a.clone()),
        ("b", &|cell| cell.b.clone()),
        ("games", &|cell| cell.evidence.games.to_string()),
        ("a_wins", &|cell| cell.evidence.a_wins.to_string()),
        ("draws", &|cell| cell.evidence.draws.to_string()),
        ("b_wins", &|cell| cell.evidence.b_wins.to_string()),
        ("score", &|cell| number(cell.evidence.score)),
        ("low", &|cell| number(Some(cell.evidence.wilson[0]))),
        ("high", &|cell| number(Some(cell.evidence.wilson[1]))),
        ("pair_low", &|cell| by_pairs(cell, 0)),
        ("pair_high", &|cell| by_pairs(cell, 1)),
        ("p", &|cell| number(cell.evidence.p_value)),
        ("p_holm", &|cell| number(cell.p_holm)),
        ("false_discovery", &|cell| number(cell.false_discovery)),
        ("pairs", &|cell| cell.evidence.pairs.to_string()),
        ("repeated_pairs", &|cell| cell.evidence.repeated_pairs.to_string()),
    ];
    Table::of("", &columns, &summary.cells)
}
