//! `warroom tactics`: sets that repeat, agents that find the point or miss it, and refusals.

use std::fs;

use crate::common::{Scratch, fine, json, run};

const SMALL: &str = r#"about = "a few"
game = "lords-of-war"
agent = "uct:iterations=5"
setups = ["orcs", "elves"]
seed = 3
positions = 4
material = "material"
most-turns = 300
margin = 10
share = 0.3

[themes]
commands-lost = "capture of a commander"
"#;

#[test]
fn a_set_repeats_and_tells_agents_apart() {
    let files = Scratch::new("tactics");
    let spec = files.write("tactics.toml", SMALL);
    let [one, two] = [1, 2].map(|threads| {
        let out = files.path(&format!("{threads}.jsonl"));
        fine(&format!("tactics find {spec} --out {out} --threads {threads} --quiet"));
        fs::read_to_string(out.replace('%', " ")).expect("it was written")
    });
    assert_eq!(one, two, "the number of threads has no influence");
    assert_eq!(one.lines().count(), 1 + 4);
    let set = files.path("1.jsonl");
    // What proves a position finds its point; the worst player does not.
    let knows = "turn-beam:turns=2,width=300,reply=300,spread=900,reply.spread=900,eval=material";
    let told = json(&format!("tactics test {set} --agent {knows} --agent random --json"));
    assert_eq!(told["schema"], "warroom-tactics-test-1");
    let found = |agent: usize| told["agents"][agent]["found"].as_u64().expect("a number");
    assert_eq!((found(0), told["agents"][0]["positions"].as_u64()), (4, Some(4)), "{told}");
    assert!(found(1) < 4, "{told}");
    let answer = &told["agents"][0]["answers"][0];
    assert!(answer["worth"].is_i64() && answer["turn"].as_array().is_some(), "{answer}");
    let said = fine(&format!("tactics test {set} --agent greedy --quiet"));
    assert!(said.contains("greedy: ") && said.contains("of    4"), "{said}");
}

#[test]
fn bad_input_is_refused_clearly() {
    let files = Scratch::new("tactics-refuses");
    for (from, to, expected) in [
        ("positions = 4", "positions = 0", "expected at least 1"),
        ("share = 0.3", "share = 1.5", "share: expected a number between 0 and 1"),
        ("\"material\"", "\"matter\"", "matter"),
        ("uct:iterations=5", "nosuch", "no such agent"),
        ("seed = 3", "sed = 3", "sed"),
    ] {
        assert!(SMALL.contains(from));
        let spec = files.write("bad.toml", &SMALL.replacen(from, to, 1));
        let ran = run(&format!("tactics find {spec} --quiet"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{to}: {}", ran.err);
        assert!(ran.err.contains(expected), "{to}: {}", ran.err);
    }
    for (content, expected) in [
        ("", "empty: expected a set"),
        ("{}", "line 1: not of a set of tactics"),
        (SMALL, "line 1: not of a set of tactics"),
    ] {
        let set = files.write("bad.jsonl", content);
        let ran = run(&format!("tactics test {set} --agent random"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{content}: {}", ran.err);
        assert!(ran.err.contains(expected), "{content}: {}", ran.err);
    }
}
