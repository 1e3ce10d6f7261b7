//! The evaluation of *The Study of the Impact of the Search Algorithms in Board Games*
//! (Hernandez, Daza and Florez, 2020), section 5.1. The paper names the factors but publishes no
//! weights and leaves several of them open. How we read it:
//!
//! | paper | here | our reading |
//! |---|---|---|
//! | parity of pieces | `pieces` | own discs − opponent's discs |
//! | legal movements, actual | `mobility` | own legal moves − opponent's |
//! | legal movements, potential | `potential-mobility` | empty squares next to an enemy disc, own − opponent's |
//! | positions in the game | `positions` | printed square values over own discs, minus the same over the opponent's (the paper mentions own discs only, which is not antisymmetric) |
//! | stability | `stability` | +1 a stable disc, 0 semi-stable, −1 unstable, own − opponent's; printed inside the positions item without a number |
//! | node is a terminal | `terminal` | ±weight at a finished game, 0 for a draw, which the paper forgets |
//! | most representative movements | `representative-moves` | own legal moves on corners or edges − opponent's; the difference of all moves, which the item repeats, is already `mobility` |
//! | intermediate tabs | `intermediate-discs` | discs that the legal moves would flip, summed, own − opponent's; the one sentence of the paper cannot be recovered |
//! | parity, equation 1 | `quadratic-mean` | the quadratic mean of the weights: a constant, hence the same for both seats, hence 0 as a difference; its weight changes nothing |

use gamecore::Seat;
use othello::{Board, Move, Othello, bits, stable};

use super::count;
use super::stability::unstable;
use registry::factors::{FactorEvaluator, FactorInfo, Factors, MAX_FACTORS, Wanted};

/// The factors of the paper.
pub struct OthelloFactors;

/// The paper's evaluation with some weights.
pub type OthelloEvaluator = FactorEvaluator<Othello, OthelloFactors>;

const PIECES: usize = 0;
const MOBILITY: usize = 1;
const POTENTIAL: usize = 2;
const POSITIONS: usize = 3;
const STABILITY: usize = 4;
const REPRESENTATIVE: usize = 5;
const INTERMEDIATE: usize = 6;

const CORNERS: u64 = 0x8100_0000_0000_0081;
const EDGES: u64 = 0xff81_8181_8181_81ff;
const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares of [`super::SQUARE_VALUES`] by value, so that the sum is a few bit counts.
const CLASSES: [(i32, u64); 9] = [
    (99, CORNERS),
    (-18, 0x4281_0000_0000_8142),
    (-24, 0x0042_0000_0000_4200),
    (8, 0x2400_8100_0081_0024),
    (6, 0x1800_0081_8100_0018),
    (-14, 0x0024_4200_0042_2400),
    (-12, 0x0018_0042_4200_1800),
    (15, 0x0000_3c24_243c_0000),
    (10, 0x0000_0018_1800_0000),
];

/// Squares next to a disc of the board, in eight directions.
#[inline]
#[must_use]
pub fn neighbours(board: u64) -> u64 {
    let wide = board | (board & NOT_H) << 1 | (board & NOT_A) >> 1;
    wide | wide << 8 | wide >> 8
}

fn square_sum(discs: u64) -> i32 {
    CLASSES.iter().map(|(value, squares)| value * count(discs & squares)).sum()
}

fn stability(discs: u64, others: u64) -> i32 {
    count(stable(discs, others)) - count(unstable(discs, others))
}

/// Discs that the moves of `own` would flip, counted for each move.
fn flippable(own: u64, opp: u64, mut moves: u64) -> i32 {
    let mut sum = 0;
    while moves != 0 {
        sum += count(bits::flips(moves.trailing_zeros() as u8, own, opp));
        moves &= moves - 1;
    }
    sum
}

impl Factors<Othello> for OthelloFactors {
    // The likeliest of 20 to 500 for the results of 200 games of alphabeta:depth=3, all weights 1.
    const POINTS_PER_E: f64 = 150.0;

    // The absolute values of all squares are 1,176 together; the other factors count less.
    const LARGEST: i32 = 1_200;

    const LIST: &'static [FactorInfo] = &[
        FactorInfo { name: "pieces", about: "discs" },
        FactorInfo { name: "mobility", about: "legal moves" },
        FactorInfo { name: "potential-mobility", about: "empty squares next to an enemy disc" },
        FactorInfo { name: "positions", about: "values of the squares held" },
        FactorInfo { name: "stability", about: "stable minus unstable discs" },
        FactorInfo { name: "representative-moves", about: "legal moves on corners and edges" },
        FactorInfo { name: "intermediate-discs", about: "discs that the legal moves would flip" },
        FactorInfo { name: "quadratic-mean", about: "equation 1: a constant, so always 0" },
    ];

    const HAS_NOISY_ACTIONS: bool = true;

    #[inline]
    fn measure(_: &Othello, board: &Board, wanted: Wanted, out: &mut [i32; MAX_FACTORS]) {
        let (own, opp) = (board.own(), board.opp());
        if wanted.has(PIECES) {
            out[PIECES] = count(own) - count(opp);
        }
        if wanted.has(MOBILITY) || wanted.has(REPRESENTATIVE) || wanted.has(INTERMEDIATE) {
            let own_moves = board.moves();
            let opp_moves = bits::moves(opp, own);
            out[MOBILITY] = count(own_moves) - count(opp_moves);
            out[REPRESENTATIVE] = count(own_moves & EDGES) - count(opp_moves & EDGES);
            if wanted.has(INTERMEDIATE) {
                out[INTERMEDIATE] = flippable(own, opp, own_moves) - flippable(opp, own, opp_moves);
            }
        }
        if wanted.has(POTENTIAL) {
            let empty = !(own | opp);
            out[POTENTIAL] = count(neighbours(opp) & empty) - count(neighbours(own) & empty);
        }
        if wanted.has(POSITIONS) {
            out[POSITIONS] = square_sum(own) - square_sum(opp);
        }
        if wanted.has(STABILITY) {
            out[STABILITY] = stability(own, opp) - stability(opp, own);
        }
        if board.mover() == Seat::One {
            for value in &mut out[..Self::LIST.len()] {
                *value = -*value;
            }
        }
    }

    /// Taking a corner changes more than a static value can tell.
    fn is_noisy(_: &Othello, _: &Board, action: Move) -> bool {
        action != Move::PASS && CORNERS >> action.number() & 1 == 1
    }
}
