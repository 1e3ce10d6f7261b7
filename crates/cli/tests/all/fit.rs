//! `warroom fit`: weights that repeat, and refusals that name what is wrong.

use std::fs;

use crate::common::{Scratch, fine, json, keys, run};

/// A fit of a moment: the agent looks one move ahead.
const SMALL: &str = r#"about = "discs and moves"
game = "othello"
agent = "alphabeta:depth=1,eval=paper"
others = ["random"]
games = 12
rounds = 2
seed = 3

[start]
mobility = 5

[fixed]
stability = 77

[test]
agents = ["uct:iterations=10"]
games = 4
"#;

#[test]
fn the_weights_repeat_and_can_be_played() {
    let files = Scratch::new("fit-repeats");
    let spec = files.write("fit.toml", SMALL);
    let [one, two] = [1, 2].map(|threads| {
        let out = files.path(&format!("{threads}.toml"));
        let said = fine(&format!("fit {spec} --out {out} --threads {threads} --quiet"));
        assert!(said.contains("weights fitted to"), "{said}");
        fs::read_to_string(out.replace('%', " ")).expect("it was written")
    });
    assert_eq!(one, two, "the number of threads has no influence");
    assert!(one.contains("24 games, seed 3") && one.contains("[weights]\nterminal = "), "{one}");
    assert!(one.contains("\nstability = 77\n"), "set by hand: {one}");
    let nonzero = |line: &&str| line.contains(" = ") && !line.ends_with(" = 0");
    assert!(one.lines().filter(nonzero).count() > 4, "nothing was fitted: {one}");
    let played = format!("search othello --agent alphabeta:depth=2,eval={}", files.path("1.toml"));
    assert!(fine(&played).contains("chooses"));
    let answer = json(&format!("fit {spec} --json"));
    assert_eq!(
        keys(&answer)[..6],
        ["schema", "game", "agent", "seed", "positions", "log_loss"],
        "{answer}"
    );
    // Two rounds of games between equals, random and itself: better than a coin.
    assert!(answer["log_loss"][1].as_f64().is_some_and(|loss| loss < 0.95), "{answer}");
}

#[test]
fn bad_input_is_refused_clearly() {
    let files = Scratch::new("fit-refuses");
    for (from, to, expected) in [
        ("games = 12", "games = 0", "expected at least 1"),
        ("games = 12", "gmes = 12", "gmes"),
        (
            "[\"random\"]",
            "[\"uct:iterations=10\"]",
            "'uct:iterations=10' is in the fit and in the test",
        ),
        ("mobility = 5", "mobilty = 5", "no factor 'mobilty', did you mean 'mobility'?"),
        ("stability = 77", "stabilty = 77", "no factor 'stabilty', did you mean 'stability'?"),
        ("alphabeta:depth=1,eval=paper", "random", "no weights that could be fitted"),
        ("alphabeta:depth=1,eval=paper", "nosuch", "no such agent"),
        ("\"othello\"", "\"chess\"", "'chess': no such game"),
        ("agents = [\"uct:iterations=10\"]", "agents = []", "the test needs agents"),
    ] {
        assert!(SMALL.contains(from));
        let spec = files.write("bad.toml", &SMALL.replace(from, to));
        let out = files.path("never.toml");
        let ran = run(&format!("fit {spec} --out {out} --quiet"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{to}: {}", ran.err);
        assert!(ran.err.contains(expected), "{to}: {}", ran.err);
        assert!(fs::metadata(out.replace('%', " ")).is_err(), "{to}: something was written");
    }
}
