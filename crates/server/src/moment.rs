//! The present moment as text.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, RFC 3339, in UTC, with milliseconds so that lists have an order.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    text(since.as_secs(), since.subsec_millis())
}

fn text(seconds: u64, milliseconds: u32) -> String {
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    let (year, month, date) = calendar(day);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}Z")
}

/// Year, month and date of a day counted from 1970-01-01.
fn calendar(mut day: u64) -> (u64, u64, u64) {
    let mut year = 1970;
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= lengths[month] {
        day -= lengths[month];
        month += 1;
    }
    (year, month as u64 + 1, day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dates() {
        assert_eq!(text(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(text(951_782_400, 7), "2000-02-29T00:00:00.007Z");
        assert_eq!(text(1_767_225_599, 999), "2025-12-31T23:59:59.999Z");
        assert_eq!(text(1_767_225_600, 0), "2026-01-01T00:00:00.000Z");
        assert_eq!(text(4_107_542_400, 0), "2100-03-01T00:00:00.000Z");
    }
}
