//! Who beats whom: the best on top, arrows only where no way over others says the same.

use std::fmt::Write as _;

use super::{Drawing, escaped, shortened, width_of};

/// `from` beats `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

const LAYER: f64 = 76.0;
const NODE: f64 = 26.0;

/// Which players can be reached from which over at least one arrow.
fn reach(players: usize, arrows: &[Arrow]) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; players]; players];
    for arrow in arrows {
        reach[arrow.from][arrow.to] = true;
    }
    for middle in 0..players {
        let onwards = reach[middle].clone();
        for row in &mut reach {
            if row[middle] {
                for (reached, &onward) in row.iter_mut().zip(&onwards) {
                    *reached |= onward;
                }
            }
        }
    }
    reach
}

/// The layer of every player: the longest way down to it from any that nobody beats. Players of one
/// cycle share a layer.
fn layers(players: usize, arrows: &[Arrow], reach: &[Vec<bool>]) -> Vec<usize> {
    let together = |one: usize, other: usize| reach[one][other] && reach[other][one];
    let mut layers = vec![0; players];
    // As many rounds as there are players are enough for the longest way.
    for _ in 0..players {
        for &Arrow { from, to } in arrows {
            if !together(from, to) {
                layers[to] = layers[to].max(layers[from] + 1);
            }
        }
        for one in 0..players {
            for other in 0..players {
                if together(one, other) {
                    layers[one] = layers[one].max(layers[other]);
                }
            }
        }
    }
    layers
}

/// The arrows that no way over others replaces; those of cycles all stay.
fn needed(arrows: &[Arrow], reach: &[Vec<bool>]) -> Vec<(Arrow, bool)> {
    let in_cycle = |arrow: &Arrow| reach[arrow.to][arrow.from];
    let replaced = |arrow: &Arrow| {
        arrows.iter().any(|first| {
            first.from == arrow.from
                && first.to != arrow.to
                && reach[first.to][arrow.to]
                // A detour through the cycle of either end replaces nothing.
                && !reach[first.to][first.from]
                && !(reach[arrow.to][first.to])
        })
    };
    let kept = arrows.iter().filter(|arrow| in_cycle(arrow) || !replaced(arrow));
    kept.map(|arrow| (*arrow, in_cycle(arrow))).collect()
}

/// Draws the arrows between players, who are given in order of strength.
pub(crate) fn dominance(title: &str, names: &[String], arrows: &[Arrow]) -> Drawing {
    let reach = reach(names.len(), arrows);
    let layer = layers(names.len(), arrows, &reach);
    let count = layer.iter().max().map_or(0, |last| last + 1);
    let members: Vec<Vec<usize>> = (0..count)
        .map(|wanted| (0..names.len()).filter(|&player| layer[player] == wanted).collect())
        .collect();
    let wide = |player: usize| width_of(&shortened(&names[player])) + 22.0;
    let row_width =
        |row: &Vec<usize>| -> f64 { row.iter().map(|&player| wide(player) + 18.0).sum() };
    let width = members.iter().map(row_width).fold(360.0, f64::max) + 24.0;
    let mut place = vec![(0.0, 0.0); names.len()];
    for (index, row) in members.iter().enumerate() {
        let mut x = (width - row_width(row)) / 2.0;
        for &player in row {
            place[player] = (x + 9.0 + wide(player) / 2.0, 24.0 + LAYER * index as f64);
            x += wide(player) + 18.0;
        }
    }
    let mut out = String::from(
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto-start-reverse\"><path class=\"f0\" d=\"M0,0L8,4L0,8z\"/>\
         </marker><marker id=\"tip2\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto-start-reverse\"><path class=\"f2\" d=\"M0,0L8,4L0,8z\"/>\
         </marker></defs>",
    );
    for (Arrow { from, to }, cyclic) in needed(arrows, &reach) {
        let ((x0, y0), (x1, y1)) = (place[from], place[to]);
        let (class, tip) = if cyclic { ("a2", "tip2") } else { ("a", "tip") };
        // Arrows inside a layer pass above or below it.
        let (begin, end, bend) = if layer[from] == layer[to] {
            let side = if x0 < x1 { -1.0 } else { 1.0 };
            (y0 + side * NODE / 2.0, y1 + side * NODE / 2.0, side * 26.0)
        } else {
            (y0 + NODE / 2.0, y1 - NODE / 2.0, 0.0)
        };
        let middle = (f64::midpoint(x0, x1), f64::midpoint(begin, end) + bend);
        let _ = writeln!(
            out,
            "<path class=\"{class}\" marker-end=\"url(#{tip})\" d=\"M{x0:.1},{begin:.1} \
             Q{:.1},{:.1} {x1:.1},{end:.1}\"><title>{} beats {}</title></path>",
            middle.0,
            middle.1,
            escaped(&names[from]),
            escaped(&names[to])
        );
    }
    for (player, name) in names.iter().enumerate() {
        let (x, y) = place[player];
        let _ = writeln!(
            out,
            "<g><title>{full}</title><rect class=\"n\" rx=\"6\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
             height=\"{NODE}\"/><text text-anchor=\"middle\" x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>",
            x - wide(player) / 2.0,
            y - NODE / 2.0,
            wide(player),
            y + 4.5,
            escaped(&shortened(name)),
            full = escaped(name)
        );
    }
    let height = 24.0 + LAYER * count.saturating_sub(1) as f64 + 40.0;
    Drawing { title: title.to_owned(), width, height, body: out }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(pairs: &[(usize, usize)]) -> Vec<Arrow> {
        pairs.iter().map(|&(from, to)| Arrow { from, to }).collect()
    }

    #[test]
    fn what_follows_from_others_is_left_out() {
        let all = arrows(&[(0, 1), (1, 2), (0, 2), (2, 3), (0, 3)]);
        let reach = reach(4, &all);
        let kept: Vec<Arrow> = needed(&all, &reach).into_iter().map(|(arrow, _)| arrow).collect();
        assert_eq!(kept, arrows(&[(0, 1), (1, 2), (2, 3)]));
        assert_eq!(layers(4, &all, &reach), [0, 1, 2, 3]);
    }

    #[test]
    fn a_cycle_stays_whole_on_one_layer() {
        let all = arrows(&[(0, 1), (1, 2), (2, 3), (3, 1), (1, 4)]);
        let reach = reach(5, &all);
        let kept = needed(&all, &reach);
        assert_eq!(kept.iter().filter(|(_, cyclic)| *cyclic).count(), 3);
        assert_eq!(kept.len(), 5, "the arrows into and out of it stay too");
        assert_eq!(layers(5, &all, &reach), [0, 1, 1, 1, 2]);
        let drawn = dominance("who", &["a", "b", "c", "d", "<e>"].map(String::from), &all).svg();
        assert!(drawn.contains("&lt;e&gt;") && !drawn.contains("<e>"));
    }
}
