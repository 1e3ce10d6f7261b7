//! Lords of War on the command line: golden games, armies, own armies, hidden cards, behaviour.

use std::io::Read as _;

use crate::common::{Scratch, fine, json, run, run_with};
use serde_json::{Value, json};

const TRACES: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/lords-of-war/traces.jsonl.gz");
const CARDS: &str = include_str!("../../../../data/lords-of-war/cards.toml");

#[test]
fn golden_games_are_replayed() {
    let report = json(&format!("verify lords-of-war {TRACES} --json"));
    assert_eq!((&report["games"], &report["steps"]), (&19.into(), &1991.into()));
    assert_eq!(report["first_difference"], Value::Null);
}

fn traces() -> Vec<String> {
    let mut text = String::new();
    let file = std::fs::File::open(TRACES).expect("the golden games");
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("they decompress");
    text.lines().map(str::to_owned).collect()
}

/// A change of one record and the field where it must be found.
type Change = (&'static str, fn(&mut Value));

fn must_be_found(name: &str, lines: &[String], at: usize, changes: &[Change]) {
    let scratch = Scratch::new(name);
    for (number, (field, change)) in changes.iter().enumerate() {
        let mut record: Value = serde_json::from_str(&lines[at]).expect("a record");
        let sound = record.clone();
        change(&mut record);
        assert_ne!(record, sound, "{field}: nothing was changed");
        let mut changed = lines.to_vec();
        changed[at] = record.to_string();
        let path = scratch.write(&format!("{number}.jsonl"), &changed.join("\n"));
        let ran = run(&format!("verify lords-of-war {path} --json"));
        assert_eq!(ran.code, 1, "{field}: {}{}", ran.out, ran.err);
        let report: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(report["first_difference"]["field"], **field, "{report}");
        assert_eq!(report["first_difference"]["game"], sound["game"], "{report}");
    }
}

#[test]
fn every_kind_of_difference_is_found() {
    let lines = traces();
    // A step that leaves one shooter to be asked after another has fired.
    let step = lines.iter().position(|line| line.contains("\"fired\":[\"")).expect("a shot");
    must_be_found(
        "lords_steps",
        &lines,
        step,
        &[
            ("step", |step| step["step"] = 999.into()),
            ("seat", |step| step["seat"] = 0.into()),
            ("stage", |step| step["stage"] = "deploy".into()),
            ("legal", |step| step["legal"].as_array_mut().expect("a list").reverse()),
            ("legal", |step| step["legal"].as_array_mut().expect("a list").truncate(1)),
            ("action", |step| step["action"] = "shoot 6,4>0,0".into()),
            ("turn", |step| step["state"]["turn"] = 25.into()),
            ("seat", |step| step["state"]["seat"] = 0.into()),
            ("stage", |step| step["state"]["stage"] = "retreat".into()),
            ("board", |step| step["state"]["board"]["5,5"] = json!([0, 22])),
            ("board", |step| step["state"]["board"]["0,5"] = json!([0, 22])),
            ("hands", |step| step["state"]["hands"][0][2] = 8.into()),
            ("decks", |step| step["state"]["decks"][1] = 19.into()),
            ("lost", |step| step["state"]["lost"][0] = 8.into()),
            ("lost_commands", |step| step["state"]["lost_commands"][1] = 1.into()),
            ("result", |step| step["state"]["result"] = 0.into()),
            ("reason", |step| step["state"]["reason"] = "cards".into()),
            ("threat", |step| step["state"]["threat"][0] = 8.into()),
            ("shooter", |step| step["state"]["shooter"] = "6,4".into()),
            ("fired", |step| step["state"]["fired"] = json!([])),
            ("fired", |step| step["state"]["fired"][0] = "6,4>6,2".into()),
            ("h5[1]", |step| step["state"]["h"][1][4] = 4.76.into()),
            ("h11[0]", |step| step["state"]["h"][0][10] = Value::Null),
            ("unheard", |step| step["state"]["unheard"] = 1.into()),
        ],
    );
    let end = lines.iter().position(|line| line.contains("\"type\":\"end\"")).expect("an end");
    must_be_found(
        "lords_ends",
        &lines,
        end,
        &[
            ("steps", |end| end["steps"] = 1.into()),
            ("turns", |end| end["turns"] = 1.into()),
            ("result", |end| end["result"] = 0.into()),
            ("reason", |end| end["reason"] = "cards".into()),
        ],
    );
    must_be_found(
        "lords_deals",
        &lines,
        0,
        &[
            ("hands", |game| game["hands"][0][1] = 6.into()),
            ("hands", |game| game["order"][0].as_array_mut().expect("a list").swap(0, 9)),
            ("seat", |game| game["first"] = 0.into()),
        ],
    );
}

#[test]
fn records_are_verified_and_tampering_is_found() {
    let scratch = Scratch::new("lords_records");
    let path = scratch.path("games.jsonl");
    fine(&format!(
        "match lords-of-war --a random --b random --games 4 --rules table,turn-limit=40 \
         --armies elves,undead --records {path} --quiet"
    ));
    let verify = format!("verify lords-of-war {path} --rules table,turn-limit=40 --json");
    assert_eq!(json(&verify)["games"], 4);
    let text = scratch.read("games.jsonl");
    scratch.write("games.jsonl", &text.replacen("\"draw\"", "\"retreat 3,3\"", 1));
    assert_eq!(run(&verify).code, 1);
}

/// The orcs under another name, with two of their ranks at odds with the usual numbers.
fn own_army() -> String {
    let orcs = CARDS.split("[[army]]").nth(1).expect("a first army");
    let own = orcs.replacen("\"orcs\"", "\"newts\"", 1).replacen("\"Orcs\"", "\"Own newts\"", 1);
    format!("[[army]]{}", own.replacen("\"special\"", "\"elite\"", 1))
}

#[test]
fn own_armies_are_played_and_replayed_without_their_file() {
    let scratch = Scratch::new("lords_own");
    let units = scratch.write("own.toml", &own_army());
    let records = scratch.path("games.jsonl");
    let warnings = "warning: army newts: 6 cards of rank elite, usually 4\n\
                    warning: army newts: 2 cards of rank special, usually 4\n";
    let agents = "--a random --b greedy";
    let ran = run(&format!(
        "match lords-of-war {agents} --games 4 --units {units} --armies newts,elves --records \
         {records} --quiet"
    ));
    assert_eq!((ran.code, ran.err.as_str()), (0, warnings));
    let play = "play lords-of-war --seat0 random --seat1 random --rules turn-limit=9 --json";
    let ran = run(&format!("{play} --units {units} --armies undead,newts"));
    assert_eq!((ran.code, ran.err.as_str()), (0, warnings));
    let played: Value = serde_json::from_str(&ran.out).expect("a record");
    let save = scratch.write("game.json", &ran.out);
    let ran = run(&format!("search lords-of-war --agent greedy --units {units} --quiet"));
    assert_eq!((ran.code, ran.err.as_str()), (0, warnings));
    // The rules of a record hold the army: the file is not needed any more.
    std::fs::remove_file(units.replace('%', " ")).expect("the file goes");
    let lines = scratch.read("games.jsonl");
    let first: Value = serde_json::from_str(lines.lines().next().expect("a game")).expect("JSON");
    let word = |record: &Value| record["rules"].as_str().expect("rules").replace(' ', "%");
    assert!(word(&first).contains("armies=newts:Own%newts;Gonke%Longtooth:general:"), "{first}");
    let ran = run(&format!("verify lords-of-war {records} --rules {} --json", word(&first)));
    assert_eq!((ran.code, ran.err.as_str()), (0, warnings));
    let ran = run_with(
        &format!("play lords-of-war --load {save} --seat0 random --rules {}", word(&played)),
        "quit\n",
    );
    assert!(ran.code == 0 && ran.out.contains("Own newts"), "{}{}", ran.out, ran.err);
}

#[test]
fn armies_are_listed_and_checked() {
    let list = json("loadouts list --game lords-of-war --json");
    let ids: Vec<&Value> = list["armies"].as_array().expect("a list").iter().collect();
    assert_eq!(ids.len(), 6);
    assert_eq!((&ids[1]["id"], &ids[1]["defence"]), (&"dwarves".into(), &136.into()));
    for army in ids {
        let classes = army["classes"].as_object().expect("an object").values();
        assert_eq!(classes.filter_map(Value::as_u64).sum::<u64>(), 36);
        assert_eq!((&army["cards"], &army["warnings"]), (&36.into(), &json!([])));
    }
    assert!(fine("loadouts list --game lords-of-war").contains("36 cards"));
    let scratch = Scratch::new("lords_check");
    let units = scratch.write("own.toml", &own_army());
    let out = fine(&format!("loadouts check {units} --game lords-of-war"));
    assert!(out.contains("newts") && out.contains("! army newts: 6 cards of rank elite"), "{out}");
}

#[test]
fn armies_are_chosen_by_name() {
    let answer = json("search lords-of-war --armies undead,templars --agent greedy --json");
    assert!(answer["position"].as_str().expect("text").starts_with("undead:templars 1:"));
    let mirror = json("search lords-of-war --armies elves,elves --agent random --json");
    assert!(mirror["position"].as_str().expect("text").starts_with("elves:elves 1:"));
    let answer = json("search lords-of-war --agent uct:iterations=200 --json");
    assert_eq!(answer["counters"]["iterations"], 200);
    assert!(answer["action"].as_str().expect("text").starts_with("deploy "));
}

#[test]
fn people_play() {
    let ran = run_with("play lords-of-war --seat1 random", "moves\nshow\nquit\n");
    assert!(ran.code == 0 && ran.out.contains("deploy 0 2,2"), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("0 Gonke Longtooth (6 N5 NE5 NW5)"), "{}", ran.out);
    // Arrows of the far seat point down the board.
    assert!(ran.out.contains("0 Krod Klouthammer (7 E3 SE4 S5)"), "{}", ran.out);
    let record = fine("play lords-of-war --seat0 random --seat1 random --json");
    let record: Value = serde_json::from_str(&record).expect("a record");
    assert!(record["actions"].as_array().expect("a list").len() > 40, "{record}");
}

#[test]
fn hidden_cards_stay_hidden() {
    let table = "play lords-of-war --rules table --seat1 random";
    let ran = run_with(table, "quit\n");
    assert_eq!(ran.code, 0, "{}", ran.err);
    // The general is known to be in the hand of seat 1; five cards are not.
    assert_eq!(ran.out.matches('?').count() % 5, 0, "{}", ran.out);
    assert!(ran.out.contains("Krod") && ran.out.contains("\n        ?\n"), "{}", ran.out);
    // Neither the position nor a hint tells what the other hand holds.
    let hints = format!("{table} --hint ismcts:iterations=300");
    for seed in 1..=6 {
        let ran = run_with(&format!("{hints} --seed {seed}"), "position\nhint\nquit\n");
        assert!(ran.out.contains("contains hidden information"), "{}", ran.out);
        let expected = ran.out.lines().filter_map(|line| line.split_once("expects "));
        for (_, line) in expected {
            assert!(line.matches("deploy").count() <= 1, "only the own turn: {line}");
        }
    }
    for (agent, worlds) in [
        ("ismcts:iterations=200", 200),
        ("pimc:iterations=200", 20),
        ("lords-of-war-best:nodes=800", 8),
        ("turn-beam:calls=800,worlds=3", 3),
    ] {
        let answer = json(&format!("search lords-of-war --rules table --agent {agent} --json"));
        assert_eq!(answer["counters"]["worlds"], worlds, "{agent}");
        assert_eq!(answer["principal_variation"][0], answer["action"]);
    }
    let answer = json(
        "match lords-of-war --rules table,turn-limit=6 --a ismcts:iterations=20 --b \
         pimc:iterations=20 --games 4 --json",
    );
    assert_eq!(answer["games"], 4);
    // Who names nobody gets an opponent that does not peep.
    let hint = fine("search lords-of-war --rules table --quiet");
    assert!(hint.contains("worlds"), "{hint}");
}

#[test]
fn behaviour_adds_up() {
    let scratch = Scratch::new("lords_behaviour");
    let path = scratch.path("behaviour.json");
    fine(&format!("match lords-of-war --a greedy --b random --games 8 --behaviour {path} --quiet"));
    let counted: Value = serde_json::from_str(&scratch.read("behaviour.json")).expect("JSON");
    let own = &counted["lords-of-war"];
    let sum = |value: &Value| -> u64 {
        value.as_object().expect("an object").values().map(|v| v.as_u64().expect("a count")).sum()
    };
    let number = |value: &Value| value.as_u64().expect("a count");
    let deployments = sum(&own["deployments"]["ranks"]);
    assert_eq!(deployments, sum(&own["deployments"]["classes"]));
    let shots = sum(&own["shots"]);
    assert!(deployments > 200 && shots > 0, "{own}");
    let actions = counted["actions"]["mean"].as_f64().expect("a mean") * 8.0;
    // Every action is a deployment, a shot or its hold, a retreat, a draw (or, rarely, a pass).
    let rest = actions.round() as u64 - deployments - shots - number(&own["retreats"]);
    assert!(rest <= number(&own["draws"]), "{own}");
    let fell = sum(&own["kills"]) + sum(&own["losses_in_own_turn"]);
    assert!((8 * 4..8 * 45).contains(&fell), "{own}");
    assert_eq!(sum(&own["endings"]), 8);
}

#[test]
fn bad_input_is_named() {
    let search = |words: &str| format!("search lords-of-war --agent greedy {words}");
    for (line, expected) in [
        (search("--armies orcs"), "--armies orcs: expected two armies"),
        (search("--armies orcs,"), "--armies orcs,: expected two armies"),
        (search("--armies ,orcs"), "--armies ,orcs: expected two armies"),
        (search("--armies orcs,goblins"), "army 'goblins': no such army; there are orcs, dwarves"),
        (search("--armies orcs,elves,undead"), "--armies orcs,elves,undead: expected two armies"),
        (search("--armies orcs,elves --setup orcs"), "cannot be used with"),
        ("search othello --agent greedy --armies orcs,elves".into(), "othello has no armies"),
        ("search conquest --agent greedy --armies orcs,elves".into(), "conquest has no armies"),
        ("match lords-of-war --a random --b random --games 6".into(), "multiple of four"),
        ("match lords-of-war --a random --b random --games 0".into(), "multiple of four"),
        (search("--rules hidden=perhaps"), "hidden is yes or no"),
        (search("--rules turn-limit=0"), "from 1 to 10000"),
        (search("--rules newts"), "basic, table, intermediate"),
        (search("--position x"), "expected ARMY:ARMY TURN:FIRST"),
        ("search lords-of-war --rules table --agent uct:iterations=9".into(), "ismcts and pimc"),
        ("search lords-of-war --rules table --agent oep".into(), "ismcts and pimc"),
        ("loadouts list --game othello".into(), "--game othello: expected conquest or"),
        ("loadouts count --game lords-of-war".into(), "listed and checked only"),
        ("loadouts random --game lords-of-war".into(), "listed and checked only"),
        ("loadouts check nowhere.toml --game lords-of-war".into(), "nowhere.toml"),
        (search("--units nowhere.toml"), "nowhere.toml"),
    ] {
        let ran = run(&line);
        assert_eq!(ran.code, 2, "warroom {line}: {}", ran.out);
        assert!(ran.err.contains(expected), "warroom {line}: {}", ran.err);
    }
}

#[test]
fn bad_card_files_are_named() {
    let scratch = Scratch::new("lords_cards");
    let own = own_army();
    for (number, (from, to, expected)) in [
        ("def = 6", "def = 0", "army newts: card 'Gonke Longtooth': def is 0"),
        ("def = 6", "def = 10", "army newts: card 'Gonke Longtooth': def is 10"),
        ("melee = [5, 5", "melee = [5, 50", "card 'Gonke Longtooth': arrows and shots are at most"),
        ("melee = [5, 5,", "melee = [5,", "melee"),
        ("shot = 4, ", "", "card 'Orc Catapult': cards of class ranged, and only they"),
        ("[-1, 1], [0, 1]", "[0, 0], [0, 1]", "card 'Orc Catapult': an aim is up to"),
        ("count = 4", "count = 5", "army newts: it has 37 cards instead of 36"),
        ("count = 4", "count = 0", "card 'Goblin Bow Pest': count is 0"),
        ("\"general\"", "\"marshal\"", "marshal"),
        ("\"general\"", "\"command\"", "army newts: it has 0 generals instead of 1"),
        ("Gonke Longtooth", "Gonke:Longtooth", "card 'Gonke:Longtooth': its name"),
        ("\"newts\"", "\"New Ts\"", "its id must be made of small letters"),
        ("[[army]]", "[[troop]]", "troop"),
    ]
    .into_iter()
    .enumerate()
    {
        let broken = own.replacen(from, to, 1);
        assert_ne!(broken, own, "{from}");
        let name = format!("broken{number}.toml");
        let path = scratch.write(&name, &broken);
        for line in [
            format!("search lords-of-war --agent greedy --units {path}"),
            format!("loadouts check {path} --game lords-of-war"),
        ] {
            let ran = run(&line);
            assert_eq!(ran.code, 2, "warroom {line}: {}", ran.out);
            assert!(ran.err.contains(&name) && ran.err.contains(expected), "{to}: {}", ran.err);
        }
    }
}

/// A heat map of a file prunes as the same map written out.
#[test]
fn a_map_of_a_file_prunes_as_the_same_map_as_text() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/lords-of-war/evolved.toml");
    let played = |map: &str| {
        let agent = format!("uct:prune=map,hpl=2,iterations=20,{map}");
        let mut answer =
            json(&format!("match lords-of-war --a {agent} --b random --games 8 --json"));
        let fields = answer.as_object_mut().expect("an object");
        fields.retain(|key, _| key != "a" && key != "timing");
        answer
    };
    let text =
        "6:0:8:5:8:0:6/0:0:2:2:2:0:0/6:0:6:5:6:0:6/4:0:4:6:4:0:4/6:3:6:1:6:3:6/3:0:6:5:6:0:3";
    let by_file = played(&format!("eval={}", file.replace(' ', "%")));
    assert_eq!(by_file, played(&format!("eval=map,eval.map={text}")));
    let reversed: Vec<&str> = text.split('/').rev().collect();
    assert_ne!(by_file, played(&format!("eval=map,eval.map={}", reversed.join("/"))));
}
