//! Begins the subscription of a paid trial in the same transaction, with the card that was just charged. Sending
//! it to the provider is left to the reconciler.

use sqlx::PgConnection;

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId};
use crate::domain::order::order_attempt::{AttemptStatus, SubscriptionOrder};
use crate::domain::order::{Order, OrderKind, OrderState};
use crate::domain::payment::Payment;
use crate::domain::payment::intent::IntentSnapshot;
use crate::domain::payment::poll_schedule::PollState;
use crate::domain::subscription_state::{Subscription, SubscriptionState};
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::order::order_attempts;
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
        created_at: now,
    };
    let provider = checkout.providers.own_page().id();
    let purchase = SubscriptionOrder {
        payment: Payment {
            subscription_id: Some(subscription.subscription_id),
            payment_method_id: seen.payment_method_id.clone().unwrap_or_default(),
            ..Payment::intended(PaymentId::new(now), order.order_id, provider, 1, now)
        },
        order,
        subscription,
        attempt: AttemptStatus::Current,
        poll: PollState::at(now),
    };
    order_attempts::insert(tx, &purchase.clone().into()).await?;
    emit::subscription_created(tx, &checkout.clock, &purchase).await
}
