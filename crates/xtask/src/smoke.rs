//! The commands that README and docs/commands.md show, smaller where they would take long. So they
//! cannot promise what the program does not do.

use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{self, Workspace};
use crate::{docs, guide};

/// One command.
struct Smoke {
    /// As it is shown, after `warroom`.
    shown: &'static str,
    /// As it is run here; empty if the same.
    here: &'static str,
    /// What a person would type.
    input: Option<&'static str>,
    /// Found in the output.
    expected: &'static str,
}

const fn smoke(shown: &'static str, here: &'static str, expected: &'static str) -> Smoke {
    Smoke { shown, here, input: None, expected }
}

/// Commands that another step runs, and which.
#[cfg(test)]
const ELSEWHERE: [(&str, &str); 1] = [("serve", "browser")];

const COMMANDS: [Smoke; 40] = [
    smoke("games", "", "othello"),
    smoke("games conquest", "", "turn-limit=2000"),
    smoke("agents", "", "scout-as-printed"),
    smoke("agents alphabeta", "", "table.mb"),
    smoke("agents mcts", "", "select.c"),
    smoke("licences", "", "Apache License"),
    smoke(
        "fit data/conquest/outlook-fit.toml --out weights.toml",
        "fit data/conquest/outlook-fit.toml --out target/weights.toml --scale 0.002 --quiet",
        "weights fitted to",
    ),
    smoke("perft othello 11", "perft othello 8", "390,216 leaves"),
    Smoke {
        shown: "play othello --white alphabeta:depth=6",
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
        "match othello --a pvs:depth=4 --b mcts:iterations=1000 --games 40 --seed 1",
        "match othello --a pvs:depth=2 --b mcts:iterations=10 --games 4 --seed 1",
        "of 4 games",
    ),
    smoke(
        "match othello --a alphabeta:depth=4 --b scout:depth=4 --games 40 --seed 1",
        "match othello --a alphabeta:depth=2 --b scout:depth=2 --games 4 --seed 1",
        ": 50.0 % [",
    ),
    smoke(
        "match othello --a \"exec:python3 examples/agents/prefers_corners.py\" --b random --games 20",
        "match othello --a \"exec:python3 examples/agents/prefers_corners.py\" --b random --games 4",
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
        "120 of 120 games of othello, finished",
    ),
    smoke("runs show latest", "runs show latest --db target/smoke.sqlite", "Bradley–Terry"),
    smoke(
        "runs export latest --format csv --no-times",
        "runs export latest --format csv --no-times --db target/smoke.sqlite",
        "number,cell,condition,a,b",
    ),
    smoke(
        "run experiments/smoke.toml --shard 0/4 --db part-0.sqlite",
        "run experiments/smoke.toml --shard 0/4 --db target/smoke-part-0.sqlite --as-new --quiet",
        "30 of 120 games of othello, not finished",
    ),
    smoke(
        "runs merge latest part-0.sqlite --db whole.sqlite",
        "runs merge latest target/smoke-part-0.sqlite --db target/smoke-whole.sqlite",
        "30 of 120",
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
    smoke(
        "tactics test data/conquest/tactics.jsonl --agent conquest-best:ms=300 --agent fpu",
        "tactics test data/conquest/tactics.jsonl --agent greedy --quiet",
        "free kill",
    ),
    smoke(
        "tactics find data/lords-of-war/tactics.toml --out tactics.jsonl",
        "tactics find data/lords-of-war/tactics.toml --positions 2 --quiet",
        "warroom-tactics-1",
    ),
    smoke("reproduce", "", "standard"),
    smoke(
        "reproduce othello",
        "reproduce othello --scale tiny --quiet --db target/smoke.sqlite --as-new",
        "0 with another value than alpha-beta",
    ),
    smoke("bench othello", "bench othello --quick", "othello/perft"),
    Smoke {
        shown: "play conquest --player2 fpu --setup Rush",
        here: "play conquest --player2 fpu:calls=100 --setup Rush",
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
        shown: "play lords-of-war --player2 uct:iterations=20000 --armies elves,undead",
        here: "play lords-of-war --player2 uct:iterations=100 --armies elves,undead",
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
    docs::check(workspace, &binary)?;
    // Where runs are stored here; cargo may build elsewhere.
    std::fs::create_dir_all(workspace.root().join("target"))?;
    for Smoke { shown, here, input, expected } in COMMANDS {
        let line = if here.is_empty() { shown } else { here };
        println!("$ warroom {line}");
        let mut command = Command::new(&binary);
        command.args(guide::split(line)).current_dir(workspace.root());
        let text = process::output(&mut command, input)?;
        if text.trim().is_empty() || !text.contains(expected) {
            bail!("warroom {line}: expected '{expected}' in its output, found:\n{text}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENTS: [&str; 2] =
        [include_str!("../../../README.md"), include_str!("../../../docs/commands.md")];

    #[test]
    fn these_commands_are_shown_and_no_others() {
        let mut shown: Vec<&str> = DOCUMENTS
            .iter()
            .flat_map(|text| text.lines())
            .filter_map(|line| line.strip_prefix("warroom "))
            .map(|line| line.split('#').next().unwrap_or(line).trim())
            .collect();
        let mut tried: Vec<&str> = COMMANDS.iter().map(|command| command.shown).collect();
        for (command, step) in ELSEWHERE {
            assert!(crate::steps::names().contains(&step), "{command}: no step {step}");
            tried.push(command);
        }
        shown.sort_unstable();
        shown.dedup();
        tried.sort_unstable();
        assert_eq!(shown, tried);
    }

    #[test]
    fn citation_and_changelog_name_this_version() {
        let version = env!("CARGO_PKG_VERSION");
        let citation = include_str!("../../../CITATION.cff");
        assert!(citation.lines().any(|line| line == format!("version: {version}")));
        let changes = include_str!("../../../CHANGELOG.md");
        assert!(changes.contains(&format!("\n## [{version}]")));
        assert!(DOCUMENTS[0].lines().count() <= 90, "the README is a front door");
    }
}
