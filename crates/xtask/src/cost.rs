//! What `cargo xtask test` costs, beside what it may cost and what it cost at the last landing.
//!
//! The budget is for a clean checkout on two cores. It is shown, not enforced: a slow machine is no
//! mistake of the change. Who lands a change runs `cargo xtask record-cost` after a cold run.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::process::Workspace;

/// What one step took, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cost {
    /// Of all processors, user and system; nothing where the system does not tell.
    pub(crate) cpu: Option<f64>,
    pub(crate) wall: f64,
}

impl fmt::Display for Cost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:.0} s", self.wall)?;
        self.cpu.map_or(Ok(()), |cpu| write!(out, ", {cpu:.0} s of processor"))
    }
}

/// What is written down of a step.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    budget: Option<f64>,
    last: Option<f64>,
}

struct Line {
    name: &'static str,
    passed: bool,
    cost: Cost,
}

/// The steps of this run, with what is written down of them.
pub(crate) struct Ledger {
    known: BTreeMap<String, Known>,
    lines: Vec<Line>,
}

/// The steps with their budgets, and the processor seconds of the last landing.
fn written(workspace: &Workspace) -> PathBuf {
    workspace.root().join("crates/xtask/test-cost.json")
}

/// The same of the last whole run here.
fn measured(workspace: &Workspace) -> Result<PathBuf> {
    Ok(workspace.target()?.join("test-cost.json"))
}

fn read(path: &PathBuf) -> Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

impl Ledger {
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        Ok(Self { known: known(&read(&written(workspace))?), lines: Vec::new() })
    }

    pub(crate) fn add(&mut self, name: &'static str, passed: bool, cost: Cost) {
        self.lines.push(Line { name, passed, cost });
    }

    pub(crate) fn steps(&self) -> usize {
        self.lines.len()
    }

    /// Keeps what this run cost in the target folder.
    pub(crate) fn save(&self, workspace: &Workspace) -> Result<()> {
        let steps = self.lines.iter().filter_map(|line| {
            let cpu = line.cost.cpu?.round();
            Some((line.name.to_owned(), json!({ "cpu": cpu, "wall": line.cost.wall.round() })))
        });
        let value = Value::Object(steps.collect());
        std::fs::write(measured(workspace)?, serde_json::to_string_pretty(&value)? + "\n")?;
        Ok(())
    }
}

fn known(value: &Value) -> BTreeMap<String, Known> {
    let steps = value.as_object().into_iter().flatten();
    let known =
        |step: &Value| Known { budget: step["budget"].as_f64(), last: step["cpu"].as_f64() };
    steps.map(|(name, step)| (name.clone(), known(step))).collect()
}

/// Takes what the last whole run cost into the file of the repository; budgets stay as they are.
pub(crate) fn record(workspace: &Workspace) -> Result<()> {
    let now = read(&measured(workspace)?).context("run `cargo xtask test` first")?;
    let path = written(workspace);
    let mut all = read(&path)?;
    for (name, cost) in now.as_object().context("a list of steps")? {
        all[name]["cpu"] = cost["cpu"].clone();
        all[name]["wall"] = cost["wall"].clone();
    }
    std::fs::write(&path, serde_json::to_string_pretty(&all)? + "\n")?;
    println!("{} now says what the last run cost", path.display());
    Ok(())
}

impl fmt::Display for Ledger {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "step                wall s      CPU s   budget  since landing")?;
        let (mut wall, mut sums) = (0.0, [Some(0.0); 3]);
        for Line { name, passed, cost } in &self.lines {
            let Known { budget, last } = self.known.get(*name).copied().unwrap_or_default();
            let values = [cost.cpu, budget, last];
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum = sum.zip(value).map(|(sum, value)| sum + value);
            }
            wall += cost.wall;
            row(out, name, if *passed { "passed" } else { "FAILED" }, cost.wall, values)?;
        }
        row(out, "sum", "", wall, sums)
    }
}

/// A row of the table: processor seconds now, at most, and at the last landing.
fn row(
    out: &mut fmt::Formatter<'_>,
    name: &str,
    ended: &str,
    wall: f64,
    [cpu, budget, last]: [Option<f64>; 3],
) -> fmt::Result {
    let seconds = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.0}"));
    let change = cpu.zip(last).map_or(String::new(), |(cpu, last)| format!("{:+.0}", cpu - last));
    let over = cpu.zip(budget).is_some_and(|(cpu, budget)| cpu > budget);
    let over = if over { "  OVER BUDGET" } else { "" };
    let (cpu, budget) = (seconds(cpu), seconds(budget));
    writeln!(out, "{name:<12}{ended:<8}{wall:>6.0}{cpu:>11}{budget:>9}{change:>15}{over}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(steps: &[(&'static str, f64)]) -> Ledger {
        let value = json!({ "a": { "budget": 10, "cpu": 8 }, "b": { "budget": 5, "cpu": 5 } });
        let mut ledger = Ledger { known: known(&value), lines: Vec::new() };
        for (name, cpu) in steps {
            ledger.add(name, true, Cost { cpu: Some(*cpu), wall: 1.0 });
        }
        ledger
    }

    #[test]
    fn what_costs_more_than_it_may_is_marked() {
        let text = ledger(&[("a", 9.0), ("b", 6.0)]).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[1].ends_with("10             +1"), "{text}");
        assert!(lines[2].ends_with("+1  OVER BUDGET"), "{text}");
        assert!(lines[3].contains("15             +2"), "{text}");
    }

    #[test]
    fn a_new_step_has_no_budget() {
        let text = ledger(&[("new", 9.0)]).to_string();
        assert!(text.lines().nth(1).is_some_and(|line| line.contains("9        -")), "{text}");
    }
}
