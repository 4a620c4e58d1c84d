//! Which plans a subscription can be changed to as it is now.

use super::Checkout;
use super::read::{self, Held};
use crate::domain::catalogue::Price;
use crate::domain::ids::{SubscriptionId, UserId};
use crate::domain::provider::Provider;
use crate::domain::wish;
use crate::error::Result;

#[derive(Debug, Clone)]
pub struct Plan {
    pub price: Price,
    pub is_current: bool,
}

/// The current one first. It is alone while no change is possible, and nothing is listed of what is managed elsewhere.
pub async fn list_plans(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: SubscriptionId,
) -> Result<Vec<Plan>> {
    let Held {
        purchase, life, plan, ..
    } = read::held(checkout, user_id, subscription_id).await?;
    let Some(life) = life.filter(|_| purchase.payment.provider == Provider::Stripe) else {
        return Ok(Vec::new());
    };
    let state = &purchase.subscription.state;
    if state.has_ended() {
        return Ok(Vec::new());
    }
    let catalogue = checkout.catalogue.get();
    let can_change = wish::check_settled(state, &life).is_ok() && life.paused_until.is_none();
    let beyond = if can_change {
        catalogue.plans_beyond(&plan, &purchase.order.country)
    } else {
        Vec::new()
    };
    let others = beyond.into_iter().map(|price| Plan {
        price: price.clone(),
        is_current: false,
    });
    let current = Plan {
        price: plan.clone(),
        is_current: true,
    };
    Ok([current].into_iter().chain(others).collect())
}
