//! What the rules and data of a run do here. A hash of sources would refuse an honest worker for a comment, and
//! accept one whose compiler or processor is at fault.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use gamecore::short_hash;
use lab::experiment::Experiment;
use protocol::ConditionConduct;
use registry::{Conduct, SpecError};

/// Random games of all conditions together, if there are fewer conditions than that; each has one at least.
const GAMES: u64 = 16;

/// Of a start, and of a random game from it.
type OfGame = (String, Conduct);

/// What the game does under every condition of a run: hashes of random games from starts of the run, in which
/// everything appears that the sides bring.
pub(crate) fn conducts(experiment: &Experiment) -> Result<Vec<ConditionConduct>, SpecError> {
    let mut seen = BTreeSet::new();
    let cells = 0..experiment.spec.cells.len().max(1);
    let cells: Vec<usize> = cells
        .filter(|&cell| {
            let under = experiment.spec.cell(cell).under;
            experiment.setups(cell).map(|setup| seen.insert((under, setup))).contains(&true)
        })
        .collect();
    let games = (GAMES / cells.len() as u64).max(1);
    let mut all: BTreeMap<usize, Vec<OfGame>> = BTreeMap::new();
    for cell in cells {
        let found = all.entry(experiment.spec.cell(cell).under).or_default();
        for index in 0..games {
            found.push(of_game(experiment, cell, index)?);
        }
    }
    let of_condition = |(under, found): (usize, Vec<OfGame>)| {
        let starts: Vec<&str> = found.iter().map(|(start, _)| start.as_str()).collect();
        let Conduct { rules, evaluations } =
            found.iter().fold(Conduct::NOTHING, |all, (_, one)| all.then(*one));
        ConditionConduct {
            condition: experiment.spec.conditions[under].name.clone(),
            starts: short_hash(starts.join("\n")),
            rules: format!("{rules:016x}"),
            evaluations: format!("{evaluations:016x}"),
        }
    };
    Ok(all.into_iter().map(of_condition).collect())
}

fn of_game(experiment: &Experiment, cell: usize, index: u64) -> Result<OfGame, SpecError> {
    let [start, _] = experiment.pair(cell, index)?.starts;
    // Rules that fail somewhere do so everywhere: such games of the run become void.
    let found = catch_unwind(AssertUnwindSafe(|| experiment.game(cell).conduct(&start, index)));
    Ok((start, found.unwrap_or(Ok(Conduct::NOTHING))?))
}

/// How what is done here differs from what the coordinator does, in words; nothing if it does not.
pub(crate) fn conduct_difference(
    here: &[ConditionConduct],
    there: &[ConditionConduct],
) -> Option<String> {
    if here.len() != there.len() {
        return Some("it sees other conditions in this run than the coordinator".to_owned());
    }
    here.iter().zip(there).find_map(|(here, there)| here.difference(there))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(game: &str, rest: &str) -> Experiment {
        let text = format!("game = '{game}'\ngames = 8\n{rest}");
        lab::experiment::read_experiment(
            &standard::registry(),
            "x.toml",
            &text,
            &registry::no_files,
        )
        .expect("it is fine")
    }

    fn of(game: &str, rest: &str) -> Vec<ConditionConduct> {
        conducts(&experiment(game, rest)).expect("it can be played")
    }

    #[test]
    fn rules_and_what_the_sides_bring_are_told_apart_under_every_condition() {
        let sweep = |second: &str| {
            let rest = format!(
                "kind = 'sweep'\nagents = ['greedy']\nopponents = ['random']\n[sweep.rules]\nhold = ['yes', '{second}']\n"
            );
            of("lords-of-war", &rest)
        };
        let both = sweep("no");
        assert_eq!((both.len(), conduct_difference(&both, &sweep("no"))), (2, None));
        assert_eq!(both[0].starts, both[1].starts, "the same deal");
        let words = both[1].difference(&both[0]).unwrap();
        assert!(words.contains("its rules of the game under 'hold=no'"), "{words}");
        let armies = |other: &str| {
            let rest = format!(
                "kind = 'round-robin'\nagents = ['greedy', 'random']\nsetups = ['orcs', '{other}']\n"
            );
            of("lords-of-war", &rest)
        };
        let words = conduct_difference(&armies("dwarves"), &armies("elves")).unwrap();
        assert!(words.contains("its starts of the game are"), "{words}");
        assert!(conduct_difference(&both, &both[..1]).is_some());
        of("conquest", "kind = 'match'\nagents = ['greedy', 'random']\n");
    }
}
