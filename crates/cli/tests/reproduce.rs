//! `warroom reproduce` as a person meets it.

use std::path::PathBuf;

use assert_cmd::Command;

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
            "no such part (parts: reductions, agents)",
        ),
        (vec!["reproduce", "othello", "--part", "agents"], "has no parts"),
        (vec!["reproduce", "conquest", "--wthor", "x"], "games of Othello"),
        (vec!["reproduce", "othello", "--out", full_text], "not empty"),
        (vec!["reproduce", "othello", "--wthor", "no/such/folder"], "no/such/folder"),
        (vec!["reproduce", "othello", "--wthor", full_text], "no .wtb files"),
        (vec!["reproduce", "othello", "--scale", "huge"], "standard"),
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
    let words = ["reproduce", "othello", "--scale", "tiny", "--json", "--out"];
    let (code, json, error) = warroom(&[&words[..], &[out.to_str().unwrap()]].concat());
    assert_eq!(code, Some(0), "{error}");
    let study: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(study["agreement"]["wrong_values"], 0);
    assert!(study["timing"]["verdicts"].is_array() && study["rows"][0]["timing"].is_object());
    for name in ["othello-nodes.csv", "othello-summary.csv", "index.html", "nodes-fixed.svg"] {
        assert!(std::fs::metadata(out.join(name)).unwrap().len() > 500, "{name}");
    }
    std::fs::remove_dir_all(out).unwrap();
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
        let mut study: serde_json::Value = serde_json::from_str(&json).unwrap();
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
    let again: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (code, again["timing"]["games_before"].as_u64()),
        (Some(0), Some(2 * (20 + 30 + 16 + 4)))
    );
    std::fs::remove_dir_all(out).unwrap();
    for file in [one, two] {
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn lords_of_war_keeps_its_matches_and_goes_on() {
    let base = folder("cells");
    std::fs::create_dir_all(&base).unwrap();
    let (cells, out) = (base.join("cells.jsonl"), base.join("out"));
    let (cells_text, out_text) = (cells.to_str().unwrap(), out.to_str().unwrap());
    let command =
        ["reproduce", "lords-of-war", "--scale", "tiny", "--part", "joined", "--cells", cells_text];
    let with = |more: &[&str]| warroom(&[&command[..], more].concat());
    let (code, first, errors) = with(&["--quiet"]);
    assert_eq!(code, Some(0), "{errors}");
    assert!(first.contains("h4h5"), "{first}");
    let whole = std::fs::read_to_string(&cells).unwrap();
    // As if the program had been killed while it wrote the last line.
    std::fs::write(&cells, &whole[..whole.len() - 30]).unwrap();
    let (code, _, errors) = with(&["--quiet", "--out", out_text]);
    assert_eq!(code, Some(0), "{errors}");
    assert_eq!(std::fs::read_to_string(&cells).unwrap(), whole);
    assert!(out.join("index.html").exists());
    let (code, _, errors) = with(&["--seed", "2"]);
    assert_ne!(code, Some(0));
    assert!(errors.contains("another experiment") && errors.contains(cells_text), "{errors}");
    assert_eq!(std::fs::read_to_string(&cells).unwrap(), whole, "nothing is lost");
    std::fs::remove_dir_all(base).unwrap();
}

#[test]
fn a_dry_run_says_how_much_would_be_played() {
    let (code, out, errors) =
        warroom(&["reproduce", "lords-of-war", "--scale", "tiny", "--dry-run", "--json"]);
    assert_eq!(code, Some(0), "{errors}");
    let answer: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(answer["games"].as_u64().unwrap() >= 4 * answer["matches"].as_u64().unwrap());
    assert!(answer["timing"]["estimated_seconds"].as_f64().unwrap() > 0.0);
    for words in [
        ["reproduce", "othello", "--dry-run", "--quiet"],
        ["reproduce", "conquest", "--dry-run", "--quiet"],
    ] {
        let (code, _, errors) = warroom(&words);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("only the experiment of lords-of-war"), "{errors}");
    }
}
