//! Conquest on the command line: golden games, loadouts, setups, tables of units, behaviour.

use std::io::Read as _;

use crate::common::{Scratch, fine, json, run};
use serde_json::Value;

const TRACES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/conquest/traces.jsonl.gz");

#[test]
fn golden_games_are_replayed() {
    let report = json(&format!("verify conquest {TRACES} --json"));
    assert_eq!((&report["games"], &report["steps"]), (&Value::from(10), &Value::from(1597)));
    assert_eq!(report["first_difference"], Value::Null);
}

#[test]
fn every_kind_of_difference_is_found() {
    let mut text = String::new();
    let file = std::fs::File::open(TRACES).expect("the golden games");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("they decompress");
    let scratch = Scratch::new("traces");
    let first_step = text.lines().position(|line| line.contains("\"ah_rs\"")).expect("heuristics");
    // Each change is made to one step of a copy.
    type Change = (&'static str, fn(&mut Value));
    let changes: [Change; 13] = [
        ("step", |step| step["step"] = 999.into()),
        ("player", |step| step["player"] = 1.into()),
        ("chosen", |step| step["chosen"] = "mov 99,99".into()),
        ("random", |step| step["random"] = serde_json::json!({ "freed": 0 })),
        ("ah_rs", |step| step["ah_rs"] = "none".into()),
        ("legal", |step| step["legal"].as_array_mut().expect("a list").truncate(1)),
        ("ah_rs", |step| step["ah_rs"][0] = 0.123.into()),
        ("ah_ft", |step| step["ah_ft"][0] = 0.123.into()),
        ("h[1]", |step| step["after"]["h"][1] = 0.123.into()),
        ("cp", |step| step["after"]["cp"][0] = 7.into()),
        ("phase", |step| step["after"]["phase"] = "rally".into()),
        ("troops", |step| step["after"]["troops"][3]["hp"] = 1.into()),
        ("cooldown", |step| step["after"]["cooldown"][0] = serde_json::json!({})),
    ];
    for (number, (field, change)) in changes.into_iter().enumerate() {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut step: Value = serde_json::from_str(&lines[first_step]).expect("a step");
        change(&mut step);
        lines[first_step] = step.to_string();
        let path = scratch.write(&format!("{number}.jsonl"), &lines.join("\n"));
        let ran = run(&format!("verify conquest {path} --json"));
        assert_eq!(ran.code, 1, "{field}: {}", ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(report["first_difference"]["field"], field);
        assert_eq!(report["first_difference"]["step"], step["step"]);
        assert!(report["first_difference"]["game"].is_number());
    }
}

#[test]
fn records_are_verified_and_tampering_is_found() {
    let scratch = Scratch::new("records");
    let path = scratch.path("games.jsonl");
    let shown = &path;
    fine(&format!(
        "match conquest --a random --b random --games 4 --rules winds=random,turn-limit=60 \
         --setup 2K,2S+Charge,WindsOfFate,Chastise --records {shown} --quiet"
    ));
    let verify = format!("verify conquest {shown} --rules winds=random,turn-limit=60 --json");
    assert_eq!(json(&verify)["games"], 4);
    let text = scratch.read("games.jsonl");
    std::fs::write(&path, text.replacen("\"end\"", "\"atk 3,3\"", 1)).expect("written");
    assert_eq!(run(&verify).code, 1);
}

#[test]
fn loadouts_are_counted_listed_checked_and_drawn() {
    let counts = json("loadouts count --json");
    assert_eq!(
        [&counts["all"], &counts["maximal"], &counts["exact"]],
        [&Value::from(1_714_865), &Value::from(283_717), &Value::from(171_496)]
    );
    assert_eq!(json("loadouts list --json")["loadouts"].as_array().map(Vec::len), Some(31));
    let scratch = Scratch::new("loadouts");
    let bad = "[[loadout]]\nname = \"Many\"\ncommands = []\nrows = [\"CCCCCC\", \"SSSSSS\"]\n";
    let path = scratch.write("bad.toml", bad);
    let ran = run(&format!("loadouts check {path}"));
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("costs 1350 points, 350 above"), "{}", ran.out);
    assert!(ran.out.contains("12 troops, 2 above"), "{}", ran.out);
    let drawn = json("loadouts random --count 3 --kind exact --seed 9 --json");
    assert_eq!(drawn, json("loadouts random --count 3 --kind exact --seed 9 --json"));
    for loadout in drawn["loadouts"].as_array().expect("a list") {
        assert_eq!((&loadout["points"], &loadout["faults"]), (&1000.into(), &Value::Array(vec![])));
        let text = loadout["text"].as_str().expect("a text");
        fine(&format!("perft conquest 1 --setup {text}"));
    }
    let tables = scratch.write("units.toml", "[troop.Scout]\ncost = 1000\n");
    let fewer = json(&format!("loadouts count --units {tables} --json"));
    assert!(fewer["all"].as_u64() < counts["all"].as_u64());
}

#[test]
fn setups_travel_with_the_agents() {
    let scratch = Scratch::new("setups");
    let own = scratch.write(
        "own.toml",
        "[[loadout]]\nname = \"One\"\ncommands = [\"Charge\"]\nrows = [\"C\"]\n\
         [[loadout]]\nname = \"Two\"\ncommands = []\nrows = [\"S.S\"]\n",
    );
    let records = scratch.path("games.jsonl");
    fine(&format!(
        "match conquest --a random --b random --games 2 --setup-a {own}#One --setup-b Rush \
         --rules turn-limit=4 --records {records} --quiet"
    ));
    let text = scratch.read("games.jsonl");
    let starts: Vec<String> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a record")["start"].to_string())
        .collect();
    assert!(starts[0].contains(" Charge BattleCry,"), "{}", starts[0]);
    assert!(starts[1].contains(" BattleCry,Stoicism,Charge,ShieldWall Charge "), "{}", starts[1]);
}

#[test]
fn changed_tables_are_part_of_the_rules() {
    let scratch = Scratch::new("units");
    let path = scratch.write("units.toml", "[troop.Champion]\nhealth = 400\n");
    let records = scratch.path("games.jsonl");
    let shown = (&path, &records);
    fine(&format!(
        "match conquest --a random --b random --games 2 --rules original,turn-limit=9 --units {} \
         --records {} --quiet",
        shown.0, shown.1
    ));
    let text = scratch.read("games.jsonl");
    assert!(text.contains("units=C:200/4/1/400/400"));
    // The record is enough: the file is not needed to replay it.
    fine(&format!(
        "verify conquest {} --rules original,turn-limit=9,units=C:200/4/1/400/400",
        shown.1
    ));
}

#[test]
fn behaviour_adds_up() {
    let scratch = Scratch::new("behaviour");
    let path = scratch.path("behaviour.json");
    fine(&format!(
        "match conquest --a greedy --b random --games 6 --rules turn-limit=300 --behaviour {path} \
         --quiet"
    ));
    let text = scratch.read("behaviour.json");
    let counted: Value = serde_json::from_str(&text).expect("JSON");
    let sum = |value: &Value| -> f64 {
        value.as_object().expect("an object").values().map(|v| v.as_f64().expect("a number")).sum()
    };
    let conquest = &counted["conquest"];
    let turns = counted["turns"]["mean"].as_f64().expect("a mean") * 6.0;
    // Every turn has one selection.
    assert!((sum(&conquest["selections"]) - turns).abs() < 1e-6);
    let (mut kills, mut attacked) = (0.0, 0.0);
    for (_, row) in conquest["attacks"].as_object().expect("an object") {
        for (_, cell) in row.as_object().expect("an object") {
            assert!(cell["kills"].as_u64() <= cell["count"].as_u64());
            kills += cell["kills"].as_f64().expect("a number");
        }
    }
    for (_, deaths) in conquest["deaths"].as_object().expect("an object") {
        attacked += deaths["attacked"].as_f64().expect("a number");
    }
    assert!(kills > 0.0 && (kills - attacked).abs() < 1e-9);
}

#[test]
fn secret_commands_are_searched() {
    let scratch = Scratch::new("secrets");
    let rules = "--rules secret-commands=yes,start-points=600";
    for (agent, worlds) in [("ismcts", 400), ("pimc", 20)] {
        let tree = scratch.path(agent);
        let answer = json(&format!(
            "search conquest {rules} --agent {agent}:iterations=400,rollout.unit=actions --json \
             --tree {tree}"
        ));
        assert_eq!(answer["counters"]["worlds"], worlds);
        assert_eq!(answer["principal_variation"][0], answer["action"]);
        assert_eq!(answer["complete"], true);
    }
    let told: Value = serde_json::from_str(&scratch.read("ismcts")).expect("JSON");
    let nodes = told["nodes"].as_array().expect("a list");
    assert!(nodes.len() > 20 && nodes[0]["visits"] == 400, "{told}");
    let hint = fine(&format!("search conquest {rules} --quiet"));
    assert!(hint.contains("worlds"), "{hint}");
}

#[test]
fn bad_input_is_named() {
    let scratch = Scratch::new("bad");
    let broken = scratch.write("broken.gz", "\u{1f}");
    let units = scratch.write("units.toml", "[troop.Champion]\nhealth = 0\n");
    for (line, expected) in [
        ("perft conquest 1 --rules winds=maybe".to_owned(), "hashed or random"),
        ("perft conquest 1 --setup 6C".into(), "200 above the limit"),
        ("perft conquest 1 --setup nobody.toml".into(), "nobody.toml"),
        ("perft othello 1 --setup Default".into(), "othello has no setups"),
        ("loadouts random --kind nice".into(), "all, maximal or exact"),
        ("loadouts check nowhere.toml".into(), "nowhere.toml"),
        ("verify conquest nowhere.jsonl".into(), "nowhere.jsonl"),
        ("verify othello ".to_owned() + TRACES, "no traces"),
        (format!("verify conquest {broken}"), "line 1"),
        (format!("search conquest --units {units}"), "Champion: health 0"),
        (format!("search othello --units {units}"), "no tables of units"),
        ("search conquest --position x".into(), "expected 11 words"),
        ("search conquest --agent scout-as-printed:depth=2".into(), "no limit of depth"),
        ("search conquest --agent fpu --rules secret-commands=yes".into(), "ismcts and pimc"),
    ] {
        let ran = run(&line);
        assert_eq!(ran.code, 2, "warroom {line}: {}", ran.out);
        assert!(ran.err.contains(expected), "warroom {line}: {}", ran.err);
    }
}
