//! Leaf counts from the start, as other programs found them.

use gamecore::{Game, perft_by_listing};
use othello::bits::{InstructionSet, START_OPP, START_OWN, perft_with};
use othello::{Board, Othello};

/// Depth and leaves, with their source in the first line.
const PUBLISHED: &str = include_str!("../../../../data/othello/perft.csv");

fn published() -> Vec<(u32, u64)> {
    let mut lines = PUBLISHED.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(lines.next(), Some("depth,leaves"));
    let row = |line: &str| {
        let (depth, leaves) = line.split_once(',').expect("two columns");
        (depth.parse().expect("a depth"), leaves.parse().expect("a count"))
    };
    lines.map(row).collect()
}

fn published_to(depth: u32) -> Vec<(u32, u64)> {
    published().into_iter().take_while(|row| row.0 <= depth).collect()
}

#[test]
fn the_table_is_complete() {
    let depths: Vec<u32> = published().iter().map(|row| row.0).collect();
    assert_eq!(depths, (1..=14).collect::<Vec<u32>>());
    // So early the number of moves grows slowly; a lost or doubled digit would show.
    for pair in published().windows(2) {
        let growth = pair[1].1 as f64 / pair[0].1 as f64;
        assert!((2.0..=12.0).contains(&growth), "{pair:?}");
    }
}

#[test]
fn every_instruction_set_counts_as_published() {
    for set in InstructionSet::all_available() {
        for (depth, leaves) in published_to(10) {
            let found = perft_with(set, START_OWN, START_OPP, depth);
            assert_eq!(found, leaves, "{} depth {depth}", set.name());
        }
    }
}

#[test]
fn the_game_counts_as_published_to_depth_eleven() {
    for (depth, leaves) in published_to(11) {
        assert_eq!(Othello.perft(&Board::START, depth), leaves, "depth {depth}");
    }
}

#[test]
fn listing_counts_as_published() {
    for (depth, leaves) in published_to(7) {
        assert_eq!(perft_by_listing(&Othello, &Board::START, depth), leaves, "depth {depth}");
    }
}
