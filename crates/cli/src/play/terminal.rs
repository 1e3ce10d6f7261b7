//! The game in the terminal: one live game, whose agents think while the user waits.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use arena::{GameRecord, WallClock};
use gamecore::{Seat, StopToken};
use live::{Effect, Input, LiveGame, Moment, Task, Thinker};
use protocol::{Answer, Explanation, Request, Thought};
use registry::{DecisionReport, Session, SpecError};

use crate::common::{PlayFlags, print_text, spinner, write_file};
use crate::search::{explain, texts, value_text, work_text};

/// What an agent decided, or why nothing.
type Decided = Result<Arc<Explanation>, SpecError>;
/// Advice, or why there is none.
type Advised = Result<Box<DecisionReport>, SpecError>;

/// The only one who asks.
const USER: u64 = 0;

/// A game in the terminal.
pub(crate) struct TerminalGame {
    live: LiveGame,
    /// Agents as they were after their last decisions, with their trees and tables.
    thinkers: [Option<Thinker>; 2],
    /// Nobody's time runs, so moments only tell what comes after what.
    now: Moment,
    /// What the agent that acts next says of it.
    thoughts: String,
    /// Actions that the user has heard of.
    told: usize,
    json: bool,
    talks: bool,
    /// The end has been announced and nothing was taken back since.
    announced: bool,
    continued: bool,
}

impl TerminalGame {
    pub(crate) fn new(live: LiveGame, flags: &PlayFlags, continued: bool) -> Self {
        Self {
            told: live.session().played(),
            live,
            thinkers: [None, None],
            now: Moment::ZERO,
            thoughts: String::new(),
            json: flags.output.json,
            talks: flags.output.talks(),
            announced: false,
            continued,
        }
    }

    fn session(&self) -> &dyn Session {
        self.live.session()
    }

    /// Words for the user; with `--json` the only output is the record.
    pub(crate) fn say(&self, words: &str) -> Result<()> {
        if self.json { Ok(()) } else { print_text(words) }
    }

    /// Says who plays, and begins.
    pub(crate) fn welcome(&mut self) -> Result<()> {
        let GameRecord { game, agents, .. } = self.live.record();
        let seat =
            |seat: Seat| format!("{} {}", self.session().seat_name(seat), agents[seat.index()]);
        let [zero, one] = Seat::BOTH.map(seat);
        let how = if self.continued { " (continued)" } else { "" };
        self.say(&format!("{game}: {zero} — {one}{how}. Type help for the commands.\n"))?;
        self.show()?;
        self.tell(Input::Joined(1))?;
        self.play_forced()
    }

    pub(crate) fn has_human(&self) -> bool {
        Seat::BOTH.into_iter().any(|seat| self.live.is_person(seat))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.session().to_act().is_none()
    }

    /// Lets the game hear something, and does what it wants done until nobody thinks any more. Says
    /// what was refused.
    fn tell(&mut self, input: Input) -> Result<Option<String>> {
        let mut inputs = VecDeque::from([input]);
        let mut refused = None;
        loop {
            while let Some(input) = inputs.pop_front() {
                let mut thoughts = String::from("the only action");
                for effect in self.live.hear(input, self.now) {
                    match effect {
                        Effect::Think(number, task) => {
                            let (decided, words) = self.think(&task)?;
                            thoughts = words;
                            inputs.push_back(Input::Decided(number, decided));
                        }
                        Effect::Advise(number, task) => {
                            let advised = self.advise(&task)?;
                            inputs.push_back(Input::Advised(number, advised));
                        }
                        Effect::Tell(_, Answer::Refused { error }) => refused = Some(error),
                        // The user waits, so nobody thinks ahead; a game is saved when asked for.
                        _ => {}
                    }
                }
                self.tell_news()?;
                self.thoughts = thoughts;
            }
            // Between agents nobody needs a pause to follow.
            match self.live.deadline().filter(|_| !self.has_human()) {
                Some(deadline) => {
                    self.now = deadline;
                    inputs.push_back(Input::TimePassed);
                }
                None => return Ok(refused),
            }
        }
    }

    /// Tells what agents played since the user last heard, and shows the position.
    fn tell_news(&mut self) -> Result<()> {
        let played = self.session().played();
        if played <= self.told || self.json {
            self.told = played;
            return Ok(());
        }
        for ply in &self.session().plies()[self.told..] {
            if !self.live.was_person(ply) {
                let name = self.session().seat_name(Seat::from_index(ply.seat.into()));
                self.say(&format!("{name} plays {}  ({})\n", ply.action, self.thoughts))?;
            }
        }
        self.told = played;
        self.show()
    }

    fn ask(&mut self, request: Request) -> Result<Option<String>> {
        self.tell(Input::Asked { asker: USER, request })
    }

    /// Plays what the user has no choice about.
    fn play_forced(&mut self) -> Result<()> {
        while let Some(seat) = self.session().to_act()
            && self.live.is_person(seat)
            && let [only] = &self.session().legal()[..]
        {
            let (action, name) = (only.clone(), self.session().seat_name(seat));
            self.say(&format!("{name} plays {action}  (the only action)\n"))?;
            self.play(action)?;
        }
        Ok(())
    }

    fn play(&mut self, action: String) -> Result<Option<String>> {
        let version = self.live.version();
        self.ask(Request::Play { action, back: 0, version })
    }

    /// An agent's decision, and what it says of it.
    fn think(&mut self, task: &Task) -> Result<(Decided, String)> {
        let sign = spinner(self.talks);
        let report = |thought: Thought| {
            let Thought { completed, action, .. } = thought;
            sign.set_message(format!("thinking, depth {completed}: {action}"));
        };
        let began = Instant::now();
        let old = self.thinkers[task.seat.index()].take();
        let mut thinker = Thinker::at(task, old)?;
        let told = thinker.decide(task, &WallClock::new(), &StopToken::default(), &report);
        sign.finish_and_clear();
        self.thinkers[task.seat.index()] = Some(thinker);
        let told = told?;
        let words = thoughts(&told, began.elapsed().as_secs_f64());
        Ok((Ok(task.explanation(told)), words))
    }

    fn advise(&self, task: &Task) -> Result<Advised> {
        let sign = spinner(self.talks);
        sign.set_message("thinking about a hint");
        let began = Instant::now();
        let advised = task.advise(&WallClock::new(), &StopToken::default());
        sign.finish_and_clear();
        if let Ok(decision) = &advised {
            self.say(&explain(decision, began.elapsed().as_secs_f64()))?;
        }
        Ok(advised)
    }

    pub(crate) fn prompt(&self, interactive: bool) -> Result<()> {
        if self.json {
            return Ok(());
        }
        match self.session().to_act() {
            Some(seat) => {
                let legal = self.session().legal();
                let shown = if legal.len() <= 24 {
                    legal.join(" ")
                } else {
                    format!("{} … ({} actions)", legal[..24].join(" "), legal.len())
                };
                self.say(&format!("{} to act: {shown}", self.session().seat_name(seat)))?;
            }
            None => self.say("The game is over: undo, save FILE or quit.")?,
        }
        if interactive {
            let mut out = io::stdout().lock();
            write!(out, "> ")?;
            out.flush()?;
        }
        Ok(())
    }

    pub(crate) fn human_acts(&mut self, text: &str) -> Result<()> {
        if self.is_over() {
            return self.say("It is not your turn: the game is over. Try undo, save or quit.");
        }
        match self.play(text.to_owned())? {
            Some(error) => self.say(&format!("{error}  (help lists the commands)")),
            None => self.play_forced(),
        }
    }

    pub(crate) fn show(&self) -> Result<()> {
        self.say(&(self.session().picture(self.live.eyes()) + "\n"))
    }

    pub(crate) fn show_position(&self) -> Result<()> {
        if self.session().hides() && self.live.eyes().is_some() {
            let words =
                "The position contains hidden information; it can be shown when the game is over.";
            return self.say(words);
        }
        self.say(&self.session().position())
    }

    pub(crate) fn show_moves(&self) -> Result<()> {
        self.say(&self.session().legal().join(" "))
    }

    pub(crate) fn give_hint(&mut self) -> Result<()> {
        if self.is_over() {
            return self.say("The game is over.");
        }
        match self.ask(Request::Hint)? {
            Some(error) => self.say(&error),
            None => Ok(()),
        }
    }

    /// Takes back until the user has a choice again, so that the agent's answer goes too.
    pub(crate) fn undo(&mut self) -> Result<()> {
        if self.ask(Request::Undo)?.is_some() {
            return self.say("There is nothing to take back.");
        }
        while self.session().legal().len() == 1 && self.ask(Request::Undo)?.is_none() {}
        self.announced = false;
        self.show()
    }

    pub(crate) fn redo(&mut self) -> Result<()> {
        if self.ask(Request::Redo)?.is_some() {
            return self.say("There is nothing to redo.");
        }
        while self.session().legal().len() == 1 && self.ask(Request::Redo)?.is_none() {}
        self.play_forced()
    }

    pub(crate) fn resign(&mut self) -> Result<()> {
        match self.ask(Request::Resign)? {
            Some(_) => self.say("The game is over already."),
            None => Ok(()),
        }
    }

    pub(crate) fn announce_end(&mut self) -> Result<()> {
        if self.announced {
            return Ok(());
        }
        self.announced = true;
        match self.live.ending() {
            Some(ending) => self.say(&format!("Game over. {}.", ending.words)),
            None => Ok(()),
        }
    }

    pub(crate) fn record(&self) -> GameRecord {
        self.live.record()
    }

    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        write_file(path, &(self.record().to_json() + "\n"))
    }
}

fn thoughts(decision: &DecisionReport, seconds: f64) -> String {
    let told = &decision.explanation;
    let Some(value) = told.value else { return "no opinion".to_owned() };
    format!(
        "value {}, {} in {seconds:.2} s; expects {}",
        value_text(value),
        work_text(&decision.counters, u64::from(told.depth)),
        texts(&told.line).join(" ")
    )
}
