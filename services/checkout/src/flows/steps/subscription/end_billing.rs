//! Runs before a member is erased: ends all charges and resolves attempts in flight.

use chrono::{DateTime, Utc};
use sqlx::{Postgres, Transaction};

use super::bill_subscription::advance;
use super::charge_period::resolve_attempt;
use super::sync_subscription::sync_subscription;
use crate::domain::ids::OrderId;
use crate::domain::order::order_attempt::SubscriptionOrder;
use crate::domain::subscription::merchant_schedule::MerchantSchedule;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::ports::ProviderError;
use crate::store::order::subscription_orders::{self, AttemptSelector};
use crate::store::subscription::merchant_schedules;

/// Stores an ended schedule, so that none begins later.
async fn never_begin(
    mut tx: Transaction<'_, Postgres>,
    purchase: &SubscriptionOrder,
    now: DateTime<Utc>,
) -> Result<()> {
    let provider = purchase.payment.provider;
    if !provider.is_merchant_initiated() || !purchase.order.is_paid() {
        return Ok(());
    }
    let over = MerchantSchedule {
        subscription_id: purchase.subscription.subscription_id,
        payment_method: None,
        anchor: now,
        period_months: 1,
        paid_until: purchase.subscription.state.period_end().unwrap_or(now),
        resumes_at: None,
        ended_at: Some(now),
    };
    merchant_schedules::begin(&mut tx, &over, provider).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn end_billing(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let now = checkout.clock.now();
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let purchase = subscription_orders::lock(&mut tx, order_id, AttemptSelector::Current).await?;
    let id = purchase.subscription.subscription_id;
    let Some(mut schedule) = merchant_schedules::find(&mut tx, id).await? else {
        return never_begin(tx, &purchase, now).await;
    };
    schedule.ended_at.get_or_insert(now);
    merchant_schedules::save(&mut tx, &schedule).await?;
    tx.commit().await?;
    while let Some(attempt) = advance(checkout, order_id).await? {
        if !resolve_attempt(checkout, order_id, &attempt).await? {
            let why = "a renewal is in flight".to_owned();
            return Err(Error::Provider(ProviderError::OutcomeUnknown(why)));
        }
    }
    sync_subscription(checkout, order_id).await
}
