//! Discs that can never be turned over again.

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;
const ROW_1: u64 = 0xff;
const ROW_8: u64 = ROW_1 << 56;

/// The four axes of a square: step, squares without a neighbour towards lower bits, and towards
/// higher bits.
pub(crate) const AXES: [(u32, u64, u64); 4] = [
    (1, A_FILE, H_FILE),
    (8, ROW_1, ROW_8),
    (9, ROW_1 | A_FILE, ROW_8 | H_FILE),
    (7, ROW_1 | H_FILE, ROW_8 | A_FILE),
];

/// Squares whose line along an axis has no empty square.
#[inline]
fn full_lines(occupied: u64, (step, low, high): (u32, u64, u64)) -> u64 {
    // Emptiness spreads along the axis both ways, by one, two and four squares.
    let (mut up, mut down) = (!occupied, !occupied);
    let (mut may_rise, mut may_fall) = (!low, !high);
    for step in [step, 2 * step, 4 * step] {
        up |= may_rise & (up << step);
        down |= may_fall & (down >> step);
        may_rise &= may_rise << step;
        may_fall &= may_fall >> step;
    }
    !(up | down)
}

/// Discs that provably cannot be flipped any more: along each axis the line is full, or one side
/// is the edge or another such disc. Some stable discs escape this proof, none is claimed wrongly.
#[must_use]
#[inline]
pub fn stable(discs: u64, others: u64) -> u64 {
    let occupied = discs | others;
    let safe_by_lines = AXES.map(|axis| full_lines(occupied, axis) | axis.1 | axis.2);
    let [a, b, c, d] = safe_by_lines;
    let mut stable = discs & a & b & c & d;
    loop {
        let mut next = discs;
        for ((step, low, high), safe) in AXES.into_iter().zip(safe_by_lines) {
            let beside = (stable & !high) << step | (stable & !low) >> step;
            next &= safe | beside;
        }
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Othello};
    use gamecore::{Game, Rng, Seat, random_action};

    /// A disc once called stable keeps its colour to the end of every random game.
    #[test]
    fn stable_discs_are_never_flipped() {
        let mut seen = 0;
        for seed in 0..300 {
            let (mut rng, mut board) = (Rng::new(seed), Board::START);
            let mut claimed = [0u64; 2];
            while let Some(action) = random_action(&Othello, &board, &mut rng) {
                Othello.apply(&mut board, action);
                for seat in Seat::BOTH {
                    let discs = board.discs(seat);
                    assert_eq!(claimed[seat.index()] & !discs, 0, "seed {seed}: {board:?}");
                    claimed[seat.index()] |= stable(discs, board.discs(seat.other()));
                    assert_eq!(stable(discs, board.discs(seat.other())) & !discs, 0);
                }
            }
            seen += (claimed[0] | claimed[1]).count_ones();
            assert_eq!(stable(board.own(), board.opp()), board.own() & full_board(&board));
        }
        assert!(seen > 300 * 30, "the proof should find many stable discs: {seen}");
    }

    /// On a full board everything is stable; otherwise ask only for what is claimed.
    fn full_board(board: &Board) -> u64 {
        if board.empties() == 0 { u64::MAX } else { stable(board.own(), board.opp()) }
    }

    #[test]
    fn a_corner_is_stable_and_the_centre_is_not() {
        assert_eq!(stable(1, 0), 1);
        assert_eq!(stable(0b111, 0), 0b111);
        assert_eq!(stable(1 << 27, 1 << 28), 0);
    }
}
