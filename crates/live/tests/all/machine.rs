//! Random people, agents, times and accidents, with a model beside the machine.

use arena::Seeds;
use gamecore::{Ending, Seat};
use live::KeptGame;
use proptest::prelude::*;
use protocol::{Clock, GameState, NewGame, Player};
use registry::Session;

use crate::host::{Happening, Host, agent, asked, happening, person};

const GAMES: [&str; 5] = ["tic-tac-toe", "staged-nim", "dice-race", "mini-poker", "othello"];

fn new_game() -> impl Strategy<Value = NewGame> {
    let clock =
        prop::option::of((1_u32..5, 0_u32..3).prop_map(|(total_seconds, increment_seconds)| {
            Clock { total_seconds, increment_seconds }
        }));
    (prop::sample::select(&GAMES[..]), 0_u8..4, clock).prop_map(|(game, people, clock)| {
        let seat = |seat: u8| if people >> seat & 1 != 0 { person() } else { agent("random") };
        asked(game, [seat(0), seat(1)], clock)
    })
}

/// What the machine should say of the rules: the same actions in a session of its own.
struct Model {
    actions: Vec<String>,
}

impl Model {
    fn session(&self, asked: &NewGame, seeds: Seeds, start: &str) -> Box<dyn Session> {
        let game = standard::registry().open(&asked.game, &asked.rules).unwrap();
        let mut session = game.open(start, seeds).unwrap();
        self.actions.iter().for_each(|action| session.apply(action).unwrap());
        session
    }
}

fn actions(state: &GameState) -> Vec<String> {
    state.history.iter().map(|ply| ply.action.clone()).collect()
}

fn is_person(asked: &NewGame, seat: u8) -> bool {
    matches!(asked.seats[usize::from(seat)], Player::Human { .. })
}

fn left(state: &GameState) -> [u64; 2] {
    state.clock.as_ref().map_or([u64::MAX / 2; 2], |clock| clock.left_ms)
}

/// Which happenings let people act.
fn person_may_act(happening: &Happening) -> bool {
    matches!(happening, Happening::Plays { .. } | Happening::PlaysNonsense | Happening::Redoes)
}

/// What must hold between two states, whatever happened.
fn check_step(asked: &NewGame, before: &GameState, after: &GameState, happening: &Happening) {
    let (old, new) = (actions(before), actions(after));
    assert!(after.version >= before.version, "versions shrink");
    if old != new || before.ending != after.ending {
        assert!(after.version > before.version, "a change without a new version");
    }
    // Nobody moves out of turn: a session of its own agrees about whose turn each action was.
    let common = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    for ply in &after.history[common..] {
        let persons = is_person(asked, ply.seat);
        assert!(!persons || person_may_act(happening), "{happening:?} acted for a person: {ply:?}");
    }
    if matches!(happening, Happening::Plays { stale: true, .. } | Happening::PlaysNonsense) {
        assert_eq!(old, new, "{happening:?} was played");
    }
    // Time never grows but by the increment of a turn that ended.
    let turns_ended = |seat: u8| {
        let acts = |state: &GameState| state.history.iter().filter(|ply| ply.seat == seat).count();
        acts(after).saturating_sub(acts(before)) as u64
    };
    for seat in [0, 1_u8] {
        let increment = asked.clock.map_or(0, |clock| u64::from(clock.increment_seconds) * 1000);
        let most = left(before)[usize::from(seat)] + increment * turns_ended(seat);
        assert!(left(after)[usize::from(seat)] <= most, "time of seat {seat} grew: {happening:?}");
    }
    if asked.clock.is_some() && asked.seats.iter().any(|seat| *seat == person()) {
        assert!(!after.can_undo, "time would come back");
    }
}

/// What must hold of one state.
fn check_state(asked: &NewGame, host: &Host, state: &GameState) {
    let record = host.live.session().record(Default::default());
    let model = Model { actions: actions(state) };
    let session = model.session(asked, record.seeds, &record.start);
    assert_eq!(
        session.position(),
        host.live.session().position(),
        "the history tells another game"
    );
    let given_up =
        matches!(host.live.session().ending(), Some((_, Ending::Resigned | Ending::Time)));
    let to_act = session.to_act().filter(|_| !given_up);
    assert_eq!(state.to_act, to_act.map(|seat| seat.index() as u8));
    assert_eq!(state.ending.is_some(), to_act.is_none());
    let persons = to_act.is_some_and(|seat| is_person(asked, seat.index() as u8));
    assert_eq!(state.human_to_act, persons);
    assert_eq!(state.scene.choices.is_empty(), !persons, "who may choose");
    assert_eq!(state.thinking, host.thinks());
    if to_act.is_none() {
        assert!(!state.thinking && !state.pondering && host.live.deadline().is_none());
    }
    // Somebody who looks sees the game as it is.
    if let Some(shown) = host.shown.as_ref().filter(|_| host.watching > 0) {
        assert_eq!(shown.version, state.version, "what is shown is old");
        assert_eq!(actions(shown), actions(state));
    }
    if state.hidden && persons {
        assert!(state.position.is_none(), "the position tells what is hidden");
    }
}

/// Taking back and playing again leaves the game as it was, or further where agents went on.
fn check_undo_redo(host: &mut Host) {
    let before = actions(&host.state());
    let resigned = matches!(host.live.session().ending(), Some((_, Ending::Resigned)));
    host.happens(&Happening::Undoes);
    let undone = host.state();
    if resigned || !undone.can_redo || actions(&undone).len() >= before.len() {
        return;
    }
    host.happens(&Happening::Redoes);
    let after = actions(&host.state());
    assert!(after.starts_with(&before), "{before:?} became {after:?}");
}

/// A game that is kept and read again is the same game.
fn check_kept(host: &Host, state: &GameState) {
    let Some(kept) = &host.kept else { return };
    let read = KeptGame::read(kept.id.clone(), kept.created.clone(), &kept.body).unwrap();
    let again = read.open(1, &standard::registry()).unwrap().state_at(live::Moment::ZERO);
    assert_eq!(actions(&again), actions(state));
    assert_eq!((again.version, again.can_redo), (state.version, state.can_redo));
    assert_eq!((again.to_act, &again.ending), (state.to_act, &state.ending));
    assert_eq!(kept.over, state.to_act.is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_game_stays_sound(
        asked in new_game(),
        happenings in prop::collection::vec(happening(), 1..60),
    ) {
        let mut host = Host::new(asked.clone());
        host.happens(&Happening::Joins);
        for happening in &happenings {
            let before = host.state();
            host.happens(happening);
            let after = host.state();
            check_step(&asked, &before, &after, happening);
            check_state(&asked, &host, &after);
        }
        check_undo_redo(&mut host);
        let state = host.state();
        check_state(&asked, &host, &state);
        check_kept(&host, &state);
    }
}

#[test]
fn agents_alone_play_to_the_end_while_somebody_looks() {
    for game in GAMES {
        let mut host = Host::new(asked(game, [agent("random"), agent("random")], None));
        host.happens(&Happening::Joins);
        for _ in 0..2_000 {
            host.happens(&Happening::WorkEnds(0));
            host.happens(&Happening::WaitsForDeadline);
        }
        assert!(host.state().ending.is_some(), "{game}");
    }
}

#[test]
fn agents_know_the_time_they_have_left() {
    let clock = Clock { total_seconds: 60, increment_seconds: 0 };
    let mut host = Host::new(asked("othello", [person(), agent("pvs:depth=2")], Some(clock)));
    host.happens(&Happening::Joins);
    host.happens(&Happening::Waits(20_000));
    host.happens(&Happening::Plays { choice: 0, stale: false });
    assert!(host.thinks());
    host.happens(&Happening::WorkBegins(0));
    // An agent that may take a thirtieth of a minute is due after that.
    let due = host.live.deadline().unwrap() - host.now;
    assert!(due < live::Moment::from_secs(3), "{due:?}");
    host.happens(&Happening::Waits(5_000));
    host.happens(&Happening::WorkEnds(0));
    let clock = host.state().clock.unwrap();
    assert_eq!(clock.left_ms, [40_000, 55_000]);
    assert_eq!(clock.running, Some(Seat::Zero.index() as u8));
}
