//! The chess clock of a game: a total for each seat, and an increment after each turn.

use std::time::{Duration, Instant};

use gamecore::Seat;

use crate::dto;
use crate::error::Refusal;

/// Hours on a clock at most.
const LONGEST: u32 = 24 * 3600;

/// Time that an agent does not plan with: what a decision takes beside thinking.
const RESERVE: Duration = Duration::from_millis(200);

/// A clock and whose time runs.
#[derive(Clone, Debug)]
pub(crate) struct ChessClock {
    left: [Duration; 2],
    increment: Duration,
    running: Option<(Seat, Instant)>,
}

impl ChessClock {
    /// A clock that stands; `left_ms` is what was left of it when it was kept.
    pub(crate) fn new(clock: dto::Clock, left_ms: Option<[u64; 2]>) -> Result<Self, Refusal> {
        if clock.total_seconds == 0 || clock.total_seconds.max(clock.increment_seconds) > LONGEST {
            return Err(Refusal::bad(format!(
                "clock of {}+{} seconds: expected 1 to {LONGEST} seconds and at most {LONGEST} more \
                 for each turn",
                clock.total_seconds, clock.increment_seconds
            )));
        }
        let total = Duration::from_secs(u64::from(clock.total_seconds));
        let left = left_ms.map_or([total; 2], |left| left.map(Duration::from_millis));
        let increment = Duration::from_secs(u64::from(clock.increment_seconds));
        Ok(Self { left, increment, running: None })
    }

    /// What is left of a seat's time.
    pub(crate) fn left(&self, seat: Seat, now: Instant) -> Duration {
        let left = self.left[seat.index()];
        match self.running {
            Some((running, since)) if running == seat => {
                left.saturating_sub(now.saturating_duration_since(since))
            }
            _ => left,
        }
    }

    /// Lets the time of this seat run, or nobody's.
    pub(crate) fn run(&mut self, seat: Option<Seat>, now: Instant) {
        if self.running.map(|(running, _)| running) == seat {
            return;
        }
        self.left = Seat::BOTH.map(|seat| self.left(seat, now));
        self.running = seat.map(|seat| (seat, now));
    }

    /// The turn of a seat has ended.
    pub(crate) fn end_turn(&mut self, seat: Seat) {
        self.left[seat.index()] += self.increment;
    }

    /// When the time that runs is up.
    pub(crate) fn flag(&self) -> Option<Instant> {
        self.running.map(|(seat, since)| since + self.left[seat.index()])
    }

    /// How long an agent may think about one decision. Many may be to come, so it takes a small part
    /// of what is left, and at the end of its time plays at once what it thinks of first.
    pub(crate) fn share(&self, seat: Seat, now: Instant) -> Duration {
        let left = self.left(seat, now).saturating_sub(RESERVE);
        (left / 30 + self.increment / 2).min(left / 2)
    }

    /// Milliseconds left, by seat.
    pub(crate) fn left_ms(&self, now: Instant) -> [u64; 2] {
        Seat::BOTH.map(|seat| self.left(seat, now).as_millis() as u64)
    }

    /// The clock as it is told.
    pub(crate) fn state(&self, now: Instant) -> dto::ClockState {
        dto::ClockState {
            left_ms: self.left_ms(now),
            running: self.running.map(|(seat, _)| seat.index() as u8),
            increment_seconds: self.increment.as_secs() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_runs_for_one_seat_and_grows_with_turns() {
        let clock = dto::Clock { total_seconds: 10, increment_seconds: 2 };
        let mut clock = ChessClock::new(clock, None).unwrap();
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(clock.flag(), None);
        clock.run(Some(Seat::Zero), start);
        assert_eq!(clock.flag(), Some(at(10)));
        clock.end_turn(Seat::Zero);
        clock.run(Some(Seat::One), at(3));
        assert_eq!(clock.left_ms(at(4)), [9_000, 9_000]);
        assert_eq!(clock.flag(), Some(at(13)));
        clock.run(None, at(5));
        assert_eq!((clock.left_ms(at(50)), clock.flag()), ([9_000, 8_000], None));
        clock.run(Some(Seat::One), at(50));
        assert_eq!(clock.left(Seat::One, at(99)), Duration::ZERO);
    }

    #[test]
    fn agents_share_out_their_time() {
        let clock = dto::Clock { total_seconds: 61, increment_seconds: 2 };
        let mut clock = ChessClock::new(clock, None).unwrap();
        let start = Instant::now();
        clock.run(Some(Seat::One), start);
        let share = |seconds| clock.share(Seat::One, start + Duration::from_secs(seconds));
        assert!(share(0) > Duration::from_secs(2) && share(0) < Duration::from_secs(4));
        assert!(share(30) < share(0) && share(58) < share(30));
        assert!(share(60) < Duration::from_millis(600), "never more than half of what is left");
        assert_eq!(share(61), Duration::ZERO);
    }

    #[test]
    fn clocks_without_time_are_refused() {
        for (total_seconds, increment_seconds) in [(0, 5), (LONGEST + 1, 0), (5, LONGEST + 1)] {
            let clock = dto::Clock { total_seconds, increment_seconds };
            assert!(ChessClock::new(clock, None).is_err());
        }
    }
}
