//! Scores are exact: they equal plain minimax, and nothing that may change effort changes them.

use std::sync::atomic::{AtomicI32, Ordering};

use gamecore::{Evaluator, Game, Notation, Rng, Score, Seat, random_action};
use othello::bits::InstructionSet;
use othello::symmetry::Symmetry;
use othello::{Board, Othello};
use othello_engine::{Problem, Solver, SolverOptions, read_problems};
use testkit::minimax::reference_value;

const FFO: &str = include_str!("../../../../data/othello/ffo.csv");

/// Finished games by final disc difference, empty squares to the winner.
struct FinalDiscs;

impl Evaluator<Othello> for FinalDiscs {
    fn evaluate(&self, _: &Othello, board: &Board, _: Seat) -> Score {
        panic!("the reference must see every game to its end: {board:?}")
    }

    fn terminal(&self, _: &Othello, board: &Board, seat: Seat) -> Score {
        let [mine, theirs] = [seat, seat.other()].map(|seat| board.discs(seat).count_ones() as i32);
        let empty = 64 - mine - theirs;
        Score(mine - theirs + (mine - theirs).signum() * empty)
    }
}

/// Positions of random games with this many empty squares, somebody to move.
fn positions(empties: u32, count: usize, seed: u64) -> Vec<Board> {
    let mut rng = Rng::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = Board::START;
        while board.empties() > empties {
            let Some(action) = random_action(&Othello, &board, &mut rng) else { break };
            Othello.apply(&mut board, action);
        }
        if board.empties() == empties && !board.is_over() {
            found.push(board);
        }
    }
    found
}

fn small(set: InstructionSet, threads: usize) -> Solver {
    Solver::new(SolverOptions { table_mb: 1, threads, set })
}

fn score(solver: &Solver, board: &Board) -> i32 {
    let solved = solver.solve(board, &|| false).expect("nobody stops it");
    check_line(board, &solved.line, solved.score);
    solved.score
}

/// The line is legal to the end of the game and gives the score.
fn check_line(start: &Board, line: &[othello::Move], score: i32) {
    let mut board = *start;
    for &action in line {
        gamecore::play(&Othello, &mut board, action).expect("a legal line");
    }
    assert!(board.is_over(), "the line ends too early: {line:?}");
    assert_eq!(FinalDiscs.terminal(&Othello, &board, start.mover()), Score(score), "{start:?}");
}

fn ffo(numbers: std::ops::RangeInclusive<u32>) -> Vec<Problem> {
    let mut problems = read_problems(FFO).expect("the shipped file is well formed");
    problems.retain(|problem| problem.id.parse().is_ok_and(|id| numbers.contains(&id)));
    problems
}

#[test]
fn equal_plain_minimax_on_every_instruction_set() {
    for empties in 1..=8 {
        for board in positions(empties, if empties < 8 { 60 } else { 20 }, u64::from(empties)) {
            let expected = reference_value(&Othello, &FinalDiscs, &board, 60, board.mover());
            for set in InstructionSet::all_available() {
                assert_eq!(Score(score(&small(set, 1), &board)), expected, "{set:?} {board:?}");
            }
        }
    }
}

#[test]
fn finished_games_have_a_score_and_no_line() {
    let wiped_out = Board::new(0xff, 0, Seat::One);
    let solved = small(InstructionSet::Portable, 1).solve(&wiped_out, &|| false).unwrap();
    assert_eq!((solved.score, solved.line.len()), (64, 0));
    let lost = Board::new(0, 0xff, Seat::One);
    assert_eq!(score(&small(InstructionSet::Portable, 1), &lost), -64);
}

#[test]
fn the_endgame_suite_is_right() {
    let solver = Solver::new(SolverOptions { table_mb: 16, ..SolverOptions::default() });
    let problems = ffo(1..=22);
    assert_eq!(problems.len(), 22);
    for problem in problems {
        let solved = solver.solve(&problem.board, &|| false).unwrap();
        assert_eq!(Some(solved.score), problem.expected, "#{}", problem.id);
        assert!(problem.best.contains(&solved.line[0].number()), "#{}", problem.id);
    }
}

#[test]
fn symmetries_threads_tables_and_instruction_sets_change_nothing() {
    let mut boards: Vec<Board> = ffo(1..=6).iter().map(|problem| problem.board).collect();
    boards.extend(positions(15, 4, 77));
    let warm = small(InstructionSet::detect(), 1);
    for board in boards {
        let expected = score(&small(InstructionSet::Portable, 1), &board);
        for symmetry in Symmetry::ALL {
            let turned =
                Board::new(symmetry.board(board.own()), symmetry.board(board.opp()), board.mover());
            assert_eq!(score(&warm, &turned), expected, "warm, {symmetry:?}");
            for set in InstructionSet::all_available() {
                assert_eq!(score(&small(set, 1), &turned), expected, "{set:?}, {symmetry:?}");
            }
            assert_eq!(score(&small(InstructionSet::detect(), 2), &turned), expected, "threads");
        }
        assert_eq!(score(&warm, &board), expected, "asked again");
    }
}

#[test]
fn colours_exchanged_is_the_same_problem() {
    for board in positions(12, 20, 5) {
        let exchanged = Board::new(board.own(), board.opp(), board.mover().other());
        let solver = small(InstructionSet::detect(), 1);
        assert_eq!(score(&solver, &board), score(&solver, &exchanged));
    }
}

#[test]
fn a_told_stop_ends_the_search() {
    let board = ffo(40..=40)[0].board;
    let solver = small(InstructionSet::detect(), 2);
    assert_eq!(solver.solve(&board, &|| true), None);
}

/// Told after so many questions, alone and with a helper, where nothing could be solved in a life.
#[test]
fn a_stop_is_heard_from_any_number_of_empty_squares() {
    for board in [Board::START, positions(50, 1, 2)[0], positions(40, 1, 2)[0]] {
        for (threads, questions) in [(1, 0), (1, 6), (2, 6)] {
            let left = AtomicI32::new(questions);
            let stop = || left.fetch_sub(1, Ordering::Relaxed) <= 0;
            let solver = small(InstructionSet::detect(), threads);
            assert_eq!(solver.solve(&board, &stop), None, "{threads} threads, {board:?}");
        }
    }
}

/// One move, which ends the game with 61 squares empty.
#[test]
fn a_game_that_ends_early_is_solved_from_many_empty_squares() {
    let text = format!("XO{} X", "-".repeat(62));
    let board = Othello.parse_position(&text).expect("a position");
    assert_eq!(score(&small(InstructionSet::detect(), 1), &board), 64);
}

#[test]
fn nodes_repeat_on_one_thread() {
    let board = ffo(12..=12)[0].board;
    let solve = || small(InstructionSet::detect(), 1).solve(&board, &|| false).unwrap();
    assert_eq!(solve(), solve());
}

#[test]
fn every_instruction_set_searches_the_same_tree() {
    for problem in ffo(12..=14) {
        let solve = |set| small(set, 1).solve(&problem.board, &|| false).unwrap();
        let portable = solve(InstructionSet::Portable);
        for set in InstructionSet::all_available() {
            assert_eq!(solve(set), portable, "{set:?}, #{}", problem.id);
        }
    }
}

/// With two threads the tree above the kernel is shared; on these the table matters.
#[test]
fn larger_positions_agree_between_one_and_two_threads() {
    for problem in ffo(20..=24) {
        let solver = Solver::new(SolverOptions { table_mb: 16, threads: 2, ..Default::default() });
        assert_eq!(Some(score(&solver, &problem.board)), problem.expected, "#{}", problem.id);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2_000))]
    #[test]
    fn any_text_gives_problems_or_an_error(text in "[-XO.xo*a-h1-8:;,%+ \n]{0,200}") {
        let _ = read_problems(&text);
    }
}
