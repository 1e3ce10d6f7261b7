//! Runs in shards, as a batch system plays them, put together again.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;
use store::Store;

use crate::common::{Scratch, fine, json, run};

const SHARDS: u64 = 4;

/// What Slurm does with one task of an array.
fn task(file: &str, folder: &str, shard: u64) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cluster/slurm.sh");
    let mut command = Command::new("bash");
    command.arg(script).args([file, &SHARDS.to_string(), folder]);
    command.env("SLURM_ARRAY_TASK_ID", shard.to_string());
    command.env("WARROOM", env!("CARGO_BIN_EXE_warroom"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn play(file: &str, folder: &str, shard: u64) {
    assert!(task(file, folder, shard).status().expect("bash is there").success(), "{shard}");
}

fn parts(folder: &str, shards: impl IntoIterator<Item = u64>) -> String {
    let part = |shard| format!("{folder}/part-{shard}.sqlite");
    shards.into_iter().map(part).collect::<Vec<_>>().join(" ")
}

fn export(db: &str) -> String {
    fine(&format!("runs export latest --no-times --db {db}"))
}

#[test]
fn a_lost_shard_is_named_and_played_again() {
    let scratch = Scratch::new("shards_lost");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'round-robin'\nagents = ['greedy', 'random', 'pvs:depth=1']\n\
         games = 14\n",
    );
    let (whole, merged) = (scratch.path("whole.sqlite"), scratch.path("merged.sqlite"));
    let folder = scratch.path("parts");
    fine(&format!("run {file} --db {whole}"));
    for shard in 0..SHARDS {
        play(&file, &folder, shard);
    }
    fs::remove_file(format!("{folder}/part-2.sqlite")).expect("it is there");
    fine(&format!("runs merge latest {} --db {merged}", parts(&folder, [0, 1, 3])));
    assert!(fine(&format!("runs --db {merged}")).contains("in part"));
    let lost = run(&format!("runs missing latest --db {merged}"));
    assert_eq!(lost.code, 1, "{}", lost.err);
    assert!(lost.out.contains("10 of 42 games are missing"), "{}", lost.out);
    assert!(lost.out.contains("games 4–5, 12–13, 20–21, 28–29, 36–37"), "{}", lost.out);
    assert!(lost.out.contains("run shard 2/4 again"), "{}", lost.out);
    play(&file, &folder, 2);
    let all =
        json(&format!("runs merge latest {} --db {merged} --json", parts(&folder, 0..SHARDS)));
    assert_eq!(
        [&all["added"], &all["known"], &all["played"]],
        [&json!(10), &json!(32), &json!(42)]
    );
    assert!(fine(&format!("runs missing latest --db {merged}")).contains("no game is missing"));
    assert_eq!(export(&merged), export(&whole));
    // Whoever shows it sees one run.
    let shown = |db: &str| {
        let text = fine(&format!("runs show latest --db {db}"));
        let lines = text.lines().skip(1).filter(|line| !line.contains(" thought"));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_eq!(shown(&merged), shown(&whole));
}

/// A killed task leaves what it played; the run can also be finished where it was put together.
#[test]
fn a_killed_shard_is_completed_anywhere() {
    let scratch = Scratch::new("shards_killed");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['uct:iterations=300', 'greedy']\ngames = 80\n",
    );
    let (folder, merged) = (scratch.path("parts"), scratch.path("merged.sqlite"));
    let part = parts(&folder, [1]);
    // The script becomes the program.
    let mut killed = task(&file, &folder, 1).spawn().expect("bash is there");
    let played = || match run(&format!("runs --db {part} --json")).out {
        said if said.is_empty() => 0,
        said => serde_json::from_str::<serde_json::Value>(&said).unwrap()["runs"][0]["played"]
            .as_u64()
            .unwrap_or(0),
    };
    while played() < 4 {
        assert!(killed.try_wait().expect("it is ours").is_none(), "too quick to be killed");
    }
    killed.kill().expect("it runs");
    killed.wait().expect("it ends");
    play(&file, &folder, 0);
    fine(&format!("runs merge latest {} --db {merged}", parts(&folder, [0, 1])));
    let missing = json_of_missing(&merged);
    assert_eq!(missing["shards"], json!(["1/4", "2/4", "3/4"]), "{missing}");
    // All that is missing, without shards.
    fine(&format!("run {file} --db {merged}"));
    let whole = scratch.path("whole.sqlite");
    fine(&format!("run {file} --db {whole}"));
    assert_eq!(export(&merged), export(&whole));
    // The shard that was killed goes on, too, and agrees.
    play(&file, &folder, 1);
    let again = json(&format!("runs merge latest {part} --db {merged} --json"));
    assert_eq!([&again["added"], &again["known"]], [&json!(0), &json!(20)]);
}

fn json_of_missing(db: &str) -> serde_json::Value {
    let said = run(&format!("runs missing latest --db {db} --json"));
    assert_eq!(said.code, 1, "{}", said.err);
    serde_json::from_str(&said.out).expect("one value")
}

/// All files are looked at before one is copied, also where the first ones agree.
#[test]
fn files_that_contradict_each_other_are_not_merged_in_part() {
    let scratch = Scratch::new("shards_contradict");
    let file = scratch.write(
        "x.toml",
        "game = 'othello'\nkind = 'match'\nagents = ['greedy', 'random']\ngames = 12\n",
    );
    let part = |name: &str| scratch.path(&format!("{name}.sqlite"));
    let (one, two, merged) = (part("one"), part("two"), part("merged"));
    fine(&format!("run {file} --shard 0/2 --db {one}"));
    fine(&format!("run {file} --shard 1/2 --db {two}"));
    let (from, into) = [&one, &two].map(|db| Store::open(Path::new(db)).unwrap()).into();
    let (run_of_one, run_of_two) = (from.run("latest").unwrap(), into.run("latest").unwrap());
    let mut row = from.games(&run_of_one).unwrap().swap_remove(0);
    row.actions += 1;
    into.add(&run_of_two, &row, &from.record(&run_of_one, row.number).unwrap()).unwrap();
    drop((from, into));
    let refused = run(&format!("runs merge latest {one} {two} --db {merged}"));
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(["one.sqlite", "two.sqlite", "game 0"].iter().all(|name| refused.err.contains(name)));
    assert!(!fine(&format!("runs --db {merged}")).contains(&run_of_one.id), "nothing is copied");
    fine(&format!("runs merge latest {one} --db {merged}"));
    let refused = run(&format!("runs merge latest {two} --db {merged}"));
    assert!(refused.code == 2 && refused.err.contains("merged.sqlite"), "{}", refused.err);
}

#[test]
fn what_has_no_shards_is_refused_with_the_reason() {
    let scratch = Scratch::new("shards_refused");
    let db = scratch.path("a.sqlite");
    let agents = "game = 'othello'\nagents = ['greedy', 'random']\ngames = 20\n";
    let plain = scratch.write("m.toml", &format!("{agents}kind = 'match'\n"));
    let sprt = format!("{agents}kind = 'sprt'\n[sprt]\nelo0 = 0\nelo1 = 50\n");
    let sprt = scratch.write("s.toml", &sprt);
    let tune = "game = 'othello'\nkind = 'tune'\nagents = ['alphabeta:depth=1']\nopponents = ['greedy']\n\
                games = 4\n[tune]\nevaluations = 8\n[tune.space]\ndepth = [1, 2]\n";
    let tune = scratch.write("t.toml", tune);
    for (file, shard, reason) in [
        (&sprt, "0/2", "a sequential test"),
        (&tune, "0/2", "a tuning"),
        (&plain, "2/2", "'2/2': expected I/N, with I from 0 and below N"),
        (&plain, "x", "'x': expected I/N"),
    ] {
        let refused = run(&format!("run {file} --shard {shard} --db {db}"));
        assert_eq!(refused.code, 2, "{}", refused.err);
        assert!(refused.err.contains(reason), "{}", refused.err);
    }
    fine(&format!("run {plain} --shard 0/2 --db {db}"));
    let itself = run(&format!("runs merge latest {db} --db {db}"));
    assert!(itself.code == 2 && itself.err.contains("with itself"), "{}", itself.err);
    let none = run(&format!("runs merge latest {db}.other --db {db}"));
    assert!(none.code != 0 && none.err.contains("a.sqlite.other"), "{}", none.err);
    assert!(!Path::new(&format!("{db}.other")).exists());
    let strange = run(&format!("runs missing latest --shards 0 --db {db}"));
    assert!(strange.code == 2 && strange.err.contains("'0'"), "{}", strange.err);
}
