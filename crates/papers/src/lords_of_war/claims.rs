//! What became of the paper's claims.

use super::plan::{ARMIES, JOINED_LIMIT, LIMITS, OPPOSITE_H2, extrapolated, joined, single};
use super::{CellResult, Study};
use lab::report::{Ruling, Verdict};
use stats::wilson;

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

fn best_single(study: &Study) -> Option<Verdict> {
    let cells: Vec<&CellResult> = singles(study).into_iter().map(|(_, _, cell)| cell).collect();
    let h4 = study.cell(&single(4, JOINED_LIMIT))?;
    let others = || cells.iter().copied().filter(|cell| cell.name != h4.name);
    let best = others().max_by(|a, b| a.score().total_cmp(&b.score()))?;
    let complete = cells.len() == LIMITS.len() * 11;
    let [low, high] = h4.wilson();
    let ruling = if others().any(|cell| above(cell, h4)) {
        Ruling::DoesNotHold
    } else if complete && others().all(|cell| above(h4, cell)) && (low..=high).contains(&0.9) {
        Ruling::Holds
    } else {
        Ruling::NotShown
    };
    verdict(
        "The largest cell of figure 2 is h4 at limit 15, with 90.0 percent.",
        ruling,
        list(&[h4, best]),
        "The largest of many cells is largest partly by luck: cells whose intervals overlap that of \
         h4 at 15 may be as good.",
    )
}

fn low_limits(study: &Study) -> Option<Verdict> {
    let low: Vec<&CellResult> = singles(study)
        .into_iter()
        .filter(|(_, limit, _)| *limit < 5)
        .map(|(_, _, cell)| cell)
        .collect();
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
    let ruling = match (winning.is_empty(), open.is_empty() && complete) {
        (false, _) => Ruling::DoesNotHold,
        (true, true) => Ruling::Holds,
        (true, false) => Ruling::NotShown,
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
        "With fewer iterations than the paper's 10,000, a narrow tree costs less, because plain UCT \
         hardly visits any action twice.",
    )
}

fn top_three(study: &Study) -> Option<Verdict> {
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
    verdict(
        "h1, h4 and h5 are the three good single heuristics, h4 first (at limit 15: 86.8, 90.0 and \
         81.4 percent).",
        ruling,
        list(&[h1, h4, h5]),
        "h1 and h4 count cards and so see every kill; h5 sees only the mean defence of its own side.",
    )
}

fn mean_defence_fails(study: &Study) -> Option<Verdict> {
    let cells: Vec<&CellResult> =
        singles(study).into_iter().filter(|(h, _, _)| *h == 2).map(|(_, _, cell)| cell).collect();
    let opposite = study.cell(OPPOSITE_H2)?;
    let best = cells.iter().copied().max_by(|a, b| a.score().total_cmp(&b.score()))?;
    // All limits together: the best of eight would exceed any bound by luck.
    let games: u64 = cells.iter().map(|cell| cell.games).sum();
    let points: f64 = cells.iter().map(|cell| cell.score() * cell.games as f64).sum();
    let [low, high] = wilson(points, games);
    let ruling = if low > 0.008 || opposite.wilson()[0] > 0.006 {
        Ruling::DoesNotHold
    } else if cells.len() == LIMITS.len() && high < 0.05 && opposite.a_wins == 0 {
        Ruling::Holds
    } else {
        Ruling::NotShown
    };
    let all = format!(
        "all limits together {:.1} % [{:.1}, {:.1}] (n = {games}); {}",
        100.0 * points / games.max(1) as f64,
        100.0 * low,
        100.0 * high,
        list(&[best, opposite])
    );
    verdict(
        "h2 never exceeds 0.8 percent, and −h2 won no game.",
        ruling,
        all,
        "That both an order and its reverse lose everything suggests an artefact of the paper's \
         program, such as a division by zero cards; nothing in the formula explains it.",
    )
}

fn joined_against_plain(study: &Study) -> Option<Verdict> {
    let h4 = study.cell(&single(4, JOINED_LIMIT))?;
    let maps: Vec<&CellResult> =
        (6..=11).filter_map(|map| study.cell(&joined(map, "uct"))).collect();
    if maps.is_empty() {
        return None;
    }
    let differing = maps.iter().any(|map| above(map, h4) || above(h4, map));
    let ruling = if differing {
        Ruling::DoesNotHold
    } else if maps.len() == 6 && is_narrow(h4) && maps.iter().all(|map| is_narrow(map)) {
        Ruling::Holds
    } else {
        Ruling::NotShown
    };
    let mut shown = vec![h4];
    shown.extend(&maps);
    verdict(
        "h4 joined with any heat map is about as strong against plain UCT as h4 alone (figure 5).",
        ruling,
        list(&shown),
        "Here, about as strong means that the intervals overlap and are narrower than 20 points.",
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
    verdict(
        "Extrapolation changes little against plain UCT except a significant gain for h10 and h11 \
         (figure 6).",
        ruling,
        words.join("; "),
        "A change counts if the two intervals do not overlap; smaller changes need more games.",
    )
}

fn extrapolation(study: &Study, heuristic: u32, claim: &str, reported: f64) -> Option<Verdict> {
    let cell = study.cell(&extrapolated(heuristic, "h4"))?;
    let [low, high] = cell.wilson();
    // Bars are read to a few percent, and "about" leaves as much.
    const ABOUT: f64 = 0.05;
    let near = low - ABOUT <= reported && reported <= high + ABOUT;
    let ruling = match (near, high - low < 0.2) {
        (true, true) => Ruling::Holds,
        (true, false) => Ruling::NotShown,
        (false, _) => Ruling::DoesNotHold,
    };
    verdict(
        claim,
        ruling,
        named(cell),
        "The figure is read from a bar of the paper, to 5 percentage points; a wide interval shows \
         nothing.",
    )
}

fn length_and_branching(study: &Study) -> Option<Verdict> {
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
        "The paper does not say which decisions it counts; ours are only those with a choice.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StudyTiming;

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
            pairs: [wins / 2, (games - wins) / 2],
            turns: 45.0,
            deployments: 50.0,
            branching: 30.0,
        }
    }

    fn study(cells: Vec<CellResult>) -> Study {
        Study {
            schema: "",
            paper: "",
            version: "",
            scale: "",
            seed: 0,
            rules: String::new(),
            armies: ["", ""],
            iterations: 0,
            runs: Vec::new(),
            cells,
            verdicts: Vec::new(),
            timing: StudyTiming { seconds: 0.0, games_before: 0 },
            parts: Vec::new(),
        }
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
