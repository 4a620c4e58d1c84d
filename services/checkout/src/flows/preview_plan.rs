//! What another plan would cost now, to the minor unit, as the provider works it out.

use chrono::{DateTime, Utc};
use kit::money::Money;

use super::Checkout;
use super::sync_prices::stripe_price_id;
use crate::domain::campaign::PriceKind;
use crate::domain::catalogue::Price;
use crate::domain::ids::{OrderId, PriceId, SubscriptionId, UserId};
use crate::domain::wish::{self, Refusal};
use crate::error::{Error, Result};
use crate::ports::NewPlan;
use crate::store::purchases::{self, Which};
use crate::store::{lives, prices, subscriptions};

#[derive(Debug, Clone)]
pub struct Planned {
    pub price: Price,
    pub due_now: Money,
    /// As of when the difference was worked out: sent back with the wish.
    pub prorated_at: DateTime<Utc>,
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

/// The same moment is the same amount, as often as it is asked for.
pub async fn planned(
    checkout: &Checkout,
    order_id: OrderId,
    price_id: PriceId,
    prorated_at: DateTime<Utc>,
) -> Result<Planned> {
    let mut connection = checkout.pool.acquire().await?;
    let purchase = purchases::read(&mut connection, order_id, Which::Current).await?;
    let life = lives::find(&mut connection, purchase.subscription.subscription_id)
        .await?
        .ok_or(Refusal::NotBegun)?;
    drop(connection);
    wish::check_offered(purchase.payment.provider, wish::WishKind::Plan)?;
    wish::check_settled(&purchase.subscription.state, &life)?;
    let price = on_sale(checkout, price_id).await?;
    let terms = &price.terms;
    let is_of_this = terms.product == purchase.order.product
        && terms.amount.currency == purchase.order.amount.currency
        && terms.kind == PriceKind::Subscription
        // Coupons are for whoever begins.
        && terms.coupon_code.is_empty();
    let current = life.plan_price_id.unwrap_or(purchase.order.price_id);
    if !is_of_this || current == price_id {
        return Err(Error::UnknownPrice);
    }
    let Some(provider_subscription_id) = &purchase.payment.provider_subscription_id else {
        return Err(Refusal::NotBegun.into());
    };

    let plan = NewPlan {
        provider_price_id: stripe_price_id(checkout, &price).await?,
        prorated_at,
    };
    let due_now = checkout
        .providers
        .cards
        .changes
        .preview_plan(provider_subscription_id, &plan)
        .await?;
    if due_now.minor <= 0 {
        return Err(Error::PlanCostsLess);
    }
    Ok(Planned {
        price,
        due_now,
        prorated_at,
    })
}

async fn on_sale(checkout: &Checkout, price_id: PriceId) -> Result<Price> {
    let mut connection = checkout.pool.acquire().await?;
    let price = prices::find_on_sale(&mut connection, price_id).await?;
    price.ok_or(Error::UnknownPrice)
}

pub async fn provider_price_id(checkout: &Checkout, price_id: PriceId) -> Result<String> {
    let mut connection = checkout.pool.acquire().await?;
    let price = prices::read(&mut connection, price_id).await?;
    drop(connection);
    stripe_price_id(checkout, &price).await
}
