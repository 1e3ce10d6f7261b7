//! The work of an analysis: one position after the other, in any order that workers have time for.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::{Seeds, WallClock};
use gamecore::{Ending, Outcome, Seat, StopToken};
use registry::{AnyGame, AnySolver, ResolvedAgent, Session, SolveReport, Thinking, words};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::judge::{View, judge};
use crate::dto::{AnalysisEvent, BoundKind, ExactScore, Explanation, Opinion, Step};
use crate::error::Refusal;
use crate::table::Services;
use live::{Subject, for_seat_zero};

/// An agent thinks about one position so long at most.
const LONGEST_LOOK: Duration = Duration::from_secs(30);
/// The solver works on one position so long at most.
const LONGEST_SOLVING: Duration = Duration::from_secs(2);
/// Actions without a choice that are followed to where there is one.
const LONGEST_FORCED: usize = 64;

/// A position of the game.
pub(super) struct Spot {
    text: String,
    /// Who is to act; `None` if the game is over.
    seat: Option<Seat>,
    /// What was played there.
    played: Option<String>,
    /// If the game is over: what seat 0 got, and who won in words.
    result: Option<(f64, String)>,
}

/// All positions of a game.
pub(super) fn spots(subject: &Subject) -> Result<Vec<Spot>, Refusal> {
    let actions = &subject.record.actions;
    let mut session = subject.at(actions.len())?;
    let mut spots = Vec::with_capacity(actions.len() + 1);
    for ply in (0..=actions.len()).rev() {
        spots.push(Spot {
            text: session.position(),
            seat: session.to_act(),
            played: actions.get(ply).cloned(),
            result: session
                .ending()
                .map(|(outcome, _)| (worth(outcome), winner(&*session, outcome))),
        });
        session.undo();
    }
    spots.reverse();
    Ok(spots)
}

/// `Black won`.
fn winner(session: &dyn Session, outcome: Outcome) -> String {
    match outcome.winner() {
        Some(_) => session.ending_words((outcome, &Ending::Rules(String::new())), None),
        None => "A draw".to_owned(),
    }
}

/// What an outcome is worth to seat 0.
fn worth(outcome: Outcome) -> f64 {
    match outcome.winner() {
        Some(Seat::Zero) => 1.0,
        Some(Seat::One) => 0.0,
        None => 0.5,
    }
}

/// A piece of work that is done.
enum Piece {
    /// What an agent thinks of a position.
    Looked(usize, usize, Result<(Opinion, View), Refusal>),
    /// The score of a position for seat 0 and the best line, if it was found in time.
    Solved(usize, Result<Option<(i32, Vec<Step>)>, Refusal>),
}

/// A game that is being looked through.
pub(super) struct Analysis {
    services: Arc<Services>,
    /// On whose behalf workers do it.
    whom: Arc<str>,
    game: Arc<dyn AnyGame>,
    spots: Arc<Vec<Spot>>,
    agents: Arc<Vec<ResolvedAgent>>,
    seed: u64,
    solver: Option<Arc<dyn AnySolver>>,
    events: mpsc::Sender<AnalysisEvent>,
    running: JoinSet<Piece>,
    /// What every agent thinks of every position, and whether the action there was judged.
    views: Vec<Vec<(Option<View>, bool)>>,
    /// The next look: positions in order, each by every agent.
    next: usize,
    looks: usize,
    /// The position to be solved next, from the end backwards.
    unsolved: Option<usize>,
    solving: bool,
    /// The score found last: it is told when it is known what the action before lost.
    last: Option<ExactScore>,
}

impl Analysis {
    pub(super) fn new(
        services: Arc<Services>,
        subject: &Subject,
        spots: Vec<Spot>,
        agents: Vec<ResolvedAgent>,
        solver: Option<Box<dyn AnySolver>>,
        events: mpsc::Sender<AnalysisEvent>,
    ) -> Self {
        let open = spots.iter().filter(|spot| spot.seat.is_some()).count();
        Self {
            services,
            // A game that goes on meanwhile has turns of its own.
            whom: format!("analysis of {}", subject.id).into(),
            game: subject.game.clone(),
            seed: subject.side_seed(),
            views: agents.iter().map(|_| vec![(None, false); spots.len()]).collect(),
            next: 0,
            looks: open * agents.len(),
            unsolved: solver.is_some().then(|| spots.len() - 1),
            solver: solver.map(Arc::from),
            solving: false,
            last: None,
            running: JoinSet::new(),
            spots: Arc::new(spots),
            agents: Arc::new(agents),
            events,
        }
    }

    async fn tell(&self, event: AnalysisEvent) -> Result<(), Refusal> {
        self.events.send(event).await.map_err(|_| Refusal::busy("nobody listens"))
    }

    /// Looks at everything, and tells what it finds.
    pub(super) async fn run(mut self) -> Result<(), Refusal> {
        let began = Instant::now();
        let plan = AnalysisEvent::Plan {
            positions: (self.looks / self.agents.len()) as u32,
            agents: self.agents.iter().map(|agent| agent.spec.to_string()).collect(),
            solver: self.solver.is_some(),
        };
        self.tell(plan).await?;
        self.tell_result().await?;
        loop {
            // No more at once than workers, so that others come in between.
            while self.running.len() < self.services.pool.threads() && self.start_next() {}
            let Some(piece) = self.running.join_next().await else { break };
            let lost = |_| Refusal::storage("something unexpected happened");
            match piece.map_err(lost)? {
                Piece::Looked(agent, ply, looked) => {
                    let (opinion, view) = looked?;
                    self.tell(AnalysisEvent::Opinion(opinion)).await?;
                    self.note(agent, ply, view).await?;
                }
                Piece::Solved(ply, solved) => self.note_score(ply, solved?).await?,
            }
        }
        if let Some(last) = self.last.take() {
            self.tell(AnalysisEvent::Exact(last)).await?;
        }
        let elapsed_ms = began.elapsed().as_millis() as u64;
        self.tell(AnalysisEvent::Done { elapsed_ms }).await
    }

    /// A finished game needs no opinion: all agents think of its last position what it was worth.
    async fn tell_result(&mut self) -> Result<(), Refusal> {
        let ply = self.spots.len() - 1;
        let Some((result, value_words)) = self.spots[ply].result.clone() else { return Ok(()) };
        for agent in 0..self.agents.len() {
            let opinion = Opinion {
                agent: agent as u8,
                ply: ply as u32,
                seat: 0,
                chance: Some(result),
                value_words: value_words.clone(),
                line: Vec::new(),
                agrees: None,
            };
            self.tell(AnalysisEvent::Opinion(opinion)).await?;
            let view = View { chance: Some(result), ..View::default() };
            self.note(agent, ply, view).await?;
        }
        Ok(())
    }

    /// Starts the next piece of work; false if there is none to start now.
    fn start_next(&mut self) -> bool {
        let alone = self.services.pool.threads() == 1;
        let solves = !self.solving && (!alone || self.next == self.looks);
        if let (Some(ply), Some(solver), true) = (self.unsolved, &self.solver, solves) {
            let (services, game, spots) =
                (self.services.clone(), self.game.clone(), self.spots.clone());
            let (whom, solver) = (self.whom.clone(), solver.clone());
            self.solving = true;
            self.running.spawn(async move {
                let solved = services.work(&whom, LONGEST_SOLVING, move |stop| {
                    solve(&*game, &*solver, &spots[ply].text, stop)
                });
                Piece::Solved(ply, solved.await.flatten())
            });
            return true;
        }
        if self.next == self.looks {
            return false;
        }
        let (ply, number) = (self.next / self.agents.len(), self.next % self.agents.len());
        self.next += 1;
        let look = Look {
            services: self.services.clone(),
            whom: self.whom.clone(),
            game: self.game.clone(),
            spots: self.spots.clone(),
            agents: self.agents.clone(),
            seed: self.seed,
            ply,
            number,
        };
        self.running.spawn(async move { Piece::Looked(number, ply, look.take().await) });
        true
    }

    /// Keeps what an agent thinks, and judges the actions before and after the position.
    async fn note(&mut self, agent: usize, ply: usize, view: View) -> Result<(), Refusal> {
        self.views[agent][ply].0 = Some(view);
        for ply in [ply.checked_sub(1), Some(ply)].into_iter().flatten() {
            let (Some(seat), true) = (self.spots[ply].seat, self.spots[ply].played.is_some())
            else {
                continue;
            };
            let views = &mut self.views[agent];
            if views[ply].1 {
                continue;
            }
            let after = views.get(ply + 1).and_then(|(view, _)| view.as_ref());
            let judged = judge(agent as u8, ply as u32, seat, views[ply].0.as_ref(), after);
            if let Some(judgement) = judged {
                views[ply].1 = true;
                self.tell(AnalysisEvent::Judgement(judgement)).await?;
            }
        }
        Ok(())
    }

    /// Keeps an exact score; what the action after it lost is known now.
    async fn note_score(
        &mut self,
        ply: usize,
        solved: Option<(i32, Vec<Step>)>,
    ) -> Result<(), Refusal> {
        self.solving = false;
        self.unsolved = ply.checked_sub(1).filter(|_| solved.is_some());
        let found = solved.map(|(score, line)| ExactScore {
            ply: ply as u32,
            score,
            line,
            lost_before: None,
        });
        let later = std::mem::replace(&mut self.last, found);
        let Some(mut later) = later else { return Ok(()) };
        if let (Some(now), Some(seat)) = (&self.last, self.spots[ply].seat) {
            let sign = if seat == Seat::Zero { 1 } else { -1 };
            later.lost_before = Some((sign * (now.score - later.score)).max(0));
        }
        self.tell(AnalysisEvent::Exact(later)).await
    }
}

/// A position and who is to look at it.
#[derive(Clone)]
struct Look {
    services: Arc<Services>,
    whom: Arc<str>,
    game: Arc<dyn AnyGame>,
    spots: Arc<Vec<Spot>>,
    agents: Arc<Vec<ResolvedAgent>>,
    seed: u64,
    ply: usize,
    number: usize,
}

/// What was found at a position, and what the agent would have played if that is to be compared.
struct Looked {
    opinion: Opinion,
    view: View,
    instead: Option<String>,
}

impl Look {
    fn spot(&self) -> &Spot {
        &self.spots[self.ply]
    }

    /// Lets a worker search for the agent.
    async fn work<T: Send + 'static>(
        &self,
        search: impl FnOnce(&Self, &StopToken) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let look = self.clone();
        self.services
            .work(&self.whom, LONGEST_LOOK, move |stop| search(&look, stop))
            .await
            .flatten()
    }

    /// Lets the agent think about the position, and about the one after its own choice if something
    /// else was played. Each search has the same time, so that they can be compared.
    async fn take(self) -> Result<(Opinion, View), Refusal> {
        let Looked { opinion, mut view, instead } = self.work(Self::think).await?;
        if let Some(action) = instead {
            view.instead = self.work(move |look, stop| look.after(&action, stop)).await?;
            // Luck that came with an action is not its merit: both are followed by the same.
            if self.game.info().chance
                && let Some(played) = self.spot().played.clone()
            {
                view.played = self.work(move |look, stop| look.after(&played, stop)).await?;
            }
        }
        Ok((opinion, view))
    }

    /// Where there is no choice the agent thinks about the first position after it that has one.
    fn think(&self, stop: &StopToken) -> Result<Looked, Refusal> {
        let spot = self.spot();
        let mut session = self.game.open(&spot.text, Seeds::default())?;
        let mut line = forced_line(&mut *session)?;
        let forced = !line.is_empty();
        let seat = spot.seat.map_or(0, |seat| seat.index() as u8);
        let mut view = View { forced, agrees: forced, ..View::default() };
        let (mut instead, mut value_words) = (None, String::new());
        if session.to_act().is_some() {
            let told = self.decide(&mut *session, stop)?;
            if !forced && let Some(played) = &spot.played {
                view.agrees = told.choice.action == *played;
                let known = told.candidates.iter().find(|it| it.step.action == *played);
                let known = known.filter(|it| it.bound == BoundKind::Exact);
                view.proven = known.and_then(|it| it.chance);
                let unknown = !view.agrees && view.proven.is_none();
                instead = unknown.then(|| told.choice.action.clone());
            }
            view.chance = chance_of_zero(&told);
            line.extend(told.line);
            if !forced {
                value_words = told.value_words;
            }
        } else {
            view.chance = session.ending().map(|(outcome, _)| worth(outcome));
        }
        if forced && let Some(chance) = view.chance {
            value_words = words::percent(for_seat_zero(seat, chance));
        }
        let opinion = Opinion {
            agent: self.number as u8,
            ply: self.ply as u32,
            seat,
            chance: view.chance,
            value_words,
            line,
            agrees: spot.played.is_some().then_some(view.agrees),
        };
        Ok(Looked { opinion, view, instead })
    }

    /// The chance that seat 0 wins after an action, as the agent sees it.
    fn after(&self, action: &str, stop: &StopToken) -> Result<Option<f64>, Refusal> {
        let mut session = self.game.open(&self.spot().text, Seeds::default())?;
        session.apply(action)?;
        forced_line(&mut *session)?;
        if session.to_act().is_none() {
            return Ok(session.ending().map(|(outcome, _)| worth(outcome)));
        }
        Ok(chance_of_zero(&self.decide(&mut *session, stop)?))
    }

    fn decide(&self, session: &mut dyn Session, stop: &StopToken) -> Result<Explanation, Refusal> {
        let number = session.add_agent(&self.agents[self.number], self.seed);
        let clock = WallClock::new();
        let limits = Thinking::new(&clock, stop);
        Ok(session.think(number, &limits)?.explanation)
    }
}

/// The chance that seat 0 wins, by a decision of either seat.
fn chance_of_zero(told: &Explanation) -> Option<f64> {
    told.chance.map(|chance| for_seat_zero(told.seat, chance))
}

/// Plays on where there is no choice; what was played.
fn forced_line(session: &mut dyn Session) -> Result<Vec<Step>, Refusal> {
    let mut line = Vec::new();
    while let ([only], true) = (&session.legal()[..], line.len() < LONGEST_FORCED) {
        line.push(session.step(only)?);
        session.apply(only)?;
    }
    Ok(line)
}

/// The score of a position for seat 0, and best play.
fn solve(
    game: &dyn AnyGame,
    solver: &dyn AnySolver,
    position: &str,
    stop: &StopToken,
) -> Result<Option<(i32, Vec<Step>)>, Refusal> {
    let solved = solver.solve(position, &|| stop.is_stopped())?;
    let Some(SolveReport { seat, score, line, .. }) = solved else { return Ok(None) };
    let mut session = game.open(position, Seeds::default())?;
    let mut steps = Vec::new();
    for action in line {
        let Ok(step) = session.step(&action) else { break };
        steps.push(step);
        if session.apply(&action).is_err() {
            break;
        }
    }
    Ok(Some((if seat == Seat::Zero { score } else { -score }, steps)))
}
