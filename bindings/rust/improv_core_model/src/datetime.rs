// SPDX-License-Identifier: MIT
//! An instant in UTC.
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The first microsecond of the year 1, and the last one of the year 9999, since 1970.
const RANGE: std::ops::RangeInclusive<i64> = -62_135_596_800_000_000..=253_402_300_799_999_999;

/// An instant in UTC, whole microseconds, years 0001 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime(i64);

impl DateTime {
    /// The instant so many microseconds after 1970 began, or `None` outside of those years.
    pub fn from_timestamp_micros(microseconds: i64) -> Option<Self> {
        RANGE
            .contains(&microseconds)
            .then_some(DateTime(microseconds))
    }

    /// Microseconds since 1970 began.
    pub fn timestamp_micros(&self) -> i64 {
        self.0
    }
}

/// The microsecond that the time lies in.
///
/// # Panics
/// For a time outside of the years 0001 to 9999.
impl From<SystemTime> for DateTime {
    fn from(time: SystemTime) -> Self {
        let nanoseconds = match time.duration_since(UNIX_EPOCH) {
            Ok(since) => i128::try_from(since.as_nanos()),
            Err(before) => i128::try_from(before.duration().as_nanos()).map(|nanos| -nanos),
        };
        nanoseconds
            .ok()
            .and_then(|nanos| i64::try_from(nanos.div_euclid(1000)).ok())
            .and_then(DateTime::from_timestamp_micros)
            .expect("a time in the years 0001 to 9999")
    }
}

impl From<DateTime> for SystemTime {
    fn from(time: DateTime) -> Self {
        let distance = Duration::from_micros(time.0.unsigned_abs());
        if time.0 < 0 {
            UNIX_EPOCH - distance
        } else {
            UNIX_EPOCH + distance
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_time_and_back_is_the_same_instant() {
        for microseconds in [*RANGE.start(), -1, 0, 1, *RANGE.end()] {
            let time = DateTime::from_timestamp_micros(microseconds).expect("in range");
            assert_eq!(DateTime::from(SystemTime::from(time)), time);
            assert_eq!(time.timestamp_micros(), microseconds);
        }
    }

    #[test]
    fn years_0_and_10000_are_none() {
        assert_eq!(DateTime::from_timestamp_micros(RANGE.start() - 1), None);
        assert_eq!(DateTime::from_timestamp_micros(RANGE.end() + 1), None);
    }

    #[test]
    fn parts_of_a_microsecond_before_1970_belong_to_the_one_before() {
        let time = UNIX_EPOCH - Duration::from_nanos(1);
        assert_eq!(DateTime::from(time).timestamp_micros(), -1);
    }
}
