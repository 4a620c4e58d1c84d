//! Recent authentication: sensitive calls require one, and a step-up renews it.
use chrono::{DateTime, TimeDelta, Utc};

/// An authentication is recent for this long.
const RECENT: TimeDelta = TimeDelta::minutes(10);

/// What a session has proved, and what its account can prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authentication {
    /// `None` for a session that was opened without a proof: by a handoff token.
    pub authenticated_at: Option<DateTime<Utc>>,
    /// When the second factor verified the session.
    pub second_factor_at: Option<DateTime<Utc>>,
    pub has_password: bool,
    pub has_second_factor: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepUpMethod {
    Password,
    Code,
    /// The account has no password: its member signs in again.
    SignIn,
}

impl StepUpMethod {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Code => "code",
            Self::SignIn => "sign_in",
        }
    }
}

/// What a sensitive call brings beside its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brought {
    Nothing,
    /// The account's password, and it was right.
    Password,
}

/// The call needs a recent authentication, which these methods renew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepUpRequired(pub &'static [StepUpMethod]);

impl Authentication {
    /// A session from before the second factor was enabled has not proved it.
    pub fn is_recent(&self, now: DateTime<Utc>) -> bool {
        let is_recent = self.authenticated_at.is_some_and(|at| now - at <= RECENT);
        is_recent && (self.is_verified() || !self.has_second_factor)
    }

    /// The second factor that the account has now verified the session.
    pub fn is_verified(&self) -> bool {
        self.has_second_factor && self.second_factor_at.is_some()
    }

    pub fn step_up_methods(&self) -> &'static [StepUpMethod] {
        match (self.has_password, self.has_second_factor) {
            (true, false) => &[StepUpMethod::Password],
            (true, true) => &[StepUpMethod::Password, StepUpMethod::Code],
            (false, _) => &[StepUpMethod::SignIn],
        }
    }

    /// The rule of every sensitive call. A password is enough for an account without a second factor.
    pub fn check(&self, brought: Brought, now: DateTime<Utc>) -> Result<(), StepUpRequired> {
        let is_proved = brought == Brought::Password && !self.has_second_factor;
        if is_proved || self.is_recent(now) {
            return Ok(());
        }
        Err(StepUpRequired(self.step_up_methods()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(1)
    }

    fn authenticated(minutes_ago: i64) -> Authentication {
        Authentication {
            authenticated_at: Some(now() - TimeDelta::minutes(minutes_ago)),
            second_factor_at: None,
            has_password: true,
            has_second_factor: false,
        }
    }

    #[test]
    fn an_authentication_is_recent_for_ten_minutes() {
        assert!(authenticated(10).is_recent(now()));
        assert!(!authenticated(11).is_recent(now()));
        let carried = Authentication {
            authenticated_at: None,
            ..authenticated(0)
        };
        assert!(!carried.is_recent(now()), "a handoff token proves nothing");
    }

    #[test]
    fn the_right_password_replaces_a_recent_authentication() {
        let stale = authenticated(60);
        let refused = StepUpRequired(&[StepUpMethod::Password]);
        assert_eq!(stale.check(Brought::Nothing, now()), Err(refused));
        assert_eq!(stale.check(Brought::Password, now()), Ok(()));
        assert_eq!(authenticated(1).check(Brought::Nothing, now()), Ok(()));
    }

    #[test]
    fn an_account_with_a_second_factor_needs_both() {
        let stale = Authentication {
            has_second_factor: true,
            second_factor_at: Some(now() - TimeDelta::days(1)),
            ..authenticated(60)
        };
        let refused = StepUpRequired(&[StepUpMethod::Password, StepUpMethod::Code]);
        assert_eq!(stale.check(Brought::Password, now()), Err(refused));
        let fresh = Authentication {
            authenticated_at: Some(now()),
            ..stale
        };
        assert_eq!(fresh.check(Brought::Nothing, now()), Ok(()));
        let unverified = Authentication {
            second_factor_at: None,
            ..fresh
        };
        assert_eq!(unverified.check(Brought::Password, now()), Err(refused));
    }

    #[test]
    fn an_account_without_a_password_signs_in_again() {
        for has_second_factor in [false, true] {
            let social = Authentication {
                has_password: false,
                has_second_factor,
                ..authenticated(60)
            };
            assert_eq!(social.step_up_methods(), [StepUpMethod::SignIn]);
        }
    }
}
