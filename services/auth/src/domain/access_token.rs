//! Claims of an access token, and the lifetimes of tokens and signing keys.
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::domain::session::SessionId;
use crate::domain::user::UserId;

/// Long enough for a page's calls, short enough not to be worth stealing.
const TTL: TimeDelta = TimeDelta::minutes(15);

/// How far two clocks may be apart.
const LEEWAY: TimeDelta = TimeDelta::minutes(1);

/// Readers fetch the public keys again within this.
const PUBLIC_KEY_CACHE_TTL: TimeDelta = TimeDelta::hours(1);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    pub iss: String,
    pub aud: String,
    pub sub: UserId,
    pub sid: SessionId,
    pub iat: i64,
    pub exp: i64,
}

impl Claims {
    pub fn new(issuer: &str, sub: UserId, sid: SessionId, now: DateTime<Utc>) -> Self {
        Self {
            iss: issuer.to_owned(),
            aud: issuer.to_owned(),
            sub,
            sid,
            iat: now.timestamp(),
            exp: (now + TTL).timestamp(),
        }
    }

    /// Of a token whose signature is right.
    pub fn are_valid(&self, issuer: &str, now: DateTime<Utc>) -> bool {
        let ours = self.iss == issuer && self.aud == issuer;
        ours && now.timestamp() < self.exp && self.iat <= (now + LEEWAY).timestamp()
    }
}

/// When a key signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigningPeriod {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

/// How long each key signs.
#[derive(Clone, Copy, Debug)]
pub struct KeyRotation {
    pub every: TimeDelta,
}

impl KeyRotation {
    /// The term of a key to be made now, if it is time. `last` is when the last key stops signing.
    pub fn next_period(&self, last: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Option<SigningPeriod> {
        let from = match last {
            Some(last) if last > now => last,
            Some(_) | None => now,
        };
        let is_time = from - now <= self.publish_ahead();
        is_time.then(|| SigningPeriod {
            from,
            until: from + self.every,
        })
    }

    /// Before its term a key is public for as long as readers keep what they fetched.
    fn publish_ahead(&self) -> TimeDelta {
        (PUBLIC_KEY_CACHE_TTL * 2).min(self.every / 2)
    }

    /// Keys that stopped signing before this have no good tokens any more.
    pub fn verifies_until_after(now: DateTime<Utc>) -> DateTime<Utc> {
        now - TTL - LEEWAY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ISSUER: &str = "https://stillpoint.example";

    fn hour(n: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(n)
    }

    #[test]
    fn claims_are_good_for_a_quarter_of_an_hour_and_for_their_issuer() {
        let now = hour(10);
        let claims = Claims::new(ISSUER, UserId::new(now), SessionId::new(now), now);
        assert!(claims.are_valid(ISSUER, now + TimeDelta::minutes(14)));
        assert!(!claims.are_valid(ISSUER, now + TimeDelta::minutes(15)));
        assert!(!claims.are_valid("https://evil.example", now));
        assert!(
            !claims.are_valid(ISSUER, now - TimeDelta::minutes(2)),
            "from the future"
        );
    }

    #[test]
    fn a_key_is_made_before_the_last_one_stops() {
        let rotation = KeyRotation {
            every: TimeDelta::days(30),
        };
        let first = rotation.next_period(None, hour(0)).unwrap();
        assert_eq!((first.from, first.until), (hour(0), hour(720)));
        assert_eq!(rotation.next_period(Some(first.until), hour(717)), None);
        let second = rotation.next_period(Some(first.until), hour(718)).unwrap();
        assert_eq!((second.from, second.until), (hour(720), hour(1440)));
    }

    #[test]
    fn after_a_pause_a_key_signs_at_once() {
        let rotation = KeyRotation {
            every: TimeDelta::days(30),
        };
        assert_eq!(
            rotation.next_period(Some(hour(1)), hour(9)).unwrap().from,
            hour(9)
        );
    }
}
