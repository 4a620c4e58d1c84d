//! Lists the plans that a subscription can change to.

use chrono::{DateTime, Utc};

use super::list_subscriptions::{self, SubscriptionView};
use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::pricing::catalogue::Price;
use crate::domain::provider::ChangeKind;
use crate::domain::subscription::subscription_change;
use crate::error::Result;
use crate::flows::Checkout;

#[derive(Debug, Clone)]
pub struct Plan {
    pub price: Price,
    pub is_current: bool,
    /// A cheaper one begins then. `None`: it is current, or begins at once.
    pub starts_at: Option<DateTime<Utc>>,
}

/// The current one first. It is alone while no change is possible, and nothing is listed of what is managed elsewhere.
pub async fn list_plans(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: SubscriptionId,
) -> Result<Vec<Plan>> {
    let SubscriptionView {
        purchase,
        state: billing,
        plan,
        ..
    } = list_subscriptions::find_view(checkout, user_id, subscription_id).await?;
    let is_supported = subscription_change::check_supported(purchase.payment.provider, ChangeKind::Plan);
    let Some(billing) = billing.filter(|_| is_supported.is_ok()) else {
        return Ok(Vec::new());
    };
    let state = &purchase.subscription.state;
    if state.has_ended() {
        return Ok(Vec::new());
    }
    let catalogue = checkout.catalogue.get();
    let can_change =
        subscription_change::check_settled(state, &billing).is_ok() && billing.paused_until.is_none();
    let beside = if can_change {
        catalogue.plans_beside(&plan, &purchase.order.country)
    } else {
        Vec::new()
    };
    let scheduled = billing.scheduled();
    let others = beside.into_iter().filter_map(|price| {
        let starts_at = if subscription_change::is_later(&price.terms, &plan.terms) {
            Some(state.period_end()?)
        } else {
            None
        };
        let is_possible = match scheduled {
            // What is dearer waits until what follows is undone.
            Some(next) => starts_at.is_some() && next.price_id != price.price_id,
            None => true,
        };
        is_possible.then(|| Plan {
            price: price.clone(),
            is_current: false,
            starts_at,
        })
    });
    let current = Plan {
        price: plan.clone(),
        is_current: true,
        starts_at: None,
    };
    Ok([current].into_iter().chain(others).collect())
}
