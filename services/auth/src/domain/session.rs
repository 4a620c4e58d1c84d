//! Lifetime, token rotation, recent authentication and second factor of sessions.
pub mod second_factor;
pub mod step_up;

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
    pub max_age: TimeDelta,
}

impl Lifetime {
    pub fn first_expiry(&self, opened_at: DateTime<Utc>) -> DateTime<Utc> {
        opened_at + self.idle.min(self.max_age)
    }

    /// The new expiry of a session used now, if it is time to write one.
    pub fn extension(
        &self,
        opened_at: DateTime<Utc>,
        expires_at: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Option<DateTime<Utc>> {
        let extended = (now + self.idle).min(opened_at + self.max_age);
        (extended - expires_at >= self.idle / EXTENSION_STEPS).then_some(extended)
    }
}

/// The device list shows times by the hour, so a use within the hour writes nothing.
const SEEN_STEP: TimeDelta = TimeDelta::hours(1);

/// When this use is to be written down as the latest.
pub fn is_use_recorded_again(last_seen_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - last_seen_at >= SEEN_STEP
}

/// When a session's token is replaced, and how long the one before stays good once its successor was used: long
/// enough for calls that were under way.
#[derive(Clone, Copy, Debug)]
pub struct Rotation {
    pub every: TimeDelta,
    pub grace: TimeDelta,
}

impl Rotation {
    pub fn is_due(&self, rotated_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        now - rotated_at >= self.every
    }

    /// Use after the grace means that this token or its successor was copied.
    pub fn is_reused(&self, retired_at: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        now - retired_at > self.grace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_retired_token_is_good_for_the_grace_and_not_longer() {
        let rotation = Rotation {
            every: TimeDelta::hours(1),
            grace: TimeDelta::seconds(60),
        };
        assert!(!rotation.is_reused(day(1), day(1) + TimeDelta::seconds(60)));
        assert!(rotation.is_reused(day(1), day(1) + TimeDelta::seconds(61)));
        assert!(!rotation.is_due(day(1), day(1) + TimeDelta::minutes(59)));
        assert!(rotation.is_due(day(1), day(1) + TimeDelta::minutes(60)));
    }

    const LIFETIME: Lifetime = Lifetime {
        idle: TimeDelta::days(20),
        max_age: TimeDelta::days(100),
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
            max_age: TimeDelta::days(1),
        };
        assert_eq!(short.first_expiry(day(0)), day(1));
    }
}
