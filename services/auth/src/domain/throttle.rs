//! How many attempts an account, a network and a browser may see before they wait.
use chrono::{DateTime, TimeDelta, Utc};

/// A fixed window. It opens with the first attempt.
#[derive(Clone, Copy, Debug)]
pub struct Throttle {
    pub attempts: i32,
    pub window: TimeDelta,
}

#[derive(Clone, Copy, Debug)]
pub struct Throttles {
    /// Wrong passwords for an account, or from a browser that was signed in to it before. A success clears it.
    pub account: Throttle,
    /// Wrong passwords from one network, whatever the accounts. A success does not clear it: attackers have accounts.
    pub address: Throttle,
    /// Links mailed to one address.
    pub links: Throttle,
}

/// What is on record, the present attempt included.
#[derive(Clone, Copy, Debug)]
pub struct Attempts {
    pub count: i32,
    pub window_ends_at: DateTime<Utc>,
}

impl Throttle {
    /// `Err` is the time to wait. Attempts are counted before the password is looked at, so that guesses made at
    /// once count as well as guesses made in turn.
    pub fn admit(&self, on_record: Attempts, now: DateTime<Utc>) -> Result<(), TimeDelta> {
        if on_record.count <= self.attempts {
            return Ok(());
        }
        Err((on_record.window_ends_at - now).max(TimeDelta::seconds(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THROTTLE: Throttle = Throttle {
        attempts: 10,
        window: TimeDelta::minutes(15),
    };

    fn admit(count: i32, minutes_left: i64) -> Result<(), TimeDelta> {
        let now = DateTime::UNIX_EPOCH;
        THROTTLE.admit(
            Attempts {
                count,
                window_ends_at: now + TimeDelta::minutes(minutes_left),
            },
            now,
        )
    }

    #[test]
    fn the_tenth_attempt_is_the_last() {
        assert_eq!(admit(1, 15), Ok(()));
        assert_eq!(admit(10, 15), Ok(()));
        assert_eq!(admit(11, 7), Err(TimeDelta::minutes(7)));
    }

    #[test]
    fn a_wait_is_never_shown_as_nothing() {
        assert_eq!(admit(11, 0), Err(TimeDelta::seconds(1)));
    }
}
