//! Obstacles: single squares between the armies that nobody can enter.

use gamecore::Rng;

use crate::options::Options;
use crate::reach::Reach;
use crate::state::{SIZE, State};

const FIRST_ROW: u32 = 4;
const LAST_ROW: u32 = 15;

/// Draws the obstacles that the options ask for, so that every free square can be reached from
/// every other.
pub(crate) fn put(options: &Options, state: &mut State, rng: &mut Rng) {
    let mut left = options.obstacles;
    while left > 0 {
        let col = rng.below(SIZE as u32) as u8;
        let row = (FIRST_ROW + rng.below(LAST_ROW - FIRST_ROW + 1)) as u8;
        let last = SIZE as u8 - 1;
        let mirror = (last - col, last - row);
        if !state.is_free(col, row) {
            continue;
        }
        let before = state.blocked;
        state.blocked[usize::from(row)] |= 1 << col;
        let mut placed = 1;
        if options.symmetric_obstacles {
            state.blocked[usize::from(mirror.1)] |= 1 << mirror.0;
            placed = 2;
        }
        if is_connected(state) {
            left -= placed;
        } else {
            state.blocked = before;
        }
    }
}

/// Whether the squares that no obstacle takes hang together; troops can move out of the way.
pub(crate) fn is_connected(state: &State) -> bool {
    let mut bare = State::empty();
    for (col, row) in state.obstacles() {
        bare.blocked[usize::from(row)] |= 1 << col;
    }
    let free: u32 = bare.blocked.iter().map(|row| row.count_zeros()).sum();
    let corner = (0..SIZE as u8).find(|&col| bare.is_free(col, 0));
    // Any path is shorter than the number of squares, which no step counter of a move holds:
    // the fill stops by itself long before 250 steps on a board with so few obstacles.
    let mut reach = Reach::EMPTY;
    corner.is_some_and(|col| {
        reach.fill(&bare, (col, 0), 0, 250);
        reach.count() + 1 == free
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn obstacles_keep_the_board_together_and_symmetric() {
        for (text, count) in [("obstacles=20", 20), ("obstacles=60", 60)] {
            let options = Options::parse(text).unwrap();
            for seed in 0..20 {
                let mut state = State::empty();
                put(&options, &mut state, &mut Rng::new(seed));
                let obstacles = state.obstacles();
                assert_eq!(obstacles.len(), count);
                assert!(is_connected(&state));
                for &(col, row) in &obstacles {
                    assert!((4..=15).contains(&row));
                    assert!(obstacles.contains(&(19 - col, 19 - row)));
                }
            }
        }
    }

    #[test]
    fn a_wall_is_not_connected() {
        let mut state = State::empty();
        state.blocked[9] = !0;
        assert!(!is_connected(&state));
        state.blocked[9] &= !(1 << 7);
        assert!(is_connected(&state));
    }
}
