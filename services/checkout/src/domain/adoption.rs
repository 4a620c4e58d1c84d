//! Where something belongs that a buyer has paid, or begun to pay, on a provider's own pages.

use chrono::{DateTime, Utc};
use kit::money::Money;

use super::ids::{PaymentId, PriceId};
use super::order::{Order, OrderState};
use super::payment::{Payment, PaymentState, Standing};
use super::provider::Provider;
use super::purchase::Purchase;
use super::report::{Charge, Snapshot};
use super::settlement::Fact;
use super::subscription::{Subscription, SubscriptionState};

/// What the buyer was offered there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    pub provider: Provider,
    pub price_id: PriceId,
    pub amount: Money,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// With a new order.
    Open,
    /// One more attempt to pay for the order that is held.
    Attach,
    /// With a new order: the one that is held is given up, and can never be charged.
    Replace,
    /// An earlier attempt could still be charged: close it at the provider, then ask again.
    Close(PaymentId),
    /// Nobody knows yet.
    Wait,
    /// It is not sold to them: what was taken goes back.
    Nowhere(Refusal),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Another amount was taken than was offered.
    UnknownPrice,
    AlreadySubscribed,
    /// Another payment of theirs is in the air: there is no room beside it.
    PaymentInProgress,
}

/// What a member holds of a product: their purchase that has not ended, and every attempt to pay for it.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    pub purchase: &'a Purchase,
    pub attempts: &'a [Payment],
}

impl Held<'_> {
    /// Of one provider no two attempts are in the air.
    fn is_awaited_by(&self, provider: Provider) -> bool {
        let mut attempts = self.attempts.iter();
        attempts.any(|attempt| attempt.provider == provider && attempt.is_in_the_air())
    }
}

/// Of a provider's subscription that no order knows of.
pub fn place(held: Option<Held<'_>>, offer: Offer, snapshot: &Snapshot) -> Place {
    let captured = match snapshot.charge {
        Charge::Captured(captured) => Some(captured),
        _ => None,
    };
    if captured.is_some_and(|captured| captured != offer.amount) {
        return Place::Nowhere(Refusal::UnknownPrice);
    }
    let Some(held) = held else { return Place::Open };
    let Purchase { order, payment, .. } = held.purchase;
    let is_same_price = order.price_id == offer.price_id;
    let has_room = !held.is_awaited_by(offer.provider);
    match (&order.state, payment.standing()) {
        // Paid: this one is booked as one too many, and goes back.
        (OrderState::Paid { .. }, _) if has_room => Place::Attach,
        (OrderState::OnTrial { .. } | OrderState::Paid { .. }, _) => {
            Place::Nowhere(Refusal::AlreadySubscribed)
        }
        _ if is_same_price && has_room => Place::Attach,
        _ if is_same_price => Place::Nowhere(Refusal::PaymentInProgress),
        (_, Standing::AwaitsBuyer) => Place::Close(payment.payment_id),
        (_, Standing::Over) => Place::Replace,
        // A bank may take days, and nobody asks for so long: what was taken must not wait for it.
        (_, Standing::InFlight | Standing::Settled) if captured.is_some() => {
            Place::Nowhere(Refusal::PaymentInProgress)
        }
        (_, Standing::InFlight | Standing::Settled) => Place::Wait,
    }
}

/// The provider has it: whoever looks after it next knows whom to ask.
#[must_use]
pub fn at_provider(payment: &Payment, snapshot: &Snapshot) -> Payment {
    Payment {
        state: PaymentState::Processing,
        provider_subscription_id: Some(snapshot.provider_subscription_id.clone()),
        provider_intent_id: snapshot.provider_intent_id.clone(),
        ..payment.clone()
    }
}

/// What was taken for nothing that we sell: of an order that was given up as it was made, and on its way back. `payment` is as the
/// provider has it.
pub fn unsold(order: Order, payment: Payment, captured: Money, at: DateTime<Utc>) -> (Order, Payment, Fact) {
    let order = Order {
        state: OrderState::Abandoned { at },
        ..order
    };
    let payment = Payment {
        state: PaymentState::Succeeded { captured, at },
        ..payment
    };
    let fact = Fact::CapturedTwice {
        payment_id: payment.payment_id,
        amount: captured,
    };
    (order, payment, fact)
}

/// The same with the subscription that was begun.
pub fn unsold_subscription(
    begun: Purchase,
    snapshot: &Snapshot,
    captured: Money,
    at: DateTime<Utc>,
) -> (Purchase, Fact) {
    let payment = at_provider(&begun.payment, snapshot);
    let (order, payment, fact) = unsold(begun.order, payment, captured, at);
    let unsold = Purchase {
        order,
        subscription: Subscription {
            state: SubscriptionState::Expired { at },
            next_check_at: None,
            ..begun.subscription
        },
        payment,
        attempt: begun.attempt,
    };
    (unsold, fact)
}

#[cfg(test)]
#[path = "adoption_tests.rs"]
mod tests;
