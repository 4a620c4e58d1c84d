//! How long a session lives.
use chrono::{DateTime, TimeDelta, Utc};

kit::typed_id! {
    /// One signed-in browser or device.
    pub SessionId = "ses"
}

/// A use extends a session only once this part of its life has passed: reading must not cost a write each time.
const EXTENSION_STEPS: i32 = 20;

#[derive(Clone, Copy, Debug)]
pub struct Lifetime {
    /// Without use a session ends after this.
    pub idle: TimeDelta,
    /// With or without use it ends after this.
    pub longest: TimeDelta,
}

impl Lifetime {
    pub fn first_expiry(&self, opened_at: DateTime<Utc>) -> DateTime<Utc> {
        opened_at + self.idle.min(self.longest)
    }

    /// The new expiry of a session used now, if it is time to write one.
    pub fn extension(
        &self,
        opened_at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let extended = (now + self.idle).min(opened_at + self.longest);
        (extended - expires_at >= self.idle / EXTENSION_STEPS).then_some(extended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIFETIME: Lifetime = Lifetime {
        idle: TimeDelta::days(20),
        longest: TimeDelta::days(100),
    };

    fn day(n: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(n)
    }

    #[test]
    fn an_unused_session_ends_after_the_idle_time() {
        assert_eq!(LIFETIME.first_expiry(day(0)), day(20));
    }

    #[test]
    fn a_use_within_the_first_step_writes_nothing() {
        assert_eq!(
            LIFETIME.extension(day(0), day(20), day(0) + TimeDelta::hours(23)),
            None
        );
    }

    #[test]
    fn a_later_use_moves_the_end() {
        assert_eq!(LIFETIME.extension(day(0), day(20), day(5)), Some(day(25)));
    }

    #[test]
    fn no_use_moves_the_end_past_the_longest_life() {
        assert_eq!(LIFETIME.extension(day(0), day(90), day(85)), Some(day(100)));
        assert_eq!(LIFETIME.extension(day(0), day(100), day(95)), None);
    }

    #[test]
    fn the_longest_life_bounds_the_first_expiry_too() {
        let short = Lifetime {
            idle: TimeDelta::days(20),
            longest: TimeDelta::days(1),
        };
        assert_eq!(short.first_expiry(day(0)), day(1));
    }
}
