//! What a provider told us unasked: enough to go and ask.

use std::collections::BTreeMap;

use super::ids::PaymentId;

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
