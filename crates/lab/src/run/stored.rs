//! Runs that are there: what they are, where they stand, and how they are gone on with.

use std::collections::BTreeSet;
use std::fmt;

use gamecore::StopToken;
use store::{GameRow, Run, RunLock, Store, StoreError, Visit};

use super::checks::CHECKED;
use super::proof::{Proof, prove};
use super::shard::PART;
use super::{Ended, Host, Players, RunError, is_finished, manifest, play_run, played_rows};
use crate::evidence::points_of_a;
use crate::experiment::{Experiment, Spec};

/// The experiment of a stored run as plain data.
pub fn spec_of(run: &Run) -> Result<Spec, RunError> {
    let read = Spec::from_json(run.manifest.spec.clone());
    read.map_err(|error| RunError::Manifest { id: run.id.clone(), reason: error.to_string() })
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Every game that it needs is there.
    Finished,
    /// Somebody plays it now.
    Running,
    /// Its games came by a merge; nobody has played it here.
    Copied,
    /// Shards of it are there.
    Part,
    /// Games are missing.
    Interrupted,
}

impl fmt::Display for RunState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            Self::Finished => "finished",
            Self::Running => "running",
            Self::Copied => "copied",
            Self::Part => "in part",
            Self::Interrupted => "interrupted",
        })
    }
}

/// Where a run with so many games stands, from what is there: whoever was killed could not note it.
pub fn state_of(store: &Store, run: &Run, played: u64) -> Result<RunState, RunError> {
    let decided = || -> Result<bool, RunError> {
        // A form that is not known any more can still be listed.
        let Ok(spec) = spec_of(run) else { return Ok(false) };
        Ok(spec.sprt().is_some() && is_finished(&spec, &played_rows(store, run)?))
    };
    Ok(if played == run.manifest.games || decided()? {
        RunState::Finished
    } else if store.is_locked(&run.id) {
        RunState::Running
    } else {
        let is_work = |visit: &&Visit| ![UNTRUE, ALIKE, CHECKED].contains(&visit.what.as_str());
        match store.visits(run)?.iter().rfind(is_work) {
            None => RunState::Copied,
            Some(last) if last.what == PART => RunState::Part,
            Some(_) => RunState::Interrupted,
        }
    })
}

/// Refuses to go on with a run that was begun with other rules or data.
pub fn check_resumable(run: &Run, experiment: &Experiment) -> Result<(), RunError> {
    super::check_unchanged(run, &manifest(experiment, &Host::default()))
}

/// The visit of a program that proved to play as those before it did.
const PROVED: &str = "proved";

/// What is heard of a run that is played.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
    /// It begins, with so many games that are there.
    Begins(u64),
    /// One of these, in schedule order.
    Known(&'a GameRow),
    /// Another one that was played.
    Played(&'a GameRow),
    /// What those who play wait for, in words.
    Waits(&'a str),
}

/// Plays what is missing of a run, as the only one who does, and notes when that began and ended.
/// Where another program played some of it, this one first proves that it plays alike.
pub fn take_up(
    experiment: &Experiment,
    store: &Store,
    run: &Run,
    players: &dyn Players,
    stop: &StopToken,
    hear: &(dyn Fn(News<'_>) + Sync),
) -> Result<Ended, RunError> {
    let only_writer = store.lock(&run.id)?;
    take_up_locked(&only_writer, experiment, (store, run), players, stop, hear)
}

/// The same for whoever is the only writer already.
pub fn take_up_locked(
    _only_writer: &RunLock,
    experiment: &Experiment,
    (store, run): (&Store, &Run),
    players: &dyn Players,
    stop: &StopToken,
    hear: &(dyn Fn(News<'_>) + Sync),
) -> Result<Ended, RunError> {
    check_true(store, run)?;
    let there = store.count(run)?;
    let mut others = BTreeSet::new();
    store.each_game(run, |row| -> Result<(), RunError> {
        others.insert(row.program.unwrap_or_else(|| run.manifest.version.clone()));
        Ok(())
    })?;
    let program = players.program();
    others.remove(program);
    let own = format!("{program}: ");
    let visits = store.visits(run)?;
    let proved = |other: &String| {
        let of_other = |visit: &Visit| {
            visit.what == PROVED && visit.detail.starts_with(&own) && visit.detail.contains(other)
        };
        visits.iter().any(of_other)
    };
    let open = !others.iter().all(proved);
    if open && !is_finished(&experiment.spec, &played_rows(store, run)?) {
        let Proof { replayed, by_rules } = prove(experiment, store, run, players, stop)?;
        if !stop.is_stopped() && replayed + by_rules > 0 {
            let others = others.into_iter().collect::<Vec<_>>().join(", ");
            let words = format!(
                "{program}: asks for the same {there} games; {replayed} played again alike, \
                 {by_rules} that do not repeat replayed by the rules; played before by {others}"
            );
            store.note(run, PROVED, &words)?;
        }
    }
    store.note(run, "begun", &format!("{there} games there, {} threads", players.at_once()))?;
    hear(News::Begins(there));
    store.each_game(run, |row| -> Result<(), RunError> {
        hear(News::Known(&row));
        Ok(())
    })?;
    let played = |row: &GameRow| hear(News::Played(row));
    let ended = play_run(experiment, store, run, players, stop, &played)?;
    players.settle(stop)?;
    let there = format!("{} games there", store.count(run)?);
    match (ended, players.shard()) {
        (Ended::Interrupted, _) => store.note(run, "interrupted", &there)?,
        (Ended::Finished, None) => store.note(run, "finished", &there)?,
        (Ended::Finished, Some(shard)) => {
            store.note(run, PART, &format!("shard {shard}: {there}"))?;
        }
    }
    Ok(ended)
}

/// The visit of a machine that played games otherwise than they come out, and that of somebody who played all
/// games again and found nothing.
pub(super) const UNTRUE: &str = "untrue";
const ALIKE: &str = "alike";

/// Notes that a machine played games of a run otherwise than they come out, and how that is known.
pub fn note_untrue(store: &Store, run: &Run, host: &str, what: &str) -> Result<(), StoreError> {
    let detail = format!("{host}: {what}");
    let is_new = |visit: &Visit| visit.what != UNTRUE || visit.detail != detail;
    if store.visits(run)?.iter().all(is_new) { store.note(run, UNTRUE, &detail) } else { Ok(()) }
}

/// Notes that all games of a run were played again alike, or replayed by the rules where they do not repeat: no
/// machine that played some of them is doubted any more.
pub fn note_alike(store: &Store, run: &Run, games: u64) -> Result<(), StoreError> {
    let how = if run.manifest.repeatable { "played again" } else { "replayed by the rules" };
    store.note(run, ALIKE, &format!("{games} games {how}"))
}

/// The command that looks at all games of a run as closely as can be.
fn whole_check(run: &Run) -> &'static str {
    if run.manifest.repeatable { "rerun" } else { "verify" }
}

/// The accusations of a run that were not refuted since.
pub(super) fn accusations(store: &Store, run: &Run) -> Result<Vec<Visit>, StoreError> {
    let mut visits = store.visits(run)?;
    let refuted = visits.iter().rposition(|visit| visit.what == ALIKE).map_or(0, |last| last + 1);
    visits.drain(..refuted);
    visits.retain(|visit| visit.what == UNTRUE);
    Ok(visits)
}

/// Refuses to go on with a run that holds games of a machine that plays otherwise, unless all of them were
/// played again since. A stored game is never taken away.
pub fn check_true(store: &Store, run: &Run) -> Result<(), RunError> {
    for visit in accusations(store, run)?.iter().rev() {
        let (host, what) = visit.detail.split_once(": ").unwrap_or((&visit.detail, ""));
        let games = store.count_of_host(run, host)?;
        if games > 0 {
            let [id, host, what] = [&run.id, host, what].map(str::to_owned);
            let check = whole_check(run);
            return Err(RunError::Untrue { id, host, games, what, check });
        }
    }
    Ok(())
}

/// Points and games of every player while games are played.
#[derive(Clone, Debug, Default)]
pub struct Standings(Vec<(f64, u64)>);

impl Standings {
    /// Nobody has played.
    #[must_use]
    pub fn new(spec: &Spec) -> Self {
        Self(vec![(0.0, 0); spec.players.len()])
    }

    /// Counts a game, unless it is void.
    pub fn count(&mut self, spec: &Spec, row: &GameRow) {
        let Some(points) = points_of_a(row) else { return };
        let [a, b] = spec.cell(row.cell as usize).players();
        for (player, points) in [(a, points), (b, 1.0 - points)] {
            if let Some(standing) = self.0.get_mut(player) {
                standing.0 += points;
                standing.1 += 1;
            }
        }
    }

    /// Who has played, the best first: number, points and games.
    #[must_use]
    pub fn ranked(&self) -> Vec<(usize, f64, u64)> {
        let played = self.0.iter().enumerate().filter(|(_, (_, games))| *games > 0);
        let mut ranked: Vec<_> =
            played.map(|(player, &(points, games))| (player, points, games)).collect();
        let score = |&(_, points, games): &(usize, f64, u64)| points / games as f64;
        ranked.sort_by(|one, other| score(other).total_cmp(&score(one)));
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standings_rank_by_share_and_leave_out_void_games() {
        let text = "game = 'tic-tac-toe'\nkind = 'round-robin'\nagents = ['random', \
                    'alphabeta:depth=1', 'alphabeta:depth=2']\ngames = 2\n";
        let spec = crate::experiment::read_experiment(
            &standard::registry(),
            "x.toml",
            text,
            &registry::no_files,
        )
        .unwrap()
        .spec;
        let row = |cell, outcome: &str| GameRow {
            cell,
            outcome: outcome.parse().unwrap(),
            ..GameRow::default()
        };
        let mut standings = Standings::new(&spec);
        assert!(standings.ranked().is_empty());
        // Cells: 0 v 1, 0 v 2, 1 v 2.
        for row in [row(0, "seat-1"), row(1, "draw"), row(2, "void"), row(2, "seat-0")] {
            standings.count(&spec, &row);
        }
        assert_eq!(standings.ranked(), [(1, 2.0, 2), (0, 0.5, 2), (2, 0.5, 2)]);
    }
}
