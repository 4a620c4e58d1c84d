//! Erases a member. First the provider deletes the customer and its subscriptions; then our rows are
//! anonymised. Repeating it after a crash is safe.

use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use kit::erasure::{ErasedData, ErasureHandler, ErasureJob, Prepared, add_tombstones};
use sqlx::PgConnection;

use super::end_at_other_providers::end_at_other_providers;
use crate::domain::ids::{OrderId, UserId};
use crate::domain::order::order_attempt::OrderAttempt;
use crate::domain::payment::provider_result::ProviderResult;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::call_provider::find;
use crate::flows::steps::payment::close_payment::close_payment;
use crate::flows::steps::payment::refresh_payment::refresh_payment;
use crate::flows::steps::payment::settle_payment::settle_payment;
use crate::ports::ProviderError;
use crate::store::order::customers::{self, Customer};
use crate::store::order::order_attempts::{self, AttemptSelector};
use crate::store::pricing::coupons;
use crate::store::privacy::{member_erasure, member_export};
use crate::store::subscription::{billing_states, merchant_schedules};
use crate::store::withdrawals;

/// What tax law makes us keep of a sale.
const BOOKKEEPING: &str = "bookkeeping";

pub struct MemberEraser(pub Arc<Checkout>);

#[async_trait]
impl ErasureHandler for MemberEraser {
    async fn prepare(&self, job: &ErasureJob) -> anyhow::Result<Prepared> {
        let user_id = member(job)?;
        let mut connection = self.0.pool.acquire().await?;
        if member_export::customer(&mut connection, &user_id)
            .await?
            .is_some()
        {
            let customer = customers::find(&mut connection, &user_id).await?;
            let orders = member_erasure::orders(&mut connection, &user_id).await?;
            let one_time_orders = member_erasure::one_time_orders(&mut connection, &user_id).await?;
            drop(connection);
            for order_id in one_time_orders {
                end_one_time_order(&self.0, order_id).await?;
            }
            forget_at_provider(&self.0, &customer, &orders).await?;
        }
        Ok(Prepared::Ready)
    }

    async fn erase(&self, tx: &mut PgConnection, job: &ErasureJob) -> anyhow::Result<ErasedData> {
        let user_id = member(job)?;
        let now = self.0.clock.now();
        let provider_customer_id = customers::provider_customer_id(tx, &user_id).await?;
        if let Some(id) = &provider_customer_id {
            // Waits for a webhook that is being stored; later ones find the tombstone.
            add_tombstones(tx, &self.0.clock, std::slice::from_ref(id)).await?;
            member_erasure::empty_notifications(tx, id).await?;
        }
        let elsewhere = member_erasure::other_provider_ids(tx, &user_id).await?;
        add_tombstones(tx, &self.0.clock, &elsewhere).await?;
        member_erasure::empty_notifications_about(tx, &elsewhere).await?;
        let has_ordered = member_erasure::lock_orders(tx, &user_id).await?;
        let anonymized = UserId::anonymized(now);
        merchant_schedules::delete_of_member(tx, &user_id).await?;
        billing_states::erase(tx, &user_id).await?;
        member_erasure::close_open(tx, &user_id, now).await?;
        coupons::release_abandoned(tx, &user_id, now).await?;
        withdrawals::erase_member(tx, &user_id, now).await?;
        member_erasure::anonymize(tx, &user_id, &anonymized).await?;
        let survey_orders = member_erasure::delete_survey_orders(tx, &user_id).await?;

        let survey_orders = survey_orders.iter().map(ToString::to_string);
        Ok(ErasedData {
            identifiers: survey_orders.chain(provider_customer_id).collect(),
            retained: has_ordered.then(|| BOOKKEEPING.to_owned()).into_iter().collect(),
        })
    }
}

fn member(job: &ErasureJob) -> anyhow::Result<UserId> {
    UserId::parse(&job.user_id).context("the erasure names no member")
}

async fn forget_at_provider(checkout: &Checkout, customer: &Customer, orders: &[OrderId]) -> Result<()> {
    let customers = checkout.providers.own_page();
    let mut known = customers.find_customers(&customer.buyer).await?;
    known.extend(customer.stripe_customer_id.clone());
    known.sort_unstable();
    known.dedup();
    for provider_customer_id in &known {
        for order_id in orders {
            find_unconfirmed(checkout, provider_customer_id, *order_id).await?;
        }
        match customers.delete_customer(provider_customer_id).await {
            Ok(()) | Err(ProviderError::NotFound) => {}
            Err(error) => return Err(error.into()),
        }
    }
    end_at_other_providers(checkout, orders).await?;
    for order_id in orders {
        sync_ended(checkout, *order_id).await?;
    }
    Ok(())
}

/// Cancels a one-time payment at the provider and fetches what was captured.
async fn end_one_time_order(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let attempt = read(checkout, order_id).await?;
    let payment_id = attempt.payment.payment_id;
    if attempt.payment.is_unconfirmed() {
        let found = find(checkout, &attempt).await?;
        let result = found.map_or(ProviderResult::NotFoundAtProvider, ProviderResult::Snapshot);
        settle_payment(checkout, payment_id, &result).await?;
    }
    match close_payment(checkout, payment_id).await {
        Ok(_) | Err(Error::Provider(ProviderError::NotFound)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Resolves unconfirmed payments, because the customer cannot be fetched afterwards.
async fn find_unconfirmed(checkout: &Checkout, provider_customer_id: &str, order_id: OrderId) -> Result<()> {
    let OrderAttempt { payment, .. } = read(checkout, order_id).await?;
    if !payment.is_unconfirmed() {
        return Ok(());
    }
    let payment_id = payment.payment_id;
    let subscriptions = checkout.providers.of(payment.provider)?;
    let found = subscriptions
        .find_subscription(Some(provider_customer_id), payment_id)
        .await;
    match found {
        Ok(Some(snapshot)) => {
            settle_payment(checkout, payment_id, &ProviderResult::Snapshot(snapshot.into())).await?;
            Ok(())
        }
        Ok(None) | Err(ProviderError::NotFound | ProviderError::Rejected { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Syncs the subscription that the provider ended, with everything paid until then.
async fn sync_ended(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let attempt = read(checkout, order_id).await?;
    let subscription = attempt.subscription.as_ref();
    if subscription.is_none_or(|subscription| subscription.state.has_ended()) {
        return Ok(());
    }
    if attempt.payment.is_unconfirmed() {
        let payment_id = attempt.payment.payment_id;
        settle_payment(checkout, payment_id, &ProviderResult::NotFoundAtProvider).await?;
        return Ok(());
    }
    match refresh_payment(checkout, attempt).await {
        Ok(_) | Err(Error::Provider(ProviderError::NotFound)) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn read(checkout: &Checkout, order_id: OrderId) -> Result<OrderAttempt> {
    let mut connection = checkout.pool.acquire().await?;
    Ok(order_attempts::read(&mut connection, order_id, AttemptSelector::Current).await?)
}
