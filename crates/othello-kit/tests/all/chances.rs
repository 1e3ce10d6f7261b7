//! What the fitted evaluation says of the chance to win, held against exact scores.

use gamecore::{Evaluator, Game, Rng, random_action};
use othello::bits::InstructionSet;
use othello::{Board, Othello};
use othello_engine::{Solver, SolverOptions};
use othello_kit::evals::outlook::Outlook;
use othello_kit::evals::{OthelloEvaluator, OthelloFactors, WEIGHTS};
use registry::factors::Weights;

/// Positions of random games with this many empty squares, and what best play gives the mover.
fn solved(empties: u32, count: usize) -> Vec<(Board, f64)> {
    let options = SolverOptions { table_mb: 1, threads: 1, set: InstructionSet::detect() };
    let (solver, mut rng) = (Solver::new(options), Rng::new(7));
    let mut found = Vec::new();
    while found.len() < count {
        let mut board = Board::START;
        while board.empties() > empties {
            let Some(action) = random_action(&Othello, &board, &mut rng) else { break };
            Othello.apply(&mut board, action);
        }
        if board.empties() == empties && board.moves() != 0 {
            let score = solver.solve(&board, &|| false).expect("nobody stops it").score;
            found.push((board, (f64::from(score.signum()) + 1.0) / 2.0));
        }
    }
    found
}

fn chance(evaluator: &dyn Evaluator<Othello>, board: &Board) -> f64 {
    let points = evaluator.evaluate(&Othello, board, board.mover());
    evaluator.reading().chance(f64::from(points.0)).expect("points have chances")
}

/// Mean surprise in bits; a coin has 1.
fn surprise(evaluator: &dyn Evaluator<Othello>, solved: &[(Board, f64)]) -> f64 {
    let bits = solved.iter().map(|(board, won)| {
        let chance = chance(evaluator, board).clamp(1e-6, 1.0 - 1e-6);
        -(won * chance.log2() + (1.0 - won) * (1.0 - chance).log2())
    });
    bits.sum::<f64>() / solved.len() as f64
}

#[test]
fn chances_are_those_of_exact_results() {
    let (_, paper) = WEIGHTS.iter().find(|(name, _)| *name == "paper").expect("shipped");
    let weights = Weights::parse::<Othello, OthelloFactors>(paper).expect("shipped");
    let (outlook, paper) = (Outlook::built_in(), OthelloEvaluator::new(&weights));
    for (empties, count, most) in [(16, 150, 0.6), (12, 600, 0.5)] {
        let solved = solved(empties, count);
        let (fitted, published) = (surprise(&*outlook, &solved), surprise(&paper, &solved));
        assert!(fitted < most && fitted < published - 0.1, "{empties}: {fitted} {published}");
        // Whoever is told 80 % and more wins about as often.
        let sure: Vec<(f64, f64)> = solved
            .iter()
            .map(|(board, won)| (chance(&*outlook, board), *won))
            .map(
                |(chance, won)| {
                    if chance < 0.5 { (1.0 - chance, 1.0 - won) } else { (chance, won) }
                },
            )
            .filter(|(chance, _)| *chance >= 0.8)
            .collect();
        let mean =
            |of: fn(&(f64, f64)) -> f64| sure.iter().map(of).sum::<f64>() / sure.len() as f64;
        let (told, true_one) = (mean(|it| it.0), mean(|it| it.1));
        assert!(sure.len() > count / 4 && (told - true_one).abs() < 0.07, "{told} {true_one}");
    }
}
