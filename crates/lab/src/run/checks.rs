//! Which games of other machines are to be played again, and which were. Who is to ask does not matter: a
//! coordinator that dies owes nothing that the next one does not know of.

use std::collections::BTreeSet;

use gamecore::{Purpose, seed, short_hash};
use store::{GameRow, Manifest, Run, Store, StoreError};

use super::proof::{Known, known};
use super::stored::accusations;
use super::{RunError, another, find_run, spec_of};
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
/// which none was, its first. Only those that this program played there: that another one plays alike is proved in
/// another way, and no machine is to blame if it does not.
pub fn owed_games(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
    program: &str,
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
        if row.program.as_deref() != Some(program) {
            return Ok(());
        }
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

/// A new run of an experiment with the games of the one before that others than a machine played. Where games depend
/// on those before, with those before its first.
pub fn open_run_without(store: &Store, manifest: &Manifest, host: &str) -> Result<Run, RunError> {
    let none = |there: String| RunError::NoHost { host: host.to_owned(), there };
    let before = find_run(store, manifest)?;
    let before = before.ok_or_else(|| none("there is no run of this experiment".into()))?;
    let Some(first) = store.first_of_host(&before, host)? else {
        return Err(none(format!("no game of run '{}' was played by that machine", before.id)));
    };
    let spec = spec_of(&before)?;
    let depends = spec.sprt().is_some() || spec.tune().is_some();
    let below = if depends { first } else { manifest.games };
    let run = another(store, manifest)?;
    store.copy_games(&before, &run, below, Some(host))?;
    for visit in accusations(store, &before)? {
        store.note(&run, &visit.what, &visit.detail)?;
    }
    Ok(run)
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
