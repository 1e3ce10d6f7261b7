//! Pages about runs: what is on them, and that they agree with the numbers of the run.

use crate::common::{Scratch, fine, json, run};
use serde_json::Value;

const ROUND_ROBIN: &str = r#"
about = "four quick agents"
game = "othello"
kind = "round-robin"
agents = ["pvs:depth=2", "random", "greedy", { name = "<b>tree</b>", spec = "uct:iterations=20" }]
games = 20
"#;

/// One small experiment of every kind: its name, its text, and files that its report must hold.
const KINDS: &[(&str, &str, &[&str])] = &[
    (
        "match",
        "game = \"othello\"\nkind = \"match\"\nagents = [\"greedy\", \"random\"]\ngames = 20\n",
        &["pairings.svg", "lengths.png", "game.csv"],
    ),
    ("field", ROUND_ROBIN, &["pairings.png", "ratings.svg", "cycles.csv"]),
    (
        "setups",
        "game = \"conquest\"\nkind = \"round-robin\"\nover = \"setups\"\n\
         setups = [\"Rush\", \"Default\", \"3C,2S+Charge,BattleCry\"]\nagents = [\"greedy\"]\n\
         games = 2\n",
        &["behaviour-attacks.csv", "behaviour-troop-points-left.csv"],
    ),
    (
        "gauntlet",
        "game = \"lords-of-war\"\nkind = \"gauntlet\"\nagents = [\"greedy\"]\n\
         opponents = [\"random\"]\ngames = 4\n",
        &["behaviour-deployments-ranks.csv", "behaviour-deployments-classes.csv"],
    ),
    (
        "sequential",
        "game = \"othello\"\nkind = \"sprt\"\nagents = [\"pvs:depth=2\", \"random\"]\n\
         games = 400\n[sprt]\nelo0 = 0\nelo1 = 100\nbatch = 10\n",
        &["pairings.svg"],
    ),
    (
        "one-key",
        "game = \"othello\"\nkind = \"sweep\"\nagents = [\"uct:iterations=5\"]\n\
         opponents = [\"random\"]\ngames = 4\n[sweep]\nselect.c = [0.5, 1.0, 2.0]\n",
        &["pairings.svg"],
    ),
    (
        "two-keys",
        "game = \"othello\"\nkind = \"sweep\"\nagents = [\"uct\"]\n\
         opponents = [\"random\", \"greedy\"]\ngames = 4\n[sweep]\nselect.c = [0.5, 1.0]\n\
         iterations = [2, 4, 8]\n",
        &["sweep-1.svg", "sweep-2.csv", "pairings.csv"],
    ),
    (
        "rules",
        "game = \"conquest\"\nkind = \"sweep\"\nagents = [\"greedy\"]\n\
         opponents = [\"random\"]\ngames = 2\n[sweep.rules]\n\
         counter = [\"in-range\", \"always\"]\n",
        &["conditions.csv"],
    ),
    (
        "grid",
        "game = \"othello\"\nkind = \"tune\"\nagents = [\"uct\"]\nopponents = [\"random\"]\n\
         games = 4\n[tune]\nevaluations = 16\n[tune.space]\niterations = [2, 4]\n\
         select.c = [0.5, 1.0]\n",
        &["marginals.svg", "most-visited.csv"],
    ),
    (
        "gradient",
        "game = \"othello\"\nkind = \"tune\"\nagents = [\"uct:iterations=4\"]\n\
         opponents = [\"random\"]\ngames = 4\n[tune]\nmethod = \"spsa\"\nevaluations = 16\n\
         [[tune.parameters]]\nkey = \"select.c\"\nstart = 1.0\n",
        &["path.svg"],
    ),
];

#[test]
fn a_run_of_every_kind_has_a_page() {
    let scratch = Scratch::new("report_kinds");
    for (name, text, files) in KINDS {
        let (file, db) = (scratch.write(&format!("{name}.toml"), text), scratch.path("a.sqlite"));
        fine(&format!("run {file} --db {db} --quiet"));
        let out = scratch.path(name);
        let said = json(&format!("report {name} --db {db} --out {out} --json"));
        let named: Vec<&str> =
            said["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap()).collect();
        for wanted in files.iter().chain(&["index.html", "README.md", "players.csv"]) {
            assert!(named.contains(wanted), "{name}: {wanted} in {named:?}");
        }
        for figure in named.iter().filter_map(|file| file.strip_suffix(".svg")) {
            for ending in ["png", "csv"] {
                assert!(named.contains(&format!("{figure}.{ending}").as_str()), "{name}: {figure}");
            }
        }
        let page = scratch.read(&format!("{name}/index.html"));
        let run = said["run"].as_str().unwrap();
        assert!(page.contains(&format!("<h1>{name}</h1>")) && page.contains(run), "{name}");
        assert!(!page.contains("NaN") && !page.contains(">inf<"), "{name}");
        assert!(page.matches("<table").count() >= page.matches("<figure").count(), "{name}");
        for loads in ["src=", "href=", "<script", "@import"] {
            assert!(!page.contains(loads), "{name}: {loads}");
        }
        assert!(!page.contains("<b>tree"), "names are escaped");
        assert_eq!(page.contains("&lt;b&gt;tree&lt;/b&gt;"), *name == "field");
        assert!(!page.contains("Not finished"), "{name}");
        assert!(page.contains("ms per decision") && page.contains("Each pair of games begins"));
        let players = scratch.read(&format!("{name}/effort.csv")).lines().count() - 1;
        assert!(players >= 2, "{name}");
    }
}

/// Work per decision where it was logged, and armies that nobody chose by their names.
#[test]
fn a_report_says_what_was_really_used() {
    let scratch = Scratch::new("report_effort");
    let file = scratch.write(
        "slow.toml",
        "game = \"lords-of-war\"\nkind = \"match\"\ngames = 4\nlog = \"decisions\"\n\
         agents = [\"uct:iterations=3\", \"random\"]\n",
    );
    let (db, out) = (scratch.path("a.sqlite"), scratch.path("page"));
    fine(&format!("run {file} --db {db} --quiet"));
    fine(&format!("report latest --db {db} --out {out}"));
    let page = scratch.read("page/README.md");
    assert!(
        page.contains("orcs (the default) for player 1, dwarves (the default) for player 2"),
        "{page}"
    );
    assert!(
        page.contains("| player | games | s per game | decisions per game | ms per decision |")
    );
    let row =
        page.lines().find(|line| line.starts_with("| uct:iterations=3 | 4 |")).expect("a row");
    assert_eq!(
        row.split('|').nth(7).map(str::trim),
        Some("3.00"),
        "iterations per decision: {row}"
    );
    let said = fine("match lords-of-war --a random --b greedy --games 4");
    assert!(
        said.contains("orcs (the default) for player 1, dwarves (the default) for player 2"),
        "{said}"
    );
}

/// The text that a pointer over a field of the heat map shows, and the table, say what `runs show`
/// says.
#[test]
fn the_heat_map_agrees_with_the_run() {
    let scratch = Scratch::new("report_numbers");
    let (file, db) = (scratch.write("field.toml", ROUND_ROBIN), scratch.path("a.sqlite"));
    fine(&format!("run {file} --db {db} --quiet"));
    let out = scratch.path("out");
    fine(&format!("report latest --db {db} --out {out}"));
    let shown = json(&format!("runs show latest --db {db} --json"));
    let svg = scratch.read("out/pairings.svg");
    let csv = scratch.read("out/pairings.csv");
    let percent = |value: &Value| format!("{:.1}", value.as_f64().unwrap() * 100.0);
    let other = |value: &Value| format!("{:.1}", (1.0 - value.as_f64().unwrap()) * 100.0);
    let escaped = |value: &Value| value.as_str().unwrap().replace('<', "&lt;").replace('>', "&gt;");
    let cells = shown["summary"]["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 6);
    for cell in cells {
        let (a, b) = (escaped(&cell["a"]), escaped(&cell["b"]));
        let star = if cell["p_holm"].as_f64().unwrap() < 0.05 { " ★" } else { "" };
        let (low, high) = (&cell["wilson"][0], &cell["wilson"][1]);
        let games = &cell["games"];
        for tip in [
            format!(
                "<title>{a} v {b}: {} % [{}, {}] of {games} games{star}</title>",
                percent(&cell["score"]),
                percent(low),
                percent(high)
            ),
            format!(
                "<title>{b} v {a}: {} % [{}, {}] of {games} games{star}</title>",
                other(&cell["score"]),
                other(high),
                other(low)
            ),
        ] {
            assert!(svg.contains(&tip), "{tip} in {svg}");
        }
        let row = format!(
            ",{},{},{games},{},{},{},{:.6},",
            cell["a"].as_str().unwrap(),
            cell["b"].as_str().unwrap(),
            cell["a_wins"],
            cell["draws"],
            cell["b_wins"],
            cell["score"].as_f64().unwrap()
        );
        assert!(csv.contains(&row), "{row} in {csv}");
    }
    for player in shown["summary"]["analysis"]["players"].as_array().unwrap() {
        assert!(svg.contains(&format!("<title>{}, all games: ", escaped(&player["name"]))));
    }
    assert!(svg.contains("class=\"star\""), "two plies against chance is clear");
}

#[test]
fn reports_do_not_mix_with_other_files() {
    let scratch = Scratch::new("report_refused");
    let (file, db) = (scratch.write("a.toml", KINDS[0].1), scratch.path("a.sqlite"));
    fine(&format!("run {file} --db {db} --quiet"));
    let out = scratch.path("out");
    let line = format!("report latest --db {db} --out {out}");
    let said = fine(&line);
    assert!(said.contains("index.html") && said.contains("files"), "{said}");
    let refused = run(&line);
    assert_eq!(refused.code, 2);
    assert!(
        refused.err.contains("not empty") && refused.err.contains("--force"),
        "{}",
        refused.err
    );
    fine(&format!("{line} --force"));
    let refused = run(&format!("report latest --db {db} --out {file}"));
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("not a folder"), "{}", refused.err);
    let unknown = run(&format!("report nobody --db {db} --out {out}2"));
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("run 'nobody': no such run"), "{}", unknown.err);
    let missing = run(&format!("report latest --db {db}2 --out {out}2"));
    assert_eq!(missing.code, 2);
    assert!(missing.err.contains("no such database"), "{}", missing.err);
    assert!(!scratch.files().contains(&"out2".to_owned()), "nothing is made");
}

#[cfg(unix)]
#[test]
fn void_games_are_told_before_results() {
    let scratch = Scratch::new("report_void");
    let text = KINDS[0].1.replace("greedy", "exec:false");
    let (file, db) = (scratch.write("broken.toml", &text), scratch.path("a.sqlite"));
    assert_eq!(run(&format!("run {file} --db {db} --quiet")).code, 3);
    fine(&format!("report latest --db {db} --out {}", scratch.path("out")));
    let page = scratch.read("out/index.html");
    let place = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words} in {page}"));
    assert!(place("<b>20 of 20 games are void</b>") < place("No games between"));
    assert!(place("Games that do not count") < place("<h2>Pairings</h2>"));
    assert!(page.contains("warroom runs replay broken-"));
    assert!(!page.contains("NaN") && !page.contains("<figure"), "there is nothing to draw");
}

/// A run that was stopped: everything is shown and nothing said to be so.
#[cfg(unix)]
#[test]
fn an_unfinished_run_claims_nothing() {
    let scratch = Scratch::new("report_unfinished");
    let text = ROUND_ROBIN.replace("= 20\n", "= 4000\n");
    let (file, db) = (scratch.write("long.toml", &text), scratch.path("a.sqlite"));
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_warroom"))
        .args(["run", &file.replace('%', " "), "--db", &db.replace('%', " "), "--quiet"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the binary starts");
    let played = || {
        let listed = run(&format!("runs --db {db} --json"));
        let listed: Value = serde_json::from_str(&listed.out).unwrap_or_default();
        listed["runs"][0]["played"].as_u64().unwrap_or(0)
    };
    while played() < 100 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    child.kill().expect("it is still running");
    child.wait().expect("it ends");
    fine(&format!("report latest --db {db} --out {}", scratch.path("out")));
    let page = scratch.read("out/index.html");
    assert!(page.contains("<b>Not finished</b>") && page.contains("no claims are made yet"));
    for claim in
        ["is rated highest", "is stronger", "differ significantly", "explain", "class=\"star\""]
    {
        assert!(!page.contains(claim), "{claim}");
    }
    assert!(!page.contains(" ★</td>"), "no pairing is marked");
}
