//! What became of the paper's claims.

use super::plan::{JOINED_LIMIT, LIMITS, OPPOSITE_H2, extrapolated, joined, single};
use super::{CellResult, Study};
use crate::reproduce::{Ruling, Verdict};

/// Every claim that can be looked at with the cells that were played.
pub(super) fn verdicts(study: &Study) -> Vec<Verdict> {
    [
        best_single(study),
        low_limits(study),
        top_three(study),
        mean_defence_fails(study),
        joined_against_plain(study),
        best_pair(study),
        extrapolation_small(study),
        extrapolation(study, 4, "h4R wins about 80 percent against h4 (figure 7)", 0.8),
        extrapolation(study, 1, "h1R wins about 50 percent against h4 (figure 7)", 0.5),
        length_and_branching(study),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A score with interval and n.
pub(super) fn measured(cell: &CellResult) -> String {
    let [low, high] = cell.wilson().map(|end| end * 100.0);
    format!("{:.1} % [{low:.1}, {high:.1}] (n = {})", cell.score() * 100.0, cell.games)
}

fn named(cell: &CellResult) -> String {
    format!("{} {}", cell.name, measured(cell))
}

fn list(cells: &[&CellResult]) -> String {
    cells.iter().map(|cell| named(cell)).collect::<Vec<_>>().join("; ")
}

fn singles(study: &Study) -> Vec<(u32, u32, &CellResult)> {
    let all = (1..=11).flat_map(|heuristic| LIMITS.map(|limit| (heuristic, limit)));
    all.filter_map(|(heuristic, limit)| {
        Some((heuristic, limit, study.cell(&single(heuristic, limit))?))
    })
    .collect()
}

fn verdict(claim: &str, ruling: Ruling, measured: String, why: &str) -> Option<Verdict> {
    Some(Verdict { claim: claim.into(), ruling, measured, why: why.into() })
}

fn best_single(study: &Study) -> Option<Verdict> {
    let cells = singles(study);
    let h4 = study.cell(&single(4, JOINED_LIMIT))?;
    let best =
        cells.iter().map(|(_, _, cell)| *cell).max_by(|a, b| a.score().total_cmp(&b.score()))?;
    let ruling = if best.wilson()[0] > h4.wilson()[1] {
        Ruling::DoesNotHold
    } else if best.name == h4.name && cells.len() > 1 {
        Ruling::Holds
    } else {
        Ruling::NotShown
    };
    verdict(
        "The largest cell of figure 2 is h4 at limit 15, with 90.0 percent.",
        ruling,
        if best.name == h4.name { named(h4) } else { list(&[h4, best]) },
        "The largest of many cells is largest partly by luck: cells whose intervals overlap that of \
         h4 at 15 may be as good.",
    )
}

fn low_limits(study: &Study) -> Option<Verdict> {
    let cells = singles(study);
    let low: Vec<&CellResult> =
        cells.iter().filter(|(_, limit, _)| *limit < 5).map(|(_, _, cell)| *cell).collect();
    if low.is_empty() {
        return None;
    }
    let winning: Vec<&CellResult> =
        low.iter().copied().filter(|cell| cell.wilson()[0] > 0.5).collect();
    let open: Vec<&CellResult> = low
        .iter()
        .copied()
        .filter(|cell| cell.wilson()[0] <= 0.5 && cell.wilson()[1] >= 0.5)
        .collect();
    let ruling = match (winning.is_empty(), open.is_empty()) {
        (true, true) => Ruling::Holds,
        (true, false) => Ruling::NotShown,
        (false, _) if winning.len() == low.len() => Ruling::DoesNotHold,
        (false, _) => Ruling::HoldsInPart,
    };
    let lost = low.len() - winning.len() - open.len();
    let mut words = format!("{lost} of {} cells lose", low.len());
    if !winning.is_empty() {
        words += &format!("; winning: {}", list(&winning));
    }
    if !open.is_empty() {
        words += &format!("; undecided: {}", list(&open));
    }
    verdict(
        "Every heuristic loses to plain UCT for limits below 5.",
        ruling,
        words,
        "With fewer iterations than the paper's 10,000 a narrow tree costs less, because plain UCT \
         hardly gets beyond one visit of each action.",
    )
}

fn top_three(study: &Study) -> Option<Verdict> {
    let at = |heuristic| study.cell(&single(heuristic, JOINED_LIMIT));
    let (h1, h4, h5) = (at(1)?, at(4)?, at(5)?);
    let others: Vec<&CellResult> =
        (1..=11).filter(|h| ![1, 4, 5].contains(h)).filter_map(at).collect();
    let good = |cell: &CellResult| cell.wilson()[0] > 0.5;
    let bad = |cell: &CellResult| cell.wilson()[1] < 0.5;
    let best_other = others.iter().map(|cell| cell.score()).fold(0.0, f64::max);
    let ruling = if good(h1) && good(h4) && good(h5) && h5.score() > best_other {
        Ruling::Holds
    } else if good(h1) && good(h4) && (bad(h5) || h5.score() <= best_other) {
        Ruling::HoldsInPart
    } else {
        Ruling::NotShown
    };
    verdict(
        "h1, h4 and h5 are the three good single heuristics, h4 first (at limit 15: 86.8, 90.0 and \
         81.4 percent).",
        ruling,
        list(&[h1, h4, h5]),
        "h1 and h4 count cards and so see every kill. h5 sees the mean defence of the own side \
         only: the readings that were tried to bring it up to the paper's figure are in \
         docs/algorithms/pruning.md.",
    )
}

fn mean_defence_fails(study: &Study) -> Option<Verdict> {
    let cells: Vec<&CellResult> =
        singles(study).into_iter().filter(|(h, _, _)| *h == 2).map(|(_, _, cell)| cell).collect();
    let opposite = study.cell(OPPOSITE_H2);
    let best = cells.iter().copied().max_by(|a, b| a.score().total_cmp(&b.score()))?;
    let ruling = if best.wilson()[0] > 0.008 { Ruling::DoesNotHold } else { Ruling::NotShown };
    let mut shown = vec![best];
    shown.extend(opposite);
    verdict(
        "h2 never exceeds 0.8 percent, and −h2 won no game.",
        ruling,
        list(&shown),
        "Both an order and its reverse losing everything points at an artefact of the paper's \
         program, such as a division by no cards; nothing in the formula explains it.",
    )
}

fn joined_against_plain(study: &Study) -> Option<Verdict> {
    let h4 = study.cell(&single(4, JOINED_LIMIT))?;
    let maps: Vec<&CellResult> =
        (6..=11).filter_map(|map| study.cell(&joined(map, "uct"))).collect();
    if maps.is_empty() {
        return None;
    }
    let [low, high] = h4.wilson();
    let stronger = maps.iter().filter(|cell| cell.wilson()[0] > high).count();
    let weaker = maps.iter().filter(|cell| cell.wilson()[1] < low).count();
    let ruling = if stronger + weaker == 0 { Ruling::Holds } else { Ruling::DoesNotHold };
    let mut shown = vec![h4];
    shown.extend(&maps);
    verdict(
        "h4 joined with any heat map is about as strong against plain UCT as h4 alone (figure 5).",
        ruling,
        list(&shown),
        "About as strong means here that the intervals overlap; at this number of games they are \
         wide.",
    )
}

fn best_pair(study: &Study) -> Option<Verdict> {
    let pairs: Vec<(u32, &CellResult)> =
        (1..=11).filter_map(|other| Some((other, study.cell(&joined(other, "h4"))?))).collect();
    let h5 = study.cell(&joined(5, "h4"))?;
    if pairs.len() < 2 {
        return None;
    }
    let (_, best) = pairs.iter().max_by(|a, b| a.1.score().total_cmp(&b.1.score()))?;
    let ruling = if best.wilson()[0] > h5.wilson()[1] {
        Ruling::DoesNotHold
    } else if best.name == h5.name
        && pairs.iter().filter(|(_, cell)| cell.wilson()[1] >= h5.wilson()[0]).count() == 1
    {
        Ruling::Holds
    } else {
        Ruling::NotShown
    };
    let shown: Vec<&CellResult> = pairs.iter().map(|(_, cell)| *cell).collect();
    verdict(
        "Against h4 the pair h4h5 is best; among pairs with maps h4h6, h4h7 and h4h10 lead (figure 5).",
        ruling,
        list(&shown),
        "A pair that is best by less than its interval is not shown to be best.",
    )
}

fn extrapolation_small(study: &Study) -> Option<Verdict> {
    let pairs: Vec<(u32, &CellResult, &CellResult)> = (1..=11)
        .filter_map(|h| {
            Some((h, study.cell(&extrapolated(h, "uct"))?, study.cell(&single(h, JOINED_LIMIT))?))
        })
        .collect();
    if pairs.is_empty() {
        return None;
    }
    let differs = |(_, with, without): &&(u32, &CellResult, &CellResult)| {
        with.wilson()[0] > without.wilson()[1] || with.wilson()[1] < without.wilson()[0]
    };
    let changed: Vec<u32> = pairs.iter().filter(differs).map(|(h, _, _)| *h).collect();
    let ruling = match (pairs.len(), &changed[..]) {
        (11, [10, 11]) => Ruling::Holds,
        (11, []) => Ruling::NotShown,
        (11, _) => Ruling::DoesNotHold,
        _ => Ruling::NotShown,
    };
    let words: Vec<String> = pairs
        .iter()
        .map(|(h, with, without)| format!("h{h}R {} for {}", measured(with), measured(without)))
        .collect();
    verdict(
        "Extrapolation changes little against plain UCT except a significant gain for h10 and h11 \
         (figure 6).",
        ruling,
        words.join("; "),
        "A change counts where the two intervals do not touch.",
    )
}

fn extrapolation(study: &Study, heuristic: u32, claim: &str, reported: f64) -> Option<Verdict> {
    let cell = study.cell(&extrapolated(heuristic, "h4"))?;
    let [low, high] = cell.wilson();
    let inside = (low..=high).contains(&reported);
    let ruling = match (inside, high - low < 0.2) {
        (true, true) => Ruling::Holds,
        (true, false) => Ruling::NotShown,
        (false, _) => Ruling::DoesNotHold,
    };
    verdict(
        claim,
        ruling,
        named(cell),
        "The figure is read from a bar of the paper; a wide interval that holds it shows nothing.",
    )
}

fn length_and_branching(study: &Study) -> Option<Verdict> {
    let games: u64 = study.cells.iter().map(|cell| cell.games).sum();
    if games == 0 {
        return None;
    }
    let mean = |value: &dyn Fn(&CellResult) -> f64| {
        let total: f64 = study.cells.iter().map(|cell| value(cell) * cell.games as f64).sum();
        total / games as f64
    };
    let shortest = study.cells.iter().map(|cell| cell.turns).fold(f64::MAX, f64::min);
    let longest = study.cells.iter().map(|cell| cell.turns).fold(0.0, f64::max);
    let turns = mean(&|cell| cell.turns);
    let branching = mean(&|cell| cell.branching);
    let deployments = mean(&|cell| cell.deployments);
    let long = (30.0..=60.0).contains(&shortest) && (30.0..=60.0).contains(&longest);
    let broad = (25.0..=50.0).contains(&branching) || (25.0..=50.0).contains(&deployments);
    let ruling = match (long, broad) {
        (true, true) => Ruling::Holds,
        (false, false) => Ruling::DoesNotHold,
        _ => Ruling::HoldsInPart,
    };
    verdict(
        "Games of tree searches last 30 to 60 turns on average; 25 to 50 options in the middle game.",
        ruling,
        format!(
            "{turns:.1} turns (cells from {shortest:.1} to {longest:.1}), {deployments:.1} options \
             of a deployment, {branching:.1} of any decision (n = {games} games)"
        ),
        "The paper does not say which decisions it counts; ours are real choices only.",
    )
}
