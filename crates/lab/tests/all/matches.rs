//! Matches of agents: faults, interruption, and sums that must agree.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arena::GameRecord;
use gamecore::{Outcome, Seat, StopToken};
use lab::run::{RunError, Summary, Threads};
use lab::{MatchSpec, Openings, play_in_memory};
use registry::{AgentSpec, AnyGame, Job, ResolvedAgent, no_files};
use standard::registry;
use store::GameRow;

use crate::common::Faulty;

fn agent(game: &dyn AnyGame, text: &str) -> ResolvedAgent {
    let spec = AgentSpec::parse(text, &no_files).expect("a spec");
    game.resolve(&spec, &no_files).expect("an agent")
}

fn spec(game: Arc<dyn AnyGame>, a: &str, b: &str, games: u64) -> MatchSpec {
    MatchSpec {
        a: agent(&*game, a),
        b: agent(&*game, b),
        game,
        games,
        seed: 5,
        openings: Openings::Random(None),
        setups: Default::default(),
        time: None,
    }
}

fn play(spec: &MatchSpec, threads: usize) -> (Summary, Vec<GameRecord>) {
    let spec = spec.experiment().expect("a number of games that can be");
    play_in_memory(&spec, &Threads::new(threads), &StopToken::default(), &|_| {}).expect("a match")
}

fn othello() -> Arc<dyn AnyGame> {
    registry().open("othello", "").expect("a game")
}

/// Everything that must add up, whatever happened.
fn check_sums(summary: &Summary, records: &[GameRecord]) {
    let found = &summary.cells[0].evidence;
    assert_eq!(found.a_wins + found.draws + found.b_wins, found.games);
    assert_eq!(found.pentanomial.0.iter().sum::<u64>(), found.pairs - found.repeated_pairs);
    let ended = found.games + summary.void.len() as u64;
    assert_eq!(ended, records.len() as u64);
    assert!(found.distinct_games <= found.games && 2 * found.pairs <= found.games);
    let mut points = 0.0;
    for (number, record) in records.iter().enumerate() {
        points += record.outcome.points(Seat::from_index(number)).unwrap_or(0.0);
    }
    assert_eq!(points, found.a_wins as f64 + found.draws as f64 / 2.0);
    if 2 * found.pairs == found.games && found.repeated_pairs == 0 {
        let in_pairs: f64 =
            (0..5).map(|class| found.pentanomial.0[class] as f64 * class as f64 / 2.0).sum();
        assert_eq!(in_pairs, points);
    }
}

#[test]
fn the_pentanomial_adds_up() {
    for (a, b) in [("random", "random"), ("greedy", "random"), ("alphabeta:depth=2", "greedy")] {
        let (summary, records) = play(&spec(othello(), a, b, 40), 2);
        check_sums(&summary, &records);
        assert_eq!(
            (
                summary.cells[0].evidence.games,
                summary.cells[0].evidence.pairs,
                summary.planned - summary.played
            ),
            (40, 20, 0)
        );
        assert!(summary.void.is_empty());
    }
}

/// The fault spoils its own games only; the others are those of a match without it.
#[test]
fn a_panic_voids_its_game_and_no_other() {
    let fault = |job: &Job<'_>| job.seeds.agents[0].is_multiple_of(3);
    let faulty = Arc::new(Faulty { inner: othello(), fault, other: None });
    let (summary, records) = play(&spec(faulty, "random", "random", 24), 2);
    check_sums(&summary, &records);
    assert!(
        !summary.void.is_empty() && summary.cells[0].evidence.games > 0,
        "{} void",
        summary.void.len()
    );
    let healthy = play(&spec(othello(), "random", "random", 24), 1).1;
    for (record, healthy) in records.iter().zip(&healthy) {
        if record.outcome == Outcome::Void {
            assert!(record.seeds.agents[0].is_multiple_of(3));
            assert_eq!(record.reason, format!("panic: a fault in {}", record.start).into());
            // What is needed to play it again.
            assert_eq!((record.seeds, &record.start), (healthy.seeds, &healthy.start));
        } else {
            let timeless = |record: &GameRecord| GameRecord { timing: None, ..record.clone() };
            assert_eq!(timeless(record), timeless(healthy));
        }
    }
    for void in &summary.void {
        let record = &records[2 * void.pair as usize + usize::from(void.game)];
        assert_eq!((record.outcome, &record.reason), (Outcome::Void, &void.reason));
    }
}

/// A pair of which one game is void is no pair.
#[test]
fn half_a_pair_is_no_evidence() {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let fault = |_: &Job<'_>| CALLS.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
    let faulty = Arc::new(Faulty { inner: othello(), fault, other: None });
    let (summary, records) = play(&spec(faulty, "greedy", "random", 12), 1);
    check_sums(&summary, &records);
    assert_eq!(
        (
            summary.cells[0].evidence.games,
            summary.cells[0].evidence.pairs,
            summary.cells[0].evidence.p_value
        ),
        (6, 0, Some(1.0))
    );
}

#[test]
fn a_match_of_nothing_but_faults_still_reports() {
    let faulty = Arc::new(Faulty { inner: othello(), fault: |_| true, other: None });
    let (summary, records) = play(&spec(faulty, "random", "random", 4), 2);
    check_sums(&summary, &records);
    assert_eq!(
        (summary.cells[0].evidence.games, summary.void.len(), summary.cells[0].evidence.score),
        (0, 4, None)
    );
    assert_eq!(
        (summary.cells[0].evidence.wilson, summary.cells[0].evidence.elo),
        ([0.0, 1.0], [None; 3])
    );
}

#[test]
fn a_stopped_match_counts_what_is_missing() {
    let stop = StopToken::default();
    stop.stop();
    let spec = spec(othello(), "random", "random", 10);
    let spec = spec.experiment().expect("an even number of games");
    let (summary, records) =
        play_in_memory(&spec, &Threads::new(2), &stop, &|_| {}).expect("a match");
    check_sums(&summary, &records);
    assert_eq!((summary.cells[0].evidence.games, summary.planned - summary.played), (0, 10));
}

#[test]
fn every_game_is_heard_of_once() {
    let last = AtomicU64::new(0);
    let spec = spec(othello(), "greedy", "random", 10);
    let spec = spec.experiment().expect("an even number of games");
    let hear = |row: &GameRow| {
        assert!(row.outcome.points(Seat::Zero).is_some());
        last.fetch_add(1, Ordering::Relaxed);
    };
    let players = Threads::new(2);
    play_in_memory(&spec, &players, &StopToken::default(), &hear).expect("a match");
    assert_eq!(last.load(Ordering::Relaxed), 10);
}

#[test]
fn both_games_of_a_pair_see_the_same_dice() {
    let game = registry().open("dice-race", "").expect("a game");
    let records = play(&spec(game, "random", "random", 20), 2).1;
    let mut compared = 0;
    for pair in records.chunks_exact(2) {
        let common = pair[0].chance.len().min(pair[1].chance.len());
        assert_eq!(pair[0].chance[..common], pair[1].chance[..common]);
        compared += common;
    }
    assert!(compared > 50, "{compared} events");
    assert_ne!(records[0].chance, records[2].chance);
}

#[test]
fn odd_numbers_of_games_are_refused() {
    for games in [0, 1, 7] {
        let spec = spec(othello(), "random", "random", games);
        let error = spec.experiment().err().expect("an error");
        assert!(matches!(error, RunError::Games(found) if found == games));
        assert!(error.to_string().contains(&format!("--games {games}")));
    }
}

#[test]
fn four_games_of_a_deal_are_balanced_in_everything() {
    let game = registry().open("lords-of-war", "").expect("a game");
    let mut spec = spec(game, "random", "random", 8);
    spec.setups = ["elves", "undead"].map(str::to_owned);
    let records = play(&spec, 2).1;
    for deal in records.chunks_exact(4) {
        let starts: Vec<Vec<&str>> =
            deal.iter().map(|record| record.start.split(' ').collect()).collect();
        // Armies stay with the seats; hands and decks are the same in all four games.
        for start in &starts {
            assert_eq!(start[0], "elves:undead");
            assert_eq!(start[2..], starts[0][2..]);
        }
        let first: Vec<&str> = starts.iter().map(|start| start[1]).collect();
        assert!(first == ["1:0", "1:0", "1:1", "1:1"] || first == ["1:1", "1:1", "1:0", "1:0"]);
    }
    assert_ne!(records[0].start, records[4].start);
    for games in [0, 2, 6, 7] {
        spec.games = games;
        let error = spec.experiment().err().expect("an error");
        assert!(matches!(error, RunError::DealtGames(found) if found == games));
        assert!(error.to_string().contains("multiple of four"));
    }
}
