//! Binds a free trial to the card, or the payer's account, that it begins with: a new address brings no new trial.

use sqlx::PgConnection;

use crate::domain::order::{Order, OrderState};
use crate::domain::pricing::free_trial::PayerMark;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::pricing::free_trials;

/// Runs before the subscription is created at the provider. `false`: the card has begun a trial of the product for another member.
/// `None`: the provider does not identify the card, and the trial is not bound.
pub async fn claim_trial(checkout: &Checkout, order: &Order, card: Option<&PayerMark>) -> Result<bool> {
    let (Some(card), 1..) = (card, order.trial_days) else {
        return Ok(true);
    };
    let mut tx = kit::database::begin(&checkout.pool).await?;
    if free_trials::is_paid(&mut tx, order).await? {
        return Ok(true);
    }
    let is_claimed = claim(&mut tx, checkout, order, card).await?;
    tx.commit().await?;
    Ok(is_claimed)
}

/// Runs in the transaction that links an approved subscription. `false`: the member, or the account, has had a trial.
pub async fn claim_approved(
    tx: &mut PgConnection,
    checkout: &Checkout,
    order: &Order,
    payer: Option<&PayerMark>,
) -> Result<bool> {
    if order.trial_days == 0 || order.state != OrderState::Open {
        return Ok(true);
    }
    if free_trials::is_used(tx, &order.user_id, &order.product).await? {
        return Ok(false);
    }
    match payer {
        Some(payer) => claim(tx, checkout, order, payer).await,
        None => Ok(true),
    }
}

async fn claim(tx: &mut PgConnection, checkout: &Checkout, order: &Order, mark: &PayerMark) -> Result<bool> {
    let now = checkout.clock.now();
    Ok(free_trials::claim(tx, order, mark, checkout.trials_per_card, now).await?)
}
