//! How long a run will take, from a few of its games.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use gamecore::StopToken;
use serde::Serialize;

use super::{RunError, play_numbered};
use crate::experiment::Experiment;
use crate::tuning::Tuning;
use crate::workers::in_order;

/// Pairings that are tried at most.
const MOST_SAMPLES: u64 = 200;

/// What a few games took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// Games played to find out; they are not kept.
    pub sample: u64,
    /// Seconds that all games of the schedule will take.
    pub estimated_seconds: f64,
}

/// Plays games of pairings spread over the schedule for about as long as `patience`, at least one. The
/// threads are those of this machine; elsewhere more games may be played at once.
pub fn calibrate(
    experiment: &Experiment,
    threads: usize,
    elsewhere: Option<usize>,
    patience: Duration,
    stop: &StopToken,
) -> Result<Calibration, RunError> {
    let games = experiment.spec.total_games();
    let cells = experiment.spec.cells.len() as u64;
    let together = experiment.games_per_start();
    // The first game of a start of pairings far apart first: neighbours resemble each other.
    let samples = MOST_SAMPLES.min(games / together);
    let stride = (cells / samples.min(cells)).max(1) * together;
    let tuning = experiment.tuning(&[]);
    let numbers: Vec<u64> = match tuning.as_ref().and_then(Tuning::pending) {
        // What a tuning will try later nobody knows.
        Some(first) => first.collect(),
        None => (0..samples).map(|index| index * stride % games).collect(),
    };
    let began = Instant::now();
    let played = AtomicU64::new(0);
    let spent = Mutex::new(Duration::ZERO);
    in_order(threads, &numbers, stop, &|&number| {
        if played.load(Ordering::Relaxed) == 0 || began.elapsed() < patience {
            let game_began = Instant::now();
            let keys = experiment.keys(experiment.place(number).cell, tuning.as_ref())?;
            play_numbered(experiment, number, &keys, stop)?;
            played.fetch_add(1, Ordering::Relaxed);
            *spent.lock().expect("nobody panics while holding it") += game_began.elapsed();
        }
        Ok::<(), RunError>(())
    })?;
    let sample = played.into_inner();
    let spent = spent.into_inner().expect("nobody panics while holding it");
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let at_once = elsewhere.unwrap_or(threads.min(cores));
    Ok(Calibration { sample, estimated_seconds: estimate((sample, spent), games, at_once) })
}

/// Seconds of all games when so many are played at once. What counts is the time of the games that were
/// tried, not of the trial: few games do not keep all threads busy.
fn estimate((sample, spent): (u64, Duration), games: u64, at_once: usize) -> f64 {
    let a_game = spent.as_secs_f64() / sample.max(1) as f64;
    a_game * games as f64 / (at_once as u64).min(games).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_tried_games_do_not_make_a_run_look_long() {
        let ten = Duration::from_secs(10);
        assert_eq!(estimate((1, ten), 200, 1), 2_000.0);
        // Whether one game was tried or two at the same time, a game takes ten seconds.
        assert_eq!(estimate((1, ten), 200, 2), 1_000.0);
        assert_eq!(estimate((2, 2 * ten), 200, 2), 1_000.0);
        assert_eq!(estimate((1, ten), 3, 64), 10.0, "no more at once than there are games");
        assert_eq!(estimate((0, Duration::ZERO), 200, 2), 0.0);
    }
}
