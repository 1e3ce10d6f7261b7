//! Sure results: the soonest win is played, and of losses the one that takes longest.

use std::sync::Arc;

use gamecore::{Budget, Decision, Evaluator, Game, Score, Seat, StopToken, Turn};
use search::{Config, DepthFirst, TableUse, TurnBeam, TurnBeamConfig};
use testkit::HashEvaluator;
use testkit::toys::TicTacToe;

use crate::common::{ALGORITHMS, after, decide_with, legal, mover, positions};
use crate::turns;

/// Of two wins it likes one better, as evaluations do that count what a result leaves.
struct Particular(HashEvaluator);

const WON: i32 = 1_000;

impl<G: Game> Evaluator<G> for Particular {
    fn evaluate(&self, game: &G, state: &G::State, seat: Seat) -> Score {
        self.0.evaluate(game, state, seat)
    }

    fn terminal(&self, game: &G, state: &G::State, seat: Seat) -> Score {
        let result = game.payoff(state, seat) - game.payoff(state, seat.other());
        Score(result as i32 * 2 * WON + self.0.evaluate(game, state, seat).0)
    }

    fn won_from(&self) -> Score {
        Score(WON)
    }
}

/// Actions to the end of a game that is won, the winner in a hurry and the loser not; `None` where
/// nobody can force a win.
fn fate<G: Game>(game: &G, state: &G::State) -> Option<(Seat, u32)> {
    let Turn::Player(seat) = game.turn(state) else {
        let winner = Seat::BOTH.into_iter().find(|&seat| game.payoff(state, seat) > 0.5);
        return winner.map(|winner| (winner, 0));
    };
    let next = |action| fate(game, &after(game, state, action));
    let fates: Vec<_> = legal(game, state).into_iter().map(next).collect();
    let lengths = |winner: Seat| {
        fates.iter().flatten().filter(move |fate| fate.0 == winner).map(|fate| fate.1 + 1)
    };
    let loss = || lengths(seat.other()).max().map(|length| (seat.other(), length));
    let won = lengths(seat).min().map(|length| (seat, length));
    won.or_else(|| fates.iter().all(Option::is_some).then(loss).flatten())
}

/// Plays games to their ends from positions that are won or lost; one agent, with what it remembers,
/// plays both seats of a game.
fn plays_to_the_end<G: Game, A>(
    game: &G,
    count: usize,
    agent: impl Fn() -> A,
    decide: impl Fn(&mut A, &G::State) -> Decision<G::Action>,
) {
    let (mut won, mut lost) = (0, 0);
    // Minimax without memory takes long from the first actions.
    let begun = |state: &G::State| legal(game, state).len() < 8;
    for mut state in positions(game, count, 3, 6).into_iter().filter(begun) {
        let mut agent = agent();
        while let Some((winner, length)) = fate(game, &state).filter(|fate| fate.1 > 0) {
            let seat = mover(game, &state);
            let next = after(game, &state, decide(&mut agent, &state).action);
            assert_eq!(fate(game, &next), Some((winner, length - 1)), "{state:?}");
            *(if winner == seat { &mut won } else { &mut lost }) += 1;
            state = next;
        }
    }
    assert!(won > 3 && lost > 3, "{won} won, {lost} lost");
}

/// For a search that has the budget to see the end.
#[test]
fn depth_first_searches_hurry_to_win_and_hold_out() {
    for algorithm in ALGORITHMS {
        let budget = Budget { nodes: Some(10_000_000), ..Budget::default() };
        for table in [TableUse::Off, TableUse::Deeper] {
            let config = Config {
                budget,
                table,
                table_mb: 1,
                deepening: true,
                ..Config::plain(algorithm, 1)
            };
            let evaluator = Arc::new(Particular(HashEvaluator::new(3)));
            plays_to_the_end(
                &TicTacToe,
                60,
                || DepthFirst::<TicTacToe>::new(config.clone(), evaluator.clone(), None),
                |agent, state| decide_with(agent, &TicTacToe, state),
            );
        }
    }
}

/// Also if the budget ends in the middle of a depth.
#[test]
fn turn_beam_hurries_to_win_and_holds_out() {
    let evaluator = Arc::new(Particular(HashEvaluator::new(3)));
    for nodes in [None, Some(20_000)] {
        let budget = Budget { nodes, ..Budget::default() };
        let config = TurnBeamConfig { budget, ..turns::WIDE };
        plays_to_the_end(
            &TicTacToe,
            60,
            || TurnBeam::<TicTacToe>::new(config.clone(), evaluator.clone(), None),
            |agent, state| turns::decide_by(agent, &TicTacToe, state, &StopToken::default()),
        );
    }
}
