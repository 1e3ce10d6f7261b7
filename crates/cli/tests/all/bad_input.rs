//! Wrong input of every kind: exit status 2, an error that gives the input back, no panic, and no
//! file touched.

use crate::common::{Scratch, fine, run};

/// Each line is wrong; the error must contain the text beside it.
fn check(cases: &[(&str, &str)]) {
    for (line, expected) in cases {
        let ran = run(line);
        assert_eq!(ran.code, 2, "warroom {line}: {}{}", ran.out, ran.err);
        assert!(ran.err.starts_with("error:"), "warroom {line}: {}", ran.err);
        assert!(ran.err.contains(expected), "warroom {line}: expected {expected}: {}", ran.err);
        assert_eq!(ran.out, "", "warroom {line} says something besides the error");
    }
}

#[test]
fn names_and_flags() {
    check(&[
        ("gamse", "gamse"),
        ("games --colour", "--colour"),
        ("games extra", "extra"),
        ("perft chess 3", "'chess': no such game"),
        ("perft othelo 3", "did you mean 'othello'?"),
        ("bench chess", "'chess': no such game"),
        ("agents --game chess", "'chess': no such game"),
        ("agents nosuch", "'nosuch': no such agent"),
        ("agents alphabet", "did you mean 'alphabeta'?"),
        ("search othello --rules handicap", "'handicap': othello has no rule options"),
        ("search othello --agent nosuch:depth=3", "'nosuch': no such agent"),
        ("play othello --seat1 nosuch", "'nosuch'"),
        ("play othello --hint nosuch", "'nosuch'"),
        ("match othello --a random", "--b"),
        ("completions tcsh", "tcsh"),
        ("man nosuch", "'nosuch': no such command"),
        ("man play --all x", "--all"),
    ]);
}

#[test]
fn specs_of_agents() {
    check(&[
        ("agents :depth=3", "':depth=3': expected NAME"),
        ("agents alphabeta:", "'' is not KEY=VALUE"),
        ("agents alphabeta:depth", "'depth' is not KEY=VALUE"),
        ("agents uct:widen=off,widen.alpha=0.3", "widen.alpha has no effect with widen=off"),
        ("agents pvs:table.mb=4,table=off", "table.mb has no effect with table=off"),
        ("agents alphabeta:depth=3,depth=4", "'depth' is given twice"),
        ("agents alphabeta:dept=4", "unknown key 'dept', did you mean 'depth'?"),
        ("agents alphabeta:depth=0", "depth=0: expected a whole number from 1 to 120"),
        ("agents alphabeta:depth=-3", "depth=-3"),
        ("agents alphabeta:depth=121", "depth=121"),
        ("agents alphabeta:depth=2.5", "depth=2.5"),
        ("agents alphabeta:depth=99999999999999999999", "depth=99999999999999999999"),
        ("agents alphabeta:nodes=0", "nodes=0"),
        ("agents alphabeta:nodes=-5", "nodes=-5"),
        ("agents alphabeta:ms=-1", "ms=-1"),
        ("agents alphabeta:table.mb=0", "table.mb=0"),
        ("agents alphabeta:order=best", "order=best: expected one of good, fixed"),
        ("agents alphabeta:eval=papr", "did you mean 'paper'?"),
        ("agents alphabeta:eval.pieces=1001", "eval.pieces=1001"),
        ("agents alphabeta:eval.bishops=1", "unknown key 'eval.bishops'"),
        ("agents alphabeta:eval=missing.toml", "'missing.toml': cannot read the file"),
        ("agents missing.toml", "'missing.toml': cannot read the file"),
        ("agents random:depth=3", "unknown key 'depth'"),
        ("agents minimax:table=exact", "unknown key 'table'"),
        ("agents alphabeta:nodes=9,deepening=off", "without deepening a search needs depth"),
        ("agents pvs:threads=4,table=off", "threads share their work through the table"),
        ("agents pvs:aspiration=5,deepening=off", "needs deepening=on"),
        ("agents pvs:aspiration=5,roots=all", "roots=all needs the full window"),
        ("agents ismcts:solver=on", "unknown key 'solver'"),
        ("agents ismcts:nodes=9", "it has iterations, calls, ms"),
        ("agents pimc:worlds=0", "worlds=0: expected a whole number from 1"),
        ("agents pimc:reuse=on", "unknown key 'reuse'"),
        ("search mini-poker --agent uct", "mini-poker hides part of it"),
        (
            "search othello --agent pvs:worlds=3",
            "worlds=3 has no meaning: nothing is hidden in othello",
        ),
        ("search dice-race --agent scout-as-printed", "knows no chance events"),
    ]);
}

#[test]
fn numbers() {
    check(&[
        ("perft othello 0", "'0'"),
        ("perft othello 61", "'61'"),
        ("perft othello -1", "'-1'"),
        ("perft othello many", "'many'"),
        ("search othello --tree-nodes 0", "'0'"),
        ("search othello --seed -1", "'-1'"),
        ("search othello --threads 0", "'0'"),
        ("search othello --threads -2", "'-2'"),
        ("match othello --a random --b random --games 3", "--games 3"),
        ("match othello --a random --b random --games 0", "--games 0"),
        ("match othello --a random --b random --games -2", "'-2'"),
        ("match othello --a random --b random --opening-plies -1", "'-1'"),
        ("match othello --a random --b random --opening-plies 200", "--opening-plies 200"),
        ("match othello --a random --b random --clock 5", "'5'"),
        ("match othello --a random --b random --clock 0+1", "'0+1'"),
        ("match othello --a random --b random --clock soon", "'soon'"),
    ]);
}

#[test]
fn positions() {
    let over = format!("{}%X", "X".repeat(64));
    let search = |position: &str| format!("search othello --agent greedy --position {position}");
    for (position, expected) in [
        ("zzz", "'zzz'"),
        ("f5f5", "'f5f5'"),
        ("f5d6c3a1", "move 4 (\"a1\", character 7) is illegal"),
        ("pa", "position 'pa'"),
        ("17", "'17'"),
        ("XO", "found 2 squares"),
        (&over, "the game is over"),
        ("(;GM[Go];)", "expected Othello"),
        ("(;GM[Othello]BO[8%xyz];)", "only `*`, `O` and `-`"),
        ("(;", "(;"),
    ] {
        check(&[(&search(position), expected)]);
    }
    check(&[
        ("perft othello 3 --position a1", "'a1'"),
        ("play othello --position a1", "'a1'"),
        ("search tic-tac-toe --agent greedy --position xxxxxxxxx", "'xxxxxxxxx'"),
        ("search staged-nim --agent greedy --position 9/9%0%0", "'9/9 0 0'"),
        ("play othello --position f5 --load x", "--load"),
    ]);
}

#[test]
fn broken_agent_files() {
    let scratch = Scratch::new("broken_agent_files");
    for (name, content, expected) in [
        ("empty.toml", "", "agent = \"NAME\""),
        ("garbage.toml", "\u{1}{{{", "garbage.toml"),
        ("list.toml", "agent = \"pvs\"\ndepth = [1]", "depth: expected a number"),
        ("nosuch.toml", "agent = \"nosuch\"", "'nosuch': no such agent"),
        ("key.toml", "agent = \"pvs\"\ncolour = 3", "unknown key 'colour'"),
        ("range.toml", "agent = \"pvs\"\ndepth = 0", "depth=0"),
        ("number.toml", "agent = 3", "'3': no such agent"),
        ("comma.toml", "agent = \"pvs\"\neval = \"a,b.toml\"", "a,b.toml"),
    ] {
        let path = scratch.write(name, content);
        check(&[(&format!("search othello --agent {path}"), expected)]);
    }
    let path = scratch.write("good.toml", "agent = \"pvs\"\ndepth = 2\n[eval]\npieces = 3\n");
    assert!(fine(&format!("search othello --agent {path} --quiet")).contains("chooses"));
}

#[test]
fn broken_weight_files() {
    let scratch = Scratch::new("broken_weight_files");
    for (name, content, expected) in [
        ("empty.toml", "", "not a weight file"),
        ("garbage.toml", "= = =", "not a weight file"),
        ("game.toml", "game = \"chess\"\n[weights]\n", "weights for chess"),
        ("factor.toml", "game = \"othello\"\n[weights]\nbishops = 1\n", "unknown factor 'bishops'"),
        ("large.toml", "game = \"othello\"\n[weights]\npieces = 5000\n", "5000"),
        ("float.toml", "game = \"othello\"\n[weights]\npieces = 0.5\n", "not a weight file"),
    ] {
        let path = scratch.write(name, content);
        check(&[(&format!("search othello --agent greedy:eval={path}"), expected)]);
    }
    let path = scratch.write("good.toml", "game = \"othello\"\n[weights]\npieces = 5\n");
    assert!(
        fine(&format!("search othello --agent greedy:eval={path} --quiet")).contains("chooses")
    );
    check(&[(&format!("search tic-tac-toe --agent greedy:eval={path}"), "no such evaluation")]);
}

#[test]
fn broken_records() {
    let scratch = Scratch::new("broken_records");
    let good = fine("play othello --black random --white random --json");
    let nim = fine("play staged-nim --seat0 random --seat1 random --json");
    let tampered = good.replacen("\"actions\":[\"", "\"actions\":[\"a1\",\"", 1);
    for (name, content, expected) in [
        ("empty.json", String::new(), "is not a game record"),
        ("garbage.json", "hello".to_owned(), "is not a game record"),
        ("truncated.json", good[..good.len() / 2].to_owned(), "is not a game record"),
        ("twice.json", format!("{good}{good}"), "is not a game record"),
        ("nim.json", nim, "the record is of 'staged-nim', expected 'othello'"),
        ("tampered.json", tampered, "action 1 'a1'"),
        ("schema.json", good.replace("warroom-game-1", "warroom-game-9"), "warroom-game-9"),
        ("field.json", good.replace("\"reason\"", "\"because\""), "because"),
    ] {
        let path = scratch.write(name, &content);
        check(&[(&format!("play othello --load {path}"), expected)]);
    }
    check(&[("play othello --load missing.json", "'missing.json'")]);
    let missing = scratch.path("openings.txt");
    let line = "match othello --a random --b random --openings";
    check(&[(&format!("{line} {missing}"), "openings.txt")]);
    for (name, content, expected) in [
        ("none.txt", "# nothing\n", "expected at least one position"),
        ("bad.txt", "f5\n\nzzz\n", "line 3"),
        ("over.txt", &format!("{} X\n", "X".repeat(64)), "line 1: the game is already over"),
    ] {
        let path = scratch.write(name, content);
        check(&[(&format!("{line} {path}"), expected)]);
    }
}

/// What exists stays as it is, and so does what merely has a similar name.
#[test]
fn existing_files_are_never_touched() {
    let scratch = Scratch::new("existing_files_are_never_touched");
    let path = scratch.write("old", "precious");
    check(&[
        (&format!("search othello --agent greedy --tree {path}"), "exists already"),
        (&format!("match othello --a random --b random --games 2 --records {path}"), "exists"),
        (&format!("play othello --black random --white random --save {path}"), "exists already"),
    ]);
    assert_eq!(scratch.read("old"), "precious");
    assert_eq!(scratch.files(), ["old"]);
    scratch.write("tree.part", "precious too");
    fine(&format!("search othello --agent greedy --tree {} --quiet", scratch.path("tree")));
    assert_eq!(scratch.read("tree.part"), "precious too");
    assert_eq!(scratch.files(), ["old", "tree", "tree.part"]);
}

/// A folder that is not there is told before hours of work, not after.
#[test]
fn missing_folders_are_told_first() {
    let scratch = Scratch::new("missing_folders_are_told_first");
    let path = scratch.path("nowhere/file");
    check(&[
        (&format!("search othello --agent pvs:depth=40 --tree {path}"), "nowhere"),
        (&format!("match othello --a pvs:depth=40 --b random --records {path}"), "nowhere"),
        (&format!("play othello --black pvs:depth=40 --white random --save {path}"), "nowhere"),
    ]);
    assert_eq!(scratch.files(), Vec::<String>::new());
}
