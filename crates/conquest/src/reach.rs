//! Squares a troop can walk to: a flood fill over rows of bits.

use crate::state::{SIZE, State};

/// Squares found, a row a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The first row that may hold something, and how many do.
    first: usize,
    rows: [u32; SIZE],
    count: u32,
}

/// Steps that stay inside a window of 16 rows round a troop.
const WINDOW_STEPS: u8 = 7;

/// One step in all eight directions. The outermost rows are guards and stay empty.
#[inline(always)]
fn step<const ROWS: usize>(at: &mut [u32; ROWS], free: &[u32; ROWS]) {
    let mut wide = [0; ROWS];
    for row in 0..ROWS {
        wide[row] = at[row] | at[row] << 1 | at[row] >> 1;
    }
    for row in 1..ROWS - 1 {
        at[row] |= (wide[row - 1] | wide[row] | wide[row + 1]) & free[row];
    }
}

/// Rows of the window, with a guard on each side; window row 1 is board row `first`.
#[inline(always)]
fn flood<const ROWS: usize>(
    state: &State,
    (col, row): (u8, u8),
    first: usize,
    (beyond, within): (u8, u8),
) -> Reach {
    let mut free = [0; ROWS];
    for (free, blocked) in free[1..ROWS - 1].iter_mut().zip(&state.blocked[first..]) {
        *free = !blocked;
    }
    let mut at = [0; ROWS];
    at[usize::from(row) - first + 1] = 1 << col;
    for _ in 0..beyond {
        step(&mut at, &free);
    }
    let inner = at;
    for _ in beyond..within {
        step(&mut at, &free);
    }
    let mut reach = Reach { first, rows: [0; SIZE], count: 0 };
    for row in 0..ROWS - 2 {
        // Without a lower limit the inner part is the troop's own square.
        reach.rows[row] = at[row + 1] & !inner[row + 1];
        reach.count += reach.rows[row].count_ones();
    }
    reach
}

impl Reach {
    /// Nothing.
    pub(crate) const EMPTY: Self = Self { first: 0, rows: [0; SIZE], count: 0 };

    /// Squares whose shortest path from `from` is longer than `beyond` and at most `within`.
    #[inline(always)]
    pub(crate) fn new(state: &State, from: (u8, u8), beyond: u8, within: u8) -> Self {
        if within <= WINDOW_STEPS {
            let first = usize::from(from.1).saturating_sub(WINDOW_STEPS.into()).min(SIZE - 16);
            flood::<18>(state, from, first, (beyond, within))
        } else {
            flood::<22>(state, from, 0, (beyond, within))
        }
    }

    /// How many squares.
    #[inline]
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// The square with this index in the order of rows and columns.
    #[inline]
    pub(crate) fn nth(&self, mut index: u32) -> (u8, u8) {
        for (row, &word) in self.rows.iter().enumerate() {
            let here = word.count_ones();
            if index < here {
                return (nth_bit(word, index) as u8, (row + self.first) as u8);
            }
            index -= here;
        }
        unreachable!("the index is below the count")
    }

    /// All squares, in order.
    pub(crate) fn squares(&self) -> impl Iterator<Item = (u8, u8)> {
        let first = self.first;
        self.rows.into_iter().enumerate().flat_map(move |(row, word)| {
            crate::state::bits(word).map(move |col| (col as u8, (row + first) as u8))
        })
    }
}

/// The number of the set bit with this index.
#[inline]
pub(crate) const fn nth_bit(mut word: u32, index: u32) -> u32 {
    let mut left = index;
    while left > 0 {
        word &= word - 1;
        left -= 1;
    }
    word.trailing_zeros()
}

/// Length of the shortest path between a troop and a free square; `None` if it is above `limit`.
pub(crate) fn path_length(state: &State, from: (u8, u8), to: (u8, u8), limit: u8) -> Option<u8> {
    let mut free = [0; SIZE + 2];
    for (free, blocked) in free[1..=SIZE].iter_mut().zip(&state.blocked) {
        *free = !blocked;
    }
    let mut at = [0; SIZE + 2];
    at[usize::from(from.1) + 1] = 1 << from.0;
    (1..=limit).find(|_| {
        step(&mut at, &free);
        at[usize::from(to.1) + 1] >> to.0 & 1 != 0
    })
}
