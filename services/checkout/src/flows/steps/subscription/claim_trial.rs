//! Binds a free trial to the card, or the account at PayPal, that it begins with: a new address brings no new trial.

use sqlx::PgConnection;

use crate::domain::order::{Order, OrderState};
use crate::domain::pricing::free_trial::PayerMark;
use crate::domain::provider::Provider;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::pricing::free_trials;

/// Before Stripe is asked for the subscription. `false`: the card has begun a trial of the product for another member.
/// `fingerprint` is Stripe's name for the card; without one there is nothing to bind the trial to.
pub async fn claim_trial(checkout: &Checkout, order: &Order, fingerprint: Option<&str>) -> Result<bool> {
    let (Some(fingerprint), 1..) = (fingerprint, order.trial_days) else {
        return Ok(true);
    };
    let mut tx = checkout.pool.begin().await?;
    if free_trials::is_paid(&mut tx, order).await? {
        return Ok(true);
    }
    let mark = PayerMark::of(Provider::Stripe, fingerprint);
    let is_claimed = claim(&mut tx, checkout, order, &mark).await?;
    tx.commit().await?;
    Ok(is_claimed)
}

/// In the transaction that makes a subscription of PayPal's a member's. `false`: the member, or the account, has had a trial.
pub async fn claim_agreed(
    tx: &mut PgConnection,
    checkout: &Checkout,
    order: &Order,
    payer_id: Option<&str>,
) -> Result<bool> {
    if order.trial_days == 0 || order.state != OrderState::Open {
        return Ok(true);
    }
    if free_trials::is_used(tx, &order.user_id, &order.product).await? {
        return Ok(false);
    }
    match payer_id {
        Some(payer_id) => claim(tx, checkout, order, &PayerMark::of(Provider::Paypal, payer_id)).await,
        None => Ok(true),
    }
}

async fn claim(tx: &mut PgConnection, checkout: &Checkout, order: &Order, mark: &PayerMark) -> Result<bool> {
    let now = checkout.clock.now();
    Ok(free_trials::claim(tx, order, mark, checkout.trials_per_card, now).await?)
}
