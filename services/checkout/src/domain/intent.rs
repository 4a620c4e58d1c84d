//! What a provider says about something that is paid once, in our words.

use kit::money::Money;

use super::ids::PaymentId;
use super::payment::Decline;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentSnapshot {
    pub provider_intent_id: String,
    /// Which attempt made it, from the metadata we sent along.
    pub payment_id: Option<PaymentId>,
    pub charge: IntentCharge,
    /// What was charged, or is about to be.
    pub payment_method_id: Option<String>,
    pub payer: Payer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntentCharge {
    /// For a card, another card or the bank's question. The page that has the secret can pay it.
    AwaitsBuyer {
        client_secret: String,
    },
    Processing,
    Captured(Money),
    /// It can no longer be charged.
    Closed,
}

/// What the buyer wrote beside the card; empty where they wrote nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payer {
    pub email: String,
    pub full_name: String,
}

/// The outcome of talking to a provider about one such payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntentReport {
    Seen(IntentSnapshot),
    /// Refused as it was asked for: whatever there is of it can be paid by nobody.
    Refused(Decline),
    /// The provider was not reached: this call did nothing. An earlier one still may have.
    Unreached,
    /// No usable answer: whatever was asked may or may not have happened.
    NoAnswer,
    /// The provider has never heard of it, and can no longer come to.
    NeverArrived,
}
