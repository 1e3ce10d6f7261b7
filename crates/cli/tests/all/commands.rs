//! Every command where nothing is wrong, and the shape of its JSON.

use crate::common::{Scratch, fine, json, keys, run, warroom};
use serde_json::Value;

const START: &str = "---------------------------OX------XO--------------------------- X";

fn list<'a>(value: &'a Value, key: &str) -> &'a Vec<Value> {
    value[key].as_array().unwrap_or_else(|| panic!("{key} is a list in {value}"))
}

fn names(value: &Value, key: &str) -> Vec<String> {
    list(value, key).iter().map(|item| item["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn games_are_listed() {
    let out = fine("games");
    assert!(out.contains("othello") && out.contains("hidden information"), "{out}");
    let answer = json("games --json");
    assert_eq!(keys(&answer), ["schema", "games"]);
    assert_eq!(answer["schema"], "warroom-games-1");
    let games = names(&answer, "games");
    for game in ["othello", "conquest", "lords-of-war", "tic-tac-toe", "staged-nim", "mini-poker"] {
        assert!(games.iter().any(|name| name == game), "{game}");
    }
    assert_eq!(
        keys(&answer["games"][0]),
        [
            "name",
            "about",
            "rules",
            "hidden",
            "chance",
            "evaluators",
            "opening_plies",
            "usual_setups",
            "dealt",
            "opponents",
            "counts"
        ]
    );
}

#[test]
fn agents_are_listed_with_what_they_refuse() {
    let answer = json("agents --game mini-poker --json");
    assert_eq!(keys(&answer), ["schema", "game", "agents"]);
    assert_eq!(keys(&answer["agents"][0]), ["name", "about", "needs", "refused", "params"]);
    for agent in list(&answer, "agents") {
        let refused = agent["refused"].is_string();
        // One line that is best in every world can be voted for; a tree would have to see the cards.
        let name = agent["name"].as_str().expect("a name");
        let plays = [
            "random",
            "greedy",
            "minimax",
            "alphabeta",
            "scout",
            "pvs",
            "mtdf",
            "turn-beam",
            "ismcts",
            "pimc",
            "exec",
            "scout-as-printed",
        ];
        assert_eq!(refused, !plays.contains(&name), "{agent}");
        let advice = agent["refused"].as_str().is_none_or(|why| why.contains("ismcts and pimc"));
        assert!(advice, "{agent}");
    }
    let out = fine("agents");
    for agent in
        ["random", "greedy", "minimax", "alphabeta", "scout", "pvs", "mtdf", "ismcts", "pimc"]
    {
        assert!(out.lines().any(|line| line.starts_with(agent)), "{agent}: {out}");
    }
}

#[test]
fn one_agent_shows_its_keys_as_resolved() {
    let answer = json("agents alphabeta:depth=4,eval=discs,eval.mobility=2 --json");
    assert_eq!(keys(&answer), ["schema", "game", "agent", "about", "repeatable", "keys", "params"]);
    assert_eq!(keys(&answer["params"][0]), ["key", "range", "default", "about"]);
    let key = |name: &str| answer["keys"][name].as_str().unwrap_or("unset").to_owned();
    assert_eq!(
        (key("depth"), key("eval"), key("eval.pieces")),
        ("4".into(), "discs".into(), "1".into())
    );
    assert_eq!((key("eval.mobility"), key("nodes")), ("2".into(), "unset".into()));
    assert_eq!(answer["repeatable"], true);
    assert_eq!(json("agents alphabeta:ms=5 --json")["repeatable"], false);
    assert_eq!(json("agents alphabeta:threads=2 --json")["repeatable"], false);
    assert!(fine("agents scout:depth=3").contains("depth=3"));
}

#[test]
fn search_explains_itself() {
    let answer = json("search othello --agent alphabeta:depth=3,table=off --json");
    assert_eq!(
        keys(&answer),
        [
            "schema",
            "game",
            "rules",
            "position",
            "agent",
            "repeatable",
            "action",
            "value",
            "depth",
            "complete",
            "principal_variation",
            "terms",
            "root",
            "counters",
            "timing"
        ]
    );
    assert_eq!(answer["position"], START);
    assert_eq!(keys(&answer["root"][0]), ["action", "visits", "value", "bound"]);
    assert_eq!(keys(&answer["terms"][0]), ["name", "value", "weight"]);
    assert_eq!(list(&answer, "root").len(), 4);
    assert_eq!(list(&answer, "principal_variation").len(), 3);
    assert_eq!(answer["principal_variation"][0], answer["action"]);
    assert_eq!(keys(&answer["timing"]), ["seconds"]);
    let out = fine("search othello --agent pvs:depth=3 --position f5d6c3 --quiet");
    assert!(out.contains("chooses") && out.contains("expects") && out.contains("nodes"), "{out}");
}

#[test]
fn search_tells_what_was_pruned() {
    let agent = "uct:iterations=200,prune=paper+discs,hpl=2";
    let line = format!("search othello --agent {agent} --position f5d6c3d3c4f4f6");
    let answer = json(&format!("{line} --json"));
    let pruned = list(&answer, "pruned");
    assert!(!pruned.is_empty());
    for action in pruned {
        assert_eq!(keys(action), ["action", "scores", "reason"]);
        assert_eq!(keys(&action["scores"]), ["discs", "paper"]);
        assert_eq!(action["reason"], "dropped: not among the 2 best by paper+discs");
        assert!(list(&answer, "root").iter().all(|root| root["action"] != action["action"]));
    }
    let count = |key: &str| answer["counters"][key].as_u64().expect(key);
    assert!(count("prune_nodes") > 1 && count("prune_kept") < count("prune_options"));
    assert!(count("prune_kept") <= count("prune_most"));
    let out = fine(&format!("{line} --quiet"));
    let expected = format!("prunes   {} actions here dropped: not among the 2 best", pruned.len());
    assert!(out.contains(&expected) && out.contains(" options, at most "), "{out}");
    let plain = json("search othello --agent uct:iterations=20 --json");
    assert!(plain.get("pruned").is_none() && plain["counters"].get("prune_nodes").is_none());
}

/// Counters of searches that do not repeat stand with what a clock measured.
#[test]
fn what_does_not_repeat_is_under_timing() {
    let answer = json("search othello --agent pvs:depth=3 --threads 2 --json");
    assert_eq!(answer["repeatable"], false);
    assert_eq!(answer.get("counters"), None);
    assert_eq!(keys(&answer["timing"]), ["seconds", "counters"]);
    let twice = ["search othello --agent scout:depth=4 --position f5d6 --json"; 2].map(|line| {
        let mut answer = json(line);
        answer.as_object_mut().expect("an object").remove("timing");
        answer.to_string()
    });
    assert_eq!(twice[0], twice[1]);
}

/// The same position in other spellings gives the same answer.
#[test]
fn positions_are_read_in_every_form() {
    let answers: Vec<Value> = [
        "f5d6c3".to_owned(),
        "1.%f5%d6%2.%c3".to_owned(),
        "(;GM[Othello]BO[8%--------%--------%--------%---O*---%---*O---%--------%--------%\
         --------%*]B[f5]W[d6]B[c3];)"
            .to_owned(),
    ]
    .iter()
    .map(|position| {
        let mut answer =
            json(&format!("search othello --agent alphabeta:depth=2 --json --position {position}"));
        answer.as_object_mut().expect("an object").remove("timing");
        answer
    })
    .collect();
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn search_writes_its_tree() {
    let scratch = Scratch::new("search_writes_its_tree");
    let path = scratch.path("tree.json");
    fine(&format!("search othello --agent alphabeta:depth=2 --tree {path} --quiet"));
    let tree: Value = serde_json::from_str(&scratch.read("tree.json")).expect("JSON");
    assert_eq!(
        keys(&tree),
        ["schema", "game", "rules", "position", "agent", "depth", "truncated", "nodes"]
    );
    assert_eq!((&tree["schema"], &tree["truncated"]), (&"warroom-tree-1".into(), &false.into()));
    assert_eq!(keys(&tree["nodes"][0]), ["parent", "action", "depth", "visits", "value", "bound"]);
    assert_eq!(tree["nodes"][0]["parent"], Value::Null);
    assert_eq!(tree["nodes"][1]["parent"], 0);
    let path = scratch.path("small.json");
    fine(&format!("search othello --agent pvs:depth=4 --tree {path} --tree-nodes 5 --quiet"));
    let tree: Value = serde_json::from_str(&scratch.read("small.json")).expect("JSON");
    assert_eq!((list(&tree, "nodes").len(), &tree["truncated"]), (5, &true.into()));
}

#[test]
fn perft_counts() {
    assert!(fine("perft othello 7 --quiet").starts_with("55,092 leaves at depth 7"));
    let answer = json("perft othello 4 --divide --json");
    assert_eq!(keys(&answer), ["schema", "game", "depth", "leaves", "seconds", "divide"]);
    assert_eq!(keys(&answer["divide"][0]), ["action", "leaves"]);
    let parts: u64 =
        list(&answer, "divide").iter().map(|part| part["leaves"].as_u64().expect("a count")).sum();
    assert_eq!((parts, answer["leaves"].as_u64()), (244, Some(244)));
    assert_eq!(keys(&json("perft tic-tac-toe 9 --json")).len(), 5);
    assert_eq!(json("perft tic-tac-toe 9 --json")["leaves"], 255_168);
    assert_eq!(json("perft othello 3 --position f5 --json")["leaves"], 244 / 4);
}

#[test]
fn bench_signs_its_work() {
    let twice =
        [json("bench tic-tac-toe --quick --json"), json("bench tic-tac-toe --quick --json")];
    let result = &twice[0]["results"][0];
    assert_eq!(keys(&twice[0]), ["schema", "results"]);
    assert_eq!(keys(result), ["name", "value", "unit", "higher_is_better", "signature"]);
    assert_eq!(names(&twice[0], "results").len(), 4);
    for (first, second) in list(&twice[0], "results").iter().zip(list(&twice[1], "results")) {
        assert_eq!(first["signature"], second["signature"]);
        assert_eq!(first["signature"].as_str().expect("text").len(), 16);
    }
    assert_eq!(names(&json("bench mini-poker --quick --json"), "results").len(), 1);
    assert!(fine("bench staged-nim --quick --quiet").contains("staged-nim/perft"));
}

#[test]
fn completions_are_written_for_each_shell() {
    for (shell, expected) in
        [("bash", "_warroom"), ("zsh", "#compdef warroom"), ("fish", "warroom")]
    {
        let script = fine(&format!("completions {shell}"));
        assert!(script.contains(expected) && script.contains("perft"), "{shell}");
    }
}

#[test]
fn manual_pages_are_written() {
    assert!(fine("man").contains(".TH warroom 1"));
    let page = fine("man play");
    assert!(page.contains(".TH warroom-play 1") && page.contains("player1"), "{page}");
    let scratch = Scratch::new("manual_pages_are_written");
    fine(&format!("man --all {}", scratch.path("pages")));
    let pages = std::fs::read_dir(scratch.path("pages")).expect("the folder is made").count();
    assert!(pages >= 10, "{pages} pages");
    assert!(scratch.read("pages/warroom-match.1").contains("opening"));
}

#[test]
fn help_and_version_go_to_the_output() {
    for line in ["--help", "help", "--version", "match --help", "help search"] {
        let ran = run(line);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{line}");
        assert!(ran.out.contains("warroom"), "{line}");
    }
    let bare = run("");
    assert_eq!(bare.code, 2);
    assert!(bare.err.contains("Usage"));
}

/// Whoever reads our output may stop reading: no panic and no complaint.
#[test]
fn a_closed_pipe_is_no_panic() {
    for line in [
        "games",
        "games --json",
        "agents",
        "agents --json",
        "man",
        "man play",
        "completions bash",
        "perft othello 3",
        "search othello --agent alphabeta:depth=2",
        "match tic-tac-toe --a random --b random --games 2 --quiet",
        "play othello --black random --white random",
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = std::process::Command::new(warroom(line).get_program());
        let output = command
            .args(line.split_whitespace())
            .stdin(std::process::Stdio::null())
            .stdout(writer)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .and_then(std::process::Child::wait_with_output)
            .expect("the binary starts");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!err.contains("panicked") && !err.contains("error:"), "{line}: {err}");
        assert_eq!(output.status.code(), Some(0), "{line}: {err}");
    }
}
