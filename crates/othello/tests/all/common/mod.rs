//! Othello square by square, the slow and obvious way: the reference for the bitboard code.

use gamecore::Rng;
use othello::bits::{Playout, moves, playout};
use othello::formats::Replay;
use othello::square::PASS;

const DIRECTIONS: [(i32, i32); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The discs that turn over when the side to move plays on `square`.
pub(crate) fn walked_flips(square: u8, own: u64, opp: u64) -> u64 {
    let mut flipped = 0;
    for (down, right) in DIRECTIONS {
        let (mut row, mut column) = (i32::from(square / 8) + down, i32::from(square % 8) + right);
        let mut run = 0;
        while (0..8).contains(&row) && (0..8).contains(&column) {
            let bit = 1u64 << (row * 8 + column);
            if opp & bit != 0 {
                run |= bit;
            } else {
                if own & bit != 0 {
                    flipped |= run;
                }
                break;
            }
            row += down;
            column += right;
        }
    }
    flipped
}

/// The legal squares in ascending order.
pub(crate) fn listed_moves(own: u64, opp: u64) -> Vec<u8> {
    (0..64)
        .filter(|&square| (own | opp) >> square & 1 == 0 && walked_flips(square, own, opp) != 0)
        .collect()
}

/// The board after a move, seen by the other side.
pub(crate) fn played(square: u8, own: u64, opp: u64) -> (u64, u64) {
    let flipped = walked_flips(square, own, opp);
    (opp & !flipped, own | flipped | 1 << square)
}

/// A random game by listing moves; `visit` sees every position on the way, the last one too.
pub(crate) fn listed_playout(
    mut own: u64,
    mut opp: u64,
    rng: &mut Rng,
    limit: u32,
    mut visit: impl FnMut(u64, u64),
) -> Playout {
    let mut actions = 0;
    let over = loop {
        visit(own, opp);
        let moves = listed_moves(own, opp);
        if moves.is_empty() && listed_moves(opp, own).is_empty() {
            break true;
        }
        if actions == limit {
            break false;
        }
        actions += 1;
        (own, opp) = match moves.len() {
            0 => (opp, own),
            1 => played(moves[0], own, opp),
            count => played(moves[rng.below(count as u32) as usize], own, opp),
        };
    };
    Playout { own, opp, actions, over }
}

/// Two boards without a common disc and with no other sense; how full they are varies.
pub(crate) fn garbage(rng: &mut Rng) -> (u64, u64) {
    let mut occupied = rng.next_u64();
    match rng.below(4) {
        0 => occupied &= rng.next_u64(),
        1 => occupied |= rng.next_u64(),
        2 => occupied |= rng.next_u64() | rng.next_u64() | rng.next_u64(),
        _ => {}
    }
    let mut own = rng.next_u64();
    if rng.below(2) == 0 {
        own &= rng.next_u64() & rng.next_u64();
    }
    (occupied & own, occupied & !own)
}

/// The actions of a random game from the start, cut off after `limit`.
pub(crate) fn random_game(rng: &mut Rng, limit: usize) -> Vec<u8> {
    let mut replay = Replay::from_start();
    while replay.actions().len() < limit {
        let (own, opp) = replay.discs();
        let next = playout(own, opp, rng, 1);
        if next.actions == 0 {
            break;
        }
        let placed = (next.own | next.opp) & !(own | opp);
        let action = if moves(own, opp) == 0 { PASS } else { placed.trailing_zeros() as u8 };
        replay.play(action).expect("playouts are legal");
    }
    replay.into_actions()
}
