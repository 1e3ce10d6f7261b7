//! What an agent may use where others pay for it: an app that is asked over a network.

use crate::SpecError;
use crate::erased::ResolvedAgent;

/// The most that a key may ask for.
const MOST: [(&str, u64); 15] = [
    ("ms", 60_000),
    ("iterations", 20_000_000),
    ("calls", 1_000_000_000),
    ("nodes", 10_000_000_000),
    ("depth", 60),
    // About 200 MB of a Conquest tree.
    ("tree.nodes", 2_000_000),
    ("table.mb", 256),
    ("solve.mb", 256),
    ("worlds", 10_000),
    ("tree.depth", 10_000),
    // Positions of one turn that are kept at once.
    ("width", 2_000),
    ("reply", 500),
    ("spread", 2_000),
    ("reply.spread", 500),
    ("population", 2_000),
];

/// The most that a key may ask for on so many cores; `None` if its own range is enough.
#[must_use]
pub fn most_of(key: &str, threads: usize) -> Option<u64> {
    match key {
        "threads" => Some(threads as u64),
        _ => MOST.iter().find(|(known, _)| *known == key).map(|(_, most)| *most),
    }
}

/// Refuses programs from outside, and agents that may use too much.
pub fn within_caps(agent: &ResolvedAgent, threads: usize) -> Result<(), SpecError> {
    let text = agent.spec.to_string();
    if agent.spec.name == crate::spec::EXEC {
        let reason = "the app starts no programs; choose another agent than exec";
        return Err(SpecError::new(&text, reason));
    }
    for (key, value) in agent.values.iter() {
        if let (Some(most), Ok(number)) = (most_of(key, threads), value.parse::<u64>())
            && number > most
        {
            let reason = format!("{key}={number} is too much here; at most {most}");
            return Err(SpecError::new(&text, reason));
        }
    }
    Ok(())
}
