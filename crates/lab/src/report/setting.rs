//! How games were made, and how to make them again: rules, starts, players and what they bring.

use std::collections::BTreeSet;

use registry::GameInfo;
use store::Run;

use super::{Block, Data};
use crate::experiment::{Condition, Player, Spec};
use crate::plan::Openings;
use crate::run::Summary;
use crate::table::{Table, head};
use crate::tuning::in_a_line;

/// From which positions games begin under a condition.
pub(super) fn openings(condition: &Condition, info: &GameInfo) -> String {
    match &condition.openings {
        Openings::Positions(list) => format!("one of {} given positions", list.len()),
        Openings::Random(plies) => match plies.unwrap_or(info.opening_plies) {
            0 => "the usual start position".to_owned(),
            1 => "1 random action from the start".to_owned(),
            plies => format!("{plies} random actions from the start"),
        },
    }
}

/// What a player brings, also where nobody said it; nothing if every condition has its own.
pub(super) fn brings(spec: &Spec, info: Option<&GameInfo>, index: usize) -> String {
    let player = &spec.players[index];
    let side = match &spec.cells[..] {
        [only] if only.a != only.b => only.players().iter().position(|&player| player == index),
        _ => None,
    };
    let usual = info.map_or([""; 2], |info| info.usual_setups);
    match (&player.setup, &spec.conditions[..]) {
        (Some(own), _) => own.clone(),
        (None, [only]) => {
            let [one, other] = [0, 1].map(|side| match only.setups[side].as_str() {
                "" if usual[side].is_empty() => String::new(),
                "" if usual[side] == "Default" => usual[side].to_owned(),
                "" => format!("{} (the default)", usual[side]),
                own => own.to_owned(),
            });
            match (one == other, info.is_some_and(|info| info.dealt)) {
                (true, _) => one,
                // The sides bring different things.
                (false, true) => format!("{one} for player 1, {other} for player 2"),
                (false, false) => match side {
                    Some(0) => one,
                    Some(_) => other,
                    None => format!("{one} as A, {other} as B"),
                },
            }
        }
        _ => String::new(),
    }
}

/// How it was made and how to make it again.
pub(super) fn section(
    info: Option<&GameInfo>,
    run: &Run,
    spec: &Spec,
    summary: &Summary,
    blocks: &mut Vec<Block>,
) {
    blocks.push(Block::Heading("How this was made".into()));
    let manifest = &run.manifest;
    let rules = match &spec.conditions[..] {
        [first, _, ..] => format!(
            "Rules of the first condition, {}: `{}`; the others differ as their names say.",
            first.name, first.rules
        ),
        _ => format!("Rules: `{}`.", spec.rules()),
    };
    let repeatable = if manifest.repeatable {
        "The same spec and seed give the same games on any machine and any number of threads."
    } else {
        "**Not repeatable**: the results depend on a time budget, a clock, several threads or an \
         outside program."
    };
    blocks.push(Block::Words(format!(
        "Run `{}`, started {}, warroom {}, seed {}, {}. {rules} {repeatable} `warroom runs verify \
         {0}` checks every game against the rules; `warroom runs rerun {0}` plays them again.",
        run.id, run.created, manifest.version, spec.seed, manifest.cpu
    )));
    blocks.extend(info.map(|info| Block::Words(starts(spec, info))));
    let tuned = summary.tuning.as_ref().and_then(|tuning| tuning.recommendation.as_ref());
    let row = |(index, player): (usize, &Player)| {
        let agent = match tuned.filter(|_| index == 0) {
            Some(keys) => format!("{} with {}", player.agent, in_a_line(keys)),
            None => player.agent.clone(),
        };
        vec![player.name.clone(), agent, brings(spec, info, index)]
    };
    let mut agents = Table {
        caption: "Players".into(),
        head: head(&["name", "agent", "brings"]),
        rows: spec.players.iter().enumerate().map(row).collect(),
    };
    if agents.rows.iter().all(|row| row[2].is_empty()) {
        agents.head.pop();
        agents.rows.iter_mut().for_each(|row| row.truncate(2));
    }
    blocks.push(Block::Table(Data::plain("players", agents)));
    blocks.push(Block::Words(
        "Scores count a draw as half a point. Intervals of scores are 95 % Wilson intervals. The \
         test of a pairing is the exact sign test over pairs of games with seats exchanged, and \
         ★ marks what is significant at 5 % after correction for all pairings (Holm). Pairs of \
         games that repeat another exactly are counted once."
            .into(),
    ));
}

/// From which positions the games begin.
fn starts(spec: &Spec, info: &GameInfo) -> String {
    let all: BTreeSet<String> =
        spec.conditions.iter().map(|condition| openings(condition, info)).collect();
    let all: Vec<String> = all.into_iter().collect();
    let dealt = if info.dealt { " Every deal is played with either seat beginning." } else { "" };
    format!(
        "Each pair of games begins with {}; both games of a pair have the same start, with the \
         players exchanged.{dealt}",
        all.join(", or ")
    )
}
