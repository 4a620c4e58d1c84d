//! Stripe's objects at the pinned version, as far as we look.

use serde::Deserialize;

use super::refusal::ErrorBody;
use crate::domain::ids::PaymentId;

#[derive(Debug, Deserialize)]
pub struct Created {
    pub id: String,
}

/// A payment method as attaching it answers.
#[derive(Debug, Deserialize)]
pub struct MethodObject {
    pub id: String,
    pub card: Option<MethodCard>,
}

#[derive(Debug, Deserialize)]
pub struct MethodCard {
    pub fingerprint: Option<String>,
}

/// Deliberately without `Debug`: digits of a card are not logged.
#[derive(Deserialize)]
pub struct CardMethodObject {
    pub card: Option<IssuedCardObject>,
}

#[derive(Deserialize)]
pub struct IssuedCardObject {
    pub country: Option<String>,
    /// The first digits: shown to accounts for which Stripe has switched it on.
    pub iin: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct CustomerObject {
    pub id: String,
    #[serde(default)]
    pub metadata: CustomerMetadata,
}

#[derive(Debug, Default, Deserialize)]
pub struct CustomerMetadata {
    pub user_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct List<T> {
    pub data: Vec<T>,
}

/// An object where we asked for it, else its id.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Expandable<T> {
    Id(String),
    Object(Box<T>),
}

impl<T> Expandable<T> {
    pub fn object(&self) -> Option<&T> {
        match self {
            Self::Id(_) => None,
            Self::Object(object) => Some(object),
        }
    }
}

#[derive(Debug, Deserialize)]
pub struct SubscriptionObject {
    pub id: String,
    pub status: String,
    #[serde(default)]
    pub metadata: Metadata,
    pub items: List<ItemObject>,
    pub latest_invoice: Option<Expandable<InvoiceObject>>,
    pub pending_setup_intent: Option<Expandable<SetupIntentObject>>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Metadata {
    pub payment_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct ItemObject {
    pub current_period_end: i64,
    pub price: Option<Created>,
}

#[derive(Debug, Deserialize)]
pub struct InvoiceObject {
    pub status: Option<String>,
    pub currency: String,
    pub amount_paid: i64,
    pub confirmation_secret: Option<ConfirmationSecret>,
    pub payments: Option<List<InvoicePaymentObject>>,
}

#[derive(Debug, Deserialize)]
pub struct ConfirmationSecret {
    pub client_secret: String,
}

#[derive(Debug, Deserialize)]
pub struct InvoicePaymentObject {
    pub payment: InvoicePaymentSource,
}

#[derive(Debug, Deserialize)]
pub struct InvoicePaymentSource {
    pub payment_intent: Option<Expandable<Created>>,
}

#[derive(Debug, Deserialize)]
pub struct SetupIntentObject {
    pub status: String,
    pub client_secret: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct PaymentIntentObject {
    pub status: String,
    pub currency: String,
    pub amount_received: i64,
    pub client_secret: Option<String>,
    pub last_payment_error: Option<ErrorBody>,
}

#[derive(Debug, Deserialize)]
pub struct RefundObject {
    pub id: String,
    pub amount: i64,
    pub currency: String,
    pub status: Option<String>,
    pub failure_reason: Option<String>,
    pub created: i64,
    #[serde(default)]
    pub metadata: RefundMetadata,
}

#[derive(Debug, Default, Deserialize)]
pub struct RefundMetadata {
    pub refund_id: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct DisputeObject {
    pub id: String,
    pub amount: i64,
    pub currency: String,
    pub status: String,
    pub created: i64,
    /// None while a bank inquires, one when it took the money, and another when it gave it back.
    pub balance_transactions: Vec<BalanceTransactionObject>,
}

#[derive(Debug, Deserialize)]
pub struct BalanceTransactionObject {
    pub amount: i64,
}

impl InvoicePaymentObject {
    pub fn intent_id(&self) -> Option<&str> {
        Some(match self.payment.payment_intent.as_ref()? {
            Expandable::Id(id) => id,
            Expandable::Object(object) => &object.id,
        })
    }
}

impl SubscriptionObject {
    /// We sell one thing at a time.
    pub fn price_id(&self) -> Option<&str> {
        let item = self.items.data.first()?;
        item.price.as_ref().map(|price| price.id.as_str())
    }

    pub fn invoice(&self) -> Option<&InvoiceObject> {
        self.latest_invoice.as_ref().and_then(Expandable::object)
    }

    /// The payment that created it. Foreign subscriptions have no such metadata.
    pub fn payment_id(&self) -> Option<PaymentId> {
        self.metadata.payment_id.as_deref()?.parse().ok()
    }

    pub fn intent_id(&self) -> Option<&str> {
        let payments = self.invoice()?.payments.as_ref()?;
        payments
            .data
            .iter()
            .rev()
            .find_map(InvoicePaymentObject::intent_id)
    }

    /// The payment intent of an invoice that is still to be paid.
    pub fn unsettled_intent_id(&self) -> Option<&str> {
        let open = self.invoice()?.status.as_deref() == Some("open");
        self.intent_id().filter(|_| open)
    }
}
