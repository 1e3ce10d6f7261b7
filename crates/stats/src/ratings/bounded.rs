//! Whether finite ratings are the likeliest, decided exactly and before anything is fitted.
//!
//! They are, unless parameters can move in some direction for ever without making a result less
//! likely. A point that `first` took says: θ_first − θ_second + h must not fall; a point that `second`
//! took says that it must not rise.

use super::RatingError;
use super::games::Cell;

pub(super) fn check(players: usize, cells: &[Cell], seat: bool) -> Result<(), RatingError> {
    let met = |one: usize, other: usize, cell: &Cell| {
        (cell.first, cell.second) == (one, other) || (cell.first, cell.second) == (other, one)
    };
    let groups = groups(players, |one, other| cells.iter().any(|cell| met(one, other, cell)));
    if groups.len() > 1 {
        return Err(RatingError::Disconnected { groups });
    }
    // Without the seat term such a direction exists unless everybody can be reached from everybody
    // over points taken (Ford, 1957).
    let mut taken = vec![false; players * players];
    for cell in cells {
        taken[cell.first * players + cell.second] |= cell.points > 0.0;
        taken[cell.second * players + cell.first] |= cell.points < cell.games;
    }
    for player in 0..players {
        // Who lost, step by step, to this player; the others never lost half a point to those.
        let below = reached(players, player, |one, other| taken[one * players + other]);
        if below.iter().any(|&reached| !reached) {
            let above = (0..players).filter(|&other| !below[other]).collect();
            return Err(RatingError::Unbounded { above });
        }
    }
    if seat && (moves_for_ever(players, cells, 1) || moves_for_ever(players, cells, -1)) {
        return Err(RatingError::SeatUnbounded);
    }
    Ok(())
}

/// Whether ratings can follow a seat term that moves by `h` for ever: whether there are d with
/// d_first − d_second ≥ −h for points of `first`, and ≤ −h for points of `second`. Bellman–Ford: such
/// differences exist unless the bounds contradict each other round a cycle.
fn moves_for_ever(players: usize, cells: &[Cell], h: i64) -> bool {
    let mut d = vec![0i64; players];
    // One round more than any chain of bounds is long.
    for _ in 0..=players {
        let mut changed = false;
        for cell in cells {
            if cell.points > 0.0 && d[cell.second] > d[cell.first] + h {
                d[cell.second] = d[cell.first] + h;
                changed = true;
            }
            if cell.points < cell.games && d[cell.first] > d[cell.second] - h {
                d[cell.first] = d[cell.second] - h;
                changed = true;
            }
        }
        if !changed {
            return true;
        }
    }
    false
}

/// The groups of players that are joined, in order.
fn groups(players: usize, joined: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut placed = vec![false; players];
    let mut groups = Vec::new();
    for player in 0..players {
        if !placed[player] {
            let group = reached(players, player, &joined);
            let members: Vec<usize> = (0..players).filter(|&other| group[other]).collect();
            for &member in &members {
                placed[member] = true;
            }
            groups.push(members);
        }
    }
    groups
}

fn reached(players: usize, start: usize, arrow: impl Fn(usize, usize) -> bool) -> Vec<bool> {
    let mut seen = vec![false; players];
    seen[start] = true;
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        for (next, seen) in seen.iter_mut().enumerate() {
            if !*seen && arrow(at, next) {
                *seen = true;
                open.push(next);
            }
        }
    }
    seen
}
