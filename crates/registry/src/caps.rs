//! What an agent may use where others pay for it: an app that is asked over a network.

use search::params::Cost;

use crate::SpecError;
use crate::erased::{AnyGame, ResolvedAgent};

/// Refuses programs from outside, and agents that may use too much.
pub fn within_caps(agent: &ResolvedAgent, threads: usize) -> Result<(), SpecError> {
    let text = agent.spec.to_string();
    if agent.spec.name == crate::spec::EXEC {
        let reason = "the app starts no programs; choose another agent than exec";
        return Err(SpecError::new(&text, reason));
    }
    for (key, value, cost) in agent.values.costs() {
        let most = cost.most(threads);
        if value.unsigned_abs() > most {
            let reason = format!("{key}={value} is too much here; at most {most}");
            return Err(SpecError::new(&text, reason));
        }
    }
    Ok(())
}

/// Refuses an agent that asks for more threads, or MiB of memory, than a machine lends to a game.
pub fn fits_machine(
    agent: &ResolvedAgent,
    threads: usize,
    mebibytes: Option<u64>,
) -> Result<(), SpecError> {
    for (key, value, cost) in agent.values.costs() {
        let (most, what) = match cost {
            Cost::Threads { .. } => (Some(threads as u64), "threads"),
            Cost::Megabytes(_) => (mebibytes, "MiB of memory"),
            _ => continue,
        };
        if let Some(most) = most.filter(|most| value.unsigned_abs() > *most) {
            let reason = format!("{key}={value}: this machine lends {most} {what} to a game");
            return Err(SpecError::new(&agent.spec.to_string(), reason));
        }
    }
    Ok(())
}

/// The key that says how many threads an agent of this name uses, if it can use several.
pub fn threads_key(game: &dyn AnyGame, agent: &str) -> Option<String> {
    let agent = game.agents().into_iter().find(|known| known.name == agent)?;
    let mut params = agent.params.into_iter();
    let found = params.find(|param| matches!(param.cost, Some(Cost::Threads { .. })));
    found.map(|param| param.key)
}
