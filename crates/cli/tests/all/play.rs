//! `play`, driven as a person would drive it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::common::{Scratch, fine, run_with};
use arena::{GameRecord, WallClock};
use gamecore::StopToken;
use registry::{AgentSpec, Job, no_files};

const START: &str = "---------------------------OX------XO--------------------------- X";

fn record(out: &str) -> GameRecord {
    assert_eq!(out.trim_end().lines().count(), 1, "one record and nothing else: {out}");
    GameRecord::from_json(out.trim_end()).unwrap_or_else(|error| panic!("{error}: {out}"))
}

/// The position texts that `position` printed.
fn positions(out: &str) -> Vec<&str> {
    let is_position =
        |line: &&str| line.len() == 66 && line[..64].chars().all(|cell| "XO-".contains(cell));
    out.lines().filter(is_position).collect()
}

/// Reads the program's lines as they come and answers each prompt with the first legal action.
#[test]
fn a_whole_game_by_the_first_legal_action() {
    let scratch = Scratch::new("a_whole_game_by_the_first_legal_action");
    for (game, opponent) in [("othello", "alphabeta:depth=2"), ("dice-race", "random")] {
        let saved = scratch.path(game);
        let mut child = Command::new(env!("CARGO_BIN_EXE_warroom"))
            .args(["play", game, "--seat1", opponent, "--save", &saved, "--quiet"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut input = child.stdin.take().expect("a pipe");
        let mut answered = 0;
        for line in BufReader::new(child.stdout.take().expect("a pipe")).lines() {
            let line = line.expect("UTF-8");
            if let Some((_, legal)) = line.split_once(" to act: ") {
                let first = legal.split(' ').next().expect("there is an action");
                writeln!(input, "{first}").expect("it listens");
                answered += 1;
            } else if line.starts_with("The game is over") {
                writeln!(input, "quit").expect("it listens");
            }
        }
        assert_eq!(child.wait().expect("it ends").code(), Some(0));
        assert!(answered > 1, "{game}: {answered} decisions");
        let record = record(&scratch.read(game));
        assert!(record.outcome.points(gamecore::Seat::Zero).is_some(), "{}", record.reason);
        assert_eq!(record.agents, ["human".to_owned(), opponent.to_owned()]);
    }
}

#[test]
fn undo_and_redo_go_back_and_forth() {
    let script = "position\nf5\nposition\nundo\nposition\nredo\nposition\nundo\nundo\nredo\nredo\n\
                  position\nquit\n";
    let out = run_with("play othello --white alphabeta:depth=1 --quiet", script).out;
    let seen = positions(&out);
    assert_eq!((seen[0], seen[2]), (START, START));
    assert_eq!((seen[1], seen[1]), (seen[3], seen[4]));
    assert_ne!(seen[1], START);
    assert!(out.contains("There is nothing to take back."), "{out}");
    assert!(out.contains("There is nothing to redo."), "{out}");
}

#[test]
fn words_for_the_user() {
    let script = "help\nmoves\nhint\nshow\na1\npass\nnonsense\nsave\n\n?\nquit\n";
    let ran = run_with("play othello --hint alphabeta:depth=2,roots=all --quiet", script);
    assert_eq!(ran.code, 0);
    for expected in [
        "take back your last action",
        "d3 c4 f5 e6",
        "chooses",
        "a disc there would flip nothing",
        "passing is only allowed without a legal move",
        "'nonsense'",
        "name the file",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
}

#[test]
fn a_saved_game_goes_on() {
    let scratch = Scratch::new("a_saved_game_goes_on");
    let path = scratch.path("game.json");
    let script = format!("f5\nsave {path}\nposition\nsave {path}\nquit\n");
    let out = run_with("play othello --white alphabeta:depth=1 --quiet", &script).out;
    assert!(out.contains("saved to") && out.contains("not saved:"), "{out}");
    let first = scratch.read("game.json");
    let again = run_with(&format!("play othello --load {path} --quiet"), "position\nquit\n").out;
    assert!(again.contains("(continued)"), "{again}");
    assert_eq!(positions(&out), positions(&again));
    // A game loaded and left unchanged is the same record.
    let copy = scratch.path("copy.json");
    let line =
        format!("play othello --load {path} --save {copy} --white alphabeta:depth=1 --quiet");
    run_with(&line, "quit\n");
    assert_eq!(scratch.read("copy.json"), first);
}

#[test]
fn resigning_ends_the_game() {
    let ran = run_with("play othello --white random --json", "f5\nresign\nquit\n");
    let given_up = record(&ran.out);
    assert_eq!(
        (given_up.outcome.to_string(), given_up.reason.to_string()),
        ("seat-1".into(), "resigned".into())
    );
    let words = run_with("play othello --white random --quiet", "resign\nf5\nresign\nquit\n").out;
    assert!(words.contains("Game over. You lost: you resigned."), "{words}");
    assert!(words.contains("It is not your turn"), "{words}");
    assert!(words.contains("The game is over already."), "{words}");
    let back = run_with("play othello --white random --json", "resign\nundo\nf5\nquit\n");
    assert_eq!(record(&back.out).outcome.to_string(), "unfinished");
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    for input in ["", "f5", "f5\n", "\n\n"] {
        let ran = run_with("play othello --white random --quiet", input);
        assert_eq!(ran.code, 0);
        assert!(ran.out.contains("Leaving the game."), "{}", ran.out);
        let ran = run_with("play othello --white random --json", input);
        assert_eq!(record(&ran.out).outcome.to_string(), "unfinished");
    }
}

#[test]
fn json_is_one_record_whatever_is_said() {
    let script = "help\nhint\nmoves\nshow\nposition\nnonsense\nf5\nundo\nredo\nundo\nundo\nsave\n\
                  resign\nresign\nquit\n";
    let line = "play othello --white random --hint alphabeta:depth=2 --json";
    record(&run_with(line, script).out);
    let both = record(&fine("play othello --black random --white random --json"));
    assert!(both.actions.len() > 20);
}

/// The seeds in a record are those its agents had: playing it again gives the same game.
#[test]
fn a_game_of_agents_repeats_from_its_record() {
    for seed in ["7", "18446744073709551615"] {
        let line = format!("play othello --black random --white random --seed {seed} --json");
        let played = record(&fine(&line));
        assert_eq!(played, record(&fine(&line)));
        let game = standard::registry().open("othello", "").expect("a game");
        let spec = AgentSpec::parse("random", &no_files).expect("a spec");
        let agent = game.resolve(&spec, &no_files).expect("an agent");
        let again = game.play(&Job {
            start: &played.start,
            agents: [&agent, &agent],
            seeds: played.seeds,
            time: None,
            clock: &WallClock::new(),
            stop: &StopToken::default(),
            log: false,
        });
        assert_eq!(again.0.actions, played.actions, "seed {seed}");
    }
}

/// In hidden games hints and opponents come from agents that need no more than their view.
#[test]
fn games_with_secrets_can_be_played() {
    let ran = run_with("play mini-poker --quiet", "hint\nmoves\ncheck\nquit\n");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("check bet"), "{}", ran.out);
    for agent in ["ismcts:iterations=50", "pimc:iterations=50"] {
        let ran = run_with(&format!("play mini-poker --seat0 {agent} --seat1 {agent} --quiet"), "");
        assert_eq!(ran.code, 0, "{agent}: {}", ran.err);
    }
}
