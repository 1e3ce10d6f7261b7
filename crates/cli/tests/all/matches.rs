//! Matches: the same bytes for any number of threads, and exactly even where they must be.

use crate::common::{Scratch, fine, json, keys, run};
use serde_json::Value;

/// The answer without what a clock measured.
fn repeatable(line: &str) -> Value {
    let mut answer = json(line);
    answer.as_object_mut().expect("an object").remove("timing").expect("there is timing");
    answer
}

/// Records, one a line, without what a clock measured.
fn without_timing(records: &str) -> String {
    let strip = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect("a record");
        record.as_object_mut().expect("an object").remove("timing").expect("there is timing");
        record.to_string() + "\n"
    };
    records.lines().map(strip).collect()
}

/// Deterministic agents from one start play one pair of games again and again.
#[test]
fn a_match_says_when_pairs_repeat() {
    let line = "match othello --a greedy --b pvs:depth=2 --games 8";
    let same = fine(&format!("{line} --opening-plies 0"));
    assert!(
        same.contains("3 of 4 pairs of games repeat another") && same.contains("of 2 games"),
        "{same}"
    );
    assert!(same.contains("--opening-plies"), "{same}");
    let varied = fine(line);
    assert!(varied.contains("(8 distinct)") && !varied.contains("repeat another"), "{varied}");
}

#[test]
fn the_report_has_its_shape() {
    let answer = json("match othello --a greedy --b random --games 6 --seed 3 --json");
    assert_eq!(
        keys(&answer),
        [
            "schema",
            "game",
            "rules",
            "a",
            "b",
            "seed",
            "repeatable",
            "distinct_games",
            "games",
            "pairs",
            "a_wins",
            "draws",
            "b_wins",
            "repeated_pairs",
            "score",
            "wilson",
            "pair_interval",
            "exact",
            "elo",
            "p_value",
            "pentanomial",
            "effort",
            "timing"
        ]
    );
    let timing = ["a_seconds", "b_seconds", "seconds", "games_per_second"];
    assert_eq!(keys(&answer["timing"]), timing);
    let decisions = |agent: &str| answer["effort"][agent]["decisions"].as_u64().unwrap_or(0);
    assert!(decisions("a") > 100 && decisions("b") > 100, "{answer}");
    assert!(answer["effort"]["a"]["nodes"].as_u64() > Some(1000), "{answer}");
    assert_eq!((&answer["games"], &answer["pairs"]), (&6.into(), &3.into()));
    assert_eq!(answer["repeatable"], true);
    let number = |key: &str| answer[key].as_u64().unwrap_or_else(|| panic!("{key}"));
    assert_eq!(number("a_wins") + number("draws") + number("b_wins"), 6);
    let out = fine("match tic-tac-toe --a greedy --b random --games 4 --quiet");
    assert!(out.contains("score") && out.contains("sign test"), "{out}");
}

#[test]
fn the_number_of_threads_decides_nothing() {
    let scratch = Scratch::new("the_number_of_threads_decides_nothing");
    for (game, a, b) in [
        ("othello", "alphabeta:depth=3", "random"),
        ("dice-race", "pvs:depth=2", "random"),
        ("mini-poker", "random", "random"),
    ] {
        let mut seen = Vec::new();
        for threads in [1, 2, 3, 1] {
            let name = format!("{game}-{threads}-{}.jsonl", seen.len());
            let line = format!(
                "match {game} --a {a} --b {b} --games 12 --seed 9 --threads {threads} --json \
                 --records {}",
                scratch.path(&name)
            );
            let report = repeatable(&line).to_string();
            seen.push((report, without_timing(&scratch.read(&name))));
        }
        assert_eq!(seen[0].1.lines().count(), 12);
        for other in &seen[1..] {
            assert_eq!(&seen[0], other, "{game}");
        }
        let line = format!(
            "match {game} --a {a} --b {b} --games 12 --seed 10 --json --records {}",
            scratch.path(&format!("{game}-seed.jsonl"))
        );
        repeatable(&line);
        let other = without_timing(&scratch.read(&format!("{game}-seed.jsonl")));
        assert_ne!(seen[0].1, other, "another seed");
    }
}

#[test]
fn agents_of_equal_depth_are_exactly_even() {
    let agents = ["alphabeta:depth=3", "scout:depth=3", "pvs:depth=3", "mtdf:depth=3"];
    for (number, a) in agents.iter().enumerate() {
        for b in &agents[number + 1..] {
            let answer = json(&format!("match othello --a {a} --b {b} --games 8 --seed 2 --json"));
            assert_eq!(answer["score"], 0.5, "{a} {b}");
            assert_eq!(answer["pentanomial"], serde_json::json!([0, 0, 4, 0, 0]), "{a} {b}");
            // One game in two colours: what A wins with black, B wins with black.
            assert_eq!(answer["a_wins"], answer["b_wins"], "{a} {b}");
            assert_eq!(answer["distinct_games"], 4, "{a} {b}");
            assert_eq!(answer["p_value"], 1.0);
        }
    }
}

/// 60 games of which 18 are distinct prove nothing, in a match as in a run of the same games.
#[test]
fn repeats_prove_nothing_in_a_match_and_in_a_run() {
    let agents = ["alphabeta:depth=3", "alphabeta:depth=1"];
    let line = format!(
        "match tic-tac-toe --a {} --b {} --games 60 --seed 1 --opening-plies 1",
        agents[0], agents[1]
    );
    let words = run(&line).out;
    assert!(words.contains("No difference is shown between"), "{words}");
    let of_match = json(&format!("{line} --json"));
    assert_eq!([&of_match["games"], &of_match["pairs"]], [60, 30]);
    let scratch = Scratch::new("repeats_prove_nothing");
    let file = scratch.write(
        "x.toml",
        &format!(
            "game = 'tic-tac-toe'\nkind = 'match'\nagents = {agents:?}\ngames = 60\nseed = 1\n\
             opening-plies = 1\n"
        ),
    );
    let database = scratch.path("x.sqlite");
    let of_run = json(&format!("run {file} --db {database} --json"));
    let of_run = &of_run["summary"]["cells"][0];
    for key in [
        "games",
        "pairs",
        "a_wins",
        "draws",
        "b_wins",
        "repeated_pairs",
        "score",
        "wilson",
        "elo",
        "p_value",
        "pentanomial",
        "pair_interval",
    ] {
        assert_eq!(of_match[key], of_run[key], "{key}");
    }
    let counted: u64 =
        of_match["pentanomial"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
    assert_eq!(counted + of_match["repeated_pairs"].as_u64().unwrap(), 30);
    assert!(counted <= 9, "{of_match}");
}

/// An agent against itself is not tested: whatever it shows is chance.
#[test]
fn nothing_is_claimed_of_an_agent_against_itself() {
    let line = "match othello --a random --b random --games 20 --seed 3";
    assert_eq!(json(&format!("{line} --json"))["p_value"], Value::Null);
    assert!(run(line).out.contains("random is not tested against itself"));
}

#[test]
fn openings_are_played_from_both_sides() {
    let scratch = Scratch::new("openings_are_played_from_both_sides");
    let file = scratch.write("openings.txt", "# two openings\n\nf5d6c3\nf5f6\n");
    let records = scratch.path("records.jsonl");
    let line = format!(
        "match othello --a greedy --b random --games 6 --openings {file} --records {records} --json"
    );
    json(&line);
    let games: Vec<Value> = scratch
        .read("records.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect();
    let starts: Vec<&str> =
        games.iter().map(|game| game["start"].as_str().expect("text")).collect();
    assert_eq!((starts[0], starts[2]), (starts[1], starts[3]));
    assert_ne!(starts[0], starts[2]);
    assert_eq!((starts[0], starts[1]), (starts[4], starts[5]), "openings begin again");
    assert_eq!(
        (&games[0]["agents"][0], &games[1]["agents"][1]),
        (&"greedy".into(), &"greedy".into())
    );
}

/// A clock makes a match unrepeatable and says so.
#[test]
fn a_clock_is_told() {
    let answer =
        json("match tic-tac-toe --a alphabeta:depth=2 --b random --games 2 --clock 60+1 --json");
    assert_eq!((&answer["repeatable"], &answer["games"]), (&false.into(), &2.into()));
    let ran = run("match tic-tac-toe --a alphabeta:ms=1 --b random --games 2 --quiet");
    assert!(ran.out.contains("not repeatable"), "{}", ran.out);
}

/// The largest increments and totals that are accepted can be played with.
#[test]
fn extreme_clocks_are_played_or_refused() {
    for clock in ["1000000000+1000000000", "0.001+1000000000", "1000000000+0"] {
        let line =
            format!("match tic-tac-toe --a alphabeta:depth=9 --b random --games 2 --clock {clock}");
        assert_eq!(run(&line).code, 0, "{clock}");
    }
    for clock in ["1+9999999999999999999", "18446744073709551615+1", "1+1000000001"] {
        let ran = run(&format!(
            "match tic-tac-toe --a alphabeta:depth=9 --b random --games 2 --clock {clock}"
        ));
        assert_eq!(ran.code, 2, "{clock}: {}", ran.err);
        assert!(ran.err.contains(clock), "{}", ran.err);
    }
}

/// Search under hidden information repeats like any other, and is stronger than chance.
#[test]
fn games_with_secrets_have_matches() {
    let line = "match mini-poker --a ismcts:iterations=100 --b pimc:iterations=100 --games 20 \
                --seed 5 --json --threads";
    let [one, two] = ["1", "2"].map(|threads| repeatable(&format!("{line} {threads}")));
    assert_eq!(one, two);
    let rollouts = "rollout=boltzmann,rollout.unit=turns,rollout.length=4,rollout.end=eval";
    for agent in ["ismcts:", "pimc:worlds=5,"] {
        let agent = format!("{agent}calls=1000,normalise=on,{rollouts}");
        let rules = "--rules secret-commands=yes,turn-limit=300";
        let line = format!("match conquest {rules} --a {agent} --b random --games 4 --json");
        let answer = repeatable(&line);
        assert!(answer["score"].as_f64().expect("a score") > 0.8, "{answer}");
    }
}

/// The same games, said in the same words: a match is a run of one pairing.
#[test]
fn a_match_says_what_a_run_says() {
    let scratch = Scratch::new("match_and_run");
    let file = scratch.write(
        "pair.toml",
        "game = \"othello\"\nkind = \"match\"\nagents = [\"alphabeta:depth=2\", \"greedy\"]\n\
         games = 20\nseed = 7\nopening-plies = 6\n",
    );
    let db = scratch.path("pair.sqlite");
    let told = |text: &str| -> Vec<String> {
        // The first line names the run. Times differ, whoever measures them.
        let lines = text.lines().skip(1);
        let kept = lines.map(|line| match line.ends_with(" s") {
            true => line.split_once("; ").expect("work").0.to_owned(),
            false => line.to_owned(),
        });
        kept.collect()
    };
    let run = told(&fine(&format!("run {file} --db {db}")));
    let played = told(&fine(
        "match othello --a alphabeta:depth=2 --b greedy --games 20 --seed 7 --opening-plies 6",
    ));
    assert!(run.len() > 12, "{run:?}");
    assert_eq!(played[..run.len()], run, "{played:?}");
    assert_eq!(told(&fine(&format!("runs show pair --db {db}"))), run);
}
