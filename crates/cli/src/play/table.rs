//! The two seats, the game between them, and what the user sees of it.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use arena::{GameRecord, Seeds, WallClock};
use gamecore::{Seat, StopToken};
use registry::{DecisionReport, ProgressReport, ResolvedAgent, Session, Thinking};

use crate::common::{PlayFlags, print_text, spinner, write_file};
use crate::search::{explain, value_text, work_text};

/// Who sits at a seat.
pub(crate) enum Player {
    Human,
    Agent(ResolvedAgent),
}

/// What the table needs to know of a seat.
struct Seated {
    name: String,
    /// The agent's number in the session; `None` for a human.
    agent: Option<usize>,
}

/// A game in the terminal.
pub(crate) struct Table {
    session: Box<dyn Session>,
    seats: Vec<Seated>,
    hint: Option<usize>,
    clock: WallClock,
    json: bool,
    talks: bool,
    /// Those that the record tells.
    seeds: Seeds,
    /// The end has been announced and nothing was taken back since.
    announced: bool,
    continued: bool,
}

impl Table {
    pub(crate) fn new(
        session: Box<dyn Session>,
        flags: &PlayFlags,
        seeds: Seeds,
        continued: bool,
    ) -> Self {
        Self {
            session,
            seats: Vec::new(),
            hint: None,
            clock: WallClock::new(),
            json: flags.json,
            talks: flags.talks(),
            seeds,
            announced: false,
            continued,
        }
    }

    pub(crate) fn seat(&mut self, seat: Seat, player: &Player) {
        let seated = match player {
            Player::Human => Seated { name: "human".to_owned(), agent: None },
            Player::Agent(agent) => Seated {
                name: agent.spec.to_string(),
                agent: Some(self.session.add_agent(agent, self.seeds.agents[seat.index()])),
            },
        };
        self.seats.push(seated);
    }

    pub(crate) fn set_hint(&mut self, agent: &ResolvedAgent) {
        self.hint = Some(self.session.add_agent(agent, self.seeds.start));
    }

    /// Words for the user; with `--json` the only output is the record.
    pub(crate) fn say(&self, words: &str) -> Result<()> {
        if self.json { Ok(()) } else { print_text(words) }
    }

    pub(crate) fn welcome(&self, game: &str) -> Result<()> {
        let seat = |seat: Seat| {
            format!("{} {}", self.session.seat_name(seat), self.seats[seat.index()].name)
        };
        let [zero, one] = Seat::BOTH.map(seat);
        let how = if self.continued { " (continued)" } else { "" };
        self.say(&format!("{game}: {zero} — {one}{how}. Type help for the commands.\n"))?;
        self.show()
    }

    pub(crate) fn has_human(&self) -> bool {
        self.seats.iter().any(|seated| seated.agent.is_none())
    }

    pub(crate) fn is_over(&self) -> bool {
        self.session.to_act().is_none()
    }

    fn human_to_act(&self) -> bool {
        self.session.to_act().is_some_and(|seat| self.seats[seat.index()].agent.is_none())
    }

    /// Lets agents act until a human is to act or the game is over. A human's forced action is
    /// played for them.
    pub(crate) fn agents_act(&mut self) -> Result<()> {
        while let Some(seat) = self.session.to_act() {
            let legal = self.session.legal();
            let name = self.session.seat_name(seat);
            let (action, words) = match (self.seats[seat.index()].agent, &legal[..]) {
                (_, [only]) => (only.clone(), "the only action".to_owned()),
                (None, _) => return Ok(()),
                (Some(agent), _) => {
                    let (decision, seconds) = self.think(agent)?;
                    let words = thoughts(&decision, seconds);
                    (decision.action, words)
                }
            };
            self.session.apply(&action)?;
            self.say(&format!("{name} plays {action}  ({words})\n"))?;
            self.show()?;
        }
        Ok(())
    }

    fn think(&mut self, agent: usize) -> Result<(DecisionReport, f64)> {
        let sign = spinner(self.talks);
        let report = |progress: &ProgressReport| {
            sign.set_message(format!(
                "thinking, depth {}: {}",
                progress.completed, progress.action
            ));
        };
        let began = Instant::now();
        let limits = Thinking {
            clock: &self.clock,
            stop: &StopToken::default(),
            progress: Some(&report),
            tree_nodes: 0,
        };
        let decision = self.session.think(agent, &limits);
        sign.finish_and_clear();
        Ok((decision?, began.elapsed().as_secs_f64()))
    }

    pub(crate) fn prompt(&self, interactive: bool) -> Result<()> {
        if self.json {
            return Ok(());
        }
        match self.session.to_act() {
            Some(seat) => {
                let legal = self.session.legal();
                let shown = if legal.len() <= 24 {
                    legal.join(" ")
                } else {
                    format!("{} … ({} actions)", legal[..24].join(" "), legal.len())
                };
                self.say(&format!("{} to act: {shown}", self.session.seat_name(seat)))?;
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
        if !self.human_to_act() {
            return self.say("It is not your turn: the game is over. Try undo, save or quit.");
        }
        match self.session.apply(text) {
            Ok(()) => self.show(),
            Err(error) => self.say(&format!("{error}  (help lists the commands)")),
        }
    }

    pub(crate) fn show(&self) -> Result<()> {
        self.say(&(self.session.picture(self.eyes()) + "\n"))
    }

    /// Whose secrets are shown: those of the only human, while the game goes on.
    fn eyes(&self) -> Option<Seat> {
        let human = |seat: &Seat| self.seats[seat.index()].agent.is_none();
        let mut humans = Seat::BOTH.into_iter().filter(human);
        humans.next().filter(|_| humans.next().is_none() && !self.is_over())
    }

    pub(crate) fn show_position(&self) -> Result<()> {
        if self.session.hides() && self.eyes().is_some() {
            let words =
                "The position contains hidden information; it can be shown when the game is over.";
            return self.say(words);
        }
        self.say(&self.session.position())
    }

    pub(crate) fn show_moves(&self) -> Result<()> {
        self.say(&self.session.legal().join(" "))
    }

    pub(crate) fn give_hint(&mut self) -> Result<()> {
        let Some(agent) = self.hint.filter(|_| !self.is_over()) else {
            return self.say("The game is over.");
        };
        let (decision, seconds) = self.think(agent)?;
        self.say(&explain(&decision, seconds))
    }

    /// Takes back until a human is to act again, so that the agent's answer goes too.
    pub(crate) fn undo(&mut self) -> Result<()> {
        let mut taken = 0;
        while self.session.undo() {
            taken += 1;
            if self.human_to_act() && self.session.legal().len() > 1 {
                break;
            }
        }
        if taken == 0 {
            return self.say("There is nothing to take back.");
        }
        self.announced = false;
        self.show()
    }

    pub(crate) fn redo(&mut self) -> Result<()> {
        let mut done = 0;
        while self.session.redo() {
            done += 1;
            if self.human_to_act() && self.session.legal().len() > 1 {
                break;
            }
        }
        if done == 0 {
            return self.say("There is nothing to redo.");
        }
        self.show()
    }

    pub(crate) fn resign(&mut self) -> Result<()> {
        match self.session.to_act() {
            Some(seat) => self.session.resign(seat),
            None => self.say("The game is over already.")?,
        }
        Ok(())
    }

    pub(crate) fn announce_end(&mut self) -> Result<()> {
        if self.announced {
            return Ok(());
        }
        self.announced = true;
        let Some((outcome, reason)) = self.session.ending() else { return Ok(()) };
        let people = Seat::BOTH.map(|seat| self.seats[seat.index()].agent.is_none());
        let you = match people {
            [true, false] => Some(Seat::Zero),
            [false, true] => Some(Seat::One),
            _ => None,
        };
        let told = self.session.ending_words((outcome, &reason), you);
        self.say(&format!("Game over. {told}."))
    }

    pub(crate) fn record(&self) -> GameRecord {
        let name = |seat: usize| self.seats[seat].name.clone();
        self.session.record([name(0), name(1)])
    }

    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        write_file(path, &(self.record().to_json() + "\n"))
    }
}

fn thoughts(decision: &DecisionReport, seconds: f64) -> String {
    let Some(value) = decision.value else { return "no opinion".to_owned() };
    format!(
        "value {}, {} in {seconds:.2} s; expects {}",
        value_text(value),
        work_text(&decision.counters, u64::from(decision.depth)),
        decision.principal_variation.join(" ")
    )
}
