//! Squares a troop can walk to: a flood fill over rows of bits.

use crate::state::{SIZE, State};

/// Squares found, a row a word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The board row of the first word.
    first: usize,
    /// How many words hold something; the others are left over from before.
    len: usize,
    rows: [u32; SIZE],
    /// Squares in all rows up to and with each.
    upto: [u32; SIZE],
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

impl Reach {
    /// Nothing.
    pub(crate) const EMPTY: Self =
        Self { first: 0, len: 0, rows: [0; SIZE], upto: [0; SIZE], count: 0 };

    /// Becomes empty.
    #[inline(always)]
    pub(crate) const fn clear(&mut self) {
        self.count = 0;
        self.len = 0;
    }

    /// Becomes the squares whose shortest path from `from` is longer than `beyond` and at most
    /// `within`.
    #[inline(always)]
    pub(crate) fn fill(&mut self, state: &State, from: (u8, u8), beyond: u8, within: u8) {
        if within <= WINDOW_STEPS {
            let first = usize::from(from.1).saturating_sub(WINDOW_STEPS.into()).min(SIZE - 16);
            self.flood::<18>(state, from, first, (beyond, within));
        } else {
            self.flood::<22>(state, from, 0, (beyond, within));
        }
    }

    /// Fills a window of rows with a guard on each side; window row 1 is board row `first`.
    #[inline(always)]
    fn flood<const ROWS: usize>(
        &mut self,
        state: &State,
        (col, row): (u8, u8),
        first: usize,
        (beyond, within): (u8, u8),
    ) {
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
        self.first = first;
        self.len = ROWS - 2;
        let mut count = 0;
        for row in 0..ROWS - 2 {
            // Without a lower limit the inner part is the troop's own square.
            let squares = at[row + 1] & !inner[row + 1];
            count += squares.count_ones();
            self.rows[row] = squares;
            self.upto[row] = count;
        }
        self.count = count;
    }

    /// How many squares.
    #[inline(always)]
    pub(crate) const fn count(&self) -> u32 {
        self.count
    }

    /// The square with this index in the order of rows and columns.
    #[inline(always)]
    pub(crate) fn nth(&self, index: u32) -> (u8, u8) {
        // Every row that ends before the index is passed; no branch to be guessed wrong.
        let passed = self.upto[..16].iter().map(|&upto| usize::from(upto <= index)).sum::<usize>();
        let passed = if passed < 16 || self.len == 16 {
            passed
        } else {
            self.upto[..self.len].iter().filter(|&&upto| upto <= index).count()
        };
        let before = if passed == 0 { 0 } else { self.upto[passed - 1] };
        let col = nth_bit(self.rows[passed], index - before);
        (col as u8, (passed + self.first) as u8)
    }

    /// All squares, in order.
    pub(crate) fn squares(&self) -> impl Iterator<Item = (u8, u8)> {
        let first = self.first;
        self.rows[..self.len].iter().enumerate().flat_map(move |(row, &word)| {
            crate::state::bits(word).map(move |col| (col as u8, (row + first) as u8))
        })
    }
}

/// The number of the set bit with this index: halves the part that holds it, without a branch.
#[inline(always)]
pub(crate) const fn nth_bit(word: u32, index: u32) -> u32 {
    let (mut at, mut left) = (0, index);
    let mut width = 16;
    while width > 0 {
        let below = (word >> at & ((1 << width) - 1)).count_ones();
        let passed = (left >= below) as u32;
        at += width * passed;
        left -= below * passed;
        width /= 2;
    }
    at
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
