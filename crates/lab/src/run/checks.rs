//! Which games of other machines are to be played again, and which were. Who is to ask does not matter: a
//! coordinator that dies owes nothing that the next one does not know of.

use std::collections::BTreeSet;

use gamecore::{Purpose, seed, short_hash};
use store::{GameRow, Run, Store, StoreError};

use super::RunError;
use super::proof::{Known, known};
use crate::experiment::Experiment;

/// Of so many games one is played again.
const ONE_OF: u64 = 100;

/// The visit of somebody who played games of other machines again, or a part of it.
pub(super) const CHECKED: &str = "checked";

/// How the numbers of these games begin.
const GAMES: &str = "games ";

/// The games of a run that are to be played again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Draw(u64);

impl Draw {
    /// Of the run of this name.
    #[must_use]
    pub fn of(run: &str) -> Self {
        let hash = short_hash(run);
        Self(u64::from_str_radix(&hash, 16).expect("it is sixteen digits"))
    }

    /// Whether a game is among them, whoever asks.
    #[must_use]
    pub fn holds(self, number: u64) -> bool {
        seed(self.0, number, Purpose::Cell).is_multiple_of(ONE_OF)
    }
}

/// Notes that these games were played again.
pub fn note_checked(store: &Store, run: &Run, numbers: &[u64]) -> Result<(), StoreError> {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    store.note(run, CHECKED, &format!("{GAMES}{}", numbers.join(" ")))
}

/// The stored games of other machines that are to be played again and were not: those drawn, and of a machine of
/// which none was, its first.
pub fn owed_games(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
) -> Result<Vec<Known>, RunError> {
    let mut checked = BTreeSet::new();
    for visit in store.visits(run)? {
        let games = visit.detail.strip_prefix(GAMES).filter(|_| visit.what == CHECKED);
        let numbers = games.unwrap_or_default().split(' ');
        checked.extend(numbers.filter_map(|number| number.parse::<u64>().ok()));
    }
    let draw = Draw::of(&run.id);
    let (mut owed, mut firsts, mut known_hosts) = (Vec::new(), Vec::new(), BTreeSet::new());
    store.each_game(run, |row| -> Result<(), RunError> {
        let Some(host) = row.host.clone() else { return Ok(()) };
        if checked.contains(&row.number) {
            known_hosts.insert(host);
        } else if draw.holds(row.number) {
            known_hosts.insert(host);
            owed.push(row);
        } else if firsts.iter().all(|first: &GameRow| first.host != row.host) {
            firsts.push(row);
        }
        Ok(())
    })?;
    let is_new = |row: &GameRow| row.host.as_ref().is_some_and(|host| !known_hosts.contains(host));
    owed.extend(firsts.into_iter().filter(is_new));
    let tuning = match experiment.spec.tune() {
        Some(_) => experiment.tuning(&store.games(run)?),
        None => None,
    };
    owed.iter().map(|row| known(experiment, (store, run), row, tuning.as_ref())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_game_in_a_hundred_is_drawn_and_others_in_another_run() {
        let drawn = |run: &str| {
            let draw = Draw::of(run);
            (0..20_000).filter(|&number| draw.holds(number)).collect::<Vec<u64>>()
        };
        let one = drawn("a-1");
        assert!((150..250).contains(&one.len()), "{} of 20,000", one.len());
        assert_eq!(drawn("a-1"), one);
        assert_ne!(drawn("a-2"), one);
    }
}
