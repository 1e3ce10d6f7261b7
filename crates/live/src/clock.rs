//! The chess clock of a game as it is asked for and told; the increment comes after each turn.

use std::time::Duration;

use arena::{ChessClock, TimeControl};
use gamecore::Seat;

use crate::{Moment, Refusal};
use protocol::{Clock, ClockState};

/// Seconds on a clock at most.
const LONGEST: u32 = 24 * 3600;

/// Time that an agent does not plan with: what a decision takes beside thinking.
const RESERVE: Duration = Duration::from_millis(200);

/// A clock that stands; `left_ms` is what was left of it when it was kept.
pub(crate) fn chess_clock(clock: Clock, left_ms: Option<[u64; 2]>) -> Result<ChessClock, Refusal> {
    if clock.total_seconds == 0 || clock.total_seconds.max(clock.increment_seconds) > LONGEST {
        return Err(Refusal::bad(format!(
            "clock of {}+{} seconds: expected 1 to {LONGEST} seconds and at most {LONGEST} more \
             for each turn",
            clock.total_seconds, clock.increment_seconds
        )));
    }
    let [total, increment] =
        [clock.total_seconds, clock.increment_seconds].map(|it| Duration::from_secs(it.into()));
    let left = left_ms.map_or([total; 2], |left| left.map(Duration::from_millis));
    Ok(ChessClock::with_left(TimeControl { total, increment }, left))
}

/// How long an agent may think about one decision. Many may be to come, so it takes a small part
/// of what is left, and at the end of its time plays at once what it thinks of first.
pub(crate) fn share(clock: &ChessClock, seat: Seat, now: Moment) -> Duration {
    let left = clock.left(seat, now).saturating_sub(RESERVE);
    (left / 30 + clock.increment() / 2).min(left / 2)
}

/// Milliseconds left, by seat.
pub(crate) fn left_ms(clock: &ChessClock, now: Moment) -> [u64; 2] {
    Seat::BOTH.map(|seat| clock.left(seat, now).as_millis() as u64)
}

/// The clock as it is told.
pub(crate) fn clock_state(clock: &ChessClock, now: Moment) -> ClockState {
    ClockState {
        left_ms: left_ms(clock, now),
        running: clock.running().map(|seat| seat.index() as u8),
        increment_seconds: clock.increment().as_secs() as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_share_out_their_time() {
        let clock = Clock { total_seconds: 61, increment_seconds: 2 };
        let mut clock = chess_clock(clock, None).unwrap();
        let start = Moment::from_secs(1_000);
        clock.run(Some(Seat::One), start);
        let share = |seconds| share(&clock, Seat::One, start + Duration::from_secs(seconds));
        assert!(share(0) > Duration::from_secs(2) && share(0) < Duration::from_secs(4));
        assert!(share(30) < share(0) && share(58) < share(30));
        assert!(share(60) < Duration::from_millis(600), "never more than half of what is left");
        assert_eq!(share(61), Duration::ZERO);
    }

    #[test]
    fn clocks_without_time_are_refused() {
        for (total_seconds, increment_seconds) in [(0, 5), (LONGEST + 1, 0), (5, LONGEST + 1)] {
            let clock = Clock { total_seconds, increment_seconds };
            assert!(chess_clock(clock, None).is_err());
        }
    }
}
