//! What is said between server and page. The page's own types are generated from these.

mod catalog;
mod games;
mod insight;
mod runs;

pub use catalog::{
    AgentCard, Catalog, GameCard, Health, LevelCard, ParamCard, RuleCard, RulePreset,
};
pub use games::{
    GameList, GameSummary, ImportAnswer, ImportRequest, LoadoutRequest, Problem, SavedLoadout,
    SavedLoadouts,
};
pub use insight::{
    AnalysisEvent, AnalysisQuery, ExactScore, Judgement, LensList, LensQuery, Mark, Opinion,
    PlyQuery, Study, StudyRequest, TreeCard, TreeDownload, TreePage, TreeQuery, TreeRow,
};
pub use protocol::{
    ActionValue, Answer, BoundKind, Candidate, Clock, ClockState, ComparedTurn, Ending,
    Explanation, Figure, GameState, HeuristicScore, Hint, Lens, LensCard, LensKind, LoadoutCard,
    LoadoutSlot, NewGame, NodeNote, Player, Ply, PrunedCandidate, Request, SeatState, SetupCard,
    SetupKind, SquareValue, Step, TermCard, Thought, UnitCard, ValueKind,
};
pub use runs::{
    Chapter, CompareQuery, ComparedPairing, ExperimentCard, ExperimentCheck, ExperimentList,
    ExperimentRequest, Guide, OpenedGame, PairingCard, PlanCard, RunCard, RunComparison, RunDetail,
    RunEvent, RunFindings, RunGame, RunGames, RunGamesQuery, RunList, RunProgress, RunState,
    RunTable, Share, StandingCard, TextProblem, WorkerList,
};
