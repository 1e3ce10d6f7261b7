//! The agent that asks a program.

use std::io;
use std::time::Duration;

use gamecore::{
    Agent, Buf, Decision, Game, Limits, MachineFault, Notation, Reading, Rng, Seat, Turn,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::config::ProgramConfig;
use crate::process::{Heard, LONGEST_LINE, Process};

/// The name of the present form of what is said.
const SCHEMA: &str = "warroom-exec-1";

/// How often a wait looks for a stop from outside.
const STEP: Duration = Duration::from_millis(10);

/// Time to end after the game, by itself.
const GRACE: Duration = Duration::from_millis(500);

/// How much of what a program says is repeated in messages.
const SHOWN: usize = 100;

/// Plays as a program says. It is started with the first decision, so that an agent which is never
/// asked costs nothing.
pub struct ProgramAgent {
    config: ProgramConfig,
    seed: u64,
    process: Option<Process>,
    failure: Option<String>,
}

/// What a program answers; it may say more.
#[derive(Deserialize)]
struct Answer {
    action: String,
    #[serde(default)]
    value: Option<f64>,
}

/// Why there is no answer.
enum NoAnswer {
    /// Somebody asked to stop.
    Stopped,
    /// The chess clock ran out: the game is lost, and nothing is wrong with it.
    FlagFell,
    /// What the program did, as the end of a sentence about it.
    Failed(String),
}

/// A decision to be made.
struct Question<'a, G: Game> {
    seat: Seat,
    view: &'a G::View,
    /// Legal actions in the game's order.
    legal: Vec<(String, G::Action)>,
}

impl ProgramAgent {
    /// An agent for one game.
    #[must_use]
    pub fn new(config: ProgramConfig, seed: u64) -> Self {
        Self { config, seed, process: None, failure: None }
    }

    fn ask<G: Notation>(
        &mut self,
        game: &G,
        question: &Question<'_, G>,
        limits: &Limits<'_, G::Action>,
    ) -> Result<Decision<G::Action>, NoAnswer> {
        let begun = limits.clock.now();
        self.start(game, question.seat)?;
        let process = self.process.as_ref().expect("started above");
        match process.hear(Duration::ZERO) {
            Some(Heard::Line { text, .. }) => {
                let what = format!("said {} without being asked", shown(&text));
                return Err(NoAnswer::Failed(what));
            }
            Some(heard) => return Err(self.not_a_line(&heard)),
            None => {}
        }
        process.say(decide_line(game, question, self.config.limit, limits));
        let line = self.wait(begun, limits)?;
        read_answer(&line, question)
    }

    /// Starts the program unless it runs, and tells it about the game.
    fn start<G: Notation>(&mut self, game: &G, seat: Seat) -> Result<(), NoAnswer> {
        if self.process.is_some() {
            return Ok(());
        }
        let process = Process::start(&self.config.words).or_else(|error| {
            let reason = format!("cannot be started: {error}");
            if is_its_own_fault(&error) {
                return Err(NoAnswer::Failed(reason));
            }
            MachineFault(format!("the program '{}' {reason}", self.config.command)).raise()
        })?;
        process.say(line(&json!({
            "type": "game",
            "schema": SCHEMA,
            "game": G::NAME,
            "rules": game.rules_text(),
            "seat": seat.index(),
            "seed": self.seed,
        })));
        self.process = Some(process);
        Ok(())
    }

    /// Waits for one line, and no longer than allowed.
    fn wait<A>(&mut self, begun: Duration, limits: &Limits<'_, A>) -> Result<String, NoAnswer> {
        let process = self.process.as_ref().expect("only running programs are waited for");
        loop {
            let elapsed = limits.clock.now().saturating_sub(begun);
            let left = self.config.limit.saturating_sub(elapsed);
            match process.hear(left.min(STEP)) {
                Some(Heard::Line { text, more: false }) => return Ok(text),
                Some(Heard::Line { text, more: true }) => {
                    let what =
                        format!("said more than one line, the first of them {}", shown(&text));
                    return Err(NoAnswer::Failed(what));
                }
                Some(heard) => return Err(self.not_a_line(&heard)),
                None => {}
            }
            if limits.stop.is_stopped() {
                return Err(NoAnswer::Stopped);
            }
            let elapsed = limits.clock.now().saturating_sub(begun);
            if limits.time_left.is_some_and(|left| elapsed > left.remaining) {
                return Err(NoAnswer::FlagFell);
            }
            if elapsed >= self.config.limit {
                let ms = self.config.limit.as_millis();
                return Err(NoAnswer::Failed(format!("answered nothing within {ms} ms")));
            }
        }
    }

    /// What came instead of a line.
    fn not_a_line(&mut self, heard: &Heard) -> NoAnswer {
        NoAnswer::Failed(match heard {
            Heard::NotText => "said something that is not UTF-8".to_owned(),
            Heard::TooLong => format!("said a line of more than {LONGEST_LINE} bytes"),
            Heard::Line { .. } | Heard::Closed => {
                // A program that has ended can be told from one that only says nothing any more.
                match self.process.as_mut().and_then(|process| process.end(GRACE)) {
                    Some(status) => format!("ended in mid-game ({status})"),
                    None => "closed its output in mid-game".to_owned(),
                }
            }
        })
    }

    /// Remembers what happened and ends the program.
    fn give_up(&mut self, what: &str) {
        let mut reason = format!("the program '{}' {what}", self.config.command);
        if let Some(mut process) = self.process.take() {
            process.end(Duration::ZERO);
            let words = process.last_words();
            if !words.is_empty() {
                reason += &format!("; its last message was {}", shown(&words));
            }
        }
        self.failure = Some(reason);
    }
}

impl<G: Notation> Agent<G> for ProgramAgent {
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        // Actions and whose turn it is depend on the view alone, so any consistent state will do.
        let state = game.sample(view, &mut Rng::new(0));
        let Turn::Player(seat) = game.turn(&state) else {
            unreachable!("agents are asked when a seat is to act")
        };
        let mut actions = Buf::new();
        game.actions(&state, &mut actions);
        let named = |&action: &G::Action| (game.action_text(&state, action), action);
        let question = Question { seat, view, legal: actions.iter().map(named).collect() };
        if self.failure.is_none() {
            match self.ask(game, &question, limits) {
                Ok(decision) => return decision,
                Err(NoAnswer::Failed(what)) => self.give_up(&what),
                Err(NoAnswer::Stopped) => self.give_up("was stopped before it answered"),
                Err(NoAnswer::FlagFell) => self.process = None,
            }
        }
        // Whoever asked hears of the failure, or has seen the flag fall.
        Decision { complete: false, ..Decision::plain(actions[0]) }
    }

    fn failure(&self) -> Option<String> {
        self.failure.clone()
    }
}

impl Drop for ProgramAgent {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.say(line(&json!({ "type": "end" })));
            process.end(GRACE);
        }
    }
}

/// A file that is no program or may not be run; everything else is the machine's.
fn is_its_own_fault(error: &io::Error) -> bool {
    /// Not in a form that can be run.
    const NO_PROGRAM: i32 = 8;
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
        || cfg!(unix) && error.raw_os_error() == Some(NO_PROGRAM)
}

fn line(message: &Value) -> String {
    format!("{message}\n")
}

fn decide_line<G: Notation>(
    game: &G,
    question: &Question<'_, G>,
    limit: Duration,
    limits: &Limits<'_, G::Action>,
) -> String {
    // A key of its own: a text with gaps is no position that could be searched.
    let key = if game.traits().hidden { "known" } else { "position" };
    let legal: Vec<&str> = question.legal.iter().map(|(text, _)| text.as_str()).collect();
    let mut message = json!({
        "type": "decide",
        "view": { key: game.view_text(question.view), "seat": question.seat.index() },
        "legal": legal,
        "ms": whole_ms(limit),
    });
    if let Some(left) = limits.time_left {
        message["time_left"] = json!({
            "remaining_ms": whole_ms(left.remaining),
            "increment_ms": whole_ms(left.increment),
        });
    }
    line(&message)
}

fn whole_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn read_answer<G: Notation>(
    line: &str,
    question: &Question<'_, G>,
) -> Result<Decision<G::Action>, NoAnswer> {
    let answer: Answer = serde_json::from_str(line).map_err(|error| {
        let line = shown(line);
        let form = "which is not an answer such as {\"action\":\"…\"}";
        NoAnswer::Failed(format!("said {line}, {form}: {error}"))
    })?;
    let found = question.legal.iter().find(|(text, _)| *text == answer.action);
    let (_, action) = found.ok_or_else(|| {
        let (chosen, legal) = (shown(&answer.action), question.legal.len());
        let first = question.legal.first().map_or("", |(text, _)| text);
        let wrong = format!("none of the {legal} legal actions (the first is '{first}')");
        NoAnswer::Failed(format!("chose {chosen}, which is {wrong}"))
    })?;
    let reading = if answer.value.is_some() { Reading::Own } else { Reading::None };
    Ok(Decision { value: answer.value, reading, ..Decision::plain(*action) })
}

/// The beginning of what a program said, fit for a terminal.
fn shown(text: &str) -> String {
    let text = text.trim();
    let mut beginning: String = text.chars().take(SHOWN).collect();
    if beginning.len() < text.len() {
        beginning.push('…');
    }
    // Between marks, with whatever a terminal would obey written out.
    format!("'{}'", beginning.chars().map(plain).collect::<String>())
}

fn plain(letter: char) -> String {
    if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() }
}
