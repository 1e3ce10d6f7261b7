//! Somebody who runs a live game for tests: no threads, no clock, and work is done when a test says so.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamecore::StopToken;
use live::{
    AheadPlan, Audience, Effect, Input, KeptGame, LiveGame, Moment, Snapshot, Task, Thinker,
};
use proptest::prelude::*;
use protocol::{Answer, Clock, GameState, NewGame, Player, Request};
use registry::SpecError;
use testkit::CountingClock;

/// Who asks in tests.
pub(crate) const ASKER: u64 = 7;

/// One thing that happens.
#[derive(Clone, Debug)]
pub(crate) enum Happening {
    Joins,
    Leaves,
    /// One of the choices is played; some ask for another version.
    Plays {
        choice: usize,
        stale: bool,
    },
    PlaysNonsense,
    Undoes,
    Redoes,
    WantsHint,
    Stops,
    Pauses,
    Resumes,
    Resigns,
    Pings,
    /// Time passes, by milliseconds.
    Waits(u64),
    /// Until the next deadline.
    WaitsForDeadline,
    /// A piece of work begins.
    WorkBegins(usize),
    /// A piece of work is done.
    WorkEnds(usize),
    /// A piece of work fails.
    WorkFails(usize),
    /// News of work that nobody waits for.
    StaleNews(u64),
    /// The last snapshot could not be written.
    DiskFails,
}

pub(crate) fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        2 => Just(Happening::Joins),
        1 => Just(Happening::Leaves),
        12 => (any::<prop::sample::Index>(), prop::bool::weighted(0.1))
            .prop_map(|(choice, stale)| Happening::Plays { choice: choice.index(64), stale }),
        1 => Just(Happening::PlaysNonsense),
        3 => Just(Happening::Undoes),
        3 => Just(Happening::Redoes),
        1 => Just(Happening::WantsHint),
        1 => Just(Happening::Stops),
        1 => Just(Happening::Pauses),
        2 => Just(Happening::Resumes),
        1 => Just(Happening::Resigns),
        1 => Just(Happening::Pings),
        2 => (0_u64..3_000).prop_map(Happening::Waits),
        3 => Just(Happening::WaitsForDeadline),
        2 => (0_usize..4).prop_map(Happening::WorkBegins),
        10 => (0_usize..4).prop_map(Happening::WorkEnds),
        1 => (0_usize..4).prop_map(Happening::WorkFails),
        1 => (0_u64..30).prop_map(Happening::StaleNews),
        1 => Just(Happening::DiskFails),
    ]
}

/// Work that the game asked for.
enum Work {
    Thought(Box<Task>),
    Advice(Box<Task>),
    Ahead(Box<AheadPlan>),
}

/// A live game with those who look and work.
pub(crate) struct Host {
    pub live: LiveGame,
    pub now: Moment,
    pub watching: usize,
    works: BTreeMap<u64, Work>,
    /// The last state that was shown.
    pub shown: Option<Arc<GameState>>,
    /// All that was shown and told since it was last taken.
    pub told: Vec<String>,
    /// What was refused.
    pub refused: Vec<String>,
    pub kept: Option<Snapshot>,
}

pub(crate) fn person() -> Player {
    Player::Human { name: String::new() }
}

pub(crate) fn agent(spec: &str) -> Player {
    Player::Agent { spec: spec.into() }
}

/// A game as it is asked for.
pub(crate) fn asked(game: &str, seats: [Player; 2], clock: Option<Clock>) -> NewGame {
    NewGame {
        game: game.into(),
        seats,
        rules: String::new(),
        setups: Default::default(),
        clock,
        position: None,
        record: None,
        seed: Some(5),
        replaces: None,
    }
}

impl Host {
    pub(crate) fn new(asked: NewGame) -> Self {
        let (games, nothing) = (standard::registry(), Default::default());
        let made = KeptGame::make("id".into(), "now".into(), asked, 1, 1, nothing, &games);
        let live = made.unwrap().open(1, &games).unwrap();
        Self {
            live,
            now: Moment::ZERO,
            watching: 0,
            works: BTreeMap::new(),
            shown: None,
            told: Vec::new(),
            refused: Vec::new(),
            kept: None,
        }
    }

    pub(crate) fn state(&self) -> GameState {
        self.live.state_at(self.now)
    }

    /// Lets the game hear something and does what it wants done.
    fn tell(&mut self, input: Input) {
        for effect in self.live.hear(input, self.now) {
            match effect {
                Effect::Keep => self.kept = Some(self.live.snapshot()),
                Effect::Show(state) => {
                    assert!(self.watching > 0, "shown to nobody");
                    self.told.push(serde_json::to_string(&*state).unwrap());
                    self.shown = Some(state);
                }
                Effect::Tell(audience, answer) => {
                    if let Answer::Refused { error } = &answer {
                        self.refused.push(error.clone());
                    }
                    assert!(audience == Audience::All || audience == Audience::Asker(ASKER));
                    self.told.push(serde_json::to_string(&answer).unwrap());
                }
                Effect::Think(number, task) => self.give(number, Work::Thought(task)),
                Effect::Advise(number, task) => self.give(number, Work::Advice(task)),
                Effect::ThinkAhead(number, plan) => self.give(number, Work::Ahead(plan)),
                Effect::Stop(number) => assert!(self.works.contains_key(&number), "never begun"),
                Effect::Abandon(number) => {
                    assert!(self.works.remove(&number).is_some(), "work {number} was never given");
                }
            }
        }
        let thoughts = self.works.values().filter(|work| matches!(work, Work::Thought(_)));
        assert!(thoughts.count() <= 1, "two agents think at once");
    }

    fn give(&mut self, number: u64, work: Work) {
        if let Work::Thought(task) = &work {
            assert_eq!(self.live.session().to_act(), Some(task.seat), "who is not to act thinks");
        }
        assert!(self.works.insert(number, work).is_none(), "number {number} was given twice");
    }

    fn ask(&mut self, request: Request) {
        self.tell(Input::Asked { asker: ASKER, request });
    }

    /// Somebody thinks.
    pub(crate) fn thinks(&self) -> bool {
        self.works.values().any(|work| matches!(work, Work::Thought(_)))
    }

    pub(crate) fn happens(&mut self, happening: &Happening) {
        match happening {
            Happening::Joins => {
                self.watching += 1;
                self.tell(Input::Joined(self.watching));
            }
            Happening::Leaves => {
                self.watching = self.watching.saturating_sub(1);
                self.tell(Input::Left(self.watching));
            }
            Happening::Plays { choice, stale } => {
                let state = self.state();
                let choices = &state.scene.choices;
                let (action, back) = match choices.get(choice % choices.len().max(1)) {
                    Some(choice) => (choice.action.clone(), choice.back),
                    None => ("anything".to_owned(), 0),
                };
                let version = state.version + u64::from(*stale);
                self.ask(Request::Play { action, back, version });
            }
            Happening::PlaysNonsense => {
                let version = self.state().version;
                self.ask(Request::Play { action: "nonsense".into(), back: 3, version });
            }
            Happening::Undoes => self.ask(Request::Undo),
            Happening::Redoes => self.ask(Request::Redo),
            Happening::WantsHint => self.ask(Request::Hint),
            Happening::Stops => self.ask(Request::Stop),
            Happening::Pauses => self.ask(Request::Pause),
            Happening::Resumes => self.ask(Request::Resume),
            Happening::Resigns => self.ask(Request::Resign),
            Happening::Pings => self.ask(Request::Ping),
            Happening::Waits(milliseconds) => {
                let until = self.now + Moment::from_millis(*milliseconds);
                // Whoever runs a game wakes it at its deadlines.
                for _ in 0..100 {
                    let Some(deadline) = self.live.deadline().filter(|it| *it <= until) else {
                        break;
                    };
                    self.now = self.now.max(deadline);
                    self.tell(Input::TimePassed);
                }
                self.now = until;
            }
            Happening::WaitsForDeadline => {
                if let Some(deadline) = self.live.deadline() {
                    self.now = self.now.max(deadline);
                    self.tell(Input::TimePassed);
                    assert!(
                        self.live.deadline().is_none_or(|next| next > self.now),
                        "what was due is still due"
                    );
                }
            }
            Happening::WorkBegins(which) => {
                let number = self.works.keys().nth(*which).copied();
                number.into_iter().for_each(|number| self.tell(Input::Began(number)));
            }
            Happening::WorkEnds(which) => self.end_work(*which, false),
            Happening::WorkFails(which) => self.end_work(*which, true),
            Happening::StaleNews(number) => self.stale_news(*number),
            Happening::DiskFails => self.tell(Input::NotKept("no room".into())),
        }
    }

    fn end_work(&mut self, which: usize, fails: bool) {
        let Some(number) = self.works.keys().nth(which).copied() else { return };
        let Some(work) = self.works.remove(&number) else { return };
        let (clock, stop) = (CountingClock::new(Moment::from_millis(1)), StopToken::default());
        let failure = || SpecError::plain("the program ended");
        match work {
            Work::Thought(_) if fails => self.tell(Input::Decided(number, Err(failure()))),
            Work::Advice(_) if fails => self.tell(Input::Advised(number, Err(failure()))),
            Work::Ahead(_) if fails => {
                self.tell(Input::AheadEnded { number, finished: false });
            }
            Work::Thought(task) => {
                let mut thinker = Thinker::at(&task, None).unwrap();
                let decided = thinker.decide(&task, &clock, &stop, &|_| {});
                self.tell(Input::Decided(number, decided.map(|told| task.explanation(told))));
            }
            Work::Advice(task) => self.tell(Input::Advised(number, task.advise(&clock, &stop))),
            Work::Ahead(plan) => {
                let found = std::cell::RefCell::new(Vec::new());
                let tell = |position, decided| found.borrow_mut().push((position, decided));
                let finished = plan.carry_out(&clock, &stop, &tell).is_some();
                for (position, decided) in found.into_inner() {
                    self.tell(Input::Foreseen(number, position, decided));
                }
                self.tell(Input::AheadEnded { number, finished });
            }
        }
    }

    /// News of work that was abandoned, or never given.
    fn stale_news(&mut self, number: u64) {
        if self.works.contains_key(&number) {
            return;
        }
        let before = serde_json::to_string(&self.state()).unwrap();
        let failed = || SpecError::plain("too late");
        self.tell(Input::Began(number));
        self.tell(Input::Decided(number, Err(failed())));
        self.tell(Input::Advised(number, Err(failed())));
        self.tell(Input::AheadEnded { number, finished: true });
        let after = serde_json::to_string(&self.state()).unwrap();
        assert_eq!(before, after, "stale news changed the game");
    }
}
