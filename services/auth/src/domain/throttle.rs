//! Limits of attempts per account, network and browser.
//!
//! Guesses of strangers must not lock the owner out. Attempts count per account and network; the total over all networks
//! narrows each network and finally rejects unknown browsers. Known browsers and mailed links always work.
use chrono::{DateTime, TimeDelta, Utc};

/// A fixed window. It opens with the first attempt.
#[derive(Clone, Copy, Debug)]
pub struct Throttle {
    pub attempts: i32,
    pub window: TimeDelta,
}

/// Wrong passwords for one account from unknown browsers, whatever the networks.
#[derive(Clone, Copy, Debug)]
pub struct AccountThrottle {
    /// Beyond these each network has [`NARROWED`] attempts left.
    pub narrows_after: i32,
    /// Beyond these no unknown browser is admitted.
    pub closes_after: i32,
    pub window: TimeDelta,
}

/// Attempts per network at an account under attack: enough for the owner with the right password.
const NARROWED: i32 = 2;

#[derive(Clone, Copy, Debug)]
pub struct Throttles {
    /// Wrong passwords for an account from one network, or from a browser that was signed in to it before. A success clears it.
    pub source: Throttle,
    /// Wrong passwords for an account from all unknown browsers. A success takes its own attempt back.
    pub account: AccountThrottle,
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
    /// `Err` is the time to wait. Attempts are counted before the password is verified, so concurrent guesses
    /// count like sequential ones.
    pub fn check(&self, on_record: Attempts, now: DateTime<Utc>) -> Result<(), TimeDelta> {
        if on_record.count <= self.attempts {
            return Ok(());
        }
        Err((on_record.window_ends_at - now).max(TimeDelta::seconds(1)))
    }
}

impl AccountThrottle {
    /// `source` is what the network itself has on record. `Err` is the time to wait.
    pub fn check(&self, on_record: Attempts, source: Attempts, now: DateTime<Utc>) -> Result<(), TimeDelta> {
        let wait = |until: DateTime<Utc>| Err((until - now).max(TimeDelta::seconds(1)));
        if on_record.count > self.closes_after {
            return wait(on_record.window_ends_at);
        }
        if on_record.count > self.narrows_after && source.count > NARROWED {
            return wait(source.window_ends_at);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNT: AccountThrottle = AccountThrottle {
        narrows_after: 100,
        closes_after: 500,
        window: TimeDelta::hours(1),
    };

    fn admit_at_account(all: i32, from_here: i32) -> Result<(), TimeDelta> {
        let now = DateTime::UNIX_EPOCH;
        let attempts = |count, minutes| Attempts {
            count,
            window_ends_at: now + TimeDelta::minutes(minutes),
        };
        ACCOUNT.check(attempts(all, 40), attempts(from_here, 9), now)
    }

    #[test]
    fn a_network_that_has_not_guessed_is_admitted_to_an_account_under_attack() {
        assert_eq!(admit_at_account(100, 10), Ok(()));
        assert_eq!(admit_at_account(101, 2), Ok(()));
        assert_eq!(admit_at_account(101, 3), Err(TimeDelta::minutes(9)));
        assert_eq!(admit_at_account(500, 1), Ok(()));
    }

    #[test]
    fn a_broad_attack_closes_unknown_browsers_out_until_the_window_ends() {
        assert_eq!(admit_at_account(501, 1), Err(TimeDelta::minutes(40)));
    }

    const THROTTLE: Throttle = Throttle {
        attempts: 10,
        window: TimeDelta::minutes(15),
    };

    fn admit(count: i32, minutes_left: i64) -> Result<(), TimeDelta> {
        let now = DateTime::UNIX_EPOCH;
        THROTTLE.check(
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
