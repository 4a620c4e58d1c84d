//! What a provider told us unasked: enough to go and ask.

use std::collections::BTreeMap;

use super::ids::PaymentId;

/// More than any provider sends of what is handled here.
pub const BODY_BYTES_MAX: usize = 256 * 1024;
const ID_BYTES_MAX: usize = 255;

/// A notification as it reached us.
#[derive(Debug, Clone, Default)]
pub struct Delivery {
    pub body: Vec<u8>,
    /// The one header that proves it, where one is enough.
    pub signature: String,
    /// Those of its headers that prove it, by their names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The last part of the address it was sent to, where that is signed as well.
    pub script: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub event_id: String,
    pub kind: String,
    pub subject: Subject,
    /// Whom it is about, as the provider names them.
    pub customer: Option<String>,
}

impl Notice {
    /// Providers' ids and kinds are short and plain. Anything else is not stored: it was made up.
    pub fn is_well_formed(&self) -> bool {
        if matches!(self.subject, Subject::MayPay(_)) {
            // Answered and never stored.
            return true;
        }
        let names = [Some(self.event_id.as_str()), Some(self.kind.as_str())];
        let ids = [self.subject.id(), self.customer.as_deref()];
        names.iter().chain(&ids).flatten().all(|text| is_plain(text))
            && ids.iter().flatten().all(|id| !id.contains('/'))
    }
}

fn is_plain(text: &str) -> bool {
    (1..=ID_BYTES_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    Subscription(String),
    PaymentIntent(String),
    /// The refunds of what this intent captured.
    RefundsOf(String),
    /// What a buyer's bank took back, of a payment that only the provider can name.
    Reversal(String),
    /// The provider asks whether what waits under this reference may be paid.
    MayPay(String),
    /// Nothing we keep.
    Other,
}

impl Subject {
    /// What the provider calls it.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Subscription(id)
            | Self::PaymentIntent(id)
            | Self::RefundsOf(id)
            | Self::Reversal(id)
            | Self::MayPay(id) => Some(id),
            Self::Other => None,
        }
    }

    /// A closed set, for metrics: kinds are the provider's words.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Subscription(_) => "subscription",
            Self::PaymentIntent(_) => "payment_intent",
            Self::RefundsOf(_) => "refund",
            Self::Reversal(_) => "reversal",
            Self::MayPay(_) => "may_pay",
            Self::Other => "other",
        }
    }

    /// Whether the provider is asked as the news come. Refunds are looked after by whoever watches them: nobody waits.
    pub fn is_asked_about(&self) -> bool {
        matches!(
            self,
            Self::Subscription(_) | Self::PaymentIntent(_) | Self::Reversal(_)
        )
    }
}

/// What looking again into a stored notification came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replay {
    /// The reconciler asks the provider about it next.
    Due(PaymentId),
    /// It is about nothing we have.
    Foreign,
    /// Of somebody who is erased only that it came is kept.
    Erased,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    First {
        /// The provider has to be asked what it is about. Otherwise whoever looks after that is due, or it is nothing of ours.
        asks: bool,
    },
    Duplicate,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(event_id: &str, subject: Subject) -> Notice {
        Notice {
            event_id: event_id.to_owned(),
            kind: "payment.succeeded".to_owned(),
            subject,
            customer: None,
        }
    }

    #[test]
    fn ids_are_short_and_plain() {
        assert!(notice("payment.succeeded/2c1", Subject::Subscription("2c1".into())).is_well_formed());
        assert!(notice("evt_1", Subject::Other).is_well_formed());
        let long = "a".repeat(256);
        for id in ["", "a\0b", "a b", "a\u{301}", long.as_str()] {
            assert!(!notice(id, Subject::Other).is_well_formed(), "{id:?}");
            let subject = Subject::RefundsOf(id.into());
            assert!(!notice("evt_1", subject).is_well_formed(), "{id:?}");
        }
        assert!(!notice("evt_1", Subject::Subscription("a/b".into())).is_well_formed());
    }
}
