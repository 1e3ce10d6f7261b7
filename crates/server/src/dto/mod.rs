//! What is said between server and page. The page's own types are generated from these.

mod catalog;
mod games;
mod insight;
mod messages;
mod runs;

pub use catalog::{
    AgentCard, Catalog, GameCard, Health, LevelCard, LoadoutCard, LoadoutSlot, ParamCard, RuleCard,
    RulePreset, SetupCard, SetupKind, UnitCard,
};
pub use games::{
    Clock, ClockState, Ending, GameList, GameState, GameSummary, ImportAnswer, ImportRequest,
    LoadoutRequest, NewGame, Player, Ply, Problem, SavedLoadout, SavedLoadouts, SeatState,
};
pub use insight::{
    ActionValue, AnalysisEvent, AnalysisQuery, BoundKind, Candidate, ComparedTurn, ExactScore,
    Explanation, Figure, HeuristicScore, Judgement, Lens, LensCard, LensKind, LensList, LensQuery,
    Mark, NodeNote, Opinion, PlyQuery, PrunedCandidate, SquareValue, Step, Study, StudyRequest,
    TermCard, TreeCard, TreeDownload, TreePage, TreeQuery, TreeRow, ValueKind,
};
pub use messages::{Answer, Hint, Request, Thought};
pub use runs::{
    Chapter, CompareQuery, ComparedPairing, ExperimentCard, ExperimentCheck, ExperimentList,
    ExperimentRequest, Guide, OpenedGame, PairingCard, PlanCard, RunCard, RunComparison, RunDetail,
    RunEvent, RunFindings, RunGame, RunGames, RunGamesQuery, RunList, RunProgress, RunState,
    RunTable, Share, StandingCard, TextProblem, WorkerList,
};
