//! Every instruction set against the square-by-square reference and against known counts.

use crate::common::{garbage, listed_moves, listed_playout, walked_flips};
use gamecore::Rng;
use othello::bits::{
    InstructionSet, START_OPP, START_OWN, flips, flips_with, moves, moves_with, perft, perft_with,
    playout, playout_with, stable_with,
};

/// Compares the move set, the stable discs, and the flips on every empty square, of every code path.
fn check_position(sets: &[InstructionSet], own: u64, opp: u64) {
    let expected = listed_moves(own, opp).iter().fold(0, |set, &square| set | 1u64 << square);
    assert_eq!(moves(own, opp), expected, "moves of {own:#x} {opp:#x}");
    for &set in sets {
        assert_eq!(moves_with(set, own, opp), expected, "{set:?}: moves of {own:#x} {opp:#x}");
        let stable = othello::stable(own, opp);
        assert_eq!(stable_with(set, own, opp), stable, "{set:?}: stable {own:#x} {opp:#x}");
    }
    for square in (0..64).filter(|square| (own | opp) >> square & 1 == 0) {
        let expected = walked_flips(square, own, opp);
        assert_eq!(flips(square, own, opp), expected, "flips {square} {own:#x} {opp:#x}");
        for &set in sets {
            let found = flips_with(set, square, own, opp);
            assert_eq!(found, expected, "{set:?}: flips {square} {own:#x} {opp:#x}");
        }
    }
}

#[test]
fn random_games_agree_with_the_reference() {
    let sets = InstructionSet::all_available();
    let mut rng = Rng::new(11);
    let mut positions = 0;
    while positions < 100_000 {
        listed_playout(START_OWN, START_OPP, &mut rng, u32::MAX, |own, opp| {
            positions += 1;
            check_position(&sets, own, opp);
        });
    }
}

#[test]
fn senseless_boards_agree_with_the_reference() {
    let sets = InstructionSet::all_available();
    let mut rng = Rng::new(12);
    for _ in 0..100_000 {
        let (own, opp) = garbage(&mut rng);
        check_position(&sets, own, opp);
    }
    for (own, opp) in [(0, 0), (u64::MAX, 0), (0, u64::MAX), (1, u64::MAX - 1), (1 << 63, 1)] {
        check_position(&sets, own, opp);
    }
}

#[test]
fn leaf_counts_are_the_published_ones() {
    let published = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390_216, 3_005_288];
    for set in InstructionSet::all_available() {
        for (depth, leaves) in published.into_iter().enumerate() {
            let found = perft_with(set, START_OWN, START_OPP, depth as u32);
            assert_eq!(found, leaves, "{} depth {depth}", set.name());
        }
    }
    assert_eq!(perft(START_OWN, START_OPP, 6), 8200);
}

/// Leaves by the definition alone, without counting the last ply in bulk.
fn listed_perft(own: u64, opp: u64, depth: u32) -> u64 {
    let moves = listed_moves(own, opp);
    if depth == 0 || (moves.is_empty() && listed_moves(opp, own).is_empty()) {
        return 1;
    }
    if moves.is_empty() {
        return listed_perft(opp, own, depth - 1);
    }
    moves
        .iter()
        .map(|&square| {
            let (own, opp) = crate::common::played(square, own, opp);
            listed_perft(own, opp, depth - 1)
        })
        .sum()
}

/// Near the end of games passes and finished games are common, unlike near the start.
#[test]
fn leaf_counts_with_passes_and_finished_games() {
    let mut rng = Rng::new(13);
    for game in 0..200 {
        let at = playout(START_OWN, START_OPP, &mut rng, 50 + game % 12);
        for depth in 0..=5 {
            let expected = listed_perft(at.own, at.opp, depth);
            for set in InstructionSet::all_available() {
                assert_eq!(perft_with(set, at.own, at.opp, depth), expected, "{set:?} {at:?}");
            }
        }
    }
}

#[test]
fn playouts_run_in_step_with_the_reference() {
    for set in InstructionSet::all_available() {
        let mut rng = Rng::new(14);
        let mut reference_rng = rng.clone();
        for game in 0..3000 {
            let (own, opp) =
                if game % 4 == 3 { garbage(&mut reference_rng) } else { (START_OWN, START_OPP) };
            rng = reference_rng.clone();
            let limit = if game % 3 == 0 { game % 70 } else { u32::MAX };
            let found = playout_with(set, own, opp, &mut rng, limit);
            let expected = listed_playout(own, opp, &mut reference_rng, limit, |_, _| {});
            assert_eq!(found, expected, "{} game {game}", set.name());
            assert_eq!(rng, reference_rng, "{} game {game}: other draws", set.name());
            assert_eq!(found.swapped(), found.actions % 2 == 1);
        }
    }
}

#[test]
fn a_set_the_processor_lacks_falls_back() {
    assert_eq!(moves_with(InstructionSet::Avx2, START_OWN, START_OPP), moves(START_OWN, START_OPP));
    assert!(InstructionSet::all_available().contains(&InstructionSet::detect()));
}
