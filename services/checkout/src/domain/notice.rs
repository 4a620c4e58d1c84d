//! What a provider told us unasked: enough to go and ask.

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
    /// Nothing we keep.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    First,
    Duplicate,
}
