//! Weights by pattern: what the discs on an edge and in a corner are worth, fitted to games.
//!
//! A pattern is a list of squares, placed four times by turning the board. Its squares, each empty,
//! ours or theirs, are the digits of a number in base three, which finds the weight. The weights
//! decide only what is tried first, never a score.

/// An edge with the squares diagonally next to its corners.
const EDGE: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 9, 14];
/// Nine squares at a corner.
const CORNER: [u8; 9] = [0, 1, 2, 8, 9, 10, 16, 17, 18];

const EDGES: usize = 3usize.pow(EDGE.len() as u32);
const CORNERS: usize = 3usize.pow(CORNER.len() as u32);

/// Number of weights.
pub const PATTERN_WEIGHTS: usize = EDGES + CORNERS;

/// A pattern on its squares.
pub(crate) struct Placement {
    pub(crate) mask: u64,
    /// By the discs of one side on these squares, lowest square first: their digits, each worth 1.
    pub(crate) digits: [u16; 1024],
    /// Where the weights of the pattern begin.
    pub(crate) first: usize,
}

/// All patterns on all their squares.
pub(crate) static PLACEMENTS: [Placement; 8] = [
    placement(&EDGE, 0, 0),
    placement(&EDGE, 1, 0),
    placement(&EDGE, 2, 0),
    placement(&EDGE, 3, 0),
    placement(&CORNER, 0, EDGES),
    placement(&CORNER, 1, EDGES),
    placement(&CORNER, 2, EDGES),
    placement(&CORNER, 3, EDGES),
];

const fn turned(square: u8, turns: usize) -> u8 {
    let (mut row, mut column) = (square / 8, square % 8);
    let mut turn = 0;
    while turn < turns {
        (row, column) = (column, 7 - row);
        turn += 1;
    }
    row * 8 + column
}

const fn placement(squares: &[u8], turns: usize, first: usize) -> Placement {
    let mut mask = 0u64;
    let mut index = 0;
    while index < squares.len() {
        mask |= 1 << turned(squares[index], turns);
        index += 1;
    }
    let mut digits = [0u16; 1024];
    let mut value = 1;
    index = 0;
    while index < squares.len() {
        let below = mask & ((1 << turned(squares[index], turns)) - 1);
        let place = below.count_ones();
        let mut bits = 0;
        while bits < digits.len() {
            digits[bits] += value * (bits >> place & 1) as u16;
            bits += 1;
        }
        value *= 3;
        index += 1;
    }
    Placement { mask, digits, first }
}

/// The bits of `board` on the squares of `mask`, moved together.
#[inline]
pub(crate) fn gathered(board: u64, mut mask: u64) -> usize {
    let (mut bits, mut place) = (0, 0);
    while mask != 0 {
        bits |= ((board >> mask.trailing_zeros() & 1) as usize) << place;
        place += 1;
        mask &= mask - 1;
    }
    bits
}

/// Which weights a position adds up, for the side to move.
#[must_use]
pub fn pattern_indices(own: u64, opp: u64) -> [usize; 8] {
    PLACEMENTS.each_ref().map(|Placement { mask, digits, first }| {
        let digits = |board: u64| usize::from(digits[gathered(board, *mask)]);
        first + digits(own) + 2 * digits(opp)
    })
}

/// The weights as they are stored: a line of words, then one character a weight.
static TEXT: &[u8; TEXT_LENGTH] = include_bytes!("../../../data/othello/order.txt");

const TEXT_LENGTH: usize = include_bytes!("../../../data/othello/order.txt").len();

/// Where the weights begin; after them there is the end of the line.
const START: usize = TEXT_LENGTH - 1 - PATTERN_WEIGHTS;

/// The code of the weight 0.
const ZERO: i32 = 80;

/// The weight of an index, in quarters of a disc.
#[inline]
pub(crate) fn weight(index: usize) -> i32 {
    i32::from(TEXT[START + index]) - ZERO
}

#[cfg(test)]
mod tests {
    use othello::symmetry::Symmetry;

    use super::*;

    #[test]
    fn the_file_holds_one_line_of_words_and_then_the_weights() {
        let line_ends = TEXT.iter().enumerate().filter(|(_, letter)| **letter == b'\n');
        let places: Vec<usize> = line_ends.map(|(place, _)| place).collect();
        assert_eq!(places, [START - 1, TEXT_LENGTH - 1]);
        assert!((0..PATTERN_WEIGHTS).all(|index| (-46..=46).contains(&weight(index))));
    }

    /// Each quarter turn moves the four places of a pattern into one another.
    #[test]
    fn turned_boards_use_the_same_weights() {
        let mut rng = gamecore::Rng::new(8);
        let quarter = |board: u64| {
            (0..64u8)
                .filter(|square| board >> square & 1 == 1)
                .fold(0, |all, square| all | 1u64 << turned(square, 1))
        };
        assert!(Symmetry::ALL.iter().any(|symmetry| symmetry.board(0x0103) == quarter(0x0103)));
        for _ in 0..1000 {
            let own = rng.next_u64();
            let opp = rng.next_u64() & !own;
            let sorted = |own, opp| {
                let mut indices = pattern_indices(own, opp);
                indices.sort_unstable();
                indices
            };
            assert_eq!(sorted(own, opp), sorted(quarter(own), quarter(opp)));
        }
    }
}
