//! `warroom reproduce` as a person meets it.

use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

fn warroom(words: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("warroom").unwrap().args(words).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A folder of this test alone, not there yet.
fn folder(name: &str) -> PathBuf {
    let path =
        std::env::temp_dir().join(format!("warroom-reproduce-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

#[test]
fn papers_are_listed_with_their_times() {
    let (code, out, _) = warroom(&["reproduce"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("othello") && out.contains("standard: "), "{out}");
    assert!(out.contains("parts: constant, single, joined"), "{out}");
}

#[test]
fn bad_input_is_refused_clearly() {
    let full = folder("full");
    std::fs::create_dir_all(&full).unwrap();
    std::fs::write(full.join("mine.txt"), "mine").unwrap();
    let full_text = full.to_str().unwrap();
    for (words, expected) in [
        (vec!["reproduce", "chess"], "no such paper (papers: conquest, lords-of-war, othello)"),
        (
            vec!["reproduce", "conquest", "--part", "lunch"],
            "no such part (parts: agents, tuning, tournament, reductions)",
        ),
        (vec!["reproduce", "othello", "--part", "agents"], "has no parts"),
        (vec!["reproduce", "conquest", "--wthor", "x"], "games of Othello"),
        (vec!["reproduce", "othello", "--out", full_text], "not empty"),
        (vec!["reproduce", "othello", "--wthor", "no/such/folder"], "no/such/folder"),
        (vec!["reproduce", "othello", "--wthor", full_text], "no .wtb files"),
        (vec!["reproduce", "othello", "--scale", "huge"], "standard"),
        (vec!["reproduce", "othello", "--scale", "paper"], "has no such scale"),
        (vec!["reproduce", "othello", "--dry-run"], "mostly searches"),
        (vec!["reproduce", "conquest", "--part", "reductions", "--dry-run"], "no games"),
        (
            vec!["reproduce", "lords-of-war", "--part", "constant", "--scale", "tiny"],
            "nothing is played at scale tiny",
        ),
        (vec!["reproduce", "lords-of-war", "--seed", "9999999999999999999"], "--seed 9999"),
    ] {
        let (code, out, error) = warroom(&words);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{words:?}");
        assert!(error.contains(expected), "{words:?}: {error}");
    }
    std::fs::remove_dir_all(full).unwrap();
}

#[test]
fn a_tiny_run_writes_every_file() {
    let out = folder("out");
    let database = out.with_extension("sqlite");
    let words = ["reproduce", "othello", "--scale", "tiny", "--json", "--out"];
    let where_to = [out.to_str().unwrap(), "--db", database.to_str().unwrap()];
    let (code, json, error) = warroom(&[&words[..], &where_to].concat());
    assert_eq!(code, Some(0), "{error}");
    let study: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(study["agreement"]["wrong_values"], 0);
    assert!(study["timing"]["verdicts"].is_array() && study["rows"][0]["timing"].is_object());
    for name in ["othello-nodes.csv", "othello-summary.csv", "index.html", "nodes-fixed.svg"] {
        assert!(std::fs::metadata(out.join(name)).unwrap().len() > 500, "{name}");
    }
    std::fs::remove_dir_all(out).unwrap();
    std::fs::remove_file(database).unwrap();
}

/// The same seed gives the same study, whatever the number of threads.
#[test]
fn a_tiny_conquest_study_repeats_and_writes_every_file() {
    let out = folder("conquest");
    let words = ["reproduce", "conquest", "--scale", "tiny", "--json"];
    let wrote = [&words[..], &["--threads", "2", "--out", out.to_str().unwrap()]].concat();
    let study = |words: &[&str]| {
        let (code, json, error) = warroom(words);
        assert_eq!(code, Some(0), "{error}");
        let mut study: Value = serde_json::from_str(&json).unwrap();
        study.as_object_mut().unwrap().remove("timing");
        study
    };
    let database = |name: &str| out.with_extension(name).to_str().unwrap().to_owned();
    let (one, two) = (database("one.sqlite"), database("two.sqlite"));
    let first = study(&[&wrote[..], &["--db", &two]].concat());
    assert_eq!(first, study(&[&words[..], &["--threads", "1", "--db", &one]].concat()));
    for rules in [0, 1] {
        let agents = &first["agents"][rules]["summary"];
        assert_eq!(agents["cells"].as_array().unwrap().len(), 15);
        let setups = &first["tournaments"][rules];
        assert_eq!(setups["summary"]["cells"].as_array().unwrap().len(), 10);
        assert_eq!(setups["behaviour"]["games"], 20);
    }
    assert!(first["verdicts"].as_array().unwrap().len() >= 14);
    // The reductions can only make the tree of a turn smaller.
    let rows = first["reductions"]["rows"].as_array().unwrap();
    for row in &rows[2..] {
        assert!(row["ratio"].as_f64().unwrap() >= 1.0, "{row}");
    }
    // Positions in which Winds of Fate can draw are found in any sample, and counted by themselves.
    let winds = &first["reductions"]["winds"];
    assert!(winds["positions"].as_u64().unwrap() >= 1, "{winds}");
    assert!(winds["found"].as_u64().unwrap() < winds["turns"].as_u64().unwrap(), "{winds}");
    assert_eq!(winds["rows"].as_array().unwrap().len(), 4);
    for name in [
        "index.html",
        "README.md",
        "tournament-thesis-pairings.png",
        "agents-intended-ratings.svg",
        "thesis-table-3.csv",
        "conquest-reductions.csv",
    ] {
        assert!(std::fs::metadata(out.join(name)).unwrap().len() > 300, "{name}");
    }
    // Its runs are like any other, and nothing is played twice.
    let (code, listed, _) = warroom(&["runs", "--db", &two]);
    assert_eq!((code, listed.matches("conquest-").count()), (Some(0), 6), "{listed}");
    let (code, json, _) = warroom(&[&words[..], &["--db", &two]].concat());
    let again: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, again["timing"]["games_before"].as_u64()),
        (Some(0), Some(2 * (20 + 30 + 16 + 4)))
    );
    std::fs::remove_dir_all(out).unwrap();
    for file in [one, two] {
        std::fs::remove_file(file).unwrap();
    }
}

/// Killed in mid-game it goes on, and ends like an undisturbed one.
#[test]
fn lords_of_war_keeps_its_games_and_goes_on() {
    let base = folder("killed");
    std::fs::create_dir_all(&base).unwrap();
    let path = |name: &str| base.join(name).to_str().unwrap().to_owned();
    let (whole, killed, out) = (path("whole.sqlite"), path("killed.sqlite"), path("out"));
    let command = ["reproduce", "lords-of-war", "--scale", "tiny", "--json", "--threads", "1"];
    let study = |more: &[&str]| -> Value {
        let (code, json, error) = warroom(&[&command[..], more].concat());
        assert_eq!(code, Some(0), "{error}");
        serde_json::from_str(&json).unwrap()
    };
    let played = || {
        let (_, json, _) = warroom(&["runs", "--json", "--db", &killed]);
        let listed: Value = serde_json::from_str(&json).unwrap_or_default();
        let games = |run: &Value| run["played"].as_u64().unwrap();
        listed["runs"].as_array().map_or(0, |runs| runs.iter().map(games).sum())
    };
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_warroom"))
        .args(command)
        .args(["--db", &killed])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while played() == 0 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = played();
    let mut resumed = study(&["--db", &killed, "--out", &out]);
    assert_eq!(resumed["timing"]["games_before"], before);
    let mut undisturbed = study(&["--db", &whole]);
    assert_eq!(undisturbed["timing"]["games_before"], 0);
    for study in [&mut resumed, &mut undisturbed] {
        study.as_object_mut().unwrap().remove("timing");
    }
    assert_eq!(resumed, undisturbed);
    let page = std::fs::read_to_string(base.join("out/index.html")).unwrap();
    assert!(page.contains("h4[15] v uct") && !page.contains("H4["), "names keep their letters");
    let again = study(&["--db", &whole, "--as-new", "--part", "joined"]);
    assert_eq!(again["timing"]["games_before"], 0);
    std::fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_dry_run_says_how_much_is_missing_and_keeps_nothing() {
    let database = folder("dry").with_extension("sqlite");
    let dry = |paper: &str| -> Value {
        let file = database.to_str().unwrap();
        let words = ["reproduce", paper, "--scale", "tiny", "--dry-run", "--json", "--db", file];
        let (code, out, error) = warroom(&words);
        assert_eq!(code, Some(0), "{error}");
        serde_json::from_str(&out).unwrap()
    };
    for (paper, runs, games) in [("lords-of-war", 6, 56), ("conquest", 6, 2 * (30 + 20 + 16 + 4))] {
        let answer = dry(paper);
        assert_eq!((&answer["runs"], &answer["games"]), (&runs.into(), &games.into()), "{paper}");
        assert_eq!(answer["games_before"], 0);
        assert!(answer["timing"]["estimated_seconds"].as_f64().unwrap() > 0.0);
    }
    assert!(!database.exists());
}
