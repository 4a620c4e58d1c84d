//! Decides temporary premium from a payment event and a browser request, which arrive in either order.
use chrono::{DateTime, TimeDelta, Utc};

/// The browser asks right after the payment, and checkout's event is seconds behind: what is further apart than this
/// has nothing to do with each other.
const MATCH_WINDOW: TimeDelta = TimeDelta::hours(1);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub paid_at: Option<DateTime<Utc>>,
    pub requested_at: Option<DateTime<Utc>>,
    pub granted: Option<Grant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    pub at: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// From now on, once for each purchase.
    Grant(Grant),
    /// As it was granted before.
    AlreadyGranted(Grant),
    /// Payment or request is missing.
    Wait,
}

impl Record {
    pub fn decide(&self, now: DateTime<Utc>, lasts: TimeDelta) -> Decision {
        let served = |paid_at: DateTime<Utc>| self.granted.filter(|grant| grant.at >= paid_at);
        let (Some(paid_at), Some(asked_at)) = (self.paid_at, self.requested_at) else {
            return Decision::Wait;
        };
        if let Some(grant) = served(paid_at) {
            return Decision::AlreadyGranted(grant);
        }
        if (asked_at - paid_at).abs() > MATCH_WINDOW {
            return Decision::Wait;
        }
        Decision::Grant(Grant {
            at: now.max(paid_at),
            until: now + lasts,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LASTS: TimeDelta = TimeDelta::days(1);

    fn minute(n: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::minutes(n)
    }

    fn record(paid: Option<i64>, asked: Option<i64>) -> Record {
        Record {
            paid_at: paid.map(minute),
            requested_at: asked.map(minute),
            granted: None,
        }
    }

    #[test]
    fn granted_after_payment_and_request_in_either_order() {
        let expected = Decision::Grant(Grant {
            at: minute(5),
            until: minute(5) + LASTS,
        });
        assert_eq!(record(Some(0), Some(5)).decide(minute(5), LASTS), expected);
        assert_eq!(record(Some(5), Some(0)).decide(minute(5), LASTS), expected);
    }

    #[test]
    fn asking_alone_and_paying_alone_give_nothing() {
        assert_eq!(record(None, Some(0)).decide(minute(0), LASTS), Decision::Wait);
        assert_eq!(record(Some(0), None).decide(minute(0), LASTS), Decision::Wait);
        assert_eq!(
            record(Some(0), Some(61)).decide(minute(61), LASTS),
            Decision::Wait
        );
    }

    #[test]
    fn one_purchase_gives_it_once_and_the_next_one_again() {
        let grant = Grant {
            at: minute(5),
            until: minute(5) + LASTS,
        };
        let granted = Record {
            granted: Some(grant),
            ..record(Some(0), Some(50))
        };
        assert_eq!(granted.decide(minute(50), LASTS), Decision::AlreadyGranted(grant));
        let bought_again = Record {
            paid_at: Some(minute(49)),
            ..granted
        };
        assert!(matches!(
            bought_again.decide(minute(50), LASTS),
            Decision::Grant(_)
        ));
    }
}
