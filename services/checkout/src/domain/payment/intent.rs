//! A provider's state of a one-time payment, in domain terms.

use kit::money::Money;

use crate::domain::ids::PaymentId;

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
