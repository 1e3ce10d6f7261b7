//! Playing one game.

use std::time::Duration;

use gamecore::{
    Agent, Buf, Clock, Counters, Decision, Ending, Limits, Notation, Outcome, Rng, Seat, StopToken,
    Turn, draw_outcome, key, math::ln,
};

use crate::clock::{ChessClock, TimeControl};
use crate::record::{DecisionRecord, GameRecord, SCHEMA, Seeds, Timing};

/// The circumstances of one game.
#[derive(Clone)]
pub struct GameOptions<'a> {
    /// The seeds; the referee itself uses only the one of chance.
    pub seeds: Seeds,
    /// The names of the agents for the record, by seat.
    pub agents: [String; 2],
    /// After this many actions of players the game is drawn.
    pub max_actions: usize,
    /// The chess clock, if there is one.
    pub time: Option<TimeControl>,
    /// Where time comes from.
    pub clock: &'a dyn Clock,
    /// Stops the game from outside.
    pub stop: StopToken,
    /// Whether the record tells what the agents said.
    pub log_decisions: bool,
    /// Whether the record tells the time used.
    pub log_timing: bool,
}

impl<'a> GameOptions<'a> {
    /// A game without chess clock, logs or seeds, of at most 10 000 actions.
    #[must_use]
    pub fn new(clock: &'a dyn Clock) -> Self {
        Self {
            seeds: Seeds::default(),
            agents: ["seat 0".to_owned(), "seat 1".to_owned()],
            max_actions: 10_000,
            time: None,
            clock,
            stop: StopToken::default(),
            log_decisions: false,
            log_timing: false,
        }
    }
}

/// News from a game that is played.
pub enum Event<'a, G: Notation> {
    /// The game begins.
    Start {
        /// The start position.
        state: &'a G::State,
    },
    /// A seat is about to be asked. Not sent for forced actions.
    Thinking {
        /// Who thinks.
        seat: Seat,
        /// The position.
        state: &'a G::State,
    },
    /// A player acted.
    Action {
        /// Who acted.
        seat: Seat,
        /// The action.
        action: G::Action,
        /// How many were legal.
        options: usize,
        /// What the agent said; `None` for a forced action.
        decision: Option<&'a Decision<G::Action>>,
        /// Time used.
        elapsed: Duration,
        /// The position in which the action was chosen.
        before: &'a G::State,
        /// The position after it.
        after: &'a G::State,
    },
    /// Chance decided.
    Chance {
        /// What happened.
        outcome: G::Action,
        /// The position before it.
        before: &'a G::State,
        /// The position after it.
        after: &'a G::State,
    },
    /// The game has ended.
    End {
        /// The last position.
        state: &'a G::State,
        /// Who won.
        outcome: Outcome,
        /// By what.
        reason: &'a Ending,
    },
}

/// Plays one game from `start` between two agents, given by seat, and returns its record.
///
/// Agents see their view, never the state. A single legal action is played without asking. An
/// illegal action and a failed agent make the game void. Chance event number `e`, counted from 0, is drawn from
/// `Rng::new(key::fold(seeds.chance, e))`, so games with one seed see the same draws event by event
/// however they differ otherwise.
pub fn play_game<G: Notation>(
    game: &G,
    start: G::State,
    mut agents: [&mut dyn Agent<G>; 2],
    options: &GameOptions<'_>,
    observer: &mut dyn FnMut(&Event<'_, G>),
) -> GameRecord {
    let mut under_way = UnfinishedGame {
        game,
        options,
        observer,
        chess_clock: options.time.map(ChessClock::new),
        record: empty_record(game, &start, options),
        state: start,
    };
    (under_way.observer)(&Event::Start { state: &under_way.state });
    let (outcome, reason) = under_way.play_to_end(&mut agents);
    (under_way.observer)(&Event::End { state: &under_way.state, outcome, reason: &reason });
    GameRecord { outcome, reason, ..under_way.record }
}

fn empty_record<G: Notation>(game: &G, start: &G::State, options: &GameOptions<'_>) -> GameRecord {
    let timing = || Timing {
        control: options.time.map(|control| control.to_string()),
        seconds: [Vec::new(), Vec::new()],
    };
    GameRecord {
        schema: SCHEMA.to_owned(),
        game: G::NAME.to_owned(),
        rules: game.rules_text(),
        start: game.position_text(start),
        seeds: options.seeds,
        agents: options.agents.clone(),
        actions: Vec::new(),
        chance: Vec::new(),
        outcome: Outcome::Unfinished,
        reason: Ending::Interrupted,
        decisions: options.log_decisions.then(Vec::new),
        timing: options.log_timing.then(timing),
    }
}

/// A game under way.
struct UnfinishedGame<'a, 'o, G: Notation> {
    game: &'a G,
    options: &'a GameOptions<'o>,
    observer: &'a mut dyn FnMut(&Event<'_, G>),
    chess_clock: Option<ChessClock>,
    record: GameRecord,
    state: G::State,
}

impl<G: Notation> UnfinishedGame<'_, '_, G> {
    fn play_to_end(&mut self, agents: &mut [&mut dyn Agent<G>; 2]) -> (Outcome, Ending) {
        loop {
            match self.game.turn(&self.state) {
                Turn::Over => {
                    let payoff = self.game.payoff(&self.state, Seat::Zero);
                    let ending = Ending::Rules(self.game.ending(&self.state));
                    return (Outcome::of_payoff(payoff), ending);
                }
                Turn::Chance => self.draw_chance(),
                Turn::Player(seat) => {
                    if self.record.actions.len() >= self.options.max_actions {
                        return (Outcome::Draw, Ending::ActionLimit(self.options.max_actions));
                    }
                    if let Err(end) = self.player_acts(seat, &mut *agents[seat.index()]) {
                        return end;
                    }
                }
            }
        }
    }

    fn draw_chance(&mut self) {
        let event = self.record.chance.len() as u64;
        let seed = self.options.seeds.chance;
        let outcome = chance_outcome(self.game, &self.state, seed, event);
        self.record.chance.push(self.game.action_text(&self.state, outcome));
        let before = self.state.clone();
        self.game.apply(&mut self.state, outcome);
        (self.observer)(&Event::Chance { outcome, before: &before, after: &self.state });
    }

    /// One action of a seat, or how the game ends instead.
    fn player_acts(
        &mut self,
        seat: Seat,
        agent: &mut dyn Agent<G>,
    ) -> Result<(), (Outcome, Ending)> {
        if self.options.stop.is_stopped() {
            return Err((Outcome::Unfinished, Ending::Interrupted));
        }
        let mut actions = Buf::new();
        self.game.actions(&self.state, &mut actions);
        let (action, decision, elapsed) = if actions.len() == 1 {
            (actions[0], None, Duration::ZERO)
        } else {
            let (decision, elapsed) = self.ask(seat, agent);
            // A stopped search answers too early; its answer would not repeat.
            if self.options.stop.is_stopped() {
                return Err((Outcome::Unfinished, Ending::Interrupted));
            }
            if let Some(failure) = agent.failure() {
                let failed = Ending::Failed(format!("({seat}): {failure}"));
                return Err((Outcome::Void, failed));
            }
            if actions.binary_search(&decision.action).is_err() {
                return Err((Outcome::Void, self.illegal(seat, decision.action)));
            }
            (decision.action, Some(decision), elapsed)
        };
        self.press_clock(seat, elapsed)?;
        self.note(seat, action, decision.as_ref(), elapsed);
        let before = self.state.clone();
        self.game.apply(&mut self.state, action);
        (self.observer)(&Event::Action {
            seat,
            action,
            options: actions.len(),
            decision: decision.as_ref(),
            elapsed,
            before: &before,
            after: &self.state,
        });
        Ok(())
    }

    fn ask(&mut self, seat: Seat, agent: &mut dyn Agent<G>) -> (Decision<G::Action>, Duration) {
        (self.observer)(&Event::Thinking { seat, state: &self.state });
        let view = self.game.view(&self.state, seat);
        let limits = Limits {
            clock: self.options.clock,
            stop: &self.options.stop,
            time_left: self.chess_clock.as_ref().map(|it| it.time_left(seat, Duration::ZERO)),
            progress: None,
            tree_nodes: 0,
        };
        let begun = self.options.clock.now();
        let decision = agent.decide(self.game, &view, &limits);
        (decision, self.options.clock.now().saturating_sub(begun))
    }

    fn illegal(&self, seat: Seat, action: G::Action) -> Ending {
        Ending::Illegal(format!(
            "agent '{}' ({seat}) chose {action:?} in position '{}'",
            self.options.agents[seat.index()],
            self.game.position_text(&self.state)
        ))
    }

    /// Takes the time used from the seat's clock; a seat that used more than it had has lost.
    fn press_clock(&mut self, seat: Seat, elapsed: Duration) -> Result<(), (Outcome, Ending)> {
        let in_time = self.chess_clock.as_mut().is_none_or(|clock| clock.press(seat, elapsed));
        if in_time { Ok(()) } else { Err((Outcome::won_by(seat.other()), Ending::Time)) }
    }

    /// Writes an action, not yet applied, into the record.
    fn note(
        &mut self,
        seat: Seat,
        action: G::Action,
        decision: Option<&Decision<G::Action>>,
        elapsed: Duration,
    ) {
        let text = self.game.action_text(&self.state, action);
        if let Some(decisions) = &mut self.record.decisions {
            let continuation = decision.map_or(&[][..], |made| &made.principal_variation);
            decisions.push(DecisionRecord {
                seat: seat.index(),
                action: text.clone(),
                forced: decision.is_none(),
                // JSON has no infinities.
                value: decision.and_then(|made| made.value).filter(|value| value.is_finite()),
                depth: decision.map_or(0, |made| made.depth),
                entropy: decision.and_then(visit_entropy),
                counters: decision.map_or_else(Counters::default, |made| made.counters),
                principal_variation: playable_texts(self.game, &self.state, continuation),
            });
        }
        if let Some(timing) = &mut self.record.timing {
            timing.seconds[seat.index()].push(elapsed.as_secs_f64());
        }
        self.record.actions.push(text);
    }
}

/// Entropy of the visits at the root in bits, to six digits; `None` for agents that count nodes
/// instead, which say nothing about preference.
fn visit_entropy<A>(decision: &Decision<A>) -> Option<f64> {
    let visits = || decision.root.iter().map(|action| action.visits as f64);
    let all: f64 = visits().sum();
    if decision.counters.iterations == 0 || all == 0.0 {
        return None;
    }
    let part = |count: f64| if count == 0.0 { 0.0 } else { count / all * ln(count / all) };
    let bits = visits().map(part).sum::<f64>() / -ln(2.0);
    // Six digits are enough, and keep records short; adding 0 turns −0 into 0.
    Some((bits * 1e6).round() / 1e6 + 0.0)
}

/// What happens at chance event number `event` of a game: a function of seed and number alone.
pub(crate) fn chance_outcome<G: Notation>(
    game: &G,
    state: &G::State,
    seed: u64,
    event: u64,
) -> G::Action {
    draw_outcome(game, state, &mut Rng::new(key::fold(seed, event)))
}

/// The texts of a continuation. Where something is hidden it ends with the turn of the seat that
/// thought: beyond, an agent expects actions of a position it only imagined, and which of them are
/// possible in the true position would tell what the other seat has.
fn playable_texts<G: Notation>(
    game: &G,
    state: &G::State,
    continuation: &[G::Action],
) -> Vec<String> {
    let (hidden, turn) = (game.traits().hidden, game.turn(state));
    let mut state = state.clone();
    let mut texts = Vec::new();
    for &action in continuation {
        if hidden && game.turn(&state) != turn {
            break;
        }
        let before = state.clone();
        if gamecore::play(game, &mut state, action).is_err() {
            break;
        }
        texts.push(game.action_text(&before, action));
    }
    texts
}
