//! Wall time and chess clocks.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use gamecore::{Clock, Seat, TimeLeft};

/// The time that passes in the world, from the moment the clock was made.
#[derive(Clone, Copy, Debug)]
pub struct WallClock {
    begun: Instant,
}

impl WallClock {
    /// A clock that begins now.
    #[must_use]
    pub fn new() -> Self {
        Self { begun: Instant::now() }
    }
}

impl Default for WallClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }
}

/// How much time each seat has for a game: a total, and an increment after each of its actions.
/// As text `TOTAL+INCREMENT` in seconds, such as `300+2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// At the start.
    pub total: Duration,
    /// Added after every action.
    pub increment: Duration,
}

/// A chess clock: what each seat has left, and whose time runs. Moments are times since any beginning.
#[derive(Clone, Debug)]
pub struct ChessClock {
    left: [Duration; 2],
    increment: Duration,
    running: Option<(Seat, Duration)>,
}

impl ChessClock {
    /// A clock that stands.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Self::with_left(control, [control.total; 2])
    }

    /// The same with so much left for each seat.
    #[must_use]
    pub fn with_left(control: TimeControl, left: [Duration; 2]) -> Self {
        Self { left, increment: control.increment, running: None }
    }

    /// What is added when a seat has acted.
    #[must_use]
    pub fn increment(&self) -> Duration {
        self.increment
    }

    /// The seat whose time runs.
    #[must_use]
    pub fn running(&self) -> Option<Seat> {
        self.running.map(|(seat, _)| seat)
    }

    /// What is left of a seat's time.
    #[must_use]
    pub fn left(&self, seat: Seat, now: Duration) -> Duration {
        let left = self.left[seat.index()];
        match self.running {
            Some((running, since)) if running == seat => {
                left.saturating_sub(now.saturating_sub(since))
            }
            _ => left,
        }
    }

    /// What an agent is told of its time.
    #[must_use]
    pub fn time_left(&self, seat: Seat, now: Duration) -> TimeLeft {
        TimeLeft { remaining: self.left(seat, now), increment: self.increment }
    }

    /// Lets the time of this seat run, or nobody's.
    pub fn run(&mut self, seat: Option<Seat>, now: Duration) {
        if self.running() == seat {
            return;
        }
        self.left = Seat::BOTH.map(|seat| self.left(seat, now));
        self.running = seat.map(|seat| (seat, now));
    }

    /// Adds the increment to what a seat has left.
    pub fn add_increment(&mut self, seat: Seat) {
        let left = &mut self.left[seat.index()];
        *left = left.saturating_add(self.increment);
    }

    /// When the time that runs is up.
    #[must_use]
    pub fn flag(&self) -> Option<Duration> {
        self.running.map(|(seat, since)| since.saturating_add(self.left[seat.index()]))
    }

    /// Takes the time that a seat used and adds the increment; false if it used more than it had.
    pub(crate) fn press(&mut self, seat: Seat, used: Duration) -> bool {
        let Some(left) = self.left[seat.index()].checked_sub(used) else { return false };
        self.left[seat.index()] = left;
        self.add_increment(seat);
        true
    }
}

/// A text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "time control '{input}': expected seconds for the game and seconds per action, \
     such as '300+2' or '0.5+0.1', the first above 0, both at most 1000000000"
)]
pub struct TimeControlError {
    /// The text as given.
    pub input: String,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let read = || {
            let (total, increment) = text.split_once('+')?;
            let control = Self { total: seconds(total)?, increment: seconds(increment)? };
            (!control.total.is_zero()).then_some(control)
        };
        read().ok_or_else(|| TimeControlError { input: text.chars().take(100).collect() })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}+{}", self.total.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// More than anybody waits for, and so little that sums of it do not overflow.
const MOST_SECONDS: f64 = 1e9;

/// Decimal seconds; the reader of floats alone would also take `inf`, `1e9` and signs.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    let number: f64 = if plain { text.parse().ok()? } else { return None };
    if number > MOST_SECONDS {
        return None;
    }
    Duration::try_from_secs_f64(number).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_and_written() {
        for text in ["300+2", "0.5+0.1", "60+0"] {
            let control: TimeControl = text.parse().expect(text);
            assert_eq!(control.to_string(), text);
        }
        let control: TimeControl = "1.5+0.25".parse().expect("decimals are allowed");
        assert_eq!(control.total, Duration::from_millis(1500));
        assert_eq!(control.increment, Duration::from_millis(250));
    }

    #[test]
    fn wrong_time_controls_are_named() {
        let huge = format!("1{}+0", "0".repeat(400));
        let wrong = ["", "300", "+", "0+1", "-3+1", "inf+1", "1e3+1", "3+ 1", "a+b", "1+2+3"];
        for text in wrong.into_iter().chain(["1+1000000001", "1000000001+1", &huge]) {
            let error = text.parse::<TimeControl>().expect_err(text).to_string();
            assert!(error.contains("such as '300+2'"), "{error}");
            assert!(error.contains(&format!("'{}'", &text[..text.len().min(100)])), "{error}");
        }
    }

    #[test]
    fn time_runs_for_one_seat_and_grows_with_increments() {
        let mut clock = ChessClock::new("10+2".parse().expect("a time control"));
        let at = |seconds: u64| Duration::from_secs(1_000 + seconds);
        let left = |clock: &ChessClock, now| Seat::BOTH.map(|seat| clock.left(seat, now).as_secs());
        assert_eq!(clock.flag(), None);
        clock.run(Some(Seat::Zero), at(0));
        assert_eq!(clock.flag(), Some(at(10)));
        clock.add_increment(Seat::Zero);
        clock.run(Some(Seat::One), at(3));
        assert_eq!(left(&clock, at(4)), [9, 9]);
        assert_eq!(clock.flag(), Some(at(13)));
        clock.run(None, at(5));
        assert_eq!((left(&clock, at(50)), clock.flag()), ([9, 8], None));
        clock.run(Some(Seat::One), at(50));
        assert_eq!(clock.left(Seat::One, at(99)), Duration::ZERO);
    }

    #[test]
    fn who_used_more_than_there_was_has_lost_and_who_used_all_has_not() {
        let mut clock = ChessClock::new("10+2".parse().expect("a time control"));
        assert!(clock.press(Seat::One, Duration::from_secs(10)));
        assert_eq!(clock.left(Seat::One, Duration::ZERO), Duration::from_secs(2));
        assert!(!clock.press(Seat::One, Duration::from_millis(2001)));
    }

    #[test]
    fn the_wall_clock_does_not_go_back() {
        let clock = WallClock::new();
        let first = clock.now();
        assert!(clock.now() >= first);
    }
}
