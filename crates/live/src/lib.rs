//! One game in progress, as a machine: it [hears](LiveGame::hear) what people ask, what agents decided
//! and that time passed, and answers with [effects](Effect) for whoever runs it. It holds the one undo,
//! the one clock and the one way of thinking ahead that there are; it starts no threads, opens no files
//! and reads no clock, so that a server, a terminal and a page can run the same game.

mod advice;
mod ahead;
mod clock;
mod kept;
pub mod lot;
mod players;
mod pondering;
mod refusal;
mod requests;
mod state;
mod thinker;
mod thoughts;

use std::sync::Arc;
use std::time::Duration;

use arena::{ChessClock, GameRecord, Seeds};
use gamecore::Seat;
use protocol::{Answer, Explanation, GameState, NewGame, Request, Step, Thought};
use registry::{AnyGame, DecisionReport, ResolvedAgent, Session, SpecError};

pub use ahead::AheadPlan;
pub use kept::{KeptGame, LONGEST_GAME, Snapshot, record_from_outside};
pub use players::{LONGEST_NAME, Seated, adviser, agent, check_name, names, seat_word};
pub use refusal::{Cause, Refusal};
pub use state::{Subject, won_by};
pub use thinker::{Task, Thinker};
pub use thoughts::for_seat_zero;

use advice::Advice;
use pondering::Pondering;
use thoughts::Thoughts;

/// A moment: the time since some beginning that the host chose.
pub type Moment = Duration;

/// Every decision of an agent ends after this long with the best it has found.
const LONGEST_THOUGHT: Duration = Duration::from_secs(60);
/// How long advice is thought about.
const LONGEST_ADVICE: Duration = Duration::from_secs(1);
/// The pause before an agent's action that people only watch.
const WATCHING_PAUSE: Duration = Duration::from_millis(300);
/// How long an agent thinks ahead about one position at most.
const LONGEST_PONDERING: Duration = Duration::from_secs(120);

/// What a live game hears. Numbers are those of the work that it asked for; news of work that nobody
/// waits for any more changes nothing.
pub enum Input {
    /// Somebody came to look; so many look now.
    Joined(usize),
    /// Somebody went; so many still look.
    Left(usize),
    /// Somebody asks for something.
    Asked {
        /// Who is to hear the answer.
        asker: u64,
        /// For what.
        request: Request,
    },
    /// The [deadline](LiveGame::deadline) came.
    TimePassed,
    /// A thought or advice began; it had waited for somebody to think until then.
    Began(u64),
    /// How far a thought is.
    Progress(u64, Thought),
    /// What was decided, or why nothing.
    Decided(u64, Result<Arc<Explanation>, SpecError>),
    /// Advice, or why there is none.
    Advised(u64, Result<Box<DecisionReport>, SpecError>),
    /// An agent would decide so in this position.
    Foreseen(u64, String, Arc<Explanation>),
    /// Thinking ahead ended: all was thought about, or other work came.
    AheadEnded {
        /// The number of the work.
        number: u64,
        /// All was thought about.
        finished: bool,
    },
    /// The game could not be kept.
    NotKept(String),
    /// The game is closed: its clock stands, and who looks hears goodbye.
    Closed,
}

/// Who hears an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Everybody who looks.
    All,
    /// Whoever asked.
    Asker(u64),
}

/// What a live game wants to be done, in this order.
pub enum Effect {
    /// [What the game is now](LiveGame::snapshot) is to be kept, before anything after it is told. A
    /// failure is an [`Input::NotKept`].
    Keep,
    /// This is how it looks now, for everybody.
    Show(Arc<GameState>),
    /// Something is to be said.
    Tell(Audience, Answer),
    /// An agent is to decide; it is told by [`Input::Began`], [`Input::Progress`] and
    /// [`Input::Decided`].
    Think(u64, Box<Task>),
    /// Advice is wanted; it is told by [`Input::Began`] and [`Input::Advised`].
    Advise(u64, Box<Task>),
    /// Somebody who has nothing else to do may think ahead; it is told by [`Input::Foreseen`] and
    /// [`Input::AheadEnded`].
    ThinkAhead(u64, Box<AheadPlan>),
    /// The best that was found so far is wanted at once.
    Stop(u64),
    /// Nobody wants to hear of this work any more.
    Abandon(u64),
}

/// A game, who plays it, and where it stands.
pub struct LiveGame {
    id: String,
    created: String,
    /// As it was asked for; without the record it may have come from.
    asked: NewGame,
    /// Names of the loadouts that the seats brought.
    loadouts: [String; 2],
    game: Arc<dyn AnyGame>,
    session: Box<dyn Session>,
    seats: [Seated; 2],
    /// Who gives hints, if not the game's own agent.
    adviser: Option<ResolvedAgent>,
    names: [String; 2],
    seeds: Seeds,
    version: u64,
    paused: bool,
    /// Actions taken back, the next to be played again last.
    undone: Vec<String>,
    thoughts: Thoughts,
    clock: Option<ChessClock>,
    /// Somebody opened it since it was made or read; nobody acts and no time runs before that.
    opened: bool,
    /// How many look.
    watching: usize,
    last_number: u64,
    thought: Option<Pending>,
    advice: Option<Advice>,
    pondering: Pondering,
    /// The next watched action waits until then.
    wait_until: Option<Moment>,
    now: Moment,
    effects: Vec<Effect>,
}

/// Work that somebody does for the game.
struct Pending {
    number: u64,
    seat: Seat,
    /// When it must have ended; known once it began.
    deadline: Option<Moment>,
}

impl Pending {
    /// Whether it is due; it is only once.
    fn falls_due(&mut self, now: Moment) -> bool {
        self.deadline.take_if(|deadline| *deadline <= now).is_some()
    }
}

impl LiveGame {
    /// Takes in what happened, at this moment, and says what is to be done now.
    pub fn hear(&mut self, input: Input, now: Moment) -> Vec<Effect> {
        // Time does not go back, whatever the host's clock says.
        self.now = self.now.max(now);
        match input {
            Input::Joined(watching) => {
                self.watching = watching;
                self.opened = true;
                self.advance();
            }
            Input::Left(watching) => {
                self.watching = watching;
                self.run_clock();
                if watching == 0 {
                    self.stop_pondering();
                }
            }
            Input::Asked { asker, request } => self.obey(asker, request),
            Input::TimePassed => self.time_passes(),
            Input::Began(number) => self.work_begins(number),
            Input::Progress(number, thought) => {
                if self.thought.as_ref().is_some_and(|it| it.number == number) {
                    self.tell(Audience::All, Answer::Thought(thought));
                }
            }
            Input::Decided(number, decided) => self.decided(number, decided),
            Input::Advised(number, advised) => self.advised(number, advised),
            Input::Foreseen(number, position, decided) => {
                self.pondering.note(number, position, decided);
            }
            Input::AheadEnded { number, finished } => {
                if self.pondering.ended(number, finished) {
                    self.ponder();
                    if finished {
                        self.show();
                    }
                }
            }
            Input::NotKept(reason) => {
                let error = format!("the game continues but cannot be saved: {reason}");
                self.tell(Audience::All, Answer::Refused { error });
            }
            Input::Closed => {
                if let Some(clock) = &mut self.clock {
                    clock.run(None, self.now);
                    self.keep();
                }
                self.abandon_all();
                self.tell(Audience::All, Answer::Goodbye);
            }
        }
        std::mem::take(&mut self.effects)
    }

    /// When something happens by itself: then it must hear [`Input::TimePassed`].
    #[must_use]
    pub fn deadline(&self) -> Option<Moment> {
        let thought = self.thought.as_ref().and_then(|thought| thought.deadline);
        let advice = self.advice.as_ref().and_then(|advice| advice.work.deadline);
        let flag = self.clock.as_ref().and_then(ChessClock::flag);
        [thought, advice, flag, self.pondering.deadline(), self.wait_until]
            .into_iter()
            .flatten()
            .min()
    }

    /// Somebody thinks about it, and is waited for.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.thought.is_some() || self.advice.is_some()
    }

    /// The game itself, without its players.
    #[must_use]
    pub fn session(&self) -> &dyn Session {
        &*self.session
    }

    /// What was played so far.
    #[must_use]
    pub fn record(&self) -> GameRecord {
        self.session.record(self.names.clone())
    }

    /// The game as it was asked for, for another one like it.
    #[must_use]
    pub fn asked(&self) -> &NewGame {
        &self.asked
    }

    /// A number that was not given before.
    fn number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// Counts every change.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Whether a person sits there.
    #[must_use]
    pub fn is_person(&self, seat: Seat) -> bool {
        self.seats[seat.index()].agent.is_none()
    }

    /// Whether a person's seat played this.
    #[must_use]
    pub fn was_person(&self, played: &Step) -> bool {
        self.is_person(Seat::from_index(played.seat.into()))
    }

    fn person_to_act(&self) -> bool {
        self.session.to_act().is_some_and(|seat| self.is_person(seat))
    }

    /// People among the players.
    fn people(&self) -> Vec<Seat> {
        Seat::BOTH.into_iter().filter(|&seat| self.is_person(seat)).collect()
    }

    /// Agents wait: they were told to, or nobody looks at their game.
    fn agents_wait(&self) -> bool {
        self.paused || !self.opened || (self.people().is_empty() && self.watching == 0)
    }

    fn time_passes(&mut self) {
        let now = self.now;
        if self.flag_fell() {
            return self.flag_falls();
        }
        let works = [self.thought.as_mut(), self.advice.as_mut().map(|advice| &mut advice.work)];
        for work in works.into_iter().flatten() {
            if work.falls_due(now) {
                self.effects.push(Effect::Stop(work.number));
            }
        }
        if let Some(number) = self.pondering.end_if_due(now) {
            self.effects.push(Effect::Abandon(number));
            self.show();
        }
        if self.wait_until.take_if(|until| *until <= now).is_some() {
            self.advance();
        }
    }

    fn flag_fell(&self) -> bool {
        self.clock.as_ref().and_then(ChessClock::flag).is_some_and(|flag| flag <= self.now)
    }

    fn flag_falls(&mut self) {
        self.abandon_all();
        self.session.lose_on_time();
        self.changed();
        self.advance();
    }

    /// Lets the right time run: nobody's while agents wait, or before somebody opened the game.
    fn run_clock(&mut self) {
        let to_act = self.session.to_act();
        // The pause between watched actions is ours, not the agent's.
        let agent_runs = !self.agents_wait() && self.wait_until.is_none();
        let runs = self.opened && (self.person_to_act() || agent_runs);
        if let Some(clock) = &mut self.clock {
            clock.run(to_act.filter(|_| runs), self.now);
        }
    }

    /// After a change of the game: it gets a new version and is kept.
    fn changed(&mut self) {
        self.version += 1;
        self.run_clock();
        self.keep();
    }

    fn keep(&mut self) {
        self.effects.push(Effect::Keep);
    }

    /// Lets agents act as far as they can at once, starts what takes longer, and shows the game.
    fn advance(&mut self) {
        self.run_clock();
        while let Some(decided) = self.ready_action() {
            // People see their own action even if the answer is there at once.
            self.show();
            if !self.act(decided) {
                break;
            }
        }
        self.ponder();
        self.show();
    }

    /// What the agent to act plays without thinking: its only action, or one that was
    /// thought about ahead. Otherwise it begins to think, if it may.
    fn ready_action(&mut self) -> Option<Arc<Explanation>> {
        let seat = self.session.to_act()?;
        let waits = self.agents_wait() || self.wait_until.is_some() || self.thought.is_some();
        if self.is_person(seat) || waits {
            return None;
        }
        if let [only] = &self.session.legal()[..]
            && let Ok(told) =
                self.session.unexplained(only, &self.seats[seat.index()].spec().unwrap_or_default())
        {
            return Some(Arc::new(told.told(1)));
        }
        if let Some(decided) = self.pondering.foreseen(&self.session.position()) {
            return Some(decided);
        }
        self.begin_thinking(seat);
        None
    }

    fn begin_thinking(&mut self, seat: Seat) {
        let Some(agent) = &self.seats[seat.index()].agent else { return };
        let task = Task {
            lots: self.draws_lots(seat),
            // What an agent prefers may hint at what only it knows.
            tells: !self.session.hides(),
            time_left: self.clock.as_ref().map(|clock| clock.time_left(seat, self.now)),
            ..self.task(seat, agent, self.seeds.agents[seat.index()])
        };
        let number = self.number();
        self.thought = Some(Pending { number, seat, deadline: None });
        self.effects.push(Effect::Think(number, Box::new(task)));
    }

    fn work_begins(&mut self, number: u64) {
        let now = self.now;
        if let Some(thought) = self.thought.as_mut().filter(|it| it.number == number) {
            let share = self.clock.as_ref().map(|clock| clock::share(clock, thought.seat, now));
            thought.deadline =
                Some(now + share.map_or(LONGEST_THOUGHT, |share| share.min(LONGEST_THOUGHT)));
        }
        if let Some(advice) = self.advice.as_mut().filter(|it| it.work.number == number) {
            advice.work.deadline = Some(now + LONGEST_ADVICE);
        }
    }

    fn decided(&mut self, number: u64, decided: Result<Arc<Explanation>, SpecError>) {
        if self.thought.take_if(|thought| thought.number == number).is_none() {
            return;
        }
        match decided {
            Ok(decided) => {
                self.act(decided);
            }
            Err(why) => self.agent_failed(&why.to_string()),
        }
        self.advance();
    }

    /// Plays what an agent decided; false if it cannot be played, and then agents wait.
    fn act(&mut self, decided: Arc<Explanation>) -> bool {
        let Some(seat) = self.session.to_act() else { return false };
        if let Err(error) = self.session.apply(&decided.choice.action) {
            self.agent_failed(&format!("illegal action: {error}"));
            return false;
        }
        self.after_action(seat);
        self.thoughts.explain(decided);
        if self.people().is_empty() {
            self.wait_until = Some(self.now + WATCHING_PAUSE);
        }
        self.changed();
        true
    }

    /// What every action brings with it.
    fn after_action(&mut self, seat: Seat) {
        self.undone.clear();
        self.thoughts.play(self.session.played());
        if self.session.to_act() != Some(seat)
            && let Some(clock) = &mut self.clock
        {
            clock.add_increment(seat);
        }
    }

    fn agent_failed(&mut self, why: &str) {
        self.paused = true;
        let error = format!("the agent failed: {why}");
        self.tell(Audience::All, Answer::Refused { error });
    }

    /// Shows the game to everybody who looks.
    fn show(&mut self) {
        if self.watching > 0 {
            let state = Arc::new(self.state());
            self.effects.push(Effect::Show(state));
        }
    }

    fn tell(&mut self, audience: Audience, answer: Answer) {
        self.effects.push(Effect::Tell(audience, answer));
    }

    /// Nobody thinks about this game any more.
    fn abandon_all(&mut self) {
        self.abandon_thought();
        self.abandon_advice();
        self.stop_pondering();
        self.wait_until = None;
    }

    fn abandon_thought(&mut self) {
        if let Some(thought) = self.thought.take() {
            self.effects.push(Effect::Abandon(thought.number));
        }
    }
}
