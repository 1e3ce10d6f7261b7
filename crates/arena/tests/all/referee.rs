//! The referee, on toy games.

use std::time::Duration;

use arena::{Event, GameOptions, Seeds, TimeControl, play_game, replay};
use gamecore::RandomAgent;
use gamecore::{
    Agent, Buf, Decision, Game, Limits, Notation, Outcome, Rng, Seat, StopToken, TimeLeft,
};
use testkit::CountingClock;
use testkit::toys::{DiceRace, MiniPoker, StagedNim, TicTacToe};

fn counting_clock() -> CountingClock {
    CountingClock::new(Duration::from_secs(1))
}

/// Does what a function says; the function also gets the chess clock.
struct Scripted<F>(F);

impl<G: Game, F> Agent<G> for Scripted<F>
where
    F: FnMut(&G, &G::View, Option<TimeLeft>) -> G::Action + Send,
{
    fn decide(
        &mut self,
        game: &G,
        view: &G::View,
        limits: &Limits<'_, G::Action>,
    ) -> Decision<G::Action> {
        Decision::plain((self.0)(game, view, limits.time_left))
    }
}

fn first_action<G>(game: &G, view: &G::State, _time: Option<TimeLeft>) -> G::Action
where
    G: Game,
{
    let mut actions = Buf::new();
    game.actions(view, &mut actions);
    actions[0]
}

fn start<G: Game>(game: &G) -> G::State {
    game.start(&G::Setup::default(), &mut Rng::new(1))
}

#[test]
fn a_whole_game_is_recorded() {
    let clock = counting_clock();
    let options = GameOptions { log_decisions: true, log_timing: true, ..GameOptions::new(&clock) };
    let (mut zero, mut one) = (Scripted(first_action), Scripted(first_action));
    let mut events = Vec::new();
    let record =
        play_game(&TicTacToe, start(&TicTacToe), [&mut zero, &mut one], &options, &mut |event| {
            events.push(match event {
                Event::Start { .. } => 's',
                Event::Thinking { .. } => 't',
                Event::Action { .. } => 'a',
                Event::Chance { .. } => 'c',
                Event::End { .. } => 'e',
            });
        });
    assert_eq!(record.actions, ["a1", "b1", "c1", "a2", "b2", "c2", "a3"]);
    assert_eq!((record.outcome, &record.reason), (Outcome::SeatZero, &"seat 0 wins".into()));
    assert_eq!(events.iter().collect::<String>(), "statatatatatatae");
    let decisions = record.decisions.as_ref().expect("asked for");
    assert_eq!(decisions.iter().map(|made| made.seat).collect::<Vec<_>>(), [0, 1, 0, 1, 0, 1, 0]);
    assert_eq!(decisions[2].principal_variation, ["c1"]);
    let timing = record.timing.as_ref().expect("asked for");
    assert_eq!(timing.seconds, [vec![1.0; 4], vec![1.0; 3]]);
    let replayed = replay(&TicTacToe, &record).expect("it was just played");
    assert_eq!(TicTacToe.position_text(replayed.final_state()), "xoxoxox..");
}

#[test]
fn an_illegal_action_voids_the_game() {
    let clock = counting_clock();
    let options = GameOptions {
        agents: ["honest".to_owned(), "cheat".to_owned()],
        ..GameOptions::new(&clock)
    };
    let mut cheat = Scripted(|_: &TicTacToe, _: &_, _| 0u8);
    let mut honest = Scripted(first_action);
    let record =
        play_game(&TicTacToe, start(&TicTacToe), [&mut honest, &mut cheat], &options, &mut |_| {});
    assert_eq!(record.outcome, Outcome::Void);
    assert_eq!(
        record.reason,
        "illegal action: agent 'cheat' (seat 1) chose 0 in position 'x........'".into()
    );
    assert_eq!(record.actions, ["a1"]);
    assert!(replay(&TicTacToe, &record).is_ok());
}

/// Every question takes one second by the counting clock.
#[test]
fn a_fallen_flag_loses() {
    let clock = counting_clock();
    let time: TimeControl = "2.5+0".parse().expect("a time control");
    let options = GameOptions { time: Some(time), log_timing: true, ..GameOptions::new(&clock) };
    let mut times = Vec::new();
    let mut zero = Scripted(|game: &TicTacToe, view: &_, time: Option<TimeLeft>| {
        times.push(time.expect("there is a chess clock").remaining.as_millis());
        first_action(game, view, time)
    });
    let mut one = Scripted(first_action);
    let record =
        play_game(&TicTacToe, start(&TicTacToe), [&mut zero, &mut one], &options, &mut |_| {});
    assert_eq!((record.outcome, &record.reason), (Outcome::SeatOne, &"time".into()));
    assert_eq!(record.actions.len(), 4, "the third action of seat 0 came too late");
    assert_eq!(times, [2500, 1500, 500]);
    assert_eq!(record.timing.as_ref().expect("asked for").control.as_deref(), Some("2.5+0"));
    assert!(replay(&TicTacToe, &record).is_ok());
}

#[test]
fn the_increment_saves_from_the_flag() {
    let clock = counting_clock();
    let time: TimeControl = "2.5+1".parse().expect("a time control");
    let options = GameOptions { time: Some(time), ..GameOptions::new(&clock) };
    let (mut zero, mut one) = (Scripted(first_action), Scripted(first_action));
    let record =
        play_game(&TicTacToe, start(&TicTacToe), [&mut zero, &mut one], &options, &mut |_| {});
    assert_eq!(record.reason, "seat 0 wins".into());
}

#[test]
fn too_many_actions_are_a_draw() {
    let clock = counting_clock();
    let options = GameOptions { max_actions: 3, ..GameOptions::new(&clock) };
    let (mut zero, mut one) = (RandomAgent::new(1), RandomAgent::new(2));
    let record =
        play_game(&DiceRace, start(&DiceRace), [&mut zero, &mut one], &options, &mut |_| {});
    assert_eq!((record.outcome, &record.reason), (Outcome::Draw, &"action limit 3".into()));
    assert_eq!(record.actions.len(), 3);
    assert!(replay(&DiceRace, &record).is_ok());
}

#[test]
fn a_stop_leaves_the_game_unfinished() {
    let clock = counting_clock();
    let stop = StopToken::default();
    let options = GameOptions { stop: stop.clone(), ..GameOptions::new(&clock) };
    let mut asked = 0;
    let mut zero = Scripted(|game: &TicTacToe, view: &_, time| {
        asked += 1;
        if asked == 2 {
            stop.stop();
        }
        first_action(game, view, time)
    });
    let mut one = Scripted(first_action);
    let record =
        play_game(&TicTacToe, start(&TicTacToe), [&mut zero, &mut one], &options, &mut |_| {});
    assert_eq!((record.outcome, &record.reason), (Outcome::Unfinished, &"interrupted".into()));
    assert_eq!(record.actions, ["a1", "b1"], "the answer of a stopped search does not count");
    assert!(replay(&TicTacToe, &record).is_ok());
}

/// One heap of one: both decisions are forced, and nobody is asked.
#[test]
fn forced_actions_are_played_without_asking() {
    let clock = counting_clock();
    let options = GameOptions { log_decisions: true, log_timing: true, ..GameOptions::new(&clock) };
    let game = StagedNim::new(&[1]);
    let never = |_: &StagedNim, _: &_, _| panic!("there is nothing to decide");
    let (mut zero, mut one) = (Scripted(never), Scripted(never));
    let record = play_game(&game, start(&game), [&mut zero, &mut one], &options, &mut |_| {});
    assert_eq!(record.actions, ["heap1", "take1"]);
    assert_eq!(record.outcome, Outcome::SeatZero);
    assert!(record.decisions.expect("asked for").iter().all(|made| made.forced));
    assert_eq!(record.timing.expect("asked for").seconds, [vec![0.0; 2], vec![]]);
    assert_eq!(clock.looks(), 0);
}

/// Different agents, one chance seed: the same rolls event by event.
#[test]
fn chance_depends_on_its_seed_and_event_alone() {
    let clock = counting_clock();
    let play = |chance, agent_seed| {
        let seeds = Seeds { chance, ..Seeds::default() };
        let options = GameOptions { seeds, ..GameOptions::new(&clock) };
        let (mut zero, mut one) = (RandomAgent::new(agent_seed), RandomAgent::new(agent_seed + 1));
        play_game(&DiceRace, start(&DiceRace), [&mut zero, &mut one], &options, &mut |_| {})
    };
    let (first, second, other) = (play(5, 10), play(5, 20), play(6, 10));
    assert_ne!(first.actions, second.actions, "the agents should differ for this test");
    let common = first.chance.len().min(second.chance.len());
    assert!(common > 5);
    assert_eq!(first.chance[..common], second.chance[..common]);
    assert_ne!(first.chance, other.chance);
    assert_eq!(first, play(5, 10));
}

#[test]
fn hidden_cards_stay_hidden() {
    let clock = counting_clock();
    let options = GameOptions::new(&clock);
    let state = start(&MiniPoker);
    let mut seen = Vec::new();
    let mut zero = Scripted(|game: &MiniPoker, view: &<MiniPoker as Game>::View, _| {
        seen.push(view.clone());
        let mut actions = Buf::new();
        game.actions(&game.sample(view, &mut Rng::new(0)), &mut actions);
        actions[0]
    });
    let mut one = RandomAgent::new(1);
    let record = play_game(&MiniPoker, state.clone(), [&mut zero, &mut one], &options, &mut |_| {});
    assert_eq!(seen[0], MiniPoker.view(&state, Seat::Zero));
    assert!(record.outcome.winner().is_some() || record.outcome == Outcome::Draw);
    assert!(replay(&MiniPoker, &record).is_ok());
}

/// Plays legally and says of its second decision that it failed.
struct Failing(u32);

impl Agent<TicTacToe> for Failing {
    fn decide(
        &mut self,
        game: &TicTacToe,
        view: &<TicTacToe as Game>::View,
        limits: &Limits<'_, u8>,
    ) -> Decision<u8> {
        self.0 += 1;
        Decision::plain(first_action(game, view, limits.time_left))
    }

    fn failure(&self) -> Option<String> {
        (self.0 == 2).then(|| "the program 'x' ended".to_owned())
    }
}

#[test]
fn a_failed_agent_voids_the_game() {
    let clock = counting_clock();
    let options = GameOptions::new(&clock);
    let (mut honest, mut failing) = (Scripted(first_action), Failing(0));
    let agents: [&mut dyn Agent<TicTacToe>; 2] = [&mut honest, &mut failing];
    let record = play_game(&TicTacToe, start(&TicTacToe), agents, &options, &mut |_| {});
    assert_eq!(record.outcome, Outcome::Void);
    assert_eq!(record.reason, "agent failed (seat 1): the program 'x' ended".into());
    assert_eq!(record.actions, ["a1", "b1", "c1"], "what it said last is not played");
    assert!(replay(&TicTacToe, &record).is_ok());
    // Whoever stops a game has not found a failure.
    let stopped = GameOptions::new(&clock);
    stopped.stop.stop();
    let (mut honest, mut failing) = (Scripted(first_action), Failing(1));
    let agents: [&mut dyn Agent<TicTacToe>; 2] = [&mut failing, &mut honest];
    let record = play_game(&TicTacToe, start(&TicTacToe), agents, &stopped, &mut |_| {});
    assert_eq!(record.outcome, Outcome::Unfinished);
}
