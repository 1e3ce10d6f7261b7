//! What only Othello has: an engine with exact endgames, a solver, and games of tournaments.

use std::sync::Arc;

use crate::evals::outlook::Outlook;
use gamecore::{Game, Notation, Rng, Traits};
use othello::bits::InstructionSet;
use othello::formats::wthor;
use othello::{Move, Othello, square};
use othello_engine::{EngineAgent, Problem, Solved, Solver, SolverOptions, read_problems};
use search::params::{Cost, Param, ParamError, Values};
use search::{Algorithm, Config, DepthFirst};

use registry::SpecError;
use registry::{
    AgentKind, AnySolver, EvaluatorEntry, ORDER, Ready, SolveProblem, SolveReport, SolverSettings,
};

/// The fitted evaluation; its weights are read when somebody uses it first.
pub(crate) fn outlook() -> EvaluatorEntry<Othello> {
    EvaluatorEntry {
        name: "outlook".into(),
        about: "fitted: edges, corners, rows, diagonals and mobility, as log-odds in thousandths"
            .into(),
        params: Vec::new(),
        build: Arc::new(|_| Ok(Outlook::built_in())),
    }
}

/// The engine as a kind of agent: the keys of `pvs`, and when to solve.
pub(crate) struct EngineKind;

impl AgentKind<Othello> for EngineKind {
    fn params(&self) -> Vec<Param> {
        let mut params = Algorithm::Pvs.params();
        params.push(Param::optional(
            "solve",
            0,
            60,
            "solve exactly from this many empty squares; by default as many as the time or node \
             budget allows, or 18",
        )
        .costs(Cost::Beyond(18)));
        params.push(Param::megabytes("solve.mb", 64, "size of the solver's table in MiB"));
        params
    }

    fn evaluation(&self) -> &'static str {
        "outlook"
    }

    fn heuristic(&self) -> Option<&'static str> {
        Some(ORDER)
    }

    fn prepare(&self, values: &Values, _traits: Traits) -> Result<Ready<Othello>, ParamError> {
        let config = Config::from_values(Algorithm::Pvs, values)?;
        let table_mb = values.number("solve.mb").expect("has a default") as usize;
        let solve_from = values.number("solve").map(|empties| empties as u32);
        Ok(Ready::new(move |parts| {
            let (threads, set) = (config.threads, InstructionSet::detect());
            let solver = Solver::new(SolverOptions { table_mb, threads, set });
            let midgame = DepthFirst::new(config.clone(), parts.evaluator, parts.action_score);
            EngineAgent::new(midgame, solver, solve_from, config.budget)
        }))
    }
}

/// The solver behind its face without types.
struct OthelloSolver(Solver);

/// Makes a solver with an empty table.
pub(crate) fn make_solver(settings: SolverSettings) -> Box<dyn AnySolver> {
    let SolverSettings { table_mb, threads } = settings;
    let options = SolverOptions { table_mb, threads, set: InstructionSet::detect() };
    Box::new(OthelloSolver(Solver::new(options)))
}

impl AnySolver for OthelloSolver {
    fn problems(&self, text: &str) -> Result<Vec<SolveProblem>, SpecError> {
        let in_words = |Problem { id, board, expected, best }: Problem| SolveProblem {
            id,
            position: Othello.position_text(&board),
            expected,
            best: best.into_iter().map(|number| square::name(number).to_owned()).collect(),
        };
        let problems = read_problems(text).map_err(SpecError::plain)?;
        Ok(problems.into_iter().map(in_words).collect())
    }

    fn solve(
        &self,
        position: &str,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<SolveReport>, SpecError> {
        let board = Othello.parse_position(position).map_err(SpecError::plain)?;
        let in_words = |Solved { score, line, nodes }: Solved| SolveReport {
            seat: board.mover(),
            score,
            line: line.iter().map(|made| square::name(made.number()).to_owned()).collect(),
            nodes,
        };
        Ok(self.0.solve(&board, stop).map(in_words))
    }
}

/// Games of Othello tournaments, from a `.wtb` file of the WTHOR data base.
pub struct WthorGames(Vec<wthor::Game>);

impl WthorGames {
    /// Reads the content of a file; every game is replayed.
    pub fn read(bytes: &[u8]) -> Result<Self, SpecError> {
        Ok(Self(wthor::read_games(bytes).map_err(SpecError::plain)?.games))
    }

    /// How many games there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The position of a game, counted from 0, after so many actions, passes included; `None` if
    /// the game was shorter.
    #[must_use]
    pub fn position(&self, game: usize, plies: usize) -> Option<String> {
        let made = self.0.get(game)?.actions.get(..plies)?;
        let mut state = Othello.start(&(), &mut Rng::new(0));
        for &number in made {
            Othello.apply(&mut state, Move::new(number)?);
        }
        Some(Othello.position_text(&state))
    }
}
