//! Begins the subscription of a paid trial in the same transaction, with the card that was just charged. Sending
//! it to the provider is left to the reconciler.

use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId};
use crate::domain::order::intent::IntentSnapshot;
use crate::domain::order::subscription_order::{AttemptStatus, SubscriptionOrder};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::{Payment, PaymentState};
use crate::domain::subscription::{Subscription, SubscriptionState};
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::order::subscription_orders;
use crate::store::pricing::prices;

/// Does nothing for an order that is no trial. The buyer is locked, and holds the product by no other order.
pub async fn start_trial(
    tx: &mut PgConnection,
    checkout: &Checkout,
    trial: &Order,
    seen: &IntentSnapshot,
) -> Result<()> {
    let OrderKind::Trial {
        subscription_price: starts,
    } = trial.kind
    else {
        return Ok(());
    };
    let now = checkout.clock.now();
    let price = prices::read(tx, starts).await?;
    let order = Order {
        order_id: OrderId::new(now),
        kind: OrderKind::Subscription,
        price_id: starts,
        opens: price.terms.opens,
        amount: price.terms.amount,
        trial_days: price.terms.trial_days,
        state: OrderState::Open,
        created_at: now,
        ..trial.clone()
    };
    let subscription = Subscription {
        subscription_id: SubscriptionId::new(now),
        state: SubscriptionState::Incomplete,
        activated_at: None,
        next_check_at: Some(now),
        poll_count: 0,
        created_at: now,
    };
    let payment_id = PaymentId::new(now);
    let payment = Payment {
        payment_id,
        order_id: order.order_id,
        subscription_id: Some(subscription.subscription_id),
        provider: checkout.providers.own_page().id(),
        attempt: 1,
        payment_method_id: seen.payment_method_id.clone().unwrap_or_default(),
        card_network: None,
        idempotency_key: payment_id.to_string(),
        state: PaymentState::Intended,
        provider_subscription_id: None,
        provider_intent_id: None,
        created_at: now,
    };
    let purchase = SubscriptionOrder {
        order,
        subscription,
        payment,
        attempt: AttemptStatus::Current,
    };
    subscription_orders::insert(tx, &purchase).await?;
    emit::subscription_created(tx, &checkout.clock, &purchase).await
}
