//! Before a member is erased: nothing is charged any more, and nothing stays in the air.

use chrono::{DateTime, Utc};
use sqlx::{Postgres, Transaction};

use super::Checkout;
use super::bill_subscription::advance;
use super::charge_period::find_out;
use super::follow_subscription::follow_subscription;
use crate::domain::billing::Billing;
use crate::domain::ids::OrderId;
use crate::domain::purchase::Purchase;
use crate::error::{Error, Result};
use crate::ports::ProviderError;
use crate::store::charges;
use crate::store::purchases::{self, Which};

/// Whoever would begin to charge it finds that it has ended.
async fn never_begin(
    mut tx: Transaction<'_, Postgres>,
    purchase: &Purchase,
    now: DateTime<Utc>,
) -> Result<()> {
    let provider = purchase.payment.provider;
    if !provider.waits_to_be_asked() || !purchase.order.is_paid() {
        return Ok(());
    }
    let over = Billing {
        subscription_id: purchase.subscription.subscription_id,
        means: None,
        anchor: now,
        period_months: 1,
        paid_until: purchase.subscription.state.period_end().unwrap_or(now),
        resumes_at: None,
        ended_at: Some(now),
    };
    charges::begin(&mut tx, &over, provider).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn end_billing(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let now = checkout.clock.now();
    let mut tx = checkout.pool.begin().await?;
    let purchase = purchases::lock(&mut tx, order_id, Which::Current).await?;
    let id = purchase.subscription.subscription_id;
    let Some(mut billing) = charges::find(&mut tx, id).await? else {
        return never_begin(tx, &purchase, now).await;
    };
    billing.ended_at.get_or_insert(now);
    charges::save(&mut tx, &billing).await?;
    tx.commit().await?;
    while let Some(in_the_air) = advance(checkout, order_id).await? {
        if !find_out(checkout, order_id, &in_the_air).await? {
            let why = "a renewal is in the air".to_owned();
            return Err(Error::Provider(ProviderError::NoAnswer(why)));
        }
    }
    follow_subscription(checkout, order_id).await
}
