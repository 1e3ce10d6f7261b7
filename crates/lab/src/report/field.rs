//! A field of many players: ratings, dominance, cycles, Nash averages.

use super::draw::{Arrow, Dot, Dots, dominance};
use super::{Block, Data, signed};
use crate::experiment::Spec;
use crate::numbers::{grouped, p_value, percent};
use crate::run::Summary;
use crate::table::{Column, Table, head};
use stats::{Analysis, Side, is_shown};

/// More players than this are no readable graph.
const MOST_NODES: usize = 60;

/// A rating with its interval.
fn elo(value: f64, [low, high]: [f64; 2]) -> String {
    format!("{} [{}, {}]", signed(value, 0), signed(low, 0), signed(high, 0))
}

/// A Nash weight with its interval, in percent.
fn nash_words(player: &stats::PlayerReport) -> String {
    let [low, high] = player.nash_interval.map(percent);
    format!("{} [{low}, {high}]", percent(player.nash_weight))
}

/// The sentences at the top.
pub(super) fn lead(summary: &Summary) -> Vec<String> {
    let Some(analysis) = &summary.analysis else { return Vec::new() };
    if !summary.finished {
        return Vec::new();
    }
    let (claims, tested) = summary.claims();
    let best = &analysis.players[analysis.ranking[0]];
    let first = if analysis.players.iter().all(|it| it.rating.elo.round() == 0.0) {
        "All players are rated alike.".to_owned()
    } else {
        format!(
            "**{}** is rated highest: {} Elo over the mean, with a score of {} % in {} games.",
            best.name,
            elo(best.rating.elo, best.rating.interval),
            percent(best.games.points() / best.games.games().max(1) as f64),
            grouped(best.games.games()),
        )
    };
    let mut lines = vec![format!(
        "{first} {claims} of {tested} pairings differ significantly (5 %, corrected for all pairings)."
    )];
    if let Some(p) = analysis.fit.p {
        lines.push(if is_shown(p) {
            format!(
                "Ratings alone do not explain the results ({}): some players beat others more or \
                 less often than their ratings predict.",
                p_value(p)
            )
        } else {
            format!("Ratings alone are consistent with the results ({}).", p_value(p))
        });
    }
    lines
}

/// The section of a page.
pub(super) fn section(spec: &Spec, summary: &Summary, blocks: &mut Vec<Block>) {
    let Some(analysis) = &summary.analysis else { return };
    blocks.push(Block::Heading("Ratings".into()));
    ratings(analysis, blocks);
    blocks.push(Block::Heading("Who beats whom".into()));
    graph(spec, summary, analysis, blocks);
    blocks.push(Block::Heading("Cycles".into()));
    cycles(analysis, blocks);
}

fn ratings(analysis: &Analysis, blocks: &mut Vec<Block>) {
    let ranked = || analysis.ranking.iter().map(|&index| &analysis.players[index]);
    let share = |points: f64, games: u64| points / games.max(1) as f64;
    let dot = |player: &stats::PlayerReport| {
        let [low, high] = player.rating.interval;
        Dot {
            name: player.name.clone(),
            value: player.rating.elo,
            interval: Some([low, high]),
            label: format!(
                "{}  n = {}",
                elo(player.rating.elo, player.rating.interval),
                grouped(player.games.games())
            ),
            clear: low > 0.0 || high < 0.0,
        }
    };
    let drawing = Dots {
        title: "Ratings".into(),
        axis: "Elo, mean 0, with 95 % intervals".into(),
        dots: ranked().map(dot).collect(),
        reference: Some(0.0),
        limits: [f64::NEG_INFINITY, f64::INFINITY],
    }
    .drawing();
    let prior = analysis.unbounded.as_ref().map_or_else(String::new, |reason| {
        format!(" (every player was given one virtual draw, because {reason})")
    });
    let caption = format!(
        "Ratings: Bradley–Terry, in Elo with 95 % intervals{prior}, score in percent of n games, \
         Nash weight in percent with its 95 % bootstrap interval, and payoff against the Nash \
         mixture"
    );
    let columns: [Column<'_, &stats::PlayerReport>; 6] = [
        ("player", &|player| player.name.clone()),
        ("Elo", &|player| elo(player.rating.elo, player.rating.interval)),
        ("n", &|player| grouped(player.games.games())),
        ("points", &|player| percent(share(player.games.points(), player.games.games()))),
        ("Nash weight", &nash_words),
        ("Nash payoff", &|player| signed(player.nash_payoff, 3)),
    ];
    let table = Table::of(caption, &columns, ranked());
    let columns: [Column<'_, &stats::PlayerReport>; 10] = [
        ("player", &|player| player.name.clone()),
        ("elo", &|player| format!("{:.2}", player.rating.elo)),
        ("low", &|player| format!("{:.2}", player.rating.interval[0])),
        ("high", &|player| format!("{:.2}", player.rating.interval[1])),
        ("games", &|player| player.games.games().to_string()),
        ("points", &|player| player.games.points().to_string()),
        ("nash_weight", &|player| format!("{:.6}", player.nash_weight)),
        ("nash_low", &|player| format!("{:.6}", player.nash_interval[0])),
        ("nash_high", &|player| format!("{:.6}", player.nash_interval[1])),
        ("nash_payoff", &|player| format!("{:.6}", player.nash_payoff)),
    ];
    let fields = Table::of("", &columns, ranked());
    let mut words = String::from(
        "Bradley–Terry ratings with a term for the seat. The Nash weight is how often the best \
         mixture of all players uses each; players that add nothing have weight 0.",
    );
    if let Some(seat) = &analysis.seat_advantage {
        words += &format!(" Acting first is worth {} Elo.", elo(seat.elo, seat.interval));
    }
    let data = Data { name: "ratings".into(), table, fields: Some(fields) };
    blocks.push(Block::Figure { words, drawing, data });
}

fn graph(spec: &Spec, summary: &Summary, analysis: &Analysis, blocks: &mut Vec<Block>) {
    let order = &analysis.ranking;
    let place = |player: usize| order.iter().position(|&at| at == player).unwrap_or(0);
    let mut arrows = Vec::new();
    for (index, cell) in summary.cells.iter().enumerate() {
        let [a, b] = spec.cells[index].players().map(place);
        arrows.extend(summary.stronger(cell).map(|stronger| match stronger {
            Side::A => Arrow { from: a, to: b },
            Side::B => Arrow { from: b, to: a },
        }));
    }
    if arrows.is_empty() {
        let words = if summary.finished {
            "No pairing differs significantly."
        } else {
            "Nothing is claimed before the run is finished."
        };
        blocks.push(Block::Words(words.into()));
        return;
    }
    let names: Vec<String> = order.iter().map(|&at| analysis.players[at].name.clone()).collect();
    let row = |player: usize| {
        let beaten: Vec<&str> = arrows
            .iter()
            .filter(|arrow| arrow.from == player)
            .map(|arrow| names[arrow.to].as_str())
            .collect();
        vec![names[player].clone(), beaten.len().to_string(), beaten.join(", ")]
    };
    let table = Table {
        caption: "Who beats whom: significantly, at 5 % corrected for all pairings".into(),
        head: head(&["player", "beats", "whom"]),
        rows: (0..names.len()).map(row).collect(),
    };
    let data = Data::plain("dominance", table);
    if names.len() > MOST_NODES {
        blocks.push(Block::Table(data));
        return;
    }
    let words = "An arrow is a significant difference (5 %, corrected for all pairings). Arrows \
                 that follow from other arrows are left out. Arrows of a cycle are red.";
    let drawing = dominance("Who beats whom", &names, &arrows);
    blocks.push(Block::Figure { words: words.into(), drawing, data });
}

fn cycles(analysis: &Analysis, blocks: &mut Vec<Block>) {
    let share = &analysis.null.cyclic_share;
    blocks.push(Block::Words(format!(
        "{} % of the differences between players are cyclic; in fields whose players differ by \
         ratings alone it is {} % on average (80 % of them {} to {} %), {}.",
        percent(share.observed),
        percent(share.mean),
        percent(share.quantiles[0]),
        percent(share.quantiles[2]),
        p_value(share.p)
    )));
    let at_least = |is: bool| if is { "≥ " } else { "" };
    let columns: [Column<'_, &stats::CycleTest>; 8] = [
        ("score that dominates", &|test| format!("{:.0} %", test.threshold * 100.0)),
        ("arrows", &|test| format!("{:.0}", test.arrows.observed)),
        ("cycles of three", &|test| format!("{:.0}", test.three.observed)),
        ("expected", &|test| format!("{:.1}", test.three.mean)),
        ("p", &|test| p_value(test.three.p)),
        ("all cycles", &|test| format!("{}{:.0}", at_least(test.at_least), test.all.observed)),
        ("expected (80 %)", &|stats::CycleTest { all, null_at_least, .. }| {
            let (capped, [low, .., high]) = (at_least(*null_at_least > 0.0), all.quantiles);
            format!("{capped}{:.1} ({low:.0} to {high:.0})", all.mean)
        }),
        ("p", &|test| p_value(test.all.p)),
    ];
    let caption = "Cycles: those of dominance, and the number expected by chance in fields without any \
                   true cycle (parametric bootstrap)";
    let table = Table::of(caption, &columns, &analysis.null.cycles);
    blocks.push(Block::Table(Data::plain("cycles", table)));
}
