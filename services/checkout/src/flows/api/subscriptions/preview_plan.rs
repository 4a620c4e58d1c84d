//! Previews a plan change: the amount due now, as calculated by the provider. A cheaper plan costs nothing before the
//! paid time ends.

use chrono::{DateTime, Utc};
use kit::money::Money;

use crate::domain::ids::{OrderId, PriceId, SubscriptionId, UserId};
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::pricing::catalogue::Price;
use crate::domain::provider::ChangeKind;
use crate::domain::subscription::subscription_change::{self, Refusal};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::pricing::sync_prices::provider_price_id;
use crate::ports::NewPlan;
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::payment::renewals;
use crate::store::pricing::prices;
use crate::store::subscription::{billing_states, subscriptions};

#[derive(Debug, Clone)]
pub struct Planned {
    pub price: Price,
    pub due_now: Money,
    /// The moment of the calculation: sent back with the change.
    pub prorated_at: DateTime<Utc>,
    /// A cheaper plan begins then. `None`: at once.
    pub starts_at: Option<DateTime<Utc>>,
}

pub async fn preview_plan(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: SubscriptionId,
    price_id: PriceId,
) -> Result<Planned> {
    let mut connection = checkout.pool.acquire().await?;
    let order_id = subscriptions::find_order(&mut connection, subscription_id, user_id)
        .await?
        .ok_or(Error::UnknownSubscription)?;
    drop(connection);
    // To the second, as the provider keeps it.
    let now = DateTime::from_timestamp(checkout.clock.now().timestamp(), 0);
    planned(checkout, order_id, price_id, now.unwrap_or_default()).await
}

/// Deterministic for the same moment.
pub async fn planned(
    checkout: &Checkout,
    order_id: OrderId,
    price_id: PriceId,
    prorated_at: DateTime<Utc>,
) -> Result<Planned> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = subscription_orders::read(&mut connection, order_id, AttemptSelector::Current).await?;
    let billing = billing_states::find(&mut connection, purchase.subscription.subscription_id)
        .await?
        .ok_or(Refusal::NotActive)?;
    let plan_price_id = billing.plan_price_id.unwrap_or(purchase.order.price_id);
    let current = prices::read(&mut connection, plan_price_id).await?;
    drop(connection);
    subscription_change::check_supported(purchase.payment.provider, ChangeKind::Plan)?;
    subscription_change::check_settled(&purchase.subscription.state, &billing)?;
    let price = on_sale(checkout, price_id).await?;
    let terms = &price.terms;
    // Coupons, ways to begin and offers for some people only are on sale as well, and are no plans.
    let catalogue = checkout.catalogue.get();
    let plans = catalogue.plans_beside(&current, &purchase.order.country);
    if !plans.iter().any(|plan| plan.price_id == price_id) {
        return Err(Error::UnknownPrice);
    }
    drop(plans);
    if subscription_change::is_later(terms, &current.terms) {
        return later(checkout, &purchase, price, prorated_at).await;
    }
    if billing.scheduled().is_some() {
        return Err(Refusal::PlanScheduled.into());
    }
    let Some(provider_subscription_id) = &purchase.payment.provider_subscription_id else {
        return Err(Refusal::NotActive.into());
    };

    let plan = NewPlan {
        provider_price_id: provider_price_id(checkout, &price).await?,
        prorated_at,
    };
    let provider = checkout.providers.of(purchase.payment.provider)?;
    let due_now = provider
        .provider_billing()?
        .preview_plan(provider_subscription_id, &plan)
        .await?;
    if due_now.minor <= 0 {
        return Err(Error::PlanCostsLess);
    }
    Ok(Planned {
        price,
        due_now,
        prorated_at,
        starts_at: None,
    })
}

/// Nothing is due until the paid time ends. Where that has ended since it was shown, it would begin a period later than that.
async fn later(
    checkout: &Checkout,
    purchase: &SubscriptionOrder,
    price: Price,
    prorated_at: DateTime<Utc>,
) -> Result<Planned> {
    let mut connection = checkout.pool.acquire().await?;
    let renewals = renewals::of_order(&mut connection, purchase.order.order_id).await?;
    drop(connection);
    let starts_at = purchase.subscription.state.period_end();
    let starts_at = starts_at.filter(|at| *at > checkout.clock.now());
    let is_renewed = renewals.iter().any(|renewal| renewal.period_start > prorated_at);
    match starts_at {
        Some(starts_at) if !is_renewed => Ok(Planned {
            due_now: Money::zero(price.terms.currency()),
            price,
            prorated_at,
            starts_at: Some(starts_at),
        }),
        _ => Err(Error::PreviewExpired),
    }
}

async fn on_sale(checkout: &Checkout, price_id: PriceId) -> Result<Price> {
    let mut connection = checkout.pool.acquire().await?;
    let price = prices::find_on_sale(&mut connection, price_id).await?;
    price.ok_or(Error::UnknownPrice)
}
