//! What became of the paper's claims.

use super::plan::{
    ARMIES, HEURISTICS, JOINED_LIMIT, LIMITS, OPPOSITE_H2, extrapolated, joined, single,
};
use super::{CellResult, Results, SHEET};
use crate::sheet::{in_part, judged};
use lab::report::{Ruling, Verdict};
use serde_json::json;
use stats::wilson;

/// Every claim that can be looked at with the cells that were played.
pub(super) fn verdicts(study: &Results) -> Vec<Verdict> {
    [
        best_single(study),
        low_limits(study),
        top_three(study),
        mean_defence_fails(study),
        joined_against_plain(study),
        best_pair(study),
        extrapolation_small(study),
        extrapolation(study, 4, 0.8),
        extrapolation(study, 1, 0.5),
        length_and_branching(study),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A score with interval and n.
pub(super) fn measured(cell: &CellResult) -> String {
    let [low, high] = cell.wilson().map(|end| end * 100.0);
    format!("{:.1} % [{low:.1}, {high:.1}] (n = {})", cell.score() * 100.0, cell.counted)
}

fn named(cell: &CellResult) -> String {
    format!("{} {}", cell.name, measured(cell))
}

fn list(cells: &[&CellResult]) -> String {
    cells.iter().map(|cell| named(cell)).collect::<Vec<_>>().join("; ")
}

/// The cells of figure 2 that were played, of some limits.
fn singles(study: &Results, limits: impl Fn(u32) -> bool) -> Vec<&CellResult> {
    let limits = LIMITS.into_iter().filter(|limit| limits(*limit)).collect::<Vec<_>>();
    let all = (1..=HEURISTICS).flat_map(|h| limits.iter().map(move |limit| single(h, *limit)));
    all.filter_map(|name| study.cell(&name)).collect()
}

fn best<'a>(cells: impl Iterator<Item = &'a CellResult>) -> Option<&'a CellResult> {
    cells.max_by(|a, b| a.score().total_cmp(&b.score()))
}

fn verdict(claim: &str, ruling: Ruling, cells: &[&CellResult]) -> Option<Verdict> {
    Some(SHEET.verdict(claim, ruling, &json!({ "cells": list(cells) })))
}

/// Whether an interval is narrow enough to say that two things are about the same.
fn is_narrow(cell: &CellResult) -> bool {
    let [low, high] = cell.wilson();
    high - low < 0.2
}

fn wins(cell: &CellResult) -> bool {
    cell.wilson()[0] > 0.5
}

fn loses(cell: &CellResult) -> bool {
    cell.wilson()[1] < 0.5
}

/// One cell shown to be better than another: the intervals do not touch.
fn above(cell: &CellResult, other: &CellResult) -> bool {
    cell.wilson()[0] > other.wilson()[1]
}

fn best_single(study: &Results) -> Option<Verdict> {
    let cells = singles(study, |_| true);
    let h4 = study.cell(&single(4, JOINED_LIMIT))?;
    let others = || cells.iter().copied().filter(|cell| cell.name != h4.name);
    let best = best(others())?;
    let complete = cells.len() == LIMITS.len() * 11;
    let [low, high] = h4.wilson();
    let refuted = others().any(|cell| above(cell, h4));
    let shown = complete && others().all(|cell| above(h4, cell)) && (low..=high).contains(&0.9);
    let ruling = judged(refuted, shown);
    verdict("best-single", ruling, &[h4, best])
}

fn low_limits(study: &Results) -> Option<Verdict> {
    let low = singles(study, |limit| limit < 5);
    if low.is_empty() {
        return None;
    }
    // One of 22 cells looks like winning by chance alone: they are tested together.
    let p_values: Vec<f64> = low.iter().map(|cell| cell.p_value()).collect();
    let adjusted = stats::holm(&p_values);
    let is_winning = |(cell, p): &(&CellResult, f64)| stats::is_shown(*p) && cell.score() > 0.5;
    let winning: Vec<&CellResult> =
        low.iter().copied().zip(adjusted).filter(is_winning).map(|(cell, _)| cell).collect();
    let open: Vec<&CellResult> = low
        .iter()
        .copied()
        .filter(|cell| !loses(cell) && !winning.iter().any(|other| other.name == cell.name))
        .collect();
    let complete = low.len() == 2 * 11;
    let ruling = judged(!winning.is_empty(), open.is_empty() && complete);
    let lost = low.len() - winning.len() - open.len();
    let mut words = format!("{lost} of {} cells lose", low.len());
    for (what, cells) in [("winning", winning), ("undecided", open)] {
        if !cells.is_empty() {
            words += &format!("; {what}: {}", list(&cells));
        }
    }
    Some(SHEET.verdict("low-limits", ruling, &json!({ "cells": words })))
}

fn top_three(study: &Results) -> Option<Verdict> {
    let at = |heuristic| study.cell(&single(heuristic, JOINED_LIMIT));
    let (h1, h4, h5) = (at(1)?, at(4)?, at(5)?);
    let others: Vec<&CellResult> =
        (1..=11).filter(|h| ![1, 4, 5].contains(h)).filter_map(at).collect();
    let three = [h1, h4, h5];
    let leads = |cell: &CellResult| wins(cell) && others.iter().all(|other| above(cell, other));
    // It loses, or another is better, or it does not win and both that it is named with are better.
    let fails = |cell: &CellResult| {
        let companions = || three.into_iter().filter(|other| other.name != cell.name);
        loses(cell)
            || others.iter().any(|other| above(other, cell))
            || (!wins(cell) && companions().all(|other| above(other, cell)))
    };
    let first = h4.score() >= h1.score() && h4.score() >= h5.score();
    let complete = others.len() == 8;
    let refuted = three.into_iter().any(fails) || above(h1, h4) || above(h5, h4);
    let ruling = match (refuted, three.into_iter().any(leads)) {
        (true, true) => Ruling::HoldsInPart,
        (true, false) => Ruling::DoesNotHold,
        _ if complete && first && three.into_iter().all(leads) => Ruling::Holds,
        _ => Ruling::NotShown,
    };
    verdict("top-three", ruling, &[h1, h4, h5])
}

fn mean_defence_fails(study: &Results) -> Option<Verdict> {
    let cells: Vec<&CellResult> =
        LIMITS.into_iter().filter_map(|limit| study.cell(&single(2, limit))).collect();
    let opposite = study.cell(OPPOSITE_H2)?;
    let best = best(cells.iter().copied())?;
    // All limits together: the best of eight would exceed any bound by luck.
    let games: u64 = cells.iter().map(|cell| cell.counted).sum();
    let points: f64 = cells.iter().map(|cell| cell.points).sum();
    let [low, high] = wilson(points, games);
    let refuted = low > 0.008 || opposite.wilson()[0] > 0.006;
    let shown = cells.len() == LIMITS.len() && high < 0.05 && opposite.a_wins == 0;
    let ruling = judged(refuted, shown);
    let values = json!({
        "score": points / games.max(1) as f64,
        "low": low,
        "high": high,
        "games": games,
        "cells": list(&[best, opposite]),
    });
    Some(SHEET.verdict("mean-defence", ruling, &values))
}

fn joined_against_plain(study: &Results) -> Option<Verdict> {
    let h4 = study.cell(&single(4, JOINED_LIMIT))?;
    let maps: Vec<&CellResult> =
        (6..=11).filter_map(|map| study.cell(&joined(map, "uct"))).collect();
    if maps.is_empty() {
        return None;
    }
    let differing = maps.iter().any(|map| above(map, h4) || above(h4, map));
    let refuted = differing;
    let shown = maps.len() == 6 && is_narrow(h4) && maps.iter().all(|map| is_narrow(map));
    let ruling = judged(refuted, shown);
    let mut shown = vec![h4];
    shown.extend(&maps);
    verdict("joined-plain", ruling, &shown)
}

fn best_pair(study: &Results) -> Option<Verdict> {
    let pairs: Vec<&CellResult> =
        (1..=HEURISTICS).filter_map(|other| study.cell(&joined(other, "h4"))).collect();
    let h5 = study.cell(&joined(5, "h4"))?;
    if pairs.len() < 2 {
        return None;
    }
    let best = best(pairs.iter().copied())?;
    let rivals = pairs.iter().filter(|cell| cell.wilson()[1] >= h5.wilson()[0]).count();
    let ruling = judged(above(best, h5), best.name == h5.name && rivals == 1);
    verdict("best-pair", ruling, &pairs)
}

fn extrapolation_small(study: &Results) -> Option<Verdict> {
    let pairs: Vec<(u32, &CellResult, &CellResult)> = (1..=11)
        .filter_map(|h| {
            Some((h, study.cell(&extrapolated(h, "uct"))?, study.cell(&single(h, JOINED_LIMIT))?))
        })
        .collect();
    if pairs.is_empty() {
        return None;
    }
    let gained: Vec<u32> =
        pairs.iter().filter(|(_, with, without)| above(with, without)).map(|(h, ..)| *h).collect();
    let lost = pairs.iter().any(|(_, with, without)| above(without, with));
    let ruling = match (pairs.len(), &gained[..]) {
        _ if lost => Ruling::DoesNotHold,
        (11, [10, 11]) => Ruling::Holds,
        (_, gained) if gained.iter().any(|h| *h < 10) => Ruling::DoesNotHold,
        _ => Ruling::NotShown,
    };
    let words: Vec<String> = pairs
        .iter()
        .map(|(h, with, without)| format!("h{h}R {} for {}", measured(with), measured(without)))
        .collect();
    Some(SHEET.verdict("extrapolation-small", ruling, &json!({ "cells": words.join("; ") })))
}

fn extrapolation(study: &Results, heuristic: u32, reported: f64) -> Option<Verdict> {
    let cell = study.cell(&extrapolated(heuristic, "h4"))?;
    let [low, high] = cell.wilson();
    // Bars are read to a few percent, and "about" leaves as much.
    const ABOUT: f64 = 0.05;
    let near = low - ABOUT <= reported && reported <= high + ABOUT;
    let ruling = judged(!near, is_narrow(cell));
    let values = json!({ "h": heuristic, "reported": reported, "cells": named(cell) });
    Some(SHEET.verdict("extrapolation", ruling, &values))
}

fn length_and_branching(study: &Results) -> Option<Verdict> {
    let of_armies =
        |cell: &&CellResult| ARMIES.iter().any(|army| cell.name.split(' ').next() == Some(*army));
    let cells: Vec<&CellResult> = study.cells.iter().filter(|cell| !of_armies(cell)).collect();
    let games: u64 = cells.iter().map(|cell| cell.games).sum();
    if games == 0 {
        return None;
    }
    let mean = |value: &dyn Fn(&CellResult) -> f64| {
        let total: f64 = cells.iter().map(|cell| value(cell) * cell.games as f64).sum();
        total / games as f64
    };
    let shortest = cells.iter().map(|cell| cell.turns).fold(f64::MAX, f64::min);
    let longest = cells.iter().map(|cell| cell.turns).fold(0.0, f64::max);
    let branching = mean(&|cell| cell.branching);
    let deployments = mean(&|cell| cell.deployments);
    let long = (30.0..=60.0).contains(&shortest) && (30.0..=60.0).contains(&longest);
    let broad = (25.0..=50.0).contains(&branching) || (25.0..=50.0).contains(&deployments);
    let values = json!({
        "turns": mean(&|cell| cell.turns),
        "shortest": shortest,
        "longest": longest,
        "deployments": deployments,
        "branching": branching,
        "games": games,
    });
    Some(SHEET.verdict("length", in_part([long, broad]), &values))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(name: &str, wins: u64, games: u64) -> CellResult {
        CellResult {
            name: name.into(),
            a: "a".into(),
            b: "b".into(),
            games,
            a_wins: wins,
            draws: 0,
            b_wins: games - wins,
            seats: [wins, 0, games - wins],
            counted: games,
            points: wins as f64,
            pairs: [wins / 2, (games - wins) / 2],
            turns: 45.0,
            deployments: 50.0,
            branching: 30.0,
        }
    }

    fn study(cells: Vec<CellResult>) -> Results {
        Results { cells }
    }

    /// Figure 2 with this many wins of 200 in each cell.
    fn table(wins: impl Fn(u32, u32) -> u64) -> Vec<CellResult> {
        let all = (1..=11).flat_map(|h| LIMITS.map(|limit| (h, limit)));
        all.map(|(h, limit)| cell(&single(h, limit), wins(h, limit), 200)).collect()
    }

    fn ruling(found: Option<Verdict>) -> Ruling {
        found.expect("a verdict").ruling
    }

    #[test]
    fn equal_cells_prove_nothing() {
        let even = study(table(|_, _| 200));
        assert_eq!(ruling(best_single(&even)), Ruling::NotShown);
        let peak = study(table(|h, limit| if (h, limit) == (4, 15) { 180 } else { 100 }));
        assert_eq!(ruling(best_single(&peak)), Ruling::Holds);
        let elsewhere = study(table(|h, _| if h == 3 { 190 } else { 100 }));
        assert_eq!(ruling(best_single(&elsewhere)), Ruling::DoesNotHold);
        let few = study(vec![cell(&single(4, 15), 180, 200), cell(&single(1, 15), 20, 200)]);
        assert_eq!(ruling(best_single(&few)), Ruling::NotShown, "most cells were not played");
    }

    #[test]
    fn one_clear_winner_refutes_every() {
        let all_lose = study(table(|_, limit| if limit < 5 { 20 } else { 100 }));
        assert_eq!(ruling(low_limits(&all_lose)), Ruling::Holds);
        let one_wins = study(table(|h, limit| if (h, limit) == (4, 2) { 150 } else { 20 }));
        assert_eq!(ruling(low_limits(&one_wins)), Ruling::DoesNotHold);
        let one_open = study(table(|h, limit| if (h, limit) == (4, 2) { 100 } else { 20 }));
        assert_eq!(ruling(low_limits(&one_open)), Ruling::NotShown);
    }

    #[test]
    fn the_three_must_lead_with_h4_first() {
        let good = |h: u32| if [1, 5].contains(&h) { 165 } else { 60 };
        let as_claimed = study(table(|h, _| if h == 4 { 180 } else { good(h) }));
        assert_eq!(ruling(top_three(&as_claimed)), Ruling::Holds);
        let h5_even = study(table(|h, _| {
            [60, 165, 60, 60, 180, 100][h.min(5) as usize] - u64::from(h > 5) * 40
        }));
        assert_eq!(ruling(top_three(&h5_even)), Ruling::HoldsInPart);
        let h1_loses = study(table(|h, _| if h == 1 { 20 } else { 150 }));
        assert_eq!(ruling(top_three(&h1_loses)), Ruling::DoesNotHold);
        // As measured once: h4 leads, h1 leads all but one whose interval is wide, h5 is even.
        let mut cells =
            table(|h, _| [0, 160, 88, 90, 165, 101, 80, 80, 80, 80, 80, 80][h as usize]);
        cells.retain(|cell| cell.name != single(9, 15));
        cells.push(cell(&single(9, 15), 25, 40));
        let h1 = cells.iter().find(|cell| cell.name == single(1, 15)).unwrap();
        assert!(!above(h1, cells.last().unwrap()), "h1 is not shown to lead");
        assert_eq!(ruling(top_three(&study(cells))), Ruling::HoldsInPart);
        let h1_first = study(table(|h, _| {
            [0, 190, 60, 60, 165, 165][h.min(5) as usize] - u64::from(h > 5) * 105
        }));
        assert_eq!(ruling(top_three(&h1_first)), Ruling::HoldsInPart);
        let all_even = study(table(|_, _| 120));
        assert_eq!(ruling(top_three(&all_even)), Ruling::NotShown);
    }

    #[test]
    fn h2_is_judged_over_all_limits() {
        let with = |wins: u64, opposite: u64| {
            let mut cells = table(|h, _| if h == 2 { wins } else { 100 });
            cells.push(cell(OPPOSITE_H2, opposite, 200));
            ruling(mean_defence_fails(&study(cells)))
        };
        assert_eq!(with(0, 0), Ruling::Holds);
        assert_eq!(with(20, 0), Ruling::DoesNotHold);
        assert_eq!(with(0, 30), Ruling::DoesNotHold);
    }

    #[test]
    fn a_loss_by_extrapolation_is_no_gain() {
        let with = |h10: u64, h11: u64| {
            let mut cells = table(|_, _| 60);
            for h in 1..=11 {
                let wins = match h {
                    10 => h10,
                    11 => h11,
                    _ => 62,
                };
                cells.push(cell(&extrapolated(h, "uct"), wins, 200));
            }
            ruling(extrapolation_small(&study(cells)))
        };
        assert_eq!(with(110, 110), Ruling::Holds);
        assert_eq!(with(10, 10), Ruling::DoesNotHold);
        assert_eq!(with(60, 60), Ruling::NotShown);
    }
}
