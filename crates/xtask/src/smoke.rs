//! The commands that the README names, smaller where they would take long. So the README cannot
//! promise what the program does not do.

use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{self, Workspace};

/// One command.
struct Smoke {
    /// As the README has it, after `cargo run --` or `cargo run --release --`.
    readme: &'static str,
    /// As it is run here, `%` for a space inside a word; empty if the same.
    here: &'static str,
    /// What a person would type.
    input: Option<&'static str>,
    /// Found in the output.
    expected: &'static str,
}

const fn smoke(readme: &'static str, here: &'static str, expected: &'static str) -> Smoke {
    Smoke { readme, here, input: None, expected }
}

const COMMANDS: [Smoke; 31] = [
    smoke("games", "", "othello"),
    smoke("agents", "", "scout-as-printed"),
    smoke("agents alphabeta", "", "table.mb"),
    smoke("perft othello 11", "perft othello 8", "390,216 leaves"),
    Smoke {
        readme: "play othello --white alphabeta:depth=6",
        here: "play othello --white alphabeta:depth=2",
        input: Some("f5\nquit\n"),
        expected: "plays",
    },
    smoke(
        "search othello --agent pvs:depth=8 --position f5d6c3",
        "search othello --agent pvs:depth=4 --position f5d6c3",
        "nodes",
    ),
    smoke(
        "search othello --agent mcts:iterations=100000 --position f5d6c3",
        "search othello --agent mcts:iterations=1000 --position f5d6c3",
        "1,000 iterations",
    ),
    smoke(
        "match othello --a alphabeta:depth=4 --b scout:depth=4 --games 40 --seed 1",
        "match othello --a alphabeta:depth=2 --b scout:depth=2 --games 4 --seed 1",
        "score 50.0 %",
    ),
    smoke(
        "match othello --a \"exec:python3 examples/agents/prefers_corners.py\" --b random --games 20",
        "match othello --a exec:python3%examples/agents/prefers_corners.py --b random --games 4",
        "of 4 games",
    ),
    smoke(
        "run experiments/othello-ladder.toml --dry-run",
        "run experiments/othello-ladder.toml --dry-run --scale 0.1",
        "15 pairings",
    ),
    smoke(
        "run experiments/smoke.toml",
        "run experiments/smoke.toml --db target/smoke.sqlite --as-new",
        "120 of 120 games, finished",
    ),
    smoke("runs show latest", "runs show latest --db target/smoke.sqlite", "Bradley–Terry"),
    smoke(
        "runs export latest --format csv --no-times",
        "runs export latest --format csv --no-times --db target/smoke.sqlite",
        "number,cell,condition,a,b",
    ),
    smoke(
        "report latest --out report",
        "report latest --out target/smoke-report --force --db target/smoke.sqlite",
        "target/smoke-report/index.html",
    ),
    smoke(
        "solve othello data/othello/ffo.csv --only 40-44",
        "solve othello data/othello/ffo.csv --only 1-12",
        "12 solved, 0 disagree",
    ),
    smoke("reproduce", "", "standard"),
    smoke(
        "reproduce othello",
        "reproduce othello --scale tiny --quiet --db target/smoke.sqlite --as-new",
        "0 with another value than alpha-beta",
    ),
    smoke("bench othello", "bench othello --quick", "othello/perft"),
    Smoke {
        readme: "play conquest --seat1 fpu --setup Rush",
        here: "play conquest --seat1 fpu:calls=100 --setup Rush",
        input: Some("sel 12,2\nend\nquit\n"),
        expected: "plays",
    },
    smoke(
        "match conquest --a fpu --b fpu-original --games 40 --setup-a Rush --setup-b \
         3C,2S+Charge,BattleCry",
        "match conquest --a fpu:calls=100 --b fpu-original:calls=100 --games 2 --setup-a Rush \
         --setup-b 3C,2S+Charge,BattleCry",
        "of 2 games",
    ),
    smoke("loadouts count", "", "1,714,865"),
    smoke("verify conquest data/conquest/traces.jsonl.gz", "", "no difference"),
    smoke(
        "reproduce conquest --part reductions",
        "reproduce conquest --part reductions --scale tiny --quiet --db target/smoke.sqlite",
        "command window only",
    ),
    smoke(
        "reproduce lords-of-war --dry-run",
        "reproduce lords-of-war --dry-run --scale tiny --quiet --as-new",
        "games; about",
    ),
    smoke("bench conquest", "bench conquest --quick", "conquest/random-actions"),
    Smoke {
        readme: "play lords-of-war --seat1 uct:iterations=20000 --armies elves,undead",
        here: "play lords-of-war --seat1 uct:iterations=100 --armies elves,undead",
        input: Some("deploy 0 2,2\nquit\n"),
        expected: "plays",
    },
    smoke(
        "match lords-of-war --a uct:prune=h4,hpl=15,iterations=1000 --b uct:iterations=1000 --games \
         40",
        "match lords-of-war --a uct:prune=h4,hpl=15,iterations=20 --b uct:iterations=20 --games 4",
        "of 4 games",
    ),
    smoke(
        "match lords-of-war --a ismcts:iterations=1000 --b pimc:iterations=1000 --games 40 \
         --rules table",
        "match lords-of-war --a ismcts:iterations=20 --b pimc:iterations=20 --games 4 --rules \
         table,turn-limit=20",
        "of 4 games",
    ),
    smoke("loadouts list --game lords-of-war", "", "lizardmen"),
    smoke("verify lords-of-war data/lords-of-war/traces.jsonl.gz", "", "no difference"),
    smoke("bench lords-of-war", "bench lords-of-war --quick", "lords-of-war/playouts"),
];

pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let binary = workspace.build_binary()?;
    // Where runs are stored here; cargo may build elsewhere.
    std::fs::create_dir_all(workspace.root().join("target"))?;
    for Smoke { readme, here, input, expected } in COMMANDS {
        let line = if here.is_empty() { readme } else { here };
        println!("$ warroom {line}");
        let mut command = Command::new(&binary);
        let words = line.split(' ').map(|word| word.replace('%', " "));
        let text = process::output(command.args(words).current_dir(workspace.root()), input)?;
        if text.trim().is_empty() || !text.contains(expected) {
            bail!("warroom {line}: expected '{expected}' in its output, found:\n{text}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const README: &str = include_str!("../../../README.md");
    const PREFIXES: [&str; 2] = ["cargo run -- ", "cargo run --release -- "];

    #[test]
    fn the_readme_names_these_commands_and_no_others() {
        let mut named: Vec<&str> = README
            .lines()
            .filter_map(|line| PREFIXES.iter().find_map(|prefix| line.strip_prefix(prefix)))
            .map(|line| line.split('#').next().unwrap_or(line).trim())
            .collect();
        let mut tried: Vec<&str> = COMMANDS.iter().map(|command| command.readme).collect();
        named.sort_unstable();
        tried.sort_unstable();
        assert_eq!(named, tried);
    }
}
