//! Records: through text and back, and refused when they cannot have happened.

use std::time::Duration;

use arena::{GameOptions, GameRecord, RecordError, Seeds, TimeControl, play_game, replay};
use gamecore::RandomAgent;
use gamecore::{Agent, Buf, Counters, Decision, Game, Limits, Notation, Outcome, Rng};
use proptest::prelude::*;
use testkit::CountingClock;
use testkit::toys::{DiceRace, StagedNim, TicTacToe};

fn played<G: Notation>(game: &G, seed: u64) -> GameRecord {
    let clock = CountingClock::new(Duration::from_millis(7));
    let options = GameOptions {
        seeds: Seeds { start: seed, chance: u64::MAX - seed, agents: [seed, seed + 1] },
        time: Some(TimeControl {
            total: Duration::from_secs(10),
            increment: Duration::from_millis(100),
        }),
        log_decisions: true,
        log_timing: true,
        ..GameOptions::new(&clock)
    };
    let start = game.start(&G::Setup::default(), &mut Rng::new(seed));
    let (mut zero, mut one) = (RandomAgent::new(seed), RandomAgent::new(seed + 1));
    play_game(game, start, [&mut zero, &mut one], &options, &mut |_| {})
}

fn complaint<G: Notation>(game: &G, record: &GameRecord) -> String {
    replay(game, record).err().expect("the record was tampered with").to_string()
}

/// Says values that are hard to write down.
struct Talker;

impl Agent<TicTacToe> for Talker {
    fn decide(
        &mut self,
        game: &TicTacToe,
        view: &<TicTacToe as Game>::View,
        _limits: &Limits<'_, u8>,
    ) -> Decision<u8> {
        let mut actions = Buf::new();
        game.actions(view, &mut actions);
        Decision {
            value: Some(if actions.len() == 9 { f64::INFINITY } else { 0.1 + 0.2 }),
            depth: 3,
            counters: Counters { nodes: u64::MAX, ..Counters::default() },
            principal_variation: actions.iter().copied().chain([actions[0]]).collect(),
            ..Decision::plain(actions[0])
        }
    }
}

#[test]
fn decisions_come_back_from_text() {
    let clock = CountingClock::new(Duration::from_nanos(123_456_789));
    let options = GameOptions { log_decisions: true, log_timing: true, ..GameOptions::new(&clock) };
    let start = TicTacToe.start(&(), &mut Rng::new(0));
    let record = play_game(&TicTacToe, start, [&mut Talker, &mut Talker], &options, &mut |_| {});
    let decisions = record.decisions.as_ref().expect("asked for");
    assert_eq!(decisions[0].value, None, "JSON has no infinities");
    assert_eq!(decisions[1].value, Some(0.1 + 0.2));
    assert_eq!(decisions[0].principal_variation.len(), 7, "it ends where the game does");
    assert_eq!(GameRecord::from_json(&record.to_json()).expect("just written"), record);
}

#[test]
fn the_form_is_frozen() {
    let mut record = played(&StagedNim::new(&[1]), 3);
    let short = |record: &GameRecord| record.to_json().replace('"', "'");
    assert_eq!(
        short(&record),
        "{'schema':'warroom-game-1','game':'staged-nim','rules':'heaps=1','start':'1 0 0',\
         'seeds':{'start':3,'chance':18446744073709551612,'agents':[3,4]},\
         'agents':['seat 0','seat 1'],'actions':['heap1','take1'],'chance':[],\
         'outcome':'seat-0','reason':'seat 0 wins','decisions':[\
         {'seat':0,'action':'heap1','forced':true,'depth':0,'counters':{}},\
         {'seat':0,'action':'take1','forced':true,'depth':0,'counters':{}}],\
         'timing':{'control':'10+0.1','seconds':[[0.0,0.0],[]]}}"
    );
    (record.decisions, record.timing) = (None, None);
    assert!(short(&record).ends_with("'reason':'seat 0 wins'}"));
}

#[test]
fn foreign_texts_are_refused() {
    let record = played(&TicTacToe, 1);
    let other = GameRecord { schema: "warroom-game-2".to_owned(), ..record.clone() };
    let error = GameRecord::from_json(&other.to_json()).expect_err("another schema");
    assert!(matches!(error, RecordError::Schema { .. }));
    assert_eq!(
        error.to_string(),
        "game record: schema 'warroom-game-2', expected 'warroom-game-1'"
    );
    let unknown = record.to_json().replacen("\"game\"", "\"colour\":1,\"game\"", 1);
    let error = GameRecord::from_json(&unknown).expect_err("an unknown field").to_string();
    assert!(error.contains("colour"), "{error}");
}

#[test]
fn tampered_records_are_refused() {
    let record = played(&TicTacToe, 1);
    assert!(replay(&TicTacToe, &record).is_ok());
    let bare = GameRecord { decisions: None, timing: None, ..record.clone() };

    let mut wrong = bare.clone();
    wrong.actions[2] = wrong.actions[0].clone();
    let error = complaint(&TicTacToe, &wrong);
    let begin = format!("action 3 '{}' in position", wrong.actions[0]);
    assert!(error.starts_with(&begin) && error.contains("legal here: "), "{error}");

    let mut swapped = bare.clone();
    swapped.outcome =
        if bare.outcome == Outcome::SeatZero { Outcome::SeatOne } else { Outcome::SeatZero };
    let error = complaint(&TicTacToe, &swapped);
    assert!(error.contains(&format!("expected '{}' by", bare.outcome)), "{error}");

    let other_reason = GameRecord { reason: "boredom".into(), ..bare.clone() };
    assert!(complaint(&TicTacToe, &other_reason).contains("by 'boredom', expected"));

    let mut truncated = bare.clone();
    truncated.actions.pop();
    assert!(complaint(&TicTacToe, &truncated).contains("expected that the game goes on"));

    let mut extended = bare.clone();
    extended.actions.push("a1".to_owned());
    let error = complaint(&TicTacToe, &extended);
    assert!(error.ends_with("'a1': the game is over before it"), "{error}");

    let start = GameRecord { start: "xxxxxxxxx".to_owned(), ..bare.clone() };
    assert!(complaint(&TicTacToe, &start).starts_with("start: position 'xxxxxxxxx'"));

    let rules = GameRecord { rules: "wild".to_owned(), ..bare.clone() };
    assert!(complaint(&TicTacToe, &rules).contains("'wild', expected 'standard'"));
    assert!(complaint(&DiceRace, &bare).contains("'tic-tac-toe', expected 'dice-race'"));

    let mut log = record;
    log.decisions.as_mut().expect("asked for")[1].seat = 0;
    assert!(complaint(&TicTacToe, &log).starts_with("decision 2: "));
}

#[test]
fn tampered_chance_is_refused() {
    let record = GameRecord { decisions: None, ..played(&DiceRace, 1) };
    assert!(replay(&DiceRace, &record).is_ok());
    let mut wrong = record.clone();
    wrong.chance[1] = "roll9".to_owned();
    assert!(complaint(&DiceRace, &wrong).starts_with("chance event 2 'roll9' in position"));
    let mut extended = record.clone();
    extended.chance.push("roll2".to_owned());
    assert!(complaint(&DiceRace, &extended).contains("the game has only"));
    let mut truncated = record;
    truncated.chance.pop();
    assert!(complaint(&DiceRace, &truncated).contains("a chance event is missing before it"));
}

proptest! {
    #[test]
    fn any_game_comes_back_from_text(seed in 0u64..u64::MAX / 2) {
        let record = played(&DiceRace, seed);
        let read = GameRecord::from_json(&record.to_json()).expect("just written");
        prop_assert_eq!(&read, &record);
        prop_assert!(replay(&DiceRace, &read).is_ok());
    }

    #[test]
    fn garbage_is_refused_without_panic(text in "\\PC*") {
        prop_assert!(GameRecord::from_json(&text).is_err());
    }

    /// A damaged record is refused, or is another record that replays or not; never a panic.
    #[test]
    fn damaged_records_never_panic(at in 0usize..2000, letter in any::<char>(), cut in any::<bool>()) {
        let mut letters: Vec<char> = played(&DiceRace, 1).to_json().chars().collect();
        let at = at % letters.len();
        if cut { letters.truncate(at); } else { letters[at] = letter; }
        let text: String = letters.into_iter().collect();
        if let Ok(record) = GameRecord::from_json(&text) {
            let _ = replay(&DiceRace, &record);
        }
    }
}
