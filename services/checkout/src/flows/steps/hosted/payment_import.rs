//! A payment made on a provider's own page, and the order that it would create.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId, UserId};
use crate::domain::order::buyer::Buyer;
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::Payment;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::payment::provider_result::PaymentSnapshot;
use crate::domain::pricing::catalogue::Price;
use crate::domain::pricing::free_trial::PayerMark;
use crate::domain::provider::Provider;
use crate::domain::subscription_state::{Subscription, SubscriptionState};
use crate::flows::Checkout;

#[derive(Clone)]
pub struct PaymentImport {
    pub buyer: Buyer,
    pub price: Price,
    pub provider: Provider,
    /// The account that approved a subscription.
    pub payer_id: Option<String>,
    pub country: String,
    pub language: String,
    pub tracking: BTreeMap<String, String>,
    pub snapshot: PaymentSnapshot,
}

impl PaymentImport {
    pub fn payer_mark(&self) -> Option<PayerMark> {
        let payer_id = self.payer_id.as_deref()?;
        Some(PayerMark::of(self.provider, payer_id))
    }

    /// The same import for an erased member.
    pub fn anonymized(&self, now: DateTime<Utc>) -> Self {
        Self {
            buyer: Buyer {
                user_id: UserId::anonymized(now),
                email: String::new(),
                full_name: String::new(),
            },
            payer_id: None,
            language: String::new(),
            tracking: BTreeMap::new(),
            ..self.clone()
        }
    }
}

/// A new order with its first attempt.
pub fn purchase(checkout: &Checkout, import: &PaymentImport) -> SubscriptionOrder {
    let now = checkout.clock.now();
    let PaymentImport { price, .. } = import;
    let order = Order {
        order_id: OrderId::new(now),
        kind: OrderKind::Subscription,
        user_id: import.buyer.user_id.clone(),
        product: price.terms.product.clone(),
        opens: price.terms.opens,
        price_id: price.price_id,
        amount: price.terms.amount,
        trial_days: price.terms.trial_days,
        payment_source: import.provider.name().to_owned(),
        country: import.country.clone(),
        language: import.language.clone(),
        tracking: import.tracking.clone(),
        state: OrderState::Open,
        created_at: now,
    };
    let subscription = Subscription {
        subscription_id: SubscriptionId::new(now),
        state: SubscriptionState::Incomplete,
        activated_at: None,
        created_at: now,
    };
    SubscriptionOrder {
        payment: Payment {
            subscription_id: Some(subscription.subscription_id),
            ..intended(checkout, import, order.order_id, 1)
        },
        order,
        subscription,
        attempt: AttemptStatus::Current,
        poll: PollState::at(now + checkout.in_flight_timeout.0),
    }
}

pub fn intended(checkout: &Checkout, import: &PaymentImport, order_id: OrderId, attempt: i32) -> Payment {
    let now = checkout.clock.now();
    Payment::intended(PaymentId::new(now), order_id, import.provider, attempt, now)
}
