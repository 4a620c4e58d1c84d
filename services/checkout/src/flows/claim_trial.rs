//! Binds a free trial to the card it begins with, before the provider is asked for the subscription: a new address brings no
//! new trial.

use super::Checkout;
use crate::domain::free_trial::CardMark;
use crate::domain::order::Order;
use crate::domain::provider::Provider;
use crate::error::Result;
use crate::store::free_trials;

/// `false`: the card has begun a trial of the product for another member. `fingerprint` is the provider's name for the card;
/// without one there is nothing to bind the trial to.
pub async fn claim_trial(checkout: &Checkout, order: &Order, fingerprint: Option<&str>) -> Result<bool> {
    let (Some(fingerprint), 1..) = (fingerprint, order.trial_days) else {
        return Ok(true);
    };
    let mark = CardMark::of(Provider::Stripe, fingerprint);
    let mut tx = checkout.pool.begin().await?;
    if free_trials::is_paid(&mut tx, order).await? {
        return Ok(true);
    }
    let now = checkout.clock.now();
    let is_claimed = free_trials::claim(&mut tx, order, &mark, checkout.trials_per_card, now).await?;
    tx.commit().await?;
    Ok(is_claimed)
}
