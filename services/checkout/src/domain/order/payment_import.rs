//! Decides to which order a payment made on a provider's own page is imported.

use chrono::{DateTime, Utc};
use kit::money::Money;

use crate::domain::ids::{PaymentId, PriceId};
use crate::domain::order::fact::Fact;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::order::{Order, OrderState};
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::provider_result::{Charge, PaymentSnapshot};
use crate::domain::payment::{Disposition, Payment, PaymentState};
use crate::domain::provider::Provider;
use crate::domain::subscription_state::{Subscription, SubscriptionState};

/// The offer that the provider's page showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    pub provider: Provider,
    pub price_id: PriceId,
    pub amount: Money,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportTarget {
    /// Create a new order.
    NewOrder,
    /// Add an attempt to the existing order.
    Attach,
    /// Abandon the existing order, which can no longer be charged, and create a new one.
    Replace,
    /// An earlier attempt could still be charged: close it at the provider, then decide again.
    Close(PaymentId),
    /// The outcome of another attempt is unknown.
    Wait,
    /// The sale is refused: the captured amount is refunded.
    Rejected(Refusal),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The captured amount differs from the offer.
    UnknownPrice,
    AlreadySubscribed,
    /// Another payment of the member is in flight.
    PaymentInProgress,
}

/// A member's order of a product that has not ended, with every attempt to pay for it.
#[derive(Debug, Clone, Copy)]
pub struct ExistingOrder<'a> {
    pub purchase: &'a SubscriptionOrder,
    pub attempts: &'a [Payment],
}

impl ExistingOrder<'_> {
    /// At most one attempt per provider is in flight.
    fn is_awaited_by(&self, provider: Provider) -> bool {
        let mut attempts = self.attempts.iter();
        attempts.any(|attempt| attempt.provider == provider && attempt.is_in_flight())
    }
}

/// For a provider subscription that belongs to no order.
pub fn import_target(
    held: Option<ExistingOrder<'_>>,
    offer: Offer,
    snapshot: &PaymentSnapshot,
) -> ImportTarget {
    let captured = match snapshot.charge {
        Charge::Captured(captured) => Some(captured),
        _ => None,
    };
    if captured.is_some_and(|captured| captured != offer.amount) {
        return ImportTarget::Rejected(Refusal::UnknownPrice);
    }
    let Some(held) = held else {
        return ImportTarget::NewOrder;
    };
    let SubscriptionOrder { order, payment, .. } = held.purchase;
    let is_same_price = order.price_id == offer.price_id;
    let has_room = !held.is_awaited_by(offer.provider);
    match (&order.state, payment.disposition()) {
        // Paid: this one is booked as one too many, and goes back.
        (OrderState::Paid { .. }, _) if has_room => ImportTarget::Attach,
        (OrderState::OnTrial { .. } | OrderState::Paid { .. }, _) => {
            ImportTarget::Rejected(Refusal::AlreadySubscribed)
        }
        _ if is_same_price && has_room => ImportTarget::Attach,
        _ if is_same_price => ImportTarget::Rejected(Refusal::PaymentInProgress),
        (_, Disposition::AwaitsBuyer) => ImportTarget::Close(payment.payment_id),
        (_, Disposition::Closed) => ImportTarget::Replace,
        // A bank may take days: a capture must not wait for it.
        (_, Disposition::InFlight | Disposition::Settled) if captured.is_some() => {
            ImportTarget::Rejected(Refusal::PaymentInProgress)
        }
        (_, Disposition::InFlight | Disposition::Settled) => ImportTarget::Wait,
    }
}

/// The provider confirmed the payment: stores its ids for the next fetch.
#[must_use]
pub fn at_provider(payment: &Payment, snapshot: &PaymentSnapshot) -> Payment {
    Payment {
        state: PaymentState::Processing,
        provider_subscription_id: Some(snapshot.provider_subscription_id.clone()),
        provider_intent_id: snapshot.provider_intent_id.clone(),
        ..payment.clone()
    }
}

/// Creates the abandoned order of a capture that matches nothing on sale; the capture is refunded. `payment` is in the state
/// that the provider returned.
pub fn unmatched_capture(
    order: Order,
    payment: Payment,
    captured: Money,
    at: DateTime<Utc>,
) -> (Order, Payment, Fact) {
    let order = Order {
        state: OrderState::Abandoned { at },
        ..order
    };
    let payment = Payment {
        state: PaymentState::Succeeded { captured, at },
        ..payment
    };
    let fact = Fact::DuplicateCapture {
        payment_id: payment.payment_id,
        amount: captured,
    };
    (order, payment, fact)
}

/// The same for a capture that began a subscription.
pub fn unmatched_subscription_capture(
    begun: SubscriptionOrder,
    snapshot: &PaymentSnapshot,
    captured: Money,
    at: DateTime<Utc>,
) -> (SubscriptionOrder, Fact) {
    let payment = at_provider(&begun.payment, snapshot);
    let (order, payment, fact) = unmatched_capture(begun.order, payment, captured, at);
    let unmatched = SubscriptionOrder {
        order,
        subscription: Subscription {
            state: SubscriptionState::Expired { at },
            ..begun.subscription
        },
        payment,
        attempt: begun.attempt,
        poll: PollState::default(),
    };
    (unmatched, fact)
}

#[cfg(test)]
mod tests;
